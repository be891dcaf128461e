"""The benchmarks run and measure what they say; how fast it is, nobody asserts here."""

from pathlib import Path

import pytest
from rich.console import Console

from domain import TITLES
from tests.bench import claims, http, mail, measure, proxies, reminders, turn
from tests.bench.__main__ import BENCHES
from tests.bench.measure import Bench


@pytest.mark.parametrize("name", BENCHES)
def test_a_benchmark_prints_ours_beside_a_yardstick(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "SAMPLE", 0.0)
    monkeypatch.setattr(http, "SECONDS", 0.1)
    monkeypatch.setattr(http, "ROUNDS", 1)
    monkeypatch.setattr(http, "GAMES", 3)
    monkeypatch.setattr(http, "LATE", 120)
    monkeypatch.setattr(proxies, "GAMES", 1)
    monkeypatch.setattr(mail, "TABLES", 5)
    monkeypatch.setattr(mail, "SECONDS", 1)
    monkeypatch.setattr(mail, "DIGEST", 20)
    monkeypatch.setattr(reminders, "REMINDERS", 3000)
    monkeypatch.setattr(claims, "AHEAD", 2000)
    monkeypatch.setattr(claims, "CLAIMS", 20)
    monkeypatch.setattr(turn, "GAMES", 2)
    monkeypatch.setattr(turn, "PLAYED", 5)
    monkeypatch.setattr(turn, "ROUNDS", 2)
    title = "new_england" if name == "proxies" else "grand_trunk"  # the one that is asked in advance
    here = Bench(TITLES[title], {"SQLite": f"sqlite:///{tmp_path}/bench.db"}, 2, Console())
    figures = list(BENCHES[name](here))
    assert figures
    for figure in figures:
        for said in (figure.ours, figure.yardstick):
            assert any(digit in said for digit in "123456789"), figure
