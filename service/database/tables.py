"""The tables of the store. Rows hold data that the log must not have (people, secrets, mail) and data for fast queries.

SQLModel classes define the tables; the hot paths (plies, outbox) are written through SQLAlchemy Core. Times are
integers: milliseconds since 1970-01-01T00:00:00Z. A change here needs a migration in ``service/database/migrations``.
"""

import re
import secrets
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
    false,
    inspect,
    text,
    true,
)
from sqlalchemy.orm import declared_attr
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


class Row(SQLModel):
    """The base of all tables. A table has the name of its class in snake case, unless the class gives it another."""

    @declared_attr.directive
    def __tablename__(cls) -> str:  # noqa: N805  # SQLAlchemy passes the class
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def table_of(model: type[SQLModel]) -> Table:
    """Return the table of a class in this module, for statements of SQLAlchemy Core."""
    table: Table = inspect(model).local_table
    return table


def _time(*, null: bool = False, index: bool = False) -> Any:
    return Field(default=None if null else ..., sa_type=BigInteger, nullable=null, index=index)


def _bytes(*, null: bool = False) -> Any:
    return Field(default=None, sa_column=Column(LargeBinary, nullable=null))


# ==== people ======================================================================================
class Person(Row, table=True):
    """A person. No log contains any of this, so a person can be erased and every game still verifies."""

    id: int | None = Field(default=None, primary_key=True)
    email: str = Field(unique=True, max_length=254)
    """Normalised; shown only to its owner."""
    name: str = Field(max_length=40)
    named: bool = True
    """They chose the name; otherwise we gave it, and they are asked."""
    lang: str = Field(default="en", max_length=35)
    """A tag of BCP 47 of the greatest length (RFC 5646, 4.4.1)."""
    zone: str = Field(default="UTC", max_length=64)
    """IANA name of the time zone for times in mails and on pages."""
    zone_known: bool = True
    """They told us the zone; otherwise it is UTC."""
    wakes_at: int = 8 * 60
    """The person's waking hours, in minutes after local midnight; equal ones mean: always awake."""
    sleeps_at: int = 22 * 60
    created_at: int = _time()
    mail_stopped_at: int | None = _time(null=True)
    """The time since when the person wants no mail at all."""
    quiet: bool = False
    """Mail waits until the person is awake."""
    digest_at: int | None = None
    """Minutes after the person's midnight of the daily mail about all games; None: each mail at once."""
    pictures: bool = True
    """Do letters have pictures? If not, their HTML describes the position in words, as the plain text does."""
    short_receipts: bool = False
    """Receipts of answers by mail contain only the result of each line."""
    mail_flagged_at: int | None = _time(null=True)
    """The time since when mail to the address bounces; it is held until the address is confirmed or changed."""
    mail_flag: str = Field(default="", max_length=300)
    """The mail server's words."""
    next_secret: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    """The secret of the person's next table, drawn before its words of luck arrive: see `play.next_table`."""
    address_since: int | None = _time(null=True)
    """The time since when they have this address; None: since the account was made."""
    blocked_at: int | None = _time(null=True)
    """The time since when an operator has shut them out: they cannot sign in, and get no mail but the link to do so."""
    confirm: str = Field(default="turn", max_length=10)
    """The way to confirm moves in slow games: "turn", "each" or "at_once"."""
    confirm_live: str = Field(default="at_once", max_length=10)
    """The same in live games."""
    open_as: str = Field(default="board", max_length=10)
    """The way in which games open: "board", or "text" for the table in words."""
    tips: bool = True
    """Do they get a tip for each turn of their first game of a title?"""
    next_game: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Do tables link to the next game that waits for them?"""
    profile: str | None = Field(
        default=None,
        max_length=22,
        index=True,
        sa_column_kwargs={"default": lambda: secrets.token_hex(11)},
    )
    """The random address of their profile; None if a release without profiles made the account."""
    hides: str = Field(default="", max_length=100, sa_column_kwargs={"server_default": ""})
    """The hidden parts of their profile, separated by spaces (`service.record.profiles`)."""
    talk: str = Field(default="mentions", max_length=10, sa_column_kwargs={"server_default": "mentions"})
    """Their wish about talk: "hidden", or shown with letters about "mentions" or about "all" lines."""
    silenced_until: int | None = _time(null=True)
    """The time until which an operator has silenced them: they can write no line of talk."""
    __table_args__ = (
        # For the few people whom operators look for, so that nobody counts all.
        *(
            Index(f"ix_person_{name}", name, sqlite_where=text(f"{name} IS NOT NULL"),
                  postgresql_where=text(f"{name} IS NOT NULL"))
            for name in ("blocked_at", "mail_flagged_at", "mail_stopped_at")
        ),
    )  # fmt: skip


class Absence(Row, table=True):
    """Days on which a person does not play: a vacation or a holiday. Dates are ISO 8601, in the person's own zone."""

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    first_day: str = Field(max_length=10)
    last_day: str = Field(max_length=10)
    kind: str = Field(max_length=10)
    """"vacation" or "holiday"."""


