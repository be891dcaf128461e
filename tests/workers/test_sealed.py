"""Sealed words over days: requested by mail, opened by API and page, lost by the clock, and begun again."""

import hashlib
import threading
from datetime import date

import pytest
from sqlalchemy import select

from domain import luck
from domain.pace import Pace
from domain.refusal import Refused
from domain.sealed import RevealWords, SeatLost, WordsVoided
from domain.words import Sentence
from service.base.clock import DAY
from service.database.store import GAMES, SEATS, Store
from service.database.work import Work
from service.games import absences, clocks, queries, reminders
from service.games.play import Answer
from service.games.rights import ByPerson
from service.letters import by_kind, due, several
from service.letters.compose import reader_of
from service.notices.owing import OUTBOX
from service.people import accounts
from service.proof.audit import verify_game
from tests import road
from tests.service.lanterns import ANN, BOB, NOON, game, log, open_table
from workers import clocks as sweeps

HOST, GUEST = "ann", "bob"


def words(seat: int, number: int = 0) -> str:
    return f"{16 * seat + number:02x}" * 32


@pytest.fixture
def persons(store: Store) -> list[int]:
    made = []
    with store.write() as conn:
        for name in (HOST, GUEST, "cleo"):
            number, _ = accounts.person_at(conn, f"{name}@example.org", "en", NOON)
            accounts.change(conn, number, 0, name=name.title())
            made.append(number)
    return made


def sit(store: Store, game_id: str, seat: int, person: int, number: int = 0, at: int = NOON) -> None:
    seal = luck.brought("", words(seat, number))
    road.take_seat(store, game_id, seat, choice={}, at=at, person_id=person, seal=seal)


def open_words(store: Store, game_id: str, seat: int, number: int = 0, at: int = NOON) -> Answer:
    return road.submit(store, game_id, seat, [RevealWords(words(seat, number))], None, None, at)


@pytest.fixture
def table(store: Store, persons: list[int]) -> str:
    """Return a table at which all have sat down."""
    game_id = open_table(store, seats=2, host_id=persons[0], sealed=True)
    sit(store, game_id, ANN, persons[0])
    sit(store, game_id, BOB, persons[1])
    return game_id


def owed(store: Store, kind: str) -> list[tuple[int, int | None, int]]:
    with store.read() as conn:
        rows = conn.execute(select(OUTBOX).where(OUTBOX.c.kind == kind).order_by(OUTBOX.c.id)).all()
    return [(row.person_id, row.seat, row.ply) for row in rows]


def letter(store: Store, kind: str, person: int) -> tuple[Sentence | None, str]:
    """Return the reason why the last mail of a kind is not due (None: it is), and its text."""
    with store.read() as conn:
        row = conn.execute(
            select(OUTBOX).where(OUTBOX.c.kind == kind, OUTBOX.c.person_id == person).order_by(OUTBOX.c.id.desc())
        ).first()
        why = by_kind.why_not(store, conn, row, NOON)
        return why, "" if why else by_kind.mail(store, conn, row, NOON).source.decode(errors="replace")


def row_of(store: Store, game_id: str):  # type: ignore[no-untyped-def]
    with store.read() as conn:
        return conn.execute(select(GAMES).where(GAMES.c.id == game_id)).one()


def test_sealed_words_are_requested_by_mail_and_the_last_start_the_game(
    store: Store, persons: list[int], table: str
) -> None:
    assert owed(store, "words") == [(persons[0], ANN, 3), (persons[1], BOB, 3)]
    assert (row_of(store, table).asked, row_of(store, table).due_at) == ([ANN, BOB], NOON + 3 * DAY)
    why, source = letter(store, "words", persons[0])
    assert why is None
    assert "/turn/" in source
    open_words(store, table, ANN)
    assert letter(store, "words", persons[0])[0] == Sentence("you have already done it")
    answer = open_words(store, table, BOB)
    assert game(store, table).status == "running"
    assert answer.plies == [5]
    assert [it[:2] for it in owed(store, "turn")] == [(persons[0], ANN), (persons[1], BOB)]
    report = verify_game(store, table)
    assert report.proved, report.faults
    assert report.luck is not None
    assert report.luck.facts["failed"] == 0


