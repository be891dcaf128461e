"""A receiver of webhook calls: a real server, by HTTP or HTTPS, that checks signatures as documented."""

import hashlib
import hmac
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

CERTIFICATE = Path(__file__).parent / "certificates" / "hooks.example.pem"
"""For the name hooks.example, self-signed; with its key, only for tests."""


class Receiver:
    """``answers``: the next statuses instead of 204, in this order. ``headers``: more headers for each."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.calls: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        self.headers: dict[str, str] = {}
        self.slow: Callable[[Any], None] | None = None

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.calls]

    def verified(self, secret: str, at: int) -> bool:
        """Was the last call signed with ``secret``, and at this time, within five minutes?"""
        headers, body = self.calls[-1]
        timestamp = headers["Slow-Train-Timestamp"]
        signed = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
        fresh = abs(at / 1000 - int(timestamp)) < 300
        return fresh and hmac.compare_digest("v1=" + signed, headers["Slow-Train-Signature"])


@contextmanager
def receiver(*, tls: bool = False) -> Iterator[Receiver]:
    """Run a receiver at 127.0.0.1."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.calls.append((dict(self.headers.items()), body))
            if taken.slow:
                taken.slow(self)
                return
            self.send_response(taken.answers.pop(0) if taken.answers else 204)
            for name, value in taken.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # callers that hang up are part of the tests
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    taken = Receiver(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield taken
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
