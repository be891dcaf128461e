"""Accounts: sign-in by mailed links, sessions of browsers, personal tokens for programs.

The database holds no password and no secret. Of sessions and tokens only hashes are stored. A sign-in link's token is
derived from the site's key and a nonce, so that the outbox can refer to the link without containing it. Every function
works inside the caller's transaction and gets the time.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any, Literal, get_args
from zoneinfo import available_timezones

import msgspec
from email_validator import EmailNotValidError, validate_email
from sqlalchemy import Connection, bindparam, delete, func, insert, select, union_all, update
from sqlalchemy.exc import IntegrityError

from config.settings import Settings
from domain.pace import LEAST_AWAKE
from service.base.clock import DAY, HOUR, MINUTE
from service.database.compiled import Compiled
from service.database.tables import ApiToken, ErasedPerson, Notice, Person, Session, SignInLink, table_of
from service.people import mail_settings, outbox
from service.words import ENGLISH, languages

PERSONS, LINKS, SESSIONS, TOKENS, OUTBOX, ERASED = (
    table_of(model) for model in (Person, SignInLink, Session, ApiToken, Notice, ErasedPerson)
)

LINK_LIFE = 10 * MINUTE
CODE_TRIES = 5
SEEN_EVERY = HOUR
"""The precision of the last use of a session or token: a write on every request would be too much."""
TOKENS_EACH = 50
SHORTEST_DAY = LEAST_AWAKE // MINUTE
"""The fewest minutes of a person's waking hours."""

