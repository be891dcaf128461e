"""A lesson's steps on the table's own page. The address is the bookmark; a cookie knows the furthest step."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Response, abort, request, url_for

from domain.messages import Command
from domain.title import Title
from service.games import lessons, numbered, queries
from service.games.lessons import NoSuchStep, StepSeen, StepTried
from service.games.orders import LONGEST, GivenLine
from service.web.pages.frame import YEAR, _, done, in_words, number_in, page, reader
from service.web.pages.lessons import room
from service.web.pages.parts import choosing, forms, tabs
from service.web.pages.parts.boards import board, land
from service.web.pages.parts.forms import Group
from service.web.pages.parts.in_words import showing
from service.web.pages.parts.refusals import refusal, rule_link
from service.web.pages.parts.result import ending, names, result_table, seats_at
from service.web.pages.parts.tabs import Tab
from service.web.pages.parts.things import things
from service.web.pages.parts.visits import title_or_404
from service.web.shared import context
from service.web.shared.context import store
from service.words import N_, called

LONGEST_ANSWER = 12 * LONGEST
"""Characters of the lines typed at a step."""
LATEST = 5
"""Moves that are told, the latest of the last step's."""

TABS = (Tab[StepSeen]("details", N_("Details")),)


class StepAnswer(NamedTuple):
    """The answer to a try. ``other``: a legal move that is not the lesson's: its outcome, and why not now.

    ``refused``: a move that the rules refuse. ``problem``: an entry that is no move, or not all of it. ``typed``: the
    reader's lines. ``read``: the first of them that is no move.
    """

    other: tuple[str, ...] = ()
    refused: Any = None
    problem: str = ""
    typed: str = ""
    read: GivenLine | None = None


NOTHING = StepAnswer()


# ==== the way through a lesson ====================================================================
@room.get("/learn")
def all_lessons() -> Response:
    taught = [
        {
            "name": called(title, reader().lang),
            "address": step_address(title, 1),
            "of": len(title.lesson.steps),
            "players": len(title.lesson.players),
            "furthest": step_address(title, far) if (far := furthest(title)) > 1 else None,
            "number": far,
        }
        for title in store.titles.values()
        if title.lesson is not None
    ]
    return page("lessons/lessons.html", lessons=taught)


@room.get("/learn/<title>")
def lesson(title: str) -> Response:
    """Go on where this browser was."""
    it = title_or_404(title)
    if it.lesson is None:
        abort(404)
    return done(step_address(it, furthest(it)))


@room.get("/learn/<title>/<int:number>")
def step(title: str, number: int) -> Response:
    return remembered(step_page(asked_for(title, number)), asked_for(title, number))


def asked_for(title: str, number: int) -> StepSeen:
    try:
        return lessons.step(title_or_404(title), number)
    except NoSuchStep:
        abort(404)


def step_address(title: Title, number: int) -> str:
    """Return the address of a step: in words if this page is."""
    return url_for("pages.text.lesson" if in_words() else "pages.lessons.step", title=title.id, number=number)


def furthest(title: Title) -> int:
    """Return the furthest step of this browser, at least 1."""
    number = number_in(request.cookies.get(f"lesson-{title.id}"), 2) or 1
    return max(1, min(number, len(title.lesson.steps) if title.lesson else 1))


def remembered(response: Response, it: StepSeen) -> Response:
    """Keep the step as the furthest one of this browser, if it is."""
    if it.number > furthest(it.title):
        context.set_cookie(response, f"lesson-{it.title.id}", str(it.number), YEAR)
    return response


