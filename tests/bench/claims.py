"""``python -m tests.bench claims``: how long a worker takes to find and claim a mail behind a very long queue."""

import statistics
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from sqlalchemy import delete, insert, select, update

from config.settings import Settings
from service.base.clock import DAY, now
from service.database.store import Store, open_store
from service.notices.owing import HISTORY, OUTBOX, PEOPLE
from service.people import recipients
from service.people.recipients import RECIPIENTS
from tests.bench.measure import Bench, Figure
from workers import claims
from workers.claims import claim

AHEAD = 100_000
CLAIMS = 200


def bench_claims(bench: Bench) -> Iterator[Figure]:
    """Measure on each database, beside claiming a row by its number and committing that."""
    for name, address in bench.addresses.items():
        # The lease lasts longer than the measurement.
        settings = Settings(_env_file=None, presence_seconds=0.0, sweep_seconds=3600.0)  # type: ignore[call-arg]
        with closing(open_store(address, titles={bench.title.id: bench.title}, settings=settings)) as store:
            store.migrate()
            for people, whose in ((1, "one person's"), (1000, "a thousand people's")):
                _fill(store, people)
                began = [_claim(store) for _ in range(min(people, CLAIMS))]
                for _ in range(people - len(began)):
                    claim(store, now())
                ours = [_claim(store) for _ in range(CLAIMS)]
                bare = f"{_median(_bare(store)):.2f} ms bare UPDATE"
                yield Figure(f"a claim behind {whose} {AHEAD:,} rows, {name}", f"{_median(ours):.2f} ms", bare, "2 ms")
                each = min(AHEAD // people, claims.MOST)
                yield Figure(f"  and of theirs, {each:,} rows at once", f"{_median(began):.2f} ms", bare, "")


def _fill(store: Store, people: int) -> None:
    """Add due rows of many people; and other people with one mail each, due a little later."""
    at = now() - DAY
    with store.write() as conn:
        for table in (HISTORY, OUTBOX, RECIPIENTS, PEOPLE):
            conn.execute(delete(table))
        conn.execute(
            insert(PEOPLE),
            [
                {"id": number, "email": f"{number}@example.org", "name": "P", "created_at": at}
                for number in range(1, people + CLAIMS + 1)
            ],
        )
    for first in range(0, AHEAD, 10_000):
        _owe(store, [(number % people + 1, at + number) for number in range(first, min(first + 10_000, AHEAD))])
    _owe(store, [(people + number + 1, at + AHEAD + number) for number in range(CLAIMS)])
    if not store.on_sqlite:
        with store.read() as conn:
            conn.exec_driver_sql("VACUUM ANALYZE")


def _owe(store: Store, owed: list[tuple[int, int]]) -> None:
    rows: list[dict[str, Any]] = [
        {"person_id": who, "address": None, "game_id": "game", "seat": 1, "ply": at % 10**9, "kind": "turn", "key": "",
         "payload": {}, "message_id": f"<turn.{who}.{at}>", "state": "pending", "created_at": at, "due_at": at,
         "attempts": 0}
        for who, at in owed
    ]  # fmt: skip
    with store.write() as conn:
        conn.execute(insert(OUTBOX), rows)
        recipients.owe(conn, rows)


def _claim(store: Store) -> float:
    began = time.perf_counter()
    claimed = claim(store, now())
    took = time.perf_counter() - began
    assert claimed is not None
    return took


def _bare(store: Store) -> list[float]:
    """Return the seconds per row with a known number."""
    with store.read() as conn:
        ids = list(conn.scalars(select(OUTBOX.c.id).limit(CLAIMS)))
    times = []
    for each in ids:
        began = time.perf_counter()
        with store.write() as conn:
            conn.execute(update(OUTBOX).where(OUTBOX.c.id == each).values(state="leased", lease_until=each))
        times.append(time.perf_counter() - began)
    return times


def _median(times: list[float]) -> float:
    return statistics.median(times) * 1000
