"""The web server by itself: its limits, its buffers, and its shutdown.

It serves a tiny application in a process of its own.
"""

import json
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import requests

from service.web import serving

SITE = """
import json, socket, time
from service.web import serving

def site(environ, start_response):
    path = environ["PATH_INFO"]
    if path == "/slow":
        time.sleep(0.3)
    if path == "/large":
        answer = b"x" * 200_000
    elif path == "/headers":
        answer = json.dumps({name: value for name, value in environ.items() if isinstance(value, str)}).encode()
    else:
        answer = environ["QUERY_STRING"].encode()
    start_response("200 OK", [("Content-Length", str(len(answer)))])
    return [answer]

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
serving.serve(site, listener)
"""


@contextmanager
def served(before: str = "") -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a server, after ``before`` in its process. Yield the process and the port."""
    with subprocess.Popen([sys.executable, "-c", before + SITE], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


@pytest.fixture
def port() -> Iterator[int]:
    with served() as (_, port):
        yield port


def opened(port: int, *, little: bool = False) -> socket.socket:
    """Open a connection; ``little``: with a tiny receive buffer."""
    connection = socket.socket()
    connection.settimeout(30)
    if little:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.connect(("127.0.0.1", port))
    return connection


@contextmanager
def several(port: int, number: int, *, little: bool = False) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(opened(port, little=little)) for _ in range(number)]


def asking(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: a\r\n{more}\r\n".encode()


def all_of(connection: socket.socket) -> bytes:
    """Return all bytes until the other side closes."""
    got = b""
    while more := connection.recv(65536):
        got += more
    return got


def is_answered(port: int) -> bool:
    """Is another client answered, long before an idle connection is closed?"""
    return requests.get(f"http://127.0.0.1:{port}/?here", timeout=serving.IDLE_SECONDS / 2).text == "here"


# ==== much at once ================================================================================
def test_a_client_that_never_reads_holds_no_thread(port: int) -> None:
    """It is more than a connection's buffers hold, from more connections than there are threads."""
    with several(port, serving.THREADS + 1, little=True) as connections:
        for connection in connections:
            connection.setblocking(False)
            connection.send(asking("/large") * 500)
        time.sleep(1)  # until all threads would wait
        assert is_answered(port)


def test_many_requests_sent_together_are_all_answered_in_order(port: int) -> None:
    with opened(port) as connection:
        connection.sendall(b"".join(asking(f"/?number-{number}-") for number in range(300)))
        connection.sendall(asking("/large?", "Connection: close\r\n"))
        got = all_of(connection)
    places = [got.index(b"number-%d-" % number) for number in range(300)]
    assert places == sorted(places)
    assert got.endswith(b"x" * 200_000)


def test_a_body_that_is_far_too_large_is_not_waited_for(port: int) -> None:
    with opened(port) as connection:
        head = f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {serving.LARGEST_BODY + 1}\r\n\r\n"
        connection.sendall(head.encode())
        assert all_of(connection).startswith(b"HTTP/1.1 413 ")


def test_the_limit_of_open_files_limits_connections() -> None:
    """Further connections wait until others close, and the server goes on."""
    allowed = serving.OTHER_FILES + 3 * 20
    with served(f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({allowed}, {allowed}))") as (_, port):
        with several(port, 60), pytest.raises(requests.ReadTimeout):
            requests.get(f"http://127.0.0.1:{port}/", timeout=1)
        assert is_answered(port)


def test_the_process_may_open_as_many_files_as_its_connections_need() -> None:
    few = "import resource as it; it.setrlimit(it.RLIMIT_NOFILE, (256, it.getrlimit(it.RLIMIT_NOFILE)[1]))"
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= 2100, "this machine lets a process open too few"
    with served(few) as (_, port), several(port, 600):
        assert is_answered(port)


def test_the_application_gets_the_headers_of_a_proxy(port: int) -> None:
    said = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "trains.example"}
    told = json.loads(requests.get(f"http://127.0.0.1:{port}/headers", headers=said, timeout=20).text)
    assert {name: told[f"HTTP_{name.upper().replace('-', '_')}"] for name in said} == said


# ==== the end =====================================================================================
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_pending_requests_are_answered_before_the_stop(number: signal.Signals) -> None:
    """So are requests that wait for a thread. New connections are refused, and idle ones close."""
    with served() as (process, port), several(port, 2 * serving.THREADS) as asked, opened(port) as idle:
        assert is_answered(port), "the connections made before are let in"
        for connection in asked:
            connection.sendall(asking("/slow?done"))
        process.send_signal(number)
        for connection in asked:
            assert all_of(connection).endswith(b"done")
        assert all_of(idle) == b""
        assert process.wait(60) == 0
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", port))


def test_a_client_that_never_reads_does_not_delay_the_stop() -> None:
    less = "from service.web import serving; serving.PATIENCE = 1"
    with served(less) as (process, port), opened(port, little=True) as connection:
        connection.sendall(asking("/large") * 30)
        assert is_answered(port)
        began = time.monotonic()
        process.terminate()
        assert process.wait(60) == 0
        assert time.monotonic() - began > 0.9
