"""The benchmarks run and measure what their names say; the tests do not assert speed."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import pytest
from click.testing import CliRunner
from rich.console import Console

from config.settings import Settings
from domain import TITLES
from service.database import migrations
from service.database.store import open_store
from tests.bench import (
    claims,
    gains,
    home,
    http,
    live,
    mail,
    measure,
    pages,
    picture,
    position,
    proxies,
    record,
    reminders,
    replies,
    sink,
    turn,
)
from tests.bench.__main__ import BENCHES, bench
from tests.bench.measure import Bench
from tests.children import CHILDREN, Child
from tests.servers import PostgreSQL
from tests.workers.post import until
from tests.workers.processes import ROOT, beat, forked, run_celery, run_slowtrain, worker

LEAST: dict[ModuleType, dict[str, object]] = {
    measure: {"SAMPLE": 0.0},
    http: {"SECONDS": 0.1, "ROUNDS": 1, "GAMES": 1, "CLIENTS": 2, "LATE": 60},
    live: {"STREAMS": 100, "SETTLED": 0.0, "SECONDS": 1, "PAIRS": 2, "WARM": 0},
    proxies: {"GAMES": 1},
    mail: {"TABLES": 2, "EACH_SECOND": 8, "SECONDS": 1, "DIGEST": 20, "BARE": 3},  # so that each table is asked again
    replies: {"TABLES": 4, "EACH_SECOND": 4, "SECONDS": 1},
    reminders: {"REMINDERS": 1500},
    claims: {"AHEAD": 1200, "CLAIMS": 10},
    picture: {"POSITIONS": 2, "YARDSTICKS": 1},
    position: {"PLIES": 120},
    pages: {"SEEDS": 1, "ROUNDS": 1},
    record: {"GAMES_PLAYED": 3},
    turn: {"GAMES": 1, "PLAYED": 5, "ROUNDS": 1},
    home: {"TITLES": ()},  # no whole games
}
"""The least amount of work with which each benchmark does all that it does."""


@contextmanager
def workers(settings: Settings) -> Iterator[None]:
    """Start workers in place of those that `mail` starts, which begin at once."""
    with worker(settings, "workers.app", at_once=1, queues="mail"), beat(settings):
        yield


@contextmanager
def at_once(settings: Settings, *command: str) -> Iterator[Child]:
    """Start forked processes in place of those that benchmarks start, with the same orders."""
    _, option, what, *arguments = command
    run = {"celery": run_celery, "tests.bench.sink": sink.main}.get(what, run_slowtrain)
    assert (option == "-c") is (run is run_slowtrain)
    with forked(settings, run, *arguments) as child:
        yield child


@contextmanager
def served(address: str) -> Iterator[int]:
    """Start a forked server in place of the one that `http` starts. Yield its port."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "port"
        child = Child(http.serve, ["", address, folder], os.environ, ROOT, out)
        try:
            yield int(until(lambda: out.exists() and out.read_text().endswith("\n") and out.read_text()))
        finally:
            child.kill()
            child.wait()


@pytest.mark.long(
    "live", "home", "mail", "pages", "turn", "replies", "http", "position", "picture", "record", "proxies"
)
@pytest.mark.parametrize("name", BENCHES)
def test_a_benchmark_prints_ours_beside_a_yardstick(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, amounts in LEAST.items():
        for amount, least in amounts.items():
            monkeypatch.setattr(module, amount, least)
    monkeypatch.setattr(replies, "workers", workers)
    for module in (home, live, mail, replies):
        monkeypatch.setattr(module, "process", at_once)
    for module in (http, pages, turn):
        monkeypatch.setattr(module, "served", served)
    monkeypatch.setattr(live, "SEPARATE", CHILDREN)
    title = "new_england" if name == "proxies" else "grand_trunk"  # the title with answers in advance
    here = Bench(TITLES[title], {"SQLite": f"sqlite:///{tmp_path}/bench.db"}, 2, Console(), idle=0.1)
    figures = list(BENCHES[name](here))
    assert figures
    for figure in figures:
        for said in (figure.ours, figure.yardstick):
            assert any(digit in said for digit in "123456789"), figure


@pytest.mark.long
def test_a_named_postgresql_must_be_empty_and_stays_empty(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reminders, "REMINDERS", 20)
    address = postgresql.new_database()
    for _ in range(2):
        done = CliRunner().invoke(bench, ["reminders", "--postgresql", address])
        assert done.exit_code == 0, done.output
        assert "reminders swept, PostgreSQL" in " ".join(done.output.split())
    with closing(open_store(address)) as store:
        store.migrate()
        done = CliRunner().invoke(bench, ["reminders", "--postgresql", address])
        assert done.exit_code == 1
        assert "not empty, and is left as it is" in done.output
        with store.read() as conn:
            assert migrations.fits(conn)


def test_the_gain_of_an_optimisation_is_measured_with_and_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gains, "PAIRS", 1)
    monkeypatch.setattr(gains, "LONG", 1)
    done = CliRunner().invoke(gains.gains, ["--rounds", "2", "--only", "SQLite"])
    assert done.exit_code == 0, done.output
    for name in gains.OPTIMISATIONS:
        assert f"{name}, SQLite: " in done.output
