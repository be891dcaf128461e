"""The second factor of operators: a code from an app on their phone (TOTP, RFC 6238), or one of ten recovery codes.

A setup code from the machine's command line starts it, so that a mailbox alone never opens the area. The database
cannot make codes: the secret follows from a key of the installation and a nonce, like a webhook's, and recovery codes
are stored as hashes. Every function works inside the caller's transaction and gets the time.
"""

import hmac
import secrets
from base64 import b32encode
from typing import Any, Literal

import msgspec
from pyotp import TOTP
from pyotp.exceptions import OTPVerificationError
from sqlalchemy import Connection, delete, insert, select, update

from config.settings import Settings
from service.base.clock import DAY, MINUTE, SECOND
from service.database.tables import RecoveryCode, SecondFactor, table_of
from service.people.accounts import SESSIONS, hashed

FACTORS, RECOVERY = table_of(SecondFactor), table_of(RecoveryCode)

SETUP_LASTS = DAY
TRIES = 5
"""The number of wrong codes before a pause."""
PAUSE, LONGEST_PAUSE = 15 * MINUTE, DAY
"""The first pause; each further one is twice as long, up to the longest. There are a million codes, three of them valid
at a time. So a guesser succeeds with a chance of one in 9,500 on the first day, and of one in 66,000 on each later one.
"""
AROUND = 1
"""Steps of 30 s before and after the present one whose codes are valid: phones' clocks are off, people are slow."""
STEP = 30 * SECOND
RECOVERY_CODES = 10
SECRET_BYTES = 20
"""RFC 4226, 4 (R6), recommends 160 bits."""
ISSUER = "Slow Train"


Became = Literal["right", "wrong", "used", "pause", "none", "lost"]
"""The result of a code: ``right``; ``wrong``; right, but ``used`` before; ignored during a ``pause``; no factor to
compare it with (``none``); or the installation's key that made the secret is gone (``lost``).
"""


class CodeTried(msgspec.Struct, frozen=True):
    """The result of a try. ``until``: the end of the pause. ``by_recovery``: a recovery code was tried.

    ``recovery_codes``: new ones, shown only this once.
    """

    tried: Became
    until: int = 0
    by_recovery: bool = False
    recovery_codes: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        return self.tried == "right"


class FactorState(msgspec.Struct, frozen=True):
    """The state of a person's second factor.

    ``since``: when it was set up, or None. ``opened``: a setup code waits. ``left``: the number of unused recovery
    codes.
    """

    since: int | None = None
    opened: bool = False
    left: int = 0


class AppKey(msgspec.Struct, frozen=True):
    """The data for the app: the secret in groups of four letters, and as an address that apps open."""

    secret: str
    address: str


# ==== state =======================================================================================
def state(conn: Connection, person_id: int, at: int) -> FactorState:
    row = _row(conn, person_id)
    if row is None:
        return FactorState()
    left = len(conn.execute(select(RECOVERY.c.code_hash).where(RECOVERY.c.person_id == person_id)).all())
    return FactorState(row.set_up_at, row.set_up_at is None and row.setup_until > at, left)


def is_set_up(conn: Connection, person_id: int) -> bool:
    row = _row(conn, person_id)
    return row is not None and row.set_up_at is not None


def is_shown(conn: Connection, session: str | None) -> bool:
    """Has the browser with this session given the second factor?"""
    return conn.execute(select(SESSIONS.c.second_at).where(SESSIONS.c.token_hash == session)).scalar() is not None


def _row(conn: Connection, person_id: int) -> Any:
    return conn.execute(select(FACTORS).where(FACTORS.c.person_id == person_id)).one_or_none()


# ==== setup =======================================================================================
def open_setup(conn: Connection, settings: Settings, person_id: int, at: int) -> str:
    """Allow a person to set up a second factor. Return the setup code. An existing factor ends."""
    close(conn, person_id)
    nonce, code = secrets.token_urlsafe(16), _letters(10)
    conn.execute(
        insert(FACTORS).values(
            person_id=person_id,
            nonce=nonce,
            secret_hash=hashed(_secret_of(settings.keys()[0], nonce)),
            setup_hash=hashed(_plain(code)),
            setup_until=at + SETUP_LASTS,
            last_step=0,
            failures=0,
            shut_until=0,
        )
    )
    return code


def close(conn: Connection, person_id: int) -> None:
    """End a person's second factor, and its proof in all their browsers."""
    conn.execute(delete(RECOVERY).where(RECOVERY.c.person_id == person_id))
    conn.execute(delete(FACTORS).where(FACTORS.c.person_id == person_id))
    conn.execute(update(SESSIONS).where(SESSIONS.c.person_id == person_id).values(second_at=None))


def show(conn: Connection, settings: Settings, person_id: int, setup: str, at: int) -> tuple[CodeTried, AppKey | None]:
    """Return the data for the app to the bearer of the setup code. Wrong codes are counted, so commit either way."""
    row, outcome = _counted(conn, person_id, at)
    if outcome is None:
        outcome = _setup(settings, row, setup, at)
        _settle(conn, row, outcome, at)
    if not outcome.right:
        return outcome, None
    return outcome, shown(_secret(settings, row) or "", person_id, settings)


