"""The view of one seat, or of a spectator (GTJ 18). It is built up from nothing, never cut down from a full state."""

from collections.abc import Mapping

import msgspec

from domain.grand_trunk.board import (
    CONTRACT_TOKENS,
    FIRST_DELIVERIES,
    GOODS_TOKENS,
    PLACES,
    PORT_SET,
    PRINTED_GOODS,
    SLOTS,
)
from domain.grand_trunk.cards import CARDS, GOODS, in_order
from domain.grand_trunk.decide import CATEGORIES, asked, result
from domain.grand_trunk.rules.drawing import hand_limit
from domain.grand_trunk.state import Stage, State
from domain.rules import Result


class PlaceView(msgspec.Struct, frozen=True):
    """A place of the board (GTJ 1.2 to 1.7).

    ``token``: its goods token (None: Hamilton, whose goods are printed). ``demand`` and ``supply``: the goods it shows.
    ``terminal`` and ``steel`` are False and 0 for ports. ``first_delivery``: the token still lying there, worth
    ``first_delivery_vp``.
    """

    id: str
    port: bool
    token: str | None
    demand: tuple[str, ...]
    supply: tuple[str, ...]
    terminal: bool
    steel: int
    first_delivery: str | None
    first_delivery_vp: int


class ContractView(msgspec.Struct, frozen=True):
    """A slot (GTJ 7.1). ``token``, ``city`` and ``good`` are None while it is face down: there is no token yet.

    ``dark_space``: the space that turns it up (0: setup). ``met_by``: the seat that met it; else it is open.
    """

    slot: int
    length: int
    first_day: int
    last_day: int
    vp: int
    dark_space: int
    token: str | None
    city: str | None
    good: str | None
    met_by: int | None


class RailcarView(msgspec.Struct, frozen=True):
    """A railcar on a train. ``type``: its railcar type. ``good`` is None and ``cubes`` 0 when it is empty."""

    card: str
    type: str
    good: str | None
    cubes: int


class SeatView(msgspec.Struct, frozen=True):
    """A company. Fields for its own seat only are None for the others, until the game is over (GTJ 18.8).

    ``points``: VP by category, adding up to ``vp``. ``location``: the card in front of the locomotive.
    ``delivered``: cubes of each of the four goods. ``contracts``: slots met. ``objectives``: those taken.
    ``set_aside``, ``discard``: card ids in the company's order. ``top``: cards known to lie on the deck, next first.
    ``hidden``: hand and deck taken together, without ``top``: which cards, not where (GTJ 18.1).
    ``hand_size`` and ``deck_size`` (``top`` included) are open. ``hand``, ``deck`` (without ``top``): owner only.
    ``chosen``: it has given its first railcar, until that is opened; ``choice``: card and good, owner only.
    ``hand_limit``: the size of a full hand. ``finished``: it has reached 36 or passed. ``left``: it is out.
    """

    seat: int
    company: str
    vp: int
    points: dict[str, int]
    day: int
    wood: int
    place: str
    location: str
    force: int
    fast: bool
    railcars: tuple[RailcarView, ...]
    delivered: dict[str, int]
    contracts: tuple[int, ...]
    improvements: tuple[str, ...]
    objectives: tuple[str, ...]
    spur: str | None
    discard: tuple[str, ...]
    set_aside: tuple[str, ...]
    top: tuple[str, ...]
    hidden: tuple[str, ...]
    hand_size: int
    deck_size: int
    hand: tuple[str, ...] | None
    deck: tuple[str, ...] | None
    chosen: bool
    choice: tuple[str, str] | None
    hand_limit: int
    finished: bool
    left: bool


