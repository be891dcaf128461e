"""The changes on a board: the pieces that differ between two pictures, and several pictures as frames of a replay.

Pictures are drawn from views, so nothing hidden can show in a change. Pieces are compared by their names.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec
from sqlalchemy import Connection

from domain.face import Picture, Piece
from service.database.store import Store
from service.games import drawings, queries
from service.games.queries import Seen, StoryPly

FRAMES = 12
"""The most frames of a replay, its start included."""


class Frame(msgspec.Struct, frozen=True):
    """A step of a replay. ``said``: the story since the last frame, by ply. ``pieces``: those that differ from it.

    They are SVG by number, empty if the piece is gone. Numbers count the pieces of the last picture; those that the
    last picture lacks have the numbers after these.
    """

    said: Mapping[int, str]
    pieces: Mapping[int, str]


def changed(before: Picture, after: Picture) -> tuple[Piece, ...]:
    """Return the pieces that are new or different, and those that are gone."""
    old, new = _by_name(before), _by_name(after)
    came = (it for name, it in new.items() if name not in old or _differs(old[name], it))
    return (*came, *(it for name, it in old.items() if name not in new))


def _differs(old: Piece, new: Piece) -> bool:
    """Do the two look different, or has the piece moved farther than to make room for another?"""
    moved = math.dist((old.x, old.y), (new.x, new.y))
    return old.svg != new.svg or moved > max(old.width, old.height)


def frames(pictures: Sequence[Picture]) -> list[Mapping[int, str]]:
    """Return the changed pieces of each picture. Before the first one, the last picture is shown."""
    shown = _by_name(pictures[-1])
    numbers = {name: number for number, name in enumerate(shown)}
    found: list[Mapping[int, str]] = []
    for picture in pictures:
        now = _by_name(picture)
        differ = [name for name in {**shown, **now} if shown.get(name) != now.get(name)]
        laid = {name: drawings.laid(now[name]) if name in now else "" for name in differ}
        found.append({numbers.setdefault(name, len(numbers)): svg for name, svg in laid.items()})
        shown = now
    return found


def replay(store: Store, conn: Connection, seen: Seen, since: int, to: int, lang: str, *, small: bool) -> list[Frame]:
    """Return the way from one version to a later one in frames, as the viewer saw it. Raises `NoSuchVersion`.

    Only plies that the viewer is told of make a step, so that the frames tell nothing of hidden ones.
    """
    told = [it for it in queries.plies(store, conn, seen, lang, since=since, until=to) if it.said and not it.withdrawn]
    steps = [{it.ply.number: " ".join(it.said) for it in step} for step in _parts(told, FRAMES - 1)]
    versions = [since, *(max(step) for step in steps[:-1]), to]
    language, drawn = seen.language(lang), []
    for said, version in zip(({}, *steps), versions, strict=False):
        view = queries.view(seen, queries.position(store, conn, seen, version))
        if view is not None:
            drawn.append((said, seen.title.face.picture(view, "page", language, small=small, alone=True)))
    if not steps or not drawn:
        return []
    return [Frame(said, pieces) for (said, _), pieces in zip(drawn, frames([it for _, it in drawn]), strict=True)]


def _parts(told: Sequence[StoryPly], most: int) -> list[Sequence[StoryPly]]:
    """Cut a list into as many equal parts as possible, ``most`` at the most."""
    count = min(len(told), most)
    ends = [len(told) * part // count for part in range(count + 1)] if count else []
    return [told[begin:end] for begin, end in pairwise(ends)]


def _by_name(picture: Picture) -> dict[str, Piece]:
    return {piece.name: piece for piece in picture.pieces}
