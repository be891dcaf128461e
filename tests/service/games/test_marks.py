"""Ticks: each goes to exactly the readers whose marks a commit has changed, and tells nothing that is hidden."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from config.settings import Settings
from domain.clock import CallTime
from domain.lifecycle import AgreeToRewind, Resign, StartGame
from domain.pace import DAY, HOUR, Pace
from service.base.ticks import Tick
from service.database.store import NoSuchGame, Store
from service.games import queries
from service.games.marks import mark
from tests import road
from tests.listeners import Listener, listening
from tests.service.lanterns import ANN, BOB, NOON, game, give, open_table, play_on
from tests.toy import Choose, Walk, Whisper
from tests.workers.post import person

SUBSTITUTES = Pace(turn=DAY, excuse=False, then="substitute")


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """Marks do not depend on the database: one kind is enough here."""
    return copy_on_sqlite


class Table:
    """A table of Ann and Bob, with people around it: Cleo, and a guest who is not signed in."""

    def __init__(self, store: Store, *, public: bool = True, pace: Pace | None = None) -> None:
        self.store = store
        self.ann, self.bob, self.cleo = (person(store, name) for name in ("Ann", "Bob", "Cleo"))
        self.id = open_table(store, 2, public=public, pace=pace)
        for seat, who in ((ANN, self.ann), (BOB, self.bob)):
            road.take_seat(store, self.id, seat, choice={}, at=NOON, person_id=who, words="abc")
        self.give(None, StartGame())

    def give(self, seat: int | None, *commands: Any, at: int = NOON) -> None:
        give(self.store, self.id, seat, *commands, at=at)

    @property
    def game(self) -> Any:
        return game(self.store, self.id)

    def choose(self, seat: int, which: int = 0) -> None:
        self.give(seat, Choose(self.game.state.hands[seat][which]))

    def seat_of(self, who: int | None) -> int | None:
        with self.store.read() as conn:
            seats = self.store.load(conn, self.id).seats
        return next((it.seat for it in seats if who is not None and it.person_id == who), None)

    def marks(self, at: int) -> dict[int | None, str | None]:
        """The marks of everybody who may see the table; None for others."""

        def its(who: int | None) -> str | None:
            try:
                with self.store.read() as conn:
                    return mark(queries.game_for(self.store, conn, who, self.id), at)
            except NoSuchGame:
                return None

        return {who: its(who) for who in (self.ann, self.bob, self.cleo, None)}


def hears(tick: Tick, who: int | None, was: int | None, now: int | None) -> bool:
    """Does the tick reach this reader, who held one seat before the commit and another after it?"""
    return who in tick.people if was or now else tick.watchers


@contextmanager
def compared(table: Table, listener: Listener, at: int) -> Iterator[None]:
    """Compare the ticks of one commit with the marks before and after it."""
    people = (table.ann, table.bob, table.cleo, None)
    before, seats = table.marks(at), {who: table.seat_of(who) for who in people}
    listener.heard()
    yield
    after, ticks = table.marks(at), listener.heard()
    assert len(ticks) <= 1
    for who in people:
        was, now = seats[who], table.seat_of(who)
        has_token = was or now or before[who] is not None
        told = any(hears(it, who, was, now) for it in ticks if has_token)
        assert told == (before[who] != after[who] and after[who] is not None), (who, ticks, before, after)


def test_a_tick_reaches_exactly_the_readers_whose_marks_a_commit_has_changed(store: Store, listener: Listener) -> None:
    table = Table(store)
    steps: list[Callable[[], None]] = [
        lambda: table.give(ANN, Whisper(1)),
        lambda: table.give(BOB, Whisper(2)),
        lambda: table.choose(BOB),
        lambda: table.give(BOB, Whisper(3)),
        lambda: table.choose(ANN),
        lambda: table.give(table.game.state.leader, Walk(1)),
        lambda: road.propose_rewind(store, table.id, ANN, table.game.version - 1, at=NOON) and None,
        lambda: table.give(BOB, AgreeToRewind(table.game.table.proposal.to)),
        *(lambda: play_on(store, table.id, 1) and None for _ in range(5)),
        lambda: table.give(ANN, Resign()),
    ]
    for step in steps:
        with compared(table, listener, NOON + HOUR):
            step()
    assert table.game.status == "over"


@pytest.mark.parametrize("public", [True, False])
def test_a_tick_follows_the_mark_when_a_substitute_takes_a_seat_over(
    store: Store, listener: Listener, public: bool
) -> None:
    table = Table(store, public=public, pace=SUBSTITUTES)
    late = NOON + DAY + HOUR
    with compared(table, listener, late):
        table.choose(BOB)
    with compared(table, listener, late):
        road.submit(store, table.id, None, [CallTime(ANN)], None, None, late, "clock")
    with compared(table, listener, late + 1):
        road.take_over(store, table.id, ANN, person_id=table.cleo, at=late + 1, invitation=0)
    assert table.seat_of(table.cleo) == ANN
    assert table.marks(late)[table.ann] is None or public
    with compared(table, listener, late + 2):
        table.give(ANN, Whisper(5))


# ==== worlds ======================================================================================
def quiet_world(table: Table) -> None:
    table.choose(BOB)


def busy_world(table: Table) -> None:
    """Bob whispers twice, before and after he chooses another card."""
    table.give(BOB, Whisper(7))
    table.choose(BOB, 1)
    table.give(BOB, Whisper(8))


def heard_in(table: Table, listener: Listener, hidden: Callable[[Table], None]) -> dict[str, list[bool]]:
    """What everybody hears while Bob acts in secret and all go on: for each tick, whether watchers hear it, too."""
    listener.heard()
    hidden(table)
    table.choose(ANN)
    table.give(table.game.state.leader, Walk(1))
    table.give(ANN, Whisper(9))
    ticks = listener.heard()
    readers = {"ann": table.ann, "bob": table.bob, "guest": None}
    seats = {name: table.seat_of(who) for name, who in readers.items()}
    return {
        name: [it.watchers for it in ticks if hears(it, who, seats[name], seats[name])] for name, who in readers.items()
    }


def test_two_worlds_behind_one_view_give_the_same_ticks_in_the_same_order(
    store_in: Callable[..., Store], tmp_path: Any, toy_title: Any
) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path)  # type: ignore[call-arg]
    with listening(settings) as listener:
        worlds = (("a.db", quiet_world), ("b.db", busy_world))
        quiet, busy = (heard_in(Table(store_in(settings, name=name)), listener, hidden) for name, hidden in worlds)
    assert quiet["ann"] == busy["ann"] == [True, True, False]
    assert quiet["guest"] == busy["guest"] == [True, True]
    assert quiet["bob"] != busy["bob"], "the worlds differ for the seat that acts in secret"
