"""The events of the Grand Trunk Journey (appendix B of the catalogue).

Only the seat named in ``seat`` sees a field of type ``Own``; everyone sees the rest. Days are spaces of the
time track, ``vp`` victory points won (or lost, when negative) at once.
"""

from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from msgspec import UNSET

from domain.grand_trunk.board import CONTRACT_TOKENS, FIRST_DELIVERIES, GOODS_TOKENS, PLACES
from domain.grand_trunk.cards import ACTIONS, CARDS, GOODS, IMPROVEMENTS, OBJECTIVES
from domain.messages import Event, Own, one_of

if TYPE_CHECKING:
    Action: TypeAlias = str
    Card: TypeAlias = str
    Good: TypeAlias = str
    Improvement: TypeAlias = str
    Objective: TypeAlias = str
    Place: TypeAlias = str
    Token: TypeAlias = str
else:
    Action, Card, Good = one_of((*ACTIONS, "development")), one_of(CARDS), one_of(GOODS)
    Improvement, Objective = one_of(IMPROVEMENTS), one_of(OBJECTIVES)
    Place, Token = one_of(PLACES), one_of((*GOODS_TOKENS, *FIRST_DELIVERIES, *CONTRACT_TOKENS))

ForWhat = Literal[
    "move",
    "increase_force",
    "increase_speed",
    "build_terminal",
    "acquire_improvement",
    "acquire_objective",
    "foreign_steel_contract",
    "hi_roof_boxcar",
    "parking_spur",
    "railroad_crane",
    "maintenance",
]


# ==== GTJ 2: setup ================================================================================
class TableSet(Event, frozen=True):
    """GTJ 1.1, 17, 19.8. ``companies``: of seat 1, seat 2, ..."""

    companies: tuple[str, ...]
    scenario: str
    level: Literal["intermediate", "expert"]
    objectives: bool


class GoodsTokensDealt(Event, frozen=True):
    """GTJ 2.2, 2.3. ``tokens``: place -> goods token."""

    tokens: dict[Place, Token]


class FirstDeliveriesDealt(Event, frozen=True):
    """GTJ 2.4. ``tokens``: city -> first delivery token."""

    tokens: dict[Place, Token]


class ImprovementsDisplayed(Event, frozen=True):
    """GTJ 2.6."""

    improvements: tuple[Improvement, ...]


class ObjectivesDisplayed(Event, frozen=True):
    """GTJ 16.1."""

    objectives: tuple[Objective, ...]


class TurnOrderDrawn(Event, frozen=True):
    """GTJ 2.7, 2.8. ``order``: seats, first player first."""

    order: tuple[int, ...]


class StartingCitiesDrawn(Event, frozen=True):
    """GTJ 2.9. ``cities``: of seat 1, seat 2, ..."""

    cities: tuple[Place, ...]


class FirstRailcarChosen(Event, frozen=True):
    """GTJ 2.11, 18.6."""

    seat: int
    card: Own[Card] = UNSET
    good: Own[Good] = UNSET
    QUIET: ClassVar = True


class FirstRailcarReplaced(Event, frozen=True):
    """GTJ 2.12, 18.6. The others do not learn of it."""

    seat: int
    card: Card
    good: Good
    HIDDEN: ClassVar = True


class FirstRailcarsOpened(Event, frozen=True):
    """GTJ 2.12. ``choices``: (seat, card, good) of each seat that has not left, now on its train."""

    choices: tuple[tuple[int, Card, Good], ...]
    BARRIER: ClassVar = True


# ==== GTJ 10: decks ===============================================================================
class DeckShuffled(Event, frozen=True):
    """GTJ 2.13, 10.2. The cards of the starting deck, or of the discard pile, are now the deck."""

    seat: int
    cards: int
    source: Literal["start", "discard_pile"]


class CardsDrawn(Event, frozen=True):
    """GTJ 2.13, 10.1, 13.18, 14.1."""

    seat: int
    number: int
    cards: Own[tuple[Card, ...]] = UNSET
    BARRIER: ClassVar = True


# ==== GTJ 3 and 5: moving and days ================================================================
class TrainMoved(Event, frozen=True):
    """GTJ 5.4 to 5.9. ``discarded``: the old location card. ``origin``: where the train stood."""

    seat: int
    card: Card
    discarded: Card
    origin: Place
    to: Place
    links: int
    junction: bool
    fast_declined: bool
    right_of_way: str | None
    days: int


class DaysSpent(Event, frozen=True):
    """GTJ 3.2, 3.3. ``origin`` and ``to`` are spaces of the time track."""

    seat: int
    days: int
    origin: int
    to: int
    for_what: ForWhat


class ContractTurnedUp(Event, frozen=True):
    """GTJ 2.5, 7.2. ``dark_space``: 0 in setup."""

    slot: int
    token: Token
    dark_space: int
    BARRIER: ClassVar = True


# ==== GTJ 6 and 7: unloading ======================================================================
class GoodDelivered(Event, frozen=True):
    """GTJ 6.2 to 6.8. ``steel``: cubes of steel made; ``wood_steps``: spaces on the wood track."""

    seat: int
    railcar: Card
    good: Good
    place: Place
    vp: int
    steel: int
    wood_steps: int


class SteelBonusPaid(Event, frozen=True):
    """GTJ 13.14."""

    seat: int
    vp: int


class FirstDeliveryTaken(Event, frozen=True):
    """GTJ 6.3."""

    seat: int
    city: Place
    token: Token
    vp: int


class ContractFulfilled(Event, frozen=True):
    """GTJ 7.3 to 7.6."""

    seat: int
    slot: int
    token: Token
    railcar: Card
    vp: int


