"""A mail server that is away for a while: alarms come within minutes, and failed mail leaves once it works again."""

from typing import Any

import pytest
from sqlalchemy import select, update

from service.base.clock import DAY, HOUR, MINUTE, SECOND
from service.database.store import Store
from service.notices import failing, watch
from service.notices.failing import CONVERSATIONS
from service.notices.owing import OUTBOX
from service.operators import acts
from service.people import accounts
from service.people.recipients import RECIPIENTS
from tests.servers import free_port
from tests.service.lanterns import NOON
from tests.workers.post import Sink, history, outbox, person, smtp_server, table, to
from workers import housekeeping
from workers import outbox as post_office

STEP = 10 * SECOND


@pytest.fixture(autouse=True)
def _rested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers get their time from the test, so none may rest by the real clock."""
    monkeypatch.setattr(post_office, "_rest_until", 0.0)
    monkeypatch.setattr(post_office, "REST", 0.0)


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def dead(store: Store) -> int:
    """Return the port of an absent mail server."""
    port = free_port()
    to(store, port)
    return port


def owed(store: Store, number: int, at: int = NOON) -> list[int]:
    """Ask this many people to move, each pair at a table of its own."""
    people = [person(store, f"P{each}") for each in range(number)]
    for first in range(0, number, 2):
        table(store, *people[first : first + 2], at=at)
    return people


def work(store: Store, since: int, until: int, step: int = STEP) -> None:
    """Run the workers at intervals."""
    for at in range(since, until, step):
        post_office.send_due(store, now=lambda at=at: at)  # type: ignore[misc]


def trouble(store: Store, at: int) -> failing.MailServer | None:
    with store.read() as conn:
        return failing.server_trouble(conn, at, watch.patience(store.settings))


def failing_now(store: Store) -> dict[str, failing.Failing]:
    with store.read() as conn:
        return failing.failing(conn)


def free(store: Store, at: int) -> None:
    with store.write() as conn:
        failing.free(conn, at)


# ==== an alarm ====================================================================================
def test_there_is_no_alarm_while_mail_is_accepted(store: Store, sink: Sink) -> None:
    owed(store, 4)
    with smtp_server(sink) as port:
        to(store, port)
        work(store, NOON, NOON + MINUTE)
    assert len(sink.mails) == 4
    assert trouble(store, NOON + 2 * MINUTE) is None
    assert failing_now(store) == {}


def test_an_absent_server_causes_an_alarm_within_two_minutes_and_while_it_lasts(store: Store, dead: int) -> None:
    owed(store, 10)
    work(store, NOON, NOON + 9 * MINUTE)
    assert failing_now(store) == {"away": failing.Failing(10, NOON)}
    for minute in (2, 5, 9):
        found = trouble(store, NOON + minute * MINUTE)
        assert found is not None, minute
        assert found.since == NOON
        assert found.failed == found.of > 5
    work(store, NOON + 9 * MINUTE, NOON + 3 * HOUR, 5 * MINUTE)
    late = trouble(store, NOON + 3 * HOUR)
    assert late is not None, "hours later tries are rare, and mail has failed all the same"
    assert late.since == NOON


def test_a_restart_of_the_server_causes_no_alarm(store: Store, sink: Sink, dead: int) -> None:
    owed(store, 2)
    post_office.send_due(store, now=lambda: NOON)
    assert trouble(store, NOON + STEP) is None, "one more try is waited for"
    with smtp_server(sink, dead):
        work(store, NOON + STEP, NOON + 3 * MINUTE)
    assert trouble(store, NOON + 10 * MINUTE) is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("451 local error in processing", "server"),
        ("452 4.3.1 insufficient system storage", "server"),
        ("451 4.3.0 temporary lookup failure", "server"),
        ("450 mailbox busy", "mailbox"),
        ("452 4.2.2 the mailbox is full", "mailbox"),
        ("451 4.7.1 greylisted, come again", "mailbox"),
        ("450 <4.3.0@evil.example>: busy", "mailbox"),
        ("450 mx.example.org at 104.4.3.2 is busy", "mailbox"),
    ],
)
def test_the_causes_of_failing_mail_are_distinguished(store: Store, sink: Sink, answer: str, reason: str) -> None:
    owed(store, 4)
    sink.to_rcpt = [answer] * 40
    with smtp_server(sink) as port:
        to(store, port)
        work(store, NOON, NOON + 4 * MINUTE)
    assert failing_now(store) == {reason: failing.Failing(4, NOON)}
    assert (trouble(store, NOON + 4 * MINUTE) is not None) is (reason == "server")


def test_a_server_that_refuses_all_mail_causes_an_alarm(store: Store, sink: Sink) -> None:
    owed(store, 4)
    sink.to_rcpt = ["554 5.7.1 relay access denied"] * 4
    with smtp_server(sink) as port:
        to(store, port)
        work(store, NOON, NOON + MINUTE)
    assert [row.state for row in outbox(store)] == ["dead"] * 4
    assert trouble(store, NOON + 2 * MINUTE) is not None


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("554 5.7.1 this looks like spam", False),  # RFC 3463, 3.8: "message refused"
        ("554 5.6.0 not with such content", False),
        ("552 5.3.4 too big", False),
        ("550 rejected by policy", False),
        ("550 5.7.26 your domain proves nothing", True),
        ("554 5.3.0 something is wrong here", True),
        ("554 transaction failed", True),
    ],
)
def test_a_letter_refused_for_its_content_is_no_fault_of_the_server(
    store: Store, sink: Sink, answer: str, told: bool
) -> None:
    owed(store, 4)
    sink.to_data = [answer] * 4
    with smtp_server(sink) as port:
        to(store, port)
        work(store, NOON, NOON + MINUTE)
    assert [row.failing_for for row in outbox(store)] == ["server" if told else "mailbox"] * 4
    assert (trouble(store, NOON + 2 * MINUTE) is not None) is told


def test_some_mailboxes_that_are_full_are_no_fault_of_the_server(store: Store, sink: Sink) -> None:
    owed(store, 6)
    sink.to_rcpt = ["452 4.2.2 full"] * 4
    with smtp_server(sink) as port:
        to(store, port)
        post_office.send_due(store, now=lambda: NOON)
    assert len(sink.mails) == 2
    assert trouble(store, NOON + 2 * MINUTE) is None


def test_a_bug_is_counted_as_ours(store: Store, sink: Sink) -> None:
    owed(store, 2)

    def broken(*_: object) -> str:
        raise ZeroDivisionError

    post_office.send_due(store, send=broken, now=lambda: NOON)
    assert failing_now(store) == {"ours": failing.Failing(2, NOON)}
    assert trouble(store, NOON + 5 * MINUTE) is None


def test_conversations_are_forgotten_after_a_day(store: Store, dead: int) -> None:
    owed(store, 2)
    post_office.send_due(store, now=lambda: NOON)
    housekeeping.forget_expired(store, NOON + HOUR)
    with store.read() as conn:
        assert conn.execute(select(CONVERSATIONS.c.outcome)).scalars().all() == ["away", "away"]
    housekeeping.forget_expired(store, NOON + 2 * DAY)
    with store.read() as conn:
        assert conn.execute(select(CONVERSATIONS)).all() == []


# ==== afterwards ==================================================================================
@pytest.mark.long("postgresql")
def test_after_an_outage_of_hours_all_mail_leaves_within_minutes(store: Store, sink: Sink, dead: int) -> None:
    people = owed(store, 10)
    work(store, NOON, NOON + 3 * HOUR, 5 * MINUTE)
    late = person(store, "Late"), person(store, "Later")
    back = NOON + 3 * HOUR
    with smtp_server(sink, dead):
        table(store, *late, at=back)
        work(store, back, back + MINUTE)
    assert len(sink.mails) == 12, "those who waited, and the two whose mail showed that the server works"
    assert len(people) == 10
    assert failing_now(store) == {}
    assert trouble(store, back + 10 * MINUTE) is None


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("hours", [1, 7])
def test_a_probe_detects_the_servers_recovery_within_minutes(store: Store, sink: Sink, dead: int, hours: int) -> None:
    owed(store, 2)
    back = NOON + hours * HOUR
    work(store, NOON, back, 4 * MINUTE)
    tries = [row.attempts for row in outbox(store)]
    assert max(tries) - min(tries) <= 2, "each is tried as often as the others"
    assert sum(tries) < 20 + 13 * hours, "not more often than there is something to learn from"
    with smtp_server(sink, dead):
        work(store, back, back + 6 * MINUTE, 20 * SECOND)
    assert len(sink.mails) == 2


def test_mail_that_is_held_for_its_recipient_is_no_probe(store: Store, dead: int) -> None:
    owed(store, 2)
    work(store, NOON, NOON + HOUR, 2 * MINUTE)
    with store.write() as conn:
        conn.execute(update(OUTBOX).values(held="quiet", due_at=NOON + DAY))
        assert not failing.probe(conn, NOON + 2 * HOUR)


def test_freed_mail_leaves_one_by_one_longest_wait_first(
    store: Store, dead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = owed(store, 6)
    work(store, NOON, NOON + 30 * MINUTE, MINUTE)
    monkeypatch.setattr(failing, "AT_ONCE", 4)
    back = NOON + 30 * MINUTE
    free(store, back)
    due = {row.person_id: row.due_at for row in outbox(store)}
    freed = sorted(at for at in due.values() if at < back + failing.SPREAD)
    assert freed[:4] == [back, back + SECOND, back + 2 * SECOND, back + 3 * SECOND]
    assert len(people) == 6
    with store.read() as conn:
        next_at = dict(conn.execute(select(RECIPIENTS.c.person_id, RECIPIENTS.c.next_at)).all())  # type: ignore[arg-type]
    assert next_at == due
    free(store, back)
    assert failing_now(store) == {}, "what was left goes with the next"


class Fussy(Sink):
    """Takes all mails but those to one recipient; after each of these it reports a failure of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.tries = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if envelope.rcpt_tos == ["p0@example.org"]:
            self.tries += 1
            return "451 4.3.0 the filter has failed"
        return await super().handle_DATA(server, session, envelope)


