"""The start of the service: one command, and its messages if it fails."""

import os
import re
import signal
import smtplib
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
import pytest
import requests
from click.testing import CliRunner
from sqlalchemy import select

from config.celery import QUEUES
from service.base import tally
from service.cli import run
from service.cli.main import main
from service.database.store import open_store
from service.notices import figures
from service.notices.processes import PROCESSES
from service.web.serving import THREADS
from tests.servers import free_port
from tests.traces import holding
from tests.workers.post import PATIENCE, until
from tests.workers.processes import ROOT, embedded, process

SOON = {f"SLOWTRAIN_{name}_SECONDS": value for name, value in (("SWEEP", "1"), ("SETTLE", "0"), ("PRESENCE", "0"))}
"""Mail leaves at once."""


@contextmanager
def up(folder: Path, umask: int = -1, **ports: int) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run ``slowtrain up`` in its own folder. Yield it and its site's port. ``umask``: -1 for ours."""
    port, mailbox = ports.get("port") or free_port(), ports.get("mailbox_port") or free_port()
    command = [
        sys.executable,
        "-c",
        "from service.cli.main import main; main()",
        "up",
        "--data-dir",
        str(folder),
        "--port",
        str(port),
        "--mailbox-port",
        str(mailbox),
    ]
    with open(folder / "out.log", "w") as out:
        child = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | SOON,
            start_new_session=True,
            umask=umask,
        )
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
    """Return the processes of the service by name."""
    names = {
        "web": " web",
        "mailbox": " mailbox",
        "listen": " listen ",
        "worker": " --queues=bots",
        "mail": " --queues=mail ",
        "beat": " beat ",
    }
    found = {}
    for each in psutil.Process(parent.pid).children():
        line = f" {' '.join(each.cmdline())} "
        for name, mark in names.items():
            if mark in line:
                found[name] = each
    return found


