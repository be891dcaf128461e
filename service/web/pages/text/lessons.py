"""A lesson in words. Its forms go to the views of the lesson with a board."""

from flask import Response

from domain.messages import Command
from service.games import queries
from service.games.lessons import StepSeen
from service.web.pages.frame import page
from service.web.pages.lessons.lessons import NOTHING, StepAnswer, asked_for, facts, remembered
from service.web.pages.parts import in_words
from service.web.pages.text import room
from service.web.pages.text.actions import Doable, doable
from service.web.pages.text.position import in_words as words_of


@room.get("/learn/<title>/<int:number>/text")
def lesson(title: str, number: int) -> Response:
    it = asked_for(title, number)
    return remembered(text_lesson(it), it)


def text_lesson(
    it: StepSeen, status: int = 200, *, answer: StepAnswer = NOTHING, wish: Command | None = None
) -> Response:
    """Show a step in words. The arguments are those of the view with a board; a list needs no ``wish``."""
    return page(
        "text/lesson.html",
        status,
        **facts(it, answer),
        position=words_of(it.seen, queries.view(it.seen)),
        can=doable(it.seen) if it.step.shows == "turn" else Doable(()),
    )


in_words.SHOWN["lesson"] = text_lesson