def test_a_late_player_loses_the_seat_and_all_others_seal_again(store: Store, persons: list[int], table: str) -> None:
    open_words(store, table, ANN)
    sweeps.call(store, NOON + 3 * DAY - 1)
    assert game(store, table).version == 4
    sweeps.call(store, NOON + 3 * DAY)
    with store.read() as conn:
        events = store.plies(conn, table, store.titles["toy"])[-1][1].events
        seats = conn.execute(select(SEATS.c.seat).where(SEATS.c.game_id == table)).scalars().all()
    assert events == (SeatLost(BOB), WordsVoided())
    assert list(seats) == [ANN]
    assert owed(store, "seat_lost") == [(persons[1], None, 5)]
    assert owed(store, "words")[-1] == (persons[0], ANN, 5)
    for kind, person, said in (("seat_lost", 1, "You have lost your seat"), ("words", 0, "Seal new words")):
        why, source = letter(store, kind, persons[person])
        assert why is None
        assert said in source
    road.seal_words(store, table, ANN, luck.brought("", words(ANN, 1)), at=NOON, holder=persons[0])
    sit(store, table, BOB, persons[2], 1)
    open_words(store, table, BOB, 1)
    open_words(store, table, ANN, 1)
    report = verify_game(store, table)
    assert report.proved, report.faults
    assert report.luck is not None
    assert report.luck.facts["failed"] == 1


def test_the_time_of_an_outage_is_returned_once(store: Store, persons: list[int], table: str) -> None:
    sweeps.beat(store, NOON)
    sweeps.beat(store, NOON + 3 * DAY + 5)
    sweeps.call(store, NOON + 3 * DAY + 5)
    moved = game(store, table).table.sealed.due  # type: ignore[union-attr]
    assert moved > NOON + 5 * DAY
    sweeps.call(store, moved)
    assert game(store, table).table.chairs == {}  # type: ignore[union-attr]


def test_leaving_between_sealing_and_opening_frees_the_seat(store: Store, persons: list[int], table: str) -> None:
    road.give_up_seat(store, table, BOB, at=NOON, holder=persons[1])
    assert (row_of(store, table).asked, row_of(store, table).due_at) == ([], None)
    with pytest.raises(Refused, match="ST 20"):
        open_words(store, table, ANN)
    sit(store, table, BOB, persons[2])
    assert row_of(store, table).asked == [ANN, BOB]


