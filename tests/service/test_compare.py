"""Two versions of the code replay a store, each in processes of its own, and what differs is named."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from domain import TITLES
from service.cli.main import main
from service.database.store import open_store
from tests.bench import measure

ROOT = Path(__file__).parent.parent.parent
TTR = TITLES["ticket_to_ride"]


@pytest.fixture
def store_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    address = f"sqlite:///{tmp_path / 'store.db'}"
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", address)
    store = open_store(address)
    store.migrate()
    measure.keep(store, TTR, "short", measure.played(TTR, 2, 1, bot="sensible")[:90])
    measure.keep(store, TTR, "open", measure.played(TTR, 2, 2)[:2])
    store.close()
    return address


def checkout(folder: Path, file: str = "", old: str = "", new: str = "") -> Path:
    """The code in another place, perhaps with a line altered."""
    shutil.copytree(ROOT / "domain", folder / "domain", ignore=shutil.ignore_patterns("__pycache__"))
    if file:
        altered = folder / file
        text = altered.read_text()
        assert text.count(old) == 1
        altered.write_text(text.replace(old, new))
    return folder


def compare(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def test_the_same_code_makes_the_same_of_it(store_address: str, tmp_path: Path) -> None:
    answer = compare(ROOT, checkout(tmp_path / "copy"))  # which has no script of its own, as an old release
    assert answer.exit_code == 0, answer.output
    assert "The same. 2 games with 92 plies." in answer.output


def test_an_altered_rule_is_named_with_game_and_ply(store_address: str, tmp_path: Path) -> None:
    altered = checkout(tmp_path / "new", "domain/ticket_to_ride/board.py", "2: 2, 3: 4,", "2: 3, 3: 4,")
    answer = compare(ROOT, altered)
    assert answer.exit_code == 1
    assert "1 of 2 games differ." in answer.output
    assert "Game short, ply" in answer.output
    assert ": decided" in answer.output
    assert "events[0].points: 2 → 3" in answer.output
    assert "Game open" not in answer.output


def test_an_altered_fold_is_named_by_what_it_changes(store_address: str, tmp_path: Path) -> None:
    running = 'status="running", floor='
    altered = checkout(tmp_path / "new", "domain/lifecycle.py", f"{running}ply", f"{running}3")
    answer = compare(ROOT, altered, "--game", "short")
    assert "Game short, ply 4: table" in answer.output
    assert "floor: 4 → 3" in answer.output


def test_code_that_cannot_read_the_log_is_told_of(store_address: str, tmp_path: Path) -> None:
    altered = checkout(tmp_path / "new", "domain/lifecycle.py", "class SeatTaken(Event", "class SeatGone(Event")
    answer = compare(ROOT, altered)
    assert answer.exit_code == 1
    assert "does not run" in answer.output


def test_what_is_no_checkout_and_what_is_no_game(store_address: str, tmp_path: Path) -> None:
    assert "is no checkout" in compare(ROOT, tmp_path).output
    answer = compare(ROOT, ROOT, "--game", "nothing")
    assert (answer.exit_code, "There is no game nothing." in answer.output) == (1, True)
