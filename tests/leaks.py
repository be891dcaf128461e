"""Does memory stay flat? Ten minutes under load in each profile, then 10,000 mails.

    python -m tests.leaks                        # both profiles, about half an hour
    python -m tests.leaks --profile embedded --minutes 2 --mails 500

The service is started as its operators start it (``slowtrain up``; the Procfile beside PostgreSQL and Valkey). Programs
play games over the API and look at tables as browsers do, without a pause. Every two seconds the private memory (USS)
of each process is noted.

Two figures are compared with the end of their phase: the memory after half of the time, when caches are nearly full
(the pieces of three boards arrive gradually), and the memory after half of the mails, which are owed again and again.
Ends with 1 if a process grew by more than a tenth in the first phase, or by more than `GRACE` in the second.
"""

import argparse
import itertools
import random
import re
import shlex
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil
import requests
from rich.console import Console
from rich.table import Table
from sqlalchemy import func, select, update

from config.settings import Settings
from domain import TITLES
from service.base.clock import now
from service.database.store import PLIES, Store, open_store
from service.database.tables import Notice, table_of
from service.people import accounts, recipients
from tests.servers import PostgreSQL, Redis, free_port
from tests.workers import processes
from tests.workers.post import smtp_server, until

OUTBOX = table_of(Notice)
PLAYERS = 3
"""Programs that play one game after another."""
TABLES = 40
"""Games in which a turn mail is owed again and again."""
PAUSE = 2.0
"""Seconds between two measurements of memory."""
GRACE = 8.0
"""MB that a process may grow: the allocator's reserve varies by as much."""
MB = 1024 * 1024

Looks = dict[str, list[tuple[float, float]]]
"""Process -> time (seconds) and memory (MB) of each measurement."""


class Sink:
    """A mail server that counts its mails."""

    def __init__(self) -> None:
        self.taken = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.taken += 1
        return "250 OK"


# ==== the service =================================================================================
@contextmanager
def embedded(folder: Path, sink: Sink) -> Iterator[tuple[Settings, list[psutil.Process]]]:
    """Run ``slowtrain up``, whose mail goes to the sink."""
    with smtp_server(sink) as post:
        settings = Settings(
            _env_file=None,
            data_dir=folder / "var",
            port=free_port(),
            mailbox_port=free_port(),
            smtp_host="127.0.0.1",
            smtp_port=post,
            **_busy(),
        )
        settings.data_dir.mkdir()
        main = (sys.executable, "-c", "from service.cli.main import main; main()", "up")
        with processes.process(settings, *main) as child:
            until(lambda: answers(settings), 600, "starting the service")
            yield settings, [psutil.Process(child.pid)]


@contextmanager
def production(folder: Path, sink: Sink) -> Iterator[tuple[Settings, list[psutil.Process]]]:
    """Run the processes of the Procfile."""
    lines = dict(line.split(": ", 1) for line in (processes.ROOT / "Procfile").read_text().splitlines())
    with smtp_server(sink) as post, ExitStack() as running:
        port = free_port()
        settings = processes.production(
            folder,
            PostgreSQL().new_database(),
            Redis().url,
            port=port,
            smtp_port=post,
            base_url=f"http://127.0.0.1:{port}",
            sweep_seconds=10.0,
            **_busy(),
        )
        store = open_store(settings.database, settings=settings)
        store.migrate()
        store.close()
        children = []
        for line in lines.values():
            program, *rest = shlex.split(re.sub(r"\$\{\w+:-(\w+)\}", r"\1", line))
            rest = [str(port) if word == "8000" else word for word in rest]
            module = "service.cli.main" if program == "slowtrain" else "celery.__main__"
            code = f"from {module} import main; main()"
            child = running.enter_context(processes.process(settings, sys.executable, "-c", code, *rest))
            children.append(psutil.Process(child.pid))
        until(lambda: answers(settings), 600, "starting the service")
        yield settings, children


def _busy() -> dict[str, Any]:
    return {"settle_seconds": 0.0, "presence_seconds": 0.0, "rate_limits": False}


def answers(settings: Settings) -> bool:
    try:
        return requests.get(f"{settings.site}/readyz", timeout=2).ok
    except requests.RequestException:
        return False