def test_two_simultaneous_openings_start_the_game_once(store: Store, persons: list[int], table: str) -> None:
    barrier, answers = threading.Barrier(2), list[Answer]()

    def work(seat: int) -> None:
        barrier.wait()
        answers.append(open_words(store, table, seat))

    threads = [threading.Thread(target=work, args=(seat,)) for seat in (ANN, BOB)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 2
    assert game(store, table).status == "running"
    assert len([ply for ply in log(store, table) if b"GameStarted" in ply.open]) == 1
    assert verify_game(store, table).proved


def test_a_replayed_opening_changes_nothing_and_another_one_is_refused(
    store: Store, persons: list[int], table: str
) -> None:
    command = [RevealWords(words(ANN))]
    first = road.submit(store, table, ANN, command, None, "once", NOON)
    again = road.submit(store, table, ANN, command, None, "once", NOON)
    assert (again.plies, again.replayed) == (first.plies, True)
    with pytest.raises(Refused, match="ST 20"):
        road.submit(store, table, ANN, command, None, "twice", NOON)
    with pytest.raises(Refused, match="ST 20"):
        road.submit(store, table, BOB, command, None, None, NOON)


def test_the_deadline_is_the_last_of_the_players(store: Store, persons: list[int]) -> None:
    with store.read() as conn:
        stored = store.load(conn, open_table(store, seats=2, sealed=True))
        assert clocks.words_due(conn, stored, NOON) == NOON + clocks.WORDS.turn
    assert queries.WATCHED
    assert hashlib.sha256(words(ANN).encode()).hexdigest() == luck.brought("", words(ANN))


# ==== reminders ===================================================================================
REMINDED = NOON + 3 * DAY * 3 // 4
"""When a quarter of the time is left."""


def reminded(store: Store, at: int) -> list[tuple[int, int | None, int]]:
    reminders.sweep(store, at)
    return owed(store, "reminder")


def test_players_with_sealed_words_get_a_reminder_with_the_link_in_time(
    store: Store, persons: list[int], table: str
) -> None:
    open_words(store, table, ANN)
    assert reminded(store, REMINDED - 1) == []
    assert reminded(store, REMINDED) == [(persons[1], BOB, 3)]
    why, source = letter(store, "reminder", persons[1])
    assert why is None
    assert "Your time is running out" in source
    assert "lose your seat" in " ".join(source.split())
    assert "/turn/" in source
    assert len(reminded(store, REMINDED + 5)) == 1
    open_words(store, table, BOB)
    assert letter(store, "reminder", persons[1])[0] == Sentence("the turn is over")


def test_a_reminder_in_a_digest_of_many_is_told_as_long_as_it_is_due(
    store: Store, persons: list[int], table: str
) -> None:
    reminders.sweep(store, REMINDED)
    with store.read() as conn:
        rows = conn.execute(select(OUTBOX).where(OUTBOX.c.kind == "reminder").order_by(OUTBOX.c.seat)).all()
        games = due.games_of(conn, persons[0])
        assert due.why_not_by_row(conn, rows[:1], games) == {}
        part = several._by_row(store, rows[:1], games[table], reader_of(conn, rows[0]), NOON, "<together@localhost>")
    assert part.button.label == "Go to the table"
    assert "/turn/" in part.button.address
    open_words(store, table, ANN)
    with store.read() as conn:
        found = due.why_not_by_row(conn, rows[:1], due.games_of(conn, persons[0]))
    assert list(found.values()) == [Sentence("the turn is over")]


@pytest.mark.parametrize(
    ("pace", "moment"),
    [(Pace(4 * DAY), 3 * DAY), (Pace(4 * DAY, reminders=(2 * DAY, DAY)), 2 * DAY)],
)
def test_the_pace_sets_the_reminder_and_its_default_is_the_last_quarter(
    store: Store, persons: list[int], pace: Pace, moment: int
) -> None:
    game_id = open_table(store, seats=2, host_id=persons[0], sealed=True, pace=pace)
    sit(store, game_id, ANN, persons[0])
    sit(store, game_id, BOB, persons[1])
    assert reminded(store, NOON + moment - 1) == []
    assert len(reminded(store, NOON + moment)) == 2


def clocks_of(store: Store, game_id: str) -> dict[int, int]:
    with store.read() as conn:
        rows = conn.execute(select(clocks.CLOCKS).where(clocks.CLOCKS.c.game_id == game_id)).all()
    return {row.seat: row.due_at for row in rows}


def test_no_clock_is_left_when_the_game_has_begun_or_the_seat_is_gone(
    store: Store, persons: list[int], table: str
) -> None:
    assert clocks_of(store, table) == {ANN: NOON + 3 * DAY, BOB: NOON + 3 * DAY}
    road.give_up_seat(store, table, BOB, at=NOON, holder=persons[1])
    assert clocks_of(store, table) == {}
    sit(store, table, BOB, persons[2])
    open_words(store, table, ANN)
    assert list(clocks_of(store, table)) == [BOB]
    open_words(store, table, BOB)
    assert clocks_of(store, table) == {}


def test_the_clocks_of_a_game_with_a_pace_take_the_place_of_those_of_its_words(
    store: Store, persons: list[int]
) -> None:
    game_id = open_table(store, seats=2, host_id=persons[0], sealed=True, pace=Pace(DAY, reminders=(DAY // 2,)))
    sit(store, game_id, ANN, persons[0])
    sit(store, game_id, BOB, persons[1])
    open_words(store, game_id, ANN)
    open_words(store, game_id, BOB, at=NOON + DAY // 4)
    assert clocks_of(store, game_id) == {ANN: NOON + DAY + DAY // 4, BOB: NOON + DAY + DAY // 4}
    assert [ply for *_, ply in reminded(store, NOON + DAY // 2 + DAY // 4)] == [6, 6]


def test_days_off_and_outages_leave_the_clocks_of_words_alone(store: Store, persons: list[int], table: str) -> None:
    absences.plan(Work(store), ByPerson(persons[0]), date(2027, 1, 16), date(2027, 1, 17), "vacation", NOON)
    assert clocks_of(store, table) == {ANN: NOON + 3 * DAY, BOB: NOON + 3 * DAY}
    sweeps.beat(store, NOON)
    sweeps.sweep(store, NOON + DAY)
    with store.read() as conn:
        assert conn.execute(select(sweeps.OUTAGES.c.settled_at)).scalars().all() == [NOON + DAY]
    assert clocks_of(store, table)[ANN] == NOON + 3 * DAY
    sweeps.call(store, NOON + 3 * DAY)
    assert clocks_of(store, table)[ANN] == NOON + 4 * DAY


def test_the_list_of_games_says_how_long_the_words_have_time(store: Store, persons: list[int], table: str) -> None:
    with store.read() as conn:
        (listed,), _ = queries.games(conn, persons[0], "mine")
    assert (listed.my_turn, listed.my_due) == (True, NOON + 3 * DAY)


def test_the_player_who_opened_the_last_words_is_told_the_start(store: Store, persons: list[int], table: str) -> None:
    open_words(store, table, ANN)
    open_words(store, table, BOB)
    for who in persons[:2]:
        _, source = letter(store, "turn", who)
        assert "The story so far" in source
        assert "Nothing has happened since your last turn" not in source
