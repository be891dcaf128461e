"""Compression of text, for clients that accept it: brotli for files that browsers keep, gzip for all else.

The length of a page must not reveal its secrets. So the token of its forms is masked anew for each answer
(`service.people.accounts.form_token`), and a request whose address another site may have made up is answered
uncompressed: its words could come back in the page beside the reader's own (BREACH, CVE-2013-3587).
"""

import gzip
from functools import lru_cache

import brotli
from flask import Flask, Request, Response, request
from isal import igzip_lib

LEAST = 1000
"""Bytes below which nothing is compressed: the answer fits into one network packet anyway."""
TEXT = frozenset((
    "application/atom+xml", "application/javascript", "application/json", "application/problem+json",
    "application/xml", "image/svg+xml", "text/calendar", "text/css", "text/csv", "text/html", "text/javascript",
    "text/plain", "text/xml",
))  # fmt: skip
"""The types worth compressing. Pictures and fonts are compressed already; a stream (``text/event-stream``) must flow.
"""
LEVEL = 3
"""The level of ISA-L for answers made for one request."""
QUALITY = 10
"""Brotli's quality. A background gets a sixth smaller than with gzip, in 0.1 s; 11 takes 0.3 s and gains nothing."""
KEPT = 64
"""Compressed files in memory: style sheet, scripts, and the backgrounds of boards."""


def init_app(app: Flask) -> None:
    """Compress the answers of ``app``. Call it first: the function registered first sees an answer last."""

    @app.after_request
    def _pack(response: Response) -> Response:
        if response.mimetype in TEXT and "Content-Encoding" not in response.headers and not _is_short(response):
            response.vary.add("Accept-Encoding")
            if response.status_code not in (204, 206) and not _made_up_elsewhere(request):
                pack(response)
        return response


def _is_short(response: Response) -> bool:
    """Is the answer too short for everybody? One without a body may stand for a long one."""
    return response.status_code != 304 and response.is_sequence and len(response.get_data()) < LEAST


def _made_up_elsewhere(request: Request) -> bool:
    """Could another site have put words of its own into the address?"""
    return bool(request.query_string) and request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")


def pack(response: Response) -> None:
    """Compress the body if the client accepts it, and if the body is complete and long enough."""
    kept = response.cache_control.immutable
    encoding = request.accept_encodings.best_match(("br", "gzip") if kept else ("gzip",))
    if encoding is None:
        return
    if response.status_code == 304:
        _weaken(response)
        return
    if not response.is_sequence and not response.direct_passthrough:
        return
    response.direct_passthrough = False  # a small file of ours, read into memory now
    body = response.get_data()
    if len(body) < LEAST:
        return
    response.set_data(_once(body, encoding) if kept else igzip_lib.compress(body, LEVEL, igzip_lib.COMP_GZIP))
    response.headers["Content-Encoding"] = encoding
    _weaken(response)


def _weaken(response: Response) -> None:
    """Weaken the tag: the same tag stands for the bytes without compression (RFC 9110, 8.8.3.3)."""
    tag, weak = response.get_etag()
    if tag is not None and not weak:
        response.set_etag(tag, weak=True)


@lru_cache(KEPT)
def _once(body: bytes, encoding: str) -> bytes:
    return brotli.compress(body, quality=QUALITY) if encoding == "br" else gzip.compress(body, 9, mtime=0)
