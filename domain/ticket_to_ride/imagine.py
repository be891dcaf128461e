"""A full table behind a view: the unseen parts are dealt at random, consistent with the view."""

from collections.abc import Sequence

from domain.chance import Bag, Chance
from domain.ticket_to_ride.board import FEWEST_KEPT_IN_SETUP, TICKETS
from domain.ticket_to_ride.cards import ALL_CARDS, Count, minus, plus, size, spread
from domain.ticket_to_ride.rules.scoring import completed_tickets
from domain.ticket_to_ride.state import Final, Player, State, TicketScore
from domain.ticket_to_ride.view import SeatView, TicketToRideView


def imagine(view: TicketToRideView, chance: Chance) -> State:
    """Return a state that looks like ``view`` to its seat."""
    deck, hands = _hands(view, chance)
    cards = _Tickets(view, chance)
    bottom = tuple((lying.seat, lying.ticket or cards.take(1)[0]) for lying in view.bottom)
    return State(
        phase=view.phase,
        players={each.seat: _player(each, hands[each.seat], cards, bottom) for each in view.seats},
        first_seat=view.first_seat,
        on_turn=view.on_turn,
        turn=view.turn,
        step=view.step,
        deck=deck,
        market=view.market,
        discard=view.discard,
        standing=view.standing,
        tickets=tuple(cards.left),
        bottom=bottom,
        owners=view.owners,
        last_round_by=view.last_round_by,
        last_turns=view.last_turns,
        passed=view.passed,
        final=_final(view),
    )


def _hands(view: TicketToRideView, chance: Chance) -> tuple[Count, dict[int, Count]]:
    """Return the deck and every hand: cards known to be in a hand are in it, the rest comes from the unseen cards."""
    hands = {each.seat: each.private.hand if each.private else each.seen for each in view.seats}
    unseen = minus(ALL_CARDS, [card for card in view.market if card])
    for shown in (view.discard, *hands.values()):
        unseen = minus(unseen, spread(shown))
    for each in view.seats:
        if missing := each.cards - size(hands[each.seat]):
            dealt = chance.draw("imagined hand", Bag(unseen), missing)
            hands[each.seat] = plus(hands[each.seat], dealt)
            unseen = minus(unseen, dealt)
    return unseen, hands


class _Tickets:
    """The tickets that the view does not place, dealt in the numbers that it gives."""

    def __init__(self, view: TicketToRideView, chance: Chance) -> None:
        self.chance = chance
        placed = {lying.ticket for lying in view.bottom}
        for each in view.seats:
            if each.private:
                placed |= {*each.private.tickets, *each.private.offered}
        self.left = sorted(set(TICKETS) - placed)

    def take(self, number: int) -> tuple[str, ...]:
        if not number:
            return ()
        taken = self.chance.draw("imagined tickets", self.left, number)
        self.left = [ticket for ticket in self.left if ticket not in taken]
        return tuple(taken)

    def chosen(self, offered: Sequence[str]) -> tuple[str, ...]:
        """Return a choice of setup that somebody may have made."""
        number = self.chance.draw("imagined choice", range(FEWEST_KEPT_IN_SETUP, len(offered) + 1))[0]
        kept = self.chance.draw("imagined choice", offered, number)
        return tuple(ticket for ticket in offered if ticket in kept)


def _player(seen: SeatView, hand: Count, cards: _Tickets, bottom: tuple[tuple[int, str], ...]) -> Player:
    if private := seen.private:
        tickets, offered, chosen, returned = private.tickets, private.offered, private.chosen, private.returned
    else:
        tickets, offered = cards.take(seen.tickets), cards.take(seen.offered)
        chosen = cards.chosen(offered) if seen.chosen else None
        returned = tuple(ticket for seat, ticket in bottom if seat == seen.seat)
    return Player(seen.colour, seen.trains, seen.points, hand, seen.seen, tickets, offered, chosen, returned, seen.left)


def _final(view: TicketToRideView) -> Final:
    """Return the result of final scoring; nothing of it is hidden."""
    if view.result is None:
        return Final()
    tickets = {each.seat: _ticket_score(view, each) for each in view.seats}
    scores, holders = [], []
    around = [*range(view.first_seat, len(view.seats) + 1), *range(1, view.first_seat)]
    for seat in around:
        standing = view.result.standings[seat - 1]
        parts = dict(standing.lines)
        scores.append((seat, parts["routes"], parts["tickets"], parts["longest_path"], standing.place))
        if parts["longest_path"]:
            holders.append(seat)
    winners = tuple(seat for seat in around if seat in view.result.winners)
    return Final(tickets, view.paths, tuple(holders), tuple(scores), winners)


def _ticket_score(view: TicketToRideView, seat: SeatView) -> TicketScore:
    assert seat.private is not None
    assert view.result is not None
    kept = (*seat.private.tickets, *(seat.private.chosen or ()))
    routes = [route for route, owner in view.owners.items() if owner == seat.seat]
    completed = completed_tickets(kept, routes)
    missed = tuple(ticket for ticket in kept if ticket not in completed)
    return TicketScore(completed, missed, dict(view.result.standings[seat.seat - 1].lines)["tickets"])
