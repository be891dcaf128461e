"""GTJ 19: service rulings. Seats that leave, and the answer the clock gives; the others concern the whole package."""

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import LAST_SPACE, PLACE_ORDER
from domain.grand_trunk.cards import ORDER
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import choosing, ending, loading, travel
from domain.grand_trunk.rules.places import goods_at
from domain.grand_trunk.state import Seat, State
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
        return _cheapest_move(state, state.seats[seat])
    return commands.EndTurn()


def _first_choice(state: State, seat: int) -> Command:
    """The first legal choice, by the order of the company's cards, then of the goods."""
    supply = goods_at(state, state.seats[seat].place).supply
    return next(choice for choice in choosing.choices(state.seats[seat]) if choice.good in supply)


def _cheapest_move(state: State, mine: Seat) -> Command:
    """The legal move of fewest days: Fast used, Right of Way only if no move is legal without it. One is always there.

    Ties: the first card of the company's list, the first place of the board's, the first Right of Way card.
    """
    affordable = [
        (days, ORDER[move.card], PLACE_ORDER[move.to], ORDER[move.right_of_way] if move.right_of_way else -1, move)
        for move in travel.moves(state, mine)
        if not move.decline_fast and move.right_of_way != move.card
        if mine.day + (days := travel.days_of_move(mine, move)) <= LAST_SPACE
    ]
    plain = [each for each in affordable if each[-1].right_of_way is None]
    return min(plain or affordable, key=lambda each: each[:-1])[-1]
