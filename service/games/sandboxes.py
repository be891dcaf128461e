"""Sandboxes: private positions that people play on aside from their games, and can change.

Nothing here writes a row of a game. A sandbox reads a position as its viewer sees it (`domain.fork`) and keeps the
plies from there in tables of its own. It owes no mail, is not rated, and enters no game's log.
"""

import random
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from domain import fork
from domain.chain import Ply
from domain.chance import FreeChance
from domain.fork import Start, UnreadableStart
from domain.game import Game
from domain.messages import Command
from domain.play import decide_all
from domain.refusal import Refused
from domain.title import Title
from service.database.compiled import Compiled
from service.database.store import NoSuchVersion, Store, Stored
from service.database.tables import Sandbox as SandboxRow
from service.database.tables import SandboxPly, table_of
from service.database.work import Work
from service.games import queries
from service.games.opening import new_id
from service.games.play import Answer, Stale, SubmissionReused
from service.games.queries import Occupant, Seen
from service.games.rights import Asking, must_be, see
from service.words import ENGLISH

SANDBOXES, SANDBOX_PLIES = table_of(SandboxRow), table_of(SandboxPly)

SANDBOXES_EACH = 50
MOST_PLIES = 2000
BOTS_AT_ONCE = 500
"""Plies after which bots pause, to let other requests run; the next request continues."""
NAME_LENGTH, NOTE_LENGTH = 80, 2000


class NoSuchSandbox(LookupError):
    """The person has no sandbox with this id."""


class Sandbox(msgspec.Struct, frozen=True):
    """A sandbox. ``row``: its columns. ``plies``: all of them, also those after the current step.

    ``game``: its current position, as a game whose version is the number of plies since the sandbox began.
    """

    row: Any
    start: Start
    plies: tuple[Ply, ...]
    game: Game
    places: dict[int, Occupant]

    @property
    def title(self) -> Title:
        return self.game.title

    @property
    def bots(self) -> dict[int, str]:
        """Seat number -> the bot that plays it."""
        return {int(seat): bot for seat, bot in self.row.bots.items()}

    @property
    def asked(self) -> tuple[int, ...]:
        return self.game.asked

    def eyes(self, wanted: int | None = None) -> int:
        """The seat whose view to show: the wanted one, else one to move, preferably played by hand."""
        chairs = self.start.seats
        by_hand = [seat for seat in self.asked if seat not in self.bots]
        candidates = (wanted, *by_hand, *self.asked, self.row.seat)
        return next((seat for seat in candidates if seat in chairs), min(chairs))

    def seen(self, eyes: int) -> Seen:
        """The position as one seat sees it, for everything that shows positions."""
        stored = Stored(self.row, self.game, self.row.secret, b"")
        return Seen(stored, self.row.person_id, eyes, False, self.places)


# ==== beginning ===================================================================================
def begin(
    work: Work,
    actor: Asking,
    game_id: str,
    version: int | None = None,
    *,
    name: str = "",
    at: int,
    submission_id: str | None = None,
) -> str:
    """Begin a sandbox at a position (``version`` None: the present) of a game the actor may see. Return its id.

    Of a running game it takes what the actor saw at ``version`` and fills in the rest at random. Of a finished game it
    takes the position as it was. A repeated ``submission_id`` finds the same sandbox. Raises `Forbidden`, `NoSuchGame`,
    `Refused` (ST 10), `NoSuchVersion` if the game had not started by then, `SubmissionReused`.
    """
    store, who = work.store, must_be(actor, "play")
    seen = see(work, actor, game_id)
    version = seen.game.version if version is None else version
    with store.read() as conn:
        then = queries.position(store, conn, seen, version)
    if then.table is None or then.table.status != "running":
        raise NoSuchVersion(version)
    chance = FreeChance(random.SystemRandom())
    start = fork.as_it_was(then) if seen.reveals else fork.imagined(then, seen.seat, chance)
    row: dict[str, Any] = {
        "id": new_id("sandbox", who, submission_id), "person_id": who, "game_id": seen.game.id,
        "version": version, "seat": seen.seat, "imagined": not seen.reveals, "title": seen.title.id,
        "rules": seen.title.rules.version, "name": name or seen.row.name, "note": "", "bots": {},
        "start": fork.write_start(start), "secret": secrets.token_bytes(32), "ply": 0, "last": 0, "revision": 1,
        "created_at": at, "updated_at": at,
    }  # fmt: skip
    try:
        with store.write() as conn:
            mine = select(func.count()).where(SANDBOXES.c.person_id == who)
            known = conn.execute(select(SANDBOXES.c.id).where(SANDBOXES.c.id == row["id"])).first()
            if not known and conn.execute(mine).scalar_one() >= SANDBOXES_EACH:
                raise Refused("ST 10", "You already have {most} sandboxes. Delete one first.", most=SANDBOXES_EACH)
            conn.execute(insert(SANDBOXES), row)
    except IntegrityError:
        with store.read() as conn:
            before = row_of(conn, who, row["id"])
        if (before.game_id, before.version) != (seen.game.id, version):
            raise SubmissionReused from None
    return str(row["id"])


