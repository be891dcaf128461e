"""GTJ 13: improvements. What each does for its owner; 13.4 to 13.10 are asked for where they matter."""

from collections.abc import Iterator

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.cards import CARRIES, IMPROVEMENTS, Improvement
from domain.grand_trunk.rules import calendar, coupling, drawing, loading, train, travel
from domain.grand_trunk.state import BEFORE_MOVE, Seat, State
from domain.messages import Command, Event
from domain.refusal import Refused


def may_use(state: State, mine: Seat, improvement: str) -> None:
    """GTJ 13.3 An action improvement may be used once in each turn of Option 1 by its owner."""
    if improvement not in mine.improvements:
        raise Refused("GTJ 13.3", "You do not own {improvement}.", improvement=improvement)
    if improvement in state.used:
        raise Refused("GTJ 13.3", "{improvement} has been used in this turn.", improvement=improvement)


def _usable(state: State, mine: Seat, improvement: str) -> bool:
    return improvement in mine.improvements and improvement not in state.used


# ==== 13.8 Speculator =============================================================================
def speculators_paid(state: State, builder: int) -> list[Event]:
    """GTJ 13.8 Its owner scores whenever another seat builds a terminal. GTJ 19.7 Not after leaving."""
    return [
        events.SpeculatorPaid(number, IMPROVEMENTS["speculator"].vp)
        for number, seat in state.seats.items()
        if number != builder and not seat.left and "speculator" in seat.improvements
    ]


# ==== 13.11 to 13.13 mines and forest =============================================================
def gained(improvement: Improvement) -> tuple[tuple[str, int], ...]:
    """GTJ 13.11 to 13.13 Cubes that join the delivered goods: no wood step, no steel."""
    return tuple(improvement.gains.items())


# ==== 13.14 Foreign Steel Contract ================================================================
def foreign_steel(state: State, seat: int, good: str, chance: Chance) -> tuple[list[Event], list[Event]]:
    """GTJ 13.14 A day for one more VP with a steel delivered: what comes before the delivery, and after it."""
    mine = state.seats[seat]
    may_use(state, mine, "foreign_steel_contract")
    if good != "steel":
        raise Refused("GTJ 13.14", "Foreign Steel Contract pays for steel only.")
    improvement = IMPROVEMENTS["foreign_steel_contract"]
    paid = calendar.spend(state, seat, improvement.use_days, "foreign_steel_contract", chance)
    used = events.ImprovementUsed(seat, improvement.id)
    return [*paid, used], [events.SteelBonusPaid(seat, improvement.vp)]


# ==== 13.15 Hi-Roof Boxcar ========================================================================
def use_hi_roof_boxcar(state: State, seat: int, command: commands.UseHiRoofBoxcar, chance: Chance) -> list[Event]:
    """GTJ 13.15 A day: in step 5, a second steel on a railcar that holds exactly one."""
    travel.in_step(state, travel.COUPLE_AND_LOAD)
    mine = state.seats[seat]
    may_use(state, mine, "hi_roof_boxcar")
    railcar = mine.railcar(command.railcar)
    if railcar is None:
        raise Refused("GTJ 13.15", "{railcar} is not on your train.", railcar=command.railcar)
    if railcar.cubes != 1 or railcar.good != "steel":
        raise Refused("GTJ 13.15", "{railcar} does not hold exactly one steel.", railcar=railcar.card)
    loading.steel_lies_here(state, mine.place)
    improvement = IMPROVEMENTS["hi_roof_boxcar"]
    return [
        *calendar.spend(state, seat, improvement.use_days, "hi_roof_boxcar", chance),
        events.ImprovementUsed(seat, improvement.id),
        events.GoodLoaded(seat, railcar.card, "steel", mine.place, "steel_space", 2),
    ]


# ==== 13.16 Parking Spur ==========================================================================
def store_on_spur(state: State, seat: int, command: commands.StoreOnSpur, chance: Chance) -> list[Event]:
    """GTJ 13.16 A railcar is put on the spur: out of the hand at any moment, or off the train in step 3."""
    mine = state.seats[seat]
    may_use(state, mine, "parking_spur")
    if mine.spur is not None:
        raise Refused("GTJ 13.16", "{railcar} stands on your spur.", railcar=mine.spur)
    used = events.ImprovementUsed(seat, "parking_spur")
    card = command.card
    if card in mine.hand:
        if card not in CARRIES:
            raise Refused("GTJ 13.16", "{card} is no railcar.", card=card)
        travel.leaves_a_move(state, mine, card)
        return [used, events.RailcarStored(seat, card, "hand")]
    railcar = mine.railcar(card)
    if railcar is None or railcar.cubes:
        raise Refused("GTJ 13.16", "{card} is neither in your hand nor empty on your train.", card=card)
    travel.in_step(state, travel.UNCOUPLE)
    return [used, events.RailcarUncoupled(seat, card, "spur"), events.RailcarStored(seat, card, "train")]


