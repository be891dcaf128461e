"""Honest logs by the hundred, with changing calendars, absences, outages, missed turns, bots, substitutes, rewinds,
forgotten sealed words, a fast machine clock that is set right, and tables of the older shape.

Deadlines are moved by the service's own functions, or as those of release 0.2.0 did (rules 2). Every log must be
proved, and be found in order by the second verifier, while it runs and at its end. The longer check, for so many games:
``python -m tests.service.proof.honest 3000``.
"""

import random
import sys
from collections.abc import Callable, Iterator
from datetime import date
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

from domain import luck
from domain.at_table import KEEPS_TO_THE_LEAST
from domain.chain import Ply
from domain.clock import CallTime, FreeSeat, MoveClocks, ReturnToSeat, StandIn, TakeOver
from domain.game import can_take_back
from domain.lifecycle import AgreeToRewind, GiveUpSeat, ProposeRewind, RefuseRewind, Resign, TakeBack, open_proposal
from domain.messages import Command
from domain.pace import DAY, HOUR, MINUTE, PRESETS, Calendar, Pace, after, counted, deadline, must_be_a_pace
from domain.refusal import Refused
from domain.sealed import CallWords, MoveWords, RevealWords, SealWords
from domain.timekeeping import SETS_RIGHT
from service.games import absences
from service.games import clocks as games_clocks
from service.proof.bundle.prove import prove_file
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.javascript import JavaScript
from tests.service.proof.live import NOON, Live
from tests.toy import TITLE
from workers import clocks

ZONES = ("UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York", "Pacific/Auckland", "Pacific/Kiritimati")
PLIES = 60


def calendar(dice: random.Random) -> Calendar:
    wakes, sleeps = dice.choice(((480, 1320), (0, 0), (1200, 240), (600, 660), (300, 1439)))
    return Calendar(dice.choice(ZONES), wakes, sleeps, absence(dice) if dice.random() < 0.3 else ())


def absence(dice: random.Random) -> tuple[tuple[int, int], ...]:
    first = date.fromtimestamp(NOON / 1000).toordinal() + dice.randrange(-2, 60)
    return ((first, first + dice.choice((0, 3, 20))),)