@pytest.mark.long("postgresql")
def test_a_mail_that_fails_while_others_succeed_waits_its_time(store: Store) -> None:
    """Otherwise one recipient could cause a retry with every mail to anybody else."""
    fussy = Fussy()
    owed(store, 2)
    with smtp_server(fussy) as port:
        to(store, port)
        for minute in range(20):
            table(store, person(store, f"A{minute}"), person(store, f"B{minute}"), at=NOON + minute * MINUTE)
            work(store, NOON + minute * MINUTE, NOON + (minute + 1) * MINUTE, 30 * SECOND)
    assert len(fussy.mails) == 1 + 2 * 20
    assert fussy.tries <= 4, "at once, and after 1, 5 and 15 minutes"


def test_a_mail_that_fails_alone_waits_its_time_even_where_mail_is_rare(store: Store) -> None:
    fussy = Fussy()
    owed(store, 2)
    with smtp_server(fussy) as port:
        to(store, port)
        work(store, NOON, NOON + 5 * MINUTE, MINUTE)
        for minute in range(5, 300, 30):  # the next mail to anybody else comes when the last is forgotten
            table(store, person(store, f"A{minute}"), person(store, f"B{minute}"), at=NOON + minute * MINUTE)
            work(store, NOON + minute * MINUTE, NOON + (minute + 30) * MINUTE, 3 * MINUTE)
    assert len(fussy.mails) == 1 + 2 * 10
    assert fussy.tries <= 8, "at once, after 1, 5 and 15 minutes, 1 and 4 hours, and once because the server works"


