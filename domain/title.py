"""The contract that every title fulfils. A title is one folder and one line in `domain.TITLES`.

It has two halves, its rules (`domain.rules`) and its face (`domain.face`). Code outside `domain/` knows a title only
through these three modules.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from domain import lifecycle
from domain.chain import ChainCodec
from domain.decision import Bookkeeping
from domain.face import Face
from domain.lesson import Lesson
from domain.messages import Codec, Command, Event
from domain.rules import Rules, State, View
from domain.words import Language

Bot = Callable[[View, random.Random], tuple[Command, ...]]
"""Plan from a view: return the next commands of a seat, at least one. After a refusal, the rest is planned again."""


EventKind = tuple[Bookkeeping | None, int]
"""The facts that a fold needs of a class of events: its bookkeeping (None: it is the table's), and its flags."""
SEEN_BY_ALL, BARRIER = 1, 2
"""Flags: the event is not quiet; nothing before it can be taken back."""


def _flags(kind: type[Event]) -> int:
    return (0 if kind.QUIET or kind.HIDDEN else SEEN_BY_ALL) | (BARRIER if kind.BARRIER else 0)


def _unchanged(state: State, event: Event) -> State:
    return state


class Seating(msgspec.Struct, frozen=True):
    """The number of players, and the choices before a game begins. ``seats``: fewest and most players.

    ``options``: struct of the host's choices; every field has a default and is a bool or a Literal of ids. ``choice``:
    struct of each seat's choices on sitting down, likewise (``""`` for "any"). ``check_table(options, seats)`` and
    ``check_choice(options, choice, taken)`` raise `Refused`; ``taken`` are the other seats' choices.
    """

    seats: tuple[int, int]
    options: type[msgspec.Struct]
    choice: type[msgspec.Struct]
    check_table: Callable[[Any, int], None]
    check_choice: Callable[[Any, Any, Sequence[Any]], None]


class Title(msgspec.Struct, frozen=True, dict=True):
    """A board game with its rules.

    ``id``: the folder's name, also in addresses. ``prefix``: of its rule numbers ("GTJ"). ``cites``: house rule -> the
    title's own number for it (``take_back``, ``over``). ``catalogue``: the file with the numbered rules, which players
    read.

    ``bots``: name -> player, the weakest first. "random" and "sensible" are always there. A title has "hasty", which
    scores as soon as it can, if the safe answers alone are no yardstick. It has "patient", which gives every possible
    answer in advance, if it has such answers.

    ``lesson``: teaches the game step by step; None: nothing teaches it.
    """

    id: str
    prefix: str
    cites: Mapping[str, str]
    catalogue: Path
    seating: Seating
    rules: Rules
    face: Face
    bots: Mapping[str, Bot]
    lesson: Lesson | None = None

    @cached_property
    def editions(self) -> dict[int, "Title"]:
        """Version of the rules -> this title as it decides by that version.

        Only the present version reads, folds and shows a log.
        """
        return {version: replace(self, rules=rules) for version, rules in self.rules.editions().items()}

    def __post_init__(self) -> None:
        """Build everything for reading a log now, while the title's module is imported by one thread.

        msgspec writes to a class what it finds when it first reads one, bit by bit: a thread that reads one meanwhile
        crashes the process with a segmentation fault (msgspec 0.22). Python 3.11 had a lock in every `cached_property`;
        later versions have none.
        """
        _ = self.chain, self.kinds, self.kinds_known
        for kind in (self.seating.options, self.seating.choice, type(self.rules.start)):
            msgspec.json.Decoder(kind)

    @cached_property
    def codec(self) -> Codec:
        """The codec of all commands and events that can stand in a log of this title."""
        rules = self.rules
        return Codec((*lifecycle.COMMANDS, *rules.commands), (*lifecycle.EVENTS, *rules.events), rules.upcasters)

    @cached_property
    def chain(self) -> ChainCodec:
        return ChainCodec(self.codec)

    @cached_property
    def kinds(self) -> dict[type[Event], EventKind]:
        """Event class -> everything that a fold needs of it, in one lookup."""
        bookkeeping = self.rules.bookkeeping
        events: tuple[type[Event], ...] = (*lifecycle.EVENTS, *bookkeeping)
        return {it: (bookkeeping.get(it), _flags(it)) for it in events}

    @cached_property
    def kinds_known(self) -> dict[type[Event], EventKind]:
        """The same for a fold that knows the state afterwards: no bookkeeping is needed."""
        return {it: (write_down and _unchanged, flags) for it, (write_down, flags) in self.kinds.items()}

    def evolve(self, state: State, event: Event) -> State:
        """Return the state after one event of the title."""
        return self.rules.bookkeeping[type(event)](state, event)

    def name(self, language: Language) -> str:
        return language.name(self.id)
