"""A file system in memory for the temporary files of tests, which takes an eighth off their time.

Tests write thousands of small databases. What a test proves does not depend on a disk: processes are killed in tests,
but no machine loses its power. Where memory is short or cannot hold programs, and where TMPDIR is set, all stays as it
is.
"""

import os
import shutil
import stat
import tempfile
from pathlib import Path

MOUNTED = Path("/dev/shm")
NEEDED = 12_000_000_000
"""Bytes. A whole run writes 4 GB, and the processes need room, too."""


def use() -> None:
    """Make this process and all that it starts put temporary files in memory, where there is one fit for them."""
    if "TMPDIR" in os.environ:
        return
    if folder := folder_on(MOUNTED):
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)


def used() -> Path | None:
    """Return the folder in memory, if this process uses it."""
    folder = folder_on(MOUNTED, 0)  # however much of its room the tests have taken since
    return folder if str(folder) == tempfile.gettempdir() else None


def folder_on(mounted: Path, needed: int = NEEDED) -> Path | None:
    """Return our folder on a file system, or nothing if it is missing, small, without programs or not ours.

    Its path is short, for sockets, and another user may pass through it, as PostgreSQL runs as one.
    """
    if not mounted.is_dir() or os.statvfs(mounted).f_flag & os.ST_NOEXEC or shutil.disk_usage(mounted).free < needed:
        return None
    folder = mounted / f"slowtrain-tests-{os.geteuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return None
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        return None
    folder.chmod(0o711)
    return folder
