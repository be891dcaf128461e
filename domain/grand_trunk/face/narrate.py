"""Events told in sentences: one for each thing a player would tell, none for bookkeeping.

`narrate` tells one ply from the events that its reader may see; `hand` and `standing` tell from a view.
"""

from collections.abc import Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import asdict

from domain import house_words
from domain.grand_trunk import events as happened
from domain.grand_trunk.board import CONTRACT_TOKENS, SLOTS
from domain.grand_trunk.state import BEFORE_MOVE
from domain.grand_trunk.view import GrandTrunkView, SeatView
from domain.messages import Event
from domain.words import Sentence


class _Ply(house_words.EventsOfPly):
    """The facts of a ply that a sentence needs beside its own event."""

    @property
    def day(self) -> int | None:
        """Return the day of the marker after this ply, if the ply cost any days."""
        spent = self.each(happened.DaysSpent)
        return spent[-1].to if spent else None

    def uses(self, improvement: str) -> bool:
        return any(used.improvement == improvement for used in self.each(happened.ImprovementUsed))

    def load(self, railcar: str) -> str | None:
        """The good that was put on ``railcar``."""
        return next((loaded.good for loaded in self.each(happened.GoodLoaded) if loaded.railcar == railcar), None)


def narrate(events: Sequence[Event]) -> list[Sentence]:
    """Return sentences for the events of one ply."""
    ply = _Ply(events)
    # Days are paid before the action, but a player tells of the contracts they turned up after it.
    ordered = sorted(events, key=lambda event: isinstance(event, happened.ContractTurnedUp))
    return [sentence for event in ordered for sentence in house_words.tell(event, TELLERS, ply)]


# ==== GTJ 2: setup ================================================================================
def _table_set(event: happened.TableSet, ply: _Ply) -> list[Sentence]:
    begun = Sentence("The game begins: {scenario}, {level}.", {"scenario": event.scenario, "level": event.level})
    cities = next((drawn.cities for drawn in ply.each(happened.StartingCitiesDrawn)), ())
    return [
        begun,
        *(
            Sentence("{seat} runs {company} and starts in {city}.", {"seat": seat, "company": company, "city": city})
            for seat, (company, city) in enumerate(zip(event.companies, cities, strict=False), 1)
        ),
    ]


def _turn_order_drawn(event: happened.TurnOrderDrawn, ply: _Ply) -> list[Sentence]:
    return [Sentence("The turn order is {order_seat}.", {"order_seat": event.order})]


def _first_railcar_chosen(event: happened.FirstRailcarChosen, ply: _Ply) -> list[Sentence]:
    if event.card is UNSET:
        return [Sentence("{seat} has chosen a first railcar.", {"seat": event.seat})]
    return [Sentence("{seat} chooses {card} with {good} as first railcar.", asdict(event))]


def _first_railcars_opened(event: happened.FirstRailcarsOpened, ply: _Ply) -> list[Sentence]:
    return [
        Sentence("{seat} sets off with {card} and {good}.", {"seat": seat, "card": card, "good": good})
        for seat, card, good in event.choices
    ]


# ==== GTJ 5: moving, GTJ 7.2: contracts turned up =================================================
def _train_moved(event: happened.TrainMoved, ply: _Ply) -> list[Sentence]:
    facts = {**asdict(event), "day": ply.day}
    if event.junction and event.right_of_way:
        moved = Sentence(
            "{seat} moves from {origin} to {to} via Grand Trunk Jct, using Right of Way:"
            " {days:day|days}, now on day {day}.",
            facts,
        )
    elif event.junction:
        moved = Sentence(
            "{seat} moves from {origin} to {to} via Grand Trunk Jct: {days:day|days}, now on day {day}.", facts
        )
    elif event.right_of_way:
        moved = Sentence(
            "{seat} moves from {origin} to {to}, using Right of Way: {days:day|days}, now on day {day}.", facts
        )
    else:
        moved = Sentence("{seat} moves from {origin} to {to}: {days:day|days}, now on day {day}.", facts)
    slower = Sentence("The train takes its time and does not use the day that Fast saves.")
    return [moved, slower] if event.fast_declined else [moved]


def _contract_turned_up(event: happened.ContractTurnedUp, ply: _Ply) -> list[Sentence]:
    slot, token = SLOTS[event.slot], CONTRACT_TOKENS[event.token]
    facts = {
        "slot": event.slot,
        "good": token.good,
        "city": token.city,
        "vp": slot.vp,
        "first": slot.first_day,
        "last": slot.last_day,
    }
    if slot.first_day == slot.last_day:
        return [Sentence("Contract {slot} is turned up: {good} for {city} on day {first}, {vp:point|points}.", facts)]
    return [
        Sentence("Contract {slot} is turned up: {good} for {city} on days {first} to {last}, {vp:point|points}.", facts)
    ]


