"""With a store: ``open``, a game read and folded, and ``verify``, many games proved."""

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing

import click

from domain.chain import Ply
from service.database.store import Store, open_store
from service.proof.audit import BATCH, Report, verify_all
from tests.bench.measure import Bench, Figure, best_of, events_of, keep, played


def bench_open(bench: Bench) -> Iterator[Figure]:
    """Measure opening a game of 400 events from the store."""
    title = bench.title
    plies: list[Ply] = []
    for ply in played(title, title.seating.seats[1], 1):
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
                with store.read_autocommit() as conn:
                    assert store.load(conn, "opened").game.version == len(plies)

            def select(store: Store = store, queries: list[str] = queries) -> None:
                with store.read() as conn:
                    for query in queries:
                        conn.exec_driver_sql(query, ("opened",)).cursor.fetchall()

            ours, yardstick = (best_of(work, time.perf_counter) * 1000 for work in (load, select))
            what = f"game of {events_of(plies)} events opened, {name}"
            yield Figure(what, f"{ours:.2f} ms", f"{yardstick:.2f} ms raw SELECT", "1.5 ms")


def bench_verify(bench: Bench) -> Iterator[Figure]:
    """Measure proving many games, scaled to 100,000 games of 400 events."""
    title = bench.title
    logs = [played(title, title.seating.seats[1], seed) for seed in range(8)]
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
    """Return the seconds, and the events proved in them. The clock starts after ``warm`` games, when all processes
    work.
    """
    warm = warm if warm < len(sizes) else 0
    began = time.perf_counter()
    for number, report in enumerate(reports, start=1):
        assert not report.faults, report.faults
        if number == warm:
            began = time.perf_counter()
    return time.perf_counter() - began, sum(sizes[warm:])


def _scaled(seconds: float, events: int) -> float:
    """Return the minutes for 100,000 games of 400 events."""
    return seconds * 100_000 * 400 / events / 60
