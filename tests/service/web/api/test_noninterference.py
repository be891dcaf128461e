"""No answer of the API depends on facts hidden from its caller.

Two worlds are imagined behind one view, and the store is made to hold either of them. Every answer about the game is
compared byte for byte: status, headers and body. Only hashes of the chain are left out: they come from outside.
"""

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from freezegun import freeze_time
from msgspec.structs import replace

from domain.chain import Ply, StoredPly
from domain.chance import FreeChance
from domain.game import Game
from domain.messages import own_fields, owner_of
from service.database.store import Folds, Store, Stored
from service.games import play
from service.notices import owing
from tests import toy
from tests.service.web.api.test_matrix import GAME_ROUTES
from tests.service.web.api.world import Asker, World

NOON = "2026-03-01T12:00:00Z"
COMMANDS = (
    [{"command": "Choose", "card": card} for card in range(1, 10)]
    + [{"command": "Walk", "steps": steps} for steps in range(5)]
    + [{"command": "Stop"}, {"command": "Pick"}, {"command": "Whisper", "number": 100}]
    + [{"command": "Whisper", "number": 5}]
)


class TwoWorlds:
    """The store of a running game, showing one of two states that look the same to one seat."""

    def __init__(self, world: World, game_id: str, seat: int | None, dice: random.Random, patch: pytest.MonkeyPatch):
        self.world, self.game_id, self.seat = world, game_id, seat
        with world.store.read() as conn:
            self.real = world.store.load(conn, game_id)
        view = toy.TITLE.rules.view(self.real.game.state, seat)
        self.states = [toy.TITLE.rules.imagine(view, FreeChance(dice)) for _ in range(2)]
        load, position = Store.load, Store.position

        def load_imagined(store: Store, conn: Any, asked: str, submission_id: str | None = None) -> Stored:
            stored = load(store, conn, asked, submission_id)
            return replace(stored, game=self.imagined(stored.game))

        def position_imagined(store: Store, conn: Any, asked: str, version: int) -> Game:
            game = position(store, conn, asked, version)
            return self.imagined(game) if version == self.real.game.version else game

        plies = Store.plies

        def plies_imagined(store: Store, conn: Any, asked: str, *span: Any, **more: Any) -> list[tuple[StoredPly, Ply]]:
            read = plies(store, conn, asked, *span, **more)
            return [self.other(*each) for each in read] if self.shown else read

        patch.setattr(Store, "load", load_imagined)
        patch.setattr(Store, "position", position_imagined)
        patch.setattr(Store, "plies", plies_imagined)
        self.shown = 0

    def imagined(self, game: Game) -> Game:
        """Return ``game`` with the hidden things of the shown world, also in positions to which plies are undone."""
        if game.version != self.real.game.version:
            return game
        state = self.states[self.shown]
        return replace(game, state=state, base=state, since_barrier=())

    def other(self, stored: StoredPly, ply: Ply) -> tuple[StoredPly, Ply]:
        """Return another possible ply: all parts sealed to others differ."""
        changed = replace(
            ply,
            command=self.changed(ply.command, ply.seat),
            events=tuple(self.changed(event, owner_of(event)) for event in ply.events),
            draws=tuple(
                draw if draw.seat in (None, self.seat) else replace(draw, picks=tuple(8 - it for it in draw.picks))
                for draw in ply.draws
            ),
        )
        body, sealed = toy.TITLE.chain.encode(changed)
        assert body == stored.open
        return StoredPly(stored.number, body, sealed, stored.link), changed

    def changed(self, message: Any, owner: int | None) -> Any:
        if owner == self.seat or message is None or not (message.HIDDEN or own_fields(type(message))):
            return message
        name = "number" if message.HIDDEN else "card"
        return replace(message, **{name: getattr(message, name) % 9 + 1})


