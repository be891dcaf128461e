"""The table of a running or finished game in words.

It shows the same facts as the table with a board, and its forms go to the same views; a field of the forms leads their
answer back here (`parts.in_words`).
"""

from flask import Response, request

from domain.game import Game
from domain.messages import Command
from domain.refusal import Refused
from service.games import lookback, orders, queries, rematches
from service.games.queries import Seen
from service.games.rights import may
from service.operators import acts
from service.record.profiles import addresses_at
from service.web.pages.frame import number_asked, page, reader
from service.web.pages.parts import in_words
from service.web.pages.parts.acts import told as told_act
from service.web.pages.parts.choosing import Offered
from service.web.pages.parts.fresh import told
from service.web.pages.parts.refusals import refusal, rule_link
from service.web.pages.parts.result import ending, names, result_table, seats_at
from service.web.pages.parts.talk import own_page
from service.web.pages.parts.tips import tip
from service.web.pages.parts.typing import text_box
from service.web.pages.parts.visits import keep_watching, visit
from service.web.pages.sandbox.sandboxes import offer
from service.web.pages.table import clocks, going_back, trying
from service.web.pages.table.open_table import open_table, watch
from service.web.pages.table.table import STALE_MOST, StaleMove, may_do
from service.web.pages.text import room
from service.web.pages.text.actions import Doable, doable
from service.web.pages.text.position import did, latest, waiting_for
from service.web.pages.text.position import in_words as words_of
from service.web.shared.context import now, store, work


@room.get("/games/<game:game_id>/text")
def table(game_id: str) -> Response:
    seen = visit(game_id)
    if seen.game.begun:
        return text_table(seen)
    return keep_watching(open_table(seen), seen)


def text_table(
    seen: Seen,
    status: int = 200,
    *,
    refused: Refused | None = None,
    chosen: Command | None = None,
    seen_version: int | None = None,
    problem: str | None = None,
) -> Response:
    """Show the table. The arguments are those of `running_table`."""
    at, title = now(), seen.title
    with store.read_autocommit() as conn:
        own = lookback.last_own(store, conn, seen)
        plies = queries.plies(store, conn, seen, reader().lang, since=max(0, own - 1))
        entries = acts.about_game(conn, seen.game.id)
        profiled = addresses_at(conn, seen.game.id)
        viewer = None if seen.seat in seen.game.asked else reader().id
        onward = None if viewer is None else queries.next_game(conn, viewer, seen.game.id)
    how, wish = trying.confirms(seen), trying.wished(title)
    begun = trying.begun(seen, wish) if may_do(seen) else trying.nothing(seen)
    trial = trying.trial(seen, wish, begun, Offered(0, []), how)
    goes_on = begun.may_go_on and not (begun.steps and how == "each")
    can = doable(seen, begun.game, trying.answered(seen, begun)) if goes_on and may_do(seen) else Doable(())
    mine = seen.seat in seen.game.asked and not queries.barred(seen)
    others = [seat for seat in seen.game.asked if not (mine and seat == seen.seat)]
    result = queries.result(seen)
    moves = not seen.by_link or seen.still_that_turn
    return page(
        "text/table.html",
        status,
        game={"id": seen.game.id, "name": seen.row.name},
        title=title,
        version=seen.version,
        ply=seen.game.version,
        watch=watch(seen),
        talk=own_page(seen),
        did=_did(seen),
        told=latest([it for it in plies if it.ply.number > own]),
        position=words_of(seen, queries.view(seen, trial.tried.game if trial else None)),
        trial=trial,
        collected=trying.Collected(tuple(begun.commands)).texts,
        tip=tip(seen, trial.tried.game if trial else None),
        confirms=how,
        can=can,
        yours=mine,
        yours_at_all=seen.seat is not None,
        why=queries.why_asked(seen, reader().lang),
        others=names(seen, others),
        waiting=waiting_for(seen, others, names(seen, others)),
        seats=[{**it, "profile": profiled.get(it["number"])} for it in seats_at(seen, seen.game)],
        onward=onward,
        over=ending(seen, result),
        result=result_table(seen, result),
        again=rematches.offer(work(), seen),
        take_backs=going_back.take_backs(seen, at, plies) if moves else [],
        few_take_backs=going_back.few_take_backs(seen),
        why_not=going_back.why_no_take_back(seen, at),
        rewind=going_back.rewind(seen, at),
        rewind_passed=going_back.rewind_passed(seen, at),
        may={"resign": "resign" in may(seen, at)},
        refused=refusal(refused, title, seen) if refused else None,
        problem=problem,
        stale=_stale(seen, chosen, seen_version, begun.game) if seen_version is not None and not trial else None,
        typed=text_box(seen, trying.onward(seen, begun), begun.game) if can.groups else None,
        rule_link=rule_link,
        by_link=seen.by_link,
        moves=moves,
        trying=offer(seen, seen.game.version),
        time=clocks.of_table(seen, at),
        entries=[told_act(it) for it in entries],
    )


in_words.SHOWN["table"] = text_table


def _did(seen: Seen) -> str:
    """Say what the reader's last moves did, after a form; "" otherwise."""
    since = number_asked("did", seen.game.version) if request.method == "GET" else seen.game.version
    if since >= seen.game.version:
        return ""
    with store.read() as conn:
        lately = queries.plies(store, conn, seen, reader().lang, since=max(since, seen.game.version - DID_REACH))
    return did(seen, lately)


DID_REACH = 60
"""Plies in which to look for the reader's last moves."""


def _stale(seen: Seen, chosen: Command | None, since: int, game: Game) -> StaleMove:
    with store.read() as conn:
        plies = queries.plies(store, conn, seen, reader().lang, since=max(0, since))
    still = next((it for it in may_do(seen, game) if chosen is not None and it.means(chosen)), None)
    wish = "" if still is None else orders.line_of(seen, still, reader().lang, game)
    return StaleMove(wish, told(plies)[-STALE_MOST:])
