"""The site as an application on a device: its manifest, its service worker, and the page without a network."""

import json

from flask import Response, url_for

from service.web.pages.frame import page
from service.web.pages.frame.assets import static_address
from service.web.pages.frame.style import static
from service.web.pages.live import room


@room.get("/manifest.webmanifest")
def manifest() -> Response:
    """Describe the application to browsers (W3C Web Application Manifest)."""
    icon = {"src": static_address("icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    told = {
        "id": "/", "name": "Slow Train", "short_name": "Slow Train", "start_url": url_for("pages.lobby.games"),
        "scope": "/", "display": "standalone", "background_color": "#f6efe0", "theme_color": "#9c2f23",
        "icons": [icon],
    }  # fmt: skip
    return Response(json.dumps(told), content_type="application/manifest+json")


@room.get("/service-worker.js")
def service_worker() -> Response:
    """Answer with the service worker. It lies at the top, since it may only care for addresses below its own."""
    response = Response(static("service-worker.js"), content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response


@room.get("/offline")
def offline() -> Response:
    """Answer with the page that the service worker keeps for a browser without a network."""
    return page("live/offline.html")
