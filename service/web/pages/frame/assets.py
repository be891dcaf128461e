"""Files that all pages load: scripts, icons, the style sheet and its fonts."""

from pathlib import Path

from flask import Response, abort, make_response, request

from service.web.pages.frame import style
from service.web.pages.frame.addresses import address
from service.web.pages.frame.blueprint import pages


def style_address() -> str:
    return address("pages.style_sheet", v=style.fingerprint(_style()))


def static_address(name: str) -> str:
    """Return the address of a script or an icon, which changes with its content."""
    return address("pages.static", filename=name, v=style.digest_of(name))


@pages.get("/static/<filename>")
def static(filename: str) -> Response:
    served = style.static(filename) or abort(404)
    newest = request.args.get("v") == style.digest_of(filename)
    response = file_of(served, style.TYPES[Path(filename).suffix], lasting=newest)
    response.add_etag()
    response.make_conditional(request)
    return response


def _style() -> str:
    return style.style_sheet(address("pages.font", name=""))


@pages.get("/style.css")
def style_sheet() -> Response:
    return file_of(_style(), "text/css; charset=utf-8")


@pages.get("/fonts/<path:name>")
def font(name: str) -> Response:
    if name not in style.FONTS:
        abort(404)
    return file_of(style.FONTS[name].read_bytes(), "font/woff2")


def file_of(content: bytes | str, kind: str, *, lasting: bool = True) -> Response:
    """Answer with a file. ``lasting``: browsers may keep it for ever, because its address changes with its content."""
    response = make_response(content)
    response.content_type = kind
    if lasting:
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response
