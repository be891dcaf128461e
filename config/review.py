"""The review of settings, in words: errors that prevent the start, warnings, and settings that are well.

The words contain no key, password or token: they go to terminals and logs.
"""

import os
import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import SplitResult, parse_qs, urlsplit

from pydantic import ValidationError
from pydantic_settings import SettingsError

from config.hosts import is_loopback, named, split

if TYPE_CHECKING:
    from config.settings import Settings

Grade = Literal["wrong", "look", "unchecked", "well"]
"""``wrong``: the service does not start, or what a setting names does not work. ``look``: it starts, but the operator
should know. ``unchecked``: nobody can tell from this machine."""

NEEDED = ("database_url", "broker_url", "base_url", "secret_keys", "smtp_host")
"""The settings that the production profile cannot guess."""
SHORTEST_KEY = 32
FEWEST_LETTERS = 8
"""The least number of different characters in a key; fewer suggest a repetition."""
PUBLISHED_KEYS = ("a long random text",)
"""Keys from the documentation, which everybody knows."""
SHORTEST_TOKEN = 16
MAKE_A_KEY = "python3 -c 'import secrets; print(secrets.token_urlsafe(32))' makes one"


class Finding(NamedTuple):
    """The result for one setting. ``variable``: its name in the environment."""

    grade: Grade
    variable: str
    words: str

    def __str__(self) -> str:
        return f"{self.variable}: {self.words}"