def shown(secret: str, person_id: int, settings: Settings) -> AppKey:
    host = settings.site.partition("//")[2]
    address = TOTP(secret).provisioning_uri(name=f"operator {person_id} at {host}", issuer_name=ISSUER)
    return AppKey(" ".join(_in_fours(secret)), address)


def set_up(conn: Connection, settings: Settings, person_id: int, setup: str, code: str, at: int) -> CodeTried:
    """Set the factor up with the app's first code; the result has the recovery codes. Commit either way."""
    row, outcome = _counted(conn, person_id, at)
    if outcome is None:
        outcome = _setup(settings, row, setup, at)
        if outcome.right:
            outcome = _by_app(conn, settings, row, _plain(code), at)
        _settle(conn, row, outcome, at)
    if not outcome.right:
        return outcome
    conn.execute(update(FACTORS).where(FACTORS.c.person_id == person_id).values(set_up_at=at, setup_hash=""))
    codes = tuple(_letters(10) for _ in range(RECOVERY_CODES))
    conn.execute(insert(RECOVERY), [{"code_hash": hashed(_plain(it)), "person_id": person_id} for it in codes])
    return CodeTried("right", recovery_codes=codes)


def _setup(settings: Settings, row: Any, setup: str, at: int) -> CodeTried:
    if row.set_up_at is not None or row.setup_until <= at:
        return CodeTried("none")
    if not hmac.compare_digest(hashed(_plain(setup)), row.setup_hash):
        return CodeTried("wrong")
    return CodeTried("right" if _secret(settings, row) else "lost")


# ==== codes =======================================================================================
def prove(conn: Connection, settings: Settings, person_id: int, given: str, at: int) -> CodeTried:
    """Try a code of the app, or a recovery code. Each is valid once. Wrong ones are counted, so commit either way."""
    row, outcome = _counted(conn, person_id, at)
    if outcome is not None:
        return outcome
    code = _plain(given)
    if row.set_up_at is None:
        outcome = CodeTried("none")
    elif code.isdecimal():
        outcome = _by_app(conn, settings, row, code, at)
    else:
        outcome = _by_recovery(conn, person_id, code)
    _settle(conn, row, outcome, at)
    return outcome


def _counted(conn: Connection, person_id: int, at: int) -> tuple[Any, CodeTried | None]:
    """Count a try before the check, and return the row from then. Simultaneous tries wait for one another here.

    Return a result if the code must not be checked.
    """
    mine = FACTORS.c.person_id == person_id
    open_now = update(FACTORS).where(mine, FACTORS.c.shut_until <= at)
    counted = conn.execute(open_now.values(failures=FACTORS.c.failures + 1)).rowcount
    row = _row(conn, person_id)
    if row is None:
        return None, CodeTried("none")
    return row, None if counted else CodeTried("pause", row.shut_until)


def _settle(conn: Connection, row: Any, outcome: CodeTried, at: int) -> None:
    """Undo the count after a right code, or start a pause after too many wrong ones."""
    mine = update(FACTORS).where(FACTORS.c.person_id == row.person_id)
    if outcome.right:
        conn.execute(mine.values(failures=0))
    elif row.failures % TRIES == 0:
        pause = min(PAUSE << min(row.failures // TRIES - 1, 10), LONGEST_PAUSE)
        conn.execute(mine.values(shut_until=at + pause))


def _by_app(conn: Connection, settings: Settings, row: Any, code: str, at: int) -> CodeTried:
    """Try an app's code. RFC 6238, 5.2: a used code is refused, and so is every code before it."""
    secret = _secret(settings, row)
    if secret is None:
        return CodeTried("lost")
    try:
        step = TOTP(secret).verify_and_get_timecode(code, for_time=at // SECOND, valid_window=AROUND)
    except OTPVerificationError:
        return CodeTried("wrong")
    newer = update(FACTORS).where(FACTORS.c.person_id == row.person_id, FACTORS.c.last_step < step)
    return CodeTried("right" if conn.execute(newer.values(last_step=step)).rowcount else "used")


def _by_recovery(conn: Connection, person_id: int, code: str) -> CodeTried:
    theirs = RECOVERY.c.person_id == person_id, RECOVERY.c.code_hash == hashed(code)
    return CodeTried("right" if conn.execute(delete(RECOVERY).where(*theirs)).rowcount else "wrong", by_recovery=True)


# ==== secrets =====================================================================================
def _secret(settings: Settings, row: Any) -> str | None:
    """Return the app's secret in base32, or None if the installation's key is gone."""
    made = (_secret_of(key, row.nonce) for key in settings.keys())  # noqa: SIM118
    return next((it for it in made if hmac.compare_digest(hashed(it), row.secret_hash)), None)


def _secret_of(key: str, nonce: str) -> str:
    made = hmac.digest(key.encode(), b"slow train second factor" + nonce.encode(), "sha256")
    return b32encode(made[:SECRET_BYTES]).decode()


def _letters(number: int) -> str:
    """Return a code of this many random bytes, for people to type: ``ABCD-EFGH-…``."""
    return "-".join(_in_fours(b32encode(secrets.token_bytes(number)).decode()))


def _in_fours(text: str) -> list[str]:
    return [text[i : i + 4] for i in range(0, len(text), 4)]


def _plain(typed: str) -> str:
    """Return a typed code for comparison, without separators and case."""
    return "".join(it for it in typed if it.isascii() and it.isalnum()).upper()
