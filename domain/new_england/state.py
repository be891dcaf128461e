"""The state of the table of New England Railways. Facts only: the rules that use them are in `rules/`."""

from functools import cache
from typing import Final

import msgspec

# The eleven steps of a turn (NER 3.1).
LOANS: Final = 1
SERVICE: Final = 2
RETIREMENT: Final = 3
GROWTH: Final = 4
COMPLETION: Final = 5
FUTURE: Final = 6
AUCTION: Final = 7
SHIPPING: Final = 8
MARKET: Final = 9
INCOME: Final = 10
FIRST_PLAYER: Final = 11


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One railway company. ``debt``: the face value of its loans. ``left``: the game never waits for it (NER 19.10).

    Only the company itself sees (NER 18.3): ``sealed``, its answer in this step; ``advance``, its answer to step 3
    given in step 1; ``proxies`` and ``limits``: link -> maximum, or largest shortfall.
    """

    cash: int = 0
    debt: int = 0
    income: int = 0
    left: bool = False
    sealed: int | None = None
    advance: int | None = None
    proxies: dict[str, int] = {}
    limits: dict[str, int] = {}


class Lot(msgspec.Struct, frozen=True, gc=False):
    """The link now on offer (NER 10.1). ``bidder`` holds the standing ``bid``; ``next``: the seat in the next place.

    ``shortfall``: once the link is sold and rolled for, the amount that its buyer ``bidder`` may still pay (NER 10.13).
    """

    link: str
    next: int
    bidder: int | None = None
    bid: int = 0
    passed: frozenset[int] = frozenset()
    shortfall: int | None = None


class State(msgspec.Struct, frozen=True, gc=False):
    """A game between two events.

    ``cubes``: city -> colour -> cubes in its box. ``cup``: colour -> cubes. ``row``: links on offer this turn and not
    yet sold or unsold, the lot included. ``owners``: link -> seat. ``bought``: seats that bought in this step 7.
    ``opportunities``: (round, seat) still to come in step 8. ``last_turn``: this turn is the last (NER 15.2).
    ``accounts``: as in `FinalAccountDrawn`, at the end.
    """

    seats: dict[int, Seat] = {}
    first: int = 0
    turn: int = 0
    step: int = 0
    cubes: dict[str, dict[str, int]] = {}
    cup: dict[str, int] = {}
    link_deck: frozenset[str] = frozenset()
    growth_deck: frozenset[str] = frozenset()
    row: tuple[str, ...] = ()
    future: tuple[str, ...] = ()
    owners: dict[str, int] = {}
    built: frozenset[str] = frozenset()
    unsold: tuple[str, ...] = ()
    lot: Lot | None = None
    bought: frozenset[int] = frozenset()
    opportunities: tuple[tuple[str, int], ...] = ()
    last_turn: bool = False
    accounts: tuple[tuple[int, int, int, int, int, int | None], ...] = ()
    winners: tuple[int, ...] = ()

    def clockwise(self, start: int) -> tuple[int, ...]:
        """All seats, beginning with ``start``."""
        return _clockwise(len(self.seats), start)

    @property
    def seat_order(self) -> tuple[int, ...]:
        """NER 3.2 The first player, then clockwise."""
        return self.clockwise(self.first)

    @property
    def staying(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple([number for number, seat in self.seats.items() if not seat.left])

    def links_of(self, seat: int) -> tuple[str, ...]:
        return tuple([link for link, owner in self.owners.items() if owner == seat])


@cache
def _clockwise(seats: int, start: int) -> tuple[int, ...]:
    return tuple((start - 1 + i) % seats + 1 for i in range(seats))
