"""``slowtrain bench``: how fast we are, each figure beside a yardstick measured in the same run on the same machine.

Figures to hold stand beside them for reference; they were chosen on two cores, so compare the ratios.
"""

import gc
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from importlib import import_module
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table
from sqlalchemy import insert

import domain
from domain.chain import Ply, StoredPly, commitment, first_link, link, part_key, secret_commitment
from domain.game import Game, fold
from domain.lifecycle import OpenTable, StartGame, TakeSeat
from domain.messages import Command
from domain.play import decide_all
from domain.title import Title
from service.audit import BATCH, Evidence, Report, verify, verify_all
from service.store import GAMES, RESULTS, SECRETS, Store, open_store

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
    """What all measurements share. ``addresses``: the databases to measure on, by name."""

    title: Title
    addresses: dict[str, str]
    games: int
    console: Console


# ==== games to measure with =======================================================================
def played(title: Title, seats: int, seed: int, *, bot: str = "random", most: int = 5000) -> list[Ply]:
    """A whole game between bots, in memory.

    Its seats are of the older shape, in which no draw depends on the game's id: it is kept under many.
    """
    dice = random.Random(seed)
    plies: list[Ply] = []
    game = fold("bench", title, ())
    options, choice = (msgspec.Raw(msgspec.json.encode(kind())) for kind in (title.options, title.choice))

    def give(seat: int | None, *commands: Command) -> None:
        nonlocal game
        decided = decide_all(game, seat, commands, 1_800_000_000_000 + len(plies), "player", SECRET)
        plies.extend(decided.plies)
        game = decided.game

    give(None, OpenTable(title.id, seats, options, secret_commitment(SECRET), 60_000))
    for seat in range(1, seats + 1):
        give(seat, TakeSeat(seat, choice, f"{dice.getrandbits(256):064x}"))
    give(None, StartGame())
    while game.asked and len(plies) < most:
        seat = dice.choice(game.asked)
        give(seat, *title.bots[bot](title.view(game.state, seat), dice))
    return plies


def stored(title: Title, game_id: str, plies: Sequence[Ply]) -> list[StoredPly]:
    head, kept = first_link(game_id), []
    for ply in plies:
        kept.append(title.chain.store(ply, head, game_id, SECRET))
        head = kept[-1].link
    return kept


def keep(store: Store, title: Title, game_id: str, plies: Sequence[Ply]) -> None:
    """Put a game into the store as it is."""
    game = fold(game_id, title, plies)
    with store.write() as conn:
        head = stored(title, game_id, plies)[-1].link
        conn.execute(insert(GAMES).values(
            id=game_id, title=title.id, name=game_id, status=game.status, seats=len(game.table.chairs), public=True,  # type: ignore[union-attr]
            version=game.version, head=head, asked=list(game.asked), bot_at=None, created_at=0, moved_at=0,
        ))  # fmt: skip
        conn.execute(insert(SECRETS).values(game_id=game_id, secret=SECRET))
        store.append(conn, fold(game_id, title, ()), first_link(game_id), SECRET, plies, None)
        for line in game.result.standings if game.status == "over" and game.result else ():
            conn.execute(insert(RESULTS).values(game_id=game_id, seat=line.seat, place=line.place, total=line.total))


def events_of(plies: Sequence[Ply]) -> int:
    return sum(len(ply.events) for ply in plies)


