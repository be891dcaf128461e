"""From a row of the outbox to a mail on a real SMTP server: claims, leases, second looks, failures, the ledger."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from freezegun import freeze_time
from sqlalchemy import event, select, update

from config.settings import Settings
from domain.lifecycle import TakeBack
from domain.title import Title
from service.base import clock
from service.base.clock import HOUR, MINUTE, SECOND
from service.database.store import Away, Store, open_store
from service.letters.letter import Mail
from service.notices import owing
from service.notices.owing import OUTBOX
from service.people import accounts, mail_settings
from service.people.recipients import RECIPIENTS
from tests import road
from tests.servers import PostgreSQL
from tests.service.lanterns import ANN, BOB, NOON, SETTLE, game, give, lead
from tests.toy import Choose, Pick, Stop
from tests.workers.post import Sink, history, ledger, outbox, person, smtp_server, table, to, until
from workers import claims, leases
from workers import outbox as post_office
from workers.leases import insist, lease
from workers.smtp import Deferred, ServerAway, deliver


@pytest.fixture(autouse=True)
def _rested(monkeypatch: pytest.MonkeyPatch) -> None:
    """End the workers' rest after each test."""
    monkeypatch.setattr(post_office, "_rest_until", 0.0)


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def served(store: Store, sink: Sink) -> Iterator[Store]:
    """The store with a mail server that takes all."""
    with smtp_server(sink) as port:
        to(store, port)
        yield store


def send(store: Store, at: int) -> int:
    return post_office.send_due(store, now=lambda: at)


def two(store: Store) -> tuple[str, int, int]:
    people_ = person(store, "Ann"), person(store, "Bob")
    return table(store, *people_), *people_


# ==== what is sent ================================================================================
def test_each_asked_player_gets_exactly_one_mail(served: Store, sink: Sink) -> None:
    _, ann, _ = two(served)
    assert send(served, NOON) == 2
    assert send(served, NOON + HOUR) == 0
    assert sorted(sink.recipients) == ["ann@example.org", "bob@example.org"]
    assert [row.state for row in outbox(served)] == ["sent", "sent"]
    assert [step.what for step in ledger(served, ann)[0].steps] == ["queued", "sending", "accepted"]
    assert ledger(served, ann)[0].steps[-1].detail == "250 2.0.0 Kept"


def test_a_turn_finished_while_its_mail_waited_causes_no_mail(served: Store, sink: Sink) -> None:
    game_id, ann, _ = two(served)
    give(served, game_id, ANN, Choose(game(served, game_id).state.hands[ANN][0]))
    send(served, NOON)
    assert sink.recipients == ["bob@example.org"]
    assert ledger(served, ann)[0].state == "superseded"
    assert ledger(served, ann)[0].steps[-1].detail == "the turn is over"


def handed_on(store: Store, at: int = NOON) -> tuple[str, int, int]:
    """Return a game in which everybody had a mail, and the leader has ended the round but can still take that back."""
    game_id, *_ = two(store)
    leader = lead(store, game_id)
    send(store, at)
    give(store, game_id, leader, Stop(), at=at)
    return game_id, leader, BOB if leader == ANN else ANN


def test_a_turn_taken_back_and_handed_on_again_makes_one_mail(served: Store, sink: Sink) -> None:
    game_id, leader, other = handed_on(served)
    before = len(sink.mails)
    give(served, game_id, leader, TakeBack(game(served, game_id).version), at=NOON + 1)
    give(served, game_id, leader, Stop(), at=NOON + 2)
    send(served, NOON + HOUR)
    assert len(sink.mails) == before + 1
    assert [row.state for row in outbox(served, "turn", other)[-2:]] == ["superseded", "sent"]


def test_a_player_who_moves_before_the_mail_leaves_gets_none(served: Store, sink: Sink) -> None:
    game_id, _, other = handed_on(served)
    before = len(sink.mails)
    give(served, game_id, other, Choose(game(served, game_id).state.hands[other][0]), at=NOON + 3)
    send(served, NOON + HOUR)
    assert len(sink.mails) == before


