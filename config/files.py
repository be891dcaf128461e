"""The data folder is its owner's alone: whoever else has an account on the machine reads nothing there.

What lies in it are keys, mails with links that open accounts, and the hands of running games.
"""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

FOLDER, FILE = 0o700, 0o600
OF_SQLITE = ("", "-wal", "-shm", "-journal")
"""What SQLite writes beside a database is named so, and gets its mode."""


class NotPrivate(Exception):
    """A folder cannot be closed to others. Says why, and what can be done."""


def keep_private() -> None:
    """Whatever this process writes from now on is its owner's alone, whatever the umask was."""
    os.umask(0o077)


def private_folder(folder: Path) -> Path:
    """``folder``, made if need be and closed to others. Raises `NotPrivate`."""
    folder.mkdir(FOLDER, parents=True, exist_ok=True)
    mode = folder.stat().st_mode
    if mode & stat.S_ISVTX:
        raise NotPrivate(f"{folder} is for everybody on this machine. Name a folder of its own: SLOWTRAIN_DATA_DIR.")
    if stat.S_IMODE(mode) != FOLDER:
        try:
            folder.chmod(FOLDER)
        except PermissionError:
            raise NotPrivate(
                f"{folder} is somebody else's and cannot be closed to others. Name a folder that is made anew, such as "
                f"SLOWTRAIN_DATA_DIR={folder / 'slowtrain'}"
            ) from None
    return folder


def private_files(files: Iterable[Path]) -> None:
    """Close those of ``files`` that are there to others; what is somebody else's is left as it is."""
    for file in files:
        with suppress(FileNotFoundError, PermissionError):
            if stat.S_IMODE(file.stat().st_mode) != FILE:
                file.chmod(FILE)


def private_database(file: Path) -> None:
    """Let a database of SQLite be closed to others from its first byte on, and what there is of it already."""
    if not file.parent.is_dir():
        private_folder(file.parent)
    with suppress(FileExistsError, PermissionError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL, FILE))
    private_files(file.with_name(file.name + end) for end in OF_SQLITE)
