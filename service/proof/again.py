"""Decide the plies of one version of the rules again, with the code of its release, for ``slowtrain verify --release``.

Standard input has one JSON object a line: {"game", "title", "secret", "rules", "plies": [[open, [[seat, body]]], ..]}:
a log from its first ply. Standard output has one object for each: {"release", "knows", "decided": [number, ..],
"wrong": [number, text] or null}. ``decided``: the plies of version ``rules`` that gave the same bytes again, up to the
first that did not. ``knows``: the code decides the title by that version. Plies of later versions are left alone. The
script needs only `domain`, so it runs with the code of any release.
"""

import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

import domain
from domain.chain import Ply, SealedPart
from domain.game import Game, advance, fold
from domain.refusal import Refused

try:
    from domain.play import decide
except ImportError:  # a release that has it in the module of the fold
    from domain.game import decide  # type: ignore[attr-defined, no-redef]
try:
    from domain.timekeeping import as_told
except ImportError:  # a release without clocks
    as_told = None  # type: ignore[assignment]


def answer(asked: Any) -> dict[str, Any]:
    title, rules = domain.TITLES.get(asked["title"]), asked["rules"]
    said: dict[str, Any] = {"release": release(), "knows": False, "decided": [], "wrong": None}
    if title is None or rules not in (getattr(title, "editions", None) or {_version(title)}):
        return said
    said["knows"] = True
    log: list[Ply] = []
    game = fold(asked["game"], title, ())

    def past(version: int) -> Game:
        return fold(asked["game"], title, log[:version])

    secret = bytes.fromhex(asked["secret"])
    for number, (open_part, sealed) in enumerate(asked["plies"], 1):
        parts = tuple(SealedPart(at, seat, body.encode()) for at, (seat, body) in enumerate(sealed))
        try:
            if msgspec.json.decode(open_part)["rules"] > rules:
                break
            ply = title.chain.decode(open_part.encode(), parts)
            if ply.rules == rules:
                again = decided(game, ply, secret, past)
                same = title.chain.encode(again) == (open_part.encode(), parts)
                if not same and not (title.codec.upcasters and again == ply):
                    said["wrong"] = [
                        number,
                        "rechecking it against the rules gives bytes that differ from the log.",
                        {},
                    ]
                    break
                said["decided"].append(number)
            log.append(ply)
            game = advance(game, ply, past)
        except Refused as refused:
            said["wrong"] = [number, "the rules refuse its command: {why}", {"why": str(refused)}]
            break
        except Exception as error:  # a forged log can make the rules raise anything
            said["wrong"] = [
                number,
                "its command cannot be checked against the rules: {error}",
                {"error": repr(error)[:300]},
            ]
            break
    return said


def decided(game: Game, ply: Ply, secret: bytes, past: Any) -> Ply:
    """Decide a ply's command again by the rules of its version."""
    more: tuple[Any, ...] = () if as_told is None else (past, as_told(ply.events))
    other: dict[str, Any] = {} if ply.rules == _version(game.title) else {"rules": ply.rules}
    return decide(game, ply.seat, ply.command, ply.at, ply.cause, secret, *more, **other)


def _version(title: Any) -> int:
    """Return the version of its rules; earlier releases gave it another form."""
    return int(getattr(title.rules, "version", title.rules))


def release() -> str:
    """The version of this code."""
    project = Path("pyproject.toml")
    if project.is_file():
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
    try:
        return version("slowtrain")
    except PackageNotFoundError:
        return "unknown"


def main() -> None:
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(answer(msgspec.json.decode(line))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
