"""Real processes of the service for tests: a worker and a beat, in the embedded and in the production profile.

Workers and beats are forked here. `tests.workers.test_run` starts them as operators do.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from config.settings import Settings
from tests.children import Child
from tests.servers import PostgreSQL, Redis, free_port

ROOT = Path(__file__).parents[2]
APP = "tests.workers.lanterns_app"
HASTY = "tests.workers.hasty_app"
SWEEP = 0.5
"""Seconds between sweeps for the workers, which compute their leases from it: a second. So a test waits only briefly
for the lease of a dead worker, and a live one renews its own even on a busy machine.
"""
TICK = 0.2
"""Seconds between sweeps of our beat."""


def embedded(folder: Path, **more: Any) -> Settings:
    return Settings(_env_file=None, data_dir=folder, sweep_seconds=SWEEP, **more)  # type: ignore[call-arg]


def production(folder: Path, database: str, broker: str, **more: Any) -> Settings:
    given: dict[str, Any] = {
        "profile": "production", "data_dir": folder, "database_url": database, "broker_url": broker,
        "base_url": "https://trains.example", "secret_keys": ("a key that is long enough, for tests only",),
        "smtp_host": "127.0.0.1", "mail_domain": "trains.example", "mail_from": "Slow Train <trains@trains.example>",
        "sweep_seconds": SWEEP, "erased_list": str(folder / "erased"),
    }  # fmt: skip
    return Settings(_env_file=None, **given | more)  # type: ignore[call-arg]


def in_profile(profile: str, request: pytest.FixtureRequest, folder: Path) -> Settings:
    """Return settings of the embedded profile, or of production with test servers.

    No server listens at the mail port yet.
    """
    port = free_port()
    if profile == "embedded":
        return embedded(folder, mailbox_port=port)
    database: PostgreSQL = request.getfixturevalue("postgresql")
    broker: Redis = request.getfixturevalue("redis_server")
    return production(folder, database.new_database(), broker.url, smtp_port=port)


def environment(settings: Settings) -> dict[str, str]:
    """Return the environment of a process with these settings."""
    said = {name: value for name, value in settings.model_dump(mode="json").items() if value not in ("", None)}
    plain = {name: value if isinstance(value, str) else json.dumps(value) for name, value in said.items()}
    return os.environ | {f"SLOWTRAIN_{name.upper()}": value for name, value in plain.items()}


@contextmanager
def process(settings: Settings, *command: str, files: Sequence[int] = ()) -> Iterator[subprocess.Popen[bytes]]:
    """Run a child process, which is always gone at the end; its output goes to ``data_dir``. It gets ``files``."""
    with open(_log(settings, command), "wb") as out:
        child = subprocess.Popen(
            command,
            env=environment(settings),
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=files,
        )
        try:
            yield child
        finally:
            _end(child)


@contextmanager
def forked(settings: Settings, run: Callable[[], None], *arguments: str) -> Iterator[Child]:
    """Run ``run`` in a fork of a process with all imports; it stands for the command."""
    child = Child(run, ["", *arguments], environment(settings), ROOT, _log(settings, arguments))
    try:
        yield child
    finally:
        _end(child)


def _log(settings: Settings, command: Sequence[str]) -> Path:
    return settings.data_dir / f"{command[-1].strip('-').replace('/', '-')[:40]}-{os.urandom(3).hex()}.log"


def _end(child: subprocess.Popen[bytes] | Child) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)  # with its own children
    child.kill()
    child.wait()


def run_celery() -> None:
    from celery.__main__ import main

    main()


def run_slowtrain() -> None:
    from service.cli.main import main

    main()


def worker(
    settings: Settings,
    app: str = APP,
    at_once: int = 2,
    queues: str = "mail,bots,clock,webhooks",
    pool: str = "threads",
    anew: bool = False,
    run: Callable[[], None] = run_celery,
) -> Any:
    """Run a worker. ``anew``: not forked, since its application changes later imports. ``run``: the function to run."""
    command = (
        "--quiet",
        f"--app={app}",
        "worker",
        f"--pool={pool}",
        f"--concurrency={at_once}",
        f"--queues={queues}",
        "--without-mingle",
        "--without-gossip",
        *(["--without-heartbeat"] if settings.embedded else []),  # as in each profile's commands
        "--loglevel=INFO",
    )
    if anew:
        return process(settings, sys.executable, "-m", "celery", *command)
    return forked(settings, run, *command)


def beat(settings: Settings, app: str = "workers.beat") -> AbstractContextManager[Child]:
    quick = settings.with_(sweep_seconds=min(TICK, settings.sweep_seconds))
    return forked(quick, run_celery, "--quiet", f"--app={app}", "beat", "--pidfile=", "--loglevel=INFO")


def said(settings: Settings) -> str:
    """Return the logs of all processes with these settings."""
    return "".join(log.read_text() for log in settings.data_dir.glob("*.log"))
