"""TTR 3: the seat on turn, and one action a turn."""

import pytest

from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.commands import (
    ClaimRoute,
    DrawBlindCard,
    DrawFaceUpCard,
    DrawTickets,
    KeepTickets,
)
from domain.ticket_to_ride.events import BlindCardDrawn, LastRoundStarted, TicketsOffered, TurnStarted
from tests.domain.ticket_to_ride.positions import ANN, BOB, CYD, dealt, given, holding, left_in_deck, opening, turn

CLAIM = ClaimRoute("kansas_city__saint_louis__blue", ("red",) * 2)
OFFER = TicketsOffered(ANN, 3, ("miami__toronto", "new_york__seattle", "santa_fe__vancouver"))


def test_seats_take_turns_clockwise():
    """TTR 3.1"""
    table = given(opening())
    for number, (seat, following) in enumerate([(ANN, BOB), (BOB, CYD), (CYD, ANN)], 2):
        after = table.when(seat, DrawBlindCard(), ["white"]).after
        table = after.when(seat, DrawBlindCard(), ["white"]).then(
            BlindCardDrawn(seat, "white"), turn(following, number)
        )


@pytest.mark.parametrize(
    "command", [DrawTickets(), DrawFaceUpCard("white"), DrawBlindCard(), KeepTickets(("a",)), CLAIM]
)
def test_only_the_seat_on_turn_acts(command):
    """TTR 3.4"""
    given(opening()).when(BOB, command).then_refused("TTR 3.4")
    assert TITLE.rules.actions(given(opening()).state, BOB) == []
    assert TITLE.rules.asked(given(opening()).state) == (ANN,)


def test_a_turn_is_one_of_three_actions():
    """TTR 3.2"""
    groups = {action.group for action in TITLE.rules.actions(given(opening()).state, ANN)}
    assert groups == {"draw_cards", "claim", "draw_tickets"}


@pytest.mark.parametrize("command", [CLAIM, DrawTickets()])
def test_no_other_action_is_legal_before_the_second_card(command):
    """TTR 3.3"""
    begun = given(opening(), BlindCardDrawn(ANN, "white"))
    begun.when(ANN, command).then_refused("TTR 3.3")
    assert {action.group for action in TITLE.rules.actions(begun.state, ANN)} == {"draw_cards"}


@pytest.mark.parametrize("command", [CLAIM, DrawTickets(), DrawBlindCard(), DrawFaceUpCard("white")])
def test_no_other_action_is_legal_before_the_choice_of_tickets(command):
    """TTR 3.3"""
    begun = given(opening(), OFFER)
    begun.when(ANN, command).then_refused("TTR 3.3")
    assert {action.group for action in TITLE.rules.actions(begun.state, ANN)} == {"keep"}


def test_no_second_action_follows():
    """TTR 3.3: after the turn's one action it is the next seat's turn."""
    claimed = given(opening(), holding(ANN, blue=2)).when(
        ANN, ClaimRoute("kansas_city__saint_louis__blue", ("blue",) * 2)
    )
    claimed.after.when(ANN, DrawBlindCard()).then_refused("TTR 3.4")


def test_there_is_no_command_to_pass_or_to_end_a_turn():
    """TTR 3.5, 3.6, 4.6"""
    names = {kind.__name__ for kind in TITLE.rules.commands}
    assert names == {"KeepTickets", "DrawFaceUpCard", "DrawBlindCard", "ClaimRoute", "DrawTickets"}


def test_a_seat_must_act_even_if_only_an_unwelcome_action_is_legal():
    """TTR 3.5: with only tickets left, the seat must act, too."""
    table = given(opening())
    after = table.then(left_in_deck(table.state, {}, CYD), turn(BOB))
    assert TITLE.rules.asked(after.state) == (BOB,)
    groups = {action.group for action in TITLE.rules.actions(after.state, BOB)}
    assert groups == {"draw_tickets", "claim"}


def test_a_turn_ends_by_itself():
    """TTR 3.6"""
    begun = given(opening(), BlindCardDrawn(ANN, "white"))
    assert begun.when(ANN, DrawBlindCard(), ["red"]).events[-1] == TurnStarted(BOB, 2)


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (dealt(), "all choose their first tickets at the same time"),
        (opening(), "chosen by lot to start"),
        ((opening(), turn(BOB, 2)), "next in turn order"),
        ((opening(), BlindCardDrawn(ANN, "white")), "the second train card is still to be drawn"),
        ((opening(), OFFER), "tickets must be chosen"),
        ((opening(), LastRoundStarted(CYD, (ANN, BOB, CYD)), turn(ANN, 7)), "the last turn"),
    ],
)
def test_the_view_says_why_a_seat_must_move(position, why):
    """TTR 2.7, 3.1, 3.3, 7.2"""
    assert TITLE.face.why_asked(TITLE.rules.view(given(position).state, BOB)).template == why
