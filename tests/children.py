"""Processes that run a function, forked from one that has imported the service and done nothing else.

Such a child inherits no connection, no thread and no patch of the tests, and begins at once: the imports of a new
process cost a second of a core.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

CHILDREN = multiprocessing.get_context("forkserver")
CHILDREN.set_forkserver_preload(["tests.preloaded"])


class Child:
    """A forked process in a session of its own, with the interface of `subprocess.Popen`."""

    def __init__(
        self, run: Callable[[], None], arguments: Sequence[str], environment: Mapping[str, str], folder: Path, out: Path
    ) -> None:
        self._process = CHILDREN.Process(target=_begin, args=(run, arguments, dict(environment), folder, out))
        self._process.start()
        self.pid = int(self._process.pid or 0)

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit status, or the negative number of the signal that ended it."""
        self._process.join(timeout)
        if (status := self.poll()) is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _begin(
    run: Callable[[], None], arguments: Sequence[str], environment: Mapping[str, str], folder: Path, out: Path
) -> None:
    """Become a process as if started with these arguments: ``run`` finds them in ``sys.argv``."""
    os.setsid()
    with open(out, "ab") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())
        os.dup2(log.fileno(), sys.stderr.fileno())
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv = list(arguments)
    run()
