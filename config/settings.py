"""Everything that differs between installations: read once from the environment into one frozen object.

Each setting is an environment variable with the prefix ``SLOWTRAIN_`` (``SLOWTRAIN_DATABASE_URL``); a file ``.env``
beside the process is read too. The defaults are the embedded profile: one machine, no servers, no configuration.
"""

import hmac
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
from config.hosts import is_loopback, named, own_addresses, split
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
    """``embedded`` runs on one machine without any servers. ``production`` uses PostgreSQL, Redis and a mail server."""
    data_dir: Path = Path("var")
    """The folder in which the embedded profile keeps its database, broker, emails and keys."""

    host: str = "127.0.0.1"
    """The address at which the web server listens."""
    port: int = 8000
    """The port at which the web server listens."""
    live_host: str = "127.0.0.1"
    """The address at which ``slowtrain live`` holds the streams of live pages, in production."""
    live_port: int = 8001
    """The port at which ``slowtrain live`` holds these streams."""
    base_url: str = ""
    """The address at which players reach the site, without a slash at the end. Links in emails begin with this
    address."""
    allowed_hosts: tuple[str, ...] = ()
    """More host names at which the site answers, in addition to the one in ``base_url``. The embedded profile also
    answers to this machine's own names, and to its addresses if ``host`` is ``0.0.0.0``."""
    log_level: Literal["", "DEBUG", "INFO", "WARNING", "ERROR"] = ""
    """The lowest level that is logged. By default, production logs each request; the embedded profile logs only
    warnings and errors."""
    security_log: str = ""
    """The file for security events (sign-ins, refusals, actions of operators). All processes write to this file, one
    line of JSON for each event. By default, these lines go into the general log, under the logger ``security``."""
    metrics_token: str = ""
    """The token with which Prometheus reads ``/metrics`` (``Authorization: Bearer …``). Without a token, the
    service offers no metrics. If there are several web processes, ``PROMETHEUS_MULTIPROC_DIR`` must name an empty
    folder in which they add up their counts."""
    trusted_proxies: int = 0
    """The number of proxies in front of the site whose headers about the client's address are trusted."""

    erased_list: str = ""
    """The file that lists erased people, for ``slowtrain restore``. The file holds only hashes that identify nobody.
    Put it on a different disk from the database and its copies, where all processes can reach it. The default in the
    embedded profile is the file ``erased`` in ``data_dir``."""

    trusted_networks: tuple[str, ...] = ()
    """Networks and host names where PostgreSQL and Redis need no TLS because nobody else can listen there, such as
    ``["10.0.0.0/8", "db", "redis"]``. This machine is always trusted. ``slowtrain check-settings`` lists connections
    that lack TLS."""
    database_url: str = ""
    """The address of the database: ``postgresql+psycopg://…``. The default in the embedded profile is an SQLite file in
    ``data_dir``."""
    broker_url: str = ""
    """The address of the broker, which wakes the workers: ``redis://…`` or ``rediss://…``. The default in the embedded
    profile is a folder in ``data_dir``."""
    rate_limit_url: str = ""
    """The place where requests are counted: ``memory://`` or a Redis address."""
    rate_limits: bool = True
    """Whether the service limits requests and moves (`docs/host/limits.md`)."""

    secret_keys: tuple[str, ...] = ()
    """The keys that sign links and forms. The first key signs and all keys verify, so you can replace a key. In
    production, each key must have at least 32 characters."""

    session_days: int = Field(default=180, ge=1, le=400)
    """The number of days after which a browser must sign in again, even if it is in use. A change applies only to new
    sessions."""
    session_idle_days: int = Field(default=30, ge=1, le=400)
    """The number of days without a visit after which a browser must sign in again."""
    session_fresh_minutes: int = Field(default=60, ge=5, le=24 * 60)
    """The number of minutes after signing in for which a person may change their email address, make a token, or act as
    an operator. After that, they must sign in again first."""

    second_factor: bool | None = None
    """Whether operators must give a second factor, a code from an app on their phone, each time they sign in to the
    operators' area. In production it is always yes: the service does not start with ``false``. Elsewhere, the
    service asks every operator with ``true``, and otherwise only operators who have set up a second factor."""

    smtp_host: str = ""
    """The mail server that sends letters. Without a mail server, the embedded profile keeps letters in its own
    mailbox."""
    smtp_port: int = 0
    """The port of the mail server. 0 means port 25, or ``mailbox_port`` if letters go to the local mailbox."""
    smtp_user: str = ""
    """The user name for the mail server, if the server asks for one."""
    smtp_password: str = ""
    """The password for the mail server."""
    smtp_tls: Literal["none", "starttls", "tls"] = "none"
    """The encryption of the connection to the mail server. The service sends no email to a server whose certificate it
    cannot verify."""
    smtp_timeout: float = 30.0
    """The number of seconds to wait for each answer of the mail server. After the end of a message, the service waits
    ten minutes (RFC 5321, 4.5.3.2.6)."""
    mail_from: str = "Slow Train <trains@localhost>"
    """The address in the ``From:`` header of letters."""
    mail_domain: str = "localhost"
    """The domain in Message-IDs and list headers."""
    replies: bool | None = None
    """Whether players can answer letters by email. The default is yes if letters go to the mailbox of this machine, or
    if the workers fetch answers from a mailbox (``imap_host``), and otherwise no. If you use your own mail server, let
    it hand email for ``g+…`` (answers) and ``b+…`` (bounces and reports) to ``slowtrain listen`` or ``slowtrain
    receive``."""
    reply_domain: str = ""
    """The domain of the addresses to which players send their answers. The default is ``mail_domain``."""
    reply_addresses: str = ""
    """The form of these addresses, with ``{}`` in place of the part that changes: ``club+{}@example.org`` for an
    ordinary mailbox whose provider supports plus addresses, or ``{}@club.example.org`` for a domain whose email all
    goes into one mailbox. The default is ``{}`` at ``reply_domain``."""
    return_addresses: bool = True
    """Whether each letter's envelope carries an address of its own to which bounces and reports come back. Say no if
    your provider only sends email from the account's own address. Then bounces arrive in the account's mailbox, and
    the service does not stop sending email to addresses that fail."""
    imap_host: str = ""
    """The server of an ordinary mailbox that receives answers. The workers fetch them from there by IMAP and delete
    them there afterwards; they leave all other email alone."""
    imap_port: int = 0
    """The port of this server. 0 means port 993, or 143 without TLS from the start."""
    imap_user: str = ""
    """The user name for the mailbox."""
    imap_password: str = ""
    """The password for the mailbox. Most providers want an application password."""
    imap_tls: Literal["none", "starttls", "tls"] = "tls"
    """The encryption of the connection to the mailbox. ``none`` is allowed on this machine only."""
    imap_folder: str = "INBOX"
    """The folder of the mailbox in which answers arrive."""
    authserv_id: str = ""
    """The name that your mail server writes into the header ``Authentication-Results`` of incoming email (RFC 8601).
    When an email arrives, the mail server must remove every such header that already names the mail server itself. An
    answer by email takes effect only if this header, or a signature, proves its author."""
    check_dkim: bool | None = None
    """Whether the service checks DKIM signatures itself if your mail server says nothing about an answer. The service
    then asks the DNS for the keys. The default is yes if answers are fetched from a mailbox (``imap_host``), and
    otherwise no."""
    listen: bool = False
    """Whether ``slowtrain up`` also starts ``slowtrain listen``, which takes email by SMTP and LMTP from a mail server
    in front of it."""
    listen_host: str = "127.0.0.1"
    """The address at which ``slowtrain listen`` takes email."""
    listen_port: int = 8024
    """The port at which ``slowtrain listen`` takes email."""
    listen_to: tuple[str, ...] = ()
    """The addresses or networks of other machines whose mail servers may hand over email, such as
    ``["10.0.0.7", "fd00::/64"]``. This machine may always hand over email. If the list is empty, ``listen_host``
    must be a loopback address, because the service believes every mail server that can connect."""
    listen_rate: int = Field(default=3000, ge=1)
    """The number of emails that one mail server may hand over in a minute. A mail server that sends more is told to try
    again later."""
    alarm_webhook: str = ""
    """The address of a webhook for operators. The service calls it when the mail server is not accepting email or work
    is overdue, and again when the problem is over. Each call sends JSON with ``text`` and ``content``, as chat services
    expect."""
    alarm_smtp: str = ""
    """A second mail server, which sends alarms: ``smtps://user:password@mail.example.net``, for example. It can also
    begin with ``smtp+starttls://`` or ``smtp://``. Percent-encode special characters in the password (``@`` is
    ``%40``)."""
    alarm_to: tuple[str, ...] = ()
    """The email addresses that get alarms from ``alarm_smtp``. Choose a domain that does not receive its
    email through the first mail server."""
    mailbox_port: int = 8025
    """The port of the local mailbox, which takes all email in the embedded profile."""

    settle_seconds: float = 60.0
    """The number of seconds after the end of a turn during which the player can take it back. The email to the next
    player is held back for this time."""
    presence_seconds: float = 120.0
    """The number of seconds for which emails to a player wait after the player last looked at a table. With 0, emails
    never wait."""
    talk: bool = True
    """Can people talk at tables? A host can switch it off for one table."""
    talk_days: int = Field(default=90, ge=1)
    """The days after the end of a game for which the talk at its table is kept. Reports to operators are kept for as
    long after they are settled."""
    mail_days: int = Field(default=90, ge=31)
    """The number of days for which the ledger and the local mailbox keep an email after it was sent or abandoned.
    Email to an address that fails is given up after 30 days."""
    check_hour: int = Field(default=3, ge=0, le=23)
    """The hour (UTC) at which the nightly check of all games begins."""
    sweep_seconds: float = 10.0
    """The number of seconds between two sweeps, which search the database for due work."""

    webhook_guard: bool = True
    """Whether players' webhooks may call only public addresses, by https, at ports 443 and 8443.
    Without this guard, webhooks can call everything that this machine can reach. Switch it off only for development and
    tests, or if you trust all players with this."""

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

    @cached_property
    def _reached_at(self) -> str:
        """Return the host at which players reach the site if the settings name none."""
        own = self._own_addresses
        return _in_address(own[0] if own else EVERYWHERE.get(self.host, self.host))

    @property
    def _own_addresses(self) -> tuple[str, ...]:
        """Return the addresses of a machine on whose networks the site listens: of IPv6 with ``::``, else of IPv4."""
        own = own_addresses() if self.is_on_all_networks else ()
        return tuple(it for it in own if (":" in it) == (self.host == "::"))

    @property
    def is_on_all_networks(self) -> bool:
        """Does a site at home listen on every network of its machine?"""
        return self.embedded and self.host in EVERYWHERE

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses at which a browser finds a site at home: on this machine first, then on its networks."""
        hosts = EVERYWHERE.get(self.host, self.host), *self._own_addresses
        return tuple(f"http://{_in_address(host)}:{self.port}" for host in hosts)

    def answers_to(self, host: str | None) -> bool:
        """Does the site answer to a host of a request? Its machine's own addresses may change while it runs."""
        return host in self.hosts or host in self._own_addresses

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The names at which the site answers, in the form of `config.hosts`."""
        address = split(self.site)
        given = [address.hostname or "" if address else "", *self.allowed_hosts]
        if self.embedded:
            given += [*LOOPBACK, EVERYWHERE.get(self.host, self.host)]
        return frozenset(host for each in given if (host := named(each)))

    @cached_property
    def is_reached_from_elsewhere(self) -> bool:
        """Is there a proxy, or do the settings name the site for other machines, so that a tunnel may lead here? Then
        clients may claim to be at this machine.
        """
        address = split(self.base_url)
        named_hosts = [address.hostname or "" if address else "", *self.allowed_hosts]
        return self.trusted_proxies > 0 or any(host and not is_loopback(named(host)) for host in named_hosts)

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
        """The address of the broker.

        For ``rediss://`` the certificate is checked unless the address says otherwise; kombu's own default is no check.
        """
        if self.broker_url.startswith("rediss:") and "ssl_cert_reqs=" not in self.broker_url:
            return f"{self.broker_url}{'&' if '?' in self.broker_url else '?'}ssl_cert_reqs=required"
        return self.broker_url or "filesystem://"

    @property
    def smtp(self) -> tuple[str, int]:
        return (self.smtp_host or "127.0.0.1", self.smtp_port or (25 if self.smtp_host else self.mailbox_port))

    @property
    def has_local_mailbox(self) -> bool:
        """Do letters go to the mailbox of this machine?"""
        return self.embedded and not self.smtp_host

    @property
    def demands_second_factor(self) -> bool:
        return not self.embedded if self.second_factor is None else self.second_factor

    @property
    def answerable(self) -> bool:
        """Do letters name an address for answers, and does the service read them?"""
        if self.replies is None:
            return bool(self.imap_host) or self.has_local_mailbox
        return self.replies

    @property
    def fetches(self) -> bool:
        """Do workers fetch answers from a mailbox?"""
        return bool(self.imap_host) and self.answerable

    @property
    def mailbox(self) -> str:
        """The name of the mailbox from which answers are fetched."""
        return f"{self.imap_user} {self.imap_host}"[:300]

    @property
    def checks_dkim(self) -> bool:
        return bool(self.imap_host) if self.check_dkim is None else self.check_dkim

    @property
    def alarms(self) -> bool:
        """Do operators get alarms?"""
        return bool(self.alarm_webhook or self.alarm_to)

    @property
    def replies_at(self) -> str:
        """The domain to which players send answers."""
        return self.answers_at[1].rpartition("@")[2]

    @cached_property
    def answers_at(self) -> tuple[str, str]:
        """The parts of `reply_addresses` before and after the part that changes."""
        before, _, after = (self.reply_addresses or f"{{}}@{self.reply_domain or self.mail_domain}").partition("{}")
        return before, after

    @property
    def imap(self) -> tuple[str, int]:
        return self.imap_host, self.imap_port or (993 if self.imap_tls == "tls" else 143)

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

    def opens_metrics(self, authorization: bytes) -> bool:
        """Does an ``Authorization`` header show the token of ``/metrics``? Without a token, none does."""
        expected = f"Bearer {self.metrics_token}".encode()
        return bool(self.metrics_token) and hmac.compare_digest(expected, authorization)

    def with_(self, **changes: object) -> Self:
        """Return these settings with some changes (for tests and the command line)."""
        return self.model_validate({**self.model_dump(), **changes})


class AsGiven(Settings):
    """Settings as given, even if they are wrong: for a review, not for a start."""

    model_config = SettingsConfigDict(title="Settings")

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        return self


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@cache
def _kept_key(file: Path) -> str:
    """Return the key in ``file``, made if missing.

    It appears whole: another process at the same moment reads all of it, or makes none.
    """
    if not file.exists():
        fresh = private_folder(file.parent) / f".{file.name}.{secrets.token_hex(8)}"
        fresh.touch(FILE)
        fresh.write_text(secrets.token_urlsafe(32))
        with suppress(FileExistsError):
            os.link(fresh, file)
        fresh.unlink()
    private_files([file])
    return file.read_text()