def best_of(
    work: Callable[[], Any], clock: Callable[[], float] = time.process_time, before: Callable[[], Any] = lambda: None
) -> float:
    """The shortest of as many runs as fit, in seconds of one core: what the work takes when nothing else disturbs it.

    ``clock``: another one counts the waiting for a server, too. ``before``: what each run needs first and is not
    counted.
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


# ==== in memory ===================================================================================
def bench_fold(bench: Bench) -> Iterator[Figure]:
    """decode and evolve from stored bytes"""
    title = bench.title
    plies = played(title, title.seats[1], 1)
    kept, count = stored(title, "bench", plies), events_of(plies)
    opens = [ply.open for ply in kept]
    sealed = [(place, [part.body for part in ply.sealed]) for place, ply in enumerate(kept) if ply.sealed]

    def parse() -> None:
        for ply in kept:
            json.loads(ply.open)
            for part in ply.sealed:
                json.loads(part.body)

    def read() -> Game:
        return fold("bench", title, title.chain.effects(opens, sealed))

    def read_and_check() -> Game:
        head = first_link("bench")
        for ply in kept:
            key = partial(part_key, SECRET, "bench", ply.number)
            head = link(head, ply.open, [commitment(key(part.index), part.body) for part in ply.sealed])
            assert head == ply.link
        return read()

    yardstick = each_second(count / best_of(parse)) + " json.loads"
    what = f"events decoded and evolved ({len(plies)} plies, {count} events)"
    yield Figure(what, each_second(count / best_of(read)), yardstick, "500,000/s")
    yield Figure("  with chain and commitments", each_second(count / best_of(read_and_check)), yardstick, "200,000/s")


def bench_audit(bench: Bench) -> Iterator[Figure]:
    """chain, draws, and every command decided again"""
    title = bench.title
    plies = played(title, title.seats[1], 1)
    evidence = Evidence("bench", title, stored(title, "bench", plies), SECRET)

    def audit() -> None:
        assert verify(evidence)[0].proved

    def parse() -> None:
        for ply in evidence.plies:
            json.loads(ply.open)

    ours, yardstick = len(plies) / best_of(audit), len(plies) / best_of(parse)
    yield Figure("commands audited", each_second(ours), each_second(yardstick) + " json.loads", "30,000/s")


# ==== with a store ================================================================================
def bench_open(bench: Bench) -> Iterator[Figure]:
    """opening a game of 400 events from the store"""
    title = bench.title
    plies: list[Ply] = []
    for ply in played(title, title.seats[1], 1):
        plies.append(ply)
        if events_of(plies) >= 400:
            break
    for name, address in bench.addresses.items():
        with closing(open_store(address, titles={title.id: title})) as store:
            store.migrate()
            keep(store, title, "opened", plies)
            mark = "?" if store.on_sqlite else "%s"
            queries = [
                f"SELECT ply, body, link FROM ply WHERE game_id = {mark} ORDER BY ply",
                f"SELECT ply, part, seat, body FROM sealed_part WHERE game_id = {mark} ORDER BY ply, part",
            ]

            def load(store: Store = store) -> None:
                store.folds.clear()
                with store.look() as conn:
                    assert store.load(conn, "opened").game.version == len(plies)

            def select(store: Store = store, queries: list[str] = queries) -> None:
                with store.read() as conn:
                    for query in queries:
                        conn.exec_driver_sql(query, ("opened",)).cursor.fetchall()

            ours, yardstick = (best_of(work, time.perf_counter) * 1000 for work in (load, select))
            what = f"game of {events_of(plies)} events opened, {name}"
            yield Figure(what, f"{ours:.2f} ms", f"{yardstick:.2f} ms raw SELECT", "1.5 ms")


def bench_verify(bench: Bench) -> Iterator[Figure]:
    """proving many games, scaled to 100,000 games of 400 events"""
    title = bench.title
    logs = [played(title, title.seats[1], seed) for seed in range(8)]
    address = bench.addresses["SQLite"]
    with closing(open_store(address)) as store:
        if title.id not in store.titles:
            raise click.ClickException("Only a title of the house can be proved by several processes.")
        store.migrate()
        ids = [f"game{number}" for number in range(bench.games)]
        for number, game_id in enumerate(ids):
            keep(store, title, game_id, logs[number % len(logs)])
        cores = os.cpu_count() or 1
        sizes = [events_of(logs[number % len(logs)]) for number in range(bench.games)]
        began = time.perf_counter()
        with store.read() as conn:
            for game_id in ids:
                for ply in store.stored_plies(conn, game_id):
                    json.loads(ply.open)
                    for part in ply.sealed:
                        json.loads(part.body)
        yardstick = f"{_scaled(time.perf_counter() - began, sum(sizes)) / cores:.1f} min json.loads"
        for quick, what, hold in ((True, "chain and replay", "3 min"), (False, "decided again, too", "")):
            took, counted = _proving(verify_all(store, ids, quick=quick), sizes, 2 * cores * BATCH)
            label = f"100,000 games of 400 events, {what} ({bench.games} games on {cores} cores, scaled)"
            yield Figure(label, f"{_scaled(took, counted):.1f} min", yardstick, hold)


def _proving(reports: Iterator[Report], sizes: Sequence[int], warm: int) -> tuple[float, int]:
    """Seconds, and events proved in them. The clock starts after ``warm`` games, when all processes are at work."""
    warm = warm if warm < len(sizes) else 0
    began = time.perf_counter()
    for number, report in enumerate(reports, start=1):
        assert not report.faults, report.faults
        if number == warm:
            began = time.perf_counter()
    return time.perf_counter() - began, sum(sizes[warm:])


def _scaled(seconds: float, events: int) -> float:
    """Minutes for 100,000 games of 400 events."""
    return seconds * 100_000 * 400 / events / 60


# ==== elsewhere ===================================================================================
def bench_moves(bench: Bench) -> Iterator[Figure]:
    """accepting a move over HTTP"""
    from service.bench_http import bench_http

    yield from bench_http(bench)


def bench_mails(bench: Bench) -> Iterator[Figure]:
    """mails of a game, answered by hand and in advance"""
    from service.bench_proxies import bench_proxies

    yield from bench_proxies(bench)


def bench_due(bench: Bench) -> Iterator[Figure]:
    """reminders that are due at one moment, swept into the outbox"""
    from service.bench_time import bench_reminders

    yield from bench_reminders(bench)


def bench_looking_back(bench: Bench) -> Iterator[Figure]:
    """the position at any version of a long game"""
    from service.bench_position import bench_position

    yield from bench_position(bench)


def bench_post(bench: Bench) -> Iterator[Figure]:
    """from the commit to the mail server; a digest"""
    yield from import_module("workers.bench_mail").bench_mail(bench)  # the service knows no worker but by name


def bench_next(bench: Bench) -> Iterator[Figure]:
    """the next mail, among very many"""
    yield from import_module("workers.bench_claims").bench_claims(bench)


def bench_turn(bench: Bench) -> Iterator[Figure]:
    """what one turn costs in all"""
    yield from import_module("workers.bench_turn").bench_turn(bench)


def bench_board(bench: Bench) -> Iterator[Figure]:
    """the picture in a mail"""
    from service.bench_picture import bench_picture

    yield from bench_picture(bench)


# ==== the command =================================================================================
BENCHES: dict[str, Callable[[Bench], Iterator[Figure]]] = {
    "fold": bench_fold,
    "audit": bench_audit,
    "open": bench_open,
    "position": bench_looking_back,
    "verify": bench_verify,
    "http": bench_moves,
    "picture": bench_board,
    "proxies": bench_mails,
    "mail": bench_post,
    "claims": bench_next,
    "turn": bench_turn,
    "reminders": bench_due,
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(sorted(BENCHES)))
@click.option("--title", default="grand_trunk", show_default=True, help="The title to measure with.")
@click.option("--postgresql", metavar="URL", help="An empty PostgreSQL database.  [default: one of the test wheel's]")
@click.option("--games", default=400, show_default=True, type=click.IntRange(1), help="How many games verify proves.")
def bench(names: Sequence[str], title: str, postgresql: str | None, games: int) -> None:
    """Measure speed, each figure beside a yardstick of the same run.

    NAMES choose among fold, audit, open, position, verify, http, picture, proxies, mail, claims, turn and reminders;
    without any, all are measured, which takes a few minutes. Let nothing else run meanwhile.
    """
    if title not in domain.TITLES:
        raise click.BadParameter(f"there is {', '.join(domain.TITLES)}", param_hint="--title")
    console = Console()
    table = Table("what", "ours", "yardstick", "to hold", title=f"{domain.TITLES[title].name('en')}, Python "
                  f"{sys.version_info[0]}.{sys.version_info[1]}, {os.cpu_count()} cores")  # fmt: skip
    for name in names or BENCHES:
        with tempfile.TemporaryDirectory() as folder, _databases(folder, postgresql, name) as addresses:
            for figure in BENCHES[name](Bench(domain.TITLES[title], addresses, games, console)):
                table.add_row(figure.what, figure.ours, figure.yardstick, figure.hold)
                console.print(f"[dim]{figure.what}: {figure.ours}, beside {figure.yardstick}[/]", highlight=False)
    console.print(table)


@contextmanager
def _databases(folder: str, postgresql: str | None, name: str) -> Iterator[dict[str, str]]:
    """Empty databases of both kinds for one measurement."""
    addresses = {"SQLite": f"sqlite:///{folder}/bench.db"}
    if name not in ("open", "http", "mail", "claims", "reminders"):
        yield addresses
    elif postgresql is not None:
        yield addresses | {"PostgreSQL": postgresql}
    else:
        try:
            from tests.servers import PostgreSQL
        except ImportError:
            raise click.ClickException("Name a PostgreSQL database, or start this where the tests are.") from None
        server = PostgreSQL(safe=True)
        try:
            yield addresses | {"PostgreSQL": server.new_database()}
        finally:
            server.stop()
