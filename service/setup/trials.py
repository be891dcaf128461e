"""Trials of settings against the real thing: the name, its certificate, the database, the broker, mail server, mailbox.

Each yields findings of `config.review`. A thing that cannot be told from this machine is called unchecked, never well.
No finding contains a password.
"""

import shutil
import smtplib
import socket
import ssl
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import SplitResult

from config.hosts import is_loopback, named, own_addresses, split
from config.review import Finding, Grade
from config.settings import Settings
from service.base.tls import tls_context
from service.post import imap
from service.post.smtp import connected
from service.setup.files import nearest

SECONDS = 5.0
"""How long a trial waits for an answer."""
LEAST_FREE = 1_000_000_000
"""Bytes that should be free for data: some hundred games and their letters, and room to copy them."""
SOON = 14
"""Days before the end of a certificate at which it should have been renewed: certbot renews 30 days before it."""

Said = Iterator[tuple[Grade, str, str]]
"""Grade, name of the setting, words."""
Trial = Callable[[Settings], Said]


def tried(settings: Settings, *trials: Trial) -> Iterator[Finding]:
    """Try what these settings name, one thing after the other."""
    for trial in trials or ALL:
        for grade, name, words in trial(settings):
            yield Finding(grade, f"SLOWTRAIN_{name.upper()}", words)


# ==== the address of the site =====================================================================
def address(settings: Settings) -> Said:
    """Does the name lead here, and does somebody answer there with a valid certificate?"""
    parts = split(settings.base_url)
    host = named(parts.hostname or "") if parts else None
    if parts is None or host is None or is_loopback(host):
        return
    try:
        found = sorted({str(it[4][0]) for it in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)})
    except OSError:
        words = f"the DNS does not know {host} yet: add a record with the address of this machine, or open the tunnel"
        yield "look", "base_url", words
        return
    where = f"{host} leads to {', '.join(found)}"
    if set(found) & set(own_addresses()):
        yield "well", "base_url", f"{where}, which is this machine"
    else:
        yield "unchecked", "base_url", f"{where}; is this your router, or the end of a tunnel, that leads here?"
    yield from _answer(parts, host)


def _answer(parts: SplitResult, host: str) -> Said:
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        with socket.create_connection((host, port), timeout=SECONDS) as line:
            if parts.scheme == "https":
                yield from _certificate(line, host)
    except OSError as error:
        if isinstance(error, ssl.SSLError):
            yield "wrong", "base_url", f"the certificate of {host} is not valid: {_why(error)}"
        else:
            yield "unchecked", "base_url", f"nothing answers at {host}:{port} yet; try again when the proxy is running"
        return
    words = f"{host}:{port} answers to this machine; open it on a phone without Wi-Fi to see whether it does to others"
    yield "unchecked", "base_url", words


def _certificate(line: socket.socket, host: str) -> Said:
    with tls_context().wrap_socket(line, server_hostname=host) as safe:
        ends = str((safe.getpeercert() or {})["notAfter"])
    last = datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), UTC)
    left = (last - datetime.now(UTC)).days
    if left < SOON:
        yield "look", "base_url", f"the certificate ends in {left} days, on {last:%Y-%m-%d}: is it renewed by itself?"
    else:
        yield "well", "base_url", f"the certificate is valid until {last:%Y-%m-%d}"


def _why(error: ssl.SSLError) -> str:
    return getattr(error, "verify_message", "") or error.reason or "no TLS is spoken there"


# ==== data ========================================================================================
def data(settings: Settings) -> Said:
    """Can the data be written, and is there room for it?"""
    if not settings.embedded:
        return
    folder = settings.data_dir
    above = nearest(folder)
    free = shutil.disk_usage(above).free
    if not _is_writable(above):
        yield "wrong", "data_dir", f"this account may not write into {above}"
    elif free < LEAST_FREE:
        yield "look", "data_dir", f"{above} has {free // 1_000_000} MB free; {LEAST_FREE // 1_000_000} are the least"
    else:
        yield "well", "data_dir", f"{folder} can be written and has {free / 1e9:.0f} GB free"


