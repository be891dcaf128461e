"""Children forked from a process that has loaded their common modules, and so share its memory.

The process that forks has one thread, and no database, broker or drawing open. Each child gets its own session,
signals, random seed and name, like a new process. This works only on Linux: on macOS system libraries do not survive a
fork, so commands are started there instead.
"""

import atexit
import contextlib
import ctypes
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from subprocess import TimeoutExpired
from typing import IO, Any

from config.memory import give_back_large_pieces

ON_LINUX = sys.platform == "linux"
STOPPING = (signal.SIGINT, signal.SIGTERM)
_SET_DEATH_SIGNAL, _SET_NAME = 1, 15
"""Options of `prctl` (linux/prctl.h)."""


def load(modules: Sequence[str]) -> None:
    """Import modules and all titles, and hide their objects from the garbage collector.

    The collector would write to each object's memory, and a child that writes to a shared page gets a copy.
    """
    gc.disable()
    give_back_large_pieces()
    for name in modules:
        import_module(name)
    domain = import_module("domain")
    assert all(domain.TITLES.values())  # access imports each
    gc.collect()
    gc.freeze()


class Forked:
    """A child that runs a function, with the interface of `subprocess.Popen`.

    ``title``, ``command``: its names in short and long lists of processes. ``leave``: files that only its parent keeps.
    """

    def __init__(
        self, run: Callable[[], Any], title: str, command: Sequence[str], *, leave: Sequence[IO[Any]] = ()
    ) -> None:
        self._child = get_context("fork").Process(target=_begin, args=(run, title, command, leave, os.getpid()))
        # Otherwise an early signal would run the parent's handler in the child, and the child would not end.
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
    """Turn into a process as if started with this command, and run."""
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
    with _its_own_exit():
        run()


@contextlib.contextmanager
def _its_own_exit() -> Iterator[None]:
    """Run what this process has registered for its exit, and nothing of its parent's, as Python does from 3.13 on."""
    if sys.version_info >= (3, 13):
        yield
        return
    atexit._clear()
    try:
        yield
    finally:
        atexit._run_exitfuncs()


def end_with_parent(parent: int) -> None:
    """Linux: have this process asked to end when its parent is killed, or if it just was."""
    if ON_LINUX:
        _prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)


def name(title: str, command: Sequence[str]) -> None:
    """Show this process as ``train web`` (``ps -e``, ``top``) and ``slowtrain web`` (``ps -ef``) in lists of processes.

    The second name has only the room of the process's original command line.

    (setproctitle would do it, too, but if Celery finds that, it gives its processes names of its own.)
    """
    words = "\0".join(["slowtrain", *command]).encode()
    _prctl(_SET_NAME, f"train {title}".encode()[:15])
    with contextlib.suppress(OSError, ValueError, IndexError):  # the kernel does not tell: the name stays
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        begin, end = int(fields[45]), int(fields[46])  # arg_start, arg_end: proc(5), 48 and 49, counted from 1
        if begin:
            room = end - begin
            ctypes.memmove(begin, words[: room - 1].ljust(room, b"\0"), room)


def _prctl(what: int, value: Any) -> None:
    ctypes.CDLL(None).prctl(what, value, 0, 0, 0)
