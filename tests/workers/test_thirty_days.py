"""Thirty days of two games in seconds: zones, misses, an excuse, reminders, a vacation, an outage, and a substitute.

A bot plays on and gives the seat back. The recipients of all mails, and the plies that the clock adds, are asserted
exactly.
"""

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from freezegun import freeze_time

from domain import clock
from domain.pace import HOUR, Pace
from service.database.store import Store
from service.database.work import Work
from service.games import absences
from service.games.rights import ByPerson
from service.letters.letter import Mail
from service.proof.audit import verify_game
from tests import road
from tests.service.lanterns import game, log
from tests.workers.post import outbox, parse, person, table, text_of
from workers import bots, clocks
from workers import outbox as sending

DAY_ONE = datetime(2026, 10, 20, 7, tzinfo=UTC)
"""Clocks go back in Berlin on 25 October and in New York on 1 November."""
BOTTED = Pace(24 * HOUR, reminders=(6 * HOUR,), then="bot")
SUBSTITUTED = Pace(48 * HOUR, waking=True, excuse=False, reminders=(5 * HOUR,), then="substitute")


class Month:
    """The time, in steps of two hours: present people act at their hours, and workers whenever they run."""

    def __init__(self, store: Store, frozen: Any) -> None:
        self.store, self.frozen, self.time = store, frozen, DAY_ONE
        self.letters: list[Mail] = []
        self.there: dict[tuple[str, int], bool] = {}
        self.workers = True

    @property
    def at(self) -> int:
        return int(self.time.timestamp() * 1000)

    def live(self, days: float, hour: Callable[[], None] = lambda: None) -> None:
        until = self.time + timedelta(days=days)
        while self.time < until:
            self.time += timedelta(hours=2)
            self.frozen.move_to(self.time)
            for (game_id, seat), there in self.there.items():
                if there and self.time.hour in (9, 17):
                    self.move(game_id, seat)
            if self.workers:
                clocks.sweep(self.store, self.at)
                bots.play_due(self.store)
                sending.send_due(self.store, send=self.take, now=lambda: self.at)

    def take(self, settings: Any, mail: Mail, *_: Any) -> str:
        self.letters.append(mail)
        return "250 OK"

    def move(self, game_id: str, seat: int) -> None:
        """Play the safe answer of a whole turn."""
        for _ in range(2):
            now = game(self.store, game_id)
            if seat in now.asked:
                safe = now.title.rules.safe(now.state, seat)
                road.submit(self.store, game_id, seat, [safe], None, None, self.at)

    def events(self, game_id: str) -> Counter[str]:
        """Return the number of the clock's own events, by kind."""
        title = game(self.store, game_id).title
        every = [title.chain.decode(it.open, it.sealed) for it in log(self.store, game_id)]
        kinds = (
            clock.TimeRanOut,
            clock.MissExcused,
            clock.BotPlaysOn,
            clock.SeatOpened,
            clock.SeatReturned,
            clock.SeatTakenOver,
            clock.ClockMoved,
            clock.TimeGivenBack,
        )
        return Counter(type(event).__name__ for ply in every for event in ply.events if isinstance(event, kinds))

    def said(self, to: str, heading: str) -> list[str]:
        """Return the texts of the mails to an address with this heading, in one line each."""
        texts = (" ".join(text_of(parse(mail.source)).split()) for mail in self.letters if mail.recipient == to)
        return [text for text in texts if heading in text]

    def mails(self, person_id: int) -> Counter[str]:
        """Return the mails about time that were sent to a person, by kind."""
        rows = [row for row in outbox(self.store) if row.person_id == person_id and row.state == "sent"]
        return Counter(row.kind for row in rows if row.kind not in ("turn", "started"))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_thirty_days_of_games_owe_and_send_every_mail_once(store: Store) -> None:
    with freeze_time(DAY_ONE) as frozen:
        store.settings = store.settings.with_(sweep_seconds=7200)
        month = Month(store, frozen)
        thirty_days(store, month)


