"""GTJ 13: improvements. What each does for its owner; 13.4 to 13.10 are asked for where they matter."""

from collections.abc import Callable, Iterator

from domain.grand_trunk import commands, events
from domain.grand_trunk.cards import CARRIES, IMPROVEMENTS, Improvement
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import calendar, coupling, drawing, hand, loading, steps, train, travel
from domain.grand_trunk.state import Railcar
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence


def must_be_usable(now: Now, improvement: str) -> None:
    """GTJ 13.3 An action improvement may be used once in each turn of Option 1 by its owner."""
    if improvement not in now.mine.improvements:
        raise Refused("GTJ 13.3", "You do not own {improvement}.", improvement=improvement)
    if improvement in now.state.used:
        raise Refused("GTJ 13.3", "You have already used {improvement} this turn.", improvement=improvement)


def use(now: Now, improvement: str) -> None:
    """GTJ 13.3 It is used in this turn; what it costs in days is paid before."""
    now.happens(events.ImprovementUsed(now.seat, improvement))


# ==== 13.8 Speculator =============================================================================
def speculators_paid(now: Now) -> None:
    """GTJ 13.8 Its owner scores whenever another seat builds a terminal. GTJ 19.7 Not after leaving."""
    for number, seat in now.state.seats.items():
        if number != now.seat and not seat.left and "speculator" in seat.improvements:
            now.happens(events.SpeculatorPaid(number, IMPROVEMENTS["speculator"].vp))


# ==== 13.11 to 13.13 mines and forest =============================================================
def gained(improvement: Improvement) -> tuple[tuple[str, int], ...]:
    """GTJ 13.11 to 13.13 Cubes that join the delivered goods: no wood step, no steel."""
    return tuple(improvement.gains.items())


# ==== 13.14 Foreign Steel Contract ================================================================
FOREIGN_STEEL = IMPROVEMENTS["foreign_steel_contract"]


def must_allow_foreign_steel(now: Now, good: str) -> None:
    """GTJ 13.14 A day is paid for steel only."""
    must_be_usable(now, "foreign_steel_contract")
    if good != "steel":
        raise Refused("GTJ 13.14", "Foreign Steel Contract pays only for steel.")


def pay_for_foreign_steel(now: Now) -> None:
    """GTJ 13.14 A day, before the delivery."""
    calendar.spend(now, FOREIGN_STEEL.use_days, "foreign_steel_contract")
    use(now, "foreign_steel_contract")


def foreign_steel_pays(now: Now) -> None:
    """GTJ 13.14 One more VP, after the delivery."""
    now.happens(events.SteelBonusPaid(now.seat, FOREIGN_STEEL.vp))


# ==== 13.15 Hi-Roof Boxcar ========================================================================
def use_hi_roof_boxcar(now: Now, command: commands.UseHiRoofBoxcar) -> None:
    """GTJ 13.15 A day: in step 5, a second steel on a railcar that holds exactly one."""
    days = IMPROVEMENTS["hi_roof_boxcar"].use_days
    steps.must_be_in_step(now, steps.COUPLE_AND_LOAD)
    must_be_usable(now, "hi_roof_boxcar")
    railcar = must_hold_one_steel(now, command.railcar)
    loading.must_hold_steel(now)
    calendar.spend(now, days, "hi_roof_boxcar")
    use(now, "hi_roof_boxcar")
    now.happens(events.GoodLoaded(now.seat, railcar.card, "steel", now.mine.place, "steel_space", 2))


def must_hold_one_steel(now: Now, card: str) -> Railcar:
    """GTJ 13.15 A railcar of the train with exactly one steel."""
    railcar = train.must_be_on_train(now, card, "GTJ 13.15")
    if railcar.cubes != 1 or railcar.good != "steel":
        raise Refused("GTJ 13.15", "{railcar} does not hold exactly one steel.", railcar=card)
    return railcar


