"""A mail server that takes a message and then falls silent: waiting work, other work, and a worker's shutdown.

Workers, beat, broker and mail servers are real, in both profiles; a worker is stopped and continued by signals.
"""

import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from config.settings import Settings
from domain.title import Title
from service.cli import run
from service.database.store import Store, open_store
from service.notices.owing import OUTBOX
from service.people import recipients
from tests.servers import stand_still
from tests.service.lanterns import game
from tests.workers.post import EARLY, PATIENCE, Sink, history, outbox, person, smtp_server, table, until
from tests.workers.processes import HASTY, TICK, beat, in_profile, worker
from workers import ending

GONE = 60
"""Seconds in which a worker must have shut down, on a busy machine: long before a wait for a silent server would end.
"""


@pytest.fixture(params=["embedded", "production"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return in_profile(request.param, request, tmp_path)


@pytest.fixture
def store(settings: Settings, toy_title: Title) -> Iterator[Store]:
    store = open_store(settings.database, settings=settings)
    store.migrate()
    yield store
    store.close()


class Silent(Sink):
    """Takes a message and falls silent, to certain recipients."""

    def __init__(self, *whom: str) -> None:
        super().__init__()
        self.whom = whom
        self.waiting = 0
        self.most = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        answer = await super().handle_DATA(server, session, envelope)
        if not self.whom or any(name in envelope.rcpt_tos[0] for name in self.whom):
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            try:
                await server.loop.create_future()
            finally:
                self.waiting -= 1
        return answer


@contextmanager
def at_work(settings: Settings) -> Iterator[None]:
    """Run the processes as operators do: mail has its own."""
    with others_at_work(settings), of_mail(settings):
        yield


def others_at_work(settings: Settings) -> Any:
    """Run all work but the mail."""
    return worker(settings, queues="bots,clock", at_once=2)


def of_mail(settings: Settings) -> Any:
    """Run the process that sends mail, in two conversations."""
    return worker(settings, HASTY, queues="mail", at_once=2)


@pytest.mark.long("production")
def test_a_silent_server_delays_neither_bots_nor_clocks_and_only_the_mail_in_its_conversations(
    settings: Settings, store: Store
) -> None:
    people = [person(store, name) for name in ("Ann", "Bob", "Cem", "Dee")]
    for each in people:
        table(store, each, "random", at=EARLY)
    sink = Silent()
    with smtp_server(sink, settings.smtp[1]), at_work(settings), beat(settings):
        until(lambda: sink.waiting == 2, what="silence in all conversations")
        bots = table(store, "random", "random", at=EARLY)
        until(lambda: game(store, bots).status == "over", what="the bots' game")
        assert (sink.most, len(sink.mails)) == (2, 2)
    assert sorted(row.state for row in outbox(store)).count("leased") == 2


@pytest.mark.long("production")
def test_silence_to_one_person_delays_nobody_else(settings: Settings, store: Store) -> None:
    """Twelve turns wait for a recipient whose server is silent, and were due long before all others."""
    slow, ann = person(store, "Slow"), person(store, "Ann")
    for number in range(12):
        table(store, slow, "random", at=EARLY + number)
    sink = Silent("slow")
    with smtp_server(sink, settings.smtp[1]), at_work(settings), beat(settings):
        until(lambda: sink.waiting == 1, what="the silence")
        table(store, ann, "random", at=EARLY + 10_000)
        until(lambda: sink.of("ann@example.org"), what="the mail to another")
        assert sink.waiting == 1
    assert sink.most == 1


@pytest.mark.long("production")
def test_a_worker_told_to_end_does_so_during_a_silence(settings: Settings, store: Store) -> None:
    """The mail may have been taken: it is put back, and sent again unchanged."""
    table(store, person(store, "Ann"), "random", at=EARLY)
    sink = Silent()
    with others_at_work(settings), beat(settings):
        with smtp_server(sink, settings.smtp[1]), of_mail(settings) as mail:
            until(lambda: sink.waiting, what="the silence")
            mail.send_signal(signal.SIGTERM)
            assert mail.wait(GONE) == 0
        (row,) = outbox(store)
        assert (row.state, row.told_by) == ("pending", row.message_id)
        assert row.due_at > EARLY
        assert history(store, row.id) == ["sending", "deferred"]
        with store.write() as conn:
            conn.execute(update(OUTBOX).values(due_at=EARLY))  # a minute later
        recipients.mend(store, EARLY)
        with smtp_server(Sink(), settings.smtp[1]), of_mail(settings):
            until(lambda: outbox(store)[0].state == "sent", what="the second try")


@pytest.mark.long("production")
def test_a_worker_told_to_end_does_so_before_the_greeting(settings: Settings, store: Store) -> None:
    """There is no connection yet that could be cut: the process ends, and the mail is found after the lease."""
    table(store, person(store, "Ann"), "random", at=EARLY)
    with others_at_work(settings), beat(settings):
        with socket.create_server(settings.smtp) as mute, of_mail(settings) as mail:
            mute.settimeout(PATIENCE)
            with mute.accept()[0]:
                mail.send_signal(signal.SIGTERM)
                assert mail.wait(GONE) == 0
        with smtp_server(Sink(), settings.smtp[1]), of_mail(settings):
            until(lambda: outbox(store)[0].state == "sent", what="the second try")


@pytest.mark.long("production")
def test_a_worker_of_bots_ends_in_time(settings: Settings, store: Store) -> None:
    pool = "threads" if settings.embedded else "prefork"
    with worker(settings, queues="bots,clock,webhooks", pool=pool) as one, beat(settings):
        bots = table(store, "random", "random", at=EARLY)
        until(lambda: game(store, bots).status == "over", what="the bots' game")
        one.send_signal(signal.SIGTERM)
        assert one.wait(GONE) == 0


def test_a_worker_ends_before_its_parents_patience() -> None:
    assert ending.GRACE < ending.GONE < run.PATIENCE


class Stopper(Sink):
    """Stops the worker that talks to it first, when it is about to hand over the message."""

    def __init__(self) -> None:
        super().__init__()
        self.victim: Any = None
        self.stopped = threading.Event()

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if self.victim is not None and not self.stopped.is_set():
            stand_still(self.victim)
            self.stopped.set()
        envelope.rcpt_tos.append(address)
        return "250 OK"


@pytest.mark.long("production")
def test_a_worker_stopped_longer_than_its_lease_checks_it_before_sending(settings: Settings, store: Store) -> None:
    table(store, person(store, "Ann"), "random", at=EARLY)
    sink = Stopper()
    with smtp_server(sink, settings.smtp[1]), beat(settings), worker(settings, queues="mail", at_once=1) as first:
        sink.victim = first
        assert sink.stopped.wait(PATIENCE)
        with worker(settings, queues="mail"):
            until(lambda: outbox(store)[0].state == "sent", what="another to send it")
            first.send_signal(signal.SIGCONT)
            until(lambda: "late" in history(store, outbox(store)[0].id), what="the first to find out")
            time.sleep(2 * TICK)  # a duplicate would come now
    assert Counter(str(mail["Message-ID"]) for mail in sink.mails) == {outbox(store)[0].message_id: 1}
    assert history(store, outbox(store)[0].id) == ["sending", "sending", "accepted", "late"]
