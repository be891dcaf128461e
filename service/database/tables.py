"""The tables of the store. Rows hold what the log must not (people, secrets, mail) and what must be found fast.

SQLModel classes define the tables; the hot paths (plies, outbox) are written through SQLAlchemy Core. Times are
integers: milliseconds since 1970-01-01T00:00:00Z. A change here needs a migration in ``service/database/migrations``.
"""

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    Table,
    UniqueConstraint,
    inspect,
    text,
)
from sqlmodel import Field, SQLModel

SQLModel.metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def table_of(model: type[SQLModel]) -> Table:
    """The table behind a class of this module, for statements of SQLAlchemy Core."""
    table: Table = inspect(model).local_table
    return table


def _time(*, null: bool = False, index: bool = False) -> Any:
    return Field(default=None if null else ..., sa_type=BigInteger, nullable=null, index=index)


def _bytes(*, null: bool = False) -> Any:
    return Field(default=None, sa_column=Column(LargeBinary, nullable=null))


# ==== people ======================================================================================
class Person(SQLModel, table=True):
    """Somebody who plays. Nothing of this is in any log, so a person can be erased and every game still verifies."""

    id: int | None = Field(default=None, primary_key=True)
    email: str = Field(unique=True, max_length=254)
    """Normalised; only ever shown to its owner."""
    name: str = Field(max_length=40)
    named: bool = True
    """Whether they have chosen it; else it is one we gave them, and they are asked."""
    lang: str = Field(default="en", max_length=35)
    """A tag of BCP 47, which are no longer than this (RFC 5646, 4.4.1)."""
    zone: str = Field(default="UTC", max_length=64)
    """IANA name of the time zone that mails and pages say times in."""
    zone_known: bool = True
    """Whether they have told us the zone; else UTC stands for it."""
    wakes_at: int = 8 * 60
    """When the person wakes and sleeps, in minutes after local midnight; equal ones mean: always awake."""
    sleeps_at: int = 22 * 60
    created_at: int = _time()
    mail_stopped_at: int | None = _time(null=True)
    """Since when no mail at all is sent, by the person's own wish."""
    quiet: bool = False
    """Whether mail waits until the person is awake."""
    digest_at: int | None = None
    """Minutes after the person's midnight at which all mail about games goes out as one; None: each at once."""
    pictures: bool = True
    """Whether letters have pictures; else their HTML says the position in words, as their text does."""
    short_receipts: bool = False
    """Whether receipts of answers by mail tell what became of each line, and no more."""
    mail_flagged_at: int | None = _time(null=True)
    """Since when mail to the address is known to come back; it is held until the address is confirmed or changed."""
    mail_flag: str = Field(default="", max_length=300)
    """What the mail server said."""
    next_secret: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    """The secret of the next table that the person opens, drawn before its words are brought: see `play.next_table`."""
    address_since: int | None = _time(null=True)
    """Since when the address is this one; None: since the account was made."""
    blocked_at: int | None = _time(null=True)
    """Since when an operator has shut them out: they cannot sign in, and no mail but the link to do so goes to them."""
    confirm: str = Field(default="turn", max_length=10)
    """When what they choose in a slow game is made: "turn", "each" or "at_once"."""
    confirm_live: str = Field(default="at_once", max_length=10)
    """The same in a game that is played live."""


class Absence(SQLModel, table=True):
    """Days on which a person does not play: a vacation or a holiday. Dates are ISO 8601, in the person's own zone."""

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    first_day: str = Field(max_length=10)
    last_day: str = Field(max_length=10)
    kind: str = Field(max_length=10)
    """"vacation" or "holiday"."""


class SignInLink(SQLModel, table=True):
    """A link mailed to an address. Only the hash of its token is kept; it works once, for ten minutes."""

    __tablename__ = "sign_in_link"
    token_hash: str = Field(primary_key=True, max_length=64)
    email: str = Field(max_length=254, index=True)
    code_hash: str = Field(max_length=64)
    """Hash of the six digits asked for when the link is opened in another browser."""
    browser_hash: str = Field(max_length=64)
    next: str = Field(default="/", max_length=500)
    zone: str = Field(default="", max_length=64)
    """The time zone of the browser that asked, where it said so."""
    attempts: int = 0
    created_at: int = _time()
    expires_at: int = _time()
    used_at: int | None = _time(null=True)