def test_a_person_who_stopped_all_mail_gets_only_sign_in_links(served: Store, sink: Sink) -> None:
    _, ann, _ = two(served)
    with served.write() as conn:
        mail_settings.stop_mail(conn, ann, NOON)
        accounts.ask_for_link(conn, served.settings, "ann@example.org", browser="b", next="/", lang="en", at=NOON)
    send(served, NOON)
    assert sorted(mail["Subject"] for mail in sink.of("ann@example.org")) == ["Sign in to Slow Train"]
    assert [step.detail for entry in ledger(served, ann) for step in entry.steps if step.what == "superseded"] == [
        "you have stopped all email"
    ]


def test_a_person_who_stopped_all_mail_gets_no_invitation(served: Store, sink: Sink) -> None:
    ann, bob = person(served, "Ann"), person(served, "Bob")
    opened = road.open_game(
        served, title="toy", options={}, seats=2, name="Friends", host_id=ann, public=False, at=NOON, settle_ms=0
    )
    with served.write() as conn:
        mail_settings.stop_mail(conn, bob, NOON)
        for address in ("bob@example.org", "new@example.org"):
            owing.invite(
                conn, served.settings, game_id=opened.game_id, number=0, address=address, by=ann, lang="en", at=NOON
            )
    send(served, NOON)
    assert sink.recipients == ["new@example.org"]
    assert ledger(served, bob)[0].steps[-1].detail == "you have stopped all email"


def test_an_invitation_that_is_sent_twice_at_one_moment_is_one(store: Store) -> None:
    ann = person(store, "Ann")
    opened = road.open_game(
        store, title="toy", options={}, seats=2, name="Friends", host_id=ann, public=False, at=NOON, settle_ms=0
    )

    def invite() -> bool:
        with store.write() as conn:
            new = owing.invite(
                conn,
                store.settings,
                game_id=opened.game_id,
                number=0,
                address="new@example.org",
                by=ann,
                lang="en",
                at=NOON,
            )
            time.sleep(0.3)  # the other comes before this one is done
            return new

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(invite) for _ in range(2)]
        assert sorted(each.result() for each in asked) == [False, True]
    assert len(outbox(store, "invitation")) == 1


@pytest.mark.parametrize(
    ("address", "carried"),
    [
        ("jürgen@example.org", "jürgen@example.org"),
        ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        ("jürgen@bücher.example", "jürgen@xn--bcher-kva.example"),
    ],
)
def test_an_address_beyond_ascii_gets_mail(served: Store, sink: Sink, address: str, carried: str) -> None:
    """The domain goes by its ASCII name, so that no server needs an extension for it."""
    with served.write() as conn:
        accounts.ask_for_link(conn, served.settings, address, browser="b", next="/", lang="de", at=NOON)
    send(served, NOON)
    assert outbox(served)[0].state == "sent"
    assert sink.recipients == [carried]
    assert sink.mails[0]["To"] == carried


def test_a_sign_in_link_whose_time_is_over_is_not_sent(served: Store, sink: Sink) -> None:
    with served.write() as conn:
        accounts.ask_for_link(conn, served.settings, "new@example.org", browser="b", next="/", lang="en", at=NOON)
    send(served, NOON + 10 * MINUTE)
    assert sink.mails == []
    assert outbox(served)[0].state == "superseded"


def test_the_payload_of_a_sent_mail_is_deleted(served: Store) -> None:
    with served.write() as conn:
        accounts.ask_for_link(conn, served.settings, "new@example.org", browser="b", next="/", lang="en", at=NOON)
    send(served, NOON)
    assert outbox(served)[0].payload == {}


