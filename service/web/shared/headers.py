"""Headers of every answer: no foreign scripts, no frames, no guessing of types, no caching."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask

from config.settings import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; media-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""A view that needs a different value sets it itself."""
VARY = ("Accept-Language", "Authorization", "Cookie")


def init_app(app: Flask, settings: Settings) -> None:
    """Add the headers to every answer of ``app``: outside Flask, where headers are a plain list."""
    inner = app.wsgi_app
    always = list(ALWAYS.items())
    if settings.site.startswith("https://"):
        always.append(("Strict-Transport-Security", "max-age=31536000; includeSubDomains"))
    always.append(("Cache-Control", "no-store"))  # answers depend on the caller: no cache may keep them
    named = [(name.lower(), (name, value)) for name, value in always]

    def with_headers(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            given = {name.lower() for name, _ in headers}
            headers += [it for name, it in named if name not in given]
            if environ["PATH_INFO"].startswith("/api/"):
                _vary(headers)
            return start_response(status, headers, *error)

        return inner(environ, start)

    app.wsgi_app = with_headers  # type: ignore[method-assign]


def _vary(headers: list[tuple[str, str]]) -> None:
    """Set ``Vary`` for answers of the API."""
    known = [value for name, value in headers if name.lower() == "vary"]
    if known:
        headers[:] = [it for it in headers if it[0].lower() != "vary"]
    named = {name.strip().lower() for value in known for name in value.split(",")}
    headers.append(("Vary", ", ".join([*known, *(name for name in VARY if name.lower() not in named)])))
