"""The lines of a part that its writer wrote: the first protection, by structure.

It cuts by evidence, never by shape alone.

All patterns look at no more than ``lines.LONGEST`` characters of a line, and none is open at both ends.
"""

import re
from collections.abc import Sequence

from msgspec import structs

from .lines import LONGEST, TextLine
from .phrases import PHRASES, any_of, pattern, patterns
from .plain import BAR, MARKED

_ADDRESS = re.compile(r"[\w.+=%-]{1,80}@[\w-]{1,80}\.[\w.-]{1,80}|\[mailto:")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.h]\s?\d{2}(?!\d)|(?<!\d)\d{1,2}\s?(?:[ap]\.?m\b|uhr\b)|\d[点時시]", re.IGNORECASE)
_DATE = re.compile(
    r"(?<!\d)\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}(?!\d)|"
    r"(?<!\d)(?:19|20|25)\d\d(?!\d)|[١٢۱۲]\d{3}|\d[月월]"
)
_COLON = re.compile(r"[:：]\W{0,3}$")
_ADDRESS_COLON = re.compile(r"(?:@[^\s@]{1,200}|[\])>])[^\w]{0,4}[:：]\s*$")
_ZOHO = re.compile(r"^--.{1,400}--$")
_GROUPWISE = re.compile(r"^>>> .{1,400} >>>$")
_YOU_WROTE = re.compile(
    r"^(?:.{0,60}, )?(?:you wrote|schriebst du|schrieben sie|vous écriviez|вы писали|tu écrivais)\W{0,3}$",
    re.IGNORECASE,
)

_WROTE = pattern(r"(?<![^\W\d_\u0e00-\uffff])", "wrote")  # from Thai on, scripts have no spaces between words
_INTRO = pattern(r"^\W{0,3}", "intro", r"(?!\w)")
_HEADERS = ("cc", "to", "subject", "sent", "from")
_LABELS = {label: kind for kind in _HEADERS for label in PHRASES[kind]}
_LABEL = re.compile(r"^[\s*_|>]{0,6}([^\W\d_][^:：\n]{0,24}?)[\s*_]{0,4}[:：]")
_BARE_LABEL = re.compile(rf"^{any_of(label for kind in _HEADERS[1:] for label in PHRASES[kind])}\s+\S", re.IGNORECASE)
_RULED = re.compile(r"^[\W_]{2,}+([^\W_].{2,60}?)[\W_]{2,}+$")
_BEGIN = pattern(r"^\W{0,4}", "begin forwarded", r"\W{0,3}$")
_ORIGINAL = pattern("", "original")
_FORWARDED = pattern("", "forwarded")
_UNDERSCORES = re.compile(r"^(?:_{10,}|\*{10,})$")
_DASHES = re.compile(r"^(?:--|–|[—―]+)$")

BELOW_A_COURTESY = "below a courtesy"
"""The reason for lines below thanks or a farewell, which may be added orders."""
_MOST_BELOW = 8
"""Lines below a courtesy that may be orders."""
_SHORT = 60
"""The most characters of a farewell."""
_NAME = r"[^\W\d_][\w'’.-]*+"
_NAMES = rf"(?!(?:from|to|aus|an|von|van|de|da)\s)(?:{_NAME}\s?){{1,3}}[.!]?$"
_CLOSING = pattern(r"^\W{0,2}", "closings", rf"(?!\w)(?:[\W_]*$|[,.!\s]\s*{_NAMES})")
_ENDING = pattern(r"^\W{0,2}", "endings", r"\W*$")
_THANKS = pattern(r"^\W{0,2}", "thanks", rf"(?!\w)(?:[\W_]*$|\s*(?:[,!.]|and|und|&)\s*{_NAMES}|\s+{_NAME}[.!]?$)")
_SENT_FROM = patterns(r"^\W{0,3}", "sent from")
_DEVICE = patterns(r"(?<!\w)", "device")
_MADE_WITH = patterns(r"^\W{0,3}", "made with")
_BANNER = patterns(r"^\W{0,8}", "banner")
_BANNER_SAYS = patterns("", "banner says")
_FOOTER = patterns(r"^\W{0,6}", "footer")


