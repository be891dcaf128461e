"""The effects of reports: they count only at one mail's return address, in time; a single bounce stops nothing."""

import logging
from typing import Any

import pytest
from sqlalchemy import select, update

from service.base.clock import DAY, HOUR, MINUTE
from service.database.store import Store
from service.notices import ledger, replies
from service.notices.owing import OUTBOX, PEOPLE
from service.people import addresses, bounces, mail_settings, strangers
from service.people.accounts import hashed
from service.post.reports import Bounce, DeliveryReport
from service.post.returned import Outcome, take
from tests.service.lanterns import NOON

ANNS = "ann@example.org"


@pytest.fixture
def answerable(store: Store) -> Store:
    store.settings = store.settings.with_(replies=True)
    return store


class Post:
    """Mails sent to Ann, and the reports about them."""

    def __init__(self, store: Store) -> None:
        self.store, self.sent = store, 0
        with store.write() as conn:
            person = {"email": ANNS, "name": "Ann", "lang": "en", "zone": "UTC", "created_at": NOON}
            self.ann = int(conn.execute(PEOPLE.insert().values(person)).inserted_primary_key[0])

    def send(self, at: int = NOON, kind: str = "turn", address: str | None = None, told_by: str = "") -> str:
        """Record a mail that a server took. Return the token of its return address."""
        self.sent += 1
        message_id = f"<{kind}.{self.sent}@localhost>"
        told_by = told_by or message_id
        row: dict[str, Any] = {
            "person_id": self.ann if address is None else None, "address": address, "ply": self.sent, "kind": kind,
            "payload": {}, "message_id": message_id, "state": "sent", "created_at": at, "due_at": at, "sent_at": at,
            "told_by": told_by, "game_id": "", "key": "", "attempts": 1, "resent": 0,
        }  # fmt: skip
        sent = bounces.issue(self.store.settings, told_by, address or ANNS)
        assert sent is not None
        with self.store.write() as conn:
            conn.execute(OUTBOX.insert().values(row))
            bounces.keep(conn, sent, row["person_id"], at)
        return sent.token

    def back(self, token: str, kind: Any = "permanent", status: str = "5.1.1", at: int = NOON, **more: Any) -> Outcome:
        told = DeliveryReport((Bounce(ANNS, kind, status),), **more)
        with self.store.write() as conn:
            return take(conn, told, hashed(token), at)

    def back_of_new(self, at: int, kind: Any = "permanent", status: str = "5.1.1") -> Outcome:
        return self.back(self.send(at), kind, status, at + MINUTE)

    @property
    def held(self) -> bool:
        with self.store.read() as conn:
            return conn.scalar(select(PEOPLE.c.mail_flagged_at).where(PEOPLE.c.id == self.ann)) is not None

    def steps(self) -> list[tuple[str, str]]:
        """Return the reports that the ledger shows Ann about her mails, oldest first."""
        with self.store.read() as conn:
            found = ledger.entries(conn, self.ann)
        return [(it.what, it.detail) for entry in reversed(found) for it in entry.steps if it.what in bounces.SAYS_MORE]


@pytest.fixture
def post(answerable: Store) -> Post:
    return Post(answerable)


# ==== no such address =============================================================================
def test_an_address_is_held_when_two_mails_a_day_apart_say_there_is_none(post: Post) -> None:
    assert post.back_of_new(NOON) == "noted"
    assert not post.held
    assert post.back_of_new(NOON + DAY) == "held"
    assert post.held
    assert post.steps() == [("bounced", "5.1.1")] * 2
    with post.store.read() as conn:
        assert mail_settings.of(conn, post.ann).flag == "5.1.1"


def test_a_server_that_malfunctions_for_hours_causes_no_hold(post: Post) -> None:
    for hours in range(0, 24, 3):
        assert post.back_of_new(NOON + hours * HOUR) == "noted"
    assert not post.held


def test_an_arrival_in_between_prevents_a_hold(post: Post) -> None:
    post.back_of_new(NOON)
    post.send(NOON + DAY)
    assert post.back_of_new(NOON + 4 * DAY) == "noted"
    assert not post.held
    assert post.back_of_new(NOON + 6 * DAY) == "held"


def test_a_later_success_clears_earlier_bounces(post: Post) -> None:
    post.back_of_new(NOON)
    with post.store.write() as conn:
        addresses.unflag(conn, post.ann, NOON + HOUR)
    assert post.back_of_new(NOON + 2 * DAY) == "noted"
    assert not post.held


def test_bounces_of_an_old_address_do_not_affect_the_new_one(post: Post) -> None:
    tokens = [post.send(NOON), post.send(NOON + DAY)]
    with post.store.write() as conn:
        conn.execute(update(PEOPLE).values(email="new@example.org"))
    assert [post.back(token, at=NOON + day * DAY) for day, token in enumerate(tokens, 1)] == ["noted", "noted"]
    assert not post.held


# ==== for now =====================================================================================
def test_undelivered_mail_for_days_causes_a_hold(post: Post) -> None:
    said = [post.back_of_new(NOON + day * DAY, "transient", "4.2.2") for day in (0, 2, 4, 5)]
    assert said == ["noted", "noted", "noted", "held"]


def test_a_full_mailbox_does_not_count_as_missing(post: Post) -> None:
    assert [post.back_of_new(NOON + day * DAY, status="5.2.2") for day in range(5)] == ["noted"] * 5
    assert post.back_of_new(NOON + 5 * DAY, status="5.2.2") == "held"


def test_a_delay_never_holds_anything(post: Post) -> None:
    for day in range(9):
        assert post.back_of_new(NOON + day * DAY, "delayed", "5.1.1") == "noted"
    assert not post.held
    assert post.steps() == [("delayed", "5.1.1")] * 9


