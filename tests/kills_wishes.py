"""kill -9 of two workers that bring people together: nobody sits twice for one wish, and no group that fits is left.

``python -m tests.kills_wishes`` runs two workers on PostgreSQL, both of which sweep wishes all the time. Meanwhile
people wish for games, sit down, decline seats or let them go by, stand up, block each other, withdraw and resign. A
worker is killed (SIGKILL) every few hundred milliseconds, and now and then between two steps of a sweep. Kept seats
must be consistent at every moment. After each round, both workers are killed, and a single sweep must leave no group
that fits, by the program that tries all groups. ``--rounds``, ``--kills`` (of each round) and ``--seed`` choose. Some
minutes.
"""

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import ChainMap, Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, suppress
from functools import partial
from itertools import chain, combinations, repeat
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

import domain
from config.celery import MATCH_WISHES, make_celery
from config.settings import Settings
from domain.lifecycle import Resign
from domain.refusal import Refused
from service.database.store import GAMES, SEATS, Busy, Outdated, Store, open_store
from service.database.work import Work
from service.games import kept, lobby
from service.games.kept import KEPT, TAKEN, WAITING, WISHES
from service.games.rights import ByPerson, SeatChanged
from service.notices.owing import OUTBOX
from service.people import acquaintances
from service.people.accounts import TooMany
from service.proof.audit import verify_game
from service.wishes import gathering, wishes
from service.wishes.wishes import WantedGame
from tests import road, toy
from tests.children import Child
from tests.kills import Undying, at_step
from tests.servers import PostgreSQL, Redis
from tests.service.wishes.test_matching import fits
from tests.workers.post import PATIENCE, person, until
from tests.workers.processes import production, run_celery, said, worker

PEOPLE = 16
SOON = 1500
"""Milliseconds for which a seat is kept, so that many offers are missed."""
PAUSE = 0.03
"""Seconds between two deeds of people, and between two hints to the workers."""


# ==== workers that die between two steps ==========================================================
STEPS: dict[str, tuple[Any, str, bool]] = {
    "before the seats": (gathering, "_offer", True),
    "before the letters": (gathering.owing, "owe", True),
    "after the table": (gathering.opening, "open_table", False),
    "before the ticks": (gathering, "_tell", True),
    "after a missed offer": (kept, "miss", False),
    "after a seat was given": (gathering, "_given_away", False),
    "before closing": (lobby, "cancel", True),
    "after closing": (lobby, "cancel", False),
    "at the start": (kept, "begun", False),
}
"""Module, function, and whether the process dies before it."""


def run_hasty_worker(step: str = "", number: int = 0) -> None:
    """Run a worker that keeps seats only briefly. With a step, it dies when it gets there the ``number``-th time."""
    kept.OFFER = kept.LIVE_OFFER = SOON
    if step:
        where, name, before = STEPS[step]
        setattr(where, name, at_step(number, getattr(where, name), before=before))
    run_celery()


Starts = Callable[[Settings], AbstractContextManager[Child]]


def _worker(settings: Settings, *dies: Any) -> Any:
    return worker(settings, queues="clock", run=partial(run_hasty_worker, *dies))


def at_random(dice: random.Random) -> Starts:
    """Start workers of which two in three die at a random step."""

    def start(settings: Settings) -> Any:
        return _worker(settings, *((dice.choice(list(STEPS)), dice.randint(1, 3)) if dice.random() < 0.67 else ()))

    return start


def in_turn(steps: Sequence[str]) -> Starts:
    """Start workers that die at these steps, one after another; later ones live."""
    fates = chain(((step, 1) for step in steps), repeat(()))
    return lambda settings: _worker(settings, *next(fates))


# ==== the people ==================================================================================
class Killed(BaseException):
    """A process dies."""


