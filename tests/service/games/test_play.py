"""Submissions: appended, repeated, refused and stale; alone, together, and with a crash in the middle."""

import os
import signal
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from domain import chain
from domain.lifecycle import CancelGame, Resign, SeatRetired, StartGame, TakeBack, TakenBack
from domain.refusal import Refused
from service.database.store import (
    GAMES,
    PLIES,
    RESULTS,
    SEALED,
    SEATS,
    SECRETS,
    SUBMISSIONS,
    NoSuchGame,
    Store,
    open_store,
    table_of,
)
from service.database.tables import Person
from service.games import play
from service.games.play import Stale, SubmissionReused
from service.notices import owing
from tests import road, toy
from tests.children import CHILDREN, Child
from tests.service.lanterns import (
    ANN,
    BOB,
    CLEO,
    NOON,
    SETTLE,
    game,
    give,
    lead,
    log,
    open_table,
    play_on,
    start,
    stored,
)
from tests.toy import Choose, Pick, Stop, Walk, Whisper

PEOPLE = table_of(Person)
OUTBOX = owing.OUTBOX
TABLES = (GAMES, SECRETS, SEATS, PLIES, SEALED, SUBMISSIONS, RESULTS, OUTBOX)


def everything(store: Store) -> dict[str, Any]:
    """All rows of all tables a submission may touch."""
    with store.read() as conn:
        return {str(table): sorted(map(repr, conn.execute(select(table)))) for table in TABLES}


def person(store: Store, name: str) -> int:
    with store.write() as conn:
        row = {"email": f"{name}@example.org", "name": name, "created_at": NOON}
        return int(conn.execute(insert(PEOPLE).values(row | {"lang": "en", "zone": "UTC"})).inserted_primary_key[0])


# ==== opening and sitting down ====================================================================
def test_a_game_is_opened_played_and_over(store: Store) -> None:
    game_id = start(store, seats=3)
    over = play_on(store, game_id)
    row = stored(store, game_id).row
    assert over.status == row.status == "over"
    assert row.asked == []
    assert row.bot_at is None
    assert row.version == over.version == len(log(store, game_id))
    assert row.head == log(store, game_id)[-1].link
    assert row.ended_at == row.moved_at
    with store.read() as conn:
        lines = conn.execute(select(RESULTS).order_by(RESULTS.c.seat)).all()
    assert over.result is not None
    assert [(line.seat, line.place, line.total) for line in lines] == [
        (line.seat, line.place, line.total) for line in over.result.standings
    ]


def test_plies_are_numbered_without_holes_and_linked(store: Store) -> None:
    game_id = start(store)
    play_on(store, game_id)
    it = stored(store, game_id)
    link = chain.first_link(game_id)
    for number, ply in enumerate(log(store, game_id), start=1):
        commitments = [
            chain.commitment(chain.part_key(it.secret, game_id, number, part.index), part.body) for part in ply.sealed
        ]
        link = chain.link(link, ply.open, commitments)
        assert (ply.number, ply.link) == (number, link)


def test_the_first_ply_publishes_the_hash_of_the_secret_and_the_log_never_the_secret(store: Store) -> None:
    game_id = start(store)
    it = stored(store, game_id)
    assert it.game.table is not None
    assert it.game.table.commitment == chain.secret_commitment(it.secret)
    assert all(it.secret not in ply.open and it.secret.hex().encode() not in ply.open for ply in log(store, game_id))


def test_a_game_waits_for_bots_only_while_one_is_asked(store: Store) -> None:
    game_id = open_table(store)
    road.take_seat(store, game_id, ANN, choice={}, at=NOON, person_id=person(store, "ann"))
    road.take_seat(store, game_id, BOB, choice={}, at=NOON, bot="sensible")
    assert stored(store, game_id).row.bot_at is None
    give(store, game_id, None, StartGame())
    assert stored(store, game_id).row.bot_at == 0
    give(store, game_id, BOB, Choose(game(store, game_id).state.hands[BOB][0]))
    assert stored(store, game_id).row.bot_at is None
    assert stored(store, game_id).row.asked == [ANN]


@pytest.mark.parametrize(
    ("options", "rule"), [({"size": "big"}, "ST 1"), ({"length": "endless"}, "ST 1"), ({"lively": 1}, "ST 1")]
)
def test_unknown_options_are_refused(store: Store, options: dict[str, Any], rule: str) -> None:
    empty = everything(store)
    with pytest.raises(Refused) as refused:
        road.open_game(
            store, title="toy", options=options, seats=2, name="x", host_id=None, public=True, at=NOON, settle_ms=0
        )
    assert refused.value.rule == rule
    assert everything(store) == empty