# ==== claims ======================================================================================
def test_a_notice_is_claimed_by_one_of_many(store: Store) -> None:
    two(store)
    claimed: list[Any] = []
    start = threading.Barrier(8)

    def reach() -> None:
        start.wait()
        while (one := claims.claim(store, NOON)) is not None:
            claimed.extend(one.ids)

    workers = [threading.Thread(target=reach) for _ in range(8)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert sorted(claimed) == [row.id for row in outbox(store)]


def test_a_lease_holds_to_its_end_and_then_another_may_send(store: Store) -> None:
    with freeze_time("2027-01-15T08:00:00Z") as now:
        two(store)
        first = claims.claim(store, clock.now())
        second = claims.claim(store, clock.now())
        assert first
        assert second
        now.tick(leases.lease(store.settings) / 1000 - 0.001)
        assert claims.claim(store, clock.now()) is None
        now.tick(0.001)
        again = claims.claim(store, clock.now())
        assert again
        assert again.attempts == 2


def test_a_worker_that_outlived_its_lease_marks_nothing(store: Store) -> None:
    two(store)
    late = claims.claim(store, NOON)
    assert late
    after = NOON + leases.lease(store.settings)
    retaken = [claims.claim(store, after), claims.claim(store, after)]
    assert {one.ids[0] for one in retaken if one} >= set(late.ids)
    claims.put_back(store, late, late.rows, "deferred", "I was asleep", after)
    row = next(row for row in outbox(store) if row.id in late.ids)
    assert (row.state, row.attempts) == ("leased", 2)
    assert history(store, late.ids[0]) == ["sending", "sending", "late"]


def test_the_lease_is_renewed_while_the_server_is_slow(store: Store) -> None:
    store.settings = store.settings.with_(sweep_seconds=0.5)
    two(store)
    passed, holds = 0, leases.lease(store.settings)
    got: list[Any] = []

    def now() -> int:
        return NOON + passed

    def slow(settings: Any, mail: Mail, *_: Any) -> str:
        nonlocal passed
        for _ in range(4):
            passed += holds - 1
            got.append(claims.claim(store, now()))
            until(lambda: holds_until() == now() + holds, what="renewing the lease")
        return "250 at last"

    def holds_until() -> int:
        with store.read() as conn:
            return int(conn.scalars(select(RECIPIENTS.c.next_at).where(RECIPIENTS.c.who == claimed.who)).one())

    with store.write() as conn:
        conn.execute(update(OUTBOX).where(OUTBOX.c.seat == BOB).values(state="sent"))
    claimed = claims.claim(store, now())
    assert claimed
    with claims.lease_kept(store, claimed, now):
        post_office.work(store, claimed, slow, now)
    assert got == [None] * 4
    assert [row.state for row in outbox(store)] == ["sent", "sent"]


def test_a_mail_waits_out_the_settle_time_to_the_millisecond(served: Store, sink: Sink) -> None:
    with freeze_time("2027-01-15T08:00:00Z") as now:
        at = clock.now()
        game_id, leader, _ = handed_on(served, at)
        before = len(sink.mails)
        now.move_to("2027-01-15T08:01:00Z")
        assert claims.claim(served, clock.now()) is None
        give(served, game_id, leader, TakeBack(game(served, game_id).version), at=clock.now())
        give(served, game_id, leader, Stop(), at=clock.now())
        assert claims.claim(served, at + SETTLE + 1)  # the first notice: it will be found superseded
        assert len(sink.mails) == before


# ==== servers that say no =========================================================================
def test_a_temporary_refusal_is_retried_later(served: Store, sink: Sink) -> None:
    _, ann, _ = two(served)
    sink.to_rcpt = ["451 4.7.1 Greylisted, come back"] * 2
    send(served, NOON)
    assert sink.mails == []
    row = outbox(served)[0]
    assert row.state == "pending"
    assert 0.8 * MINUTE <= row.due_at - NOON <= 1.2 * MINUTE
    assert ledger(served, ann)[0].steps[-1].detail == "451 4.7.1 Greylisted, come back"
    send(served, NOON + 2 * MINUTE)
    assert len(sink.mails) == 2
    assert history(served, row.id) == ["sending", "deferred", "sending", "accepted"]
    assert sink.of("ann@example.org")[0]["Message-ID"] == row.message_id


@pytest.mark.parametrize("where", ["to_rcpt", "to_data"])
def test_a_permanent_refusal_is_not_retried(served: Store, sink: Sink, where: str) -> None:
    _, ann, _ = two(served)
    setattr(sink, where, ["550 5.1.1 No such mailbox"] * 2)
    send(served, NOON)
    send(served, NOON + 100 * HOUR)
    assert sink.mails == []
    assert [row.state for row in outbox(served)] == ["dead", "dead"]
    assert ledger(served, ann)[0].steps[-1].what == "refused"
    assert ledger(served, ann)[0].steps[-1].detail == "550 5.1.1 No such mailbox"


def test_after_two_days_of_refusals_a_mail_is_given_up(served: Store, sink: Sink) -> None:
    two(served)
    sink.to_rcpt = ["451 4.3.0 Not now"] * 1000
    at, rounds = NOON, 0
    while any(row.state == "pending" for row in outbox(served)):
        at = min(row.due_at for row in outbox(served) if row.state == "pending")
        send(served, at)
        rounds += 1
        assert rounds < 60
    assert {row.state for row in outbox(served)} == {"dead"}
    assert 48 * HOUR <= at - NOON <= 53 * HOUR
    assert history(served, outbox(served)[0].id)[-1] == "given_up"


def test_mail_delayed_by_a_long_outage_survives_its_first_refusal(served: Store, sink: Sink) -> None:
    two(served)
    sink.to_rcpt = ["451 4.7.1 Greylisted, come back"] * 2
    send(served, NOON + 72 * HOUR)
    assert {row.state for row in outbox(served)} == {"pending"}
    send(served, NOON + 73 * HOUR)
    assert {row.state for row in outbox(served)} == {"sent"}


def test_the_pauses_grow_and_differ() -> None:
    for attempts, pause in enumerate((1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 4 * HOUR, 4 * HOUR), 1):
        pauses = {leases.backoff(attempts) for _ in range(50)}
        assert len(pauses) > 10
        assert all(0.8 * pause <= each <= 1.2 * pause for each in pauses)


def test_an_absent_server_defers_all_mail(store: Store) -> None:
    two(store)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        to(store, unused.getsockname()[1])
        assert send(store, NOON) == 1  # the others are not tried: they would fail, too
    assert sorted(row.state for row in outbox(store)) == ["pending", "pending"]
    assert post_office.send_due(store, now=lambda: NOON + HOUR) == 0  # in its rest


class Rude:
    """A server that says its lines, one for each input, and then hangs up or falls silent."""

    def __init__(self, *lines: bytes, silent: bool = False) -> None:
        self.lines, self.silent = lines, silent
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self) -> None:
        with self.listener, self.listener.accept()[0] as line:
            line.settimeout(60)
            for said in self.lines:
                line.sendall(said)
                line.recv(65536)
            if self.silent:
                self.over.wait(60)

    def stop(self) -> None:
        self.over.set()
        self.thread.join()


