"""Common parts of benchmarks: a figure and its yardstick, games to measure with, and the shortest of many runs."""

import gc
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import msgspec
from rich.console import Console
from sqlalchemy import insert

from domain import game as domain_game
from domain.chain import Ply, StoredPly, first_link, secret_commitment
from domain.game import fold
from domain.lifecycle import OpenTable1, StartGame, TakeSeat1
from domain.messages import Command
from domain.play import decide_all
from domain.title import Title
from service.database.store import GAMES, RESULTS, SECRETS, Store

SECRET = bytes(range(32))
SAMPLE = 1.5
"""Seconds in which a measurement in memory is repeated."""


class Figure(msgspec.Struct, frozen=True):
    """A line of the report."""

    what: str
    ours: str
    yardstick: str
    hold: str


class Bench(msgspec.Struct, frozen=True):
    """Settings of all measurements. ``addresses``: the databases, by name. ``idle``: seconds before the memory of the
    embedded service is measured."""

    title: Title
    addresses: dict[str, str]
    games: int
    console: Console
    idle: float = 600.0


# ==== games to measure with =======================================================================
def played(title: Title, seats: int, seed: int, *, bot: str = "random", most: int = 5000) -> list[Ply]:
    """Play a whole game between bots, in memory.

    Its seats have the older format, in which no draw depends on the game's id: it is stored under many.
    """
    dice = random.Random(seed)
    plies: list[Ply] = []
    game = fold("bench", title, ())
    options, choice = (
        msgspec.Raw(msgspec.json.encode(kind())) for kind in (title.seating.options, title.seating.choice)
    )

    def give(seat: int | None, *commands: Command) -> None:
        nonlocal game
        decided = decide_all(game, seat, commands, 1_800_000_000_000 + len(plies), "player", SECRET)
        plies.extend(decided.plies)
        game = decided.game

    give(None, OpenTable1(title.id, seats, options, secret_commitment(SECRET), 60_000))
    for seat in range(1, seats + 1):
        give(seat, TakeSeat1(seat, choice, f"{dice.getrandbits(256):064x}"))
    give(None, StartGame())
    while game.asked and len(plies) < most:
        seat = dice.choice(game.asked)
        give(seat, *title.bots[bot](title.rules.view(game.state, seat), dice))
    return plies


@contextmanager
def endless_take_backs() -> Iterator[None]:
    """Let a seat undo without limit: a benchmark repeats one move (ST 7 allows 20 times)."""
    with mock.patch.object(domain_game, "TAKE_BACKS", 10**9):
        yield


def stored(title: Title, game_id: str, plies: Sequence[Ply]) -> list[StoredPly]:
    head, kept = first_link(game_id), []
    for ply in plies:
        kept.append(title.chain.store(ply, head, game_id, SECRET))
        head = kept[-1].link
    return kept


def keep(store: Store, title: Title, game_id: str, plies: Sequence[Ply]) -> None:
    """Store a game as it is."""
    game = fold(game_id, title, plies)
    with store.write() as conn:
        head = stored(title, game_id, plies)[-1].link
        conn.execute(
            insert(GAMES).values(
                id=game_id,
                title=title.id,
                name=game_id,
                status=game.status,
                seats=len(game.table.chairs),  # type: ignore[union-attr]
                public=True,
                version=game.version,
                head=head,
                asked=list(game.asked),
                bot_at=None,
                created_at=0,
                moved_at=0,
            )
        )
        conn.execute(insert(SECRETS).values(game_id=game_id, secret=SECRET))
        store.append(conn, fold(game_id, title, ()), first_link(game_id), SECRET, plies, None)
        for line in game.result.standings if game.status == "over" and game.result else ():
            conn.execute(insert(RESULTS).values(game_id=game_id, seat=line.seat, place=line.place, total=line.total))


def events_of(plies: Sequence[Ply]) -> int:
    return sum(len(ply.events) for ply in plies)


def best_of(
    work: Callable[[], Any], clock: Callable[[], float] = time.process_time, before: Callable[[], Any] = lambda: None
) -> float:
    """Return the shortest of as many runs as fit, in seconds of one core: the cost of undisturbed work.

    ``clock``: another one includes waiting for a server. ``before``: preparation of each run, which is not counted.
    """
    times: list[float] = []
    until = time.perf_counter() + SAMPLE
    gc.collect()
    while not times or time.perf_counter() < until:
        before()
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def each_second(number: float) -> str:
    return f"{number:,.0f}/s"