# ==== 13.16 Parking Spur ==========================================================================
def store_on_spur(now: Now, command: commands.StoreOnSpur) -> None:
    """GTJ 13.16 A railcar is put on the spur: out of the hand at any moment, or off the train in step 3."""
    must_have_a_free_spur(now)
    card = command.card
    if card in now.mine.hand:
        hand.must_be_a_railcar(card, "GTJ 13.16")
        travel.must_leave_a_move(now, card)
        use(now, "parking_spur")
        now.happens(events.RailcarStored(now.seat, card, "hand"))
        return
    must_be_unloaded(now, card)
    steps.must_be_in_step(now, steps.UNCOUPLE)
    use(now, "parking_spur")
    now.happens(
        events.RailcarUncoupled(now.seat, card, "spur"),
        events.RailcarStored(now.seat, card, "train"),
    )


def must_have_a_free_spur(now: Now) -> None:
    """GTJ 13.16 One railcar stands on the spur."""
    must_be_usable(now, "parking_spur")
    if now.mine.spur is not None:
        raise Refused("GTJ 13.16", "{railcar} stands on your spur.", railcar=now.mine.spur)


def must_be_unloaded(now: Now, card: str) -> None:
    """GTJ 13.16 Off the train only an empty railcar is put there."""
    railcar = now.mine.railcar(card)
    if railcar is None or railcar.cubes:
        raise Refused("GTJ 13.16", "{card} is neither in your hand nor an empty railcar on your train.", card=card)


def couple_from_spur(now: Now, command: commands.CoupleFromSpur) -> None:
    """GTJ 13.16 A day: in step 4 the railcar on the spur is coupled, with its first cube."""
    days = IMPROVEMENTS["parking_spur"].couple_days
    steps.must_be_in_step(now, steps.COUPLE_AND_LOAD)
    railcar = must_be_on_spur(now)
    source = coupling.must_fit_with_a_cube(now, railcar, command.good)
    calendar.spend(now, days, "parking_spur")
    use(now, "parking_spur")
    coupling.couple_and_load(now, railcar, command.good, "spur", source)


def discard_from_spur(now: Now, command: commands.DiscardFromSpur) -> None:
    """GTJ 13.16 The railcar on the spur is discarded, for no days."""
    railcar = must_be_on_spur(now)
    travel.must_leave_a_move(now)
    use(now, "parking_spur")
    now.happens(events.CardsDiscarded(now.seat, (railcar,), "parking_spur"))


def must_be_on_spur(now: Now) -> str:
    """GTJ 13.16 The railcar that stands on the spur."""
    must_be_usable(now, "parking_spur")
    if now.mine.spur is None:
        raise Refused("GTJ 13.16", "No railcar stands on your spur.")
    return now.mine.spur


# ==== 13.17 Railroad Crane ========================================================================
def use_railroad_crane(now: Now, command: commands.UseRailroadCrane) -> None:
    """GTJ 13.17 A day, before the move: a railcar from the hand is coupled with one cube, where the train stands."""
    days = IMPROVEMENTS["railroad_crane"].use_days
    steps.must_not_have_moved(now, "GTJ 13.17")
    must_be_usable(now, "railroad_crane")
    hand.must_be_in_hand(now, command.card, "GTJ 13.17")
    hand.must_be_a_railcar(command.card, "GTJ 13.17")
    source = coupling.must_fit_with_a_cube(now, command.card, command.good)
    travel.must_leave_a_move(now, command.card, days)
    calendar.spend(now, days, "railroad_crane")
    use(now, "railroad_crane")
    coupling.couple_and_load(now, command.card, command.good, "hand", source)


# ==== 13.18, 13.19 Roundhouse and Semaphore Signaling =============================================
def use_roundhouse(now: Now, command: commands.UseRoundhouse) -> None:
    """GTJ 13.18 Discard one card from the hand, then draw one."""
    must_be_usable(now, "roundhouse")
    hand.must_be_in_hand(now, command.card, "GTJ 13.18")
    travel.must_leave_a_move(now, command.card)
    use(now, "roundhouse")
    now.happens(events.CardsDiscarded(now.seat, (command.card,), "roundhouse"))
    drawing.draw(now, 1)


