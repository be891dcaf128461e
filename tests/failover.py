"""Losing machines under load, with real servers: is any accepted move lost?

    python -m tests.failover                     # a minute
    python -m tests.failover --seconds 60 --writers 8

It starts three PostgreSQL servers (of the test wheel), each of which may be the primary while the others follow it; a
Valkey; a worker and a beat; and a mail server that records its mails. Writers play moves of Grand Trunk, through the
road of all moves: every other one as fast as it can, the rest so slowly that each turn's mail is sent. One after
another a standby is killed, Valkey is killed and comes back empty, and the primary is killed and a standby promoted.
Nobody tells writers and workers: their address names all three.

Ends with 1 if an accepted move or an owed mail is missing, a game does not prove, or writing did not go on.
"""

import argparse
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from sqlalchemy import insert, select

from config.settings import Settings
from domain.lifecycle import StartGame
from service.base import hints
from service.base.clock import now
from service.database.store import PLIES, Away, Busy, Store, open_store
from service.notices.owing import OUTBOX, PEOPLE
from service.proof.audit import verify_game
from tests.road import open_game, submit, take_seat
from tests.servers import PostgreSQLFolder, Redis, free_port
from tests.workers.processes import beat, process, production, worker

NAMES = ("a", "b", "c")
PATIENCE = 60.0
"""Seconds after which an automatic recovery has failed."""

SLOWLY = 0.3
"""Seconds between the moves of a slow writer."""


# ==== the servers =================================================================================
class Machine:
    """One PostgreSQL server of three with the same configuration; ``name`` identifies it to the others."""

    def __init__(self, home: PostgreSQLFolder, name: str, ports: dict[str, int]) -> None:
        self.home, self.name, self.port = home, name, ports[name]
        self.data = home.folder / name
        everybody = f"host={','.join('127.0.0.1' for _ in ports)} port={','.join(map(str, ports.values()))}"
        self.options = (
            f"port={self.port}", "listen_addresses=127.0.0.1", f"cluster_name={name}", "shared_buffers=32MB",
            "max_connections=100", "synchronous_commit=on", f"synchronous_standby_names=ANY 1 ({', '.join(ports)})",
            f"primary_conninfo={everybody} user=postgres target_session_attrs=read-write connect_timeout=3",
            "wal_keep_size=512MB", "wal_retrieve_retry_interval=500ms",
        )  # fmt: skip

        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with open(self.home.folder / f"{self.name}.log", "ab") as log:
            self.process = self.home.server(self.data, log, *self.options)
        until(f"PostgreSQL {self.name} answers", self.answers)

    def follow(self, primary: "Machine") -> None:
        """Start anew, as a standby of another."""
        self.home.run(
            "pg_basebackup",
            "-h",
            "127.0.0.1",
            "-p",
            primary.port,
            "-U",
            "postgres",
            "-D",
            self.data,
            "--checkpoint=fast",
            "--wal-method=stream",
            "--write-recovery-conf",
        )
        (self.data / "postgresql.auto.conf").write_text("")  # the shared configuration names the primary
        self.start()

    def promote(self) -> None:
        self.home.run("pg_ctl", "promote", "-D", self.data)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def ask(self, query: str) -> tuple[object, ...] | None:
        dsn = f"host=127.0.0.1 port={self.port} user=postgres dbname=postgres connect_timeout=3"
        with psycopg.connect(dsn, autocommit=True) as conn:
            return conn.execute(query).fetchone()

    def answers(self) -> bool:
        try:
            return self.ask("SELECT 1") is not None
        except psycopg.OperationalError:
            return False

    def standbys(self) -> int:
        return int(str((self.ask("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'") or (0,))[0]))

    def received(self) -> int:
        """Return the received part of the write-ahead log."""
        return int(str((self.ask("SELECT pg_last_wal_receive_lsn() - '0/0'::pg_lsn") or (0,))[0]))

    def is_alone(self) -> bool:
        """Will no more of the log come?"""
        return self.ask("SELECT 1 FROM pg_stat_wal_receiver WHERE status = 'streaming'") is None


