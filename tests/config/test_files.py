"""Only its owner can read the data folder, whatever the umask; other folders are refused."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from config.files import NotPrivate, private_database, private_folder
from config.settings import Settings
from service.cli.main import main
from service.database.store import open_store
from tests.servers import free_port

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    """Set the most permissive umask."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """Return all files in ``folder``, itself included, that others can access, with their modes."""
    found = {it: it.stat().st_mode & 0o777 for it in (folder, *folder.rglob("*"))}
    return [f"{mode:o} {it}" for it, mode in found.items() if mode != (0o700 if it.is_dir() else 0o600)]


def test_a_store_is_private_from_its_first_byte_on(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    store = open_store(f"sqlite:///{folder / 'slowtrain.db'}", settings=Settings(_env_file=None, data_dir=folder))
    assert open_to_others(folder) == []
    store.migrate()
    assert {it.name for it in folder.iterdir()} == {"slowtrain.db", "slowtrain.db-wal", "slowtrain.db-shm"}
    assert open_to_others(folder) == []
    store.close()


def test_files_left_open_by_an_earlier_release_are_closed(tmp_path: Path) -> None:
    folder = private_folder(tmp_path / "old")
    files = [folder / f"slowtrain.db{end}" for end in ("", "-wal", "-shm")] + [folder / "secret_key"]
    for file in files:
        file.touch(0o666)
    files[-1].write_text("a key that was kept")
    folder.chmod(0o777)
    settings = Settings(_env_file=None, data_dir=private_folder(folder))
    assert settings.keys() == ("a key that was kept",)
    private_database(folder / "slowtrain.db")
    assert open_to_others(folder) == []


def test_a_database_elsewhere_is_private_and_its_folder_is_left_alone(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(0o755)
    open_store(f"sqlite:///{shared / 'x.db'}").close()
    assert open_to_others(shared) == [f"755 {shared}"]


def test_a_key_is_whole_or_missing(tmp_path: Path) -> None:
    """Processes that start at the same moment all sign with one key."""
    ask = "from config.settings import Settings; print(Settings(_env_file=None).keys()[0])"
    environment = os.environ | {"SLOWTRAIN_DATA_DIR": str(tmp_path / "var")}
    command = [sys.executable, "-c", ask]
    children = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(6)
    ]
    said = {child.communicate(timeout=300)[0].strip() for child in children}
    assert len(said) == 1
    assert len(said.pop()) >= 40
    assert [it.name for it in (tmp_path / "var").iterdir()] == ["secret_key"]
    assert open_to_others(tmp_path / "var") == []


def test_a_folder_for_everybody_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    with pytest.raises(NotPrivate, match="is for everybody on this machine"):
        private_folder(tmp_path)
    ports = ["--port", str(free_port()), "--mailbox-port", str(free_port())]
    answer = CliRunner().invoke(main, ["up", "--data-dir", str(tmp_path), *ports])
    assert answer.exit_code == 1
    assert "SLOWTRAIN_DATA_DIR" in answer.output
    tmp_path.chmod(0o700)


def test_a_folder_of_somebody_else_is_refused_with_a_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o775)

    def forbid(self: Path, mode: int) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", forbid)
    with pytest.raises(NotPrivate, match=f"SLOWTRAIN_DATA_DIR={tmp_path}/slowtrain"):
        private_folder(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused_with_a_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbid(self: Path, *_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "mkdir", forbid)
    with pytest.raises(NotPrivate, match="may not make the folder"):
        private_folder(tmp_path / "var")
