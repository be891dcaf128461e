"""The commands of the Grand Trunk Journey (appendix A of the catalogue).

``card``: a card id of the seat. ``railcar``: the id of a railcar card on its train. Places, goods, improvements and
objectives are ids of the data; ``slot`` is 1 to 10.
"""

from typing import Literal

from msgspec import UNSET

from domain.messages import Command, Own


class ChooseFirstRailcar(Command, frozen=True):
    """GTJ 2.11, 2.12. A second choice replaces the first."""

    card: Own[str] = UNSET
    good: Own[str] = UNSET


class MoveTrain(Command, frozen=True):
    """GTJ 5.3 to 5.9, 11.9. ``right_of_way``: the Right of Way card played with the move, if any."""

    card: str
    to: str
    decline_fast: bool = False
    right_of_way: str | None = None


class DeliverGood(Command, frozen=True):
    """GTJ 6.2. ``foreign_steel``: pay a day for one more VP (GTJ 13.14)."""

    railcar: str
    foreign_steel: bool = False


class FulfilContract(Command, frozen=True):
    """GTJ 7.3."""

    railcar: str
    slot: int


class DumpGood(Command, frozen=True):
    """GTJ 6.9."""

    railcar: str


class UncoupleRailcar(Command, frozen=True):
    """GTJ 8.1."""

    railcar: str


class CoupleRailcar(Command, frozen=True):
    """GTJ 8.3, 8.4."""

    card: str
    good: str


class LoadGood(Command, frozen=True):
    """GTJ 9.1, 9.2."""

    railcar: str
    good: str


class PlayHighCapacityRailcar(Command, frozen=True):
    """GTJ 11.5."""

    card: str
    railcar: str


class PlayInfluenceDemand(Command, frozen=True):
    """GTJ 11.6. ``first`` and ``second``: two cities or two ports."""

    card: str
    first: str
    second: str


class PlayOverlandTransport(Command, frozen=True):
    """GTJ 11.7. ``origin`` and ``target``: cities one link apart."""

    card: str
    origin: str
    target: str


class PlayRailYard(Command, frozen=True):
    """GTJ 11.8. ``railcar_card``: in the seat's discard pile."""

    card: str
    railcar_card: str
    good: str


class IncreaseForce(Command, frozen=True):
    """GTJ 12.2."""

    card: str


class IncreaseSpeed(Command, frozen=True):
    """GTJ 12.4."""

    card: str


class BuildTerminal(Command, frozen=True):
    """GTJ 12.5, 12.6. ``new_card``: where the builder's card of the city goes."""

    card: str
    city: str
    new_card: Literal["deck_top", "discard"] = "deck_top"


class AcquireImprovement(Command, frozen=True):
    """GTJ 12.8."""

    card: str
    improvement: str


class AcquireObjective(Command, frozen=True):
    """GTJ 16.2."""

    card: str
    objective: str


class UseHiRoofBoxcar(Command, frozen=True):
    """GTJ 13.15."""

    railcar: str


class StoreOnSpur(Command, frozen=True):
    """GTJ 13.16. ``card``: in hand, or an empty railcar on the train."""

    card: str


class CoupleFromSpur(Command, frozen=True):
    """GTJ 13.16."""

    good: str


class DiscardFromSpur(Command, frozen=True):
    """GTJ 13.16."""


class UseRailroadCrane(Command, frozen=True):
    """GTJ 13.17."""

    card: str
    good: str


class UseRoundhouse(Command, frozen=True):
    """GTJ 13.18."""

    card: str


class UseSemaphoreSignaling(Command, frozen=True):
    """GTJ 13.19."""

    card: str


class EndTurn(Command, frozen=True):
    """GTJ 10.1."""


class PerformMaintenance(Command, frozen=True):
    """GTJ 14.1. ``discard``: any cards of the hand."""

    discard: tuple[str, ...] = ()


class Pass(Command, frozen=True):
    """GTJ 15.3."""
