"""The commands of New England Railways (part (a) of the catalogue).

A command of another shape (an unknown city, half a dollar, $1,001) never reaches the rules. Amounts and maxima are
whole dollars, 0 to 1,000 (NER 4.2).
"""

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import UNSET, Meta

from domain.messages import Command, Own
from domain.new_england.board import CITIES, COLOURS, LINKS, MOST


def _one_of(ids: Iterable[str]) -> Meta:
    return Meta(pattern=f"^({'|'.join(ids)})$")


LinkId = Annotated[str, _one_of(LINKS)]
CityId = Annotated[str, _one_of(CITIES)]
Colour = Annotated[str, _one_of(COLOURS)]
Dollars = Annotated[int, Meta(ge=0, le=MOST)]
"""An amount in an answer: a limit of shape, not a rule of the game (NER 4.2)."""


class TakeLoan(Command, frozen=True):
    """NER 4.1 to 4.4, 19.3, 19.4. A second answer replaces the first."""

    amount: Own[Dollars] = UNSET


class RetireDebt(Command, frozen=True):
    """NER 6.1 to 6.5, 19.4; in step 1 an answer in advance (NER 19.5). Others see an answer, if any."""

    amount: Own[Dollars] = UNSET
    HIDDEN: ClassVar = True


class PlaceBid(Command, frozen=True):
    """NER 10.1 to 10.5."""

    link: LinkId
    amount: Dollars


class PassBid(Command, frozen=True):
    """NER 10.6."""

    link: LinkId


class PayShortfall(Command, frozen=True):
    """NER 10.13."""

    link: LinkId


class LeaveUnbuilt(Command, frozen=True):
    """NER 10.13, 10.15."""

    link: LinkId


class ShipCube(Command, frozen=True):
    """NER 11.1 to 11.9. ``path``: cities, the start first."""

    colour: Colour
    path: tuple[CityId, ...]


class SkipShipment(Command, frozen=True):
    """NER 11.2."""


class SetProxyBid(Command, frozen=True):
    """NER 20.1 to 20.3, 20.10. A second proxy for a link replaces the first."""

    link: LinkId
    maximum: Dollars
    HIDDEN: ClassVar = True


class WithdrawProxyBid(Command, frozen=True):
    """NER 20.10."""

    link: LinkId
    HIDDEN: ClassVar = True


class SetBuildLimit(Command, frozen=True):
    """NER 20.13. A second limit for a link replaces the first."""

    link: LinkId
    amount: Dollars
    HIDDEN: ClassVar = True


class WithdrawBuildLimit(Command, frozen=True):
    """NER 20.13."""

    link: LinkId
    HIDDEN: ClassVar = True