class People(threading.Thread):
    """People who wish, sit down and play. ``did``: the number of their deeds of each kind."""

    def __init__(self, store: Store, dice: random.Random) -> None:
        super().__init__(daemon=True)
        self.store, self.dice, self.did = store, dice, Counter[str]()
        self.people = [person(store, f"P{number}") for number in range(PEOPLE)]
        self.wrong: list[BaseException] = []
        self._celery = make_celery(store.settings)
        self._work, self._stopped = threading.Event(), threading.Event()
        self._resting = threading.Event()
        self._begin = lobby.begin

    def run(self) -> None:
        deeds = {
            self.wish: 6,
            self.sit: 12,
            self.leave: 1,
            self.decline: 1,
            self.withdraw: 1,
            self.resign: 6,
            self.block: 1,
        }
        try:
            while not self._stopped.is_set():
                if not self._work.is_set():
                    self._resting.set()
                    self._work.wait(1)
                    continue
                [deed] = self.dice.choices(list(deeds), list(deeds.values()))
                with suppress(Refused, Busy, Outdated, SeatChanged, TooMany, Killed):
                    self.did[deed.__name__] += bool(deed(self.dice.choice(self.people)))
                for _ in range(2):
                    self._celery.send_task(MATCH_WISHES)
                time.sleep(PAUSE)
        except BaseException as error:
            self.wrong.append(error)
            self._resting.set()

    def act(self) -> None:
        self._resting.clear()
        self._work.set()

    def rest(self) -> None:
        """Return when nobody does anything any more."""
        self._work.clear()
        until(self._resting.is_set, PATIENCE, "the last deed")

    def stop(self) -> None:
        self._stopped.set()
        self._work.set()
        self.join()
        self._celery.close()

    # ---- their deeds ----
    def wish(self, who: int) -> bool:
        wanted = WantedGame(
            titles=("toy",),
            paces=tuple(self.dice.sample(("evenings", "day", "none"), self.dice.randint(1, 3))),
            seats=tuple(self.dice.sample((2, 3), self.dice.randint(1, 2))),
            lang=self.dice.choice(("", "", "en", "de")),
            at_once=self.dice.randint(1, 2),
        )
        with self.store.write() as conn:
            wishes.add(conn, self.store.titles, who, wanted, self.store.now())
        return True

    def sit(self, who: int) -> bool:
        """Sit down; one time in three, the process dies before it starts a full table."""
        offers = self._of(who, "kept")
        if not offers:
            return False
        if self.dice.random() < 0.33:
            lobby.begin = _dies
        try:
            lobby.join(Work(self.store), ByPerson(who), self.dice.choice(offers).game_id, choice={})
        finally:
            lobby.begin = self._begin
        return True

    def leave(self, who: int) -> bool:
        return bool([lobby.leave(Work(self.store), ByPerson(who), row.game_id) for row in self._of(who, "sat")])

    def decline(self, who: int) -> bool:
        mine = self._of(who, "kept")
        for row in mine[:1]:
            lobby.decline(Work(self.store), ByPerson(who), row.game_id)
        return bool(mine)

    def withdraw(self, who: int) -> bool:
        with self.store.read() as conn:
            mine = list(conn.scalars(select(WISHES.c.id).where(WISHES.c.person_id == who)))
        with self.store.write() as conn:
            return bool(mine) and wishes.withdraw(conn, who, self.dice.choice(mine))

    def resign(self, who: int) -> bool:
        """Leave a running game, which ends it if nobody but another player is left."""
        mine = [row for row in self._of(who, "playing") if Work(self.store).game(row.game_id).game.status == "running"]
        for row in mine[:1]:
            road.submit(self.store, row.game_id, row.seat, [Resign()], None, None)
        return bool(mine)

    def block(self, who: int) -> bool:
        other = self.dice.choice(self.people)
        with self.store.write() as conn:
            few = len(acquaintances.apart(conn, self.people)) < PEOPLE
            if other != who and few:
                acquaintances.add(conn, who, "blocked", other, self.store.now())
        return other != who and few

    def _of(self, who: int, state: str) -> list[Any]:
        with self.store.read() as conn:
            return list(conn.execute(select(KEPT).where(KEPT.c.person_id == who, KEPT.c.state == state)))


def _dies(*_: Any, **__: Any) -> Any:
    raise Killed


# ==== what must hold ==============================================================================
ALLOWED = {"open": {"kept", "sat"}, "running": {"playing"}, "over": {"playing"}, "cancelled": set[str]()}
"""The states of taken seats in a game of each status."""


def faults(store: Store) -> list[str]:
    """Return what is wrong with the kept seats at this moment."""
    with store.engine.connect().execution_options(isolation_level="REPEATABLE READ") as conn:
        rows = conn.execute(select(KEPT, GAMES.c.status, GAMES.c.seats).join(GAMES, GAMES.c.id == KEPT.c.game_id)).all()
        asked = {row.id: row for row in conn.execute(select(WISHES))}
        playing = Counter(row.wish_id for row in conn.execute(wishes.going_on()))
        sitting = {(it.game_id, it.seat): it.person_id for it in conn.execute(select(SEATS))}
        letters = Counter(
            (it.game_id, it.person_id) for it in conn.execute(select(OUTBOX).where(OUTBOX.c.kind == "seat_kept"))
        )
    owed = Counter((it.game_id, it.person_id) for it in rows)
    return [
        *_twice(rows, asked, playing),
        *(f"{row.state} in a game that is {row.status}: {row}" for row in rows if not _is_allowed(row)),
        *(f"not as the seats say: {row}" for row in rows if not _agrees(row, sitting)),
        *_miscounted(rows, asked),
        *(["not one letter for each kept seat"] if letters != owed else []),
    ]


def _twice(rows: Sequence[Any], asked: dict[int, Any], playing: Counter[int]) -> list[str]:
    """Seats that belong to two people, and wishes that lead to more games at once than their owners want."""
    seats = Counter((row.game_id, row.seat) for row in rows if row.state in TAKEN)
    waiting = Counter(row.wish_id for row in rows if row.state in WAITING and row.wish_id is not None)
    found = [f"a seat of several people: {seat}" for seat, people in seats.items() if people > 1]
    found += [f"a wish that waits at {tables} tables: {wish}" for wish, tables in waiting.items() if tables > 1]
    both = waiting + playing
    return found + [f"{both[it]} games of wish {it}" for it, row in asked.items() if both[it] > row.at_once]


