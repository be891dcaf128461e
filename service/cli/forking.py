"""Children that are forked from a process that has loaded what all of them need, and so share its memory.

The process that forks has one thread, and no database, broker or drawing open. Children get what a process has that is
started anew: a session, signals, dice and a name of their own. Only on Linux: on macOS libraries of the system do not
survive a fork, so commands are started there instead.
"""

import contextlib
import ctypes
import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from subprocess import TimeoutExpired
from typing import IO, Any

from config.memory import give_back_large_pieces

ON_LINUX = sys.platform == "linux"
STOPPING = (signal.SIGINT, signal.SIGTERM)
_SET_DEATH_SIGNAL, _SET_NAME = 1, 15
"""What `prctl` is asked for (linux/prctl.h)."""


def load(modules: Sequence[str]) -> None:
    """Import modules and all titles, and put what they have made out of reach of the garbage collector.

    Looking at an object would write to its memory, and children that write to it get a copy.
    """
    gc.disable()
    give_back_large_pieces()
    for name in modules:
        import_module(name)
    domain = import_module("domain")
    assert all(domain.TITLES.values())  # each is imported when it is asked for
    gc.collect()
    gc.freeze()


class Forked:
    """A child that runs a function, handled as one of the module `subprocess` is.

    ``title``, ``command``: how short and long lists of processes call it. ``leave``: files that are its parent's alone.
    """

    def __init__(
        self, run: Callable[[], Any], title: str, command: Sequence[str], *, leave: Sequence[IO[Any]] = ()
    ) -> None:
        self._child = get_context("fork").Process(target=_begin, args=(run, title, command, leave, os.getpid()))
        # Else a child that is told to end before it is itself would only note that its parent shall.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
        try:
            self._child.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        self.pid = int(self._child.pid or 0)

    @property
    def returncode(self) -> int | None:
        """Its exit status, or the signal that ended it, below 0."""
        return self._child.exitcode

    def poll(self) -> int | None:
        return self._child.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._child.join(timeout)
        if (code := self.poll()) is None:
            raise TimeoutExpired(self._child.name, timeout or 0)
        return code

    def terminate(self) -> None:
        self._child.terminate()

    def kill(self) -> None:
        self._child.kill()


def _begin(run: Callable[[], Any], title: str, command: Sequence[str], leave: Sequence[IO[Any]], parent: int) -> None:
    """Become a process such as one that was started with this command, and run."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent(parent)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
    for file in leave:
        file.close()
    sys.argv[1:] = command
    name(title, command)
    gc.enable()
    run()


def end_with_parent(parent: int) -> None:
    """Linux: let this process be asked to end when its parent is killed outright, or was a moment ago."""
    if ON_LINUX:
        _prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)


def name(title: str, command: Sequence[str]) -> None:
    """Show this process as ``train web`` (``ps -e``, ``top``) and ``slowtrain web`` (``ps -ef``) in lists of processes.

    The second gets no more room than the words have with which the process was started.

    (setproctitle would do it, too; but where Celery finds that, it gives its own names to its processes.)
    """
    words = "\0".join(["slowtrain", *command]).encode()
    _prctl(_SET_NAME, f"train {title}".encode()[:15])
    with contextlib.suppress(OSError, ValueError, IndexError):  # a kernel that does not tell: the name stays
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        begin, end = int(fields[45]), int(fields[46])  # arg_start, arg_end: proc(5), 48 and 49, counted from 1
        if begin:
            room = end - begin
            ctypes.memmove(begin, words[: room - 1].ljust(room, b"\0"), room)


def _prctl(what: int, value: Any) -> None:
    ctypes.CDLL(None).prctl(what, value, 0, 0, 0)