@pytest.mark.parametrize("seats", [0, 1, 4, 10**30])
def test_a_table_of_a_wrong_size_is_refused(store: Store, seats: int) -> None:
    empty = everything(store)
    with pytest.raises(Refused, match="TOY 1"):
        open_table(store, seats)
    assert everything(store) == empty


def test_an_unknown_title_and_an_unknown_bot_are_refused(store: Store) -> None:
    with pytest.raises(Refused, match="ST 1"):
        road.open_game(
            store, title="chess", options={}, seats=2, name="x", host_id=None, public=True, at=NOON, settle_ms=0
        )
    game_id = open_table(store)
    with pytest.raises(Refused, match="ST 2"):
        road.take_seat(store, game_id, ANN, choice={}, at=NOON, bot="grandmaster")


def test_opening_twice_under_one_submission_finds_the_same_table(store: Store) -> None:
    host = person(store, "ann")
    given: dict[str, Any] = {"title": "toy", "options": {}, "seats": 2, "host_id": host, "public": False}
    given |= {"at": NOON, "settle_ms": 0, "submission_id": "open-1"}
    first = road.open_game(store, name="x", **given)
    rows = everything(store)
    assert road.open_game(store, name="x", **given) == first
    assert everything(store) == rows
    with pytest.raises(SubmissionReused):
        road.open_game(store, name="another", **given)
    other = road.open_game(store, name="x", **given | {"host_id": person(store, "bob")})
    assert other.game_id != first.game_id


def test_a_person_takes_one_seat_and_its_row_stands_or_falls_with_the_ply(store: Store) -> None:
    ann = person(store, "ann")
    game_id = open_table(store, seats=3)
    road.take_seat(store, game_id, BOB, choice={"colour": "red"}, at=NOON, person_id=ann)
    rows = everything(store)
    for seat, choice, who, rule in (
        (CLEO, {}, ann, "ST 2"),  # sits already
        (BOB, {}, person(store, "bob"), "ST 2"),  # taken
        (9, {}, person(store, "cleo"), "ST 2"),  # no such seat
        (CLEO, {"colour": "red"}, person(store, "dora"), "TOY 1"),  # a colour once
        (CLEO, {"colour": "mauve"}, person(store, "eve"), "ST 2"),
        (CLEO, {"hat": "red"}, person(store, "fay"), "ST 2"),
    ):
        with pytest.raises(Refused, match=rule):
            road.take_seat(store, game_id, seat, choice=choice, at=NOON, person_id=who)
    assert everything(store) == rows


def test_standing_up_frees_the_seat_and_forgets_its_player(store: Store) -> None:
    ann, bob = person(store, "ann"), person(store, "bob")
    game_id = open_table(store)
    road.take_seat(store, game_id, ANN, choice={}, at=NOON, person_id=ann)
    road.give_up_seat(store, game_id, ANN, at=NOON)
    road.take_seat(store, game_id, ANN, choice={}, at=NOON, person_id=bob)
    with store.read() as conn:
        assert conn.execute(select(SEATS.c.person_id)).scalars().all() == [bob]


def test_taking_a_seat_twice_under_one_submission_is_answered_as_the_first_time(store: Store) -> None:
    ann, game_id = person(store, "ann"), open_table(store)
    given: dict[str, Any] = {"choice": {}, "person_id": ann, "submission_id": "sit"}
    first = road.take_seat(store, game_id, ANN, at=NOON, **given)
    again = road.take_seat(store, game_id, ANN, at=NOON + 5, **given)
    assert (again.version, again.plies, again.replayed) == (first.version, first.plies, True)
    with pytest.raises(SubmissionReused):
        road.take_seat(store, game_id, BOB, at=NOON, **given)


def test_a_cancelled_table_ends_without_a_result(store: Store) -> None:
    game_id = open_table(store)
    give(store, game_id, None, CancelGame(), at=NOON + 9)
    row = stored(store, game_id).row
    assert (row.status, row.ended_at) == ("cancelled", NOON + 9)
    with pytest.raises(Refused, match="ST 2"):
        road.take_seat(store, game_id, ANN, choice={}, at=NOON)


