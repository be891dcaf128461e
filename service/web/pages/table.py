"""The table of a game that has begun: the board, whose turn it is, what may be done, what has happened."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from flask import Response, abort, request, url_for
from sqlalchemy import Connection

from domain.chain import fingerprint
from domain.lifecycle import AgreeToRewind, ProposeRewind, RefuseRewind, Resign, TakeBack
from domain.messages import Command
from domain.refusal import Refused
from service.base import links
from service.base.clock import now
from service.games import lookback, play, queries
from service.games.queries import Seen
from service.operators import acts
from service.people import addresses
from service.web.pages import clocks, forms
from service.web.pages.boards import board
from service.web.pages.games import open_table, watch
from service.web.pages.operate import told
from service.web.pages.result import ending, names, result_table
from service.web.pages.sandboxes import offer
from service.web.pages.story import Line, story
from service.web.pages.web import (
    TURN_COOKIE,
    Visit,
    _,
    done,
    game_cookie,
    keep_watching,
    moment,
    number_of,
    page,
    pages,
    reader,
    refusal,
    signed_in,
    visit,
)
from service.web.shared.context import settings, store

LATELY, LATELY_MOST = 12, 60
"""Plies of the story that the table shows: all since the reader's own last one, but so many at least and at most."""
BACK_MOST = 12
"""Ways to take back that are offered."""


@pages.get("/games/<game:game_id>")
def game(game_id: str) -> Response:
    with store.read() as conn:
        here = visit(conn, game_id)
        if here.seen.game.begun:
            return running_table(here)
        response = open_table(here)
        keep_watching(response, here.seen)
        return response


# ==== the page ====================================================================================
class StaleMove(msgspec.Struct, frozen=True):
    """A move made for a position that is gone: what was wished, whether it is still possible, what has happened."""

    wish: str
    still: bool
    story: list[str]


def running_table(
    here: Visit,
    status: int = 200,
    *,
    refused: Refused | None = None,
    chosen: Command | None = None,
    seen_version: int | None = None,
    problem: str | None = None,
) -> Response:
    """The table. ``chosen``: the command that was just refused, kept in the form; ``seen_version``: it was stale."""
    seen, who, at = here.seen, reader(), now()
    title, table = seen.title, seen.game.table
    assert table is not None
    with store.read() as conn:
        lines, entries = _lately(conn, seen), acts.about_game(conn, seen.game.id)
    shown = queries.shown(seen, who.lang)
    asked = seen.game.asked
    actions = may_do(here)
    groups = forms.action_groups(actions, title.words, who.lang, seen.player, chosen)
    picture, notes = board(title, shown.view, who.lang, seen.player)
    result = queries.result(seen)
    moves = here.link is None or here.still_that_turn
    return page(
        "table.html", status,
        game={"id": seen.game.id, "name": seen.row.name}, title=title, version=seen.version, ply=seen.game.version,
        fingerprint=fingerprint(seen.stored.head), watch=watch(seen),
        feed=url_for("feeds.game_feed", game_id=seen.game.id, lang=who.lang) if seen.row.public else None,
        picture=picture, notes=notes, hand=shown.hand, standing=shown.standing, groups=groups,
        yours=seen.seat is not None and seen.seat in asked, yours_at_all=seen.seat is not None,
        others=names(seen, [seat for seat in asked if seat != seen.seat]),
        seats=_seats(seen, asked), story=lines, over=ending(seen, result), result=result_table(seen, result),
        take_backs=_take_backs(seen, at, lines) if moves else [],
        why_not=_why_no_take_back(here, at), rewind=_rewind(seen, at), rewind_passed=_rewind_passed(seen, at),
        may={"resign": here.link is None and "resign" in queries.may(seen, at)},
        refused=refusal(refused, title, seen) if refused else None, problem=problem,
        stale=_stale(seen, chosen, seen_version, groups) if seen_version is not None else None,
        by_link=here.link is not None, moves=moves, trying=offer(here, seen.game.version),
        time=clocks.of_table(here, at), entries=[told(it) for it in entries],
    )  # fmt: skip


