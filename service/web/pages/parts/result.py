"""The people at a table, the seats it waits for, and the result of a game, in words and as a table."""

from collections.abc import Sequence
from typing import Any

from domain.game import Game
from domain.rules import Result
from domain.words import signed
from service.games.queries import Seen
from service.web.pages.frame import _, reader
from service.words import N_, listed

GAME_STATES = {"open": N_("not started"), "running": N_("running"), "over": N_("over"), "cancelled": N_("closed")}
"""The status of a game in words."""


def names(seen: Seen, seats: Sequence[int]) -> str:
    """Return the players at ``seats``: "Ann, Bob and Cleo"."""
    return listed([seen.player(seat) for seat in seats], reader().lang)


def seats_at(seen: Seen, game: Game) -> list[dict[str, Any]]:
    """Return the seats at a position of the game, by number."""
    table = game.table
    assert table is not None
    return [
        {
            "number": seat,
            "name": seen.player(seat),
            "yours": seat == seen.seat,
            "left": chair.left,
            "asked": seat in game.asked,
        }
        for seat, chair in sorted(table.chairs.items())
    ]


def ending(seen: Seen, result: Result | None) -> str:
    """Say that the game is over, and who won; "" while it runs."""
    if seen.game.status == "cancelled":
        return _("An operator has closed this table. There is no winner.")
    if result is None:
        return ""
    if not result.winners:
        return _("The game is over.")
    if len(result.winners) == 1:
        return _("The game is over: {names} has won.", names=names(seen, result.winners))
    return _("The game is over: {names} share the victory.", names=names(seen, result.winners))


def result_table(seen: Seen, result: Result | None) -> dict[str, Any] | None:
    """Return the result by category: one column for each seat, the best first."""
    if result is None:
        return None
    standings = result.ranked
    categories = list(dict.fromkeys(name for line in standings for name, _points in line.lines))
    points = [dict(line.lines) for line in standings]
    lang = reader().lang
    return {
        "seats": [(line.seat, seen.player(line.seat)) for line in standings],
        "lines": [
            (seen.language(lang).name(name), [signed(str(each.get(name, 0))) for each in points]) for name in categories
        ],
        "totals": [signed(str(line.total)) for line in standings],
        "places": [line.place if line.place is not None else _("left") for line in standings],
    }
