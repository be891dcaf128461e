"""The store returns its content: bytes, folds, past positions. Its caches may be dropped at any time."""

import os
import random
import threading
import time
import warnings
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from domain.chain import first_link
from domain.game import Game, advance, fold
from domain.lifecycle import TakeBack
from domain.play import decide_all
from service.database import engines
from service.database.store import Busy, Folds, NoSuchGame, NoSuchVersion, Store, open_store
from tests import toy
from tests.children import CHILDREN
from tests.service.lanterns import ANN, NOON, game, give, lead, log, open_table, play_on, start, stored
from tests.toy import Walk, Whisper


def state_of(it: Game) -> tuple[Any, ...]:
    """Return all parts of a game but its title."""
    return tuple(getattr(it, field) for field in it.__struct_fields__ if field != "title")


# ==== bytes =======================================================================================
def test_the_store_returns_the_bytes_of_the_chain(store: Store) -> None:
    game_id = start(store)
    play_on(store, game_id)
    it = stored(store, game_id)
    with store.read() as conn:
        plies = store.plies(conn, game_id, toy.TITLE)
    link = first_link(game_id)
    for kept, ply in plies:
        made = toy.TITLE.chain.store(ply, link, game_id, it.secret)
        assert made == kept
        link = made.link
    assert link == it.head == it.row.head


def test_plies_of_a_span(store: Store) -> None:
    game_id = start(store)
    with store.read() as conn:
        numbers = [
            [ply.number for _, ply in store.plies(conn, game_id, toy.TITLE, *span)]
            for span in ((), (2,), (1, 3), (0, 1), (4,), (9, 99))
        ]
    assert numbers == [[1, 2, 3, 4], [3, 4], [2, 3], [1], [], []]


def test_the_key_is_the_lock(store: Store) -> None:
    game_id = start(store)
    it = stored(store, game_id)
    decided = decide_all(it.game, ANN, [Whisper(1)], NOON, "player", it.secret)
    before = log(store, game_id)
    with store.write() as conn:
        store.append(conn, it.game, it.head, it.secret, decided.plies, None)
    with pytest.raises(IntegrityError), store.write() as conn:
        store.append(conn, it.game, it.head, it.secret, decided.plies, None)
    assert len(log(store, game_id)) == len(before) + 1


# ==== folds =======================================================================================
def test_the_kept_fold_equals_the_fold_of_the_log(store: Store) -> None:
    game_id = start(store, seats=3)
    leader = lead(store, game_id)
    give(store, game_id, leader, Walk(1))
    give(store, game_id, leader, TakeBack(game(store, game_id).version))
    give(store, game_id, leader, Walk(2))
    play_on(store, game_id, plies=12)
    remembered = game(store, game_id)
    with store.read() as conn:
        afresh = fold(game_id, toy.TITLE, (ply for _, ply in store.plies(conn, game_id, toy.TITLE)))
    assert state_of(remembered) == state_of(afresh)
    store.folds.clear()
    assert state_of(game(store, game_id)) == state_of(afresh)