def test_one_command_starts_everything_restarts_dead_processes_and_ends_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child that keeps dying is restarted after longer and longer waits, while the others work."""
    listens = free_port()
    monkeypatch.setenv("SLOWTRAIN_LISTEN", "true")
    monkeypatch.setenv("SLOWTRAIN_LISTEN_PORT", str(listens))
    with up(tmp_path) as (parent, port):
        address = until(lambda: running(tmp_path), what="starting")
        assert address == f"http://127.0.0.1:{port}"
        with urllib.request.urlopen(address, timeout=PATIENCE) as page:
            assert page.status == 200
        assert said(tmp_path).count("Slow Train is running") == 1
        for times in range(1, 4):
            until(lambda: "mailbox" in children(parent))
            children(parent)["mailbox"].kill()
            until(lambda times=times: said(tmp_path).count("The mailbox process ended (SIGKILL)") == times)
        lines = [line for line in said(tmp_path).splitlines() if "The mailbox process ended" in line]
        assert lines == [
            "The mailbox process ended (SIGKILL)" + then
            for then in (
                "; restarting it.",
                ", 2 times within a minute of its start; restarting it in 1 second.",
                ", 3 times within a minute of its start; restarting it in 2 seconds.",
            )
        ]
        asked(address, 1)
        processes = until(lambda: len(found := children(parent)) == 6 and found)
        assert until(lambda: refused(listens), what="listening") == 550
        on_their_own(parent, processes, tmp_path)
        reporting = {processes[name].pid for name in ("web", "mailbox", "listen", "worker", "mail")}
        until(lambda: reporting <= reported(tmp_path), what="reports")
        parent.send_signal(signal.SIGTERM)
        assert parent.wait(PATIENCE) == 0
        assert not reporting & reported(tmp_path), "an ending process removes its report"
        assert not [each for each in processes.values() if each.is_running() and each.status() != "zombie"]
    with closing(open_store(embedded(tmp_path).database)) as store, store.read() as conn:
        assert sum(figures.ever(conn, tally.REQUESTS).values()) >= 1, "an ending process writes what it has counted"


def on_their_own(parent: subprocess.Popen[str], processes: dict[str, psutil.Process], folder: Path) -> None:
    """Check the children: a forking parent has one thread and no database; each child has a session and a name."""
    forks = psutil.Process(parent.pid)
    assert forks.num_threads() == 1
    assert files(forks) == {str(folder / "lock"), str(folder / "out.log")}
    for name, child in processes.items():
        assert os.getsid(child.pid) == child.pid
        assert str(folder / "lock") not in files(child)
        assert child.name() == f"train {name}"
        assert child.cmdline()[:2] == ["slowtrain", "worker" if name in run.OF_WORKERS else name]


def reported(folder: Path) -> set[int]:
    """Return the numbers of the processes that the service knows."""
    with closing(open_store(embedded(folder).database)) as store, store.read() as conn:
        return set(conn.execute(select(PROCESSES.c.pid)).scalars())


def files(process: psutil.Process) -> set[str]:
    return {it.path for it in process.open_files()}


def refused(port: int) -> int | None:
    """Return the answer at this port to a mail for an unknown address, or None without a server."""
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as line:
            line.ehlo("mta.example.org")
            line.mail("")
            return line.rcpt("nobody@localhost")[0]
    except OSError:
        return None


def test_data_of_the_running_service_is_private_and_erasure_is_complete(
    tmp_path: Path,
) -> None:
    """The whole service: a person plays against bots, gets mail, and is erased, with the most permissive umask.

    Then the parent process is killed, and no child stays behind.
    """
    folder = tmp_path / "var"
    folder.mkdir()
    folder.chmod(0o777)
    name, email = "Zerlina Quastenflosser", "zerlina@xn--bcher-kva.example"
    with up(folder, umask=0) as (parent, _):
        address = until(lambda: running(folder), what="starting")
        browser = Visitor(address)
        token = browser.form("/", "/play", name=name, email=email)
        assert "six digits" in token or "mail" in token
        letter = until(lambda: browser.letter("/sign-in/"), what="the link")
        browser.form(letter, letter, name=name)
        until(lambda: browser.letter("/turn/"), what="the turn's mail")
        (folder / "out.log").chmod(0o600)  # the test's own file
        found = {it: stat.S_IMODE(it.stat().st_mode) for it in (folder, *folder.rglob("*"))}
        names = {"var", "lock", "secret_key", "slowtrain.db", "slowtrain.db-wal", "slowtrain.db-shm", "messages"}
        assert {it.name for it in found} >= names
        wrong = {it: oct(mode) for it, mode in found.items() if mode != (0o700 if it.is_dir() else 0o600)}
        assert wrong == {}
        assert holding(folder, email, "quastenflosser")
        browser.form("/account", "/account/erase", email=email)
        until(lambda: not holding(folder, email, "quastenflosser", "zerlina"), what="forgetting")
        processes = until(lambda: len(found := children(parent)) == 5 and found)
        parent.kill()
        parent.wait()
        until(lambda: not [each for each in processes.values() if each.is_running()], what="ending of the children")


class Visitor:
    """A browser at the running site, whose mail comes to the local mailbox."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.http = requests.Session()

    def form(self, page: str, action: str, **entries: str) -> str:
        """Fill in the form to ``action`` on a page and send it. Return the answer."""
        html = self.http.get(self.site + page, timeout=PATIENCE).text
        guard = re.search(r'name="csrf" value="([^"]+)"', html)
        assert guard
        answer = self.http.post(self.site + action, data={"csrf": guard[1], **entries}, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text[-2000:]
        return answer.text

    def letter(self, link: str) -> str | None:
        """Return the address of this kind in the newest mail that has one."""
        shown = self.http.get(f"{self.site}/mailbox", timeout=PATIENCE).text
        for number in re.findall(r'href="/mailbox/(\d+)"', shown):
            source = self.http.get(f"{self.site}/mailbox/{number}", timeout=PATIENCE).text
            if found := re.search(rf'href="({link}[^"]+)"', source):
                return found[1]
        return None


def test_no_pause_is_longer_than_a_minute_and_a_life_of_a_minute_forgets_all_deaths() -> None:
    supervisor = run.Supervisor({"worker": ["worker"]})
    pauses = [supervisor._pause("worker", 1, lived=3.0) for _ in range(12)]
    assert pauses == [0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]
    assert supervisor._pause("worker", 1, lived=run.LIVED) == 0


def test_without_safe_forks_each_child_is_started_as_a_command(capfd: pytest.CaptureFixture[str]) -> None:
    supervisor = run.Supervisor({"version": ["--version"]})
    supervisor._start("version")
    assert supervisor.children["version"].wait(PATIENCE) == 0
    assert capfd.readouterr().out.startswith("Slow Train")


# ==== several web processes =======================================================================
TOKEN = {"Authorization": "Bearer of figures"}


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[psutil.Process, str]]:
    """``slowtrain web`` with two processes that share a port. Yield their parent, and the address."""
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path / "figures"))
    settings = embedded(tmp_path, port=free_port(), metrics_token="of figures")
    with closing(open_store(settings.database, settings=settings)) as store:
        store.migrate()
    command = (sys.executable, "-c", "from service.cli.main import main; main()", "web", "--processes=2")
    with process(settings, *command) as it:
        parent = psutil.Process(it.pid)
        until(lambda: listening(parent) == 2, what="starting")
        yield parent, settings.site
        for each in parent.children() if parent.is_running() else []:
            each.kill()


def listening(parent: psutil.Process) -> int:
    """Return the number of processes that have begun to serve: they have their threads for requests."""
    return sum(each.num_threads() > THREADS for each in parent.children())


def asked(site: str, times: int) -> None:
    """Check that the site answers so many requests, each over a connection of its own."""
    for _ in range(times):
        with urllib.request.urlopen(f"{site}/healthz", timeout=PATIENCE) as answer:
            assert answer.status == 200


