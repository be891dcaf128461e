"""The outbox against a model: events in any order, with workers that die anywhere.

Never two mails for one notice, never none, none for a finished turn, none in quiet hours, at the table, before the
daily mail, or against a switch. The clock is given, the store is real, and only the mail server is simulated.
"""

import random
import shutil
from collections import Counter, defaultdict
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings, strategies
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from config.settings import Settings
from domain.game import can_take_back
from domain.lifecycle import AgreeToRewind, TakeBack, open_proposal
from domain.refusal import Refused
from service.base.clock import HOUR, MINUTE, SECOND
from service.database.store import open_store
from service.letters.letter import Mail
from service.notices import ledger
from service.notices.owing import HISTORY, OUTBOX, PEOPLE
from service.people import addresses, mail_settings, presence, recipients
from tests import road, toy
from tests.service.lanterns import NOON, game, give
from tests.workers.post import parse, person, table
from workers import outbox
from workers.smtp import Bounced, Deferred

SEATS = strategies.sampled_from((1, 2))
TABLES = strategies.sampled_from((0, 1))
PAUSES = strategies.sampled_from((0, SECOND, 61 * SECOND, 3 * MINUTE, 20 * MINUTE, 3 * HOUR, 5 * HOUR, 14 * HOUR))
DIGEST, WAKES, SLEEPS = 18 * 60, 8 * 60, 22 * 60
PRESENT = 120 * SECOND
NUMBERS = count()


class Killed(BaseException):
    """The worker dies here: our code does not catch it, and nothing is cleaned up."""


class Untrue(BaseException):
    """A mail that should not have been sent."""