# ==== the load ====================================================================================
class Program:
    """A program that plays one game after another with two bots, and looks at tables between its moves."""

    def __init__(self, settings: Settings, store: Store, number: int) -> None:
        self.api, self.site = f"{settings.site}/api/v1", settings.site
        self.dice = random.Random(number)
        self.session = requests.Session()
        with store.write() as conn:
            person, _ = accounts.person_at(conn, f"p{number}@example.org", "en", now())
            accounts.change(conn, person, 0, name=f"Player {number}")
            _, token = accounts.make_token(conn, person, "load", ("read", "play", "host"), now())
            session = accounts.open_session(conn, person, now())
        self.headers = {"Authorization": f"Bearer {token}"}
        self.cookies = {"session": session}
        self.moves = self.games = 0

    def play(self, until_when: Callable[[], bool]) -> None:
        titles = itertools.cycle(TITLES.values())
        while not until_when():
            game = self.open(next(titles).id)
            while not until_when() and self.move(game):
                self.moves += 1
            self.games += 1

    def open(self, title: str) -> str:
        """Open and start a table with itself and bots. Return its id."""
        seats = max(3, TITLES[title].seating.seats[0])
        game = str(self._post("/games", {"title": title, "seats": seats, "name": "Load", "public": True})["id"])
        self._post(f"/games/{game}/join", {"seat": 1, "words": f"{self.dice.random()}"})
        for seat in range(2, seats + 1):
            self._post(f"/games/{game}/bots", {"seat": seat, "bot": "random"})
        self._post(f"/games/{game}/start", {})
        return game

    def move(self, game: str) -> bool:
        """Look, and move if asked. Return False when the game is over."""
        for _ in range(600):
            shown = self.session.get(f"{self.api}/games/{game}", headers=self.headers, timeout=30).json()
            if shown["status"] == "over":
                return False
            if shown["seat"] in shown["asked"]:
                break
            time.sleep(0.1)
        self.session.get(f"{self.site}/games/{game}", cookies=self.cookies, timeout=30)
        offered = self.session.get(f"{self.api}/games/{game}/actions", headers=self.headers, timeout=30).json()
        if offered["actions"]:
            command = self.dice.choice(offered["actions"])["command"]
            position = {"If-Match": f'"{offered["version"]}"'}
            self._post(f"/games/{game}/moves", {"commands": [command]}, position, may=(409, 412))
        return True

    def _post(self, path: str, body: Any, more: dict[str, str] | None = None, may: Sequence[int] = ()) -> Any:
        answer = self.session.post(f"{self.api}{path}", json=body, headers=self.headers | (more or {}), timeout=30)
        if not answer.ok and answer.status_code not in may:
            raise RuntimeError(f"{path}: {answer.status_code} {answer.text[:300]}")
        return answer.json()


def load(settings: Settings, store: Store, seconds: float, look: Callable[[], None]) -> tuple[int, int]:
    """Play for ``seconds`` while measuring the memory. Return the numbers of moves and games."""
    end = time.monotonic() + seconds
    failures: list[BaseException] = []

    def over() -> bool:
        return bool(failures) or time.monotonic() > end

    def run(program: Program) -> None:
        try:
            program.play(over)
        except Exception as error:
            failures.append(error)

    programs = [Program(settings, store, number) for number in range(PLAYERS)]
    threads = [threading.Thread(target=run, args=(program,), daemon=True) for program in programs]
    for thread in threads:
        thread.start()
    while not over():
        look()
        time.sleep(PAUSE)
    for thread in threads:
        thread.join(120)
    if failures:
        raise failures[0]
    return sum(it.moves for it in programs), sum(it.games for it in programs)


def mails(settings: Settings, store: Store, sink: Sink, number: int, look: Callable[[], None]) -> int:
    """Send turn mails, each owed again at once. Return their number."""
    hosts = [Program(settings, store, PLAYERS + at) for at in range(TABLES)]
    for host, title in zip(hosts, itertools.cycle(TITLES)):
        host.open(title)
    turns = OUTBOX.c.kind == "turn"
    since, begun = sink.taken, time.monotonic()
    while sink.taken - since < number:
        with store.write() as conn:
            again = update(OUTBOX).where(turns, OUTBOX.c.state == "sent").returning(OUTBOX.c.person_id)
            whom = conn.execute(again.values(state="pending", told_by=None, due_at=0)).scalars().all()
            recipients.settle(conn, [recipients.of_person(each) for each in sorted(set(whom))], 0)
        look()
        time.sleep(PAUSE)
        if sink.taken == since and time.monotonic() - begun > 120:
            raise RuntimeError("no mail comes")
    return sink.taken - since


