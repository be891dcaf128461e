"""``python -m tests.bench mail``: from the commit of a turn to the mail server, and the digest of very many games.

The workers are real processes behind a real broker, and the mail server is a process of its own that notes the time of
each mail.
"""

import json
import os
import random
import signal
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from sqlalchemy import insert, select, update

from config.settings import Settings
from domain.lifecycle import StartGame
from domain.title import Title
from service.base import hints
from service.base.clock import now
from service.database.store import GAMES, SEATS, SECRETS, Store, open_store
from service.database.tables import Notice, Person, table_of
from service.games import pictures, queries
from service.letters import compose, several
from service.letters.due import games_of, why_not_by_row
from service.people import recipients
from tests.bench.measure import Bench, Figure, best_of
from tests.road import open_game, submit, take_seat
from workers.claims import claim
from workers.outbox import work

PEOPLE, OUTBOX = table_of(Person), table_of(Notice)

EACH_SECOND = 20
SECONDS = 20
TABLES = 80
"""Enough tables that the mail of each has left before its next turn."""
DIGEST = 1000
BARE = 100
"""Mails that a bare ``smtplib`` sends."""
WORKERS = 2
SINK = (sys.executable, "-m", "tests.bench.sink")


def bench_mail(bench: Bench) -> Iterator[Figure]:
    """Measure from commit to hand-over, and a digest from rows."""
    for name, address in bench.addresses.items():
        yield from _hand_over(bench.title, name, address)
    yield _one_mail(bench.title)
    yield _digest(bench.title)


# ==== commit to hand-over =========================================================================
def _hand_over(title: Title, name: str, address: str) -> Iterator[Figure]:
    with TemporaryDirectory() as folder:
        port, taken_file = free_port(), Path(folder) / "taken"
        settings = Settings(  # type: ignore[call-arg]
            _env_file=None,
            data_dir=Path(folder),
            database_url=address,
            mailbox_port=port,
            presence_seconds=0.0,
            secret_keys=("a key for measuring",),
        )
        store = open_store(address, settings=settings)
        store.migrate()
        tables = [table(store, title, number) for number in range(TABLES)]
        with process(settings, *SINK, str(port), str(taken_file)), workers(settings):
            wait_for(port)
            hints.configure(settings)
            until_quiet(store)
            since = now()
            _play(store, tables)
            until_quiet(store)
            hints.configure(None)
            alone = bare(port, taken_file)
        when = taken(taken_file)
        rows = _sent(store, since)
        store.close()
    waited = sorted(when[message_id] - at for message_id, at in rows if message_id in when)
    what = f"a turn's commit to hand-over, {name}, {len(waited)} mails at {EACH_SECOND}/s, {WORKERS} workers: median"
    yield Figure(what, f"{quantile(waited, 0.5):,} ms", f"{quantile(alone, 0.5):,} ms bare smtplib", "")
    yield Figure("  99th percentile", f"{quantile(waited, 0.99):,} ms", f"{quantile(alone, 0.99):,} ms", "1,000 ms")


def table(store: Store, title: Title, number: int) -> str:
    """Return a game of two people who play nowhere else, with no settle time."""
    at = now()
    names = [f"p{number}-{seat}" for seat in (1, 2)]
    with store.write() as conn:
        made = [conn.execute(insert(PEOPLE).values(email=f"{it}@example.org", name=it, created_at=at)) for it in names]
    people: list[int] = [it.inserted_primary_key[0] for it in made]  # type: ignore[index]
    seats = max(2, title.seating.seats[0])
    opened = open_game(
        store,
        title=title.id,
        options={},
        seats=seats,
        name="Bench",
        host_id=people[0],
        public=False,
        at=at,
        settle_ms=0,
    )
    for seat in range(1, seats + 1):
        holder: dict[str, Any] = {"person_id": people[seat - 1]} if seat <= 2 else {"bot": "random"}
        take_seat(store, opened.game_id, seat, choice={}, at=at, words="bench", **holder)
    submit(store, opened.game_id, None, [StartGame()], None, None, at)
    return opened.game_id


