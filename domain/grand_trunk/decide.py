"""The chapters that answer commands; the turn, the list of legal actions, and the result (GTJ 19.4)."""

from collections.abc import Iterator
from typing import get_args

from domain.chance import Chance
from domain.grand_trunk.commands import ChooseFirstRailcar
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
from domain.grand_trunk.rules.record import CommandRule
from domain.grand_trunk.state import Category, State
from domain.lifecycle import Why
from domain.messages import Command
from domain.rules import Action, Outcome, Result, Standing

_CHAPTERS = (
    travel, unloading, coupling, loading, actions, development, objectives, improvements, drawing, maintenance, ending,
)  # fmt: skip
"""Those of a turn that have candidates, in the order of its steps."""
ANSWERS: dict[type[Command], CommandRule] = {
    command: answer for chapter in (choosing, contracts, *_CHAPTERS) for command, answer in chapter.ANSWERS.items()
}
COMMANDS = tuple(ANSWERS)


def decide(state: State, seat: int, command: Command, chance: Chance) -> Outcome:
    """What ``command`` brings about, or `Refused`."""
    now = Now(state, seat, chance)
    must_be_open(now, command)
    ANSWERS[type(command)].rule(now, command)
    return Outcome(now.events, now.state)


def must_be_open(now: Now, command: Command) -> None:
    """GTJ 15.4, 2.12, 3.1 What every command is asked before its own rule."""
    ending.must_not_be_over(now)
    if type(command) is not ChooseFirstRailcar:
        choosing.must_all_have_chosen(now)
        calendar.must_be_on_turn(now)


def try_out(now: Now, command: Command) -> None:
    """All that can refuse ``command``: for a decision that is tried only."""
    must_be_open(now, command)
    ANSWERS[type(command)].rule(now, command)


def leave(state: State, seat: int, why: Why, chance: Chance) -> Outcome:
    """What it brings about that ``seat`` leaves (GTJ 19.7)."""
    now = Now(state, seat, chance)
    service.leave(now, why)
    return Outcome(now.events, now.state)


# ==== what a seat may do ==========================================================================
def legal(state: State, seat: int) -> list[Action]:
    """Every command ``seat`` may give now, in the order of the turn's steps."""
    return [
        ANSWERS[type(command)].action(state, seat, command)
        for command in candidates(state, seat)
        if is_legal(state, seat, command)
    ]


def candidates(state: State, seat: int) -> Iterator[Command]:
    """Commands that could be legal; every legal one is among them."""
    if state.stage == "choosing":
        yield from choosing.candidates(state, seat)
    elif state.active == seat:
        for chapter in _CHAPTERS:
            yield from chapter.candidates(state, seat)


def is_legal(state: State, seat: int, command: Command) -> bool:
    """Whether `decide` accepts ``command``."""
    return Now.allows(state, seat, try_out, command)


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
