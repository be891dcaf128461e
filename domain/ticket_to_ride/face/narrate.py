"""The events in sentences: one for each event that a player would mention, none for bookkeeping.

`narrate` describes one ply from its events, as far as its reader may see them; `hand` and `standing` describe a view.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from domain import house_words
from domain.messages import Event
from domain.ticket_to_ride import events as happened
from domain.ticket_to_ride.board import LONGEST_PATH_POINTS
from domain.ticket_to_ride.cards import Card, counted, spread
from domain.ticket_to_ride.view import SeatView, TicketToRideView
from domain.words import Sentence


class _Ply(house_words.EventsOfPly):
    """The facts of a ply that narrators of this title need besides their own event."""

    def market(self) -> tuple[Card, ...]:
        """Return the five cards turned up last."""
        return tuple(turned.card for turned in self.each(happened.FaceUpCardTurned)[-5:])


def narrate(events: Sequence[Event]) -> list[Sentence]:
    """Return sentences for the events of one ply."""
    ply = _Ply(events)
    return [sentence for event in events for sentence in house_words.tell(event, TELLERS, ply)]


# ==== TTR 2: setup ================================================================================
def _table_set(event: happened.TableSet, ply: _Ply) -> list[Sentence]:
    begun = Sentence("The game begins. {first_seat} plays first.", {"first_seat": event.first_seat})
    colours = [
        Sentence("{seat} plays {colour}.", {"seat": seat, "colour": colour})
        for seat, colour in enumerate(event.colours, 1)
    ]
    if ply.has(happened.MarketSwept):
        return [begun, *colours]
    return [begun, *colours, Sentence("The market shows {cards}.", {"cards": ply.market()})]


def _hand_dealt(event: happened.HandDealt, ply: _Ply) -> list[Sentence]:
    if event.cards is UNSET:
        return []
    return [Sentence("{seat} is dealt {cards}.", {"seat": event.seat, "cards": counted(event.cards)})]


def _setup_tickets_chosen(event: happened.SetupTicketsChosen, ply: _Ply) -> list[Sentence]:
    if event.kept is UNSET:
        return [Sentence("{seat} has chosen tickets.", {"seat": event.seat})]
    return [Sentence("{seat} chooses to keep {tickets}.", {"seat": event.seat, "tickets": event.kept})]


def _setup_tickets_replaced(event: happened.SetupTicketsReplaced, ply: _Ply) -> list[Sentence]:
    return [Sentence("{seat} now chooses to keep {tickets}.", {"seat": event.seat, "tickets": event.kept})]


def _setup_completed(event: happened.SetupCompleted, ply: _Ply) -> list[Sentence]:
    return [
        Sentence("{seat} keeps {number:ticket|tickets}.", {"seat": seat, "number": number})
        for seat, number in event.kept
    ]


# ==== TTR 4: train cards ==========================================================================
def _face_up_card_drawn(event: happened.FaceUpCardDrawn, ply: _Ply) -> list[Sentence]:
    turned = ply.each(happened.FaceUpCardTurned)[0]
    facts = {"seat": event.seat, "card": event.card, "new": turned.card}
    return [Sentence("{seat} takes a card from the market: {card}. The new card is {new}.", facts)]


def _blind_card_drawn(event: happened.BlindCardDrawn, ply: _Ply) -> list[Sentence]:
    if event.card is UNSET:
        return [Sentence("{seat} draws a card from the deck.", {"seat": event.seat})]
    return [Sentence("{seat} draws a card from the deck: {card}.", {"seat": event.seat, "card": event.card})]


def _market_swept(event: happened.MarketSwept, ply: _Ply) -> list[Sentence]:
    """Describe a chain of sweeps once, with the market at its end."""
    sweeps = ply.each(happened.MarketSwept)[-1].sweep
    if event.sweep != sweeps:
        return []
    facts = {"sweeps": sweeps, "cards": ply.market()}
    if sweeps == 1:
        return [Sentence("Three locomotives: the market is replaced and shows {cards}.", facts)]
    return [Sentence("Three locomotives, {sweeps} times in a row: the market is replaced and shows {cards}.", facts)]


def _market_left_standing(event: happened.MarketLeftStanding, ply: _Ply) -> list[Sentence]:
    if event.limit == "ten_sweeps":
        return [Sentence("After ten replacements the market stays as it is.")]
    return [Sentence("The market stays as it is: there are hardly any other cards left.")]


# ==== TTR 5: routes ===============================================================================
def _route_claimed(event: happened.RouteClaimed, ply: _Ply) -> list[Sentence]:
    facts = {
        "seat": event.seat,
        "route": event.route,
        "cards": counted(event.paid),
        "points": event.points,
        "trains": event.trains,
    }
    return [Sentence("{seat} claims {route} for {cards}: {points:point|points}, {trains:train|trains} left.", facts)]


# ==== TTR 6: tickets ==============================================================================
def _tickets_offered(event: happened.TicketsOffered, ply: _Ply) -> list[Sentence]:
    if event.tickets is not UNSET:
        return [Sentence("{seat} may choose from {tickets}.", {"seat": event.seat, "tickets": event.tickets})]
    if ply.has(happened.TableSet):
        return []
    return [Sentence("{seat} draws {number:ticket|tickets}.", {"seat": event.seat, "number": event.number})]


def _tickets_kept(event: happened.TicketsKept, ply: _Ply) -> list[Sentence]:
    if event.kept is UNSET:
        facts = {"seat": event.seat, "kept": event.kept_number, "returned": event.returned_number}
        return [Sentence("{seat} keeps {kept:ticket|tickets} and returns {returned}.", facts)]
    kept = {"seat": event.seat, "tickets": event.kept, "returned": event.returned}
    if not event.returned:
        return [Sentence("{seat} keeps {tickets}.", kept)]
    return [Sentence("{seat} keeps {tickets} and returns {returned}.", kept)]


# ==== TTR 7 and 8: the end ========================================================================
def _last_round_started(event: happened.LastRoundStarted, ply: _Ply) -> list[Sentence]:
    return [
        Sentence("{seat} has hardly any trains left: the last round begins.", {"seat": event.seat}),
        Sentence("One more turn each, in this order: {order_seat}.", {"order_seat": event.order}),
    ]


def _longest_path_scored(event: happened.LongestPathScored, ply: _Ply) -> list[Sentence]:
    if not event.holders:
        return [Sentence("Nobody gets the longest-path card.")]
    lengths = {seat: length for seat, length, _ in event.paths}
    return [
        Sentence(
            "{seat} has the longest path, {length:space|spaces}: {points:point|points}.",
            {"seat": seat, "length": lengths[seat], "points": LONGEST_PATH_POINTS},
        )
        for seat in event.holders
    ]


def _game_ended(event: happened.GameEnded, ply: _Ply) -> list[Sentence]:
    totals = {seat: routes + tickets + longest for seat, routes, tickets, longest, _ in event.scores}
    best = {"points": totals[event.winners[0]]}
    if len(event.winners) == 1:
        return [Sentence("{seat} wins with {points:point|points}.", {"seat": event.winners[0], **best})]
    return [
        Sentence(
            "{winners_seat} share the victory with {points:point|points}.", {"winners_seat": event.winners, **best}
        )
    ]


# ==== TTR 10: playing by post =====================================================================
def _seat_left(event: happened.SeatLeft, ply: _Ply) -> list[Sentence]:
    """Tell of the tickets only: the service has its own sentence about leaving."""
    if not event.kept_number:
        return []
    facts = {"seat": event.seat, "number": event.kept_number}
    return [Sentence("{seat} has left, so the {number:ticket|tickets} on offer to that seat are out of play.", facts)]


TELLERS: Mapping[type[Event], house_words.Teller] = {
    happened.TableSet: _table_set,
    happened.HandDealt: _hand_dealt,
    happened.SetupTicketsChosen: _setup_tickets_chosen,
    happened.SetupTicketsReplaced: _setup_tickets_replaced,
    happened.SetupCompleted: _setup_completed,
    happened.FaceUpCardDrawn: _face_up_card_drawn,
    happened.BlindCardDrawn: _blind_card_drawn,
    happened.TrainDeckShuffled: Sentence("The discard pile ({cards:card|cards}) is reshuffled into a new deck."),
    happened.MarketSwept: _market_swept,
    happened.MarketLeftStanding: _market_left_standing,
    happened.RouteClaimed: _route_claimed,
    happened.TicketsOffered: _tickets_offered,
    happened.TicketsKept: _tickets_kept,
    happened.LastRoundStarted: _last_round_started,
    happened.TicketsScored: Sentence(
        "{seat} gets {points:point|points} for tickets. Completed: {completed}. Not completed: {missed}."
    ),
    happened.LongestPathScored: _longest_path_scored,
    happened.GameEnded: _game_ended,
    **dict.fromkeys((happened.TurnPassed, happened.TurnPassed1), Sentence("{seat} cannot do anything and is skipped.")),
    happened.PlayStalled: Sentence("No player can do anything any more. Final scoring follows."),
    happened.SeatLeft: _seat_left,
}
"""Turns that begin and single cards turned up have no sentence."""


# ==== from a view =================================================================================
def hand(view: TicketToRideView) -> list[Sentence]:
    """TTR 9.2, 9.6, 9.7 Describe everything that only the viewer sees."""
    own = view.own
    if own is None or own.private is None or own.left:
        return []
    private = own.private
    told = [Sentence("Your train cards: {cards}.", {"cards": counted(tuple(spread(private.hand)))})]
    if private.chosen is not None:
        told.append(
            Sentence("You keep {tickets}. You can change this until everybody has chosen.", {"tickets": private.chosen})
        )
    elif private.offered:
        told.append(Sentence("You may choose from {tickets}.", {"tickets": private.offered}))
    if private.completed:
        told.append(Sentence("Your completed tickets: {tickets}.", {"tickets": private.completed}))
    if missing := tuple(ticket for ticket in private.tickets if ticket not in private.completed):
        told.append(Sentence("Your tickets still to complete: {tickets}.", {"tickets": missing}))
    if private.returned:
        told.append(Sentence("You have returned {tickets}.", {"tickets": private.returned}))
    return told


def standing(view: TicketToRideView) -> list[Sentence]:
    """Describe points, trains and numbers of cards of each seat so far, the leader first; seats that left come last."""
    return [_stand(view, seat) for seat in sorted(view.seats, key=lambda seat: (seat.left, -seat.points, seat.seat))]


def _stand(view: TicketToRideView, seat: SeatView) -> Sentence:
    ahead = sum(not other.left and other.points > seat.points for other in view.seats)
    facts: dict[str, Any] = {
        "rank": ahead + 1,
        "seat": seat.seat,
        "colour": seat.colour,
        "points": seat.points,
        "trains": seat.trains,
        "cards": seat.cards,
        "tickets": seat.tickets + seat.offered,
    }
    if seat.left:
        return Sentence("{seat} ({colour}) has left the game with {points:point|points}.", facts)
    if view.result is not None:
        facts["rank"] = view.result.standings[seat.seat - 1].place
        return Sentence("{rank}. {seat} ({colour}): {points:point|points}.", facts)
    return Sentence(
        "{rank}. {seat} ({colour}): {points:point|points}, {trains:train|trains}, "
        "{cards:train card|train cards}, {tickets:ticket|tickets}.",
        facts,
    )


def why_asked(view: TicketToRideView) -> Sentence | None:
    """TTR 2.7, 3.1 to 3.3, 7.2 Setup is for all at once; then turns go clockwise, and a begun action is finished."""
    if view.phase == "setup":
        return Sentence("all choose their first tickets at the same time")
    if not view.asked:
        return None
    if view.step == "one_card":
        return Sentence("the second train card is still to be drawn")
    if view.step == "tickets":
        return Sentence("tickets must be chosen")
    if view.last_round_by is not None:
        return Sentence("the last turn")
    return Sentence("next in turn order") if view.turn > 1 else Sentence("chosen by lot to start")


def asks(view: TicketToRideView) -> Sentence:
    """TTR 2.7, 3.1 Return what a seat that the game waits for has to do."""
    if view.phase == "setup":
        return Sentence("Choose your first tickets")
    if view.step == "one_card":
        return Sentence("Draw your second card")
    if view.step == "tickets":
        return Sentence("Choose your tickets")
    return Sentence("Draw cards or tickets, or claim a route")
