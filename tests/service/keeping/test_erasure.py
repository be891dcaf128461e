"""No byte of an erased person is left in the data folder, and expired data is gone there, too."""

import random
import re
import smtplib
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import func, insert, select, update

from service.base import hints
from service.base.clock import DAY
from service.cli import main
from service.database import engines
from service.database.store import Busy, Store
from service.keeping import personal, wiping
from service.notices import owing
from service.notices.mailbox import MAILBOX
from service.notices.mailbox import controller as mailbox
from service.notices.owing import HISTORY, OUTBOX
from service.people import accounts, addresses, strangers
from service.people.accounts import LINKS, PERSONS
from service.people.mail_settings import stop_mail
from service.people.recipients import RECIPIENTS
from tests.servers import free_port
from tests.service.keeping.test_personal import EMAIL, NAME, TRACES, Life, open_table, someone
from tests.service.lanterns import NOON
from tests.traces import holding
from workers import housekeeping, outbox

FORMER = ("Amarantha", "amarantha@first.example", "gundula@asked.example", "friend-of-hers@invited.example")
"""An earlier name and address, an address that was requested and never confirmed, and that of an absent invitee."""


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """SQLite: only its files keep traces that we can wipe."""
    return copy_on_sqlite


def deliver(store: Store) -> None:
    """Deliver owed mail to the local mailbox, as the embedded service does."""
    port = free_port()
    server = mailbox(store, "127.0.0.1", port)
    server.start()
    try:
        store.settings = store.settings.with_(mailbox_port=port)
        assert outbox.send_due(store, now=lambda: NOON + DAY) > 5
    finally:
        server.stop()


def crowd(store: Store) -> None:
    """Let others come, change their names and go, so that rows move within pages and between them."""
    dice = random.Random(3)
    with store.write() as conn:
        for number in range(300):
            row = {"email": f"c{number}@example.org", "name": "n" * dice.randint(1, 40), "zone": "UTC", "lang": "en"}
            conn.execute(insert(PERSONS).values(**row, created_at=NOON))
            if number % 3:
                its = PERSONS.c.email == f"c{dice.randint(0, number)}@example.org"
                conn.execute(update(PERSONS).where(its).values(name="m" * dice.randint(1, 40)))


def with_a_past(store: Store) -> Life:
    """A person with many names and addresses, whose mails have been delivered."""
    life = Life(store)
    with store.write() as conn:
        accounts.change(conn, life.id, 0, name=FORMER[0])
        conn.execute(update(PERSONS).where(PERSONS.c.id == life.id).values(email=FORMER[1]))
        accounts.ask_for_link(conn, store.settings, FORMER[1], browser="b", next="/", lang="en", at=NOON)
        addresses.ask_to_change(conn, store.settings, life.id, FORMER[2], lang="en", at=NOON)
    crowd(store)
    with store.write() as conn:
        accounts.change(conn, life.id, 0, name=NAME)
        addresses.ask_to_change(conn, store.settings, life.id, EMAIL, lang="en", at=NOON)
        asked = select(OUTBOX.c.payload).where(OUTBOX.c.address == EMAIL, OUTBOX.c.kind == "address")
        link = addresses.link_address(store.settings, conn, conn.execute(asked).scalar_one(), NOON)
        assert link is not None
        assert addresses.prove(conn, store.settings, link.rpartition("/")[2], session=None, at=NOON) == "changed"
        owing.invite(
            conn, store.settings, game_id=life.hosted, number=0, address=FORMER[3], by=life.id, lang="en", at=NOON
        )
        owing.invite(
            conn, store.settings, game_id=life.visited, number=0, address=EMAIL, by=life.bob, lang="en", at=NOON
        )
    deliver(store)
    return life


def test_no_byte_of_who_was_erased_is_left_in_the_data_folder(store: Store, tmp_path: Path) -> None:
    life = with_a_past(store)
    hints.wake("outbox")
    held = {trace for _, trace in holding(tmp_path, *TRACES, *FORMER)}
    assert held == {*TRACES, *FORMER}
    personal.erase(store, life.id, NOON + 2 * DAY)
    assert holding(tmp_path, *TRACES, *FORMER) == []
    assert holding(tmp_path, "bob@example.org"), "others are where they were"


def test_deleted_rows_are_overwritten_at_once(store: Store, tmp_path: Path) -> None:
    """SQLite overwrites deleted data before the file is rewritten, and its journal is emptied now and then."""
    with store.write() as conn:
        accounts.ask_for_link(conn, store.settings, FORMER[1], browser="b", next="/", lang="en", at=NOON)
    with store.write() as conn:
        conn.execute(LINKS.delete())
        conn.execute(OUTBOX.delete())
        conn.execute(RECIPIENTS.delete())
    with store.engine.connect() as conn:
        conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    assert holding(tmp_path, FORMER[1]) == []