UNTOLD = {"untold": True}
"""Marks a column with a person who must not learn of the row, not even from the export of their data."""


class Liked(Row, table=True):
    """Somebody with whom a person likes to play: a private list."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    liked_id: int = Field(
        primary_key=True, foreign_key="person.id", ondelete="CASCADE", index=True, sa_column_kwargs={"info": UNTOLD}
    )
    since: int = _time()


class Block(Row, table=True):
    """Somebody with whom a person does not want to play (`service.people.acquaintances`)."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    blocked_id: int = Field(
        primary_key=True, foreign_key="person.id", ondelete="CASCADE", index=True, sa_column_kwargs={"info": UNTOLD}
    )
    since: int = _time()


class Mute(Row, table=True):
    """Somebody whose lines of talk a person does not want to see (`service.people.acquaintances`)."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    muted_id: int = Field(
        primary_key=True, foreign_key="person.id", ondelete="CASCADE", index=True, sa_column_kwargs={"info": UNTOLD}
    )
    since: int = _time()


class SignInLink(Row, table=True):
    """A link mailed to an address. Only the hash of its token is stored; it works once, for ten minutes."""

    token_hash: str = Field(primary_key=True, max_length=64)
    email: str = Field(max_length=254, index=True)
    code_hash: str = Field(max_length=64)
    """Hash of the six digits that another browser must enter."""
    browser_hash: str = Field(max_length=64)
    next: str = Field(default="/", max_length=500)
    zone: str = Field(default="", max_length=64)
    """The time zone of the browser that asked, if it sent one."""
    attempts: int = 0
    created_at: int = _time()
    expires_at: int = _time()
    used_at: int | None = _time(null=True)


class AddressLink(Row, table=True):
    """A link to confirm a person's new address. Only the hash of its token is stored; it works once."""

    token_hash: str = Field(primary_key=True, max_length=64)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    email: str = Field(max_length=254)
    created_at: int = _time()
    expires_at: int = _time()
    used_at: int | None = _time(null=True)


class Session(Row, table=True):
    """A signed-in browser. Only the hash of its token is stored."""

    token_hash: str = Field(primary_key=True, max_length=64)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    created_at: int = _time()
    seen_at: int = _time()
    expires_at: int = _time()
    second_at: int | None = _time(null=True)
    """The time when this browser gave an operator's second factor, or None."""


class ApiToken(Row, table=True):
    """A person's key to the API, with scopes ("read", "play", "host"), separated by spaces."""

    id: int | None = Field(default=None, primary_key=True)
    token_hash: str = Field(unique=True, max_length=64)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    name: str = Field(max_length=60)
    scopes: str = Field(max_length=60)
    created_at: int = _time()
    used_at: int | None = _time(null=True)
    revoked_at: int | None = _time(null=True)


class ErasedPerson(Row, table=True):
    """The number of an erased person, and nothing else about them.

    It is never reused: old mails hold links signed for it.
    """

    person_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: int = _time()


class Erasure(Row, table=True):
    """The erasure of a person or an address, as a mark that identifies nobody. See `service.keeping.erasures`."""

    mark: str = Field(primary_key=True, max_length=64)
    at: int = _time()


# ==== operators ===================================================================================
class Operator(Row, table=True):
    """A person who may look after the installation. ``added_by``: an operator; None: by command line."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    added_at: int = _time()
    added_by: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    alarms: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Do they get alarms by email?"""
    alarm_url: str = Field(default="", max_length=500, sa_column_kwargs={"server_default": ""})
    """The webhook that gets their alarms instead; "" without one."""


class SecondFactor(Row, table=True):
    """An operator's second factor. Its secret follows from ``nonce`` and a key of the installation; none is stored."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    nonce: str = Field(max_length=32)
    secret_hash: str = Field(max_length=64)
    """Shows which key it follows from."""
    setup_hash: str = Field(default="", max_length=64)
    """Of the setup code from the command line; "" after its use."""
    setup_until: int = _time()
    set_up_at: int | None = _time(null=True)
    last_step: int = Field(default=0, sa_type=BigInteger)
    """The time step of the last accepted code (RFC 6238, 5.2): codes up to it are refused."""
    failures: int = 0
    """Tries since the last right one."""
    shut_until: int = _time()
    """The time until which all codes are ignored."""


class RecoveryCode(Row, table=True):
    """A replacement for an operator's phone, by its hash. It works once and is then deleted."""

    code_hash: str = Field(primary_key=True, max_length=64)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")