# ==== GTJ 6 and 7: unloading ======================================================================
def _good_delivered(event: happened.GoodDelivered, ply: _Ply) -> list[Sentence]:
    facts = asdict(event)
    if event.vp:
        return [Sentence("{seat} delivers {good} to {place}: {vp:point|points}.", facts)]
    if event.steel:
        return [Sentence("{seat} delivers {good} to {place}: {steel} steel is placed there.", facts)]
    if event.wood_steps:
        return [Sentence("{seat} delivers {good} to {place} and moves up the wood track.", facts)]
    return [Sentence("{seat} delivers {good} to {place}.", facts)]


def _steel_bonus_paid(event: happened.SteelBonusPaid, ply: _Ply) -> list[Sentence]:
    return [
        Sentence(
            "The Foreign Steel Contract pays {seat} {vp:more point|more points}, now on day {day}.",
            {**asdict(event), "day": ply.day},
        )
    ]


def _contract_fulfilled(event: happened.ContractFulfilled, ply: _Ply) -> list[Sentence]:
    token = CONTRACT_TOKENS[event.token]
    return [
        Sentence(
            "{seat} fulfils contract {slot} with {good} for {city}: {vp:point|points}.",
            {**asdict(event), "good": token.good, "city": token.city},
        )
    ]


def _good_dumped(event: happened.GoodDumped, ply: _Ply) -> list[Sentence]:
    return [
        Sentence("{seat} dumps {good} in {place} and loses {loss:point|points}.", {**asdict(event), "loss": -event.vp})
    ]


# ==== GTJ 8 and 9: the train ======================================================================
def _railcar_uncoupled(event: happened.RailcarUncoupled, ply: _Ply) -> list[Sentence]:
    if event.to == "spur":
        return []  # told by RailcarStored
    if ply.has(happened.TurnEnded) or ply.has(happened.SeatLeft):
        return [Sentence("{card} has stayed empty and is discarded.", asdict(event))]
    return [Sentence("{seat} uncouples {card}.", asdict(event))]


def _railcar_coupled(event: happened.RailcarCoupled, ply: _Ply) -> list[Sentence]:
    if ply.has(happened.FirstRailcarsOpened):
        return []
    facts = {**asdict(event), "good": ply.load(event.card), "day": ply.day}
    if event.source == "discard_pile":
        return [Sentence("{seat} plays Rail Yard and couples {card} from the discard pile with {good}.", facts)]
    if event.source == "spur":
        return [Sentence("{seat} couples {card} from the Parking Spur with {good}, now on day {day}.", facts)]
    if ply.uses("railroad_crane"):
        return [Sentence("With Railroad Crane, {seat} couples {card} with {good}, now on day {day}.", facts)]
    return [Sentence("{seat} couples {card} with {good}.", facts)]


def _good_loaded(event: happened.GoodLoaded, ply: _Ply) -> list[Sentence]:
    if ply.has(happened.FirstRailcarsOpened) or any(
        coupled.card == event.railcar for coupled in ply.each(happened.RailcarCoupled)
    ):
        return []
    facts = {**asdict(event), "day": ply.day}
    if event.cube == 1:
        return [Sentence("{seat} loads {good} on {railcar}.", facts)]
    if ply.uses("hi_roof_boxcar"):
        return [Sentence("With Hi-Roof Boxcar, {seat} loads a second {good} on {railcar}, now on day {day}.", facts)]
    return [Sentence("{seat} plays High Capacity Railcar and loads a second {good} on {railcar}.", facts)]


def _cards_discarded(event: happened.CardsDiscarded, ply: _Ply) -> list[Sentence]:
    match event.for_what:
        case "parking_spur":
            return [Sentence("{seat} discards {cards} from the Parking Spur.", asdict(event))]
        case "roundhouse":
            return [Sentence("With Roundhouse, {seat} discards {cards} and draws a card.", asdict(event))]
        case "semaphore_signaling":
            return [Sentence("With Semaphore Signaling, {seat} discards {cards}.", asdict(event))]
        case _:
            return []  # told by MaintenancePerformed


# ==== GTJ 11, 12 and 16: actions and development ==================================================
def _force_increased(event: happened.ForceIncreased, ply: _Ply) -> list[Sentence]:
    facts = {**asdict(event), "force": f"force_{event.force}", "day": ply.day}
    told = [
        Sentence("{seat} increases the Force to {force}, now on day {day}.", facts)
        if ply.day is not None
        else Sentence("{seat} increases the Force to {force}.", facts)
    ]
    return [*told, Sentence("The new Force scores {vp:point|points}.", facts)] if event.vp else told