def test_copies_that_moving_rows_leave_behind_are_gone_too(store: Store, tmp_path: Path) -> None:
    """Split and joined pages keep copies of rows that moved to other pages: one or two of a thousand rows."""
    dice, rows = random.Random(1), 2500
    with store.write() as conn:
        for number in range(rows):
            mark = f"mark{number:06}x"
            conn.execute(
                insert(MAILBOX).values(
                    received_at=NOON,
                    sender="",
                    recipient=mark * dice.randint(1, 18),
                    message_id="",
                    subject="",
                    source=(mark * dice.randint(1, 30)).encode(),
                )
            )
            if dice.random() < 0.5:
                its = MAILBOX.c.id == dice.randint(1, number + 1)
                conn.execute(update(MAILBOX).where(its).values(recipient="new" * dice.randint(1, 80)))
    gone = dice.sample(range(rows), rows * 9 // 10)
    with store.write() as conn:
        for number in gone:
            conn.execute(MAILBOX.delete().where(MAILBOX.c.id == number + 1))
    store.wipe()
    found = set(re.findall(r"mark[0-9]{6}x", "".join(each.read_text("latin-1") for each in tmp_path.glob("*.db*"))))
    assert found & {f"mark{number:06}x" for number in gone} == set()


def test_while_others_read_it_is_done_by_the_next_tidying(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    life = with_a_past(store)
    monkeypatch.setattr(engines, "BUSY_SECONDS", 1)
    store.close()  # the connections that are made from here on wait no longer than that
    with store.read() as conn:
        conn.execute(select(func.count()).select_from(PERSONS)).one()
        personal.erase(store, life.id, NOON + 2 * DAY)
        assert holding(tmp_path, NAME), "the reader may still want it"
    wiping.wipe_if_due(store, NOON + 2 * DAY + 1)
    assert holding(tmp_path, *TRACES, *FORMER) == []


def test_it_is_not_done_again_for_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[int] = []
    wiped = store.wipe
    monkeypatch.setattr(store, "wipe", lambda: (times.append(at), wiped()))
    at = NOON
    wiping.wipe_if_due(store, at)
    for at in (NOON + 1, NOON + DAY - 1, NOON + DAY, NOON + DAY + 1):
        wiping.wipe_if_due(store, at)
    at = NOON + DAY + 5
    personal.erase(store, someone(store, "Ann", "ann@example.org"), at)
    at += 1
    wiping.wipe_if_due(store, at)
    assert times == [NOON, NOON + DAY, NOON + DAY + 5]


def test_moves_go_on_while_it_is_done(store: Store) -> None:
    """A connection that wants to write meanwhile waits instead of failing."""
    crowd(store)
    ends: list[str] = []

    def write() -> None:
        for number in range(20):
            someone(store, "Ann", f"ann{number}@example.org")
        ends.append("written")

    writer = threading.Thread(target=write)
    writer.start()
    for _ in range(5):
        store.wipe()
    writer.join()
    assert ends == ["written"]


def test_a_database_that_others_keep_busy_is_said_to_be(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "wipe", _busy)
    assert not wiping.wipe(store, NOON)
    with store.read() as conn:
        assert conn.execute(select(wiping.HEARTBEATS)).all() == []


def _busy() -> None:
    raise Busy


# ==== by the operator =============================================================================
def test_an_address_that_is_nobodys_is_forgotten_by_the_operator(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = someone(store, "Bob", "bob@example.org")
    game_id = open_table(store, "toy", bob, "A table", bob)
    with store.write() as conn:
        owing.invite(conn, store.settings, game_id=game_id, number=0, address=FORMER[3], by=bob, lang="en", at=NOON)
        accounts.ask_for_link(conn, store.settings, FORMER[3], browser="b", next="/", lang="en", at=NOON)
        strangers.want_invitations(conn, strangers.hash_of(FORMER[3]), False, NOON)
    monkeypatch.setattr(main, "opened_store", lambda: store)
    asked = CliRunner().invoke(main.main, ["erase", FORMER[3]], input="n\n")
    assert "nobody has it" in asked.output
    assert holding(tmp_path, FORMER[3])
    assert CliRunner().invoke(main.main, ["erase", FORMER[3], "--yes"]).exit_code == 0
    assert holding(tmp_path, FORMER[3]) == []
    with store.read() as conn:
        assert strangers.never_since(conn, FORMER[3]), "the wish not to be invited stays"
    again = CliRunner().invoke(main.main, ["erase", FORMER[3], "--yes"])
    assert (again.exit_code, "no data about it is stored" in again.output) == (1, True)


# ==== others keep their data ======================================================================
def test_erasing_a_person_who_asked_for_anothers_address_leaves_that_address_alone(store: Store) -> None:
    mallory, victim = someone(store, "Mallory", "m@example.org"), someone(store, "Ann", "ann@example.org")
    with store.write() as conn:
        addresses.ask_to_change(conn, store.settings, mallory, "ann@example.org", lang="en", at=NOON)
        accounts.ask_for_link(conn, store.settings, "ann@example.org", browser="b", next="/", lang="en", at=NOON)
        conn.execute(insert(OUTBOX).values(_moved(mallory, "ann@example.org")))
    personal.erase(store, mallory, NOON)
    with store.read() as conn:
        assert conn.execute(select(OUTBOX.c.kind, OUTBOX.c.address)).all() == [("sign_in", "ann@example.org")]
        assert conn.execute(select(LINKS.c.email)).scalars().all() == ["ann@example.org"]
        assert accounts.person(conn, victim)


def _moved(person: int, address: str) -> dict[str, Any]:
    return {"person_id": person, "address": address, "kind": "moved", "key": "k", "message_id": "<moved.k@localhost>",
            "game_id": "", "ply": 0, "payload": {}, "state": "sent", "created_at": NOON, "due_at": NOON, "attempts": 1,
            "resent": 0}  # fmt: skip


# ==== expired data ================================================================================
def kinds(store: Store) -> set[str]:
    with store.read() as conn:
        return set(conn.scalars(select(OUTBOX.c.kind)))


def test_invitees_who_never_came_are_forgotten(store: Store, tmp_path: Path) -> None:
    bob = someone(store, "Bob", "bob@example.org")
    game_id = open_table(store, "toy", bob, "A table", bob)
    with store.write() as conn:
        for address in ("never@example.org", "came@example.org"):
            owing.invite(conn, store.settings, game_id=game_id, number=0, address=address, by=bob, lang="en", at=NOON)
        accounts.ask_for_link(conn, store.settings, "never@example.org", browser="b", next="/", lang="en", at=NOON)
        conn.execute(
            insert(MAILBOX),
            [
                {
                    "received_at": NOON,
                    "sender": "a@b.c",
                    "recipient": each,
                    "subject": "",
                    "message_id": "",
                    "source": b"x",
                }
                for each in ("never@example.org", "came@example.org")
            ],
        )
    someone(store, "Emil", "came@example.org")
    outbox.send_due(store, send=lambda *_: "250 Kept", now=lambda: NOON)
    at = NOON + 30 * DAY
    housekeeping.forget_expired(store, at)
    assert kinds(store) == {"invitation"}, "the link was dead after ten minutes"
    assert holding(tmp_path, "never@example.org")
    housekeeping.forget_expired(store, at + 1)
    assert kinds(store) == set()
    with store.read() as conn:
        assert conn.execute(select(MAILBOX.c.recipient)).scalars().all() == ["came@example.org"]
        assert conn.execute(select(HISTORY)).all() == []
    wiping.wipe_if_due(store, at + 1)
    assert holding(tmp_path, "never@example.org") == []


def test_a_mail_that_is_still_owed_is_not_forgotten(store: Store) -> None:
    bob = someone(store, "Bob", "bob@example.org")
    game_id = open_table(store, "toy", bob, "A table", bob)
    with store.write() as conn:
        owing.invite(
            conn, store.settings, game_id=game_id, number=0, address="x@example.org", by=bob, lang="en", at=NOON
        )
    housekeeping.forget_expired(store, NOON + 400 * DAY)
    assert kinds(store) == {"invitation"}


def test_mails_of_people_stay_for_ninety_days(store: Store) -> None:
    life = Life(store)
    with store.write() as conn:
        stop_mail(conn, life.id, NOON)
        stop_mail(conn, life.bob, NOON)
        conn.execute(insert(MAILBOX), {
            "received_at": NOON, "sender": "a@b.c", "recipient": "bob@example.org", "subject": "", "message_id": "",
            "source": b"x",
        })  # fmt: skip
    outbox.send_due(store, send=lambda *_: "250 Kept", now=lambda: NOON + DAY)

    def kept() -> tuple[set[str], int]:
        with store.read() as conn:
            return set(conn.scalars(select(OUTBOX.c.game_id))), len(conn.execute(select(MAILBOX)).all())

    before = kept()[0]
    housekeeping.forget_expired(store, NOON + 90 * DAY)
    assert kept()[0] == before - {""}
    housekeeping.forget_expired(store, NOON + 90 * DAY + 1)
    games, mails = kept()
    assert games == set(life.running.values()), "the last one that asks for a move"
    assert mails == 0


def test_mail_sent_over_smtp_is_found_and_forgotten(store: Store, tmp_path: Path) -> None:
    """The real mailbox holds the text of letters in encoded form."""
    port = free_port()
    server = mailbox(store, "127.0.0.1", port)
    server.start()
    try:
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.sendmail("a@b.example", ["stranger@example.org"], b"Subject: x\r\n\r\nUnmistakable words\r\n")
    finally:
        server.stop()
    assert holding(tmp_path, "unmistakable")
    assert personal.forget_address(store, "stranger@example.org", NOON) == 1
    assert holding(tmp_path, "unmistakable") == []
