"""``slowtrain export``, ``import`` and ``verify FILE``: exit codes, words, and no traceback whatever the file."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.database.store import Store
from service.proof.bundle.format import FORMAT
from tests.service.lanterns import log, play_on, start
from tests.service.proof.bundle import bundles

Run = Callable[..., Result]


@pytest.fixture
def slowtrain(store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", database_url)
    return run


def run(*arguments: str | Path) -> Result:
    done = CliRunner().invoke(main.main, [str(each) for each in arguments], prog_name="slowtrain")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def test_export_verify_and_import_again(slowtrain: Run, store: Store, tmp_path: Path) -> None:
    game_id = start(store)
    play_on(store, game_id)
    for form in ("html", "jsonl"):
        file = tmp_path / f"game.{form}"
        assert slowtrain("export", game_id, "--format", form, "-o", file).exit_code == 0
        mail = f"5:{log(store, game_id)[4].fingerprint}"
        done = slowtrain("verify", file, "--fingerprint", mail, "-f", log(store, game_id)[6].fingerprint)
        assert done.exit_code == 0, done.output
        assert "Proved. Nothing was changed, and all of it was played by the rules." in done.output
        assert f"{mail} belongs to ply 5" in done.output
        done = slowtrain("import", file)
        assert (done.exit_code, "is already here, with the same log" in done.output) == (0, True)
    shown = slowtrain("export", game_id, "--format", "jsonl")
    assert shown.stdout_bytes == (tmp_path / "game.jsonl").read_bytes()


def test_an_unreadable_file_is_reported_in_the_requested_language(slowtrain: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    file.write_text("<!doctype html><p>Nothing")
    done = slowtrain("verify", file, "--lang", "de")
    assert (done.exit_code, done.output) == (1, "Error: Diese Seite enthält keine Partiedatei.\n")


def test_a_seat_of_a_running_game(slowtrain: Run, store: Store, tmp_path: Path) -> None:
    game_id, file = start(store), tmp_path / "mine.html"
    assert slowtrain("export", game_id, "--seat", "2", "--lang", "de", "-o", file).exit_code == 0
    done = slowtrain("verify", file)
    assert done.exit_code == 3
    assert "as seat 2 sees it" in done.output
    plies = len(log(store, game_id))
    assert (
        f"Not fully checked against the rules. 0 plies were rechecked, {plies} only replayed: the secret" in done.output
    )
    assert "Proved." not in done.output
    assert "wie Platz 2 sie sieht" in file.read_text()
    assert "Not imported. Only a game that has ended" in slowtrain("import", file).output
    assert "This table has 2 seats" in slowtrain("export", game_id, "--seat", "3").output
    assert "There is no game nothing" in slowtrain("export", "nothing").output


def test_verify_needs_no_database(tmp_path: Path, toy_title: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", "sqlite:////nowhere/at/all.db")
    file = tmp_path / "game.jsonl"
    file.write_bytes(bundles.finished("toy", 3))
    assert run("verify", file).exit_code == 0
    file.write_bytes(bundles.running("toy", 3, 1, 20))
    assert run("verify", file).exit_code == 3


def test_a_fault_is_reported_with_its_ply(tmp_path: Path, toy_title: object) -> None:
    file, raw = tmp_path / "game.jsonl", bundles.finished("toy", 3)
    at = raw.index(b'"ply":4')
    file.write_bytes(raw[:at] + raw[at:].replace(b"player", b"plaYer", 1))
    done = run("verify", file)
    assert done.exit_code == 1
    assert "Wrong. Ply 4: its link does not match" in done.output
    file.write_bytes(raw)
    done = run("verify", file, "-f", "4:0123456789ab")
    assert done.exit_code == 1
    assert "Wrong. Ply 4: its fingerprint is" in done.output


@pytest.mark.parametrize("command", ["verify", "import"])
def test_no_file_causes_a_traceback(slowtrain: Run, store: Store, tmp_path: Path, command: str) -> None:
    dice, good = random.Random(4), bundles.finished("toy", 3)
    head = good.partition(b"\n")[0]
    nested = b'{"a":' * 50_000
    junk = [
        b"", b"\n", b"\n\n\n", b"{}", b"{}\n", b"[]\n", b"null\n", b"\xff\xfe", b"[" * 100_000, nested, b"PK\x03\x04",
        dice.randbytes(5000), b"<!doctype html>", b'{"format":"%s","version":99}\n' % FORMAT.encode(), head,
        head + b"\n",
        head + b"\n" + nested + b"\n", head + b"\n{}\n{}\n", good.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + good,
        good.replace(b'\\"events\\":[', b'\\"events\\":[[' + b"[" * 3000),
        good.replace(b'"plies":', b'"plies":99999999'),
    ]  # fmt: skip
    file = tmp_path / "a file"
    for raw in junk:
        file.write_bytes(raw)
        done = slowtrain(command, file)
        assert done.exit_code == 1, raw[:60]
        assert "Error: " in done.output or "Wrong. " in done.output
    for path in (tmp_path, tmp_path / "no.jsonl"):
        done = slowtrain(command, path)
        assert done.exit_code == 1
        assert "cannot be read" in done.output


def test_a_future_format_is_named(tmp_path: Path, toy_title: object) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(bundles.finished("toy", 3).replace(b'"version":1,', b'"version":2,"more":true,', 1))
    done = run("verify", file)
    assert done.exit_code == 1
    assert "This file uses version 2 of the format; this program reads version 1." in done.output


def test_an_unwritable_path_is_named(slowtrain: Run, store: Store, tmp_path: Path) -> None:
    done = slowtrain("export", start(store), "-o", tmp_path / "no" / "folder")
    assert done.exit_code == 1
    assert "cannot be written" in done.output