def use_semaphore_signaling(now: Now, command: commands.UseSemaphoreSignaling) -> None:
    """GTJ 13.19 Discard one card from the hand."""
    must_be_usable(now, "semaphore_signaling")
    hand.must_be_in_hand(now, command.card, "GTJ 13.19")
    travel.must_leave_a_move(now, command.card)
    use(now, "semaphore_signaling")
    now.happens(events.CardsDiscarded(now.seat, (command.card,), "semaphore_signaling"))


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return the uses of the seat's action improvements."""
    for improvement in sorted(_LISTED.keys() & now.mine.improvements):
        if now.allows(must_be_usable, improvement):
            yield from _LISTED[improvement](now)


def _hi_roof_boxcar(now: Now) -> Iterator[Action]:
    days = IMPROVEMENTS["hi_roof_boxcar"].use_days
    for railcar in now.mine.railcars:
        facts = {"railcar": railcar.card, "improvement": "hi_roof_boxcar", "days": days}
        sentence = Sentence("Load a second steel on {railcar} with {improvement}: {days:day|days}", facts)
        yield Action(commands.UseHiRoofBoxcar(railcar.card), "load", sentence)


def _parking_spur(now: Now) -> Iterator[Action]:
    mine, days = now.mine, IMPROVEMENTS["parking_spur"].couple_days
    if mine.spur is None:
        for card in (*sorted(mine.hand), *train.empty_railcars(mine)):
            sentence = Sentence("Put {card} on the spur", {"card": card})
            yield Action(commands.StoreOnSpur(card), "improvement", sentence)
        return
    for good in CARRIES[mine.spur]:
        facts = {"railcar": mine.spur, "good": good, "days": days}
        sentence = Sentence("Couple {railcar} from the spur with {good}: {days:day|days}", facts)
        yield Action(commands.CoupleFromSpur(good), "couple", sentence)
    sentence = Sentence("Discard {railcar} from the spur", {"railcar": mine.spur})
    yield Action(commands.DiscardFromSpur(), "improvement", sentence)


def _railroad_crane(now: Now) -> Iterator[Action]:
    days = IMPROVEMENTS["railroad_crane"].use_days
    for card in sorted(now.mine.hand):
        for good in CARRIES.get(card, ()):
            facts = {"railcar": card, "good": good, "improvement": "railroad_crane", "days": days}
            sentence = Sentence("With {improvement}, couple {railcar} with {good}: {days:day|days}", facts)
            yield Action(commands.UseRailroadCrane(card, good), "improvement", sentence)


def _roundhouse(now: Now) -> Iterator[Action]:
    for card in sorted(now.mine.hand):
        sentence = Sentence("With Roundhouse, discard {card} and draw a card", {"card": card})
        yield Action(commands.UseRoundhouse(card), "improvement", sentence)


def _semaphore_signaling(now: Now) -> Iterator[Action]:
    for card in sorted(now.mine.hand):
        sentence = Sentence("With Semaphore Signaling, discard {card}", {"card": card})
        yield Action(commands.UseSemaphoreSignaling(card), "improvement", sentence)


_LISTED: dict[str, Callable[[Now], Iterator[Action]]] = {
    "hi_roof_boxcar": _hi_roof_boxcar,
    "parking_spur": _parking_spur,
    "railroad_crane": _railroad_crane,
    "roundhouse": _roundhouse,
    "semaphore_signaling": _semaphore_signaling,
}
"""Action improvement -> the candidates that use it, in the order of the list."""

CHAPTER = Chapter(
    {
        commands.UseHiRoofBoxcar: use_hi_roof_boxcar,
        commands.StoreOnSpur: store_on_spur,
        commands.CoupleFromSpur: couple_from_spur,
        commands.DiscardFromSpur: discard_from_spur,
        commands.UseRailroadCrane: use_railroad_crane,
        commands.UseRoundhouse: use_roundhouse,
        commands.UseSemaphoreSignaling: use_semaphore_signaling,
    },
    candidates,
)
