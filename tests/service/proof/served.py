"""Tables of a real service, and the proof of all its logs: ``python -m tests.service.proof.served 100``.

People move, take back, go back together, take days off, move house, miss their turns, forget their words, resign, come
back and are replaced; bots play and stand in; operators free seats, give time back and close tables; accounts are
erased; the service stands still, and its clock jumps ahead and is set right. All of it goes through the service's own
functions into a store, and nothing is recorded. Each log must be proved by the program, whole and in the store, and
be found in order by the second verifier, as each seat sees it while the game runs and whole when it has ended.
"""

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from freezegun import freeze_time

from config.settings import Settings
from domain import luck
from domain.game import Game, can_take_back
from domain.lifecycle import ENDED, open_proposal
from domain.messages import Command, tag_of
from domain.pace import MINUTE, Pace
from domain.refusal import Refused
from service.database.store import NoSuchGame, Store, Stored, open_store
from service.database.work import Work
from service.games import absences, lobby, moves, opening, play, seats
from service.games.play import Stale
from service.games.rights import ByPerson, Forbidden, SeatChanged
from service.games.turn import submission
from service.keeping import personal
from service.operators import acts
from service.people import accounts
from service.proof.audit import verify_game
from service.proof.bundle import make
from service.proof.bundle.format import write
from service.proof.bundle.prove import prove_file
from tests.service.proof import honest
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.javascript import JavaScript
from tests.toy import TITLE
from workers import bots, clocks

BEGAN = datetime(2026, 10, 20, 7, tzinfo=UTC)
"""Clocks go back in Berlin on 25 October and in New York on 1 November."""
TABLES, PEOPLE, STEPS = 4, 6, 120
PERIOD = timedelta(days=1)
"""The interval at which the service checks clocks, so that a step of the game is no standstill."""
REFUSED = (Refused, Forbidden, SeatChanged, Stale, NoSuchGame, absences.BadAbsence, acts.NotDone)
"""Errors that a person may get for any request at any time."""