def _play(store: Store, tables: list[str]) -> None:
    """Play one turn at one table after the other, at a fixed rate, whatever the workers do meanwhile."""
    dice, begin = random.Random(1), time.perf_counter()
    for number in range(EACH_SECOND * SECONDS):
        time.sleep(max(0.0, begin + number / EACH_SECOND - time.perf_counter()))
        turn(store, tables[number % len(tables)], dice)


def turn(store: Store, game_id: str, dice: random.Random) -> None:
    """Let a player play until another must."""
    with store.read() as conn:
        game = store.load(conn, game_id).game
    for _ in range(20):
        if not game.asked:
            return
        seat = game.asked[0]
        commands = game.title.bots["random"](game.title.rules.view(game.state, seat), dice)
        submit(store, game_id, seat, commands, None, None, now())
        with store.read() as conn:
            game = store.load(conn, game_id).game
        if seat not in game.asked:
            return


def _sent(store: Store, since: int) -> list[tuple[str, int]]:
    """Return Message-ID and time of the commit, of the turns since then whose mail was sent."""
    mine = select(OUTBOX.c.told_by, OUTBOX.c.due_at).where(
        OUTBOX.c.created_at >= since, OUTBOX.c.kind == "turn", OUTBOX.c.state == "sent"
    )
    with store.read() as conn:
        return [(row.told_by, row.due_at) for row in conn.execute(mine)]


def until_quiet(store: Store) -> None:
    waiting = select(OUTBOX.c.id).where(OUTBOX.c.state.in_(("pending", "leased"))).limit(1)
    for _ in range(1800):
        with store.read() as conn:
            if conn.execute(waiting).first() is None:
                return
        time.sleep(0.1)
    raise RuntimeError("the workers did not send the mail")


def quantile(ordered: list[int], part: float) -> int:
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


