"""The table of a Grand Trunk Journey. Facts only: the rules about them are in `rules/`.

Everything here is frozen; dicts and sets are never changed in place. Nothing is kept twice: a seat's VP are the sum
of its points, and its cards set aside are those of the cities without a terminal. Its deck is every card that lies
nowhere else, and a slot without a contract is face down. A deck has no order (GTJ 19.2), so none is kept.
"""

from typing import Literal

import msgspec

from domain.grand_trunk import cards

Stage = Literal["choosing", "start", "before", "unload", "uncouple", "load", "over"]
"""The stage of the game: the sealed choice (GTJ 2.12), or the stage of the active seat's turn (appendix A)."""

BEFORE_MOVE: frozenset[Stage] = frozenset(("start", "before"))
AFTER_MOVE: frozenset[Stage] = frozenset(("unload", "uncouple", "load"))

Category = Literal[
    "starting_vp",
    "steel",
    "foreign_steel",
    "first_deliveries",
    "contracts",
    "terminals",
    "speculator",
    "force",
    "speed",
    "objectives",
    "dumped",
    "time",
    "sets",
    "improvements",
]
"""The reasons for winning or losing VP, in the order of a result (appendix D, D22)."""


class Railcar(msgspec.Struct, frozen=True, gc=False):
    """A railcar on a train: its card and the cubes on it, ``cubes`` of one ``good``. Empty: no good, 0 cubes."""

    card: str
    good: str | None = None
    cubes: int = 0


class Contract(msgspec.Struct, frozen=True, gc=False):
    """A slot that was turned up: the token drawn for it, and the seat that met it (GTJ 7.3)."""

    token: str
    met_by: int | None = None


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One company and its train.

    ``location``: the card in front of the locomotive; ``place``: where the train stands (GTJ 4.7).
    ``top``: cards known to lie on the deck, the next one first (GTJ 12.6).
    ``choice``: the sealed first railcar and its good, until it is opened (GTJ 2.12).
    ``finished``: it plays no more turns, having reached 36 or passed; ``left``: it is out (GTJ 19.7).
    """

    company: str
    points: dict[str, int] = {}
    day: int = 0
    wood: int = 0
    place: str = ""
    location: str = ""
    force: int = 1
    fast: bool = False
    railcars: tuple[Railcar, ...] = ()
    hand: frozenset[str] = frozenset()
    top: tuple[str, ...] = ()
    discard: frozenset[str] = frozenset()
    delivered: dict[str, int] = {}
    improvements: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    spur: str | None = None
    choice: tuple[str, str] | None = None
    finished: bool = False
    left: bool = False

    @property
    def vp(self) -> int:
        return sum(self.points.values())

    @property
    def playing(self) -> bool:
        """Does the seat still have turns to come (GTJ 3.1)?"""
        return not (self.finished or self.left)

    def deck(self, terminals: frozenset[str]) -> frozenset[str]:
        """The cards drawn at random: those in play that lie nowhere else (and not in ``top`` either)."""
        on_table = [self.location, self.spur, *[railcar.card for railcar in self.railcars], *self.top]
        return cards.in_play(self.company, terminals).difference(self.hand, self.discard, on_table)

    def railcar(self, card: str) -> Railcar | None:
        """The railcar ``card`` on its train."""
        for railcar in self.railcars:
            if railcar.card == card:
                return railcar
        return None


class State(msgspec.Struct, frozen=True, gc=False):
    """A game between two events.

    ``tokens``: place -> goods token (Hamilton has none). ``steel``: cubes by city. ``first_deliveries``: city -> token
    still there. ``contracts``: slot -> contract, those turned up. ``improvements`` and ``objectives``: on display.
    ``order``: the seats' markers from the back of the time track, those on one space from the bottom of the stack.
    ``used``: action improvements used in this turn (GTJ 13.3). ``ranking``: the seats from first to last, at the end.
    """

    scenario: str = "default"
    level: str = "intermediate"
    with_objectives: bool = False
    seats: dict[int, Seat] = {}
    tokens: dict[str, str] = {}
    steel: dict[str, int] = {}
    first_deliveries: dict[str, str] = {}
    terminals: frozenset[str] = frozenset()
    contracts: dict[int, Contract] = {}
    improvements: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    stage: Stage = "choosing"
    active: int | None = None
    used: tuple[str, ...] = ()
    end_begun: bool = False
    winners: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()

    def contracts_of(self, seat: int) -> tuple[int, ...]:
        """Return the slots whose tokens ``seat`` has collected (GTJ 7.5)."""
        return tuple(slot for slot in sorted(self.contracts) if self.contracts[slot].met_by == seat)

    def set_aside(self, seat: int) -> frozenset[str]:
        """The seat's cards of the cities without a terminal (GTJ 2.14, 12.5 to 12.7)."""
        company = self.seats[seat].company
        return frozenset(card for city, card in cards.CITY_CARDS[company].items() if city not in self.terminals)

    @property
    def furthest(self) -> int:
        """The furthest day any seat has reached: markers never move back."""
        return max((seat.day for seat in self.seats.values()), default=0)
