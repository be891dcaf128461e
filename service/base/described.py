"""What is to be known of a field, on the struct that has it: ``Annotated[int, doc("Time.", MOMENT)]``.

Whoever describes an answer of the API reads it there.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

MOMENT = {"format": "date-time"}
"""Milliseconds since 1970, which an answer says in words (RFC 3339)."""


def doc(what: str, form: Mapping[str, Any] | None = None) -> msgspec.Meta:
    """What is to be known of a field. ``form``: how an answer writes it."""
    return msgspec.Meta(description=what, extra_json_schema=dict(form) if form else None)