# ==== the yardstick ===============================================================================
def bare(port: int, taken: Path) -> list[int]:
    """Return the milliseconds that a bare ``smtplib`` takes for a mail as large as the last received one."""
    size = int(taken.read_text().splitlines()[-1].split()[2])
    source = b"Message-ID: <bare>\r\n\r\n" + (b"x" * 76 + b"\r\n") * (size // 78)
    times = []
    for _ in range(BARE):
        begin = time.perf_counter()
        with smtplib.SMTP("127.0.0.1", port) as server:
            server.sendmail("trains@localhost", "bare@example.org", source)
        times.append(round((time.perf_counter() - begin) * 1000))
    return sorted(times)


# ==== what a mail costs ===========================================================================
def _one_mail(title: Title) -> Figure:
    """Measure a worker's time for one turn mail, of one core: it shows what two cores could bear."""
    with OneMail.of(title) as mail:
        took, yardstick = (f"{seconds * 1000:.1f} ms of a core" for seconds in (mail.seconds(), best_of(mail.picture)))
    return Figure("a turn mail, from claim to mark", took, f"{yardstick} its picture alone", "15 ms")


class OneMail:
    """A store in which one turn mail is owed again and again."""

    def __init__(self, store: Store, title: Title) -> None:
        self.store, self._title = store, title
        table(store, title, 1)
        with store.read() as conn:
            self._whom = [recipients.of_person(each) for each in conn.scalars(select(PEOPLE.c.id))]
            row = conn.execute(select(OUTBOX).limit(1)).one()
            self._seen = queries.game_for(store, conn, row.person_id, row.game_id)

    @classmethod
    @contextmanager
    def of(cls, title: Title) -> Iterator[Self]:
        with TemporaryDirectory() as folder:
            settings = Settings(_env_file=None, data_dir=Path(folder), presence_seconds=0.0)  # type: ignore[call-arg]
            with closing(open_store(f"sqlite:///{folder}/mail.db", settings=settings)) as store:
                store.migrate()
                yield cls(store, title)

    def seconds(self) -> float:
        """Return the seconds of one core, without the mail server. The first mail draws parts that no later one draws
        again.
        """
        self._owe()
        self._send()
        return best_of(self._send, before=self._owe)

    def _owe(self) -> None:
        with self.store.write() as conn:
            conn.execute(update(OUTBOX).values(state="pending", told_by=None, due_at=0))
            recipients.settle(conn, self._whom, 0)

    def _send(self) -> None:
        claimed = claim(self.store, now())
        assert claimed is not None
        work(self.store, claimed, lambda *_: "250 OK", now)

    def picture(self) -> None:
        pictures.png(self._title, queries.view(self._seen), "en", compose.PICTURE_WIDTH)


# ==== processes ===================================================================================
@contextmanager
def workers(settings: Settings) -> Iterator[None]:
    celery = (sys.executable, "-m", "celery", "--quiet")
    worker = (
        *celery,
        "--app=workers.app",
        "worker",
        "--pool=threads",
        "--concurrency=1",
        "--queues=mail",
        "--without-mingle",
        "--without-gossip",
        "--without-heartbeat",
        "--loglevel=ERROR",
    )
    with (
        process(settings, *worker, "--hostname=one@bench"),
        process(settings, *worker, "--hostname=two@bench"),
        process(settings, *celery, "--app=workers.beat", "beat", "--pidfile=", "--loglevel=ERROR"),
    ):
        yield


@contextmanager
def process(settings: Settings, *command: str) -> Iterator[None]:
    said = {key: value for key, value in settings.model_dump(mode="json").items() if value not in ("", None)}
    plain = {key: value if isinstance(value, str) else json.dumps(value) for key, value in said.items()}
    environment = os.environ | {f"SLOWTRAIN_{key.upper()}": value for key, value in plain.items()}
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def free_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return int(unused.getsockname()[1])


def wait_for(port: int) -> None:
    for _ in range(1200):
        with socket.socket() as line:
            if line.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the mail server did not start")


# ==== the mail server =============================================================================
def taken(file: Path) -> dict[str, int]:
    """Return Message-ID -> the time of its hand-over, in milliseconds."""
    lines = [line.split() for line in file.read_text().splitlines()]
    return {message_id: int(at) for at, message_id, _ in reversed(lines)}


# ==== a digest ====================================================================================
def _digest(title: Title) -> Figure:
    """Measure one mail about very many games, from the rows in the store to the bytes."""
    with TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder))  # type: ignore[call-arg]
        store = open_store(f"sqlite:///{folder}/digest.db", settings=settings)
        store.migrate()
        _fill(store, title)
        owed = select(OUTBOX).where(OUTBOX.c.person_id == 1)

        def ours() -> None:
            with store.read() as conn:
                rows = conn.execute(owed).all()
                assert why_not_by_row(conn, rows, games_of(conn, 1)) == {}
                mail = several.mail(store, conn, rows, "<digest@localhost>", now())
            assert mail.source.count(b"fingerprint") >= DIGEST

        def bare() -> None:
            with store.read() as conn:
                mine = select(GAMES).join(SEATS, SEATS.c.game_id == GAMES.c.id).where(SEATS.c.person_id == 1)
                assert len(conn.execute(mine).all()) == DIGEST

        figures = best_of(ours), best_of(bare)
        store.close()
    took, yardstick = (f"{seconds * 1000:.0f} ms" for seconds in figures)
    return Figure(f"digest of {DIGEST:,} games, from the rows to the mail", took, f"{yardstick} SELECT", "200 ms")


def _fill(store: Store, title: Title) -> None:
    games = [f"game{number:04}" for number in range(DIGEST)]
    with store.write() as conn:
        conn.execute(insert(PEOPLE).values(email="ann@example.org", name="Ann", created_at=0))
        conn.execute(insert(GAMES), [{
            "id": it, "title": title.id, "name": f"Game {it}", "status": "running", "seats": 2, "public": False,
            "version": 7, "head": bytes(32), "asked": [1], "bot_at": None, "created_at": 0, "moved_at": 0,
        } for it in games])  # fmt: skip
        conn.execute(insert(SECRETS), [{"game_id": it, "secret": bytes(32)} for it in games])
        conn.execute(insert(SEATS), [{"game_id": it, "seat": 1, "person_id": 1, "joined_at": 0} for it in games])
        conn.execute(insert(OUTBOX), [{
            "person_id": 1, "game_id": it, "seat": 1, "ply": 7, "kind": "turn", "key": "", "payload": {},
            "message_id": f"<turn.{it}>", "state": "pending", "created_at": 0, "due_at": 0, "attempts": 0,
        } for it in games])  # fmt: skip