class Served:
    """Some tables of one store, by their number. ``frozen``: the clock of the machine, from `freeze_time`.

    The service draws secrets, and bots their moves, from random sources of their own: no number repeats the same logs.
    """

    def __init__(self, store: Store, frozen: Any, number: int) -> None:
        store.settings = store.settings.with_(sweep_seconds=int(PERIOD.total_seconds()))
        self.store, self.frozen, self.dice = store, frozen, random.Random(number)
        self.now, self.fast = BEGAN, timedelta()
        self.seen = 0
        self.words: dict[tuple[str, int], str] = {}
        self.people = [self.newcomer() for _ in range(PEOPLE)]
        self.games = [self.open() for _ in range(TABLES)]

    @property
    def at(self) -> int:
        return int(self.now.timestamp() * 1000)

    def newcomer(self) -> int:
        """Sign somebody in for the first time."""
        self.seen += 1
        with self.store.write() as conn:
            who, _ = accounts.person_at(conn, f"player{self.seen}@example.org", "en", self.at)
            accounts.introduce(conn, who, name=f"Person {self.seen}", zone=self.dice.choice(honest.ZONES))
        return who

    def stored(self, game_id: str) -> Stored:
        with self.store.read() as conn:
            return self.store.load(conn, game_id)

    # ==== opening =================================================================================
    def open(self) -> str:
        """Open a table with people, and sometimes a bot. It has begun, unless words are sealed."""
        sitting, sealed = self.dice.sample(self.people, self.dice.choice((2, 3))), self.dice.random() < 0.35
        bot = len(sitting) < 3 and self.dice.random() < 0.6
        options = {"length": self.dice.choice(("short", "long"))}
        game_id = opening.open_table(
            Work(self.store), ByPerson(sitting[0]), title="toy", options=options,
            seats=len(sitting) + bot, name="A table", public=True, settle_ms=MINUTE, pace=self.pace(), sealed=sealed,
        ).game_id  # fmt: skip
        if bot:
            lobby.seat_bot(Work(self.store), ByPerson(sitting[0]), game_id, "random")
        for each in sitting:
            self.sit(game_id, each, sealed)
        if not sealed:
            lobby.start(Work(self.store), ByPerson(sitting[0]), game_id)
        return game_id

    def pace(self) -> Pace | None:
        return None if self.dice.random() < 0.1 else honest.pace(self.dice)

    def sit(self, game_id: str, who: int, sealed: bool) -> None:
        brought = {"seal": self.seal(game_id, who)} if sealed else {"words": "seven geese"}
        lobby.join(Work(self.store), ByPerson(who), game_id, choice={}, **brought)

    def seal(self, game_id: str, who: int) -> str:
        self.words[game_id, who] = self.dice.randbytes(32).hex()
        return luck.brought("", self.words[game_id, who])

    # ==== time ====================================================================================
    def live(self, steps: int = STEPS) -> None:
        """Let time pass, people act at each table, and the workers look at all of them."""
        for _ in range(steps):
            self.pass_time()
            for game_id in self.games:
                for _ in range(self.dice.choice((0, 0, 0, 1, 3))):
                    with suppress(*REFUSED):
                        self.act(game_id)
            with suppress(*REFUSED):
                self.change()
            if self.dice.random() < 0.1 and any(self.stored(it).game.status in ENDED for it in self.games[-TABLES:]):
                self.games.append(self.open())
            clocks.sweep(self.store)
            bots.play_due(self.store)

    def pass_time(self) -> None:
        """Let hours pass. Now and then the service stands still for long, or its clock is fast for a while."""
        chance = self.dice.random()
        step = self.dice.choice((timedelta(seconds=1), timedelta(minutes=20), timedelta(hours=5), timedelta(hours=20)))
        if chance < 0.05:
            step = self.dice.choice((timedelta(days=2), timedelta(days=9)))
        elif self.fast and chance < 0.4:
            step, self.fast = -self.fast, timedelta()
        elif not self.fast and chance > 0.96:
            step = self.fast = self.dice.choice((timedelta(hours=7), timedelta(days=3), timedelta(days=30)))
        self.now += step
        self.frozen.move_to(self.now)

    # ==== people ==================================================================================
    def act(self, game_id: str) -> None:
        """Let somebody act at a table."""
        stored = self.stored(game_id)
        if stored.game.status in ENDED:
            return
        sitting = {it.seat: it.person_id for it in stored.seats if it.person_id is not None and it.left_at is None}
        if stored.game.status == "open":
            self.get_ready(stored, sitting)
            return
        deed = self.dice.choices(
            (self.move, self.take_back, self.go_back, self.come_back, self.resign, self.operate),
            (12, 2, 2, 2, 0.15, 0.15),
        )
        deed[0](stored, sitting)

    def get_ready(self, stored: Stored, sitting: dict[int, int]) -> None:
        """Let somebody seal or open words, sit down at a lost seat, or stand up (ST 20)."""
        table, game_id = stored.game.table, stored.game.id
        if table is None:
            return
        free = [who for who in self.people if who not in sitting.values()]
        if len(table.chairs) < table.seats and free:
            self.sit(game_id, self.dice.choice(free), sealed=True)
            return
        seat = self.dice.choice(sorted(sitting))
        asks, chair = ByPerson(sitting[seat]), table.chairs[seat]
        if self.dice.random() < 0.04:
            lobby.leave(Work(self.store), asks, game_id)
        elif self.dice.random() < 0.5 and chair.brought is None:
            lobby.seal_words(Work(self.store), asks, game_id, self.seal(game_id, sitting[seat]))
        elif self.dice.random() < 0.5:
            lobby.open_words(Work(self.store), asks, game_id, self.words[game_id, sitting[seat]])

    def move(self, stored: Stored, sitting: dict[int, int]) -> None:
        game = stored.game
        if asked := [seat for seat in game.asked if seat in sitting]:
            seat = self.dice.choice(asked)
            plan: list[Command] = [*TITLE.bots["random"](TITLE.rules.view(game.state, seat), self.dice)]
            given = submission(game.id, plan, game.version_for(seat))
            play.submit(Work(self.store), ByPerson(sitting[seat]), given)

    def take_back(self, stored: Stored, sitting: dict[int, int]) -> None:
        for seat, who in sitting.items():
            if plies := can_take_back(stored.game, seat, self.at):
                moves.take_back(Work(self.store), ByPerson(who), stored.game.id, self.dice.choice(plies))
                return

    def go_back(self, stored: Stored, sitting: dict[int, int]) -> None:
        game, table = stored.game, stored.game.table
        if table is None or not sitting:
            return
        if open_proposal(table, game.last_seen_by_all, self.at) is None:
            to = self.dice.randint(table.floor, max(table.floor, game.version - 1))
            moves.propose_rewind(Work(self.store), ByPerson(self.dice.choice([*sitting.values()])), game.id, to)
        for who in sitting.values():
            with suppress(*REFUSED):
                self.answer(game.id, who)

    def answer(self, game_id: str, who: int) -> None:
        table, chance = self.stored(game_id).game.table, self.dice.random()
        if table is None or table.proposal is None:
            return
        if chance < 0.8:
            moves.agree_to_rewind(Work(self.store), ByPerson(who), game_id, table.proposal.to)
        elif chance < 0.9:
            moves.refuse_rewind(Work(self.store), ByPerson(who), game_id)

    def come_back(self, stored: Stored, sitting: dict[int, int]) -> None:
        """Let a player return, a substitute come, or the host leave the seat to a bot."""
        time = stored.game.table.time if stored.game.table else None
        for seat in sorted(time.away if time else ()):
            others = [who for who in self.people if who not in sitting.values()]
            if time is not None and seat in time.vacant and others and self.dice.random() < 0.4:
                seats.take_over(Work(self.store), ByPerson(self.dice.choice(others)), stored.game.id, seat)
            elif time is not None and seat in time.vacant and self.dice.random() < 0.4:
                seats.stand_in(Work(self.store), ByPerson(stored.row.host_id), stored.game.id, seat)
            elif seat in sitting:
                seats.return_to_seat(Work(self.store), ByPerson(sitting[seat]), stored.game.id)
            return

    def resign(self, stored: Stored, sitting: dict[int, int]) -> None:
        moves.resign(Work(self.store), ByPerson(self.dice.choice([*sitting.values()] or [0])), stored.game.id)

    def change(self) -> None:
        """Let somebody plan or end days off, move house, sleep longer or, seldom, have the account erased."""
        who, chance = self.dice.choice(self.people), self.dice.random()
        today = self.now.date()
        if chance < 0.15:
            first = today + timedelta(days=self.dice.randrange(3))
            last = first + timedelta(days=self.dice.choice((0, 2, 5)))
            absences.plan(Work(self.store), ByPerson(who), first, last, "vacation", self.at)
        elif chance < 0.22:
            with self.store.read() as conn:
                rows = absences.of(conn, who)
            for row in rows:
                absences.end(Work(self.store), ByPerson(who), row.id, self.at)
        elif chance < 0.3:
            calendar = honest.calendar(self.dice)
            with self.store.write() as conn, suppress(accounts.TooShort):
                accounts.change(
                    conn, who, self.at, zone=calendar.zone, wakes_at=calendar.wakes, sleeps_at=calendar.sleeps
                )
        elif chance < 0.31:
            personal.erase(self.store, who, self.at)
            self.people[self.people.index(who)] = self.newcomer()

    # ==== operators ===============================================================================
    def operate(self, stored: Stored, sitting: dict[int, int]) -> None:
        operator, game_id, chance = acts.AT_THE_COMMAND_LINE, stored.game.id, self.dice.random()
        if chance < 0.5:
            seat = self.dice.choice(sorted(sitting) or [1])
            acts.free_seat(self.store, operator, game_id, seat, "was asked to", self.at)
        elif chance < 0.9:
            acts.give_time(self.store, operator, game_id, self.dice.choice((1, 90, 3000)), "was asked to", self.at)
        else:
            self.close(game_id)

    def close(self, game_id: str) -> None:
        acts.close(self.store, acts.AT_THE_COMMAND_LINE, game_id, "other", "is over", self.at)

    def end(self) -> None:
        """Close all tables, which publishes all secrets."""
        for game_id in self.games:
            if self.stored(game_id).game.status not in ENDED:
                self.close(game_id)

    # ==== proofs ==================================================================================
    def alarms(self, javascript: JavaScript) -> Iterator[str]:
        """The faults that either verifier finds in a game, in the store or in a file."""
        for game_id in self.games:
            yield from (f"{game_id}: store: {fault}" for fault in verify_game(self.store, game_id).faults)
            for raw in self.files(game_id):
                ours, theirs = prove_file(raw, bundles.ALL), javascript.verify(raw)
                for fault in (ours.fault, theirs["fault"] and javascript.say(theirs["fault"])):
                    if fault:
                        yield f"{game_id}: file: {fault}"

    def files(self, game_id: str) -> Iterator[bytes]:
        """The files of a game: the whole if it has ended, else one for each seat and for an onlooker."""
        stored = self.stored(game_id)
        with self.store.read() as conn:
            log = self.store.stored_plies(conn, game_id)
        eyes = (None,) if stored.game.status in ENDED else (None, *stored.game.table.chairs)  # type: ignore[union-attr]
        for seat in eyes:
            yield write(make.bundle(stored, log, seat))

    def happened(self) -> Counter[str]:
        """The counts of events and of causes of plies in all logs."""
        plies = [ply for game_id in self.games for _, ply in self.plies(self.stored(game_id).game)]
        return Counter([*(tag_of(type(it)) for ply in plies for it in ply.events), *(ply.cause for ply in plies)])

    def plies(self, game: Game) -> Any:
        with self.store.read() as conn:
            return self.store.plies(conn, game.id, game.title, 0, game.version)


