"""Bounces, from the envelope of a mail to the ledger that its reader sees."""

from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import select

from service.database.store import Store
from service.people import addresses, bounces, mail_settings
from service.post import inbox
from service.post.inbox import INCOMING
from service.post.incoming import examine
from tests.answers import MTA, written
from tests.service.lanterns import NOON, log
from tests.workers.post import Sink, ledger, outbox, person, smtp_server, table, to
from workers import incoming
from workers import outbox as post_office


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """The hand-over of mail does not depend on the database; other tests process reports on both."""
    return copy_on_sqlite


class Envelopes(Sink):
    """Notes the senders of envelopes."""

    def __init__(self) -> None:
        super().__init__()
        self.senders: list[str] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.senders.append(envelope.mail_from.replace("<>", ""))
        return await super().handle_DATA(server, session, envelope)


class Strict(Envelopes):
    """Refuses mail with a null sender."""

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if address == "<>":
            return "553 5.1.7 A sender is needed"
        envelope.mail_from = address
        return "250 OK"


@pytest.fixture
def sent(store: Store, monkeypatch: pytest.MonkeyPatch) -> Envelopes:
    """The mails of a table of two that has just begun; they can be answered."""
    sink = Envelopes()
    monkeypatch.setattr(post_office, "_rest_until", 0.0)
    with smtp_server(sink) as port:
        to(store, port, replies=True, reply_domain="play.example.org", authserv_id=MTA)
        table(store, person(store, "Ann"), person(store, "Bob"))
        post_office.send_due(store, now=lambda: NOON)
    return sink


def bounce_of(mail: EmailMessage) -> bytes:
    """Return a mail server's bounce of a mail (RFC 3464)."""
    lines = f"""\
        From: Mail Delivery Subsystem <mailer-daemon@mx.example.org>
        To: somebody@play.example.org
        Subject: Undelivered Mail Returned to Sender
        Auto-Submitted: auto-replied
        MIME-Version: 1.0
        Content-Type: multipart/report; report-type=delivery-status; boundary=b

        --b
        Content-Type: text/plain

        It could not be delivered.
        --b
        Content-Type: message/delivery-status

        Reporting-MTA: dns; mx.example.org

        Final-Recipient: rfc822; {mail["To"]}
        Action: failed
        Status: 5.1.1
        --b
        Content-Type: text/rfc822-headers

        Message-ID: {mail["Message-ID"]}
        --b--
        """
    return "\r\n".join(line.strip() for line in lines.splitlines()).encode()


def test_each_mail_has_its_own_return_address(store: Store, sent: Envelopes) -> None:
    tokens = [bounces.token_of(store.settings, sender) for sender in sent.senders]
    assert None not in tokens
    assert len(set(tokens)) == 2
    assert all(sender.endswith("@play.example.org") for sender in sent.senders)
    for mail, sender in zip(sent.mails, sent.senders, strict=True):
        assert mail["From"] == "Slow Train <trains@localhost>"
        assert sender not in mail.as_string()


def come(store: Store, address: str, raw: bytes, sender: str = "") -> Any:
    """Accept a mail that a server hands over, and process it. Return the result."""
    with store.write() as conn:
        number = inbox.keep(conn, store.settings, address, sender, raw, NOON)
    incoming.work_off(store, examine, now=lambda: NOON + 1)
    with store.read() as conn:
        return conn.execute(select(INCOMING).where(INCOMING.c.id == number)).one()


def test_a_bounce_is_in_its_recipients_ledger(store: Store, sent: Envelopes) -> None:
    mail, sender = sent.mails[0], sent.senders[0]
    row = come(store, sender, bounce_of(mail))
    assert (row.what, row.detail) == ("report", "noted")
    names = {"ann@example.org": 1, "bob@example.org": 2}
    told, other = names[mail["To"]], 3 - names[mail["To"]]
    assert [step.what for step in ledger(store, told)[0].steps][-2:] == ["accepted", "bounced"]
    assert [step.what for step in ledger(store, other)[0].steps][-1] == "accepted"


def test_mail_to_a_return_address_moves_nothing_and_gets_no_answer(store: Store, sent: Envelopes) -> None:
    [game_id] = {row.game_id for row in outbox(store)}
    before, owed = log(store, game_id), len(outbox(store))
    sender = sent.senders[0]
    row = come(store, sender, written(sender, "1\nchoose 3\nresign", sender=sent.mails[0]["To"]), sent.mails[0]["To"])
    assert (row.what, row.detail) == ("ignored", "nothing")
    assert log(store, game_id) == before
    assert len(outbox(store)) == owed


def test_an_automatic_answer_has_the_null_return_path(store: Store, sent: Envelopes) -> None:
    mail = sent.mails[0]
    raw = written(mail["Reply-To"], "look", sender=mail["To"], vouched=True)
    come(store, mail["Reply-To"], raw, mail["To"])
    forged = raw.replace(MTA.encode(), b"mx.evil.example").replace(b"Message-ID: <", b"Message-ID: <2")
    come(store, mail["Reply-To"], forged, mail["To"])
    sink = Envelopes()
    with smtp_server(sink) as port:
        to(store, port)
        post_office.send_due(store, now=lambda: NOON + 2)
    assert sink.senders == ["", ""]
    assert [it["Auto-Submitted"] for it in sink.mails] == ["auto-replied"] * 2
    assert [it["To"] for it in sink.mails] == [mail["To"]] * 2


def test_a_relay_that_refuses_the_null_path_gets_the_return_address(store: Store, sent: Envelopes) -> None:
    mail = sent.mails[0]
    come(store, mail["Reply-To"], written(mail["Reply-To"], "look", sender=mail["To"], vouched=True), mail["To"])
    sink = Strict()
    with smtp_server(sink) as port:
        to(store, port)
        post_office.send_due(store, now=lambda: NOON + 2)
    (sender,) = sink.senders
    assert bounces.token_of(store.settings, sender)


def test_a_report_at_a_reply_address_does_not_count(store: Store, sent: Envelopes) -> None:
    mail = sent.mails[0]
    assert come(store, mail["Reply-To"], bounce_of(mail)).what == "report"
    with store.read() as conn:
        assert bounces.said_since(conn, 0) == {}


def test_mail_to_an_invented_address_is_not_stored(store: Store, sent: Envelopes) -> None:
    with store.write() as conn, pytest.raises(inbox.NobodysAddress):
        inbox.keep(conn, store.settings, f"b+{'a' * 26}@play.example.org", "", b"", NOON)


def test_an_answer_proves_that_mail_arrives(store: Store, sent: Envelopes) -> None:
    mail = sent.mails[0]
    person_id = {"ann@example.org": 1, "bob@example.org": 2}[mail["To"]]
    addresses.flag(store, person_id, mail["To"], "550 5.1.1 no such user", NOON)
    come(store, mail["Reply-To"], written(mail["Reply-To"], "look", sender=mail["To"], vouched=True), mail["To"])
    with store.read() as conn:
        assert mail_settings.of(conn, person_id).flagged_at is None


def test_without_reading_of_answers_the_envelope_names_the_sender(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = Envelopes()
    monkeypatch.setattr(post_office, "_rest_until", 0.0)
    with smtp_server(sink) as port:
        to(store, port, replies=False)
        table(store, person(store, "Ann"), person(store, "Bob"))
        post_office.send_due(store, now=lambda: NOON)
    assert sink.senders == ["trains@localhost"] * 2
