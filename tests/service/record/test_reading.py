"""A person's own record: games, results, opponents and times, as they may see them."""

import csv
import io
import json
import zipfile
from collections import Counter

import pytest
from msgspec.structs import replace

from domain.lifecycle import Resign
from domain.pace import DAY, HOUR
from service.database.store import Store
from service.games.plots import Sheet, drawn
from service.keeping import personal
from service.record import files, rows
from service.record.charts import charts, periods
from service.record.reading import RecordedGame, ends_on, quartiles, time_to_move
from tests.service.lanterns import BOB, NOON, give
from tests.service.record.lives import PLAIN, finish, finished, record_of
from tests.service.record.test_rows import replaced
from tests.workers.post import person, table

YEAR = 365 * DAY


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """SQLite: the statements are alike on both databases; those that write are tested on both."""
    return copy_on_sqlite


@pytest.fixture
def people(store: Store) -> tuple[int, int, int]:
    return person(store, "Ann"), person(store, "Bob"), person(store, "=Cleo")


def test_results_by_title_seats_and_opponents_with_bots_apart(store: Store, people: tuple[int, int, int]) -> None:
    ann, bob, cleo = people
    finished(store, ann, bob)
    finished(store, ann, bob, walks=BOB, at=NOON + 2 * DAY)
    finished(store, ann, cleo, "random", at=NOON + 3 * DAY)
    finished(store, ann, "sensible", at=NOON + 4 * DAY)
    finished(store, bob, cleo, at=NOON + 5 * DAY)
    own = record_of(store, ann)
    assert [it.ended_at for it in own.games] == [NOON + days * DAY for days in (4, 3, 2, 1)]
    assert [it.against for it in own.games] == ["bots", "both", "people", "people"]
    assert [(it.of, it.games) for it in own.by_title] == [("toy", 4)]
    assert [(it.of, it.games) for it in own.by_seats] == [("2", 3), ("3", 1)]
    assert [(it.name, it.games) for it in own.people] == [("Bob", 2), ("=Cleo", 1)]
    assert {(it.name, it.games) for it in own.bots} == {("random", 1), ("sensible", 1)}
    for each in (*own.people, *own.bots):
        assert each.ahead + each.behind + each.level == each.games
    (mine,) = own.by_title
    assert mine.won == sum(it.place == 1 for it in own.games)
    assert mine.average == sum(it.place or 0 for it in own.games) / 4
    theirs = next(it for it in record_of(store, bob).people if it.name == "Ann")
    (ours,) = (it for it in own.people if it.name == "Bob")
    assert (theirs.ahead, theirs.behind, theirs.level) == (ours.behind, ours.ahead, ours.level)


def test_filters(store: Store, people: tuple[int, int, int]) -> None:
    ann, bob, cleo = people
    finished(store, ann, bob, at=NOON + DAY)
    finished(store, ann, bob, cleo, at=NOON + 2 * DAY)
    finished(store, ann, "random", at=NOON + 3 * DAY)
    ends = {name: [it.ended_at - NOON for it in record_of(store, ann, **wanted).games] for name, wanted in {
        "title": {"title": "toy"}, "none": {"title": "new_england"}, "seats": {"seats": 3}, "bots": {"against": "bots"},
        "since": {"since": NOON + 2 * DAY}, "until": {"until": NOON + 2 * DAY},
    }.items()}  # fmt: skip
    assert ends == {
        "title": [3 * DAY, 2 * DAY, DAY], "none": [], "seats": [2 * DAY], "bots": [3 * DAY],
        "since": [3 * DAY, 2 * DAY], "until": [DAY],
    }  # fmt: skip


def test_days_of_a_filter_are_those_of_the_persons_calendar() -> None:
    from datetime import date

    found = ends_on(date(2027, 1, 15), date(2027, 1, 15), "America/New_York")
    assert found["until"] == (found["since"] or 0) + DAY
    assert found["since"] == NOON - 3 * HOUR  # NOON is 8:00 in UTC, and 3:00 there
    assert ends_on(None, None, "UTC") == {"since": None, "until": None}


def test_a_seat_that_left_is_behind_all_others_and_has_no_place(store: Store, people: tuple[int, int, int]) -> None:
    ann, bob, cleo = people
    game_id = table(store, ann, bob, cleo, pace=PLAIN)
    give(store, game_id, BOB, Resign(), at=NOON + HOUR)
    finish(store, game_id, NOON + DAY)
    rows.make_due(store)
    (game,) = record_of(store, bob).games
    assert (game.place, game.leaving, game.won) == (None, "resigned", False)
    (line,) = record_of(store, bob).by_title
    assert (line.games, line.won, line.not_finished, line.average) == (1, 0, 1, None)
    assert [(it.ahead, it.behind) for it in record_of(store, bob).people] == [(0, 1), (0, 1)]
    assert [(it.ahead, it.behind) for it in record_of(store, ann).people if it.name == "Bob"] == [(1, 0)]


