"""A process of an older release leaves games with newer rules to newer processes, and says so."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from service.database.store import Outdated, Store, open_store
from service.notices.owing import OUTBOX
from tests import road, toy
from tests.service.lanterns import game, give, log
from tests.service.web.api.world import World
from workers import bots, outbox


@pytest.fixture
def newer(world: World) -> Iterator[Store]:
    """Return the same store in a process of a release with changed rules."""
    address = world.store.engine.url.render_as_string(hide_password=False)
    title = toy.ruled(version=toy.TITLE.rules.version + 1, older={})
    opened = open_store(address, titles={"toy": title}, settings=world.settings)
    yield opened
    opened.close()


def started(world: World) -> str:
    alice, bob = world.person("Alice"), world.person("Bob")
    game_id = world.table(alice, alice, bob)
    assert alice.post(f"/games/{game_id}/start").status_code == 200
    return game_id


def move(store: Store, game_id: str) -> None:
    now = game(store, game_id)
    give(store, game_id, now.asked[0], now.title.rules.safe(now.state, now.asked[0]))


def test_a_game_of_newer_rules_is_not_decided_by_older_ones(world: World, newer: Store) -> None:
    game_id = started(world)
    before = game(world.store, game_id)  # the old process keeps it in memory
    move(newer, game_id)
    stands = log(newer, game_id)
    seat = before.asked[-1]
    safe = [before.title.rules.safe(before.state, seat)]
    with pytest.raises(Outdated, match=f"version {newer.titles['toy'].rules.version} of the rules of toy"):
        road.submit(world.store, game_id, seat, safe, None, None)
    with pytest.raises(Outdated):
        bots.play_game(world.store, game_id)
    assert bots.play_due(world.store) == 0
    assert log(newer, game_id) == stands
    move(newer, game_id)
    assert len(log(newer, game_id)) > len(stands)


@pytest.mark.parametrize(
    ("lang", "title"),
    [
        ("en", "The service is being updated"),
        ("de", "Der Dienst wird gerade aktualisiert"),
    ],
)
def test_the_answer_is_status_503_with_an_explanation(world: World, newer: Store, lang: str, title: str) -> None:
    game_id = started(world)
    move(newer, game_id)
    alice = world.person("Alice")
    move_ = {"commands": [{"command": "Choose", "card": 1}]}
    spoken = {"Accept-Language": lang}
    for answer in (
        alice.get(f"/games/{game_id}", headers=spoken),
        alice.post(f"/games/{game_id}/moves", json=move_, headers=spoken),
    ):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert answer.json["title"] == title  # type: ignore[index]
    page = alice.client.get(f"/games/{game_id}")
    assert page.status_code == 503
    assert "already uses newer rules" in page.get_data(as_text=True)


def test_email_about_the_game_waits_for_a_newer_worker(world: World, newer: Store) -> None:
    game_id = started(world)
    move(newer, game_id)
    sent: list[Any] = []
    later = 10**13
    outbox.send_due(world.store, send=lambda _, mail, __: sent.append(mail) or "ok", now=lambda: later)
    with world.store.read() as conn:
        states = set(conn.scalars(select(OUTBOX.c.state).where(OUTBOX.c.game_id == game_id)))
    assert "superseded" not in states
    assert sent == []
    outbox.send_due(newer, send=lambda _, mail, __: sent.append(mail) or "ok", now=lambda: later + 10**6)
    assert sent
