"""The things beside a board, ready for a page: named in the reader's language, drawn, and highlighted.

The title defines them and their words (`domain.things`); ``things.html`` defines their layout.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from flask import request
from markupsafe import Markup, escape

from domain.drawing import VARIABLE
from domain.things import Shelf, Sketch, Thing, Things, Use
from domain.title import Title
from domain.words import Language, Sentence, first_upper, say
from service.base.lately import Lately
from service.web.pages.frame import _, address, pages, this_page
from service.web.pages.parts import tabs
from service.web.pages.parts.choosing import LitPlace
from service.web.pages.parts.refusals import came_from, rule_link

NOTHING_LIT: Mapping[str, LitPlace] = MappingProxyType({})


class UseShown(NamedTuple):
    """``name``: of one of several uses, else ""."""

    name: str
    text: str
    rule: Markup


class ThingShown(NamedTuple):
    """``spot``: it has actions, or it is chosen. ``icons``: those of its sketches that stay clear in a line of text.

    ``telling``: they say as much as the name. ``sketches`` and ``uses``: as in `ThingsShown`; a chosen thing
    always has its uses.
    """

    name: str
    spot: LitPlace | None
    sketches: list[Markup]
    icons: list[Markup]
    telling: bool
    mark: str
    said: list[str]
    shows: str
    uses: list[UseShown]


class ShelfShown(NamedTuple):
    """``id``: of its heading. ``shelf``: its layout."""

    id: str
    name: str
    things: list[ThingShown]
    uses: list[UseShown]
    shelf: Shelf


class SeatShown(NamedTuple):
    """The public facts of a seat. ``mark``: the number that stands for it where there is room for nothing else.

    ``address``: of the page with everything that is its own (`service.web.pages.parts.seats`).
    """

    colour: str
    letter: str
    said: list[str]
    mark: str
    address: str


class ThingsShown(NamedTuple):
    """``seats``: by number. The shelves: in the places that `Shelf.lies` says.

    Only a whole one has what lies ``aside``, all sketches, and the uses of things: what the tab of details shows.
    """

    seats: Mapping[int, SeatShown]
    own: list[ShelfShown]
    near: list[ShelfShown]
    display: list[ShelfShown]
    aside: list[ShelfShown]
    said: list[str]

    @property
    def chosen(self) -> list[ThingShown]:
        """Return the chosen things that have uses, once each: two equal cards say the same."""
        shelves = (*self.own, *self.near, *self.display)
        found = (it for shelf in shelves for it in shelf.things if it.spot and it.spot.chosen and it.uses)
        return list({it.name: it for it in found}.values())


def things(
    title: Title,
    view: Any,
    language: Language,
    player: Callable[[int], str],
    *,
    land: str = "",
    spots: Mapping[str, LitPlace] = NOTHING_LIT,
) -> ThingsShown:
    """Return the things beside the board of ``view``: the whole ones if the tab of details is open.

    ``land``: the address of the land below pieces of the board.
    """
    return _Laying(language, player, land, spots, tabs.asked() == "details").all(laid(title, view))


def shelves(shelves: Sequence[Shelf], language: Language, player: Callable[[int], str]) -> list[ShelfShown]:
    """Return shelves of a seat, with nothing to choose."""
    laying = _Laying(language, player, "", NOTHING_LIT, whole=True)
    return [laying.shelf(f"own-{number}", it) for number, it in enumerate(shelves, 1)]


_laid: Lately[Things] = Lately(32)
"""Of the views shown last."""


def laid(title: Title, view: Any) -> Things:
    """Return the things of a view, as the title lays them out."""
    return _laid.of(view, lambda: title.face.things(view))


class _Laying(NamedTuple):
    language: Language
    player: Callable[[int], str]
    land: str
    spots: Mapping[str, LitPlace]
    whole: bool

    def all(self, things: Things) -> ThingsShown:
        seat = this_page({"show": ["seats"], "of": []}) + "&of="
        seats = {
            it.seat: SeatShown(
                it.colour,
                it.letter,
                self.each(it.said),
                say(it.mark, self.language, self.player) if it.mark else "",
                f"{seat}{it.seat}#tab",
            )
            for it in things.seats
        }
        by_lying: dict[str, list[ShelfShown]] = {"own": [], "near": [], "display": [], "aside": []}
        for number, it in enumerate(things.shelves, 1):
            if self.whole or it.lies != "aside":
                by_lying[it.lies].append(self.shelf(f"shelf-{number}", it))
        return ThingsShown(seats, **by_lying, said=self.each(things.said))

    def shelf(self, id: str, it: Shelf) -> ShelfShown:
        shown = [self.thing(each) for each in it.things]
        return ShelfShown(id, self.say(it.name), shown, self.uses(it.uses) if self.whole else [], it)

    def thing(self, it: Thing) -> ThingShown:
        spot = self.spots.get(it.place) if it.place else None
        return ThingShown(
            self.say(it.name),
            spot,
            [_drawn(each, self.land) for each in it.sketches] if self.whole else [],
            [_drawn(each, self.land) for each in it.sketches if each.map_box is None],
            any(each.telling for each in it.sketches),
            say(it.mark, self.language, self.player) if it.mark else "",
            self.each(it.said),
            self.language.name(it.shows) if it.shows else "",
            self.uses(it.uses) if self.whole or (spot and spot.chosen) else [],
        )

    def uses(self, uses: tuple[Use, ...]) -> list[UseShown]:
        names = [self.language.name(it.name) if it.name and len(uses) > 1 else "" for it in uses]
        return [
            UseShown(name, self.say(it.text), _rule(it.rule, request.root_url, *came_from().values()))
            for name, it in zip(names, uses, strict=True)
        ]

    def say(self, it: str | Sentence) -> str:
        said = self.language.name(it) if isinstance(it, str) else say(it, self.language, self.player)
        return first_upper(said)

    def each(self, sentences: tuple[Sentence, ...]) -> list[str]:
        return [say(it, self.language, self.player) for it in sentences]


@lru_cache(1024)
def _rule(rule: str, site: str, *table: str) -> Markup:
    """Return the link to a rule, cached, as a table has dozens. ``site``: the address of the rules. ``table``: that of
    this page."""
    return rule_link(rule)


@lru_cache(2048)
def _drawn(it: Sketch, land: str) -> Markup:
    size = f'width="{it.width:g}" height="{it.height:g}" aria-hidden="true"'
    if it.map_box is None:
        return Markup(f'<svg class="sketch" viewBox="0 0 {it.width:g} {it.height:g}" {size}>{it.svg}</svg>')
    box = " ".join(f"{side:g}" for side in it.map_box)
    left, top, width, height = it.map_box
    sea, shore = (f"var({VARIABLE.format(name)})" for name in ("sea", "land"))
    below = f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="{sea}"/>'
    below += f'<use href="{land}" fill="{shore}" fill-rule="evenodd"/>' if land else ""
    return Markup(f'<svg class="sketch map" viewBox="{box}" {size}>{below}{it.svg}</svg>')


# ==== in HTML =====================================================================================
# A page has dozens of these; a macro takes several times as long for each (`python -m tests.bench pages`).
@pages.app_template_filter("chip")
def chip(it: ThingShown) -> Markup:
    """Return a thing in a line of its shelf."""
    spot, name, look = it.spot, escape(it.name), ""
    if spot is None:
        named = f'<span class="name">{name}</span>'
    else:
        look = " lit chosen" if spot.chosen else " lit pointed" if spot.pointed else " lit"
        current = ' aria-current="true"' if spot.chosen else ""
        place = f'href="{escape(spot.address)}" data-place="{escape(spot.id)}"'
        named = f'<a class="name" {place}{current}>{name}</a>'
    telling = " telling" if it.telling else ""
    icons = f'<span class="sketches{telling}">{"".join(it.icons)}</span>' if it.icons else ""
    mark = f' <span class="mark">{escape(it.mark)}</span>' if it.mark else ""
    shows = f' <span class="said-of">{escape(it.shows)}</span>' if it.shows else ""
    said = f' <span class="said-of">{escape(" · ".join(it.said))}</span>' if it.said else ""
    return Markup(f'<li class="thing{look}">{icons}{named}{mark}{shows}{said}</li>')


@pages.app_template_filter("mark")
def mark(seat: SeatShown) -> Markup:
    """Return the colour of a seat on the board, with its letter."""
    return Markup(f'<span class="chair c-{seat.colour}" aria-hidden="true">{escape(seat.letter)}</span>')


@pages.app_template_filter("who")
def who(seat: Mapping[str, Any]) -> Markup:
    """Return the name of the player of a seat, with the remarks beside it."""
    name = escape(seat["name"])
    if seat.get("profile"):
        there = escape(address("pages.front.profile", address=seat["profile"]))
        named = f'<a class="who" href="{there}">{name}</a>'
    else:
        named = f'<span class="who">{name}</span>'
    yours = _quiet(_("you")) if seat.get("yours") else ""
    left = _quiet(_("has left")) if seat.get("left") else ""
    to_move = _("to move")
    asked = f' <span class="plaque">{escape(to_move)}</span>' if seat.get("asked") else ""
    return Markup(f"{named}{yours}{left}{asked}")


def _quiet(remark: str) -> str:
    return f' <span class="quiet">({escape(remark)})</span>'
