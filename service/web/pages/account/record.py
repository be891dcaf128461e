"""A person's own record of finished games, which nobody else sees."""

from datetime import date
from typing import Any

from flask import Response, request, url_for

from domain import house_words
from domain.drawing import INKS
from domain.report import Cell, say_cell
from domain.words import signed
from service.games.plots import NARROW, WIDTH, Sheet
from service.record.charts import charts
from service.record.reading import AGAINST, Against, RecordedGame, Wanted, ends_on
from service.record.reading import record as record_of
from service.web.pages.account import room
from service.web.pages.frame import _, number_asked, number_in, page, reader, signed_in
from service.web.pages.parts import boards
from service.web.pages.parts.plots import shown
from service.web.pages.parts.ratings import rating_line, results_line, time_line, title_name
from service.web.shared.context import store
from service.words import N_, called, listed, spoken
from service.words.moments import day_of_moment

AGAINST_WHOM: dict[Against, str] = {
    "people": N_("people only"),
    "bots": N_("bots only"),
    "both": N_("people and bots"),
}
LEAVING = {
    "resigned": N_("you resigned"), "timed_out": N_("you ran out of time"), "replaced": N_("a substitute replaced you"),
}  # fmt: skip
PLAYED_BY = {"bot": N_("a bot finished it"), "clock": N_("the clock finished it")}
SHOWN = 20
"""Games on one page."""
OFTEN = 8
"""The opponents that are not folded away: the most frequent ones."""
MOST_SEATS = 9


@room.get("/account/record")
def record() -> Response:
    asker, lang = signed_in(), reader().lang
    first, last = _day("first_day"), _day("last_day")
    title, seats = request.args.get("title", ""), number_in(request.args.get("seats"), 2)
    against = next((it for it in AGAINST if it == request.args.get("against")), None)
    wanted = Wanted(title or None, seats, against, **ends_on(first, last, asker.zone))
    with store.read() as conn:
        own = record_of(conn, asker.id, lang, wanted)
    skipped = number_asked("skip", 0)
    asked: dict[str, Any] = {name: value for name, value in request.args.items() if value and name in FIELDS}
    language = spoken(house_words.WORDS, lang)

    def say(cell: Cell) -> str:
        return say_cell(cell, language, str)

    sheet = Sheet(say, {}, INKS["page"], NARROW if boards.drawing() == "narrow" else WIDTH)
    earlier = url_for("pages.account.record", skip=skipped + SHOWN, **asked)
    return page(
        "account/record.html",
        asked=asked,
        titles=[(it, called(box, lang)) for it, box in store.titles.items()],
        numbers=[(str(it), str(it)) for it in range(2, MOST_SEATS + 1)],
        against=[(it, _(text)) for it, text in AGAINST_WHOM.items()],
        count=len(own.games),
        results=[
            (_("Game"), _("Results by game"), [results_line(it, title_name(it.of)) for it in own.by_title]),
            (_("Players"), _("Results by number of players"), [results_line(it, it.of) for it in own.by_seats]),
        ],
        often=OFTEN,
        encounters=[(_("people"), own.people), (_("bots"), own.bots)],
        times=[time_line(it) for it in own.time_to_move],
        ratings=[rating_line(it) for it in own.ratings],
        plots=[shown(plot, sheet) for plot in charts(own, lang, asker.zone)],
        games=[_game(it) for it in own.games[skipped : skipped + SHOWN]],
        earlier=earlier if len(own.games) > skipped + SHOWN else None,
        as_json=url_for("record.show_record", **asked),
        as_csv=url_for("record.show_record_as_csv", **asked),
    )


FIELDS = ("title", "seats", "against", "first_day", "last_day")


def _day(field: str) -> date | None:
    try:
        return date.fromisoformat(request.args.get(field, ""))
    except ValueError:
        return None


def _game(game: RecordedGame) -> dict[str, Any]:
    ended = day_of_moment(game.ended_at, reader().lang, reader().zone)
    notes = [LEAVING.get(game.leaving), PLAYED_BY.get(game.played_by), _substitute(game)]
    return {
        "address": url_for("pages.table.game", game_id=game.game) if game.game else None, "name": game.name,
        "title": title_name(game.title), "ended": ended, "place": game.place, "seats": game.seats,
        "points": None if game.points is None else signed(str(game.points)),
        "opponents": listed([it.name for it in game.opponents], reader().lang),
        "notes": [_(it) for it in notes if it],
    }  # fmt: skip


def _substitute(game: RecordedGame) -> str | None:
    return N_("you were a substitute") if game.substitute else None
