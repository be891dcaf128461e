"""Appendix C of the catalogue: the invariants of every position, by their numbers there. Information (19 to 23) is
tested with chapter 9 and by the contract tests.
"""

from collections import Counter

from domain import lifecycle
from domain.chain import Ply
from domain.game import Game
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import LONGEST_PATH_POINTS, POINTS_FOR_SPACES, ROUTES, TICKETS, TRAINS
from domain.ticket_to_ride.cards import ALL_CARDS, HAND_DEALT, KINDS, LOCOMOTIVE, size
from domain.ticket_to_ride.decide import result
from domain.ticket_to_ride.events import (
    BlindCardDrawn,
    FaceUpCardDrawn,
    MarketLeftStanding,
    RouteClaimed,
    TicketsOffered,
)
from domain.ticket_to_ride.state import State
from tests.contract.games import listed

TRAIN_CARDS_MOVED = (BlindCardDrawn, FaceUpCardDrawn, RouteClaimed)


class Invariants:
    """One game, ply by ply."""

    def __init__(self) -> None:
        self.drawn: Counter[int] = Counter()
        self.ticket_draws = 0
        self.before: State | None = None

    def after(self, ply: Ply, game: Game) -> None:
        state: State = game.state
        self.drawn.update(event.seat for event in ply.events if isinstance(event, BlindCardDrawn | FaceUpCardDrawn))
        if state.phase != "setup":
            self.ticket_draws += sum(isinstance(event, TicketsOffered) for event in ply.events)
        taken_back = any(isinstance(event, lifecycle.TakenBack) for event in ply.events)
        self.cards(ply, state, taken_back)
        self.trains_and_routes(ply, state)
        self.tickets(state, taken_back)
        self.score(state, taken_back)
        self.order(state)
        self.end(state)
        self.before = state

    def cards(self, ply: Ply, state: State, taken_back: bool) -> None:
        piles = [state.deck, state.discard, Counter(state.market), *(each.hand for each in state.players.values())]
        for kind in KINDS:
            assert sum(pile[kind] for pile in piles) == ALL_CARDS[kind], f"C1 {kind}"
        assert all(number >= 0 for pile in piles for number in pile.values()), "C1"
        assert len(state.market) == 5, "C2"
        assert None not in state.market, "C2"
        assert size(state.deck) or not size(state.discard), "C3"
        if any(isinstance(event, TRAIN_CARDS_MOVED) for event in ply.events):
            left = any(isinstance(event, MarketLeftStanding) for event in ply.events)
            assert left == state.standing, "C4"
        if not taken_back:
            assert (state.market.count(LOCOMOTIVE) >= 3) == state.standing, "C4"
        for seat, player in state.players.items():
            placed = TRAINS - player.trains
            assert size(player.hand) == HAND_DEALT + self.drawn[seat] - placed, "C5"
            assert all(player.seen[kind] <= player.hand[kind] for kind in KINDS)

    def trains_and_routes(self, ply: Ply, state: State) -> None:
        for seat, player in state.players.items():
            own = state.routes_of(seat)
            assert player.trains + sum(ROUTES[route].spaces for route in own) == TRAINS, "C6"
            assert player.trains >= 0, "C6"
            assert not any(ROUTES[route].twin in own for route in own), "C7"
        if len(state.players) < 4:
            assert not any(ROUTES[route].twin in state.owners for route in state.owners), "C7"
        for event in ply.events:
            if isinstance(event, RouteClaimed):
                route = ROUTES[event.route]
                colours = set(event.paid) - {LOCOMOTIVE}
                assert len(event.paid) == route.spaces, "C8"
                assert len(colours) <= 1, "C8"
                assert route.colour == "gray" or colours <= {route.colour}, "C8"

    def tickets(self, state: State, taken_back: bool) -> None:
        places = [*state.tickets, *(ticket for _, ticket in state.bottom)]
        for seat, player in state.players.items():
            places += [*player.tickets, *player.offered]
            assert set(player.chosen or ()) <= set(player.offered), "C9"
            if state.phase == "setup":
                continue
            if player.chosen is None and not player.offered:  # the game may have ended in setup
                assert len(player.tickets) >= 2, "C10"
            if state.phase == "play":
                assert not player.offered or seat == state.on_turn, "C11"
            if self.before is not None and not taken_back:
                assert len(player.tickets) >= len(self.before.players[seat].tickets), "C10"
        assert sorted(places) == sorted(TICKETS), "C9"

    def score(self, state: State, taken_back: bool) -> None:
        for seat, player in state.players.items():
            routes = sum(POINTS_FOR_SPACES[ROUTES[route].spaces] for route in state.routes_of(seat))
            if state.phase != "over":
                assert player.points == routes, "C12"
                if self.before is not None and self.before.players and not taken_back:
                    assert player.points >= self.before.players[seat].points, "C12"
                continue
            tickets = state.final.tickets[seat]
            value = sum(TICKETS[ticket].points for ticket in tickets.completed)
            value -= sum(TICKETS[ticket].points for ticket in tickets.missed)
            bonus = LONGEST_PATH_POINTS if seat in state.final.holders else 0
            assert player.points == routes + value + bonus, "C13"
            lines = dict(next(line for line in result(state).standings if line.seat == seat).lines)
            assert lines == {"routes": routes, "tickets": value, "longest_path": bonus}, "C13"
        if state.phase == "over":
            claimed = any(not state.players[seat].left for seat in state.owners.values())
            assert bool(state.final.holders) == claimed, "C14"

    def order(self, state: State) -> None:
        if state.phase != "play":
            assert state.on_turn is None, "C15"
            return
        assert state.on_turn in state.playing, "C15"
        if len(state.playing) == len(state.players):
            assert state.on_turn == state.in_turn_order[(state.turn - 1) % len(state.players)], "C15"
        for seat in state.playing:
            if state.players[seat].trains <= 2 and seat != state.on_turn:
                assert state.last_round_by is not None, "C16"
        assert set(state.last_turns) <= set(state.playing) - {state.on_turn}, "C16"
        assert len(set(state.last_turns)) == len(state.last_turns), "C16"

    def end(self, state: State) -> None:
        if state.phase != "over":
            assert any(listed(TITLE, state, seat) for seat in state.playing), "C17"
        seats = len(state.players)
        assert sum(self.drawn.values()) <= 105 + 41 * seats, "C18"
        assert len(state.owners) <= (78 if seats < 4 else 100), "C18"
        assert self.ticket_draws <= 30 - 2 * seats, "C18"
