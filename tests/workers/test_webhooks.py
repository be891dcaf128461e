"""From an owed row to a signed call at a real receiver: content and secrets, failures, retries, deaths."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from config.settings import Settings
from domain.clock import MoveClocks
from domain.lifecycle import Resign
from domain.pace import Pace
from domain.title import Title
from service.base.clock import DAY, HOUR, MINUTE, now
from service.database.store import Store
from service.database.store import open_store as open_store_at
from service.games import reminders
from service.notices import watch, webhooks
from service.notices.kinds import SWITCHED
from service.notices.webhooks import CALLS, WEBHOOKS
from service.people import accounts
from tests.service.lanterns import ANN, BOB, NOON, game, give
from tests.toy import Choose
from tests.workers import processes
from tests.workers.post import PATIENCE, outbox, person, table, until
from tests.workers.receiver import Receiver, receiver
from workers import leases, outbound
from workers import webhooks as calls


@pytest.fixture
def taken() -> Iterator[Receiver]:
    with receiver() as here:
        yield here


@pytest.fixture
def open_store(tmp_path: Path, toy_title: Title, store_in: Callable[..., Store]) -> Iterator[Store]:
    """A store (on SQLite) whose webhooks may be on this machine."""
    settings = Settings(_env_file=None, data_dir=tmp_path, webhook_guard=False)
    opened = store_in(settings)
    yield opened
    opened.close()


def hook(store: Store, who: int, taken: Receiver, *kinds: str, at: int = NOON) -> tuple[int, str]:
    with store.write() as conn:
        return webhooks.make(conn, store.settings, who, f"http://127.0.0.1:{taken.port}/hook", kinds or SWITCHED, at)


def row(store: Store, number: int) -> Any:
    with store.read() as conn:
        return conn.execute(select(WEBHOOKS).where(WEBHOOKS.c.id == number)).one()


def owed(store: Store) -> list[Any]:
    with store.read() as conn:
        return list(conn.execute(select(CALLS).order_by(CALLS.c.id)))


def call(store: Store, at: int, **more: Any) -> int:
    return calls.send_due(store, now=lambda: at, **more)


def choose(store: Store, game_id: str, seat: int, at: int = NOON) -> None:
    give(store, game_id, seat, Choose(game(store, game_id).state.hands[seat][0]), at=at)


# ==== what is told ================================================================================
def test_a_turn_is_told_once_signed_and_with_no_more_than_the_mails_subject(open_store: Store, taken: Receiver) -> None:
    ann, bob = person(open_store, "Ann"), person(open_store, "Bob")
    _, secret = hook(open_store, ann, taken)
    game_id = table(open_store, ann, bob)
    assert call(open_store, NOON) == 1
    assert call(open_store, NOON) == 0
    (told,) = taken.told
    link = f"{open_store.settings.site}/games/{game_id}"
    assert told == {
        "id": taken.calls[0][0]["Slow-Train-Delivery"], "kind": "turn", "at": "2027-01-15T08:00:00.000Z",
        "game": game_id, "title": "toy", "name": "A table", "seat": ANN, "version": game(open_store, game_id).version,
        "deadline": None, "link": link, "text": f"Lanterns: A table. It is your turn. {link}",
        "content": f"Lanterns: A table. It is your turn. {link}",
    }  # fmt: skip
    assert taken.verified(secret, NOON)
    assert not taken.verified(secret, NOON + HOUR)
    assert not taken.verified(secret[:-2], NOON)
    assert owed(open_store)[0].state == "sent"


def test_a_webhook_gets_only_chosen_kinds_and_only_while_it_is_on(open_store: Store, taken: Receiver) -> None:
    ann, bob = person(open_store, "Ann", "de"), person(open_store, "Bob")
    hook(open_store, ann, taken, "over")
    off, _ = hook(open_store, bob, taken)
    with open_store.write() as conn:
        assert webhooks.change(conn, bob, off, enabled=False)
    game_id = table(open_store, ann, bob)
    assert owed(open_store) == []
    give(open_store, game_id, BOB, Resign())
    call(open_store, NOON + HOUR)
    assert [it["kind"] for it in taken.told] == ["over"]
    assert "Laternen: A table. Die Partie ist zu Ende." in taken.told[0]["text"]


def test_a_turn_finished_while_its_call_waited_is_not_told(open_store: Store, taken: Receiver) -> None:
    ann = person(open_store, "Ann")
    hook(open_store, ann, taken)
    game_id = table(open_store, ann, person(open_store, "Bob"))
    choose(open_store, game_id, ANN)
    call(open_store, NOON)
    assert taken.calls == []
    assert (owed(open_store)[0].state, owed(open_store)[0].detail) == ("superseded", "the turn is over")


def test_calls_are_owed_as_the_mails_are_and_as_late(open_store: Store, taken: Receiver) -> None:
    ann, bob = person(open_store, "Ann"), person(open_store, "Bob")
    hook(open_store, ann, taken)
    hook(open_store, bob, taken)
    game_id = table(open_store, ann, bob)
    choose(open_store, game_id, ANN)
    choose(open_store, game_id, BOB)
    give(open_store, game_id, BOB, Resign(), at=NOON + MINUTE)
    mails = [(it.kind, it.seat, it.ply, it.due_at) for it in outbox(open_store)]
    assert [(it.kind, it.seat, it.ply, it.due_at) for it in owed(open_store)] == mails
    assert {kind for kind, *_ in mails} == {"turn", "over"}


def test_a_reminder_is_told_with_its_deadline_unless_that_has_moved(open_store: Store, taken: Receiver) -> None:
    ann, bob = person(open_store, "Ann"), person(open_store, "Bob")
    hook(open_store, ann, taken, "reminder")
    hook(open_store, bob, taken, "reminder")
    game_id = table(open_store, ann, bob, pace=Pace(DAY, reminders=(HOUR,)))
    assert reminders.sweep(open_store, NOON + 23 * HOUR) == 2
    moved = MoveClocks(((BOB, NOON + 2 * DAY),), "away")
    give(open_store, game_id, None, moved, at=NOON + 23 * HOUR, cause="service")
    call(open_store, NOON + 23 * HOUR)
    (told,) = taken.told
    assert (told["kind"], told["seat"], told["deadline"]) == ("reminder", ANN, "2027-01-16T08:00:00.000Z")
    assert [it.detail for it in owed(open_store)] == ["answered 204", "the deadline has changed"]


def test_a_sweep_with_many_reminders_owes_each_person_a_call(open_store: Store, taken: Receiver) -> None:
    everybody = [person(open_store, f"P{number}") for number in range(webhooks.MANY + 2)]
    for who in everybody:
        hook(open_store, who, taken, "reminder")
    for one, other in zip(everybody[::2], everybody[1::2], strict=True):
        table(open_store, one, other, pace=Pace(DAY, reminders=(HOUR,)))
    assert reminders.sweep(open_store, NOON + 23 * HOUR) == len(everybody)
    assert len({it.webhook_id for it in owed(open_store)}) == len(owed(open_store)) == len(everybody)


def test_a_refused_move_owes_nobody_a_call(open_store: Store, taken: Receiver) -> None:
    from domain.refusal import Refused

    ann = person(open_store, "Ann")
    hook(open_store, ann, taken)
    game_id = table(open_store, ann, person(open_store, "Bob"))
    before = len(owed(open_store))
    with pytest.raises(Refused):
        give(open_store, game_id, BOB, Choose(99))
    assert len(owed(open_store)) == before


# ==== failures ====================================================================================
def test_a_call_that_fails_is_made_again_under_the_same_key_with_a_fresh_signature(
    open_store: Store, taken: Receiver
) -> None:
    ann = person(open_store, "Ann")
    number, secret = hook(open_store, ann, taken)
    table(open_store, ann, person(open_store, "Bob"))
    taken.answers = [503]
    at = NOON
    call(open_store, at)
    assert (row(open_store, number).error, row(open_store, number).failures) == ("answered 503", 0)
    again = owed(open_store)[0].due_at
    assert 48_000 <= again - at <= 72_000  # a minute, 20 % more or less
    assert call(open_store, again - 1) == 0
    assert call(open_store, again) == 1
    first, second = (headers for headers, _ in taken.calls)
    assert first["Slow-Train-Delivery"] == second["Slow-Train-Delivery"]
    assert first["Slow-Train-Signature"] != second["Slow-Train-Signature"]
    assert taken.verified(secret, again)
    assert row(open_store, number).accepted_at == again


def test_a_call_is_given_up_after_two_days(open_store: Store, taken: Receiver) -> None:
    ann = person(open_store, "Ann")
    number, _ = hook(open_store, ann, taken)
    table(open_store, ann, person(open_store, "Bob"))
    taken.answers = [500] * 100
    at = NOON
    while owed(open_store)[0].state == "pending":
        at = max(at, owed(open_store)[0].due_at)
        call(open_store, at)
    assert (owed(open_store)[0].state, owed(open_store)[0].detail) == ("dead", "answered 500")
    assert 48 * HOUR <= at - NOON <= 54 * HOUR
    assert 12 <= len(taken.calls) <= 20
    assert (row(open_store, number).enabled, row(open_store, number).failures) == (True, 1)


def test_a_webhook_that_fails_for_good_is_switched_off_and_says_why(open_store: Store, taken: Receiver) -> None:
    ann = person(open_store, "Ann")
    number, _ = hook(open_store, ann, taken)
    game_id = table(open_store, ann, person(open_store, "Bob"))
    taken.answers = [404] * 100
    at = NOON
    while row(open_store, number).enabled:
        at = owed(open_store)[0].due_at
        call(open_store, at)
    assert len(taken.calls) == calls.LASTING_MOST
    assert row(open_store, number).disabled_for == "answered 404"
    call(open_store, at + DAY)
    assert (owed(open_store)[0].state, len(taken.calls)) == ("superseded", calls.LASTING_MOST)
    with open_store.write() as conn:
        webhooks.change(conn, ann, number, enabled=True)
    assert (row(open_store, number).failures, row(open_store, number).disabled_for) == (0, "")
    give(open_store, game_id, BOB, Resign())
    taken.answers = []
    call(open_store, at + 2 * DAY)
    assert taken.told[-1]["kind"] == "over"


def test_one_success_clears_all_failures(open_store: Store, taken: Receiver) -> None:
    ann = person(open_store, "Ann")
    number, _ = hook(open_store, ann, taken)
    table(open_store, ann, person(open_store, "Bob"))
    taken.answers = [404] * 3
    for _ in range(4):
        call(open_store, owed(open_store)[0].due_at)
    assert (row(open_store, number).failures, row(open_store, number).enabled) == (0, True)


def test_an_answer_of_gone_switches_a_webhook_off_at_once(open_store: Store, taken: Receiver) -> None:
    ann = person(open_store, "Ann")
    number, _ = hook(open_store, ann, taken)
    table(open_store, ann, person(open_store, "Bob"))
    taken.answers = [410]
    call(open_store, NOON)
    assert not row(open_store, number).enabled
    assert owed(open_store)[0].state == "dead"


def test_the_guard_checks_every_call(store: Store, taken: Receiver) -> None:
    """An address that was allowed before, and one that now leads to this machine."""
    ann = person(store, "Ann")
    with store.write() as conn:
        number, _ = webhooks.make(conn, store.settings, ann, "https://localhost/hook", SWITCHED, NOON)
        http, _ = webhooks.make(conn, store.settings, ann, "https://example.org/", SWITCHED, NOON)
        conn.execute(update(WEBHOOKS).where(WEBHOOKS.c.id == http).values(url=f"http://127.0.0.1:{taken.port}/"))
    table(store, ann, person(store, "Bob"))
    assert call(store, NOON) == 2
    assert taken.calls == []
    assert [row(store, number).error, row(store, http).error] == ["no_host", "address https"]


def test_an_internal_name_looks_like_an_unknown_name(
    store: Store, taken: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither words nor counts nor retry times reveal to a caller which names lead to machines here."""
    known = {"db.internal": ("10.1.2.3",), "nobody.internal": ()}
    monkeypatch.setattr(
        outbound.socket, "getaddrinfo", lambda host, port, **_: [(2, 1, 6, "", (each, port)) for each in known[host]]
    )
    monkeypatch.setattr(leases.random, "uniform", lambda low, high: 1.0)
    ann = person(store, "Ann")
    with store.write() as conn:
        hooks = [webhooks.make(conn, store.settings, ann, f"https://{host}/", SWITCHED, NOON)[0] for host in known]
    table(store, ann, person(store, "Bob"))
    for number in hooks:
        with store.write() as conn:
            webhooks.ping(conn, ann, number, NOON)
    at = NOON
    for _ in range(20):
        call(store, at)
        shown = [
            {
                name: value
                for name, value in row(store, number)._mapping.items()
                if name in ("error", "failures", "enabled", "disabled_for", "failed_at", "accepted_at")
            }
            for number in hooks
        ]
        calls = [
            [(it.kind, it.state, it.detail, it.due_at, it.attempts) for it in owed(store) if it.webhook_id == number]
            for number in hooks
        ]
        assert shown[0] == shown[1]
        assert calls[0] == calls[1]
        assert shown[0]["error"] == "no_host"
        at += 4 * HOUR


