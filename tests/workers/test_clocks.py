"""The sweep of the clocks, on both databases: reminders and called deadlines once each, lost time returned first."""

from datetime import date
from threading import Thread
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select, update

from domain import clock
from domain.chain import Ply
from domain.lifecycle import Resign, TakeSeat
from domain.pace import DAY, HOUR, MINUTE, Pace
from domain.refusal import Refused
from service.base.clock import SECOND
from service.database.store import GAMES, SEATS, Busy, Store
from service.database.work import Work
from service.games import absences, house, lookback, queries, reminders
from service.games.absences import BadAbsence
from service.games.clocks import CLOCKS
from service.games.play import Stale
from service.games.rights import ByPerson
from service.notices import watch, webhooks
from service.notices.owing import PEOPLE
from service.people import accounts, presence, recipients
from service.proof.audit import verify_game
from tests import road
from tests.service.lanterns import ANN, BOB, NOON, game, give, lead, log
from tests.toy import Choose, Stop
from tests.workers.post import outbox, person, table
from workers import claims, clocks

PLAIN = Pace(DAY, excuse=False, reminders=(6 * HOUR, HOUR))


@pytest.fixture
def people(store: Store) -> tuple[int, int]:
    return person(store, "Ann"), person(store, "Bob", zone="Asia/Kolkata")


def row(store: Store, game_id: str) -> Any:
    with store.read() as conn:
        return conn.execute(select(GAMES).where(GAMES.c.id == game_id)).one()


def clock_rows(store: Store) -> dict[int, int]:
    with store.read() as conn:
        return {it.seat: it.due_at for it in conn.execute(select(CLOCKS))}


def seat_row(store: Store, game_id: str, seat: int) -> Any:
    with store.read() as conn:
        return conn.execute(select(SEATS).where(SEATS.c.game_id == game_id, SEATS.c.seat == seat)).one()


def plies(store: Store, game_id: str) -> list[Ply]:
    title = game(store, game_id).title
    return [title.chain.decode(stored.open, stored.sealed) for stored in log(store, game_id)]


def last_events(store: Store, game_id: str) -> list[type]:
    return [type(event) for event in plies(store, game_id)[-1].events]


def proved(store: Store, game_id: str) -> None:
    assert verify_game(store, game_id).faults == ()


def test_the_rows_follow_the_clocks(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=PLAIN)
    assert row(store, game_id).due_at == NOON + DAY
    assert clock_rows(store) == {ANN: NOON + DAY, BOB: NOON + DAY}
    give(store, game_id, ANN, Choose(game(store, game_id).state.hands[ANN][0]), at=NOON + HOUR)
    assert clock_rows(store) == {BOB: NOON + DAY}
    leader = lead(store, game_id)
    give(store, game_id, leader, Stop(), at=NOON + 2 * HOUR)
    assert row(store, game_id).due_at == NOON + 2 * HOUR + DAY
    give(store, game_id, leader, Resign(), at=NOON + 3 * HOUR)
    assert row(store, game_id).due_at is None
    assert clock_rows(store) == {}
    proved(store, game_id)


def test_a_table_without_a_pace_has_no_rows(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people)
    assert row(store, game_id).due_at is None
    assert clock_rows(store) == {}


def test_each_deadline_has_one_reminder(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=PLAIN)
    assert reminders.sweep(store, NOON + 17 * HOUR) == 0
    assert reminders.sweep(store, NOON + 18 * HOUR) == 2
    assert reminders.sweep(store, NOON + 18 * HOUR) == 0
    with store.write() as conn:  # as if a sweep had died before it could note this
        conn.execute(update(CLOCKS).values(remind_at=NOON + 18 * HOUR, reminders=[NOON + 18 * HOUR]))
    reminders.sweep(store, NOON + 18 * HOUR)
    due = NOON + DAY
    assert [(it.seat, it.key) for it in outbox(store, "reminder")] == [
        (ANN, f"{due}.{6 * HOUR}"),
        (BOB, f"{due}.{6 * HOUR}"),
    ]
    give(store, game_id, None, clock.MoveClocks(((ANN, due + DAY),), "away"), at=NOON + 19 * HOUR, cause="service")
    assert reminders.sweep(store, NOON + 18 * HOUR + DAY) == 1
    assert outbox(store, "reminder")[-1].key == f"{due + DAY}.{6 * HOUR}"


