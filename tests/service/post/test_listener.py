"""Mail handed over by SMTP and LMTP: every answer, and that none promises more than is true."""

import smtplib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import pytest
from limits import RateLimitItemPerDay
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from service.database.store import Away, Busy, Store
from service.post import inbox, listener
from service.post.inbox import INCOMING
from service.post.limits import LARGEST
from tests.answers import written
from tests.listening import letter, listening, returning

NOBODY = "g+aaaaaaaaaaaaaaaaaaaaaaaaaa@localhost"
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""For tests that do not depend on the database."""
LIMIT = 60.0
"""Seconds a test waits for an answer."""


@pytest.fixture
def port(store: Store) -> Iterator[int]:
    with listening(store) as port:
        yield port


@pytest.fixture
def talks() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class Line:
    """A conversation, line by line."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> "Line":
        assert self.heard().startswith("220 ")
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()

    def heard(self) -> str:
        """Return the next answer; "" when the connection has ended."""
        while (line := self.file.readline().decode())[3:4] == "-":
            pass
        return line.strip()

    def say(self, words: str | bytes) -> str:
        self.socket.sendall((words.encode() if isinstance(words, str) else words) + b"\r\n")
        return self.heard()

    def begin(self, *to: str, hello: str = "EHLO") -> list[str]:
        assert self.say(f"{hello} mta.example.org").startswith("250")
        assert self.say("MAIL FROM:<ann@example.org>").startswith("250")
        return [self.say(f"RCPT TO:<{each}>") for each in to]

    def data(self, raw: bytes, answers: int = 1) -> list[str]:
        assert self.say("DATA").startswith("354")
        self.socket.sendall(raw + b"\r\n.\r\n")
        return [self.heard() for _ in range(answers)]


def kept(store: Store) -> list[Any]:
    with store.read() as conn:
        return list(conn.execute(select(INCOMING).order_by(INCOMING.c.id)))


def mail(to: str, text: str = "look") -> bytes:
    return written(to, text).replace(b"\n", b"\r\n")


# ==== taken =======================================================================================
def test_a_mail_is_kept_as_it_came_before_it_is_acknowledged(store: Store, port: int) -> None:
    address, raw = letter(store), mail("anybody", ".look\r\n..\r\nmove öttawa")
    with smtplib.SMTP("127.0.0.1", port, timeout=LIMIT) as line:
        line.sendmail("ann@example.org", address, raw)
    (row,) = kept(store)
    assert (bytes(row.raw), row.sender, row.state) == (raw, "ann@example.org", "pending")


def test_a_repeated_mail_is_the_same_mail(store: Store, port: int) -> None:
    """A server that was killed between storing and acknowledging gets the mail again."""
    address = letter(store)
    raw = mail(address)
    with store.write() as conn:
        inbox.keep(conn, store.settings, address, "ann@example.org", raw, store.time())
    for client in (smtplib.SMTP, smtplib.LMTP):
        with client("127.0.0.1", port) as line:
            line.sendmail("ann@example.org", address, b"Received: from elsewhere\r\n" + raw)
    assert len(kept(store)) == 1


def test_eight_bit_and_utf_8_mail_is_stored_unchanged(store: Store, port: int) -> None:
    address = letter(store)
    raw = f"From: Jürgen <jürgen@exämple.org>\r\nTo: {address}\r\n\r\nbewege nach Görlitz\r\n".encode()
    with smtplib.SMTP("127.0.0.1", port, timeout=LIMIT) as line:
        line.sendmail("jürgen@exämple.org", address, raw, ["SMTPUTF8", "BODY=8BITMIME"])
        latin = raw.decode().encode("latin-1")
        line.sendmail("ann@example.org", address, latin, ["BODY=8BITMIME"])
    first, second = kept(store)
    assert (bytes(first.raw), first.sender) == (raw, "jürgen@exämple.org")
    assert bytes(second.raw) == latin


@on_sqlite
def test_a_return_address_accepts_the_null_sender(store: Store, port: int) -> None:
    address = returning(store)
    with smtplib.SMTP("127.0.0.1", port, timeout=LIMIT) as line:
        line.ehlo("mta.example.org")
        assert line.esmtp_features["size"] == str(LARGEST)
        assert line.has_extn("8bitmime")
        assert line.has_extn("smtputf8")
        assert not line.has_extn("auth")
        line.sendmail("", address.upper().replace("LOCALHOST", "localhost"), mail(address))
    assert [row.sender for row in kept(store)] == [""]