class OperatorEntry(Row, table=True):
    """An operator's action, its subject and its reason. It outlives the erasure of both people, without naming them.

    ``what``: see `service.operators.acts.DEEDS`. ``by_command``: at the command line, where nobody is signed in.
    ``detail``: further facts, such as the cause, the seat or the minutes.
    """

    id: int | None = Field(default=None, primary_key=True)
    at: int = _time()
    operator_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    by_command: bool = False
    what: str = Field(max_length=20)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    game_id: str = Field(default="", max_length=26, index=True)
    detail: str = Field(default="", max_length=60)
    why: str = Field(max_length=300)


class OperatorNote(Row, table=True):
    """A note of an operator about a person or a game, for operators alone.

    A note about a person is in that person's export. A note about a game is in no export: it may speak of several
    people, and none of them may read about the others. Nor is a note in the export of its author, which is handed out
    without a second factor. A note is erased with the person it is about; one about a game with any of its players.

    ``by_command``: written at the command line, where nobody is signed in.
    """

    id: int | None = Field(default=None, primary_key=True)
    at: int = _time()
    operator_id: int | None = Field(
        default=None,
        foreign_key="person.id",
        ondelete="SET NULL",
        index=True,
        sa_column_kwargs={"info": {"untold": True}},
    )
    by_command: bool = False
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    game_id: str | None = Field(default=None, foreign_key="game.id", max_length=26, index=True)
    text: str = Field(max_length=2000)


# ==== the installation ============================================================================
class Installation(Row, table=True):
    """Facts about the whole installation. There is one row, which programs of later releases can read."""

    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    needs: str = Field(max_length=12)
    """The step of the migrations that a program must know to use these tables."""
    salt: bytes = _bytes()
    """For the marks of erased people. All copies of a store have the same."""
    copied: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    """Facts about this store as a copy, or about its last copy: `service.keeping.copies.Copied`."""


# ==== games =======================================================================================
class GameRow(Row, table=True):
    """The facts about a game that are needed without a fold. Updated in the transaction that appends plies."""

    __tablename__ = "game"
    id: str = Field(primary_key=True, max_length=26)
    title: str = Field(max_length=40, index=True)
    name: str = Field(max_length=80)
    status: str = Field(max_length=10)
    seats: int
    host_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    public: bool = True
    """Everybody can list and watch the table; otherwise only people with the invitation."""
    rated: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Its result changes the ratings of its players. Fixed when the table is opened."""
    by_invitation: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Only people with the invitation can take a seat, even if everybody can watch."""
    talk: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Can people talk at this table? The host decides."""
    invite_hash: str | None = Field(default=None, max_length=64, unique=True)
    """For a table opened before 0.2 that has not started: the hash of its old invitation."""
    invites: int = 0
    """How often the host has renewed the invitation; each renewal ends the one before."""
    version: int
    head: bytes = _bytes()
    """The link of the last ply."""
    asked: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """The seats that must move."""
    bot_at: int | None = _time(null=True, index=True)
    """The time from which a bot among them may move, 0 for at once; None without a bot, or in a pause."""
    due_at: int | None = _time(null=True, index=True)
    """The earliest deadline among the running clocks, or None."""
    paused: bool = False
    """All its people are absent."""
    created_at: int = _time()
    moved_at: int = _time()
    ended_at: int | None = _time(null=True)
    recorded_at: int | None = _time(null=True)
    """The time when a worker made its rows of the record (`service.record.rows`)."""
    __table_args__ = (
        Index("ix_game_status_created_at", "status", "created_at"),
        Index("ix_game_unrecorded", "ended_at",
              sqlite_where=text("status = 'over' AND recorded_at IS NULL"),
              postgresql_where=text("status = 'over' AND recorded_at IS NULL")),
    )  # fmt: skip


class OfferRow(Row, table=True):
    """The offer of a table to people who look for a seat, as its host chose it (`service.games.offers`)."""

    __tablename__ = "offer"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    lang: str = Field(default="", max_length=35)
    """The language of the table; "" for any."""
    turn: int | None = _time(null=True)
    """The milliseconds of a turn; 0 without a clock."""
    rating_low: int | None = None
    rating_high: int | None = None
    finished: int = 0
    """The lowest share of finished games that is admitted, in percent."""
    newcomers: bool = True
    """Are people admitted who have too few games for these numbers?"""


class Wish(Row, table=True):
    """A person's standing wish for a game (`service.wishes`). Its owner alone sees it."""

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    titles: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    paces: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """Names of paces; "none" for no clock."""
    seats: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """Numbers of players."""
    rated: str = Field(max_length=6)
    """"yes", "no" or "either"."""
    spread: int | None = None
    """How far the ratings of the others may differ at first; None: as far as they like."""
    finished: int = 0
    """The lowest share of games that the others have finished, in percent."""
    lang: str = Field(default="", max_length=35)
    """The language of the table; "" for any."""
    at_once: int = 1
    """The most games that it leads to at the same time."""
    since: int = _time()
    """The time since when it waits: its place in the queue."""
    missed: int = 0
    """The offers that its owner has missed since its last game."""
    ended_at: int | None = _time(null=True)
    """The time when missed offers ended it."""


