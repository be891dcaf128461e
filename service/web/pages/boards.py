"""A view as a board in a page: its pieces in one of the two drawings, on a ground that browsers keep.

A title has two drawings, for wide screens and for phones, and a page holds the pieces of one: the one its reader has
chosen, else the one that fits their browser, as the script has found (`static/board.js`), else as the browser says of
itself. Where that does not fit, the script asks for the page again before the wrong ground is asked for. The ground is
a file for each title, language and drawing; its colours are the variables of the page's style.
"""

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple, cast, get_args

from flask import Response, abort, make_response, request, url_for
from markupsafe import Markup

from domain.chance import NamedChance, draw_key, length_prefixed
from domain.drawing import ids_of
from domain.face import Picture
from domain.title import Title
from domain.words import say
from service.base.lately import Lately
from service.games import pictures
from service.web.pages.choosing import Spot
from service.web.pages.pointing import overlay
from service.web.pages.web import YEAR, _, pages, this_page, title_or_404
from service.web.shared import context
from service.words import languages, spoken

Drawing = Literal["wide", "narrow"]
DRAWINGS = get_args(Drawing)
CHOSEN, FITS = "board", "fits"
"""Cookies: the drawing that the reader has chosen, and the one that fits the browser, in which the script says it."""


NOWHERE: Mapping[str, Spot] = {}


class Board(NamedTuple):
    """``picture``: SVG with its label for those who cannot see it. ``notes``: what a page says beside it."""

    picture: Markup
    notes: list[str]


def board(
    title: Title, view: Any, lang: str, player: Callable[[int], str] = str, spots: Mapping[str, Spot] = NOWHERE
) -> Board:
    """The board in the drawing for this reader, with the way to the other one; ``spots``: what is lit on it."""
    return Board(with_the_other(drawn(title, view, lang, drawing(), player, spots)), notes(title, lang))


def large(title: Title, view: Any, lang: str, player: Callable[[int], str] = str) -> Board:
    """The board as large as it is drawn."""
    return Board(drawn(title, view, lang, "wide", player), notes(title, lang))


def notes(title: Title, lang: str) -> list[str]:
    """What of a title is reconstructed, wherever it is shown."""
    return [say(note, spoken(title.face.words, lang), str) for note in title.face.notes]


_pictures: Lately[Picture] = Lately(32)
"""Of views that were looked at last."""


def drawn(
    title: Title,
    view: Any,
    lang: str,
    which: Drawing,
    player: Callable[[int], str] = str,
    spots: Mapping[str, Spot] = NOWHERE,
) -> Markup:
    language = spoken(title.face.words, lang)
    over, small = Markup(), which == "narrow"
    picture = _pictures.of(view, lambda: title.face.picture(view, "page", language, small=small), lang, small)
    below = f"{_address(title, lang, which, picture)}#ground"
    if spots:
        areas, label = title.face.places.areas(view, small), _("Places you can choose")
        over = overlay(areas, spots.values(), picture.box[2], small, label, _("Which of them?"))
    label = say(picture.label, language, player)
    return Markup(pictures.svg(picture, label, name=which, ground=below, over=over))


def _address(title: Title, lang: str, which: Drawing, picture: Picture) -> str:
    digest = _ground(picture.box, picture.defs, picture.ground).digest
    return url_for("pages.ground", title_id=title.id, lang=lang, which=which, digest=digest)


_lands: dict[tuple[str, str, Drawing], str] = {}


def land(title: Title, lang: str) -> str:
    """Where the land of the map is, in the file of the ground that the reader's board lies on."""
    which = drawing()
    if (key := (title.id, lang, which)) not in _lands:
        picture = title.face.picture(
            opening_view(title), "page", spoken(title.face.words, lang), small=which == "narrow"
        )
        _lands[key] = f"{_address(title, lang, which, picture)}#{ids_of(which == 'narrow')}-land"
    return _lands[key]


# ==== the two drawings ============================================================================
def drawing() -> Drawing:
    """The drawing for this reader."""
    return _chosen() or _known(request.cookies.get(FITS)) or ("narrow" if _is_a_phone() else "wide")


def guessed() -> Drawing | None:
    """The drawing in this page, for the script; None if it is chosen, or if the page cannot be asked for again."""
    return drawing() if request.method == "GET" and _chosen() is None else None


@pages.context_processor
def in_templates() -> dict[str, Any]:
    return {"guessed": guessed}


def _chosen() -> Drawing | None:
    return _known(request.args.get(CHOSEN)) or _known(request.cookies.get(CHOSEN))


def _known(given: str | None) -> Drawing | None:
    return cast(Drawing, given) if given in DRAWINGS else None


@pages.after_request
def remember(response: Response) -> Response:
    """Whoever follows the link to the other drawing has chosen it for all boards."""
    if request.method == "GET" and (chosen := _known(request.args.get(CHOSEN))):
        context.set_cookie(response, CHOSEN, chosen, YEAR)
    return response


def _is_a_phone() -> bool:
    """What the browser says: in a hint of its own, else in its name."""
    hint = request.headers.get("Sec-CH-UA-Mobile")
    return hint == "?1" if hint else "Mobi" in request.headers.get("User-Agent", "")


def with_the_other(picture: Markup) -> Markup:
    """``picture``, which is in the `drawing` for this reader, with a link to the other one.

    It says whether the script may put the other one in its place, and where to ask for that: where nobody has chosen,
    and the page can be asked for again.
    """
    which = drawing()
    other: Drawing = "wide" if which == "narrow" else "narrow"
    text = _("The board for small screens") if other == "narrow" else _("The board for wide screens")
    fits = Markup(' data-fits="{}"').format(this_page()) if guessed() else ""
    link = Markup('<p class="other-board"><a href="{}">{}</a></p>').format(this_page({CHOSEN: [other]}), text)
    return Markup('<div class="{}"{}>{}</div>{}').format(which, fits, picture, link)


# ==== the ground ==================================================================================
class GroundFile(NamedTuple):
    """The file of a ground, and a few digits that change with it."""

    svg: bytes
    digest: str


@lru_cache(64)
def _ground(box: tuple[float, float, float, float], defs: str, ground: str) -> GroundFile:
    sides = " ".join(f"{side:g}" for side in box)
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{sides}">'
    svg = f'{begin}<defs>{defs}</defs><g id="ground">{ground}</g></svg>'.encode()
    return GroundFile(svg, hashlib.sha256(svg).hexdigest()[:12])


@pages.get("/boards/<title_id>/<lang>/<any(wide,narrow):which>.<digest>.svg")
def ground(title_id: str, lang: str, which: Drawing, digest: str) -> Response:
    """What lies under the pieces, for ever by its digest. By that of another release it is the ground of this one."""
    if lang not in languages():
        abort(404)
    title = title_or_404(title_id)
    picture = title.face.picture(opening_view(title), "page", spoken(title.face.words, lang), small=which == "narrow")
    found = _ground(picture.box, picture.defs, picture.ground)
    response = make_response(found.svg)
    response.content_type = "image/svg+xml"
    if digest == found.digest:
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


_opening_views: dict[tuple[str, int], Any] = {}


def opening_view(title: Title) -> Any:
    """What spectators see of a game before its first move, always the same one."""
    key = title.id, title.rules.version
    if key not in _opening_views:
        chance = NamedChance(draw_key(bytes(32)), length_prefixed(()), {})
        seats = range(1, title.seating.seats[0] + 1)
        state = title.rules.setup(
            title.seating.options(), {seat: title.seating.choice() for seat in seats}, chance
        ).after
        _opening_views[key] = title.rules.view(state, None)
    return _opening_views[key]
