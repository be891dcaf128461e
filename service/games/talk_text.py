"""The text of a line of talk: how it is cleaned and stored, and what in it leads somewhere.

A name behind "@" is stored as a mark in the text and a reference beside it, so that it follows a rename or an erasure.
Web addresses, and moves of the game ("at move 41"), are found when the line is read.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple

from domain.orders.folding import alternatives
from service.base import names
from service.base.names import without_addresses
from service.words import N_, languages, said

LONGEST = 1000
LINES = 30
"""Lines of one text, as it was typed."""
MARK = re.compile("\ue000(\\d{1,4})\ue001")
"""A mention, by its place. No typed text has these characters: they are for private use."""
ADDRESS = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
ENDS = ".,;:!?)]}'”“»"
"""Signs behind an address that do not belong to it."""
MOVES = N_("at move | after move | move")
"""Words before the number of a move, which together lead to the position after it."""


class Named(NamedTuple):
    """Somebody who can be mentioned, or who was. ``person_id``: None for a bot, and for an erased person.

    ``seat``: of a bot.
    """

    name: str
    person_id: int | None
    seat: int | None = None


class TalkPiece(NamedTuple):
    """A part of a line: plain text, or text that leads somewhere.

    ``kind``: "address" of the web, "move" of the game with its number in ``to``, "person" (``to``: their number, "" for
    a bot), or "text".
    """

    kind: Literal["text", "address", "move", "person"]
    text: str
    to: str = ""


# ==== writing =====================================================================================
def cleaned(given: str) -> str:
    """Return a text for storage, without blank lines at its ends. Raise `BadName`."""
    return names.cleaned_lines(given, LONGEST, LINES)


def marked(text: str, people: Sequence[Named]) -> tuple[str, list[Named]]:
    """Replace names behind "@" by marks. Return the text and the people named, in order. A longer name comes first."""
    known = sorted((it for it in people if it.name), key=lambda it: -len(it.name))
    named: list[Named] = []
    done, at = "", 0
    while (sign := text.find("@", at)) >= 0:
        rest = text[sign + 1 :]
        found = next((it for it in known if _begins_with(rest, it.name)), None)
        if found is None or text[sign - 1 : sign].isalnum():
            done, at = done + text[at : sign + 1], sign + 1
            continue
        done += f"{text[at:sign]}\ue000{len(named)}\ue001"
        named.append(found)
        at = sign + 1 + len(found.name)
    return done + text[at:], named


def _begins_with(text: str, name: str) -> bool:
    return text[: len(name)].casefold() == name.casefold() and not text[len(name) : len(name) + 1].isalnum()


# ==== reading =====================================================================================
def pieces(text: str, named: Mapping[int, Named], last: int) -> tuple[TalkPiece, ...]:
    """Cut a stored text into its parts. ``named``: by place. ``last``: the last move that its reader may know."""
    found: list[TalkPiece] = []
    at = 0
    for match in re.finditer(f"{MARK.pattern}|{ADDRESS.pattern}|{_moves().pattern}", text, re.IGNORECASE):
        piece = _piece(match[0], named, last)
        if piece is None:
            continue
        found += [TalkPiece("text", text[at : match.start()]), piece]
        at = match.start() + (len(match[0]) if piece.kind == "person" else len(piece.text))
    return tuple(it for it in (*found, TalkPiece("text", text[at:])) if it.text)


def _piece(text: str, named: Mapping[int, Named], last: int) -> TalkPiece | None:
    if mark := MARK.fullmatch(text):
        its = named.get(int(mark[1]))
        return TalkPiece("person", f"@{its.name if its else '…'}", str((its and its.person_id) or ""))
    if ADDRESS.match(text):
        address = text.rstrip(ENDS)
        return TalkPiece("address", address, address)
    number = re.sub(r"\D", "", text)
    return TalkPiece("move", text, number) if 1 <= int(number) <= last else None


@cache
def _moves() -> re.Pattern[str]:
    """Return the pattern of a move in any language."""
    words = {word for lang in languages() for word in alternatives(said(MOVES, lang))}
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})[ \u00a0]\d{{1,6}}\b", re.IGNORECASE)


def plain(parts: Sequence[TalkPiece]) -> str:
    """Return the parts of a line as it was typed."""
    return "".join(it.text for it in parts)


def mailed(parts: Sequence[TalkPiece], instead: str) -> str:
    """Return the parts of a line for a letter, in one line and without addresses; ``instead`` stands for each."""
    words = "".join(instead if it.kind == "address" else without_addresses(it.text) for it in parts)
    return " ".join(words.split())


def without_marks(text: str) -> str:
    """Return a stored text without the names of others in it."""
    return MARK.sub("@…", text)