def served(store: Store, number: int, javascript: JavaScript, steps: int = STEPS) -> tuple[Served, list[str]]:
    """Let some tables live for some weeks. Return them, and the faults found midway, before closing all, and after."""
    with freeze_time(BEGAN) as frozen:
        tables, alarms = Served(store, frozen, number), list[str]()
        for _ in range(2):
            tables.live(steps // 2)
            alarms += tables.alarms(javascript)
        tables.end()
        alarms += tables.alarms(javascript)
    return tables, alarms


@contextmanager
def store_in(folder: Path) -> Iterator[Store]:
    """An empty store in a new folder."""
    address = f"sqlite:///{folder / 'slowtrain.db'}"
    settings = Settings(_env_file=None, data_dir=folder)
    with closing(open_store(address, titles=bundles.ALL, settings=settings)) as store:
        store.migrate()
        yield store


def main(number: int) -> int:
    engine, found, happened = JavaScript(), list[str](), Counter[str]()
    games = plies = 0
    for each in range(number):
        with tempfile.TemporaryDirectory() as folder, store_in(Path(folder)) as store:
            tables, alarms = served(store, each, engine)
            happened += tables.happened()
            games += len(tables.games)
            plies += sum(tables.stored(it).game.version for it in tables.games)
        found += alarms
        for alarm in alarms:
            print(f"{each}: {alarm}", flush=True)
    engine.close()
    print(", ".join(f"{what} {times}" for what, times in happened.most_common()))
    print(f"{games} games with {plies} plies: {len(found)} false alarms")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if sys.argv[1:] else 100))
