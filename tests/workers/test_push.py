"""Notices on devices: a push service that knows the browser's keys decrypts them, and checks who sent them."""

import base64
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from sqlalchemy import select

from config.settings import Settings
from domain.title import Title
from service.base import links
from service.base.clock import HOUR, now
from service.database.store import Store
from service.keeping import personal
from service.notices import push, webhooks
from service.notices.webhooks import CALLS, WEBHOOKS
from tests.service.lanterns import ANN, NOON, game, give
from tests.toy import Choose
from tests.workers.post import person, table
from tests.workers.receiver import Receiver, receiver
from workers import outbound
from workers import webhooks as calls


def text(plain: bytes) -> str:
    return base64.urlsafe_b64encode(plain).rstrip(b"=").decode()


class Device:
    """A browser's subscription at a push service of the tests."""

    def __init__(self, taken: Receiver) -> None:
        self.taken = taken
        self._key, self._auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.endpoint = f"http://127.0.0.1:{taken.port}/push/{text(os.urandom(8))}"
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.keys = {"p256dh": text(point), "auth": text(self._auth)}

    def shown(self) -> list[dict[str, Any]]:
        """Decrypt the notices, and check their signatures."""
        return [json.loads(self._opened(headers, body)) for headers, body in self.taken.calls]

    def _opened(self, headers: dict[str, str], body: bytes) -> bytes:
        assert headers["Content-Encoding"] == "aes128gcm"
        assert int(headers["TTL"]) > 0
        assert Vapid02.verify(headers["Authorization"])
        opened: bytes = http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        return opened


@pytest.fixture
def device() -> Iterator[Device]:
    with receiver() as taken:
        yield Device(taken)


@pytest.fixture
def store(tmp_path: Path, toy_title: Title, store_in: Callable[..., Store]) -> Iterator[Store]:
    """A store (on SQLite) whose push services may be on this machine."""
    opened = store_in(Settings(_env_file=None, data_dir=tmp_path, webhook_guard=False, settle_seconds=0))  # type: ignore[call-arg]
    yield opened
    opened.close()


def added(store: Store, who: int, device: Device, kinds: str = "turn") -> int:
    with store.write() as conn:
        return push.add(conn, store.settings, who, device.endpoint, device.keys, kinds, NOON)


def send(store: Store, at: int = NOON + HOUR) -> int:
    return calls.send_due(store, now=lambda: at)


def devices(store: Store, who: int) -> list[Any]:
    with store.read() as conn:
        return push.devices(conn, who)


def test_a_device_shows_the_games_name_and_its_address_and_no_more(store: Store, device: Device) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    added(store, ann, device)
    game_id = table(store, ann, bob)
    assert send(store) == 1
    assert device.shown() == [{"name": "A table", "link": links.game_address(store.settings, game_id)}]
    headers, body = device.taken.calls[0]
    assert b"A table" not in body
    assert json.loads(_claims(headers))["aud"] == f"http://127.0.0.1:{device.taken.port}"
    assert headers["Authorization"].endswith(f"k={push.public_key(store.settings)}")


def _claims(headers: dict[str, str]) -> bytes:
    part = headers["Authorization"].partition("t=")[2].split(".")[1]
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def test_a_turn_that_has_passed_is_not_shown(store: Store, device: Device) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    added(store, ann, device)
    game_id = table(store, ann, bob)
    give(store, game_id, ANN, Choose(game(store, game_id).state.hands[ANN][0]))
    send(store)
    assert device.shown() == []


def test_a_device_gets_only_the_kinds_that_it_asks_for(store: Store, device: Device) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    number = added(store, ann, device)
    with store.write() as conn:
        webhooks.change(conn, ann, number, kinds=["over"])
    table(store, ann, bob)
    assert send(store) == 0


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_its_browser_has_ended_is_forgotten(store: Store, device: Device, status: int) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    added(store, ann, device)
    table(store, ann, bob)
    device.taken.answers = [status]
    send(store)
    assert devices(store, ann) == []
    with store.read() as conn:
        assert conn.execute(select(CALLS)).all() == []


def test_a_busy_push_service_is_asked_again(store: Store, device: Device) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    added(store, ann, device)
    table(store, ann, bob)
    device.taken.answers = [503]
    send(store)
    send(store, NOON + 2 * HOUR)
    assert [it["name"] for it in device.shown()] == ["A table", "A table"]


def test_a_test_call_reaches_a_device(store: Store, device: Device) -> None:
    ann = person(store, "Ann")
    number = added(store, ann, device)
    with store.write() as conn:
        webhooks.ping(conn, ann, number, NOON)
    send(store)
    assert device.shown() == [{"name": "Slow Train", "link": store.settings.site}]


def test_a_device_that_subscribes_again_is_one_device(store: Store, device: Device) -> None:
    ann = person(store, "Ann")
    added(store, ann, device)
    added(store, ann, device)
    assert len(devices(store, ann)) == 1


def test_a_new_key_of_the_installation_keeps_devices_and_a_lost_one_does_not(store: Store, device: Device) -> None:
    ann = person(store, "Ann")
    added(store, ann, device)
    (row,) = devices(store, ann)
    old = store.settings.keys()[0]
    fresh = "a fresh key that is long enough for anything"
    assert push.headers(store.settings.with_(secret_keys=(fresh, old)), row, NOON) is not None
    assert push.headers(store.settings.with_(secret_keys=(fresh,)), row, NOON) is None


@pytest.mark.parametrize("keys", [{}, {"p256dh": "AAAA", "auth": "AAAA"}, {"p256dh": "ä", "auth": "ä"}])
def test_keys_that_are_not_those_of_a_browser_are_refused(store: Store, device: Device, keys: dict[str, str]) -> None:
    ann = person(store, "Ann")
    with store.write() as conn, pytest.raises(push.BadKeys):
        push.add(conn, store.settings, ann, device.endpoint, keys, "turn", NOON)


def test_push_services_within_our_network_are_not_called(store: Store, device: Device) -> None:
    """An endpoint is an address that users hand us, so it passes the webhooks' guard."""
    guarded = store.settings.with_(webhook_guard=True)
    ann = person(store, "Ann")
    with store.write() as conn, pytest.raises(webhooks.BadUrl):
        push.add(conn, guarded, ann, device.endpoint, device.keys, "turn", NOON)
    with pytest.raises(outbound.Failed, match="no_host"):
        outbound.target(guarded, "https://127.0.0.1/push")


def test_a_device_is_gone_with_its_person(store: Store, device: Device) -> None:
    ann = person(store, "Ann")
    added(store, ann, device)
    personal.erase(store, ann, now())
    with store.read() as conn:
        assert conn.execute(select(WEBHOOKS)).all() == []