class BadSettings(ValueError):
    """Settings with which the service does not start. ``findings``: the reasons, all of grade ``wrong``."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__("\n".join(map(str, findings)))
        self.findings = findings


def review(its: "Settings") -> list[Finding]:
    """Return all findings about these settings."""
    return [
        Finding(grade, f"SLOWTRAIN_{name.upper()}", words)
        for look in (
            _profile,
            _keys,
            _address,
            _hosts,
            _stores,
            _ways,
            _mail,
            _alarms,
            _replies,
            _mailbox,
            _listening,
            _live,
            _guards,
        )
        for grade, name, words in look(its)
    ]


Said = Iterator[tuple[Grade, str, str]]
"""Grade, name of the setting, words."""


def _grade(its: "Settings") -> Grade:
    """Return the grade of a weakness: an error in production, only a warning in the embedded profile."""
    return "look" if its.embedded else "wrong"


# ==== reviews ==============================================================================


def _profile(its: "Settings") -> Said:
    yield "well", "profile", its.profile
    for name in NEEDED:
        if not its.embedded and not getattr(its, name):
            yield "wrong", name, "it is missing; the production profile needs it"


def _keys(its: "Settings") -> Said:
    weak = [(place, why) for place, key in enumerate(its.secret_keys, 1) if (why := _why_weak(key))]
    for place, why in weak:
        yield _grade(its), "secret_keys", f"key {place} {why}; {MAKE_A_KEY}"
    count = len(its.secret_keys)
    if count and not weak:
        yield "well", "secret_keys", f"{count} {'key' if count == 1 else 'keys'}, long enough; the first one signs"
    if not count and its.embedded:
        yield "well", "secret_keys", f"a key of its own is kept in {its.data_dir}"


def _why_weak(key: str) -> str:
    plain = key.strip()
    if plain.casefold() in PUBLISHED_KEYS:
        return "is the example of the documentation"
    if len(plain) < SHORTEST_KEY:
        return f"has {len(plain)} characters, and {SHORTEST_KEY} are the least"
    return "repeats the same few characters" if len(set(plain)) < FEWEST_LETTERS else ""


def _address(its: "Settings") -> Said:
    if not its.base_url:
        if its.is_on_all_networks:
            words = "on this machine and its networks; SLOWTRAIN_BASE_URL fixes the address that stands in mails"
            yield "well", "host", f"players find the site at {its.site}, {words}"
        elif its.embedded and not is_loopback(named(its.host)):
            yield (
                "look",
                "host",
                (
                    f"other machines reach it, but links in mails begin with {its.site}; "
                    "SLOWTRAIN_BASE_URL says where players find it"
                ),
            )
        elif its.embedded:
            yield "well", "host", f"this machine alone reaches the site, at {its.site}"
        return
    parts = split(its.base_url)
    if parts is None or not _is_plain(parts):
        yield "wrong", "base_url", "this is no address like https://trains.example.org: a scheme and a host, no more"
    elif parts.scheme == "https":
        yield "well", "base_url", its.site
    elif is_loopback(named(parts.hostname or "")):
        yield "well", "base_url", f"{its.site}, which never leaves this machine"
    else:
        yield (
            _grade(its),
            "base_url",
            (
                "it begins with http://, so that everybody on the way can read sessions and sign-in links; "
                "https:// is safe"
            ),
        )


def _is_plain(parts: SplitResult) -> bool:
    """Is the address only a scheme and a host?"""
    more = parts.query or parts.fragment or "@" in parts.netloc or parts.path not in ("", "/")
    return parts.scheme in ("http", "https") and not more and bool(named(parts.hostname or ""))


def _hosts(its: "Settings") -> Said:
    for given in its.allowed_hosts:
        if not named(given):
            yield "wrong", "allowed_hosts", f"{given[:60]!r} names no host; one is written www.example.org, no more"
    if its.embedded or its.base_url:
        yield "well", "allowed_hosts", f"the site answers to {', '.join(sorted(its.hosts))}"


def _stores(its: "Settings") -> Said:
    if _has_ports_in_a_list(its.database_url):
        yield (
            "wrong",
            "database_url",
            ("several hosts are written postgresql://user@/database?host=one:5432&host=two:5432"),
        )
    elif its.database_url:
        hosts = parse_qs(its.database_url.partition("?")[2]).get("host", [])
        yield "well", "database_url", ", ".join([without_password(its.database_url), *hosts])
    if its.broker_url:
        yield "well", "broker_url", without_password(its.broker_url)
    if its.erased_list and (why := _unwritable(its.erased_list)):
        yield "look", "erased_list", f"{why}; who is erased is not noted, and comes back with a copy"
    elif its.erased_list:
        yield "well", "erased_list", f"who is erased is noted in {its.erased_list}, and erased again from a copy"
    elif not its.embedded:
        words = "production needs it: nothing outside the database says who was erased, so a copy brings them back"
        yield "wrong", "erased_list", f"it is missing; {words}"


def _ways(its: "Settings") -> Said:
    """Review the connections to PostgreSQL and Redis. Without TLS others can read their traffic, passwords included."""
    for given in its.trusted_networks:
        if not _is_network(given) and not named(given):
            yield "wrong", "trusted_networks", f"{given[:60]!r} is neither a network nor a host; write 10.0.0.0/8 or db"
    if its.database_url.startswith("postgres"):
        yield from _way(its, "database_url", _ASKED_OF_POSTGRESQL)
    for name in ("broker_url", "rate_limit_url"):
        if getattr(its, name).startswith("redis"):
            yield from _way(its, name, _ASKED_OF_REDIS)


_ASKED_OF_POSTGRESQL = "sslmode=verify-full and sslrootcert=… behind a question mark encrypt and check"
_ASKED_OF_REDIS = "rediss://…?ssl_ca_certs=… encrypts and checks"


def _way(its: "Settings", name: str, asked: str) -> Said:
    address = getattr(its, name)
    open_to = [host for host in _hosts_in(address) if not _is_trusted(its, host)]
    if not open_to:
        return
    where, given = ", ".join(open_to), parse_qs(address.partition("?")[2])
    mode = "".join(given.get("sslmode", given.get("ssl_cert_reqs", [])))
    if address.startswith("rediss:"):
        is_encrypted, is_checked = True, mode in ("", "required", "CERT_REQUIRED")
    else:
        is_encrypted, is_checked = mode in ("require", "verify-ca", "verify-full"), mode.startswith("verify-")
    if is_checked:
        yield "well", name, f"{where} is spoken to by TLS"
    elif is_encrypted:
        yield "look", name, f"TLS to {where} does not check who answers there; {asked}"
    else:
        yield (
            "look",
            name,
            f"{where} is spoken to without TLS; {asked}, or SLOWTRAIN_TRUSTED_NETWORKS says that nobody is on the way",
        )


def _hosts_in(address: str) -> list[str]:
    """Return all hosts of an address, without ports and sockets of this machine."""
    middle, _, query = address.partition("//")[2].partition("?")
    plain = [middle.partition("/")[0].rpartition("@")[2], *parse_qs(query).get("host", [])]
    hosts = [each for part in plain for each in part.split(",") if each and not each.startswith("/")]
    return [split_host.hostname or each for each in hosts if (split_host := urlsplit(f"//{each}"))]


def _is_trusted(its: "Settings", host: str) -> bool:
    """Can nobody else listen on the way to ``host``? This holds for this machine and for trusted networks."""
    name = named(host)
    if is_loopback(name) or any(name == named(each) for each in its.trusted_networks):
        return True
    try:
        its_address = ip_address(name or "")
    except ValueError:
        return False
    return any(its_address in ip_network(each, strict=False) for each in its.trusted_networks if _is_network(each))


def _has_ports_in_a_list(address: str) -> bool:
    """Does a list of hosts have ports? libpq's programs accept ``//user@one:5432,two:5432/``, our driver does not."""
    hosts = address.partition("//")[2].partition("/")[0].rpartition("@")[2]
    return "," in hosts and ":" in hosts


