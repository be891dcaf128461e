"""Ratings, results and times of a person on pages."""

from typing import Any

from service.base.clock import MINUTE
from service.record.ratings import Rating
from service.record.reading import Results, TimeToMove
from service.web.pages.frame import _, reader
from service.web.pages.parts.pace import left
from service.web.shared.context import store
from service.words import amount, called


def title_name(title: str) -> str:
    """Return the name of a title; its id if this program does not know it."""
    box = store.titles.get(title)
    return called(box, reader().lang) if box else title


def rating_line(rating: Rating) -> dict[str, Any]:
    return {
        "title": title_name(rating.title), "games": rating.games, "rating": rating.rating, "low": rating.low,
        "high": rating.high,
    }  # fmt: skip


def results_line(line: Results, name: str) -> dict[str, Any]:
    return {
        "name": name, "games": line.games, "won": line.won, "not_finished": line.not_finished,
        "average": amount(line.average, reader().lang) if line.average is not None else "",
    }  # fmt: skip


def time_line(found: TimeToMove) -> dict[str, Any]:
    spans = {name: left(_whole_minutes(getattr(found, name))) for name in ("lower", "median", "upper")}
    return {"name": title_name(found.of) if found.of else _("all"), "turns": found.turns, **spans}


def _whole_minutes(seconds: int) -> int:
    """Return the milliseconds of the minutes within which so many seconds lie."""
    return max(1, -(-seconds // 60)) * MINUTE
