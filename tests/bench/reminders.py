"""``reminders``: a hundred thousand reminders due at one moment, swept into the outbox."""

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from sqlalchemy import delete, insert

from service.base.clock import HOUR
from service.database.store import GAMES, SEATS, Store, open_store
from service.games import reminders
from service.games.clocks import CLOCKS
from service.notices.owing import OUTBOX, PEOPLE
from tests.bench.measure import Bench, Figure

REMINDERS = 100_000
NOON = 1_800_000_000_000
PEOPLE_THERE = 1000


def bench_reminders(bench: Bench) -> Iterator[Figure]:
    """On each database, beside bare INSERTs of as many rows into the outbox in batches of the same size."""
    for name, address in bench.addresses.items():
        with closing(open_store(address, titles={bench.title.id: bench.title})) as store:
            store.migrate()
            _fill(store, bench.title.id)
            began = time.perf_counter()
            owed = reminders.sweep(store, NOON)
            ours = time.perf_counter() - began
            bare = _bare(store)
        assert owed == REMINDERS
        what = f"{REMINDERS:,} due reminders swept, {name}"
        yield Figure(what, f"{ours:.2f} s", f"{bare:.2f} s bare inserts", "60 s")


def _fill(store: Store, title: str) -> None:
    """Add games of two whose clocks run, with reminders due now."""
    with store.write() as conn:
        conn.execute(
            insert(PEOPLE),
            [
                {
                    "id": number,
                    "email": f"{number}@example.org",
                    "name": "P",
                    "lang": "en",
                    "zone": "UTC",
                    "wakes_at": 0,
                    "sleeps_at": 0,
                    "created_at": NOON,
                }
                for number in range(1, PEOPLE_THERE + 1)
            ],
        )
        for first in range(0, REMINDERS // 2, reminders.BATCH):
            games = [f"game{number}" for number in range(first, min(first + reminders.BATCH, REMINDERS // 2))]
            conn.execute(insert(GAMES), [_game(game_id, title) for game_id in games])
            here = [(game_id, seat) for game_id in games for seat in (1, 2)]
            conn.execute(
                insert(SEATS),
                [
                    {"game_id": game_id, "seat": seat, "person_id": number % PEOPLE_THERE + 1, "joined_at": NOON}
                    for number, (game_id, seat) in enumerate(here)
                ],
            )
            conn.execute(
                insert(CLOCKS),
                [
                    {
                        "game_id": game_id,
                        "seat": seat,
                        "ply": 9,
                        "started_at": NOON - HOUR,
                        "due_at": NOON + 6 * HOUR,
                        "remind_at": NOON,
                        "reminders": [NOON, NOON + 3 * HOUR],
                    }
                    for game_id, seat in here
                ],
            )


def _game(game_id: str, title: str) -> dict[str, Any]:
    return {
        "id": game_id, "title": title, "name": "x", "status": "running", "seats": 2, "public": True, "version": 9,
        "head": b"", "asked": [1, 2], "bot_at": None, "due_at": NOON + 6 * HOUR, "created_at": NOON, "moved_at": NOON,
    }  # fmt: skip


def _bare(store: Store) -> float:
    """Return the seconds for bare INSERTs of as many rows in the same batches."""
    with store.write() as conn:
        conn.execute(delete(OUTBOX))
    began = time.perf_counter()
    for first in range(0, REMINDERS, reminders.BATCH):
        rows = [
            {"person_id": 1, "game_id": "game1", "seat": 1, "ply": 9, "kind": "reminder", "key": str(number),
             "payload": {}, "message_id": f"<{number}>", "state": "pending", "created_at": NOON, "due_at": NOON,
             "attempts": 0}
            for number in range(first, min(first + reminders.BATCH, REMINDERS))
        ]  # fmt: skip
        with store.write() as conn:
            conn.execute(insert(OUTBOX), rows)
    return time.perf_counter() - began