def test_a_former_player_of_a_private_game_learns_nothing_of_its_end(
    store: Store, people: tuple[int, int, int]
) -> None:
    ann, bob, cleo = people
    game_id = replaced(store, (ann, bob), cleo, public=False)
    (former,) = record_of(store, ann).games
    assert (former.game, former.name, former.opponents, former.leaving) == (None, "", (), "replaced")
    (substitute,) = record_of(store, cleo).games
    assert (substitute.game, substitute.substitute, substitute.seat) == (game_id, True, former.seat)
    assert Counter(it.name for it in substitute.opponents) == Counter(["Ann", "Bob"])
    public = replaced(store, (ann, bob), cleo)
    assert {it.game for it in record_of(store, ann).games} == {None, public}


def test_an_erased_opponent_has_no_name_and_stays_in_the_counts(store: Store, people: tuple[int, int, int]) -> None:
    ann, bob, cleo = people
    finished(store, ann, bob)
    finished(store, ann, bob, cleo, at=NOON + 2 * DAY)
    before = record_of(store, ann)
    personal.erase(store, bob, NOON + 9 * DAY)
    own = record_of(store, ann, "de")
    assert [(it.name, it.games) for it in own.people] == [("(gelöscht)", 2), ("=Cleo", 1)]
    assert (own.by_title, own.time_to_move) == (before.by_title, before.time_to_move)
    assert "Bob" not in files.as_csv(own)


def test_quartiles_of_all_titles_and_of_each(store: Store) -> None:
    assert quartiles([7]) == (7, 7, 7)
    found = time_to_move([replace(ended(0, 50, 10, 30), title="a"), ended(1, 20, 40), ended(2)])
    assert [(it.of, it.turns, it.lower, it.median, it.upper) for it in found] == [
        ("", 5, 20, 30, 40), ("a", 3, 20, 30, 40), ("toy", 2, 25, 30, 35),
    ]  # fmt: skip
    assert time_to_move([ended(0)]) == ()


# ==== as files ====================================================================================
def test_a_table_of_games_holds_one_line_each_and_no_formula(store: Store, people: tuple[int, int, int]) -> None:
    ann, _bob, cleo = people
    finished(store, ann, cleo, name="-2+3")
    head, line = csv.reader(io.StringIO(files.as_csv(record_of(store, ann))))
    found = dict(zip(head, line, strict=True))
    assert (found["name"], found["opponents"], found["title"]) == ("'-2+3", "'=Cleo", "toy")
    assert (found["seats"], found["leaving"], found["substitute"]) == ("2", "", "no")
    assert found["ended_at"].startswith("2027-01-16T08:00")


def test_the_export_of_a_person_holds_their_record(store: Store, people: tuple[int, int, int]) -> None:
    ann, bob, _cleo = people
    game_id = finished(store, ann, bob)
    packed = zipfile.ZipFile(io.BytesIO(personal.export(store, ann, NOON + DAY)))
    whole = json.loads(packed.read("record.json"))
    assert [it["game"] for it in whole["games"]] == [game_id]
    assert whole["games"][0]["ended_at"].startswith("2027-01-16T08:00")
    assert packed.read("record.csv").decode().count(game_id) == 1
    (row,) = json.loads(packed.read("person.json"))["record"]
    assert (row["game_id"], row["person_id"], row["seat"]) == (game_id, ann, 1)


# ==== plots =======================================================================================
def ended(days: int, *times: int, place: int = 1) -> RecordedGame:
    return RecordedGame(
        "g", "", "toy", NOON + days * DAY, 2, 1, place, 0, "", "player", False, "people", (), tuple(times)
    )


def test_periods_cover_all_months_between_and_grow_with_their_number() -> None:
    found = periods([ended(0), ended(40), ended(130)], "UTC")
    assert [(it.name("en"), len(it.games)) for it in found] == [
        ("Jan 2027", 1), ("Feb 2027", 1), ("Mar 2027", 0), ("Apr 2027", 0), ("May 2027", 1),
    ]  # fmt: skip
    for years, months in ((1, 1), (4, 3), (20, 12), (100, 60)):
        found = periods([ended(0), ended(years * 365)], "UTC")
        assert {it.months for it in found} == {months}
        assert len(found) <= 25
        assert sum(len(it.games) for it in found) == 2
    assert periods([ended(0)], "Pacific/Auckland")[0].name("de") == "Jan. 2027"


def test_plots_show_games_wins_and_medians(store: Store) -> None:
    games = (ended(0, 60, 120), ended(1, 180, place=2), ended(40, 600))
    own = record_of(store, 0)
    finished, times = charts(type(own)(games, (), (), (), (), ()), "en", "UTC")
    assert [[(it.value, it.beside) for it in group.bars] for group in finished.groups] == [[(2, 10)], [(1, 10)]]  # type: ignore[union-attr]
    assert [group.bars[0].value for group in times.groups] == [2, 10]  # type: ignore[union-attr]
    assert charts(own, "en", "UTC") == ()
    for plot in (finished, times):
        assert drawn(plot, Sheet(str, {}, dict.fromkeys(("ink", "muted", "rail", "accent"), "#000"))).svg
