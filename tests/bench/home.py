"""The cost of the embedded service: memory of its processes, and the time of its start.

Memory is each process's share (PSS): shared pages are divided among the processes, so the sum is the machine's cost.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import requests

from config.settings import Settings
from domain import TITLES
from tests.bench.measure import Bench, Figure
from tests.servers import free_port
from tests.workers.processes import ROOT, environment, process

SLOWTRAIN = (sys.executable, "-c", "from service.cli.main import main; main()")
YARDSTICK = (sys.executable, "-c", "import flask, sqlalchemy, celery; input()")
MB = 1024 * 1024
PATIENCE = 120.0
"""Seconds in which the service must have started."""
IDLE, PLAYED = 225, 320
"""Required limits in MB: after ten idle minutes, and after a game of each title with its letters."""


def bench_home(bench: Bench) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        with at_home(Path(folder)):  # the first start makes the tables and may compile our code
            pass
        bare, imported = _imports()
        with at_home(Path(folder)) as (settings, service, wall, busy):
            yield Figure(
                "slowtrain up, command to first page",
                f"{wall:.1f} s, {busy:.1f} s of a core",
                f"import flask, sqlalchemy, celery: {imported:.1f} s",
                "4 s",
            )
            time.sleep(bench.idle)
            yield _memory(f"slowtrain up, idle for {bench.idle:g} s", service, bare, IDLE)
            for title in TITLES:
                _play(settings, title)
            yield _memory("slowtrain up, after a game of each title", service, bare, PLAYED)


@contextmanager
def at_home(folder: Path) -> Iterator[tuple[Settings, psutil.Process, float, float]]:
    """Run ``slowtrain up`` in a folder. Yield its settings, its first process, and the seconds until the first page, by
    the wall and of a core."""
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]
        data_dir=folder,
        port=free_port(),
        mailbox_port=free_port(),
        settle_seconds=0.0,
        presence_seconds=0.0,
        rate_limits=False,
    )
    began = time.perf_counter()
    with process(settings, *SLOWTRAIN, "up") as child:
        while not _first_page(settings):
            if time.perf_counter() - began > PATIENCE:
                raise RuntimeError("the service does not start")
            time.sleep(0.02)
        wall = time.perf_counter() - began
        service = psutil.Process(child.pid)
        yield settings, service, wall, sum(map(_seconds_of_a_core, family(service)))
        child.terminate()
        child.wait(60)


def family(service: psutil.Process) -> list[psutil.Process]:
    """Return a process and all its descendants."""
    return [service, *service.children(recursive=True)]


def shares(service: psutil.Process) -> dict[str, float]:
    """Return each process of the service and its share of memory, in MB."""
    found: dict[str, float] = {}
    for each in family(service):
        found[_named(each)] = each.memory_full_info().pss / MB
    return found


def _named(process: psutil.Process) -> str:
    """Return the role of a process of the service, in a word or two of its command."""
    words = process.cmdline()
    queues = [word.partition("=")[2].partition(",")[0] for word in words if word.startswith("--queues=")]
    if queues:
        return "mail" if queues == ["mail"] else "worker"
    return next((word for word in words if word in {"up", "web", "beat", "mailbox", "listen"}), str(process.pid))


def _memory(what: str, service: psutil.Process, bare: float, hold: int) -> Figure:
    each = shares(service)
    parts = ", ".join(f"{name} {share:.0f}" for name, share in each.items())
    yardstick = f"one Python that imports flask, sqlalchemy, celery: {bare:.0f} MB"
    return Figure(what, f"{sum(each.values()):.0f} MB ({parts})", yardstick, f"{hold} MB")


def _first_page(settings: Settings) -> bool:
    try:
        return requests.get(settings.site, timeout=5).ok
    except requests.RequestException:
        return False


def _seconds_of_a_core(process: psutil.Process) -> float:
    took = process.cpu_times()
    return float(took.user + took.system + took.children_user + took.children_system)


def _imports() -> tuple[float, float]:
    """Return the yardstick: memory in MB, and seconds of importing everything."""
    began = time.perf_counter()
    subprocess.run(YARDSTICK, input=b"\n", check=True, cwd=ROOT)
    took = time.perf_counter() - began
    with subprocess.Popen(YARDSTICK, stdin=subprocess.PIPE, cwd=ROOT) as child:
        time.sleep(3 * took)
        bare = psutil.Process(child.pid).memory_full_info().pss / MB
        child.communicate(b"\n")
    return bare, took


def _play(settings: Settings, title: str) -> None:
    """Play a whole game in which each move waits for the previous letter."""
    subprocess.run((*SLOWTRAIN, "demo", "--title", title), env=environment(settings), cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