# ==== appended, replayed, conflict ================================================================
def test_the_same_submission_again_changes_nothing_and_gets_the_first_answer(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    first = give(store, game_id, leader, Walk(1), submission_id="one")
    give(store, game_id, leader, Walk(1))
    rows = everything(store)
    again = road.submit(store, game_id, leader, [Walk(1)], 1, "one", NOON + 77)  # its version is long outdated
    assert again.replayed
    assert (again.version, again.plies, again.refusal) == (first.version, first.plies, None)
    assert everything(store) == rows


def test_an_id_with_another_content_is_refused(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    give(store, game_id, leader, Walk(1), submission_id="one")
    rows = everything(store)
    for seat, command in ((leader, Walk(2)), (3 - leader, Walk(1))):
        with pytest.raises(SubmissionReused):
            give(store, game_id, seat, command, submission_id="one")
    assert everything(store) == rows


def test_the_id_of_a_submission_stands_on_its_plies(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    answer = give(store, game_id, leader, Walk(1), Walk(2), Stop(), submission_id="three")
    with store.read() as conn:
        marked = conn.execute(select(PLIES.c.ply).where(PLIES.c.submission_id == "three").order_by(PLIES.c.ply))
        assert marked.scalars().all() == answer.plies
    assert len(answer.plies) == 3


def test_a_full_refusal_leaves_no_trace_and_is_not_remembered(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    rows = everything(store)
    for seat, command, rule in (
        (leader, Walk(4), "TOY 3"),
        (leader, Walk(10**18), "TOY 3"),
        (3 - leader, Walk(1), "TOY 3"),
        (leader, Choose(1), "TOY 2"),
        (leader, StartGame(), "ST 4"),
        (7, Walk(1), "ST 8"),
        (None, Walk(1), "ST 8"),
    ):
        with pytest.raises(Refused, match=rule):
            give(store, game_id, seat, command, submission_id="tried")
    assert everything(store) == rows
    assert not give(store, game_id, leader, Walk(1), submission_id="tried").replayed


def test_an_old_position_is_stale_and_the_present_version_is_told(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    shown = game(store, game_id).version_for(leader)
    road.submit(store, game_id, leader, [Walk(1)], shown, None, NOON)
    rows = everything(store)
    with pytest.raises(Stale) as stale:
        road.submit(store, game_id, leader, [Walk(1)], shown, None, NOON)
    assert stale.value.version == game(store, game_id).version
    assert everything(store) == rows


def test_an_unknown_game_is_reported(store: Store) -> None:
    with pytest.raises(NoSuchGame):
        road.submit(store, "nothing", ANN, [Stop()], None, None, NOON)
    with pytest.raises(NoSuchGame):
        road.take_seat(store, "nothing", ANN, choice={}, at=NOON)


def test_an_error_of_ours_is_not_mistaken_for_a_faster_writer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id = start(store)
    leader = lead(store, game_id)

    def broken(*args: Any) -> None:
        raise IntegrityError("INSERT", {}, Exception("a constraint of ours"))

    monkeypatch.setattr(owing, "queue", broken)
    with pytest.raises(IntegrityError):
        give(store, game_id, leader, Stop())


# ==== several commands ============================================================================
def test_several_commands_stand_or_fall_together(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    rows = everything(store)
    with pytest.raises(Refused, match="TOY 3"):
        give(store, game_id, leader, Walk(1), Walk(1), Walk(2), submission_id="many")
    assert everything(store) == rows


def test_commands_before_a_barrier_stand_and_their_answer_is_remembered(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    before = game(store, game_id).version
    answer = give(store, game_id, leader, Walk(2), Pick(), Walk(1), submission_id="partly")
    assert answer.plies == [before + 1, before + 2]
    assert answer.refused_at == 2
    assert answer.refusal is not None
    assert answer.refusal.rule == "TOY 3"
    rows = everything(store)
    again = road.submit(store, game_id, leader, [Walk(2), Pick(), Walk(1)], before, "partly", NOON)
    assert again.replayed
    assert again.refusal is not None
    assert (again.plies, again.refused_at) == (answer.plies, 2)
    assert (again.refusal.rule, again.refusal.sentence) == (answer.refusal.rule, answer.refusal.sentence)
    assert everything(store) == rows


# ==== quiet plies and versions ====================================================================
def test_sealed_answers_and_hidden_orders_make_nobody_else_stale(store: Store) -> None:
    game_id = start(store, seats=3)
    shown = {seat: game(store, game_id).version_for(seat) for seat in (ANN, BOB, CLEO)}
    hands = game(store, game_id).state.hands
    road.submit(store, game_id, ANN, [Choose(hands[ANN][0])], shown[ANN], None, NOON)
    road.submit(store, game_id, CLEO, [Whisper(5)], shown[CLEO], None, NOON)
    road.submit(store, game_id, BOB, [Choose(hands[BOB][0])], shown[BOB], None, NOON)
    assert game(store, game_id).version_for(None) == shown[ANN]
    with pytest.raises(Stale):  # a seat's own quiet ply outdates its next submission
        road.submit(store, game_id, CLEO, [Whisper(6)], shown[CLEO], None, NOON)
    give(store, game_id, CLEO, Choose(hands[CLEO][0]))  # this one opens the cards
    with pytest.raises(Stale):
        road.submit(store, game_id, ANN, [Choose(1)], shown[ANN] + 1, None, NOON)


def test_a_hidden_order_shows_nowhere_in_the_game_row_but_in_its_version(store: Store) -> None:
    game_id = start(store)
    before = stored(store, game_id).row
    give(store, game_id, ANN, Whisper(7), at=NOON + 5000)
    after = stored(store, game_id).row
    assert after.moved_at == before.moved_at
    assert (after.asked, after.status) == (before.asked, before.status)
    assert b"hisper" not in log(store, game_id)[-1].open


# ==== going back ==================================================================================
def test_taking_back_withdraws_and_keeps_readable(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    before = game(store, game_id)
    give(store, game_id, leader, Walk(1))
    give(store, game_id, leader, Walk(2))
    give(store, game_id, leader, TakeBack(before.version + 1))
    after = game(store, game_id)
    assert after.state == before.state
    assert after.version == before.version + 3
    with store.read() as conn:
        plies = [ply for _, ply in store.plies(conn, game_id, toy.TITLE, since=before.version)]
    assert plies[0].command == Walk(1)
    assert plies[2].events == (TakenBack(leader, (before.version + 1, before.version + 2)),)
    store.folds.clear()
    assert game(store, game_id).state == before.state


def test_nothing_is_taken_back_past_a_barrier_or_the_settle_time(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    barrier = game(store, game_id).version
    give(store, game_id, leader, Walk(1))
    with pytest.raises(Refused, match="ST 7"):
        give(store, game_id, leader, TakeBack(barrier))
    give(store, game_id, leader, Stop(), at=NOON)
    with pytest.raises(Refused, match="ST 7"):
        give(store, game_id, leader, TakeBack(barrier + 2), at=NOON + SETTLE + 1)
    give(store, game_id, leader, TakeBack(barrier + 2), at=NOON + SETTLE)
    assert game(store, game_id).asked == (leader,)


def test_a_finished_game_stays_finished(store: Store) -> None:
    game_id = start(store)
    over = play_on(store, game_id)
    with store.read() as conn:
        last = store.plies(conn, game_id, toy.TITLE, since=over.version - 1)[0][1]
    rows = everything(store)
    with pytest.raises(Refused):
        give(store, game_id, last.seat, TakeBack(last.number), at=last.at)
    with pytest.raises(Refused, match="TOY 5"):
        give(store, game_id, last.seat, Resign(), at=last.at)
    assert everything(store) == rows


def test_a_leaver_is_marked_and_the_result_stands_when_the_game_ends_by_it(store: Store) -> None:
    game_id = start(store)
    give(store, game_id, ANN, Resign(), at=NOON + 3)
    row = stored(store, game_id).row
    assert (row.status, row.ended_at) == ("over", NOON + 3)
    with store.read() as conn:
        assert conn.execute(select(SEATS.c.left_at).order_by(SEATS.c.seat)).scalars().all() == [NOON + 3, None]
        assert conn.execute(select(RESULTS.c.place).order_by(RESULTS.c.seat)).scalars().all() == [None, 1]
        assert isinstance(store.plies(conn, game_id, toy.TITLE)[-1][1].events[0], SeatRetired)


# ==== many at once ================================================================================
def writers_at_a_barrier(store: Store, work: Any, count: int) -> list[Any]:
    """``count`` threads that do ``work(number)`` at the same moment; what each returned or raised."""
    barrier, results = threading.Barrier(count), [None] * count

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = work(number)
        except Exception as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_of_many_writers_at_one_version_one_wins_and_the_others_are_stale(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    shown = game(store, game_id).version
    results = writers_at_a_barrier(
        store, lambda n: road.submit(store, game_id, leader, [Stop()], shown, f"w{n}", NOON), 8
    )
    assert Counter(type(result).__name__ for result in results) == {"Answer": 1, "Stale": 7}
    assert game(store, game_id).version == shown + 1
    assert len(log(store, game_id)) == shown + 1


def test_of_many_copies_of_one_submission_one_is_played_and_all_get_its_answer(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    shown = game(store, game_id).version
    results = writers_at_a_barrier(
        store, lambda n: road.submit(store, game_id, leader, [Walk(1)], shown, "the same", NOON), 8
    )
    assert [(result.version, result.plies) for result in results] == [(shown + 1, [shown + 1])] * 8
    assert Counter(result.replayed for result in results) == {False: 1, True: 7}


def test_many_writers_without_conflicts_all_succeed(store: Store) -> None:
    game_id = start(store, seats=3)
    shown = game(store, game_id).version

    def work(number: int) -> Any:
        return road.submit(store, game_id, number % 3 + 1, [Whisper(number)], None, f"w{number}", NOON)

    results = writers_at_a_barrier(store, work, 9)
    assert sorted(result.plies[0] for result in results) == list(range(shown + 1, shown + 10))
    store.folds.clear()
    assert game(store, game_id).version == shown + 9
    with store.read() as conn:
        numbers = [ply.command.number for _, ply in store.plies(conn, game_id, toy.TITLE, since=shown)]
    assert sorted(numbers) == list(range(9))


def _whisper_in_a_process(url: str, game_id: str, process: int, barrier: Any, answers: Any) -> None:
    store = open_store(url, titles={"toy": toy.TITLE})
    barrier.wait()
    plies = []
    for number in range(10):
        answer = road.submit(store, game_id, process, [Whisper(number)], None, f"{process}.{number}", NOON)
        plies += answer.plies
    answers.put((process, plies))


def test_processes_at_a_barrier_make_one_log_without_holes(store: Store, database_url: str) -> None:
    game_id = start(store, seats=3)
    shown = game(store, game_id).version
    barrier, answers = CHILDREN.Barrier(3), CHILDREN.Queue()
    processes = [
        CHILDREN.Process(target=_whisper_in_a_process, args=(database_url, game_id, seat, barrier, answers))
        for seat in (ANN, BOB, CLEO)
    ]
    for process in processes:
        process.start()
    written = dict(answers.get(timeout=300) for _ in processes)
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert sorted(ply for plies in written.values() for ply in plies) == list(range(shown + 1, shown + 31))
    with store.read() as conn:
        plies = [ply for _, ply in store.plies(conn, game_id, toy.TITLE, since=shown)]
    for seat, numbers in written.items():
        assert [ply.number for ply in plies if ply.seat == seat] == numbers
        assert [ply.command.number for ply in plies if ply.seat == seat] == list(range(10))
    assert play_on(store, game_id).status == "over"


# ==== crashes =====================================================================================
def dies() -> None:
    """Move in a game, and die at a moment: both are in the arguments."""

    def die(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    url, game_id, seat, moment = sys.argv[1:]
    store = open_store(url, titles={"toy": toy.TITLE})
    if moment == "before the commit":
        owing.queue = die
    elif moment == "after the plies":
        play.update_row = die  # type: ignore[attr-defined]
    else:
        play.hints.wake = die  # type: ignore[attr-defined]
    road.submit(store, game_id, int(seat), [Walk(1), Pick()], None, "dying", 0)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("moment", ["after the plies", "before the commit", "after the commit"])
def test_a_process_killed_in_the_middle_leaves_all_or_nothing(
    store: Store, database_url: str, moment: str, tmp_path: Path
) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    rows = everything(store)
    version = game(store, game_id).version
    out = tmp_path / "out"
    child = Child(dies, ["", database_url, game_id, str(leader), moment], os.environ, tmp_path, out)
    assert child.wait(60) == -signal.SIGKILL, out.read_text()
    if moment == "after the commit":
        assert game(store, game_id).version == version + 2
    else:
        assert everything(store) == rows
    again = road.submit(store, game_id, leader, [Walk(1), Pick()], version, "dying", NOON)
    assert again.plies == [version + 1, version + 2]
    assert again.replayed == (moment == "after the commit")
    with store.read() as conn:
        assert conn.execute(select(func.count()).select_from(PLIES)).scalar_one() == version + 2
