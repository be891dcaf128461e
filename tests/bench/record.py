"""``python -m tests.bench record``: the record of a person with many finished games."""

from collections.abc import Iterator
from contextlib import closing
from random import Random
from typing import Any

from flask import Flask
from sqlalchemy import insert, select

from config.settings import Settings
from domain.title import Title
from service.database.store import GAMES, PERSONS, SEATS, Store, open_store
from service.people import accounts
from service.record.reading import record
from service.record.rows import ROWS
from service.web.app import create_app
from tests.bench import measure
from tests.bench.measure import Bench, Figure

GAMES_PLAYED = 500
OPPONENTS, SEATED, TURNS = 60, 4, 60
HOLD = "50 ms of a core"
NOON = 1_800_000_000_000
MONTH = 30 * 86_400_000


def bench_record(bench: Bench) -> Iterator[Figure]:
    """Measure the record of 500 games, as data and as a page."""
    for name, address in bench.addresses.items():
        settings = Settings(_env_file=None, database_url=address, rate_limits=False)  # type: ignore[call-arg]
        with closing(open_store(address, titles={bench.title.id: bench.title}, settings=settings)) as store:
            store.migrate()
            person_id = _fill(store, bench.title)
            app = create_app(settings, store)
            with store.write() as conn:
                session = accounts.open_session(conn, person_id, store.now())

            def read(store: Store = store, person_id: int = person_id) -> Any:
                with store.read() as conn:
                    return record(conn, person_id)

            def rows(store: Store = store, person_id: int = person_id) -> Any:
                with store.read() as conn:
                    return conn.execute(select(ROWS).where(ROWS.c.person_id == person_id)).all()

            assert len(read().games) == GAMES_PLAYED
            yardstick = measure.best_of(rows) * 1000
            beside = f"{yardstick:.1f} ms to read the person's rows"
            yield Figure(
                f"record of {GAMES_PLAYED} games, {name}", f"{measure.best_of(read) * 1000:.1f} ms", beside, HOLD
            )
            page = measure.best_of(lambda: _page(app, session)) * 1000  # noqa: B023
            yield Figure(f"page of a record of {GAMES_PLAYED} games, {name}", f"{page:.1f} ms", beside, HOLD)


def _page(app: Flask, session: str) -> None:
    client = app.test_client()
    client.set_cookie("session", session)
    answer = client.get("/account/record")
    assert answer.status_code == 200, answer.status


def _fill(store: Store, title: Title) -> int:
    """Store games of a person against others over four years. Return the number of the person."""
    dice = Random(1)
    people = [
        {"email": f"player{it}@example.org", "name": f"Player {it}", "created_at": NOON} for it in range(OPPONENTS + 1)
    ]
    games, seats, rows = [], [], []
    with store.write() as conn:
        conn.execute(insert(PERSONS), people)
        ids = list(conn.scalars(select(PERSONS.c.id).order_by(PERSONS.c.id)))
        for number in range(GAMES_PLAYED):
            game_id, at = f"g{number}", NOON + number * 48 * MONTH // GAMES_PLAYED
            shared = {"title": title.id, "seats": SEATED}
            games.append(
                {
                    **shared, "id": game_id, "name": f"Game {number}", "status": "over", "version": 1, "head": b"",
                    "asked": [], "created_at": at, "moved_at": at, "ended_at": at, "recorded_at": at,
                }
            )  # fmt: skip
            for place, who in enumerate([ids[0], *dice.sample(ids[1:], SEATED - 1)], 1):
                seats.append({"game_id": game_id, "seat": place, "person_id": who, "joined_at": at})
                times = [int(dice.lognormvariate(8, 2)) for _ in range(TURNS)]
                rows.append(
                    {
                        **shared, "game_id": game_id, "seat": place, "sitting": 0, "person_id": who, "ended_at": at,
                        "place": place, "total": 100 - place, "leaving": "", "played_by": "player", "times": times,
                    }
                )  # fmt: skip
        for table, made in ((GAMES, games), (SEATS, seats), (ROWS, rows)):
            conn.execute(insert(table), made)
    return int(ids[0])
