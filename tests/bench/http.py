"""Accepting a move over HTTP, beside the same request to a bare Flask view that inserts one row.

One process serves both, over one store and one pool of threads. The same few clients call them in turns, so other load
of the machine affects both alike. A client sends prepared bytes and reads the answer from its socket, so its own work
is little, and the same for both. The games are already open when the clock starts, like games in progress; opening a
game is measured separately.

On SQLite, the share may fall below half: in one run it was 52 % from the first move on, and 44 % from move 1,000 on. In
a profile of the same day, 57 % of a request was its one commit, which syncs the write-ahead log to the disk; the bare
insert waits for the same sync. The six statements took 3 %, the rules 5 %. The other 35 % is Python, mostly Flask, the
schemas, and the rows for notices and clocks. So the share depends on the disk: the faster it syncs, the more of the
request is Python, of which a bare insert has little.
"""

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import click
import msgspec
from sqlalchemy import insert

from config.settings import Settings
from domain.chain import Ply, secret_commitment
from domain.game import Game, can_take_back, fold
from domain.lifecycle import OpenTable, StartGame, TakeBack, TakeSeat
from domain.messages import Command
from domain.play import decide_all
from domain.title import Title
from service.base.clock import HOUR, now
from service.database.store import SEATS, Store, open_store
from service.database.tables import Person, table_of
from service.people.accounts import make_token
from tests.bench.measure import SECRET, Bench, Figure, each_second, endless_take_backs, keep

CLIENTS = 4
ROUNDS = 8
SECONDS = 1.0
"""Seconds of load in each round."""
GAMES = 30
"""Games of each client and load: more than can be played in the time."""
LATE = 1000
"""The move that must be accepted as fast as the first."""


def bench_http(bench: Bench) -> Iterator[Figure]:
    """Measure accepting a move over HTTP."""
    for name, address in bench.addresses.items():
        with closing(open_store(address, titles={bench.title.id: bench.title})) as store:
            store.migrate()
            people = people_of(store, bench.title.seating.seats[0])
            loads = {version: Load(_clients(store, bench.title, people, version)) for version in (1, LATE)}
            any_move = msgspec.structs.replace(moves_of(store, bench.title, people, 1, "bare")[0], path="/bare/")
            bare = Load([repeat(any_move)] * CLIENTS)
            with served(address) as port:
                for version in loads:
                    _open(port, people[0][1], version)
                for load in (bare, *loads.values()):
                    load.run(port, SECONDS / 2)  # to warm up
                    load.forget()
                for _ in range(ROUNDS):
                    for load in (bare, *loads.values()):
                        load.run(port, SECONDS)
            for version, load in loads.items():
                what = f"moves accepted over HTTP from move {version} on, {name}"
                yardstick = f"{bare} bare insert ({load.each_second / bare.each_second:.0%})"
                yield Figure(what, str(load), yardstick, "50 %, alike")


# ==== what is asked ===============================================================================
class Request(msgspec.Struct, frozen=True):
    """A move to be made: the token of its player, its version, and its command."""

    path: str
    token: str
    version: int
    key: str
    body: bytes

    def bytes(self) -> bytes:
        return (
            f"POST {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f'Authorization: Bearer {self.token}\r\nIf-Match: "{self.version}"\r\nIdempotency-Key: {self.key}\r\n'
            f"Content-Length: {len(self.body)}\r\n\r\n"
        ).encode() + self.body


def people_of(store: Store, seats: int) -> list[tuple[int, str]]:
    """Return a person for each seat: number and token."""
    people = []
    with store.write() as conn:
        for seat in range(1, seats + 1):
            row = {"email": f"{seat}@example.org", "name": f"Player {seat}", "lang": "en", "zone": "UTC"}
            made = conn.execute(insert(table_of(Person)).values(**row, created_at=0)).inserted_primary_key
            people.append((made[0], make_token(conn, made[0], "bench", ("read", "play"), now())[1]))  # type: ignore[index]
    return people


def _clients(store: Store, title: Title, people: Sequence[tuple[int, str]], version: int) -> list[Iterator[Request]]:
    """Return the requests of each client: moves of games that wait in the store at ``version``."""
    return [
        chain.from_iterable([moves_of(store, title, people, version, game_id) for game_id in _games(client, version)])
        for client in range(CLIENTS)
    ]


def _games(client: int, version: int) -> list[str]:
    """Return the ids of the games that a client plays from ``version`` on."""
    return [f"v{version}c{client}g{number}" for number in range(GAMES)]


def moves_of(
    store: Store, title: Title, people: Sequence[tuple[int, str]], version: int, game_id: str
) -> list[Request]:
    """Return a new game, brought to ``version`` by moves taken back, and all moves from there to its end.

    The end is known because the secret is: the same moves draw the same cards.
    """
    play = Play(title, game_id, len(people))
    moves: list[Request] = []
    kept = len(play.plies) if version == 1 else 0
    dice = random.Random(game_id)
    while play.game.asked:
        seat = dice.choice(play.game.asked)
        command = title.bots["random"](title.rules.view(play.game.state, seat), dice)[0]
        if not kept and play.lengthen(seat, command, version):
            kept = len(play.plies)
        if kept:
            body = json.dumps({"commands": [msgspec.to_builtins(command)]}).encode()
            shown = play.game.version_for(seat)
            path, key = f"/api/v1/games/{game_id}/moves", f"{game_id}-{play.game.version}"
            moves.append(Request(path, people[seat - 1][1], shown, key, body))
        play.give(seat, command)
    keep(store, title, game_id, play.plies[:kept])
    with store.write() as conn:
        rows = [
            {"game_id": game_id, "seat": seat, "person_id": person_id, "joined_at": 0}
            for seat, (person_id, _) in enumerate(people, start=1)
        ]
        conn.execute(insert(SEATS), rows)
    return moves


