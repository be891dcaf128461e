"""GTJ 19: service rulings. Seats that leave, and the answer the clock gives; the others concern the whole package."""

from domain.grand_trunk import commands, events
from domain.grand_trunk.cards import ORDER
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import choosing, ending, loading, travel
from domain.grand_trunk.state import State
from domain.lifecycle import Why
from domain.messages import Command


# ==== 19.7 a seat that leaves =====================================================================
def leave(now: Now, why: Why) -> None:
    """GTJ 19.7 It plays no more; in mid-turn its empty railcars are discarded and it draws nothing.

    Before 2.12 is opened it is not waited for; the choice it has given falls.
    """
    if now.seat == now.state.active:
        loading.railcars_left_empty(now)
    now.happens(events.SeatLeft(now.seat, "timed_out" if why == "timed_out" else "resigned"))
    ending.game_over(now)
    if now.state.stage == "choosing":
        choosing.open_choices(now)


# ==== 19.10 the safe answer =======================================================================
def safe(state: State, seat: int) -> Command:
    """GTJ 19.10 What the service answers for a seat whose time has run out."""
    if state.stage == "choosing":
        return _first_choice(state, seat)
    if state.stage == "start":
        return commands.PerformMaintenance()
    if state.stage == "before":
        return _cheapest_move(state, seat)
    return commands.EndTurn()


def _first_choice(state: State, seat: int) -> Command:
    """The first legal choice, by the order of the company's cards, then of the goods."""
    now = Now.trial(state, seat)
    return next(it for it in choosing.choices(now.mine) if now.allows(choosing.choose_first_railcar, it))


def _cheapest_move(state: State, seat: int) -> Command:
    """The legal move of fewest days: Fast used, Right of Way only if no move is legal without it. One is always there.

    Ties: the first card of the company's list. Moves are listed by the board's places, then by Right of Way cards.
    """
    now = Now.trial(state, seat)
    legal = [it for it in travel.moves(state, now.mine) if not it.decline_fast and now.allows(travel.move_train, it)]
    plain = [it for it in legal if it.right_of_way is None]
    return min(plain or legal, key=lambda it: (travel.days_of_move(now.mine, it), ORDER[it.card]))