def test_a_delay_that_ends_badly_counts_once(post: Post) -> None:
    token = post.send()
    assert post.back(token, "delayed", "4.4.1") == "noted"
    assert post.back(token, "permanent", "5.1.1", NOON + DAY) == "noted"
    assert post.back(token, "delayed", "4.4.1", NOON + DAY) == "known"
    assert post.steps() == [("delayed", "4.4.1"), ("bounced", "5.1.1")]


# ==== about us ====================================================================================
@pytest.mark.parametrize("status", ["5.7.1", "5.7.26", "5.1.8"])
def test_a_refusal_because_of_us_goes_to_operators_and_causes_no_hold(
    post: Post, status: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for day in range(8):
            assert post.back_of_new(NOON + day * DAY, status=status) == "noted"
    assert not post.held
    assert caplog.messages == [f"mail is refused for what it is, or where it is from: {status}"] * 8
    with post.store.read() as conn:
        assert bounces.said_since(conn, NOON) == {"unwanted": 8}


# ==== complaints ==================================================================================
def test_a_complaint_stops_mail_of_that_kind_at_once(post: Post) -> None:
    assert post.back(post.send(), "complaint", "") == "stopped"
    with post.store.read() as conn:
        chosen = mail_settings.of(conn, post.ann)
    assert chosen.is_off("any", "turn")
    assert not chosen.is_off("any", "over")
    assert not post.held
    assert post.steps() == [("complained", "")]


def test_a_complaint_about_a_mail_of_several_stops_each_kind(post: Post) -> None:
    token = post.send(kind="over", told_by="<together.1@localhost>")
    post.send(kind="left", told_by="<together.1@localhost>")
    assert post.back(token, "complaint", "") == "stopped"
    with post.store.read() as conn:
        chosen = mail_settings.of(conn, post.ann)
    assert [chosen.is_off("any", kind) for kind in ("over", "left", "turn")] == [True, True, False]


def test_a_complaint_about_requested_mail_stops_nothing(post: Post) -> None:
    assert post.back(post.send(kind="sign_in", address=ANNS), "complaint", "") == "noted"
    with post.store.read() as conn:
        assert mail_settings.of(conn, post.ann).stopped_at is None
    assert post.steps() == [("complained", "")]


def test_a_strangers_complaint_stops_invitations(post: Post) -> None:
    assert post.back(post.send(kind="invitation", address="guest@example.org"), "complaint", "") == "stopped"
    with post.store.read() as conn:
        assert strangers.never_since(conn, "guest@example.org") == NOON


# ==== what is believed ============================================================================
def test_the_same_report_again_changes_nothing(post: Post) -> None:
    token = post.send()
    assert [post.back(token, at=NOON + day * DAY) for day in range(3)] == ["noted", "known", "known"]
    assert post.steps() == [("bounced", "5.1.1")]


def test_a_report_about_an_old_mail_is_only_noted(post: Post) -> None:
    tokens = [post.send(NOON), post.send(NOON + 2 * DAY)]
    assert [post.back(token, at=NOON + 13 * DAY + n * DAY) for n, token in enumerate(tokens)] == ["late", "late"]
    assert post.back(post.send(), "complaint", "", NOON + 11 * DAY) == "late"
    assert not post.held


def test_a_report_with_an_unknown_token_does_not_count(post: Post) -> None:
    assert post.back("a" * 26) == "foreign"
    assert post.steps() == []


def test_a_report_about_a_different_mail_does_not_count(post: Post) -> None:
    token = post.send()
    assert post.back(token, original="<other@localhost>") == "foreign"
    assert post.back(token, original="<turn.1@localhost>") == "noted"


def test_a_report_without_a_recipient_changes_nothing(post: Post) -> None:
    token = post.send()
    with post.store.write() as conn:
        assert take(conn, DeliveryReport(()), hashed(token), NOON) == "nothing"


def test_sent_mails_are_forgotten_after_a_month(post: Post) -> None:
    token = post.send()
    with post.store.write() as conn:
        bounces.forget_old(conn, NOON + bounces.KEPT)
        assert bounces.of_hash(conn, hashed(token)) is None


# ==== two secrets =================================================================================
def test_return_address_and_reply_address_have_different_tokens(post: Post) -> None:
    settings = post.store.settings
    returns = bounces.issue(settings, "<turn.1@localhost>", ANNS)
    answer = replies.issue(settings, "<turn.1@localhost>", "turn", person_id=post.ann, game_id="g", seat=1, version=3)
    assert returns is not None
    assert answer is not None
    assert returns.token != answer.token
    assert bounces.token_of(settings, returns.address.upper()) == returns.token
    assert replies.token_of(settings, returns.address) is None
    assert bounces.token_of(settings, answer.address) is None
    with post.store.write() as conn:
        bounces.keep(conn, returns, post.ann, NOON)
        replies.keep(conn, [answer], ["a line"], NOON)
        assert replies.find(conn, returns.token, NOON) is None
        assert bounces.of_hash(conn, hashed(answer.token)) is None


def test_without_reading_of_reports_mail_returns_to_the_operator(store: Store) -> None:
    assert bounces.issue(store.settings.with_(replies=False), "<turn.1@localhost>", ANNS) is None


def test_a_report_counts_only_for_its_own_address(post: Post) -> None:
    """Her mail is forwarded to two more addresses; one of them is gone, and her own is only full."""
    told = DeliveryReport((Bounce("old@away.example", "permanent", "5.1.1"), Bounce(ANNS, "delayed", "4.2.2")))
    token = post.send()
    with post.store.write() as conn:
        assert take(conn, told, hashed(token), NOON) == "noted"
    assert post.steps() == [("delayed", "4.2.2")]