# ==== reading =====================================================================================
_LINE = tuple(column for column in SANDBOXES.c if column.name not in ("start", "secret"))


_MINE = select(*_LINE).where(SANDBOXES.c.person_id == bindparam("person"))
_LATEST = SANDBOXES.c.updated_at.desc(), SANDBOXES.c.id
_ALL_MINE = Compiled(_MINE.order_by(*_LATEST))
_OF_GAME = Compiled(_MINE.where(SANDBOXES.c.game_id == bindparam("game")).order_by(*_LATEST))


def mine(conn: Connection, person_id: int, game_id: str | None = None) -> Sequence[Any]:
    """The rows of a person's sandboxes (of one game), without their contents, the last changed first."""
    if game_id is None:
        return _ALL_MINE.rows(conn, person=person_id)
    return _OF_GAME.rows(conn, person=person_id, game=game_id)


def load(store: Store, conn: Connection, person_id: int, sandbox_id: str, lang: str = ENGLISH) -> Sandbox:
    """A sandbox of this person. Raises `NoSuchSandbox`, `UnreadableStart`."""
    row = row_of(conn, person_id, sandbox_id)
    title = store.titles.get(row.title)
    if title is None:
        raise UnreadableStart(f"there is no title {row.title} here")
    start = fork.read_start(title, row.start)
    kept = select(SANDBOX_PLIES.c.body).where(SANDBOX_PLIES.c.sandbox_id == sandbox_id).order_by(SANDBOX_PLIES.c.ply)
    plies = tuple(fork.read_ply(title, body) for body in conn.scalars(kept))
    game = fork.played(sandbox_id, title, start, plies[: row.ply])
    return Sandbox(row, start, plies, game, queries.places(conn, row.game_id, lang))


def row_of(conn: Connection, person_id: int, sandbox_id: str) -> Any:
    """The columns of a sandbox of this person, even if its content can no longer be read. Raises `NoSuchSandbox`."""
    here = SANDBOXES.c.id == sandbox_id, SANDBOXES.c.person_id == person_id
    row = conn.execute(select(SANDBOXES).where(*here)).one_or_none()
    if row is None:
        raise NoSuchSandbox(sandbox_id)
    return row


# ==== playing =====================================================================================
def move(
    work: Work, actor: Asking, sandbox_id: str, seat: int, commands: Sequence[Command], *, revision: int | None, at: int
) -> Answer:
    """Give commands for any seat, then let the bots play their turns. Later plies than the current step are deleted.

    ``revision``: that of the sandbox when the commands were chosen (None: the present one). Raises `Refused`, `Stale`,
    `NoSuchSandbox`, `UnreadableStart`; then nothing was changed.
    """
    box = _opened(work, actor, sandbox_id, revision)
    _demand_room(box)
    decided = decide_all(box.game, seat, commands, at, "player", box.row.secret)
    plies = decided.plies
    if decided.refusal is None:
        plies += _answers(box, decided.game, box.bots, at)
    after = _append(work, box, plies, at)
    return Answer(after, [ply.number for ply in plies], decided.refusal, decided.refused_at)


def play_on(
    work: Work, actor: Asking, sandbox_id: str, *, everybody: str | None = None, revision: int | None, at: int
) -> Answer:
    """Let the bots play until a seat that is played by hand is asked. ``everybody``: this bot plays all, to the end.

    They stop after `BOTS_AT_ONCE` plies. Raises the errors of `move`.
    """
    box = _opened(work, actor, sandbox_id, revision)
    _demand_room(box)
    if box.game.status == "over":
        raise Refused(box.title.cites["over"], "The game is over.")
    bots = box.bots if everybody is None else dict.fromkeys(box.start.seats, everybody)
    _demand_bots(box, bots)
    if not any(seat in bots for seat in box.asked):
        raise Refused("ST 10", "{seat} is to move, and you play that seat yourself.", seat=box.asked[0])
    plies = _answers(box, box.game, bots, at)
    return Answer(_append(work, box, plies, at), [ply.number for ply in plies])


def _answers(box: Sandbox, game: Game, bots: Mapping[int, str], at: int) -> tuple[Ply, ...]:
    most = min(BOTS_AT_ONCE, MOST_PLIES - game.version)
    return fork.play_on(game, bots, box.row.secret, at, random.SystemRandom(), most).plies


def step(work: Work, actor: Asking, sandbox_id: str, to: int, *, revision: int | None, at: int) -> int:
    """Step back or forward to the position after ply ``to`` (0: the beginning). Return the new revision."""
    with work.reading() as conn:
        row = row_of(conn, must_be(actor, "play"), sandbox_id)
    _demand(row, revision)
    if not 0 <= to <= row.last:
        raise Refused("ST 10", "This sandbox has moves 0 to {last}.", last=row.last)
    with work.store.write() as conn:
        return _change(conn, row, at, ply=to)


