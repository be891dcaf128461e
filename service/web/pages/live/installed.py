"""The site as an application on a device: its manifest, its service worker, and the page without a network."""

import json
from functools import cache

from flask import Response, request, url_for

from service.web.pages.frame import page
from service.web.pages.frame.assets import file_of, static_address
from service.web.pages.frame.style import digest_of, static
from service.web.pages.live import room


@room.get("/manifest.webmanifest")
def manifest() -> Response:
    """Describe the application to browsers (W3C Web Application Manifest)."""
    icons = [{"src": static_address("icon.svg"), "sizes": "any", "type": "image/svg+xml"}]
    icons += [
        {"src": url_for("pages.live.icon", size=size, v=digest_of("icon.svg")), "sizes": f"{size}x{size}",
         "type": "image/png"}
        for size in ICON_SIZES
    ]  # fmt: skip
    told = {
        "id": "/", "name": "Slow Train", "short_name": "Slow Train", "start_url": url_for("pages.lobby.games"),
        "scope": "/", "display": "standalone", "background_color": "#f6efe0", "theme_color": "#9c2f23",
        "icons": icons,
    }  # fmt: skip
    return Response(json.dumps(told), content_type="application/manifest+json")


ICON_SIZES = (192, 512)
"""The widths of the icon in pixels, for systems that cannot draw SVG."""


@room.get("/icon-192.png", defaults={"size": 192})
@room.get("/icon-512.png", defaults={"size": 512})
def icon(size: int) -> Response:
    """Answer with the icon as PNG. It is drawn when it is first asked for, and not stored."""
    newest = request.args.get("v") == digest_of("icon.svg")
    return file_of(_drawn(size), "image/png", lasting=newest)


@cache
def _drawn(size: int) -> bytes:
    import resvg_py  # it takes 4 MB, and few processes draw

    return bytes(resvg_py.svg_to_bytes(svg_string=(static("icon.svg") or b"").decode(), width=size, height=size))


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
