"""The rows of the record: made by a worker from the log and from who sat there, and made again."""

from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, select, update

from domain.lifecycle import CancelGame, Resign, StartGame
from domain.pace import DAY, HOUR, Pace
from service.cli import main
from service.database.store import GAMES, Store
from service.games.seats import FORMER
from service.keeping import personal
from service.record import rows
from service.record.rows import ROWS
from tests import road
from tests.service.lanterns import ANN, BOB, NOON, game, give, open_table
from tests.service.record.lives import PLAIN, choose, finish, finished
from tests.workers.post import person, sit_down, table
from workers import clocks


@pytest.fixture
def people(store: Store) -> tuple[int, int]:
    return person(store, "Ann"), person(store, "Bob", "de", "Europe/Berlin")


def kept(store: Store, game_id: str) -> list[Any]:
    with store.read() as conn:
        return list(conn.execute(select(ROWS).where(ROWS.c.game_id == game_id).order_by(ROWS.c.seat, ROWS.c.sitting)))


def ended(row: Any) -> tuple[Any, ...]:
    return row.seat, row.sitting, row.place, row.total, row.leaving, row.played_by


def agree(store: Store) -> bool:
    """Are all stored rows as they would be made now?"""
    found = list(rows.compare(store, rebuild=False))
    assert found
    return not any(it.differs for it in found)


def test_a_worker_makes_a_row_for_each_seat_of_a_finished_game(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=PLAIN)
    choose(store, game_id, BOB, NOON + HOUR)
    choose(store, game_id, ANN, NOON + 2 * HOUR)
    assert rows.make_due(store) == 0, "the game is not over"
    finish(store, game_id, NOON + 3 * HOUR, walks=ANN)
    assert rows.make_due(store) == 1
    assert rows.make_due(store) == 0
    ann, bob = kept(store, game_id)
    result = game(store, game_id).result
    assert result is not None
    assert [(it.place, it.total) for it in (ann, bob)] == [(it.place, it.total) for it in result.standings]
    assert (ann.person_id, bob.person_id, ann.bot, ann.title, ann.seats) == (*people, None, "toy", 2)
    assert ann.ended_at == NOON + 3 * HOUR
    assert (ann.times[0], bob.times[0]) == (7200, 3600)
    assert {ann.played_by, bob.played_by, ann.leaving} == {"player", ""}
    assert agree(store)


def test_cancelled_and_closed_games_have_no_rows(store: Store, people: tuple[int, int]) -> None:
    game_id = open_table(store)
    sit_down(store, game_id, *people)
    road.submit(store, game_id, None, [CancelGame()], None, None, NOON)
    assert rows.make_due(store) == 0
    assert list(rows.compare(store, rebuild=True)) == []


def test_a_bots_own_seat_has_no_person_and_no_times(store: Store, people: tuple[int, int]) -> None:
    ann, bot = kept(store, finished(store, people[0], "random"))
    assert (bot.person_id, bot.bot, bot.played_by, bot.times) == (None, "random", "bot", [])
    assert (ann.person_id, ann.bot, ann.played_by) == (people[0], None, "player")


def test_a_seat_that_resigned_says_so(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, person(store, "Cleo"), pace=PLAIN)
    give(store, game_id, BOB, Resign(), at=NOON + HOUR)
    finish(store, game_id, NOON + DAY)
    rows.make_due(store)
    seats = kept(store, game_id)
    assert ended(seats[1])[2:3] + ended(seats[1])[4:] == (None, "resigned", "nobody")
    assert {it.place for it in (seats[0], seats[2])} <= {1, 2}
    assert agree(store)


def test_a_seat_that_a_bot_played_to_the_end_says_so(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=Pace(DAY, excuse=False, then="bot"))
    choose(store, game_id, BOB, NOON + HOUR)
    clocks.call(store, NOON + DAY)
    finish(store, game_id, NOON + DAY + HOUR)
    rows.make_due(store)
    ann, bob = kept(store, game_id)
    assert (ann.person_id, ann.played_by, ann.leaving, ann.times) == (people[0], "bot", "", [])
    assert (bob.played_by, bob.times[0]) == ("player", 3600)
    assert ann.place is not None, "the result has a place for the seat"


def test_a_seat_that_the_clock_played_to_the_end_says_so(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=Pace(DAY, excuse=False, then="safe"))
    choose(store, game_id, BOB, NOON + HOUR)
    at = NOON
    while (now := game(store, game_id)).asked:
        at += DAY
        if BOB in now.asked:
            give(store, game_id, BOB, now.title.rules.safe(now.state, BOB), at=at)
        else:
            clocks.call(store, at)
    rows.make_due(store)
    ann, bob = kept(store, game_id)
    assert (ann.played_by, ann.times, bob.played_by) == ("clock", [], "player")


def replaced(store: Store, people: tuple[int, int], cleo: int, **more: Any) -> str:
    """Return a finished game in which Cleo took Ann's seat over."""
    game_id = table(store, *people, pace=Pace(DAY, excuse=False, then="substitute"), **more)
    choose(store, game_id, BOB, NOON + HOUR)
    clocks.call(store, NOON + DAY)
    road.take_over(store, game_id, ANN, person_id=cleo, at=NOON + 2 * DAY, invitation=0)
    choose(store, game_id, ANN, NOON + 2 * DAY + HOUR)
    finish(store, game_id, NOON + 3 * DAY)
    rows.make_due(store)
    return game_id


