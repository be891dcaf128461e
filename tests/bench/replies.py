"""``python -m tests.bench replies``: from the moment an answer is kept to its receipt at the mail server.

Twenty answers a second, each of which moves, beside the turn mails that they make due; real processes as in ``mail``,
and one more that reads answers.
"""

import random
import sys
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import select

from config.settings import Settings
from domain.title import Title
from service.base import hints
from service.base.clock import now
from service.database.store import Store, open_store
from service.games import orders, queries
from service.notices import replies
from service.notices.owing import OUTBOX, PEOPLE
from service.post import inbox
from service.post.inbox import INCOMING
from tests.bench.mail import (
    EACH_SECOND,
    SECONDS,
    SINK,
    TABLES,
    bare,
    free_port,
    process,
    quantile,
    table,
    taken,
    until_quiet,
    wait_for,
    workers,
)
from tests.bench.measure import Bench, Figure

MTA = "mx.bench.example"
READER = (
    sys.executable, "-m", "celery", "--quiet", "--app=workers.app", "worker", "--pool=threads", "--concurrency=1",
    "--queues=clock", "--without-mingle", "--without-gossip", "--loglevel=ERROR", "--hostname=reader@bench",
)  # fmt: skip


def bench_replies(bench: Bench) -> Iterator[Figure]:
    """an answer that is kept, to its receipt"""
    for name, address in bench.addresses.items():
        yield from _answered(bench.title, name, address)


def _answered(title: Title, name: str, address: str) -> Iterator[Figure]:
    with TemporaryDirectory() as folder:
        port, taken_file = free_port(), Path(folder) / "taken"
        settings = Settings(  # type: ignore[call-arg]
            _env_file=None,
            data_dir=Path(folder),
            database_url=address,
            mailbox_port=port,
            presence_seconds=0.0,
            secret_keys=("a key for measuring",),
            authserv_id=MTA,
        )
        store = open_store(address, settings=settings)
        store.migrate()
        tables = [table(store, title, number) for number in range(TABLES)]
        with process(settings, *SINK, str(port), str(taken_file)), workers(settings), process(settings, *READER):
            wait_for(port)
            hints.configure(settings)
            until_quiet(store)
            since = now()
            _answer_all(store, tables)
            _until_read(store)
            until_quiet(store)
            hints.configure(None)
            alone = bare(port, taken_file)
        when = taken(taken_file)
        kept = _receipts(store, since)
        store.close()
    waited = sorted(when[message_id] - at for message_id, at in kept if message_id in when)
    beside = f"{len(waited)} at {EACH_SECOND}/s beside {len(when) - len(waited)} other mails"
    what = f"an answer's commit to its receipt, {name}, {beside}: median"
    yield Figure(what, f"{quantile(waited, 0.5):,} ms", f"{quantile(alone, 0.5):,} ms bare smtplib", "")
    yield Figure("  99th percentile", f"{quantile(waited, 0.99):,} ms", f"{quantile(alone, 0.99):,} ms", "1,000 ms")


def _answer_all(store: Store, tables: list[str]) -> None:
    dice, begin = random.Random(1), time.perf_counter()
    for number in range(EACH_SECOND * SECONDS):
        time.sleep(max(0.0, begin + number / EACH_SECOND - time.perf_counter()))
        _answer(store, tables[number % len(tables)], dice, number)


def _answer(store: Store, game_id: str, dice: random.Random, number: int) -> None:
    """Somebody who is asked answers their letter with a legal line."""
    with store.read() as conn:
        stored = store.load(conn, game_id)
    people = {it.seat: it.person_id for it in stored.seats if it.person_id is not None}
    seat = next((seat for seat in stored.game.asked if seat in people), None)
    if seat is None:
        return
    seen = queries.seen_by(stored, people[seat])
    lines = [line for action, line in orders.lines(seen, "en") if action.span is None]
    letter = replies.issue(
        store.settings, f"<bench.{number}@localhost>", "turn", person_id=people[seat], game_id=game_id, seat=seat,
        version=seen.version,
    )  # fmt: skip
    assert letter is not None
    with store.write() as conn:
        author = conn.execute(select(PEOPLE.c.email).where(PEOPLE.c.id == people[seat])).scalar_one()
        mail = EmailMessage()
        mail["Authentication-Results"] = f"{MTA}; dmarc=pass header.from=example.org"
        mail["From"], mail["To"], mail["Message-ID"] = author, letter.address, f"<{number}@bench.example>"
        mail.set_content(dice.choice(lines))
        replies.keep(conn, [letter], ["Your turn"], now())
        inbox.keep(conn, store.settings, letter.address, author, mail.as_bytes(), now())
    hints.wake("incoming")


def _until_read(store: Store) -> None:
    waiting = select(INCOMING.c.id).where(INCOMING.c.state != "done").limit(1)
    for _ in range(1800):
        with store.read() as conn:
            if conn.execute(waiting).first() is None:
                return
        time.sleep(0.1)
    raise RuntimeError("the workers did not read the answers")


def _receipts(store: Store, since: int) -> list[tuple[str, int]]:
    """Message-ID of each receipt, and when the answer was kept."""
    mine = select(OUTBOX.c.told_by, INCOMING.c.received_at).join_from(
        OUTBOX, INCOMING, INCOMING.c.content == OUTBOX.c.key
    )
    sent = mine.where(OUTBOX.c.kind == "receipt", OUTBOX.c.state == "sent", INCOMING.c.received_at >= since)
    with store.read() as conn:
        return [(row.told_by, row.received_at) for row in conn.execute(sent)]