# ==== a step ======================================================================================
def facts(it: StepSeen, answer: StepAnswer = NOTHING) -> dict[str, Any]:
    """Return what a step shows with a board as well as in words."""
    who, seen, title = reader(), it.seen, it.title
    result = queries.result(seen)
    return {
        "title": title,
        "number": it.number,
        "of": it.of,
        "step": it.step,
        "text": seen.say(it.step.text, who.lang),
        "do": seen.say(it.step.do, who.lang) if it.step.do else "",
        "lines": it.lines(who.lang),
        "led": it.led(who.lang)[-LATEST:],
        "before": step_address(title, it.number - 1) if it.number > 1 else None,
        "after": step_address(title, it.number + 1) if it.number < it.of else None,
        "answer": answer,
        "refused": refusal(answer.refused, title, seen) if answer.refused else None,
        "instead": seen.say(it.step.instead, who.lang) if it.step.instead else "",
        "seats": seats_at(seen, seen.game),
        "asked": names(seen, seen.game.asked),
        "yours": seen.seat in seen.game.asked,
        "over": ending(seen, result),
        "result": result_table(seen, result) if it.step.shows == "scoring" else None,
        "letter": letter(it) if it.step.shows == "letter" else None,
        "new_game": f"{url_for('pages.lobby.new_game', title=title.id)}&{urlencode(it.lesson.new_game)}",
        "rule_link": rule_link,
    }


def step_page(
    it: StepSeen, status: int = 200, *, answer: StepAnswer = NOTHING, wish: Command | None = None
) -> Response:
    """Show a step with its board. ``wish``: the command that was just tried."""
    who, seen, title = reader(), it.seen, it.title
    shown, language = queries.shown(seen, who.lang), seen.language(who.lang)
    playable = queries.actions(seen) if it.step.shows == "turn" else []
    actions = choosing.offered(
        title, shown.view, playable, language, seen.player, seat=seen.seat, chosen=wish if answer.refused else None
    )
    actions = actions._replace(groups=[_unfolded(group) for group in actions.groups])
    spots = {at: spot._replace(pointed=at in it.step.at) for at, spot in actions.spots.items()}
    picture, _notes = board(title, shown.view, who.lang, seen.player, spots)
    return page(
        "lessons/lesson.html",
        status,
        **facts(it, answer),
        picture=picture,
        things=things(title, shown.view, language, seen.player, land=land(title, who.lang), spots=spots),
        actions=actions,
        pointed=[spots[at] for at in it.step.at if at in spots],
        tabs=tabs.shown(TABS, it),
    )


def _unfolded(group: Group) -> Group:
    """Return a group whose actions are all in sight: a beginner does not know yet what a fold hides."""
    return group._replace(choices=[*group.choices, *group.more], folded=False, more=())


def letter(it: StepSeen) -> dict[str, Any]:
    """Return the facts of a turn's letter at the step."""
    lang, seen = reader().lang, it.seen
    shown = queries.shown(seen, lang)
    lines = numbered.lines(seen, lang)
    return {"standing": shown.standing, "hand": shown.hand, "lines": lines[:LINES], "more": len(lines) - LINES}


LINES = 12
"""Lines of the letter that are shown."""


# ==== a try =======================================================================================
def _answered(it: StepSeen, tried: StepTried, wish: Command | None = None, typed: str = "") -> Response:
    show = showing("lesson", step_page)
    if tried.how == "done":
        return done(f"{step_address(it.title, it.number + 1)}#main")
    if tried.how == "part":
        problem = _("Right so far. More lines follow in the example.")
        return show(it, 422, answer=StepAnswer(problem=problem, typed=typed))
    if tried.how == "other":
        return show(it, answer=StepAnswer(other=tried.does, typed=typed), wish=wish)
    return show(it, 422, answer=StepAnswer(refused=tried.refused, typed=typed, read=tried.line), wish=wish)


@room.post("/learn/<title>/<int:number>/move")
def move(title: str, number: int) -> Response:
    it = asked_for(title, number)
    try:
        command = forms.read_command(it.title, request.form)
    except forms.NotACommand:
        return showing("lesson", step_page)(it, 400, answer=StepAnswer(problem=_("Please choose an action.")))
    return _answered(it, it.tried(command, reader().lang), command)


@room.post("/learn/<title>/<int:number>/orders")
def order(title: str, number: int) -> Response:
    """Read typed lines; to a letter, a line may be a number of its own lines."""
    it, text = asked_for(title, number), request.form.get("lines", "").strip()[:LONGEST_ANSWER]
    if not text:
        return showing("lesson", step_page)(it, 422, answer=StepAnswer(problem=_("Please type your move.")))
    return _answered(it, it.read(text, reader().lang), typed=text)