def until(what: str, holds: Callable[[], bool]) -> float:
    """Wait for a condition. Return the seconds it took."""
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > PATIENCE:
            raise RuntimeError(f"in vain for {PATIENCE:.0f} s: {what}")
        time.sleep(0.02)
    return time.monotonic() - began


# ==== the writers =================================================================================
class Writer(threading.Thread):
    """A player of turns at tables of its own, recording accepted moves until ``over``.

    ``accepted``: id of each answered submission, with its game and plies. ``owed``: the notices seen in the database.
    ``waits``: the seconds of every try that ended because the database was away.
    """

    def __init__(self, store: Store, number: int, tables: int, over: threading.Event) -> None:
        super().__init__(name=f"writer {number}", daemon=True)
        self.store, self.number, self.over = store, number, over
        self.dice = random.Random(number)
        self.accepted: dict[str, tuple[str, list[int]]] = {}
        self.owed: set[int] = set()
        self.times: list[float] = []
        self.waits: list[float] = []
        self.replayed = 0
        self.failed = ""
        self.games = [self._table(at) for at in range(tables)]

    def run(self) -> None:
        try:
            while not self.over.is_set():
                place = self.dice.randrange(len(self.games))
                try:
                    if not self._turn(self.games[place]):
                        self.games[place] = self._table(place)
                    self.over.wait(SLOWLY if self.number % 2 else 0.0)
                except (Away, Busy):  # nothing was promised
                    self.over.wait(0.05)
        except Exception as error:
            self.failed = repr(error)
            raise

    def _turn(self, game_id: str) -> bool:
        """Make a move of an asked seat; False if there is none."""
        with self.store.read() as conn:
            game = self.store.load(conn, game_id).game
        if not game.asked:
            return False
        seat = game.asked[0]
        commands = game.title.bots["random"](game.title.rules.view(game.state, seat), self.dice)
        submission = f"{self.number}-{self.dice.getrandbits(64):x}"
        while True:  # like a player's program, repeat the request until it is answered
            began = time.monotonic()
            try:
                answer = submit(self.store, game_id, seat, commands, None, submission)
                break
            except (Away, Busy):
                self.waits.append(time.monotonic() - began)
                time.sleep(0.05)
        self.accepted[submission] = (game_id, answer.plies)
        self.replayed += answer.replayed
        self.times.append(time.monotonic())
        with self.store.read() as conn:
            self.owed.update(conn.scalars(select(OUTBOX.c.id).where(OUTBOX.c.game_id == game_id)))
        return True

    def _table(self, at: int) -> str:
        """Return a game of two people who play nowhere else."""
        names = [f"w{self.number}-{at}-{seat}-{self.dice.getrandbits(40):x}" for seat in (1, 2)]
        with self.store.write() as conn:
            made = [
                conn.execute(insert(PEOPLE).values(email=f"{it}@example.org", name=it, created_at=now()))
                for it in names
            ]
        people = [int(it.inserted_primary_key[0]) for it in made]
        game_id = open_game(
            self.store,
            title="grand_trunk",
            options={},
            seats=2,
            name="Failover",
            host_id=people[0],
            public=False,
            at=now(),
            settle_ms=0,
        ).game_id
        for seat, person in enumerate(people, start=1):
            take_seat(self.store, game_id, seat, choice={}, at=now(), words="failover", person_id=person)
        submit(self.store, game_id, None, [StartGame()], None, None)
        return game_id


class Load:
    """All writers together."""

    def __init__(self, writers: list[Writer]) -> None:
        self.writers = writers

    def accepted(self) -> int:
        return sum(len(writer.times) for writer in self.writers)

    def goes_on(self, seconds: float, what: str) -> None:
        """Let them write for ``seconds``. Raises if no move was accepted at all."""
        before, began = self.accepted(), time.monotonic()
        time.sleep(seconds)
        until(f"writing goes on: {what}", lambda: self.accepted() > before)
        say(f"{what}: {(self.accepted() - before) / (time.monotonic() - began):,.0f} moves/s")

    def gap(self, since: float) -> float:
        """Return the longest time without an accepted move that ended after ``since``."""
        times = sorted(at for writer in self.writers for at in list(writer.times))
        return max(later - sooner for sooner, later in pairwise(times) if later > since)


