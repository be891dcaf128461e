"""Ratings of rated games: in the order of their ends, again from an earlier end on, and after erasures."""

from collections.abc import Sequence
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, select, update

from domain.lifecycle import Resign
from domain.pace import DAY, HOUR, Pace
from domain.refusal import Refused
from service.cli import main
from service.database.store import GAMES, Store
from service.keeping import personal
from service.record import formula, ratings, rows
from service.record.formula import NEWCOMER, Strength, rated
from service.record.ratings import RATINGS
from service.record.rows import ROWS
from tests import road
from tests.service.lanterns import ANN, BOB, NOON, give, open_table
from tests.service.record.lives import PLAIN, choose, finish, record_of
from tests.workers.post import person, table
from workers import clocks


@pytest.fixture
def people(store: Store) -> list[int]:
    return [person(store, name) for name in ("Ann", "Bob", "Cleo")]


def kept(store: Store) -> list[Any]:
    with store.read() as conn:
        return list(conn.execute(select(RATINGS).order_by(RATINGS.c.ended_at, RATINGS.c.game_id, RATINGS.c.seat)))


def agree(store: Store) -> bool:
    found = ratings.compare(store, rebuild=False)
    assert found
    return not any(it.differing for it in found)


def played(store: Store, who: Sequence[int], at: int, *, walks: int = ANN, records: bool = True) -> str:
    """Return a rated game that has ended. ``records``: a worker has seen it."""
    game_id = table(store, *who, pace=PLAIN, rated=True)
    finish(store, game_id, at, walks=walks)
    if records:
        rows.make_due(store)
    return game_id


def after(store: Store) -> dict[int, tuple[int, int]]:
    """Return person -> strength after their last game."""
    return {it.person_id: (it.mu, it.sigma) for it in kept(store)}


def test_a_rated_game_changes_the_strengths_of_its_players(store: Store, people: list[int]) -> None:
    played(store, people, NOON + DAY)
    ann, bob, cleo = kept(store)
    assert {(it.before_mu, it.before_sigma) for it in (ann, bob, cleo)} == {tuple(NEWCOMER)}
    assert [it.person_id for it in (ann, bob, cleo)] == people
    with store.read() as conn:
        places = list(conn.scalars(select(ROWS.c.place).order_by(ROWS.c.seat)))
    assert [Strength(it.mu, it.sigma) for it in (ann, bob, cleo)] == rated([NEWCOMER] * 3, places)
    assert {it.formula for it in (ann, bob, cleo)} == {formula.VERSION}
    played(store, people[:2], NOON + 2 * DAY)
    assert [(it.before_mu, it.before_sigma) for it in kept(store)[3:]] == [(it.mu, it.sigma) for it in (ann, bob)]
    assert agree(store)


def test_games_that_are_not_rated_change_nothing(store: Store, people: list[int]) -> None:
    game_id = table(store, *people, pace=PLAIN)
    finish(store, game_id, NOON + DAY)
    rows.make_due(store)
    assert kept(store) == []
    assert record_of(store, people[0]).ratings == ()


def test_only_public_tables_of_people_can_be_rated(store: Store, people: list[int]) -> None:
    with pytest.raises(Refused, match="Only public games can be rated"):
        open_table(store, public=False, rated=True)
    game_id = open_table(store, rated=True)
    with pytest.raises(Refused, match="Only people can play a rated game"):
        road.take_seat(store, game_id, 1, choice={}, bot="random", at=NOON)


def test_an_earlier_end_that_turns_up_is_rated_before_later_ones(store: Store, people: list[int]) -> None:
    first = played(store, people, NOON + DAY, records=False)
    with store.write() as conn:  # no worker finds it yet
        conn.execute(update(GAMES).where(GAMES.c.id == first).values(recorded_at=1))
    played(store, people[:2], NOON + 2 * DAY, walks=BOB)
    played(store, people[1:], NOON + 3 * DAY)
    assert len(kept(store)) == 4
    with store.write() as conn:
        conn.execute(update(GAMES).where(GAMES.c.id == first).values(recorded_at=None))
    rows.make_due(store)
    whole = kept(store)
    assert [it.ended_at for it in whole] == [NOON + DAY] * 3 + [NOON + 2 * DAY] * 2 + [NOON + 3 * DAY] * 2
    assert (whole[3].before_mu, whole[4].before_mu) == (whole[0].mu, whole[1].mu)
    assert agree(store)


def test_games_that_end_at_the_same_moment_are_rated_in_the_order_of_their_ids(store: Store, people: list[int]) -> None:
    games = sorted(played(store, people[:2], NOON + DAY, walks=1 + number % 2, records=False) for number in range(4))
    for each in reversed(games):
        with store.write() as conn:
            found = rows.of_game(store, conn, each)
            rows.keep(conn, each, found, NOON)
    whole = kept(store)
    assert [it.game_id for it in whole] == [each for each in games for _ in range(2)]
    assert [it.before_mu for it in whole[2:]] == [it.mu for it in whole[:-2]]
    assert agree(store)


