"""People with finished games, for the tests of the record."""

from typing import Any

from domain.pace import DAY, Pace
from service.database.store import Store
from service.record import rows
from service.record.reading import Record, Wanted, record
from tests.service.lanterns import ANN, BOB, NOON, game, give
from tests.toy import Choose, Pick, Stop, Walk
from tests.workers.post import table

PLAIN = Pace(DAY, excuse=False)


def choose(store: Store, game_id: str, seat: int, at: int, **more: Any) -> None:
    give(store, game_id, seat, Choose(min(game(store, game_id).state.hands[seat])), at=at, **more)


def finish(store: Store, game_id: str, at: int, *, walks: int = 0) -> None:
    """Play to the end by safe moves, at one moment where no stand-in waits.

    ``walks``: the seat that walks whenever it leads.
    """
    while (now := game(store, game_id)).asked:
        seat, table = now.asked[0], now.table
        assert table is not None
        cause, time = "bot" if table.chairs[seat].bot else "player", table.time
        if time is not None and seat in time.bots:
            cause, at = "bot", max(at, time.waits.get(seat, 0))
        if now.state.leader == seat == walks:
            give(store, game_id, seat, Walk(3), at=at, cause=cause)
        give(store, game_id, seat, now.title.rules.safe(now.state, seat), at=at, cause=cause)


def finished(store: Store, *who: int | str, at: int = NOON + DAY, walks: int = ANN, **more: Any) -> str:
    """Return a game that has ended, with its rows in the record."""
    game_id = table(store, *who, **{"pace": PLAIN} | more)
    finish(store, game_id, at, walks=walks)
    rows.make_due(store)
    return game_id


def record_of(store: Store, person_id: int, lang: str = "en", **wanted: Any) -> Record:
    with store.read() as conn:
        return record(conn, person_id, lang, Wanted(**wanted))


__all__ = ["ANN", "BOB", "NOON", "PLAIN", "Pick", "Stop", "choose", "finish", "finished", "record_of"]