def without_password(address: str) -> str:
    """Return the address of a server as it may be shown: without password and options."""
    scheme, slashes, rest = address.partition("//")
    account, at, server = rest.rpartition("@")
    if "?" in account:  # an option or a password: nobody can tell which
        return f"{scheme}{slashes}…"
    shown = "…" if ":" in account else account
    return f"{scheme}{slashes}{shown}{at}{server.partition('?')[0]}"


def _mail(its: "Settings") -> Said:
    if not its.smtp_host:
        address = split(its.site)
        if its.embedded and address is not None and is_loopback(named(address.hostname or "")):
            yield "well", "smtp_host", "mail goes to the mailbox of this machine"
        elif its.embedded:
            yield (
                "look",
                "smtp_host",
                (
                    f"mail goes to the mailbox of this machine, which players at {its.site} do not see; slowtrain up "
                    "prints the address at which you read it"
                ),
            )
        return
    is_open = its.smtp_tls == "none" and not is_loopback(named(its.smtp_host))
    if is_open and its.smtp_password:
        yield (
            _grade(its),
            "smtp_password",
            ("it would go to the mail server for all on the way to read; SLOWTRAIN_SMTP_TLS is starttls or tls"),
        )
    elif is_open:
        yield "look", "smtp_tls", f"mail goes to {its.smtp_host} unencrypted, and sign-in links with it"
    else:
        how = "on this machine" if its.smtp_tls == "none" else f"encrypted ({its.smtp_tls})"
        yield "well", "smtp_host", f"mail goes to {its.smtp_host}, {how}"
    if bool(its.smtp_user) != bool(its.smtp_password):
        there, missing = ("user", "password") if its.smtp_user else ("password", "user")
        yield "look", f"smtp_{missing}", f"it is missing, and SLOWTRAIN_SMTP_{there.upper()} is given"
    for name in ("mail_from", "mail_domain"):
        if not its.embedded and "localhost" in getattr(its, name):
            yield "look", name, "other mail servers mistrust what comes from localhost"


SMTP_SCHEMES: Mapping[str, tuple[str, int]] = {
    "smtp": ("none", 25),
    "smtp+starttls": ("starttls", 587),
    "smtps": ("tls", 465),
}
"""For each scheme of the second mail server's address, its `Settings.smtp_tls` and its usual port."""


def _alarms(its: "Settings") -> Said:
    """Review the alarms: their recipients and transports."""
    if its.alarm_webhook:
        parts = split(its.alarm_webhook)
        if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
            yield "wrong", "alarm_webhook", "this is no address like https://chat.example.org/hooks/…"
        else:
            yield "well", "alarm_webhook", f"operators are told of trouble at {parts.hostname}"
    if bool(its.alarm_smtp) != bool(its.alarm_to):
        there, missing = ("smtp", "to") if its.alarm_smtp else ("to", "smtp")
        yield "wrong", f"alarm_{missing}", f"it is missing, and SLOWTRAIN_ALARM_{there.upper()} is given"
    elif its.alarm_smtp:
        yield from _second_server(its)
    if not its.embedded and not its.alarms:
        words = "nobody is told when the mail server takes no mail; SLOWTRAIN_ALARM_WEBHOOK or SLOWTRAIN_ALARM_SMTP do"
        yield "look", "alarm_webhook", words


