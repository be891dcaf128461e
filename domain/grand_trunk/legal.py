"""The list of legal actions: the chapters' candidates that `decide` accepts, and each command in words."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import asdict

from domain.grand_trunk import commands as c
from domain.grand_trunk.board import CONSTANTS, SLOTS
from domain.grand_trunk.cards import DEVELOPMENT_OPTIONS, FORCE_LEVELS, IMPROVEMENTS, OBJECTIVES
from domain.grand_trunk.decide import try_out
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import actions as simple_actions
from domain.grand_trunk.rules import (
    choosing,
    coupling,
    development,
    drawing,
    ending,
    improvements,
    loading,
    maintenance,
    objectives,
    travel,
    unloading,
)
from domain.grand_trunk.state import State
from domain.messages import Command
from domain.rules import Action
from domain.words import Sentence

_CHAPTERS = (
    travel.candidates, unloading.candidates, coupling.candidates, loading.candidates, simple_actions.candidates,
    development.candidates, objectives.candidates, improvements.candidates, drawing.candidates,
    maintenance.candidates, ending.candidates,
)  # fmt: skip


def actions(state: State, seat: int) -> list[Action]:
    """Every command ``seat`` may give now, in the order of the turn's steps."""
    return [_action(state, seat, command) for command in candidates(state, seat) if is_legal(state, seat, command)]


def candidates(state: State, seat: int) -> Iterator[Command]:
    """Commands that could be legal; every legal one is among them."""
    if state.stage == "choosing":
        yield from choosing.candidates(state, seat)
    elif state.active == seat:
        for chapter in _CHAPTERS:
            yield from chapter(state, seat)


def is_legal(state: State, seat: int, command: Command) -> bool:
    """Whether `decide` accepts ``command``."""
    return Now.allows(state, seat, try_out, command)


# ==== in words ====================================================================================
def _action(state: State, seat: int, command: Command) -> Action:
    kind = type(command)
    plain = _PLAIN.get(kind)
    sentence = Sentence(plain.template, asdict(command)) if plain else _TOLD[kind](state, seat, command)
    return Action(command, _GROUPS[kind], sentence)


def _move(state: State, seat: int, command: c.MoveTrain) -> Sentence:
    facts: dict[str, Any] = {
        "place": command.to,
        "card": command.card,
        "days": travel.days_of_move(state.seats[seat], command),
    }
    if command.right_of_way is None:
        if command.decline_fast:
            return Sentence("Move to {place} with {card}, without Fast: {days:day|days}", facts)
        return Sentence("Move to {place} with {card}: {days:day|days}", facts)
    facts["right_of_way"] = command.right_of_way
    if command.decline_fast:
        return Sentence("Move to {place} with {card} and {right_of_way}, without Fast: {days:day|days}", facts)
    return Sentence("Move to {place} with {card} and {right_of_way}: {days:day|days}", facts)


def _deliver(state: State, seat: int, command: c.DeliverGood) -> Sentence:
    mine = state.seats[seat]
    railcar = mine.railcar(command.railcar)
    facts = {"good": railcar and railcar.good, "railcar": command.railcar, "place": mine.place}
    if command.foreign_steel:
        days = IMPROVEMENTS["foreign_steel_contract"].use_days
        return Sentence(
            "Deliver {good} from {railcar} in {place}, with Foreign Steel Contract: {days:day|days}",
            {**facts, "days": days},
        )
    return Sentence("Deliver {good} from {railcar} in {place}", facts)


def _fulfil(state: State, seat: int, command: c.FulfilContract) -> Sentence:
    mine = state.seats[seat]
    railcar = mine.railcar(command.railcar)
    facts = {
        "good": railcar and railcar.good,
        "railcar": command.railcar,
        "slot": command.slot,
        "place": mine.place,
        "vp": SLOTS[command.slot].vp,
    }
    return Sentence("Fulfil contract {slot} in {place} with {good} from {railcar}: {vp} VP", facts)


def _dump(state: State, seat: int, command: c.DumpGood) -> Sentence:
    railcar = state.seats[seat].railcar(command.railcar)
    return Sentence("Dump {good} from {railcar}", {"good": railcar and railcar.good, "railcar": command.railcar})


def _second_cube(state: State, seat: int, command: c.PlayHighCapacityRailcar) -> Sentence:
    railcar = state.seats[seat].railcar(command.railcar)
    facts = {"good": railcar and railcar.good, "railcar": command.railcar, "card": command.card}
    return Sentence("Load a second {good} on {railcar} with {card}", facts)


def _increase_force(state: State, seat: int, command: c.IncreaseForce) -> Sentence:
    mine = state.seats[seat]
    level = FORCE_LEVELS.get(mine.force + 1)
    facts = {"force": level and level.id, "card": command.card, "days": development.days_of(mine, "increase_force")}
    return Sentence("Increase to {force} with {card}: {days:day|days}", facts)


def _increase_speed(state: State, seat: int, command: c.IncreaseSpeed) -> Sentence:
    days = development.days_of(state.seats[seat], "increase_speed")
    return Sentence("Make the train Fast with {card}: {days:day|days}", {"card": command.card, "days": days})


def _build(state: State, seat: int, command: c.BuildTerminal) -> Sentence:
    days = development.days_of(state.seats[seat], "build_terminal")
    facts = {"city": command.city, "card": command.card, "days": days}
    if command.new_card == "deck_top":
        return Sentence(
            "Build a terminal in {city} with {card} and put the city's card on top of your deck: {days:day|days}", facts
        )
    return Sentence(
        "Build a terminal in {city} with {card} and put the city's card on your discard pile: {days:day|days}", facts
    )


