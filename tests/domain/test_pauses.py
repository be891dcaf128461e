"""ST 14 to ST 16: a stand-in lets its player come back, and a game without people present waits for them."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain import TITLES, lifecycle
from domain.clock import (
    BotPlaysOn,
    CallTime,
    ClockPlaysOn,
    ClockStarted,
    ClockStopped,
    GamePaused,
    GameResumed,
    MissExcused,
    ReturnToSeat,
    SeatOpened,
    SeatReturned,
    SeatTakenOver,
    SetPace,
    StandIn,
    StandInWaits,
    TakeOver,
    TimeRanOut,
)
from domain.game import advance, fold
from domain.lifecycle import ProposeRewind, Resign, SeatRetired, TakeBack
from domain.pace import DAY, HOUR, MINUTE, Calendar, Pace
from domain.play import decide
from domain.ticket_to_ride.commands import ClaimRoute
from domain.timekeeping import by_calendars
from tests.contract.games import RandomGame, Step
from tests.domain.table import ANN, BOB, TableForTwo
from tests.domain.test_timekeeping import call, proved, refused, time
from tests.toy import TITLE, Choose, Stop, Walk, Whisper

CLEO = 3
BOT = Pace(DAY, excuse=False, then="bot")
LOW, HIGH = 7, 9
"""The cards that Ann and Bob both hold at the table for two: the higher card leads."""


def table_of(*people: int, pace: Pace = BOT, seats: int = 2) -> TableForTwo:
    """Return a table where everybody must choose a card; all seats but those of people are bots'."""
    return TableForTwo(seats, pace=pace, calendars=dict.fromkeys(people, Calendar()))


def miss(table: TableForTwo, *seats: int) -> Any:
    """Let the time of some seats run out, and call the first. Return its ply."""
    table.at = max(time(table).clocks[seat] for seat in seats)
    return call(table, seats[0])


def kinds(ply: Any) -> list[type]:
    return [type(event) for event in ply.events]


def paused(table: TableForTwo) -> tuple[int, ...]:
    return time(table).paused


def ann_misses(pace: Pace = BOT, *, leads: int = BOB) -> TableForTwo:
    """Return a table for two: Ann's time has run out, the bot (or the clock) has played for her, and somebody leads."""
    table = table_of(ANN, BOB, pace=pace)
    table.give(BOB, Choose(HIGH if leads == BOB else LOW))
    miss(table, ANN)
    if pace.then == "bot":
        table.give(ANN, Choose(LOW if leads == BOB else HIGH), "bot")
    return table


# ==== a stand-in waits ============================================================================
@pytest.mark.parametrize(
    ("turn", "wait"),
    [(MINUTE, MINUTE), (15 * MINUTE, 90_000), (HOUR, 6 * MINUTE), (DAY, 144 * MINUTE), (3 * DAY, 4 * HOUR)],
)
def test_a_stand_in_answers_the_missed_turn_at_once_and_waits_before_each_later_one(turn: int, wait: int):
    table = ann_misses(replace(BOT, turn=turn))
    assert not any(isinstance(event, StandInWaits) for ply in table.plies for event in ply.events)
    ply = table.give(BOB, Stop())
    assert ply.events[-1] == StandInWaits(ANN, table.at + wait)
    card = Choose(table.hand(ANN)[0])
    table.at += wait - 1
    refused("ST 15", table, ANN, card, "bot")
    table.at += 1
    table.give(ANN, card, "bot")
    proved(table)