def _second_server(its: "Settings") -> Said:
    parts = split(its.alarm_smtp)
    if parts is None or parts.scheme not in SMTP_SCHEMES or not parts.hostname:
        yield "wrong", "alarm_smtp", "this is no address like smtps://user:password@mail.example.net"
        return
    if parts.password and parts.scheme == "smtp" and not is_loopback(named(parts.hostname)):
        words = "the password would go to the mail server for all on the way to read; smtps:// encrypts"
        yield _grade(its), "alarm_smtp", words
    for each in its.alarm_to:
        if not re.fullmatch(r"[^\s<>,@]+@[^\s<>,@]+", each):
            yield "wrong", "alarm_to", f"{each[:60]!r} is no mail address"
    if parts.hostname == its.smtp_host:
        yield "look", "alarm_smtp", "it is the mail server that it should tell of"
    else:
        yield "well", "alarm_smtp", f"operators are told of trouble by {parts.hostname}"


def _replies(its: "Settings") -> Said:
    if not its.answerable:
        yield "well", "replies", "letters cannot be answered by mail"
        return
    yield from _reply_addresses(its)
    yield from _authors(its)
    if not its.embedded and "localhost" in its.replies_at:
        yield "look", "reply_domain", "answers to localhost never leave the machine of who writes them"


def _reply_addresses(its: "Settings") -> Said:
    given = its.reply_addresses
    if given and not (_REPLY_ADDRESSES.fullmatch(given) and len(given.partition("@")[0]) <= LONGEST_FORM):
        words = f"{given[:80]!r} is no form of addresses; one is written club+{{}}@example.org or {{}}@club.example.org"
        yield "wrong", "reply_addresses", words
    else:
        yield "well", "replies", f"letters are answered at {given or its.replies_at}"


_REPLY_ADDRESSES = re.compile(r"[\w.+-]*\{\}@[\w-]+(\.[\w-]+)*", re.ASCII)
LONGEST_FORM = 64 - 28 + 2
"""Characters before the ``@``, with ``{}``: an address has at most 64 there (RFC 5321), and 28 replace the braces."""


def _mailbox(its: "Settings") -> Said:
    """Review the mailbox from which answers are fetched."""
    if not its.imap_host:
        if its.imap_user or its.imap_password:
            yield "look", "imap_host", "it is missing, so no answers are fetched"
        return
    for name in ("imap_user", "imap_password"):
        if not getattr(its, name):
            yield "wrong", name, "it is missing; the mailbox asks for it"
    if its.imap_tls == "none" and not is_loopback(named(its.imap_host)):
        words = "the password would go to the mailbox for all on the way to read; SLOWTRAIN_IMAP_TLS is tls or starttls"
        yield "wrong", "imap_tls", words
    if not its.answerable:
        yield "look", "imap_host", "no answers are fetched as long as letters cannot be answered (SLOWTRAIN_REPLIES)"
    elif not its.reply_addresses:
        words = f"answers go to {{}}@{its.replies_at}; is that the mailbox? An ordinary one has club+{{}}@example.org"
        yield "look", "reply_addresses", words
    else:
        yield "well", "imap_host", f"answers are fetched from {its.imap_host}, and deleted there"
    if not its.smtp_host:
        yield "look", "smtp_host", "letters go to the mailbox of this machine, and nobody can answer them elsewhere"


def _authors(its: "Settings") -> Said:
    """Review the proofs of authorship for mail from outside."""
    if its.authserv_id and not _AUTHSERV_ID.fullmatch(its.authserv_id):
        yield "wrong", "authserv_id", f"{its.authserv_id[:60]!r} is no name that stands in Authentication-Results"
    elif its.authserv_id:
        yield "well", "authserv_id", f"what {its.authserv_id} writes into Authentication-Results is believed"
    if its.checks_dkim:
        yield "well", "check_dkim", "signatures of answers are checked here"
    if not its.authserv_id and not its.checks_dkim and (its.replies or its.smtp_host or its.listen):
        yield (
            "look",
            "authserv_id",
            (
                "nothing says who wrote an answer, so each waits until a link that is mailed to its player is opened; "
                "SLOWTRAIN_AUTHSERV_ID or SLOWTRAIN_CHECK_DKIM change that"
            ),
        )