def everything(asker: Asker, game_id: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield every question about a game that leaves it unchanged: the caller rolls back any write."""
    for _, rule in [route for route in GAME_ROUTES if route[0] == "GET"]:
        for lang in ("en", "de"):
            path = rule.removeprefix("/api/v1").replace("<game:game_id>", game_id)
            path = re.sub(r"<int\(max=2147483647\):version>", "{version}", path)
            for version in ("1", "5", "6") if "{version}" in path else ("",):
                yield (
                    f"{path} {version} {lang}",
                    lambda path=path, version=version, lang=lang: asker.get(
                        path.format(version=version), headers={"Accept-Language": lang}
                    ),
                )
    for command in COMMANDS:
        body = {"commands": [command]}
        yield f"preview {command}", lambda body=body: asker.post(f"/games/{game_id}/preview", body)
    for method, rule in GAME_ROUTES:
        if method == "POST" and rule.rpartition("/")[2] in (
            "join",
            "decline",
            "leave",
            "start",
            "cancel",
            "bots",
            "invitations",
        ):
            yield (
                rule,
                lambda rule=rule: asker.post(rule.removeprefix("/api/v1").replace("<game:game_id>", game_id), {}),
            )


def moves(asker: Asker, game_id: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield every move, refused or accepted; no ply is written."""
    for number, command in enumerate(COMMANDS):
        yield f"move {command}", lambda command=command, number=number: asker.move(game_id, command, key=f"k{number}")
    for down_to in (4, 5, 6):
        yield (
            f"take back {down_to}",
            lambda down_to=down_to: asker.post(
                f"/games/{game_id}/take-back",
                {"down_to": down_to},
                headers={"If-Match": "*", "Idempotency-Key": f"t{down_to}"},
            ),
        )


def compare(worlds: TwoWorlds, asks: Iterator[tuple[str, Callable[[], Any]]]) -> None:
    for name, ask in asks:
        answers = []
        for worlds.shown in (0, 1):
            worlds.world.store.folds.clear()
            answer = ask()
            assert answer.status_code < 500, (name, answer.text)
            answers.append((answer.status_code, sorted(answer.headers), answer.data))
        assert answers[0] == answers[1], name


def keep_nothing(patch: pytest.MonkeyPatch) -> None:
    """Decide and answer moves without writing them: both worlds are asked at the same version."""
    patch.setattr(Store, "append", lambda self, conn, game, head, *_: head)
    for name in ("update_row", "_write_leavers", "remember"):
        patch.setattr(play, name, lambda *_: False)
    patch.setattr(owing, "queue", lambda *_: [])
    patch.setattr(Folds, "keep", lambda *_: None)


def setting(world: World) -> tuple[str, dict[str, Asker]]:
    """Return a game in which Alice has chosen a card and Bob has whispered: a sealed answer, a hidden ply, hidden
    hands."""
    askers = {name: world.person(name) for name in ("Harriet", "Alice", "Bob")}
    game_id = world.game(askers["Harriet"], askers["Alice"], askers["Bob"], public=False)
    askers["Alice"].choose(game_id)
    askers["Bob"].move(game_id, {"command": "Whisper", "number": 42})
    return game_id, askers


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "seat"), [("Alice", 1), ("Bob", 2), ("Harriet", None)])
@freeze_time(NOON)
def test_reading_gives_the_same_answers_in_both_worlds(
    world: World, monkeypatch: pytest.MonkeyPatch, name: str, seat: int | None, seed: int
) -> None:
    game_id, askers = setting(world)
    worlds = TwoWorlds(world, game_id, seat, random.Random(seed), monkeypatch)
    assert worlds.states[0] != worlds.states[1]
    compare(worlds, everything(askers[name], game_id))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "seat"), [("Alice", 1), ("Harriet", None)])
@freeze_time(NOON)
def test_moving_gives_the_same_answers_in_both_worlds(
    world: World, monkeypatch: pytest.MonkeyPatch, name: str, seat: int | None, seed: int
) -> None:
    """Alice has chosen already: a new choice of hers reveals nothing (Bob's would)."""
    game_id, askers = setting(world)
    keep_nothing(monkeypatch)
    worlds = TwoWorlds(world, game_id, seat, random.Random(seed), monkeypatch)
    compare(worlds, moves(askers[name], game_id))


def test_the_comparison_finds_a_leak(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison fails when a view shows one card too many."""
    game_id, askers = setting(world)
    worlds = TwoWorlds(world, game_id, 1, random.Random(1), monkeypatch)
    honest = toy.TITLE.face.standing

    def leaking(view: Any) -> Any:
        return [*honest(view), toy.Sentence(str(worlds.states[worlds.shown].hands))]

    title = replace(toy.TITLE, face=replace(toy.TITLE.face, standing=leaking))
    monkeypatch.setattr(world.store, "titles", {"toy": title})
    with pytest.raises(AssertionError, match=f"/games/{game_id}"):
        compare(worlds, everything(askers["Alice"], game_id))


def test_the_comparison_finds_a_ply_that_reveals_too_much(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id, askers = setting(world)
    worlds = TwoWorlds(world, game_id, 1, random.Random(1), monkeypatch)
    monkeypatch.setattr("service.games.queries.redacted", lambda seen, stored, ply: ply)
    with pytest.raises(AssertionError, match=rf"/games/{game_id}/(plies|log\.atom)"):
        compare(worlds, everything(askers["Alice"], game_id))