def test_all_failed_mails_are_freed_even_if_they_are_many(
    store: Store, sink: Sink, dead: int, monkeypatch: Any
) -> None:
    owed(store, 8)
    work(store, NOON, NOON + HOUR, 5 * MINUTE)
    monkeypatch.setattr(failing, "AT_ONCE", 3)
    with smtp_server(sink, dead):
        work(store, NOON + HOUR, NOON + HOUR + 6 * MINUTE)
        assert failing_now(store) == {}
        work(store, NOON + HOUR + 6 * MINUTE, NOON + HOUR + 3 * failing.SPREAD, MINUTE)
    assert len(sink.mails) == 8


def test_mail_that_failed_for_a_mailbox_waits_its_time(store: Store, sink: Sink) -> None:
    owed(store, 2)
    sink.to_rcpt = ["452 4.2.2 full"] * 4
    with smtp_server(sink) as port:
        to(store, port)
        work(store, NOON, NOON + 2 * MINUTE)  # two tries each
        before = [row.due_at for row in outbox(store)]
        free(store, NOON + 2 * MINUTE)
    assert [row.due_at for row in outbox(store)] == before


def test_sign_in_links_leave_at_once_too(store: Store, sink: Sink, dead: int) -> None:
    with store.write() as conn:
        accounts.ask_for_link(conn, store.settings, "new@example.org", browser="b", next="/", lang="en", at=NOON)
    post_office.send_due(store, now=lambda: NOON)
    post_office.send_due(store, now=lambda: NOON + 2 * MINUTE)
    assert failing_now(store) == {"away": failing.Failing(1, NOON)}
    with smtp_server(sink, dead):
        owed(store, 2, at=NOON + 3 * MINUTE)
        work(store, NOON + 3 * MINUTE, NOON + 3 * MINUTE + 2 * STEP)
    assert "new@example.org" in sink.recipients