class Post(RuleBasedStateMachine):
    """Two people at two tables, with their owed mail."""

    folder: Path
    template: Path

    def __init__(self) -> None:
        super().__init__()
        file = self.folder / f"{next(NUMBERS)}.db"
        shutil.copy(self.template, file)
        settings = Settings(_env_file=None, data_dir=self.folder, secret_keys=("a key for tests",))  # type: ignore
        self.store = open_store(f"sqlite:///{file}", titles={"toy": toy.TITLE}, settings=settings)
        self.at = NOON
        self.dice = random.Random(1)
        self.ann_and_bob = [person(self.store, "Ann"), person(self.store, "Bob")]
        self.quiet = dict.fromkeys(self.ann_and_bob, False)
        self.digest = dict.fromkeys(self.ann_and_bob, False)
        self.looks: dict[tuple[int, str], list[int]] = defaultdict(list)
        self.told: dict[int, Counter[str]] = defaultdict(Counter)
        self.again: set[int] = set()
        self.deaths: Counter[str] = Counter()
        self.server = "takes"

    @initialize(quiet=strategies.booleans(), digest=strategies.booleans(), muted=strategies.booleans())
    def sit_down(self, quiet: bool, digest: bool, muted: bool) -> None:
        self.tables = [table(self.store, *self.ann_and_bob, at=self.at) for _ in range(2)]
        self.want_quiet(1, quiet)
        self.want_a_digest(2, digest)
        self.switch(1, 1, not muted)

    def teardown(self) -> None:
        if hasattr(self, "tables"):
            self.all_is_told()
        self.store.close()

    # ---- what players do -------------------------------------------------------------------------
    @rule(where=TABLES, first=strategies.booleans())
    def move(self, where: int, first: bool) -> None:
        now = game(self.store, self.tables[where])
        if now.asked:
            seat = now.asked[0 if first else -1]
            command, *_ = now.title.bots["random"](now.title.rules.view(now.state, seat), self.dice)
            give(self.store, now.id, seat, command, at=self.at)

    @rule(where=TABLES, seat=SEATS)
    def take_back(self, where: int, seat: int) -> None:
        now = game(self.store, self.tables[where])
        if now.status == "running" and (plies := can_take_back(now, seat, self.at)):
            give(self.store, now.id, seat, TakeBack(plies[-1]), at=self.at)

    @rule(where=TABLES, seat=SEATS)
    def go_back_together(self, where: int, seat: int) -> None:
        now = game(self.store, self.tables[where])
        if now.status != "running" or now.version <= now.table.floor + 1:
            return
        try:
            road.propose_rewind(self.store, now.id, seat, now.table.floor, at=self.at)
            proposal = open_proposal(game(self.store, now.id).table, game(self.store, now.id).last_seen_by_all, self.at)
            give(self.store, now.id, 3 - seat, AgreeToRewind(proposal.to), at=self.at)
        except (Refused, AttributeError):
            return  # another proposal stands

    @rule(where=TABLES, seat=SEATS)
    def look(self, where: int, seat: int) -> None:
        who, game_id = self.ann_and_bob[seat - 1], self.tables[where]
        self.looks[who, game_id].append(self.at)
        with self.store.write() as conn:
            presence.note(conn, who, game_id, self.at, PRESENT)

    # ---- what they wish --------------------------------------------------------------------------
    @rule(seat=SEATS, on=strategies.booleans())
    def want_quiet(self, seat: int, on: bool) -> None:
        self.wish(seat, quiet=on)
        self.quiet[self.ann_and_bob[seat - 1]] = on

    @rule(seat=SEATS, on=strategies.booleans())
    def want_a_digest(self, seat: int, on: bool) -> None:
        self.wish(seat, digest_at=DIGEST if on else None)
        self.digest[self.ann_and_bob[seat - 1]] = on

    def wish(self, seat: int, **changes: Any) -> None:
        with self.store.write() as conn:
            mail_settings.change(conn, self.ann_and_bob[seat - 1], self.at, changes)

    @rule(seat=SEATS, where=strategies.sampled_from((None, 0, 1)), wanted=strategies.booleans())
    def switch(self, seat: int, where: int | None, wanted: bool) -> None:
        which = {"kind": "turn"} if where is None else {"game_id": self.tables[where]}
        with self.store.write() as conn:
            mail_settings.switch(conn, self.ann_and_bob[seat - 1], wanted=wanted, **which)

    @rule(seat=SEATS, wanted=strategies.booleans())
    def stop_all(self, seat: int, wanted: bool) -> None:
        with self.store.write() as conn:
            if wanted:
                mail_settings.resume_mail(conn, self.ann_and_bob[seat - 1])
            else:
                mail_settings.stop_mail(conn, self.ann_and_bob[seat - 1], self.at)

    @rule(seat=SEATS)
    def ask_again(self, seat: int) -> None:
        with self.store.write() as conn:
            entries = [it for it in ledger.entries(conn, self.ann_and_bob[seat - 1]) if it.again]
            if entries:
                one = self.dice.choice(entries)
                assert ledger.send_again(conn, self.ann_and_bob[seat - 1], one.id, self.at)
                self.again.add(one.id)

    @rule(seat=SEATS)
    def prove_the_address(self, seat: int) -> None:
        with self.store.write() as conn:
            addresses.unflag(conn, self.ann_and_bob[seat - 1], self.at)

    # ---- time and the workers --------------------------------------------------------------------
    @rule(by=PAUSES)
    def wait(self, by: int) -> None:
        self.at += by

    @rule(by=PAUSES, where=TABLES)
    def move_late(self, by: int, where: int) -> None:
        self.at += by
        self.move(where, True)

    @rule(
        by=PAUSES,
        server=strategies.sampled_from(
            ("takes", "takes", "takes", "defers", "refuses", "killed before", "killed after", "cut off")
        ),
    )
    def work(self, server: str, by: int = 0) -> None:
        self.at += by
        self.server = server
        outbox._rest_until = 0.0
        with suppress(Killed):
            outbox.send_due(self.store, send=self.send, now=lambda: self.at)

    def send(self, _: Settings, mail: Mail, *more: Any) -> str:
        """Act as the mail server, and check every mail that reaches it."""
        if self.server == "killed before":
            raise Killed
        if self.server == "defers":
            raise Deferred("451 Not now")
        if self.server == "refuses":
            raise Bounced("550 5.1.1 Nobody here", of_address=True)
        try:
            self.look_at(mail)
        except AssertionError as error:
            raise Untrue(str(error)) from error  # the workers would take it for a bug and go on
        if self.server == "killed after":
            self.deaths[str(parse(mail.source)["Message-ID"])] += 1
            raise Killed
        if self.server == "cut off":
            self.deaths[str(parse(mail.source)["Message-ID"])] += 1
            raise Deferred("the line was cut", maybe_taken=True)
        return "250 Kept"

    def look_at(self, mail: Mail) -> None:
        """Check that this mail may be sent."""
        said = parse(mail.source)
        with self.store.read() as conn:
            rows = conn.execute(select(OUTBOX).where(OUTBOX.c.told_by == said["Message-ID"])).all()
            rows = [row for row in rows if row.state == "leased"]
            who = conn.execute(select(PEOPLE).where(PEOPLE.c.email == mail.recipient)).one()
            chosen = mail_settings.of(conn, who.id)
        assert rows
        assert {row.person_id for row in rows} == {who.id}
        assert who.mail_stopped_at is None
        for row in rows:
            self.told[row.id][said["Message-ID"]] += 1
            if row.kind == "turn":
                assert row.seat in game(self.store, row.game_id).asked, "the turn is taken"
            if "asked_again" not in row.payload:
                self.look_at_time(row, who.id)
                assert not chosen.is_off(row.game_id, row.kind), "it is switched off"
                assert who.mail_flagged_at is None

    def look_at_time(self, row: Any, who: int) -> None:
        minute = self.at // MINUTE % (24 * 60)
        assert not self.quiet[who] or WAKES <= minute < SLEEPS, "quiet hours"
        if self.digest[who]:
            created = row.created_at // MINUTE % (24 * 60)
            digest = row.created_at + ((DIGEST - created) % (24 * 60) or 24 * 60) * MINUTE - row.created_at % MINUTE
            assert self.at >= digest or row.created_at >= digest, "before the daily mail"
        looks = self.looks[who, row.game_id]
        if looks and self.at - looks[-1] < PRESENT:
            since = looks[-1]
            for earlier in reversed(looks):
                if since - earlier > PRESENT:
                    break
                since = earlier
            assert self.at >= max(since, row.created_at) + presence.STAYING, "they sit at the table"

    # ---- what always holds -----------------------------------------------------------------------
    @invariant()
    def recipients_are_as_the_outbox_says(self) -> None:
        with self.store.read() as conn:
            assert recipients.drifted(conn, self.at) == []

    @invariant()
    def nothing_is_told_twice(self) -> None:
        for notice, mails in self.told.items():
            if notice not in self.again:
                assert len(mails) == 1, "two mails of one notice"
            for message_id, copies in mails.items():
                assert copies <= 1 + self.deaths[message_id], "one mail twice, and nobody died"

    def all_is_told(self) -> None:
        """When everybody wants mail and nothing fails, everybody who must move has a mail about it."""
        with self.store.write() as conn:
            for each in self.ann_and_bob:
                mail_settings.resume_mail(conn, each)
                mail_settings.set_off(conn, each, ())
                addresses.unflag(conn, each, self.at)
        for _ in range(60):
            self.at += 3 * HOUR
            self.work("takes")
        self.nothing_is_told_twice()
        with self.store.read() as conn:
            rows = conn.execute(select(OUTBOX).order_by(OUTBOX.c.id)).all()
            unwanted = set(
                conn.scalars(
                    select(HISTORY.c.notice_id).where(
                        HISTORY.c.what.in_(("switched_off", "given_up"))
                        | (HISTORY.c.detail == "you have stopped all email")
                    )
                )
            )
        assert {row.state for row in rows} <= {"sent", "superseded"}, "nothing is left lying"
        for game_id in self.tables:
            now = game(self.store, game_id)
            for seat in now.asked:
                last = [row for row in rows if (row.game_id, row.seat, row.kind) == (game_id, seat, "turn")][-1]
                moved = now.last_of.get(seat, 0) > last.ply
                assert self.told[last.id] or moved or last.id in unwanted, "nobody told them"


@pytest.fixture
def machine(tmp_path: Path) -> type[Post]:
    template = tmp_path / "template.db"
    empty = open_store(f"sqlite:///{template}", titles={"toy": toy.TITLE})
    empty.migrate()
    empty.close()
    return type("PostHere", (Post,), {"folder": tmp_path, "template": template})


def test_every_run_of_the_outbox_matches_its_model(machine: type[Post]) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(  # type: ignore[no-untyped-call]
            max_examples=25,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_mail_that_may_have_been_taken_stays_the_same_mail_after_a_refusal(machine: type[Post]) -> None:
    state = machine()
    state.sit_down(quiet=True, digest=False, muted=False)
    state.work(by=14 * HOUR, server="refuses")
    state.move(first=False, where=0)
    state.prove_the_address(seat=2)
    state.work(server="killed after")
    state.work(by=20 * MINUTE, server="refuses")
    state.teardown()
