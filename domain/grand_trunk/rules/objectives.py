"""GTJ 16: objectives, an optional part."""

from collections.abc import Iterator

from domain.grand_trunk import commands, events
from domain.grand_trunk.cards import CARDS, DEVELOPMENT_OPTIONS, OBJECTIVES, Objective
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import calendar, development, hand, travel
from domain.grand_trunk.state import Seat
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence

NUMBERS = {
    "carrier_of_the_year": "GTJ 16.5",
    "coal_depot": "GTJ 16.6",
    "common_carrier": "GTJ 16.7",
    "freight_station": "GTJ 16.8",
    "heavy_cargo_train": "GTJ 16.9",
    "iron_ore_depot": "GTJ 16.10",
    "national_railway_certificate": "GTJ 16.11",
    "specialized_carrier": "GTJ 16.12",
    "steel_warehouse": "GTJ 16.13",
    "wood_depot": "GTJ 16.14",
}


def acquire_objective(now: Now, command: commands.AcquireObjective) -> None:
    """GTJ 16.2, 16.3 Any Development card and a day take a displayed objective, scored at once."""
    days = DEVELOPMENT_OPTIONS["acquire_objective"].days
    must_be_played_with_objectives(now)
    must_be_a_development_card(now, command.card)
    objective = must_be_on_display(now, command.objective)
    must_meet_the_conditions(now, objective)
    travel.must_leave_a_move(now, command.card, days)
    calendar.spend(now, days, "acquire_objective")
    now.happens(
        events.ObjectiveAcquired(now.seat, objective.id, worth(now.mine, objective)),
        development.played(now.seat, command.card),
    )


def must_be_played_with_objectives(now: Now) -> None:
    """GTJ 16.1, 16.2 Objectives are an option of the table."""
    if not now.state.with_objectives:
        raise Refused("GTJ 16.2", "This game is played without objectives.")


def must_be_a_development_card(now: Now, card: str) -> None:
    """GTJ 16.2 Whatever its variant offers."""
    hand.must_be_in_hand(now, card)
    if CARDS[card].development is None:
        raise Refused("GTJ 16.2", "{card} is not a Development card.", card=card)


def must_be_on_display(now: Now, objective: str) -> Objective:
    """GTJ 16.2 Only what is on display can be taken."""
    if objective not in now.state.objectives:
        raise Refused("GTJ 16.2", "{objective} is not on display.", objective=objective)
    return OBJECTIVES[objective]


def must_meet_the_conditions(now: Now, objective: Objective) -> None:
    """GTJ 16.4 to 16.14 What an objective asks for must be there now."""
    mine = now.mine
    asks, delivered = objective.requires, mine.delivered
    if not (
        len(now.state.contracts_of(now.seat)) >= asks.contracts
        and all(delivered[good] >= cubes for good, cubes in asks.goods.items())
        and sum(delivered.values()) >= asks.total_goods
        and max(delivered.values()) >= asks.any_one_good
        and cubes_on_train(mine) >= asks.goods_on_train
        and mine.force >= asks.force
        and (mine.fast or not asks.fast)
    ):
        raise Refused(NUMBERS[objective.id], "You do not meet the conditions of {objective}.", objective=objective.id)


def cubes_on_train(mine: Seat) -> int:
    """GTJ 16.9 Second cubes included."""
    return sum(railcar.cubes for railcar in mine.railcars)


def worth(mine: Seat, objective: Objective) -> int:
    """GTJ 16.3 The VP by what the seat has at this moment: in all, per good, or per full group of goods."""
    if objective.per_good:
        return objective.vp * mine.delivered[objective.per_good]
    if objective.per_goods:
        return objective.vp * (sum(mine.delivered.values()) // objective.per_goods)
    return objective.vp


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return each objective on display, for each Development card in hand."""
    if not now.allows(must_be_played_with_objectives):
        return
    for card in sorted(now.mine.hand):
        if now.allows(must_be_a_development_card, card):
            yield from (_acquire(now.mine, card, OBJECTIVES[objective]) for objective in now.state.objectives)


def _acquire(mine: Seat, card: str, objective: Objective) -> Action:
    facts = {
        "objective": objective.id,
        "card": card,
        "vp": worth(mine, objective),
        "days": DEVELOPMENT_OPTIONS["acquire_objective"].days,
    }
    sentence = Sentence("Take {objective} with {card}: {vp} VP, {days:day|days}", facts)
    return Action(commands.AcquireObjective(card, objective.id), "development", sentence)


CHAPTER = Chapter({commands.AcquireObjective: acquire_objective}, candidates)
