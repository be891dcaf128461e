"""Operators' commands, on both databases: each with a reason, an entry, and all or nothing."""

import json
import re
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import func, select

from service.base.clock import HOUR, MINUTE
from service.cli import main
from service.database.store import Store
from service.keeping import personal
from service.notices import failing, ledger, owing
from service.operators import acts, oversight
from service.operators.acts import AT_THE_COMMAND_LINE, ENTRIES, OPERATORS
from service.people import accounts, addresses, bounces, feeds, recipients
from service.people import outbox as people_outbox
from service.post.inbox import INCOMING
from tests.answers import came
from tests.service.lanterns import NOON
from workers import outbox

Slowtrain = Callable[..., Result]


@pytest.fixture
def slowtrain(store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Slowtrain:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", database_url)
    monkeypatch.setenv("SLOWTRAIN_SECRET_KEYS", json.dumps(store.settings.keys()))
    return lambda *arguments: CliRunner().invoke(main.main, arguments, prog_name="slowtrain")


def somebody(store: Store, name: str) -> int:
    with store.write() as conn:
        number, _ = accounts.person_at(conn, f"{name.lower()}@example.org", "en", NOON)
        accounts.change(conn, number, 0, name=name)
        return number


def entries(store: Store) -> list[tuple[str, str, str]]:
    with store.read() as conn:
        return [(it.what, it.person, it.why) for it in acts.entries(conn, AT_THE_COMMAND_LINE, NOON)]


# ==== the role ====================================================================================
def test_the_role_is_given_listed_and_taken(store: Store, slowtrain: Slowtrain) -> None:
    somebody(store, "Ann")
    assert slowtrain("operator", "list").output == "None found.\n"
    assert slowtrain("operator", "add", "Ann@Example.org").output.startswith("Made an operator.\nSetup code")
    assert "already" in slowtrain("operator", "add", "ann@example.org").output
    assert "ann@example.org" in slowtrain("operator", "list").output
    assert slowtrain("operator", "remove", "ann@example.org").exit_code == 0
    assert slowtrain("operator", "remove", "ann@example.org").exit_code == 1
    assert "signs in to the site first" in slowtrain("operator", "add", "nobody@example.org").output
    assert slowtrain("operator", "add", "no address").exit_code == 1
    assert entries(store) == [("remove", "Ann", ""), ("add", "Ann", "")]


@pytest.mark.parametrize("deed", ["block", "unblock", "unflag"])
def test_an_action_on_an_unknown_address_says_where_addresses_are_listed(
    store: Store, slowtrain: Slowtrain, deed
) -> None:
    said = slowtrain("operate", deed, "nobody@example.org", "--why", "Rude")
    assert said.exit_code == 1
    assert "slowtrain operate people" in said.output
    assert "signs in" not in said.output


def test_people_are_listed_with_the_number_of_their_games(store: Store, slowtrain: Slowtrain) -> None:
    somebody(store, "Ann")
    assert "  games: 0  " in slowtrain("operate", "people").output


def test_a_blocked_person_is_no_operator(store: Store, slowtrain: Slowtrain) -> None:
    ann = somebody(store, "Ann")
    slowtrain("operate", "block", "ann@example.org", "--why", "Rude")
    assert "blocked" in slowtrain("operator", "add", "ann@example.org").output
    slowtrain("operate", "unblock", "ann@example.org", "--why", "Sorry")
    slowtrain("operator", "add", "ann@example.org")
    slowtrain("operate", "block", "ann@example.org", "--why", "Rude again")
    with store.read() as conn:
        assert not acts.is_operator(conn, ann)


# ==== shutting out ================================================================================
def test_all_keys_of_a_blocked_person_end(store: Store, slowtrain: Slowtrain) -> None:
    ann = somebody(store, "Ann")
    with store.write() as conn:
        session = accounts.open_session(conn, ann, NOON)
        _, token = accounts.make_token(conn, ann, "bot", ("read",), NOON)
        feed = feeds.make(conn, ann, "calendar", NOON)
        addresses.ask_to_change(conn, store.settings, ann, "new@example.org", lang="en", at=NOON)
        accounts.ask_for_link(conn, store.settings, "ann@example.org", browser="b", next="/", lang="en", at=NOON)
        links = [(row.kind, row.payload) for row in conn.execute(select(ledger.OUTBOX).order_by(ledger.OUTBOX.c.id))]
    done = slowtrain("operate", "block", "ann@example.org", "--why", "Rude words")
    assert (done.exit_code, done.output) == (0, "Done.\n")
    with store.read() as conn:
        assert accounts.by_session(conn, session, NOON) is None
        assert accounts.by_token(conn, token, NOON) is None
        assert feeds.subscriber(conn, "calendar", feed, NOON) is None
        assert addresses.link_address(store.settings, conn, dict(links[0][1]), NOON) is None
        assert accounts.link_address(store.settings, conn, links[1][1]) is None
    assert "blocked" in slowtrain("operate", "block", "ann@example.org", "--why", "Rude words").output
    assert entries(store) == [("block", "Ann", "Rude words")]
    assert slowtrain("operate", "people").output.splitlines()[0].endswith("games: 0  blocked")


def test_a_session_made_during_a_block_opens_nothing(store: Store) -> None:
    ann = somebody(store, "Ann")
    acts.block(store, AT_THE_COMMAND_LINE, ann, "Rude", NOON)
    with store.write() as conn:
        session = accounts.open_session(conn, ann, NOON)
    with store.read() as conn:
        assert accounts.by_session(conn, session, NOON) is None


def test_a_blocked_person_gets_only_the_sign_in_link(store: Store) -> None:
    ann = somebody(store, "Ann")
    owed = turn_mail(store, ann)
    acts.block(store, AT_THE_COMMAND_LINE, ann, "Rude", NOON)
    with store.write() as conn:
        accounts.ask_for_link(conn, store.settings, "ann@example.org", browser="b", next="/", lang="en", at=NOON)
    sent = []
    outbox.send_due(store, send=lambda _, mail, __: sent.append(mail.recipient) or "ok", now=lambda: NOON + 1)
    assert sent == ["ann@example.org"]
    with store.read() as conn:
        entry = ledger.entry(conn, ann, owed)
        assert entry is not None
        assert (entry.state, entry.steps[-1].detail) == ("superseded", "you are blocked")


def turn_mail(store: Store, person_id: int) -> int:
    with store.write() as conn:
        people_outbox.owe(conn, [people_outbox.mail("turn", "<turn@x>", NOON, person_id=person_id)])
        return int(conn.scalar(select(owing.OUTBOX.c.id).where(owing.OUTBOX.c.message_id == "<turn@x>")))


# ==== reasons =====================================================================================
@pytest.mark.parametrize("why", ["", " ", "x" * 301, "turned\u202eabout"])
def test_a_reason_is_needed(store: Store, slowtrain: Slowtrain, why: str) -> None:
    somebody(store, "Ann")
    done = slowtrain("operate", "block", "ann@example.org", "--why", why)
    assert done.exit_code == 1
    assert "--why has 1 to 300 visible characters" in done.output
    assert slowtrain("operate", "block", "ann@example.org").exit_code == 2
    assert entries(store) == []


# ==== mails =======================================================================================
def test_a_mail_is_found_by_its_number_and_a_large_number_finds_none(store: Store) -> None:
    ann = somebody(store, "Ann")
    mail = turn_mail(store, ann)
    with store.read() as conn:
        found = [oversight.mail(conn, AT_THE_COMMAND_LINE, number, NOON) for number in (mail, mail + 1, 2**31 - 1)]
    assert [it and (it.person_id, it.name) for it in found] == [(ann, "Ann"), None, None]


def test_a_waiting_mail_can_be_sent_now(store: Store, slowtrain: Slowtrain) -> None:
    ann = somebody(store, "Ann")
    mail = turn_mail(store, ann)
    with store.write() as conn:
        conn.execute(owing.OUTBOX.update().values(due_at=2**50, held="quiet"))
        recipients.settle(conn, [recipients.of_person(ann)], NOON)
    assert "ann@example.org: pending" in slowtrain("operate", "mails", "--state", "held").output
    assert slowtrain("operate", "send-now", str(mail), "--why", "A test").exit_code == 0
    with store.read() as conn:
        (due,) = conn.scalars(select(recipients.RECIPIENTS.c.next_at))
        assert due < 2**50
    assert "no such email" in slowtrain("operate", "resend", "99", "--why", "x").output
    assert "sent_now A test" in slowtrain("operate", "mails", "--person", "ann@example.org").output


def test_the_command_line_retries_all_failed_mail(store: Store, slowtrain: Slowtrain) -> None:
    turn_mail(store, somebody(store, "Ann"))
    assert "No failed email is waiting" in slowtrain("operate", "try-failed", "--why", "A test").output
    with store.write() as conn:
        failed = {"due_at": 2**50, "failing_for": "server", "failing_since": store.now() - HOUR}
        conn.execute(owing.OUTBOX.update().values(**failed))
        failing.note(conn, "server", store.now() - MINUTE)
    status = slowtrain("operate", "status").output
    assert "failing: server     1  since" in status
    assert "mail server: TAKES NO MAIL since" in status
    assert "calls: none" in status.splitlines()
    assert re.search(r"^last hour: Moves: Moves +▁{60} 0 in all$", status, re.M)
    assert len(re.findall("^last month: ", slowtrain("operate", "status", "--over", "month").output, re.M)) == 16
    assert ": pending" in slowtrain("operate", "mails", "--state", "failing").output
    assert "Trying 1 mail now" in slowtrain("operate", "try-failed", "--why", "A test").output
    assert "None found" in slowtrain("operate", "mails", "--state", "failing").output
    assert "try_failed" in slowtrain("operate", "entries").output


@pytest.mark.parametrize("command", ["status", "people", "games", "mails", "arrivals", "webhooks", "entries"])
def test_each_view_of_operators_has_a_command(store: Store, slowtrain: Slowtrain, command: str) -> None:
    turn_mail(store, somebody(store, "Ann"))
    done = slowtrain("operate", command)
    assert done.exit_code == 0, done.output
    assert done.output.strip()


# ==== mail that came ==============================================================================
def test_a_failed_mail_is_read_again(store: Store, slowtrain: Slowtrain) -> None:
    ann = somebody(store, "Ann")
    with store.write() as conn:
        failed = came(conn, NOON, person_id=ann, state="done", done_at=NOON, what="failed", detail="Bug", attempts=5)
        done = came(conn, NOON, person_id=ann, state="done", what="done", attempts=1)
    assert "no such email" in slowtrain("operate", "read-again", "99", "--why", "x").output
    assert "Only failed email" in slowtrain("operate", "read-again", str(done), "--why", "x").output
    assert slowtrain("operate", "read-again", str(failed), "--why", "It is mended").exit_code == 0
    with store.read() as conn:
        row = conn.execute(select(INCOMING).where(INCOMING.c.id == failed)).one()
    assert (row.state, row.what, row.detail, row.done_at, row.attempts) == ("pending", "", "", None, 5)
    assert entries(store) == [("read_again", "Ann", "It is mended")]


def test_notable_incoming_mail_is_listed_without_its_text(store: Store, slowtrain: Slowtrain) -> None:
    at = store.time()
    ann = somebody(store, "Ann")
    returns = bounces.Returns("t", "b+t@x", "<turn@x>", "ann@example.org")
    with store.write() as conn:
        bounces.keep(conn, returns, ann, at)
        conn.execute(bounces.MAILINGS.update().values(said="unwanted", status="5.7.1"))
        came(conn, at, person_id=ann, state="done", what="failed", detail="Bug")
        came(conn, at, token_hash=accounts.hashed("t"), state="done", what="report", detail="noted", sender="")
        came(conn, at, state="pending", attempts=2, due_at=at + 60_000)
        for what in ("unreadable", "unproved", "unknown"):
            came(conn, at, state="done", what=what)
        for what in ("done", "nothing", "automatic", "report"):
            came(conn, at, state="done", what=what)
        came(conn, at)
        came(conn, at - 8 * oversight.DAY, state="done", what="failed")
    said = slowtrain("operate", "arrivals").output
    assert [line.rpartition(": ")[2].split()[0] for line in said.splitlines()] == [
        "unknown", "unproved", "unreadable", "waits", "report", "failed"
    ]  # fmt: skip
    assert "report noted unwanted 5.7.1" in said
    assert "answer of Ann, 27 bytes" in said
    assert "client.example.org" in said
    for kept_back in ("secret words", "hush", "ann@", "letter"):
        assert kept_back not in said
    for came_as in oversight.CAME:
        assert len(slowtrain("operate", "arrivals", "--came", came_as).output.splitlines()) == 1
    counted = "came: failed 1, waiting 1, unreadable 1, unknown 1, unproved 1, unwanted 1"
    assert counted in slowtrain("operate", "status").output


# ==== erasure =====================================================================================
def test_entries_outlive_erased_people_without_naming_them(store: Store) -> None:
    ann, olga = somebody(store, "Ann"), somebody(store, "Olga")
    acts.add(store, AT_THE_COMMAND_LINE, olga, NOON)
    with store.write() as conn:
        session = accounts.hashed(accounts.open_session(conn, olga, NOON))
    acts.block(store, acts.Who(olga, session, strict=False), ann, "Ann was rude", NOON)
    kept = personal.export(store, ann, NOON)
    assert kept
    personal.erase(store, ann, NOON)
    personal.erase(store, olga, NOON)
    with store.read() as conn:
        assert conn.execute(select(func.count()).select_from(OPERATORS)).scalar() == 0
        rows = conn.execute(select(ENTRIES).order_by(ENTRIES.c.id)).all()
    assert [(row.what, row.operator_id, row.person_id, row.by_command) for row in rows] == [
        ("add", None, None, True),
        ("block", None, None, False),
    ]
    assert rows[1].why == "", "what was said of somebody goes with them"