def test_every_past_position_is_the_fold_of_the_plies_up_to_it(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    give(store, game_id, leader, Walk(1))
    give(store, game_id, leader, TakeBack(game(store, game_id).version))
    last = play_on(store, game_id).version
    with store.read() as conn:
        plies = [ply for _, ply in store.plies(conn, game_id, toy.TITLE)]
        expected = [fold(game_id, toy.TITLE, ())]
        for ply in plies:
            expected.append(advance(expected[-1], ply))
        versions = list(range(last + 1)) * 2
        random.Random(3).shuffle(versions)
        for version in versions:
            assert state_of(store.position(conn, game_id, version)) == state_of(expected[version])
        for version in (-1, last + 1, 10**12):
            with pytest.raises(NoSuchVersion):
                store.position(conn, game_id, version)
        with pytest.raises(NoSuchGame):
            store.position(conn, "nothing", 0)


def test_a_rolled_back_fold_is_not_kept(store: Store) -> None:
    """The view of a rolled-back transaction may not return as another's ply of the same number."""
    game_id = start(store)
    it = stored(store, game_id)
    version = it.game.version + 1

    def write_and_give_up() -> None:
        with store.write() as conn:
            decided = decide_all(it.game, ANN, [Whisper(1)], NOON, "player", it.secret)
            head = store.append(conn, it.game, it.head, it.secret, decided.plies, None)
            conn.execute(text("UPDATE game SET version = :v, head = :h"), {"v": version, "h": head})
            assert store.load(conn, game_id).game.state.whispers == {ANN: 1}
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_give_up()
    give(store, game_id, ANN, Whisper(2))
    assert game(store, game_id).state.whispers == {ANN: 2}
    with store.read() as conn:
        assert store.position(conn, game_id, version).state.whispers == {ANN: 2}


def test_other_processes_plies_are_seen(store: Store, database_url: str) -> None:
    game_id = start(store)
    assert game(store, game_id).version == 4
    other = open_store(database_url)
    give(other, game_id, ANN, Whisper(3))
    other.close()
    assert game(store, game_id).state.whispers == {ANN: 3}


def test_folds_are_bounded_and_keep_the_last_used() -> None:
    folds = Folds(games=2, versions=2)
    games = [Game(f"g{number}", toy.TITLE, version=5) for number in range(3)]
    for it in games:
        folds.keep(it, b"link")
    assert folds.nearest("g0", toy.TITLE, 5)[1].version == 0
    assert folds.nearest("g2", toy.TITLE, 5) == (b"link", games[2])
    for version in (6, 7):
        folds.keep(Game("g2", toy.TITLE, version=version), b"later")
    assert folds.nearest("g2", toy.TITLE, 5)[1].version == 0
    assert folds.nearest("g2", toy.TITLE, 99)[1].version == 7
    assert folds.nearest("g2", toy.TITLE, 6)[1].version == 6


def test_folds_are_kept_by_rules_version() -> None:

    folds = Folds()
    folds.keep(Game("g", toy.TITLE, version=5), b"link")
    assert folds.nearest("g", toy.ruled(version=toy.TITLE.rules.version + 1), 5)[1].version == 0


# ==== transactions ================================================================================
def test_a_reader_blocks_no_writer_and_loads_a_consistent_game(store: Store) -> None:
    game_id = start(store)
    with store.read() as conn:
        first = store.load(conn, game_id).row.version
        thread = threading.Thread(target=give, args=(store, game_id, ANN, Whisper(1)))
        thread.start()
        thread.join()
        store.folds.clear()
        again = store.load(conn, game_id)
        # SQLite shows a reader one snapshot; PostgreSQL (READ COMMITTED) shows each statement the last commit.
        assert again.row.version == (first if store.on_sqlite else first + 1)
        assert again.game.version == again.row.version
        assert len(again.game.state.whispers) == again.row.version - first
    assert game(store, game_id).version == first + 1


def _hold(url: str, held: Any, seconds: float) -> None:
    store = open_store(url)
    with store.write() as conn:
        conn.execute(text("UPDATE game SET name = name"))
        held.set()
        time.sleep(seconds)


def test_a_writer_waits_for_another_and_gives_up_in_the_end(
    store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = start(store)
    monkeypatch.setattr(engines, "BUSY_SECONDS", 1)
    impatient = open_store(database_url)
    for seconds, waits_in_vain in ((0.5, False), (600, True)):
        held = CHILDREN.Event()
        other = CHILDREN.Process(target=_hold, args=(database_url, held, seconds))
        other.start()
        assert held.wait(300)
        if waits_in_vain:
            with pytest.raises(Busy):
                give(impatient, game_id, ANN, Whisper(2))
            other.kill()
        else:
            give(store, game_id, ANN, Whisper(1))
        other.join()
    impatient.close()


def test_a_child_process_opens_its_own_connections(store: Store) -> None:
    game_id = open_table(store)
    assert game(store, game_id).version == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns, since the test runner has threads
        child = os.fork()
    if child == 0:  # an error here ends the child with 1
        try:
            assert store.engine.pool.checkedin() == 0  # type: ignore[attr-defined]
            assert game(store, game_id).version == 1
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert game(store, game_id).version == 1
