"""The sensible player beats safe and random ones at every number of seats; all see only their view."""

import random
import statistics

import pytest

from domain.chance import FreeChance
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.bots import play_sensibly
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard
from domain.ticket_to_ride.setup import Choice, Options
from domain.ticket_to_ride.state import State
from domain.ticket_to_ride.view import view
from tests.domain.ticket_to_ride.positions import (
    ANN,
    BOB,
    CYD,
    LOCO,
    claims,
    dealt,
    given,
    holding,
    left_in_deck,
    opening,
    turn,
)
from tests.simulate import duel


# ==== how they do =================================================================================
@pytest.mark.long("3", "4", "5")
@pytest.mark.parametrize("against", ["safe", "random"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_sensible_seat_beats_safe_and_random_ones(seats, against):
    """At every number of seats at least eight in ten."""
    lines = [own for own, _ in duel(TITLE.id, 12, seats, "sensible", against, "tried", 1)]
    assert sum(line.won for line in lines) >= 0.8 * len(lines)
    assert statistics.mean(line.total for line in lines) > 0


def test_a_bots_commands_follow_from_its_view_and_its_dice():
    state = TITLE.rules.setup(Options(), {1: Choice(), 2: Choice()}, FreeChance(random.Random(1))).after
    for bot in TITLE.bots.values():
        seen = TITLE.rules.view(state, 1)
        assert bot(seen, random.Random(7)) == bot(seen, random.Random(7))
        assert len(bot(seen, random.Random(7))) == 1


# ==== what the sensible one does ==================================================================
def sensible(state: State, seat: int = ANN):
    (command,) = play_sensibly(view(state, seat), random.Random(1))
    return command


def test_the_sensible_bot_gathers_all_cards_of_its_plan_before_it_claims():
    """Four red ones would pay for Boston - New York, but others would draw them then."""
    begun = given(opening())
    assert begun.allows(ANN, ClaimRoute("boston__new_york__red", ("red",) * 2))
    assert isinstance(sensible(begun.state), DrawFaceUpCard)
    short = begun.then(holding(ANN, purple=4, blue=7, green=2))
    assert isinstance(sensible(short.state), DrawFaceUpCard | DrawBlindCard)
    for last in ({"blue": 1}, {LOCO: 1}):
        assert sensible(short.then(holding(ANN, **last)).state) == ClaimRoute("atlanta__miami", ("blue",) * 5)


def test_the_sensible_bot_claims_at_once_without_cards_or_near_the_end():
    begun = given(opening())
    nothing_left = begun.then(left_in_deck(begun.state, {}, CYD), turn(ANN))
    end_is_near = given(opening(), claims(BOB, "calgary__vancouver", trains=9))
    for table in (nothing_left, end_is_near):
        assert isinstance(sensible(table.state), ClaimRoute)


def test_the_sensible_bot_pays_the_fewest_cards_when_it_cannot_follow_its_plan():
    begun = given(opening(), claims(BOB, "calgary__helena"))
    table = begun.then(left_in_deck(begun.state, {}, CYD), turn(BOB))
    assert sensible(table.state, BOB) == ClaimRoute("atlanta__nashville", ("blue",))


def test_the_sensible_bot_plans_less_with_more_seats():
    kept = {seats: len(sensible(given(dealt(seats)).state, CYD).tickets) for seats in (3, 4, 5)}
    assert kept == {3: 3, 4: 2, 5: 2}
    assert "montreal__vancouver" in sensible(given(dealt(4)).state, CYD).tickets
    assert "montreal__vancouver" not in sensible(given(dealt(5)).state, CYD).tickets
