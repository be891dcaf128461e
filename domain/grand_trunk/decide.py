"""Whose turn it is; one lookup command -> rule; what follows by itself, in order (GTJ 19.4)."""

from collections.abc import Callable
from typing import Any, get_args

from domain.chance import Chance
from domain.grand_trunk import commands as c
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import (
    actions,
    calendar,
    choosing,
    contracts,
    coupling,
    development,
    drawing,
    ending,
    improvements,
    loading,
    maintenance,
    objectives,
    service,
    travel,
    unloading,
)
from domain.grand_trunk.state import Category, State
from domain.lifecycle import Why
from domain.messages import Command
from domain.rules import Outcome, Result, Standing

RULES: dict[type[Command], Callable[[Now, Any], None]] = {
    c.ChooseFirstRailcar: choosing.choose_first_railcar,
    c.MoveTrain: travel.move_train,
    c.DeliverGood: unloading.deliver_good,
    c.FulfilContract: contracts.fulfil_contract,
    c.DumpGood: unloading.dump_good,
    c.UncoupleRailcar: coupling.uncouple_railcar,
    c.CoupleRailcar: coupling.couple_railcar,
    c.LoadGood: loading.load_good,
    c.PlayHighCapacityRailcar: actions.play_high_capacity_railcar,
    c.PlayInfluenceDemand: actions.play_influence_demand,
    c.PlayOverlandTransport: actions.play_overland_transport,
    c.PlayRailYard: actions.play_rail_yard,
    c.IncreaseForce: development.increase_force,
    c.IncreaseSpeed: development.increase_speed,
    c.BuildTerminal: development.build_terminal,
    c.AcquireImprovement: development.acquire_improvement,
    c.AcquireObjective: objectives.acquire_objective,
    c.UseHiRoofBoxcar: improvements.use_hi_roof_boxcar,
    c.StoreOnSpur: improvements.store_on_spur,
    c.CoupleFromSpur: improvements.couple_from_spur,
    c.DiscardFromSpur: improvements.discard_from_spur,
    c.UseRailroadCrane: improvements.use_railroad_crane,
    c.UseRoundhouse: improvements.use_roundhouse,
    c.UseSemaphoreSignaling: improvements.use_semaphore_signaling,
    c.EndTurn: drawing.end_turn,
    c.PerformMaintenance: maintenance.perform_maintenance,
    c.Pass: ending.pass_,
}
_HANDS_ON = (c.EndTurn, c.PerformMaintenance, c.Pass)


def decide(state: State, seat: int, command: Command, chance: Chance) -> Outcome:
    """What ``command`` brings about, or `Refused`."""
    now = Now(state, seat, chance)
    must_be_open(now, command)
    RULES[type(command)](now, command)
    if type(command) in _HANDS_ON:
        ending.game_over(now)
    return Outcome(now.events, now.state)


def must_be_open(now: Now, command: Command) -> None:
    """GTJ 15.4, 2.12, 3.1 What every command is asked before its own rule."""
    ending.must_not_be_over(now)
    if type(command) is not c.ChooseFirstRailcar:
        choosing.must_all_have_chosen(now)
        calendar.must_be_on_turn(now)


def try_out(now: Now, command: Command) -> None:
    """All that can refuse ``command``: for a decision that is tried only."""
    must_be_open(now, command)
    RULES[type(command)](now, command)


def leave(state: State, seat: int, why: Why, chance: Chance) -> Outcome:
    """What it brings about that ``seat`` leaves (GTJ 19.7)."""
    now = Now(state, seat, chance)
    service.leave(now, why)
    return Outcome(now.events, now.state)


# ==== whose turn, and how it ended ================================================================
def asked(state: State) -> tuple[int, ...]:
    """The seats the game waits for: all that have not chosen (GTJ 2.12), or the active one (GTJ 3.1)."""
    if state.stage == "choosing":
        return tuple(number for number, seat in state.seats.items() if seat.choice is None and not seat.left)
    return () if state.active is None else (state.active,)


def result(state: State) -> Result | None:
    """GTJ 15.8, 15.9, 19.7: how the game ended. Seats that left have no place."""
    if state.stage != "over":
        return None
    merits = {number: _merit(state, number) for number in state.ranking}
    staying = [number for number in state.ranking if not state.seats[number].left]
    standings = []
    for number in state.ranking:
        seat = state.seats[number]
        place = 1 + sum(merits[other] > merits[number] for other in staying)
        lines = tuple((category, vp) for category in CATEGORIES if (vp := seat.points.get(category)) is not None)
        standings.append(Standing(number, None if seat.left else place, seat.vp, lines))
    return Result(state.winners, tuple(standings))


def _merit(state: State, number: int) -> tuple[int, int, int]:
    seat = state.seats[number]
    return seat.vp, seat.delivered["steel"], sum(seat.delivered.values())


CATEGORIES: tuple[str, ...] = get_args(Category)
