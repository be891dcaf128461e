"""``python -m tests.bench.gains``: the gain of an optimisation, measured with and without it in turns.

The measured work is a request that makes a move, from the web server's call to its answer, without the socket: one game
plays and undoes the same command. An optimisation stays if it gains a tenth on either kind of database, or in the
repeated decisions of a log (``told``); its figure stands beside it in the code.
"""

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import click
import msgspec
from flask import Flask
from rich.console import Console
from rich.table import Table
from sqlalchemy import Connection, insert
from werkzeug.test import EnvironBuilder

import domain
from config import logging
from config.settings import Settings
from domain import game as domain_game
from domain import play as domain_play
from domain.chain import first_link
from domain.messages import Command
from domain.title import Title
from service.database.compiled import Compiled, OpenConnections
from service.database.store import SEATS, Folds, Store, open_store
from service.database.work import Work
from service.games import daily, play
from service.games.play import Stale, attempt
from service.web.app import create_app
from tests.bench.http import Play, people_of
from tests.bench.measure import SECRET, endless_take_backs, keep, played
from tests.servers import PostgreSQL

GAME = "gains"
LONG = 400
"""The version at which the measurement starts."""
PAIRS = 6
"""Pairs of a round: command and undoing, with and without, directly after each other."""
LEAST = 0.1
"""The least gain on one of the databases."""


# ==== without =====================================================================================
def _patched(*changes: tuple[Any, str, Any]) -> Callable[[], Any]:
    @contextmanager
    def without() -> Iterator[None]:
        with ExitStack() as all_of:
            for owner, name, other in changes:
                all_of.enter_context(mock.patch.object(owner, name, other))
            yield

    return without


def _only_locked(work: Work, actor: Any, given: Any, stored: Any) -> Any:
    """Do as `play.attempt` does without its cache, when nobody else writes."""
    if not work.is_open:
        raise Stale(0)
    return attempt(work, actor, given, stored)


def _core_rows(compiled: Compiled, conn: Connection, **given: Any) -> Any:
    return conn.execute(compiled._statement, given).all()


def _core_run(compiled: Compiled, conn: Connection, **given: Any) -> None:
    conn.execute(compiled._statement, given)


def _told_nothing(game: Any, plies: Any, past: Any = domain_game.no_past, known: Any = None) -> Any:
    return domain_game.extend(game, plies, past)


def _nothing_kept(folds: Folds, game_id: str, title: Title, version: int) -> Any:
    """Do as `Folds.nearest` does in a new process."""
    return first_link(game_id), domain_game.fold(game_id, title, ())


BY_POOL = (Store, "read_autocommit", Store.read), (Store, "append_only", Store.write)
OPTIMISATIONS: Mapping[str, tuple[str, Callable[[], Any]]] = {
    "known": ("decide on the loaded game, before anything is locked", _patched(
        (play, "attempt", _only_locked)
    )),
    "at-hand": ("open connections for reads without a transaction", _patched((OpenConnections, "MOST", 0))),
    "append": ("appended plies are written without a transaction of Core's", _patched(
        (Store, "append_only", Store.write)
    )),
    "together": ("all writes go in one statement (PostgreSQL)", _patched(
        (play, "together", lambda _: nullcontext()), (Store, "append_only", Store.write)
    )),
    "quick": ("frequent statements are compiled once and executed on the driver's own cursor", _patched(
        *BY_POOL, (Compiled, "rows", _core_rows), (Compiled, "tuples", _core_rows), (Compiled, "run", _core_run)
    )),
    "folds": ("recently folded games are cached", _patched((Folds, "nearest", _nothing_kept))),
    "told": ("the state that a decision has told is not folded again", _patched(
        (domain_play, "extend", _told_nothing)
    )),
}  # fmt: skip


# ==== measuring ===================================================================================
class Moves:
    """Requests that make a move and take it back, of a game in a store."""

    def __init__(self, store: Store, title: Title, app: Flask) -> None:
        self.app = app
        people = people_of(store, title.seating.seats[0])
        game = Play(title, GAME, len(people))
        seat, command = _to_take_back(title, game)
        keep(store, title, GAME, game.plies)
        with store.write() as conn:
            rows = [
                {"game_id": GAME, "seat": seat, "person_id": person_id, "joined_at": 0}
                for seat, (person_id, _) in enumerate(people, start=1)
            ]
            conn.execute(insert(SEATS), rows)
        self.version, self.token, self.command = game.game.version, people[seat - 1][1], msgspec.to_builtins(command)

    def run(self) -> list[float]:
        """Make one and take it back. Return the seconds of both requests."""
        made = self._ask("moves", {"commands": [self.command]})
        taken_back = self._ask("take-back", {"down_to": self.version + 1})
        self.version += 2
        return [made, taken_back]

    def _ask(self, what: str, body: Any) -> float:
        headers = [("Authorization", f"Bearer {self.token}"), ("If-Match", "*")]
        address = f"/api/v1/games/{GAME}/{what}"
        asked = EnvironBuilder(address, method="POST", json=body, headers=headers).get_environ()
        status: list[str] = []
        began = time.perf_counter()
        answer = b"".join(self.app(asked, lambda line, *_: status.append(line) or (lambda _: None)))  # type: ignore[func-returns-value]
        took = time.perf_counter() - began
        if not status[0].startswith("201"):
            raise click.ClickException(f"{what}: {status[0]} {answer.decode()[:500]}")
        return took


