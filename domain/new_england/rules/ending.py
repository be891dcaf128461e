"""NER 15 to 17: the end of the game, the final accounting, the result."""

from domain.new_england import events as happened
from domain.new_england.board import LINKS, MATERIAL, UNIT
from domain.new_england.now import Now
from domain.new_england.state import State


def test_the_end(now: Now, step: int) -> None:
    """NER 15.1 If the rows and the link deck are empty and every bought link is built, NER 15.2 this
    turn is the last.
    """
    state = now.state
    if state.last_turn or state.row or state.future or state.link_deck:
        return
    if state.owners.keys() <= state.built:
        now.happens(happened.LastTurnAnnounced(state.turn, step))  # type: ignore[arg-type]


def total(state: State, seat: int) -> tuple[int, int, int, int]:
    """NER 16.1 Return cash, values of all links owned, debt, and the total: the debt costs 120%."""
    own = state.seats[seat]
    values = sum(LINKS[link].number for link in state.links_of(seat))
    return own.cash, values, own.debt, own.cash + values - own.debt // UNIT * MATERIAL.repay_per_unit


def draw_final_account(now: Now) -> None:
    """NER 16.1, 17.1 to 17.3 Record totals and places; the highest total wins, equal ones share."""
    state = now.state
    accounts = {seat: total(state, seat) for seat in state.seats}
    ranked = sorted((accounts[seat][3] for seat in state.staying), reverse=True)
    lines = tuple(
        (seat, *accounts[seat], ranked.index(accounts[seat][3]) + 1 if seat in state.staying else None)
        for seat in state.seats
    )
    now.happens(happened.FinalAccountDrawn(lines))
    now.happens(happened.GameWon(tuple(seat for seat in state.staying if accounts[seat][3] == ranked[0])))
