"""The proof of a game: its fingerprints, its file, and a check of every ply."""

from typing import Any

from flask import Response, request, url_for
from limits import parse

from domain.chain import fingerprint
from service.games import queries
from service.games.queries import Seen, StoryPly
from service.proof.audit import verify_game
from service.proof.verdicts import say
from service.web.pages.frame import _, moment, number_asked, number_in, page, reader
from service.web.pages.parts import words
from service.web.pages.parts.visits import visit
from service.web.pages.story import room
from service.web.shared import limits
from service.web.shared.context import store
from service.web.shared.downloads import ASK_AGAIN, drawn_page

FINGERPRINTS = 500
FINGERPRINTS_GIVEN = 50
CHECKS_PER_ADDRESS = (parse("20 per minute"), parse("200 per hour"))
"""A check decides every command of a game again."""


@room.get("/games/<game:game_id>/audit")
def audit(game_id: str, checked: dict[str, Any] | None = None) -> Response:
    seen = visit(game_id)
    with store.read() as conn:
        luck = words.shown(conn, seen)
        last = seen.game.version
        until = min(number_asked("until", last), last)
        since = max(0, until - FINGERPRINTS)
        told = queries.plies(store, conn, seen, reader().lang, since=since, until=until)
    secret, table = queries.secret(seen), seen.table
    return page(
        "story/audit.html",
        game={"id": game_id, "name": seen.row.name},
        ply=last,
        fingerprint=fingerprint(seen.stored.head),
        commitment=table.commitment,
        secret=secret.hex() if secret else None,
        checked=checked,
        luck=luck,
        given=request.form.get("fingerprints", ""),
        plies=[
            {
                "number": it.ply.number,
                "time": None if it.hidden else moment(it.ply.at),
                "fingerprint": it.fingerprint,
                "who": _who(seen, it),
            }
            for it in reversed(told)
        ],
        earlier=url_for("pages.story.audit", game_id=game_id, until=since) if since else None,
    )


@room.get("/games/<game:game_id>/audit/file")
def audit_file(game_id: str) -> Response:
    """Return the game as a page that needs no network, to keep, share or check. While it is drawn, a page reloads
    itself."""
    seen = visit(game_id)
    since = number_in(request.args.get("since"))
    found = drawn_page(seen, reader().lang, since)
    if found is not None:
        return found
    again = url_for("pages.story.audit_file", game_id=game_id, since=min(since or seen.game.version, seen.game.version))
    response = page(
        "story/being_made.html", 202, game={"id": game_id, "name": seen.row.name}, again=again, pause=ASK_AGAIN
    )
    response.headers["Retry-After"] = str(ASK_AGAIN)
    return response


@room.post("/games/<game:game_id>/audit")
def check(game_id: str) -> Response:
    """Check the game now, with fingerprints from the reader's mails. It changes nothing."""
    limits.spend_by_address("check", CHECKS_PER_ADDRESS)
    reveals = visit(game_id).reveals
    report = verify_game(store, game_id, request.form.get("fingerprints", "").split()[:FINGERPRINTS_GIVEN])
    verdict, lang = report.verdict, reader().lang
    faults = [
        # In a running game the fault of a ply may reveal hidden facts.
        say(fault.said, lang) if reveals or fault.ply is None else _("Ply {ply} does not match.", ply=fault.ply)
        for fault in report.faults
    ]
    return audit(game_id, {
        "kind": verdict.kind, "head": say(verdict.head, lang), "said": say(verdict.said, lang),
        "notes": [say(note, lang) for note in verdict.notes], "links": report.links, "faults": faults,
        "found": list(report.found.items()),
    })  # fmt: skip


def _who(seen: Seen, told: StoryPly) -> str:
    if told.hidden:
        return _("hidden")
    return seen.player(told.ply.seat) if told.ply.seat is not None else _("the table")
