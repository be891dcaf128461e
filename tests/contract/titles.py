"""The titles that are asked: all that are listed, and the toy, which is added without a line of code outside of it."""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from domain import TITLES
from domain.title import Title
from tests import toy


class FourRounds(toy.Options, frozen=True):
    """At its other length the toy is played for a thousand rounds, for the tests of long games."""

    length: Literal["short"] = "short"


SHORT = replace(toy.TITLE.seating, options=FourRounds)
ASKED: Mapping[str, Title] = {**TITLES, "toy": replace(toy.TITLE, seating=SHORT)}
