"""Sealed words: each seat commits to 32 bytes, and all seats open them once everybody has sat down. Then the game is
dealt.

So nobody can try out words, not even an operator who plays along and sits down last: nobody sees the words of others
before committing to their own. The rules are cited as ``ST 20`` (see HOUSE_RULES.md); they stand in `seats`.
"""

from typing import ClassVar

import msgspec

from domain.luck import Digest
from domain.messages import Command, Event
from domain.pace import DAY

WAIT = 3 * DAY
"""The minimum time for sealed words at a table without a pace."""


# ==== commands ====================================================================================
class SealWords(Command, frozen=True):
    """ST 20: commit to new words, after a failed attempt. ``due``: as in `TakeSeat`."""

    brought: Digest
    due: int


class RevealWords(Command, frozen=True):
    """ST 20: open the sealed words: 32 bytes in hexadecimal digits. The last one starts the game."""

    words: Digest


class CallWords(Command, frozen=True):
    """ST 20: declare that time is up: a player who still owes the table something loses the seat."""


class MoveWords(Command, frozen=True):
    """ST 20: give more time, because the service stood still."""

    due: int


COMMANDS = (SealWords, RevealWords, CallWords, MoveWords)


# ==== events ======================================================================================
class WordsCalled(Event, frozen=True):
    """All seats are taken: a player who owes a seal, or the sealed words, has until ``due``."""

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
    """Opened words no longer count, nothing is dealt, and everybody seals new words."""

    BARRIER: ClassVar = True


EVENTS = (WordsCalled, WordsSealed, WordsRevealed, SeatLost, WordsVoided)


# ==== the table ===================================================================================
class Sealed(msgspec.Struct, frozen=True):
    """The progress of a table's words. ``due``: the deadline for owed seals and words; None while seats are free.

    ``opened``: the seats whose words are open. ``failed``: the number of failed attempts.
    """

    due: int | None = None
    opened: tuple[int, ...] = ()
    failed: int = 0
