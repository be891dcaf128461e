"""Every title over HTTP: made-up commands of the right shape are refused, and cause no internal error."""

import random
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec import UnsetType

import domain
from config.settings import Settings
from domain.messages import tag_of
from service.database.store import open_store
from service.web.app import create_app
from tests.service.web.api.world import World

ROUNDS = 25
"""Moves; before each of them every command is tried with made-up fields."""


@pytest.fixture
def real_world(copy_on_sqlite: str, tmp_path: Path) -> Iterator[World]:
    settings = Settings(_env_file=None, data_dir=tmp_path, rate_limits=False)
    store = open_store(copy_on_sqlite, settings=settings)
    yield World(create_app(settings, store), store, settings)
    store.close()


def made_up(hint: Any, ids: list[str], dice: random.Random) -> Any:
    """Return a value of a field's type: ids of the title, odd texts, numbers near and far."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        hint = dice.choice([arg for arg in args if arg is not UnsetType])
        return None if hint is type(None) else made_up(hint, ids, dice)
    if origin is Literal:
        return dice.choice(args)
    if origin is tuple:
        count = dice.randint(0, 3) if args[1:] == (...,) else len(args)
        return [made_up(args[0] if args[1:] == (...,) else args[it], ids, dice) for it in range(count)]
    if hint is bool:
        return dice.random() < 0.5
    if hint is int:
        return dice.choice((-(2**31) + 1, -1, 0, 1, 2, 3, 5, 10, 11, 99, 2**31 - 1))
    return dice.choice([*ids, "", "nothing", "{seat}", "../..", "é", "0"])


@pytest.mark.parametrize("title", list(domain.TITLES))
def test_made_up_commands_are_refused_and_break_nothing(real_world: World, title: str) -> None:
    box, dice = domain.TITLES[title], random.Random(title)
    ids = sorted(box.face.words.names)
    players = [real_world.person("Alice"), real_world.person("Bob")]
    players += [real_world.person(f"P{number}") for number in range(2, box.seating.seats[0])]
    host = players[0]
    opened = host.post("/games", {"title": title, "seats": len(players)})
    assert opened.status_code == 201, opened.text
    game_id = opened.json["id"]  # type: ignore[index]
    for player in players:
        assert player.post(f"/games/{game_id}/join").status_code == 201
    assert host.post(f"/games/{game_id}/start").status_code == 200
    for _ in range(ROUNDS):
        for kind in box.rules.commands:
            hints = get_type_hints(kind)
            fields = {name: made_up(hints[name], ids, dice) for name in kind.__struct_fields__}
            command = {"command": tag_of(kind), **fields}
            answer = dice.choice(players).post(f"/games/{game_id}/preview", {"commands": [command]})
            assert answer.status_code in (200, 409, 422), (command, answer.text)
            if answer.status_code == 409:
                assert answer.json["rule"].startswith((box.prefix, "ST "))  # type: ignore[index]
                assert "{" not in answer.json["sentence"].replace("{seat}", "")  # type: ignore[index]
        for player in players:
            listed = player.get(f"/games/{game_id}/actions").json
            if listed["asked"]:  # type: ignore[index]
                command = dice.choice(listed["actions"])["command"]  # type: ignore[index]
                made = player.move(game_id, command)
                assert made.status_code == 201, (command, made.text)
                break
        else:
            break
    for path in ("", "/log", "/plies", "/board.svg", "/result"):
        assert players[-1].get(f"/games/{game_id}{path}", headers={"Accept-Language": "de"}).status_code in (200, 404)