_AUTHSERV_ID = re.compile(r"[A-Za-z0-9._-]{1,255}")


def _listening(its: "Settings") -> Said:
    for given in its.listen_to:
        if not _is_network(given):
            yield "wrong", "listen_to", f"{given[:60]!r} is no network; one is written 10.0.0.7 or 10.0.0.0/8"
    if not is_loopback(named(its.listen_host)) and not its.listen_to:
        yield (
            "wrong",
            "listen_host",
            "other machines could hand over mail as your mail server does; SLOWTRAIN_LISTEN_TO says which of them may",
        )
    if its.listen and not its.answerable:
        yield "look", "listen", "no mail is taken as long as letters cannot be answered (SLOWTRAIN_REPLIES)"


def _is_network(given: str) -> bool:
    try:
        ip_network(given, strict=False)
    except ValueError:
        return False
    return True


def _unwritable(given: str) -> str:
    """Return the reason why this account cannot write a file, or "" if it can."""
    file = Path(given)
    if file.is_dir():
        return f"{file} is a folder"
    if not file.parent.is_dir():
        return f"there is no folder {file.parent}"
    return "" if os.access(file if file.exists() else file.parent, os.W_OK) else f"this account may not write {file}"


def _live(its: "Settings") -> Said:
    """Review the hub of live pages, a process of production."""
    if its.embedded:
        return
    if not its.broker_url.startswith(("redis:", "rediss:", "unix:")):
        yield "look", "broker_url", "live pages need a Redis there; without it, pages ask now and then"
    elif not is_loopback(named(its.live_host)):
        yield (
            "look",
            "live_host",
            f"other machines reach the hub of live pages at {its.live_host}: let only the proxy in",
        )
    else:
        yield "well", "live_host", f"slowtrain live tells open pages of changes, at {its.live_host}:{its.live_port}"


def _guards(its: "Settings") -> Said:
    if not its.rate_limits:
        yield "look", "rate_limits", "nobody is stopped from asking too often"
    elif not its.embedded and not its.rate_limit_url.startswith("redis"):
        yield "look", "rate_limit_url", "each web process counts requests for itself; with a Redis they count together"
    if not its.webhook_guard:
        yield "look", "webhook_guard", "players' webhooks may call whatever this machine can reach"
    if not its.embedded and not its.trusted_proxies:
        yield "look", "trusted_proxies", "if a proxy stands in front, everybody counts as one and the same address"
    if its.security_log and (why := _unwritable(its.security_log)):
        yield "look", "security_log", f"{why}; security events go along with the other lines"
    elif its.security_log:
        yield "well", "security_log", f"security events go to {its.security_log}"
    elif not its.embedded:
        yield "well", "security_log", "security events go along with the other lines, by the logger security"
    if its.demands_second_factor:
        yield "well", "second_factor", "operators show a second factor (slowtrain operator list says who has one)"
    elif its.embedded:
        yield "well", "second_factor", "operators may set up a second factor; production demands one"
    else:
        yield "wrong", "second_factor", "production demands a second factor of operators"
    if its.metrics_token and len(its.metrics_token) < SHORTEST_TOKEN:
        yield "look", "metrics_token", f"it has {len(its.metrics_token)} characters, and can be guessed"


# ==== settings that cannot be read =========================================================


def findings_of(error: ValueError) -> list[Finding] | None:
    """Return the findings of rejected settings, or None for another error."""
    if isinstance(error, SettingsError):
        field = re.search(r'field "(\w+)"', str(error))
        return [Finding("wrong", f"SLOWTRAIN_{field[1].upper()}" if field else "", 'a list is written ["one", "two"]')]
    if not isinstance(error, ValidationError) or error.title != "Settings":
        return None
    found: list[Finding] = []
    for it in error.errors(include_input=False):
        ours = it.get("ctx", {}).get("error")
        if isinstance(ours, BadSettings):
            found += ours.findings
        else:
            found.append(Finding("wrong", f"SLOWTRAIN_{str(it['loc'][0]).upper()}", _lower(it["msg"])))
    return found


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]