class Play:
    """A game in memory."""

    def __init__(self, title: Title, game_id: str, seats: int) -> None:
        self.game, self.at = fold(game_id, title, ()), now()
        self.plies: list[Ply] = []
        options, choice = (
            msgspec.Raw(msgspec.json.encode(kind())) for kind in (title.seating.options, title.seating.choice)
        )
        self.give(None, OpenTable(title.id, seats, options, secret_commitment(SECRET), HOUR))
        for seat in range(1, seats + 1):
            self.give(seat, TakeSeat(seat, choice, f"{seat:064x}", bot=False))
        self.give(None, StartGame())

    def give(self, seat: int | None, command: Command) -> Game:
        decided = decide_all(self.game, seat, [command], self.at, "player", SECRET)
        self.plies += decided.plies
        self.game = decided.game
        return self.game

    def lengthen(self, seat: int, command: Command, version: int) -> bool:
        """Give and take back ``command`` until the log is long enough, if possible. The position stays the same."""
        if not can_take_back(decide_all(self.game, seat, [command], self.at, "player", SECRET).game, seat, self.at):
            return False
        with endless_take_backs():
            while self.game.version < version:
                self.give(seat, command)
                self.give(seat, TakeBack(self.game.version))
        return True


# ==== asking ======================================================================================
class Load:
    """Requests of several clients, with the number of answers and their time."""

    def __init__(self, clients: Sequence[Iterator[Request]]) -> None:
        self._clients = [(request.bytes() for request in client) for client in clients]
        self._wrong: list[str] = []
        self.forget()

    def forget(self) -> None:
        self._answered, self._took = 0, 0.0

    @property
    def each_second(self) -> float:
        return self._answered / self._took

    def __str__(self) -> str:
        return each_second(self.each_second)

    def run(self, port: int, seconds: float) -> None:
        """Let each client make its requests one after the other, for ``seconds``."""
        done, barrier = [0] * len(self._clients), threading.Barrier(len(self._clients) + 1)

        def ask(number: int) -> None:
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                barrier.wait()
                until = time.perf_counter() + seconds
                for request in self._clients[number]:
                    connection.sendall(request)
                    if not (got := answer(connection)).startswith(b"HTTP/1.1 201 "):
                        self._wrong.append(got.decode()[:2000])
                        return
                    done[number] += 1
                    if time.perf_counter() > until:
                        return
                self._wrong.append("There were too few games.")

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(self._clients))]
        for thread in threads:
            thread.start()
        barrier.wait()
        began = time.perf_counter()
        for thread in threads:
            thread.join()
        self._took += time.perf_counter() - began
        self._answered += sum(done)
        if self._wrong:
            raise click.ClickException(f"A request was not answered as it should be: {self._wrong[0]}")


def _open(port: int, token: str, version: int) -> None:
    """Let the server open the games that are played from ``version`` on, as if somebody looked at them."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for game_id in chain.from_iterable(_games(client, version) for client in range(CLIENTS)):
            path = f"GET /api/v1/games/{game_id} HTTP/1.1"
            connection.sendall(f"{path}\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            if not (got := answer(connection)).startswith(b"HTTP/1.1 200 "):
                raise click.ClickException(f"A game cannot be seen: {got.decode()[:2000]}")


def answer(connection: socket.socket) -> bytes:
    """Return one whole answer."""
    got = b""
    while True:
        more = connection.recv(65536)
        if not more:
            return got
        got += more
        head, end, body = got.partition(b"\r\n\r\n")
        if end:
            length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
            if len(body) >= int(length):
                return got


# ==== the server ==================================================================================
@contextmanager
def served(address: str) -> Iterator[int]:
    """Run the application, with a bare view beside it, in a process of its own. Yield the port."""
    folder = tempfile.mkdtemp()
    process = subprocess.Popen(
        [sys.executable, "-c", "from tests.bench.http import serve; serve()", address, folder],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.strip().isdigit():
            raise click.ClickException("The server did not start.")
        yield int(line)
    finally:
        process.terminate()
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


def serve() -> None:
    """Run the server of the measurement: one process of the site's own, with ``/bare`` beside the application.

    ``/bare/spent`` returns how many seconds of a core the process has taken so far.
    """
    from flask import Flask, request
    from sqlalchemy import Column, Integer, LargeBinary, MetaData
    from sqlalchemy import Table as Rows
    from werkzeug.middleware.dispatcher import DispatcherMiddleware

    from config import logging
    from service.web import serving
    from service.web.app import create_app, keep_loaded

    address, folder = sys.argv[1:]
    settings = Settings(database_url=address, data_dir=Path(folder))
    logging.configure(settings)
    store = open_store(address, settings=settings)
    rows = Rows("bench_row", MetaData(), Column("id", Integer, primary_key=True), Column("body", LargeBinary))
    with store.write() as conn:
        rows.create(conn, checkfirst=True)
    bare = Flask("bare")

    @bare.post("/")
    def insert_one() -> tuple[dict[str, Any], int]:
        given = request.get_json()
        with store.write() as conn:
            conn.execute(insert(rows), {"body": request.get_data()})
        return {"inserted": len(given["commands"])}, 201

    @bare.get("/")
    def page() -> str:
        return "<!doctype html><title>Nothing</title>"

    @bare.get("/spent")
    def spent() -> dict[str, float]:
        return {"seconds": time.process_time()}

    site = DispatcherMiddleware(create_app(settings, store), {"/bare": bare})
    keep_loaded()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    for output in (1, 2):  # nobody reads the request log
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)
    serving.serve(site, listener)
