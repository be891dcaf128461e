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
    """The folder in which the embedded profile keeps database, broker, mails and keys."""

    host: str = "127.0.0.1"
    """The address at which the web server listens."""
    port: int = 8000
    """Its port."""
    base_url: str = ""
    """The address at which players reach the site, without a slash at the end; links in mails begin with it."""
    allowed_hosts: tuple[str, ...] = ()
    """Further host names of the site, besides the one in ``base_url`` (and, at home, this machine's own)."""
    log_level: Literal["", "DEBUG", "INFO", "WARNING", "ERROR"] = ""
    """The lowest level that is logged. By default, production logs each request, and home logs only trouble."""
    security_log: str = ""
    """A file for security events (sign-ins, refusals, actions of operators): one line of JSON each, shared by all
    processes. Without it, the logger ``security`` writes them among the other lines."""
    metrics_token: str = ""
    """The token with which Prometheus reads ``/metrics`` (``Authorization: Bearer …``). Without it, there are no
    metrics. With several web processes, ``PROMETHEUS_MULTIPROC_DIR`` names an empty folder in which they add their
    counts up."""
    trusted_proxies: int = 0
    """The number of proxies in front that may tell the client's address."""

    erased_list: str = ""
    """The list of erased people, for ``slowtrain restore``, as marks that name nobody. Put it on a different disk
    from the database and its copies. All processes share it. The embedded profile has one in ``data_dir``."""

    trusted_networks: tuple[str, ...] = ()
    """Networks and host names where PostgreSQL and Redis need no TLS, because nobody else is on the path:
    ``["10.0.0.0/8", "db", "redis"]``. This machine is always trusted. ``slowtrain check-settings`` lists connections
    that lack TLS."""
    database_url: str = ""
    """The database: ``postgresql+psycopg://…``. The embedded profile has an SQLite file in ``data_dir``."""
    broker_url: str = ""
    """The broker for hints: ``redis://…`` or ``rediss://…``. The embedded profile has a folder in ``data_dir``."""
    rate_limit_url: str = ""
    """The store of request counts: ``memory://`` or a Redis address."""
    rate_limits: bool = True
    """Limit requests and moves (`docs/host/limits.md`)."""

    secret_keys: tuple[str, ...] = ()
    """Keys for signing links and forms: the first signs and all verify, so you can replace a key. In production, each
    has at least 32 characters."""

    session_days: int = Field(default=180, ge=1, le=400)
    """Days after which a browser must sign in again, even if it is in use. A change applies to new sessions."""
    session_idle_days: int = Field(default=30, ge=1, le=400)
    """Days without a visit after which a browser must sign in again."""
    session_fresh_minutes: int = Field(default=60, ge=5, le=24 * 60)
    """For so many minutes after signing in, a person may change the mail address, make a token, or act as an
    operator."""

    second_factor: bool | None = None
    """Demand a second factor, a code from an app on the phone, each time operators sign in to their area. Production
    demands it; elsewhere, only operators who have set one up are asked."""

    smtp_host: str = ""
    """The mail server that sends letters. Without one, the embedded profile keeps them in its own mailbox."""
    smtp_port: int = 0
    """Its port; 0: 25, or the port of the mailbox."""
    smtp_user: str = ""
    """The user name for the mail server, if it asks for one."""
    smtp_password: str = ""
    """The password for the mail server."""
    smtp_tls: Literal["none", "starttls", "tls"] = "none"
    """The encryption of the connection. A server whose certificate cannot be verified gets no mail."""
    smtp_timeout: float = 30.0
    """Seconds to wait for the mail server. After the message itself, it has ten minutes (RFC 5321, 4.5.3.2.6)."""
    mail_from: str = "Slow Train <trains@localhost>"
    """The From address of letters."""
    mail_domain: str = "localhost"
    """The domain in Message-IDs and list headers."""
    replies: bool | None = None
    """Let players answer letters by mail. The default is yes if mail goes to the mailbox of this machine, and otherwise
    no. With your own mail server, hand mail for ``g+…`` (answers) and ``b+…`` (bounces and reports) to ``slowtrain
    listen`` or ``slowtrain receive``."""
    reply_domain: str = ""
    """The domain of the addresses at which letters are answered; "": that of Message-IDs."""
    authserv_id: str = ""
    """The name that our mail server writes into ``Authentication-Results`` (RFC 8601) of incoming mail. It must remove
    headers of that name that came with a mail. An answer acts only if this header, or a signature, proves its
    author."""
    check_dkim: bool = False
    """Check DKIM signatures here if our mail server says nothing about an answer. This asks the DNS for their keys."""
    listen: bool = False
    """Let ``slowtrain up`` also take mail by SMTP and LMTP, from a mail server in front (``slowtrain listen``)."""
    listen_host: str = "127.0.0.1"
    """The address at which ``slowtrain listen`` takes mail."""
    listen_port: int = 8024
    """Its port."""
    listen_to: tuple[str, ...] = ()
    """Networks of mail servers on other machines that may hand mail over (``["10.0.0.7", "fd00::/64"]``); this machine
    always may. If the list is empty, only loopback addresses are allowed for listening, because every server that can
    connect is believed."""
    listen_rate: int = Field(default=3000, ge=1)
    """The number of mails a minute that one mail server may hand over. It is told to try further ones again later."""
    alarm_webhook: str = ""
    """A webhook for operators. It is called if the mail server takes no mail or work is overdue, and when that is over.
    It gets JSON with ``text`` and ``content``, as chat services expect."""
    alarm_smtp: str = ""
    """A second mail server for alarms, such as ``smtps://user:password@mail.example.net``; ``smtp+starttls://`` and
    ``smtp://`` work, too. Percent-encode special characters in the password (``%40``)."""
    alarm_to: tuple[str, ...] = ()
    """The addresses that get these alarms. They should not be in a domain whose mail the first mail server takes."""
    mailbox_port: int = 8025
    """Embedded profile: the port of the local mailbox that takes all mail."""

    settle_seconds: float = 60.0
    """For so many seconds after a turn was handed on, the player can take it back, and its mail waits."""
    presence_seconds: float = 120.0
    """For so many seconds after a player looked at a table, mails to them wait; 0: mails never wait."""
    mail_days: int = Field(default=90, ge=31)
    """For so many days after a mail was dealt with, the ledger and the local mailbox keep it. Mail to a failing address
    is given up after 30 days."""
    check_hour: int = Field(default=3, ge=0, le=23)
    """The hour (UTC) from which the nightly check proves every game."""
    sweep_seconds: float = 10.0
    """Seconds between two sweeps, which look for due work after a hint was lost."""

    webhook_guard: bool = True
    """Allow players' webhooks only to public addresses, with https at a usual port. Without this guard, they may call
    anything that this machine can reach: for development and tests, and if you trust all players with that."""

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
