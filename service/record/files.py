"""A person's record as files: CSV for spreadsheets, and JSON."""

import csv
import io
from typing import Any

import msgspec

from service.base.clock import iso
from service.record.reading import Record, RecordedGame, quartiles

COLUMNS = (
    "game", "name", "title", "ended_at", "seats", "seat", "place", "points", "leaving", "played_by", "substitute",
    "against", "opponents", "turns", "median_seconds",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins with one of these could be read as a formula."""


def as_csv(own: Record) -> str:
    """Return one line for each game, the latest first, below a line of headings (RFC 4180)."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(COLUMNS)
    lines.writerows(_line(game) for game in own.games)
    return text.getvalue()


def _line(game: RecordedGame) -> list[Any]:
    median = quartiles(game.times)[1] if game.times else None
    names = "; ".join(it.name for it in game.opponents)
    return [
        game.game, _text(game.name), game.title, iso(game.ended_at), game.seats, game.seat, game.place, game.points,
        game.leaving, game.played_by, "yes" if game.substitute else "no", game.against, _text(names),
        len(game.times), median,
    ]  # fmt: skip


def _text(words: str) -> str:
    """Return words that no spreadsheet reads as a formula."""
    return f"'{words}" if words.startswith(FORMULA) else words


def as_json(own: Record) -> bytes:
    """Return the whole record, with its times as text."""
    plain = msgspec.to_builtins(own)
    for game in plain["games"]:
        game["ended_at"] = iso(game["ended_at"])
    return msgspec.json.format(msgspec.json.encode(plain), indent=2)
