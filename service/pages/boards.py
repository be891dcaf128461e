"""A view as a board in a page: the picture as SVG in the page's own colours, and what is reconstructed in it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from markupsafe import Markup

from domain.title import Title
from service import pictures


class Board(NamedTuple):
    """``picture``: SVG with its label for those who cannot see it. ``notes``: what a page says beside it."""

    picture: Markup
    notes: list[str]


def board(title: Title, view: Any, lang: str, player: Callable[[int], str] = str) -> Board:
    picture = title.picture(view, "page", lang)
    label = title.words.say(picture.label, lang, player)
    return Board(Markup(pictures.svg(picture, label)), notes(title, lang))


def notes(title: Title, lang: str) -> list[str]:
    """What of a title is reconstructed, wherever it is shown."""
    return [title.words.say(note, lang, str) for note in title.notes]