def _opened(work: Work, actor: Asking, sandbox_id: str, revision: int | None) -> Sandbox:
    """Load the sandbox for its owner to change it."""
    with work.reading() as conn:
        box = load(work.store, conn, must_be(actor, "play"), sandbox_id)
    _demand(box.row, revision)
    return box


def _demand(row: Any, revision: int | None) -> None:
    if revision is not None and revision != row.revision:
        raise Stale(row.revision)


def _demand_room(box: Sandbox) -> None:
    if box.row.ply >= MOST_PLIES:
        raise Refused(
            "ST 10", "A sandbox can have at most {most} moves. Step back or start another sandbox.", most=MOST_PLIES
        )


def _demand_bots(box: Sandbox, bots: Mapping[int, str]) -> None:
    chairs = box.start.seats
    if any(bot not in box.title.bots for bot in bots.values()):
        raise Refused("ST 10", "There is no such bot.")
    if any(seat not in chairs for seat in bots):
        raise Refused("ST 10", "This table has {seats} seats.", seats=len(chairs))


def _append(work: Work, box: Sandbox, plies: Sequence[Ply], at: int) -> int:
    """Append ``plies`` at the sandbox's current step. Return the new revision."""
    row, last = box.row, box.row.ply + len(plies)
    bodies = [{"sandbox_id": row.id, "ply": ply.number, "body": fork.write_ply(box.title, ply)} for ply in plies]
    with work.store.write() as conn:
        revision = _change(conn, row, at, ply=last, last=last)
        behind = SANDBOX_PLIES.c.sandbox_id == row.id, SANDBOX_PLIES.c.ply > row.ply
        conn.execute(delete(SANDBOX_PLIES).where(*behind))
        conn.execute(insert(SANDBOX_PLIES), bodies)
    return revision


def _change(conn: Connection, row: Any, at: int, **changes: Any) -> int:
    """Change a row if it still has the revision of ``row``. Return the new one. Raises `Stale`, `NoSuchSandbox`."""
    here = SANDBOXES.c.id == row.id, SANDBOXES.c.person_id == row.person_id
    changed = update(SANDBOXES).where(*here, SANDBOXES.c.revision == row.revision)
    if conn.execute(changed.values(revision=row.revision + 1, updated_at=at, **changes)).rowcount != 1:
        raise Stale(row_of(conn, row.person_id, row.id).revision)
    return int(row.revision) + 1


# ==== keeping =====================================================================================
def set_bots(
    work: Work, actor: Asking, sandbox_id: str, bots: Mapping[int, str], *, revision: int | None = None, at: int
) -> int:
    """Set the bots of seats; the others are played by hand. Return the new revision. Raises the errors of `move`."""
    box = _opened(work, actor, sandbox_id, revision)
    _demand_bots(box, bots)
    with work.store.write() as conn:
        return _change(conn, box.row, at, bots={str(seat): bot for seat, bot in sorted(bots.items())})


def describe(work: Work, actor: Asking, sandbox_id: str, *, name: str | None, note: str | None, at: int) -> None:
    """Give a sandbox another name or note; the caller has checked their shape. Raises `NoSuchSandbox`."""
    person_id = must_be(actor, "play")
    given = {"name": name, "note": note}
    changes = {field: text for field, text in given.items() if text is not None}
    here = SANDBOXES.c.id == sandbox_id, SANDBOXES.c.person_id == person_id
    with work.store.write() as conn:
        if conn.execute(update(SANDBOXES).where(*here).values(updated_at=at, **changes)).rowcount != 1:
            raise NoSuchSandbox(sandbox_id)


def throw_away(work: Work, actor: Asking, sandbox_id: str) -> None:
    """Delete a sandbox. Raises `NoSuchSandbox`."""
    person_id = must_be(actor, "play")
    here = SANDBOXES.c.id == sandbox_id, SANDBOXES.c.person_id == person_id
    with work.store.write() as conn:
        if conn.execute(delete(SANDBOXES).where(*here)).rowcount != 1:
            raise NoSuchSandbox(sandbox_id)


def held(conn: Connection, person_id: int) -> dict[str, dict[str, Any]]:
    """The content of each of a person's sandboxes, by its id, for an export: JSON as stored."""
    mine = select(SANDBOXES.c.id, SANDBOXES.c.start).where(SANDBOXES.c.person_id == person_id)
    found: dict[str, dict[str, Any]] = {
        row.id: {"start": msgspec.Raw(row.start), "plies": []} for row in conn.execute(mine)
    }
    played = select(SANDBOX_PLIES).where(SANDBOX_PLIES.c.sandbox_id.in_(found))
    for ply in conn.execute(played.order_by(SANDBOX_PLIES.c.sandbox_id, SANDBOX_PLIES.c.ply)):
        found[ply.sandbox_id]["plies"].append(msgspec.Raw(ply.body))
    return found


def forget_name(conn: Connection, game_id: str, name: str, instead: str) -> None:
    """Rename the sandboxes that still bear the former name of a game."""
    here = SANDBOXES.c.game_id == game_id, SANDBOXES.c.name == name
    conn.execute(update(SANDBOXES).where(*here).values(name=instead))
