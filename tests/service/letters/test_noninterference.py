"""Hidden facts change no byte of a letter: two worlds with the same view give the same letters."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import domain
from config.settings import Settings
from domain.chance import FreeChance
from domain.lifecycle import StartGame
from service.base.clock import now
from service.database.store import Store, Stored, open_store
from service.letters import by_kind
from tests import road
from tests.service.lanterns import ANN, BOB
from tests.service.letters import every
from tests.workers import post
from tests.worlds import imagine

PLIES = 60


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """A letter's text does not depend on the database: one kind is enough here."""
    return copy_on_sqlite


def test_every_letter_to_a_seat_is_the_same_in_all_worlds_with_its_view(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = now()
    rows = every.rows_of(store, at)
    del rows["over"]  # after the end nothing is hidden any more
    for viewer in (ANN, BOB):
        theirs = {kind: row for kind, row in rows.items() if row.seat == viewer}
        real = every.composed(store, theirs, at)
        assert real
        for seed in range(3):
            with monkeypatch.context() as patch:
                imagine(patch, viewer, seed)
                assert every.composed(store, theirs, at) == real


def test_facts_hidden_from_one_seat_do_change_the_letters_to_another(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test above could fail: the imagined worlds are other worlds."""
    at = now()
    rows = every.rows_of(store, at)
    del rows["over"]
    viewer = rows["turn"].seat
    real = every.composed(store, rows, at)["turn"]
    with monkeypatch.context() as patch:
        imagine(patch, 3 - viewer, 3)
        assert every.composed(store, rows, at)["turn"] != real


# ==== hands that others hide ======================================================================
@pytest.fixture
def titled(tmp_path: Path) -> Iterator[Store]:
    """A store with the title in which the others hide most."""
    settings = Settings(_env_file=None, data_dir=tmp_path)  # type: ignore[call-arg]
    titles = {"ticket_to_ride": domain.TITLES["ticket_to_ride"]}
    store = open_store(settings.database, titles=titles, settings=settings)
    store.migrate()
    yield store
    store.close()


def played(store: Store) -> tuple[str, Any]:
    """Return a game in which it is Ann's turn after a while, and the row of her letter."""
    ((title_id, title),) = store.titles.items()
    ann, at, dice = post.person(store, "Ann"), now(), random.Random(5)
    seats = max(2, title.seating.seats[0])
    opened = road.open_game(
        store, title=title_id, options={}, seats=seats, name="A table", host_id=ann, public=True, at=at, settle_ms=0
    )
    road.take_seat(store, opened.game_id, ANN, choice={}, at=at, person_id=ann)
    for seat in range(2, seats + 1):
        road.take_seat(store, opened.game_id, seat, choice={}, at=at, bot="sensible")
    road.submit(store, opened.game_id, None, [StartGame()], None, None, at)
    while True:
        with store.read() as conn:
            game = store.load(conn, opened.game_id).game
        if game.version >= PLIES and ANN in game.asked:
            return opened.game_id, post.outbox(store, "turn", ANN)[-1]
        seat = game.asked[-1]
        [command, *_] = title.bots["sensible"](title.rules.view(game.state, seat), dice)
        road.submit(store, game.id, seat, [command], None, None, at, "bot" if seat > ANN else "player")


def test_a_turn_mail_tells_its_seats_view_and_no_more(titled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    _game_id, row = played(titled)
    load, at = Store.load, now()
    others: list[bool] = []

    def letter() -> bytes:
        with titled.read() as conn:
            return by_kind.mail(titled, conn, row, at).source

    def other_load(seed: int, store: Store, *given: Any, **more: Any) -> Stored:
        stored = load(store, *given, **more)
        game = stored.game
        state = game.title.rules.imagine(game.title.rules.view(game.state, ANN), FreeChance(random.Random(seed)))
        others.append(state != game.state)
        return replace(stored, game=replace(game, state=state))

    real = letter()
    for seed in range(3):
        with monkeypatch.context() as patch:
            patch.setattr(Store, "load", lambda *given, seed=seed, **more: other_load(seed, *given, **more))
            assert letter() == real
    assert len(others) >= 3
    assert all(others)
