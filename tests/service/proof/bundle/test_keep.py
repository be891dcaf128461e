"""Import: a game arrives whole and unchanged in another installation, and nothing else is accepted."""

import pytest
from sqlalchemy import func, select

from domain.lifecycle import CancelGame
from service.database.store import GAMES, PLIES, SEATS, SECRETS, Store
from service.proof.audit import verify_game
from service.proof.bundle.format import Unreadable, write
from service.proof.bundle.keep import NotImported, keep
from service.proof.bundle.make import bundle
from tests import toy
from tests.service.lanterns import give, log, open_table, play_on, start, stored
from tests.service.proof.bundle.bundles import edited, finished, hashed_anew, lines_of, signed


def exported(store: Store, game_id: str, seat: int | None = None) -> bytes:
    return write(bundle(stored(store, game_id), log(store, game_id), seat))


def count(store: Store, table: object) -> int:
    with store.read() as conn:
        return conn.execute(select(func.count()).select_from(table)).scalar_one()


@pytest.fixture
def over(store: Store) -> tuple[Store, str]:
    game_id = start(store, seats=3)
    play_on(store, game_id)
    return store, game_id


def test_a_finished_game_is_the_same_after_export_and_import(over: tuple[Store, str], elsewhere: Store) -> None:
    store, game_id = over
    raw = exported(store, game_id)
    imported, new, _ = keep(elsewhere, raw, name="From afar")
    assert new
    assert imported.header.game == game_id
    assert verify_game(elsewhere, game_id).proved
    assert exported(elsewhere, game_id) == raw
    assert log(elsewhere, game_id) == log(store, game_id)
    there, here = stored(elsewhere, game_id), stored(store, game_id)
    assert there.game.result == here.game.result
    assert (there.row.status, there.row.head, there.row.name) == ("over", here.row.head, "From afar")
    assert (there.row.host_id, there.row.public, there.row.bot_at, there.row.asked) == (None, True, None, [])
    assert there.row.ended_at == there.row.moved_at
    assert count(elsewhere, SEATS) == 0


def test_the_other_database_takes_it_too(over: tuple[Store, str]) -> None:
    """From an embedded installation into the one under test, which may use PostgreSQL."""
    store, _ = over
    assert keep(store, finished("toy", 3, "game3"))[1]
    assert verify_game(store, "game3").proved


def test_a_repeated_import_changes_nothing(over: tuple[Store, str], elsewhere: Store) -> None:
    raw = exported(*over)
    assert keep(elsewhere, raw)[1]
    assert not keep(elsewhere, raw)[1]
    assert not keep(over[0], raw)[1], "where it comes from it is, too"
    assert count(elsewhere, GAMES) == 1


def test_another_log_under_the_same_id_is_refused(elsewhere: Store) -> None:
    keep(elsewhere, finished("toy", 3, "thesame"))
    before = log(elsewhere, "thesame")
    with pytest.raises(NotImported, match="There is a game thesame here already, with another log"):
        keep(elsewhere, finished("toy", 5, "thesame"))
    assert log(elsewhere, "thesame") == before


def test_a_cancelled_game_can_be_imported(store: Store, elsewhere: Store) -> None:
    game_id = open_table(store)
    give(store, game_id, None, CancelGame())
    assert keep(elsewhere, exported(store, game_id))[1]
    assert verify_game(elsewhere, game_id).proved
    assert stored(elsewhere, game_id).game.status == "cancelled"


@pytest.mark.parametrize("seat", [None, 1])
def test_a_running_game_is_refused(store: Store, elsewhere: Store, seat: int | None) -> None:
    game_id = start(store)
    with pytest.raises(NotImported, match="Only a game that has ended can be imported; this one is running"):
        keep(elsewhere, exported(store, game_id, seat))
    assert count(elsewhere, GAMES) == 0


def test_a_broken_game_is_refused_and_names_the_ply(over: tuple[Store, str], elsewhere: Store) -> None:
    lines = lines_of(exported(*over))
    forged = hashed_anew(edited(lines, 9, lambda shown: {**shown, "events": shown["events"] * 2}))
    with pytest.raises(NotImported, match="Ply 9: "):
        keep(elsewhere, forged)
    with pytest.raises(NotImported, match="Ply 7: it is missing: ply 8 is in its place"):
        keep(elsewhere, signed(lines[:7] + lines[8:]))
    assert [count(elsewhere, table) for table in (GAMES, PLIES, SECRETS)] == [0, 0, 0]


def test_an_unknown_title_is_refused(
    over: tuple[Store, str], elsewhere: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elsewhere, "titles", {})
    with pytest.raises(Unreadable, match="does not know the title “toy”"):
        keep(elsewhere, exported(*over))


def test_rules_of_the_future_are_refused(
    over: tuple[Store, str], elsewhere: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = exported(*over)
    monkeypatch.setattr(elsewhere, "titles", {"toy": toy.ruled(version=0)})
    with pytest.raises(NotImported, match="Ply 1: it was decided under version 3 of the rules; this program knows ver"):
        keep(elsewhere, raw)


def test_an_id_that_cannot_be_an_address_is_refused(elsewhere: Store) -> None:
    with pytest.raises(NotImported, match="“game-3” cannot be the address of a game here"):
        keep(elsewhere, finished("toy", 3))


def test_the_stored_game_is_proved_again(
    over: tuple[Store, str], elsewhere: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a store changes the bytes, the import fails and leaves nothing."""
    honest = Store.stored_plies
    monkeypatch.setattr(Store, "stored_plies", lambda *given: honest(*given)[:-1])
    with pytest.raises(NotImported):
        keep(elsewhere, _raw_of(over, honest))
    monkeypatch.undo()
    assert count(elsewhere, GAMES) == 0


def _raw_of(over: tuple[Store, str], honest: object) -> bytes:
    store, game_id = over
    with store.read() as conn:
        plies = honest(store, conn, game_id)  # type: ignore[operator]
    return write(bundle(stored(store, game_id), plies, None))
