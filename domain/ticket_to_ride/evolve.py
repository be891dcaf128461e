"""One lookup from event to bookkeeping. It applies events and decides nothing; no rule hides here."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import UnsetType
from msgspec.structs import replace

from domain.messages import Event
from domain.ticket_to_ride import events as e
from domain.ticket_to_ride.board import TICKETS
from domain.ticket_to_ride.cards import LOCOMOTIVE, NO_CARDS, minus, plus
from domain.ticket_to_ride.state import Player, State, TicketScore

T = TypeVar("T")


def _own(field: T | UnsetType) -> T:
    """Return a field that only its own seat may see: the table is folded from whole events, so the field is there."""
    return field  # type: ignore[return-value]


def _seated(state: State, seat: int, player: Player) -> dict[int, Player]:
    players = state.players.copy()
    players[seat] = player
    return players


# ==== TTR 2: setup ================================================================================
def table_set(state: State, event: e.TableSet) -> State:
    players = {seat: Player(colour) for seat, colour in enumerate(event.colours, 1)}
    return replace(state, players=players, first_seat=event.first_seat, tickets=tuple(sorted(TICKETS)))


def hand_dealt(state: State, event: e.HandDealt) -> State:
    player, cards = state.players[event.seat], _own(event.cards)
    dealt = replace(player, hand=plus(player.hand, cards))
    return replace(state, players=_seated(state, event.seat, dealt), deck=minus(state.deck, cards))


def setup_tickets_chosen(state: State, event: e.SetupTicketsChosen | e.SetupTicketsReplaced) -> State:
    player = replace(state.players[event.seat], chosen=event.kept)
    return replace(state, players=_seated(state, event.seat, player))


def setup_completed(state: State, event: e.SetupCompleted) -> State:
    players, bottom = dict(state.players), list(state.bottom)
    for seat, _ in event.kept:
        player = players[seat]
        kept = player.chosen or ()
        returned = tuple(ticket for ticket in player.offered if ticket not in kept)
        bottom += [(seat, ticket) for ticket in returned]
        players[seat] = replace(player, tickets=kept, offered=(), chosen=None, returned=returned)
    return replace(state, phase="play", players=players, bottom=tuple(bottom))


# ==== TTR 3: the turn =============================================================================
def turn_started(state: State, event: e.TurnStarted) -> State:
    seat, last_turns = event.seat, state.last_turns
    if seat in last_turns:
        last_turns = tuple(each for each in last_turns if each != seat)
    return replace(state, on_turn=seat, turn=event.turn, step="open", last_turns=last_turns)


# ==== TTR 4: train cards ==========================================================================
def train_deck_shuffled(state: State, event: e.TrainDeckShuffled) -> State:
    return replace(state, deck=state.discard, discard=NO_CARDS)


def face_up_card_turned(state: State, event: e.FaceUpCardTurned) -> State:
    card = event.card
    market, deck = list(state.market), state.deck.copy()
    market[event.slot - 1] = card
    deck[card] -= 1
    return replace(state, market=tuple(market), deck=deck)


def face_up_card_drawn(state: State, event: e.FaceUpCardDrawn) -> State:
    seat, card = event.seat, event.card
    players, market = state.players.copy(), list(state.market)
    player = players[seat]
    hand, seen = player.hand.copy(), player.seen.copy()
    hand[card] += 1
    seen[card] += 1
    players[seat] = replace(player, hand=hand, seen=seen)
    market[event.slot - 1] = None
    step = "complete" if card == LOCOMOTIVE or state.step == "one_card" else "one_card"
    return replace(state, players=players, market=tuple(market), step=step, standing=False, passed=())


def blind_card_drawn(state: State, event: e.BlindCardDrawn) -> State:
    seat, card = event.seat, _own(event.card)
    players, deck = state.players.copy(), state.deck.copy()
    player = players[seat]
    hand = player.hand.copy()
    hand[card] += 1
    deck[card] -= 1
    players[seat] = replace(player, hand=hand)
    step = "complete" if state.step == "one_card" else "one_card"
    return replace(state, players=players, deck=deck, step=step, standing=False, passed=())


def market_swept(state: State, event: e.MarketSwept) -> State:
    return replace(state, market=(None,) * len(event.cards), discard=plus(state.discard, event.cards))


def market_left_standing(state: State, event: e.MarketLeftStanding) -> State:
    return replace(state, standing=True)


# ==== TTR 5: routes ===============================================================================
def route_claimed(state: State, event: e.RouteClaimed) -> State:
    seat = event.seat
    players, owners, discard = state.players.copy(), state.owners.copy(), state.discard.copy()
    player = players[seat]
    hand, seen = player.hand.copy(), player.seen.copy()
    for card in event.paid:
        hand[card] -= 1
        discard[card] += 1
        if seen[card]:
            seen[card] -= 1
    points = player.points + event.points
    players[seat] = replace(player, trains=event.trains, points=points, hand=hand, seen=seen)
    owners[event.route] = seat
    return replace(state, players=players, owners=owners, discard=discard, step="complete", standing=False, passed=())


# ==== TTR 6: tickets ==============================================================================
def tickets_offered(state: State, event: e.TicketsOffered) -> State:
    player = replace(state.players[event.seat], offered=event.tickets)
    from_set = set(_own(event.tickets))
    below = max(0, event.number - len(state.tickets))  # dealt from the returned tickets, which lie below the set
    return replace(
        state,
        players=_seated(state, event.seat, player),
        tickets=tuple(ticket for ticket in state.tickets if ticket not in from_set),
        bottom=state.bottom[below:],
        step="tickets" if state.phase == "play" else state.step,
        passed=(),
    )


def tickets_kept(state: State, event: e.TicketsKept) -> State:
    seat, player, returned = event.seat, state.players[event.seat], _own(event.returned)
    kept = replace(player, tickets=player.tickets + _own(event.kept), offered=(), returned=player.returned + returned)
    bottom = state.bottom + tuple((seat, ticket) for ticket in returned)
    return replace(state, players=_seated(state, seat, kept), bottom=bottom, step="complete")


# ==== TTR 7 and 8: the end ========================================================================
def last_round_started(state: State, event: e.LastRoundStarted) -> State:
    return replace(state, last_round_by=event.seat, last_turns=event.order)


def tickets_scored(state: State, event: e.TicketsScored) -> State:
    score = TicketScore(event.completed, event.missed, event.points)
    return replace(state, final=replace(state.final, tickets={**state.final.tickets, event.seat: score}))


def longest_path_scored(state: State, event: e.LongestPathScored) -> State:
    return replace(state, final=replace(state.final, paths=event.paths, holders=event.holders))


def game_ended(state: State, event: e.GameEnded) -> State:
    players = {
        seat: replace(state.players[seat], points=routes + tickets + longest)
        for seat, routes, tickets, longest, _ in event.scores
    }
    final = replace(state.final, scores=event.scores, winners=event.winners)
    return replace(state, phase="over", players={**state.players, **players}, on_turn=None, final=final)


# ==== TTR 10: playing by post =====================================================================
def turn_passed(state: State, event: e.TurnPassed | e.TurnPassed1) -> State:
    return replace(state, step="complete", passed=(*state.passed, event.seat))


def play_stalled(state: State, event: e.PlayStalled) -> State:
    return state


def seat_left(state: State, event: e.SeatLeft) -> State:
    player = replace(state.players[event.seat], left=True)
    if state.phase == "setup":
        if player.chosen is None:
            player = replace(player, chosen=player.offered)
    else:
        player = replace(player, tickets=player.tickets + player.offered, offered=())
    last_turns = tuple(seat for seat in state.last_turns if seat != event.seat)
    passed = tuple(seat for seat in state.passed if seat != event.seat)
    return replace(state, players=_seated(state, event.seat, player), last_turns=last_turns, passed=passed)


BOOKKEEPING: dict[type[Event], Callable[[State, Any], State]] = {
    e.TableSet: table_set,
    e.HandDealt: hand_dealt,
    e.SetupTicketsChosen: setup_tickets_chosen,
    e.SetupTicketsReplaced: setup_tickets_chosen,
    e.SetupCompleted: setup_completed,
    e.TurnStarted: turn_started,
    e.TrainDeckShuffled: train_deck_shuffled,
    e.FaceUpCardTurned: face_up_card_turned,
    e.FaceUpCardDrawn: face_up_card_drawn,
    e.BlindCardDrawn: blind_card_drawn,
    e.MarketSwept: market_swept,
    e.MarketLeftStanding: market_left_standing,
    e.RouteClaimed: route_claimed,
    e.TicketsOffered: tickets_offered,
    e.TicketsKept: tickets_kept,
    e.LastRoundStarted: last_round_started,
    e.TicketsScored: tickets_scored,
    e.LongestPathScored: longest_path_scored,
    e.GameEnded: game_ended,
    e.TurnPassed: turn_passed,
    e.TurnPassed1: turn_passed,
    e.PlayStalled: play_stalled,
    e.SeatLeft: seat_left,
}
"""Every event of `events.EVENTS` has an entry here."""