def thirty_days(store: Store, month: Month) -> None:
    ann, bob = person(store, "Ann", "de", "Europe/Berlin"), person(store, "Bob", "en", "America/New_York")
    cleo, dora = person(store, "Cleo", "en", "Asia/Kolkata"), person(store, "Dora", "de", "Europe/Berlin")
    first = table(store, ann, bob, pace=BOTTED, length="long", at=month.at)
    second = table(store, ann, dora, pace=SUBSTITUTED, length="long", at=month.at)
    month.there = {(first, 1): True, (first, 2): True, (second, 1): True, (second, 2): True}

    month.live(3)  # everybody is present: no reminder, no called deadline
    assert month.events(first) == month.events(second) == Counter()
    assert [month.mails(who) for who in (ann, bob, dora)] == [Counter()] * 3

    month.there[first, 2] = False  # Bob is excused once; then a bot plays on for him
    month.live(4)
    assert month.events(first) == {"TimeRanOut": 2, "MissExcused": 1, "BotPlaysOn": 1}
    assert month.mails(bob) == {"reminder": 2, "timed_out": 2}
    turns = game(store, first).version
    month.live(2)
    assert game(store, first).version > turns, "the bot and Ann play on"
    assert month.mails(bob) == {"reminder": 2, "timed_out": 2}, "who is away is left in peace"

    road.return_to_seat(store, first, 2, at=month.at)
    month.there[first, 2] = True
    month.live(1)

    today = month.time.date()
    month.there[first, 1] = month.there[second, 1] = False  # Ann goes on vacation, in mid-turn perhaps
    absences.plan(Work(store), ByPerson(ann), today, today + timedelta(days=3), "vacation", month.at)
    month.live(3)
    assert month.mails(ann) == Counter(), "nobody is hurried on vacation"
    month.there[first, 1] = month.there[second, 1] = True
    month.live(3)
    moved = month.events(first)["ClockMoved"] + month.events(second)["ClockMoved"]
    assert moved >= 1
    assert (month.events(first)["TimeRanOut"], month.events(second)["TimeRanOut"]) == (2, 0)

    month.workers = False  # nothing runs for a day, and nobody can be reached
    month.there = dict.fromkeys(month.there, False)
    month.live(1)
    month.workers = True
    month.live(1 / 12)
    assert (month.events(first)["TimeGivenBack"], month.events(second)["TimeGivenBack"]) == (1, 1)
    assert (month.events(first)["TimeRanOut"], month.events(second)["TimeRanOut"]) == (2, 0)
    month.there = dict.fromkeys(month.there, True)
    month.live(2)
    assert month.events(first)["TimeRanOut"] == 2, "with the time given back everybody came in time"

    before = month.mails(ann)["seat_open"]
    month.there[second, 2] = False  # Dora vanishes; her seat opens, and Cleo takes it
    month.live(7)
    assert month.events(second)["SeatOpened"] == 1
    assert month.mails(dora)["timed_out"] == 1
    assert month.mails(ann)["seat_open"] - before == 1
    road.take_over(store, second, 2, person_id=cleo, at=month.at)
    month.there[second, 2] = True
    month.live(4)
    assert month.events(second)["TimeRanOut"] == 1

    assert month.time.date() >= date(2026, 11, 19)
    for game_id in (first, second):
        assert verify_game(store, game_id).faults == ()
    said = month.said("bob@example.org", "YOUR TIME IS RUNNING OUT")
    assert re.search(r"You have until \w{3}, 2\d Oct 2026, \d\d:00 \(New York\)\.", said[0]), "in Bob's own zone"
    assert "you are excused this first time" in said[0]
    assert "you are excused this first time" not in said[1]
    assert "A bot plays on for you until you return." in month.said("bob@example.org", "YOUR TIME RAN OUT")[1]
    (gone,) = month.said("dora@example.org", "DEINE ZEIT IST ABGELAUFEN")
    assert "Für deinen Platz wird eine Vertretung gesucht." in gone
    assert len(month.said("ann@example.org", "Die Zeit von Dora ist abgelaufen. Eine Vertretung")) == 1
