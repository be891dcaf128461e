"""A part of plain text as lines: format=flowed joined (RFC 3676), prefixes of quotes counted, OpenPGP unwrapped."""

import re
from collections.abc import Iterator

from .lines import NOTHING_SEEN, TextLine, visible

_MARKS = 40
"""Characters of a line among which marks of a quote stand, with signs between them that show nothing."""
MARKED = re.compile(r"(?:\s{0,8}[>＞])+ ?")
"""The marks before a line that is quoted."""
_INITIALS = re.compile(r"\s{0,2}[A-Z][A-Za-z]{0,3}>+ ?")
_NAME = re.compile(r"\s{0,8}[^\W\d_][\w'.-]{0,15}>+(?: |$)")
"""The name of whom it quotes, as SuperCite of Emacs puts it before each line."""
BAR = re.compile(r"\s?(?:\|+|[:}»])(?: |$)")
_GROUPWISE = re.compile(r"\s*>>> .{1,400} >>>\s*$")
_PGP = re.compile(r"-----(BEGIN|END) PGP (SIGNED MESSAGE|SIGNATURE|MESSAGE|PUBLIC KEY BLOCK)-----\s*$")


def lines_of(text: str, *, flowed: bool = False, delsp: bool = False) -> list[TextLine]:
    """The lines of a text, each as it is seen, with its depth. ``flowed``, ``delsp``: of its content type."""
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
    # a tab is as good as four blanks
    return TextLine(text, number, depth, indent=len(rest[:40].expandtabs(4)) - len(rest[:40].expandtabs(4).lstrip(" ")))


def _joined(raw: list[str], delsp: bool) -> Iterator[str]:
    """Paragraphs in one line each: a line that ends in a blank goes on in the next one of the same depth."""
    held: list[str] = []
    depth_held = 0
    for line in raw:
        depth = len(line) - len(line.lstrip(">"))
        body = line[depth:].removeprefix(" ")  # unstuffed
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
    """What an inline signature of OpenPGP covers, without its dashes (RFC 9580, 7.2); the signature itself is left out.

    Every line keeps its place: what is left out leaves an empty one.
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
