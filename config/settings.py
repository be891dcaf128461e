"""Everything that differs between installations: read once from the environment into one frozen object.

Each setting is an environment variable with the prefix ``SLOWTRAIN_`` (``SLOWTRAIN_DATABASE_URL``); a file ``.env``
beside the process is read too. The defaults are the embedded profile: one machine, no servers, no configuration.
"""

import os
import secrets
from contextlib import suppress
from functools import cache, cached_property
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from config.files import FILE, private_files, private_folder
from config.hosts import named, split
from config.review import BadSettings, review

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}
"""Addresses at which a server listens on every network of a machine, and where it is found from the machine itself."""


class Settings(BaseSettings):
    """The settings of one installation. Raises ``ValueError`` where one is wrong; `config.review` has the words."""

    model_config = SettingsConfigDict(
        env_prefix="SLOWTRAIN_",
        env_file=".env",
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,  # what was given may be a key or a password
    )

    profile: Literal["embedded", "production"] = "embedded"
    """``embedded``: one machine, no servers. ``production``: PostgreSQL, Redis and a mail server."""
    data_dir: Path = Path("var")
    """Where the embedded profile keeps database, broker, mails and keys."""

    host: str = "127.0.0.1"
    """The address at which the web server listens."""
    port: int = 8000
    """Its port."""
    base_url: str = ""
    """The address players reach the site at, without a slash at the end; links in mails begin with it."""
    allowed_hosts: tuple[str, ...] = ()
    """Further names by which the site may be called, beside that of ``base_url`` (and, at home, this machine's own)."""
    log_level: Literal["", "DEBUG", "INFO", "WARNING", "ERROR"] = ""
    """The least level that is logged. The default tells of each request in production, and of trouble only at home."""
    security_log: str = ""
    """A file for security events (sign-ins, refusals, operators' deeds), a line of JSON each, shared by all processes.
    Without one they go along with the other lines, by the logger ``security``."""
    metrics_token: str = ""
    """The token by which a Prometheus reads ``/metrics`` (``Authorization: Bearer …``); without one there are none.
    With several web processes, ``PROMETHEUS_MULTIPROC_DIR`` names an empty folder in which they add up theirs."""
    trusted_proxies: int = 0
    """How many proxies stand in front and may say who the client is."""

    erased_list: str = ""
    """The list of the erased, in marks that name nobody, for ``slowtrain restore``: on another disk than the database
    and its copies, and shared by all processes. The embedded profile has one in ``data_dir``."""

    trusted_networks: tuple[str, ...] = ()
    """Networks and names of hosts where PostgreSQL and Redis need no TLS, because nobody else is on the way:
    ``["10.0.0.0/8", "db", "redis"]``. This machine is always among them; ``slowtrain check-settings`` says
    which connections lack it."""
    database_url: str = ""
    """The database: ``postgresql+psycopg://…``. The embedded profile has a file of SQLite in ``data_dir``."""
    broker_url: str = ""
    """The broker of hints: ``redis://…`` or ``rediss://…``. The embedded profile has a folder in ``data_dir``."""
    rate_limit_url: str = ""
    """Where request counts are kept: ``memory://`` or a Redis address."""
    rate_limits: bool = True
    """Whether requests and moves are limited (`docs/host/limits.md`)."""

    secret_keys: tuple[str, ...] = ()
    """Keys for signing links and forms: the first signs, all verify, so that a key can be replaced. In production each
    has at least 32 characters.
    """

    session_days: int = Field(default=180, ge=1, le=400)
    """After how many days a browser is asked to sign in again, however much it is used. It holds for sessions that
    begin from then on."""
    session_idle_days: int = Field(default=30, ge=1, le=400)
    """After how many days without a visit it is asked to."""
    session_fresh_minutes: int = Field(default=60, ge=5, le=24 * 60)
    """For how many minutes after a sign-in one may change the mail address, make a token, or act as an operator."""

    second_factor: bool | None = None
    """Whether operators must show a second factor, a code of an app on their phone, each time they sign in to their
    area. Production demands it; elsewhere it is asked for where somebody has set one up."""

    smtp_host: str = ""
    """The mail server that sends letters. Without one the embedded profile keeps them in its mailbox."""
    smtp_port: int = 0
    """Its port; 0: 25, or that of the mailbox."""
    smtp_user: str = ""
    """The name to sign in to it, where it asks for one."""
    smtp_password: str = ""
    """The password to sign in to it."""
    smtp_tls: Literal["none", "starttls", "tls"] = "none"
    """How the conversation is encrypted; a server whose certificate cannot be checked gets no mail."""
    smtp_timeout: float = 30.0
    """Seconds to wait for the mail server; after the message itself it is given ten minutes (RFC 5321, 4.5.3.2.6)."""
    mail_from: str = "Slow Train <trains@localhost>"
    """The author of letters."""
    mail_domain: str = "localhost"
    """The domain of Message-IDs and lists."""
    replies: bool | None = None
    """Whether letters can be answered by mail. The default is yes where mail goes to the mailbox of this machine, and
    no elsewhere: then the mail server must hand mail for ``g+…`` (answers) and ``b+…`` (letters that come back,
    and reports about them) to ``slowtrain listen``, or to ``slowtrain receive``."""
    reply_domain: str = ""
    """The domain of the addresses at which letters are answered; "": that of Message-IDs."""
    authserv_id: str = ""
    """The name by which our own mail server writes ``Authentication-Results`` (RFC 8601) into mail that comes, having
    taken away those of that name that came with it. An answer acts only if that, or a signature, proves its author."""
    check_dkim: bool = False
    """Whether signatures (DKIM) of answers of which our mail server says nothing are checked here, which asks the DNS
    for their keys."""
    listen: bool = False
    """Whether ``slowtrain up`` takes mail by SMTP and LMTP, from a mail server in front (``slowtrain listen``)."""
    listen_host: str = "127.0.0.1"
    """The address at which ``slowtrain listen`` takes mail."""
    listen_port: int = 8024
    """Its port."""
    listen_to: tuple[str, ...] = ()
    """Networks of mail servers on other machines that may hand mail over (``["10.0.0.7", "fd00::/64"]``); this machine
    always may. Without one nothing but a loopback address is listened at: a server that gets through is believed."""
    listen_rate: int = Field(default=3000, ge=1)
    """How many mails a minute one mail server may hand over; more are to be tried again later."""
    alarm_webhook: str = ""
    """An address that is called when operators should look: the mail server takes no mail, or work is overdue; and when
    that is over. It gets JSON with ``text`` and ``content``, as chats read it."""
    alarm_smtp: str = ""
    """A second mail server that tells them, as ``smtps://user:password@mail.example.net``; ``smtp+starttls://`` and
    ``smtp://`` are the other ways. A special character in a password is percent-encoded (``%40``)."""
    alarm_to: tuple[str, ...] = ()
    """The addresses that it writes to, outside the domains whose mail the first mail server takes."""
    mailbox_port: int = 8025
    """Embedded profile: the port of the local mailbox that takes all mail."""

    settle_seconds: float = 60.0
    """How long a turn that was handed on can be taken back, and its mail waits."""
    presence_seconds: float = 120.0
    """How long after a look at a table the mails to that player wait; 0: they never do."""
    mail_days: int = Field(default=90, ge=31)
    """How many days a mail stands in the ledger after it was dealt with, and lies in the local mailbox; mail that waits
    for a failing address is given up after 30."""
    check_hour: int = Field(default=3, ge=0, le=23)
    """The hour (UTC) from which on every game is checked each night."""
    sweep_seconds: float = 10.0
    """How often the sweeps look for due work that a lost hint left behind."""

    webhook_guard: bool = True
    """Whether players' webhooks must be public addresses with https at a usual port. Without the guard they may call
    whatever this machine can reach: for development and tests, and where all players are trusted with that."""

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if wrong := [it for it in review(self) if it.grade == "wrong"]:
            raise BadSettings(wrong)
        return self

    @property
    def embedded(self) -> bool:
        return self.profile == "embedded"

    @property
    def site(self) -> str:
        return (self.base_url or f"http://{self._reached_at}:{self.port}").rstrip("/")

    @property
    def _reached_at(self) -> str:
        """Where the site is for who sits at this machine."""
        host = EVERYWHERE.get(self.host, self.host)
        return f"[{host}]" if ":" in host else host

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The names by which the site may be called, as `config.hosts` writes them."""
        address = split(self.site)
        given = [address.hostname or "" if address else "", *self.allowed_hosts]
        if self.embedded:
            given += [*LOOPBACK, EVERYWHERE.get(self.host, self.host)]
        return frozenset(host for each in given if (host := named(each)))

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.data_dir / 'slowtrain.db'}"

    @property
    def list_of_erased(self) -> Path | None:
        if self.erased_list:
            return Path(self.erased_list)
        return self.data_dir / "erased" if self.embedded else None

    @property
    def broker(self) -> str:
        """Where hints go. Of a ``rediss://`` the certificate is checked unless the address says otherwise: kombu would
        not, where it says nothing."""
        if self.broker_url.startswith("rediss:") and "ssl_cert_reqs=" not in self.broker_url:
            return f"{self.broker_url}{'&' if '?' in self.broker_url else '?'}ssl_cert_reqs=required"
        return self.broker_url or "filesystem://"

    @property
    def smtp(self) -> tuple[str, int]:
        return (self.smtp_host or "127.0.0.1", self.smtp_port or (25 if self.smtp_host else self.mailbox_port))

    @property
    def demands_second_factor(self) -> bool:
        return not self.embedded if self.second_factor is None else self.second_factor

    @property
    def answerable(self) -> bool:
        """Whether letters say where to answer, and answers are read."""
        return self.embedded and not self.smtp_host if self.replies is None else self.replies

    @property
    def alarms(self) -> bool:
        """Whether operators are told of trouble."""
        return bool(self.alarm_webhook or self.alarm_to)

    @property
    def replies_at(self) -> str:
        """The domain to which letters are answered."""
        return self.reply_domain or self.mail_domain

    @cached_property
    def listens_to(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks of `listen_to`."""
        return tuple(ip_network(each, strict=False) for each in self.listen_to)

    def keys(self) -> tuple[str, ...]:
        """The signing keys; the embedded profile makes one at its first start and keeps it in ``data_dir``."""
        return self._keys

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        return self.secret_keys or (_kept_key(self.data_dir / "secret_key"),)

    def with_(self, **changes: object) -> Self:
        """These settings with some of them changed (for tests and the command line)."""
        return type(self)(**{**self.model_dump(), **changes})


class AsGiven(Settings):
    """The settings as they were given, however wrong: to be looked at, not to start with."""

    model_config = SettingsConfigDict(title="Settings")

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        return self


@cache
def _kept_key(file: Path) -> str:
    """Made where there is none. It appears whole: another process reads all of it at the same moment, or makes none."""
    if not file.exists():
        fresh = private_folder(file.parent) / f".{file.name}.{secrets.token_hex(8)}"
        fresh.touch(FILE)
        fresh.write_text(secrets.token_urlsafe(32))
        with suppress(FileExistsError):
            os.link(fresh, file)
        fresh.unlink()
    private_files([file])
    return file.read_text()