class AddressLink(SQLModel, table=True):
    """A link mailed to an address that a person says is theirs. Only the hash of its token is kept; it works once."""

    __tablename__ = "address_link"
    token_hash: str = Field(primary_key=True, max_length=64)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    email: str = Field(max_length=254)
    created_at: int = _time()
    expires_at: int = _time()
    used_at: int | None = _time(null=True)


class Session(SQLModel, table=True):
    """A browser that is signed in. Only the hash of its token is kept."""

    token_hash: str = Field(primary_key=True, max_length=64)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    created_at: int = _time()
    seen_at: int = _time()
    expires_at: int = _time()
    second_at: int | None = _time(null=True)
    """When this browser showed the second factor of an operator; None: it has not."""


class ApiToken(SQLModel, table=True):
    """A person's key to the API, with scopes ("read", "play", "host"), separated by blanks."""

    __tablename__ = "api_token"
    id: int | None = Field(default=None, primary_key=True)
    token_hash: str = Field(unique=True, max_length=64)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    name: str = Field(max_length=60)
    scopes: str = Field(max_length=60)
    created_at: int = _time()
    used_at: int | None = _time(null=True)
    revoked_at: int | None = _time(null=True)


class ErasedPerson(SQLModel, table=True):
    """The number of somebody who was erased, and nothing else of them: it is given to nobody else, since old mails
    hold links that are signed for it.
    """

    __tablename__ = "erased_person"
    person_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: int = _time()


class Erasure(SQLModel, table=True):
    """That somebody, or an address, was erased: a mark that says nothing to anybody. See `service.keeping.erasures`."""

    mark: str = Field(primary_key=True, max_length=64)
    at: int = _time()


# ==== operators ===================================================================================
class Operator(SQLModel, table=True):
    """Somebody who may look after the whole. ``added_by``: who said so; None: whoever sat at the command line."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    added_at: int = _time()
    added_by: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)


class SecondFactor(SQLModel, table=True):
    """An operator's second factor. Its secret is not here: it follows from ``nonce`` and a key of the installation."""

    __tablename__ = "second_factor"
    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    nonce: str = Field(max_length=32)
    secret_hash: str = Field(max_length=64)
    """Tells which key it follows from."""
    setup_hash: str = Field(default="", max_length=64)
    """Of the setup code from the command line; "" once it is used."""
    setup_until: int = _time()
    set_up_at: int | None = _time(null=True)
    last_step: int = Field(default=0, sa_type=BigInteger)
    """The time step of the last code that was taken (RFC 6238, 5.2): no code up to it is taken again."""
    failures: int = 0
    """Tries since the last right one."""
    shut_until: int = _time()
    """Until when no code is looked at."""


class RecoveryCode(SQLModel, table=True):
    """A code that stands in for an operator's phone, by its hash. It is good once, and gone then."""

    __tablename__ = "recovery_code"
    code_hash: str = Field(primary_key=True, max_length=64)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")


class OperatorEntry(SQLModel, table=True):
    """What an operator has done, to whom or what, and why. It stays when one of them is erased, without them.

    ``what``: see `service.operators.acts.DEEDS`. ``by_command``: at the command line, where nobody is signed in.
    ``detail``: the cause, the seat, the minutes: whatever belongs to the deed.
    """

    __tablename__ = "operator_entry"
    id: int | None = Field(default=None, primary_key=True)
    at: int = _time()
    operator_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    by_command: bool = False
    what: str = Field(max_length=20)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    game_id: str = Field(default="", max_length=26, index=True)
    detail: str = Field(default="", max_length=60)
    why: str = Field(max_length=300)


# ==== the whole ===================================================================================
class Installation(SQLModel, table=True):
    """What is to be known of the whole. There is one row, and programs of later releases can read it."""

    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    needs: str = Field(max_length=12)
    """The step of the migrations that a program must know to work with these tables."""
    salt: bytes = _bytes()
    """Of the marks of who was erased. All copies of a store have the same."""
    copied: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    """What is said of the copy that this store is, or that was made of it last: `service.keeping.copies.Copied`."""