class KeptTable(Row, table=True):
    """A table that the service has opened for people who look for a game (`service.games.kept`)."""

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    pace: str = Field(max_length=20)
    """The name of its pace."""


class KeptSeat(Row, table=True):
    """A seat at such a table, kept for a person. Nobody is offered two seats at one table.

    ``state``: see `service.games.kept.State`. A seat belongs to one person at a time, and a wish waits for one table.
    """

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE", index=True)
    seat: int
    wish_id: int | None = Field(default=None, foreign_key="wish.id", ondelete="SET NULL")
    state: str = Field(max_length=10)
    offered_at: int = _time()
    kept_until: int = _time()
    __table_args__ = (
        Index("ix_kept_seat_taken", "game_id", "seat", unique=True,
              sqlite_where=text("state IN ('kept', 'sat', 'playing')"),
              postgresql_where=text("state IN ('kept', 'sat', 'playing')")),
        Index("ix_kept_seat_of_a_wish", "wish_id", unique=True,
              sqlite_where=text("state IN ('kept', 'sat')"), postgresql_where=text("state IN ('kept', 'sat')")),
        Index("ix_kept_seat_wish_id", "wish_id"),
        Index("ix_kept_seat_state_kept_until", "state", "kept_until"),
    )  # fmt: skip


class Rematch(Row, table=True):
    """The table on which the players of a finished game play again (`service.games.rematches`)."""

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    next_id: str = Field(foreign_key="game.id", max_length=26, unique=True)


class GameSecret(Row, table=True):
    """The secret of a game, apart from its log and never sent while the game runs."""

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    secret: bytes = _bytes()


class Seat(Row, table=True):
    """The player of a seat: a person or a bot (by name). Outside the log."""

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    bot: str | None = Field(default=None, max_length=20)
    joined_at: int = _time()
    left_at: int | None = _time(null=True)
    erased_at: int | None = _time(null=True)
    """The time when the person at this seat was erased; the seat keeps nothing else about them."""
    vacant_since: int | None = _time(null=True, index=True)
    """The time since when the seat waits for a substitute; its former player may still return."""
    salt: str = Field(default="", max_length=64)
    words: str = Field(default="", max_length=200)
    """The person's words of luck (`domain.luck`), for their own eyes: the log has only their hash."""


class FormerPlayer(Row, table=True):
    """A player whose seat a substitute has taken over with ply ``ply`` (ST 16). `Seat` names only the present one."""

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    ply: int = Field(primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")


class SeatClock(Row, table=True):
    """A running clock, for the sweep. It follows from the log, except for its reminders.

    ``reminders``: the remaining moments at which its player is reminded, in order; ``remind_at``: the first.
    """

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    ply: int
    """The ply that asked the seat or moved its deadline."""
    started_at: int = _time()
    due_at: int = _time()
    remind_at: int | None = _time(null=True, index=True)
    reminders: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))