# ==== the memory ==================================================================================
def named(process: psutil.Process) -> str:
    """Return the role of a process of the service."""
    words = process.cmdline()
    queues = [
        words[at + 1] if word == "--queues" else word.partition("=")[2]
        for at, word in enumerate(words)
        if word.startswith("--queues")
    ]
    if queues:
        return f"worker of {queues[0]}"
    return next((word for word in words if word in {"web", "beat", "mailbox", "up"}), words[-1])


def look(roots: Sequence[psutil.Process], looks: Looks) -> None:
    """Note the private memory of each process of the service; those of one kind are added up."""
    had: dict[str, float] = defaultdict(float)
    for root in roots:
        for process in (root, *root.children(recursive=True)):
            try:
                had[named(process)] += process.memory_full_info().uss / MB
            except psutil.NoSuchProcess:
                continue
    for name, size in had.items():
        looks[name].append((time.monotonic(), size))


def between(sizes: list[tuple[float, float]], since: float, until_when: float) -> float:
    return statistics.median(size for at, size in sizes if since <= at <= until_when)


# ==== the command =================================================================================
def measure(profile: str, minutes: float, number: int, console: Console) -> list[str]:
    """Run one profile. Return the processes that grew."""
    sink, looks = Sink(), defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="slowtrain-leaks-") as folder:
        service = {"embedded": embedded, "production": production}[profile]
        with service(Path(folder), sink) as (settings, roots):
            store = open_store(settings.database, settings=settings)
            begun, seconds = time.monotonic(), 60 * minutes
            console.print(f"[bold]{profile}[/]: {minutes:g} minutes of games …")
            moves, games = load(settings, store, seconds, lambda: look(roots, looks))
            played = time.monotonic()
            console.print(f"{moves:,} moves in {games:,} games, {sink.taken:,} mails. Now {number:,} mails …")
            sent = mails(settings, store, sink, number, lambda: look(roots, looks)) if number else 0
            with store.read() as conn:
                plies = conn.execute(select(func.count()).select_from(PLIES)).scalar_one()
            store.close()
    columns = ("process", "warm", "at the end", f"after {sent // 2:,} mails", f"after {sent:,}", "")
    table = Table(*columns, title=f"{profile}: MB of its own")
    grown = []
    for name, sizes in sorted(looks.items()):
        warm = between(sizes, begun + 0.45 * seconds, begun + 0.55 * seconds)
        end = between(sizes, played - seconds / 10, played)
        last = sizes[-1][0]
        halfway = between(sizes, (played + last) / 2 - 10, (played + last) / 2 + 10) if sent else end
        after = between(sizes, last - 20, last) if sent else end
        grows = end - warm > max(GRACE, warm / 10) or after - halfway > GRACE
        grown += [f"{profile}: {name}"] * grows
        sizes_said = [f"{size:.1f}" for size in (warm, end, halfway, after)]
        table.add_row(name, *sizes_said, "[red]grows[/]" if grows else "flat")
    console.print(table)
    console.print(f"{plies:,} plies in the store.")
    return grown


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.leaks", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--profile", choices=("embedded", "production", "both"), default="both")
    parser.add_argument("--minutes", type=float, default=10.0, help="of games, in each profile [10]")
    parser.add_argument("--mails", type=int, default=10_000, help="to send after that [10,000]")
    given = parser.parse_args()
    console = Console(soft_wrap=True)
    profiles = ("embedded", "production") if given.profile == "both" else (given.profile,)
    grown = [each for profile in profiles for each in measure(profile, given.minutes, given.mails, console)]
    console.print(f"[red]Memory grows: {', '.join(grown)}.[/]" if grown else "[green]Memory is flat.[/]")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
