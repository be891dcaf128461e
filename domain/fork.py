"""A position played aside from its game: its start, the stored bytes, and how bots continue it.

A fork of a running game begins from its viewer's knowledge alone; the rest is filled in at random. Its draws are made
under a secret of its own, so that they reveal nothing about future draws of the game.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.chain import Ply, SealedPart
from domain.chance import Chance
from domain.game import Game, extend
from domain.lifecycle import SeatAtTable, Table
from domain.play import Decided, decide_plan
from domain.rules import State
from domain.title import Title


class UnreadableStart(ValueError):
    """These bytes were stored by a program with another shape of the position or of the game."""


class Start(msgspec.Struct, frozen=True):
    """The start of a fork: the seats at the table, by number only, and the position.

    ``choices``: seat -> its choice on sitting down; ``left``: the seats that have left the game.
    """

    options: msgspec.Raw
    choices: dict[int, msgspec.Raw]
    left: tuple[int, ...]
    state: State

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(sorted(self.choices))


# ==== beginning ===================================================================================
def imagined(game: Game, seat: int | None, chance: Chance) -> Start:
    """Return the position as ``seat`` (None: a spectator) sees it; ``chance`` fills in everything that the seat does
    not see.
    """
    title = game.title
    return _start(game, title.rules.imagine(title.rules.view(game.state, seat), chance))


def as_it_was(game: Game) -> Start:
    """Return the real position: only for a finished game, in which nothing is hidden any more."""
    return _start(game, game.state)


def _start(game: Game, state: State) -> Start:
    table = game.table
    assert table is not None
    choices = {seat: table.chairs[seat].choice for seat in sorted(table.chairs)}
    return Start(table.options, choices, tuple(seat for seat in choices if table.chairs[seat].left), state)


def played(fork_id: str, title: Title, start: Start, plies: Sequence[Ply] = ()) -> Game:
    """Return the game that begins at ``start``, after ``plies``.

    Its table has no clock, no proposals, and no entropy: chance has another root here.
    """
    chairs = {seat: SeatAtTable(choice, "", seat in start.left) for seat, choice in start.choices.items()}
    table = Table(title.id, len(chairs), start.options, "", 0, "running", chairs)
    return extend(Game(fork_id, title, table, start.state, base=start.state), plies)


# ==== keeping =====================================================================================
def write_start(start: Start) -> bytes:
    """Encode a start as JSON; the same start gives the same bytes."""
    state = msgspec.Raw(msgspec.json.encode(_plain(start.state)))
    return msgspec.json.encode(_Kept(start.options, start.choices, start.left, state))


def read_start(title: Title, body: bytes) -> Start:
    """Return the start that was stored as ``body``. Raises `UnreadableStart`, even if a field is new or missing."""
    try:
        kept = msgspec.json.decode(body, type=_Kept)
        state = msgspec.json.decode(kept.state, type=type(title.rules.start))
    except (msgspec.MsgspecError, ValueError) as error:
        raise UnreadableStart(str(error)) from None
    start = Start(kept.options, kept.choices, kept.left, state)
    if write_start(start) != body:
        raise UnreadableStart("the state has another shape now")
    return start


class _Kept(msgspec.Struct, frozen=True):
    """A start as JSON: a state has no type before its title is known."""

    options: msgspec.Raw
    choices: dict[int, msgspec.Raw]
    left: tuple[int, ...]
    state: msgspec.Raw


def _plain(value: Any) -> Any:
    """Return ``value`` as plain JSON data, with sets in order: otherwise each process would write the same state
    differently.
    """
    match value:
        case msgspec.Struct():
            return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case tuple() | list():
            return [_plain(each) for each in value]
        case set() | frozenset():
            return [_plain(each) for each in sorted(value)]
    return value


def write_ply(title: Title, ply: Ply) -> bytes:
    """Encode a ply as a list: its open part as it would stand in a log, then its sealed parts."""
    open_part, sealed = title.chain.encode(ply)
    return b"[" + b",".join([open_part, *(part.body for part in sealed)]) + b"]"


def read_ply(title: Title, body: bytes) -> Ply:
    """Return the ply that was stored as ``body``. Raises `UnreadableStart`."""
    try:
        open_part, *sealed = [bytes(part) for part in msgspec.json.decode(body, type=list[msgspec.Raw])]
        return title.chain.decode(open_part, [SealedPart(at, 0, part) for at, part in enumerate(sealed)])
    except (msgspec.MsgspecError, ValueError) as error:
        raise UnreadableStart(str(error)) from None


# ==== bots ========================================================================================
def play_on(game: Game, bots: Mapping[int, str], secret: bytes, at: int, dice: random.Random, most: int) -> Decided:
    """Let ``bots`` (seat -> name) play until the game waits for none of their seats, or for about ``most`` plies."""
    plies: list[Ply] = []
    while len(plies) < most:
        seat = next((seat for seat in game.asked if seat in bots), None)
        if seat is None:
            break
        plan: Any = game.title.bots[bots[seat]](game.title.rules.view(game.state, seat), dice)
        decided = decide_plan(game, seat, plan, at, "bot", secret)
        plies += decided.plies
        game = decided.game
    return Decided(tuple(plies), game)
