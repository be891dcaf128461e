"""The house rules about time: the clocks that a ply starts and stops, missed deadlines, and absent players' seats.

Callers pass in the people's seats and calendars at the moment of the ply. `by_calendars` computes with them. `as_told`
takes the deadlines that stand in a ply already, and checks everything that does not need calendars.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from domain import clock, lifecycle
from domain.at_table import AtTable, Nobody, keeps_to_the_least
from domain.chain import Ply
from domain.clock import Clock, ClockStarted, ClockStopped, Time
from domain.game import Game
from domain.leaving import leave, must_be_able_to_leave
from domain.lifecycle import Table
from domain.messages import Command, Event
from domain.pace import MINUTE, Calendar, after, counted, deadline, must_be_a_pace, wait
from domain.refusal import Refused

LEAST = 5 * MINUTE
"""The minimum time of a clock that is set again."""
LONGEST_ANSWER = 50
"""The most safe answers the clock gives for a seat in one go: a turn may have several steps."""
WAITS_FOR_PEOPLE = 2
"""The version of the rules since which stand-ins wait, and games without any person present are paused."""
SETS_RIGHT = 3
"""The version of the rules since which deadlines come back that a fast clock of the service had put off."""


# ==== the clocks of a ply =========================================================================
class Turn(NamedTuple):
    """The meaning of a ply for the clocks. ``after``: the game with the ply, but without its clocks.

    ``stop``: seats whose clock stops. ``start``: seats that the game newly waits for. ``again``: seats that go on and
    whose clock begins anew. ``then``: after a rewind, the game as it was at its target.
    """

    ply: Ply
    after: Game
    stop: tuple[int, ...]
    start: tuple[int, ...]
    again: tuple[int, ...]
    then: Game | None

    @property
    def time(self) -> Time:
        table = self.after.table
        assert table is not None
        assert table.time is not None
        return table.time

    def has(self, kind: type[Event], seat: int | None = None) -> bool:
        return any(isinstance(it, kind) and (seat is None or it.seat == seat) for it in self.ply.events)  # type: ignore[attr-defined]


class Timekeeper(NamedTuple):
    """The facts about the people at a table.

    ``clocks``: decides which clocks start and stop with a ply, and their deadlines. ``nobody``: takes the table and the
    seats whose players are absent; returns the seats of all people who still play, if every one of them is absent.
    """

    clocks: Callable[[Turn], Sequence[Event]]
    nobody: Nobody


def turn(ply: Ply, after: Game, past: Callable[[int], Game]) -> Turn:
    """ST 12 The clock of a seat runs while the game waits for it, unless a bot plays it, it is vacant, or the game is
    paused.

    Sealed words that a seat owes before the start have a deadline, and no clock (ST 20).
    """
    time = after.table.time if after.table else None
    assert time is not None
    stands = time.paused or after.status != "running"
    wanted = set() if stands else {seat for seat in after.asked if seat not in time.absent}
    running = set(time.running)
    back = next((it.to for it in ply.events if isinstance(it, lifecycle.Rewound)), None)
    stop, again = running - wanted, {seat for seat in wanted & running if _begins_again(time, ply, seat)}
    if back is not None:
        again = wanted & running
        if time.pace.cap and after.table:
            stop |= set(after.table.playing) - wanted  # the time in hand goes back, too
    then = past(back) if back is not None else None
    return Turn(ply, after, tuple(sorted(stop)), tuple(sorted(wanted - running)), tuple(sorted(again)), then)


def _begins_again(time: Time, ply: Ply, seat: int) -> bool:
    """Does the clock of a seat that goes on begin anew? It does with each of its own moves, or after it ran out of
    time.
    """
    if any(isinstance(it, clock.TimeRanOut) and it.seat == seat for it in ply.events):
        return time.pace.then == "safe" or any(isinstance(it, clock.MissExcused) for it in ply.events)
    moved = ply.seat == seat and not ply.quiet and not isinstance(ply.command, lifecycle.COMMANDS)
    return moved and time.pace.renew


def by_calendars(calendars: Mapping[int, Calendar]) -> Timekeeper:
    """Return the timekeeper for the calendars of the people at the table. A seat without one is a bot's: it has no
    clock.
    """

    def keep(turn: Turn) -> Sequence[Event]:
        stopped: list[Event] = [ClockStopped(seat, _bank_after(turn, calendars, seat)) for seat in turn.stop]
        fresh = sorted(seat for seat in (*turn.start, *turn.again) if seat in calendars)
        return [*stopped, *(_started(turn, calendars[seat], seat) for seat in fresh)]

    def nobody(table: Table, gone: Collection[int]) -> tuple[int, ...]:
        held = {*calendars, *must_have_a_clock(table, "ST 15").absent}  # their players may never come back
        people = tuple(seat for seat in table.playing if seat in held)
        return people if set(people) <= set(gone) else ()

    return Timekeeper(keep, nobody)


def _bank_after(turn: Turn, calendars: Mapping[int, Calendar], seat: int) -> int:
    """ST 12 Return the time in hand when a clock stops: the unused time and, after a move, the gain of a move."""
    time, running = turn.time, turn.time.running.get(seat)
    if turn.then is not None:
        return _bank_then(turn.then, seat)
    if running is None or not time.pace.cap:
        return time.bank(seat)
    if turn.has(lifecycle.TakenBack):
        return running.bank  # as if the clock had never run
    left = _left(turn, calendars.get(seat, Calendar()), running)
    moved = turn.ply.seat == seat and turn.ply.cause != "clock"
    return min(time.pace.cap, left + time.pace.gain) if moved else left


def _left(turn: Turn, calendar: Calendar, running: Clock) -> int:
    return min(running.bank, counted(turn.time.pace, calendar, turn.ply.at, running.due_in_log))


def _bank_then(then: Game, seat: int) -> int:
    time = then.table.time if then.table else None
    if time is None:
        return 0
    return time.running[seat].bank if seat in time.running else time.bank(seat)


def _started(turn: Turn, calendar: Calendar, seat: int) -> ClockStarted:
    """ST 12 Start a clock with the time of a turn and the time in hand; set one again with the time that it had."""
    time, pace, at = turn.time, turn.time.pace, turn.ply.at
    if turn.then is not None and turn.then.table is not None:
        had = turn.then.table.time and turn.then.table.time.running.get(seat)
        if had:
            left = max(counted(pace, calendar, turn.then.at, had.due_in_log), pace.turn // 4)
            return ClockStarted(seat, max(after(pace, calendar, at, left), at + LEAST), had.bank)
        bank = _bank_then(turn.then, seat)
        return ClockStarted(seat, deadline(pace, calendar, at, bank), bank)
    if turn.has(lifecycle.TakenBack) and turn.ply.seat == seat and seat in time.last and seat in turn.start:
        return ClockStarted(seat, max(time.last[seat].due, at + LEAST), time.last[seat].bank)
    if turn.has(clock.TimeRanOut, seat):
        bank = 0
    elif seat in turn.again:
        bank = _left(turn, calendar, time.running[seat])
    else:
        bank = time.bank(seat)
    return ClockStarted(seat, deadline(pace, calendar, at, bank), bank)


def as_told(events: Sequence[Event]) -> Timekeeper:
    """Return a timekeeper that takes the clocks from a ply, and checks that the right ones start and stop with possible
    times.

    It cannot know everybody's presence from the log, so it believes the ply within limits. If the game pauses, no
    player of a seat that had a clock may be present. If all but bots are absent, the game must pause.
    """

    def keep(turn: Turn) -> Sequence[Event]:
        told = [it for it in events if isinstance(it, ClockStarted | ClockStopped)]
        must_fit(turn, told)
        return told

    def nobody(table: Table, gone: Collection[int]) -> tuple[int, ...]:
        told = next((it.seats for it in events if isinstance(it, clock.GamePaused)), ())
        must_be_all_the_people(table, gone, told)
        return tuple(sorted(set(told)))

    return Timekeeper(keep, nobody)


def must_fit(turn: Turn, told: Sequence[ClockStarted | ClockStopped]) -> None:
    """ST 12 The right clocks must start and stop, with possible times."""
    stopped = [it for it in told if isinstance(it, ClockStopped)]
    started = [it for it in told if isinstance(it, ClockStarted)]
    seats, asked = [it.seat for it in started], {*turn.start, *turn.again}
    fits = (
        [*told] == [*stopped, *started]
        and tuple(it.seat for it in stopped) == turn.stop
        and {*turn.again, *(asked & people_of(turn.after.table))} <= set(seats) <= asked
        and seats == sorted(set(seats))
        and all(0 <= it.bank <= turn.time.pace.cap for it in told)
        and all(it.due > turn.ply.at for it in started)
    )
    if not fits:
        raise Refused("ST 12", "The clocks in this command do not belong to the seats that the command concerns.")


def people_of(table: Table | None) -> set[int]:
    """Return the seats of people: all but bots' seats. A table of the older shape does not name bots: there, all seats
    that had a clock.
    """
    if table is None:
        return set()
    if not table.older:
        return {seat for seat in table.playing if not table.chairs[seat].bot}
    return {*table.playing} & {*(table.time.last if table.time else ())}


def must_be_all_the_people(table: Table, gone: Collection[int], told: Collection[int]) -> None:
    """ST 15 The game must pause for the seats ``told`` if nobody is present, and for none if somebody is."""
    people = {seat for seat in table.playing if not table.chairs[seat].bot}
    there = people - set(gone)
    if told and not table.older and set(told) != people:
        raise Refused("ST 15", "The game is waiting for all human players at the table.")
    if told and (there & set(must_have_a_clock(table, "ST 15").last) or not set(told) <= people - there):
        raise Refused("ST 15", "A player is there, so the game does not pause.")
    if people and not (told or there):
        raise Refused("ST 15", "No player is there, so the game pauses.")


# ==== people present ==============================================================================
def who_is_there(ply: Ply, after: Game, timekeeper: Timekeeper) -> list[Event]:
    """ST 15, ST 16 Return the events of ``ply`` about presence: somebody is back, the game pauses, or it goes on.

    ``after``: the game with the ply as it was decided. Hidden events of a ply have no influence.
    """
    time = after.table.time if after.table else None
    if time is None or after.table is None or after.status != "running" or not waits_for_people(after):
        return []
    moved = ply.cause == "player" and not ply.hidden and not isinstance(ply.command, lifecycle.Resign)
    told = [it.seat for it in ply.events if isinstance(it, clock.SeatReturned | clock.SeatTakenOver)]
    back = [seat for seat in (*time.answered, *time.paused) if moved and seat == ply.seat and seat not in told][:1]
    events: list[Event] = [clock.SeatReturned(seat) for seat in back]
    if not time.paused:
        return events + pause(after.table, time.away - {*back}, timekeeper.nobody)
    left = set(time.paused).isdisjoint(after.table.playing)  # tables of bots alone go on
    return [*events, clock.GameResumed()] if told or back or left else []


def stand_ins(before: Game, ply: Ply, after: Game) -> list[Event]:
    """ST 15 Let a stand-in bot answer the missed turn at once; before each later one it waits."""
    time = after.table.time if after.table else None
    if time is None or time.paused or not time.bots or not waits_for_people(after):
        return []
    anew = {*after.asked} - {*before.asked}
    if any(isinstance(it, clock.GameResumed | lifecycle.Rewound) for it in ply.events):
        anew = {*after.asked}
    elif after.asked != before.asked and ply.seat in after.asked:
        anew.add(ply.seat)  # it has ended its turn, and must move again
    return [clock.StandInWaits(seat, ply.at + wait(time.pace)) for seat in sorted(anew & {*time.bots})]


# ==== rules =======================================================================================
def set_pace(now: AtTable, command: clock.SetPace) -> None:
    """ST 11 Set the pace of a table, or none, before the game starts."""
    must_be_agreed_before_the_start(now)
    if command.pace is not None:
        must_be_a_pace(command.pace)
    now.happens(clock.PaceSet(command.pace))


def must_be_agreed_before_the_start(now: AtTable) -> None:
    """ST 11 The game must not have started."""
    if now.table.status != "open":
        raise Refused("ST 11", "You can set the pace only before the game starts.")


def move_clocks(now: AtTable, command: clock.MoveClocks) -> None:
    """ST 13 Move running clocks for a player who is away, and for a service that stood still.

    Time that a fast clock of the service added is taken back when that clock is set right.
    """
    must_run(now, "ST 13")
    time = must_have_a_clock(now.table, "ST 13")
    must_be_clocks_that_run(time, command.clocks)
    if command.why == "set_right":
        made = clock.ClocksSetRight(command.lost, command.clocks)
        must_come_back_fairly(now, time, made)
        now.happens(made)
        return
    must_be_due_later(now, time, command.clocks)
    if keeps_to_the_least(now.game):
        must_keep_to_the_least(time, command)
    if command.why == "away":
        now.happens(*(clock.ClockMoved(seat, due) for seat, due in command.clocks))
    else:
        must_give_time(time, command)
        now.happens(clock.TimeGivenBack(command.lost, command.clocks))


def must_be_clocks_that_run(time: Time, clocks: Sequence[tuple[int, int]]) -> None:
    """ST 13 Each clock must run, and be named once."""
    seats = [seat for seat, _ in clocks]
    if not seats or seats != sorted(set(seats)) or not set(seats) <= set(time.running):
        raise Refused("ST 13", "Only a running clock can be moved.")


def must_be_due_later(now: AtTable, time: Time, clocks: Sequence[tuple[int, int]]) -> None:
    """ST 13 The deadlines must be in the future."""
    if not all(due + time.running[seat].ahead > now.at for seat, due in clocks):
        raise Refused("ST 13", "A deadline must lie in the future.")


def must_come_back_fairly(now: AtTable, time: Time, event: clock.ClocksSetRight) -> None:
    """ST 13 A deadline comes back by at most the time given, and a quarter of a turn stays; since version 3 of the
    rules.
    """
    if now.game.title.rules.version < SETS_RIGHT or not comes_back_fairly(time, event, now.at, now.game.at):
        raise Refused(
            "ST 13",
            "A deadline can be shortened by no more than it was extended, and a quarter of the time for a turn must "
            "remain.",
        )


def comes_back_fairly(time: Time, event: clock.ClocksSetRight, at: int, last: int) -> bool:
    """Does ST 13 let these clocks come back in a ply ``at``? ``last``: the time of the ply before it.

    A log can be ahead of the clock only where its times stand still.
    """
    if event.ahead < 0 or (event.ahead and at != last):
        return False
    least = at - event.ahead + time.pace.turn // 4
    running = ((time.running[seat], due) for seat, due in event.clocks)
    return all(max(it.due - it.given, least) <= due < it.due for it, due in running)


def must_give_time(time: Time, command: clock.MoveClocks) -> None:
    """ST 13 No deadline may become earlier."""
    if command.lost <= 0 or any(due < time.running[seat].due for seat, due in command.clocks):
        raise Refused("ST 13", "Lost time can be given back, but not taken away.")


def must_keep_to_the_least(time: Time, command: clock.MoveClocks) -> None:
    """ST 13 A player who is away must keep at least a turn's time; lost time must be given back, all of
    it and to all.
    """
    if not is_least_kept(time, command):
        raise Refused(
            "ST 13",
            "When a clock is moved, its player must have at least the time for a turn and get back all lost time.",
        )


def is_least_kept(time: Time, moved: clock.MoveClocks) -> bool:
    """ST 13 Is every clock due no earlier than its minimum and, after a standstill, given all the lost time?"""
    if moved.why == "away":
        return all(due >= time.running[seat].least for seat, due in moved.clocks)
    given = all(due >= time.running[seat].due + moved.lost for seat, due in moved.clocks)
    return given and {*time.clocks} <= {seat for seat, _ in moved.clocks}


def call_time(now: AtTable, command: clock.CallTime) -> None:
    """ST 14 A clock has run out: excuse the first miss if the table agreed so; otherwise follow the pace.

    If no person is present, the game pauses; then no answer is given, and no seat leaves.
    """
    must_run(now, "ST 14")
    seat, time = command.seat, must_have_a_clock(now.table, "ST 14")
    ran_out = clock.TimeRanOut(seat, must_be_late(now, time, seat))
    if time.pace.excuse and seat not in time.excused:
        now.happens(ran_out, clock.MissExcused(seat))
        return
    if time.pace.then == "remind":
        now.happens(ran_out)
        return
    waits = waits_for_people(now.game)
    paused = pause(now.table, _gone(time, seat, now.at), now.nobody) if waits else []
    match time.pace.then:
        case "safe":
            on = [clock.ClockPlaysOn(seat)] if waits and seat not in time.answered else []
            now.happens(ran_out, *on, *paused)
            if not paused:
                answer_safely(now, seat)
        case "bot":
            now.happens(ran_out, clock.BotPlaysOn(seat), *paused)
        case "substitute":
            now.happens(ran_out, clock.SeatOpened(seat), *paused)
        case _ if paused:
            now.happens(ran_out, *paused)
        case _:
            must_be_able_to_leave(now, seat)
            now.happens(ran_out)
            leave(now, seat, "timed_out")


def must_be_late(now: AtTable, time: Time, seat: int) -> int:
    """ST 14 The clock of ``seat`` must have run out."""
    if seat not in time.clocks:
        raise Refused("ST 14", "No clock runs for this seat.")
    due = time.clocks[seat]
    if now.at < due:
        raise Refused("ST 14", "This seat still has time left.")
    return due


def _gone(time: Time, seat: int, at: int) -> frozenset[int]:
    """Return the seats whose player is absent when ``seat`` is called: others may run out of time at
    the same moment.
    """
    late = (each for each in time.clocks if time.running[each].due_in_log <= at)
    return time.away | {seat, *(each for each in late if not time.pace.excuse or each in time.excused)}


def pause(table: Table, gone: Collection[int], nobody: Nobody) -> list[Event]:
    """ST 15 Pause the game if nobody is present any more."""
    seats = nobody(table, gone)
    return [clock.GamePaused(seats)] if seats else []


def waits_for_people(game: Game) -> bool:
    """Does the version of the rules that decides pause games without people?"""
    return game.title.rules.version >= WAITS_FOR_PEOPLE


def answer_safely(now: AtTable, seat: int) -> None:
    """ST 14 Give the title's safe answers until the game waits for other seats than before: for one turn, and not for
    the next.
    """
    title, state = now.game.title, now.game.state
    asked = title.rules.asked(state)
    for _ in range(LONGEST_ANSWER):
        made = title.rules.decide(state, seat, title.rules.safe(state, seat), now.chance)
        now.happens(*made.events)
        state = made.after
        if title.rules.result(state) is not None or title.rules.asked(state) != asked:
            break


def must_have_taken_it_back(table: Table, seat: int | None, command: Command) -> None:
    """ST 15 A seat that a bot plays, or that is vacant, must be taken back before its player goes on; one can always
    resign.
    """
    time = must_have_a_clock(table, "ST 15")
    if isinstance(command, clock.ReturnToSeat | lifecycle.Resign):
        return
    if seat in time.bots:
        raise Refused("ST 15", "A bot plays at this seat. Take the seat back first.")
    if seat in time.vacant:
        raise Refused("ST 15", "This seat is open to a substitute. Take the seat back first.")


def must_let_people_come_back(table: Table, seat: int | None, at: int) -> None:
    """ST 15 No bot moves while the game waits for its people; and a stand-in lets its player come back first."""
    time = must_have_a_clock(table, "ST 15")
    if time.paused:
        raise Refused("ST 15", "The game is waiting for its players.")
    if seat in time.bots and at < time.waits.get(seat, 0):
        raise Refused("ST 15", "The bot that stands in is still waiting for the player.")


def return_to_seat(now: AtTable, command: clock.ReturnToSeat) -> None:
    """ST 16 Let an absent player take the seat back, or announce their return."""
    must_run(now, "ST 16")
    must_have_been_away(now)
    now.happens(clock.SeatReturned(now.seat))


def must_have_been_away(now: AtTable) -> None:
    """ST 16 Somebody else must play the seat, and it must not have left."""
    left = waits_for_people(now.game) and now.seat not in now.table.playing
    if now.seat not in must_have_a_clock(now.table, "ST 16").away or left:
        raise Refused("ST 16", "Nobody else plays at this seat.")


def take_over(now: AtTable, command: clock.TakeOver) -> None:
    """ST 16 Let a substitute take a vacant seat."""
    must_run(now, "ST 16")
    must_be_vacant(now, command.seat)
    now.happens(clock.SeatTakenOver(command.seat))


def stand_in(now: AtTable, command: clock.StandIn) -> None:
    """ST 16 Let a bot play a vacant seat that found no substitute."""
    must_run(now, "ST 16")
    must_be_vacant(now, command.seat)
    must_go_on(now)
    now.happens(clock.BotPlaysOn(command.seat))


def must_be_vacant(now: AtTable, seat: int) -> None:
    """ST 16 The seat must be vacant, and open to others."""
    if seat not in must_have_a_clock(now.table, "ST 16").vacant or seat not in now.table.playing:
        raise Refused("ST 16", "This seat is not looking for a substitute.")


def must_go_on(now: AtTable) -> None:
    """ST 16 The game must not be waiting for its people."""
    if must_have_a_clock(now.table, "ST 16").paused:
        raise Refused("ST 16", "The game is waiting for its players.")


def free_seat(now: AtTable, command: clock.FreeSeat) -> None:
    """ST 18 Let an operator open a seat that a person plays to a substitute."""
    must_run(now, "ST 18")
    must_be_played_by_a_person(now, command.seat)
    now.happens(clock.SeatOpened(command.seat))


def must_be_played_by_a_person(now: AtTable, seat: int) -> None:
    """ST 18 A person must play the seat, not a bot or nobody."""
    time = must_have_a_clock(now.table, "ST 18")
    if seat not in now.table.playing:
        raise Refused("ST 18", "This seat is no longer in the game.")
    if now.table.chairs[seat].bot or seat in time.absent:
        raise Refused("ST 18", "No person plays at this seat.")


def must_run(now: AtTable, rule: str) -> None:
    """The game must be running; ``rule``: the rule that needs it."""
    if now.game.status != "running":
        raise Refused(rule, "The game is not running.")


def must_have_a_clock(table: Table, rule: str) -> Time:
    """The table must have a pace; ``rule``: the rule that needs it."""
    if table.time is None:
        raise Refused(rule, "This table has no clock.")
    return table.time
