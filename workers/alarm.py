"""Alarms for operators: as the settings say by a webhook or by email, and to each operator as they wish.

An alarm tells that a rule holds (`service.operators.rules`). It goes out once, and once more when it is over. A
Prometheus with the same rules tells so, too, even if no worker is left.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime, parseaddr
from functools import partial
from urllib.parse import unquote

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from config.hosts import split
from config.review import SMTP_SCHEMES
from config.settings import Settings
from service.base.clock import MINUTE, to_the_minute
from service.database.store import Store
from service.letters import mime
from service.letters.letter import Mail
from service.notices import watch
from service.notices.watch import Troubles
from service.operators import acts, rules
from service.operators.acts import AlarmWish
from service.operators.rules import ALARMS, RULES, Trouble
from service.post.imap import TROUBLES
from workers import outbound
from workers.smtp import Bounced, Deferred, deliver

log = logging.getLogger(__name__)

PAUSE = MINUTE // 2
"""The time between two tries to send an alarm. Two workers do not send the same one."""

FAILED = (outbound.Failed, Deferred, Bounced)

Tell = Callable[[Settings, str, str], None]


def look(store: Store, at: int, tell: Tell | None = None) -> None:
    """Tell operators of rules that begin to hold, and of their ends."""
    with store.read() as conn:
        holding = {it.rule.key: it for it in rules.holding(store, conn, at)}
        known = {row.what: row for row in conn.execute(select(ALARMS))}
        tell = tell or partial(tell_operators, wishes=acts.alarm_wishes(conn))
    details = _details(watch.troubles(store, at)) if holding else {}
    for what in sorted(known.keys() - holding.keys()):
        _end(store, what, known[what].told_at is not None, tell, at)
    for what, trouble in holding.items():
        if _claim(store, what, trouble.wait, at):
            _tell(store, what, _said(trouble, details.get(what, "")), tell, at)


def _said(trouble: Trouble, details: str) -> str:
    """Return a trouble in words."""
    named = f": {', '.join(trouble.named)}" if trouble.named else ""
    return " ".join(filter(None, (f"{trouble.rule.summary}{named}.", details, trouble.rule.remedy)))


def _details(found: Troubles) -> dict[str, str]:
    """Return more about some troubles, by rule."""
    said = {}
    if found.late:
        kinds = ", ".join(f"{kind} for {seconds} seconds" for kind, seconds in sorted(found.late.items()))
        said["work"] = f"It has waited: {kinds}."
    if it := found.server:
        began = f"It began at {to_the_minute(it.since)} UTC"
        said["mail_server"] = f"{began}; {it.failed} of {it.of} tries lately failed."
    if box := found.mailbox:
        said["mailbox"] = f"It began at {to_the_minute(box.since)} UTC: {TROUBLES[box.trouble]}."
    return said


OVER = {rule.key: f"{rule.over}." for rule in RULES}


def _claim(store: Store, what: str, wait: int, at: int) -> bool:
    """Note a trouble, and claim its alarm. Return True if it has held for ``wait``, and nobody was told yet."""
    due = ALARMS.c.told_at.is_(None), ALARMS.c.since <= at - wait, ALARMS.c.tried_at <= at - PAUSE
    try:
        with store.write() as conn:
            if conn.execute(select(ALARMS.c.what).where(ALARMS.c.what == what)).first() is None:
                conn.execute(insert(ALARMS).values(what=what, since=at, tried_at=0))
            mine = update(ALARMS).where(ALARMS.c.what == what, *due)
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
            tell(store.settings, OVER.get(what, f"{what} is over."), f"{what}.over.{at}")
        except FAILED as error:
            log.warning("operators could not be told that %s is over: %s", what, error)


# ==== transports ==================================================================================
def tell_operators(settings: Settings, words: str, key: str, wishes: Sequence[AlarmWish] = ()) -> None:
    """Send an alarm in each way that the settings name, and to operators as they wish.

    ``key`` gives all copies one message id. One successful way is enough. If all fail, raise the error of the last one.
    """
    ours = settings.with_(webhook_guard=False)  # the host chose this address, which may be any
    ways = [partial(_call, settings.alarm_webhook, ours)] if settings.alarm_webhook else []
    written_to = (*settings.alarm_to, *(it.email for it in wishes if it.way == "email"))
    ways += [partial(_write, recipient, settings) for recipient in dict.fromkeys(written_to)]
    ways += [partial(_call_or_write, it, settings) for it in wishes if it.way == "webhook"]
    failed = []
    for way in ways:
        try:
            way(words, key)
        except FAILED as error:
            failed.append(error)
            log.warning("one way to tell operators fails: %s", error)
    if ways and len(failed) == len(ways):
        raise failed[-1]


def _call(url: str, settings: Settings, words: str, key: str) -> None:
    """Call a webhook with ``text`` and ``content``; each chat service knows one of them."""
    told = f"Slow Train, {settings.site}: {words}"
    body = msgspec.json.encode({"id": key, "text": told, "content": told})
    outbound.post(settings, url, {"Content-Type": "application/json", "User-Agent": "SlowTrain"}, body)


def _call_or_write(wish: AlarmWish, settings: Settings, words: str, key: str) -> None:
    """Call an operator's webhook. If that fails, write to them, and say so."""
    try:
        _call(wish.url, settings, words, key)
    except outbound.Failed as error:
        log.warning("the webhook of an operator fails: %s", error)
        _write(wish.email, settings, f"{words}\n\nYour webhook for alarms could not be called: {error}.", key)


def _write(recipient: str, settings: Settings, words: str, key: str) -> None:
    deliver(second_server(settings) if settings.alarm_smtp else settings, _mail(settings, recipient, words, key))


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
