"""Permissions of the data folder: only its owner can read it, and no other account of the machine.

The folder holds keys, mails with sign-in links, and the hands of running games.
"""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

FOLDER, FILE = 0o700, 0o600
OF_SQLITE = ("", "-wal", "-shm", "-journal")
"""The suffixes of SQLite's files. The files beside a database get its mode."""


class NotPrivate(Exception):
    """A folder cannot be closed to other accounts. The message says why, and how to fix it."""


def keep_private() -> None:
    """Restrict all new files of this process to their owner, whatever the umask was."""
    os.umask(0o077)


def private_folder(folder: Path) -> Path:
    """Return ``folder``, created if necessary and closed to other accounts. Raise `NotPrivate` if that fails."""
    try:
        folder.mkdir(FOLDER, parents=True, exist_ok=True)
    except PermissionError:
        raise NotPrivate(
            f"This account may not make the folder {folder}. Name another one: SLOWTRAIN_DATA_DIR."
        ) from None
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
    """Close the existing ones of ``files`` to other accounts. Leave the files of other owners unchanged."""
    for file in files:
        with suppress(FileNotFoundError, PermissionError):
            if stat.S_IMODE(file.stat().st_mode) != FILE:
                file.chmod(FILE)


def private_database(file: Path) -> None:
    """Create an SQLite database that is private from its first byte, or close the existing files."""
    if not file.parent.is_dir():
        private_folder(file.parent)
    with suppress(FileExistsError, PermissionError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL, FILE))
    private_files(file.with_name(file.name + end) for end in OF_SQLITE)