Scope = Literal["read", "play", "host", "talk"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""The rights of a token: to look, to play its owner's seats, to open and run games, to read and write talk."""


class Lasting(msgspec.Struct, frozen=True):
    """The lifetimes of a session, in milliseconds, as the settings say.

    ``life``: in all. ``idle``: without a visit. ``fresh``: after the sign-in, for changes of the address (which is the
    key to the account), new tokens, and acting as an operator.
    """

    life: int = 180 * DAY
    idle: int = 30 * DAY
    fresh: int = HOUR


USUAL = Lasting()


def lasting(settings: Settings) -> Lasting:
    """Return the lifetimes of this installation's sessions."""
    return Lasting(
        settings.session_days * DAY, settings.session_idle_days * DAY, settings.session_fresh_minutes * MINUTE
    )


class BadAddress(ValueError):
    """A text that is no mail address."""


class TooMany(Exception):
    """The person already has the allowed number."""


class TooShort(ValueError):
    """Waking hours below `SHORTEST_DAY` minutes: the other players wait for them."""


Confirm = Literal["turn", "each", "at_once"]
"""The moment of confirmation: a whole turn, each command, or none."""
SLOWLY: Confirm = "turn"
LIVELY: Confirm = "at_once"
OpenAs = Literal["board", "text"]
"""The way in which games open: with the board, or in words."""
Talk = Literal["hidden", "mentions", "all"]
"""A wish about talk: never shown, or shown with letters about mentions of this person, or about all lines."""


class Asker(msgspec.Struct, frozen=True):
    """The caller: a person, and the rights of their session or token.

    ``scopes``: None for a signed-in browser (all rights), else those of the token. ``session``: the hash of the
    browser's session token. ``stale``: the use of the session or token should be noted (`seen`). ``mail_flagged``: mail
    to them bounces. ``named``, ``zone_known``: they chose name and zone themselves. ``confirm``, ``confirm_live``:
    their way to confirm moves in slow and in live games. ``open_as``: the way in which their games open.
    """

    id: int
    email: str
    name: str
    lang: str
    zone: str
    scopes: tuple[str, ...] | None = None
    session: str | None = None
    token: int | None = None
    stale: bool = False
    mail_flagged: bool = False
    named: bool = True
    zone_known: bool = True
    confirm: Confirm = SLOWLY
    confirm_live: Confirm = LIVELY
    open_as: OpenAs = "board"

    def may(self, scope: Scope) -> bool:
        return self.scopes is None or scope in self.scopes


def hashed(secret: str) -> str:
    """Return the hash of a secret that is too long to guess, for storage."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


# ==== addresses and names =========================================================================
def normalised(address: str) -> str:
    """Return ``address`` for storage and comparison: normalised Unicode in lower case. Raise `BadAddress`."""
    try:
        checked = validate_email(address.strip(), check_deliverability=False)
    except EmailNotValidError as error:
        raise BadAddress(str(error)) from None
    return checked.normalized.lower()


def on_the_wire(address: str) -> str:
    """Return ``address`` for SMTP: with the domain in ASCII (RFC 5891), which needs no extension."""
    local, _, host = address.rpartition("@")
    if host.isascii():
        return address
    return f"{local}@{validate_email(f'post@{host}', check_deliverability=False).ascii_domain}"


def is_zone(name: str) -> bool:
    """Is this the IANA name of a time zone?"""
    return name in available_timezones()


# ==== sign-in links ===============================================================================
def ask_for_link(
    conn: Connection, settings: Settings, address: str, *, browser: str, next: str, lang: str, at: int, zone: str = ""
) -> str:
    """Put a sign-in mail into the outbox. Return six digits for the browser that asked.

    No code looks the address up, so answer and time are the same for known and unknown ones. ``browser``: a nonce in a
    cookie of this browser; any other browser that opens the link must enter the digits. ``zone``: the browser's time
    zone, if it sent one. Raise `BadAddress`.
    """
    email, zone = normalised(address), zone if is_zone(zone) else ""
    nonce = secrets.token_urlsafe(16)
    token, code = _secrets_of(settings.keys()[0], nonce)
    conn.execute(
        insert(LINKS).values(
            token_hash=hashed(token),
            email=email,
            code_hash=hashed(token + code),
            browser_hash=hashed(browser),
            next=next,
            zone=zone,
            attempts=0,
            created_at=at,
            expires_at=at + LINK_LIFE,
        )
    )
    outbox.owe(
        conn,
        [
            outbox.mail(
                "sign_in",
                f"<sign-in.{hashed(token)[:32]}@{settings.mail_domain}>",
                at,
                address=email,
                key=nonce,
                payload={"nonce": nonce, "lang": lang, "zone": zone},
            )
        ],
    )
    return code


def link_address(settings: Settings, conn: Connection, payload: dict[str, Any]) -> str | None:
    """Return the address for a sign-in mail, from its outbox payload, or None if the link is gone or used."""
    for key in settings.keys():  # noqa: SIM118
        token, _ = _secrets_of(key, payload["nonce"])
        link = conn.execute(select(LINKS.c.used_at).where(LINKS.c.token_hash == hashed(token))).one_or_none()
        if link is not None:
            return None if link.used_at is not None else f"{settings.site}/sign-in/{token}"
    return None


def _secrets_of(key: str, nonce: str) -> tuple[str, str]:
    """Return the token (256 bits) and the six digits of the link with this nonce."""
    token = hmac.digest(key.encode(), b"slow train sign-in link" + nonce.encode(), "sha256")
    code = hmac.digest(key.encode(), b"slow train sign-in code" + nonce.encode(), "sha256")
    return urlsafe_b64encode(token).rstrip(b"=").decode(), f"{int.from_bytes(code, 'big') % 10**6:06}"


Opening = Literal["dead", "button", "code"]


def link_state(conn: Connection, token: str, browser: str | None, at: int) -> Opening:
    """Return the page of a link: it is dead, or it needs only a button, or it needs the six digits."""
    link = conn.execute(select(LINKS).where(LINKS.c.token_hash == hashed(token))).one_or_none()
    if link is None or link.used_at is not None or link.expires_at <= at or link.attempts >= CODE_TRIES:
        return "dead"
    return "button" if _same_browser(link, browser) else "code"


class Unknown(msgspec.Struct, frozen=True):
    """The unknown facts of a person who signs in: name, zone, and the zone that their browser sent."""

    name: bool
    zone: bool
    browsers_zone: str = ""


def unknown_of(conn: Connection, token: str) -> Unknown:
    """Return the questions that a sign-in link should ask its bearer."""
    link = conn.execute(select(LINKS.c.email, LINKS.c.zone).where(LINKS.c.token_hash == hashed(token))).one_or_none()
    if link is None:
        return Unknown(name=False, zone=False)
    known = conn.execute(select(PERSONS.c.named, PERSONS.c.zone_known).where(PERSONS.c.email == link.email)).first()
    named, zone_known = (known.named, known.zone_known) if known else (False, False)
    return Unknown(not named, not zone_known, link.zone)


class Consumed(msgspec.Struct, frozen=True):
    """The result of a sign-in. ``session``: the token for the cookie, after a success.

    ``outcome``: "signed_in"; "dead" (unknown, used, expired, too many tries); "code" (the digits are missing or wrong);
    "blocked" (an operator has shut the ``person`` out).
    """

    outcome: Literal["signed_in", "dead", "code", "blocked"]
    session: str = ""
    next: str = "/"
    new: bool = False
    person: int = 0


def consume_link(
    conn: Connection,
    token: str,
    *,
    browser: str | None,
    code: str | None,
    lang: str,
    at: int,
    name: str = "",
    zone: str | None = None,
    life: int = USUAL.life,
) -> Consumed:
    """Sign in. Of several tries with one link, the first that marks it succeeds. Wrong digits are counted, so always
    commit.

    ``lang``: the language of a new person. ``name``, ``zone``: for a person without their own, checked by the caller
    ("": no answer); ``zone`` None: the zone of the browser that asked. ``life``: of the session.
    """
    token_hash = hashed(token)
    link = conn.execute(select(LINKS).where(LINKS.c.token_hash == token_hash)).one_or_none()
    if link is None:
        return Consumed("dead")
    alive = (
        LINKS.c.token_hash == token_hash,
        LINKS.c.used_at.is_(None),
        LINKS.c.expires_at > at,
        LINKS.c.attempts < CODE_TRIES,
    )
    if not _same_browser(link, browser):
        if code is None:
            return Consumed("code" if link_state(conn, token, browser, at) == "code" else "dead")
        if not hmac.compare_digest(hashed(token + code), link.code_hash):
            counted = conn.execute(update(LINKS).where(*alive).values(attempts=LINKS.c.attempts + 1)).rowcount
            return Consumed("code" if counted and link.attempts + 1 < CODE_TRIES else "dead")
    if conn.execute(update(LINKS).where(*alive).values(used_at=at)).rowcount != 1:
        return Consumed("dead")
    person_id, new = person_at(conn, link.email, lang, at)
    if person(conn, person_id).blocked_at is not None:
        return Consumed("blocked", person=person_id)
    introduce(conn, person_id, name=name, zone=link.zone if zone is None else zone)
    return Consumed("signed_in", open_session(conn, person_id, at, life), link.next, new, person_id)


def _same_browser(link: Any, browser: str | None) -> bool:
    return browser is not None and hmac.compare_digest(hashed(browser), link.browser_hash)


def find(conn: Connection, address: str) -> int | None:
    """Return the number of the person with this address, or None. Raise `BadAddress`."""
    known = select(PERSONS.c.id).where(PERSONS.c.email == normalised(address))
    return conn.execute(known).scalar_one_or_none()


def person_at(conn: Connection, email: str, lang: str, at: int) -> tuple[int, bool]:
    """Return the person with this address, made if necessary, and True if they are new."""
    known = select(PERSONS.c.id).where(PERSONS.c.email == email)
    found = conn.execute(known).scalar_one_or_none()
    if found is not None:
        return found, False
    try:
        with conn.begin_nested():
            row = {
                "email": email,
                "name": "Player",
                "named": False,
                "lang": lang,
                "zone": "UTC",
                "zone_known": False,
                "created_at": at,
                **_fresh_id(conn),
            }
            made = conn.execute(insert(PERSONS).values(row))
            person_id = int(made.inserted_primary_key[0])  # type: ignore[index]
            # The default name must not reveal the address.
            conn.execute(update(PERSONS).where(PERSONS.c.id == person_id).values(name=f"Player {person_id}"))
    except IntegrityError:  # two first sign-ins at the same moment
        return conn.execute(known).scalar_one(), False
    return person_id, True


def _fresh_id(conn: Connection) -> dict[str, int]:
    """Return a number that nobody had: SQLite would reuse the last one after an erasure."""
    if conn.dialect.name != "sqlite":
        return {}
    taken = union_all(select(PERSONS.c.id.label("id")), select(ERASED.c.person_id)).subquery()
    return {"id": conn.execute(select(func.coalesce(func.max(taken.c.id), 0))).scalar_one() + 1}


def forget_sign_in_links(conn: Connection, email: str, at: int) -> None:
    """Invalidate the links that were mailed to this address."""
    conn.execute(update(LINKS).where(LINKS.c.email == email, LINKS.c.used_at.is_(None)).values(used_at=at))


# ==== sessions ====================================================================================
def open_session(conn: Connection, person_id: int, at: int, life: int = USUAL.life) -> str:
    """Open a session that ends after ``life``. Return its token, for the cookie."""
    token = secrets.token_urlsafe(32)
    conn.execute(
        insert(SESSIONS).values(
            token_hash=hashed(token),
            person_id=person_id,
            created_at=at,
            seen_at=at,
            expires_at=at + life,
        )
    )
    return token


_ASKER = (
    PERSONS.c.id, PERSONS.c.email, PERSONS.c.name, PERSONS.c.lang, PERSONS.c.zone, PERSONS.c.mail_flagged_at,
    PERSONS.c.named, PERSONS.c.zone_known, PERSONS.c.confirm, PERSONS.c.confirm_live,
    PERSONS.c.open_as,
)  # fmt: skip
_BY_SESSION = Compiled(
    select(*_ASKER, SESSIONS.c.seen_at, SESSIONS.c.expires_at)
    .join_from(SESSIONS, PERSONS, PERSONS.c.id == SESSIONS.c.person_id)
    .where(SESSIONS.c.token_hash == bindparam("hash"), PERSONS.c.blocked_at.is_(None))
)
_BY_TOKEN = Compiled(
    select(*_ASKER, TOKENS.c.id.label("token_id"), TOKENS.c.scopes, TOKENS.c.used_at)
    .join_from(TOKENS, PERSONS, PERSONS.c.id == TOKENS.c.person_id)
    .where(TOKENS.c.token_hash == bindparam("hash"), TOKENS.c.revoked_at.is_(None), PERSONS.c.blocked_at.is_(None))
)


def by_session(conn: Connection, token: str, at: int, idle: int = USUAL.idle) -> Asker | None:
    """Return the caller with this session token, unless the session is too old or was unused for too long."""
    token_hash = hashed(token)
    row = _BY_SESSION.row(conn, hash=token_hash)
    if row is None or at >= row.expires_at or at >= row.seen_at + idle:
        return None
    stale = at >= row.seen_at + SEEN_EVERY
    flagged = row.mail_flagged_at is not None
    return Asker(
        row.id,
        row.email,
        row.name,
        row.lang,
        row.zone,
        session=token_hash,
        stale=stale,
        mail_flagged=flagged,
        named=row.named,
        zone_known=row.zone_known,
        confirm=row.confirm,
        confirm_live=row.confirm_live,
        open_as=row.open_as,
    )


def seen(conn: Connection, asker: Asker, at: int) -> None:
    """Note the use of a session or a token."""
    if asker.session is not None:
        conn.execute(update(SESSIONS).where(SESSIONS.c.token_hash == asker.session).values(seen_at=at))
    if asker.token is not None:
        conn.execute(update(TOKENS).where(TOKENS.c.id == asker.token).values(used_at=at))


def handle(token_hash: str) -> str:
    """Return a session's name in its owner's list: a part of the hash that serves no other purpose."""
    return token_hash[:16]


def sessions(conn: Connection, person_id: int, at: int, idle: int = USUAL.idle) -> Sequence[Any]:
    """Return the valid sessions of a person, last used first."""
    return conn.execute(
        select(SESSIONS)
        .where(SESSIONS.c.person_id == person_id, SESSIONS.c.expires_at > at, SESSIONS.c.seen_at > at - idle)
        .order_by(SESSIONS.c.seen_at.desc(), SESSIONS.c.token_hash)
    ).all()


def end_session(conn: Connection, person_id: int, which: str) -> bool:
    """End the session of this person with this handle (or hash). Return False if there is none."""
    mine = SESSIONS.c.person_id == person_id, SESSIONS.c.token_hash.startswith(which, autoescape=True)
    return len(which) >= 16 and conn.execute(delete(SESSIONS).where(*mine)).rowcount > 0


def end_session_of(conn: Connection, token: str) -> None:
    """End the session with this token, whoever owns it."""
    conn.execute(delete(SESSIONS).where(SESSIONS.c.token_hash == hashed(token)))


def renew_session(conn: Connection, session: str, at: int) -> str:
    """Note that the browser of the session with this hash has given a second factor. Return a new token for the cookie.

    The old token becomes invalid, whoever else may know it.
    """
    token = secrets.token_urlsafe(32)
    mine = update(SESSIONS).where(SESSIONS.c.token_hash == session)
    conn.execute(mine.values(token_hash=hashed(token), second_at=at))
    return token


def is_fresh(conn: Connection, session: str | None, at: int, within: int = USUAL.fresh) -> bool:
    """Was the session with this hash opened recently enough for actions that could give the account away?"""
    opened = conn.execute(select(SESSIONS.c.created_at).where(SESSIONS.c.token_hash == session)).scalar_one_or_none()
    return opened is not None and at - opened < within


def end_other_sessions(conn: Connection, person_id: int, keep: str | None) -> int:
    """End all sessions of a person but the one with the hash ``keep``. Return their number."""
    others = SESSIONS.c.person_id == person_id, SESSIONS.c.token_hash != (keep or "")
    return conn.execute(delete(SESSIONS).where(*others)).rowcount


def end_all_keys(conn: Connection, person_id: int, at: int) -> None:
    """End all sessions and tokens of a person."""
    conn.execute(delete(SESSIONS).where(SESSIONS.c.person_id == person_id))
    theirs = TOKENS.c.person_id == person_id, TOKENS.c.revoked_at.is_(None)
    conn.execute(update(TOKENS).where(*theirs).values(revoked_at=at))


# ==== personal tokens =============================================================================
def make_token(conn: Connection, person_id: int, name: str, scopes: Sequence[Scope], at: int) -> tuple[int, str]:
    """Make a token. Return its number and the token itself, which is shown only this once. Raise `TooMany`."""
    if len(tokens(conn, person_id)) >= TOKENS_EACH:
        raise TooMany("tokens")
    token = f"stk_{secrets.token_urlsafe(32)}"
    made = conn.execute(
        insert(TOKENS).values(
            token_hash=hashed(token),
            person_id=person_id,
            name=name,
            created_at=at,
            scopes=" ".join(scope for scope in SCOPES if scope in scopes),
        )
    )
    return int(made.inserted_primary_key[0]), token  # type: ignore[index]


def by_token(conn: Connection, token: str, at: int) -> Asker | None:
    """Return the caller with this token, unless it is revoked."""
    row = _BY_TOKEN.row(conn, hash=hashed(token))
    if row is None:
        return None
    stale = row.used_at is None or at >= row.used_at + SEEN_EVERY
    scopes = tuple(row.scopes.split())
    return Asker(
        row.id,
        row.email,
        row.name,
        row.lang,
        row.zone,
        scopes,
        token=row.token_id,
        stale=stale,
        named=row.named,
        zone_known=row.zone_known,
        confirm=row.confirm,
        confirm_live=row.confirm_live,
        open_as=row.open_as,
    )


def tokens(conn: Connection, person_id: int) -> Sequence[Any]:
    """Return the valid tokens of a person, newest first."""
    return conn.execute(
        select(TOKENS)
        .where(TOKENS.c.person_id == person_id, TOKENS.c.revoked_at.is_(None))
        .order_by(TOKENS.c.id.desc())
    ).all()


def revoke_token(conn: Connection, person_id: int, token_id: int, at: int) -> bool:
    """Revoke a token of this person. Return False if there is none."""
    mine = TOKENS.c.id == token_id, TOKENS.c.person_id == person_id, TOKENS.c.revoked_at.is_(None)
    return conn.execute(update(TOKENS).where(*mine).values(revoked_at=at)).rowcount == 1


# ==== the person ==================================================================================
CHANGEABLE = (
    "name",
    "lang",
    "zone",
    "wakes_at",
    "sleeps_at",
    "confirm",
    "confirm_live",
    "open_as",
    "tips",
    "next_game",
    "talk",
)


def change(conn: Connection, person_id: int, at: int, **changes: str | int) -> None:
    """Change a person's name, language, zone, waking hours or ways to play. The caller has checked their form.

    Zone and hours move quiet hours and the daily mail, so held mail may become due. Raise `TooShort`.
    """
    assert changes.keys() <= {*CHANGEABLE}
    assert changes.get("lang", ENGLISH) in languages()
    if changes.keys() & {"wakes_at", "sleeps_at"}:
        row = person(conn, person_id)
        awake = int(changes.get("sleeps_at", row.sleeps_at)) - int(changes.get("wakes_at", row.wakes_at))
        if 0 < awake % (24 * 60) < SHORTEST_DAY:
            raise TooShort
    chosen = {known: True for what, known in (("name", "named"), ("zone", "zone_known")) if what in changes}
    if changes:
        conn.execute(update(PERSONS).where(PERSONS.c.id == person_id).values(**changes, **chosen))
    if changes.keys() & {"zone", "wakes_at", "sleeps_at"}:
        mail_settings.release(conn, person_id, at)


def introduce(conn: Connection, person_id: int, *, name: str = "", zone: str = "") -> None:
    """Give a person a name and a zone if they have not chosen them; the caller has checked them. "": no change."""
    for what, known, given in (("name", PERSONS.c.named, name), ("zone", PERSONS.c.zone_known, zone)):
        if given:
            unknown = update(PERSONS).where(PERSONS.c.id == person_id, ~known)
            conn.execute(unknown.values({what: given, known.name: True}))


def person(conn: Connection, person_id: int) -> Any:
    """Return the row of a person."""
    return conn.execute(select(PERSONS).where(PERSONS.c.id == person_id)).one()


# ==== tokens for forms ============================================================================
def form_token(settings: Settings, secret: str) -> str:
    """Return the token for the forms of a page. Only the holder of the browser's secret and of our key can make it.

    A mask changes it for each answer, so that the size of a compressed page reveals nothing about it (BREACH).
    """
    token = _form_token(settings.keys()[0], secret)
    mask = secrets.token_bytes(len(token))
    return urlsafe_b64encode(mask + _xor(mask, token)).rstrip(b"=").decode()


def is_form_token(settings: Settings, secret: str, given: str) -> bool:
    try:
        both = urlsafe_b64decode(given + "=" * (-len(given) % 4))
    except ValueError:
        return False
    half = len(both) // 2
    # Pages from before the masks have the token itself.
    token = both if half < TOKEN_BYTES else _xor(both[:half], both[half:])
    return any(hmac.compare_digest(_form_token(key, secret), token) for key in settings.keys())  # noqa: SIM118


TOKEN_BYTES = 32


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=False))


def _form_token(key: str, secret: str) -> bytes:
    message = b"slow train form" + hashlib.sha256(secret.encode()).digest()
    return hmac.digest(key.encode(), message, "sha256")
