"""The rules in one look: who is asked, which function answers which command, what follows by itself, what is legal."""

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any, cast

from domain.chance import Chance
from domain.lifecycle import Why
from domain.messages import Command
from domain.ticket_to_ride.board import FEWEST_KEPT, FEWEST_KEPT_IN_SETUP
from domain.ticket_to_ride.cards import KINDS, LOCOMOTIVE, Card
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.rules.ending import last_round_begins, last_turn_is_over
from domain.ticket_to_ride.rules.post import (
    leave_game,
    one_seat_remains,
    passed_for_want_of_action,
    play_is_stalled,
    play_stalls,
    safe_answer,
)
from domain.ticket_to_ride.rules.routes import Payment, claim_route, claims
from domain.ticket_to_ride.rules.scoring import final_scoring
from domain.ticket_to_ride.rules.setup import everybody_has_chosen, setup_is_completed
from domain.ticket_to_ride.rules.tickets import draw_tickets, keep_tickets
from domain.ticket_to_ride.rules.train_cards import (
    action_became_impossible,
    draw_blind_card,
    draw_face_up_card,
    kinds_to_draw,
    market_is_tested,
)
from domain.ticket_to_ride.rules.turn import next_turn
from domain.ticket_to_ride.state import State
from domain.title import Action, Outcome, Result, Standing
from domain.words import Sentence

ANSWERS: dict[type[Command], Callable[[Now, Any], None]] = {
    KeepTickets: keep_tickets,  # TTR 2.6, 6.2
    DrawFaceUpCard: draw_face_up_card,  # TTR 4.1
    DrawBlindCard: draw_blind_card,  # TTR 4.1
    ClaimRoute: claim_route,  # TTR 5
    DrawTickets: draw_tickets,  # TTR 6.1
}


# ==== deciding ====================================================================================
def decide(state: State, seat: int, command: Command, chance: Chance) -> Outcome:
    """What ``command`` brings about, or `Refused`."""
    now = Now(state, seat, chance)
    ANSWERS[type(command)](now, command)
    consequences(now)
    return Outcome(now.events, now.state)


def leave(state: State, seat: int, why: Why, chance: Chance) -> Outcome:
    """TTR 10.8 to 10.11: what a seat's leaving brings about."""
    now = Now(state, seat, chance)
    leave_game(now, why)
    if state.phase != "setup" and one_seat_remains(now.state):
        final_scoring(now)  # TTR 10.11
    else:
        consequences(now)
    return Outcome(now.events, now.state)


def consequences(now: Now) -> None:
    """What follows by itself after every command, in the order of appendix A."""
    if now.state.phase == "setup":
        setup_goes_on(now)
        return
    if now.train_cards_moved:
        market_is_tested(now)  # TTR 4.7 to 4.9; TTR 4.10 is kept wherever a card moves
    if turn_is_over(now.state):
        turns_go_on(now)


def setup_goes_on(now: Now) -> None:
    """TTR 2.8 The last choice opens the game. TTR 10.11 One seat alone does not play it."""
    if everybody_has_chosen(now.state):
        setup_is_completed(now)
    if one_seat_remains(now.state):
        final_scoring(now)
    elif now.state.phase == "play":
        next_turn(now)


def turn_is_over(state: State) -> bool:
    """TTR 3.6 The turn ends by itself: its action is complete (TTR 4.1, 4.3, 4.12, 5, 6.2), or its seat has left."""
    seat = state.on_turn
    return state.step == "complete" or action_became_impossible(state) or seat is None or state.players[seat].left


def turns_go_on(now: Now) -> None:
    """TTR 7.1, 7.4, 3.1: the last round, the end, or the next turn; TTR 10.1, 10.2: passing where needed."""
    while True:
        last_round_begins(now)
        if last_turn_is_over(now.state):
            break
        if play_is_stalled(now.state):
            play_stalls(now)
            break
        next_turn(now)
        if not passed_for_want_of_action(now):
            return
    final_scoring(now)


# ==== who is asked, what is legal =================================================================
def asked(state: State) -> tuple[int, ...]:
    """The seats the game waits for."""
    if state.phase == "setup":
        return tuple(seat for seat in state.playing if state.players[seat].chosen is None)
    return (state.on_turn,) if state.phase == "play" and state.on_turn is not None else ()


def actions(state: State, seat: int) -> list[Action]:
    """Every legal command of ``seat``. Claims come from the tables of chapter 5 and need not be tried one by one."""
    player = state.players.get(seat)
    if player is None or player.left or state.phase == "over":
        return []
    if state.phase == "setup":
        return ticket_choices(player.offered, FEWEST_KEPT_IN_SETUP)
    if seat != state.on_turn:
        return []
    if state.step == "tickets":
        return ticket_choices(player.offered, FEWEST_KEPT)
    listed: list[Action] = []
    if not state.nothing_to_draw:
        listed += [DRAW_FACE_UP[kind] for kind in kinds_to_draw(state)]
        listed.append(DRAW_BLIND)
    if state.step == "open":
        for route, ways in claims(state, seat):
            fewest = ways[0].count(LOCOMOTIVE)
            listed += [claim_action(route.id, pay, fewest) for pay in ways]
        if state.ticket_deck:
            listed.append(DRAW_TICKETS)
    return listed


def ticket_choices(offered: tuple[str, ...], fewest: int) -> list[Action]:
    """All ways to keep at least ``fewest`` of the tickets, the most first."""
    return [
        Action(KeepTickets(kept), "keep", Sentence("Keep {tickets}", {"tickets": kept}))
        for number in range(len(offered), fewest - 1, -1)
        for kept in combinations(offered, number)
    ]


DRAW_FACE_UP = {
    kind: Action(
        DrawFaceUpCard(cast(Card, kind)), "draw_cards", Sentence("Take {card} from the market", {"card": kind})
    )
    for kind in KINDS
}
DRAW_BLIND = Action(DrawBlindCard(), "draw_cards", Sentence("Draw a card from the deck"))
DRAW_TICKETS = Action(DrawTickets(), "draw_tickets", Sentence("Draw tickets"))


@cache
def claim_action(route: str, pay: Payment, fewest: int) -> Action:
    """``fewest``: the locomotives that would do. There are some thousands of these, so each is made once."""
    wasteful = pay.count(LOCOMOTIVE) > fewest
    sentence = Sentence("Claim {route} for {cards}", {"route": route, "cards": counted(pay)})
    return Action(ClaimRoute(route, pay), "claim_with_more" if wasteful else "claim", sentence, aside=wasteful)


@cache
def counted(cards: Payment) -> tuple[str, ...]:
    """``cards`` as ids that have a name in words: ``("3 orange", "1 locomotive")``."""
    return tuple(f"{cards.count(kind)} {kind}" for kind in KINDS if kind in cards)


# ==== the result ==================================================================================
def result(state: State) -> Result | None:
    """None while the game runs."""
    if state.phase != "over":
        return None
    standings = tuple(
        Standing(
            seat,
            place,
            routes + tickets + longest,
            (("routes", routes), ("tickets", tickets), ("longest_path", longest)),
        )
        for seat, routes, tickets, longest, place in sorted(state.final.scores)
    )
    return Result(tuple(sorted(state.final.winners)), standings)


safe = safe_answer