def test_players_who_left_share_the_last_place(store: Store, people: list[int]) -> None:
    game_id = table(store, *people, pace=PLAIN, rated=True)
    give(store, game_id, BOB, Resign(), at=NOON + HOUR)
    give(store, game_id, 3, Resign(), at=NOON + 2 * HOUR)
    finish(store, game_id, NOON + DAY)
    rows.make_due(store)
    ann, bob, cleo = kept(store)
    assert (bob.mu, bob.sigma) == (cleo.mu, cleo.sigma)
    assert ann.mu > NEWCOMER.mu > bob.mu


def test_a_seat_that_a_bot_finished_is_last_whatever_its_points(store: Store, people: list[int]) -> None:
    game_id = table(store, *people[:2], pace=Pace(DAY, excuse=False, then="bot"), rated=True)
    choose(store, game_id, BOB, NOON + HOUR)
    clocks.call(store, NOON + DAY)
    finish(store, game_id, NOON + DAY + HOUR, walks=ANN)
    rows.make_due(store)
    with store.read() as conn:
        assert conn.execute(select(ROWS.c.place).where(ROWS.c.seat == ANN)).scalar_one() == 1
    ann, bob = kept(store)
    assert ann.mu < NEWCOMER.mu < bob.mu


def test_substitutes_are_not_rated_and_the_first_player_is_last(store: Store, people: list[int]) -> None:
    game_id = table(store, *people[:2], pace=Pace(DAY, excuse=False, then="substitute"), rated=True)
    choose(store, game_id, BOB, NOON + HOUR)
    clocks.call(store, NOON + DAY)
    road.take_over(store, game_id, ANN, person_id=people[2], at=NOON + 2 * DAY)
    finish(store, game_id, NOON + 3 * DAY, walks=ANN)
    rows.make_due(store)
    assert [(it.seat, it.person_id) for it in kept(store)] == [(ANN, people[0]), (BOB, people[1])]
    ann, bob = kept(store)
    assert ann.mu < NEWCOMER.mu < bob.mu
    assert agree(store)


def test_an_erasure_moves_nobodys_rating_also_when_all_is_computed_again(store: Store, people: list[int]) -> None:
    for day in range(1, 5):
        played(store, people if day % 2 else people[:2], NOON + day * DAY, walks=1 + day % 2)
    before = after(store)
    personal.erase(store, people[1], NOON + 9 * DAY)
    assert agree(store)
    played(store, [people[0], people[2]], NOON + 20 * DAY, records=False)
    with store.write() as conn:
        ratings.rate(conn, "toy", ratings.FROM_THE_START)
    assert {it: strength for it, strength in after(store).items() if it is not None} == {
        it: strength for it, strength in before.items() if it != people[1]
    }


def test_another_version_of_the_formula_computes_all_again(
    store: Store, people: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    played(store, people, NOON + DAY)
    before = kept(store)
    personal.erase(store, people[1], NOON + 2 * DAY)
    monkeypatch.setattr(ratings, "VERSION", 2)
    assert not agree(store)
    played(store, [people[0], people[2]], NOON + 3 * DAY)
    assert {it.formula for it in kept(store)} == {2}
    assert (kept(store)[1].before_mu, kept(store)[0].mu) == (NEWCOMER.mu, before[0].mu), "erased players are newcomers"
    assert agree(store)


def test_the_command_says_whether_ratings_differ_and_computes_them_again(
    store: Store, people: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.cli import record

    def command(*options: str) -> tuple[int, str]:
        with monkeypatch.context() as patch:
            patch.setattr(record, "opened_store", lambda: store)
            patch.setattr(store, "close", lambda: None)
            done = CliRunner().invoke(main.main, ["ratings", *options])
        return done.exit_code, done.output

    assert command("--check") == (0, "There are no rated games.\n")
    game_id = played(store, people, NOON + DAY)
    played(store, people, NOON + 2 * DAY)
    whole = kept(store)
    assert command("--check") == (0, "toy: games: 2; ratings: 6; games that differed: 0.\n")
    with store.write() as conn:
        conn.execute(update(RATINGS).where(RATINGS.c.game_id == game_id, RATINGS.c.seat == 2).values(mu=1))
    assert command("--check") == (1, f"toy: games: 2; ratings: 6; games that differed: 1.\n  {game_id}\n")
    with store.write() as conn:
        conn.execute(delete(RATINGS).where(RATINGS.c.seat == 3))
    assert command("--rebuild")[0] == 1
    assert kept(store) == whole
    assert command("--check")[0] == 0
    assert command()[0] == 2


def test_a_rating_is_a_range_until_the_fifth_game(store: Store, people: list[int]) -> None:
    for day in range(1, 6):
        played(store, people[:2], NOON + day * DAY)
        (rating,) = record_of(store, people[0]).ratings
        assert (rating.title, rating.games, rating.rating is None) == ("toy", day, day < 5)
        assert rating.low < rating.high
    assert rating.low < (rating.rating or 0) < rating.high