# ==== deaths and repetitions ======================================================================
class Killed(BaseException):
    """The process ends here."""


def test_a_worker_that_dies_in_the_call_leaves_it_to_the_next(store: Store, taken: Receiver) -> None:
    """On either database."""
    open_store = store
    open_store.settings = store.settings.with_(webhook_guard=False)
    ann = person(open_store, "Ann")
    hook(open_store, ann, taken)
    table(open_store, ann, person(open_store, "Bob"))

    def dies(*given: Any) -> int:
        outbound.post(*given)
        raise Killed

    claimed = calls.claim(open_store, NOON)
    assert claimed
    with pytest.raises(Killed):
        calls.work(open_store, claimed, dies, lambda: NOON)
    held = leases.lease(open_store.settings)
    assert call(open_store, NOON + held - 1) == 0
    assert call(open_store, NOON + held) == 1
    assert call(open_store, NOON + DAY) == 0
    keys = [headers["Slow-Train-Delivery"] for headers, _ in taken.calls]
    assert len(keys) == 2
    assert len(set(keys)) == 1, "the receiver can tell the repetition"


def test_an_expired_claim_marks_nothing(open_store: Store, taken: Receiver) -> None:
    ann = person(open_store, "Ann")
    number, _ = hook(open_store, ann, taken)
    table(open_store, ann, person(open_store, "Bob"))
    late = calls.claim(open_store, NOON)
    assert late
    assert call(open_store, NOON + MINUTE) == 1

    def fails(*_: Any) -> int:
        raise outbound.Failed("too_slow")

    calls.work(open_store, late, fails, lambda: NOON + MINUTE)
    assert owed(open_store)[0].state == "sent"
    assert row(open_store, number).error == ""