def _is_writable(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def database(settings: Settings) -> Said:
    """Does PostgreSQL answer?"""
    if settings.embedded and not settings.database_url:
        return
    from sqlalchemy import create_engine, text
    from sqlalchemy.exc import SQLAlchemyError

    try:
        engine = create_engine(settings.database)
        with closing(engine.connect()) as conn:
            version = conn.execute(text("select version()")).scalar_one()
    except (SQLAlchemyError, ImportError) as error:
        first = str(getattr(error, "orig", error)).strip().partition("\n")[0]
        yield "wrong", "database_url", f"the database does not answer: {first or type(error).__name__}"
        return
    engine.dispose()
    yield "well", "database_url", " ".join(str(version).split()[:2]) + " answers"


def broker(settings: Settings) -> Said:
    """Do the Redis servers answer?"""
    from redis import Redis, RedisError

    for name in ("broker_url", "rate_limit_url"):
        url = str(getattr(settings, name))
        if not url.startswith(("redis:", "rediss:", "unix:")):
            continue
        try:
            with closing(Redis.from_url(url, socket_connect_timeout=SECONDS, socket_timeout=SECONDS)) as server:
                server.ping()
        except (RedisError, OSError, ValueError) as error:
            yield "wrong", name, f"Redis does not answer: {type(error).__name__}"
        else:
            yield "well", name, "Redis answers"


# ==== mail ========================================================================================
def mail_server(settings: Settings) -> Said:
    """Does the mail server let us in?"""
    if not settings.smtp_host:
        return
    host, port = settings.smtp
    try:
        server = connected(settings.with_(smtp_timeout=SECONDS))
    except smtplib.SMTPAuthenticationError as error:
        words = f"{host}:{port} rejects this user name and password ({error.smtp_code}); most want an app password"
        yield "wrong", "smtp_password", words
    except smtplib.SMTPNotSupportedError:
        yield "wrong", "smtp_tls", f"{host}:{port} does not offer what this setting or a password asks for"
    except ssl.SSLError as error:
        yield "wrong", "smtp_tls", f"no safe connection to {host}:{port}: {_why(error)}"
    except (OSError, smtplib.SMTPException) as error:
        yield "wrong", "smtp_host", f"{host}:{port} does not answer as a mail server: {_short(error)}"
    else:
        server.close()
        accepted = ", and accepts our password" if settings.smtp_user else ""
        yield "well", "smtp_host", f"{host}:{port} answers{accepted}"


def _short(error: Exception) -> str:
    return (getattr(error, "strerror", "") or str(error) or type(error).__name__)[:120]


_OF_TROUBLE = {"login": "imap_password", "folder": "imap_folder"}


def mailbox(settings: Settings) -> Said:
    """Does the mailbox let us in?"""
    if not settings.fetches:
        return
    try:
        box = imap.Mailbox(settings.with_(smtp_timeout=SECONDS))
    except imap.Unreachable as error:
        if error.trouble == "away":
            yield _away(settings, error.__cause__)
        else:
            yield "wrong", _OF_TROUBLE.get(error.trouble, "imap_host"), imap.TROUBLES[error.trouble]
        return
    with closing(box):
        full = box.is_full()
    if full:
        yield "look", "imap_host", imap.TROUBLES["full"]
    else:
        yield "well", "imap_host", f"{settings.imap[0]} lets us into the folder {settings.imap_folder}"


def _away(settings: Settings, cause: BaseException | None) -> tuple[Grade, str, str]:
    """Say why no mailbox answers. All errors but silence and a lost connection come from the encryption."""
    host, port = settings.imap
    if isinstance(cause, ssl.SSLError):
        return "wrong", "imap_tls", f"{host}:{port} cannot be encrypted as asked: {_why(cause)}"
    if isinstance(cause, OSError):
        return "wrong", "imap_host", f"{host}:{port} does not answer as a mailbox: {_short(cause)}"
    return "wrong", "imap_tls", f"{host}:{port} cannot be encrypted as asked: {cause}"


ALL = (address, data, database, broker, mail_server, mailbox)
"""All trials, in the order of the questions."""
