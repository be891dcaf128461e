"""Slow clients: hundreds of connections that send requests, or read answers, one byte at a time.

The site runs as it does for players: the embedded one as ``slowtrain up`` starts it, the production one by the line of
the Procfile, and with ``--nginx`` once more behind the example of a proxy.
"""

import os
import re
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress

import pytest
import requests

from config.settings import Settings
from service.base.clock import now
from service.database.store import open_store
from service.people import accounts
from service.web import serving
from service.web.app import LARGEST_BODY
from tests.servers import free_port
from tests.workers.post import PATIENCE, until
from tests.workers.processes import ROOT, embedded, process, production
from tests.workers.proxy import EXAMPLE, nginx

CONNECTIONS = 300

WAYS = {
    "slow headers": (b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ", b"x"),
    "slow bodies": (b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n", b"x"),
    "slow reading": (b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b""),
}
"""The kinds of slow clients: the first bytes of a connection, and those repeated for ever; without the latter it reads.
(It reads the largest public page; `tests.service.web.test_serving` has larger answers.)
"""


@contextmanager
def dawdling(port: int, way: str) -> Iterator[set[socket.socket]]:
    """Run slow clients of one of the `WAYS`, with some bytes a second each, before others may ask.

    Yield the open connections.
    """
    first, again = WAYS[way]
    done, twice = threading.Event(), threading.Event()

    def go_on() -> None:
        rounds = 0
        while not done.wait(0.3):
            for connection in tuple(connections):
                if not goes_on(connection, again):
                    connections.remove(connection)
            rounds += 1
            if rounds == 2:
                twice.set()

    with ExitStack() as stack:
        connections = {stack.enter_context(socket.socket()) for _ in range(CONNECTIONS)}
        for connection in connections:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)  # the kernel must buffer little for it
            connection.bind(("127.0.0.2", 0))  # a proxy may count the connections of an address
            connection.connect(("127.0.0.1", port))
            connection.sendall(first)
            connection.setblocking(False)
        thread = threading.Thread(target=go_on)
        thread.start()
        stack.callback(thread.join)
        stack.callback(done.set)
        assert twice.wait(PATIENCE)
        yield connections


def goes_on(connection: socket.socket, again: bytes) -> bool:
    """Send or read a little. Return whether the other side still takes part."""
    try:
        return bool(connection.send(again) if again else connection.recv(1))
    except BlockingIOError:  # earlier data has not left yet, or none has arrived
        return True
    except ConnectionError:
        return False


# ==== the site ====================================================================================
class Site:
    """A running site with a game of two people, who use programs."""

    def __init__(self, settings: Settings, port: int) -> None:
        self.port = port
        self.limited = port != settings.port
        """Does a proxy limit the connections of an address?"""
        self._address = f"http://127.0.0.1:{self.port}"
        with closing(open_store(settings.database, settings=settings)) as store, store.write() as conn:
            numbers = [accounts.person_at(conn, f"{name}@example.org", "en", now())[0] for name in ("ann", "bob")]
            tokens = [accounts.make_token(conn, number, "program", accounts.SCOPES, now())[1] for number in numbers]
        self._headers = {seat: {"Authorization": f"Bearer {token}"} for seat, token in enumerate(tokens, 1)}
        opened = self._ask(1, "POST", "/games", {"title": "ticket_to_ride", "seats": 2, "public": True})
        self._game = f"/games/{opened['id']}"
        for seat in self._headers:
            self._ask(seat, "POST", f"{self._game}/join", {"seat": seat, "entropy": "words"})
        self._ask(1, "POST", f"{self._game}/start", {})

    def live(self) -> None:
        """Check its health. (Slow clients never stop: a site that they block does not answer in time.)"""
        requests.get(f"{self._address}/healthz", timeout=30).raise_for_status()

    def move(self) -> None:
        """Accept a move of the game."""
        seat = self._ask(1, "GET", self._game)["asked"][0]
        shown = self._ask(seat, "GET", f"{self._game}/actions")
        command = shown["actions"][0]["command"]
        self._ask(seat, "POST", f"{self._game}/moves", {"commands": [command]}, {"If-Match": f'"{shown["version"]}"'})

    def _ask(self, seat: int, method: str, path: str, body: object = None, more: dict[str, str] | None = None) -> dict:
        headers = self._headers[seat] | (more or {})
        answer = requests.request(method, f"{self._address}/api/v1{path}", json=body, headers=headers, timeout=30)
        assert answer.ok, answer.text
        return answer.json()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "site" in metafunc.fixturenames:
        behind = ["behind nginx"] if metafunc.config.getoption("--nginx", default=False) else []
        metafunc.parametrize("site", ["embedded", "production", *behind], indirect=True, scope="module")


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    if request.param == "embedded":
        with running(embedded(folder, port=free_port(), rate_limits=False), "slowtrain web") as settings:
            yield Site(settings, settings.port)
        return
    database = request.getfixturevalue("postgresql").new_database()
    port, proxy = free_port(), free_port() if request.param == "behind nginx" else None
    settings = production(
        folder,
        database,
        request.getfixturevalue("redis_server").url,
        port=port,
        rate_limits=False,
        base_url=f"http://127.0.0.1:{proxy or port}",
        trusted_proxies=int(proxy is not None),
    )
    (command,) = re.findall("^web: (.+)", (ROOT / "Procfile").read_text(), re.M)
    with running(settings, command), behind_nginx(settings, proxy) if proxy else nullcontext():
        yield Site(settings, proxy or port)


@contextmanager
def running(settings: Settings, command: str) -> Iterator[Settings]:
    """Run a site with its tables, started by a shell line as a process manager does."""
    with closing(open_store(settings.database, settings=settings)) as store:
        store.migrate()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
        patch.setenv("PORT", str(settings.port))
        with process(settings, "sh", "-c", f"exec {command}"):
            until(lambda: answers(settings.port), what="starting the web server")
            yield settings


def test_the_example_of_a_proxy_lets_go_of_connections_before_the_site_does() -> None:
    (kept,) = re.findall(r"keepalive \d+;\n +keepalive_timeout (\d+)s;", EXAMPLE)
    assert int(kept) <= serving.IDLE_SECONDS / 2


def test_the_example_of_a_proxy_leaves_it_to_the_site_to_refuse_a_body() -> None:
    (largest,) = re.findall(r"client_max_body_size (\d+)m;", EXAMPLE)
    assert LARGEST_BODY < int(largest) * 1024 * 1024 <= serving.LARGEST_BODY


@contextmanager
def behind_nginx(settings: Settings, port: int) -> Iterator[None]:
    """Run the example of a proxy in front of the site, at ``port``."""
    folder = settings.data_dir / "nginx"
    folder.mkdir()
    more = {"server_name trains.example.org;": "server_name _;", "$host;": "$http_host;"}
    with nginx(folder, f"127.0.0.1:{settings.port}", port, lambda: answers(port), more):
        yield


def answers(port: int) -> bool:
    with suppress(OSError):
        return requests.get(f"http://127.0.0.1:{port}/healthz", timeout=2).ok
    return False


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_others_are_answered_while_hundreds_dawdle(site: Site, way: str) -> None:
    with dawdling(site.port, way) as connections:
        for _ in range(5):
            site.live()
            site.move()
        assert len(connections) == CONNECTIONS or site.limited
