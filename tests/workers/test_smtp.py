"""The hand-over of mail with encryption and a password, to a real server; and the meanings of refusals."""

import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from config.settings import Settings
from service.letters import mime
from service.letters.letter import Mail
from tests.servers import free_port
from tests.workers.post import Sink
from workers import outbound
from workers.smtp import Bounced, Deferred, ServerAway, deliver

HEADERS = (
    mime.header("From", "trains@localhost"),
    mime.header("To", "ann@example.org"),
    mime.words("Subject", "x"),
    mime.header("Date", "Mon, 05 Jan 2026 12:00:00 +0000"),
    mime.header("Message-ID", "<x@localhost>"),
)
MAIL = Mail(
    "trains@localhost",
    "ann@example.org",
    mime.message(HEADERS, mime.together("alternative", [mime.text("plain", "Hello")], "x")),
)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for this machine, with its key in the same file."""
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-keyout",
            file,
            "-out",
            f"{file}.crt",
        ],
        check=True,
        capture_output=True,
    )
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file


@pytest.fixture
def trusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As an operator would: OpenSSL is told where the certificates are."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    outbound.tls_context.cache_clear()
    yield
    outbound.tls_context.cache_clear()


@contextmanager
def server(sink: Sink, certificate: Path, **more: Any) -> Iterator[Settings]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    how = {"ssl_context": context} if more.pop("wrapped", False) else {"tls_context": context}
    port = free_port()
    controller = Controller(sink, hostname="127.0.0.1", port=port, **how, **more)
    controller.start()
    try:
        yield Settings(_env_file=None, smtp_host="127.0.0.1", smtp_port=port, smtp_timeout=5)  # type: ignore
    finally:
        controller.stop()


def knows(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
    good = isinstance(given, LoginPassword) and (given.login, given.password) == (b"slow", b"train")
    return AuthResult(success=good, handled=good)


LOGIN = {"authenticator": knows, "auth_required": True, "auth_require_tls": True}


@pytest.mark.usefixtures("trusted")
def test_mail_goes_encrypted_and_with_a_password(certificate: Path) -> None:
    sink = Sink()
    with server(sink, certificate, require_starttls=True, **LOGIN) as settings:
        deliver(settings.with_(smtp_tls="starttls", smtp_user="slow", smtp_password="train"), MAIL)
    assert sink.recipients == ["ann@example.org"]


@pytest.mark.usefixtures("trusted")
def test_mail_goes_over_implicit_tls(certificate: Path) -> None:
    sink = Sink()
    with server(sink, certificate, wrapped=True) as settings:
        deliver(settings.with_(smtp_tls="tls"), MAIL)
    assert sink.recipients == ["ann@example.org"]


@pytest.mark.usefixtures("trusted")
def test_a_wrong_password_is_a_problem_of_the_server_and_not_of_a_mail(certificate: Path) -> None:
    sink = Sink()
    with server(sink, certificate, require_starttls=True, **LOGIN) as settings, pytest.raises(ServerAway, match="535"):
        deliver(settings.with_(smtp_tls="starttls", smtp_user="slow", smtp_password="wrong"), MAIL)
    assert sink.recipients == []


@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_a_server_without_a_valid_certificate_gets_nothing(certificate: Path, tls: Any) -> None:
    sink = Sink()
    outbound.tls_context.cache_clear()
    with server(sink, certificate, wrapped=tls == "tls") as settings, pytest.raises(ServerAway, match="certificate"):
        deliver(settings.with_(smtp_tls=tls), MAIL)
    assert sink.recipients == []


def test_a_server_without_encryption_gets_nothing_that_should_be_encrypted() -> None:
    sink, port = Sink(), free_port()
    plain = Controller(sink, hostname="127.0.0.1", port=port)
    plain.start()
    try:
        settings = Settings(_env_file=None, smtp_host="127.0.0.1", smtp_port=port, smtp_tls="starttls")  # type: ignore
        with pytest.raises(ServerAway, match="STARTTLS"):
            deliver(settings, MAIL)
    finally:
        plain.stop()
    assert sink.recipients == []


@pytest.mark.parametrize(
    ("where", "said", "of_address"),
    [
        ("to_rcpt", "550 No such user", True),
        ("to_rcpt", "550 5.1.1 No such user", True),
        ("to_rcpt", "550 5.1.10 Null MX", True),
        ("to_rcpt", "551 User not local", True),
        ("to_rcpt", "553 Mailbox name not allowed", True),
        ("to_rcpt", "550 5.2.1 Mailbox disabled", True),
        ("to_rcpt", "550 5.7.1 Relaying denied", False),
        ("to_rcpt", "552 5.2.2 Mailbox full", False),
        ("to_rcpt", "554 Not now or ever", False),
        ("to_rcpt", "550 5.1.8 Bad sender", False),
        ("to_data", "550 Spam", False),
        ("to_data", "550 5.1.1 No such user", True),
        ("to_data", "552 Too large", False),
    ],
)
def test_only_certain_refusals_blame_the_address(where: str, said: str, of_address: bool) -> None:
    refused = answered(where, said)
    assert isinstance(refused, Bounced)
    assert refused.of_address is of_address


@pytest.mark.parametrize("where", ["to_rcpt", "to_data"])
def test_mail_above_the_quota_of_the_day_waits(where: str) -> None:
    said = "550-5.4.5 Daily user sending limit exceeded. For more information\r\n550 5.4.5 see the help"
    refused = answered(where, said)
    assert isinstance(refused, Deferred)
    assert refused.sake == "server"


def answered(where: str, said: str) -> Bounced | Deferred:
    """Send the mail to a server that answers so at one point. Return how the delivery failed."""
    sink, port = Sink(), free_port()
    setattr(sink, where, [said])
    controller = Controller(sink, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        settings = Settings(_env_file=None, smtp_host="127.0.0.1", smtp_port=port)  # type: ignore
        with pytest.raises((Bounced, Deferred)) as refused:
            deliver(settings, MAIL)
    finally:
        controller.stop()
    return refused.value


class Dies(Sink):
    """Hangs up when it has the mail, before confirming it."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        answer = await super().handle_DATA(server, session, envelope)
        server.transport.abort()
        return answer


def test_after_a_cut_connection_the_mail_may_have_been_taken() -> None:
    sink, port = Dies(), free_port()
    controller = Controller(sink, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        settings = Settings(_env_file=None, smtp_host="127.0.0.1", smtp_port=port)  # type: ignore
        with pytest.raises(Deferred) as cut:
            deliver(settings, MAIL)
    finally:
        controller.stop()
    assert cut.value.maybe_taken