def test_a_late_sweep_reminds_once_and_not_after_the_deadline(store: Store, people: tuple[int, int]) -> None:
    table(store, *people, pace=PLAIN)
    assert reminders.sweep(store, NOON + 23 * HOUR + 30 * MINUTE) == 2
    assert {it.key for it in outbox(store, "reminder")} == {f"{NOON + DAY}.{HOUR}"}
    table(store, *people, pace=PLAIN, at=NOON)
    assert reminders.sweep(store, NOON + DAY) == 0


def test_two_sweeps_at_once_call_and_remind_once(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, person(store, "Cleo"), pace=replace(PLAIN, then="safe"))
    give(store, game_id, 3, Choose(game(store, game_id).state.hands[3][0]))  # a present player
    clocks.sweep(store, NOON + DAY - MINUTE)
    sweeps = [Thread(target=clocks.sweep, args=(store, NOON + DAY)) for _ in range(3)]
    for each in sweeps:
        each.start()
    for each in sweeps:
        each.join()
    ran_out = [it for it in log(store, game_id) if b"TimeRanOut" in it.open]
    assert len(ran_out) == 2
    assert len(outbox(store, "reminder")) == 2
    assert [it.seat for it in outbox(store, "timed_out")] == [ANN, BOB]
    proved(store, game_id)


def test_a_player_who_moves_in_time_is_not_called(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=PLAIN)
    leader = lead(store, game_id)
    give(store, game_id, leader, Stop(), at=NOON + 23 * HOUR)
    assert clocks.call(store, NOON + DAY) == 0
    with pytest.raises(Refused):
        give(store, game_id, None, clock.CallTime(leader), at=NOON + DAY, cause="clock")


def test_a_bot_plays_on_and_the_player_takes_the_seat_back(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=replace(PLAIN, then="bot"))
    give(store, game_id, BOB, Choose(game(store, game_id).state.hands[BOB][0]))
    assert clocks.call(store, NOON + DAY) == 1
    assert last_events(store, game_id) == [clock.TimeRanOut, clock.BotPlaysOn, clock.ClockStopped]
    assert (seat_row(store, game_id, ANN).bot, seat_row(store, game_id, ANN).person_id) == ("sensible", people[0])
    assert row(store, game_id).bot_at == 0
    assert [it.person_id for it in outbox(store, "timed_out")] == [people[0]]
    turns = len(outbox(store, "turn", ANN))
    leader = lead_by_bot(store, game_id)
    assert len(outbox(store, "turn", ANN)) == turns, "nobody is told that it is their turn while a bot plays"
    road.return_to_seat(store, game_id, ANN, at=NOON + 2 * DAY)
    with store.read() as conn:
        own = lookback.last_own(store, conn, queries.game_for(store, conn, people[0], game_id))
    assert type(plies(store, game_id)[own - 1].command) is TakeSeat, "what the bot did is news to Ann"
    assert seat_row(store, game_id, ANN).bot is None
    assert row(store, game_id).bot_at is None
    assert clock_rows(store).get(ANN) == (NOON + 3 * DAY if leader == ANN else None)
    proved(store, game_id)


def lead_by_bot(store: Store, game_id: str) -> int:
    now = game(store, game_id)
    give(store, game_id, ANN, Choose(now.state.hands[ANN][0]), at=NOON + DAY + HOUR, cause="bot")
    leader: Any = game(store, game_id).state.leader
    return int(leader)


def test_a_substitute_sits_down_and_sees_what_the_seat_sees(store: Store, people: tuple[int, int]) -> None:
    cleo = person(store, "Cleo", zone="America/New_York")
    game_id = table(store, *people, pace=replace(PLAIN, then="substitute"))
    give(store, game_id, BOB, Choose(game(store, game_id).state.hands[BOB][0]))
    clocks.call(store, NOON + DAY)
    assert seat_row(store, game_id, ANN).vacant_since == NOON + DAY
    assert [(it.person_id, it.seat) for it in outbox(store, "seat_open")] == [(people[1], BOB)]
    with pytest.raises(Refused, match="ST 2"):
        road.take_over(store, game_id, ANN, person_id=people[1], at=NOON + DAY)
    road.take_over(store, game_id, ANN, person_id=cleo, at=NOON + 2 * DAY)
    after = seat_row(store, game_id, ANN)
    assert (after.person_id, after.vacant_since) == (cleo, None)
    assert clock_rows(store) == {ANN: NOON + 3 * DAY}
    with pytest.raises(Refused, match="ST 16"):
        road.take_over(store, game_id, ANN, person_id=person(store, "Dora"), at=NOON + 2 * DAY)
    proved(store, game_id)


