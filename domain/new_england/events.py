"""The events of New England Railways (part (a) of the catalogue).

Only the seat named in ``seat`` sees a field of type ``Own``, or a hidden event. Money is whole dollars.
"""

from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from msgspec import UNSET

from domain.messages import Event, Own, one_of
from domain.new_england.board import CITIES, COLOURS, GROWTH_CARDS, LINKS

if TYPE_CHECKING:
    City: TypeAlias = str
    Colour: TypeAlias = str
    GrowthCard: TypeAlias = str
    Link: TypeAlias = str
else:
    City, Colour, GrowthCard, Link = one_of(CITIES), one_of(COLOURS), one_of(GROWTH_CARDS), one_of(LINKS)

PassCause = Literal["choice", "has_bought", "cannot_pay", "safe_answer"]
UnbuiltCause = Literal["choice", "cannot_pay", "safe_answer"]
SkipCause = Literal["choice", "nothing_legal", "safe_answer"]


# ==== NER 2 and 3: setup and steps ================================================================
class GameSetUp(Event, frozen=True):
    """NER 1.1, 2.6, 19.1. ``cash``: of each seat."""

    seats: int
    cash: int


class OpeningCubesDrawn(Event, frozen=True):
    """NER 2.1. ``cubes``: (city, colour) in order of drawing."""

    cubes: tuple[tuple[City, Colour], ...]


class OpeningRowLaid(Event, frozen=True):
    """NER 2.3."""

    links: tuple[Link, ...]


class FirstPlayerDrawn(Event, frozen=True):
    """NER 2.7, 14.3. ``among``: the seats in the draw. ``first``: the seat drawn."""

    first: int
    among: tuple[int, ...]
    BARRIER: ClassVar = True


class TurnBegan(Event, frozen=True):
    """NER 3.1."""

    turn: int


class StepBegan(Event, frozen=True):
    """NER 3.1, 3.3. ``step``: 1 to 11, even if nothing is to be decided in it."""

    step: int


# ==== NER 4 to 6: loans, service, retirement ======================================================
class LoanAnswerSealed(Event, frozen=True):
    """NER 19.3."""

    seat: int
    amount: Own[int] = UNSET
    QUIET: ClassVar = True


class LoanAnswerReplaced(Event, frozen=True):
    """NER 19.4."""

    seat: int
    amount: int
    HIDDEN: ClassVar = True


class AnswersOpened(Event, frozen=True):
    """NER 19.3. The sealed answers to ``step`` are opened; those above 0 follow."""

    step: Literal[1, 3]
    BARRIER: ClassVar = True


class LoanTaken(Event, frozen=True):
    """NER 4.1. ``amount``: above 0."""

    seat: int
    amount: int


class DebtServiced(Event, frozen=True):
    """NER 5.1."""

    seat: int
    amount: int


class RetirementAnswerSealed(Event, frozen=True):
    """NER 19.3, 19.5. ``in_advance``: it was given in step 1, and counts now."""

    seat: int
    amount: Own[int] = UNSET
    in_advance: Own[bool] = UNSET
    QUIET: ClassVar = True


class RetirementAnswerReplaced(Event, frozen=True):
    """NER 19.4."""

    seat: int
    amount: int
    HIDDEN: ClassVar = True


class AdvanceRetirementSealed(Event, frozen=True):
    """NER 19.5."""

    seat: int
    amount: int
    HIDDEN: ClassVar = True


class AdvanceRetirementReplaced(Event, frozen=True):
    """NER 19.5."""

    seat: int
    amount: int
    HIDDEN: ClassVar = True


class AdvanceRetirementDropped(Event, frozen=True):
    """NER 19.5."""

    seat: int
    HIDDEN: ClassVar = True


class DebtRetired(Event, frozen=True):
    """NER 6.1. ``amount``: above 0."""

    seat: int
    amount: int


# ==== NER 7 to 9: growth, completion, future links ================================================
class GrowthCardTurned(Event, frozen=True):
    """NER 2.5, 7.1 to 7.3. ``cubes``: (city, colour, or None if the cup was empty) in order."""

    card: GrowthCard
    cubes: tuple[tuple[City, Colour | None], ...]
    BARRIER: ClassVar = True


class LinkBuilt(Event, frozen=True):
    """NER 8.1, 10.12, 10.13."""

    link: Link
    seat: int
    by: Literal["roll", "payment", "completion"]


class FutureRowLaid(Event, frozen=True):
    """NER 2.4, 9.1."""

    links: tuple[Link, ...]
    BARRIER: ClassVar = True


# ==== NER 10: auction and building ================================================================
class LotOpened(Event, frozen=True):
    """NER 10.1."""

    link: Link


class BidPlaced(Event, frozen=True):
    """NER 10.4, 20.4."""

    seat: int
    link: Link
    amount: int
    by_proxy: Own[bool] = UNSET


class BidderPassed(Event, frozen=True):
    """NER 10.3, 10.5, 10.6, 19.7. A pass by proxy has the cause "choice"."""

    seat: int
    link: Link
    cause: PassCause
    by_proxy: Own[bool] = UNSET


class LinkSold(Event, frozen=True):
    """NER 10.7."""

    link: Link
    seat: int
    price: int


class LinkUnsold(Event, frozen=True):
    """NER 10.9."""

    link: Link


class BuildDiceRolled(Event, frozen=True):
    """NER 10.10. ``shortfall``: 0 or more."""

    link: Link
    seat: int
    dice: tuple[int, int]
    shortfall: int
    BARRIER: ClassVar = True


