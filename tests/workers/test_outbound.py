"""The allowed and the real destinations of calls to strangers' addresses, with a lying resolver and real servers."""

import socket
import ssl
import time
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

import pytest

from config.settings import Settings
from service.notices import webhooks
from service.notices.webhooks import BadUrl
from tests.workers.receiver import CERTIFICATE, Receiver, receiver
from workers import outbound
from workers.outbound import Failed, is_public

GUARDED = Settings(_env_file=None)
OPEN = Settings(_env_file=None, webhook_guard=False)
PUBLIC = "93.184.216.34"


class Resolver:
    """Replaces the resolver: each question gets the next answer. ``asked``: the names."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        self.answers, self.asked = list(answers), []  # type: ignore[var-annotated]

    def __call__(self, host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        self.asked.append(host)
        if not self.answers or not self.answers[0]:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [
            (socket.AF_INET6 if ":" in it else socket.AF_INET, socket.SOCK_STREAM, 6, "", (it, port)) for it in found
        ]


@pytest.fixture
def resolve(monkeypatch: pytest.MonkeyPatch) -> Any:
    """``resolve(("10.0.0.1",), …)`` sets the addresses of names from now on."""

    def lie(*answers: tuple[str, ...]) -> Resolver:
        resolver = Resolver(*answers)
        monkeypatch.setattr(outbound.socket, "getaddrinfo", resolver)
        return resolver

    return lie


# ==== addresses ===================================================================================
@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.org/x", "https"),
        ("ftp://example.org/", "https"),
        ("//example.org/", "https"),
        ("", "https"),
        ("file:///etc/passwd", "https"),
        ("https://", "host"),
        ("https:///x", "host"),
        ("https://[::1/", "host"),
        ("https://example.org:99999/", "host"),
        ("https://example.org/ x", "host"),
        ("https://exa\\mple.org/", "host"),
        ("https://example.org/\r\nX: y", "host"),
        ("https://a..b.ö/", "host"),
        ("https://user@example.org/", "user"),
        ("https://user:pass@example.org/", "user"),
        ("https://@example.org/", "user"),
        ("https://example.org:22/", "port"),
        ("https://example.org:0/", "port"),
        ("https://example.org:6379/", "port"),
        ("https://example.org/" + "x" * 500, "long"),
    ],
)
def test_an_invalid_webhook_address_is_refused_with_its_reason(url: str, why: str) -> None:
    with pytest.raises(BadUrl) as refused:
        webhooks.normalised(GUARDED, url)
    assert refused.value.why == why


def test_addresses_are_kept_in_one_form() -> None:
    assert webhooks.normalised(GUARDED, " https://example.org:8443/a?b=c#d ") == "https://example.org:8443/a?b=c"
    assert webhooks.normalised(GUARDED, "https://bücher.example/x") == "https://xn--bcher-kva.example/x"
    assert webhooks.normalised(OPEN, "http://127.0.0.1:9999/") == "http://127.0.0.1:9999/"


NOT_PUBLIC = (
    "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "100.100.100.200", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9",
    "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "168.63.129.16", "192.88.99.1",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:93.184.216.34", "fe80::1", "fe80::1%1",
    "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "fec0::1",
)  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_a_name_without_a_public_address_is_not_called(resolve: Any, address: str) -> None:
    assert not is_public(ip_address(address))
    resolve((address,))
    with pytest.raises(Failed, match="no_host") as failed:
        outbound.target(GUARDED, "https://hooks.example/")
    assert not failed.value.lasting


@pytest.mark.parametrize("address", [PUBLIC, "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001:80e::200e"])
def test_public_addresses_are_called(resolve: Any, address: str) -> None:
    resolve((address,))
    assert outbound.target(GUARDED, "https://hooks.example/a?b").addresses == (address,)


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "127.1", "[::1]", "[::ffff:7f00:1]"])
def test_numbers_in_any_spelling_are_seen_through(host: str) -> None:
    """By the real resolver of this machine."""
    with pytest.raises(Failed, match="no_host"):
        outbound.target(GUARDED, f"https://{host}/")


def test_one_internal_address_among_public_ones_is_enough_to_refuse(resolve: Any) -> None:
    resolve((PUBLIC, "10.0.0.1"))
    with pytest.raises(Failed, match="no_host"):
        outbound.target(GUARDED, "https://hooks.example/")


def test_an_unknown_name_is_retried(resolve: Any) -> None:
    resolve(())
    with pytest.raises(Failed, match="no_host") as failed:
        outbound.target(GUARDED, "https://hooks.example/")
    assert not failed.value.lasting


def test_dns_rebinding_gains_nothing(resolve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the name is resolved once, and the connection goes to the checked address."""
    resolver = resolve((PUBLIC,), ("127.0.0.1",))
    gone_to: list[Any] = []

    def connect(address: tuple[str, int], *_: Any, **__: Any) -> socket.socket:
        gone_to.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
    with pytest.raises(Failed, match="nobody_there"):
        outbound.post(GUARDED, "https://hooks.example/", {}, b"{}")
    assert resolver.asked == ["hooks.example"]
    assert gone_to == [(PUBLIC, 443)]


