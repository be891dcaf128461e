"""Read the printed material in data/, with the source of each item."""

from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

T = TypeVar("T")

_DATA = Path(__file__).parent / "data"


class Item(msgspec.Struct, frozen=True):
    """Something printed. ``provenance``: an id of `STATEMENTS`."""

    provenance: str


class Statement(msgspec.Struct, frozen=True):
    """The source of items. ``kind``: from the rulebook, from another public source, or reconstructed by us.

    ``where``: the section or the source; ``why``: the reasons for a reconstruction.
    """

    kind: Literal["rulebook", "source", "reconstructed"]
    where: str = ""
    why: str = ""
    note: str = ""


class _Provenance(msgspec.Struct, frozen=True):
    kinds: dict[str, str]
    sources: dict[str, dict[str, str]]
    statements: dict[str, Statement]


def read(name: str, type: type[T] | Any) -> Any:
    """Return the file data/``name`` as ``type``."""
    return msgspec.json.decode((_DATA / name).read_bytes(), type=type)


_provenance: _Provenance = read("provenance.json", _Provenance)

STATEMENTS = _provenance.statements
