"""A game that an operator closed: its file ends there, and both verifiers accept it."""

from domain.lifecycle import CloseGame
from service.database.store import Store
from service.proof.bundle.format import write
from service.proof.bundle.make import bundle
from tests.service.lanterns import give, log, play_on, start, stored
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.javascript import JavaScript


def test_both_verifiers_hold_the_file_of_a_closed_game_for_sound(store: Store, javascript: JavaScript) -> None:
    game_id = start(store)
    play_on(store, game_id, 6)
    give(store, game_id, None, CloseGame("fault"), cause="service")
    made = bundle(stored(store, game_id), log(store, game_id), None)
    assert (made.header.status, made.header.reader) == ("cancelled", "everything")
    assert made.secret is not None
    assert bundles.faults(javascript, write(made)) == (None, None)


def test_a_closed_game_is_not_called_running(store: Store, javascript: JavaScript) -> None:
    game_id = start(store)
    give(store, game_id, None, CloseGame("fault"), cause="service")
    made = write(bundle(stored(store, game_id), log(store, game_id), None))
    ours, theirs = bundles.faults(javascript, made.replace(b'"status":"cancelled"', b'"status":"over"', 1))
    assert ours is not None
    assert theirs is not None
