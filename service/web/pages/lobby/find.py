"""*Find me a game*: the form of a wish, and the reader's wishes with what became of them."""

from collections.abc import Mapping
from typing import Any

from flask import Response, abort, request, url_for
from sqlalchemy import Connection
from werkzeug.datastructures import MultiDict

from service.base import hints
from service.games import kept
from service.people.accounts import TooMany
from service.web.pages.frame import _, done, moment, number_in, page, reader, signed_in
from service.web.pages.lobby import room
from service.web.pages.parts import offers, pace
from service.web.shared import limits
from service.web.shared.context import now, store
from service.wishes import wishes
from service.wishes.wishes import MOST_AT_ONCE, PACES, SPREADS, BadWish, MyWish, SeatOffered, WantedGame
from service.words import N_, called, listed, own_name

RATED: Mapping[str, str] = {
    "either": N_("rated or not"), "yes": N_("rated games only"), "no": N_("games without rating only"),
}  # fmt: skip
BAD: Mapping[str, str] = {
    "titles": N_("Please choose at least one game."), "paces": N_("Please choose at least one pace."),
    "seats": N_("Please choose a number of players that one of these games allows."),
}  # fmt: skip
AT_FIRST = ("three_days", "day")
"""The paces that are ticked at first."""


@room.route("/games/find", methods=["GET", "POST"])
def find() -> Response:
    asker = signed_in()
    if request.method != "POST":
        return _page(asker.id)
    limits.spend("games of", str(asker.id), limits.GAMES_PER_PERSON)
    try:
        wanted = _read(request.form)
        with store.write() as conn:
            wishes.add(conn, store.titles, asker.id, wanted, now())
    except BadWish as bad:
        if bad.field not in BAD:
            abort(400)
        return _page(asker.id, {bad.field: _(BAD[bad.field])})
    except TooMany:
        return _page(asker.id, {"": _("You have as many searches as one can have. Please end one of them first.")})
    hints.wake("wishes")
    return done(url_for("pages.lobby.find"), "searching")


@room.post("/games/find/<int(max=2147483647):number>/withdraw")
def withdraw(number: int) -> Response:
    asker = signed_in()
    with store.write() as conn:
        wishes.withdraw(conn, asker.id, number)
    hints.wake("wishes")
    return done(url_for("pages.lobby.find"), "search-ended")


def _read(form: MultiDict[str, str]) -> WantedGame:
    """Read the wish in a form. Raises `BadWish`."""
    spread = form.get("spread", "")
    return WantedGame(
        titles=tuple(form.getlist("title")),
        paces=tuple(form.getlist("pace")),
        seats=tuple(number_in(it, 2) or 0 for it in form.getlist("seats")),
        rated=_rated(form.get("rated", "either")),
        spread=_number(spread, "spread") if spread else None,
        finished=_number(form.get("finished") or "0", "finished"),
        lang=form.get("table_lang", ""),
        at_once=_number(form.get("at_once") or "1", "at_once"),
    )


def _rated(given: str) -> Any:
    if given not in RATED:
        raise BadWish("rated")
    return given


def _number(given: str, field: str) -> int:
    number = number_in(given, 2)
    if number is None:
        raise BadWish(field)
    return number


# ==== the page ====================================================================================
def _page(person_id: int, problems: Mapping[str, str] | None = None) -> Response:
    given: Mapping[str, str] = request.form if request.method == "POST" else {}
    with store.read() as conn:
        mine = [_line(it) for it in wishes.of_person(conn, person_id, now())]
    known = offers.filters()
    return page(
        "lobby/find.html",
        422 if problems else 200,
        mine=mine,
        problems=problems or {},
        titles=_ticks("title", [(it.id, called(it, reader().lang)) for it in known["titles"]], None),
        numbers=_ticks("seats", [(str(it), str(it)) for it in known["seats"]], None),
        paces=_ticks("pace", [(it, _named_pace(it)) for it in PACES], AT_FIRST),
        rated=[(it, _(said), it == given.get("rated", "either")) for it, said in RATED.items()],
        spreads=[(str(it), _("up to {points} points apart at first", points=it)) for it in SPREADS],
        shares=[(str(it), _("at least {share} %", share=it)) for it in known["shares"]],
        langs=known["langs"],
        at_once=range(1, MOST_AT_ONCE + 1),
        given=given,
        more=any(given.get(it) for it in ("spread", "finished", "table_lang")),
    )


def _ticks(name: str, known: list[tuple[str, str]], at_first: tuple[str, ...] | None) -> list[tuple[str, str, bool]]:
    """Return boxes to tick: value, words, ticked. ``at_first``: None for all."""
    sent = request.form.getlist(name) if request.method == "POST" else None
    ticked = [it for it, _said in known] if at_first is None else at_first
    return [(it, said, it in (ticked if sent is None else sent)) for it, said in known]


def _named_pace(name: str) -> str:
    if name == "none":
        return _("no clock")
    named = pace.say(f"pace_{name}")
    return _("{pace} (live: sit down within two minutes)", pace=named) if kept.is_live(name) else named


def _line(wish: MyWish) -> dict[str, Any]:
    """Return a wish as a line of the list."""
    wanted, lang = wish.wanted, reader().lang
    titles = [called(store.titles[it], lang) for it in wanted.titles if it in store.titles]
    facts = [
        _("players: {numbers}", numbers=listed([str(it) for it in wanted.seats], lang)),
        listed([_("no clock") if it == "none" else pace.say(f"pace_{it}") for it in wanted.paces], lang),
        _(RATED[wanted.rated]),
    ]
    if wanted.spread is not None:
        facts.append(_("ratings up to {points} points apart at first", points=wanted.spread))
    if wanted.finished:
        facts.append(_("at least {share} % of games finished", share=wanted.finished))
    if wanted.lang:
        facts.append(own_name(wanted.lang))
    if wanted.at_once > 1:
        facts.append(_("up to {count} games at once", count=wanted.at_once))
    return {
        "number": wish.id, "titles": listed(titles, lang), "facts": facts, "ended": wish.ended_at is not None,
        "searches": wish.searches, "rests": wish.rests, "since": moment(wish.since),
        "offered": offered_line(wish.offered), "games": [url_for("pages.table.game", game_id=it) for it in wish.games],
    }  # fmt: skip


def offered_line(offered: SeatOffered | None) -> dict[str, Any] | None:
    """Return a seat that is kept for the reader as a line of a list."""
    if offered is None:
        return None
    return {
        "address": url_for("pages.table.game", game_id=offered.game_id), "taken": offered.taken,
        "title": called(store.titles[offered.title], reader().lang), "until": moment(offered.until),
    }  # fmt: skip


def offered_lines(conn: Connection, person_id: int) -> list[dict[str, Any] | None]:
    """Return the seats that are kept for a person, as lines of a list."""
    return [offered_line(it) for it in wishes.offers_to(conn, person_id)]
