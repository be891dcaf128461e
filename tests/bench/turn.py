"""``python -m tests.bench turn``: the whole cost of one turn, in milliseconds of a core.

A turn is one move, one mail, and two visits of the table, before and after the move. The cost of the sweeps is divided
by the turns of each second. The database is SQLite, whose work falls to our own processes, so that all of it is
counted. The mail server, the broker and the browser are not ours and are left out.
"""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice

import click
import msgspec
from sqlalchemy import select

from config import celery
from service.base.clock import now
from service.database.store import Store, open_store
from service.notices.owing import PEOPLE
from service.people import accounts, recipients
from tests.bench.http import Request, answer, moves_of, people_of, served
from tests.bench.mail import EACH_SECOND, OneMail
from tests.bench.measure import Bench, Figure, best_of
from workers import bots, clocks, outbox, webhooks

GAMES = 10
PLAYED = 30
"""Moves of each game before the measurement, so that the board is not empty."""
ROUNDS = 15

SWEEPS: dict[str, Callable[[Store], object]] = {
    celery.SEND_DUE_MAIL: outbox.send_due,
    celery.SWEEP_BOTS: bots.play_due,
    celery.SWEEP_CLOCKS: clocks.sweep,
    celery.CALL_WEBHOOKS: webhooks.send_due,
    celery.MEND_RECIPIENTS: lambda store: recipients.mend(store, now()),
}
"""The sweeps: tasks of the beat that look for due work."""


class Part(msgspec.Struct, frozen=True):
    """A part of a turn, and its yardstick. Seconds of a core."""

    what: str
    seconds: float
    yardstick: float
    of: str
    hold: str


def bench_turn(bench: Bench) -> Iterator[Figure]:
    """Measure each part of a turn beside its yardstick, and the turn."""
    parts = [*_asked_for(bench), *_in_the_background(bench)]
    for part in parts:
        yield Figure(part.what, _ms(part.seconds), f"{_ms(part.yardstick)} {part.of}", part.hold)
    all_, yardsticks = sum(part.seconds for part in parts), sum(part.yardstick for part in parts)
    yield Figure("one turn in all, of a core", _ms(all_), f"{_ms(yardsticks)} their yardsticks", "25 ms")


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


# ==== what the web process does ===================================================================
def _asked_for(bench: Bench) -> Iterator[Part]:
    """Return the least time of a round, in which each game is looked at, moved in and looked at again."""
    address = bench.addresses["SQLite"]
    with closing(open_store(address, titles={bench.title.id: bench.title})) as store:
        store.migrate()
        players = people_of(store, bench.title.seating.seats[0])
        with store.write() as conn:
            sessions = {token: accounts.open_session(conn, number, now()) for number, token in players}
        games = [iter(moves_of(store, bench.title, players, 1, f"turn{number}")) for number in range(GAMES)]
        took: dict[str, list[float]] = {"move": [], "pages": [], "insert": [], "page": []}
        with served(address) as port, _asking(port) as ask:
            for game in games:
                ask([move.bytes() for move in islice(game, PLAYED)])
            for _ in range(ROUNDS):
                moves = [move for game in games if (move := next(game, None))]
                look = [_page(move, sessions[move.token]) for move in moves]
                before = ask(look)
                took["move"].append(ask([it.bytes() for it in moves]))
                took["pages"].append(before + ask(look))
                took["insert"].append(ask([msgspec.structs.replace(it, path="/bare/").bytes() for it in moves]))
                took["page"].append(ask([b"GET /bare/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"] * len(moves)))
    least = {what: min(seconds) for what, seconds in took.items()}
    yield Part("a move over HTTP, of a core", least["move"], least["insert"], "bare insert", "2 ms")
    yield Part("two pages of the table", least["pages"], 2 * least["page"], "two bare pages", "")


def _page(move: Request, session: str) -> bytes:
    """Request the table, as the browser of the moving player does."""
    game = move.path.split("/")[-2]
    return f"GET /games/{game} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: session={session}\r\n\r\n".encode()


@contextmanager
def _asking(port: int) -> Iterator[Callable[[Sequence[bytes]], float]]:
    """Return a function that makes requests and returns the server's mean seconds of a core for one."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def body(request: bytes) -> bytes:
            connection.sendall(request)
            got = answer(connection)
            if not got.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 201 ")):
                raise click.ClickException(f"A request was not answered as it should be: {got.decode()[:2000]}")
            return got.partition(b"\r\n\r\n")[2]

        def spent() -> float:
            said = msgspec.json.decode(body(b"GET /bare/spent HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
            return float(said["seconds"])

        def ask(requests: Sequence[bytes]) -> float:
            began = spent()
            for request in requests:
                body(request)
            return (spent() - began) / len(requests)

        yield ask


# ==== what the workers do =========================================================================
def _in_the_background(bench: Bench) -> Iterator[Part]:
    with OneMail.of(bench.title) as mail:
        yield Part("a turn mail, from claim to mark", mail.seconds(), best_of(mail.picture), "its picture", "15 ms")
        yield _sweeps(mail.store)


def _sweeps(store: Store) -> Part:
    """Measure the sweeps of a second in which they find nothing, for each of the turns of that second."""
    beat = celery.make_celery(store.settings).conf.beat_schedule
    each_second = {name: 1 / beat[name]["schedule"].total_seconds() for name in SWEEPS}
    for sweep in SWEEPS.values():
        sweep(store)  # this sweep does the work that would be due during the measurement

    def look() -> None:
        with store.read() as conn:
            conn.execute(select(PEOPLE.c.id).limit(1)).all()

    ours = sum(best_of(partial(sweep, store)) * each_second[name] for name, sweep in SWEEPS.items())
    bare = best_of(look) * sum(each_second.values())
    what = f"the sweeps, shared by {EACH_SECOND} turns a second"
    return Part(what, ours / EACH_SECOND, bare / EACH_SECOND, "one SELECT each", "")