@on_sqlite
def test_lines_beyond_the_required_length_are_accepted(store: Store, port: int) -> None:
    address = letter(store)
    with smtplib.SMTP("127.0.0.1", port, timeout=LIMIT) as line:
        line.sendmail("ann@example.org", address, mail(address) + b"x" * 65_000)
        with pytest.raises(smtplib.SMTPDataError, match="500"):
            line.sendmail("ann@example.org", address, mail(address) + b"x" * 100_000)
        line.sendmail("ann@example.org", address, mail(address))
    assert len(kept(store)) == 2


# ==== refused =====================================================================================
@on_sqlite
@pytest.mark.parametrize("hello", ["EHLO", "LHLO"])
def test_an_unknown_recipient_is_refused_at_rcpt(store: Store, port: int, hello: str) -> None:
    strangers = [
        NOBODY,
        "postmaster@localhost",
        "ann@example.org",
        letter(store).replace("localhost", "example.org"),
        "a",
    ]
    with Line(port) as line:
        assert [answer[:9] for answer in line.begin(*strangers, hello=hello)] == ["550 5.1.1"] * len(strangers)
        assert line.say("DATA").startswith("503")
        assert line.say("QUIT").startswith("221")


@on_sqlite
def test_without_answers_to_letters_no_mail_is_accepted(store: Store) -> None:
    address = letter(store)
    store.settings = store.settings.with_(replies=False)
    with listening(store) as port, Line(port) as line:
        assert line.begin(address) == [listener.OFF]