class Decisions:
    """A game decided again in memory, as in a proof."""

    def __init__(self, title: Title) -> None:
        self.title, self.plies = title, played(title, title.seating.seats[0], 3, most=200)

    def run(self) -> list[float]:
        """Return the seconds of a decision."""
        game, began = domain_game.fold("bench", self.title, ()), time.perf_counter()
        for ply in self.plies:
            game = domain_play.decide_all(game, ply.seat, [ply.command], ply.at, "player", SECRET).game
        return [(time.perf_counter() - began) / len(self.plies)] * 2


def _to_take_back(title: Title, on: Play) -> tuple[int, Command]:
    """Return a position and a command that its seat can play and undo."""
    dice = random.Random(1)
    while on.game.asked:
        seat = dice.choice(on.game.asked)
        command = title.bots["random"](title.rules.view(on.game.state, seat), dice)[0]
        if on.lengthen(seat, command, LONG):
            return seat, command
        on.give(seat, command)
    raise click.ClickException("nothing can be taken back in this game")


class Gain(NamedTuple):
    """Seconds of a request with an optimisation and without it, undisturbed: a quarter take less."""

    given: float
    without: float

    @property
    def share(self) -> float:
        """Return the saved part of the time without it."""
        return 1 - self.given / self.without


def measure(work: Moves | Decisions, without: Callable[[], Any], rounds: int) -> Gain:
    """Measure with and without in turns; the order alternates, too."""
    took: dict[bool, list[float]] = {True: [], False: []}
    for number in range(rounds * PAIRS):
        for on in (True, False) if number % 2 else (False, True):
            with nullcontext() if on else without():
                took[on] += work.run()
    return Gain(*(statistics.quantiles(took[on], n=4)[0] for on in (True, False)))


@contextmanager
def _opened(address: str, title: Title) -> Iterator[Moves]:
    with ExitStack() as until_done:
        folder = until_done.enter_context(tempfile.TemporaryDirectory())
        settings = Settings(database_url=address, data_dir=Path(folder))
        # Nobody makes so many moves a day, but the store counts them as it does for players.
        until_done.enter_context(mock.patch.object(daily, "MOST", 10**9))
        store = until_done.enter_context(closing(open_store(address, titles={title.id: title}, settings=settings)))
        store.migrate()
        until_done.enter_context(endless_take_backs())
        yield Moves(store, title, create_app(settings.with_(rate_limits=False), store))


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(sorted(OPTIMISATIONS)))
@click.option("--title", default="grand_trunk", show_default=True, type=click.Choice(sorted(domain.TITLES)))
@click.option("--rounds", default=30, show_default=True, type=click.IntRange(1), help="A figure to keep needs 30.")
@click.option("--only", type=click.Choice(["SQLite", "PostgreSQL"]), help="On one kind of database.  [default: both]")
def gains(names: tuple[str, ...], title: str, rounds: int, only: str | None) -> None:
    """Measure what optimisations gain: a move, with each of NAMES (all) and without it in turns."""
    console, table = Console(), Table("optimisation", "database", "with", "without", "gains", "")

    def show(name: str, kind: str, gain: Gain) -> None:
        verdict = "stays" if gain.share >= LEAST else ""
        row = f"{gain.given * 1000:.3f} ms", f"{gain.without * 1000:.3f} ms", f"{gain.share:.0%}", verdict
        table.add_row(f"{name}: {OPTIMISATIONS[name][0]}", kind, *row)
        console.print(f"[dim]{name}, {kind}: {', '.join(row)}[/]", highlight=False)

    logging.configure(Settings(data_dir=Path(tempfile.gettempdir()), log_level="ERROR"))
    with ExitStack() as until_done:
        folder = until_done.enter_context(tempfile.TemporaryDirectory())
        addresses = {"SQLite": f"sqlite:///{folder}/gains.db"}
        if only != "SQLite":
            server = PostgreSQL(safe=True)
            until_done.callback(server.stop)
            addresses["PostgreSQL"] = server.new_database()
        for kind, address in addresses.items():
            if only in (None, kind):
                moves = until_done.enter_context(_opened(address, domain.TITLES[title]))
                for _ in range(10):
                    moves.run()  # to warm up
                for name in names or OPTIMISATIONS:
                    show(name, kind, measure(moves, OPTIMISATIONS[name][1], rounds))
        if "told" in (names or OPTIMISATIONS):
            show("told", "memory", measure(Decisions(domain.TITLES[title]), OPTIMISATIONS["told"][1], rounds))
    console.print(table)


if __name__ == "__main__":
    gains(prog_name="python -m tests.bench.gains")
