"""TTR 7: the last round."""

import pytest

from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.events import (
    BlindCardDrawn,
    GameEnded,
    LastRoundStarted,
    RouteClaimed,
    SeatLeft,
    TicketsScored,
)
from tests.domain.ticket_to_ride.positions import ANN, BOB, CYD, claims, given, holding, opening, turn


def two_turns_before(trains, seat=ANN):
    """Let ``seat`` be on turn with this many trains more than the four it is about to place."""
    return given(opening(), claims(BOB if seat == ANN else ANN, "atlanta__charleston")).then(
        claims(seat, "calgary__vancouver", trains=trains + 4 + 3), holding(seat, black=4), turn(seat, 1)
    )


CLAIM = ClaimRoute("duluth__winnipeg", ("black",) * 4)


@pytest.mark.parametrize("trains", [0, 1, 2])
def test_a_seat_with_two_trains_or_fewer_sets_off_the_last_round(trains):
    """TTR 7.1"""
    after = (
        two_turns_before(trains)
        .when(ANN, CLAIM)
        .then(
            RouteClaimed(ANN, "duluth__winnipeg", ("black",) * 4, 7, trains),
            LastRoundStarted(ANN, (BOB, CYD, ANN)),
            turn(BOB),
        )
    )
    assert after.state.last_turns == (CYD, ANN)


def test_a_seat_with_three_trains_sets_off_no_last_round():
    """TTR 7.1"""
    two_turns_before(3).when(ANN, CLAIM).then_without(LastRoundStarted)


def last_round():
    return two_turns_before(0).when(ANN, CLAIM).after


def both(table, seat):
    """Let ``seat`` draw two cards."""
    one = table.when(seat, DrawBlindCard(), ["white"]).after
    return one.when(seat, DrawBlindCard(), ["white"])


def test_every_seat_gets_one_more_turn_and_the_triggering_one_is_last():
    """TTR 7.2"""
    table = last_round()
    for number, (seat, following) in enumerate([(BOB, CYD), (CYD, ANN)], 3):
        table = both(table, seat).then(BlindCardDrawn(seat, "white"), turn(following, number))
    assert both(table, ANN).only(GameEnded)


def test_the_last_round_is_set_off_once():
    """TTR 7.3"""
    table = last_round().then(claims(BOB, "calgary__helena", trains=8), holding(BOB, blue=4), turn(BOB, 2))
    outcome = table.when(BOB, ClaimRoute("chicago__omaha", ("blue",) * 4))
    outcome.then(RouteClaimed(BOB, "chicago__omaha", ("blue",) * 4, 7, 0), turn(CYD, 3))
    assert outcome.after.state.last_round_by == ANN


def ended():
    table = last_round()
    for seat in (BOB, CYD, ANN):
        table = both(table, seat).after
    return table


def test_a_seat_that_has_left_has_no_last_turn():
    """TTR 7.2, 10.8: whether the next seat or the one after it; the round begins all the same."""
    for gone, order in ((BOB, (CYD, ANN)), (CYD, (BOB, ANN))):
        outcome = two_turns_before(2).then(SeatLeft(gone, "resigned", 0)).when(ANN, CLAIM)
        assert outcome.only(LastRoundStarted) == [LastRoundStarted(ANN, order)]


def test_a_seat_that_leaves_with_two_trains_sets_off_no_last_round():
    """TTR 7.1, 10.8: its turn does not end, it is cancelled."""
    outcome = two_turns_before(-2).leaves(ANN)
    assert outcome.before.state.players[ANN].trains == 2
    outcome.then(SeatLeft(ANN, "resigned", 0), turn(BOB, 2))


def test_after_the_last_turn_the_game_is_over_and_scored():
    """TTR 7.4"""
    table = last_round().then(turn(CYD, 3), turn(ANN, 4))
    outcome = both(table, ANN)
    assert [event.seat for event in outcome.only(TicketsScored)] == [ANN, BOB, CYD]
    assert isinstance(outcome.events[-1], GameEnded)
    assert TITLE.rules.result(outcome.after.state) is not None
    assert TITLE.rules.asked(outcome.after.state) == ()


@pytest.mark.parametrize(
    "command",
    [
        DrawBlindCard(),
        DrawFaceUpCard("white"),
        DrawTickets(),
        ClaimRoute("atlanta__nashville", ("red",)),
        KeepTickets(),
    ],
)
@pytest.mark.parametrize("seat", [ANN, BOB])
def test_no_command_is_legal_after_the_end(command, seat):
    """TTR 7.4"""
    ended().when(seat, command).then_refused("TTR 7.4")
    assert TITLE.rules.actions(ended().state, seat) == []