def test_a_new_failure_does_not_extend_the_two_days_of_tries(store: Store, dead: int) -> None:
    owed(store, 2)
    work(store, NOON, NOON + 30 * MINUTE, MINUTE)
    free(store, NOON + 30 * MINUTE)
    work(store, NOON + 30 * MINUTE, NOON + 31 * MINUTE)
    (row, _) = outbox(store)
    assert (row.failing_for, row.failing_since) == ("away", NOON), "two days are counted from the first failure"
    assert row.due_at > NOON + 31 * MINUTE + 30 * MINUTE, "and it is not tried more often for having been freed"


# ==== all that failed, by an operator =============================================================
def test_an_operator_retries_all_failed_mail(store: Store, sink: Sink, dead: int) -> None:
    owed(store, 4)
    work(store, NOON, NOON + HOUR, 2 * MINUTE)
    at = NOON + HOUR
    with store.write() as conn:
        gone = {"state": "dead", "failing_for": "server", "failing_since": None, "told_by": None}
        conn.execute(update(OUTBOX).where(OUTBOX.c.id == outbox(store)[0].id).values(**gone))
        failing.recipients.settle(conn, [str(outbox(store)[0].person_id)], at)
    assert acts.try_failed(store, acts.AT_THE_COMMAND_LINE, "the disk was full", at) == 4
    with store.read() as conn:
        (entry,) = acts.entries(conn, acts.AT_THE_COMMAND_LINE, at)
    assert (entry.what, entry.detail, entry.why) == ("try_failed", "4", "the disk was full")
    with smtp_server(sink, dead):
        work(store, at, at + MINUTE)
    assert len(sink.mails) == 4, "what was given up for the server's sake goes, too"
    assert "sent_now" in history(store, outbox(store)[0].id)
    with pytest.raises(acts.NotDone, match="nothing_failed"):
        acts.try_failed(store, acts.AT_THE_COMMAND_LINE, "once more", at)


def test_a_link_that_was_given_up_is_not_sent_again(store: Store, dead: int) -> None:
    with store.write() as conn:
        accounts.ask_for_link(conn, store.settings, "new@example.org", browser="b", next="/", lang="en", at=NOON)
        conn.execute(update(OUTBOX).values(state="dead", failing_for="server", payload={}))
        failing.recipients.settle(conn, ["new@example.org"], NOON)
    with pytest.raises(acts.NotDone, match="nothing_failed"):
        acts.try_failed(store, acts.AT_THE_COMMAND_LINE, "why not", NOON)
