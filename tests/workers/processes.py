"""Real processes of the service for tests: a worker and a beat, in the embedded and in the production profile."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from config.settings import Settings
from tests.servers import PostgreSQL, Redis, free_port

ROOT = Path(__file__).parents[2]
APP = "tests.workers.lanterns_app"
SWEEP = 0.5
"""Seconds between sweeps, so that a test need not wait long for one."""


def embedded(folder: Path, **more: Any) -> Settings:
    return Settings(_env_file=None, data_dir=folder, sweep_seconds=SWEEP, **more)


def production(folder: Path, database: str, broker: str, **more: Any) -> Settings:
    given: dict[str, Any] = {
        "profile": "production", "data_dir": folder, "database_url": database, "broker_url": broker,
        "base_url": "https://trains.example", "secret_keys": ("a key that is long enough, for tests only",),
        "smtp_host": "127.0.0.1", "mail_domain": "trains.example", "mail_from": "Slow Train <trains@trains.example>",
        "sweep_seconds": SWEEP,
    }  # fmt: skip
    return Settings(_env_file=None, **given | more)


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
    log = settings.data_dir / f"{command[-1].strip('-').replace('/', '-')[:40]}-{os.urandom(3).hex()}.log"
    with open(log, "wb") as out:
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
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)  # and what it has started itself
            child.wait()


def celery(*arguments: str, app: str = APP) -> tuple[str, ...]:
    return (sys.executable, "-m", "celery", "--quiet", f"--app={app}", *arguments)


def worker(
    settings: Settings,
    app: str = APP,
    at_once: int = 2,
    queues: str = "mail,bots,clock,webhooks",
    pool: str = "threads",
) -> Any:
    return process(
        settings,
        *celery(
            "worker",
            f"--pool={pool}",
            f"--concurrency={at_once}",
            f"--queues={queues}",
            "--without-mingle",
            "--without-gossip",
            "--loglevel=INFO",
            app=app,
        ),
    )


def beat(settings: Settings, app: str = "workers.beat") -> Any:
    return process(settings, *celery("beat", "--pidfile=", "--loglevel=INFO", app=app))