def test_a_seat_that_a_substitute_took_over_has_a_row_for_each_player(store: Store, people: tuple[int, int]) -> None:
    cleo = person(store, "Cleo")
    ann, substitute, bob = kept(store, replaced(store, people, cleo))
    assert (ann.person_id, ann.times, *ended(ann)) == (people[0], [], ANN, 0, None, None, "replaced", "nobody")
    assert (substitute.person_id, substitute.sitting, substitute.leaving) == (cleo, 1, "")
    assert substitute.times[0] == 3600
    assert substitute.place is not None
    assert (bob.person_id, bob.sitting) == (people[1], 0)
    assert agree(store)


def test_rows_of_an_erased_player_stay_without_them_and_are_made_again_alike(
    store: Store, people: tuple[int, int]
) -> None:
    cleo = person(store, "Cleo")
    game_id = replaced(store, people, cleo)
    before = kept(store, game_id)
    for who in (people[0], cleo):
        personal.erase(store, who, NOON + 9 * DAY)
    after = kept(store, game_id)
    assert [it.person_id for it in after] == [None, None, people[1]]
    assert [ended(it) for it in after] == [ended(it) for it in before]
    assert [(it.bot, it.times) for it in after] == [(it.bot, it.times) for it in before]
    with store.read() as conn:
        assert not conn.execute(select(FORMER)).all()
    assert agree(store)


def test_submissions_do_nothing_for_the_record(
    store: Store, people: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a game must not fail or wait because its rows cannot be made."""
    game_id = table(store, *people, pace=PLAIN)
    finish(store, game_id, NOON + HOUR)
    assert kept(store, game_id) == []
    with monkeypatch.context() as broken:
        broken.setattr(rows, "times", lambda plies: 1 // 0)
        assert rows.make_due(store) == 0
    assert rows.make_due(store) == 1


def test_one_game_whose_rows_cannot_be_made_holds_up_no_other(
    store: Store, people: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [table(store, *people, pace=PLAIN) for _ in range(3)]
    for hour, each in enumerate(games):
        finish(store, each, NOON + hour * HOUR)
    of_game = rows.of_game

    def broken(store: Store, conn: Any, game_id: str) -> Any:
        return 1 // 0 if game_id == games[0] else of_game(store, conn, game_id)

    monkeypatch.setattr(rows, "of_game", broken)
    monkeypatch.setattr(rows, "BATCH", 1)
    assert rows.make_due(store) == 2
    assert [bool(kept(store, each)) for each in games] == [False, True, True]


# ==== made again ==================================================================================
def command(store: Store, monkeypatch: pytest.MonkeyPatch, *options: str) -> tuple[int, str]:
    from service.cli import record

    with monkeypatch.context() as patch:
        patch.setattr(record, "opened_store", lambda: store)
        patch.setattr(store, "close", lambda: None)
        done = CliRunner().invoke(main.main, ["record", *options])
    return done.exit_code, done.output


def test_a_command_says_whether_the_rows_differ_and_makes_them_again(
    store: Store, people: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = finished(store, *people), finished(store, people[0], "random")
    whole = [kept(store, each) for each in (first, second)]
    assert command(store, monkeypatch, "--check") == (0, "Games: 2; rows: 4; games whose rows differed: 0.\n")
    assert command(store, monkeypatch, "--rebuild") == (0, "Games: 2; rows: 4; games whose rows differed: 0.\n")
    with store.write() as conn:
        conn.execute(update(ROWS).where(ROWS.c.game_id == first, ROWS.c.seat == 2).values(times=[1]))
        conn.execute(delete(ROWS).where(ROWS.c.game_id == second, ROWS.c.seat == 1))
    code, said = command(store, monkeypatch, "--check")
    assert (code, f"The record of game {first} differs.\n" in said, "differed: 2." in said) == (1, True, True)
    assert len(kept(store, second)) == 1, "a check changes nothing"
    code, said = command(store, monkeypatch, "--rebuild")
    assert (code, f"The record of game {second} differs and was made again.\n" in said) == (1, True)
    assert [kept(store, each) for each in (first, second)] == whole
    assert command(store, monkeypatch, "--check")[0] == 0


def test_the_command_makes_rows_that_no_worker_has_made_yet(
    store: Store, people: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = table(store, *people, pace=PLAIN)
    finish(store, game_id, NOON + HOUR)
    assert command(store, monkeypatch, "--check") == (0, "Games: 0; rows: 0; games whose rows differed: 0.\n")
    assert command(store, monkeypatch, "--rebuild")[0] == 1
    assert len(kept(store, game_id)) == 2
    with store.read() as conn:
        assert conn.execute(select(GAMES.c.recorded_at).where(GAMES.c.id == game_id)).scalar_one() is not None
    code, said = command(store, monkeypatch)
    assert (code, "Choose --check or --rebuild." in said) == (2, True)


def test_a_game_of_two_seats_started_without_a_pace_has_rows_without_times(
    store: Store, people: tuple[int, int]
) -> None:
    game_id = open_table(store, 2)
    sit_down(store, game_id, *people)
    road.submit(store, game_id, None, [StartGame()], None, None, NOON)
    finish(store, game_id, NOON + DAY)
    rows.make_due(store)
    assert [it.times for it in kept(store, game_id)] == [[], []]
