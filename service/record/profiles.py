"""A person's profile, as one reader sees it, at a random address. Names are not unique, so no address names a person.

It is computed from finished games that the reader may see anyway, and from nothing else: times in running games would
tell of sealed answers, and nobody is shown as online. Its owner can hide each part.
"""

import hashlib
import secrets
from collections.abc import Collection
from typing import Annotated, Literal, get_args

import msgspec
from sqlalchemy import Connection, bindparam, select, update

from service.base.described import doc
from service.database.compiled import Compiled
from service.database.store import PERSONS, SEATS
from service.record.ratings import Rating
from service.record.reading import Encounters, RecordedGame, Results, TimeToMove, Wanted, record
from service.words import ENGLISH

Part = Literal["games", "results", "head_to_head", "reliability", "times", "ratings"]
PARTS: tuple[Part, ...] = get_args(Part)
LATEST = 20
"""Games that a profile lists."""


class NoSuchProfile(LookupError):
    """There is no profile at this address."""


class ProfileGame(msgspec.Struct, frozen=True):
    """A finished game of a profile."""

    game: str
    name: str
    title: str
    place: Annotated[int | None, doc("Null if they left before the end.")]
    seats: int


class Reliability(msgspec.Struct, frozen=True):
    """How often a person plays to the end."""

    games: int
    finished: Annotated[int, doc("Games that they played to the end.")]
    time_outs: Annotated[int, doc("Games that ended for them because their time ran out.")]


class Profile(msgspec.Struct, frozen=True):
    """A profile. A hidden part is None; for its owner nothing is hidden."""

    address: str
    name: str
    own: Annotated[bool, doc("Is it the caller's own?")]
    hidden: Annotated[tuple[str, ...], doc("The parts that its owner hides.")]
    games: tuple[ProfileGame, ...] | None
    results: tuple[Results, ...] | None
    head_to_head: Annotated[tuple[Encounters, ...] | None, doc("Their results against the caller.")]
    reliability: Reliability | None
    times: tuple[TimeToMove, ...] | None
    ratings: tuple[Rating, ...] | None


# ==== addresses ===================================================================================
def new_address() -> str:
    return secrets.token_hex(11)


def person_behind(conn: Connection, address: str) -> int:
    """Return the number of the person with this profile. Raises `NoSuchProfile`."""
    found = conn.execute(select(PERSONS.c.id).where(PERSONS.c.profile == address)).scalar_one_or_none()
    if found is None:
        raise NoSuchProfile
    return int(found)


def renew(conn: Connection, person_id: int) -> str:
    """Give a person's profile another address; the old one leads nowhere any more."""
    conn.execute(update(PERSONS).where(PERSONS.c.id == person_id).values(profile=(address := new_address())))
    return address


def hide(conn: Connection, person_id: int, parts: Collection[Part]) -> None:
    """Hide exactly these parts of a person's profile."""
    hides = " ".join(it for it in PARTS if it in parts)
    conn.execute(update(PERSONS).where(PERSONS.c.id == person_id).values(hides=hides))


_ADDRESSES = select(SEATS.c.game_id, SEATS.c.seat, PERSONS.c.profile).join(PERSONS, PERSONS.c.id == SEATS.c.person_id)
_ADDRESSES = _ADDRESSES.where(PERSONS.c.profile.is_not(None))
_ADDRESSES_AT = Compiled(_ADDRESSES.where(SEATS.c.game_id == bindparam("game")))


def addresses_at(conn: Connection, game_id: str) -> dict[int, str]:
    """Return seat -> the address of its person's profile."""
    return {it.seat: it.profile for it in _ADDRESSES_AT.rows(conn, game=game_id)}


def addresses_in(conn: Connection, game_ids: Collection[str]) -> dict[str, dict[int, str]]:
    """Return game id -> seat -> the address of its person's profile."""
    found: dict[str, dict[int, str]] = {}
    for it in conn.execute(_ADDRESSES.where(SEATS.c.game_id.in_(game_ids))):
        found.setdefault(it.game_id, {})[it.seat] = it.profile
    return found


# ==== reading =====================================================================================
def profile(conn: Connection, address: str, reader: int | None, lang: str = ENGLISH) -> Profile:
    """Return a profile as ``reader`` (None: unknown) sees it. Raises `NoSuchProfile`."""
    person_id = person_behind(conn, address)
    row = conn.execute(select(PERSONS.c.name, PERSONS.c.hides).where(PERSONS.c.id == person_id)).one()
    hidden = tuple(row.hides.split())
    own = person_id == reader
    found = record(conn, person_id, lang, Wanted(reader=0 if reader is None else reader))
    theirs = _own(conn, reader)
    shown = {
        "games": tuple(_game(it) for it in found.games[:LATEST] if it.game is not None),
        "results": found.by_title,
        "head_to_head": tuple(it for it in found.people if it.profile is not None and it.profile == theirs),
        "reliability": _reliability(found.games),
        "times": found.time_to_move,
        "ratings": found.ratings,
    }
    seen = {part: None if part in hidden and not own else it for part, it in shown.items()}
    return Profile(address, row.name, own, hidden, **seen)  # type: ignore[arg-type]


def _own(conn: Connection, reader: int | None) -> str | None:
    """Return the address of the reader's own profile."""
    return conn.execute(select(PERSONS.c.profile).where(PERSONS.c.id == reader)).scalar_one_or_none()


def _game(game: RecordedGame) -> ProfileGame:
    return ProfileGame(game.game or "", game.name, game.title, game.place if game.counts else None, game.seats)


def _reliability(games: Collection[RecordedGame]) -> Reliability:
    finished = sum(it.counts for it in games)
    out = sum(it.leaving in ("timed_out", "replaced") or it.played_by in ("bot", "clock") for it in games)
    return Reliability(len(games), finished, out)


# ==== the avatar ==================================================================================
CELLS = 5


def avatar(address: str) -> str:
    """Return a picture for the profile at an address, as SVG: a symmetrical pattern of its own, in one colour."""
    drawn = hashlib.sha256(f"avatar {address}".encode()).digest()
    cells = "".join(
        f'<path d="M{x} {y}h1v1h-1z"/>'
        for y in range(CELLS)
        for x in range(CELLS)
        if drawn[y * 3 + min(x, CELLS - 1 - x)] % 2
    )
    hue = int.from_bytes(drawn[-2:]) % 360
    ground = f'<path d="M0 0h{CELLS}v{CELLS}H0z" fill="hsl({hue} 35% 88%)"/>'
    box = f"0 0 {CELLS} {CELLS}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="avatar" viewBox="{box}" aria-hidden="true">{ground}'
        f'<g fill="hsl({hue} 55% 32%)">{cells}</g></svg>'
    )