def cut(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines; those that are not the writer's have a reason in ``cut``."""
    reader = _Cutter(lines)
    reader.read()
    return reader.lines


class _Cutter:
    """One pass down a part. ``mode``: "" in the writer's text, else the reason for cutting the next lines."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        self.lines = list(lines)
        self.heads = dict(_attributions(self.lines))
        self.mode = ""
        self.wrote = 0
        self.below = 0  # the number of further lines that may be orders below a courtesy

    def read(self) -> None:
        at = 0
        while at < len(self.lines):
            at = self.step(at)

    def mark(self, start: int, end: int, why: str) -> int:
        """Cut lines ``start`` up to, but not including, ``end``, unless they are cut or empty. Return ``end``."""
        for place in range(start, end):
            line = self.lines[place]
            if line.text and not line.cut:
                self.lines[place] = structs.replace(line, cut=why)
        return end

    def step(self, at: int) -> int:
        """Judge the line at ``at`` and the lines that belong to it. Return the next place."""
        line = self.lines[at]
        if not line.text:
            return at + 1
        if self.below and self.ends_a_courtesy(at):
            self.below = 0
        if self.below and self.mode in ("below the ending", "signature"):
            self.below -= 1
            return self.mark(at, at + 1, BELOW_A_COURTESY)
        if self.mode in ("below the ending", "quote", "forwarded", "footer"):
            return self.mark(at, at + 1, self.mode)
        if at in self.heads:
            return self.quoted_below(self.mark(at, self.heads[at], "attribution"), "quote", line.indent)
        if line.cut or line.depth:
            if self.mode == "signature" and line.cut != "signature":
                self.mode = ""  # below a quote the writer may continue
            return self.mark(at, at + 1, "quote")
        end, why = self.block(at)
        if end > at:
            return self.quoted_below(self.mark(at, end, "header block" if why == "quote" else why), why)
        return self.mark(at, at + 1, self.reason_at(at))

    def ends_a_courtesy(self, at: int) -> bool:
        """Does something else begin here: a quote, a program's addition, a remark, or the end of reading?"""
        line, text = self.lines[at], self.lines[at].text[:LONGEST]
        return bool(
            at in self.heads
            or line.cut
            or line.depth
            or self.block(at)[0] > at
            or _is_footer(text)
            or _DASHES.match(text)
            or is_phone_signature(text)
            or text.startswith(("#", "//"))
            or _ENDING.match(text)
        )

    def quoted_below(self, at: int, why: str, indent: int = 0) -> int:
        """Cut the quote below an attribution.

        With prefixes, the writer may continue below it; without, all the rest is quoted. ``indent``: of the
        attribution. Lines that are indented further are quoted by their indentation, up to an empty line above one that
        is not. Without an empty line between, only the quote's beginning happens to be indented.
        """
        if self.mode == "signature":
            self.mode = ""
        below = next((place for place in range(at, len(self.lines)) if self.lines[place].text), len(self.lines))
        if below == len(self.lines):
            return below
        line = self.lines[below]
        if why == "quote" and (line.depth or line.cut):
            return at
        if why == "quote" and line.indent >= indent + 4:
            while below < len(self.lines) and (not self.lines[below].text or self.lines[below].indent >= indent + 4):
                below = self.mark(below, below + 1, "quote")
            if below == len(self.lines) or not self.lines[below - 1].text:
                return below
        self.mode = why
        return below

    def block(self, at: int) -> tuple[int, str]:
        """Does a block of headers, or its announcement, begin here?

        Return its end, and the reason for cutting the rest.
        """
        text = self.lines[at].text[:LONGEST]
        if _BEGIN.match(text):
            return at + 1, "forwarded"
        ruled = _RULED.match(text)
        if ruled and _FORWARDED.match(ruled[1]):
            return self.header_end(at + 1) or at + 1, "forwarded"
        if ruled and _ORIGINAL.match(ruled[1]):
            return self.header_end(at + 1) or self.bare_header_end(at + 1) or at + 1, "quote"
        if (ruled or _UNDERSCORES.match(text)) and self.header_end(at + 1):
            return self.header_end(at + 1), "quote"
        return self.header_end(at) or self.notes_header_end(at), "quote"

    def notes_header_end(self, at: int) -> int:
        """Return the end of a header of old Lotus Notes: person, date, then names of headers, each above its value.

        Else 0.
        """
        texts = [line.text[:LONGEST] for line in self.lines[at : at + 20]]
        head = " ".join(texts[:2])
        if not (_ADDRESS.search(texts[0]) and _DATE.search(head) and _TIME.search(head)):
            return 0
        alone = [place for place, text in enumerate(texts) if _LABELS.get(text.casefold()) in ("to", "cc", "subject")]
        kinds = {_LABELS[texts[place].casefold()] for place in alone}
        return at + alone[-1] + 2 if {"to", "subject"} <= kinds else 0

    def header_end(self, at: int) -> int:
        """Return the end of a block of headers: three of sender, date, recipient and subject within eight lines.

        Else 0.
        """
        seen: set[str] = set()
        end = rows = 0
        for place in range(at, min(at + 16, len(self.lines))):
            line = self.lines[place]
            if not line.text:
                if len(seen) >= 3 or (rows and not seen):
                    break
                continue
            found = _LABEL.match(line.text[:LONGEST])
            kind = _LABELS.get(found[1].strip().casefold(), "") if found else ""
            rows += 1
            if rows > 8 or (not kind and not seen):
                break
            if kind:
                seen.add(kind)
                end = place + 1
        return end if len(seen - {"cc"}) >= 3 else 0

    def bare_header_end(self, at: int) -> int:
        """Return the end of a block of headers without colons (eM Client), sought only below an announcement."""
        end = 0
        for place in range(at, min(at + 8, len(self.lines))):
            if self.lines[place].text and _BARE_LABEL.match(self.lines[place].text):
                end = place + 1
        return end

    def reason_at(self, at: int) -> str:
        """Return the reason why a line that quotes nothing is still no order, or ""."""
        text = self.lines[at].text[:LONGEST]
        if self.mode == "signature":
            return "footer" if _is_footer(text) else "signature"
        if MARKED.match(text) or BAR.match(text):  # from HTML, which may contain the prefixes of plain text
            return "quote"
        if _is_footer(text):
            self.mode = "footer"
            return "footer"
        if _DASHES.match(text) or is_phone_signature(text):
            self.mode = "signature"
            return "signature"
        if not self.wrote and _BANNER.match(text) and _BANNER_SAYS.search(text):
            return "banner"
        if text.startswith(("#", "//")):
            return "remark"
        short = len(text) <= _SHORT
        if short and (_ENDING.match(text) or (self.wrote and _THANKS.match(text))):
            self.mode = "below the ending"
            self.below = 0 if _ENDING.match(text) else _MOST_BELOW
            return "ending"
        if short and self.wrote and _CLOSING.match(text):
            self.mode, self.below = "signature", _MOST_BELOW
            return "signature"
        self.wrote += 1
        return ""


def _is_footer(text: str) -> bool:
    return bool(_UNDERSCORES.match(text) or _FOOTER.match(text))


def is_phone_signature(text: str) -> bool:
    """Does the line name the program or device that sent the mail, in any language?"""
    if len(text) > 120:
        return False
    return bool(_MADE_WITH.match(text) or (_SENT_FROM.match(text) and _DEVICE.search(text)))


def _attributions(lines: Sequence[TextLine]) -> list[tuple[int, int]]:
    """Return the attributions ("… wrote:") as (first line, end), each of at most four lines.

    The text must say that somebody wrote, or whose address it is, with a time or an address (or right above a quote).
    The shortest such text counts; it is then extended over lines above that clearly begin it.
    """
    found: list[tuple[int, int]] = []
    behind = 0
    for last, line in enumerate(lines):
        above_quote = _quoted(lines, last + 1)
        if not line.text or last < behind or len(line.text) > LONGEST or not (above_quote or _may_end(line.text)):
            continue
        for first in range(last, max(behind, last - 3) - 1, -1):
            if not lines[first].text or (lines[first].depth and first < last):
                break
            if is_attribution(" ".join(one.text for one in lines[first : last + 1]), above_quote):
                if lines[last].depth and not _leaves_open(lines[first:last]):
                    continue  # it is quoted itself; otherwise its ">" closes an address
                first = _drawn_up(lines, first, behind)
                found.append((first, last + 1))
                behind = last + 1
                break
    return found


def _leaves_open(lines: Sequence[TextLine]) -> bool:
    return any(line.text.count("<") > line.text.count(">") for line in lines)


def _may_end(text: str) -> bool:
    return bool(_COLON.search(text) or _ZOHO.match(text) or _GROUPWISE.match(text))


def _quoted(lines: Sequence[TextLine], at: int) -> bool:
    below = next((line for line in lines[at : at + 4] if line.text), None)
    return below is not None and (below.depth > 0 or below.cut == "quote")


def is_attribution(text: str, above_quote: bool) -> bool:
    """Does the text say that somebody wrote, with evidence?"""
    text = text[-LONGEST:]
    when = bool(_DATE.search(text) or _TIME.search(text))
    address = bool(_ADDRESS.search(text))
    if _GROUPWISE.match(text):
        return when
    if _WROTE.search(text):
        return when or address or bool(_YOU_WROTE.match(text)) or (above_quote and bool(_COLON.search(text)))
    return when and address and (above_quote or bool(_ADDRESS_COLON.search(text)))


def _drawn_up(lines: Sequence[TextLine], first: int, lowest: int) -> int:
    """Extend an attribution by the line above if this names a time and begins like one, or was wrapped."""
    for _ in range(2):
        above = first - 1
        if above < lowest or not lines[above].text or lines[above].depth or lines[above].cut:
            break
        text = lines[above].text[:LONGEST]
        says_when = _DATE.search(text) or _TIME.search(text)
        if not (says_when and (_INTRO.match(text) or len(text) >= 40)) or _COLON.search(text):
            break
        first = above
    return first
