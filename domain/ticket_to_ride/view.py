"""The part of a game that one seat, or a spectator, may see (TTR 9). It is built from nothing, never stripped from a
full state.
"""

import msgspec

from domain.rules import Result
from domain.ticket_to_ride.cards import Card, Count, SeatColour, size
from domain.ticket_to_ride.decide import asked, result
from domain.ticket_to_ride.rules.scoring import completed_tickets, longest_path
from domain.ticket_to_ride.state import Phase, Player, State, Step


class Private(msgspec.Struct, frozen=True):
    """The part that only its own seat sees until the game is over (TTR 9.2, 9.6, 9.7, 9.10).

    ``hand``: number of each kind. ``tickets``: kept; ``completed``: the completed ones of these. ``offered``: to choose
    among now, in the order dealt. ``chosen``: in setup, those it keeps unless it chooses again. ``returned``: every
    ticket it ever returned.
    """

    hand: Count
    tickets: tuple[str, ...]
    completed: tuple[str, ...]
    offered: tuple[str, ...]
    chosen: tuple[str, ...] | None
    returned: tuple[str, ...]


class SeatView(msgspec.Struct, frozen=True):
    """A seat (TTR 9.1). ``points``: so far, for routes only until the game is over.

    ``cards``: in hand; ``seen``: the least number of each kind that everybody knows to be among them. ``tickets``: the
    number it keeps. ``offered``: the number it is choosing among. ``chosen``: in setup, whether it has chosen.
    ``longest_path``: its length (TTR 9.8). ``left``: it is out of the game. ``private``: None for everybody else.
    """

    seat: int
    colour: SeatColour
    trains: int
    points: int
    cards: int
    seen: Count
    tickets: int
    offered: int
    chosen: bool
    longest_path: int
    left: bool
    private: Private | None


class Returned(msgspec.Struct, frozen=True):
    """A ticket at the bottom of the deck: the seat that returned it and, for viewers who may know, the ticket (TTR
    9.7).
    """

    seat: int
    ticket: str | None


class TicketToRideView(msgspec.Struct, frozen=True):
    """A game as ``seat`` sees it (None: a spectator). Everything is an id, a number or a list of these.

    ``step``: of the turn: "open", "one_card" (a second is to be drawn), "tickets" (to choose among those drawn),
    "complete". ``market``: slots 1 to 5. ``standing``: three or more locomotives lie there all the same (TTR 4.9).
    ``train_deck``: its size; ``discard``: number of each kind. ``ticket_deck``: its size, ``bottom`` included: the
    returned tickets, the next first. ``owners``: route -> seat. ``last_round_by``: the seat that triggered it;
    ``last_turns``: the seats whose last turn has not begun. ``passed``: the seats passed for since the last action.
    ``paths``: at the end, (seat, length, routes) of a longest path of each. ``result``: once the game is over.
    """

    seat: int | None
    phase: Phase
    asked: tuple[int, ...]
    first_seat: int
    on_turn: int | None
    turn: int
    step: Step
    market: tuple[Card | None, ...]
    standing: bool
    train_deck: int
    discard: Count
    ticket_deck: int
    bottom: tuple[Returned, ...]
    owners: dict[str, int]
    last_round_by: int | None
    last_turns: tuple[int, ...]
    passed: tuple[int, ...]
    seats: tuple[SeatView, ...]
    paths: tuple[tuple[int, int, tuple[str, ...]], ...]
    result: Result | None

    @property
    def own(self) -> SeatView | None:
        """The viewer's own seat."""
        return None if self.seat is None else self.seats[self.seat - 1]


def view(state: State, seat: int | None) -> TicketToRideView:
    """TTR 9 Return everything that ``seat`` may see. TTR 9.10 When the game is over everything is open."""
    over = state.phase == "over"
    return TicketToRideView(
        seat=seat,
        phase=state.phase,
        asked=asked(state),
        first_seat=state.first_seat,
        on_turn=state.on_turn,
        turn=state.turn,
        step=state.step,
        market=state.market,
        standing=state.standing,
        train_deck=size(state.deck),
        discard=state.discard,
        ticket_deck=state.ticket_deck,
        bottom=tuple(Returned(by, ticket if over or by == seat else None) for by, ticket in state.bottom),
        owners=state.owners,
        last_round_by=state.last_round_by,
        last_turns=state.last_turns,
        passed=state.passed,
        seats=tuple(seat_view(state, each, over or each == seat) for each in state.players),
        paths=state.final.paths,
        result=result(state),
    )


def seat_view(state: State, seat: int, private: bool) -> SeatView:
    """TTR 9.1 Return the public part of a seat, and its private part if that may be shown."""
    player, routes = state.players[seat], state.routes_of(seat)
    return SeatView(
        seat=seat,
        colour=player.colour,
        trains=player.trains,
        points=player.points,
        cards=size(player.hand),
        seen=player.seen,
        tickets=len(player.tickets),
        offered=len(player.offered),
        chosen=player.chosen is not None,
        longest_path=longest_path(routes)[0],
        left=player.left,
        private=private_view(player, routes) if private else None,
    )


def private_view(player: Player, routes: tuple[str, ...]) -> Private:
    return Private(
        hand=player.hand,
        tickets=player.tickets,
        completed=completed_tickets(player.tickets, routes),
        offered=player.offered,
        chosen=player.chosen,
        returned=player.returned,
    )
