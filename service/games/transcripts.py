"""The outcome of an answer to a letter: what became of each line, in words for its sender."""

from typing import Literal

import msgspec

MOST_LINES = 60
"""Lines of one answer that are read."""
RESIGNS = "resigns"
"""The kind of a receipt that asks for the confirmation of a resignation."""
SHORT = "short"
"""The kind of a short receipt, which has no numbered lines."""
RECEIPTS = (RESIGNS, SHORT)
"""The kinds of receipts that matter when an answer to them is read."""

Became = Literal["done", "would", "unread", "problem", "not_done", "passed", "fell"]
"""``would``: only tried. ``not_done``: because of another line. ``passed``: the turn is another seat's by then.
``fell``: submitted together with a line that was refused."""


class AnsweredLine(msgspec.Struct, frozen=True):
    """The outcome of one line of an answer.

    ``text``: as written by the sender. ``line``: its meaning, as the service writes it. ``said``: the explanation, with
    the number of the ``rule`` behind it, if any. ``near``: lines to type instead. ``plies``: those it made. ``does``:
    its foreseen effects.
    """

    text: str
    became: Became
    line: str = ""
    said: str = ""
    rule: str | None = None
    near: tuple[str, ...] = ()
    does: tuple[str, ...] = ()
    plies: tuple[int, ...] = ()


Outcome = Literal[
    "done", "part", "nothing", "preview", "stale", "look", "over", "asks", "which", "gone", "elsewhere", "failed",
    "unreadable",
]  # fmt: skip
ABOUT_NO_GAME: tuple[Outcome, ...] = ("which", "gone", "elsewhere", "failed")


class Transcript(msgspec.Struct, frozen=True):
    """The outcome of an answer. ``outcome``: of the whole. "which": the game is unclear. "gone": its sender may not see
    that game any more. "elsewhere": its letter went to an earlier address of the sender. "failed": by our fault.

    ``asks``: the word to be confirmed ("resign"). ``helps``: help was asked for. ``version``: the one the letter showed
    to its seat. ``beyond``: the number of lines that were not read. ``guest``: the sender was invited and has no seat.
    """

    outcome: Outcome
    lines: tuple[AnsweredLine, ...] = ()
    asks: str = ""
    helps: bool = False
    version: int = 0
    beyond: int = 0
    guest: bool = False

    @property
    def can_be_done(self) -> bool:
        """Would the answer, so far only tried, have any effect?"""
        return self.helps or self.outcome in ("preview", "look", "asks")

    @property
    def holds_orders(self) -> bool:
        """Was any line of it meant for the service?"""
        return self.can_be_done or any(it.became != "unread" for it in self.lines)