@on_sqlite
def test_an_oversized_mail_is_refused_before_or_after_its_data(store: Store, port: int) -> None:
    address = letter(store)
    lines = (b"x" * 900 + b"\r\n") * (LARGEST // 902)
    with Line(port) as line:
        line.begin()
        line.say("RSET")
        assert line.say(f"MAIL FROM:<> SIZE={LARGEST + 1}").startswith("552")
        assert line.say(f"MAIL FROM:<> SIZE={LARGEST}").startswith("250")
        assert line.say(f"RCPT TO:<{address}>").startswith("250")
        assert line.data(lines)[0].startswith("250")
        line.begin(address)
        assert line.data(lines + b"x" * 900)[0].startswith("552")
        line.begin(address, letter(store), hello="LHLO")
        assert [answer[:3] for answer in line.data(lines + b"x" * 900, 2)] == ["552", "552"]
        assert line.say("NOOP").startswith("250")
    assert [len(row.raw) for row in kept(store)] == [len(lines) + 2]


def test_vrfy_expn_and_auth_are_refused(port: int) -> None:
    with Line(port) as line:
        line.begin()
        for words in ("VRFY ann", "EXPN all", "AUTH PLAIN AGFubgBwYXNz", "AUTH LOGIN"):
            assert line.say(words).startswith("502")
        assert line.say("STARTTLS")[:3] in {"454", "500"}
        assert line.say("ETRN x").startswith("500")


@on_sqlite
@pytest.mark.parametrize("address", ["", "<", '"', "(((" * 300, "a@b>, <c@d", "a b@c", "\x00@x", "é" * 100, "[" * 99])
def test_an_invalid_address_is_refused_and_the_conversation_continues(store: Store, port: int, address: str) -> None:
    with Line(port) as line:
        assert line.say("EHLO x").startswith("250")
        assert line.say(f"MAIL FROM:<{address}\udcff>".encode(errors="surrogateescape"))[:3] in {"553", "501", "555"}
        line.begin()
        assert line.say(f"RCPT TO:<{address}>")[:3] in {"550", "553", "501", "555"}
        assert line.say(f"RCPT TO:<{letter(store)}>").startswith("250")


@on_sqlite
def test_other_machines_may_connect_only_if_they_are_listed(store: Store) -> None:
    door = listener.Listener(store)
    assert [door.shuts_out(it) for it in ("127.0.0.1", "::1", "127.8.8.8")] == [None] * 3
    assert str(door.shuts_out("10.0.0.7")).startswith("554 5.7.1")
    store.settings = store.settings.with_(listen_to=("10.0.0.0/8", "fd00::/64"))
    door = listener.Listener(store)
    assert [door.shuts_out(it) for it in ("10.0.0.7", "fd00::9")] == [None] * 2
    assert [str(door.shuts_out(it))[:9] for it in ("192.168.0.1", "fd01::9", "fe80::1%eth0")] == ["554 5.7.1"] * 3


# ==== put off =====================================================================================
@contextmanager
def failing(store: Store, monkeypatch: pytest.MonkeyPatch, error: Exception) -> Iterator[None]:
    def fail() -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(store, "write", fail)
        patched.setattr(store, "read", fail)
        yield


@pytest.mark.parametrize(
    "error",
    [
        Away("away"),
        Busy(),
        OperationalError("insert", {}, Exception("disk full")),
        OSError(28, "full"),
        KeyError("ours"),
    ],
    ids=lambda error: type(error).__name__,
)
@on_sqlite
def test_a_store_that_fails_loses_nothing(store: Store, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    address = letter(store)
    with listening(store) as port, Line(port) as line:
        with failing(store, monkeypatch, error):
            assert line.begin(address) == [listener.NOT_KEPT], "whoever cannot be looked up is not unknown"
        assert line.say(f"RCPT TO:<{address}>").startswith("250")
        with failing(store, monkeypatch, error):
            assert line.data(mail(address)) == [listener.NOT_KEPT]
        assert kept(store) == []
        line.begin(address)
        assert line.data(mail(address)) == [listener.KEPT]
    assert len(kept(store)) == 1


@on_sqlite
def test_a_mail_servers_rate_is_limited(store: Store) -> None:
    address = letter(store)
    with listening(store, of_client=RateLimitItemPerDay(2)) as port, Line(port) as line:
        for _ in range(2):
            assert line.begin(address) == ["250 2.1.5 OK"]
            assert line.data(mail(address)) == [listener.KEPT]
        assert line.begin(address) == [listener.TOO_OFTEN]
    assert len(kept(store)) == 2


@on_sqlite
def test_requests_for_unknown_recipients_hold_up_nobody(store: Store) -> None:
    address = letter(store)
    with listening(store, of_client=RateLimitItemPerDay(1)) as port, Line(port) as line:
        for _ in range(3):
            assert line.begin(NOBODY) == [listener.NOBODY]
        assert line.begin(address) == ["250 2.1.5 OK"]
        assert line.data(mail(address)) == [listener.KEPT]


@on_sqlite
def test_mails_beyond_the_hourly_limit_of_a_letter_are_deferred(
    store: Store, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 1)
    one, other = letter(store), letter(store)
    with Line(port) as line:
        line.begin(one)
        assert line.data(mail(one)) == [listener.KEPT]
        line.begin(one)
        assert line.data(mail(one)) == [listener.TOO_OFTEN]
        line.begin(one, other, hello="LHLO")
        assert line.data(mail(one), 2) == [listener.TOO_OFTEN, listener.KEPT]
    assert len(kept(store)) == 2


@on_sqlite
def test_the_number_of_connections_is_limited(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "MOST_CONNECTIONS", 1)
    with listening(store) as port, Line(port):
        third = Line(port)
        with closing(third.socket), closing(third.file):
            assert third.heard().startswith("421 4.3.2")
            assert third.heard() == ""


# ==== several recipients ==========================================================================
def but_for(gone: str) -> Callable[..., int]:
    """Return a store of mail in which a person was erased since RCPT."""
    keep = inbox.keep

    def kept_but_for(conn: Any, settings: Any, address: str, *rest: Any, **more: Any) -> int:
        if address == gone:
            raise inbox.NobodysAddress(address)
        return keep(conn, settings, address, *rest, **more)

    return kept_but_for


def test_by_lmtp_each_recipient_has_an_answer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other, gone = letter(store), letter(store), letter(store)
    with listening(store) as port, Line(port) as line:
        assert line.say("LHLO mta.example.org").startswith("250")
        assert [answer[:3] for answer in line.begin(one, NOBODY, gone, other, hello="LHLO")] == [
            "250",
            "550",
            "250",
            "250",
        ]
        monkeypatch.setattr(inbox, "keep", but_for(gone))
        assert line.data(mail(one), 3) == [listener.KEPT, listener.NOBODY, listener.KEPT]
    assert len(kept(store)) == 2


def test_by_smtp_a_mail_is_kept_for_all_or_for_none(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = letter(store), letter(store)
    raw = mail(one)
    with listening(store) as port, Line(port) as line:
        line.begin(one, other)
        with monkeypatch.context() as patched:
            patched.setattr(inbox, "keep", but_for(other))
            assert line.data(raw) == [listener.NOT_KEPT]
        assert kept(store) == []
        line.begin(one, other)
        assert line.data(raw) == [listener.KEPT]
    assert len(kept(store)) == 2


# ==== smuggling, dawdling, ending =================================================================
ENDS = [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r", b"\n.\r", b"\r\n\0.\r\n", b"\r\r\n.\r\r\n"]


@on_sqlite
@pytest.mark.parametrize("end", ENDS, ids=repr)
def test_only_a_dot_between_two_crlf_ends_a_mail(store: Store, port: int, end: bytes) -> None:
    address = letter(store)
    second = f"MAIL FROM:<x@example.org>\r\nRCPT TO:<{address}>\r\nDATA\r\nFrom: x\r\n\r\nlook".encode()
    with Line(port) as line:
        line.begin(address)
        (answer,) = line.data(mail(address) + end + second)
        assert answer.startswith("550 5.6.11" if b"\n" in end.replace(b"\r\n", b"") else "250")
        assert line.say("NOOP").startswith("250"), "there was one answer, to one mail"
    assert len(kept(store)) == (1 if answer.startswith("250") else 0)


@on_sqlite
def test_a_slow_client_is_cut_off_and_nothing_of_its_mail_is_stored(store: Store) -> None:
    address = letter(store)
    begun = f"EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<{address}>\r\nDATA\r\n{mail(address).decode()}\r\n"
    with listening(store, seconds=0.2) as port:
        for said in (b"", b"EHL", begun.encode()):
            with Line(port) as line:
                line.socket.sendall(said)
                heard = line.file.read().decode()  # to the end
                assert listener.KEPT not in heard
    assert kept(store) == []


@pytest.mark.long("postgresql")
@on_sqlite
def test_a_client_that_reads_no_answers_is_cut_off(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "MOST_CONNECTIONS", 1)
    with listening(store, seconds=0.3) as port, Line(port) as deaf:
        deaf.socket.settimeout(0.1)
        with suppress(OSError):  # until the answers are stuck because nobody reads them
            while True:
                deaf.socket.sendall(b"RCPT TO:<a@b>\r\n" * 10_000)
        tries = (socket.create_connection(("127.0.0.1", port), timeout=LIMIT) for _ in range(600))
        assert any(_is_greeted(each) for each in tries)


def _is_greeted(other: socket.socket) -> bool:
    with other:
        greeted = other.recv(3) == b"220"
        if not greeted:
            time.sleep(0.02)
        return greeted


@on_sqlite
def test_a_client_that_sends_without_end_is_cut_off(store: Store, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "MOST_BYTES", 200_000)
    with Line(port) as line:
        line.begin(letter(store))
        assert line.say("DATA").startswith("354")
        with pytest.raises(ConnectionError):
            line.socket.sendall(b"x" * 100_000_000)
    with Line(port) as line, pytest.raises(ConnectionError):
        line.socket.sendall(b"x" * 100_000_000)


def test_a_shutdown_acknowledges_mail_in_progress_and_notifies_idle_clients(store: Store, talks: ExitStack) -> None:
    address = letter(store)
    with listening(store) as port:
        busy = talks.enter_context(Line(port))
        idle = talks.enter_context(Line(port))
        busy.begin(address)
        assert busy.say("DATA").startswith("354")
        busy.socket.sendall(mail(address))

        def rest() -> None:
            assert idle.heard() == listener.ENDING
            busy.socket.sendall(b"\r\n.\r\n")

        thread = threading.Thread(target=rest)
        thread.start()
    thread.join()
    assert busy.heard() == listener.KEPT
    assert busy.heard() == listener.ENDING
    assert len(kept(store)) == 1


@on_sqlite
def test_logs_contain_neither_addresses_nor_text(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    address = letter(store)
    with caplog.at_level("INFO"), listening(store) as port, Line(port) as line:
        line.begin(NOBODY, address)
        line.say("SECRET words@example.org")
        line.data(mail(address, "my words"))
    assert "is kept" in caplog.text
    for word in ("example.org", "words", NOBODY[2:20], address[2:20]):
        assert word not in caplog.text
