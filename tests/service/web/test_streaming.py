"""Streams of the embedded profile, in a web process of their own that has nothing but a tiny application."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import requests

from config.settings import Settings
from service.base import links, ticks
from service.base.clock import now
from service.base.ticks import Tick
from service.live.streams import EACH_MOST
from service.web import serving, streaming
from tests.streams import Stream, token
from tests.streams import streaming as opened
from tests.workers.post import until
from tests.workers.processes import embedded

SITE = """
import socket, sys
from config.settings import Settings
from service.web import serving

def site(environ, start_response):
    start_response("200 OK", [("Content-Length", "4")])
    return [b"here"]

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
serving.serve(site, listener, Settings(_env_file=None, data_dir=sys.argv[1]))
"""


@contextmanager
def served(settings: Settings) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    command = [sys.executable, "-c", SITE, str(settings.data_dir)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            port = int(process.stdout.readline())
            until(lambda: requests.get(f"http://127.0.0.1:{port}/", timeout=20).text == "here")
            yield process, port
        finally:
            process.kill()


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return embedded(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def port(settings: Settings) -> Iterator[int]:
    with served(settings) as (_, port):
        yield port


@contextmanager
def begun(settings: Settings, port: int, *topics: str) -> Iterator[Stream]:
    with opened(port, *(token(settings, each) for each in topics)) as stream:
        assert stream.status == 200
        assert stream.event() == ("here", "")
        yield stream


def test_a_stream_hears_the_ticks_of_its_topics_and_no_others(settings: Settings, port: int) -> None:
    with begun(settings, port, "p1", "gwatched") as ann, begun(settings, port, "gother") as guest:
        assert ann.head["content-type"] == "text/event-stream; charset=utf-8"
        for tick in (
            Tick("hidden", (2, 3)),
            Tick("hers", (1, 2)),
            Tick("watched", (4, 1), watchers=True),
            Tick("other", (4,), watchers=True),
            Tick("last", (1,)),
        ):
            ticks.send(settings, tick)
        assert [ann.tick() for _ in range(3)] == ["hers", "watched", "last"]
        assert guest.tick() == "other"


def test_streams_hold_no_threads(settings: Settings, port: int) -> None:
    with ExitStack() as stack:
        streams = [stack.enter_context(begun(settings, port, f"p{number}")) for number in range(3 * serving.THREADS)]
        assert requests.get(f"http://127.0.0.1:{port}/", timeout=20).text == "here"
        ticks.send(settings, Tick("all", tuple(range(len(streams)))))
        assert {stream.tick() for stream in streams} == {"all"}


def test_a_limited_number_of_streams_is_let_in(settings: Settings, port: int) -> None:
    with ExitStack() as stack:
        for number in range(streaming.MOST):
            stack.enter_context(begun(settings, port, f"p{number % 100 + 1}"))
        with opened(port, token(settings, "p500")) as refused:
            assert refused.status == 503
    until(lambda: _status(settings, port) == 200, what="room for a stream after others closed")


def test_a_person_has_a_limited_number_of_streams(settings: Settings, port: int) -> None:
    with ExitStack() as stack:
        for _ in range(EACH_MOST):
            stack.enter_context(begun(settings, port, "p700"))
        with opened(port, token(settings, "p700")) as refused:
            assert refused.status == 503


def _status(settings: Settings, port: int) -> int:
    with opened(port, token(settings, "p500")) as stream:
        return stream.status


def test_a_stream_needs_a_valid_token(settings: Settings, port: int) -> None:
    expired = token(settings, "p1", now() - links.LIVE_LASTS)
    for tokens, status in {(): 400, ("nonsense",): 403, (expired,): 403}.items():
        with opened(port, *tokens) as stream:
            assert stream.status == status


def test_a_connection_goes_on_after_a_refusal(port: int) -> None:
    with requests.Session() as session:
        assert session.get(f"http://127.0.0.1:{port}/live", timeout=20).status_code == 400
        assert session.get(f"http://127.0.0.1:{port}/", timeout=20).text == "here"


def test_a_stream_ends_with_its_token(settings: Settings, port: int) -> None:
    short = token(settings, "p1", now() - links.LIVE_LASTS + 2000)
    with opened(port, short) as stream:
        assert stream.event() == ("here", "")
        assert stream.event() is None


def test_more_requests_on_the_connection_of_a_stream_are_ignored(settings: Settings, port: int) -> None:
    with begun(settings, port, "p1") as stream:
        stream._socket.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert requests.get(f"http://127.0.0.1:{port}/", timeout=20).text == "here"
        ticks.send(settings, Tick("next", (1,)))
        assert stream.tick() == "next"


def test_streams_end_with_the_process(tmp_path: Path) -> None:
    own = embedded(tmp_path)
    with served(own) as (process, port), begun(own, port, "p1") as stream:
        process.send_signal(signal.SIGTERM)
        assert stream.event() is None
        assert process.wait(60) == 0


def test_only_one_process_of_an_installation_hears_ticks(tmp_path: Path) -> None:
    """The other's pages ask now and then. After a kill the next process hears again."""
    own = embedded(tmp_path)
    with served(own) as (first, port):
        with served(own) as (_, other), opened(other, token(own, "p1")) as page:
            assert page.status == 200
            assert "event-stream" not in page.head.get("content-type", "")
        with begun(own, port, "p1") as stream:
            ticks.send(own, Tick("first", (1,)))
            assert stream.tick() == "first"
        first.kill()
        first.wait()
        with served(own) as (_, port), begun(own, port, "p1") as stream:
            ticks.send(own, Tick("next", (1,)))
            assert stream.tick() == "next"


def test_the_socket_is_for_this_account_only(settings: Settings, port: int) -> None:
    assert (settings.data_dir / ticks.NAME).stat().st_mode & 0o077 == 0
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stranger:
        stranger.sendto(b"nonsense", str(settings.data_dir / ticks.NAME))
    with begun(settings, port, "p1") as stream:
        ticks.send(settings, Tick("next", (1,)))
        assert stream.tick() == "next"
