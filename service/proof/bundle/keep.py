"""Importing a bundle into a store: it is proved first, stored byte for byte, and proved again in the store.

An imported game is finished and has no people: no host, no players, no mail. Only a bundle of everything can be
imported, since half a log would prove nothing.
"""

import re
from typing import NamedTuple

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from domain.game import Game, fold
from service.database.store import GAMES, PLIES, RESULTS, SEALED, SECRETS, Store
from service.proof.audit import Evidence, verify
from service.proof.bundle.format import Bundle, read, stored_plies
from service.proof.bundle.prove import prove
from service.proof.verdicts import Verdict
from service.words import ENGLISH, called

_ADDRESS = re.compile(r"[0-9a-z]{1,26}")
"""A game's id in addresses. A bundle may have other ids (those of the tests)."""


class NotImported(Exception):
    """The bundle is not imported. It says why."""


class NotProved(NotImported):
    """The bundle has no fault, but is not fully checked against the rules."""


class Kept(NamedTuple):
    """An imported game. ``new``: the store did not have it before."""

    bundle: Bundle
    new: bool
    verdict: Verdict


def keep(store: Store, raw: bytes, *, name: str = "", public: bool = True, unproved: bool = False) -> Kept:
    """Import the game in a file. ``unproved``: allow plies that were only replayed.

    Raises `NotImported`, `NotProved`, `Unreadable` and `Busy`.
    """
    reading = read(raw)
    proof = prove(reading, store.titles)
    bundle, verdict = reading.bundle, proof.verdict
    if proof.fault is not None:
        raise NotImported(str(proof.fault))
    if bundle.secret is None:
        raise NotImported(f"Only a game that has ended can be imported; this one is {bundle.header.status}.")
    if not _ADDRESS.fullmatch(bundle.header.game):
        raise NotImported(f"“{bundle.header.game}” cannot be the address of a game here.")
    if not (verdict.proved or unproved):
        raise NotProved(str(verdict))
    try:
        with store.write() as conn:
            if _is_here(conn, bundle):
                return Kept(bundle, False, verdict)
            _write(conn, store, bundle, name, public)
            _prove_again(conn, store, bundle)
    except IntegrityError:  # imported by somebody else just now
        with store.read() as conn:
            if not _is_here(conn, bundle):
                raise
        return Kept(bundle, False, verdict)
    return Kept(bundle, True, verdict)


def _is_here(conn: Connection, bundle: Bundle) -> bool:
    """Is the same log here already? Another log under the same id is refused."""
    head = conn.execute(select(GAMES.c.head).where(GAMES.c.id == bundle.header.game)).scalar_one_or_none()
    if head is None:
        return False
    if head.hex() != bundle.header.head:
        raise NotImported(f"There is a game {bundle.header.game} here already, with another log.")
    return True


def _prove_again(conn: Connection, store: Store, bundle: Bundle) -> None:
    """Prove the game as stored. If it differs from the file, nothing of it stays."""
    row = conn.execute(select(GAMES, SECRETS.c.secret).join(SECRETS).where(GAMES.c.id == bundle.header.game)).one()
    plies = store.stored_plies(conn, row.id, 0, row.version)
    report, _ = verify(Evidence(row.id, store.titles[row.title], plies, row.secret))
    if report.faults:
        raise NotImported(str(report.faults[0]))
    if plies != stored_plies(bundle):
        raise NotImported("The store does not hold the bytes of the file.")


def _write(conn: Connection, store: Store, bundle: Bundle, name: str, public: bool) -> None:
    header, plies = bundle.header, stored_plies(bundle)
    assert bundle.secret is not None
    secret = bytes.fromhex(bundle.secret)
    title = store.titles[header.title]
    read = [title.chain.decode(it.open, it.sealed) for it in plies]
    times = [ply.at for ply in read]
    game = fold(header.game, title, read)
    row = {
        "id": header.game, "title": header.title, "name": name or called(title, ENGLISH), "seats": header.seats,
        "host_id": None, "public": public, "invite_hash": None, "invites": 0, "version": len(plies),
        "head": plies[-1].link, "status": game.status, "asked": list(game.asked), "bot_at": None,
        "created_at": times[0], "moved_at": times[-1], "ended_at": times[-1],
    }  # fmt: skip
    conn.execute(insert(GAMES), row)
    conn.execute(insert(SECRETS), {"game_id": header.game, "secret": secret})
    conn.execute(
        insert(PLIES),
        [
            {"game_id": header.game, "ply": it.number, "body": it.open, "link": it.link, "submission_id": None}
            for it in plies
        ],
    )
    parts = [
        {"game_id": header.game, "ply": it.number, "part": part.index, "seat": part.seat, "body": part.body}
        for it in plies
        for part in it.sealed
    ]
    if parts:
        conn.execute(insert(SEALED), parts)
    _write_result(conn, game)


def _write_result(conn: Connection, game: Game) -> None:
    if game.status == "over" and game.result is not None:
        conn.execute(
            insert(RESULTS),
            [
                {"game_id": game.id, "seat": line.seat, "place": line.place, "total": line.total}
                for line in game.result.standings
            ],
        )
