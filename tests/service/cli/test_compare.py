"""Two versions of the code replay a store, each in processes of its own, and the differences are named."""

import hashlib
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from domain import TITLES
from service.cli.main import main
from service.database.store import open_store
from service.proof.bundle.format import CLOSING, OPENING, End, line_of
from tests import record
from tests.bench import measure
from tests.service.proof.bundle import bundles

ROOT = Path(__file__).parents[3]
TTR = TITLES["ticket_to_ride"]


@pytest.fixture
def store_address(copy_on_sqlite: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", copy_on_sqlite)
    store = open_store(copy_on_sqlite)
    measure.keep(store, TTR, "short", measure.played(TTR, 2, 1, bot="sensible")[:90])
    measure.keep(store, TTR, "open", measure.played(TTR, 2, 2)[:2])
    store.close()
    return copy_on_sqlite


def checkout(folder: Path, file: str = "", old: str = "", new: str = "") -> Path:
    """A copy of the code, perhaps with an altered line."""
    shutil.copytree(ROOT / "domain", folder / "domain")  # with what is compiled already, but for the altered line
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


def renamed(folder: Path) -> Path:
    """A copy of the code with another name for a field of the table."""
    for file in (checkout(folder) / "domain").glob("*.py"):
        file.write_text(re.sub(r"\bfloor\b", "start_or_leaving", file.read_text()))
    return folder


@pytest.mark.long
def test_a_field_with_another_name_is_no_difference_when_that_is_said(store_address: str, tmp_path: Path) -> None:
    new = renamed(tmp_path / "new")
    answer = compare(ROOT, new)
    assert "Game open, ply 1: table" in answer.output
    assert "start_or_leaving: null → 0" in answer.output
    same = compare(ROOT, new, "--renamed", "floor=start_or_leaving")
    assert (same.exit_code, "The same. 2 games" in same.output) == (0, True), same.output
    assert compare(new, ROOT, "--renamed", "start_or_leaving=floor").exit_code == 0
    other = compare(ROOT, new, "--renamed", "floor=rewound")
    assert other.exit_code == 1
    assert "start_or_leaving" in other.output


@pytest.mark.parametrize("given", ["floor", "=floor", "a=b=c", "floor=1st"])
def test_a_renaming_has_two_names(store_address: str, given: str) -> None:
    answer = compare(ROOT, ROOT, "--renamed", given)
    assert (answer.exit_code, "is not OLD=NEW" in answer.output) == (2, True)


# ==== files =======================================================================================
@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A finished game of each title as a file; the first one as a page."""
    made = []
    for title in TITLES:
        game = record.read(min(record.files(title), key=lambda file: file.stat().st_size))
        made.append(tmp_path / f"{title}.jsonl")
        made[-1].write_bytes(bundles.recorded(game))
    page = tmp_path / "page.html"
    page.write_bytes(b"<!doctype html>\n" + OPENING + made[0].read_bytes() + CLOSING + b"\n")
    return [page, *made[1:]]


@pytest.mark.long
def test_files_are_compared_without_a_store(files: list[Path], tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", f"sqlite:///{tmp_path / 'nowhere' / 'store.db'}")
    answer = compare(ROOT, checkout(tmp_path / "copy"), *files)
    assert answer.exit_code == 0, answer.output
    assert "The same. 3 games with" in answer.output
    running = 'status="running", floor='
    altered = checkout(tmp_path / "new", "domain/lifecycle.py", f"{running}ply", f"{running}3")
    answer = compare(ROOT, altered, *files)
    assert "3 of 3 games differ." in answer.output
    assert f"({files[1]}), ply" in answer.output


def test_files_that_do_not_hold_a_game_are_named(files: list[Path], tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(files[1].read_bytes()[:-100])
    answer = compare(ROOT, ROOT, cut)
    assert (answer.exit_code, f"{cut} was changed after it was written" in answer.output) == (1, True)
    seen = tmp_path / "seen.jsonl"
    seen.write_bytes(bundles.running("ticket_to_ride", 1, None, 30))
    answer = compare(ROOT, ROOT, seen)
    assert (answer.exit_code, "does not hold the whole game" in answer.output) == (1, True)
    none = tmp_path / "none.jsonl"
    none.write_text("nothing\n")
    answer = compare(ROOT, ROOT, none)
    assert (answer.exit_code, f"{none}: " in answer.output) == (1, True)
    assert compare(ROOT, ROOT, files[0], "--game", "short").exit_code == 2
    assert compare(ROOT, ROOT, tmp_path / "gone.jsonl").exit_code == 2


def test_a_ply_that_no_code_can_read_is_named_in_words(files: list[Path], tmp_path: Path) -> None:
    *lines, _end = files[1].read_bytes().splitlines(keepends=True)
    lines[5] = re.sub(rb'"command\\":\\"[A-Za-z]+', rb'"command\\":\\"Nonsense', lines[5])
    end = End(len(lines) - 1, "00" * 32, hashlib.sha256(b"".join(lines)).hexdigest())
    strange = tmp_path / "strange.jsonl"
    strange.write_bytes(b"".join(lines) + line_of(end) + b"\n")
    answer = compare(ROOT, ROOT, strange)
    assert answer.exit_code == 1
    assert "ply 5: the code in" in answer.output
    assert "cannot continue: the log is not readable: Invalid value 'Nonsense'" in answer.output
    assert "ValidationError" not in answer.output


def test_a_folder_that_is_no_checkout_and_an_unknown_game_are_refused(store_address: str, tmp_path: Path) -> None:
    assert "is not a checkout" in compare(ROOT, tmp_path).output
    answer = compare(ROOT, ROOT, "--game", "nothing")
    assert (answer.exit_code, "There is no game nothing." in answer.output) == (1, True)


# ==== the face ====================================================================================
@pytest.fixture
def begun(copy_on_sqlite: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a game after its first move."""
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", copy_on_sqlite)
    store = open_store(copy_on_sqlite)
    measure.keep(store, TTR, "begun", measure.played(TTR, 2, 1, bot="sensible")[:8])
    store.close()
    return "begun"


def with_words(folder: Path, file: str, old: str, new: str) -> Path:
    """A checkout that has words and pictures too, with an altered line."""
    for part in ("config", "service"):
        shutil.copytree(ROOT / part, folder / part)
    return checkout(folder, file, old, new)


@pytest.mark.long("position for seat 1")
@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "domain/ticket_to_ride/words/de.po",
            'msgstr "Deine noch nicht erfüllten Zielkarten: {tickets}."',
            'msgstr "Deine anderen Zielkarten: {tickets}."',
            "position for seat 1",
        ),
        ("domain/ticket_to_ride/face/picture.py", "STRIP_TOP = 740", "STRIP_TOP = 741", "picture for a spectator"),
    ],
)
def test_an_altered_face_is_named_with_its_reader(
    begun: str, tmp_path: Path, file: str, old: str, new: str, told: str
) -> None:
    altered = with_words(tmp_path / "new", file, old, new)
    assert compare(ROOT, altered, "--game", begun).exit_code == 0, "no rule, state or view"
    answer = compare(ROOT, altered, "--game", begun, "--face")
    assert answer.exit_code == 1
    assert f": {told}" in answer.output


def test_a_checkout_older_than_the_face_is_compared_without(store_address: str, tmp_path: Path) -> None:
    answer = compare(ROOT, checkout(tmp_path / "old"), "--face")
    assert (answer.exit_code, "is older than --face" in answer.output) == (2, True)
