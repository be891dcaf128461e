"""A title's example: a game written down move by move, whose positions are drawn where the title is explained.

Its file is ``data/example.json``. Chance follows from a constant secret, so each position is always the same.
"""

import hashlib
from pathlib import Path

import msgspec

from domain.game import Game, fold
from domain.lifecycle import OpenTable, StartGame, TakeSeat
from domain.messages import Command
from domain.play import decide_all
from domain.title import Title


class Example(msgspec.Struct, frozen=True):
    """``secret``: the words from which all draws follow. ``moves``: (seat, command) in order."""

    seats: int
    secret: str
    moves: tuple[tuple[int, msgspec.Raw], ...] = ()

    @property
    def key(self) -> bytes:
        return hashlib.sha256(self.secret.encode()).digest()


def file_of(title: Title) -> Path:
    return title.catalogue.with_name("data") / "example.json"


def read(title: Title) -> Example:
    return msgspec.json.decode(file_of(title).read_bytes(), type=Example)


def begun(title: Title, example: Example) -> Game:
    """Return the game before its first move: with the title's usual options, at a table of bots."""
    options = msgspec.Raw(msgspec.json.encode(title.seating.options()))
    choice = msgspec.Raw(msgspec.json.encode(title.seating.choice()))
    opening: list[Command] = [
        OpenTable(title.id, example.seats, options, hashlib.sha256(example.key).hexdigest(), 0),
        *(TakeSeat(seat, choice, None, True) for seat in range(1, example.seats + 1)),
        StartGame(),
    ]
    return decide_all(fold("EXAMPLE", title, ()), None, opening, 0, "service", example.key).game


def after(title: Title, example: Example, moves: int) -> Game:
    """Return the game after so many moves. Raises `Refused` if one of them is no longer legal."""
    game = begun(title, example)
    for seat, written in example.moves[:moves]:
        command = msgspec.json.decode(written, type=title.codec.command_type)
        game = decide_all(game, seat, [command], 0, "bot", example.key).game
    return game
