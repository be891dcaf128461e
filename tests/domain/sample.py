"""A few made-up messages with every kind of secrecy, to test the framework without any title. They never change."""

from typing import ClassVar

from msgspec import UNSET

from domain.chain import ChainCodec
from domain.messages import Codec, Command, Event, Own


class Speak(Command, frozen=True):
    words: str


class Pocket(Command, frozen=True):
    """Only the seat itself knows which card goes into the pocket."""

    card: Own[str] = UNSET


class Bid(Command, frozen=True):
    """Nobody else learns of this command."""

    amount: int
    HIDDEN: ClassVar = True


class Spoken(Event, frozen=True):
    words: str


class Pocketed(Event, frozen=True):
    seat: int
    number: int
    cards: Own[tuple[str, ...]] = UNSET
    QUIET: ClassVar = True


class BidMade(Event, frozen=True):
    seat: int
    amount: int
    HIDDEN: ClassVar = True


class Opened(Event, frozen=True):
    cards: tuple[str, ...]
    BARRIER: ClassVar = True


class Counted(Event, frozen=True, tag="Counted.2"):
    """The second shape of an event that once counted in dozens."""

    pieces: int


class CountedInDozens(Event, frozen=True, tag="Counted"):
    dozens: int


COMMANDS = (Speak, Pocket, Bid)
EVENTS = (Spoken, Pocketed, BidMade, Opened, Counted)
UPCASTERS = {CountedInDozens: lambda event: Counted(event.dozens * 12)}
CODEC = Codec(COMMANDS, EVENTS, UPCASTERS)
CHAIN = ChainCodec(CODEC)
