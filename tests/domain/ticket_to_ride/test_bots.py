"""The sensible player beats random ones at every number of seats; both see only their view."""

import random

import pytest

from domain.chance import FreeChance
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.setup import Choice, Options
from domain.ticket_to_ride.view import TicketToRideView

GAMES = 12


def played(seats, sensible, number):
    """The result of a game in which only one seat is sensible."""
    dice = random.Random(f"{seats} {number}")
    chance = FreeChance(dice)
    state = TITLE.start
    for event in TITLE.setup(Options(), {seat: Choice() for seat in range(1, seats + 1)}, chance):
        state = TITLE.evolve(state, event)
    while asked := TITLE.asked(state):
        seat = asked[0]
        seen = TITLE.view(state, seat)
        assert isinstance(seen, TicketToRideView)
        bot = TITLE.bots["sensible" if seat == sensible else "random"]
        for command in bot(seen, dice):
            state = TITLE.decide(state, seat, command, chance).after
    return TITLE.result(state)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_sense_beats_chance(seats):
    won = 0
    for number in range(GAMES):
        sensible = 1 + number % seats
        won += played(seats, sensible, number).winners == (sensible,)
    assert won >= 0.9 * GAMES


def test_what_a_bot_does_follows_from_its_view_and_its_dice():
    state = TITLE.start
    for event in TITLE.setup(Options(), {1: Choice(), 2: Choice()}, FreeChance(random.Random(1))):
        state = TITLE.evolve(state, event)
    for bot in TITLE.bots.values():
        seen = TITLE.view(state, 1)
        assert bot(seen, random.Random(7)) == bot(seen, random.Random(7))
        assert len(bot(seen, random.Random(7))) == 1
