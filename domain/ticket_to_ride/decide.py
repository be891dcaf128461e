"""An overview of the rules: the chapters that answer commands, automatic consequences, the asked seats, and legal
actions.
"""

from domain.chance import Chance
from domain.lifecycle import Why
from domain.messages import Command
from domain.rules import Action, Outcome, Result, Standing, answers_of, legal
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.rules import routes, tickets, train_cards
from domain.ticket_to_ride.rules.ending import last_round_begins, last_turn_is_over
from domain.ticket_to_ride.rules.post import (
    leave_game,
    one_seat_remains,
    passed_for_want_of_action,
    play_is_stalled,
    play_stalls,
    safe_answer,
)
from domain.ticket_to_ride.rules.scoring import final_scoring
from domain.ticket_to_ride.rules.setup import everybody_has_chosen, setup_is_completed
from domain.ticket_to_ride.rules.train_cards import action_became_impossible, market_is_tested
from domain.ticket_to_ride.rules.turn import next_turn
from domain.ticket_to_ride.state import State

CHAPTERS = (train_cards.CHAPTER, routes.CHAPTER, tickets.CHAPTER)
"""In the order of the list of legal actions."""
ANSWERS = answers_of(CHAPTERS)
COMMANDS = tuple(ANSWERS)


# ==== deciding ====================================================================================
def decide(state: State, seat: int, command: Command, chance: Chance) -> Outcome:
    """Return the consequences of ``command``, or raise `Refused`."""
    now = Now(state, seat, chance)
    ANSWERS[type(command)](now, command)
    consequences(now)
    return Outcome(now.events, now.state)


def leave(state: State, seat: int, why: Why, chance: Chance) -> Outcome:
    """TTR 10.8 to 10.11 Return the consequences of a seat's leaving."""
    now = Now(state, seat, chance)
    leave_game(now, why)
    if state.phase != "setup" and one_seat_remains(now.state):
        final_scoring(now)  # TTR 10.11
    else:
        consequences(now)
    return Outcome(now.events, now.state)


def consequences(now: Now) -> None:
    """Apply the automatic consequences of every command, in the order of appendix A."""
    if now.state.phase == "setup":
        setup_goes_on(now)
        return
    if now.train_cards_moved:
        market_is_tested(now)  # TTR 4.7 to 4.9; TTR 4.10 is applied with every move of a card
    if turn_is_over(now.state):
        turns_go_on(now)


def setup_goes_on(now: Now) -> None:
    """TTR 2.8 The last choice opens the game. TTR 10.11 A single remaining seat does not play it."""
    if everybody_has_chosen(now.state):
        setup_is_completed(now)
    if one_seat_remains(now.state):
        final_scoring(now)
    elif now.state.phase == "play":
        next_turn(now)


def turn_is_over(state: State) -> bool:
    """TTR 3.6 Has the turn ended by itself? It has if its action is complete (TTR 4.1, 4.3, 4.12, 5, 6.2), or its seat
    has left.
    """
    seat = state.on_turn
    return state.step == "complete" or action_became_impossible(state) or seat is None or state.players[seat].left


def turns_go_on(now: Now) -> None:
    """TTR 7.1, 7.4, 3.1 Begin the last round, the end, or the next turn; TTR 10.1, 10.2 pass if a seat cannot act."""
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


# ==== asked seats, legal actions ==================================================================
def asked(state: State) -> tuple[int, ...]:
    """Return the seats the game waits for."""
    if state.phase == "setup":
        return tuple(seat for seat in state.playing if state.players[seat].chosen is None)
    return (state.on_turn,) if state.phase == "play" and state.on_turn is not None else ()


def actions(state: State, seat: int) -> list[Action]:
    """Return every legal command of ``seat``."""
    player = state.players.get(seat)
    return [] if player is None or player.left else legal(Now.trial(state, seat), CHAPTERS)


# ==== the result ==================================================================================
def result(state: State) -> Result | None:
    """Return the result; None while the game runs."""
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
