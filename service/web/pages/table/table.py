"""The table of a game as a page: board, turn, possible actions and story."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, NamedTuple

import msgspec
from flask import Response, g, request, url_for
from sqlalchemy import Connection

from domain.game import Game
from domain.messages import Command
from domain.refusal import Refused
from domain.rules import Action
from service.games import lookback, queries, rematches
from service.games.play import Stale
from service.games.queries import Seen, StoryPly
from service.games.rights import Forbidden
from service.operators import acts
from service.record.profiles import addresses_at
from service.web.pages.frame import _, address, done, in_words, page, prefers_words, reader, table_address
from service.web.pages.parts import choosing, forms, tabs
from service.web.pages.parts.acts import told as told_act
from service.web.pages.parts.boards import board, land
from service.web.pages.parts.fresh import Fresh, told
from service.web.pages.parts.in_words import showing
from service.web.pages.parts.refusals import refusal, rule_link
from service.web.pages.parts.result import ending, names, result_table, seats_at
from service.web.pages.parts.things import things
from service.web.pages.parts.tips import tip
from service.web.pages.parts.typing import text_box
from service.web.pages.parts.visits import keep_watching, visit
from service.web.pages.story import sharing
from service.web.pages.story.story import happened, replay_address, story
from service.web.pages.table import clocks, going_back, room, trying
from service.web.pages.table.open_table import mark_of_page, open_table, watch
from service.web.pages.table.tabs import TABS, TableShown
from service.web.shared.context import now, store, work

LATELY, LATELY_MOST = 12, 60
"""Plies of the story on the table: all since the reader's own last one, within this minimum and maximum."""
LATELY_SHOWN = 5
"""Moves that a table tells beside the board; the tab has the others."""


@room.get("/games/<game:game_id>")
def game(game_id: str) -> Response:
    seen = visit(game_id)
    if seen.game.begun:
        if prefers_words() and not request.args:
            return done(url_for("pages.text.table", game_id=game_id))
        return running_table(seen)
    return keep_watching(open_table(seen), seen)


@room.get("/games/<game:game_id>/version")
def version(game_id: str) -> Response:
    """Return the version shown to the reader, for the script that refreshes a table."""
    seen = visit(game_id)
    response = Response(f"{seen.version}\n", content_type="text/plain; charset=utf-8")
    response.set_etag(mark_of_page(seen))
    response.headers["Cache-Control"] = "no-store"
    response.make_conditional(request)
    return response


class StaleMove(msgspec.Struct, frozen=True):
    """A move made for an old position. ``wish``: in words, if it is still possible; ``story``: of the moves since."""

    wish: str
    story: list[str]


def running_table(
    seen: Seen,
    status: int = 200,
    *,
    refused: Refused | None = None,
    chosen: Command | None = None,
    seen_version: int | None = None,
    problem: str | None = None,
) -> Response:
    """Show the table. ``chosen``: the command that was just refused, kept in the form; ``seen_version``: it was
    stale."""
    who, at = reader(), now()
    title = seen.title
    with store.read_autocommit() as conn:
        lately, entries = _lately(conn, seen), acts.about_game(conn, seen.game.id)
        profiled = addresses_at(conn, seen.game.id)
        onward = (
            None if who.id is None or seen.seat in seen.game.asked else queries.next_game(conn, who.id, seen.game.id)
        )
    asked = seen.game.asked
    mine = seen.seat in asked and not queries.barred(seen)  # a bot or deputy moves for an absent player
    how, wish = trying.confirms(seen), trying.wished(title)
    begun = trying.begun(seen, wish) if may_do(seen) else trying.nothing(seen)
    goes_on = begun.may_go_on and not (begun.steps and how == "each")
    legal = trying.onward(seen, begun) if goes_on and may_do(seen) else []
    view = queries.view(seen, begun.game)
    actions = choosing.offered(title, view, legal, seen.language(who.lang), seen.player, seat=seen.seat, chosen=chosen)
    trial = trying.trial(seen, wish, begun, actions, how)
    if trial is not None and trial.more and trial.onward and request.method != "POST":
        return done(trial.more)
    shown = queries.view(seen, trial.tried.game if trial else None)
    fresh = Fresh(queries.view(seen)) if trial else lately.on_the_board
    most = None if tabs.asked() == "story" else LATELY_SHOWN
    lines = story(seen, lately.told, lately.since, fresh.told, most)
    picture, notes = board(title, shown, who.lang, seen.player, actions.spots, fresh)
    result = queries.result(seen)
    moves = not seen.by_link or seen.still_that_turn
    laid = things(title, shown, seen.language(who.lang), seen.player, land=land(title, who.lang), spots=actions.spots)
    over = ending(seen, result)
    shown_tabs = tabs.shown(TABS, TableShown(seen, at, shown))  # opening one may change the mark of the page
    return page(
        "table/table.html",
        status,
        game={"id": seen.game.id, "name": seen.row.name},
        title=title,
        version=seen.version,
        ply=seen.game.version,
        watch=watch(seen),
        feed=address("feeds.game_feed", game_id=seen.game.id, lang=who.lang) if seen.row.public else None,
        picture=picture,
        notes=notes,
        things=laid,
        actions=actions,
        trial=trial,
        collected=trying.Collected(tuple(begun.commands)).texts,
        tip=tip(seen, trial.tried.game if trial else None),
        confirms=how,
        why=queries.why_asked(seen, who.lang),
        yours=mine,
        yours_at_all=seen.seat is not None,
        others=names(seen, [seat for seat in asked if not (mine and seat == seen.seat)]),
        seats=[{**it, "profile": profiled.get(it["number"])} for it in seats_at(seen, seen.game)],
        onward=onward,
        story=lines,
        lately=LATELY_SHOWN,
        replay=lately.replay,
        over=over,
        again=rematches.offer(work(), seen),
        shared=sharing.tags(seen, over),
        result=result_table(seen, result),
        take_backs=going_back.take_backs(seen, at, lately.told) if moves else [],
        few_take_backs=going_back.few_take_backs(seen),
        rewind=going_back.rewind(seen, at),
        rewind_passed=going_back.rewind_passed(seen, at),
        refused=refusal(refused, title, seen) if refused else None,
        problem=problem,
        stale=_stale(seen, chosen, seen_version, actions.groups) if seen_version is not None and not trial else None,
        typed=text_box(seen, legal, begun.game),
        rule_link=rule_link,
        by_link=seen.by_link,
        moves=moves,
        tabs=shown_tabs,
        time=clocks.of_table(seen, at),
        entries=[told_act(it) for it in entries],
    )


