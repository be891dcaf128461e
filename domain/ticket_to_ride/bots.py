"""Bots that see no more than their seat does: one plays at random, one sensibly.

The sensible bot plans the cheapest net for its tickets. It gathers all cards for the net before it claims the first
route, because cards are short with many seats, and opponents draw every card that is paid. When the tickets are done it
makes the claims that score most.
"""

import random
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from domain.chance import FreeChance
from domain.messages import Command
from domain.ticket_to_ride.board import (
    FEWEST_KEPT,
    FEWEST_KEPT_IN_SETUP,
    GRAY,
    POINTS_FOR_SPACES,
    ROUTES,
    TICKETS,
    Route,
)
from domain.ticket_to_ride.cards import COLOURS, LOCOMOTIVE, Count, held, size
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.decide import actions
from domain.ticket_to_ride.imagine import imagine
from domain.ticket_to_ride.rules.routes import Payment, open_routes, payments
from domain.ticket_to_ride.state import State
from domain.ticket_to_ride.view import TicketToRideView
from domain.ticket_to_ride.ways import cheapest, length


def play_at_random(view: TicketToRideView, dice: random.Random) -> tuple[Command, ...]:
    """Choose a kind of action, each equally likely, and then any action of that kind."""
    assert view.seat is not None
    kinds: dict[str, list[Command]] = {}
    for action in actions(imagine(view, FreeChance(dice)), view.seat):
        kind = "claim" if isinstance(action.command, ClaimRoute) else action.group
        kinds.setdefault(kind, []).append(action.command)
    return (dice.choice(kinds[dice.choice(sorted(kinds))]),)


def play_sensibly(view: TicketToRideView, dice: random.Random) -> tuple[Command, ...]:
    """Return the next command of the plan."""
    return (_Planner(view, dice).command(),)


HURRY_AT = 7  # trains of any seat: the end is near, when cards in hand will be worth nothing (TTR 8.13)
MORE_TICKETS_FROM = 22  # trains in stock with which another ticket can still be built
BROUGHT_BACK = 5  # cards that a seat draws at least from those the others have paid