# ==== the outage guard ============================================================================
def test_lost_time_is_returned_before_any_deadline_is_called(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=replace(PLAIN, then="resign"))
    other = table(store, *people)
    clocks.sweep(store, NOON + 20 * HOUR)
    clocks.sweep(store, NOON + 30 * HOUR)
    assert game(store, game_id).status == "running"
    assert clock_rows(store) == {ANN: NOON + 34 * HOUR, BOB: NOON + 34 * HOUR}
    assert last_events(store, game_id) == [clock.TimeGivenBack]
    told = game(store, game_id).title.face.narrate([clock.TimeGivenBack(10 * HOUR, ())])
    assert told[0].facts == {"hours": 10}
    assert game(store, other).version == 4
    before = game(store, game_id).version
    for later in (HOUR * 30 + MINUTE, HOUR * 30 + 2 * MINUTE):
        clocks.sweep(store, NOON + later)
    assert game(store, game_id).version == before, "once"
    proved(store, game_id)


def test_a_clock_that_started_in_the_outage_gets_all_of_it(store: Store, people: tuple[int, int]) -> None:
    clocks.sweep(store, NOON)
    table(store, *people, pace=PLAIN, at=NOON + 5 * HOUR)
    clocks.sweep(store, NOON + 8 * HOUR)
    assert set(clock_rows(store).values()) == {NOON + 5 * HOUR + DAY + 8 * HOUR}, "a proof must be able to see it"
    late = table(store, *people, pace=PLAIN, at=NOON + 8 * HOUR + 1)
    version = game(store, late).version
    clocks.sweep(store, NOON + 8 * HOUR + MINUTE)
    assert game(store, late).version == version


