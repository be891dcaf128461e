"""Starting the service: with one command, and what it says when that cannot be."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from config.celery import QUEUES
from service import run
from service.cli import main
from tests.servers import free_port
from tests.workers.post import until
from tests.workers.processes import ROOT


@contextmanager
def up(folder: Path, **ports: int) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """``slowtrain up`` in a folder of its own; it and the port of its site."""
    port, mailbox = ports.get("port") or free_port(), ports.get("mailbox_port") or free_port()
    command = [sys.executable, "-c", "from service.cli import main; main()", "up", "--data-dir", str(folder),
               "--port", str(port), "--mailbox-port", str(mailbox)]  # fmt: skip
    with open(folder / "out.log", "w") as out:
        child = subprocess.Popen(
            command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, text=True,
            env=os.environ | {"SLOWTRAIN_SWEEP_SECONDS": "1"}, start_new_session=True,
        )  # fmt: skip
        try:
            yield child, port
        finally:
            for each in [*psutil.Process(child.pid).children(recursive=True)] if child.poll() is None else []:
                each.kill()
            child.kill()
            child.wait()


def said(folder: Path) -> str:
    return (folder / "out.log").read_text()


def running(folder: Path) -> str | None:
    found = re.search(r"^Slow Train is running at (http://\S+)", said(folder), re.M)
    return found[1] if found else None


def children(parent: subprocess.Popen[str]) -> dict[str, psutil.Process]:
    """The processes of the service by name."""
    names = {"web": " web", "mailbox": " mailbox", "worker": " worker ", "beat": " beat "}
    found = {}
    for each in psutil.Process(parent.pid).children():
        line = f" {' '.join(each.cmdline())} "
        for name, mark in names.items():
            if mark in line:
                found[name] = each
    return found


def test_one_command_starts_everything_and_ends_everything(tmp_path: Path) -> None:
    with up(tmp_path) as (parent, port):
        address = until(lambda: running(tmp_path), 60, "starting")
        assert address == f"http://127.0.0.1:{port}"
        with urllib.request.urlopen(address, timeout=10) as page:
            assert page.status == 200
        assert said(tmp_path).count("Slow Train is running") == 1
        processes = until(lambda: len(found := children(parent)) == 4 and found, 10)
        parent.send_signal(signal.SIGTERM)
        assert parent.wait(30) == 0
        assert not [each for each in processes.values() if each.is_running() and each.status() != "zombie"]


def test_a_process_that_is_killed_is_started_again_and_one_that_keeps_dying_ends_all(tmp_path: Path) -> None:
    with up(tmp_path) as (parent, _):
        until(lambda: running(tmp_path), 60, "starting")
        for times in range(1, run.LIVES):
            children(parent)["mailbox"].kill()
            until(lambda times=times: said(tmp_path).count("The mailbox process ended (SIGKILL)") == times, 10)
            until(lambda: "mailbox" in children(parent), 10)
            time.sleep(0.3)
        children(parent)["mailbox"].kill()
        assert parent.wait(40) == 1
        assert "it died too often" in said(tmp_path)


def test_a_supervisor_that_is_killed_leaves_nobody_behind(tmp_path: Path) -> None:
    with up(tmp_path) as (parent, _):
        until(lambda: running(tmp_path), 60, "starting")
        processes = until(lambda: len(found := children(parent)) == 4 and found, 10)
        parent.kill()
        parent.wait()
        until(lambda: not [each for each in processes.values() if each.is_running()], 30, "ending of the children")


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for options in (["--port", str(port)], ["--port", str(free_port()), "--mailbox-port", str(port)]):
            answer = CliRunner().invoke(main, ["up", "--data-dir", str(tmp_path), *options])
            assert answer.exit_code == 1
            assert f"Cannot listen at 127.0.0.1 port {port}" in answer.output
            assert "Choose another with" in answer.output


def test_a_folder_serves_one_service_only(tmp_path: Path) -> None:
    with run._alone(tmp_path):
        options = ["--data-dir", str(tmp_path), "--port", str(free_port()), "--mailbox-port", str(free_port())]
        answer = CliRunner().invoke(main, ["up", *options])
    assert answer.exit_code == 1
    assert "Another Slow Train is running" in answer.output


def test_production_is_not_started_this_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"PROFILE": "production", "DATABASE_URL": "sqlite://", "BROKER_URL": "redis://localhost/0",
             "BASE_URL": "https://t.example", "SECRET_KEYS": '["a key that is long enough, for tests only"]',
             "SMTP_HOST": "localhost"}  # fmt: skip
    for name, value in given.items():
        monkeypatch.setenv(f"SLOWTRAIN_{name}", value)
    answer = CliRunner().invoke(main, ["up", "--data-dir", str(tmp_path)])
    assert answer.exit_code == 1
    assert "Procfile" in answer.output


@pytest.mark.parametrize("command", ["up", "web", "worker", "beat", "mailbox"])
def test_every_command_explains_itself(command: str) -> None:
    answer = CliRunner().invoke(main, [command, "--help"])
    assert answer.exit_code == 0
    assert answer.output.startswith("Usage:")


def test_the_procfile_names_what_there_is() -> None:
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    assert set(lines) == {"web", "worker", "webhooks", "checks", "beat"}
    assert "service.run:wsgi()" in lines["web"]
    assert callable(run.wsgi)
    for name in ("worker", "beat"):
        assert f"--app workers.app {name}" in lines[name]
    queues = [line.partition("--queues ")[2].split()[0] for line in lines.values() if "--queues " in line]
    assert sorted(queue for each in queues for queue in each.split(",")) == sorted(QUEUES), "each has its worker"
