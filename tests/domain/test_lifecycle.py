"""House rules ST 1 to ST 6 and ST 8: opening a table, sitting down, starting, cancelling, leaving."""

import pytest

from domain import lifecycle
from domain.chain import secret_commitment
from domain.game import fold
from domain.refusal import Refused
from tests.domain.table import ANN, BOB, SECRET, SETTLE, TableForTwo, raw
from tests.toy import TITLE, CardDrawn, Choose, LanternsLit, SeatLeft


def refused(rule, table, seat, command):
    before = table.game
    with pytest.raises(Refused) as refusal:
        table.give(seat, command)
    assert refusal.value.rule == rule
    assert table.game == before
    return refusal.value


def open_table(seats=2, options="{}"):
    return lifecycle.OpenTable1("toy", seats, raw(options), secret_commitment(SECRET), SETTLE)


# ==== ST 1 ========================================================================================
def test_a_table_is_opened():
    """ST 1"""
    table = TableForTwo(started=False).game
    assert (table.status, table.version, table.asked, table.result) == ("open", 1, (), None)
    assert (table.table.seats, table.table.settle, table.table.commitment) == (2, SETTLE, secret_commitment(SECRET))


def test_a_table_is_opened_once():
    """ST 1"""
    refused("ST 1", TableForTwo(started=False), None, open_table())
    refused("ST 1", TableForTwo(), None, open_table())


@pytest.mark.parametrize("seats", [0, 1, 4])
def test_a_table_has_a_number_of_seats_that_the_title_allows(seats):
    """ST 1"""
    with pytest.raises(Refused) as refusal:
        TableForTwo(seats, started=False)
    assert refusal.value.rule == "TOY 1"


@pytest.mark.parametrize("command", [lifecycle.StartGame(), lifecycle.CancelGame(), lifecycle.Resign(), Choose(1)])
def test_no_command_is_accepted_before_the_table_is_open(command):
    """ST 1, ST 8"""
    table = TableForTwo(started=False)
    table.game = fold("unopened", TITLE, [])
    refused("ST 8" if isinstance(command, Choose) else "ST 1", table, ANN, command)


# ==== ST 2, ST 3 ==================================================================================
def test_a_free_seat_is_taken():
    """ST 2"""
    table = TableForTwo(started=False)
    ply = table.sit(BOB, '{"colour":"red"}')
    assert ply.events == (lifecycle.SeatTaken1(BOB, raw('{"colour":"red"}'), "02" * 32),)
    assert set(table.game.table.chairs) == {BOB}
    assert not table.game.table.full


@pytest.mark.parametrize("seat", [0, 3, -1])
def test_a_missing_seat_cannot_be_taken(seat):
    """ST 2"""
    refused("ST 2", TableForTwo(started=False), seat, lifecycle.TakeSeat1(seat, raw("{}"), "00"))


def test_a_taken_seat_cannot_be_taken_again():
    """ST 2"""
    table = TableForTwo(started=False)
    table.sit(ANN)
    refused("ST 2", table, ANN, lifecycle.TakeSeat1(ANN, raw("{}"), "00"))


def test_a_choice_that_the_title_forbids_is_refused():
    """ST 2"""
    table = TableForTwo(started=False)
    table.sit(ANN, '{"colour":"red"}')
    refused("TOY 1", table, BOB, lifecycle.TakeSeat1(BOB, raw('{"colour":"red"}'), "00"))


def test_no_seat_is_taken_or_given_up_after_the_start():
    """ST 2, ST 3"""
    refused("ST 2", TableForTwo(), ANN, lifecycle.TakeSeat1(ANN, raw("{}"), "00"))
    refused("ST 3", TableForTwo(), ANN, lifecycle.GiveUpSeat())


def test_a_seat_is_given_up():
    """ST 3"""
    table = TableForTwo(started=False)
    table.sit(ANN)
    assert table.give(ANN, lifecycle.GiveUpSeat()).events == (lifecycle.SeatGivenUp(ANN),)
    assert table.game.table.chairs == {}
    refused("ST 3", table, ANN, lifecycle.GiveUpSeat())


# ==== ST 4, ST 5 ==================================================================================
def test_a_game_starts_when_every_seat_is_taken():
    """ST 4"""
    table = TableForTwo(started=False)
    table.sit(ANN)
    refusal = refused("ST 4", table, None, lifecycle.StartGame())
    assert refusal.sentence.facts == {"seats": 2}
    table.sit(BOB)
    ply = table.give(None, lifecycle.StartGame())
    assert ply.events[:2] == (lifecycle.GameStarted(), LanternsLit((ANN, BOB), 4))
    assert [event.seat for event in ply.events if isinstance(event, CardDrawn)] == [ANN, ANN, BOB, BOB]
    assert len(ply.draws) == 4
    assert (table.game.status, table.game.asked) == ("running", (ANN, BOB))


def test_a_game_starts_once():
    """ST 4"""
    refused("ST 4", TableForTwo(), None, lifecycle.StartGame())


def test_every_seats_entropy_enters_the_draws():
    """ST 2"""

    def cards(entropy):
        table = TableForTwo(started=False)
        table.sit(ANN)
        table.sit(BOB, entropy=entropy)
        return [draw.picks for draw in table.give(None, lifecycle.StartGame()).draws]

    assert cards("aa" * 32) != cards("bb" * 32)


def test_a_table_can_be_cancelled_until_the_game_starts():
    """ST 5"""
    table = TableForTwo(started=False)
    table.give(None, lifecycle.CancelGame())
    assert table.game.status == "cancelled"
    refused("ST 5", table, None, lifecycle.CancelGame())
    refused("ST 4", table, None, lifecycle.StartGame())
    refused("ST 2", table, ANN, lifecycle.TakeSeat1(ANN, raw("{}"), "00"))
    refused("ST 5", TableForTwo(), None, lifecycle.CancelGame())


# ==== ST 6, ST 8 ==================================================================================
@pytest.mark.parametrize(("command", "why"), [(lifecycle.Resign(), "resigned"), (lifecycle.TimeOut(), "timed_out")])
def test_a_seat_leaves_and_the_others_play_on(command, why):
    """ST 6"""
    table = TableForTwo(seats=3)
    assert table.give(BOB, command).events[:2] == (lifecycle.SeatRetired(BOB, why), SeatLeft(BOB))
    assert table.game.table.playing == (1, 3)
    assert table.game.asked == (1, 3)
    refused("ST 6", table, BOB, lifecycle.Resign())
    refused("ST 8", table, BOB, Choose(1))


def test_the_last_seat_to_stay_ends_the_game():
    """ST 6"""
    table = TableForTwo()
    table.give(ANN, lifecycle.Resign())
    assert table.game.status == "over"
    assert table.game.result.winners == (BOB,)
    for command in (lifecycle.Resign(), Choose(1)):
        refused("TOY 5", table, BOB, command)


def test_seats_leave_only_a_running_game():
    """ST 6"""
    table = TableForTwo(started=False)
    table.sit(ANN)
    refused("ST 6", table, ANN, lifecycle.Resign())


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_commands_of_play_come_from_a_seat_that_plays(seat):
    """ST 8"""
    refused("ST 8", TableForTwo(), seat, Choose(1))
    refused("ST 6", TableForTwo(), seat, lifecycle.Resign())


def test_a_game_that_has_not_started_accepts_no_move():
    """ST 8"""
    table = TableForTwo(started=False)
    table.sit(ANN)
    refused("ST 8", table, ANN, Choose(1))
