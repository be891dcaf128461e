"""The details of a step in the mail history, and of a call: a sentence of ours, or the answer of another server.

A sentence is stored as its template and facts, so that its reader gets it in their own language. The words of others
are stored as they came, and without facts.
"""

from typing import Any

from domain.words import Sentence

Detail = Sentence | str


def columns(detail: Detail, room: int) -> dict[str, Any]:
    """The columns ``detail`` and ``facts``. ``room``: the most characters of other people's words."""
    if isinstance(detail, Sentence):
        return {"detail": detail.template, "facts": detail.facts}
    return {"detail": in_one_line(detail, room), "facts": None}


def read(row: Any) -> Detail:
    """The detail from the columns of a row."""
    template, facts = row.detail, row.facts
    return template if facts is None else Sentence(template, facts)


def in_english(detail: Detail) -> str:
    """The detail for programs, and for the log of the service."""
    return detail.template.format_map(detail.facts) if isinstance(detail, Sentence) else detail


def in_one_line(text: str, most: int) -> str:
    """Return a server's or receiver's words for storage: printable, in one line, of at most ``most`` characters."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:most]
