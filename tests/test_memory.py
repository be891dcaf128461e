"""Where tests put their temporary files."""

import os
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import memory


def test_a_folder_of_ours_is_made_once_and_others_may_pass_through_but_not_look(tmp_path: Path) -> None:
    folder = memory.folder_on(tmp_path, 0)
    assert folder is not None
    assert folder.parent == tmp_path
    assert folder.stat().st_mode & 0o777 == 0o711
    assert memory.folder_on(tmp_path, 0) == folder


def test_a_small_a_missing_or_a_noexec_file_system_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert memory.folder_on(tmp_path / "missing", 0) is None
    assert memory.folder_on(tmp_path, 10**18) is None
    monkeypatch.setattr(memory.os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_NOEXEC))
    assert memory.folder_on(tmp_path, 0) is None
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["a link", "a file"])
def test_a_folder_of_another_kind_is_left_alone(tmp_path: Path, kind: str) -> None:
    folder = memory.folder_on(tmp_path, 0)
    assert folder is not None
    folder.rmdir()
    if kind == "a link":
        folder.symlink_to(tmp_path)
    else:
        folder.touch()
    assert memory.folder_on(tmp_path, 0) is None


def test_a_set_folder_is_respected_and_processes_inherit_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(memory, "folder_on", lambda *_: tmp_path / "memory")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    memory.use()
    assert os.environ["TMPDIR"] == str(tmp_path)
    assert memory.used() is None
    monkeypatch.delenv("TMPDIR")
    memory.use()
    assert os.environ["TMPDIR"] == tempfile.gettempdir() == str(tmp_path / "memory")
    assert memory.used() == tmp_path / "memory"