def may_do(seen: Seen, at: Game | None = None) -> Sequence[Action]:
    """Return the legal actions of the reader's seat: required ones, and answers that it may still change.

    ``at``: a position that is tried, if it is not the present one.
    """
    if not seen.still_that_turn or queries.barred(seen):
        return []
    return queries.actions(seen, at)


class RecentStory(NamedTuple):
    """``told``: the latest plies. ``since``: the reader's own last one. ``on_the_board``: the changes since."""

    told: Sequence[StoryPly]
    since: int
    on_the_board: Fresh
    replay: str | None


def _lately(conn: Connection, seen: Seen) -> RecentStory:
    last = seen.game.version
    own = lookback.last_own(store, conn, seen)
    since = max(0, last - LATELY_MOST, min(last - LATELY, own - 1))
    plies = queries.plies(store, conn, seen, reader().lang, since=since)
    fresh = happened(seen, queries.position(store, conn, seen, own), seen.game, plies, own)
    return RecentStory(plies, own, fresh, replay_address(seen.game.id, own, last) if own < last else None)


def _stale(seen: Seen, chosen: Command | None, seen_version: int, groups: Sequence[forms.Group]) -> StaleMove:
    with store.read() as conn:
        plies = queries.plies(store, conn, seen, reader().lang, since=max(0, seen_version))
    still = next((choice.text for group in groups for choice in group.choices if choice.chosen), "")
    return StaleMove(still, told(plies)[-STALE_MOST:])


STALE_MOST = 20
"""Lines of the story since an overtaken move: the last ones."""


# ==== errors of forms ==============================================================================
def again(
    game_id: str, status: int, refused: Refused | None = None, problem: str | None = None, **facts: Any
) -> Response:
    """Show the present table with an error; the form keeps its values. ``facts``: for `running_table`."""
    seen = visit(game_id)
    if not seen.game.begun:
        return open_table(seen, status, refused, problem)
    return showing("table", running_table)(seen, status, refused=refused, problem=problem, **facts)


def to_table(game_id: str, said: str | None = None, *, did: int | None = None) -> Response:
    """Go back to the table after a form. ``did``: the version before a move, which a text table tells."""
    address = table_address(game_id)
    if in_words():
        address += ("" if did is None else f"?did={did}") + "#main"
    return done(tabs.kept(address), said)


def shown_again(view: Callable[[str], Response]) -> Callable[[str], Response]:
    """Wrap the view of a form: on a refusal it shows the table with the reason; ``g.chosen`` stays chosen."""

    @wraps(view)
    def guarded(game_id: str) -> Response:
        try:
            return view(game_id)
        except Refused as refused:
            return again(game_id, 422, refused, chosen=g.get("chosen"))
        except Stale:
            return again(game_id, 409, chosen=g.get("chosen"), seen_version=g.version)
        except Forbidden as forbidden:
            if forbidden.why != "earlier_turn":
                raise
            return again(game_id, 403, problem=_("This link belongs to an earlier turn. To move now, sign in."))

    return guarded
