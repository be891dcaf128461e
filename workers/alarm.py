"""Alarms for operators, as the settings say: by a webhook, by a second mail server, or both.

An alarm tells the problems for which `/healthz/work` answers 503. It goes out once, again each day while the problem
lasts, and once when it is over. A Prometheus with the shipped rules tells more, also if no worker is left.
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime, parseaddr
from functools import partial
from urllib.parse import unquote

import msgspec
from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from config.hosts import split
from config.review import SMTP_SCHEMES
from config.settings import Settings
from service.base.clock import DAY, MINUTE, to_the_minute
from service.database.store import Store
from service.database.tables import Alarm, table_of
from service.letters import mime
from service.letters.letter import Mail
from service.notices import watch
from service.notices.watch import Troubles
from service.post.imap import TROUBLES
from workers import outbound
from workers.smtp import Bounced, Deferred, deliver

log = logging.getLogger(__name__)

ALARMS = table_of(Alarm)
AGAIN = DAY
"""The time after which the alarm about a lasting problem is repeated."""
PAUSE = MINUTE // 2
"""The time between two tries to send an alarm. Two workers do not send the same one."""

FAILED = (outbound.Failed, Deferred, Bounced)

Tell = Callable[[Settings, str, str], None]


def look(store: Store, at: int, tell: Tell | None = None) -> None:
    """Send alarms about problems that began, still last or are over."""
    tell = tell or tell_operators
    said = _said(watch.troubles(store, at), at)
    with store.read() as conn:
        known = {row.what: row for row in conn.execute(select(ALARMS))}
    for what in sorted(known.keys() - said.keys()):
        _end(store, what, known[what].told_at is not None, tell, at)
    for what, words in said.items():
        if _claim(store, what, at):
            _tell(store, what, words, tell, at)


def _said(found: Troubles, at: int) -> dict[str, str]:
    """Return the present problems by key, each in words."""
    said = {}
    if found.late:
        kinds = ", ".join(f"{kind} for {seconds} seconds" for kind, seconds in sorted(found.late.items()))
        said["work"] = f"Work is overdue. It has waited: {kinds}. Are the workers and the beat running?"
    if it := found.server:
        said["mail_server"] = (
            f"The mail server takes no mail. It began at {to_the_minute(it.since)} UTC; {it.failed} of {it.of} tries "
            "lately failed. `slowtrain operate mails --state failing` says why."
        )
    if box := found.mailbox:
        said["mailbox"] = (
            f"No answers are fetched: {TROUBLES[box.trouble]}. It began at {to_the_minute(box.since)} UTC. "
            "`slowtrain fetch` tries at once."
        )
    return said


OVER = {
    "mailbox": "Answers are fetched again.",
    "mail_server": "The mail server takes mail again.",
    "work": "Work is overdue no longer.",
}


def _claim(store: Store, what: str, at: int) -> bool:
    """Claim an alarm. Return True if it is new, or was not sent lately."""
    due = or_(ALARMS.c.told_at.is_(None), ALARMS.c.told_at <= at - AGAIN)
    mine = update(ALARMS).where(ALARMS.c.what == what, due, ALARMS.c.tried_at <= at - PAUSE)
    try:
        with store.write() as conn:
            if conn.execute(select(ALARMS.c.what).where(ALARMS.c.what == what)).first() is None:
                conn.execute(insert(ALARMS).values(what=what, since=at, tried_at=at))
                return True
            return conn.execute(mine.values(tried_at=at)).rowcount == 1
    except IntegrityError:
        return False  # another worker was first


def _tell(store: Store, what: str, words: str, tell: Tell, at: int) -> None:
    try:
        tell(store.settings, words, f"{what}.{at}")
    except FAILED as error:
        log.warning("operators could not be told of %s: %s", what, error)
        return  # the next look tries again
    with store.write() as conn:
        conn.execute(update(ALARMS).where(ALARMS.c.what == what).values(told_at=at))


def _end(store: Store, what: str, was_told: bool, tell: Tell, at: int) -> None:
    """Remove a problem that is over, and tell operators if they had an alarm about it."""
    with store.write() as conn:
        ours = conn.execute(delete(ALARMS).where(ALARMS.c.what == what)).rowcount == 1
    if ours and was_told:
        try:
            tell(store.settings, OVER[what], f"{what}.over.{at}")
        except FAILED as error:
            log.warning("operators could not be told that %s is over: %s", what, error)


# ==== transports ==================================================================================
def tell_operators(settings: Settings, words: str, key: str) -> None:
    """Send an alarm in each way that the settings name. ``key`` gives all copies one message id.

    One successful way is enough. If all fail, raise the error of the last one.
    """
    ways = [_call] if settings.alarm_webhook else []
    ways += [partial(_write, recipient) for recipient in settings.alarm_to]
    failed = []
    for way in ways:
        try:
            way(settings, words, key)
        except FAILED as error:
            failed.append(error)
            log.warning("one way to tell operators fails: %s", error)
    if ways and len(failed) == len(ways):
        raise failed[-1]


def _call(settings: Settings, words: str, key: str) -> None:
    """Call the webhook with ``text`` and ``content``; each chat service knows one of them. It may be any address."""
    told = f"Slow Train, {settings.site}: {words}"
    body = msgspec.json.encode({"id": key, "text": told, "content": told})
    headers = {"Content-Type": "application/json", "User-Agent": "SlowTrain"}
    outbound.post(settings.with_(webhook_guard=False), settings.alarm_webhook, headers, body)


def _write(recipient: str, settings: Settings, words: str, key: str) -> None:
    deliver(second_server(settings), _mail(settings, recipient, words, key))


def second_server(settings: Settings) -> Settings:
    """Return these settings with the second mail server in place of the first."""
    parts = split(settings.alarm_smtp)
    assert parts is not None  # `config.review` has checked it
    tls, port = SMTP_SCHEMES[parts.scheme]
    return settings.with_(
        smtp_host=parts.hostname,
        smtp_port=parts.port or port,
        smtp_user=unquote(parts.username or ""),
        smtp_password=unquote(parts.password or ""),
        smtp_tls=tls,
    )


def _mail(settings: Settings, recipient: str, words: str, key: str) -> Mail:
    headers = (
        mime.words("From", settings.mail_from),
        mime.header("To", recipient),
        mime.words("Subject", f"Slow Train: {words.partition('.')[0]}"),
        mime.header("Date", format_datetime(datetime.now(UTC))),
        mime.header("Message-ID", f"<alarm.{key}@{settings.mail_domain}>"),
        mime.header("Auto-Submitted", "auto-generated"),
    )
    text = f"{words}\n\n{settings.site}/operate\n"
    return Mail(
        parseaddr(settings.mail_from)[1],
        recipient,
        mime.message(headers, mime.together("alternative", [mime.text("plain", text)], key)),
    )