def test_web_processes_share_a_port_add_up_their_figures_and_end_with_their_parent(
    web: tuple[psutil.Process, str], tmp_path: Path
) -> None:
    parent, site = web
    rounds = 0

    def both_have_answered() -> bool:
        nonlocal rounds
        rounds += 1
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: asked(site, 10), range(8)))
        return len(list((tmp_path / "figures").glob("histogram_*.db"))) == 2

    until(both_have_answered)
    with urllib.request.urlopen(urllib.request.Request(f"{site}/metrics", headers=TOKEN), timeout=PATIENCE) as answer:
        figures = answer.read().decode()
    assert f'slowtrain_request_seconds_count{{method="GET",rule="/healthz",status="2xx"}} {80 * rounds}.0' in figures
    all_end(parent, site, signal.SIGTERM)


def test_a_killed_web_process_is_restarted_while_the_other_answers(web: tuple[psutil.Process, str]) -> None:
    parent, site = web
    first = parent.children()[0]
    first.kill()
    first.wait(PATIENCE)
    asked(site, 20)
    until(lambda: listening(parent) == 2, what="restarting it")
    asked(site, 20)
    all_end(parent, site, signal.SIGKILL)


def all_end(parent: psutil.Process, site: str, how: signal.Signals) -> None:
    """Check that the web processes end with their parent."""
    processes = parent.children()
    assert len(processes) == 2
    parent.send_signal(how)
    until(lambda: not [each for each in (parent, *processes) if alive(each)], what="ending")
    with pytest.raises(urllib.error.URLError):
        asked(site, 1)


@pytest.mark.long
def test_an_inherited_socket_keeps_visitors_between_two_starts(tmp_path: Path) -> None:
    settings = embedded(tmp_path)
    command = (sys.executable, "-c", "from service.cli.main import main; main()", "web")
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor() as pool:
        site = f"http://127.0.0.1:{listener.getsockname()[1]}"
        for _ in range(2):
            waiting = pool.submit(asked, site, 1)
            with process(settings, *command, f"--fd={listener.fileno()}", files=[listener.fileno()]) as it:
                waiting.result(PATIENCE)
                it.terminate()
                assert it.wait(PATIENCE) == 0


def test_a_missing_socket_is_named() -> None:
    answer = CliRunner().invoke(main, ["web", "--fd", "999"])
    assert answer.exit_code == 1
    assert "There is no socket at file descriptor 999" in answer.output


def alive(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


# ==== what cannot be ==============================================================================
def test_an_occupied_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for options in (["--port", str(port)], ["--port", str(free_port()), "--mailbox-port", str(port)]):
            answer = CliRunner().invoke(main, ["up", "--data-dir", str(tmp_path), *options])
            assert answer.exit_code == 1
            assert f"Cannot listen on 127.0.0.1 port {port}" in answer.output
            assert "perhaps another Slow Train" in answer.output
            assert "Choose another with" in answer.output


def test_a_folder_serves_one_service_only(tmp_path: Path) -> None:
    with run.alone(tmp_path):
        options = ["--data-dir", str(tmp_path), "--port", str(free_port()), "--mailbox-port", str(free_port())]
        answer = CliRunner().invoke(main, ["up", *options])
    assert answer.exit_code == 1
    assert "Another Slow Train is running" in answer.output


def test_production_is_not_started_this_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"PROFILE": "production", "DATABASE_URL": "sqlite://", "BROKER_URL": "redis://localhost/0",
             "BASE_URL": "https://t.example", "SECRET_KEYS": '["a key that is long enough, for tests only"]',
             "SMTP_HOST": "localhost", "ERASED_LIST": str(tmp_path / "erased")}  # fmt: skip
    for name, value in given.items():
        monkeypatch.setenv(f"SLOWTRAIN_{name}", value)
    answer = CliRunner().invoke(main, ["up", "--data-dir", str(tmp_path)])
    assert answer.exit_code == 1
    assert "Procfile" in answer.output


def test_mail_of_other_machines_is_accepted_only_on_request() -> None:
    answer = CliRunner().invoke(main, ["listen", "--host", "0.0.0.0"])
    assert answer.exit_code == 1
    assert "SLOWTRAIN_LISTEN_TO says which" in answer.output


@pytest.mark.parametrize("command", ["up", "web", "worker", "beat", "mailbox", "listen", "opensmtpd-filter"])
def test_every_command_explains_itself(command: str) -> None:
    answer = CliRunner().invoke(main, [command, "--help"])
    assert answer.exit_code == 0
    assert answer.output.startswith("Usage:")


def test_the_procfile_names_existing_commands() -> None:
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    assert set(lines) == {"web", "worker", "mail", "listen", "live", "webhooks", "checks", "beat"}
    assert lines["web"].startswith("slowtrain web ")  # test_slow_clients.py runs it
    assert lines["listen"] == "slowtrain listen"
    assert lines["live"] == "slowtrain live"
    assert "--app workers.beat beat" in lines["beat"]
    assert all("--app workers.app worker" in lines[it] for it in ("worker", "mail", "webhooks", "checks"))
    queues = [line.partition("--queues ")[2].split()[0] for line in lines.values() if "--queues " in line]
    assert sorted(queue for each in queues for queue in each.split(",")) == sorted(QUEUES), "each has its worker"
