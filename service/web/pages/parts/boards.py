"""A view as a board in a page: its pieces in one of the two drawings, on a background that browsers cache.

A title has two drawings, for wide screens and for phones; a page holds the pieces of one. The reader's choice decides,
else the size that the script measured (`static/board.js`), else the browser's own headers. If that guess does not fit,
the script requests the page again before the browser loads the wrong background. The background is a file for each
title, language and drawing; its colours are the variables of the page's style.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, cast, get_args

from flask import Response, abort, g, request
from markupsafe import Markup, escape
from msgspec.structs import replace

from domain.chance import NamedChance, draw_key, length_prefixed
from domain.drawing import ids_of
from domain.face import Picture
from domain.title import Title
from domain.words import say
from service.base.lately import Lately
from service.games import drawings
from service.web.pages.frame import YEAR, _, address, file_of, pages, this_page
from service.web.pages.parts.choosing import LitPlace
from service.web.pages.parts.fresh import NOTHING_FRESH, Fresh, areas_of, light, links
from service.web.pages.parts.pointing import areas, overlay
from service.web.pages.parts.visits import title_or_404
from service.web.shared import context
from service.words import languages, spoken

Drawing = Literal["wide", "narrow"]
DRAWINGS = get_args(Drawing)
CHOSEN, FITS = "board", "fits"
"""Cookies: the drawing chosen by the reader, and the fitting one that the script measured."""
STAYS = "stays"
"""The cookie of the switch that keeps the board in view on a phone: "1" or "0"."""


NOWHERE: Mapping[str, LitPlace] = {}


class Board(NamedTuple):
    """``picture``: SVG with a label for screen readers. ``notes``: the remarks beside it."""

    picture: Markup
    notes: list[str]


def board(
    title: Title,
    view: Any,
    lang: str,
    player: Callable[[int], str] = str,
    spots: Mapping[str, LitPlace] = NOWHERE,
    fresh: Fresh = NOTHING_FRESH,
) -> Board:
    """Return the board in the drawing for this reader, with a link to the other; ``spots``: its highlighted places.

    ``fresh``: the changes on it, and their story.
    """
    return Board(with_the_other(drawn(title, view, lang, drawing(), player, spots, fresh)), notes(title, lang))


def large(title: Title, view: Any, lang: str, player: Callable[[int], str] = str) -> Board:
    """Return the board in its full size."""
    return Board(drawn(title, view, lang, "wide", player), notes(title, lang))


def notes(title: Title, lang: str) -> list[str]:
    """Return the notes on reconstructed parts of a title, for every page that shows it."""
    return [say(note, spoken(title.face.words, lang), str) for note in title.face.notes]


_pictures: Lately[Picture] = Lately(32)
"""Of the views shown last."""


def drawn(
    title: Title,
    view: Any,
    lang: str,
    which: Drawing,
    player: Callable[[int], str] = str,
    spots: Mapping[str, LitPlace] = NOWHERE,
    fresh: Fresh = NOTHING_FRESH,
) -> Markup:
    language = spoken(title.face.words, lang)
    under, over, small = Markup(), Markup(), which == "narrow"
    picture = _shown(title, view, lang, which)
    below = f"{_address(title, lang, which, picture)}#ground"
    if fresh is not NOTHING_FRESH:
        both = areas_of(title, (fresh.before, view), small)
        over = links(fresh, both, language, _("Places in the story"), small)
        if fresh.before is not None:
            under = light(_shown(title, fresh.before, lang, which), picture, both, small)
    if spots:
        label, which_of = _("Places you can choose"), _("Which of them?")
        over += overlay(areas(title, view, small), spots.values(), picture.box[2], small, label, which_of)
    label = say(picture.label, language, player)
    return Markup(drawings.svg(picture, label, name=which, ground=below, under=under, over=over))


def _shown(title: Title, view: Any, lang: str, which: Drawing) -> Picture:
    return _pictures.of(view, lambda: _picture(title, view, lang, which), lang, which)


MARGINS = 130, 80
"""Board units beside, and above and below, the places in a part of a board."""


def part(title: Title, view: Any, lang: str, places: Sequence[str], name: str) -> Markup:
    """Return the part of the board around these places, or the whole for none, in the drawing for this reader.

    ``name``: begins its label's id.
    """
    which = drawing()
    picture = _picture(title, view, lang, which)
    below, box = f"{_address(title, lang, which, picture)}#ground", picture.box
    if places:
        here = areas(title, view, which == "narrow")
        box = _around([point for place in places for point in here[place].line], box)
    pieces = tuple(it for it in picture.pieces if _meet((it.x, it.y, it.width, it.height), box))
    label = say(picture.label, spoken(title.face.words, lang), str)
    return Markup(drawings.svg(replace(picture, box=box, pieces=pieces), label, name=name, ground=below))


Box = tuple[float, float, float, float]


def _around(points: Sequence[tuple[float, float]], whole: Box) -> Box:
    """Return the box around some points, with a margin, as far as it lies within the whole."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, top = max(min(xs) - MARGINS[0], whole[0]), max(min(ys) - MARGINS[1], whole[1])
    right, bottom = min(max(xs) + MARGINS[0], whole[0] + whole[2]), min(max(ys) + MARGINS[1], whole[1] + whole[3])
    return left, top, right - left, bottom - top


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def _picture(title: Title, view: Any, lang: str, which: Drawing) -> Picture:
    """Draw the board without the things that a page shows beside it."""
    language = spoken(title.face.words, lang)
    return title.face.picture(view, "page", language, small=which == "narrow", alone=True)


