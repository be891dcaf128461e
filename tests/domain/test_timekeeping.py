"""ST 11 to ST 16: plies start and stop clocks, a rewind sets them again, and a missed deadline has consequences."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain import clock, lifecycle
from domain.clock import CallTime, ClockStarted, ClockStopped, MoveClocks, ReturnToSeat, SetPace, StandIn, TakeOver
from domain.game import Game, fold
from domain.lifecycle import AgreeToRewind, ProposeRewind, Resign, TakeBack
from domain.pace import DAY, HOUR, MINUTE, Calendar, Pace
from domain.play import decide
from domain.refusal import Refused
from service.proof.audit import Evidence, verify
from tests.domain.table import ANN, BOB, SECRET, TableForTwo
from tests.toy import TITLE, Choose, Pick, Stop, Walk, Whisper

PLAIN = Pace(DAY, excuse=False)
BANKED = Pace(HOUR, bank=2 * HOUR, gain=30 * MINUTE, cap=3 * HOUR, excuse=False)
PEOPLE = {ANN: Calendar(), BOB: Calendar()}


def at_table(pace: Pace = PLAIN, people: dict[int, Calendar] | None = None, seats: int = 2) -> TableForTwo:
    return TableForTwo(seats, pace=pace, calendars=PEOPLE if people is None else people)


def led(pace: Pace = PLAIN) -> tuple[TableForTwo, int, int]:
    """Return a table where somebody leads, and the leader; the other seat has the other number."""
    table = at_table(pace)
    leader = table.choose_all()
    return table, leader, 3 - leader


def time(table: TableForTwo) -> clock.Time:
    assert table.game.table is not None
    assert table.game.table.time is not None
    return table.game.table.time


def refused(rule: str, table: TableForTwo, seat: int | None, command: Any, cause: str = "player") -> None:
    before = table.game
    with pytest.raises(Refused) as refusal:
        table.give(seat, command, cause)
    assert refusal.value.rule == rule
    assert table.game == before


def proved(table: TableForTwo) -> None:
    """Check that the log proves itself without any calendar, and folds to the same game."""
    from domain.chain import first_link

    stored, link = [], first_link("a-game")
    for ply in table.plies:
        stored.append(TITLE.chain.store(ply, link, "a-game", table.secret))
        link = stored[-1].link
    report, game = verify(Evidence("a-game", TITLE, stored, SECRET))
    assert report.faults == ()
    assert report.decided == len(table.plies)
    assert game == table.game


# ==== ST 11, ST 12 ================================================================================
def test_a_pace_is_agreed_on_before_the_start():
    table = TableForTwo(started=False)
    table.give(None, SetPace(PLAIN))
    assert table.game.table.pace == PLAIN
    refused("ST 11", table, None, SetPace(Pace(0)))
    table.give(None, SetPace(None))
    assert table.game.table.pace is None
    table.give(None, SetPace(BANKED))
    table.sit(ANN)
    table.sit(BOB)
    table.give(None, lifecycle.StartGame())
    refused("ST 11", table, None, SetPace(PLAIN))


def test_a_table_without_a_pace_has_no_clocks_in_its_log():
    table = TableForTwo(calendars=PEOPLE)
    leader = table.choose_all()
    table.give(leader, Walk(1))
    assert table.game.table.clocks == {}
    assert not any(isinstance(event, clock.EVENTS) for ply in table.plies for event in ply.events)
    refused("ST 14", table, None, CallTime(leader))


def test_a_clock_runs_from_the_ply_that_asks_to_the_answer():
    table = at_table()
    assert table.plies[-1].events[-2:] == (
        ClockStarted(ANN, table.at + DAY, 0),
        ClockStarted(BOB, table.at + DAY, 0),
    )
    table.at += HOUR
    ply = table.give(ANN, Choose(table.hand(ANN)[0]))
    assert ply.events[-1] == ClockStopped(ANN, 0)
    assert ply.quiet
    assert table.game.table.clocks == {BOB: table.at - HOUR + DAY}
    table.at += HOUR
    leader = table.game.asked and table.choose_all()
    assert table.game.table.clocks == {leader: table.at + DAY}
    proved(table)


def test_only_people_have_clocks():
    table = at_table(people={ANN: Calendar()})
    assert set(table.game.table.clocks) == {ANN}
    proved(table)


def test_each_move_restarts_the_clock_if_the_pace_says_so():
    for renew in (True, False):
        table, leader, _ = led(replace(PLAIN, renew=renew))
        began = table.at
        table.at += HOUR
        table.give(leader, Walk(1))
        assert table.game.table.clocks == {leader: (table.at if renew else began) + DAY}
        whispered = table.give(leader, Whisper(7))
        assert whispered.hidden, "a hidden ply stays hidden"
        assert table.game.table.clocks == {leader: (table.at if renew else began) + DAY}
        proved(table)


def test_a_turn_spends_the_bank_last_and_a_move_adds_to_it():
    table, leader, _other = led(BANKED)
    assert time(table).running[leader].bank == BANKED.bank + BANKED.gain  # the choice of a card was a quick move
    due = table.game.table.clocks[leader]
    assert due == table.at + HOUR + 150 * MINUTE
    table.at += 100 * MINUTE
    ply = table.give(leader, Stop())
    assert ClockStopped(leader, 150 * MINUTE - 40 * MINUTE + 30 * MINUTE) not in ply.events, "it goes on at once"
    assert ClockStarted(leader, table.at + HOUR + 110 * MINUTE, 110 * MINUTE) in ply.events
    table.at += MINUTE
    stopped = table.give(leader, Choose(table.hand(leader)[0])).events
    assert ClockStopped(leader, 140 * MINUTE) in stopped
    proved(table)


def test_the_bank_holds_no_more_than_its_cap():
    table = at_table(replace(BANKED, bank=3 * HOUR))
    assert table.give(ANN, Choose(table.hand(ANN)[0])).events[-1] == ClockStopped(ANN, 3 * HOUR)


# ==== going back ==================================================================================
def test_after_a_take_back_the_clock_stands_as_before():
    table, leader, other = led(replace(BANKED, renew=False))
    had = time(table).running[leader]
    table.at += 90 * MINUTE
    table.give(leader, Stop())  # everybody is asked for a card again
    assert set(table.game.table.clocks) == {leader, other}
    table.at += MINUTE // 2
    ply = table.give(leader, TakeBack(table.game.version))
    assert ClockStopped(other, BANKED.bank + BANKED.gain) in ply.events, "nothing is used up, nothing added"
    assert time(table).running == {leader: had}
    proved(table)


def test_a_seat_that_takes_back_at_the_last_moment_has_five_minutes():
    table, leader, _ = led()
    table.at = table.game.table.clocks[leader] - 1000
    table.give(leader, Walk(1))
    table.at += 30_000
    table.give(leader, TakeBack(table.game.version))
    assert table.game.table.clocks[leader] >= table.at + 5 * MINUTE


def test_a_rewind_restores_the_remaining_times():
    table, leader, other = led(replace(BANKED, renew=False))
    before, bank = table.game.version, time(table).running[leader].bank
    left = table.game.table.clocks[leader] - table.at
    table.at += HOUR
    table.give(leader, Stop())
    table.at += HOUR
    table.give(leader, ProposeRewind(before, (other,), table.at + DAY))
    table.at += HOUR
    ply = table.give(other, AgreeToRewind(before))
    assert ply.events[-1] == ClockStarted(leader, table.at + left, bank)
    assert time(table).running[leader].bank == bank
    assert time(table).bank(other) == BANKED.bank + BANKED.gain
    assert set(table.game.table.clocks) == {leader}
    proved(table)


def test_a_rewind_leaves_every_clock_a_quarter_of_a_turn():
    table = at_table()
    table.at = table.game.table.clocks[ANN] - MINUTE
    table.give(ANN, Choose(table.hand(ANN)[0]))
    to = table.game.version
    table.give(BOB, Choose(table.hand(BOB)[0]))
    table.give(ANN, ProposeRewind(to, (BOB,), table.at))
    table.give(BOB, AgreeToRewind(to))
    assert table.game.table.clocks == {BOB: table.at + DAY // 4}
    proved(table)


# ==== ST 13 =======================================================================================
def test_absence_and_outages_move_clocks():
    table = at_table()
    due = table.game.table.clocks[ANN]
    table.give(None, MoveClocks(((ANN, due + 3 * DAY),), "away"), "service")
    assert table.game.table.clocks == {ANN: due + 3 * DAY, BOB: due}
    moved = ((ANN, due + 3 * DAY + HOUR), (BOB, due + HOUR))
    table.give(None, MoveClocks(moved, "outage", HOUR), "service")
    assert table.game.table.clocks == dict(moved)
    for wrong in (
        MoveClocks((), "away"),
        MoveClocks(((3, due),), "away"),
        MoveClocks(((ANN, table.at),), "away"),
        MoveClocks(((BOB, due), (ANN, due)), "away"),
        MoveClocks(((BOB, due),), "outage", HOUR),
        MoveClocks(((BOB, due + DAY),), "outage", 0),
    ):
        refused("ST 13", table, None, wrong, "service")
    proved(table)


def jumped(pace: Pace = PLAIN, jump: int = 9 * DAY) -> tuple[TableForTwo, int, int]:
    """Return a table whose clocks were given back a jump of the service's clock; the deadline before,
    and the present.
    """
    table = at_table(pace)
    due, present = table.game.table.clocks[ANN], table.at
    table.at += jump
    table.give(None, MoveClocks(((ANN, due + jump), (BOB, due + jump)), "outage", jump), "service")
    return table, due, present


def test_clocks_lengthened_by_a_jump_come_back():
    table, due, _present = jumped()
    table.give(None, MoveClocks(((ANN, due), (BOB, due + HOUR)), "set_right", 9 * DAY), "service")
    assert table.game.table.clocks == {ANN: due, BOB: due + HOUR}
    refused("ST 13", table, None, MoveClocks(((ANN, due - 1),), "set_right", 9 * DAY), "service")
    table.give(None, MoveClocks(((BOB, due),), "set_right", 9 * DAY), "service")
    proved(table)


def test_clocks_come_back_by_the_time_given_at_most_and_keep_a_quarter_of_a_turn():
    table, due, present = jumped()
    lead, given = 9 * DAY, due + 9 * DAY
    later = present + 20 * HOUR  # there are four hours left of the turn, but none by the times of the log
    for wrong in (
        MoveClocks((), "set_right", lead),
        MoveClocks(((3, due),), "set_right", lead),
        MoveClocks(((BOB, due), (ANN, due)), "set_right", lead),
        MoveClocks(((ANN, due - 1),), "set_right", lead),
        MoveClocks(((ANN, given),), "set_right", lead),
        MoveClocks(((ANN, given + 1),), "set_right", lead),
        MoveClocks(((ANN, due),), "set_right", -1),
        MoveClocks(((ANN, due),), "set_right", table.at - later),
        MoveClocks(((ANN, later + DAY // 4 - 1),), "set_right", table.at - later),
    ):
        refused("ST 13", table, None, wrong, "service")
    table.give(None, MoveClocks(((ANN, later + DAY // 4),), "set_right", table.at - later), "service")
    table.at += 1
    refused("ST 13", table, None, MoveClocks(((BOB, due),), "set_right", lead), "service")  # the log is not ahead
    proved(table)


def test_a_clock_that_was_given_nothing_does_not_come_back():
    table = at_table()
    due = table.game.table.clocks[ANN]
    refused("ST 13", table, None, MoveClocks(((ANN, due - HOUR),), "set_right", 0), "service")
    table.give(None, MoveClocks(((ANN, due + 3 * DAY),), "away"), "service")
    refused("ST 13", table, None, MoveClocks(((ANN, due),), "set_right", 0), "service")


def test_by_older_rules_no_clock_comes_back():
    table, due, _present = jumped()
    back = MoveClocks(((ANN, due),), "set_right", 9 * DAY)
    for rules in (1, 2):
        with pytest.raises(Refused) as refusal:
            decide(table.game, None, back, table.at, "service", SECRET, table.past, table.timekeeper, rules)
        assert refusal.value.rule == "ST 13"


def test_time_in_hand_is_kept_while_the_log_is_ahead():
    table, due, present = jumped(BANKED)
    table.give(None, MoveClocks(((ANN, due), (BOB, due)), "set_right", table.at - present), "service")
    assert due < table.at
    table.give(ANN, Choose(table.hand(ANN)[0]))
    assert time(table).bank(ANN) == BANKED.bank + BANKED.gain, "no time has passed since"
    proved(table)


# ==== ST 14 to ST 16 ==============================================================================
def late(pace: Pace, people: dict[int, Calendar] | None = None) -> tuple[TableForTwo, int, int]:
    table, leader, other = led(pace)
    table.at = table.game.table.clocks[leader]
    return table, leader, other


def call(table: TableForTwo, seat: int) -> Any:
    return table.give(None, CallTime(seat), "clock")


def test_no_clock_is_called_early_or_twice():
    table, leader, other = led(PLAIN)
    refused("ST 14", table, None, CallTime(leader), "clock")
    refused("ST 14", table, None, CallTime(other), "clock")
    table.at = table.game.table.clocks[leader]
    call(table, leader)
    assert table.game.table.clocks == {}
    assert table.game.asked == (leader,), "it may still think"
    refused("ST 14", table, None, CallTime(leader), "clock")
    table.give(leader, Stop())
    assert set(table.game.table.clocks) == {1, 2}
    proved(table)


def test_a_first_miss_is_excused_once():
    table, leader, _ = late(replace(PLAIN, excuse=True, then="resign"))
    assert clock.MissExcused(leader) in call(table, leader).events
    assert table.game.table.clocks == {leader: table.at + DAY}
    table.at += DAY
    assert lifecycle.SeatRetired(leader, "timed_out") in call(table, leader).events
    assert table.game.status == "over"
    proved(table)


def test_an_excuse_uses_up_the_bank():
    table, leader, _ = late(replace(BANKED, excuse=True))
    call(table, leader)
    running = time(table).running[leader]
    assert (running.due, running.bank) == (table.at + HOUR, 0)
    proved(table)


def test_nobody_takes_back_the_clocks_safe_answer():
    table, leader, other = late(replace(PLAIN, then="safe"))
    ply = call(table, leader)
    assert ply.cause == "clock"
    assert ply.seat is None
    assert table.game.state.left == 3
    assert table.game.table.clocks == {leader: table.at + DAY, other: table.at + DAY}
    refused("ST 7", table, leader, TakeBack(ply.number))
    proved(table)


def test_a_bot_plays_on_until_the_player_returns():
    table, leader, _ = late(replace(PLAIN, then="bot"))
    call(table, leader)
    assert table.game.table.clocks == {}
    refused("ST 15", table, leader, Walk(1))
    table.give(leader, Walk(1), "bot")
    table.at += HOUR
    table.give(leader, ReturnToSeat())
    assert table.game.table.clocks == {leader: table.at + DAY}
    table.give(leader, Pick())
    refused("ST 16", table, leader, ReturnToSeat())
    proved(table)


def test_a_substitute_takes_a_vacant_seat_with_a_fresh_clock():
    table, leader, other = late(replace(BANKED, then="substitute"))
    call(table, leader)
    assert time(table).vacant == (leader,)
    refused("ST 15", table, leader, Stop())
    refused("ST 16", table, None, TakeOver(other))
    table.at += DAY
    table.give(None, TakeOver(leader))
    running = time(table).running[leader]
    assert (running.due, running.bank) == (table.at + 3 * HOUR, BANKED.bank)
    table.give(leader, Stop())
    proved(table)


def test_a_bot_may_take_a_vacant_seat_and_its_player_may_resign():
    table, leader, _ = late(replace(PLAIN, then="substitute"))
    call(table, leader)
    table.give(None, StandIn(leader))
    assert (time(table).bots, time(table).vacant) == ((leader,), ())
    table.give(leader, Resign())
    assert table.game.status == "over"
    proved(table)


def test_clock_plies_between_moves_prevent_no_take_back():
    table, leader, _ = led()
    table.give(leader, Walk(2))
    walked = table.game.version
    table.give(None, MoveClocks(((leader, table.at + 9 * DAY),), "away"), "service")
    table.give(leader, TakeBack(walked))
    assert table.game.state.steps == 3
    proved(table)


# ==== the auditor =================================================================================
@pytest.mark.parametrize("wrong", ["missing", "another", "past", "bank"])
def test_the_proof_finds_impossible_clocks(wrong: str):
    table, leader, _other = led(BANKED)
    ply = table.give(leader, Stop())
    *events, last = ply.events
    assert isinstance(last, ClockStarted)
    changed = {
        "missing": [event for event in ply.events if not isinstance(event, ClockStopped | ClockStarted)],
        "another": [*ply.events, ClockStarted(3, last.due, 0)],
        "past": [*events, replace(last, due=ply.at)],
        "bank": [*events, replace(last, bank=4 * HOUR)],
    }[wrong]
    table.plies[-1] = replace(ply, events=tuple(changed))
    table.game = fold("a-game", TITLE, table.plies)
    with pytest.raises(AssertionError, match="clocks in this command"):
        proved(table)


@pytest.mark.parametrize("seed", range(6))
def test_random_games_with_a_clock_prove_themselves(seed: int):
    """Moves, take-backs, rewinds, absences, calls: in every case, exactly the asked seats have clocks."""
    dice = random.Random(seed)
    pace = Pace(
        HOUR,
        bank=HOUR,
        gain=dice.choice([0, MINUTE]),
        cap=2 * HOUR,
        waking=seed % 2 == 0,
        excuse=seed % 3 == 0,
        renew=seed % 2 == 1,
        then=["safe", "bot", "substitute", "remind", "safe", "bot"][seed],  # type: ignore[arg-type]
    )
    table = TableForTwo(3, pace=pace, calendars={1: Calendar(), 2: Calendar("Asia/Kolkata")})
    start = table.game.table.floor
    while table.game.status == "running" and table.game.version < 120:
        table.at += dice.choice([MINUTE // 10, MINUTE, HOUR, 3 * HOUR])
        try:
            something(table, dice, start)
        except Refused:
            continue
        check_clocks(table.game)
    proved(table)


def something(table: TableForTwo, dice: random.Random, start: int) -> None:
    game, seat = table.game, dice.choice(table.game.asked)
    now = time(table)
    for late_one, due in now.clocks.items():
        if due <= table.at:
            call(table, late_one)
            return
    match dice.randrange(8):
        case 0:
            table.give(seat, TakeBack(game.last_of.get(seat, 1)))
        case 1 if start < game.version:
            people = tuple({1, 2} & {*game.table.playing} - {seat, *now.absent})
            table.give(seat, ProposeRewind(to := dice.randrange(start, game.version), people, table.at))
            for each in people:
                table.give(each, AgreeToRewind(to))
        case 2 if now.running:
            moved = tuple((each, it.due + HOUR) for each, it in sorted(now.running.items()))
            table.give(None, MoveClocks(moved, "outage", HOUR), "service")
        case 3 if now.bots or now.vacant:
            table.give(dice.choice(now.bots or now.vacant), ReturnToSeat())
        case 4 if now.vacant:
            table.give(None, TakeOver(now.vacant[0]))
        case _:
            view = game.title.rules.view(game.state, seat)
            cause = "bot" if seat == 3 or seat in now.bots else "player"
            table.give(seat, game.title.bots["random"](view, dice)[0], cause)


def check_clocks(game: Game) -> None:
    assert game.table is not None
    assert game.table.time is not None
    now = game.table.time
    assert set(now.running) == (set() if now.paused else set(game.asked) - {3} - {*now.bots} - {*now.vacant})
    assert bool(now.paused) == ({1, 2} & set(game.table.playing) <= now.away), "it pauses when nobody is there"
    assert all(0 <= it.bank <= now.pace.cap for it in now.running.values())
