"""Exported pages: drawn by a worker, kept for their viewer and language, given to anybody who may still see the
game."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from config.settings import Settings
from service.base.clock import DAY, HOUR, MINUTE
from service.keeping import personal
from service.proof import drawn
from service.proof.bundle.prove import prove_file
from service.proof.drawn import PAGES
from tests import toy
from tests.conftest import no_power_cuts
from tests.service.web.api.world import Asker, World, make_world
from workers import pages
from workers.leases import lease
from workers.pages import claim, draw_due

TITLES = {"toy": toy.TITLE}


def ask(asker: Asker, game_id: str, lang: str = "en", query: str = "") -> Any:
    headers = {"Accept-Language": lang}
    return asker.get(f"/games/{game_id}/audit?format=html{query}", headers=headers)


def rows(world: World) -> list[Any]:
    with world.store.read() as conn:
        return list(conn.execute(select(PAGES).order_by(PAGES.c.id)).all())


@pytest.fixture
def game_id(both_worlds: World) -> str:
    """A private game of Alice and Bob."""
    alice, bob = both_worlds.person("Alice"), both_worlds.person("Bob")
    return both_worlds.game(both_worlds.person("Harriet"), alice, bob, public=False)


def test_a_page_is_drawn_once_and_served_until_the_game_goes_on(both_worlds: World, game_id: str) -> None:
    alice = both_worlds.person("Alice")
    assert [ask(alice, game_id).status_code for _ in range(3)] == [202] * 3
    assert len(rows(both_worlds)) == 1
    assert draw_due(both_worlds.store) == 1
    given = [ask(alice, game_id) for _ in range(2)]
    assert [it.status_code for it in given] == [200, 200]
    assert given[0].data == given[1].data
    proof = prove_file(given[0].data, TITLES)
    assert (proof.fault, proof.header.reader) == (None, 1)
    assert draw_due(both_worlds.store) == 0
    alice.choose(game_id)
    assert ask(alice, game_id).status_code == 202
    assert draw_due(both_worlds.store) == 1
    assert prove_file(ask(alice, game_id).data, TITLES).header.plies == proof.header.plies + 1
    assert len(rows(both_worlds)) == 1


def test_a_waiting_client_gets_the_page_even_if_the_game_goes_on(both_worlds: World, game_id: str) -> None:
    """Otherwise nobody would ever get a page of a fast game."""
    alice, bob = both_worlds.person("Alice"), both_worlds.person("Bob")
    again = ask(alice, game_id).headers["Location"]
    draw_due(both_worlds.store)
    bob.choose(game_id)
    assert alice.get(f".{again}").status_code == 200
    assert ask(alice, game_id).status_code == 202


def test_a_page_of_a_future_version_is_not_served(both_worlds: World, game_id: str) -> None:
    alice = both_worlds.person("Alice")
    assert ask(alice, game_id, query="&since=2147483647").status_code == 202
    draw_due(both_worlds.store)
    assert ask(alice, game_id, query="&since=2147483647").status_code == 200
    assert ask(alice, game_id, query="&since=0").status_code == 422
    assert ask(alice, game_id, query="&since=x").status_code == 422


def test_each_viewer_and_language_has_a_page_of_their_own(both_worlds: World, game_id: str) -> None:
    alice, bob, harriet = (both_worlds.person(name) for name in ("Alice", "Bob", "Harriet"))
    for asker, lang in ((alice, "en"), (alice, "de"), (bob, "en"), (harriet, "en")):
        assert ask(asker, game_id, lang).status_code == 202
    assert draw_due(both_worlds.store) == 4
    readers = {name: prove_file(ask(it, game_id).data, TITLES).header.reader for name, it in
               (("Alice", alice), ("Bob", bob), ("Harriet", harriet))}  # fmt: skip
    assert readers == {"Alice": 1, "Bob": 2, "Harriet": "onlooker"}
    assert "wie Platz 1 sie sieht" in ask(alice, game_id, "de").text
    assert ask(bob, game_id, "de").status_code == 202


def test_strangers_share_the_page_of_a_public_game_and_get_none_of_a_private_one(
    both_worlds: World, game_id: str
) -> None:
    alice, bob = both_worlds.person("Alice"), both_worlds.person("Bob")
    public = both_worlds.game(both_worlds.person("Harriet"), alice, bob)
    stranger, other = both_worlds.anonymous(), both_worlds.anonymous()
    ask(alice, game_id)
    ask(stranger, public)
    draw_due(both_worlds.store)
    assert ask(other, public).status_code == 200
    assert prove_file(ask(other, public).data, TITLES).header.reader == "onlooker"
    assert [ask(it, game_id).status_code for it in (stranger, both_worlds.person("Charlie"))] == [404, 404]


def test_a_former_player_gets_only_their_present_view(both_worlds: World) -> None:
    """A seat can be given up before the start; a private game is then hidden from its former player."""
    alice, harriet = both_worlds.person("Alice"), both_worlds.person("Harriet")
    open_game = both_worlds.table(harriet, alice, seats=2, public=False)
    ask(alice, open_game)
    draw_due(both_worlds.store)
    assert ask(alice, open_game).status_code == 200
    assert alice.post(f"/games/{open_game}/leave").status_code < 300
    assert ask(alice, open_game, query="&since=1").status_code == 404


def test_erasing_a_person_deletes_their_pages_even_during_drawing(
    both_worlds: World, game_id: str, monkeypatch: Any
) -> None:
    alice, bob = both_worlds.person("Alice"), both_worlds.person("Bob")
    for asker in (alice, bob):
        ask(asker, game_id)
    draw_due(both_worlds.store)
    ask(alice, game_id, "de")

    def erased_meanwhile(*asked: Any) -> tuple[int, bytes]:
        personal.erase(both_worlds.store, alice.person_id, both_worlds.store.now())
        return 1, b"too late"

    monkeypatch.setattr(pages, "draw", erased_meanwhile)
    assert draw_due(both_worlds.store) == 1
    assert [row.person_id for row in rows(both_worlds)] == [bob.person_id]


def test_an_export_lists_the_pages_without_their_bytes(both_worlds: World, game_id: str) -> None:
    alice = both_worlds.person("Alice")
    ask(alice, game_id)
    draw_due(both_worlds.store)
    packed = personal.export(both_worlds.store, alice.person_id, both_worlds.store.now())
    assert b"person.json" in packed


# ==== workers =====================================================================================
def test_the_page_of_a_dead_worker_is_drawn_again(both_worlds: World, game_id: str) -> None:
    alice, store = both_worlds.person("Alice"), both_worlds.store
    ask(alice, game_id)
    at = store.now()
    assert claim(store, at) is not None  # then the worker is killed
    assert claim(store, at + 1) is None
    assert ask(alice, game_id).status_code == 202
    later = at + lease(store.settings) + 1
    assert draw_due(store, lambda: later) == 1
    assert ask(alice, game_id).status_code == 200


def test_a_page_that_kills_its_workers_is_given_up(both_worlds: World, game_id: str) -> None:
    alice, store = both_worlds.person("Alice"), both_worlds.store
    ask(alice, game_id)
    at = store.now()
    for _ in range(pages.TRIES):
        assert claim(store, at) is not None
        at += lease(store.settings) + 1
    assert draw_due(store, lambda: at) == 1
    answer = ask(alice, game_id)
    assert (answer.status_code, answer.json["type"].partition("#")[2]) == (500, "broken")


def test_a_failed_page_is_reported_and_can_be_requested_later(
    both_worlds: World, game_id: str, monkeypatch: Any
) -> None:
    alice, store = both_worlds.person("Alice"), both_worlds.store
    ask(alice, game_id)
    with monkeypatch.context() as patch:
        patch.setattr(pages, "draw", lambda *asked: 1 // 0)
        assert draw_due(store) == 1
    assert ask(alice, game_id).status_code == 500
    with store.write() as conn:
        conn.execute(update(PAGES).values(asked_at=PAGES.c.asked_at - HOUR))
    assert ask(alice, game_id).status_code == 202
    assert draw_due(store) == 1
    assert ask(alice, game_id).status_code == 200


def test_a_late_worker_overwrites_nothing(both_worlds: World, game_id: str) -> None:
    """Its lease has expired, and another worker has drawn the page."""
    store = both_worlds.store
    ask(both_worlds.person("Alice"), game_id)
    late = claim(store, store.now())
    assert draw_due(store, lambda: store.now() + lease(store.settings) + 1) == 1
    pages._mark(store, late, state="done", version=99, body=gzip.compress(b"late"), made_at=0)
    assert ask(both_worlds.person("Alice"), game_id).data != b"late"


# ==== lifetime and limits =========================================================================
def test_a_page_is_deleted_after_a_day_or_sooner_once_the_game_goes_on(both_worlds: World, game_id: str) -> None:
    alice, store = both_worlds.person("Alice"), both_worlds.store
    at = store.now()

    def tidy(later: int) -> int:
        with store.write() as conn:
            drawn.forget_old(conn, at + later)
        return len(rows(both_worlds))

    ask(alice, game_id)
    draw_due(store)
    assert [tidy(later) for later in (0, DAY - MINUTE, DAY + MINUTE)] == [1, 1, 0]
    ask(alice, game_id)
    draw_due(store)
    alice.choose(game_id)
    assert [tidy(later) for later in (MINUTE, HOUR)] == [1, 0]


def test_an_old_page_is_not_served_even_before_it_is_deleted(both_worlds: World, game_id: str) -> None:
    alice = both_worlds.person("Alice")
    ask(alice, game_id)
    draw_due(both_worlds.store)
    with both_worlds.store.write() as conn:
        conn.execute(update(PAGES).values(made_at=PAGES.c.made_at - DAY))
    assert ask(alice, game_id).status_code == 202


@pytest.mark.usefixtures("one_moment")
def test_a_person_may_request_a_limited_number_of_pages(tmp_path: Path) -> None:
    """Polling a page counts for nothing; each person has a limit of their own."""
    url = f"sqlite:///{tmp_path / 'counted.db'}"
    world = make_world(url, Settings(_env_file=None, data_dir=tmp_path))
    no_power_cuts(world.store)
    alice, bob = world.token("Alice"), world.token("Bob")
    alice.headers |= {"X-Forwarded-For": "192.0.2.7"}
    bob.headers |= {"X-Forwarded-For": "192.0.2.7"}
    games = [world.game(world.person("Harriet"), alice, bob) for _ in range(6)]
    asked = [ask(alice, each).status_code for each in games for _ in range(2)]
    assert asked == [202] * 10 + [429] * 2
    assert ask(bob, games[0]).status_code == 202
    world.store.close()