def _speed_increased(event: happened.SpeedIncreased, ply: _Ply) -> list[Sentence]:
    facts = {**asdict(event), "day": ply.day}
    if ply.day is None:
        return [Sentence("{seat} makes the train Fast: {vp:point|points}.", facts)]
    return [Sentence("{seat} makes the train Fast: {vp:point|points}, now on day {day}.", facts)]


def _terminal_built(event: happened.TerminalBuilt, ply: _Ply) -> list[Sentence]:
    facts = {**asdict(event), "day": ply.day}
    built = Sentence("{seat} builds a terminal in {city}: {vp:point|points}, now on day {day}.", facts)
    if event.new_card == "deck_top":
        return [built, Sentence("{seat} puts the new card of {city} on top of the deck.", facts)]
    return [built]


def _improvement_acquired(event: happened.ImprovementAcquired, ply: _Ply) -> list[Sentence]:
    facts = {**asdict(event), "day": ply.day}
    told = [Sentence("{seat} acquires the improvement {improvement}, now on day {day}.", facts)]
    return [
        *told,
        *(
            Sentence(
                "{seat} adds {number} {good} to the delivered goods.", {"seat": event.seat, "good": good, "number": n}
            )
            for good, n in event.gained
        ),
    ]


def _objective_acquired(event: happened.ObjectiveAcquired, ply: _Ply) -> list[Sentence]:
    return [
        Sentence(
            "{seat} acquires the objective {objective}: {vp:point|points}, now on day {day}.",
            {**asdict(event), "day": ply.day},
        )
    ]


# ==== GTJ 10, 14 and 15: draws, the end of a turn and of the game =================================
def _cards_drawn(event: happened.CardsDrawn, ply: _Ply) -> list[Sentence]:
    """Tell all draws of a seat in one sentence, even if the discard pile was shuffled between them."""
    draws = [drawn for drawn in ply.each(happened.CardsDrawn) if drawn.seat == event.seat]
    cards = [card for drawn in draws if drawn.cards is not UNSET for card in drawn.cards]
    if not cards or draws[0] is not event:
        return []
    return [Sentence("{seat} draws {cards}.", {"seat": event.seat, "cards": tuple(cards)})]


def _maintenance_performed(event: happened.MaintenancePerformed, ply: _Ply) -> list[Sentence]:
    cards = next((discarded.cards for discarded in ply.each(happened.CardsDiscarded)), ())
    facts = {"seat": event.seat, "cards": cards, "day": ply.day}
    if not cards:
        return [Sentence("{seat} does maintenance, now on day {day}.", facts)]
    return [Sentence("{seat} does maintenance and discards {cards}, now on day {day}.", facts)]


def _turn_ended(event: happened.TurnEnded, ply: _Ply) -> list[Sentence]:
    if event.finished:
        return [Sentence("{seat} has finished, on day {day}.", asdict(event))]
    if ply.has(happened.MaintenancePerformed):
        return []
    return [Sentence("{seat} ends the turn on day {day}.", asdict(event))]


def _game_scored(event: happened.GameScored, ply: _Ply) -> list[Sentence]:
    return [
        Sentence(
            "{seat} has {total:point|points}, of these {time} for time, {sets} for sets"
            " and {improvements} for improvements.",
            {"seat": seat, "time": time, "sets": sets, "improvements": improvements, "total": total},
        )
        for seat, time, sets, improvements, total, _steel, _goods in sorted(event.scores, key=lambda each: -each[4])
    ]


def _game_over(event: happened.GameOver, ply: _Ply) -> list[Sentence]:
    facts = {"winners_seat": event.winners}
    return [
        Sentence("{winners_seat} wins the game.", facts)
        if len(event.winners) == 1
        else Sentence("{winners_seat} share the win.", facts)
    ]


