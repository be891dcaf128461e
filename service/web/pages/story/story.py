"""The history of a game: its plies in sentences, and past positions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from flask import Response, jsonify, request, url_for
from markupsafe import Markup
from msgspec import to_builtins
from sqlalchemy import Connection

from domain.chain import fingerprint
from domain.game import Game
from service.base.clock import DAY
from service.database.store import NoSuchVersion
from service.games import lookback, moves, queries, replays
from service.games.queries import Seen, StoryPly
from service.games.rights import may
from service.web.pages.frame import _, address, done, moment, number_asked, page, reader
from service.web.pages.parts import tabs
from service.web.pages.parts.boards import board, drawing, land, large
from service.web.pages.parts.fresh import NOTHING_FRESH, Fresh, areas_of, lines, named_by
from service.web.pages.parts.result import seats_at
from service.web.pages.parts.things import things
from service.web.pages.parts.visits import visit
from service.web.pages.sandbox.sandboxes import offer
from service.web.pages.story import room
from service.web.pages.story.tabs import TABS, PastShown
from service.web.shared.context import now, store, work
from service.words import N_, Moment, listed

PLIES_A_PAGE = 100
STORY_BESIDE = 12
"""Plies beside a past position: those up to it, at least so many."""
TOLD_MOST = 20
"""Plies since a mail that are shown: the newest."""


class StoryLine(NamedTuple):
    """A line of the story: a ply, or several that tell the same (``times``), by the number of the last.

    ``lines``: its sentences, with links. ``fresh``: the reader may not have seen it yet.
    """

    number: int
    lines: list[Markup]
    time: Moment
    withdrawn: bool
    cause: str
    address: str
    fresh: bool
    times: int


def story(
    seen: Seen, told: Sequence[StoryPly], since: int, places: Collection[str] = (), most: int | None = None
) -> list[StoryLine]:
    """Return the plies in sentences, the newest first, without those that the reader may not know at all.

    ``since``: the last one that is not fresh. ``places``: those that are links to the board. ``most``: how many.
    """
    parts = ([it for it in told if it.ply.number > since], [it for it in told if it.ply.number <= since])
    return [
        StoryLine(
            it.ply.number,
            lines(it, seen, reader().lang, places),
            moment(it.ply.at),
            it.withdrawn,
            _(CAUSES[it.ply.cause]) if it.ply.cause in CAUSES else "",
            address("pages.story.position", game_id=seen.game.id, version=it.ply.number),
            it.ply.number > since,
            times,
        )
        for it, times in islice((line for part in parts for line in lookback.told_backwards(part)), most)
    ]


def story_since(seen: Seen, told: Sequence[StoryPly]) -> list[StoryLine]:
    """Return the newest plies since a mail."""
    with work().reading() as conn:
        own = lookback.last_own(work().store, conn, seen)
    return story(seen, [it for it in told if it.said][-TOLD_MOST:], own)


def happened(
    seen: Seen, before: Game, after: Game, told: Iterable[StoryPly], since: int, eyes: Mapping[str, Any] = {}
) -> Fresh:
    """Return the changes on the board between two positions, with their story. ``since``: the version of the first."""
    views = queries.view(seen, before), queries.view(seen, after)
    if views[1] is None:
        return NOTHING_FRESH

    def at(version: int) -> str:
        return address("pages.story.position", game_id=seen.game.id, version=version, **eyes)

    areas = areas_of(seen.title, views, drawing() == "narrow")
    return Fresh(views[0], named_by((it for it in told if it.ply.number > since), areas, at))


CAUSES = {"bot": N_("by a bot"), "clock": N_("by the clock")}


@room.get("/games/<game:game_id>/log")
def log(game_id: str) -> Response:
    seen = visit(game_id)
    with store.read() as conn:
        last = seen.game.version
        until = min(number_asked("until", last), last)
        since = max(0, until - PLIES_A_PAGE)
        told = queries.plies(store, conn, seen, reader().lang, since=since, until=until)
        own = lookback.last_own(store, conn, seen)
    later = min(until + PLIES_A_PAGE, last)
    return page(
        "story/log.html",
        game={"id": game_id, "name": seen.row.name},
        story=story(seen, told, own),
        earlier=url_for("pages.story.log", game_id=game_id, until=since) if since else None,
        later=url_for("pages.story.log", game_id=game_id, until=later) if until < last else None,
    )


@room.get("/games/<game:game_id>/at")
def past(game_id: str) -> Response:
    """Go to the position after a ply: the slider's form cannot write it into the path."""
    version = min(number_asked("move", 1), visit(game_id).game.version)
    eyes: dict[str, Any] = {"seat": number_asked("seat", 0)} if "seat" in request.args else {}
    return done(tabs.kept(url_for("pages.story.position", game_id=game_id, version=version, **eyes)))