def test_a_night_without_a_sweep_moves_deadlines_by_its_length(store: Store, people: tuple[int, int]) -> None:
    """The outage itself did not count, but the log shows its length. A usual pause between sweeps is no outage."""
    game_id = table(store, *people, pace=replace(PLAIN, waking=True))
    before = clock_rows(store)
    midnight = (NOON // DAY) * DAY + DAY
    clocks.sweep(store, midnight)
    clocks.sweep(store, midnight + 2 * MINUTE)
    clocks.sweep(store, midnight + 90 * MINUTE)
    lost = 88 * MINUTE
    assert clock_rows(store) == {ANN: before[ANN] + lost, BOB: before[BOB] + lost}
    assert last_events(store, game_id)[0] is clock.TimeGivenBack


# ==== clocks that jump ============================================================================
def outages(store: Store) -> list[tuple[int, int]]:
    with store.read() as conn:
        return [(it.since, it.until) for it in conn.execute(select(clocks.OUTAGES).order_by(clocks.OUTAGES.c.id))]


def heartbeat(store: Store) -> int:
    with store.read() as conn:
        return watch.heartbeats(conn, store.settings)[clocks.NAME]


def test_a_jump_before_the_first_look_times_nobody_out(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=replace(PLAIN, then="resign"))
    clocks.sweep(store, NOON + 3 * DAY)
    assert game(store, game_id).status == "running"
    assert clock_rows(store) == {ANN: NOON + 4 * DAY, BOB: NOON + 4 * DAY}
    proved(store, game_id)


def test_a_jump_of_less_than_an_outage_is_given_back_once(store: Store, people: tuple[int, int]) -> None:
    table(store, *people, pace=PLAIN)
    clocks.beat(store, NOON)
    clocks.beat(store, NOON + 15 * SECOND + MINUTE, jumped=MINUTE)
    clocks.beat(store, NOON + 30 * SECOND + MINUTE, jumped=MINUTE)  # another process, whose last look was earlier
    assert outages(store) == [(NOON + 15 * SECOND, NOON + 15 * SECOND + MINUTE)]
    clocks.sweep(store, NOON + 45 * SECOND + MINUTE)
    assert set(clock_rows(store).values()) == {NOON + DAY + MINUTE}


def test_a_clock_set_back_leaves_no_heartbeat_in_the_future_and_punishes_nobody(
    store: Store, people: tuple[int, int]
) -> None:
    game_id = table(store, *people, pace=replace(PLAIN, then="resign"))
    clocks.sweep(store, NOON + MINUTE)
    clocks.sweep(store, NOON + 2 * DAY)  # the clock jumps
    clocks.sweep(store, NOON + 2 * MINUTE)  # and is corrected
    assert heartbeat(store) == NOON + 2 * MINUTE
    assert outages(store) == [(NOON + MINUTE, NOON + 2 * DAY), (NOON + 2 * DAY, NOON + 2 * MINUTE)]
    clocks.sweep(store, NOON + 20 * MINUTE)
    assert outages(store)[2:] == [(NOON + 2 * MINUTE, NOON + 20 * MINUTE)], "the guard works"
    assert game(store, game_id).status == "running"
    assert min(clock_rows(store).values()) >= NOON + DAY
    proved(store, game_id)


@pytest.mark.parametrize("jump", [2 * HOUR, 2 * DAY, 365 * DAY])
def test_deadlines_moved_by_a_clock_jump_move_back_after_its_correction(
    store: Store, people: tuple[int, int], jump: int
) -> None:
    game_id, other = table(store, *people, pace=PLAIN), table(store, *people)
    clocks.sweep(store, NOON + MINUTE)
    clocks.sweep(store, NOON + 2 * MINUTE + jump)  # the clock jumps
    assert set(clock_rows(store).values()) == {NOON + DAY + MINUTE + jump}
    at = NOON + 3 * MINUTE
    clocks.sweep(store, at)  # and is corrected
    assert clock_rows(store) == {ANN: NOON + DAY + 2 * MINUTE, BOB: NOON + DAY + 2 * MINUTE}
    assert row(store, game_id).due_at == NOON + DAY + 2 * MINUTE
    assert last_events(store, game_id) == [clock.ClocksSetRight]
    version = game(store, game_id).version
    assert [(it.seat, it.ply, it.due_at) for it in outbox(store, "sooner")] == [(ANN, version, at), (BOB, version, at)]
    assert game(store, other).version == 4, "no clock runs there"
    assert reminders.sweep(store, NOON + 18 * HOUR + 2 * MINUTE) == 2, "reminders are those of the deadline of now"
    clocks.sweep(store, at + MINUTE)
    assert game(store, game_id).version == version, "once"
    proved(store, game_id)


def test_a_player_who_used_the_extra_time_keeps_a_quarter_of_a_turn(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=replace(PLAIN, then="resign"))
    clocks.sweep(store, NOON + MINUTE)
    clocks.sweep(store, NOON + 5 * DAY)
    with store.write() as conn:  # as if the sweeps had never paused
        conn.execute(update(clocks.HEARTBEATS).values(at=NOON + 5 * DAY + 23 * HOUR))
    at = NOON + 23 * HOUR
    clocks.sweep(store, at)
    assert set(clock_rows(store).values()) == {at + DAY // 4}
    clocks.sweep(store, at + DAY // 4 - 2 * MINUTE)
    assert game(store, game_id).status == "running"
    proved(store, game_id)


def test_a_corrected_deadline_is_called_in_time_and_no_other(store: Store, people: tuple[int, int]) -> None:
    """Meanwhile the log's times stay in the future."""
    game_id = table(store, *people, person(store, "Cleo"), pace=replace(PLAIN, then="bot"))
    give(store, game_id, 3, Choose(min(game(store, game_id).state.hands[3])), at=NOON)
    clocks.sweep(store, NOON + MINUTE)
    clocks.sweep(store, NOON + 90 * DAY)
    absences.plan(Work(store), ByPerson(people[1]), noon_of(90), noon_of(91), "vacation", NOON + 90 * DAY)
    clocks.sweep(store, NOON + 2 * MINUTE)
    due = clock_rows(store)
    assert due[ANN] < due[BOB]
    assert clocks.call(store, due[ANN]) == 1
    assert last_events(store, game_id)[:2] == [clock.TimeRanOut, clock.BotPlaysOn]
    assert clock_rows(store) == {BOB: due[BOB]}
    proved(store, game_id)


def test_a_correction_after_no_jump_moves_no_deadline(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=PLAIN)
    clocks.sweep(store, NOON + MINUTE)
    clocks.sweep(store, NOON + 10 * HOUR)  # an outage
    clocks.sweep(store, NOON + 10 * HOUR + MINUTE)
    before = clock_rows(store)
    give(store, game_id, ANN, Choose(min(game(store, game_id).state.hands[ANN])), at=NOON + 10 * HOUR + MINUTE)
    give(store, game_id, BOB, Choose(min(game(store, game_id).state.hands[BOB])), at=NOON + 10 * HOUR + MINUTE)
    since, version = clock_rows(store), game(store, game_id).version
    clocks.sweep(store, NOON + 9 * HOUR)  # set back, after a turn of its own
    assert (clock_rows(store), game(store, game_id).version) == (since, version)
    assert before != since
    proved(store, game_id)


def test_a_jump_is_measured_by_the_monotonic_clock(store: Store) -> None:
    assert clocks._jumped(store, NOON, 100.0) == 0
    assert clocks._jumped(store, NOON + 15 * SECOND, 115.0) == 0
    assert clocks._jumped(store, NOON + 90 * SECOND, 130.0) == MINUTE
    assert clocks._jumped(store, NOON + 45 * SECOND, 145.0) == -MINUTE


def test_the_sweep_sees_that_the_databases_clock_has_jumped(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clocks.sweep(store)
    right = store.now
    monkeypatch.setattr(store, "now", lambda: right() + MINUTE)
    clocks.sweep(store)
    ((since, until),) = outages(store)
    assert until - since == pytest.approx(MINUTE, abs=SECOND)


def test_future_timestamps_are_clamped_after_the_clock_is_set_back(store: Store) -> None:
    ann, year = person(store, "Ann"), NOON + 365 * DAY
    before = table(store, ann, "random", at=NOON, length="long")
    clocks.sweep(store, NOON + MINUTE)
    clocks.sweep(store, year)  # the clock jumps
    late = claims.claim(store, year)
    assert late is not None
    claims.put_back(store, late, late.rows, "deferred", "451 Later", year)  # a retry a minute later
    table(store, ann, "random", at=year)
    with store.write() as conn:
        session = accounts.open_session(conn, ann, year)
        presence.note(conn, ann, before, year, HOUR)
        webhooks.make(conn, store.settings, ann, "https://hooks.example.org/x", ("turn",), NOON)
    at = NOON + 2 * MINUTE
    clocks.sweep(store, at)  # the clock is corrected
    owed = outbox(store, "turn")
    assert len(owed) == 2
    assert all(it.created_at <= at and it.due_at <= at + 2 * MINUTE for it in owed)
    with store.read() as conn:
        assert presence.visits(conn, ann, at, HOUR) == {}
        (of_ann,) = conn.execute(select(accounts.SESSIONS)).all()
        assert of_ann.created_at == at
        assert accounts.by_session(conn, session, at) is not None
        assert accounts.by_session(conn, session, at + 360 * DAY) is None
        assert recipients.drifted(conn, at) == []
    assert claims.claim(store, at + HOUR) is not None


def test_a_game_with_a_future_ply_owes_mail_now(store: Store, people: tuple[int, int]) -> None:
    year = NOON + 365 * DAY
    game_id = table(store, *people, at=year, length="long")
    at = NOON + MINUTE
    for seat in (ANN, BOB):
        give(store, game_id, seat, Choose(min(game(store, game_id).state.hands[seat])), at=at)
    give(store, game_id, game(store, game_id).state.leader, Stop(), at=at)
    assert game(store, game_id).at == year
    turns = [it for it in outbox(store, "turn") if it.created_at < year]
    assert turns
    assert all(it.due_at <= at + 2 * MINUTE for it in turns)


# ==== absences ====================================================================================
def noon_of(days: int) -> date:
    return date.fromtimestamp(NOON / 1000 + days * 86400)


def test_a_vacation_in_mid_turn_moves_the_deadline_and_its_end_moves_it_again(
    store: Store, people: tuple[int, int]
) -> None:
    game_id = table(store, *people, pace=PLAIN)
    strict = table(store, *people, pace=replace(PLAIN, absences=False))
    absences.plan(Work(store), ByPerson(people[0]), noon_of(0), noon_of(4), "vacation", NOON)
    midnight = (NOON // DAY + 5) * DAY
    assert game(store, game_id).table.clocks == {ANN: midnight + DAY, BOB: NOON + DAY}  # type: ignore[union-attr]
    assert game(store, strict).table.clocks == {ANN: NOON + DAY, BOB: NOON + DAY}  # type: ignore[union-attr]
    with store.read() as conn:
        (planned,) = absences.of(conn, people[0])
    at = midnight - 3 * DAY
    assert not absences.end(Work(store), ByPerson(people[1]), planned.id, at), "it is somebody else's"
    assert absences.end(Work(store), ByPerson(people[0]), planned.id, at)
    assert game(store, game_id).table.clocks[ANN] == at + DAY  # type: ignore[union-attr]
    with store.read() as conn:
        assert [it.last_day for it in absences.of(conn, people[0])] == [noon_of(1).isoformat()]
    proved(store, game_id)


def test_a_sweep_moves_the_clocks_that_a_killed_page_has_left(
    store: Store, people: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [table(store, *people, pace=PLAIN) for _ in range(3)]
    at, midnight = NOON + DAY + HOUR, (NOON // DAY + 5) * DAY
    submit, left = house.submit, [Busy(), KeyboardInterrupt()]

    def killed(*args: Any, **named: Any) -> Any:
        raise left.pop(0) if left else AssertionError("it was killed")

    monkeypatch.setattr(house, "submit", killed)
    with pytest.raises(KeyboardInterrupt):
        absences.plan(Work(store), ByPerson(people[0]), noon_of(0), noon_of(4), "vacation", NOON)
    monkeypatch.setattr(house, "submit", submit)
    give(store, games[2], ANN, Choose(game(store, games[2]).state.hands[ANN][0]), at=NOON + HOUR)
    assert clocks.call(store, at) == 0, "a clock that is to be moved is not called"
    for _ in range(2):
        absences.settle(store, at, float("inf"))
    assert [game(store, it).table.clocks.get(ANN) for it in games] == [midnight + DAY, midnight + DAY, None]  # type: ignore[union-attr]
    assert clocks.call(store, at) == len(games), "Bob is not away"
    with store.read() as conn:
        assert not conn.execute(select(absences.TO_MOVE)).all()
    moves = [type(event) for it in games for ply in plies(store, it) for event in ply.events].count(clock.ClockMoved)
    assert moves == 2
    proved(store, games[0])


def test_days_off_are_planned_within_bounds(store: Store, people: tuple[int, int]) -> None:
    ann = people[0]
    first = date(2028, 2, 1)

    def refused(first: date, last: date, kind: absences.Kind = "vacation") -> str:
        with pytest.raises(BadAbsence) as bad:
            absences.plan(Work(store), ByPerson(ann), first, last, kind, NOON)
        return bad.value.why

    absences.plan(Work(store), ByPerson(ann), first, date(2028, 2, 20), "vacation", NOON)
    assert refused(date(2028, 2, 5), date(2028, 2, 6)) == "overlap"
    assert refused(date(2028, 3, 2), date(2028, 3, 1)) == "order"
    assert refused(date(2027, 1, 1), date(2027, 1, 2)) == "past"
    assert refused(date(2031, 1, 1), date(2031, 1, 2)) == "far"
    assert refused(date(2028, 3, 1), date(2028, 3, 11)) == "budget"
    assert refused(date(2028, 3, 1), date(2028, 3, 16), "holiday") == "budget"
    absences.plan(Work(store), ByPerson(ann), date(2028, 12, 22), date(2029, 1, 10), "vacation", NOON)
    with store.read() as conn:
        rows = absences.of(conn, ann)
    assert (absences.left(rows, "vacation", 2028), absences.left(rows, "vacation", 2029)) == (0, 20)


def test_a_clock_that_has_moved_on_is_left_alone(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=PLAIN)
    with pytest.raises(Stale), store.write() as conn:
        absences.same_clock(game_id, ANN, NOON)(conn, NOON)
    with store.write() as conn:
        conn.execute(update(PEOPLE).values(wakes_at=0, sleeps_at=0))
        absences.same_clock(game_id, ANN, NOON + DAY)(conn, NOON)
