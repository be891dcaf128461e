"""The folder of messages: a long queue is delivered quickly, equal messages once, and a full disk leaves no part."""

import json
import os
import resource
import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

import kombu
import pytest
from kombu.exceptions import OperationalError

from config import broker
from config.celery import PLAY_BOTS, SEND_DUE_MAIL, make_celery
from config.settings import Settings
from service.database.store import open_store
from tests.workers.post import until
from tests.workers.processes import embedded, worker

LONG_AGO = 1_700_000_000


@contextmanager
def channel(folder: Path) -> Iterator[Any]:
    with make_celery(embedded(folder)).connection_for_read() as line:
        yield line.default_channel


def messages(folder: Path) -> Path:
    return folder / "broker/messages"


def publish(folder: Path, *games: str) -> None:
    app = make_celery(embedded(folder))
    with app.connection_for_write() as line, app.amqp.Producer(line) as producer:
        for game in games:
            if game:
                app.send_task(PLAY_BOTS, (game,), producer=producer)
            else:
                app.send_task(SEND_DUE_MAIL, producer=producer)


def taken(channel: Any, queue: str) -> list[str]:
    """Return the arguments of all delivered messages, in order."""
    found = []
    while True:
        try:
            found.append(channel._get(queue)["headers"]["argsrepr"])
        except Empty:
            return found


def test_one_listing_serves_many_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "LIST_EVERY", 600.0)  # as if one listing served them all
    publish(tmp_path, *(f"{number:03}" for number in range(300)))
    listed: list[object] = []
    listdir = os.listdir
    with channel(tmp_path) as ours:
        monkeypatch.setattr(os, "listdir", lambda folder: (listed.append(folder), listdir(folder))[1])
        assert sorted(taken(ours, "bots")) == [f"('{number:03}',)" for number in range(300)]
    assert len(listed) == 1
    assert list(messages(tmp_path).iterdir()) == []


def test_equal_messages_are_delivered_once_and_later_ones_again(tmp_path: Path) -> None:
    publish(tmp_path, "a", "b", "", "a", "", "a", "b")
    with channel(tmp_path) as ours:
        assert taken(ours, "bots") == ["('a',)", "('b',)"]
        assert taken(ours, "mail") == ["()"]
        publish(tmp_path, "a")
        assert until(lambda: taken(ours, "bots")) == ["('a',)"], "it speaks of what has happened since"


def test_a_message_that_another_worker_takes_is_left_to_it(tmp_path: Path) -> None:
    publish(tmp_path, "a", "b")
    with channel(tmp_path) as one, channel(tmp_path) as other:
        first = one._get("bots")["headers"]["argsrepr"]
        assert sorted([first, *taken(other, "bots"), *taken(one, "bots")]) == ["('a',)", "('b',)"]


def test_a_damaged_message_is_thrown_away(tmp_path: Path) -> None:
    publish(tmp_path, "b")
    for number, content in enumerate((b"", b'{"headers": ', b"[1]", b"\xff\xfe")):
        (messages(tmp_path) / f"00000000000000{number}_x.bots.msg").write_bytes(content)
    with channel(tmp_path) as ours:
        assert taken(ours, "bots") == ["('b',)"]
    assert list(messages(tmp_path).iterdir()) == []


@contextmanager
def full_disk() -> Iterator[None]:
    """Limit files to ten bytes."""
    kept = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, kept[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, kept)


def test_a_full_disk_leaves_no_half_message(tmp_path: Path) -> None:
    publish(tmp_path, "a")
    with pytest.raises((OSError, OperationalError)), full_disk():
        publish(tmp_path, "b")
    (whole,) = messages(tmp_path).iterdir()
    assert json.loads(whole.read_bytes())["headers"]["argsrepr"] == "('a',)"


def test_the_next_start_removes_half_written_messages(tmp_path: Path) -> None:
    publish(tmp_path, "a")
    old, fresh = (messages(tmp_path) / f".00000000000000{number}_x.mail.msg.part" for number in (1, 2))
    for each in (old, fresh):
        each.write_bytes(b"{")
    for each in (old, *messages(tmp_path).glob("*.msg")):
        os.utime(each, (LONG_AGO, LONG_AGO))
    publish(tmp_path, "b")
    assert not old.exists()
    assert fresh.exists(), "somebody may be writing it"
    with channel(tmp_path) as ours:
        assert sorted(taken(ours, "bots")) == ["('a',)", "('b',)"]


@pytest.mark.long
def test_twenty_thousand_messages_are_delivered(tmp_path: Path) -> None:
    """A queue as the beat of an old release left it when no worker ran."""
    settings = embedded(tmp_path)
    publish(tmp_path, "")
    (one,) = messages(tmp_path).iterdir()
    content = one.read_bytes()
    for number in range(20_000):
        (messages(tmp_path) / f"{number:015}_x.mail.msg").write_bytes(content)
    with closing(open_store(settings.database, settings=settings)) as store:
        store.migrate()
    with worker(settings):
        assert until(lambda: not any(messages(tmp_path).iterdir()), what="an empty folder")


# ==== TLS =========================================================================================
@pytest.mark.parametrize(
    ("address", "checked"),
    [
        ("rediss://cache.example.org/0", ssl.CERT_REQUIRED),
        ("rediss://cache.example.org/0?ssl_ca_certs=/etc/ssl/ca.pem", ssl.CERT_REQUIRED),
        ("rediss://cache.example.org/0?ssl_cert_reqs=none", ssl.CERT_NONE),
    ],
)
def test_the_certificate_of_a_redis_is_checked_unless_its_address_says_otherwise(address: str, checked: int) -> None:
    settings = Settings(_env_file=None, broker_url=address)  # type: ignore[call-arg]
    assert kombu.Connection(settings.broker).ssl["ssl_cert_reqs"] == checked
