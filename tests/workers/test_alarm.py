"""Alarms of operators: one when a problem begins, one each day while it lasts, one when it is over."""

from collections.abc import Iterator

import pytest
from sqlalchemy import delete

from config.settings import Settings
from service.base.clock import DAY, MINUTE
from service.database.store import Store
from service.notices import failing
from service.notices.failing import CONVERSATIONS
from service.operators import acts, rules
from service.people import accounts
from tests.service.lanterns import NOON
from tests.workers.post import Sink, smtp_server, text_of
from tests.workers.receiver import Receiver, receiver
from workers import alarm
from workers.smtp import ServerAway

SINCE = NOON - 5 * MINUTE  # at noon, only its first minute is too long ago


@pytest.fixture
def down(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The store of a service whose mail server is away. The other rules are left aside."""
    monkeypatch.setattr(rules, "RULES", tuple(it for it in rules.RULES if it.key == "mail_server"))
    with store.write() as conn:
        for minute in range(5):
            failing.note(conn, "away", SINCE + minute * MINUTE)
    return store


@pytest.fixture
def chat() -> Iterator[Receiver]:
    with receiver() as there:
        yield there


@pytest.fixture
def sink(down: Store) -> Iterator[Sink]:
    """The mail server of the settings, which takes alarms."""
    sink = Sink()
    with smtp_server(sink) as port:
        down.settings = down.settings.with_(smtp_host="127.0.0.1", smtp_port=port)
        yield sink


def lasting(store: Store, tell: alarm.Tell | None = None) -> None:
    """Look until the trouble has lasted long enough."""
    for minute in range(3):
        alarm.look(store, NOON + minute * MINUTE, tell)


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
    assert "Email cannot be sent. It began at 2" in told["text"]
    assert " tries lately failed. It goes out by itself" in told["text"]
    mended(down)
    for minute in range(3, 5):
        alarm.look(down, NOON + minute * MINUTE)
    assert len(chat.told) == 2
    assert "Email can be sent again." in chat.told[1]["text"]


def test_a_second_mail_server_writes_to_operators(down: Store) -> None:
    sink = Sink()
    with smtp_server(sink) as port:
        second = f"smtp://127.0.0.1:{port}"
        to = ("olga@elsewhere.example", "otto@elsewhere.example")
        down.settings = down.settings.with_(alarm_smtp=second, alarm_to=to)
        lasting(down)
    assert sink.recipients == list(to)
    (mail, _) = sink.mails
    assert mail["Subject"] == "Slow Train: Email cannot be sent"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "/operate" in text_of(mail)


def test_one_working_way_is_enough_for_an_alarm(down: Store, chat: Receiver) -> None:
    settings = {"alarm_smtp": "smtp://127.0.0.1:1", "alarm_to": ("olga@elsewhere.example",)}
    down.settings = down.settings.with_(alarm_webhook=f"http://127.0.0.1:{chat.port}/", **settings)
    lasting(down)
    assert len(chat.told) == 1


def test_a_failed_alarm_is_repeated_at_the_next_look(down: Store, chat: Receiver) -> None:
    down.settings = down.settings.with_(alarm_webhook=f"http://127.0.0.1:{chat.port}/")
    chat.answers = [500, 204]
    lasting(down)
    for _ in range(2):
        alarm.look(down, NOON + 3 * MINUTE)
    assert len(chat.told) == 2


def test_a_lasting_problem_is_told_once_by_one_worker(down: Store) -> None:
    told: list[str] = []

    def tell(_: Settings, words: str, __: str) -> None:
        told.append(words)

    for at in (NOON, NOON, NOON + MINUTE):
        alarm.look(down, at, tell)
    assert told == [], "it may be over in a minute"
    with down.write() as conn:
        for at in (NOON + DAY, NOON + DAY - 2 * MINUTE):
            failing.note(conn, "away", at)
    for at in (NOON + 2 * MINUTE, NOON + 2 * MINUTE, NOON + DAY, NOON + DAY):
        alarm.look(down, at, tell)
    assert len(told) == 1


def wishing(store: Store, name: str, way: acts.Way, url: str = "") -> None:
    """Make an operator, with this wish about alarms."""
    with store.write() as conn:
        number, _ = accounts.person_at(conn, f"{name}@example.org", "en", NOON)
    acts.add(store, acts.AT_THE_COMMAND_LINE, number, NOON)
    acts.wish_alarms(store, acts.AT_THE_COMMAND_LINE, number, way, NOON, url)


def test_an_operator_gets_alarms_at_a_webhook(down: Store, sink: Sink, chat: Receiver) -> None:
    down.settings = down.settings.with_(webhook_guard=False)
    wishing(down, "olga", "webhook", f"http://127.0.0.1:{chat.port}/olga")
    lasting(down)
    (told,) = chat.told
    assert "Email cannot be sent" in told["text"]
    assert sink.mails == []


@pytest.mark.parametrize("host", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "[::1]"])
def test_the_webhook_of_an_operator_must_be_public_and_an_email_says_so(down: Store, sink: Sink, host: str) -> None:
    down.settings = down.settings.with_(webhook_guard=True)
    wishing(down, "olga", "webhook", f"https://{host}/hook")
    lasting(down)
    assert sink.recipients == ["olga@example.org"]
    assert "Your webhook for alarms could not be called: no_host." in text_of(sink.mails[0])


def test_operators_who_want_alarms_get_them_by_email(down: Store, sink: Sink) -> None:
    wishing(down, "olga", "email")
    wishing(down, "otto", "none")
    lasting(down)
    assert sink.recipients == ["olga@example.org"]


def test_the_end_of_an_untold_problem_is_not_told(down: Store) -> None:
    told: list[str] = []

    def fail(*_: object) -> None:
        raise ServerAway("nobody there")

    lasting(down, fail)
    mended(down)
    alarm.look(down, NOON + 3 * MINUTE, lambda *said: told.append(said[1]))
    assert told == []


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
