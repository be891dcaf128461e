"""Forked children: they are processes of their own, and end as their supervisor expects."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from service.cli.forking import Forked, load, name
from tests.children import Child
from tests.workers.processes import ROOT, embedded, environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere commands are started")


def nothing() -> None:
    pass


def sleeping() -> None:
    time.sleep(60)


def failing() -> None:
    sys.exit(7)


def as_parent(tmp_path: Path, run: Callable[[], None]) -> list[str]:
    """Run in a process with one thread, like the forking one. Return its output."""
    out = tmp_path / "out"
    assert Child(run, ["slowtrain", "up"], os.environ, ROOT, out).wait(60) == 0, out.read_text()
    return out.read_text().splitlines()


def ends() -> None:
    told: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: told.append(number))
    print(Forked(nothing, "web", ["web"]).wait(30), Forked(failing, "web", ["web"]).wait(30))
    for how in (Forked.terminate, Forked.kill):
        child = Forked(sleeping, "web", ["web"])
        how(child)  # before it has set itself up
        print(child.wait(30))
    child = Forked(sleeping, "web", ["web"])
    try:
        child.wait(0.1)
    except subprocess.TimeoutExpired:
        print("runs", child.poll())
    child.kill()
    child.wait(30)
    print("told", told)


def test_a_child_ends_with_its_status_or_the_signal_that_ended_it_however_early_that_comes(tmp_path: Path) -> None:
    assert as_parent(tmp_path, ends) == ["0 7", "-15", "-9", "runs None", "told []"]


def says_who_it_is() -> None:
    words = Path("/proc/self/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    handled = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    print(os.getsid(0) == os.getpid(), Path("/proc/self/comm").read_text().strip(), words, sys.argv[1:])
    print(handled == [signal.SIG_DFL, signal.default_int_handler], blocked, random.random(), flush=True)


def shows_two() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for _ in range(2):
        Forked(says_who_it_is, "web", ["web", "--fd=3"]).wait(30)


def test_a_child_has_a_session_signals_dice_and_a_name_of_its_own(tmp_path: Path) -> None:
    said = as_parent(tmp_path, shows_two)
    assert said[0] == said[2] == "True train web [b'slowtrain', b'web', b'--fd=3'] ['web', '--fd=3']"
    (first, second) = (line.rsplit(" ", 1) for line in said[1::2])
    assert first[0] == second[0] == "True set()"
    assert first[1] != second[1], "dice"


def renamed() -> None:
    before = dict(os.environ)
    name("x" * 100, ["x" * 100_000])
    print(dict(os.environ) == before, len(Path("/proc/self/cmdline").read_bytes()) < 50_000)


def test_a_name_longer_than_its_room_is_cut(tmp_path: Path) -> None:
    assert as_parent(tmp_path, renamed) == ["True True"]


def loses_its_parent() -> None:
    def forks() -> None:
        child = Forked(sleeping, "web", ["web"])
        print(child.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

    Forked(forks, "up", ["up"]).wait(30)


def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    (pid,) = as_parent(tmp_path, loses_its_parent)
    until = time.monotonic() + 30
    while _runs(int(pid)):
        assert time.monotonic() < until
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def loads() -> None:
    import gc
    import threading

    load(["service.web.serving"])
    import domain

    titles = [f"domain.{it}" in sys.modules for it in domain.TITLES]
    print(gc.get_freeze_count() > 1000, threading.active_count(), titles, "service.web.serving" in sys.modules)


def test_a_parent_loads_and_freezes_the_modules_that_children_need(tmp_path: Path) -> None:
    assert as_parent(tmp_path, loads) == ["True 1 [True, True, True] True"]


def draws() -> None:
    load([])
    kept = []
    pixels = [bytearray(2 << 20) for _ in range(20)]
    del pixels[:]  # the C library would adapt to this
    for _ in range(20):
        pixels.append(bytearray(b"x") * (2 << 20))
        kept.append(bytearray(2000))
    before = _resident()
    del pixels[:]
    print(before - _resident() > 30, len(kept))


def _resident() -> int:
    """The resident memory of this process in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20


def test_pixels_that_nobody_needs_go_back_to_the_system(tmp_path: Path) -> None:
    assert as_parent(tmp_path, draws) == ["True 20"]


LOAD = """
import sys, threading
from service.cli import run
from service.cli.forking import load
load((*run.OF_WEB, *run.OF_CELERY, *run.OF_MAILBOX, *run.OF_LISTEN))
"""


def loaded_at_home(tmp_path: Path, code: str) -> str:
    """The output of ``code`` in a new process that has loaded only the modules of children at home."""
    found = subprocess.run(
        (sys.executable, "-c", LOAD + code), cwd=ROOT, env=environment(embedded(tmp_path)), capture_output=True,
        text=True,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


def test_at_home_nothing_is_loaded_that_only_production_or_few_need(tmp_path: Path) -> None:
    spared = {"alembic", "charset_normalizer", "dkim", "dns", "icalendar", "psycopg", "pygments", "redis", "rich"}
    assert loaded_at_home(tmp_path, f"print(sorted(sys.modules.keys() & {spared}))") == "[]"


def test_when_it_forks_the_parent_has_one_thread_and_no_database_broker_or_drawing_open(tmp_path: Path) -> None:
    """Each of these would be an open file, or cached by one of these functions."""
    code = """
import gc, psutil
from kombu import Connection
from PIL import Image
from sqlalchemy import Engine
from workers import app
me = psutil.Process()
gc.unfreeze()
kept = [it for it in gc.get_objects() if isinstance(it, Engine | Image.Image | Connection)]
print(threading.active_count(), me.open_files(), me.net_connections(), kept, app.store.cache_info().currsize)
"""
    assert loaded_at_home(tmp_path, code) == "1 [] [] [] 0"
