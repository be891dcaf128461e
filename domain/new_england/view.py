"""The part of a game that one seat, or a spectator, may see (NER 18). It is built from nothing, never stripped from a
full state.
"""

from collections.abc import Mapping
from functools import cached_property

import msgspec

from domain.new_england.board import CITIES, COLOURS, LINKS, City, Link
from domain.new_england.decide import asked
from domain.new_england.rules.loans import least_loan
from domain.new_england.state import Lot, Seat, State
from domain.rules import Result, Standing


class CityView(msgspec.Struct, frozen=True):
    """A city (NER 1.2). ``cubes``: colour -> cubes waiting in its box."""

    id: str
    demand: str
    cubes: dict[str, int]


class LinkView(msgspec.Struct, frozen=True):
    """A link (NER 1.3, 1.4). ``where``: deck, row, lot, future, owned, built or unsold. ``owner``: its seat, if any."""

    id: str
    a: str
    b: str
    number: int
    where: str
    owner: int | None


class LotView(msgspec.Struct, frozen=True):
    """The link now on offer (NER 10.1). ``shortfall``: the amount that its buyer ``bidder`` may pay, once it is rolled
    for.
    """

    link: str
    next: int
    bidder: int | None
    bid: int
    passed: tuple[int, ...]
    shortfall: int | None


class SeatView(msgspec.Struct, frozen=True):
    """One railway company.

    ``answered``: it has given its sealed answer in this step. Fields that only its own seat may see are None for others
    until the game is over (NER 18.3, 18.5): ``sealed`` (its answer), ``advance``, ``proxies``, ``limits``.
    """

    seat: int
    cash: int
    debt: int
    income: int
    left: bool
    least_loan: int
    answered: bool
    sealed: int | None
    advance: int | None
    proxies: dict[str, int] | None
    limits: dict[str, int] | None


class NewEnglandView(msgspec.Struct, frozen=True, dict=True):
    """A game as ``seat`` sees it (None: a spectator). Everything is an id, a number or a list of these.

    ``step``: 1 to 11 (NER 3.1). ``asked``: the seats the game waits for. ``first``: the first player. ``row`` and
    ``future``: links on offer this turn and the next. ``cup``, ``link_deck``, ``growth_deck``: their remaining
    contents, without an order. ``bought``: seats that bought in this step 7. ``opportunities``: (round, seat) still to
    come. ``accounts``: (seat, cash, values of links, debt, total, place), at the end.
    """

    seat: int | None
    turn: int
    step: int
    asked: tuple[int, ...]
    first: int
    seats: tuple[SeatView, ...]
    cities: tuple[CityView, ...]
    links: tuple[LinkView, ...]
    cup: dict[str, int]
    link_deck: tuple[str, ...]
    growth_deck: tuple[str, ...]
    row: tuple[str, ...]
    future: tuple[str, ...]
    unsold: tuple[str, ...]
    lot: LotView | None
    bought: tuple[int, ...]
    opportunities: tuple[tuple[str, int], ...]
    last_turn: bool
    accounts: tuple[tuple[int, int, int, int, int, int | None], ...]
    winners: tuple[int, ...]

    @cached_property
    def owners(self) -> Mapping[str, int]:
        """Return link -> owner."""
        return {link.id: link.owner for link in self.links if link.owner is not None}

    @property
    def own(self) -> SeatView | None:
        """The viewer's own seat."""
        return None if self.seat is None else self.seats[self.seat - 1]


def view(state: State, seat: int | None) -> NewEnglandView:
    """Return everything that ``seat`` may see of ``state``; when the game is over, all of it (NER 18.5)."""
    over, lot = bool(state.winners), state.lot
    return NewEnglandView(
        seat=seat,
        turn=state.turn,
        step=state.step,
        asked=asked(state),
        first=state.first,
        seats=tuple(_seat(number, own, own_eyes=over or number == seat) for number, own in state.seats.items()),
        cities=tuple(_city(state, city) for city in CITIES.values()),
        links=tuple(_link(state, link) for link in LINKS.values()),
        cup={colour: state.cup.get(colour, 0) for colour in COLOURS},
        link_deck=tuple(sorted(state.link_deck)),
        growth_deck=tuple(sorted(state.growth_deck)),
        row=state.row,
        future=state.future,
        unsold=state.unsold,
        lot=None if lot is None else _lot(lot),
        bought=tuple(sorted(state.bought)),
        opportunities=state.opportunities,
        last_turn=state.last_turn,
        accounts=state.accounts,
        winners=state.winners,
    )


def _lot(lot: Lot) -> LotView:
    return LotView(lot.link, lot.next, lot.bidder, lot.bid, tuple(sorted(lot.passed)), lot.shortfall)


def _seat(number: int, own: Seat, *, own_eyes: bool) -> SeatView:
    return SeatView(
        seat=number,
        cash=own.cash,
        debt=own.debt,
        income=own.income,
        left=own.left,
        least_loan=least_loan(own),
        answered=own.sealed is not None,
        sealed=own.sealed if own_eyes else None,
        advance=own.advance if own_eyes else None,
        proxies=dict(sorted(own.proxies.items())) if own_eyes else None,
        limits=dict(sorted(own.limits.items())) if own_eyes else None,
    )


def _city(state: State, city: City) -> CityView:
    return CityView(city.id, city.demand, _counted(state.cubes.get(city.id, {})))


def _counted(cubes: dict[str, int]) -> dict[str, int]:
    return {colour: cubes[colour] for colour in COLOURS if cubes.get(colour)}


def _link(state: State, link: Link) -> LinkView:
    owner = state.owners.get(link.id)
    if owner is not None:
        where = "built" if link.id in state.built else "owned"
    elif link.id in state.row:
        where = "lot" if state.lot is not None and state.lot.link == link.id else "row"
    elif link.id in state.future:
        where = "future"
    else:
        where = "unsold" if link.id in state.unsold else "deck"
    return LinkView(link.id, link.a, link.b, link.number, where, owner)


def result(state: State) -> Result | None:
    """Return the result of the game (NER 16.1, 17): cash, values of links, and the debt that is paid back."""
    if not state.winners:
        return None
    return Result(
        state.winners,
        tuple(
            Standing(seat, place, total, (("cash", cash), ("links", values), ("debt", total - cash - values)))
            for seat, cash, values, _, total, place in state.accounts
        ),
    )