# ==== calls =======================================================================================
@pytest.fixture
def taken() -> Iterator[Receiver]:
    with receiver() as here:
        yield here


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the receiver's certificate on this machine."""
    context = ssl.create_default_context(cafile=CERTIFICATE)
    monkeypatch.setattr(outbound, "tls_context", lambda: context)


def at(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let ``name`` resolve to this machine."""
    real = socket.getaddrinfo
    monkeypatch.setattr(
        outbound.socket,
        "getaddrinfo",
        lambda host, *more, **named: real("127.0.0.1" if host == name else host, *more, **named),
    )


@pytest.mark.usefixtures("trusting")
def test_tls_is_checked_against_the_name_even_if_the_call_goes_to_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver(tls=True) as here:
        at(monkeypatch, "hooks.example")
        assert outbound.post(OPEN, f"https://hooks.example:{here.port}/x", {"A": "b"}, b"{}") == 204
        assert here.calls[0][0]["Host"] == f"hooks.example:{here.port}"
        at(monkeypatch, "other.example")
        with pytest.raises(Failed, match=r"certificate .*other\.example") as failed:
            outbound.post(OPEN, f"https://other.example:{here.port}/x", {}, b"{}")
        assert failed.value.lasting
        assert len(here.calls) == 1


def test_a_self_signed_certificate_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver(tls=True) as here:
        at(monkeypatch, "hooks.example")
        with pytest.raises(Failed, match="certificate self-signed"):
            outbound.post(OPEN, f"https://hooks.example:{here.port}/x", {}, b"{}")


def test_a_redirect_is_not_followed(taken: Receiver) -> None:
    with receiver() as elsewhere:
        taken.answers, taken.headers = [307], {"Location": f"http://127.0.0.1:{elsewhere.port}/"}
        with pytest.raises(Failed, match="answered 307") as failed:
            outbound.post(OPEN, f"http://127.0.0.1:{taken.port}/", {}, b"{}")
        assert failed.value.lasting
        assert elsewhere.calls == []


@pytest.mark.parametrize(("status", "lasting"), [(400, True), (404, True), (429, False), (500, False), (503, False)])
def test_the_status_of_an_answer_decides_about_retries(taken: Receiver, status: int, lasting: bool) -> None:
    taken.answers = [status]
    with pytest.raises(Failed, match=f"answered {status}") as failed:
        outbound.post(OPEN, f"http://127.0.0.1:{taken.port}/", {}, b"{}")
    assert failed.value.lasting is lasting


def test_an_endless_answer_is_cut_off(taken: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    def drip(handler: Any) -> None:
        for _ in range(100):
            try:
                handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            except OSError:
                return
            time.sleep(0.05)

    taken.slow = drip
    monkeypatch.setattr(outbound, "ALL_SECONDS", 0.3)
    with pytest.raises(Failed, match="too_slow"):
        outbound.post(OPEN, f"http://127.0.0.1:{taken.port}/", {}, b"{}")


def test_a_silent_receiver_is_cut_off(taken: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    taken.slow = lambda _: time.sleep(0.5)
    monkeypatch.setattr(outbound, "READ_SECONDS", 0.1)
    with pytest.raises(Failed, match="too_slow"):
        outbound.post(OPEN, f"http://127.0.0.1:{taken.port}/", {}, b"{}")


def test_a_large_answer_is_not_read(taken: Receiver) -> None:
    written = []

    def flood(handler: Any) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        try:
            for _ in range(1000):
                written.append(handler.wfile.write(b"x" * 1_000_000))
        except OSError:
            return

    taken.slow = flood
    assert outbound.post(OPEN, f"http://127.0.0.1:{taken.port}/", {}, b"{}") == 200
    time.sleep(0.1)
    assert len(written) < 100
