"""The recipients of owed mail always match the outbox, with many writers; the longest wait is served first."""

import random
import threading
from typing import Any

import pytest
from sqlalchemy import delete, func, select, text, update

from service.base.clock import HOUR, MINUTE
from service.database import migrations
from service.database.store import Busy, Store, open_store
from service.keeping import personal
from service.notices import ledger, owing
from service.notices.owing import OUTBOX, Reminder
from service.people import accounts, addresses, mail_settings, recipients
from service.people.recipients import RECIPIENTS, drifted
from tests.service.lanterns import ANN, NOON, start
from tests.workers.post import history, outbox, person, table
from workers import claims
from workers.claims import claim
from workers.leases import lease


def known(store: Store) -> dict[str, tuple[int, bool]]:
    """Return, for each recipient, the time of their next mail, and whether a worker has claimed them."""
    with store.read() as conn:
        return {it.who: (it.next_at, it.claim is not None) for it in conn.execute(select(RECIPIENTS))}


def wrong(store: Store, at: int) -> list[str]:
    with store.read() as conn:
        return drifted(conn, at)


def owe(store: Store, person_id: int, number: int, at: int = NOON, first: int = 0) -> None:
    """Owe this many reminders of games, each due a millisecond after the one before."""
    game = Reminder("0123456789abcdef", ANN, person_id, 7, NOON + 9 * HOUR, 0)
    with store.write() as conn:
        for each in range(first, first + number):
            owing.remind(conn, store.settings, [game._replace(ply=each)], at + each - first)


# ==== one after the other =========================================================================
def test_people_at_a_table_become_recipients_until_their_mail_is_sent(store: Store) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    table(store, ann, bob)
    assert known(store) == {str(ann): (NOON, False), str(bob): (NOON, False)}
    claimed = claim(store, NOON)
    assert claimed
    assert known(store)[claimed.who] == (NOON + lease(store.settings), True)
    claims.finish(store, claimed, claimed.rows, "sent", "accepted", "250", NOON)
    assert known(store).keys() == {str(ann), str(bob)} - {claimed.who}