TELLERS: Mapping[type[Event], house_words.Teller] = {
    happened.TableSet: _table_set,
    happened.TurnOrderDrawn: _turn_order_drawn,
    happened.ImprovementsDisplayed: Sentence("Improvements on display: {improvements}."),
    happened.ObjectivesDisplayed: Sentence("Objectives on display: {objectives}."),
    happened.FirstRailcarChosen: _first_railcar_chosen,
    happened.FirstRailcarReplaced: Sentence("{seat} now chooses {card} with {good} as first railcar."),
    happened.FirstRailcarsOpened: _first_railcars_opened,
    happened.TrainMoved: _train_moved,
    happened.ContractTurnedUp: _contract_turned_up,
    happened.GoodDelivered: _good_delivered,
    happened.SteelBonusPaid: _steel_bonus_paid,
    happened.FirstDeliveryTaken: Sentence("The first delivery to {city} scores {vp:point|points}."),
    happened.ContractFulfilled: _contract_fulfilled,
    happened.GoodDumped: _good_dumped,
    happened.RailcarUncoupled: _railcar_uncoupled,
    happened.RailcarCoupled: _railcar_coupled,
    happened.GoodLoaded: _good_loaded,
    happened.RailcarStored: Sentence("{seat} puts {card} on the Parking Spur."),
    happened.CardsDiscarded: _cards_discarded,
    happened.GoodsTokensSwapped: Sentence("{seat} plays Influence Demand: {first} and {second} exchange their goods."),
    happened.SteelMoved: Sentence("{seat} plays Overland Transport: one steel goes from {origin} to {target}."),
    happened.ForceIncreased: _force_increased,
    happened.SpeedIncreased: _speed_increased,
    happened.TerminalBuilt: _terminal_built,
    happened.SpeculatorPaid: Sentence("The Speculator pays {seat} {vp:point|points}."),
    happened.ImprovementAcquired: _improvement_acquired,
    happened.ObjectiveAcquired: _objective_acquired,
    happened.CardsDrawn: _cards_drawn,
    happened.MaintenancePerformed: _maintenance_performed,
    happened.TurnEnded: _turn_ended,
    happened.EndBegun: Sentence(
        "The end of the game has begun. A player on day 36 or later has finished; the others may pass."
    ),
    happened.SeatPassed: Sentence("{seat} passes on day {day} and takes no more turns."),
    happened.GameScored: _game_scored,
    happened.GameOver: _game_over,
}

BOOKKEEPING = (
    happened.GoodsTokensDealt, happened.FirstDeliveriesDealt, happened.StartingCitiesDrawn, happened.DeckShuffled,
    happened.DaysSpent, happened.ActionCardPlayed, happened.ImprovementUsed, happened.SeatLeft,
)  # fmt: skip
"""Events that other sentences of their ply cover, or that need no sentence."""


# ==== from a view =================================================================================
def hand(view: GrandTrunkView) -> list[Sentence]:
    """GTJ 18.2, 18.3, 18.6: tell the things that only the viewer sees."""
    own = view.own
    if own is None or own.left:
        return []
    if own.choice is not None and view.stage == "choosing":
        facts = dict(zip(("card", "good"), own.choice, strict=True))
        return [Sentence("Your first railcar is {card} with {good}. You can change it until all have chosen.", facts)]
    told = []
    if own.hand:
        told.append(Sentence("Your hand: {cards}.", {"cards": own.hand}))
    if own.top:
        told.append(Sentence("On top of your deck: {cards}.", {"cards": own.top}))
    if own.deck:
        told.append(Sentence("Still in your deck, in an order nobody knows: {cards}.", {"cards": own.deck}))
    return told


def standing(view: GrandTrunkView) -> list[Sentence]:
    """Return points, day and place of each seat so far, the leader first; seats that left come last."""
    return [_stand(view, seat) for seat in sorted(view.seats, key=lambda seat: (seat.left, -seat.vp, seat.seat))]


def _stand(view: GrandTrunkView, seat: SeatView) -> Sentence:
    ahead = sum(not other.left and other.vp > seat.vp for other in view.seats)
    facts = {
        "rank": ahead + 1,
        "seat": seat.seat,
        "company": seat.company,
        "vp": seat.vp,
        "day": seat.day,
        "place": seat.place,
    }
    if seat.left:
        return Sentence("{seat} ({company}) has left the game with {vp:point|points}.", facts)
    if seat.finished or view.stage == "over":
        return Sentence("{rank}. {seat} ({company}): {vp:point|points}, finished on day {day}.", facts)
    return Sentence("{rank}. {seat} ({company}): {vp:point|points}, on day {day}, in {place}.", facts)


def why_asked(view: GrandTrunkView) -> Sentence | None:
    """GTJ 3.1 Of the seats still playing, the one with the lowest day moves next; in a stack, the lowest marker."""
    if view.stage == "choosing":
        return Sentence("all choose their first railcars at the same time")
    if view.active is None:
        return None
    if view.stage != "start":
        return Sentence("the turn is not finished yet")
    day = view.seats[view.active - 1].day
    playing = (view.seats[it - 1] for it in view.order if it != view.active)
    above = tuple(it.seat for it in playing if it.day == day and not it.finished and not it.left)
    if not above:
        return Sentence("last on the time track, on day {day}", {"day": day})
    return Sentence(
        "last on the time track, on day {day}, with the marker under that of {others_seat}",
        {"day": day, "others_seat": above},
    )


def asks(view: GrandTrunkView) -> Sentence:
    """GTJ 2.12, 4 Return what a seat that the game waits for has to do."""
    if view.stage == "choosing":
        return Sentence("Choose your first railcar")
    if view.stage == "start":
        return Sentence("Move your train, or do maintenance")
    if view.stage in BEFORE_MOVE:
        return Sentence("Move your train")
    return Sentence("Finish your turn")
