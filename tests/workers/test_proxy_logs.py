"""No key gets into a log of the proxy, whatever fails: a site that is down, large bodies or answers, a full disk.

Every run reads the shipped file; with ``--nginx`` a real one runs with it (Debian: apt install nginx-light).
"""

import re
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.servers import free_port
from tests.workers.proxy import ANSWERS, BODIES, EXAMPLE, nginx

KEY = "fPp3mQxVn0bKeyThatNobodyMayRead"
PATHS = [
    f"/sign-in/{KEY}", f"/turn/{KEY}.x", f"/do/{KEY}", f"/join/{KEY}", f"/de/join/{KEY}", f"/mail/unsubscribe/{KEY}",
    f"/api/v1/feeds/{KEY}/games.atom", f"/address/{KEY}", f"/never/{KEY}", f"/confirm/{KEY}", f"/games?key={KEY}",
]  # fmt: skip


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "logs" in metafunc.fixturenames:
        tried = ["by nginx"] if metafunc.config.getoption("--nginx", default=False) else []
        metafunc.parametrize("logs", ["as it is written", *tried])


def test_no_key_is_in_a_log(logs: str, tmp_path: Path) -> None:
    if logs == "as it is written":
        servers = re.split(r"^server \{", EXAMPLE, flags=re.M)[1:]
        assert len(servers) == 2
        for each in servers:
            assert re.findall(r"^    error_log (.*);", each, re.M) == ["/var/log/nginx/error.log crit"]
        return
    with before_no_site(tmp_path) as (site, port):
        asked = threading.Event()
        up(site, asked)
        for path in PATHS:
            body = b"x" * 300_000
            with suppress(requests.RequestException):
                requests.post(f"http://127.0.0.1:{port}{path}", data=body, timeout=20)
            _read_slowly(port, path)
        assert asked.is_set()
    said = {name: (tmp_path / name).read_text() for name in ("access.log", "error.log", "errors")}
    assert "<token>" in said["access.log"]
    for name, text in said.items():
        assert KEY not in text, next(line for line in text.splitlines() if KEY in line) + f" ({name})"


def _read_slowly(port: int, path: str) -> None:
    """Request an answer that is larger than all buffers, and do not read it."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: trains.example.org\r\n\r\n".encode())
        line.recv(100)


def up(port: int, asked: threading.Event) -> None:
    """Run a site that answers each request at length; it is down for the first paths."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            asked.set()
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.send_response(200)
            self.send_header("Content-Length", str(8_000_000))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(b"x" * 8_000_000)

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()


@contextmanager
def before_no_site(folder: Path) -> Iterator[tuple[int, int]]:
    """Run a proxy without a site. Yield the ports of the missing site and of the proxy.

    Its first requests have failed; from then on its disk is full.
    """
    site, port = free_port(), free_port()
    with nginx(folder, f"127.0.0.1:{site} max_fails=0", port, lambda: _answers(port), {}):
        for path in PATHS:
            requests.get(f"http://127.0.0.1:{port}{path}", timeout=20)
        for each in (BODIES, ANSWERS):
            shutil.rmtree(folder / each)
        yield site, port


def _answers(port: int) -> bool:
    with suppress(OSError):
        return requests.get(f"http://127.0.0.1:{port}/", timeout=5).status_code == 502
    return False
