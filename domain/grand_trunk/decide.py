"""The chapters that answer commands; the turn, the list of legal actions, and the result (GTJ 19.4)."""

from typing import get_args

from domain.chance import Chance
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import (
    actions,
    calendar,
    choosing,
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
from domain.rules import Action, Chapter, Outcome, Result, Standing, answers_of, legal

TURN = (
    travel.CHAPTER, unloading.CHAPTER, coupling.CHAPTER, loading.CHAPTER, actions.CHAPTER, development.CHAPTER,
    objectives.CHAPTER, improvements.CHAPTER, drawing.CHAPTER, maintenance.CHAPTER, ending.CHAPTER,
)  # fmt: skip
"""The chapters of a turn, in the order of its steps and of the list of legal actions."""
ANSWERS = answers_of((choosing.CHAPTER, *TURN))
COMMANDS = tuple(ANSWERS)


def decide(state: State, seat: int, command: Command, chance: Chance) -> Outcome:
    """Return what ``command`` brings about, or raise `Refused`."""
    now = Now(state, seat, chance)
    ending.must_not_be_over(now)
    if type(command) not in choosing.CHAPTER.answers:
        must_be_in_turn(now)
    ANSWERS[type(command)](now, command)
    return Outcome(now.events, now.state)


def must_be_in_turn(now: Now) -> None:
    """GTJ 2.12, 3.1 After setup, all commands come from the active seat."""
    choosing.must_all_have_chosen(now)
    calendar.must_be_on_turn(now)


def leave(state: State, seat: int, why: Why, chance: Chance) -> Outcome:
    """GTJ 19.7 Return what it brings about that ``seat`` leaves."""
    now = Now(state, seat, chance)
    service.leave(now, why)
    return Outcome(now.events, now.state)


# ==== the actions of a seat =======================================================================
def open_chapters(now: Now) -> tuple[Chapter, ...]:
    """Return the chapters that may have legal actions for the seat of the trial ``now``."""
    return TURN if now.allows(must_be_in_turn) else (choosing.CHAPTER,)


def actions_of(state: State, seat: int) -> list[Action]:
    """Return every legal action of ``seat``, in the order of the turn's steps."""
    now = Now.trial(state, seat)
    return legal(now, open_chapters(now))


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