def _acquire(state: State, seat: int, command: c.AcquireImprovement) -> Sentence:
    days = IMPROVEMENTS[command.improvement].cost_days
    facts = {"improvement": command.improvement, "card": command.card, "days": days}
    return Sentence("Acquire {improvement} with {card}: {days:day|days}", facts)


def _acquire_objective(state: State, seat: int, command: c.AcquireObjective) -> Sentence:
    objective = OBJECTIVES[command.objective]
    facts = {
        "objective": objective.id,
        "card": command.card,
        "vp": objectives.worth(state.seats[seat], objective),
        "days": DEVELOPMENT_OPTIONS["acquire_objective"].days,
    }
    return Sentence("Take {objective} with {card}: {vp} VP, {days:day|days}", facts)


def _hi_roof(state: State, seat: int, command: c.UseHiRoofBoxcar) -> Sentence:
    facts = {
        "railcar": command.railcar,
        "improvement": "hi_roof_boxcar",
        "days": IMPROVEMENTS["hi_roof_boxcar"].use_days,
    }
    return Sentence("Load a second steel on {railcar} with {improvement}: {days:day|days}", facts)


def _couple_from_spur(state: State, seat: int, command: c.CoupleFromSpur) -> Sentence:
    facts = {"railcar": state.seats[seat].spur, "good": command.good, "days": IMPROVEMENTS["parking_spur"].couple_days}
    return Sentence("Couple {railcar} from the spur with {good}: {days:day|days}", facts)


def _discard_from_spur(state: State, seat: int, command: c.DiscardFromSpur) -> Sentence:
    return Sentence("Discard {railcar} from the spur", {"railcar": state.seats[seat].spur})


def _crane(state: State, seat: int, command: c.UseRailroadCrane) -> Sentence:
    facts = {
        "railcar": command.card,
        "good": command.good,
        "improvement": "railroad_crane",
        "days": IMPROVEMENTS["railroad_crane"].use_days,
    }
    return Sentence("With {improvement}, couple {railcar} with {good}: {days:day|days}", facts)


def _maintain(state: State, seat: int, command: c.PerformMaintenance) -> Sentence:
    facts = {"days": CONSTANTS.maintenance_days}
    if not command.discard:
        return Sentence("Do maintenance and discard nothing: {days:day|days}", facts)
    return Sentence("Do maintenance and discard {cards}: {days:day|days}", {**facts, "cards": command.discard})


_PLAIN: dict[type[Command], Sentence] = {
    c.ChooseFirstRailcar: Sentence("Start with {card} and load {good}"),
    c.UncoupleRailcar: Sentence("Uncouple {railcar}"),
    c.CoupleRailcar: Sentence("Couple {card} with {good}"),
    c.LoadGood: Sentence("Load {good} on {railcar}"),
    c.PlayInfluenceDemand: Sentence("Exchange the goods tokens of {first} and {second} with {card}"),
    c.PlayOverlandTransport: Sentence("Move a steel from {origin} to {target} with {card}"),
    c.PlayRailYard: Sentence("With {card}, couple {railcar_card} from the discard pile with {good}"),
    c.StoreOnSpur: Sentence("Put {card} on the spur"),
    c.UseRoundhouse: Sentence("With Roundhouse, discard {card} and draw a card"),
    c.UseSemaphoreSignaling: Sentence("With Semaphore Signaling, discard {card}"),
    c.EndTurn: Sentence("End the turn and draw cards"),
    c.Pass: Sentence("Pass: take no more turns"),
}
"""Those whose facts are the fields of the command."""

_TOLD: dict[type[Command], Callable[[State, int, Any], Sentence]] = {
    c.MoveTrain: _move,
    c.DeliverGood: _deliver,
    c.FulfilContract: _fulfil,
    c.DumpGood: _dump,
    c.PlayHighCapacityRailcar: _second_cube,
    c.IncreaseForce: _increase_force,
    c.IncreaseSpeed: _increase_speed,
    c.BuildTerminal: _build,
    c.AcquireImprovement: _acquire,
    c.AcquireObjective: _acquire_objective,
    c.UseHiRoofBoxcar: _hi_roof,
    c.CoupleFromSpur: _couple_from_spur,
    c.DiscardFromSpur: _discard_from_spur,
    c.UseRailroadCrane: _crane,
    c.PerformMaintenance: _maintain,
}
"""Those that say more: days, goods, VP."""

_GROUPS: dict[type[Command], str] = {
    c.ChooseFirstRailcar: "first_railcar",
    c.MoveTrain: "move",
    c.DeliverGood: "unload",
    c.FulfilContract: "unload",
    c.DumpGood: "unload",
    c.UncoupleRailcar: "uncouple",
    c.CoupleRailcar: "couple",
    c.PlayRailYard: "couple",
    c.CoupleFromSpur: "couple",
    c.LoadGood: "load",
    c.PlayHighCapacityRailcar: "load",
    c.UseHiRoofBoxcar: "load",
    c.PlayInfluenceDemand: "action",
    c.PlayOverlandTransport: "action",
    c.IncreaseForce: "development",
    c.IncreaseSpeed: "development",
    c.BuildTerminal: "development",
    c.AcquireImprovement: "development",
    c.AcquireObjective: "development",
    c.StoreOnSpur: "improvement",
    c.DiscardFromSpur: "improvement",
    c.UseRailroadCrane: "improvement",
    c.UseRoundhouse: "improvement",
    c.UseSemaphoreSignaling: "improvement",
    c.EndTurn: "end",
    c.PerformMaintenance: "maintenance",
    c.Pass: "pass",
}
