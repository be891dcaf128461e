"""Running the code of another checkout, in a folder that an operator named, in a process of its own.

The script is ours; its imports are the checkout's. It reads one question a line on standard input and writes one answer
a line on standard output, both JSON.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec


class DoesNotRun(Exception):
    """The code of a checkout ended without an answer; its message is on standard error."""


def is_checkout(folder: Path) -> bool:
    return all((folder / "domain" / name).is_file() for name in ("__init__.py", "chain.py", "game.py"))


def python_of(folder: Path) -> str:
    """The interpreter for a checkout: that of its own environment, if it has one; else this one."""
    own = folder / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    return str(own.absolute()) if own.is_file() else sys.executable


class Code:
    """A process that runs ``script`` with the code of one checkout. ``python``: the interpreter for it."""

    def __init__(self, checkout: Path, python: str, script: Path, *arguments: str) -> None:
        self.checkout = checkout
        self._command = [python, "-c", script.read_text(encoding="utf-8"), *arguments]
        self._environment = {**os.environ, "PYTHONPATH": str(checkout.resolve()), "PYTHONSAFEPATH": "1"}
        self._process = self._started()

    def _started(self, *arguments: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [*self._command, *arguments],
            cwd=self.checkout,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ask(self, game: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # then there is no answer either
            self._process.stdin.write(game + b"\n")
            self._process.stdin.flush()

    def answer(self) -> Any:
        """Read one answer. Raises `DoesNotRun`."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise DoesNotRun(f"The code in {self.checkout} does not run; what it says stands above.")
        return msgspec.json.decode(line)

    def once(self, game: bytes, *arguments: str) -> Any:
        """Ask about one game in a new process, and return its answer."""
        said, _ = self._started(*arguments).communicate(game + b"\n")
        return msgspec.json.decode(said)

    def end(self) -> None:
        self._process.communicate()
