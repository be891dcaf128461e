"""What every answer carries: no scripts from elsewhere, no frames, no guessing of types, nothing kept in caches."""

from flask import Flask, Response, request

from service.http.context import secure

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"
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
"""A view that needs something else sets it itself."""
VARY = ("Accept-Language", "Authorization", "Cookie")


def init_app(app: Flask) -> None:
    @app.after_request
    def _add(response: Response) -> Response:
        given = {name.lower() for name, _ in response.headers}
        response.headers.extend([(name, value) for name, value in ALWAYS.items() if name.lower() not in given])
        if secure():
            response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        if "cache-control" not in given and not (request.endpoint or "").endswith("static"):
            # What one sees depends on who one is: no cache may keep it.
            response.headers.add("Cache-Control", "no-store")
        if request.path.startswith("/api/"):
            if "vary" in given:
                response.vary.update(VARY)
            else:
                response.headers.add("Vary", ", ".join(VARY))
        return response