class GrandTrunkView(msgspec.Struct, frozen=True):
    """A game as ``seat`` sees it (None: a spectator). Everything is an id, a number or a list of these.

    ``stage``: "choosing" (sealed first railcars), "over", or the stage of the active seat's turn: "start", "before"
    (an action was played, the train has not moved), "unload" (moved), "uncouple", "load".
    ``asked``: the seats the game waits for. ``order``: markers from the back of the time track, those on one space
    from the bottom of the stack. ``used``: action improvements used in this turn. ``improvements`` and
    ``objectives``: on display. ``result``: once the game is over.
    """

    seat: int | None
    scenario: str
    level: str
    with_objectives: bool
    stage: Stage
    active: int | None
    asked: tuple[int, ...]
    order: tuple[int, ...]
    end_begun: bool
    used: tuple[str, ...]
    places: tuple[PlaceView, ...]
    contracts: tuple[ContractView, ...]
    improvements: tuple[str, ...]
    objectives: tuple[str, ...]
    seats: tuple[SeatView, ...]
    result: Result | None

    @property
    def own(self) -> SeatView | None:
        """The viewer's own seat."""
        return None if self.seat is None else self.seats[self.seat - 1]

    @property
    def place(self) -> Mapping[str, PlaceView]:
        """The places by id."""
        return {place.id: place for place in self.places}


def view(state: State, seat: int | None) -> GrandTrunkView:
    """Return the view of ``seat``, or of a spectator. GTJ 18.8 When the game is over everything is open."""
    return GrandTrunkView(
        seat=seat,
        scenario=state.scenario,
        level=state.level,
        with_objectives=state.with_objectives,
        stage=state.stage,
        active=state.active,
        asked=asked(state),
        order=state.order,
        end_begun=state.end_begun,
        used=state.used,
        places=tuple(_place(state, place) for place in PLACES),
        contracts=tuple(_contract(state, slot) for slot in SLOTS),
        improvements=state.improvements,
        objectives=state.objectives,
        seats=tuple(_seat(state, number, number == seat or state.stage == "over") for number in state.seats),
        result=result(state),
    )


def _place(state: State, place: str) -> PlaceView:
    """GTJ 18.1: the board is open."""
    token = state.tokens.get(place)
    goods = PRINTED_GOODS.get(place) if token is None else GOODS_TOKENS[token]
    first_delivery = state.first_deliveries.get(place)
    return PlaceView(
        id=place,
        port=place in PORT_SET,
        token=token,
        demand=goods.demand if goods else (),
        supply=goods.supply if goods else (),
        terminal=place in state.terminals,
        steel=state.steel.get(place, 0),
        first_delivery=first_delivery,
        first_delivery_vp=FIRST_DELIVERIES[first_delivery].vp if first_delivery else 0,
    )


def _contract(state: State, number: int) -> ContractView:
    """GTJ 18.5: length, window and value of every slot; the token of those that were turned up."""
    slot, contract = SLOTS[number], state.contracts.get(number)
    token = CONTRACT_TOKENS[contract.token] if contract else None
    return ContractView(
        slot=number,
        length=slot.days,
        first_day=slot.first_day,
        last_day=slot.last_day,
        vp=slot.vp,
        dark_space=slot.revealed_at,
        token=token.id if token else None,
        city=token.city if token else None,
        good=token.good if token else None,
        met_by=contract.met_by if contract else None,
    )


def _seat(state: State, number: int, own: bool) -> SeatView:
    """GTJ 18.1 to 18.4, 18.6: everything but the hand, the deck and the sealed choice of another seat."""
    seat = state.seats[number]
    deck = seat.deck(state.terminals)
    return SeatView(
        seat=number,
        company=seat.company,
        vp=seat.vp,
        points={category: seat.points[category] for category in CATEGORIES if category in seat.points},
        day=seat.day,
        wood=seat.wood,
        place=seat.place,
        location=seat.location,
        force=seat.force,
        fast=seat.fast,
        railcars=tuple(
            RailcarView(railcar.card, str(CARDS[railcar.card].railcar), railcar.good, railcar.cubes)
            for railcar in seat.railcars
        ),
        delivered={good: seat.delivered[good] for good in GOODS},
        contracts=state.contracts_of(number),
        improvements=seat.improvements,
        objectives=seat.objectives,
        spur=seat.spur,
        discard=in_order(seat.discard),
        set_aside=in_order(state.set_aside(number)),
        top=seat.top,
        hidden=in_order(seat.hand | deck),
        hand_size=len(seat.hand),
        deck_size=len(seat.top) + len(deck),
        hand=in_order(seat.hand) if own else None,
        deck=in_order(deck) if own else None,
        chosen=seat.choice is not None,
        choice=seat.choice if own else None,
        hand_limit=hand_limit(seat),
        finished=seat.finished,
        left=seat.left,
    )