# ==== the mail ====================================================================================
@contextmanager
def everything_else(settings: Settings, port: int, taken: Path) -> Iterator[None]:
    """Start a mail server, a worker and a beat, each as a process of its own."""
    with ExitStack() as all_of_it:
        all_of_it.enter_context(process(settings, sys.executable, "-m", "tests.bench.sink", str(port), str(taken)))
        all_of_it.enter_context(worker(settings, app="workers.app", at_once=2, queues="mail"))
        all_of_it.enter_context(beat(settings))
        hints.configure(settings)
        try:
            yield
        finally:
            hints.configure(None)


def owing(store: Store) -> int:
    """Return the number of notices still owed."""
    with store.read() as conn:
        return len(conn.execute(select(OUTBOX.c.id).where(OUTBOX.c.state.in_(("pending", "leased")))).all())


# ==== losses ======================================================================================
def missing(store: Store, writers: list[Writer], taken: Path) -> list[str]:
    """Print the figures at the end, and return the errors in words."""
    wrong: list[str] = []
    with store.read() as conn:
        plies = {(row.game_id, row.ply) for row in conn.execute(select(PLIES.c.game_id, PLIES.c.ply))}
        ours = {submission for submission in conn.scalars(select(PLIES.c.submission_id).distinct()) if submission}
        notices = {row.id: row for row in conn.execute(select(OUTBOX))}
        games = sorted({game for game, _ in plies})
    accepted = {name: it for writer in writers for name, it in writer.accepted.items()}
    lost = [
        name
        for name, (game, numbers) in accepted.items()
        if name not in ours or any((game, number) not in plies for number in numbers)
    ]
    say(f"{len(accepted):,} accepted moves, {len(lost)} of them lost")
    wrong += [f"a move is lost: {name}" for name in lost]

    unproved = [game for game in games if not verify_game(store, game).proved]
    say(f"{len(games)} games, {len(games) - len(unproved)} of them proved")
    wrong += [f"a game does not prove: {game}" for game in unproved]

    owed = {notice for writer in writers for notice in writer.owed}
    handed_over = Counter(line.split()[1] for line in taken.read_text().splitlines())
    states = Counter(row.state for row in notices.values())
    sent = {row.told_by for row in notices.values() if row.state == "sent"}
    wrong += [f"a notice is lost: {notice}" for notice in owed - notices.keys()]
    wrong += [
        f"a notice was neither sent nor overtaken: {row.id} {row.state}"
        for row in notices.values()
        if row.state not in ("sent", "superseded")
    ]
    wrong += [f"a mail was not handed over: {name}" for name in sent - handed_over.keys()]
    told = {row.told_by for row in notices.values()} | {row.message_id for row in notices.values()}
    wrong += [f"a mail of which the database knows nothing: {name}" for name in handed_over.keys() - told]
    twice = sum(count - 1 for count in handed_over.values())
    say(
        f"{len(owed):,} notices seen to be owed, {len(owed - notices.keys())} of them lost; of all {len(notices):,}: "
        f"{states['sent']:,} sent, {states['superseded']:,} overtaken by the next turn"
    )
    say(f"{len(handed_over):,} mails handed over, {twice} of them a second time, as the very same")
    return wrong


# ==== the run =====================================================================================
_began = time.monotonic()


def say(words: str) -> None:
    print(f"{time.monotonic() - _began:6.1f} s  {words}", flush=True)


def run(folder: Path, home: PostgreSQLFolder, valkey: Redis, seconds: float, writers: int, tables: int) -> list[str]:
    """Lose one machine after the other. Return the errors at the end, in words."""
    ports = {name: free_port() for name in NAMES}
    machines = tuple(Machine(home, name, ports) for name in NAMES)
    over = threading.Event()
    try:
        return _lose_one_after_the_other(folder, machines, valkey, over, seconds, writers, tables)
    finally:
        over.set()
        for machine in machines:
            machine.kill()