@room.get("/games/<game:game_id>/at/<int:version>")
def position(game_id: str, version: int) -> Response:
    """Show the game as the reader saw it after a ply. ``?since=`` another one lights the changes: by default the ply
    before.
    """
    seen, eyes = eyes_on(visit(game_id))
    lang, last = reader().lang, seen.game.version
    since = min(number_asked("since", version - 1), version)
    with store.read() as conn:
        if not 1 <= version <= last:
            raise NoSuchVersion(version)
        going_back = rewind_to(conn, seen, version)
        turn_before, turn_after = lookback.neighbours(store, conn, seen, version)
        before = queries.position(store, conn, seen, since)
        position = queries.position(store, conn, seen, version)
        told = queries.plies(store, conn, seen, lang, since=max(0, min(since, version - STORY_BESIDE)), until=version)
    view = queries.view(seen, position)
    fresh = happened(seen, before, position, told, since, eyes)
    drawn = laid = None
    if view is not None:
        drawn = board(seen.title, view, lang, seen.player, fresh=fresh)
        laid = things(seen.title, view, seen.language(lang), seen.player, land=land(seen.title, lang))
    return page(
        "story/position.html",
        game={"id": game_id, "name": seen.row.name},
        at=version,
        since=since if "since" in request.args else None,
        first=1,
        last=last,
        picture=drawn.picture if drawn else None,
        notes=drawn.notes if drawn else [],
        things=laid,
        seats=seats_at(seen, position),
        story=story(seen, told, since, fresh.told),
        replay=replay_address(game_id, since, version, eyes),
        fingerprint=fingerprint(told[-1].link if told else b""),
        going_back=going_back,
        version=seen.version,
        turn_before=turn_before,
        turn_after=turn_after,
        trying=offer(seen, version) if drawn else None,
        eyes=eyes,
        whose=seen.player(seen.seat) if eyes and seen.seat else None,
        others=other_eyes(seen),
        tabs=tabs.shown(TABS, PastShown(seen, view)),
    )


@room.get("/games/<game:game_id>/replay")
def replay(game_id: str) -> Response:
    """Return the way from one version to a later one in a few frames, for the script that plays them."""
    seen, _same = eyes_on(visit(game_id))
    to = min(number_asked("to", seen.game.version), seen.game.version)
    since = min(number_asked("from", 0), to)
    with store.read() as conn:
        found = replays.replay(store, conn, seen, since, to, reader().lang, small=drawing() == "narrow")
    response = jsonify(drawing=drawing(), frames=to_builtins(found, str_keys=True))
    response.headers["Cache-Control"] = "no-store"
    return response


def replay_address(game_id: str, since: int, to: int, eyes: Mapping[str, Any] = {}) -> str:
    fields: dict[str, Any] = {"from": since, "to": to, **eyes}
    return address("pages.story.replay", game_id=game_id, **fields)


def eyes_on(seen: Seen) -> tuple[Seen, dict[str, Any]]:
    """Return the game in the view that the address names, and the facts of that view for links."""
    if "seat" not in request.args:
        return seen, {}
    seat = number_asked("seat", 0)
    return queries.through_eyes_of(seen, seat), {"seat": seat}


def other_eyes(seen: Seen) -> list[tuple[int, str, bool]]:
    """Return the views to choose from when the game is over: seat, name, chosen."""
    table = seen.game.table
    if table is None or not seen.reveals:
        return []
    return [(seat, seen.player(seat), seat == seen.seat) for seat in sorted(table.chairs)]


def rewind_to(conn: Connection, seen: Seen, to: int) -> dict[str, Any] | None:
    """Return the effect of a proposal to rewind to this position, for a seat that may make it."""
    if "propose_rewind" not in may(seen, now()) or not seen.table.floor <= to < seen.game.version:
        return None
    people = [seen.player(seat) for seat in moves.people_to_ask(seen.stored, seen.seat)]
    return {
        "people": listed(people, reader().lang),
        "days": moves.REWIND_LIFE // DAY,
        "count": len(queries.undone(store, conn, seen, reader().lang, to)),
    }


@room.get("/games/<game:game_id>/at/<int:version>/board")
def large_board(game_id: str, version: int) -> Response:
    """Show only the board, in its full size: for small screens, and for looking closely."""
    seen, eyes = eyes_on(visit(game_id))
    with store.read() as conn:
        if not 1 <= version <= seen.game.version:
            raise NoSuchVersion(version)
        view = queries.view(seen, queries.position(store, conn, seen, version))
    if view is None:
        raise NoSuchVersion(version)
    drawn = large(seen.title, view, reader().lang, seen.player)
    back = url_for("pages.story.position", game_id=game_id, version=version, **eyes)
    if version == seen.game.version:
        back = url_for("pages.table.game", game_id=game_id)
    return page("story/large_board.html", game={"id": game_id, "name": seen.row.name}, back=back, **drawn._asdict())
