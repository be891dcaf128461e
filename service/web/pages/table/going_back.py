"""Going back at a table: moves to take back, and a proposal to rewind, in words for a page."""

from collections.abc import Sequence
from typing import Any

from flask import url_for

from service.games import queries
from service.games.queries import Seen, StoryPly
from service.games.rights import may
from service.web.pages.frame import _, moment, reader
from service.web.pages.parts.result import names
from service.web.shared.context import store

BACK_MOST = 12
"""Buttons for undoing that are shown."""


def take_backs(seen: Seen, at: int, lately: Sequence[StoryPly]) -> list[dict[str, Any]]:
    """Return buttons for undoing: the last ply, the last two, and so on. ``lately``: the latest plies."""
    offers: list[dict[str, Any]] = []
    for count, number in enumerate(queries.take_backs(seen, at)[:BACK_MOST], 1):
        if count == 1:
            what = next((" ".join(it.said) for it in lately if it.ply.number == number), "")
            text = _("Take back: {what}", what=what) if what else _("Take back my last move")
        else:
            text = _("Take back my last {count} moves", count=count)
        offers.append({"number": number, "text": text})
    return offers


def few_take_backs(seen: Seen) -> str | None:
    few = queries.few_take_backs(seen)
    return None if few is None else seen.say(few, reader().lang)


def why_no_take_back(seen: Seen, at: int) -> str | None:
    """Say why the reader's seat cannot undo anything; None if it can, or is a spectator."""
    reason = queries.why_no_take_back(seen, at)
    return None if reason is None else seen.say(reason, reader().lang)


UNDONE_SHOWN = 5
"""Plies listed in a proposal to rewind: the newest of those it would undo."""


def rewind(seen: Seen, at: int) -> dict[str, Any] | None:
    """Return the open proposal to rewind, in words, and the reader's possible answers."""
    proposal = queries.rewind(seen, at)
    if proposal is None:
        return None
    with store.read() as conn:
        undone = queries.undone(store, conn, seen, reader().lang, proposal.to)
    can = may(seen, at)
    return {
        "to": proposal.to, "name": seen.player(proposal.seat), "yours": proposal.seat == seen.seat,
        "missing": names(seen, proposal.missing), "until": moment(proposal.expires),
        "address": url_for("pages.story.position", game_id=seen.game.id, version=proposal.to),
        "count": len(undone), "undone": [" ".join(it.said) for it in undone[-UNDONE_SHOWN:]],
        "agree": "agree_to_rewind" in can, "refuse": "refuse_rewind" in can,
    }  # fmt: skip


def rewind_passed(seen: Seen, at: int) -> str | None:
    """Say why a proposal lapsed, until the game goes on or the asked seat has acted."""
    table = seen.game.table
    proposal = table.proposal if table else None
    if proposal is None or queries.rewind_lapsed(seen, at) is None:
        return None
    if proposal.since != seen.game.last_seen_by_all:
        return _("The game has moved on, so the proposed rewind to move {to} has lapsed.", to=proposal.to)
    return _("The proposed rewind to move {to} has expired.", to=proposal.to)