# ==== games =======================================================================================
class GameRow(SQLModel, table=True):
    """What must be known of a game without folding it. It changes in the transaction that appends plies."""

    __tablename__ = "game"
    id: str = Field(primary_key=True, max_length=26)
    title: str = Field(max_length=40, index=True)
    name: str = Field(max_length=80)
    status: str = Field(max_length=10)
    seats: int
    host_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    public: bool = True
    """Whether the table is listed and watched by anybody; otherwise only by who has the invitation."""
    invite_hash: str | None = Field(default=None, max_length=64, unique=True)
    """Of a table that was opened before 0.2 and has not started: the hash of its invitation of then."""
    invites: int = 0
    """How often the host has renewed the invitation; each ends the one before."""
    version: int
    head: bytes = _bytes()
    """The link of the last ply."""
    asked: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """The seats the game waits for."""
    bot_at: int | None = _time(null=True, index=True)
    """From when a bot among them may move, 0 for at once; None where none is among them, or the game is paused."""
    due_at: int | None = _time(null=True, index=True)
    """The earliest deadline among the running clocks; None while there is none."""
    paused: bool = False
    """Whether it waits for its people, of whom none is there."""
    created_at: int = _time()
    moved_at: int = _time()
    ended_at: int | None = _time(null=True)
    __table_args__ = (Index("ix_game_status_created_at", "status", "created_at"),)


class GameSecret(SQLModel, table=True):
    """The secret of a game, apart from its log and never sent while the game runs."""

    __tablename__ = "game_secret"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    secret: bytes = _bytes()


class Seat(SQLModel, table=True):
    """Who sits where: a person or a bot (by name). Outside the log."""

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    bot: str | None = Field(default=None, max_length=20)
    joined_at: int = _time()
    left_at: int | None = _time(null=True)
    erased_at: int | None = _time(null=True)
    """When the person who sat here was erased; the seat keeps nothing else of them."""
    vacant_since: int | None = _time(null=True, index=True)
    """Since when the seat waits for a substitute; the person who sat there may still return."""
    salt: str = Field(default="", max_length=64)
    words: str = Field(default="", max_length=200)
    """What the person brought (`domain.luck`), for their own eyes: the log holds its hash alone."""


class SeatClock(SQLModel, table=True):
    """A running clock, for the sweep. It follows from the log, but for what is still to be reminded of.

    ``reminders``: the moments at which its player is reminded, still to come, in order; ``remind_at``: the first.
    """

    __tablename__ = "seat_clock"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    ply: int
    """The ply that made the seat asked, or its deadline move."""
    started_at: int = _time()
    due_at: int = _time()
    remind_at: int | None = _time(null=True, index=True)
    reminders: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))


