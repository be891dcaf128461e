"""Bundles for tests: of recorded games, of unfinished random games, and of forgers who hash everything anew."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from domain import TITLES
from domain.chain import StoredPly, first_link
from domain.game import Game, fold
from domain.title import Title
from domain.words import Sentence
from service.database.store import Stored
from service.proof.bundle import make
from service.proof.bundle.format import Unreadable, write
from service.proof.bundle.prove import prove_file
from service.proof.verdicts import Fault
from tests import record, toy
from tests.contract.games import RandomGame
from tests.domain import byhand
from tests.service.proof.bundle.javascript import JavaScript

ALL = {**TITLES, "toy": toy.TITLE}
NEWEST = 3
"""The version of the rules of all titles."""


# ==== games =======================================================================================
def log_of(played: RandomGame, game_id: str, until: int | None = None) -> list[StoredPly]:
    """The plies of a random game in the form of a store."""
    link, log = first_link(game_id), []
    for ply in played.plies[:until]:
        log.append(played.title.chain.store(ply, link, game_id, played.secret))
        link = log[-1].link
    return log


@cache
def random_game(title: str, number: int, game_id: str = "") -> RandomGame:
    """A whole random game. Its dice follow from ``number``, as does its id if none is given."""
    game = RandomGame(ALL[title], number, id=game_id)
    for _ in game.steps():
        pass
    return game


def bundle_of(title: Title, game_id: str, secret: bytes, log: Sequence[StoredPly], seat: int | None = None) -> bytes:
    """The file of a log for ``seat``."""
    game = fold(game_id, title, [title.chain.decode(it.open, it.sealed) for it in log])
    return write(make.bundle(Stored(None, game, secret, log[-1].link), log, seat))


@cache
def finished(title: str, number: int, game_id: str = "") -> bytes:
    """The file of a finished random game, perhaps under another id."""
    played = random_game(title, number, game_id)
    return bundle_of(played.title, played.game.id, played.secret, log_of(played, played.game.id))


@cache
def running(title: str, number: int, seat: int | None, until: int) -> bytes:
    """The file of the same game for a seat while it ran."""
    played = random_game(title, number)
    return bundle_of(played.title, played.game.id, played.secret, log_of(played, played.game.id, until), seat)


def recorded(game: record.Recorded) -> bytes:
    return bundle_of(game.title, game.game_id, game.secret, game.stored)


def game_of(game: record.Recorded) -> Game:
    return fold(game.game_id, game.title, game.plies)


# ==== faults ======================================================================================
def faults(javascript: JavaScript, raw: bytes, fingerprints: Sequence[str] = ()) -> tuple[Fault | None, Fault | None]:
    """The first faults found by the program and by the page."""
    try:
        ours = prove_file(raw, ALL, fingerprints).fault
    except Unreadable as error:
        ours = Fault(Sentence(str(error)))
    found = javascript.verify(raw, "\n".join(fingerprints), NEWEST)["fault"]
    return ours, found and Fault(Sentence("{fault}", {"fault": javascript.say(found)}), found["ply"])


# ==== forgers =====================================================================================
Lines = list[dict[str, Any]]


def lines_of(raw: bytes) -> Lines:
    return [json.loads(line) for line in raw.decode().splitlines()]


_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def line(thing: Any) -> str:
    return _compact(thing).replace("<", "\\u003c")


def signed(lines: Lines) -> bytes:
    """The lines as a file with the right digest, whatever their content."""
    *body, end = lines
    before = "".join(line(each) + "\n" for each in body).encode()
    return before + (line({**end, "digest": byhand.sha256(before).hexdigest()}) + "\n").encode()


_commitment = cache(byhand.commitment)
"""Commitments are cached, since many files share the parts that a forger leaves alone."""


def hashed_anew(lines: Lines) -> bytes:
    """A forger's file: all links, and with the secret all keys and commitments, follow from the changed plies."""
    header, *plies, end = lines
    secret = end["secret"] and bytes.fromhex(end["secret"])
    link = byhand.first_link(header["game"])
    for number, ply in enumerate(plies, 1):
        for index, part in enumerate(ply["sealed"]):
            if "body" in part and secret:
                part["commitment"] = _commitment(secret, header["game"], number, index, part["body"].encode()).hex()
            elif "body" in part:
                part["commitment"] = byhand.hmac(bytes.fromhex(part["key"]), part["body"].encode()).hex()
        link = byhand.next_link(
            link, ply["open"].encode(), [bytes.fromhex(part["commitment"]) for part in ply["sealed"]]
        )
        ply["link"] = link.hex()
    return signed([{**header, "head": link.hex(), "plies": len(plies)}, *plies, {**end, "end": len(plies)}])


def edited(lines: Lines, number: int, edit: Callable[[Any], Any]) -> Lines:
    """The lines with the open part of ply ``number`` edited: compact JSON in and out."""
    ply = lines[number]
    changed = line(edit(json.loads(ply["open"]))).replace("\\u003c", "<")
    return [*lines[:number], {**ply, "open": changed}, *lines[number + 1 :]]