def pace(dice: random.Random) -> Pace:
    if dice.random() < 0.3:
        return dice.choice(list(PRESETS.values()))
    cap = dice.choice((0, HOUR, 2 * DAY))
    made = Pace(
        dice.choice((MINUTE, HOUR, DAY, 7 * DAY)),
        bank=dice.choice((0, cap)),
        gain=dice.choice((0, cap // 3)),
        cap=cap,
        hour=dice.choice((None, None, 0, 1200)),
        days_off=dice.choice(((), (), (6, 7), (1, 2, 3, 4, 5, 6))),
        waking=dice.random() < 0.3,
        absences=dice.random() < 0.6,
        excuse=dice.random() < 0.5,
        renew=dice.random() < 0.5,
        then=dice.choice(("remind", "safe", "bot", "substitute", "resign")),
    )
    must_be_a_pace(made)
    return made


class Honest(Live):
    """One game, by its number."""

    def __init__(self, number: int) -> None:
        self.dice = dice = random.Random(number)
        seats, shape = dice.choice((2, 3, 3)), dice.choice(("older", "sealed", "sealed", "plain", "plain"))
        bots = (seats,) if seats == 3 and dice.random() < 0.6 else ()
        timed = pace(dice) if shape != "sealed" or dice.random() < 0.8 else None
        rules = dice.choice((2, 3, 3))
        super().__init__(
            timed, seats, bots, sealed=shape == "sealed", older=shape == "older", rules=rules, started=False
        )
        for seat in self.people:
            self.people[seat] = calendar(dice)
        self.words = dict[int, str]()
        self.seal_and_open() if self.table.sealed else self.begin()

    def give(self, seat: int | None, command: Command, cause: str = "player", *more: Any) -> Ply:
        """Give a command at ``at``, the machine's time. A log that is ahead of it stands still."""
        now, self.at = self.at, max(self.at, self.game.at)
        try:
            return super().give(seat, command, cause, *more)
        finally:
            self.at = now

    def play(self) -> "Honest":
        """Play until the game is over or long enough."""
        for _ in range(20 * PLIES):
            if self.game.status != "running" or self.game.version >= PLIES:
                break
            lost = self.dice.random() < 0.04
            since = self.at
            if self.dice.random() < 0.04:
                self.be_fast()
                continue
            self.at += self.dice.choice((1, MINUTE, HOUR, 5 * HOUR, DAY, 4 * DAY))
            try:
                if lost:
                    self.give_back(since + (self.at - since) // 3)
                elif not self.call():
                    self.dice.choice([self.move] * 6 + [self.now_and_then] * 3)()
            except Refused:
                continue
        return self

    # ==== the service =============================================================================
    def call(self) -> bool:
        late = sorted((due, seat) for seat, due in self.table.clocks.items() if due <= self.at)
        for _, seat in late[:1]:
            self.give(None, CallTime(seat), "clock")
        return bool(late)

    def give_back(self, since: int) -> None:
        """Give back the time since ``since``, during which the service stood still."""
        if self.time is None or all(it.since >= self.at for it in self.time.running.values()):
            return
        outage = SimpleNamespace(since=since, until=self.at)
        running = {seat: it for seat, it in sorted(self.time.running.items()) if seat in self.table.clocks}
        moved = []
        for seat, clock in running.items():
            row = SimpleNamespace(seat=seat, started_at=clock.since, due_at=clock.due)
            if self.rules >= 3:
                moved.append((seat, clocks._later(self.game, self.people[seat], row, outage)))
            elif clock.since < self.at:
                moved.append((seat, self._later_once(seat, row, outage)))
        self.give(None, MoveClocks(tuple(moved), "outage", outage.until - outage.since), "service")

    def be_fast(self) -> None:
        """The machine's clock jumps ahead, as if nobody had looked at the clocks, and is set right after a while."""
        by = self.dice.choice((HOUR, DAY, 30 * DAY))
        since, self.at = self.at, self.at + by
        try:
            self.give_back(since)
            for _ in range(self.dice.randrange(4)):
                self.at += self.dice.choice((MINUTE, 5 * HOUR))
                if self.game.status == "running" and not self.call():
                    self.move()
        except Refused:
            pass
        self.at -= by
        if self.rules >= SETS_RIGHT and (back := clocks._back(self.game, self.people, by, self.at)) is not None:
            self.give(None, back, "service")

    def _later_once(self, seat: int, row: Any, outage: Any) -> int:
        """Move one clock as release 0.2.0 did."""
        lost = counted(self.time.pace, self.people[seat], max(row.started_at, outage.since), outage.until)
        return max(after(self.time.pace, self.people[seat], row.due_at, lost), outage.until + MINUTE)

    def change(self) -> None:
        """Let somebody go away, come home early, or move house. Only absences move a clock."""
        seat = self.dice.choice(sorted(self.people))
        before = self.people[seat]
        if self.dice.random() < 0.3:
            self.people[seat] = replace(calendar(self.dice), away=before.away)
            return
        now = self.people[seat] = replace(before, away=() if before.away else absence(self.dice))
        if seat not in self.table.clocks:
            return
        due = self.table.clocks[seat]
        later = absences.moved(self.game, seat, due, before, now, self.at)
        if self.rules < 3 and self.time.pace.absences:
            later = after(self.time.pace, now, self.at, counted(self.time.pace, before, self.at, due))
        if later != due:
            self.give(None, MoveClocks(((seat, later),), "away"), "service")

    def operate(self) -> None:
        seat = self.dice.choice(self.table.playing)
        if self.dice.random() < 0.3:
            by = self.dice.choice(("player", "service"))
            self.give(seat, Resign(), by if seat in self.people else "service")
        elif seat in self.people:
            self.give(None, FreeSeat(seat), "service")

    # ==== sealed words ============================================================================
    def seal_and_open(self) -> None:
        """Let all sit down with sealed words and open them. Seats of absent players begin anew.

        With only minutes to open them, the attempts may never all succeed.
        """
        for attempt in range(100):
            if self.game.begun:
                return
            self.at += self.dice.choice((1, MINUTE, MINUTE, DAY))
            due = self.table.sealed.due if self.table.sealed else None
            free = [seat for seat in range(1, self.table.seats + 1) if seat not in self.table.chairs]
            if free:
                seat = self.dice.choice(free)
                self.words[seat] = _words(attempt)
                self.sit(seat, luck.brought("", self.words[seat]), self.words_due(seat))
            elif due is not None and self.at >= due:
                self.call_words(due)
            elif attempt > 60 or self.dice.random() < 0.6:
                self.be_ready(self.dice.choice(self.table.owing), attempt)
            elif self.dice.random() < 0.1:
                self.give(self.dice.choice(sorted(self.table.chairs)), GiveUpSeat())
            elif due is not None and self.dice.random() < 0.6:
                self.at = due

    def be_ready(self, seat: int, attempt: int) -> None:
        chair = self.table.chairs[seat]
        if chair.brought is None:
            self.words[seat] = _words(attempt)
            self.give(seat, SealWords(luck.brought("", self.words[seat]), self.words_due()))
        else:
            self.give(seat, RevealWords(self.words[seat]))

    def words_due(self, *sitting: int) -> int:
        """The deadline that the service computes. Without a pace, streams of release 0.2.0 wait for a day."""
        pace = self.table.pace or games_clocks.WORDS
        if self.table.pace is None and self.rules < KEEPS_TO_THE_LEAST:
            return self.at + DAY
        people = {*self.table.chairs, *sitting} & {*self.people}
        return max((deadline(pace, self.people[it], self.at, 0) for it in people), default=self.at + pace.turn)

    def call_words(self, due: int) -> None:
        """Call time on sealed words, or move the deadline if the service stood still meanwhile."""
        turn = (self.table.pace or games_clocks.WORDS).turn
        if self.dice.random() < 0.2:
            since = due - turn // 2
            self.give(None, MoveWords(max(self.at + MINUTE, due + due - since)), "service")
        else:
            self.give(None, CallWords(), "clock")

    # ==== the players =============================================================================
    def move(self) -> None:
        seat, time = self.dice.choice(self.game.asked), self.time
        (command, *_) = TITLE.bots["random"](TITLE.rules.view(self.game.state, seat), self.dice)
        if seat in self.people and not self.is_absent(seat):
            self.give(seat, command)
        elif time is None or not (seat in time.vacant or self.at < time.waits.get(seat, 0) or time.paused):
            self.give(seat, command, "bot")

    def is_absent(self, seat: int) -> bool:
        return self.time is not None and seat in self.time.absent

    def now_and_then(self) -> None:
        ways: list[Callable[[], None]] = [self.regret, self.go_back, self.change, self.change, self.come_back]
        self.dice.choice([*ways, *([self.operate] if self.dice.random() < 0.2 else [])])()

    def regret(self) -> None:
        for seat in sorted(self.people):
            if plies := can_take_back(self.game, seat, self.at):
                self.give(seat, TakeBack(self.dice.choice(plies)))
                return

    def go_back(self) -> None:
        there = [it for it in self.table.playing if it in self.people and not self.is_absent(it)]
        proposer = self.dice.choice(there or [1])
        to = self.dice.randint(self.table.floor, max(self.table.floor, self.game.version - 1))
        self.give(proposer, ProposeRewind(to, tuple(it for it in there if it != proposer), self.at + 3 * DAY))
        for seat in there:
            if open_proposal(self.table, self.game.last_seen_by_all, self.at) and seat != proposer:
                self.at += self.dice.choice((1, HOUR))
                self.give(seat, AgreeToRewind(to) if self.dice.random() < 0.9 else RefuseRewind())

    def come_back(self) -> None:
        for seat in sorted(self.time.away if self.time else ()):
            if seat in self.time.vacant and self.dice.random() < 0.5:
                self.people[seat] = calendar(self.dice)
                self.give(None, self.dice.choice((TakeOver(seat), StandIn(seat))))
            else:
                self.give(seat, ReturnToSeat())
            return


def _words(number: int) -> str:
    return f"{number:02x}" * 32


def games(numbers: range) -> Iterator[Honest]:
    for number in numbers:
        yield Honest(number).play()


def alarms(javascript: JavaScript, game: Honest) -> list[str]:
    """The faults that either verifier finds in a game: in the view of each seat, and in the whole called-off game."""
    files = [] if game.game.status != "running" else [game.file(seat) for seat in (None, *game.table.chairs)]
    found = []
    for raw in (*files, game.closed().file()):
        ours, theirs = prove_file(raw, bundles.ALL), javascript.verify(raw)
        found += [str(fault) for fault in (ours.fault, theirs["fault"] and javascript.say(theirs["fault"])) if fault]
        if list(ours.remarks.short) != list(theirs["short"]):
            found.append(f"short: {ours.remarks.short} and {list(theirs['short'])}")
    return found


def main(number: int) -> int:
    engine, wrong = JavaScript(), 0
    plies = 0
    for game in games(range(number)):
        found = alarms(engine, game)
        plies += game.game.version
        wrong += bool(found)
        for each in found:
            print(each)
    engine.close()
    print(f"{number} honest games with {plies} plies: {wrong} false alarms")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if sys.argv[1:] else 1000))