HELLO, OK, GO_ON = b"220 hello\r\n", b"250 fine\r\n", b"354 go on\r\n"


@pytest.mark.parametrize(
    ("lines", "silent", "error"),
    [
        ((), True, ServerAway),
        ((), False, ServerAway),
        ((b"554 go away\r\n",), False, ServerAway),
        ((HELLO, OK), True, ServerAway),
        ((HELLO, OK, OK, OK), False, Deferred),
        ((HELLO, OK, OK, OK, GO_ON), False, Deferred),
        ((HELLO, OK, b"421 closing\r\n"), False, ServerAway),
        ((HELLO, OK, b"nonsense\r\n"), False, Deferred),
    ],
)
def test_servers_that_fall_silent_hang_up_or_talk_nonsense(
    store: Store, lines: tuple[bytes, ...], silent: bool, error: type[Exception]
) -> None:
    server = Rude(*lines, silent=silent)
    settings = store.settings.with_(smtp_host="127.0.0.1", smtp_port=server.port, smtp_timeout=0.5 if silent else 60)
    with pytest.raises(error):
        deliver(settings, Mail("a@example.org", "b@example.org", b"Subject: x\r\n\r\nx\r\n"))
    server.stop()


def test_a_mail_that_cannot_be_written_is_tried_again_and_stops_no_other(
    served: Store, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ann, _ = two(served)
    with served.write() as conn:
        conn.execute(update(OUTBOX).where(OUTBOX.c.seat == ANN).values(kind="no such kind"))
    send(served, NOON)
    assert sink.recipients == ["bob@example.org"]
    assert [step.what for step in ledger(served, ann)[0].steps] == ["queued", "sending", "failed"]
    assert outbox(served)[0].state == "pending"
    assert outbox(served)[0].due_at > NOON + 10 * SECOND


def test_a_mail_that_breaks_the_sending_is_tried_again_and_stops_no_other(served: Store, sink: Sink) -> None:
    two(served)

    def breaks_once(settings: Settings, mail: Mail, *_: Any) -> str:
        if not broken:
            broken.append(mail.recipient)
            raise UnicodeEncodeError("ascii", "ä", 0, 1, "no such letter")
        return deliver(settings, mail)

    broken: list[str] = []
    post_office.send_due(served, send=breaks_once, now=lambda: NOON)
    assert len(sink.recipients) == 1
    row = next(row for row in outbox(served) if row.state == "pending")
    assert history(served, row.id) == ["sending", "failed"]
    assert row.due_at > NOON + 10 * SECOND


def test_the_ledger_holds_words_of_one_line(served: Store, sink: Sink) -> None:
    two(served)
    claimed = claims.claim(served, NOON)
    assert claimed
    claims.put_back(served, claimed, claimed.rows, "deferred", "451 a\r\nb\x00" + "c" * 1000, NOON)
    detail = [step.detail for entry in ledger(served, claimed.rows[0].person_id) for step in entry.steps][-1]
    assert detail.isprintable()
    assert len(detail) == 500


def test_after_a_drawn_card_the_mail_leaves_at_once(served: Store, sink: Sink) -> None:
    game_id, *_ = two(served)
    leader = lead(served, game_id)
    send(served, NOON)
    before = len(sink.mails)
    give(served, game_id, leader, Pick(), at=NOON + 5)
    send(served, NOON + 5)
    assert len(sink.mails) == before + 1


def test_a_mark_is_tried_until_the_lease_must_have_run_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short absence of the database causes no second mail; a long one does not block a worker."""
    passed = [0.0]
    monkeypatch.setattr(leases.time, "monotonic", lambda: passed[0])
    monkeypatch.setattr(leases.time, "sleep", lambda seconds: passed.append(passed.pop() + seconds))
    long = lease(store.settings) / 1000
    tries: list[float] = []

    def away() -> None:
        tries.append(passed[0])
        if passed[0] < until:
            raise Away

    until = long / 2
    insist(store.settings, away)
    assert tries[-1] >= until
    passed[0], until = 0.0, 10 * long
    with pytest.raises(Away):
        insist(store.settings, away)
    assert long - 2.5 <= tries[-1] <= long


def test_a_mark_whose_commit_was_lost_on_the_way_is_one_mark(postgresql: PostgreSQL, toy_title: Title) -> None:
    """Nobody knows whether the commit succeeded, so it is repeated. It did succeed, and no expired claim is noted."""
    store = open_store(postgresql.new_database())
    store.migrate()
    two(store)
    claimed = claims.claim(store, NOON)
    assert claimed
    left = [1]

    def cut(conn: Any) -> None:
        if left:
            left.pop()
            driver = conn.connection.dbapi_connection
            driver.commit()
            driver.close()

    event.listen(store._writers, "commit", cut)
    claims.finish(store, claimed, claimed.rows, "sent", "accepted", "250", NOON)
    assert not left
    assert [row.state for row in outbox(store) if row.id in claimed.ids] == ["sent"]
    assert history(store, claimed.ids[0]) == ["sending", "accepted"]
    store.close()