class _Planner:
    """One decision. ``state`` is imagined: only the parts that the seat sees are used."""

    def __init__(self, view: TicketToRideView, dice: random.Random) -> None:
        assert view.seat is not None
        self.view, self.seat = view, view.seat
        self.state: State = imagine(view, FreeChance(dice))
        self.me = self.state.players[self.seat]
        self.open = {route.id: route for route in open_routes(self.state, self.seat)}
        self.mine = set(self.state.routes_of(self.seat))

    def command(self) -> Command:
        if self.me.offered:
            return self.choose_tickets()
        plan = self.plan(self.me.tickets)
        if self.view.step != "one_card":
            claim = self.claim(plan)
            if claim is not None:
                return claim
            if not plan and self.wants_tickets():
                return DrawTickets()
        if not self.state.nothing_to_draw:
            return self.draw(plan)
        return self.anything()

    # ==== tickets =================================================================================
    def choose_tickets(self) -> Command:
        """Return the tickets whose values outweigh the trains of their common net."""
        fewest = FEWEST_KEPT_IN_SETUP if self.view.phase == "setup" else FEWEST_KEPT
        offers = [
            kept for number in range(fewest, len(self.me.offered) + 1) for kept in combinations(self.me.offered, number)
        ]
        return KeepTickets(max(offers, key=self.worth))

    def worth(self, kept: Sequence[str]) -> float:
        wanted = (*self.me.tickets, *kept)
        plan, reached = self.net(wanted, min(self.me.trains, self.cards_to_come))
        cost = sum(ROUTES[route].spaces for route in plan)
        value = sum(TICKETS[ticket].points * (1 if ticket in reached else -1) for ticket in kept)
        return value + sum(POINTS_FOR_SPACES[ROUTES[route].spaces] for route in plan) - 1.6 * cost

    @property
    def cards_to_come(self) -> int:
        """Estimate the cards to rely on: the hand, a share of deck and discard pile, and a few more."""
        share = (size(self.state.deck) + size(self.state.discard)) // len(self.state.playing)
        return size(self.me.hand) + share + BROUGHT_BACK

    def wants_tickets(self) -> bool:
        return self.me.trains >= MORE_TICKETS_FROM and self.state.ticket_deck > 0 and not self.hurry

    @property
    def hurry(self) -> bool:
        return self.view.last_round_by is not None or min(seat.trains for seat in self.view.seats) <= HURRY_AT

    # ==== the plan ================================================================================
    def plan(self, tickets: Iterable[str]) -> list[Route]:
        """Return the routes still to claim for ``tickets``, the scarcest and longest first."""
        routes, _ = self.net(tickets, self.me.trains)
        return sorted((ROUTES[route] for route in routes), key=lambda route: (-route.spaces, route.id))

    def net(self, tickets: Iterable[str], left: int) -> tuple[set[str], set[str]]:
        """Return routes that join the cities of as many tickets as ``left`` spaces allow, cheap ones first; and those
        tickets.
        """
        planned: set[str] = set()
        reached: set[str] = set()
        waiting = [(self.way(ticket, planned), ticket) for ticket in tickets]
        waiting = [(way, ticket) for way, ticket in waiting if way is not None]
        for _, ticket in sorted(waiting, key=lambda pair: (self.cost(pair[0] or ()), pair[1])):
            way = self.way(ticket, planned)
            if way is not None and (cost := self.cost(way)) <= left:
                planned |= set(way)
                reached.add(ticket)
                left -= cost
        return planned, reached

    def cost(self, way: Collection[str]) -> int:
        return length(way)

    def way(self, ticket: str, planned: Collection[str]) -> list[str] | None:
        """Return the cheapest routes to claim so that the ticket is completed; None if that is impossible."""
        start, goal = TICKETS[ticket].a, TICKETS[ticket].b
        return cheapest(start, goal, self.mine.union(planned), self.open, each=0.4)

    # ==== claiming ================================================================================
    def claim(self, plan: Sequence[Route]) -> Command | None:
        """Claim a planned route, once all can be paid; without a plan, or in a hurry, the one that scores most."""
        need = self.need(plan)
        if self.gathers(plan, need):
            return None
        for route in plan:
            if (pay := self.payment(route, need)) is not None:
                return ClaimRoute(route.id, pay)
        if plan and not self.hurry:
            return None
        least = 1 if self.hurry or self.state.nothing_to_draw else 3
        found = [
            (POINTS_FOR_SPACES[route.spaces], route.id, pay)
            for route in self.open.values()
            if route.spaces >= least and (pay := self.payment(route, need)) is not None
        ]
        if not found:
            return None
        _, best, pay = max(found)
        return ClaimRoute(best, pay)

    def gathers(self, plan: Sequence[Route], need: Count) -> bool:
        """Are cards of the plan missing, with time left and a card to draw?"""
        if not plan or self.hurry or self.state.nothing_to_draw:
            return False
        hand = self.me.hand
        return sum(max(0, need[colour] - hand[colour]) for colour in COLOURS) > hand[LOCOMOTIVE]

    def payment(self, route: Route, need: Count) -> Payment | None:
        """Pay with the fewest locomotives, and on a gray route with the colour that is needed least elsewhere."""
        ways = payments(route, held(self.me.hand))
        if not ways:
            return None
        return min(ways, key=lambda pay: (pay.count(LOCOMOTIVE), need[pay[0]] - self.me.hand[pay[0]]))

    # ==== drawing =================================================================================
    def need(self, plan: Sequence[Route]) -> Count:
        """Count the cards of each kind that the plan needs; gray routes use the colour most held."""
        need: Count = {**dict.fromkeys(COLOURS, 0), LOCOMOTIVE: 0}
        gray = []
        for route in plan:
            if route.colour == GRAY:
                gray.append(route.spaces)
            else:
                need[route.colour] += route.spaces
        spare: Count = {colour: self.me.hand[colour] - need[colour] for colour in COLOURS}
        for spaces in sorted(gray, reverse=True):
            colour = max(COLOURS, key=lambda each: (min(spare[each], spaces), self.state.market.count(each), each))
            need[colour] += spaces
            spare[colour] -= spaces
        return need

    def draw(self, plan: Sequence[Route]) -> Command:
        """Draw the card of the market that is missing most, else a locomotive, else a blind card."""
        need = self.need(plan or self.longest_open())
        missing: Count = {colour: need[colour] - self.me.hand[colour] for colour in COLOURS}
        shown = {card for card in self.state.market if card is not None and card != LOCOMOTIVE}
        wanted = [card for card in shown if missing[card] > 0]
        lacking = sum(number for number in missing.values() if number > 0)
        if LOCOMOTIVE in self.state.market and self.view.step == "open" and not wanted and 0 < lacking <= 4:
            return DrawFaceUpCard(LOCOMOTIVE)
        if wanted:
            return DrawFaceUpCard(min(wanted, key=lambda card: (missing[card], card)))
        return DrawBlindCard()

    def longest_open(self) -> list[Route]:
        """Return the route to save for when no ticket is left to build."""
        routes = sorted(self.open.values(), key=lambda route: (-route.spaces, -self.have(route), route.id))
        return routes[:2]

    def have(self, route: Route) -> int:
        hand = self.me.hand
        return max(hand[colour] for colour in COLOURS) if route.colour == GRAY else hand[route.colour]

    def anything(self) -> Command:
        """If no card can be drawn and no planned route be paid, choose the action that costs the fewest cards, tickets
        last.
        """
        legal = actions(self.state, self.seat)
        claims = [action.command for action in legal if isinstance(action.command, ClaimRoute)]
        if claims:
            return min(claims, key=lambda claim: (len(claim.pay), claim.pay.count(LOCOMOTIVE)))
        return legal[0].command
