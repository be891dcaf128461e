"""ST 17 and ST 18: an operator closes a running game, and frees a seat."""

from typing import get_args

import pytest

from domain.clock import ClockStopped, FreeSeat, GamePaused, ReturnToSeat, SeatOpened, TakeOver
from domain.game import can_take_back
from domain.lifecycle import ClosedFor, CloseGame, GameClosed, ProposeRewind, Resign, StartGame
from domain.pace import DAY, Calendar, Pace
from domain.words import say
from tests.domain.table import ANN, BOB, TableForTwo
from tests.domain.test_timekeeping import proved, refused, time
from tests.toy import TITLE, Choose

PACE = Pace(DAY, excuse=False, then="remind")


def paced(seats: int = 2, pace: Pace = PACE) -> TableForTwo:
    return TableForTwo(seats, pace=pace, calendars=dict.fromkeys(range(1, seats + 1), Calendar()))


# ==== ST 17 =======================================================================================
@pytest.mark.parametrize("cause", get_args(ClosedFor))
def test_an_operator_closes_a_running_game_for_a_cause_and_nobody_wins(cause: ClosedFor) -> None:
    table = paced()
    table.choose_all()
    ply = table.give(None, CloseGame(cause), "service")
    assert ply.events[0] == GameClosed(cause)
    assert {type(it) for it in ply.events[1:]} <= {ClockStopped}
    assert (table.game.status, table.game.result, table.game.asked) == ("cancelled", None, ())
    assert table.game.begun
    assert time(table).running == {}
    (said,) = TITLE.face.narrate([ply.events[0]])
    assert "Nobody wins" in say(said, TITLE.face.words.english, str)
    proved(table)


def test_a_closed_game_stays_closed() -> None:
    table = TableForTwo()
    leader = table.choose_all()
    table.give(None, CloseGame("other"), "service")
    assert can_take_back(table.game, leader, table.at) == ()
    refused("ST 17", table, None, CloseGame("other"))
    refused("ST 6", table, leader, Resign())
    refused("ST 9", table, leader, ProposeRewind(table.game.version - 1, (), table.at + DAY))
    refused("ST 8", table, leader, Choose(1))
    refused("ST 4", table, None, StartGame())


def test_only_a_running_game_can_be_closed() -> None:
    table = TableForTwo(started=False)
    refused("ST 17", table, None, CloseGame("wish"))
    assert not table.game.begun


# ==== ST 18 =======================================================================================
def test_a_freed_seat_waits_for_a_substitute_or_for_its_player() -> None:
    table = paced(3)
    ply = table.give(None, FreeSeat(ANN), "service")
    assert ply.events[0] == SeatOpened(ANN)
    assert ANN not in time(table).running
    refused("ST 15", table, ANN, Choose(min(table.hand(ANN))))
    refused("ST 18", table, None, FreeSeat(ANN))
    table.give(ANN, ReturnToSeat())
    assert ANN in time(table).running
    table.give(None, FreeSeat(ANN), "service")
    table.give(None, TakeOver(ANN))
    assert time(table).vacant == ()
    proved(table)


def test_a_game_pauses_when_its_last_person_is_freed() -> None:
    table = paced()
    table.give(None, FreeSeat(ANN), "service")
    ply = table.give(None, FreeSeat(BOB), "service")
    assert [type(it) for it in ply.events][:2] == [SeatOpened, GamePaused]
    table.give(BOB, ReturnToSeat())
    assert time(table).paused == ()
    proved(table)


def test_only_a_person_with_a_clock_can_be_freed() -> None:
    refused("ST 18", TableForTwo(), None, FreeSeat(ANN))
    table = paced(3)
    table.give(ANN, Resign())
    refused("ST 18", table, None, FreeSeat(ANN))
