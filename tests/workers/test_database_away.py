"""The database goes away in the middle of a task. This is no bug, no player's failure, and no fault of a game.

The task ends, and its work is claimed again.
"""

import time
from typing import Any

import pytest
from sqlalchemy import insert, select

from domain.pace import DAY, Pace
from service.database.store import Away, Store
from service.games import absences
from service.letters import by_kind, several
from service.notices.webhooks import CALLS, WEBHOOKS
from service.post.inbox import INCOMING
from service.proof import checks
from tests.answers import Post, came
from tests.service.lanterns import NOON
from tests.workers.post import outbox, person, table
from tests.workers.receiver import Receiver
from tests.workers.test_webhooks import hook, open_store, taken
from workers import bots, clocks, incoming
from workers import webhooks as calls

__all__ = ["open_store", "taken"]


class Gone:
    """Replaces functions that query the database: it is away."""

    asked = 0

    def __call__(self, *_: Any, **__: Any) -> Any:
        self.asked += 1
        raise Away("the server does not answer")


@pytest.fixture
def gone(caplog: pytest.LogCaptureFixture) -> Any:
    """Check that it was queried once, and that no bug was logged."""
    gone = Gone()
    yield gone
    assert gone.asked == 1
    assert not [record for record in caplog.records if record.exc_info]


def test_an_absent_database_is_no_failure_of_a_bot(store: Store, monkeypatch: pytest.MonkeyPatch, gone: Gone) -> None:
    for _ in range(2):
        table(store, "random", "random")
    monkeypatch.setattr(bots, "play_game", gone)
    with pytest.raises(Away):
        bots.play_due(store)


def test_clocks_are_called_by_the_next_sweep(store: Store, monkeypatch: pytest.MonkeyPatch, gone: Gone) -> None:
    for name in ("Ann", "Bob"):
        table(store, person(store, name), "random", pace=Pace(DAY, excuse=False))
    with monkeypatch.context() as patch:
        patch.setattr(clocks, "_call", gone)
        with pytest.raises(Away):
            clocks.call(store, NOON + DAY)
    assert clocks.call(store, NOON + DAY) == 2


def test_clocks_of_absent_players_are_moved_by_the_next_sweep(
    store: Store, monkeypatch: pytest.MonkeyPatch, gone: Gone
) -> None:
    ann = person(store, "Ann")
    games = [table(store, ann, "random", pace=Pace(DAY, excuse=False)) for _ in range(2)]
    with store.write() as conn:
        for game_id in games:
            waits = {"game_id": game_id, "seat": 0, "ply": 1, "person_id": ann, "at": NOON, "before": {}}
            conn.execute(insert(absences.TO_MOVE).values(**waits))
    monkeypatch.setattr(absences, "_move", gone)
    absences.settle(store, NOON, time.monotonic() + 60)
    with store.read() as conn:
        assert len(conn.execute(select(absences.TO_MOVE)).all()) == 2


def test_an_absent_database_is_no_failure_of_a_receiver(
    open_store: Store, monkeypatch: pytest.MonkeyPatch, gone: Gone, taken: Receiver
) -> None:
    ann = person(open_store, "Ann")
    hook(open_store, ann, taken)
    table(open_store, ann, "random")
    monkeypatch.setattr(calls, "_look", gone)
    with pytest.raises(Away):
        calls.send_due(open_store, now=lambda: NOON)
    with open_store.read() as conn:
        assert conn.scalars(select(CALLS.c.state)).all() == ["leased"]
        assert conn.scalars(select(WEBHOOKS.c.failures)).all() == [0]


def test_an_absent_database_makes_no_game_wrong(store: Store, monkeypatch: pytest.MonkeyPatch, gone: Gone) -> None:
    table(store, "random", "random")
    with monkeypatch.context() as patch:
        patch.setattr(checks, "verify_game", gone)
        with pytest.raises(Away):
            checks.step(store, clock=lambda: NOON)
    assert not checks.step(store, clock=lambda: NOON + checks.LEASE)
    with store.read() as conn:
        (run,) = checks.runs(conn)
    assert (run.games, run.wrong) == (1, 0)


def test_an_absent_database_is_no_failure_of_an_answer(
    store: Store, monkeypatch: pytest.MonkeyPatch, gone: Gone
) -> None:
    with store.write() as conn:
        came(conn, NOON)
    monkeypatch.setattr(incoming, "_dealt_with", gone)
    with pytest.raises(Away):
        Post(store).work_off()
    with store.read() as conn:
        assert conn.scalars(select(INCOMING.c.state)).all() == ["leased"]


@pytest.mark.parametrize("tables", [1, 2])
def test_an_absent_database_is_no_failure_of_a_letter(
    store: Store, monkeypatch: pytest.MonkeyPatch, gone: Gone, tables: int
) -> None:
    """Neither a letter of one game nor one of several."""
    ann = person(store, "Ann")
    for _ in range(tables):
        table(store, ann, "random")
    monkeypatch.setattr(several if tables > 1 else by_kind, "letter_of", gone)
    with pytest.raises(Away):
        Post(store).deliver()
    assert {row.state for row in outbox(store)} == {"leased"}
