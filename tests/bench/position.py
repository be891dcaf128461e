"""``python -m tests.bench position``: any position of a long game from the store, as its player sees it."""

import time
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle

from domain.chain import Ply
from domain.game import advance, can_take_back, fold
from domain.lifecycle import TakeBack
from domain.play import decide
from domain.title import Title
from service.database.store import open_store
from tests.bench import measure
from tests.bench.measure import Bench, Figure

PLIES = 500
HOLD = "5 ms"


def bench_position(bench: Bench) -> Iterator[Figure]:
    """Measure the position at any version of a game of 500 plies."""
    title = bench.title
    plies = long_game(title, PLIES)
    last = len(plies)
    places = {"near the start": last // 10, "in the middle": last // 2, "at the end": last}
    for name, address in bench.addresses.items():
        with closing(open_store(address, titles={title.id: title})) as store:
            store.migrate()
            measure.keep(store, title, "looked", plies)

            def show(version: int, store=store) -> None:  # type: ignore[no-untyped-def]
                with store.read() as conn:
                    title.rules.view(store.position(conn, "looked", version).state, 1)

            def cold(version: int, store=store) -> None:  # type: ignore[no-untyped-def]
                store.folds.clear()
                show(version, store)

            def select(version: int, store=store) -> None:  # type: ignore[no-untyped-def]
                with store.read() as conn:
                    store.stored_plies(conn, "looked", 0, version)

            for where, version in places.items():
                ours = measure.best_of(lambda: cold(version), time.perf_counter) * 1000  # noqa: B023
                yardstick = measure.best_of(lambda: select(version), time.perf_counter) * 1000  # noqa: B023
                what = f"position {where} (ply {version} of {last}), nothing kept, {name}"
                yield Figure(what, f"{ours:.2f} ms", f"{yardstick:.2f} ms to read its plies", HOLD)
            for what, steps in (("stepping back", range(last, last // 2, -1)), ("stepping on", range(last // 2, last))):
                store.folds.clear()
                versions = cycle(steps)
                ours = measure.best_of(lambda: show(next(versions)), time.perf_counter) * 1000  # noqa: B023
                took = _mean(lambda: show(next(versions)), len(steps))  # noqa: B023
                label = f"{what} from ply to ply, {name}"
                yield Figure(label, f"{took:.2f} ms each (best {ours:.2f})", f"{yardstick:.2f} ms to read all", HOLD)


def _mean(work, times: int) -> float:  # type: ignore[no-untyped-def]
    """Return the mean milliseconds, including steps that find nothing in the cache."""
    began = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - began) * 1000 / times


def long_game(title: Title, plies: int) -> list[Ply]:
    """Return a game between bots of about this number of plies: take-backs and repeated moves lengthen a short one."""
    short = measure.played(title, title.seating.seats[1], 1)
    game, log, spare = fold("looked", title, ()), list[Ply](), plies - len(short)
    for then in short:
        ply = decide(game, then.seat, then.command, then.at, then.cause, measure.SECRET)
        game = advance(game, ply)
        log.append(ply)
        with measure.endless_take_backs():
            while spare > 1 and ply.seat is not None and can_take_back(game, ply.seat, then.at):
                for command in (TakeBack(game.version), then.command):
                    again = decide(game, ply.seat, command, then.at, then.cause, measure.SECRET)
                    game = advance(game, again)
                    log.append(again)
                spare -= 2
                if len(log) % 3:
                    break
    return log