class ClockToMove(SQLModel, table=True):
    """A running clock that still has to wait for its player, whose days off have changed. Gone as soon as it does.

    ``ply``: that of the running clock; another clock of the seat was reckoned with the new days off. ``at``: when they
    changed. ``before``: the `Calendar` the deadline was reckoned with.
    """

    __tablename__ = "clock_to_move"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    ply: int = Field(primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    at: int = _time()
    before: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class Heartbeat(SQLModel, table=True):
    """When something that must happen again and again last happened (``name``: of the sweep)."""

    name: str = Field(primary_key=True, max_length=20)
    at: int = _time()


class Outage(SQLModel, table=True):
    """A time in which nobody looked at the clocks, or that a clock jumped over. ``settled_at``: when everybody had got
    it back. Where the clock was set back, ``until`` is before ``since``, and there is nothing to give back.
    """

    id: int | None = Field(default=None, primary_key=True)
    since: int = _time()
    until: int = _time()
    settled_at: int | None = _time(null=True, index=True)


class SeatResult(SQLModel, table=True):
    """A line of a finished game's result, for lists. It follows from the log."""

    __tablename__ = "seat_result"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    place: int | None = None
    total: int


# ==== the log =====================================================================================
class PlyRow(SQLModel, table=True):
    """One accepted command with its events: the bytes that are hashed. Never updated, never deleted (triggers)."""

    __tablename__ = "ply"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    ply: int = Field(primary_key=True)
    body: bytes = _bytes()
    link: bytes = _bytes()
    submission_id: str | None = Field(default=None, max_length=64)


class SealedRow(SQLModel, table=True):
    """A part of a ply that one seat alone may see. Never updated, never deleted (triggers)."""

    __tablename__ = "sealed_part"
    game_id: str = Field(primary_key=True, max_length=26)
    ply: int = Field(primary_key=True)
    part: int = Field(primary_key=True)
    seat: int
    body: bytes = _bytes()
    __table_args__ = (ForeignKeyConstraint(["game_id", "ply"], ["ply.game_id", "ply.ply"]),)


class SubmissionRow(SQLModel, table=True):
    """A submission that was accepted, with its answer, so that the same one again changes nothing."""

    __tablename__ = "submission"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    submission_id: str = Field(primary_key=True, max_length=64)
    content_hash: str = Field(max_length=64)
    """SHA-256 of who asked for what: the same id with another content is a conflict."""
    answer: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    created_at: int = _time()


class DailyMoves(SQLModel, table=True):
    """How many ``moves`` a person has made in a game on the last ``day`` on which they made one.

    ``day``: days since 1970-01-01 (UTC).
    """

    __tablename__ = "daily_moves"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    person_id: int = Field(primary_key=True, foreign_key="person.id", index=True, ondelete="CASCADE")
    day: int
    moves: int


class DrawnPage(SQLModel, table=True):
    """A game as a page that a viewer asked for, drawn by a worker: `service.proof.drawn`.

    ``person_id``: the viewer, None for somebody unknown; ``seat``: through whose eyes it is drawn (None: a
    spectator's). ``version``: of the game as the page shows it; 0 until it is drawn. ``state``: pending, leased, done,
    failed. ``body``: the page, packed (gzip).
    """

    __tablename__ = "drawn_page"
    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(foreign_key="game.id", max_length=26, index=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True, ondelete="CASCADE")
    seat: int | None = None
    lang: str = Field(max_length=35)
    key: str = Field(max_length=100, unique=True)
    """Game, viewer, seat and language in one."""
    version: int = 0
    state: str = Field(default="pending", max_length=12)
    asked_at: int = _time(index=True)
    due_at: int = _time()
    lease_until: int | None = _time(null=True)
    attempts: int = 0
    made_at: int | None = _time(null=True)
    body: bytes | None = _bytes(null=True)
    __table_args__ = (Index("ix_drawn_page_state_due_at", "state", "due_at"),)


# ==== positions played aside ======================================================================
class Sandbox(SQLModel, table=True):
    """A position that a person plays on aside from its game. Theirs alone; it may be changed and deleted.

    ``version``: the game's, where it begins; ``seat``: through whose eyes it was seen there (None: a spectator's);
    ``imagined``: whether what those eyes did not see was filled in. ``ply``: where it stands among its own plies.
    """

    id: str = Field(primary_key=True, max_length=26)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    game_id: str = Field(foreign_key="game.id", max_length=26, index=True, ondelete="CASCADE")
    version: int
    seat: int | None = None
    imagined: bool
    title: str = Field(max_length=40)
    rules: int
    """The version of the rules when it began."""
    name: str = Field(max_length=80)
    note: str = Field(default="", max_length=2000)
    bots: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """Seat -> name of the bot that plays it; the others are played by hand."""
    start: bytes = _bytes()
    """What it begins from, as `domain.fork` keeps it."""
    secret: bytes = _bytes()
    """The root of its chance; that of the game is another one."""
    ply: int = 0
    last: int = 0
    """The number of its last ply: those behind ``ply`` can be stepped forward to."""
    revision: int = 1
    """Counts its changes: a reader who has seen an older one is told."""
    created_at: int = _time()
    updated_at: int = _time()


class SandboxPly(SQLModel, table=True):
    """A ply of a sandbox, as `domain.fork` keeps it. No part of any log: it goes when another line is tried."""

    __tablename__ = "sandbox_ply"
    sandbox_id: str = Field(primary_key=True, foreign_key="sandbox.id", max_length=26, ondelete="CASCADE")
    ply: int = Field(primary_key=True)
    body: bytes = _bytes()


# ==== checks of all games =========================================================================
class CheckRun(SQLModel, table=True):
    """A check of every game that was there when it began. It goes on in steps, game by game in the order of age.

    ``done_created_at`` and ``done_id``: the last game that was checked. ``wrong``: games that are not what they should
    be. ``titles``: title -> {"games": n, "plies": n}.
    """

    __tablename__ = "check_run"
    id: int | None = Field(default=None, primary_key=True)
    night: int = Field(sa_type=BigInteger, unique=True)
    """When the night it belongs to began; so two that begin at once begin one."""
    started_at: int = _time()
    ended_at: int | None = _time(null=True)
    program: str = Field(max_length=40)
    """The release that checked."""
    games: int = 0
    plies: int = 0
    wrong: int = 0
    spent: int = 0
    """Milliseconds at work, without the pauses between steps."""
    titles: dict[str, dict[str, int]] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    done_created_at: int = Field(default=-1, sa_type=BigInteger)
    done_id: str = Field(default="", max_length=26)
    lease_until: int = Field(default=0, sa_type=BigInteger)
    """Until when a worker has the next step for itself."""


class CheckDifference(SQLModel, table=True):
    """Something a check found. ``ply``: where; None when it is not in the log itself.

    ``what``: the template of a sentence, and ``facts``, which go in; a sentence in it is one more {"what", "facts"}.
    """

    __tablename__ = "check_difference"
    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="check_run.id", ondelete="CASCADE", index=True)
    game_id: str = Field(max_length=26)
    ply: int | None = None
    what: str = Field(max_length=500)
    facts: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


