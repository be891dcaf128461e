"""Words of luck on the pages: the fields in which a seat brings some, and the proof that they were used.

With a script, the browser draws 32 bytes itself, and keeps its words and the secret's hash that it saw before
(``static/words.js``) to compare them later. Without one there is a field, and the salt comes with the page: before the
service knows the words.
"""

import re
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import abort
from marshmallow import ValidationError
from sqlalchemy import Connection

from domain import house_words
from service.games import queries
from service.games.queries import Seen
from service.web.pages.frame import moment, reader
from service.web.shared.context import store
from service.web.shared.shapes import no_controls

_DRAWN = re.compile(r"([0-9a-f]{64})?")
LONGEST = 130
"""Characters of the typed words, besides the browser's own bytes."""


class Bring(NamedTuple):
    """The words that a form brings to a seat, and the salt before them."""

    words: str
    salt: str
    seal: str = ""


def fields(game_id: str, commitment: str, *, older: bool = False, sealed: bool | None = False) -> dict[str, Any]:
    """Return the facts of the form. ``commitment``: to the table's secret; ``older``: it has the older format.

    ``sealed``: are its words sealed? None if the form itself says so.
    """
    return {
        "game": game_id, "commitment": commitment, "salt": secrets.token_hex(32), "older": older, "most": LONGEST,
        "sealed": sealed,
    }  # fmt: skip


def seal_in(form: Mapping[str, str]) -> str:
    """Return the hash of sealed words; all else in the form is ignored."""
    seal = form.get("seal", "").strip()
    if not _DRAWN.fullmatch(seal):
        abort(400)
    return seal


def asked_of(seen: Seen) -> dict[str, Any] | None:
    """Return the step that a table of sealed words expects of the reader's seat: seal new words, or open the sealed
    ones."""
    table = seen.table
    if seen.seat is None or seen.seat not in table.owing or table.sealed is None:
        return None
    due, brought = table.sealed.due, table.chairs[seen.seat].brought
    return {
        "game": seen.game.id,
        "commitment": table.commitment,
        "open": brought is not None,
        "brought": brought or "",
        "due": due and moment(due),
    }


def read(form: Mapping[str, str], sealed: bool = False) -> Bring:
    """Read the browser's bytes followed by the typed text; or the hash of sealed words."""
    if sealed:
        return Bring("", "", seal_in(form))
    drawn, salt, typed = form.get("drawn", ""), form.get("salt", ""), form.get("words", "").strip()
    try:
        no_controls(typed)
    except ValidationError:
        abort(400)
    if len(typed) > LONGEST or not (_DRAWN.fullmatch(drawn) and _DRAWN.fullmatch(salt)):
        abort(400)
    return Bring(f"{drawn} {typed}".strip(), salt)


def shown(conn: Connection, seen: Seen) -> dict[str, Any]:
    """Name the seats with words, and say whether the draws could be chosen. Show readers their own words only."""
    lang, table = reader().lang, seen.table
    verdict = house_words.of_luck(table)
    return {
        "game": seen.game.id,
        "commitment": table.commitment,
        "older": table.older,
        "verdict": verdict and seen.say(verdict, lang),
        "seats": [
            {"number": seat, "name": seen.player(seat), "brought": chair.brought, "bot": chair.bot}
            for seat, chair in sorted(table.chairs.items())
        ],
        "seated": seen.seat is not None and not seen.by_link and not table.older and table.sealed is None,
        "sealed": table.sealed is not None,
        "opened": table.sealed.opened if table.sealed else (),
        "mine": None if seen.by_link else queries.brought(store, conn, seen),
    }
