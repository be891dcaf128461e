"""Alarms of operators: one when a problem begins, one each day while it lasts, one when it is over."""

from collections.abc import Iterator

import pytest
from sqlalchemy import delete

from config.celery import TELL_OPERATORS, make_celery
from config.settings import Settings
from service.base.clock import DAY, HOUR, MINUTE
from service.database.store import Store
from service.notices import failing
from service.notices.failing import CONVERSATIONS
from tests.service.lanterns import NOON
from tests.workers.post import Sink, smtp_server, text_of
from tests.workers.receiver import Receiver, receiver
from workers import alarm
from workers.smtp import ServerAway

SINCE = NOON - 5 * MINUTE  # at noon, only its first minute is too long ago


@pytest.fixture
def down(store: Store) -> Store:
    """The store of a service whose mail server is away."""
    with store.write() as conn:
        for minute in range(5):
            failing.note(conn, "away", SINCE + minute * MINUTE)
    return store


@pytest.fixture
def chat() -> Iterator[Receiver]:
    with receiver() as there:
        yield there


def mended(store: Store) -> None:
    with store.write() as conn:
        conn.execute(delete(CONVERSATIONS))


def test_a_webhook_gets_one_alarm_and_its_end(down: Store, chat: Receiver) -> None:
    down.settings = down.settings.with_(alarm_webhook=f"http://127.0.0.1:{chat.port}/hooks/secret")
    for minute in range(3):
        alarm.look(down, NOON + minute * MINUTE)
    (told,) = chat.told
    assert told["text"] == told["content"]
    assert down.settings.site in told["text"]
    assert "The mail server takes no mail. It began at 2" in told["text"]
    assert "4 of 4 tries lately failed" in told["text"]
    mended(down)
    for minute in range(3, 5):
        alarm.look(down, NOON + minute * MINUTE)
    assert len(chat.told) == 2
    assert "The mail server takes mail again." in chat.told[1]["text"]


def test_a_second_mail_server_writes_to_operators(down: Store) -> None:
    sink = Sink()
    with smtp_server(sink) as port:
        second = f"smtp://127.0.0.1:{port}"
        to = ("olga@elsewhere.example", "otto@elsewhere.example")
        down.settings = down.settings.with_(alarm_smtp=second, alarm_to=to)
        alarm.look(down, NOON)
    assert sink.recipients == list(to)
    (mail, _) = sink.mails
    assert mail["Subject"] == "Slow Train: The mail server takes no mail"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "/operate" in text_of(mail)


def test_one_working_way_is_enough_for_an_alarm(down: Store, chat: Receiver) -> None:
    settings = {"alarm_smtp": "smtp://127.0.0.1:1", "alarm_to": ("olga@elsewhere.example",)}
    down.settings = down.settings.with_(alarm_webhook=f"http://127.0.0.1:{chat.port}/", **settings)
    alarm.look(down, NOON)
    alarm.look(down, NOON + MINUTE)
    assert len(chat.told) == 1


def test_a_failed_alarm_is_repeated_at_the_next_look(down: Store, chat: Receiver) -> None:
    down.settings = down.settings.with_(alarm_webhook=f"http://127.0.0.1:{chat.port}/")
    chat.answers = [500, 204]
    alarm.look(down, NOON)
    alarm.look(down, NOON + MINUTE)
    alarm.look(down, NOON + 2 * MINUTE)
    assert len(chat.told) == 2


def test_a_lasting_problem_is_told_each_day_by_one_worker(down: Store) -> None:
    told: list[str] = []

    def tell(_: Settings, words: str, __: str) -> None:
        told.append(words)

    with down.write() as conn:
        failing.note(conn, "away", NOON + DAY + HOUR)
        failing.note(conn, "away", NOON + DAY + HOUR - 2 * MINUTE)
    for at in (NOON, NOON, NOON + MINUTE, NOON + DAY + HOUR, NOON + DAY + HOUR):
        alarm.look(down, at, tell)
    assert len(told) == 2


def test_the_end_of_an_untold_problem_is_not_told(down: Store) -> None:
    told: list[str] = []

    def fail(*_: object) -> None:
        raise ServerAway("nobody there")

    alarm.look(down, NOON, fail)
    mended(down)
    alarm.look(down, NOON + MINUTE, lambda *said: told.append(said[1]))
    assert told == []


def test_without_a_recipient_no_worker_checks_for_alarms() -> None:
    silent = Settings(_env_file=None)
    assert TELL_OPERATORS not in make_celery(silent).conf.beat_schedule
    told = silent.with_(alarm_webhook="https://chat.example.org/x")
    assert TELL_OPERATORS in make_celery(told).conf.beat_schedule


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("smtps://me:p%40ss@mail.example.net", ("mail.example.net", 465, "me", "p@ss", "tls")),
        ("smtp+starttls://mail.example.net", ("mail.example.net", 587, "", "", "starttls")),
        ("smtp://[::1]:2525", ("::1", 2525, "", "", "none")),
    ],
)
def test_the_second_server_is_one_address(address: str, server: tuple[object, ...]) -> None:
    its = alarm.second_server(Settings(_env_file=None, alarm_smtp=address, alarm_to=("a@b.example",)))
    assert (its.smtp_host, its.smtp_port, its.smtp_user, its.smtp_password, its.smtp_tls) == server
