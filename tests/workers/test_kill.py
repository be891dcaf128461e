"""kill -9 a worker anywhere, start it again, wait one sweep: every due mail is sent, and no outdated one.

The worker is a real process. The SMTP server that it talks to kills it: after the claim and before the sending, when
the server has the mail but has not confirmed it, and after the confirmation but before the worker's mark.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from config.settings import Settings
from domain.title import Title
from service.database.store import Store, open_store
from service.notices.owing import OUTBOX
from service.people import recipients
from tests.servers import PostgreSQL, Redis, free_port
from tests.service.lanterns import ANN, BOB, game, give
from tests.toy import Stop
from tests.workers.post import EARLY, PATIENCE, Sink, history, outbox, person, smtp_server, table, until
from tests.workers.processes import TICK, beat, in_profile, production, said, worker


@pytest.fixture(params=["embedded", "production"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return in_profile(request.param, request, tmp_path)


@pytest.fixture
def due(settings: Settings, toy_title: Title) -> Iterator[Store]:
    """A store in which Ann and Bob are owed a mail each."""
    store = open_store(settings.database, settings=settings)
    store.migrate()
    table(store, person(store, "Ann"), person(store, "Bob"), at=EARLY)
    yield store
    store.close()


class Killer(Sink):
    """A mail server that kills the worker at one point, once, and takes everything afterwards."""

    def __init__(self, store: Store, point: str) -> None:
        super().__init__()
        self.store, self.point = store, point
        self.victim: Any = None
        self.done = threading.Event()

    def kill(self, point: str) -> None:
        if point == self.point and self.victim is not None and not self.done.is_set():
            self.victim.kill()
            self.victim.wait()
            self.done.set()

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        self.kill("claimed")
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        answer = await super().handle_DATA(server, session, envelope)
        self.kill("taken")
        if self.point == "acknowledged" and self.victim is not None and not self.done.is_set():
            self._kill_before_the_mark()
        return answer

    def _kill_before_the_mark(self) -> None:
        """Lock the rows, so that the worker hears the 250 and cannot write it down, and kill it there."""
        held = threading.Event()

        def hold() -> None:
            with self.store.write() as conn:
                conn.execute(update(OUTBOX).values(seat=OUTBOX.c.seat))
                held.set()
                time.sleep(0.5)
                self.victim.kill()
                self.victim.wait()
            self.done.set()

        threading.Thread(target=hold).start()
        held.wait()


@pytest.mark.long("production", "acknowledged")
@pytest.mark.parametrize("point", ["claimed", "taken", "acknowledged"])
def test_a_worker_killed_with_a_mail_in_its_hands_loses_and_doubles_no_notice(
    settings: Settings, due: Store, point: str
) -> None:
    killer = Killer(due, point)
    with smtp_server(killer, settings.smtp[1]), beat(settings):
        with worker(settings, at_once=1) as first:
            killer.victim = first
            assert killer.done.wait(PATIENCE), "no mail came as far as that"
        with worker(settings):
            until(lambda: all(row.state == "sent" for row in outbox(due)), what="sending the rest")
            time.sleep(2 * TICK)  # a duplicate would come now
    copies = Counter(str(mail["Message-ID"]) for mail in killer.mails)
    assert set(copies) == {row.message_id for row in outbox(due)}
    assert sorted(copies.values()) == ([1, 1] if point == "claimed" else [1, 2])
    told = sorted(history(due, row.id) for row in outbox(due))
    assert told == [["sending", "accepted"], ["sending", "sending", "accepted"]]


@pytest.mark.long("production")
def test_a_worker_killed_again_and_again_still_sends_each_turn_once(settings: Settings, due: Store) -> None:
    """Four rounds of the game; in each the worker dies with the mail sent and not acknowledged."""
    game_id = outbox(due)[0].game_id
    sink = Killer(due, "taken")
    with smtp_server(sink, settings.smtp[1]), beat(settings):
        for _ in range(3):
            sink.done.clear()
            with worker(settings, at_once=1) as victim:
                sink.victim = victim
                assert sink.done.wait(PATIENCE)
            _play_a_round(due, game_id)
        sink.victim = None
        with worker(settings):
            until(lambda: all(row.state in ("sent", "superseded") for row in outbox(due)), what="sending the rest")
    copies = Counter(str(mail["Message-ID"]) for mail in sink.mails)
    assert {row.told_by for row in outbox(due) if row.state == "sent"} <= set(copies)
    assert sum(copies.values()) <= len(copies) + 3  # one for each death
    for seat in (ANN, BOB):
        plies = [row.ply for row in outbox(due, "turn", seat)]
        assert len(set(plies)) == len(plies)


def _play_a_round(store: Store, game_id: str) -> None:
    """Let everybody choose a card; the leader then ends the round."""
    for seat in game(store, game_id).asked:
        now = game(store, game_id)
        give(store, game_id, seat, now.title.rules.safe(now.state, seat), at=EARLY)
    (leader,) = game(store, game_id).asked
    give(store, game_id, leader, Stop(), at=EARLY)


def test_a_flushed_broker_and_a_second_beat_lose_and_double_nothing(
    tmp_path: Path, postgresql: PostgreSQL, redis_server: Redis, toy_title: Title
) -> None:
    """A message is only a hint: Redis dies with all its content and comes back empty; from then on two beats tick."""
    settings = production(tmp_path, postgresql.new_database(), redis_server.url, smtp_port=free_port())
    store = open_store(settings.database, settings=settings)
    store.migrate()
    people = [person(store, name) for name in ("Ann", "Bob")]
    sink = Sink()
    with smtp_server(sink, settings.smtp[1]), worker(settings), beat(settings), beat(settings):
        table(store, *people, at=EARLY)
        until(lambda: len(sink.mails) == 2, what="the first mails")
        redis_server.kill()
        table(store, *people, at=EARLY)
        until(lambda: "the broker takes no ticks" in said(settings), what="its loss to be noticed")
        redis_server.start()
        until(lambda: len(sink.mails) == 4, what="the mails of the time without Redis")
        time.sleep(2 * TICK)  # a duplicate would come now
    assert Counter(str(mail["Message-ID"]) for mail in sink.mails) == Counter(row.message_id for row in outbox(store))
    store.close()


@pytest.mark.long
def test_a_database_that_is_restarted_loses_and_doubles_nothing(
    tmp_path: Path, redis_server: Redis, toy_title: Title
) -> None:
    """PostgreSQL goes away while the workers hold a mail, and comes back by itself."""
    database = PostgreSQL(safe=True)
    try:
        settings = production(tmp_path, database.new_database(), redis_server.url, smtp_port=free_port())
        store = open_store(settings.database, settings=settings)
        store.migrate()
        people = [person(store, name) for name in ("Ann", "Bob")]
        sink = Sink()
        gone = threading.Event()

        def lose_it() -> None:
            """Stop the database: the first mail is taken, and cannot be marked."""
            sink.before_answer = None
            database.kill()
            gone.set()

        sink.before_answer = lose_it
        with smtp_server(sink, settings.smtp[1]), worker(settings, at_once=1), beat(settings):
            table(store, *people, at=EARLY)
            assert gone.wait(PATIENCE), "the first mail"
            time.sleep(0.5)
            database.start()
            store.close()  # the connections were lost with the server, also those at hand; it makes new ones
            until(lambda: all(row.state == "sent" for row in outbox(store)), what="sending the rest")
            time.sleep(2 * TICK)  # a duplicate would come now
        copies = Counter(str(mail["Message-ID"]) for mail in sink.mails)
        assert set(copies) == {row.message_id for row in outbox(store)}
        assert sorted(copies.values()) in ([1, 1], [1, 2])
        store.close()
    finally:
        database.stop()


@pytest.mark.long("production")
def test_a_deferring_server_gets_the_mail_later(settings: Settings, due: Store) -> None:
    """Once at the recipient and once after the message; then all is well."""
    sink = Sink()
    sink.to_rcpt = ["451 4.7.1 Greylisted"]
    sink.to_data = ["451 4.3.0 Try again"]
    with smtp_server(sink, settings.smtp[1]), worker(settings), beat(settings):
        until(lambda: not (sink.to_rcpt or sink.to_data), what="being put off twice")
        with due.write() as conn:
            conn.execute(update(OUTBOX).values(due_at=EARLY))  # a minute later
        recipients.mend(due, EARLY)
        until(lambda: all(row.state == "sent" for row in outbox(due)), what="sending the rest")
    assert sorted(mail["To"] for mail in sink.mails) == ["ann@example.org", "bob@example.org"]
