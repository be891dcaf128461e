"""The outbox stays small, even in very long games; forgotten notices are not owed or sent again."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from typing import Any

import pytest
from freezegun import freeze_time
from icalendar import Calendar
from pydantic import ValidationError
from sqlalchemy import func, select

from config.settings import Settings
from domain.pace import LONGEST, Pace
from service.database.store import Store
from service.letters.letter import Mail
from service.notices import ledger
from service.notices.owing import HISTORY, OUTBOX
from service.people import addresses
from service.web.feeds import turn_calendar
from tests import road
from tests.service.lanterns import game
from tests.workers.post import outbox, person, table
from workers import clocks, housekeeping
from workers import outbox as sending

BEGIN = datetime(2027, 1, 15, 8, tzinfo=UTC)
DAY = timedelta(days=1)


STEP = 3
"""Days between two runs of the workers, where nothing happens on a single day."""


class Years:
    """The time, and workers that run once a day or more seldom."""

    def __init__(self, store: Store, frozen: Any) -> None:
        self.store, self.frozen, self.time = store, frozen, BEGIN
        self.sent: Counter[str] = Counter()
        self.reply = "250 OK"
        store.settings = store.settings.with_(sweep_seconds=86400, presence_seconds=0)

    @property
    def at(self) -> int:
        return int(self.time.timestamp() * 1000)

    def pass_(self, days: int, *playing: str, step: int = 1) -> None:
        """Let days pass; on each ``step`` of days, everybody who must move in these games does."""
        for _ in range(days // step):
            self.time += step * DAY
            self.frozen.move_to(self.time)
            for game_id in playing:
                now = game(self.store, game_id)
                for seat in now.asked:
                    road.submit(self.store, game_id, seat, [now.title.rules.safe(now.state, seat)], None, None, self.at)
            self.work()

    def work(self) -> None:
        clocks.sweep(self.store, self.at)
        sending.send_due(self.store, send=self.take, now=lambda: self.at)
        housekeeping.forget_expired(self.store, self.at)

    def take(self, settings: Any, mail: Mail, *_: Any) -> str:
        self.sent[str(message_from_bytes(mail.source)["Message-ID"])] += 1
        return self.reply

    def turns(self, person_id: int) -> list[Any]:
        return [row for row in outbox(self.store, "turn") if row.person_id == person_id]


@pytest.fixture
def years(store: Store) -> Any:
    with freeze_time(BEGIN) as frozen:
        yield Years(store, frozen)


@pytest.mark.long("postgresql")
def test_a_game_of_years_keeps_the_mails_of_ninety_days(years: Years) -> None:
    store = years.store
    ann, bob = person(store, "Ann"), person(store, "Bob")
    game_id = table(store, ann, bob, length="long", at=years.at)
    years.pass_(111, game_id, step=STEP)
    rows = outbox(store)
    assert 0 < len(rows) < rows[-1].id
    assert min(row.sent_at or row.created_at for row in rows) >= years.at - 90 * 86_400_000
    with store.read() as conn:
        assert conn.scalar(select(func.min(HISTORY.c.notice_id))) == rows[0].id
    assert set(years.sent.values()) == {1}, "none was owed again"


@pytest.mark.long("postgresql")
def test_the_mail_of_a_turn_stays_while_it_lasts_and_can_be_sent_again(years: Years) -> None:
    store = years.store
    ann, bob = person(store, "Ann"), person(store, "Bob")
    game_id = table(store, ann, bob, length="long", at=years.at)
    while not (mine := waiting(years, game_id)):
        years.pass_(1, game_id)
        years.pass_(1)
    years.pass_(120, step=STEP)
    assert {row.kind for row in outbox(store)} == {"turn"}
    assert len(outbox(store)) <= 2, "one a seat"
    assert waiting(years, game_id) == mine
    assert set(years.sent.values()) == {1}
    before = years.sent.total()
    with store.write() as conn:
        assert ledger.send_again(conn, mine[0].person_id, mine[0].id, years.at)
    years.work()
    assert years.sent.total() == before + 1
    while years.turns(mine[0].person_id)[-1].id == mine[0].id:
        years.pass_(1, game_id)
    years.pass_(93, step=STEP)
    assert mine[0].id not in [row.id for row in outbox(store)], "another one asks now"


def waiting(years: Years, game_id: str) -> list[Any]:
    """Return the mails that were sent to the players who must move, the last one to each."""
    last = {row.seat: row for row in outbox(years.store, "turn")}
    asked = game(years.store, game_id).asked
    return [row for seat, row in last.items() if seat in asked and row.state == "sent"]


@pytest.mark.long("postgresql")
def test_a_long_turn_is_one_entry_of_the_calendar_and_is_reminded_of_once(years: Years) -> None:
    store = years.store
    ann, bob = person(store, "Ann"), person(store, "Bob")
    pace = Pace(LONGEST, bank=LONGEST, cap=LONGEST, reminders=(LONGEST, LONGEST // 2, LONGEST // 60))
    game_id = table(store, ann, bob, pace=pace, length="long", at=years.at)
    (seat, *_) = game(store, game_id).asked
    who = (ann, bob)[seat - 1]
    years.pass_(1)
    was = uids(store, who)
    years.pass_(114)  # daily: clocks that nobody looks at for long stand still
    assert uids(store, who) == was != []
    years.pass_(4)
    reminders = [mail for mail in years.sent if "reminder" in mail]
    assert set(years.sent.values()) == {1}
    assert 2 <= len(reminders) <= 6


def uids(store: Store, person_id: int) -> list[str]:
    with store.read() as conn:
        source = turn_calendar.calendar(store, conn, person_id, "en")
    return [str(event["uid"]) for event in Calendar.from_ical(source).walk("VEVENT")]


@pytest.mark.long("postgresql")
def test_a_late_confirmation_of_an_address_releases_the_mail_of_the_turn(years: Years) -> None:
    store = years.store
    ann, bob = person(store, "Ann"), person(store, "Bob")
    table(store, ann, bob, length="long", at=years.at)
    addresses.flag(store, ann, "ann@example.org", "no such user", years.at)
    years.pass_(120, step=STEP)
    (row,) = years.turns(ann)
    assert row.state == "dead"
    with store.write() as conn:
        addresses.unflag(conn, ann, years.at)
        assert ledger.send_again(conn, ann, row.id, years.at)
    years.work()
    assert years.sent[row.message_id] == 1


def test_owed_mail_is_never_forgotten(years: Years) -> None:
    store = years.store
    store.settings = store.settings.with_(mail_days=31)
    ann, bob = person(store, "Ann"), person(store, "Bob")
    table(store, ann, bob, length="long", at=years.at)
    before = outbox(store)
    for days in range(100):
        housekeeping.forget_expired(store, years.at + days * 86_400_000)
    assert outbox(store) == before


def test_old_mails_are_deleted_in_steps_after_the_set_days(years: Years, monkeypatch: pytest.MonkeyPatch) -> None:
    store = years.store
    ann, bob = person(store, "Ann"), person(store, "Bob")
    game_id = table(store, ann, bob, length="long", at=years.at)
    years.pass_(40, game_id)
    before = len(outbox(store))
    store.settings = store.settings.with_(mail_days=31)
    monkeypatch.setattr(housekeeping, "BATCH", 3)
    housekeeping.forget_expired(store, years.at)
    left = outbox(store)
    assert 0 < len(left) < before
    assert min(row.sent_at or row.created_at for row in left) >= years.at - 31 * 86_400_000
    with pytest.raises(ValidationError, match="mail_days"):
        Settings(_env_file=None, mail_days=30)
    with store.read() as conn:
        assert conn.scalar(select(func.count()).select_from(OUTBOX)) == len(left)
