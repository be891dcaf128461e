"""Descriptions of fields, on the struct that has them: ``Annotated[int, doc("Time.", MOMENT)]``.

The API's schemas are made from them.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

MOMENT = {"format": "date-time"}
"""Milliseconds since 1970, which an answer writes as text (RFC 3339)."""


def doc(what: str, form: Mapping[str, Any] | None = None) -> msgspec.Meta:
    """Describe a field. ``form``: how an answer writes it."""
    return msgspec.Meta(description=what, extra_json_schema=dict(form) if form else None)
