"""The nightly check of every game: in steps, by many workers, interrupted and resumed; the readers of its findings."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import text, update

from domain.lifecycle import CancelGame
from service.base.clock import DAY, HOUR, now
from service.cli import main
from service.database.store import GAMES, Store
from service.people import accounts
from service.proof import checks
from service.proof.verdicts import NOT_PROVED
from service.web.app import create_app
from tests import toy
from tests.service.lanterns import NOON, give, open_table, play_on, start
from tests.service.web.pages.browser import Browser
from tests.workers.post import person, sit_down, table

NIGHT = NOON - NOON % DAY + 3 * HOUR


@pytest.fixture
def games(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three toy games: over, running, and for two alone."""
    monkeypatch.setattr(checks, "BATCH", 1)
    over, running = start(store), start(store)
    play_on(store, over)
    private = open_table(store, public=False)
    sit_down(store, private, person(store, "Ann"), "random")
    return [over, running, private]


def run(store: Store, at: int = NOON, **more: Any) -> checks.Run:
    while checks.step(store, clock=lambda: at, **more):
        pass
    return newest(store)


def newest(store: Store) -> checks.Run:
    with store.read() as conn:
        return checks.runs(conn)[0]


def spoil(store: Store, game_id: str, ply: int = 3) -> None:
    """Change a ply, as somebody with access to the database could."""
    with store.write() as conn:
        if store.on_sqlite:
            for name in conn.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all():
                conn.execute(text(f'DROP TRIGGER "{name}"'))
        else:
            conn.execute(text("ALTER TABLE ply DISABLE TRIGGER USER"))
        change = text("UPDATE ply SET link = body WHERE game_id = :game AND ply = :ply")
        conn.execute(change, {"game": game_id, "ply": ply})


def told(store: Store, viewer: int | None) -> set[tuple[str, int | None, bool]]:
    with store.read() as conn:
        return {(it.game_id, it.ply, bool(it.what())) for it in checks.differences_for(conn, viewer, newest(store).id)}


def test_it_proves_every_game_once_a_night(store: Store, games: list[str]) -> None:
    found = run(store)
    assert (found.games, found.wrong, found.titles["toy"]["games"]) == (3, 0, 3)
    assert found.plies == sum(it["plies"] for it in found.titles.values()) > 10
    assert (found.started_at, found.ended_at) == (NOON, NOON)
    assert run(store, NOON + HOUR).id == found.id, "the night has its run"
    assert run(store, NIGHT + DAY - 1).id == found.id
    assert run(store, NIGHT + DAY).id != found.id


def test_a_clock_that_jumped_forward_leaves_no_night_without_its_check(store: Store, games: list[str]) -> None:
    """The clock was set right again: the run of a future night prevents no earlier one."""
    ahead = run(store, NOON + 30 * DAY)
    assert run_of(store, NOON).ended_at == NOON
    assert run_of(store, NIGHT + DAY).ended_at == NIGHT + DAY
    assert newest(store) == ahead
    assert run(store, NOON + 30 * DAY).id == ahead.id, "that night has its run"


def test_a_lease_of_a_clock_that_jumped_forward_blocks_no_worker(store: Store, games: list[str]) -> None:
    """The worker of the step died, and its lease would end in thirty days."""
    checks.begin_if_due(store, NOON + 30 * DAY)
    assert checks._claim(store, NOON + 30 * DAY)
    assert run(store, NOON).ended_at == NOON


def run_of(store: Store, at: int) -> checks.Run:
    """The run of the night of ``at``."""
    run(store, at)
    with store.read() as conn:
        return next(it for it in checks.runs(conn) if it.started_at == at)


def test_an_interrupted_run_resumes(store: Store, games: list[str]) -> None:
    assert checks.step(store, clock=lambda: NOON, seconds=0)  # it has begun, and has time for nothing
    assert newest(store).games == 0
    claimed = checks._claim(store, NOON)
    assert not checks.step(store, clock=lambda: NOON), "another worker is at it"
    first, report = checks._next(store, claimed)[:1], checks._prove(store, games[0])
    half = checks._write(store, claimed, first, [report], 5, False, NOON)
    assert half.games == 1
    later = NOON + checks.LEASE  # that worker was killed
    assert run(store, later).games == 3
    assert checks._write(store, half, [], [], 0, True, later) is None, "what comes too late counts no more"
    assert newest(store).games == 3


def test_faults_are_shown_to_people_who_may_see_the_game(store: Store, games: list[str]) -> None:
    over, running, private = games
    for game_id in games:
        spoil(store, game_id, 1 if game_id == private else 3)
    found = run(store)
    assert (found.games, found.wrong, found.titles["toy"]["wrong"]) == (3, 3, 3)
    ann = 1
    assert told(store, None) == {(over, 3, True), (running, 3, False)}
    assert told(store, ann) == {(over, 3, True), (running, 3, False), (private, 1, False)}
    with store.read() as conn:
        assert {it.game_id for it in checks.differences(conn, found.id) if it.what()} == set(games)