class ShortfallPaid(Event, frozen=True):
    """NER 10.13."""

    seat: int
    link: Link
    amount: int
    by_build_limit: Own[bool] = UNSET


class LinkLeftUnbuilt(Event, frozen=True):
    """NER 10.14, 10.15. A link left by build limit has the cause "choice"."""

    seat: int
    link: Link
    cause: UnbuiltCause
    by_build_limit: Own[bool] = UNSET


class RowMovedDown(Event, frozen=True, tag="RowMovedDown.2"):
    """NER 10.16, 19.8. ``links``: the row now on offer; proxies for it may be left at once."""

    links: tuple[Link, ...]
    BARRIER: ClassVar = True


class RowMovedDown1(Event, frozen=True, tag="RowMovedDown"):
    """NER 10.16, as version 1 of the rules recorded it: an earlier pass could still be taken back."""

    links: tuple[Link, ...]


class LastTurnAnnounced(Event, frozen=True):
    """NER 15.2."""

    turn: int
    step: Literal[5, 7]


# ==== NER 11 to 14: shipping, market, income, first player ========================================
class RoundsOpened(Event, frozen=True):
    """NER 11.1. ``opportunities``: (round, seat) in their order."""

    opportunities: tuple[tuple[Literal["A", "B"], int], ...]


class CubeShipped(Event, frozen=True):
    """NER 11.4 to 11.11. ``gains``: (owner, income won)."""

    seat: int
    colour: Colour
    path: tuple[City, ...]
    gains: tuple[tuple[int, int], ...]


class ShipmentSkipped(Event, frozen=True):
    """NER 11.2, 11.3. ``round``: A or B (NER 11.1)."""

    seat: int
    round: Literal["A", "B"]
    cause: SkipCause


class MarketDiceRolled(Event, frozen=True):
    """NER 12.1. ``loss_number``: the roll and 1."""

    dice: tuple[int, int]
    loss_number: int
    BARRIER: ClassVar = True


class IncomeLost(Event, frozen=True):
    """NER 12.2."""

    seat: int
    amount: int


class IncomePaid(Event, frozen=True):
    """NER 13.1."""

    seat: int
    amount: int


class FirstPlayerNamed(Event, frozen=True):
    """NER 14.1, 14.2."""

    seat: int
    by: Literal["income", "cash", "debt"]


# ==== NER 20: proxies and build limits ============================================================
class ProxyBidSet(Event, frozen=True):
    """NER 20.1."""

    seat: int
    link: Link
    maximum: int
    HIDDEN: ClassVar = True


class ProxyBidReplaced(Event, frozen=True):
    """NER 20.10."""

    seat: int
    link: Link
    maximum: int
    HIDDEN: ClassVar = True


class ProxyBidWithdrawn(Event, frozen=True):
    """NER 20.10."""

    seat: int
    link: Link
    HIDDEN: ClassVar = True


class BuildLimitSet(Event, frozen=True):
    """NER 20.13."""

    seat: int
    link: Link
    amount: int
    HIDDEN: ClassVar = True


class BuildLimitReplaced(Event, frozen=True):
    """NER 20.13."""

    seat: int
    link: Link
    amount: int
    HIDDEN: ClassVar = True


class BuildLimitWithdrawn(Event, frozen=True):
    """NER 20.13."""

    seat: int
    link: Link
    HIDDEN: ClassVar = True


class EntryAnswered(Event, frozen=True):
    """NER 19.8, 20.10. A proxy or a build limit has answered, so that the preceding command is final."""

    seat: int
    link: Link
    HIDDEN: ClassVar = True
    BARRIER: ClassVar = True


# ==== NER 15 to 17: the end =======================================================================
class SeatLeft(Event, frozen=True):
    """NER 19.10."""

    seat: int
    why: Literal["resigned", "timed_out"]
    BARRIER: ClassVar = True


class FinalAccountDrawn(Event, frozen=True):
    """NER 16.1, 17.3. ``accounts``: (seat, cash, values of links, debt, total, place or None for a seat that left)."""

    accounts: tuple[tuple[int, int, int, int, int, int | None], ...]


class GameWon(Event, frozen=True):
    """NER 17.1, 17.2, 19.10."""

    seats: tuple[int, ...]
    BARRIER: ClassVar = True


EVENTS = (
    GameSetUp, OpeningCubesDrawn, OpeningRowLaid, FirstPlayerDrawn, TurnBegan, StepBegan, LoanAnswerSealed,
    LoanAnswerReplaced, AnswersOpened, LoanTaken, DebtServiced, RetirementAnswerSealed, RetirementAnswerReplaced,
    AdvanceRetirementSealed, AdvanceRetirementReplaced, AdvanceRetirementDropped, DebtRetired, GrowthCardTurned,
    LinkBuilt, FutureRowLaid, LotOpened, BidPlaced, BidderPassed, LinkSold, LinkUnsold, BuildDiceRolled,
    ShortfallPaid, LinkLeftUnbuilt, RowMovedDown, RowMovedDown1, LastTurnAnnounced, RoundsOpened, CubeShipped,
    ShipmentSkipped, MarketDiceRolled, IncomeLost, IncomePaid, FirstPlayerNamed, ProxyBidSet, ProxyBidReplaced,
    ProxyBidWithdrawn, BuildLimitSet, BuildLimitReplaced, BuildLimitWithdrawn, EntryAnswered, SeatLeft,
    FinalAccountDrawn, GameWon,
)  # fmt: skip
SHAPES_1: dict[type[Event], type[Event]] = {RowMovedDown: RowMovedDown1}
"""Events that version 1 of the rules recorded in another shape."""
