"""Finished games as streams: recording them, and reading them back.

    python -m tests.record grand_trunk              # adds missing games to tests/games/grand_trunk/
    python -m tests.record grand_trunk --all        # every one of them anew, after the rules version was raised
    python -m tests.record --bundles ../games       # all that are recorded, of every title, as files for `slowtrain`

A title's ``tests/domain/<title>/ways.py`` names its ways to end (``WAYS``); there is a game for each, and one for every
value of every option. A file holds one line about the game (its secret is public by then) and one line for each ply:
the bytes as they lie in the store. A released file is never edited: it shows that old logs still replay.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from domain import TITLES
from domain.chain import Ply, SealedPart, StoredPly, first_link
from domain.game import Game
from domain.messages import Command
from domain.title import Title
from tests.contract.games import RandomGame, tables

GAMES = Path(__file__).parent / "games"
RELEASES = Path(__file__).parent / "releases"
MOST_TRIES = 6000


@dataclass
class Recorded:
    """A finished game in a file. ``result``: the final scores, as plain data."""

    title: Title
    game_id: str
    secret: bytes
    result: Any
    stored: list[StoredPly]

    @property
    def plies(self) -> list[Ply]:
        return [self.title.chain.decode(each.open, each.sealed) for each in self.stored]


# ==== files =======================================================================================
def files(title: str) -> list[Path]:
    return sorted((GAMES / title).glob("*.jsonl"))


def read(file: Path) -> Recorded:
    head, *lines = (json.loads(line) for line in file.read_text().splitlines())
    stored = [
        StoredPly(
            number,
            line["open"].encode(),
            tuple(SealedPart(index, seat, body.encode()) for index, seat, body in line["sealed"]),
            bytes.fromhex(line["link"]),
        )
        for number, line in enumerate(lines, 1)
    ]
    return Recorded(TITLES[head["title"]], head["game"], bytes.fromhex(head["secret"]), head["result"], stored)


def write(file: Path, game: RandomGame) -> None:
    result = msgspec.to_builtins(game.game.result)
    head = {"title": game.title.id, "game": game.game.id, "secret": game.secret.hex(), "result": result}
    lines, link = [head], first_link(game.game.id)
    for ply in game.plies:
        stored = game.title.chain.store(ply, link, game.game.id, game.secret)
        link = stored.link
        sealed = [[part.index, part.seat, part.body.decode()] for part in stored.sealed]
        lines.append({"open": stored.open.decode(), "sealed": sealed, "link": link.hex()})
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


# ==== recording ===================================================================================
def ways(title: Title) -> dict[str, Any]:
    return import_module(f"tests.domain.{title.id}.ways").WAYS


def missing_ways(title: Title, recorded: Sequence[tuple[list[Ply], Game]]) -> list[str]:
    return [name for name, way in ways(title).items() if not any(way(*each) for each in recorded)]


def option_values(options: Any) -> Iterator[tuple[str, Any]]:
    yield from msgspec.structs.asdict(options).items()


def missing_options(title: Title, recorded: Sequence[Any]) -> set[tuple[str, Any]]:
    """Return values of options that no recorded game has."""
    possible = {each for options, _ in tables(title) for each in option_values(options)}
    return possible - {each for options in recorded for each in option_values(options)}


def play(title: Title, number: int, options: Any = None, seats: int = 0, *, sensible: bool = False) -> RandomGame:
    """Play a whole game between bots; seats leave and undo now and then unless they are sensible."""
    dice = random.Random(number)

    def choose(game: Game, seat: int, actions: Sequence) -> Command:
        bot = title.bots["sensible" if sensible else "random"]
        return bot(title.rules.view(game.state, seat), dice)[0]

    game = RandomGame(title, number, options, seats, mischief=not sensible, choose=choose)
    for _ in game.steps():
        pass
    return game


def record(title: Title, again: bool) -> None:
    folder = GAMES / title.id
    if again:
        for file in files(title.id):
            file.unlink()
    from tests.contract.test_recorded_games import replayed

    by_option = [replayed(read(file))[1] for file in files(title.id) if not file.stem.startswith("ends_")]
    have_options = [msgspec.json.decode(game.table.options, type=title.seating.options) for game in by_option]
    for options, seats in reversed(tables(title)):  # the fullest tables first
        if set(option_values(options)) & missing_options(title, have_options):
            have_options.append(options)
            words = [name if value is True else value for name, value in option_values(options) if value is not False]
            name = "_".join([*words, str(seats)])
            write(folder / f"{name}.jsonl", play(title, len(have_options), options, seats, sensible=True))
            print("recorded", name)
    old = [replayed(read(file)) for file in files(title.id)]
    missing = missing_ways(title, old)
    for number in count(1000):
        if not missing or number > 1000 + MOST_TRIES:
            break
        game = play(title, number)
        for name in [name for name in missing if ways(title)[name](game.plies, game.game)]:
            missing.remove(name)
            write(folder / f"ends_{name}.jsonl", game)
            print("recorded", name, number)
    print("not found:", ", ".join(missing) or "nothing")


def write_bundles(folder: Path) -> None:
    """Write all recorded games, and the streams of releases, as bundles for ``slowtrain compare``."""
    from tests.service.proof.bundle import bundles

    folder.mkdir(parents=True, exist_ok=True)
    for title in TITLES:
        for file in files(title):
            (folder / f"{title}-{file.name}").write_bytes(bundles.recorded(read(file)))
    for file in sorted(RELEASES.glob("*/*.jsonl.gz")):
        (folder / f"{file.parent.name}-{file.stem}").write_bytes(gzip.decompress(file.read_bytes()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("title", nargs="?", choices=list(TITLES))
    parser.add_argument("--all", action="store_true", help="record every game anew")
    parser.add_argument("--bundles", type=Path, metavar="FOLDER", help="write all that are recorded as files there")
    asked = parser.parse_args()
    if (asked.bundles is None) == (asked.title is None):
        parser.error("name a title, or a folder for bundles")
    if asked.bundles is not None:
        write_bundles(asked.bundles)
    else:
        record(TITLES[asked.title], asked.all)


if __name__ == "__main__":
    main()
