"""Bots play their seats through the same use case as people, and stop when a person must move."""

import random
import threading
from typing import Any

import pytest
from msgspec.structs import replace

from domain.title import Title
from service.database.store import Store
from tests import toy
from tests.service.lanterns import ANN, BOB, game, log, stored
from tests.toy import Choose, Stop, Walk
from tests.workers.post import outbox, person, table
from workers import bots


def test_bots_play_a_whole_game_among_themselves(store: Store) -> None:
    game_id = table(store, "random", "sensible", "random")
    assert stored(store, game_id).row.bot_at == 0
    assert bots.play_due(store) > 0
    assert game(store, game_id).status == "over"
    assert stored(store, game_id).row.bot_at is None
    assert bots.play_due(store) == 0


def test_bots_wait_for_the_person(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), "random")
    bots.play_due(store)
    now = game(store, game_id)
    assert now.asked == (ANN,)
    version = now.version
    assert bots.play_game(store, game_id) == 0
    assert game(store, game_id).version == version


def test_the_log_says_that_a_bot_did_it(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), "random")
    bots.play_due(store)
    with store.read() as conn:
        last = store.plies(conn, game_id, toy.TITLE)[-1][1]
    assert (last.seat, last.cause) == (BOB, "bot")


def test_many_workers_at_one_game_make_each_move_once(store: Store) -> None:
    game_id = table(store, "random", "random", length="long")
    start = threading.Barrier(3)

    def work() -> None:
        start.wait()
        bots.play_game(store, game_id)

    workers = [threading.Thread(target=work) for _ in range(3)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    plies = log(store, game_id)
    assert [ply.number for ply in plies] == list(range(1, len(plies) + 1))
    assert len(plies) >= bots.AT_ONCE


def with_bot(store: Store, monkeypatch: pytest.MonkeyPatch, bot: Any) -> None:
    box: Title = replace(toy.TITLE, bots={**toy.TITLE.bots, "odd": bot})
    monkeypatch.setattr(store, "titles", {"toy": box})


def test_a_refused_plan_is_planned_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last choice shows the cards and deals new ones, which may make the bot's next command impossible."""

    def hasty(view: toy.View, dice: random.Random) -> tuple[Any, ...]:
        if view.leader == view.viewer:
            return (Walk(1), Stop())
        return (Choose(view.hands[view.viewer][0]), Walk(1), Stop())  # type: ignore[index]

    with_bot(store, monkeypatch, hasty)
    game_id = table(store, "odd", "odd")
    bots.play_due(store)
    assert game(store, game_id).status == "over"


def test_a_bot_that_only_blunders_or_breaks_stops_nobody_else(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def blunder(view: Any, dice: random.Random) -> tuple[Any, ...]:
        if view.viewer == ANN:
            raise RuntimeError("out of steam")
        return (Walk(99),)

    with_bot(store, monkeypatch, blunder)
    broken = table(store, "odd", person(store, "Ann"))
    blundering = table(store, person(store, "Bob"), "odd")
    sound = table(store, "random", "random")
    bots.play_due(store)
    assert game(store, sound).status == "over"
    assert ANN in game(store, broken).asked
    assert BOB in game(store, blundering).asked
    assert "out of steam" in caplog.text
    assert "was refused" in caplog.text


def test_a_bots_moves_are_told_to_the_person_once(store: Store) -> None:
    table(store, person(store, "Ann"), "random", "random")
    bots.play_due(store)
    assert [(row.kind, row.seat) for row in outbox(store)] == [("turn", ANN)]


def test_a_deleted_game_is_skipped(store: Store) -> None:
    assert bots.play_game(store, "no such game") == 0
