"""Sealed words: seats commit themselves to 32 bytes and open them once all have sat down, and then the game is dealt.

Nobody can then try words, not even an operator who plays along and sits down last: whoever sees the words of others has
bound themselves before. The rules are cited as ``ST 20`` (see HOUSE_RULES.md); they stand in `seats`.
"""

from typing import ClassVar

import msgspec

from domain.luck import Digest
from domain.messages import Command, Event
from domain.pace import DAY

WAIT = 3 * DAY
"""How long sealed words are waited for, at least, where the table has no pace."""


# ==== commands ====================================================================================
class SealWords(Command, frozen=True):
    """ST 20: commit oneself anew, after an attempt that came to nothing. ``due``: as in `TakeSeat2`."""

    brought: Digest
    due: int


class RevealWords(Command, frozen=True):
    """ST 20: open the words that were sealed: 32 bytes in hexadecimal digits. The last one starts the game."""

    words: Digest


class CallWords(Command, frozen=True):
    """ST 20: time is up: a player who still owes the table something loses the seat."""


class MoveWords(Command, frozen=True):
    """ST 20: more time, because the service stood still."""

    due: int


COMMANDS = (SealWords, RevealWords, CallWords, MoveWords)


# ==== events ======================================================================================
class WordsCalled(Event, frozen=True):
    """All seats are taken: a player who owes a seal, or the words behind it, has until ``due``."""

    due: int
    BARRIER: ClassVar = True


class WordsSealed(Event, frozen=True):
    seat: int
    brought: Digest
    BARRIER: ClassVar = True


class WordsRevealed(Event, frozen=True):
    seat: int
    words: Digest
    BARRIER: ClassVar = True


class SeatLost(Event, frozen=True):
    """The seat was not ready in time, and is free again."""

    seat: int
    BARRIER: ClassVar = True


class WordsVoided(Event, frozen=True):
    """Words that were opened count no more, nothing is dealt, and everybody seals other ones."""

    BARRIER: ClassVar = True


EVENTS = (WordsCalled, WordsSealed, WordsRevealed, SeatLost, WordsVoided)


# ==== the table ===================================================================================
class Sealed(msgspec.Struct, frozen=True):
    """How far the words of a table are. ``due``: until when what is owed must be there; None while seats are free.

    ``opened``: the seats whose words are open. ``failed``: attempts that came to nothing.
    """

    due: int | None = None
    opened: tuple[int, ...] = ()
    failed: int = 0