def couple_from_spur(state: State, seat: int, command: commands.CoupleFromSpur, chance: Chance) -> list[Event]:
    """GTJ 13.16 A day: in step 4 the railcar on the spur is coupled, with its first cube."""
    travel.in_step(state, travel.COUPLE_AND_LOAD)
    mine = state.seats[seat]
    railcar = _on_spur(state, mine)
    source = coupling.fits_with_cube(state, mine, railcar, command.good)
    improvement = IMPROVEMENTS["parking_spur"]
    return [
        *calendar.spend(state, seat, improvement.couple_days, "parking_spur", chance),
        events.ImprovementUsed(seat, improvement.id),
        *coupling.coupled_and_loaded(state, seat, railcar, command.good, "spur", source),
    ]


def discard_from_spur(state: State, seat: int, command: commands.DiscardFromSpur, chance: Chance) -> list[Event]:
    """GTJ 13.16 The railcar on the spur is discarded, for no days."""
    mine = state.seats[seat]
    railcar = _on_spur(state, mine)
    travel.leaves_a_move(state, mine)
    return [
        events.ImprovementUsed(seat, "parking_spur"),
        events.CardsDiscarded(seat, (railcar,), "parking_spur"),
    ]


def _on_spur(state: State, mine: Seat) -> str:
    may_use(state, mine, "parking_spur")
    if mine.spur is None:
        raise Refused("GTJ 13.16", "No railcar stands on your spur.")
    return mine.spur


# ==== 13.17 Railroad Crane ========================================================================
def use_railroad_crane(state: State, seat: int, command: commands.UseRailroadCrane, chance: Chance) -> list[Event]:
    """GTJ 13.17 A day, before the move: a railcar from the hand is coupled with one cube, where the train stands."""
    if state.stage not in BEFORE_MOVE:
        raise Refused("GTJ 13.17", "Your train has moved in this turn.")
    mine = state.seats[seat]
    may_use(state, mine, "railroad_crane")
    card = command.card
    if card not in mine.hand:
        raise Refused("GTJ 13.17", "{card} is not in your hand.", card=card)
    if card not in CARRIES:
        raise Refused("GTJ 13.17", "{card} is no railcar.", card=card)
    source = coupling.fits_with_cube(state, mine, card, command.good)
    improvement = IMPROVEMENTS["railroad_crane"]
    travel.leaves_a_move(state, mine, card, improvement.use_days)
    return [
        *calendar.spend(state, seat, improvement.use_days, "railroad_crane", chance),
        events.ImprovementUsed(seat, improvement.id),
        *coupling.coupled_and_loaded(state, seat, card, command.good, "hand", source),
    ]


# ==== 13.18, 13.19 Roundhouse and Semaphore Signaling =============================================
def use_roundhouse(state: State, seat: int, command: commands.UseRoundhouse, chance: Chance) -> list[Event]:
    """GTJ 13.18 Discard one card from the hand, then draw one."""
    mine = state.seats[seat]
    may_use(state, mine, "roundhouse")
    card = command.card
    if card not in mine.hand:
        raise Refused("GTJ 13.18", "{card} is not in your hand.", card=card)
    travel.leaves_a_move(state, mine, card)
    return [
        events.ImprovementUsed(seat, "roundhouse"),
        events.CardsDiscarded(seat, (card,), "roundhouse"),
        *drawing.draw(state, seat, 1, (card,), chance),
    ]


def use_semaphore_signaling(
    state: State, seat: int, command: commands.UseSemaphoreSignaling, chance: Chance
) -> list[Event]:
    """GTJ 13.19 Discard one card from the hand."""
    mine = state.seats[seat]
    may_use(state, mine, "semaphore_signaling")
    card = command.card
    if card not in mine.hand:
        raise Refused("GTJ 13.19", "{card} is not in your hand.", card=card)
    travel.leaves_a_move(state, mine, card)
    return [
        events.ImprovementUsed(seat, "semaphore_signaling"),
        events.CardsDiscarded(seat, (card,), "semaphore_signaling"),
    ]


# ==== candidates ==================================================================================
def candidates(state: State, seat: int) -> Iterator[Command]:
    mine = state.seats[seat]
    if not mine.improvements:
        return
    hand = sorted(mine.hand)
    if _usable(state, mine, "hi_roof_boxcar") and state.stage in travel.COUPLE_AND_LOAD:
        for railcar in mine.railcars:
            if railcar.good == "steel" and railcar.cubes == 1:
                yield commands.UseHiRoofBoxcar(railcar.card)
    if _usable(state, mine, "parking_spur"):
        yield from _spur_candidates(state, mine, hand)
    if _usable(state, mine, "railroad_crane") and state.stage in BEFORE_MOVE:
        for card in hand:
            for good in CARRIES.get(card, ()):
                yield commands.UseRailroadCrane(card, good)
    if _usable(state, mine, "roundhouse"):
        for card in hand:
            yield commands.UseRoundhouse(card)
    if _usable(state, mine, "semaphore_signaling"):
        for card in hand:
            yield commands.UseSemaphoreSignaling(card)


def _spur_candidates(state: State, mine: Seat, hand: list[str]) -> Iterator[Command]:
    if mine.spur is None:
        for card in (*hand, *train.empty_railcars(mine)):
            if card in CARRIES:
                yield commands.StoreOnSpur(card)
        return
    if state.stage in travel.COUPLE_AND_LOAD:
        for good in CARRIES[mine.spur]:
            yield commands.CoupleFromSpur(good)
    yield commands.DiscardFromSpur()