def test_a_game_that_cannot_be_checked_delays_no_other(
    store: Store, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = checks.verify_game

    def fails(store: Store, game_id: str) -> Any:
        if game_id == games[1]:
            raise ZeroDivisionError
        return honest(store, game_id)

    monkeypatch.setattr(checks, "verify_game", fails)
    found = run(store)
    assert (found.games, found.wrong) == (3, 1)


def test_a_game_that_goes_on_while_it_is_read_is_no_difference(
    store: Store, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL row and plies are read one after the other."""
    honest, once = checks.verify_game, []

    def moves_on(store: Store, game_id: str) -> Any:
        if game_id == games[2] and not once:
            once.append(1)
            with store.write() as conn:
                conn.execute(update(GAMES).where(GAMES.c.id == game_id).values(asked=[9]))
            report = honest(store, game_id)
            with store.write() as conn:
                conn.execute(update(GAMES).where(GAMES.c.id == game_id).values(asked=[]))
            assert not report.proved
            return report
        return honest(store, game_id)

    monkeypatch.setattr(checks, "verify_game", moves_on)
    assert run(store).wrong == 0
    assert once


def test_only_the_last_runs_are_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "KEPT", 3)
    give(store, open_table(store), None, CancelGame())
    for day in range(5):
        run(store, NOON + day * DAY)
    with store.read() as conn:
        assert len(checks.runs(conn)) == 3


def test_the_check_of_a_night_begins_after_its_hour(store: Store, tmp_path: Path) -> None:
    table(store, "random", "random")
    assert checks.night(store, NIGHT) == NIGHT
    assert checks.night(store, NIGHT - 1) == NIGHT - DAY


# ==== readers =====================================================================================
def test_the_page_and_the_api_show_the_findings(store: Store, games: list[str], tmp_path: Path) -> None:
    app = create_app(store.settings, store)
    stranger, ann = Browser(app), Browser(app)
    with store.write() as conn:
        session = accounts.open_session(conn, 1, now())
    ann.client.set_cookie("session", session)
    assert "No check has finished yet." in stranger.get("/checks").text
    run(store)
    assert "3 games verified, 0 differences" in stranger.get("/checks").text
    spoil(store, games[2], 1)
    spoil(store, games[0])
    run(store, NOON + DAY)
    assert "3 games verified, 2 differences" in stranger.get("/checks").text
    assert games[2] not in stranger.get("/checks").html
    assert "1 games that you are not allowed to see." in stranger.get("/checks").text
    assert f"Game {games[2]} , ply 1" in ann.get("/checks").text
    assert "3 Partien geprüft, 2 Abweichungen" in Browser(app, "de").get("/checks").text
    with store.write() as conn:
        conn.execute(update(checks.RUNS).values(spent=60, plies=12345))
    assert "12,345 plies in 0.1 s" in stranger.get("/checks").text
    assert "12.345 Züge in 0,1 s" in Browser(app, "de").get("/checks").text
    told = stranger.client.get("/api/v1/checks").json
    assert [(it["games"], it["wrong"], len(it["differences"])) for it in told["checks"]] == [(3, 2, 1), (3, 0, 0)]
    assert [it["not_proved"] for it in told["checks"]] == [0, 0]


def test_games_that_are_only_replayed_are_reported(
    store: Store, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are no differences, but nobody may take them for proved."""
    monkeypatch.setitem(store.titles, "toy", toy.ruled(version=toy.TITLE.rules.version + 1, older={}))
    monkeypatch.setattr(main, "opened_store", lambda: store)
    found = run(store)
    assert (found.games, found.wrong, found.not_proved) == (3, 0, 3)
    assert found.titles["toy"] == {"games": 3, "plies": found.plies, "wrong": 0, "not_proved": 3}
    app = create_app(store.settings, store)
    assert "Games not fully verified: 3. Some of their plies were only replayed" in Browser(app).get("/checks").text
    assert "Nicht vollständig geprüft" in Browser(app, "de").get("/checks").text
    assert Browser(app).client.get("/api/v1/checks").json["checks"][0]["not_proved"] == 3
    answer = CliRunner().invoke(main.main, ["checks"])
    assert (answer.exit_code, "0 differences, 3 not fully checked against the rules" in answer.output) == (
        NOT_PROVED,
        True,
    )


def test_a_run_of_the_previous_release_goes_on(store: Store, games: list[str]) -> None:
    """A run that began with the previous release goes on with this one."""
    checks.begin_if_due(store, NOON)
    with store.write() as conn:
        conn.execute(update(checks.RUNS).values(titles={"toy": {"games": 4, "plies": 9, "wrong": 0}}))
    found = run(store)
    assert (found.titles["toy"]["games"], found.not_proved) == (7, 0)


def test_the_operator_is_told_everything(store: Store, games: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "opened_store", lambda: store)
    assert "No check has run yet" in CliRunner().invoke(main.main, ["checks"]).output
    run(store)
    assert CliRunner().invoke(main.main, ["checks"]).exit_code == 0
    spoil(store, games[2], 1)
    run(store, NOON + DAY)
    answer = CliRunner().invoke(main.main, ["checks"])
    assert answer.exit_code == 1
    assert f"Wrong. Game {games[2]}, ply 1: its link cannot be computed" in answer.output
