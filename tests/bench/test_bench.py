"""The benchmarks run and measure what they say; how fast it is, nobody asserts here."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

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
    mail,
    measure,
    pages,
    picture,
    position,
    proxies,
    reminders,
    replies,
    turn,
)
from tests.bench.__main__ import BENCHES, bench
from tests.bench.measure import Bench
from tests.servers import PostgreSQL
from tests.workers.processes import beat, worker


@contextmanager
def workers(settings: Settings) -> Iterator[None]:
    """In place of those that `mail` starts, and begin at once."""
    with worker(settings, "workers.app", at_once=1, queues="mail"), beat(settings):
        yield


@pytest.mark.parametrize("name", BENCHES)
def test_a_benchmark_prints_ours_beside_a_yardstick(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "SAMPLE", 0.0)
    monkeypatch.setattr(http, "SECONDS", 0.1)
    monkeypatch.setattr(http, "ROUNDS", 1)
    monkeypatch.setattr(http, "GAMES", 3)
    monkeypatch.setattr(http, "LATE", 120)
    monkeypatch.setattr(proxies, "GAMES", 1)
    monkeypatch.setattr(mail, "TABLES", 5)
    monkeypatch.setattr(mail, "SECONDS", 1)
    monkeypatch.setattr(mail, "DIGEST", 20)
    monkeypatch.setattr(replies, "TABLES", 5)
    monkeypatch.setattr(replies, "SECONDS", 1)
    monkeypatch.setattr(replies, "workers", workers)
    monkeypatch.setattr(reminders, "REMINDERS", 3000)
    monkeypatch.setattr(claims, "AHEAD", 2000)
    monkeypatch.setattr(claims, "CLAIMS", 20)
    monkeypatch.setattr(picture, "POSITIONS", 8)
    monkeypatch.setattr(picture, "YARDSTICKS", 2)
    monkeypatch.setattr(position, "PLIES", 120)
    monkeypatch.setattr(pages, "SEEDS", 1)
    monkeypatch.setattr(pages, "ROUNDS", 2)
    monkeypatch.setattr(turn, "GAMES", 2)
    monkeypatch.setattr(home, "TITLES", ())  # no whole games
    monkeypatch.setattr(turn, "PLAYED", 5)
    monkeypatch.setattr(turn, "ROUNDS", 2)
    title = "new_england" if name == "proxies" else "grand_trunk"  # the one that is asked in advance
    here = Bench(TITLES[title], {"SQLite": f"sqlite:///{tmp_path}/bench.db"}, 2, Console(), idle=1.0)
    figures = list(BENCHES[name](here))
    assert figures
    for figure in figures:
        for said in (figure.ours, figure.yardstick):
            assert any(digit in said for digit in "123456789"), figure


def test_a_postgresql_that_is_named_is_used_only_if_it_is_empty_and_left_so(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reminders, "REMINDERS", 2000)
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


def test_what_an_optimisation_gains_is_measured_with_and_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gains, "PAIRS", 1)
    monkeypatch.setattr(gains, "LONG", 1)
    done = CliRunner().invoke(gains.gains, ["--rounds", "2", "--only", "SQLite"])
    assert done.exit_code == 0, done.output
    for name in gains.OPTIMISATIONS:
        assert f"{name}, SQLite: " in done.output