def may_do(here: Visit) -> Sequence[Any]:
    """The legal actions of the reader's seat: those it is asked for, and answers that it may still change."""
    seen = here.seen
    table = seen.game.table
    if seen.seat is None or table is None or seen.game.status != "running" or seen.seat not in table.playing:
        return []
    if here.link is not None and not here.still_that_turn:
        return []
    if queries.barred(seen):
        return []
    return seen.title.actions(seen.game.state, seen.seat)


def _lately(conn: Connection, seen: Seen) -> list[Line]:
    last = seen.game.version
    own = lookback.last_own(store, conn, seen)
    since = max(0, last - LATELY_MOST, min(last - LATELY, own - 1))
    return story(seen, queries.plies(store, conn, seen, reader().lang, since=since), own)


def _seats(seen: Seen, asked: Sequence[int]) -> list[dict[str, Any]]:
    table = seen.game.table
    assert table is not None
    return [
        {"number": seat, "name": seen.player(seat), "yours": seat == seen.seat, "left": chair.left,
         "asked": seat in asked}
        for seat, chair in sorted(table.chairs.items())
    ]  # fmt: skip


def _take_backs(seen: Seen, at: int, lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Buttons for taking back: the last ply, the last two, and so on."""
    said = {line.number: line.lines for line in lines}
    offers: list[dict[str, Any]] = []
    for count, number in enumerate(queries.take_backs(seen, at)[:BACK_MOST], 1):
        what = " ".join(said.get(number, []))
        if count == 1:
            text = _("Take back: {what}", what=what) if what else _("Take back my last move")
        else:
            text = _("Take back my last {count} moves", count=count)
        offers.append({"number": number, "text": text})
    return offers


def _why_no_take_back(here: Visit, at: int) -> str | None:
    """Why the reader's seat cannot take anything back; None where it can, or has nothing to do with the game."""
    reason = queries.why_no_take_back(here.seen, at)
    return None if reason is None else here.seen.say(reason, reader().lang)


UNDONE_SHOWN = 5
"""Plies that a proposal to go back lists, the newest of those it would undo."""


def _rewind(seen: Seen, at: int) -> dict[str, Any] | None:
    """The open proposal to go back, in words, and what the reader may say to it."""
    proposal = queries.rewind(seen, at)
    if proposal is None:
        return None
    with store.read() as conn:
        undone = queries.undone(store, conn, seen, reader().lang, proposal.to)
    can = queries.may(seen, at)
    return {
        "to": proposal.to, "name": seen.player(proposal.seat), "yours": proposal.seat == seen.seat,
        "missing": names(seen, proposal.missing), "until": moment(proposal.expires),
        "address": url_for("pages.position", game_id=seen.game.id, version=proposal.to),
        "count": len(undone), "undone": [" ".join(it.said) for it in undone[-UNDONE_SHOWN:]],
        "agree": "agree_to_rewind" in can, "refuse": "refuse_rewind" in can,
    }  # fmt: skip


def _rewind_passed(seen: Seen, at: int) -> str | None:
    """What became of a proposal that lapsed, until the game goes on, or who was asked has acted."""
    table = seen.game.table
    proposal = table.proposal if table else None
    if proposal is None or queries.rewind_lapsed(seen, at) is None:
        return None
    if proposal.since != seen.game.loud:
        return _("The game has gone on, so the proposal to go back to ply {to} has fallen.", to=proposal.to)
    return _("The proposal to go back to ply {to} has expired.", to=proposal.to)


def _stale(seen: Seen, chosen: Command | None, seen_version: int, groups: Sequence[forms.Group]) -> StaleMove:
    with store.read() as conn:
        told = queries.plies(store, conn, seen, reader().lang, since=max(0, seen_version))
    happened = [sentence for each in told for sentence in each.said]
    still = next(
        (choice.text for group in groups for choice in (*group.single, *group.many) if choice.chosen), None
    )
    return StaleMove(still or "", still is not None, happened[-20:])


# ==== moving ======================================================================================
def _seated(game_id: str) -> Visit:
    """The table for the seat that does something at it."""
    with store.read() as conn:
        here = visit(conn, game_id)
    if here.seen.seat is None:
        if reader().asker is None:
            signed_in()
        abort(403)
    return here


def _submit(
    game_id: str, command: Command, said: str | None = None, hand_in: Callable[..., Any] | None = None
) -> Response:
    """Hand a command in, and show the table again: as it is then, or with what stands against the command.

    ``hand_in``: how, where it is not simply submitted; it is given the seat, the version, and the submission's id.
    """
    here, version = _seated(game_id), number_of("version")
    seat = here.seen.seat
    assert seat is not None
    if not here.still_that_turn:
        return _again(game_id, 403, problem=_("This link was for an earlier turn. Sign in to move now."))
    submission_id = forms.submission_id(seat, version, command)
    try:
        if hand_in is not None:
            hand_in(seat, version, submission_id)
        else:
            play.submit(
                store, game_id, seat, [command], version, submission_id,
                known=here.seen.stored, holder=here.seen.viewer,
            )  # fmt: skip
    except Refused as refused:
        return _again(game_id, 422, refused=refused, chosen=command)
    except play.Stale:
        return _again(game_id, 409, chosen=command, seen_version=version)
    return done(url_for("pages.game", game_id=game_id), said)


def _again(game_id: str, status: int, **facts: Any) -> Response:
    with store.read() as conn:
        here = visit(conn, game_id)
        if not here.seen.game.begun:
            return open_table(here, status, facts.get("refused"), facts.get("problem"))
        return running_table(here, status, **facts)


@pages.post("/games/<game:game_id>/move")
def move(game_id: str) -> Response:
    title = _seated(game_id).seen.title
    try:
        command = forms.read_command(title, request.form)
    except forms.NotACommand:
        return _again(game_id, 400, problem=_("Please choose what to do."))
    return _submit(game_id, command)


@pages.post("/games/<game:game_id>/take-back")
def take_back(game_id: str) -> Response:
    return _submit(game_id, TakeBack(number_of("down_to")), "taken-back")


@pages.post("/games/<game:game_id>/rewind")
def propose_rewind(game_id: str) -> Response:
    to = number_of("to")

    def propose(seat: int, version: int, submission_id: str) -> None:
        play.propose_rewind(
            store, game_id, seat, to, expected_version=version, submission_id=submission_id
        )

    return _submit(game_id, ProposeRewind(to, (), 0), "rewind-proposed", propose)


@pages.post("/games/<game:game_id>/rewind/agree")
def agree_to_rewind(game_id: str) -> Response:
    return _submit(game_id, AgreeToRewind(number_of("to")), "rewind-agreed")


@pages.post("/games/<game:game_id>/rewind/refuse")
def refuse_rewind(game_id: str) -> Response:
    return _submit(game_id, RefuseRewind(), "rewind-refused")


@pages.post("/games/<game:game_id>/resign")
def resign(game_id: str) -> Response:
    signed_in()
    if _seated(game_id).link is not None:
        abort(403)
    return _submit(game_id, Resign(), "resigned")


# ==== out of a mail ===============================================================================
@pages.get("/turn/<token>")
def turn(token: str) -> Response:
    """The link of a turn mail: it opens the table for its seat, and changes nothing."""
    try:
        link = links.open_turn(settings, token, now())
        with store.read() as conn:
            if link.person_id != reader().id and not addresses.is_still_theirs(conn, link):
                raise links.ExpiredLink
    except links.ExpiredLink:
        return page("error.html", 403, heading=_("This link is too old"), text=_("Sign in to see your games."))
    except links.BadLink:
        abort(404)
    response = done(url_for("pages.game", game_id=link.game_id))
    if link.person_id != reader().id:
        game_cookie(response, link.game_id, TURN_COOKIE, token, link.expires_at - now())
    return response