def test_mail_that_becomes_due_during_another_waits_for_it(store: Store) -> None:
    ann = person(store, "Ann")
    owe(store, ann, 1)
    claimed = claim(store, NOON)
    assert claimed
    owe(store, ann, 3, first=10)
    assert claim(store, NOON + HOUR // 1000) is None
    claims.put_back(store, claimed, claimed.rows, "deferred", "451", NOON)
    later = claim(store, NOON + 5)
    assert later
    assert len(later.rows) == 3


@pytest.mark.long("3000")
@pytest.mark.parametrize("number", [54, 3 * claims.MOST])
def test_a_person_with_much_mail_holds_up_nobody_else(store: Store, number: int) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    owe(store, ann, number, at=NOON - HOUR)
    owe(store, bob, 1)
    first, second = claim(store, NOON), claim(store, NOON)
    assert first
    assert second
    assert (first.who, len(first.rows)) == (str(ann), min(number, claims.MOST))
    assert second.who == str(bob)
    assert claim(store, NOON) is None


def test_a_served_recipient_queues_behind_those_who_wait(store: Store) -> None:
    """With more rows than one mail holds, and links to an address: each is served once before any is served twice."""
    ann, bob = person(store, "Ann"), person(store, "Bob")
    owe(store, ann, claims.MOST + 1, at=NOON - HOUR)
    for number in range(3):
        with store.write() as conn:
            accounts.ask_for_link(
                conn, store.settings, "new@example.org", browser="b", next="/", lang="en", at=NOON - MINUTE + number
            )
    owe(store, bob, 1, at=NOON - 1)
    served = []
    for at in range(NOON, NOON + 10):
        if claimed := claim(store, at):
            served.append(claimed.who)
            claims.finish(store, claimed, claimed.rows, "sent", "accepted", "250", at)
    new = "new@example.org"
    assert served == [str(ann), new, str(bob), str(ann), new, new]


def test_a_locked_recipient_keeps_no_other_waiting(store: Store) -> None:
    if store.on_sqlite:
        return  # SQLite has one writer
    ann, bob = person(store, "Ann"), person(store, "Bob")
    owe(store, ann, 1, at=NOON - 1)
    owe(store, bob, 1)
    with store.write() as conn:
        recipients.lock(conn, str(ann))
        claimed = claim(store, NOON)
    assert claimed
    assert claimed.who == str(bob)


def test_holding_mail_delays_the_next_time_and_new_settings_restore_it(store: Store) -> None:
    ann = person(store, "Ann")
    with store.write() as conn:
        mail_settings.change(conn, ann, NOON, {"digest_at": 18 * 60})
    table(store, ann, "random")
    assert claim(store, NOON) is None
    digest = mail_settings.next_time(18 * 60, "UTC", NOON)
    assert known(store) == {str(ann): (digest, False)}
    with store.write() as conn:
        mail_settings.change(conn, ann, NOON, {"digest_at": None})
    assert known(store) == {str(ann): (NOON, False)}
    assert claim(store, NOON)


def test_a_mail_requested_again_is_owed_again(store: Store) -> None:
    ann = person(store, "Ann")
    table(store, ann, "random")
    claimed = claim(store, NOON)
    assert claimed
    claims.finish(store, claimed, claimed.rows, "sent", "accepted", "250", NOON)
    assert known(store) == {}
    with store.write() as conn:
        assert ledger.send_again(conn, ann, claimed.ids[0], NOON + HOUR)
    assert known(store) == {str(ann): (NOON + HOUR, False)}


def test_after_an_expired_claim_only_the_next_worker_marks_the_mail(store: Store) -> None:
    ann = person(store, "Ann")
    owe(store, ann, 2, at=NOON - 1)
    late = claim(store, NOON)
    again = claim(store, NOON + lease(store.settings))
    assert late
    assert again
    assert (again.who, again.ids, again.message_id) == (late.who, late.ids, late.message_id)
    claims.finish(store, late, late.rows, "sent", "accepted", "250", NOON)
    assert {row.state for row in outbox(store)} == {"leased"}
    assert history(store, late.ids[0])[-1] == "late"
    claims.finish(store, again, again.rows, "sent", "accepted", "250", NOON)
    assert known(store) == {}


# ==== all at once =================================================================================
def test_recipients_match_the_outbox_with_many_writers_at_once(store: Store) -> None:
    """Many threads write, claim, send, put back, re-request and free reminders."""
    who = [person(store, name) for name in ("Ann", "Bob", "Cem", "Dee")]
    trouble: list[BaseException] = []
    clock = iter(range(NOON, NOON + 10**9, MINUTE))
    plies = iter(range(10**9))

    def work(seed: int) -> None:
        dice = random.Random(seed)
        try:
            for _ in range(40):
                try:
                    act(dice, dice.choice(who), next(clock))
                except Busy:
                    continue
        except BaseException as error:
            trouble.append(error)
            raise

    def act(dice: random.Random, one: int, at: int) -> None:
        match dice.randrange(5):
            case 0:
                both = [Reminder("0123456789abcdef", ANN, each, next(plies), at, dice.randrange(HOUR)) for each in who]
                with store.write() as conn:
                    owing.remind(conn, store.settings, dice.sample(both, 3), at + dice.randrange(HOUR))
            case 1 | 2:
                if claimed := claim(store, at):
                    if dice.random() < 0.5:
                        claims.finish(store, claimed, claimed.rows, "sent", "accepted", "250", at)
                    elif dice.random() < 0.8:
                        claims.put_back(store, claimed, claimed.rows, "deferred", "451", at, taken=True)
            case 3:
                with store.write() as conn:
                    quiet = {"quiet": dice.random() < 0.5, "digest_at": dice.choice((None, 600))}
                    mail_settings.change(conn, one, at, quiet)
            case 4:
                with store.read() as conn:
                    sent = [it.id for it in ledger.entries(conn, one) if it.state == "sent"]
                if sent:
                    with store.write() as conn:
                        ledger.send_again(conn, one, dice.choice(sent), at)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert not trouble
    assert wrong(store, next(clock)) == []


def test_drifted_recipients_are_corrected(store: Store) -> None:
    ann, bob, cem, dee = (person(store, name) for name in ("Ann", "Bob", "Cem", "Dee"))
    owe(store, ann, 2, at=NOON - 1)  # first, so that hers are claimed
    for each in (bob, cem, dee):
        owe(store, each, 2, first=each * 10)
    claimed = claim(store, NOON)
    assert claimed
    assert claimed.who == str(ann)
    with store.write() as conn:
        conn.execute(update(RECIPIENTS).where(RECIPIENTS.c.who == str(bob)).values(next_at=NOON + 9 * HOUR))
        conn.execute(delete(RECIPIENTS).where(RECIPIENTS.c.who.in_((str(ann), str(cem)))))
        conn.execute(update(OUTBOX).where(OUTBOX.c.person_id == dee).values(state="sent"))
    assert wrong(store, NOON) == sorted(map(str, (ann, bob, cem, dee)))
    assert recipients.mend(store, NOON) == 4
    assert known(store) == {
        str(ann): (NOON + lease(store.settings), True),
        str(bob): (NOON, False),
        str(cem): (NOON, False),
    }
    assert recipients.mend(store, NOON) == 0
    assert claim(store, NOON + lease(store.settings))


# ==== leaving =====================================================================================
def test_an_erasure_during_a_mail_leaves_nothing(store: Store) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    table(store, ann, bob)
    hosted = start(store)
    with store.write() as conn:
        conn.execute(text("UPDATE game SET host_id = :who WHERE id = :game"), {"who": ann, "game": hosted})
        addresses.ask_to_change(conn, store.settings, ann, "ann@new.example", lang="en", at=NOON)
        accounts.ask_for_link(conn, store.settings, "ann@example.org", browser="b", next="/", lang="en", at=NOON)
        owing.invite(
            conn, store.settings, game_id=hosted, number=0, address="guest@example.org", by=ann, lang="en", at=NOON
        )
    assert known(store).keys() == {str(ann), str(bob), "ann@new.example", "ann@example.org", "guest@example.org"}
    assert claim(store, NOON)
    personal.erase(store, ann, NOON)
    assert known(store).keys() == {str(bob)}
    assert wrong(store, NOON) == []


def test_an_erasure_keeps_an_address_that_another_person_asked_for(store: Store) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    with store.write() as conn:
        for each in (ann, bob):
            addresses.ask_to_change(conn, store.settings, each, "new@example.org", lang="en", at=NOON)
    personal.erase(store, ann, NOON)
    assert known(store).keys() == {"new@example.org"}
    assert wrong(store, NOON) == []


# ==== the step there and back =====================================================================
def test_the_migration_to_recipients_reads_the_outbox_and_can_be_undone(database_url: str) -> None:
    store = open_store(database_url)
    migrations.upgrade(store, "0014")
    columns = "person_id, address, game_id, ply, kind, key, payload, message_id, state, created_at, due_at, lease_until"
    owed: list[tuple[Any, ...]] = [
        (1, None, "pending", 70, None), (1, None, "pending", 50, None), (1, None, "sent", 10, None),
        (2, None, "leased", 50, 900), (2, None, "pending", 40, None), (1, "new@x.example", "pending", 30, None),
        (None, "guest@x.example", "pending", 20, None), (None, "gone@x.example", "dead", 20, None),
    ]  # fmt: skip
    with store.write() as conn:
        for number in (1, 2):
            conn.execute(
                text(
                    "INSERT INTO person (id, email, name, lang, zone, wakes_at, sleeps_at, created_at, quiet, "
                    "mail_flag) "
                    "VALUES (:id, :email, 'P', 'en', 'UTC', 0, 0, 0, false, '')"
                ),
                {"id": number, "email": f"{number}@example.org"},
            )
        for place, (person_id, address, state, due_at, lease_until) in enumerate(owed):
            conn.execute(
                text(
                    f"INSERT INTO outbox ({columns}, attempts, resent) VALUES (:person, :address, '', 0, 'turn', :key, "
                    "'{}', :key, :state, 0, :due, :lease, 0, 0)"
                ),
                {
                    "person": person_id,
                    "address": address,
                    "key": f"{place}",
                    "state": state,
                    "due": due_at,
                    "lease": lease_until,
                },
            )
    store.migrate()
    assert known(store) == {
        "1": (50, False),
        "2": (900, True),
        "new@x.example": (30, False),
        "guest@x.example": (20, False),
    }
    assert wrong(store, 0) == []
    migrations.go_back(store, "0014")
    with store.read() as conn:
        assert conn.execute(select(func.count()).select_from(OUTBOX)).scalar_one() == len(owed)
    store.migrate()
    assert wrong(store, 0) == []
    store.close()