def _lose_one_after_the_other(
    folder: Path,
    machines: tuple[Machine, ...],
    valkey: Redis,
    over: threading.Event,
    seconds: float,
    writers: int,
    tables: int,
) -> list[str]:
    a, b, c = machines
    a.home.init(a.data)
    a.start()
    b.follow(a)
    c.follow(a)
    until("two standbys follow", lambda: a.standbys() == 2)
    say(f"{a.ask('SELECT version()')[0].split(' on ')[0]}: a is the primary, b and c follow it")  # type: ignore[index]

    hosts = "&".join(f"host=127.0.0.1:{machine.port}" for machine in machines)
    smtp, taken = free_port(), folder / "taken"
    taken.touch()
    settings = production(
        folder, f"postgresql+psycopg://postgres@/postgres?{hosts}", valkey.url, smtp_port=smtp, presence_seconds=0.0
    )
    with closing(open_store(settings.database, settings=settings)) as store:
        store.migrate()
        load = Load([Writer(store, number, tables, over) for number in range(writers)])
        with everything_else(settings, smtp, taken):
            for writer in load.writers:
                writer.start()
            load.goes_on(seconds, "all are there")

            c.kill()
            load.goes_on(seconds, "standby c is killed")
            c.start()
            until("c follows again", lambda: a.standbys() == 2)

            valkey.kill()
            load.goes_on(seconds, "Valkey is killed")
            valkey.start()
            load.goes_on(seconds, "Valkey is back, empty")

            lost_at = time.monotonic()
            a.kill()
            until("b and c have all they can get", lambda: b.is_alone() and c.is_alone())
            heir, other = sorted((b, c), key=Machine.received, reverse=True)
            say(f"primary a is killed; {heir.name} has the most of its log")
            heir.promote()
            promoted = time.monotonic()
            until("moves are accepted again", lambda: any(w.times and w.times[-1] > promoted for w in load.writers))
            load.goes_on(seconds, f"{heir.name} is promoted, {other.name} follows it by itself")
            say(f"{load.gap(lost_at):.2f} s without a move, {promoted - lost_at:.2f} s of them until it was promoted")
            waits = [wait for writer in load.writers for wait in writer.waits]
            say(
                f"{len(waits)} tries found the database away, the longest took {max(waits, default=0):.2f} s; "
                f"{sum(writer.replayed for writer in load.writers)} moves stood already when they were asked "
                "for again"
            )

            a.data.rename(a.data.with_name("lost"))
            a.follow(heir)
            until("a follows", lambda: heir.standbys() == 2)
            load.goes_on(seconds, f"a is back, as a standby of {heir.name}")

            over.set()
            for writer in load.writers:
                writer.join(PATIENCE)
            left = owing(store)
            took = until("all mail is sent", lambda: owing(store) == 0)
            say(f"after the last move {left} notices were owed, and dealt with {took:.1f} s later")
        wrong = [f"{writer.name} ended: {writer.failed}" for writer in load.writers if writer.failed]
        return wrong + missing(store, load.writers, taken)


def main() -> None:
    """The command."""
    text = str(__doc__).partition("\n")
    parser = argparse.ArgumentParser(
        "python -m tests.failover",
        description=text[0],
        epilog=text[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each state of things lasts (4)")
    parser.add_argument("--writers", type=int, default=4, help="how many write at once (4)")
    parser.add_argument("--tables", type=int, default=10, help="games of each writer (10)")
    given = parser.parse_args()
    home, valkey = PostgreSQLFolder(), Redis()
    try:
        with TemporaryDirectory() as folder:
            wrong = run(Path(folder), home, valkey, given.seconds, given.writers, given.tables)
    finally:
        valkey.stop()
        home.remove()
    for each in wrong[:20]:
        say(f"WRONG: {each}")
    say("nothing was lost" if not wrong else f"{len(wrong)} things are wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
