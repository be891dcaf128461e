"""Text leaves the house packed (gzip), where whoever asks can unpack it.

What a reader may not know of a page must not show in its length. So the token of its forms is masked anew for each
answer (`service.people.accounts.form_token`), and an address that another site made up, whose words may come back in
the page beside what is the reader's own, is answered unpacked (BREACH, CVE-2013-3587).
"""

import gzip
from functools import lru_cache

from flask import Flask, Request, Response, request
from isal import igzip_lib

LEAST = 1000
"""Bytes below which nothing is packed: it would fit into one parcel of the network all the same."""
TEXT = frozenset((
    "application/atom+xml", "application/javascript", "application/json", "application/problem+json",
    "application/xml", "image/svg+xml", "text/calendar", "text/css", "text/csv", "text/html", "text/javascript",
    "text/plain", "text/xml",
))  # fmt: skip
"""What is worth packing. Pictures and fonts are packed in themselves; a stream (``text/event-stream``) must flow."""
LEVEL = 3
"""Of ISA-L, for what is made anew each time."""
KEPT = 64
"""Packed files that are kept: style sheet and scripts, and the grounds of boards."""


def init_app(app: Flask) -> None:
    """Pack what ``app`` answers. To be called first: what is called first looks at an answer last."""

    @app.after_request
    def _pack(response: Response) -> Response:
        if response.mimetype in TEXT and "Content-Encoding" not in response.headers and not _is_short(response):
            _vary(response)
            if response.status_code not in (204, 206) and _can_unpack(request) and not _made_up_elsewhere(request):
                pack(response)
        return response


def _is_short(response: Response) -> bool:
    """Whether nobody would be given it packed; an answer without a body may stand for one that is long."""
    return response.status_code != 304 and response.is_sequence and len(response.get_data()) < LEAST


def _vary(response: Response) -> None:
    if "Vary" in response.headers:
        response.vary.add("Accept-Encoding")
    else:  # as nearly always: what is not there need not be read
        response.headers["Vary"] = "Accept-Encoding"


def _can_unpack(request: Request) -> bool:
    return request.accept_encodings.quality("gzip") > 0


def _made_up_elsewhere(request: Request) -> bool:
    """Whether another site may have put words of its own into the address."""
    return bool(request.query_string) and request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")


def pack(response: Response) -> None:
    """Pack the body, if it is there as a whole and long enough."""
    if response.status_code == 304:
        _weaken(response)
        return
    if not response.is_sequence and not response.direct_passthrough:
        return
    response.direct_passthrough = False  # a file of ours: it is small, and is read now
    body = response.get_data()
    if len(body) < LEAST:
        return
    kept = response.cache_control.immutable
    response.set_data(_once(body) if kept else igzip_lib.compress(body, LEVEL, igzip_lib.COMP_GZIP))
    response.headers["Content-Encoding"] = "gzip"
    _weaken(response)


def _weaken(response: Response) -> None:
    """The bytes are others than those without packing, which have the same tag (RFC 9110, 8.8.3.3)."""
    tag, weak = response.get_etag()
    if tag is not None and not weak:
        response.set_etag(tag, weak=True)


@lru_cache(KEPT)
def _once(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)
