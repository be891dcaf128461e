"""The changes between two positions: pieces are lit, sentences say what is true now, and places name the last story.

The light is a ring around a piece, below all pieces. A place that the story names is a link to the position after that
move, and a place in a sentence is a link to the board. So both work without scripts; `static/story.js` names a place
that has the focus, or that a finger touches.
"""

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup, escape
from msgspec.structs import replace

from domain.face import Picture, Piece
from domain.places import Area, box
from domain.title import Title
from domain.words import Language, ids_in, say
from service.games import lookback
from service.games.lookback import ChangedSentence
from service.games.queries import Seen, StoryPly
from service.games.replays import changed
from service.web.pages.frame import _
from service.web.pages.parts import pointing
from service.web.pages.parts.pointing import outline, plainer

GAP = {True: 7.0, False: 3.5}
"""``small`` -> board units between a thing and the ring around it."""


class Happened(NamedTuple):
    """The last ply that names a place: its story, and the address of the position after it."""

    said: str
    address: str


class Fresh(NamedTuple):
    """``before``: the view since which changed pieces are lit. ``told``: place -> the last story there."""

    before: Any = None
    told: Mapping[str, Happened] = {}


NOTHING_FRESH = Fresh()


def named_by(plies: Iterable[StoryPly], areas: Container[str], at: Callable[[int], str]) -> dict[str, Happened]:
    """Return for each place in a story the last ply that names it. ``areas``: of the board; ``at``: of positions."""
    return {
        place: Happened(" ".join(it.said), at(it.ply.number))
        for it in plies
        if not it.withdrawn
        for sentence in it.sentences
        for place in ids_in(sentence)
        if place in areas
    }


def areas_of(title: Title, views: Iterable[Any], small: bool) -> Mapping[str, Area]:
    """Return the areas of all places in these views: a claimed route is a place only before the claim."""
    known = (pointing.areas(title, view, small) for view in views if view is not None)
    return {place: area for areas in known for place, area in areas.items()}


def light(before: Picture, after: Picture, areas: Mapping[str, Area], small: bool) -> Markup:
    """Return the rings below the pieces that have changed. ``areas``: of both positions."""
    found = dict.fromkeys(_area(it, areas) for it in changed(before, after))
    return Markup(f'<g class="glow">{"".join(_ring(it, GAP[small]) for it in found)}</g>' if found else "")


def _area(piece: Piece, areas: Mapping[str, Area]) -> Area:
    """Return the area of a piece: of its place, of the place that it belongs to ("steel.boston"), or else its box."""
    place = areas.get(piece.name) or areas.get(piece.name.rpartition(".")[2])
    return place or box(piece.x, piece.y, piece.width, piece.height)


def links(fresh: Fresh, areas: Mapping[str, Area], language: Language, label: str, small: bool) -> Markup:
    """Return the places of a board that the story names, as links; ``label``: of all of them together."""
    found = "".join(
        f'<a id="on-{escape(place)}" href="{escape(it.address)}" tabindex="-1"><title>{escape(language.name(place))}:'
        f" {escape(it.said)}</title>{_ring(areas[place], GAP[small])}</a>"
        for place, it in fresh.told.items()
    )
    return Markup(f'<g class="happened" role="group" aria-label="{escape(label)}">{found}</g>' if found else "")


@lru_cache(4096)
def _ring(area: Area, gap: float) -> str:
    far = area.body + gap
    if len(area.line) > 1:
        return f'<path d="{outline(plainer(area.line), far)}"/>'
    [(x, y)] = area.line
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{far:.0f}"/>'


def sentences(found: Iterable[ChangedSentence]) -> list[str]:
    """Return what has become true of a position, and what no longer is."""
    return [it.after or _("No longer: {sentence}", sentence=it.before) for it in found]


def told(plies: Sequence[StoryPly]) -> list[str]:
    """Return the lines of a story as plain text, the newest last."""
    return [
        " ".join(it.said)
        + (" (" + _("{times} times", times=times) + ")" if times > 1 else "")
        + (" (" + _("taken back") + ")" if it.withdrawn else "")
        for it, times in lookback.told(plies)
    ]


class _Linked(Mapping[str, str]):
    """Names, with those of ``places`` between marks that `sentence` turns into links."""

    def __init__(self, names: Mapping[str, str], places: Collection[str]) -> None:
        self._names, self._places = names, places

    def __getitem__(self, key: str) -> str:
        place, name = key.partition(":")[0], self._names[key]
        return f"\x02{place}\x03{name}\x04" if place in self._places else name

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


_MARKED = re.compile("\x02([^\x02-\x04]*)\x03([^\x02-\x04]*)\x04")


def lines(ply: StoryPly, seen: Seen, lang: str, places: Collection[str]) -> list[Markup]:
    """Return the story of a ply, in which each of ``places`` is a link to the board."""
    language = seen.language(lang)
    linking = replace(language, names=_Linked(language.names, places)) if places else language
    said = (str(escape(say(it, linking, seen.player))) for it in ply.sentences)  # Markup would escape the links (3.11)
    return [Markup(_MARKED.sub(r'<a class="place" href="#on-\1">\2</a>', it)) for it in said]
