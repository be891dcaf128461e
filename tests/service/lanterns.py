"""Games of the toy title under way, for the tests of the store and the road into it."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from domain.game import Game
from domain.lifecycle import StartGame
from domain.messages import Command
from service.database.store import Store, Stored
from service.games.play import Answer
from service.people import accounts
from tests import road

ANN, BOB, CLEO = 1, 2, 3
NOON = 1_800_000_000_000
SETTLE = 60_000


def open_table(store: Store, seats: int = 2, length: str = "short", **more: Any) -> str:
    given: dict[str, Any] = {"title": "toy", "options": {"length": length}, "name": "A table", "host_id": None}
    given |= {"public": True, "at": NOON, "settle_ms": SETTLE}
    return road.open_game(store, seats=seats, **given | more).game_id


def start(store: Store, seats: int = 2, length: str = "short", *, people: bool = False) -> str:
    """The id of a game that has just started, of bots or of people; all seats choose a card."""
    game_id = open_table(store, seats, length)
    for seat in range(1, seats + 1):
        holder: dict[str, Any] = {"person_id": _player(store, seat)} if people else {"bot": "random"}
        road.take_seat(store, game_id, seat, choice={}, at=NOON, words="abc", **holder)
    road.submit(store, game_id, None, [StartGame()], None, None, NOON)
    return game_id


def _player(store: Store, number: int) -> int:
    with store.write() as conn:
        return accounts.person_at(conn, f"player{number}@example.org", "en", NOON)[0]


def stored(store: Store, game_id: str) -> Stored:
    with store.read() as conn:
        return store.load(conn, game_id)


def game(store: Store, game_id: str) -> Game:
    return stored(store, game_id).game


def give(store: Store, game_id: str, seat: int | None, *commands: Command, at: int = NOON, **more: Any) -> Answer:
    """Submit at the version the seat sees now."""
    shown = game(store, game_id).version_for(seat)
    given: dict[str, Any] = {"expected_version": shown, "submission_id": None} | more
    return road.submit(store, game_id, seat, commands, at=at, **given)


def play_on(
    store: Store, game_id: str, plies: int = 10**6, seed: int = 7, since: int = NOON, cause: str | None = None
) -> Game:
    """Let random players play until the game ends or ``plies`` more plies are there, each a little after ``since``."""
    dice = random.Random(seed)
    now = game(store, game_id)
    until = now.version + plies
    while now.asked and now.version < until:
        seat = dice.choice(now.asked)
        bot = now.title.bots["random"]
        give(
            store, game_id, seat, *bot(now.title.rules.view(now.state, seat), dice), cause=cause, at=since + now.version
        )
        now = game(store, game_id)
    return now


def lead(store: Store, game_id: str) -> int:
    """Have everybody choose a card; the seat that leads."""
    now = game(store, game_id)
    for seat in now.asked:
        give(store, game_id, seat, now.title.rules.safe(now.state, seat))
    leader: Any = game(store, game_id).state.leader
    return int(leader)


def log(store: Store, game_id: str) -> Sequence[Any]:
    """Everything of a game that must not change: its stored plies."""
    with store.read() as conn:
        return store.stored_plies(conn, game_id)


def meanwhile(store: Store, monkeypatch: pytest.MonkeyPatch, happens: Callable[[], Any]) -> None:
    """Let something happen at the last moment: just before the next transaction of a writer begins."""
    ways = {"write": store.write, "append_only": store.append_only}

    def late(way: str) -> Callable[[], Any]:
        def begin() -> Any:
            for name, begins in ways.items():
                monkeypatch.setattr(store, name, begins)
            happens()
            return ways[way]()

        return begin

    for name in ways:
        monkeypatch.setattr(store, name, late(name))
