"""GTJ 16: objectives, an optional part."""

from collections.abc import Iterator

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.cards import CARDS, DEVELOPMENT_OPTIONS, OBJECTIVES, Objective
from domain.grand_trunk.rules import actions, calendar, development, travel
from domain.grand_trunk.state import Seat, State
from domain.messages import Command, Event
from domain.refusal import Refused

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


def acquire_objective(state: State, seat: int, command: commands.AcquireObjective, chance: Chance) -> list[Event]:
    """GTJ 16.2, 16.3 Any Development card and a day take a displayed objective, scored at once."""
    mine = state.seats[seat]
    if not state.with_objectives:
        raise Refused("GTJ 16.2", "This game is played without objectives.")
    actions.in_hand(mine, command.card)
    if CARDS[command.card].development is None:
        raise Refused("GTJ 16.2", "{card} is no Development card.", card=command.card)
    if command.objective not in state.objectives:
        raise Refused("GTJ 16.2", "{objective} is not on display.", objective=command.objective)
    objective = OBJECTIVES[command.objective]
    meets_conditions(state, seat, objective)
    days = DEVELOPMENT_OPTIONS["acquire_objective"].days
    travel.leaves_a_move(state, mine, command.card, days)
    return [
        *calendar.spend(state, seat, days, "acquire_objective", chance),
        events.ObjectiveAcquired(seat, objective.id, worth(mine, objective)),
        development.played(seat, command.card),
    ]


def meets_conditions(state: State, seat: int, objective: Objective) -> None:
    """GTJ 16.4 to 16.14 What an objective asks for must be there now."""
    mine = state.seats[seat]
    asks, delivered = objective.requires, mine.delivered
    if not (
        len(state.contracts_of(seat)) >= asks.contracts
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


def candidates(state: State, seat: int) -> Iterator[Command]:
    if not state.objectives:
        return
    for card in sorted(state.seats[seat].hand):
        if CARDS[card].development:
            for objective in state.objectives:
                yield commands.AcquireObjective(card, objective)
