"""Plain text as lines: format=flowed is joined (RFC 3676), quote prefixes are counted, OpenPGP is unwrapped."""

import re
from collections.abc import Iterator

from .lines import NOTHING_SEEN, TextLine, visible

_MARKS = 40
"""The first characters of a line, which may contain quote prefixes with invisible characters between them."""
MARKED = re.compile(r"(?:\s{0,8}[>＞])+ ?")
"""The prefixes of a quoted line."""
_INITIALS = re.compile(r"\s{0,2}[A-Z][A-Za-z]{0,3}>+ ?")
_NAME = re.compile(r"\s{0,8}[^\W\d_][\w'.-]{0,15}>+(?: |$)")
"""The quoted person's name before each line, as in SuperCite of Emacs."""
BAR = re.compile(r"\s?(?:\|+|[:}»])(?: |$)")
_GROUPWISE = re.compile(r"\s*>>> .{1,400} >>>\s*$")
_PGP = re.compile(r"-----(BEGIN|END) PGP (SIGNED MESSAGE|SIGNATURE|MESSAGE|PUBLIC KEY BLOCK)-----\s*$")


def lines_of(text: str, *, flowed: bool = False, delsp: bool = False) -> list[TextLine]:
    """Return the lines of a text as a reader sees them, with depth. ``flowed``, ``delsp``: of its content type."""
    raw = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\x0b", "\n").split("\n")
    raw = list(_without_armour(raw))
    if flowed:
        raw = list(_joined(raw, delsp))
    return [_line(one, number) for number, one in enumerate(raw, 1)]


def _line(raw: str, number: int) -> TextLine:
    bare = NOTHING_SEEN.sub("", raw[:_MARKS]) + raw[_MARKS:]
    if _GROUPWISE.match(raw):
        return TextLine(visible(raw), number)
    found = MARKED.match(bare) or _INITIALS.match(bare) or _NAME.match(bare) or BAR.match(bare)
    rest = bare[found.end() :] if found else raw.removeprefix("\ufeff")
    depth = max(1, sum(map(found.group().count, ">＞|:}»"))) if found else 0
    text = visible(rest)
    # a tab counts as four spaces
    return TextLine(text, number, depth, indent=len(rest[:40].expandtabs(4)) - len(rest[:40].expandtabs(4).lstrip(" ")))


def _joined(raw: list[str], delsp: bool) -> Iterator[str]:
    """Yield paragraphs in one line each: a line that ends with a space continues in the next one of the same depth."""
    held: list[str] = []
    depth_held = 0
    for line in raw:
        depth = len(line) - len(line.lstrip(">"))
        body = line[depth:].removeprefix(" ")  # undo space-stuffing
        if held and (depth != depth_held or body == "-- "):
            yield ">" * depth_held + " " * bool(depth_held) + "".join(held)
            held = []
        depth_held = depth
        held.append(body[:-1] if delsp and body.endswith(" ") and body != "-- " else body)
        if not body.endswith(" ") or body == "-- ":
            yield ">" * depth + " " * bool(depth) + "".join(held)
            held = []
    if held:
        yield ">" * depth_held + " " * bool(depth_held) + "".join(held)


def _without_armour(raw: list[str]) -> Iterator[str]:
    """Return the text inside an inline OpenPGP signature, without its dashes (RFC 9580, 7.2) and without the signature.

    Every line keeps its place: a removed line becomes empty.
    """
    if not any(_PGP.match(line) for line in raw):
        yield from raw
        return
    state = ""
    for line in raw:
        found = _PGP.match(line)
        if found:
            state = {"SIGNED MESSAGE": "head", "END": ""}.get(found[2] if found[1] == "BEGIN" else "END", "armour")
            yield ""
        elif state == "head":
            state = "head" if line.strip() else "signed"
            yield ""
        elif state == "armour":
            yield ""
        else:
            yield line.removeprefix("- ") if state == "signed" else line
