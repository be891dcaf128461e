"""``python -m tests.bench replies``: from the last byte of an answer to its receipt at the mail server.

LMTP delivers twenty answers a second, each with a move, beside the turn mails that they cause. The processes are real
as in ``mail``, plus one that receives answers and one that reads them.
"""

import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from smtplib import LMTP
from tempfile import TemporaryDirectory
from typing import Self

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
    "--queues=clock", "--without-mingle", "--without-gossip", "--without-heartbeat", "--loglevel=ERROR",
    "--hostname=reader@bench",
)  # fmt: skip


LISTENER = (sys.executable, "-c", "from service.cli.main import main; main()", "listen")


def bench_replies(bench: Bench) -> Iterator[Figure]:
    """Measure an answer, to its receipt."""
    for name, address in bench.addresses.items():
        yield from _answered(bench.title, name, address)


def _answered(title: Title, name: str, address: str) -> Iterator[Figure]:
    with TemporaryDirectory() as folder:
        port, listens, taken_file = free_port(), free_port(), Path(folder) / "taken"
        settings = Settings(  # type: ignore[call-arg]
            _env_file=None,
            data_dir=Path(folder),
            database_url=address,
            mailbox_port=port,
            listen_port=listens,
            presence_seconds=0.0,
            secret_keys=("a key for measuring",),
            authserv_id=MTA,
        )
        store = open_store(address, settings=settings)
        store.migrate()
        tables = [table(store, title, number) for number in range(TABLES)]
        with (
            process(settings, *SINK, str(port), str(taken_file)),
            workers(settings),
            process(settings, *READER),
            process(settings, *LISTENER),
        ):
            wait_for(port)
            wait_for(listens)
            hints.configure(settings)
            until_quiet(store)
            with Sender(listens) as sender:
                _answer_all(store, tables, sender)
            _until_read(store)
            until_quiet(store)
            hints.configure(None)
            alone = bare(port, taken_file)
        when = taken(taken_file)
        answered = [(told_by, sender.at[key]) for told_by, key in _receipts(store) if key in sender.at]
        store.close()
    waited = sorted(when[message_id] - at for message_id, at in answered if message_id in when)
    beside = f"{len(waited)} at {EACH_SECOND}/s beside {len(when) - len(waited)} other mails"
    what = f"an answer's last byte to its receipt, {name}, {beside}: median"
    yield Figure(what, f"{quantile(waited, 0.5):,} ms", f"{quantile(alone, 0.5):,} ms bare smtplib", "")
    yield Figure("  99th percentile", f"{quantile(waited, 0.99):,} ms", f"{quantile(alone, 0.99):,} ms", "1,000 ms")


class Sender:
    """A sender that delivers mails one after another while others are being written. ``at``: the moment of each mail's
    last byte, by its content as it is kept.
    """

    def __init__(self, port: int) -> None:
        self.at: dict[str, int] = {}
        self._line = LMTP("127.0.0.1", port)
        self._thread = ThreadPoolExecutor(1)
        self._waiting: list[Future[None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()
        self._line.quit()
        for each in self._waiting:
            each.result()

    def send(self, token: str, sender: str, to: str, raw: bytes) -> None:
        self._waiting.append(self._thread.submit(self._send, token, sender, to, raw))

    def _send(self, token: str, sender: str, to: str, raw: bytes) -> None:
        line = self._line
        line.ehlo_or_helo_if_needed()
        line.mail(sender)
        line.rcpt(to)
        line.docmd("DATA")
        line.send(raw + b".\r\n")
        self.at[inbox.content_of(token, raw)] = now()
        code, words = line.getreply()
        assert code == 250, words


def _answer_all(store: Store, tables: list[str], sender: Sender) -> None:
    dice, begin = random.Random(1), time.perf_counter()
    for number in range(EACH_SECOND * SECONDS):
        time.sleep(max(0.0, begin + number / EACH_SECOND - time.perf_counter()))
        _answer(store, tables[number % len(tables)], dice, number, sender)


def _answer(store: Store, game_id: str, dice: random.Random, number: int, sender: Sender) -> None:
    """Answer an asked player's letter with a legal line."""
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
        replies.keep(conn, [letter], ["Your turn"], now())
    mail = EmailMessage(policy=SMTP)
    mail["Authentication-Results"] = f"{MTA}; dmarc=pass header.from=example.org"
    mail["From"], mail["To"], mail["Message-ID"] = author, letter.address, f"<{number}@bench.example>"
    mail.set_content(dice.choice(lines))
    sender.send(letter.token, author, letter.address, mail.as_bytes())


def _until_read(store: Store) -> None:
    waiting = select(INCOMING.c.id).where(INCOMING.c.state != "done").limit(1)
    for _ in range(1800):
        with store.read() as conn:
            if conn.execute(waiting).first() is None:
                return
        time.sleep(0.1)
    raise RuntimeError("the workers did not read the answers")


def _receipts(store: Store) -> list[tuple[str, str]]:
    """Return the Message-ID of each receipt, and the content of the answer."""
    mine = select(OUTBOX.c.told_by, OUTBOX.c.key).where(OUTBOX.c.kind == "receipt", OUTBOX.c.state == "sent")
    with store.read() as conn:
        return [(row.told_by, row.key) for row in conn.execute(mine)]
