"""The bookkeeping of each event. An event says all that it changes; nothing is refused or decided here.

Written for speed: a long log is folded in one go, so each function makes one copy of a seat and one of the state.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.grand_trunk import cards, events
from domain.grand_trunk.board import CITIES, CONSTANTS, SCENARIOS
from domain.grand_trunk.state import AFTER_MOVE, Category, Contract, Railcar, Seat, State
from domain.messages import Event


def evolve(state: State, event: Event) -> State:
    """Return the state after ``event``."""
    return BOOKKEEPING[type(event)](state, event)


# ==== small helpers ===============================================================================
def _scored(seat: Seat, category: Category, vp: int) -> dict[str, int]:
    return seat.points | {category: seat.points.get(category, 0) + vp}


def _less_a_cube(seat: Seat, card: str) -> tuple[Railcar, ...]:
    return tuple([each if each.card != card else _unloaded(each) for each in seat.railcars])


def _unloaded(railcar: Railcar) -> Railcar:
    return Railcar(railcar.card, railcar.good, railcar.cubes - 1) if railcar.cubes > 1 else Railcar(railcar.card)


def _without(seat: Seat, card: str) -> tuple[Railcar, ...]:
    return tuple([each for each in seat.railcars if each.card != card])


def _next_to_play(seats: dict[int, Seat], order: tuple[int, ...]) -> int | None:
    """GTJ 3.1: return the seat furthest back among those still playing; in a stack, the lowest."""
    for number in order:
        seat = seats[number]
        if not seat.finished and not seat.left:
            return number
    return None


def _turn_over(state: State, seats: dict[int, Seat]) -> State:
    return replace(state, seats=seats, active=_next_to_play(seats, state.order), stage="start", used=())


# ==== GTJ 2: setup ================================================================================
def table_set(state: State, event: events.TableSet) -> State:
    seats = {
        number: Seat(company, {"starting_vp": CONSTANTS.starting_vp}, delivered=dict.fromkeys(cards.GOODS, 0))
        for number, company in enumerate(event.companies, 1)
    }
    return State(
        event.scenario,
        event.level,
        event.objectives,
        seats,
        steel=dict.fromkeys(CITIES, 0),
        terminals=frozenset(SCENARIOS[event.scenario].starting_cities),
    )


def goods_tokens_dealt(state: State, event: events.GoodsTokensDealt) -> State:
    return replace(state, tokens=event.tokens)


def first_deliveries_dealt(state: State, event: events.FirstDeliveriesDealt) -> State:
    return replace(state, first_deliveries=event.tokens)


def improvements_displayed(state: State, event: events.ImprovementsDisplayed) -> State:
    return replace(state, improvements=event.improvements)


def objectives_displayed(state: State, event: events.ObjectivesDisplayed) -> State:
    return replace(state, objectives=event.objectives)


def turn_order_drawn(state: State, event: events.TurnOrderDrawn) -> State:
    return replace(state, order=event.order)


def starting_cities_drawn(state: State, event: events.StartingCitiesDrawn) -> State:
    seats = {}
    for (number, seat), city in zip(state.seats.items(), event.cities, strict=True):
        seats[number] = replace(seat, place=city, location=cards.CITY_CARDS[seat.company][city])
    return replace(state, seats=seats)


def first_railcar_chosen(state: State, event: Any) -> State:
    return replace(
        state, seats=state.seats | {event.seat: replace(state.seats[event.seat], choice=(event.card, event.good))}
    )


def first_railcars_opened(state: State, event: events.FirstRailcarsOpened) -> State:
    seats = dict(state.seats)
    for number, card, good in event.choices:
        seat = seats[number]
        seats[number] = replace(seat, railcars=(Railcar(card, good, 1),), choice=None)
    return replace(state, seats=seats, stage="start", active=_next_to_play(seats, state.order))


# ==== GTJ 10: decks ===============================================================================
def deck_shuffled(state: State, event: events.DeckShuffled) -> State:
    if event.source == "start":
        return state  # the deck is not stored: it is every card that lies nowhere else
    return replace(state, seats=state.seats | {event.seat: replace(state.seats[event.seat], discard=frozenset())})


def cards_drawn(state: State, event: Any) -> State:
    seat, drawn = state.seats[event.seat], event.cards
    top = tuple(card for card in seat.top if card not in drawn) if seat.top else ()
    return replace(state, seats=state.seats | {event.seat: replace(seat, hand=seat.hand.union(drawn), top=top)})


# ==== GTJ 3 and 5: moving and days ================================================================
def train_moved(state: State, event: events.TrainMoved) -> State:
    seat = state.seats[event.seat]
    hand, discard = seat.hand - {event.card}, seat.discard | {event.discarded}
    moved = replace(seat, place=event.to, location=event.card, hand=hand, discard=discard)
    return replace(state, seats=state.seats | {event.seat: moved}, stage="unload")


def days_spent(state: State, event: events.DaysSpent) -> State:
    """GTJ 3.3: the marker goes on top of those on its new space."""
    seats, order, mover, to = state.seats.copy(), list(state.order), event.seat, event.to
    seats[mover] = replace(seats[mover], day=to)
    order.remove(mover)
    behind = 0
    for other in order:
        if seats[other].day > to:
            break
        behind += 1
    order.insert(behind, mover)
    return replace(state, seats=seats, order=tuple(order))


def contract_turned_up(state: State, event: events.ContractTurnedUp) -> State:
    return replace(state, contracts=state.contracts | {event.slot: Contract(event.token)})


# ==== GTJ 6 and 7: unloading ======================================================================
def good_delivered(state: State, event: events.GoodDelivered) -> State:
    seat = state.seats[event.seat]
    delivered = replace(
        seat,
        railcars=_less_a_cube(seat, event.railcar),
        delivered=seat.delivered | {event.good: seat.delivered[event.good] + 1},
        points=_scored(seat, "steel", event.vp) if event.vp else seat.points,
        wood=seat.wood + event.wood_steps,
    )
    if not event.steel:
        return replace(state, seats=state.seats | {event.seat: delivered})
    steel = state.steel | {event.place: state.steel[event.place] + event.steel}
    return replace(state, seats=state.seats | {event.seat: delivered}, steel=steel)


def steel_bonus_paid(state: State, event: events.SteelBonusPaid) -> State:
    return _points(state, event.seat, "foreign_steel", event.vp)


def first_delivery_taken(state: State, event: events.FirstDeliveryTaken) -> State:
    seat = state.seats[event.seat]
    own = replace(seat, points=_scored(seat, "first_deliveries", event.vp))
    left = {city: token for city, token in state.first_deliveries.items() if city != event.city}
    return replace(state, seats=state.seats | {event.seat: own}, first_deliveries=left)


def contract_fulfilled(state: State, event: events.ContractFulfilled) -> State:
    seat = state.seats[event.seat]
    railcars, points = _less_a_cube(seat, event.railcar), _scored(seat, "contracts", event.vp)
    contracts = state.contracts | {event.slot: Contract(event.token, event.seat)}
    return replace(
        state, seats=state.seats | {event.seat: replace(seat, railcars=railcars, points=points)}, contracts=contracts
    )


def good_dumped(state: State, event: events.GoodDumped) -> State:
    seat = state.seats[event.seat]
    railcars, points = _less_a_cube(seat, event.railcar), _scored(seat, "dumped", event.vp)
    return replace(state, seats=state.seats | {event.seat: replace(seat, railcars=railcars, points=points)})


# ==== GTJ 8 and 9: the train ======================================================================
def railcar_uncoupled(state: State, event: events.RailcarUncoupled) -> State:
    """Take a railcar off the train. On the way to the spur it lies nowhere until `RailcarStored` follows."""
    seat = state.seats[event.seat]
    discard = seat.discard | {event.card} if event.to == "discard_pile" else seat.discard
    stage = "uncouple" if state.stage == "unload" else state.stage
    uncoupled = replace(seat, railcars=_without(seat, event.card), discard=discard)
    return replace(state, seats=state.seats | {event.seat: uncoupled}, stage=stage)


def railcar_coupled(state: State, event: events.RailcarCoupled) -> State:
    seat = state.seats[event.seat]
    railcars = (*seat.railcars, Railcar(event.card))
    match event.source:
        case "hand":
            coupled = replace(seat, railcars=railcars, hand=seat.hand - {event.card})
        case "discard_pile":
            coupled = replace(seat, railcars=railcars, discard=seat.discard - {event.card})
        case _:
            coupled = replace(seat, railcars=railcars, spur=None)
    return replace(state, seats=state.seats | {event.seat: coupled})


def good_loaded(state: State, event: events.GoodLoaded) -> State:
    seat, card = state.seats[event.seat], event.railcar
    loaded = Railcar(card, event.good, event.cube)
    own = replace(seat, railcars=tuple([each if each.card != card else loaded for each in seat.railcars]))
    stage = "load" if state.stage in AFTER_MOVE else state.stage
    if event.source == "stock":
        return replace(state, seats=state.seats | {event.seat: own}, stage=stage)
    steel = state.steel | {event.place: state.steel[event.place] - 1}
    return replace(state, seats=state.seats | {event.seat: own}, stage=stage, steel=steel)


# ==== GTJ 11 and 12: actions and development ======================================================
def action_card_played(state: State, event: events.ActionCardPlayed) -> State:
    seat = state.seats[event.seat]
    own = replace(seat, hand=seat.hand - {event.card}, discard=seat.discard | {event.card})
    return replace(
        state, seats=state.seats | {event.seat: own}, stage="before" if state.stage == "start" else state.stage
    )


def goods_tokens_swapped(state: State, event: events.GoodsTokensSwapped) -> State:
    tokens = state.tokens | {event.first: event.first_token, event.second: event.second_token}
    return replace(state, tokens=tokens)


def steel_moved(state: State, event: events.SteelMoved) -> State:
    steel = dict(state.steel)
    steel[event.origin] -= 1
    steel[event.target] += 1
    return replace(state, steel=steel)


def force_increased(state: State, event: events.ForceIncreased) -> State:
    seat = state.seats[event.seat]
    points = _scored(seat, "force", event.vp) if event.vp else seat.points
    return replace(state, seats=state.seats | {event.seat: replace(seat, force=event.force, points=points)})


def speed_increased(state: State, event: events.SpeedIncreased) -> State:
    seat = state.seats[event.seat]
    return replace(
        state, seats=state.seats | {event.seat: replace(seat, fast=True, points=_scored(seat, "speed", event.vp))}
    )


def terminal_built(state: State, event: events.TerminalBuilt) -> State:
    """GTJ 12.5 to 12.7: the cards set aside for this city come into play; the builder chose where its own goes."""
    seats = {}
    for number, seat in state.seats.items():
        card = cards.CITY_CARDS[seat.company][event.city]
        if number != event.seat:
            seats[number] = replace(seat, discard=seat.discard | {card})
            continue
        points = _scored(seat, "terminals", event.vp)
        if event.new_card == "deck_top":
            seats[number] = replace(seat, points=points, top=(card, *seat.top))
        else:
            seats[number] = replace(seat, points=points, discard=seat.discard | {card})
    return replace(state, seats=seats, terminals=state.terminals | {event.city})


def speculator_paid(state: State, event: events.SpeculatorPaid) -> State:
    return _points(state, event.seat, "speculator", event.vp)


def improvement_acquired(state: State, event: events.ImprovementAcquired) -> State:
    seat = state.seats[event.seat]
    delivered = seat.delivered | {good: seat.delivered[good] + cubes for good, cubes in event.gained}
    own = replace(seat, improvements=(*seat.improvements, event.improvement), delivered=delivered)
    left = tuple([each for each in state.improvements if each != event.improvement])
    return replace(state, seats=state.seats | {event.seat: own}, improvements=left)


def objective_acquired(state: State, event: events.ObjectiveAcquired) -> State:
    seat = state.seats[event.seat]
    points = _scored(seat, "objectives", event.vp)
    own = replace(seat, points=points, objectives=(*seat.objectives, event.objective))
    left = tuple([each for each in state.objectives if each != event.objective])
    return replace(state, seats=state.seats | {event.seat: own}, objectives=left)


def _points(state: State, number: int, category: Category, vp: int) -> State:
    seat = state.seats[number]
    return replace(state, seats=state.seats | {number: replace(seat, points=_scored(seat, category, vp))})


# ==== GTJ 13: improvements ========================================================================
def improvement_used(state: State, event: events.ImprovementUsed) -> State:
    stage = "before" if state.stage == "start" else state.stage
    return replace(state, used=(*state.used, event.improvement), stage=stage)


def cards_discarded(state: State, event: events.CardsDiscarded) -> State:
    seat = state.seats[event.seat]
    discard = seat.discard.union(event.cards)
    if event.for_what == "parking_spur":
        return replace(state, seats=state.seats | {event.seat: replace(seat, spur=None, discard=discard)})
    return replace(
        state, seats=state.seats | {event.seat: replace(seat, hand=seat.hand.difference(event.cards), discard=discard)}
    )


def railcar_stored(state: State, event: events.RailcarStored) -> State:
    seat = state.seats[event.seat]
    return replace(
        state, seats=state.seats | {event.seat: replace(seat, hand=seat.hand - {event.card}, spur=event.card)}
    )


# ==== GTJ 14 and 15: the end of a turn and of the game ============================================
def maintenance_performed(state: State, event: events.MaintenancePerformed) -> State:
    return state  # its days, cards and the end of the turn are events of their own


def turn_ended(state: State, event: events.TurnEnded) -> State:
    if not event.finished:
        return _turn_over(state, state.seats)
    return _turn_over(state, state.seats | {event.seat: replace(state.seats[event.seat], finished=True)})


def end_begun(state: State, event: events.EndBegun) -> State:
    return replace(state, end_begun=True)


def seat_passed(state: State, event: events.SeatPassed) -> State:
    return _turn_over(state, state.seats | {event.seat: replace(state.seats[event.seat], finished=True)})


def seat_left(state: State, event: events.SeatLeft) -> State:
    seats = state.seats | {event.seat: replace(state.seats[event.seat], left=True, choice=None)}
    return _turn_over(state, seats) if state.active == event.seat else replace(state, seats=seats)


def game_scored(state: State, event: events.GameScored) -> State:
    seats = dict(state.seats)
    for number, time, sets, improvements, *_ in event.scores:
        seat = seats[number]
        points = seat.points | {"time": time, "sets": sets, "improvements": improvements}
        seats[number] = replace(seat, points=points)
    return replace(state, seats=seats)


def game_over(state: State, event: events.GameOver) -> State:
    return replace(state, stage="over", active=None, used=(), winners=event.winners, ranking=event.order)


BOOKKEEPING: dict[type[Event], Callable[[State, Any], State]] = {
    events.TableSet: table_set,
    events.GoodsTokensDealt: goods_tokens_dealt,
    events.FirstDeliveriesDealt: first_deliveries_dealt,
    events.ImprovementsDisplayed: improvements_displayed,
    events.ObjectivesDisplayed: objectives_displayed,
    events.TurnOrderDrawn: turn_order_drawn,
    events.StartingCitiesDrawn: starting_cities_drawn,
    events.FirstRailcarChosen: first_railcar_chosen,
    events.FirstRailcarReplaced: first_railcar_chosen,
    events.FirstRailcarsOpened: first_railcars_opened,
    events.DeckShuffled: deck_shuffled,
    events.CardsDrawn: cards_drawn,
    events.TrainMoved: train_moved,
    events.DaysSpent: days_spent,
    events.ContractTurnedUp: contract_turned_up,
    events.GoodDelivered: good_delivered,
    events.SteelBonusPaid: steel_bonus_paid,
    events.FirstDeliveryTaken: first_delivery_taken,
    events.ContractFulfilled: contract_fulfilled,
    events.GoodDumped: good_dumped,
    events.RailcarUncoupled: railcar_uncoupled,
    events.RailcarCoupled: railcar_coupled,
    events.GoodLoaded: good_loaded,
    events.ActionCardPlayed: action_card_played,
    events.GoodsTokensSwapped: goods_tokens_swapped,
    events.SteelMoved: steel_moved,
    events.ForceIncreased: force_increased,
    events.SpeedIncreased: speed_increased,
    events.TerminalBuilt: terminal_built,
    events.SpeculatorPaid: speculator_paid,
    events.ImprovementAcquired: improvement_acquired,
    events.ObjectiveAcquired: objective_acquired,
    events.ImprovementUsed: improvement_used,
    events.CardsDiscarded: cards_discarded,
    events.RailcarStored: railcar_stored,
    events.MaintenancePerformed: maintenance_performed,
    events.EndBegun: end_begun,
    events.TurnEnded: turn_ended,
    events.SeatPassed: seat_passed,
    events.SeatLeft: seat_left,
    events.GameScored: game_scored,
    events.GameOver: game_over,
}