class GoodDumped(Event, frozen=True):
    """GTJ 6.9."""

    seat: int
    railcar: Card
    good: Good
    place: Place
    vp: int


# ==== GTJ 8 and 9: the train ======================================================================
class RailcarUncoupled(Event, frozen=True):
    """GTJ 8.1, 8.2, 9.4, 13.16. Off the train; when it is for the spur, `RailcarStored` follows."""

    seat: int
    card: Card
    to: Literal["discard_pile", "spur"]


class RailcarCoupled(Event, frozen=True):
    """GTJ 8.3, 11.8, 13.16, 13.17. Its first cube follows as `GoodLoaded`."""

    seat: int
    card: Card
    source: Literal["hand", "discard_pile", "spur"]


class GoodLoaded(Event, frozen=True):
    """GTJ 9.1, 9.2, 11.5, 13.15. ``cube``: 1 for a railcar's first, 2 for its second."""

    seat: int
    railcar: Card
    good: Good
    place: Place
    source: Literal["stock", "steel_space"]
    cube: int


# ==== GTJ 11 and 12: actions and development ======================================================
class ActionCardPlayed(Event, frozen=True):
    """GTJ 11.2. ``action``: the name of its attribute ("development" for a Development card)."""

    seat: int
    card: Card
    action: Action


class GoodsTokensSwapped(Event, frozen=True):
    """GTJ 11.6. The tokens are those that lie there afterwards."""

    seat: int
    first: Place
    second: Place
    first_token: Token
    second_token: Token


class SteelMoved(Event, frozen=True):
    """GTJ 11.7."""

    seat: int
    origin: Place
    target: Place


class ForceIncreased(Event, frozen=True):
    """GTJ 12.2, 12.3. ``force``: 2 to 4."""

    seat: int
    force: int
    vp: int


class SpeedIncreased(Event, frozen=True):
    """GTJ 12.4."""

    seat: int
    vp: int


class TerminalBuilt(Event, frozen=True):
    """GTJ 12.5 to 12.7. ``new_card``: where the builder's card went."""

    seat: int
    city: Place
    vp: int
    new_card: Literal["deck_top", "discard"]


class SpeculatorPaid(Event, frozen=True):
    """GTJ 13.8. ``seat``: the owner of the Speculator."""

    seat: int
    vp: int


class ImprovementAcquired(Event, frozen=True):
    """GTJ 12.8, 13.2. ``gained``: (good, cubes) that join the delivered goods."""

    seat: int
    improvement: Improvement
    gained: tuple[tuple[Good, int], ...] = ()


class ObjectiveAcquired(Event, frozen=True):
    """GTJ 16.2, 16.3."""

    seat: int
    objective: Objective
    vp: int


# ==== GTJ 13: improvements ========================================================================
class ImprovementUsed(Event, frozen=True):
    """GTJ 13.3."""

    seat: int
    improvement: Improvement


class CardsDiscarded(Event, frozen=True):
    """GTJ 13.16, 13.18, 13.19, 14.1."""

    seat: int
    cards: tuple[Card, ...]
    for_what: Literal["parking_spur", "roundhouse", "semaphore_signaling", "maintenance"]


class RailcarStored(Event, frozen=True):
    """GTJ 13.16."""

    seat: int
    card: Card
    source: Literal["hand", "train"]


# ==== GTJ 14 and 15: the end of a turn and of the game ============================================
class MaintenancePerformed(Event, frozen=True):
    """GTJ 14.1."""

    seat: int


class EndBegun(Event, frozen=True):
    """GTJ 15.1."""

    seat: int
    day: int


class TurnEnded(Event, frozen=True):
    """GTJ 10.1, 15.2. ``finished``: the seat plays no more turns."""

    seat: int
    day: int
    finished: bool
    BARRIER: ClassVar = True


class SeatPassed(Event, frozen=True):
    """GTJ 15.3."""

    seat: int
    day: int
    BARRIER: ClassVar = True


class SeatLeft(Event, frozen=True):
    """GTJ 19.7."""

    seat: int
    why: Literal["resigned", "timed_out"]
    BARRIER: ClassVar = True


class GameScored(Event, frozen=True):
    """GTJ 15.5 to 15.7. ``scores``: (seat, time, sets, improvements, total, delivered steel, delivered goods)."""

    scores: tuple[tuple[int, int, int, int, int, int, int], ...]


class GameOver(Event, frozen=True):
    """GTJ 15.8, 15.9. ``order``: the seats from first to last place."""

    winners: tuple[int, ...]
    order: tuple[int, ...]
    BARRIER: ClassVar = True


EVENTS = (
    TableSet, GoodsTokensDealt, FirstDeliveriesDealt, ImprovementsDisplayed, ObjectivesDisplayed, TurnOrderDrawn,
    StartingCitiesDrawn, FirstRailcarChosen, FirstRailcarReplaced, FirstRailcarsOpened, DeckShuffled, CardsDrawn,
    TrainMoved, DaysSpent, ContractTurnedUp, GoodDelivered, SteelBonusPaid, FirstDeliveryTaken, ContractFulfilled,
    GoodDumped, RailcarUncoupled, RailcarCoupled, GoodLoaded, ActionCardPlayed, GoodsTokensSwapped, SteelMoved,
    ForceIncreased, SpeedIncreased, TerminalBuilt, SpeculatorPaid, ImprovementAcquired, ObjectiveAcquired,
    ImprovementUsed, CardsDiscarded, RailcarStored, MaintenancePerformed, EndBegun, TurnEnded, SeatPassed, SeatLeft,
    GameScored, GameOver,
)  # fmt: skip
