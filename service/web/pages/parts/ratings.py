"""Ratings on pages."""

from typing import Any

from service.record.ratings import Rating
from service.web.pages.frame import reader
from service.web.shared.context import store
from service.words import called


def title_name(title: str) -> str:
    """Return the name of a title; its id if this program does not know it."""
    box = store.titles.get(title)
    return called(box, reader().lang) if box else title


def rating_line(rating: Rating) -> dict[str, Any]:
    return {
        "title": title_name(rating.title), "games": rating.games, "rating": rating.rating, "low": rating.low,
        "high": rating.high,
    }  # fmt: skip
