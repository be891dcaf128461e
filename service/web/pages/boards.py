"""A view as a board in a page: the picture as SVG in the page's own colours, and what is reconstructed in it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from markupsafe import Markup

from domain.title import Title
from domain.words import say
from service.games import pictures
from service.words import spoken


class Board(NamedTuple):
    """``picture``: SVG with its label for those who cannot see it. ``notes``: what a page says beside it."""

    picture: Markup
    notes: list[str]


def board(title: Title, view: Any, lang: str, player: Callable[[int], str] = str) -> Board:
    """The board as it is and, for phones, as it is drawn for them; the style sheet shows one of the two."""
    language, drawn = spoken(title.words, lang), ""
    for width, small in (("wide", False), ("narrow", True)):
        picture = title.picture(view, "page", language, small=small)
        label = say(picture.label, language, player)
        drawn += f'<div class="{width}">{pictures.svg(picture, label, name=width)}</div>'
    return Board(Markup(drawn), notes(title, lang))


def notes(title: Title, lang: str) -> list[str]:
    """What of a title is reconstructed, wherever it is shown."""
    return [say(note, spoken(title.words, lang), str) for note in title.notes]
