"""The text box in which one types orders, on tables and sandboxes, with a board or in words."""

from collections.abc import Sequence
from typing import NamedTuple

from flask import g

from domain.game import Game
from domain.rules import Action
from service.games import orders
from service.games.queries import Seen
from service.web.pages.frame import reader


class TextBox(NamedTuple):
    """Its text, the reading of each line, and an example."""

    text: str
    read: list[orders.GivenLine]
    example: str


def text_box(seen: Seen, actions: Sequence[Action], game: Game | None = None) -> TextBox | None:
    """Return the text box; None if the reader has nothing to play. Lines typed in this request stay (``g.lines``)."""
    if not actions:
        return None
    text, read = g.get("lines") or ("", [])
    return TextBox(text, read, orders.line_of(seen, actions[0], reader().lang, game))