def test_a_bug_loses_no_call_and_stops_nobody(
    open_store: Store, taken: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = person(open_store, "Ann"), person(open_store, "Bob")
    hook(open_store, ann, taken)
    hook(open_store, bob, taken)
    table(open_store, ann, bob)
    broken: list[str] = []

    def breaks_once(*given: Any) -> int:
        if not broken:
            broken.append("")
            raise KeyError("x")
        return outbound.post(*given)

    assert call(open_store, NOON, post=breaks_once) == 2
    assert sorted(it.state for it in owed(open_store)) == ["pending", "sent"]
    assert "could not be made" in caplog.text
    call(open_store, NOON + HOUR)
    assert len(taken.calls) == 2


# ==== a person's webhooks =========================================================================
def test_a_test_call_is_made_once_even_to_a_webhook_that_is_off(open_store: Store, taken: Receiver) -> None:
    ann = person(open_store, "Ann")
    number, secret = hook(open_store, ann, taken)
    with open_store.write() as conn:
        webhooks.change(conn, ann, number, enabled=False)
        ping = webhooks.ping(conn, ann, number, NOON)
        assert webhooks.ping(conn, ann + 1, number, NOON) is None
    taken.answers = [500]
    call(open_store, NOON)
    assert taken.told[0] == {
        "id": taken.calls[0][0]["Slow-Train-Delivery"],
        "kind": "ping",
        "at": taken.told[0]["at"],
        "text": "This is a test call.",
        "content": "This is a test call.",
    }
    assert taken.verified(secret, NOON)
    with open_store.read() as conn:
        assert ping is not None
        assert webhooks.call_of(conn, ann, ping).state == "dead"
        assert webhooks.call_of(conn, ann + 1, ping) is None
    assert call(open_store, NOON + DAY) == 0


def test_the_secret_is_nowhere_in_the_tables_and_outlives_a_new_key(open_store: Store, taken: Receiver) -> None:
    ann = person(open_store, "Ann")
    open_store.settings = open_store.settings.with_(secret_keys=("old",))
    number, secret = hook(open_store, ann, taken)
    assert secret not in str(row(open_store, number))
    assert webhooks.secret_of(open_store.settings.with_(secret_keys=("new", "old")), row(open_store, number)) == secret
    open_store.settings = open_store.settings.with_(secret_keys=("new",))
    table(open_store, ann, person(open_store, "Bob"))
    call(open_store, NOON)
    assert (taken.calls, row(open_store, number).error) == ([], "secret")


def test_the_number_of_webhooks_is_limited(open_store: Store, taken: Receiver) -> None:
    ann = person(open_store, "Ann")
    for _ in range(webhooks.WEBHOOKS_EACH):
        number, _ = hook(open_store, ann, taken)
    with pytest.raises(accounts.TooMany):
        hook(open_store, ann, taken)
    table(open_store, ann, person(open_store, "Bob"))
    with open_store.write() as conn:
        assert webhooks.remove(conn, ann, number)
        assert not webhooks.remove(conn, ann + 1, number - 1)
    assert len(owed(open_store)) == webhooks.WEBHOOKS_EACH - 1


def test_a_call_is_repeated_after_its_worker_was_killed(tmp_path: Path, toy_title: Title, taken: Receiver) -> None:
    """Real processes: the receiver has the call when its worker is killed; after one lease it has it again."""
    settings = processes.embedded(tmp_path, webhook_guard=False)
    store = open_store_at(settings.database, settings=settings)
    store.migrate()
    hook(store, person(store, "Ann"), taken, at=now())
    table(store, person(store, "Bob"), 1, at=now())
    held = threading.Event()
    taken.slow = lambda _: held.wait(PATIENCE)
    with processes.beat(settings):
        with processes.worker(settings) as first:
            until(lambda: taken.calls, what="the call")
            os.killpg(first.pid, signal.SIGKILL)
        taken.slow = None
        held.set()
        with processes.worker(settings):
            until(lambda: owed(store)[0].state == "sent", what="the second call")
            until(lambda: {"webhooks.call_due", "mail.send_due"} <= heartbeats(store), what="the heartbeats behind it")
    keys = [headers["Slow-Train-Delivery"] for headers, _ in taken.calls]
    assert (len(keys), len(set(keys))) == (2, 1)
    store.close()


def heartbeats(store: Store) -> set[str]:
    with store.read() as conn:
        return set(watch.heartbeats(conn, store.settings))