# ==== mail owed ===================================================================================
class MailSwitch(SQLModel, table=True):
    """Mail that a person wants no more: of a game ("" for all), of a kind ("" for all). No row: it is wanted."""

    __tablename__ = "mail_switch"
    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    game_id: str = Field(primary_key=True, default="", max_length=26)
    kind: str = Field(primary_key=True, default="", max_length=20)


class Presence(SQLModel, table=True):
    """Who looks at which game, to the minute. ``since``: when this visit began."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    game_id: str = Field(primary_key=True, max_length=26)
    since: int = _time()
    seen_at: int = _time()


class Notice(SQLModel, table=True):
    """The outbox: a mail owed to a person. Written in the transaction of the plies that make it due.

    ``state``: pending, leased, sent, superseded, dead. ``ply``: the ply that made the seat asked (or ended the game);
    for kinds without a game (signing in) ``game_id`` is "" and ``ply`` 0, and ``key`` tells rows apart. A row with both
    ``person_id`` and ``address`` is the person's, and goes to that address.
    """

    __tablename__ = "outbox"
    id: int | None = Field(default=None, primary_key=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    address: str | None = Field(default=None, max_length=254)
    """For mail to somebody who is not a person yet: a sign-in link, an invitation."""
    game_id: str = Field(default="", max_length=26, index=True)
    seat: int | None = None
    ply: int = 0
    kind: str = Field(max_length=20)
    key: str = Field(default="", max_length=64)
    payload: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    message_id: str = Field(max_length=200, unique=True)
    state: str = Field(default="pending", max_length=12)
    created_at: int = _time()
    due_at: int = _time()
    lease_until: int | None = _time(null=True)
    attempts: int = 0
    sent_at: int | None = _time(null=True)
    held: str | None = Field(default=None, max_length=12)
    """Why a pending mail waits for its recipient: quiet, present, digest, flagged."""
    told_by: str | None = Field(default=None, max_length=200)
    """The Message-ID of the mail that tells of it, fixed before it is sent for the first time."""
    resent: int = 0
    """How often it was sent again by the recipient's wish after a server had taken it."""
    failing_since: int | None = _time(null=True)
    failing_for: str | None = Field(default=None, max_length=8)
    """Why it failed last, or was given up (`service.notices.failing.Reason`)."""
    __table_args__ = (
        UniqueConstraint("person_id", "address", "game_id", "ply", "kind", "key"),
        # One of the two is always NULL, which to a constraint differs from every other NULL.
        Index("ix_outbox_once_a_person", "person_id", "game_id", "ply", "kind", "key", unique=True,
              sqlite_where=text("person_id IS NOT NULL"), postgresql_where=text("person_id IS NOT NULL")),
        Index("ix_outbox_once_an_address", "address", "game_id", "ply", "kind", "key", unique=True,
              sqlite_where=text("address IS NOT NULL"), postgresql_where=text("address IS NOT NULL")),
        Index("ix_outbox_state_due_at", "state", "due_at"),
        Index("ix_outbox_person_id_state_due_at", "person_id", "state", "due_at"),
        Index("ix_outbox_failing_for", "failing_for", "failing_since",
              sqlite_where=text("failing_for IS NOT NULL"), postgresql_where=text("failing_for IS NOT NULL")),
    )  # fmt: skip


