"""NER 12 to 14: market, income, first player."""

from domain.new_england import events as happened
from domain.new_england.board import DIE, MATERIAL
from domain.new_england.now import Now
from domain.new_england.state import State


def market(now: Now) -> None:
    """NER 12.1 Roll once for all seats: the loss number is the roll + 1. NER 12.2 Each income falls by its quotient."""
    name = "NER 12.1 market roll"
    dice = (now.chance.draw(name, DIE)[0], now.chance.draw(name, DIE)[0])
    loss_number = sum(dice) + MATERIAL.market_adds
    now.happens(happened.MarketDiceRolled(dice, loss_number))
    for seat in now.state.seat_order:
        if lost := now.state.seats[seat].income // loss_number:
            now.happens(happened.IncomeLost(seat, lost))


def pay_income(now: Now) -> None:
    """NER 13.1 Each seat receives its income in cash. The income itself stays."""
    for seat in now.state.seat_order:
        if amount := now.state.seats[seat].income:
            now.happens(happened.IncomePaid(seat, amount))


def name_first_player(now: Now) -> None:
    """NER 14.1 Name the seat with the highest income. NER 14.2 Then the most cash, then the least debt. NER 14.3 Then
    by lot.
    """
    state = now.state
    tied = _best(state, tuple(state.seats), "income")
    by = "income"
    for reason in ("cash", "debt"):
        if len(tied) > 1:
            tied, by = _best(state, tied, reason), reason
    if len(tied) == 1:
        now.happens(happened.FirstPlayerNamed(tied[0], by))  # type: ignore[arg-type]
        return
    drawn = now.chance.draw("NER 14.3 first player", tied)[0]
    now.happens(happened.FirstPlayerDrawn(drawn, tied))


def _best(state: State, seats: tuple[int, ...], reason: str) -> tuple[int, ...]:
    """Return the ``seats`` with the highest income or cash, or the least debt."""
    sign = -1 if reason == "debt" else 1
    value = {seat: sign * getattr(state.seats[seat], reason) for seat in seats}
    return tuple(seat for seat in seats if value[seat] == max(value.values()))