class ClockToMove(Row, table=True):
    """A running clock that needs an update, because its player's days off have changed. Deleted after the update.

    ``ply``: that of the running clock; a newer clock was computed with the new days off. ``at``: when they changed.
    ``before``: the `Calendar` of the deadline.
    """

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    ply: int = Field(primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    at: int = _time()
    before: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class Heartbeat(Row, table=True):
    """The last run of a recurring job (``name``: of the sweep)."""

    name: str = Field(primary_key=True, max_length=20)
    at: int = _time()


class Figure(Row, table=True):
    """A sum, or a highest value, of all processes over a span of time (`service.notices.figures`).

    ``span``: its length, 0 for all time; ``at``: its start. ``bound``: of the class of a time, otherwise 0.
    """

    span: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    at: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    what: str = Field(primary_key=True, max_length=20)
    bound: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    number: int = Field(sa_type=BigInteger)


class Process(Row, table=True):
    """A process of the service, as it reported last (`service.notices.processes`)."""

    id: str = Field(primary_key=True, max_length=32)
    role: str = Field(max_length=60)
    host: str = Field(max_length=60)
    pid: int
    release: str = Field(max_length=40)
    started_at: int = _time()
    seen_at: int = _time()
    memory: int = Field(sa_type=BigInteger)
    connections: int
    pool: int
    busy: int
    doing: str = Field(max_length=80)
    since: int | None = _time(null=True)


class Outage(Row, table=True):
    """A period in which no sweep looked at the clocks, or that a clock jumped over.

    ``settled_at``: when all of its time was returned. If the clock was set back, ``until`` is before ``since``, and
    there is nothing to return.
    """

    id: int | None = Field(default=None, primary_key=True)
    since: int = _time()
    until: int = _time()
    settled_at: int | None = _time(null=True, index=True)


class SeatResult(Row, table=True):
    """A line of a finished game's result, for lists. It follows from the log."""

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    place: int | None = None
    total: int


class RecordRow(Row, table=True):
    """A finished game in the record of a player: made from the log and from who sat there (`service.record.rows`).

    ``sitting``: 0 for the player who began at the seat, 1 for the first substitute, and so on. ``person_id``: None for
    a bot, an erased person, or a former player from before there was a record. ``bot``: of a bot that sat for itself.
    """

    __tablename__ = "record"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    sitting: int = Field(primary_key=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL")
    bot: str | None = Field(default=None, max_length=20)
    title: str = Field(max_length=40)
    seats: int
    ended_at: int = _time()
    place: int | None = None
    """Their place in the result, shared or not; None for players who left, and for former ones."""
    total: int | None = None
    """Their points; None for former players."""
    leaving: str = Field(default="", max_length=10)
    """"resigned", "timed_out" or "replaced" by a substitute; "" for those who stayed."""
    played_by: str = Field(default="player", max_length=10)
    """The one who played for them in the end: "player", "bot", "clock" or, after they left, "nobody"."""
    times: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """The seconds that their turns took to begin, in order: `service.record.times`."""
    rated: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Is the game rated? All its seats are people's."""
    __table_args__ = (
        Index("ix_record_person_id_ended_at", "person_id", "ended_at"),
        Index("ix_record_title_ended_at", "title", "ended_at"),
    )


class RatingRow(Row, table=True):
    """The strength of a seat's first player before and after a rated game, in millionths (`service.record.ratings`).

    ``person_id``: None for an erased person. ``formula``: the version that computed it.
    """

    __tablename__ = "rating"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    seat: int = Field(primary_key=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL")
    title: str = Field(max_length=40)
    ended_at: int = _time()
    before_mu: int
    before_sigma: int
    mu: int
    sigma: int
    formula: int
    __table_args__ = (
        Index("ix_rating_person_id_ended_at", "person_id", "ended_at"),
        Index("ix_rating_title_ended_at_game_id", "title", "ended_at", "game_id"),
    )


# ==== the log =====================================================================================
class PlyRow(Row, table=True):
    """One accepted command with its events: the bytes that are hashed. Never updated, never deleted (triggers)."""

    __tablename__ = "ply"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    ply: int = Field(primary_key=True)
    body: bytes = _bytes()
    link: bytes = _bytes()
    submission_id: str | None = Field(default=None, max_length=64)


class SealedRow(Row, table=True):
    """A part of a ply that only one seat may see. Never updated, never deleted (triggers)."""

    __tablename__ = "sealed_part"
    game_id: str = Field(primary_key=True, max_length=26)
    ply: int = Field(primary_key=True)
    part: int = Field(primary_key=True)
    seat: int
    body: bytes = _bytes()
    __table_args__ = (ForeignKeyConstraint(["game_id", "ply"], ["ply.game_id", "ply.ply"]),)


class SubmissionRow(Row, table=True):
    """An accepted submission with its answer, so that a repetition changes nothing."""

    __tablename__ = "submission"
    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    submission_id: str = Field(primary_key=True, max_length=64)
    content_hash: str = Field(max_length=64)
    """SHA-256 of caller and content: the same id with another content is a conflict."""
    answer: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    created_at: int = _time()


class DailyMoves(Row, table=True):
    """The number of ``moves`` of a person in a game on ``day``, the last day on which they made one.

    ``day``: days since 1970-01-01 (UTC).
    """

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    person_id: int = Field(primary_key=True, foreign_key="person.id", index=True, ondelete="CASCADE")
    day: int
    moves: int


class DrawnPage(Row, table=True):
    """A game as a page, requested by a viewer and drawn by a worker: `service.proof.drawn`.

    ``person_id``: the viewer, None for a stranger; ``seat``: the seat whose view it shows (None: a spectator's).
    ``version``: of the game on the page; 0 until it is drawn. ``state``: pending, leased, done, failed. ``body``: the
    page, compressed (gzip).
    """

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


# ==== talk ========================================================================================
class TalkRoom(Row, table=True):
    """A room at a table in which somebody has talked. ``last``: the number of its last line."""

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    room: str = Field(primary_key=True, max_length=10)
    last: int


class TalkLine(Row, table=True):
    """A line of talk, outside the log. ``key``: recognises a repeated line. A deleted line keeps its number alone.

    ``text``: with a mark (`service.games.talk_text`) for each `TalkMention`.
    """

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    room: str = Field(primary_key=True, max_length=10)
    number: int = Field(primary_key=True)
    writer_id: int = Field(foreign_key="person.id", ondelete="CASCADE")
    text: str = Field(max_length=1000)
    key: str | None = Field(default=None, unique=True, max_length=64)
    said_at: int = _time()
    deleted_at: int | None = _time(null=True)
    __table_args__ = (Index("ix_talk_line_writer_id_said_at", "writer_id", "said_at"),)


class TalkMention(Row, table=True):
    """Somebody named in a line of talk, by reference. ``place``: of its mark in the text. ``seat``: of a bot.

    The room may be closed to the person, who therefore must not learn of it from their data.
    """

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    room: str = Field(primary_key=True, max_length=10)
    number: int = Field(primary_key=True)
    place: int = Field(primary_key=True)
    person_id: int | None = Field(
        default=None, foreign_key="person.id", ondelete="SET NULL", index=True, sa_column_kwargs={"info": UNTOLD}
    )
    seat: int | None = None
    __table_args__ = (
        ForeignKeyConstraint(
            ["game_id", "room", "number"],
            ["talk_line.game_id", "talk_line.room", "talk_line.number"],
            ondelete="CASCADE",
        ),
    )


class TalkRead(Row, table=True):
    """How far a person has read a room at a table. ``told``: the last line that a letter has brought them.

    ``invites``: the number of the invitation that let them see the table; None if they need none.
    """

    game_id: str = Field(primary_key=True, foreign_key="game.id", max_length=26)
    room: str = Field(primary_key=True, max_length=10)
    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE", index=True)
    number: int
    told: int = 0
    read_at: int = _time()
    invites: int | None = None


class TalkReport(Row, table=True):
    """Lines of talk that somebody has reported to the operators. ``why``: their reason."""

    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(foreign_key="game.id", max_length=26, index=True)
    room: str = Field(max_length=10)
    reporter_id: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    why: str = Field(max_length=300)
    reported_at: int = _time()
    settled_at: int | None = _time(null=True, index=True)


class ReportedLine(Row, table=True):
    """A quoted line of a report, as it was then. Its writer must not learn of the report from their data."""

    report_id: int = Field(primary_key=True, foreign_key="talk_report.id", ondelete="CASCADE")
    number: int = Field(primary_key=True)
    writer_id: int = Field(foreign_key="person.id", ondelete="CASCADE", index=True, sa_column_kwargs={"info": UNTOLD})
    text: str = Field(max_length=1000)
    said_at: int = _time()


# ==== sandboxes ===================================================================================
class Sandbox(Row, table=True):
    """A person's private copy of a position to play on. It may be changed and deleted.

    ``version``: the game's at the start; ``seat``: the seat whose view it copies (None: a spectator's); ``imagined``:
    hidden facts were filled in at random. ``ply``: its present place among its own plies.
    """

    id: str = Field(primary_key=True, max_length=26)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    game_id: str = Field(foreign_key="game.id", max_length=26, index=True, ondelete="CASCADE")
    version: int
    seat: int | None = None
    imagined: bool
    title: str = Field(max_length=40)
    rules: int
    """The version of the rules at its start."""
    name: str = Field(max_length=80)
    note: str = Field(default="", max_length=2000)
    bots: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """Seat -> name of the bot that plays it; the others are played by hand."""
    start: bytes = _bytes()
    """Its first position, in the format of `domain.fork`."""
    secret: bytes = _bytes()
    """The root of its chance, independent of the game's."""
    ply: int = 0
    last: int = 0
    """The number of its last ply: it can step forward to those behind ``ply``."""
    revision: int = 1
    """The number of its changes: a reader of an older state is told."""
    created_at: int = _time()
    updated_at: int = _time()


class SandboxPly(Row, table=True):
    """A ply of a sandbox, in the format of `domain.fork`. It is part of no log; another line of play replaces it."""

    sandbox_id: str = Field(primary_key=True, foreign_key="sandbox.id", max_length=26, ondelete="CASCADE")
    ply: int = Field(primary_key=True)
    body: bytes = _bytes()


# ==== checks of all games =========================================================================
class CheckRun(Row, table=True):
    """A check of every game that existed at its start. It proceeds in steps, oldest game first.

    ``done_created_at`` and ``done_id``: the last checked game. ``wrong``: the number of games with a finding.
    ``titles``: title -> {"games": n, "plies": n}.
    """

    id: int | None = Field(default=None, primary_key=True)
    night: int = Field(sa_type=BigInteger, unique=True)
    """The start of its night; of two checks that begin at once, one fails."""
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
    """The end of a worker's lease on the next step."""


class CheckDifference(Row, table=True):
    """A finding of a check. ``ply``: its place; None if it is not in the log itself.

    ``what``: the template of a sentence, with its ``facts``; a nested sentence is another {"what", "facts"}.
    """

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="check_run.id", ondelete="CASCADE", index=True)
    game_id: str = Field(max_length=26)
    ply: int | None = None
    what: str = Field(max_length=500)
    facts: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


# ==== owed mail ===================================================================================
class MailSwitch(Row, table=True):
    """Mail that a person does not want: of a game ("" for all), of a kind ("" for all). No row: it is wanted."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    game_id: str = Field(primary_key=True, default="", max_length=26)
    kind: str = Field(primary_key=True, default="", max_length=20)


class Presence(Row, table=True):
    """A person's visit to a game, to the minute. ``since``: its start."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    game_id: str = Field(primary_key=True, max_length=26)
    since: int = _time()
    seen_at: int = _time()


class Notice(Row, table=True):
    """The outbox: a mail owed to a person. Written in the transaction of the plies that make it due.

    ``state``: pending, leased, sent, superseded, dead. ``ply``: the ply that asked the seat (or ended the game). For
    kinds without a game (signing in) ``game_id`` is "" and ``ply`` 0, and ``key`` distinguishes rows. A row with both
    ``person_id`` and ``address`` belongs to the person and goes to that address.
    """

    __tablename__ = "outbox"
    id: int | None = Field(default=None, primary_key=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    address: str | None = Field(default=None, max_length=254)
    """For mail to an address without a person: a sign-in link, an invitation."""
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
    """The Message-ID of the mail that contains it, fixed before the first try."""
    resent: int = 0
    """How often it was resent at the recipient's wish after a server had taken it."""
    failing_since: int | None = _time(null=True)
    failing_for: str | None = Field(default=None, max_length=8)
    """The reason why it failed last, or was given up (`service.notices.failing.FailedFor`)."""
    __table_args__ = (
        UniqueConstraint("person_id", "address", "game_id", "ply", "kind", "key"),
        # One of the two is always NULL, and for a constraint all NULLs differ.
        Index("ix_outbox_once_a_person", "person_id", "game_id", "ply", "kind", "key", unique=True,
              sqlite_where=text("person_id IS NOT NULL"), postgresql_where=text("person_id IS NOT NULL")),
        Index("ix_outbox_once_an_address", "address", "game_id", "ply", "kind", "key", unique=True,
              sqlite_where=text("address IS NOT NULL"), postgresql_where=text("address IS NOT NULL")),
        Index("ix_outbox_state_due_at", "state", "due_at"),
        Index("ix_outbox_person_id_state_due_at", "person_id", "state", "due_at"),
        Index("ix_outbox_failing_for", "failing_for", "failing_since",
              sqlite_where=text("failing_for IS NOT NULL"), postgresql_where=text("failing_for IS NOT NULL")),
    )  # fmt: skip


class Recipient(Row, table=True):
    """A recipient with owed mail. Written in the transactions that write the outbox.

    ``who``: the number of a person, or an address if the mail names one. ``next_at``: when mail to them may go; while
    one is on its way, the end of its worker's lease. ``claim``: the token of that claim.
    """

    who: str = Field(primary_key=True, max_length=254)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    next_at: int = _time(index=True)
    claim: str | None = Field(default=None, max_length=32)


class Conversation(Row, table=True):
    """A conversation with the mail server, and its result (`service.notices.failing.OUTCOMES`); kept for a day."""

    id: int | None = Field(default=None, primary_key=True)
    at: int = _time(index=True)
    outcome: str = Field(max_length=8)


class Alarm(Row, table=True):
    """A problem that operators are told about (``what``), while it lasts. ``tried_at``: the last try to tell them."""

    what: str = Field(primary_key=True, max_length=20)
    since: int = _time()
    tried_at: int = _time()
    told_at: int | None = _time(null=True)


class Fetching(Row, table=True):
    """The state of an ordinary mailbox from which answers are fetched (``mailbox``: its user and host).

    ``due_at``: when it may be looked at next, later after each of ``fails`` failures in a row; ``trouble``: why, as in
    `service.post.imap`; ``left``: mails that could not be kept and stay there.
    """

    mailbox: str = Field(primary_key=True, max_length=300)
    due_at: int = _time()
    lease_until: int | None = _time(null=True)
    fails: int
    failing_since: int | None = _time(null=True)
    trouble: str = Field(max_length=20)
    left: int
    fetched_at: int | None = _time(null=True)


class NoticeHistory(Row, table=True):
    """The delivery ledger: the steps of a notice, in words that its recipient may read."""

    __tablename__ = "outbox_history"
    id: int | None = Field(default=None, primary_key=True)
    notice_id: int = Field(foreign_key="outbox.id", ondelete="CASCADE", index=True)
    at: int = _time()
    what: str = Field(max_length=20)
    detail: str = Field(default="", max_length=500)
    facts: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    """For a sentence of ours (`service.notices.details`)."""


class Reply(Row, table=True):
    """The reply address of a letter: `service.notices.replies.Issued`. Only the hash of its token is stored.

    ``lines``: those of the letter, compressed, to recognise quotes in an answer.
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
    """Of the letter, if it went to a person without an account; otherwise None."""
    lines: bytes = _bytes()
    created_at: int = _time(index=True)


class IncomingMail(Row, table=True):
    """An incoming mail to a reply address, stored before it is processed.

    ``token_hash``: of that address; ``content``: a hash of the address and the content, so that repetitions are stored
    once. ``sender``: of the envelope, None if unknown. ``raw``: its received bytes. ``via``: the way it came
    (`service.post.inbox.Via`). ``state``: pending, leased, done. ``what``: the result (see `workers.incoming`), with
    ``detail``. ``draft``: its content as JSON, if it waits for a confirmation.
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
    __table_args__ = (
        Index("ix_incoming_state_due_at", "state", "due_at"),
        Index("ix_incoming_what_received_at", "what", "received_at"),
    )


class Note(Row, table=True):
    """A person's private note about a game. ``key``: recognises a repeated note.

    ``version``: of the position that it is about; None if it is about the game.
    """

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", index=True)
    game_id: str = Field(max_length=26)
    text: str = Field(max_length=1000)
    key: str = Field(max_length=64, unique=True)
    created_at: int = _time()
    version: int | None = None


class Mailing(Row, table=True):
    """A sent mail, by the token hash of its return address (`service.people.bounces`).

    ``mailbox_hash``: of its recipient. ``said``: the meaning of a report about it, "" without one, with its ``status``
    (RFC 3463).
    """

    token_hash: str = Field(primary_key=True, max_length=64)
    message_id: str = Field(max_length=200)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    mailbox_hash: str = Field(max_length=64, index=True)
    sent_at: int = _time(index=True)
    said: str = Field(default="", max_length=12)
    status: str = Field(default="", max_length=16)
    said_at: int | None = _time(null=True)
    __table_args__ = (
        Index("ix_mailing_said_at", "said_at", "said",
              sqlite_where=text("said_at IS NOT NULL"), postgresql_where=text("said_at IS NOT NULL")),
    )  # fmt: skip


class InvitedMailbox(Row, table=True):
    """An invited mailbox, only by its hash. ``invited_at``: the invitations of the last day."""

    mailbox_hash: str = Field(primary_key=True, max_length=64)
    invited_at: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    last_at: int = _time(index=True)
    never_since: int | None = _time(null=True)
    """The time since when its owner refuses all invitations."""


class MailboxMessage(Row, table=True):
    """Embedded profile: a mail in the local mailbox."""

    __tablename__ = "mailbox"
    id: int | None = Field(default=None, primary_key=True)
    received_at: int = _time()
    sender: str = Field(max_length=254)
    recipient: str = Field(max_length=254, index=True)
    subject: str = Field(default="", max_length=300)
    message_id: str = Field(default="", max_length=300)
    source: bytes = _bytes()


# ==== other channels ==============================================================================
class Webhook(Row, table=True):
    """A person's address that gets the same notices as their mailbox.

    The secret for its signatures is not stored: it follows from ``nonce`` and a key of the installation.
    """

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True, ondelete="CASCADE")
    url: str = Field(max_length=500)
    kinds: str = Field(max_length=300)
    """The kinds of notices that it gets, separated by spaces."""
    nonce: str = Field(max_length=32)
    secret_hash: str = Field(max_length=64)
    enabled: bool = True
    created_at: int = _time()
    failures: int = 0
    """Consecutive failures that a retry is unlikely to solve."""
    accepted_at: int | None = _time(null=True)
    failed_at: int | None = _time(null=True)
    error: str = Field(default="", max_length=300)
    """The cause of the last failure, in words."""
    disabled_for: str = Field(default="", max_length=300)
    """Why the service switched it off; "" if its owner did, or if it is on."""
    push: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    """The keys of a browser, if this is a device (`service.notices.push`); then ``secret_hash`` is that of our public
    key."""


class WebhookCall(Row, table=True):
    """A call owed to a webhook: its outbox, written in the transaction of the plies that make it due.

    ``state``: pending, leased, sent, superseded, dead. ``key``: lets the receiver recognise repetitions.
    ``notice_key``: the key of the matching notice.
    """

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


class Feed(Row, table=True):
    """A secret address for a calendar or a feed reader. Only the hash of its token is stored."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", ondelete="CASCADE")
    kind: str = Field(primary_key=True, max_length=10)
    """calendar or story"""
    token_hash: str = Field(unique=True, max_length=64)
    created_at: int = _time()
    used_at: int | None = _time(null=True)