class Recipient(SQLModel, table=True):
    """Somebody to whom mail is owed, for as long as some is. Written in the transactions that write the outbox.

    ``who``: the number of a person, or an address where a mail goes to one that it names. ``next_at``: when mail to
    them may go; while one is on its way, when the lease of its worker ends. ``claim``: which claim that is.
    """

    who: str = Field(primary_key=True, max_length=254)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    next_at: int = _time(index=True)
    claim: str | None = Field(default=None, max_length=32)


class Conversation(SQLModel, table=True):
    """A conversation with the mail server, and its end (`service.notices.failing.OUTCOMES`); kept for a day."""

    id: int | None = Field(default=None, primary_key=True)
    at: int = _time(index=True)
    outcome: str = Field(max_length=8)


class Alarm(SQLModel, table=True):
    """Something of which operators are to be told (``what``), as long as it lasts. ``tried_at``: telling them."""

    what: str = Field(primary_key=True, max_length=20)
    since: int = _time()
    tried_at: int = _time()
    told_at: int | None = _time(null=True)


class NoticeHistory(SQLModel, table=True):
    """The delivery ledger: what happened to a notice, and when, in words its recipient may read."""

    __tablename__ = "outbox_history"
    id: int | None = Field(default=None, primary_key=True)
    notice_id: int = Field(foreign_key="outbox.id", ondelete="CASCADE", index=True)
    at: int = _time()
    what: str = Field(max_length=20)
    detail: str = Field(default="", max_length=500)
    facts: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    """Of a sentence of ours (`service.notices.details`)."""


class Reply(SQLModel, table=True):
    """Where a letter is answered: `service.notices.replies.Issued`. Only the hash of its token is kept.

    ``lines``: those of the letter, packed, so that they are known where an answer quotes them.
    """

    token_hash: str = Field(primary_key=True, max_length=64)
    message_id: str = Field(max_length=200)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    game_id: str = Field(default="", max_length=26)
    seat: int | None = None
    version: int = 0
    kind: str = Field(max_length=20)
    since: int = Field(default=0, sa_type=BigInteger)
    lang: str | None = Field(default=None, max_length=35)
    """Of the letter, where it went to who has no account; None where it went to a person."""
    lines: bytes = _bytes()
    created_at: int = _time(index=True)


