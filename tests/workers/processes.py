"""Real processes of the service for tests: a worker and a beat, in the embedded and in the production profile.

Workers and beats are forked. How operators start them is tried by `tests.workers.test_run`.
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
"""Seconds between sweeps as workers know them, who make their leases of it: a second, so that a test need not wait long
until the lease of a dead one has run out, and one that lives keeps its own, whatever else the machine does."""
TICK = 0.2
"""Seconds between sweeps by our beat."""


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
    """The embedded profile, or production with servers of the tests; mail goes to a port that nobody listens on yet."""
    port = free_port()
    if profile == "embedded":
        return embedded(folder, mailbox_port=port)
    database: PostgreSQL = request.getfixturevalue("postgresql")
    broker: Redis = request.getfixturevalue("redis_server")
    return production(folder, database.new_database(), broker.url, smtp_port=port)


def environment(settings: Settings) -> dict[str, str]:
    """What a process must find in its environment to have these settings."""
    said = {name: value for name, value in settings.model_dump(mode="json").items() if value not in ("", None)}
    plain = {name: value if isinstance(value, str) else json.dumps(value) for name, value in said.items()}
    return os.environ | {f"SLOWTRAIN_{name.upper()}": value for name, value in plain.items()}


@contextmanager
def process(settings: Settings, *command: str, files: Sequence[int] = ()) -> Iterator[subprocess.Popen[bytes]]:
    """A child process that is gone at the end, whatever happens; its output goes to ``data_dir``. It gets ``files``."""
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
    """The same, forked from a process that has imported all it needs: ``run`` is what the command would run."""
    child = Child(run, ["", *arguments], environment(settings), ROOT, _log(settings, arguments))
    try:
        yield child
    finally:
        _end(child)


def _log(settings: Settings, command: Sequence[str]) -> Path:
    return settings.data_dir / f"{command[-1].strip('-').replace('/', '-')[:40]}-{os.urandom(3).hex()}.log"


def _end(child: subprocess.Popen[bytes] | Child) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)  # and what it has started itself
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
    """``anew``: it is not forked, as its application changes what is to be imported after it. ``run``: what runs."""
    command = (
        "--quiet",
        f"--app={app}",
        "worker",
        f"--pool={pool}",
        f"--concurrency={at_once}",
        f"--queues={queues}",
        "--without-mingle",
        "--without-gossip",
        *(["--without-heartbeat"] if settings.embedded else []),  # as the commands of each profile say
        "--loglevel=INFO",
    )
    if anew:
        return process(settings, sys.executable, "-m", "celery", *command)
    return forked(settings, run, *command)


def beat(settings: Settings, app: str = "workers.beat") -> AbstractContextManager[Child]:
    quick = settings.with_(sweep_seconds=min(TICK, settings.sweep_seconds))
    return forked(quick, run_celery, "--quiet", f"--app={app}", "beat", "--pidfile=", "--loglevel=INFO")


def said(settings: Settings) -> str:
    """What all processes with these settings have written to their logs."""
    return "".join(log.read_text() for log in settings.data_dir.glob("*.log"))
