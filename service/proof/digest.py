"""Hash every ply of given logs with one version of the code. ``slowtrain compare`` runs it with two.

Standard input has one JSON object a line: {"game", "title", "secret", "plies": [[open, [[seat, body]]], ..]}. Standard
output has one for each: {"game", "plies": [{what: hash}, ..], "error": text or null}. The script needs only `domain`,
so it runs with the code of any release.

``--pruned`` omits empty values from the hashes, so that a new field without content is no difference.
``--whole 7,12`` writes the values of these plies alone, instead of hashes.
``--face`` adds each ply as people see it (`service.proof.face`), for which it needs `service.words`, too.
``--renamed old=new`` renames the field ``old`` of states and of the table to ``new``. It may be repeated.
"""

import argparse
import hashlib
import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

import domain
from domain.chain import Ply, SealedPart
from domain.game import Game, advance, fold
from domain.refusal import Refused

try:
    from domain.play import decide
except ImportError:  # an earlier release, whose `decide` stands in `domain.game`
    from domain.game import decide  # type: ignore[attr-defined, no-redef]
try:
    from domain.timekeeping import as_told
except ImportError:  # a release without clocks
    as_told = None  # type: ignore[assignment]

RENAMED = ("state", "table")
"""Values in which a field may be renamed: names elsewhere are not internal."""

_json = msgspec.json.Encoder().encode


def _encode(value: Any) -> bytes:
    """Encode as JSON that is the same for equal values: sets and the numbers of seats are sorted."""
    return _json(msgspec.to_builtins(value, str_keys=True, order="deterministic", enc_hook=msgspec.json.decode))


def plies_of(asked: Any, with_face: bool = False) -> Iterator[dict[str, Any]]:
    """For every ply of a log: the decision of the rules, the position after it, and its face for people."""
    if with_face:
        from service.proof.face import face
    title = domain.TITLES[asked["title"]]
    secret = bytes.fromhex(asked["secret"])
    log: list[Ply] = []
    game = fold(asked["game"], title, ())

    def past(version: int) -> Game:
        return fold(asked["game"], title, log[:version])

    for body, sealed in asked["plies"]:
        parts = [SealedPart(at, seat, it.encode()) for at, (seat, it) in enumerate(sealed)]
        ply = title.chain.decode(body.encode(), parts)
        log.append(ply)
        decided = decision(game, ply, secret, past)
        before, game = game, advance(game, ply, past)
        met = face(before, ply, game) if with_face else {}
        yield {"read": [ply.command, ply.events], "decided": decided, **standing(game), **met}


def decision(game: Game, ply: Ply, secret: bytes, past: Any) -> Any:
    """Decide the ply's command: events and draws, or a refusal."""
    more = () if as_told is None else (past, as_told(ply.events))
    try:
        again = decide(game, ply.seat, ply.command, ply.at, ply.cause, secret, *more)
    except Refused as refused:
        return f"refused: {refused}"
    except Exception as error:  # a command that another version cannot decide is a difference, too
        return f"failed: {error!r}"
    return {"events": again.events, "draws": again.draws}


def standing(game: Game) -> dict[str, Any]:
    """The position: its state, the views of each seat and a spectator, the seats that are asked, the result."""
    running = game.table is not None and game.table.status == "running"
    view = getattr(game.title, "view", None) or game.title.rules.view  # in a release whose titles had no halves
    eyes = [None, *sorted(game.table.chairs)] if game.table is not None and running else []
    views = {f"view of {'a spectator' if it is None else f'seat {it}'}": view(game.state, it) for it in eyes}
    return {
        "state": game.state if running else None, **views, "table": game.table, "asked": game.asked,
        "status": game.status, "result": game.result if running else None,
    }  # fmt: skip


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return ``value`` with fields renamed: structs become dicts, all else stays."""
    if isinstance(value, msgspec.Struct):
        kind = type(value).__struct_config__
        told = {} if kind.tag is None else {kind.tag_field: kind.tag}
        fields = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
        return {**told, **{names.get(said, said): renamed(getattr(value, name), names) for name, said in fields}}
    if isinstance(value, Mapping):
        return {key: renamed(each, names) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [renamed(each, names) for each in value]
    return value


def digest(value: Any, prune: bool) -> str:
    return hashlib.sha256(_encode(pruned(value) if prune else value)).hexdigest()[:16]


def pruned(value: Any) -> Any:
    """Return ``value`` as plain data without empty values."""
    plain = msgspec.json.decode(_encode(value))
    return _without_empty(plain)


def _without_empty(plain: Any) -> Any:
    if isinstance(plain, dict):
        kept = {name: _without_empty(value) for name, value in plain.items()}
        return {name: value for name, value in kept.items() if value not in (None, {}, [])}
    return [_without_empty(value) for value in plain] if isinstance(plain, list) else plain


def answer(
    asked: Any, whole: Collection[int], prune: bool, names: Mapping[str, str], with_face: bool
) -> dict[str, Any]:
    found: list[Any] = []
    try:
        for number, each in enumerate(plies_of(asked, with_face), 1):
            if names:
                each |= {what: renamed(each[what], names) for what in RENAMED}
            if not whole:
                found.append({what: digest(value, prune) for what, value in each.items()})
            elif number in whole:
                found.append({what: pruned(value) for what, value in each.items()})
    except msgspec.MsgspecError as error:
        return {"game": asked["game"], "plies": found, "error": f"the log is not readable: {error}"[:300]}
    except Exception as error:  # this code cannot go on with the log: say where
        return {"game": asked["game"], "plies": found, "error": repr(error)[:300]}
    return {"game": asked["game"], "plies": found, "error": None}


def main() -> None:
    parser = argparse.ArgumentParser(description="Say what this code makes of the logs on standard input.")
    parser.add_argument("--whole", type=lambda given: [int(ply) for ply in given.split(",")], default=())
    parser.add_argument("--pruned", action="store_true")
    parser.add_argument("--face", action="store_true")
    parser.add_argument("--renamed", type=lambda given: given.split("="), action="append", default=[])
    given = parser.parse_args()
    for line in sys.stdin.buffer:
        found = answer(msgspec.json.decode(line), given.whole, given.pruned, dict(given.renamed), given.face)
        sys.stdout.buffer.write(_encode(found) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