def _address(title: Title, lang: str, which: Drawing, picture: Picture) -> str:
    digest = _ground(picture.box, picture.defs, picture.ground).digest
    return address("pages.ground", title_id=title.id, lang=lang, which=which, digest=digest)


_lands: dict[tuple[str, str, Drawing], str] = {}


def land(title: Title, lang: str) -> str:
    """Return the address of the map's land, in the file of the background for this reader."""
    which = drawing()
    if (key := (title.id, lang, which)) not in _lands:
        picture = _picture(title, opening_view(title), lang, which)
        _lands[key] = f"{_address(title, lang, which, picture)}#{ids_of(which == 'narrow')}-land"
    return _lands[key]


# ==== the two drawings ============================================================================
def drawing() -> Drawing:
    """Return the drawing for this reader, found out once."""
    if "drawing" not in g:
        g.drawing = _chosen() or _known(request.cookies.get(FITS)) or ("narrow" if _is_a_phone() else "wide")
    return cast(Drawing, g.drawing)


def guessed() -> Drawing | None:
    """Return the drawing in this page, for the script; None if it was chosen, or if the page cannot be reloaded."""
    return drawing() if request.method == "GET" and _chosen() is None else None


@pages.context_processor
def in_templates() -> dict[str, Any]:
    return {"guessed": guessed, "other_board": other_board, "stays": stays, "other_stay": other_stay}


def _chosen() -> Drawing | None:
    return _known(request.args.get(CHOSEN)) or _known(request.cookies.get(CHOSEN))


def _known(given: str | None) -> Drawing | None:
    return cast(Drawing, given) if given in DRAWINGS else None


@pages.after_request
def remember(response: Response) -> Response:
    """Keep the reader's choice for all boards when they followed the link to the other drawing, or the switch."""
    if request.method == "GET" and (chosen := _known(request.args.get(CHOSEN))):
        context.set_cookie(response, CHOSEN, chosen, YEAR)
    if request.method == "GET" and STAYS in request.args:
        context.set_cookie(response, STAYS, str(int(stays())), YEAR)
    return response


def _is_a_phone() -> bool:
    """Does the browser say that it is on a phone? A client hint decides, else the browser's name."""
    hint = request.headers.get("Sec-CH-UA-Mobile")
    return hint == "?1" if hint else "Mobi" in request.headers.get("User-Agent", "")


def with_the_other(picture: Markup) -> Markup:
    """Return ``picture``, in the `drawing` for this reader, with a link to the other one.

    If nobody has chosen and the page can be requested again, it also tells the script where to request the other one.
    """
    fits = f' data-fits="{escape(this_page())}"' if guessed() else ""
    return Markup(f'<div class="{drawing()}"{fits}>{picture}</div><p class="other-board">{other_board()}</p>')


def other_board() -> Markup:
    """Return a link to the same page with the other drawing."""
    other: Drawing = "wide" if drawing() == "narrow" else "narrow"
    text = _("The board for small screens") if other == "narrow" else _("The board for wide screens")
    return Markup(f'<a href="{escape(this_page({CHOSEN: [other]}))}">{escape(text)}</a>')


# ==== in view on a phone ==========================================================================
def stays() -> bool:
    """Does the board stay in view while a phone scrolls?"""
    return (request.args.get(STAYS) or request.cookies.get(STAYS)) == "1"


def other_stay() -> Markup:
    """Return the switch: a link to the same page."""
    text = _("Let the board scroll away") if stays() else _("Keep the board in view")
    there = escape(this_page({STAYS: [str(int(not stays()))]}))
    return Markup(f'<a class="stays" href="{there}#board">{escape(text)}</a>')


# ==== the background ==============================================================================
class GroundFile(NamedTuple):
    """The file of a background, and a digest of its content."""

    svg: bytes
    digest: str


@lru_cache(64)
def _ground(box: tuple[float, float, float, float], defs: str, ground: str) -> GroundFile:
    left, top, width, height = (f"{side:g}" for side in box)
    sides = f'viewBox="{left} {top} {width} {height}"'
    sheet = f'<svg x="{left}" y="{top}" width="{width}" height="{height}" {sides}>{ground}</svg>'  # nothing beyond it
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" {sides}>'
    svg = f'{begin}<defs>{defs}</defs><g id="ground">{sheet}</g></svg>'.encode()
    return GroundFile(svg, hashlib.sha256(svg).hexdigest()[:12])


@pages.get("/boards/<title_id>/<lang>/<any(wide,narrow):which>.<digest>.svg")
def ground(title_id: str, lang: str, which: Drawing, digest: str) -> Response:
    """Return a background by its digest, cacheable for ever. For the digest of another release it is this release's
    one."""
    if lang not in languages():
        abort(404)
    title = title_or_404(title_id)
    picture = _picture(title, opening_view(title), lang, which)
    found = _ground(picture.box, picture.defs, picture.ground)
    return file_of(found.svg, "image/svg+xml", lasting=digest == found.digest)


_opening_views: dict[tuple[str, int], Any] = {}


def opening_view(title: Title) -> Any:
    """Return the view of spectators before the first move, always of the same game."""
    key = title.id, title.rules.version
    if key not in _opening_views:
        chance = NamedChance(draw_key(bytes(32)), length_prefixed(()), {})
        seats = range(1, title.seating.seats[0] + 1)
        state = title.rules.setup(
            title.seating.options(), {seat: title.seating.choice() for seat in seats}, chance
        ).after
        _opening_views[key] = title.rules.view(state, None)
    return _opening_views[key]
