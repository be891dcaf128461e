"""The local mailbox stores every mail that it acknowledges, and acknowledges only stored mail."""

import smtplib
from collections.abc import Iterator

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from service.database.store import Store
from service.letters.letter import Mail
from service.notices.mailbox import LARGEST, MAILBOX, controller
from tests.servers import free_port
from workers.smtp import Bounced, deliver

SOURCE = b"From: t@example.org\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMessage-ID: <1@here>\r\n\r\nHello\r\n"


@pytest.fixture
def port(store: Store) -> Iterator[int]:
    port = free_port()
    server = controller(store, "127.0.0.1", port)
    server.start()
    yield port
    server.stop()


def kept(store: Store) -> list[tuple[str, str, str, bytes]]:
    columns = MAILBOX.c.recipient, MAILBOX.c.subject, MAILBOX.c.message_id, MAILBOX.c.source
    with store.read() as conn:
        return [tuple(row) for row in conn.execute(select(*columns).order_by(MAILBOX.c.id))]


def test_a_mail_is_kept_as_it_came_once_for_each_recipient(store: Store, port: int) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=10) as line:
        line.sendmail("t@example.org", ["Ann@example.org", "bob@example.org"], SOURCE)
    assert kept(store) == [
        ("ann@example.org", "Grüße", "<1@here>", SOURCE),
        ("bob@example.org", "Grüße", "<1@here>", SOURCE),
    ]


@pytest.mark.parametrize("source", [b"", b"\r\n", b"no header at all", b"Subject: a\r\nSubject: b\r\n\r\n\xff\xfe\x00"])
def test_an_almost_empty_mail_is_kept_too(store: Store, port: int, source: bytes) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=10) as line:
        line.sendmail("", "ann@example.org", source)
    assert len(kept(store)) == 1


def test_a_mail_that_cannot_be_stored_is_not_acknowledged(
    store: Store, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise OperationalError("insert", {}, Exception("the disk is full"))

    monkeypatch.setattr(store, "write", full)
    with smtplib.SMTP("127.0.0.1", port, timeout=10) as line, pytest.raises(smtplib.SMTPDataError, match="451"):
        line.sendmail("t@example.org", "ann@example.org", SOURCE)


def test_a_huge_mail_is_refused(store: Store, port: int) -> None:
    settings = store.settings.with_(mailbox_port=port)
    huge = (b"x" * 900 + b"\r\n") * (LARGEST // 900 + 1)
    with pytest.raises(Bounced, match="552"):
        deliver(settings, Mail("t@example.org", "ann@example.org", SOURCE + huge))
    assert kept(store) == []
