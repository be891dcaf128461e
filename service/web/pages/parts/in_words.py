"""Text tables, as the rooms of their forms know them.

The room of text tables is above the rooms of tables and sandboxes, whose forms it shares. It says here how a form that
came from it is shown again with an error.
"""

from collections.abc import Callable
from typing import Literal

from flask import Response

from service.web.pages.frame import in_words

Kind = Literal["table", "sandbox", "lesson"]
SHOWN: dict[Kind, Callable[..., Response]] = {}
"""The views that show a table, a sandbox and a lesson in words; they take the arguments of those with a board."""


def showing(kind: Kind, with_board: Callable[..., Response]) -> Callable[..., Response]:
    """Return the view to show: in words if the form came from there, else ``with_board``."""
    return SHOWN[kind] if in_words() else with_board
