"""The titles under test: all that are listed, and the toy, which needs no line of code outside of it."""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from domain import TITLES
from domain.title import Title
from tests import toy


class FourRounds(toy.Options, frozen=True):
    """The toy's other length is a thousand rounds, for tests of long games."""

    length: Literal["short"] = "short"


SHORT = replace(toy.TITLE.seating, options=FourRounds)
ASKED: Mapping[str, Title] = {**TITLES, "toy": replace(toy.TITLE, seating=SHORT)}