class IncomingMail(SQLModel, table=True):
    """A mail that came to an address at which a letter is answered. It is kept before anything is done with it.

    ``token_hash``: of that address; ``content``: a hash of that and of what it says, so that it is there once however
    often it is handed over. ``sender``: of the envelope, None if that is not known. ``raw``: its bytes as they came.
    ``via``: how it came (`service.post.inbox.Via`). ``state``: pending, leased, done. ``what``: what became of it (see
    `workers.incoming`), with ``detail``. ``draft``: what it says, as JSON, where that waits to be confirmed.
    """

    __tablename__ = "incoming"
    id: int | None = Field(default=None, primary_key=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    token_hash: str = Field(max_length=64, index=True)
    content: str = Field(max_length=64, unique=True)
    sender: str | None = Field(default=None, max_length=254)
    raw: bytes = _bytes()
    via: str = Field(default="mail", max_length=8)
    received_at: int = _time(index=True)
    state: str = Field(default="pending", max_length=12)
    due_at: int = _time()
    lease_until: int | None = _time(null=True)
    attempts: int = 0
    done_at: int | None = _time(null=True)
    what: str = Field(default="", max_length=20)
    detail: str = Field(default="", max_length=300)
    draft: bytes | None = _bytes(null=True)
    __table_args__ = (Index("ix_incoming_state_due_at", "state", "due_at"),)


class Note(SQLModel, table=True):
    """What a person has noted for themselves about a game. ``key``: tells a note that comes again from another."""

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", index=True)
    game_id: str = Field(max_length=26)
    text: str = Field(max_length=1000)
    key: str = Field(max_length=64, unique=True)
    created_at: int = _time()


class Mailing(SQLModel, table=True):
    """A mail that was sent, under the hash of the token of the address where it comes back (`service.people.bounces`).

    ``mailbox_hash``: of the address it went to. ``said``: what a report says of it, "" as long as there is none, with
    its ``status`` (RFC 3463).
    """

    token_hash: str = Field(primary_key=True, max_length=64)
    message_id: str = Field(max_length=200)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    mailbox_hash: str = Field(max_length=64, index=True)
    sent_at: int = _time(index=True)
    said: str = Field(default="", max_length=12)
    status: str = Field(default="", max_length=16)
    said_at: int | None = _time(null=True)


class InvitedMailbox(SQLModel, table=True):
    """A mailbox that was invited, by its hash alone. ``invited_at``: when, in the last day."""

    __tablename__ = "invited_mailbox"
    mailbox_hash: str = Field(primary_key=True, max_length=64)
    invited_at: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    last_at: int = _time(index=True)
    never_since: int | None = _time(null=True)
    """Since when its owner wants no invitations from anybody."""


class MailboxMessage(SQLModel, table=True):
    """Embedded profile: a mail that arrived in the local mailbox."""

    __tablename__ = "mailbox"
    id: int | None = Field(default=None, primary_key=True)
    received_at: int = _time()
    sender: str = Field(max_length=254)
    recipient: str = Field(max_length=254, index=True)
    subject: str = Field(default="", max_length=300)
    message_id: str = Field(default="", max_length=300)
    source: bytes = _bytes()


# ==== other channels ==============================================================================
class Webhook(SQLModel, table=True):
    """An address of a person's own that is told of the same things as their mailbox.

    The secret it is signed with is not here: it follows from ``nonce`` and a key of the installation.
    """

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    url: str = Field(max_length=500)
    kinds: str = Field(max_length=300)
    """What it is told of, separated by blanks."""
    nonce: str = Field(max_length=32)
    secret_hash: str = Field(max_length=64)
    enabled: bool = True
    created_at: int = _time()
    failures: int = 0
    """Failures in a row that trying again is not likely to mend."""
    accepted_at: int | None = _time(null=True)
    failed_at: int | None = _time(null=True)
    error: str = Field(default="", max_length=300)
    """The cause of the last failure, in words."""
    disabled_for: str = Field(default="", max_length=300)
    """Why it was switched off by the service; "" when its owner did it, or it is on."""


class WebhookCall(SQLModel, table=True):
    """A call owed to a webhook: its outbox, written in the transaction of the plies that make it due.

    ``state``: pending, leased, sent, superseded, dead. ``key``: tells the receiver repetitions from news.
    ``notice_key``: that of the notice which it goes beside.
    """

    __tablename__ = "webhook_call"
    id: int | None = Field(default=None, primary_key=True)
    webhook_id: int = Field(foreign_key="webhook.id", index=True, ondelete="CASCADE")
    key: str = Field(max_length=32, unique=True)
    game_id: str = Field(default="", max_length=26)
    seat: int | None = None
    ply: int = 0
    kind: str = Field(max_length=20)
    notice_key: str = Field(default="", max_length=64)
    state: str = Field(default="pending", max_length=12)
    created_at: int = _time()
    due_at: int = _time()
    lease_until: int | None = _time(null=True)
    attempts: int = 0
    done_at: int | None = _time(null=True)
    detail: str = Field(default="", max_length=300)
    facts: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    """As in `NoticeHistory`."""
    __table_args__ = (Index("ix_webhook_call_state_due_at", "state", "due_at"),)


class Feed(SQLModel, table=True):
    """A secret address that a calendar or a feed reader asks for news. Only the hash of its token is kept."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    kind: str = Field(primary_key=True, max_length=10)
    """calendar or story"""
    token_hash: str = Field(unique=True, max_length=64)
    created_at: int = _time()
    used_at: int | None = _time(null=True)