def test_a_seat_that_is_asked_again_after_its_own_turn_waits_too():
    table = ann_misses(leads=ANN)
    ply = table.give(ANN, Walk(1), "bot")
    assert not isinstance(ply.events[-1], StandInWaits), "it goes on with the turn that was missed"
    ply = table.give(ANN, Stop(), "bot")
    assert ply.events[-1] == StandInWaits(ANN, table.at + DAY // 10)
    ply = table.give(BOB, Choose(table.hand(BOB)[0]))
    assert time(table).waits[ANN] == table.at + DAY // 10, "another's move does not make it wait longer"
    proved(table)


def test_a_bot_of_its_own_waits_for_nobody():
    table = table_of(ANN)
    table.give(ANN, Choose(LOW))
    table.give(BOB, Choose(HIGH), "bot")
    table.give(BOB, Stop(), "bot")
    assert not any(isinstance(event, StandInWaits) for ply in table.plies for event in ply.events)


def test_a_player_who_comes_back_while_the_stand_in_waits_plays_on():
    table = ann_misses()
    table.give(BOB, Stop())
    table.at += MINUTE
    ply = table.give(ANN, ReturnToSeat())
    assert ply.events == (SeatReturned(ANN), ClockStarted(ANN, table.at + DAY, 0))
    assert time(table).waits == {}
    proved(table)


def test_the_wait_begins_anew_when_the_turn_is_taken_back_and_handed_on_again():
    table = ann_misses()
    table.give(BOB, Stop())
    table.at += MINUTE // 2
    table.give(BOB, TakeBack(table.game.version))
    table.at += MINUTE // 2
    assert table.give(BOB, Stop()).events[-1] == StandInWaits(ANN, table.at + DAY // 10)
    proved(table)


def test_the_wait_begins_anew_when_the_game_goes_back():
    table = ann_misses()
    table.give(BOB, Stop())
    there = table.game.version
    table.give(BOB, Choose(table.hand(BOB)[0]))
    table.at += HOUR
    ply = table.give(BOB, ProposeRewind(there, (), table.at))
    assert StandInWaits(ANN, table.at + DAY // 10) in ply.events
    proved(table)


# ==== nobody is there =============================================================================
def test_a_game_without_people_pauses_until_the_first_one_is_back():
    table = ann_misses()
    ply = miss(table, BOB)
    assert ply.events == (
        TimeRanOut(BOB, table.at),
        BotPlaysOn(BOB),
        GamePaused((ANN, BOB)),
        ClockStopped(BOB, 0),
    )
    assert ply.quiet
    assert table.game.table.clocks == {}
    table.at += 30 * DAY
    refused("ST 15", table, BOB, Stop(), "bot")
    refused("ST 15", table, BOB, Stop())
    before = table.game
    ply = table.give(BOB, ReturnToSeat())
    assert ply.events == (SeatReturned(BOB), GameResumed(), ClockStarted(BOB, table.at + DAY, 0))
    table.game, _ = before, table.plies.pop()
    ply = table.give(ANN, ReturnToSeat())
    assert ply.events == (SeatReturned(ANN), GameResumed(), StandInWaits(BOB, table.at + DAY // 10))
    assert paused(table) == ()
    table.at += DAY // 10
    table.give(BOB, Stop(), "bot")
    proved(table)


def test_a_player_late_at_the_same_moment_is_absent_but_may_move():
    table = table_of(ANN, BOB)
    ply = miss(table, ANN, BOB)
    assert ply.events == (
        TimeRanOut(ANN, table.at),
        BotPlaysOn(ANN),
        GamePaused((ANN, BOB)),
        ClockStopped(ANN, 0),
        ClockStopped(BOB, 0),
    )
    refused("ST 14", table, None, CallTime(BOB), "clock")
    refused("ST 15", table, ANN, Choose(LOW), "bot")
    table.at += DAY
    ply = table.give(BOB, Choose(HIGH))
    assert ply.events[1:] == (SeatReturned(BOB), GameResumed(), StandInWaits(ANN, table.at + DAY // 10))
    proved(table)


class Railway(RandomGame):
    """Random plies of a real title at a table where only seat 1 is a person's."""

    def give(self, seat: int | None, command: Any, cause: str | None = None) -> Step:
        keeper = by_calendars({1: Calendar()})
        past = lambda version: fold(self.game.id, self.title, self.plies[:version])  # noqa: E731
        return self._took(decide(self.game, seat, command, self._now(), cause or "player", self.secret, past, keeper))


def test_a_player_who_takes_a_move_in_a_paused_game_back_has_a_whole_turn():
    game = Railway(TITLES["ticket_to_ride"], 1, mischief=False)
    steps = game.steps()
    next(steps)
    game.give(None, SetPace(replace(BOT, then="resign")))
    while game.game.status != "running" or game.game.asked != (1,) or len(game.plies) < 60:
        next(steps)
    game.at = game.game.table.clocks[1]
    assert GamePaused((1,)) in game.give(None, CallTime(1), "clock").ply.events
    (claim, *_) = (it for it in game.title.rules.actions(game.game.state, 1) if isinstance(it.command, ClaimRoute))
    moved = game.give(1, claim.command).ply
    assert GameResumed() in moved.events
    assert 1 not in game.game.asked
    ply = game.give(1, TakeBack(moved.number)).ply
    assert ClockStarted(1, ply.at + DAY, 0) in ply.events


def test_a_player_with_an_unused_excuse_is_present():
    table = table_of(ANN, BOB, pace=replace(BOT, excuse=True))
    assert MissExcused(ANN) in miss(table, ANN, BOB).events
    assert MissExcused(BOB) in call(table, BOB).events
    assert GamePaused((ANN, BOB)) in miss(table, ANN, BOB).events
    proved(table)


def test_one_person_present_keeps_the_game_going():
    table = table_of(ANN, BOB, CLEO, seats=3)
    table.give(CLEO, Choose(table.hand(CLEO)[0]))
    miss(table, ANN, BOB)
    call(table, BOB)
    assert time(table).bots == (ANN, BOB)
    assert paused(table) == ()
    for seat in (ANN, BOB):
        table.give(seat, Choose(table.hand(seat)[0]), "bot")
    proved(table)


def test_a_table_of_bots_alone_goes_on():
    table = table_of()
    table.give(ANN, Choose(LOW), "bot")
    table.give(BOB, Choose(HIGH), "bot")
    assert not any(isinstance(event, GamePaused) for ply in table.plies for event in ply.events)


def test_bots_at_their_own_seats_wait_while_the_game_is_paused():
    table = table_of(ANN, BOB, seats=3)
    miss(table, ANN, BOB)
    refused("ST 15", table, CLEO, Choose(table.hand(CLEO)[0]), "bot")
    proved(table)


def test_a_paused_game_goes_on_between_bots_when_all_its_people_have_resigned():
    table = table_of(ANN, BOB, seats=3)
    miss(table, ANN, BOB)
    ply = table.give(ANN, Resign())
    assert not any(isinstance(event, GameResumed) for event in ply.events), "Bob may still come back"
    refused("ST 16", table, ANN, ReturnToSeat())
    over = fold("a-game", TITLE, table.plies)
    assert over.status == "running"
    table.give(BOB, Resign())
    assert table.game.status == "over", "in this title one alone plays no more"
    proved(table)


def test_a_game_pauses_when_its_last_present_person_resigns():
    table = table_of(ANN, BOB, seats=3)
    table.give(BOB, Choose(table.hand(BOB)[0]))
    miss(table, ANN)
    ply = table.give(BOB, Resign())
    assert GamePaused((ANN,)) in ply.events
    refused("ST 15", table, CLEO, Choose(table.hand(CLEO)[0]), "bot")
    ply = table.give(ANN, ReturnToSeat())
    assert GameResumed() in ply.events
    proved(table)


def test_a_hidden_entry_does_not_bring_a_player_back():
    table = table_of(ANN, BOB)
    miss(table, ANN, BOB)
    assert table.give(BOB, Whisper(7)).hidden
    assert paused(table) == (ANN, BOB)
    table.give(BOB, ReturnToSeat())
    assert paused(table) == ()
    proved(table)


# ==== by what the pace says =======================================================================
SAFE = replace(BOT, then="safe")


def test_the_clock_answers_for_one_absent_player_but_not_for_all():
    table = ann_misses(SAFE)
    assert ClockPlaysOn(ANN) in table.plies[-1].events
    table.give(BOB, Stop())
    table.give(BOB, Choose(table.hand(BOB)[0]))
    ply = miss(table, ANN)
    assert ClockPlaysOn not in kinds(ply), "that is known already"
    rounds = table.game.state.left
    ply = miss(table, BOB)
    assert ply.events == (
        TimeRanOut(BOB, table.at),
        ClockPlaysOn(BOB),
        GamePaused((ANN, BOB)),
        ClockStopped(ANN, 0),
        ClockStopped(BOB, 0),
    )
    assert (table.game.asked, table.game.state.left) == ((ANN, BOB), rounds), "no answer is given for Bob"
    table.at += DAY
    ply = table.give(ANN, ReturnToSeat())
    assert ply.events[:2] == (SeatReturned(ANN), GameResumed())
    assert time(table).answered == (BOB,)
    assert set(table.game.table.clocks) == {ANN, BOB}
    proved(table)


def test_the_clock_stops_answering_for_a_player_who_moves_again():
    table = ann_misses(SAFE)
    table.give(BOB, Stop())
    assert SeatReturned(ANN) in table.give(ANN, Choose(table.hand(ANN)[0])).events
    assert time(table).answered == ()
    table.give(BOB, Choose(table.hand(BOB)[0]))
    assert table.game.state.leader == ANN
    assert SeatReturned not in kinds(table.give(ANN, Stop()))
    proved(table)


def test_nobody_is_put_out_of_a_game_without_people():
    table = table_of(ANN, BOB, pace=replace(BOT, then="resign"))
    ply = miss(table, ANN, BOB)
    assert ply.events[:2] == (TimeRanOut(ANN, table.at), GamePaused((ANN, BOB)))
    assert table.game.table.playing == (ANN, BOB)
    table.at += DAY
    ply = table.give(ANN, Choose(LOW))
    assert ply.events[1:] == (SeatReturned(ANN), GameResumed(), ClockStarted(BOB, table.at + DAY, 0))
    assert SeatRetired(BOB, "timed_out") in miss(table, BOB).events, "Ann is there"
    proved(table)


def test_the_game_waits_for_the_last_person_among_bots():
    table = table_of(ANN, BOB, pace=replace(BOT, then="resign"), seats=3)
    table.give(BOB, Choose(table.hand(BOB)[0]))
    assert SeatRetired(ANN, "timed_out") in miss(table, ANN).events
    table.give(CLEO, Choose(table.hand(CLEO)[0]), "bot")
    table.give(CLEO, Stop(), "bot") if table.game.state.leader == CLEO else None
    ply = miss(table, BOB)
    assert ply.events[1] == GamePaused((BOB,))
    assert table.game.status == "running"
    proved(table)


def test_a_substitute_lets_a_paused_game_go_on_and_a_bot_does_not():
    table = table_of(ANN, BOB, pace=replace(BOT, then="substitute"))
    ply = miss(table, ANN, BOB)
    assert ply.events[1:3] == (SeatOpened(ANN), GamePaused((ANN, BOB)))
    refused("ST 16", table, None, StandIn(ANN))
    table.at += DAY
    ply = table.give(None, TakeOver(ANN))
    assert ply.events[:2] == (SeatTakenOver(ANN), GameResumed())
    assert set(table.game.table.clocks) == {ANN, BOB}
    proved(table)


def test_a_vacant_seat_of_an_erased_player_still_waits_for_a_substitute():
    table = table_of(ANN, BOB, pace=replace(BOT, then="substitute"), seats=3)
    table.give(BOB, Choose(table.hand(BOB)[0]))
    miss(table, ANN)
    table.timekeeper = table_of(BOB).timekeeper  # Ann's account is erased
    assert GamePaused((ANN,)) in table.give(BOB, Resign()).events
    table.timekeeper = table_of(ANN).timekeeper
    assert GameResumed() in table.give(None, TakeOver(ANN)).events
    proved(table)


def test_a_pace_without_consequences_pauses_nothing():
    table = table_of(ANN, BOB, pace=replace(BOT, then="remind"))
    assert miss(table, ANN, BOB).events == (TimeRanOut(ANN, table.at),)
    assert call(table, BOB).events == (TimeRanOut(BOB, table.at),)
    table.give(ANN, Choose(LOW))
    proved(table)


# ==== the auditor, and older rules ================================================================
def test_the_proof_finds_a_pause_while_somebody_was_present():
    table = ann_misses()
    bob_is_asked = table.plies[-1]
    table.plies[-1] = replace(bob_is_asked, events=(*bob_is_asked.events[:-1], GamePaused((ANN, BOB))))
    table.game = fold("a-game", TITLE, table.plies)
    with pytest.raises(AssertionError, match="A player is there"):
        proved(table)


def test_the_proof_finds_a_missing_pause():
    table = ann_misses()
    ply = miss(table, BOB)
    kept = tuple(event for event in ply.events if not isinstance(event, GamePaused))
    table.plies[-1] = replace(ply, events=kept)
    table.game = fold("a-game", TITLE, table.plies)
    with pytest.raises(AssertionError, match="No player is there"):
        proved(table)


def of_todays_shape(*people: int) -> TableForTwo:
    """Return a table for three whose log says where bots sit."""
    table = TableForTwo(3, False, pace=BOT, calendars=dict.fromkeys(people, Calendar()), older=False)
    for seat in (ANN, BOB, CLEO):
        table.bring(seat, "words" if seat in people else None, bot=seat not in people)
    table.give(None, lifecycle.StartGame())
    return table


def test_the_proof_finds_a_missing_pause_at_a_table_with_bots():
    table = of_todays_shape(ANN, BOB)
    ply = miss(table, ANN, BOB)
    assert GamePaused((ANN, BOB)) in ply.events
    proved(table)
    kept = tuple(event for event in ply.events if not isinstance(event, GamePaused))
    table.plies[-1] = replace(ply, events=kept)
    table.game = fold("a-game", TITLE, table.plies)
    with pytest.raises(AssertionError, match="No player is there"):
        proved(table)


def test_a_game_of_bots_alone_proves_itself():
    table = of_todays_shape()
    for seat in (ANN, BOB, CLEO):
        table.give(seat, Choose(table.hand(seat)[0]), "bot")
    proved(table)


def test_the_proof_finds_a_wrong_or_missing_wait():
    table = ann_misses()
    ply = table.give(BOB, Stop())
    *events, waits = ply.events
    for more in ((), (replace(waits, until=waits.until + 1),)):
        table.plies[-1] = replace(ply, events=(*events, *more))
        table.game = fold("a-game", TITLE, table.plies)
        with pytest.raises(AssertionError, match="by the rules"):
            proved(table)


def by_version_1(table: TableForTwo, seat: int | None, command: Any, cause: str = "player") -> Any:
    ply = decide(table.game, seat, command, table.at, cause, table.secret, table.past, table.timekeeper, rules=1)
    table.plies.append(ply)
    table.game = advance(table.game, ply, table.past)
    return ply


def test_a_log_of_older_rules_stays_as_decided_and_the_game_waits_from_its_next_ply():
    table = TableForTwo(started=False, pace=BOT, calendars=dict.fromkeys((ANN, BOB), Calendar()))
    table.plies = [replace(ply, rules=1) for ply in table.plies]
    for seat in (ANN, BOB):
        by_version_1(table, seat, lifecycle.TakeSeat1(seat, table.plies[0].command.options, f"{seat:02}" * 32))
    by_version_1(table, None, lifecycle.StartGame())
    table.at += DAY
    for seat in (ANN, BOB):
        ply = by_version_1(table, None, CallTime(seat), "clock")
        assert ply.events == (TimeRanOut(seat, table.at), BotPlaysOn(seat), ClockStopped(seat, 0))
    by_version_1(table, ANN, Choose(LOW), "bot")
    by_version_1(table, BOB, Choose(HIGH), "bot")
    assert not any(isinstance(event, StandInWaits | GamePaused) for ply in table.plies for event in ply.events)
    ply = table.give(BOB, Stop(), "bot")
    assert ply.rules == TITLE.rules.version
    assert ply.events[-1] == GamePaused((ANN, BOB))
    proved(table)