def _is_allowed(row: Any) -> bool:
    return row.state not in TAKEN or row.state in ALLOWED[row.status]


def _agrees(row: Any, sitting: dict[tuple[str, int], int]) -> bool:
    """Does a person sit where they sat down, and nowhere else at their table? A closed table keeps its last seats."""
    if row.status == "cancelled":
        return True
    there = sitting.get((row.game_id, row.seat)) == row.person_id
    return there == (row.state in ("sat", "playing"))


def _miscounted(rows: Sequence[Any], asked: dict[int, Any]) -> list[str]:
    """Wishes that have led to no game yet, and whose missed offers were counted wrongly."""
    lost = Counter(row.wish_id for row in rows if row.state in ("missed", "left"))
    played = {row.wish_id for row in rows if row.state == "playing"}
    return [
        f"{lost[it]} seats were let go by, counted {row.missed}: wish {it}"
        for it, row in asked.items()
        if (it not in played and row.missed != lost[it]) or (row.missed >= kept.MOST_MISSED) != bool(row.ended_at)
    ]


def left(conn: Connection, store: Store, at: int) -> list[str]:
    """Return the groups that fit and wait, and the seats of open tables that are kept for nobody."""
    seekers = gathering.waiting(conn, at)
    known = gathering._known(conn, seekers)
    kinds = [it for it in gathering._kinds(store.titles) if it.title == "toy"]
    groups = ((kind, group) for kind in kinds for group in combinations(seekers, kind.seats))
    found = [f"left waiting: {group}" for kind, group in groups if fits(group, kind, known)]
    tables = conn.execute(select(GAMES).join(kept.TABLES, kept.TABLES.c.game_id == GAMES.c.id))
    return found + [f"free seats: {row.id}" for row in tables if row.status == "open" and gathering._free(conn, row)]


# ==== a run =======================================================================================
def run(settings: Settings, rounds: int, kills: int, starts: Starts, dice: random.Random) -> str:
    """Kill workers while people look for games, and check what must hold. Return the result in words."""
    with closing(open_store(settings.database, settings=settings)) as store:
        store.migrate()
        people, died, looks = People(store, dice), 0, 0
        people.start()
        try:
            for _ in range(rounds):
                with ExitStack() as stack:
                    undying = [Undying(partial(starts, settings)) for _ in range(2)]
                    for it in undying:
                        stack.callback(it.end)
                    people.act()
                    end = died + kills
                    while died < end and not people.wrong:
                        died, looks = died + _a_while(undying, dice), looks + 1
                        _must_be_none(faults(store))
                    people.rest()
                _after_a_sweep(store)
        finally:
            people.stop()
        assert people.wrong == [], people.wrong
        return (
            f"{_result(store)}; {_said(people.did)}; {died} workers killed, looked {looks} times{_overtaken(settings)}"
        )


def _a_while(undying: Sequence[Undying], dice: random.Random) -> int:
    """Kill a worker, perhaps, and restart the dead ones. Return their number."""
    time.sleep(dice.uniform(0.1, 0.5))
    if dice.random() < 0.3:
        dice.choice(undying).kill()
    return sum(it.again() for it in undying)


def _after_a_sweep(store: Store) -> None:
    """Check that one sweep after all kills leaves nothing to do."""
    at = store.now()
    gathering.sweep(store, at)
    _must_be_none(faults(store))
    with store.read() as conn:
        _must_be_none(left(conn, store, at))


def _must_be_none(found: list[str]) -> None:
    assert not found, "\n".join(found)


def _result(store: Store) -> str:
    """Prove the games, and return what has become of the wishes."""
    with store.read() as conn:
        rows = conn.execute(select(GAMES)).all()
        states = Counter(conn.scalars(select(KEPT.c.state)))
    for row in rows:
        assert verify_game(store, row.id).verdict.proved, row.id
    games = _said(Counter(row.status for row in rows))
    return f"{len(rows)} tables, all proved ({games}); seats: {_said(states)}"


def _overtaken(settings: Settings) -> str:
    times = said(settings).count("another process")
    return f", and {times} times a worker found that the other was faster"


def _said(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(counted.items()))


def settings_for(folder: Path, server: PostgreSQL, broker: Redis) -> Settings:
    return production(folder, server.new_database(), broker.url)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    domain.TITLES = ChainMap({"toy": toy.TITLE}, domain.TITLES)  # type: ignore[assignment, arg-type]
    dice = random.Random(wanted.seed)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        server, broker = PostgreSQL(), Redis()
        stack.callback(server.stop)
        stack.callback(broker.stop)
        settings = settings_for(Path(folder), server, broker)
        print(run(settings, wanted.rounds, wanted.kills, at_random(dice), dice))
    return 0


if __name__ == "__main__":
    sys.exit(main())
