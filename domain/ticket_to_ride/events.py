"""The events of Ticket to Ride (appendix A of the catalogue).

Only the seat named in ``seat`` sees a field of type ``Own``; everybody sees all others.
"""

from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from msgspec import UNSET

from domain.messages import Event, Own, one_of
from domain.ticket_to_ride.board import ROUTES, TICKETS
from domain.ticket_to_ride.cards import Card, SeatColour

if TYPE_CHECKING:
    Route: TypeAlias = str
    Ticket: TypeAlias = str
else:
    Route, Ticket = one_of(ROUTES), one_of(TICKETS)


# ==== TTR 2: setup ================================================================================
class TableSet(Event, frozen=True):
    """TTR 1.1, 2.1, 2.2. ``colours``: of seat 1, seat 2, ..."""

    colours: tuple[SeatColour, ...]
    first_seat: int
    BARRIER: ClassVar = True


class HandDealt(Event, frozen=True):
    """TTR 2.3."""

    seat: int
    number: int
    cards: Own[tuple[Card, ...]] = UNSET
    BARRIER: ClassVar = True


class SetupTicketsChosen(Event, frozen=True):
    """TTR 2.6, 2.7."""

    seat: int
    kept: Own[tuple[Ticket, ...]] = UNSET
    returned: Own[tuple[Ticket, ...]] = UNSET
    QUIET: ClassVar = True


class SetupTicketsReplaced(Event, frozen=True):
    """TTR 2.7. Others do not see this event."""

    seat: int
    kept: tuple[Ticket, ...]
    returned: tuple[Ticket, ...]
    HIDDEN: ClassVar = True


class SetupCompleted(Event, frozen=True):
    """TTR 2.8. ``kept``: (seat, number of tickets), in turn order. ``ticket_deck``: its size now."""

    kept: tuple[tuple[int, int], ...]
    ticket_deck: int
    BARRIER: ClassVar = True


# ==== TTR 3: the turn =============================================================================
class TurnStarted(Event, frozen=True):
    """TTR 3.1. ``turn``: counts all turns of the game from 1."""

    seat: int
    turn: int


# ==== TTR 4: train cards ==========================================================================
class TrainDeckShuffled(Event, frozen=True):
    """TTR 4.10. The discard pile, of ``cards`` cards, is now the deck."""

    cards: int


class FaceUpCardTurned(Event, frozen=True):
    """TTR 2.4, 4.2, 4.7. ``slot``: 1 to 5."""

    slot: int
    card: Card
    BARRIER: ClassVar = True


class FaceUpCardDrawn(Event, frozen=True):
    """TTR 4.1, 4.3, 4.13."""

    seat: int
    slot: int
    card: Card


class BlindCardDrawn(Event, frozen=True):
    """TTR 4.1, 4.4."""

    seat: int
    card: Own[Card] = UNSET
    BARRIER: ClassVar = True


class MarketSwept(Event, frozen=True):
    """TTR 4.7. ``cards``: of slots 1 to 5. ``sweep``: its number in a row, from 1."""

    cards: tuple[Card, ...]
    sweep: int
    BARRIER: ClassVar = True


class MarketLeftStanding(Event, frozen=True):
    """TTR 4.9. It reveals that deck and discard pile hold few other cards; the rest is in hands."""

    limit: Literal["too_few_others", "ten_sweeps"]
    BARRIER: ClassVar = True


# ==== TTR 5: routes ===============================================================================
class RouteClaimed(Event, frozen=True):
    """TTR 5.1 to 5.9. ``paid``: colour cards first. ``trains``: left in stock."""

    seat: int
    route: Route
    paid: tuple[Card, ...]
    points: int
    trains: int


# ==== TTR 6: tickets ==============================================================================
class TicketsOffered(Event, frozen=True):
    """TTR 2.5, 6.1, 6.4. ``tickets``: in the order dealt."""

    seat: int
    number: int
    tickets: Own[tuple[Ticket, ...]] = UNSET
    BARRIER: ClassVar = True


class TicketsKept(Event, frozen=True):
    """TTR 6.2, 6.3. ``ticket_deck``: its size now."""

    seat: int
    kept_number: int
    returned_number: int
    ticket_deck: int
    kept: Own[tuple[Ticket, ...]] = UNSET
    returned: Own[tuple[Ticket, ...]] = UNSET


# ==== TTR 7 and 8: the end ========================================================================
class LastRoundStarted(Event, frozen=True):
    """TTR 7.1, 7.2. ``seat`` triggered it; ``order``: the seats still in the game, in their order."""

    seat: int
    order: tuple[int, ...]


class TicketsScored(Event, frozen=True):
    """TTR 8.2 to 8.4."""

    seat: int
    completed: tuple[Ticket, ...]
    missed: tuple[Ticket, ...]
    points: int
    BARRIER: ClassVar = True


class LongestPathScored(Event, frozen=True):
    """TTR 8.5 to 8.7. ``paths``: (seat, length, the routes of one such path in order). ``holders`` get the card."""

    paths: tuple[tuple[int, int, tuple[Route, ...]], ...]
    holders: tuple[int, ...]
    BARRIER: ClassVar = True


class GameEnded(Event, frozen=True):
    """TTR 7.4, 8.8 to 8.12. ``scores``: (seat, routes, tickets, longest path, place or None for a seat that left)."""

    scores: tuple[tuple[int, int, int, int, int | None], ...]
    winners: tuple[int, ...]
    BARRIER: ClassVar = True


# ==== TTR 10: playing by post =====================================================================
class TurnPassed(Event, frozen=True, tag="TurnPassed.2"):
    """TTR 10.1, 10.6. It reveals that ``seat`` can neither draw nor claim."""

    seat: int
    BARRIER: ClassVar = True


class TurnPassed1(Event, frozen=True, tag="TurnPassed"):
    """TTR 10.1, as version 1 of the rules recorded it: an earlier command could still be taken back."""

    seat: int


class PlayStalled(Event, frozen=True):
    """TTR 10.2. Final scoring follows."""


class SeatLeft(Event, frozen=True):
    """TTR 10.8 to 10.11. ``kept_number``: the tickets it keeps by TTR 10.10."""

    seat: int
    why: Literal["resigned", "timed_out"]
    kept_number: int
    BARRIER: ClassVar = True


EVENTS = (
    TableSet, HandDealt, SetupTicketsChosen, SetupTicketsReplaced, SetupCompleted, TurnStarted, TrainDeckShuffled,
    FaceUpCardTurned, FaceUpCardDrawn, BlindCardDrawn, MarketSwept, MarketLeftStanding, RouteClaimed, TicketsOffered,
    TicketsKept, LastRoundStarted, TicketsScored, LongestPathScored, GameEnded, TurnPassed, TurnPassed1, PlayStalled,
    SeatLeft,
)  # fmt: skip
SHAPES_1: dict[type[Event], type[Event]] = {TurnPassed: TurnPassed1}
"""Events that version 1 of the rules recorded in another shape."""
