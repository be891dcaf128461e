"""One lookup: event -> bookkeeping. It never refuses, so no rule hides here."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from domain.messages import Event
from domain.new_england import events as happened
from domain.new_england.board import GROWTH_CARDS, LINKS, MATERIAL
from domain.new_england.state import LOANS, Lot, Seat, State


def _with(state: State, seat: int, **changes: Any) -> State:
    """Return the table with changes of one seat."""
    seats = state.seats.copy()
    seats[seat] = replace(seats[seat], **changes)
    return replace(state, seats=seats)


def _pay(state: State, seat: int, amount: int) -> State:
    return _with(state, seat, cash=state.seats[seat].cash - amount)


# ==== NER 2 and 3: setup and steps ================================================================
def _game_set_up(state: State, event: happened.GameSetUp) -> State:
    return replace(
        state,
        seats={seat: Seat(cash=event.cash) for seat in range(1, event.seats + 1)},
        cup=dict(MATERIAL.cubes),
        link_deck=frozenset(LINKS),
        growth_deck=frozenset(GROWTH_CARDS),
    )


def _cubes_drawn(state: State, cubes: Iterable[tuple[str, str | None]], growth_deck: frozenset[str]) -> State:
    boxes, cup = state.cubes.copy(), state.cup.copy()
    for city, colour in cubes:
        if colour is not None:
            boxes[city] = box = boxes[city].copy() if city in boxes else {}
            box[colour] = box.get(colour, 0) + 1
            cup[colour] -= 1
    return replace(state, cubes=boxes, cup=cup, growth_deck=growth_deck)


def _opening_cubes_drawn(state: State, event: happened.OpeningCubesDrawn) -> State:
    return _cubes_drawn(state, event.cubes, state.growth_deck)


def _opening_row_laid(state: State, event: happened.OpeningRowLaid) -> State:
    return replace(state, row=event.links, link_deck=state.link_deck - set(event.links))


def _first_player_drawn(state: State, event: happened.FirstPlayerDrawn) -> State:
    return replace(state, first=event.first)


def _turn_began(state: State, event: happened.TurnBegan) -> State:
    return replace(state, turn=event.turn)


def _step_began(state: State, event: happened.StepBegan) -> State:
    if event.step == LOANS:
        return replace(state, step=LOANS, bought=frozenset())
    return replace(state, step=event.step)


# ==== NER 4 to 6: loans, service, retirement ======================================================
def _sealed(state: State, event: Any) -> State:
    return _with(state, event.seat, sealed=event.amount)


def _retirement_answer_sealed(state: State, event: happened.RetirementAnswerSealed) -> State:
    return _with(state, event.seat, sealed=event.amount, advance=None)


def _advance_sealed(state: State, event: Any) -> State:
    return _with(state, event.seat, advance=event.amount)


def _advance_dropped(state: State, event: happened.AdvanceRetirementDropped) -> State:
    return _with(state, event.seat, advance=None)


def _answers_opened(state: State, event: happened.AnswersOpened) -> State:
    return replace(state, seats={number: replace(seat, sealed=None) for number, seat in state.seats.items()})


def _loan_taken(state: State, event: happened.LoanTaken) -> State:
    return _borrowed(state, event.seat, event.amount)


def _paid(state: State, event: happened.DebtServiced | happened.ShortfallPaid) -> State:
    return _pay(state, event.seat, event.amount)


def _debt_retired(state: State, event: happened.DebtRetired) -> State:
    return _borrowed(state, event.seat, -event.amount)


def _borrowed(state: State, seat: int, amount: int) -> State:
    own = state.seats[seat]
    return _with(state, seat, cash=own.cash + amount, debt=own.debt + amount)


# ==== NER 7 to 9: growth, completion, future links ================================================
def _growth_card_turned(state: State, event: happened.GrowthCardTurned) -> State:
    return _cubes_drawn(state, event.cubes, state.growth_deck - {event.card})


def _link_built(state: State, event: happened.LinkBuilt) -> State:
    built = state.built | {event.link}
    if event.by == "completion":
        return replace(state, built=built)
    return _paid_for(state, event.seat, event.link, built=built)


def _future_row_laid(state: State, event: happened.FutureRowLaid) -> State:
    return replace(state, future=event.links, link_deck=state.link_deck - set(event.links))


# ==== NER 10: auction and building ================================================================
def _lot_opened(state: State, event: happened.LotOpened) -> State:
    return replace(state, lot=Lot(event.link, state.first))


def _after(state: State, seat: int) -> int:
    """Return the next seat clockwise."""
    return seat % len(state.seats) + 1


def _bid_placed(state: State, event: happened.BidPlaced) -> State:
    lot, seat = state.lot, event.seat
    assert lot is not None
    return replace(state, lot=Lot(lot.link, _after(state, seat), seat, event.amount, lot.passed))


def _bidder_passed(state: State, event: happened.BidderPassed) -> State:
    lot, seat = state.lot, event.seat
    assert lot is not None
    own, link = state.seats[seat], lot.link
    lot = Lot(link, _after(state, seat), lot.bidder, lot.bid, lot.passed | {seat})
    if link in own.proxies or link in own.limits:
        return replace(state, lot=lot, seats={**state.seats, seat: _without_entries(own, link)})
    return replace(state, lot=lot)


def _without_entries(own: Seat, link: str) -> Seat:
    """NER 20.11, 20.13 End the seat's proxy and build limit for ``link``."""
    if link not in own.proxies and link not in own.limits:
        return own
    return replace(own, proxies=_without(own.proxies, link), limits=_without(own.limits, link))


def _all_without_entries(seats: dict[int, Seat], link: str) -> dict[int, Seat]:
    return {number: _without_entries(own, link) for number, own in seats.items()}


def _without(entries: dict[str, int], gone: str) -> dict[str, int]:
    return {link: value for link, value in entries.items() if link != gone}


def _link_sold(state: State, event: happened.LinkSold) -> State:
    """NER 20.11 End the others' entries for this link, and all of the buyer's except its build limit for it."""
    link, seat = event.link, event.seat
    seats, owners = _all_without_entries(state.seats, link), state.owners.copy()
    buyer = state.seats[seat]
    limits = {link: buyer.limits[link]} if link in buyer.limits else {}
    seats[seat] = replace(buyer, cash=buyer.cash - event.price, proxies={}, limits=limits)
    owners[link] = seat
    return replace(state, seats=seats, owners=owners, bought=state.bought | {seat}, row=_off(state.row, link))


def _link_unsold(state: State, event: happened.LinkUnsold) -> State:
    link = event.link
    seats = _all_without_entries(state.seats, link)
    return replace(state, seats=seats, lot=None, row=_off(state.row, link), unsold=(*state.unsold, link))


def _off(row: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple([link for link in row if link != gone])


def _build_dice_rolled(state: State, event: happened.BuildDiceRolled) -> State:
    assert state.lot is not None
    return replace(state, lot=replace(state.lot, shortfall=event.shortfall))


def _link_left_unbuilt(state: State, event: happened.LinkLeftUnbuilt) -> State:
    return _paid_for(state, event.seat, event.link)


def _paid_for(state: State, seat: int, link: str, **changes: Any) -> State:
    """End the auction of this lot for its buyer, and its build limit."""
    own = state.seats[seat]
    kept = _without_entries(own, link)
    if kept is not own:
        changes["seats"] = {**state.seats, seat: kept}
    return replace(state, lot=None, **changes)


def _row_moved_down(state: State, event: happened.RowMovedDown | happened.RowMovedDown1) -> State:
    return replace(state, row=event.links, future=())


def _last_turn_announced(state: State, event: happened.LastTurnAnnounced) -> State:
    return replace(state, last_turn=True)


# ==== NER 11 to 14: shipping, market, income, first player ========================================
def _rounds_opened(state: State, event: happened.RoundsOpened) -> State:
    return replace(state, opportunities=event.opportunities)


def _cube_shipped(state: State, event: happened.CubeShipped) -> State:
    colour, start = event.colour, event.path[0]
    cubes, cup, seats = state.cubes.copy(), state.cup.copy(), state.seats.copy()
    cubes[start] = box = cubes[start].copy()
    box[colour] -= 1
    if not box[colour]:
        del box[colour]
    cup[colour] += 1
    for owner, gain in event.gains:
        own = seats[owner]
        seats[owner] = replace(own, income=own.income + gain)
    return replace(state, seats=seats, cubes=cubes, cup=cup, opportunities=state.opportunities[1:])


def _shipment_skipped(state: State, event: happened.ShipmentSkipped) -> State:
    return replace(state, opportunities=state.opportunities[1:])


def _income_lost(state: State, event: happened.IncomeLost) -> State:
    return _with(state, event.seat, income=state.seats[event.seat].income - event.amount)


def _income_paid(state: State, event: happened.IncomePaid) -> State:
    return _pay(state, event.seat, -event.amount)


def _first_player_named(state: State, event: happened.FirstPlayerNamed) -> State:
    return replace(state, first=event.seat)


# ==== NER 20: proxies and build limits ============================================================
def _proxy_set(state: State, event: Any) -> State:
    return _with(state, event.seat, proxies={**state.seats[event.seat].proxies, event.link: event.maximum})


def _proxy_withdrawn(state: State, event: happened.ProxyBidWithdrawn) -> State:
    return _with(state, event.seat, proxies=_without(state.seats[event.seat].proxies, event.link))


def _limit_set(state: State, event: Any) -> State:
    return _with(state, event.seat, limits={**state.seats[event.seat].limits, event.link: event.amount})


def _limit_withdrawn(state: State, event: happened.BuildLimitWithdrawn) -> State:
    return _with(state, event.seat, limits=_without(state.seats[event.seat].limits, event.link))


# ==== NER 15 to 17, 19: the end ===================================================================
def _seat_left(state: State, event: happened.SeatLeft) -> State:
    return _with(state, event.seat, left=True, advance=None, proxies={}, limits={})


def _final_account_drawn(state: State, event: happened.FinalAccountDrawn) -> State:
    return replace(state, accounts=event.accounts)


def _game_won(state: State, event: happened.GameWon) -> State:
    return replace(state, winners=event.seats)


def _unchanged(state: State, event: Event) -> State:
    return state


BOOKKEEPING: dict[type[Event], Callable[[State, Any], State]] = {
    happened.GameSetUp: _game_set_up,
    happened.OpeningCubesDrawn: _opening_cubes_drawn,
    happened.OpeningRowLaid: _opening_row_laid,
    happened.FirstPlayerDrawn: _first_player_drawn,
    happened.TurnBegan: _turn_began,
    happened.StepBegan: _step_began,
    happened.LoanAnswerSealed: _sealed,
    happened.LoanAnswerReplaced: _sealed,
    happened.AnswersOpened: _answers_opened,
    happened.LoanTaken: _loan_taken,
    happened.DebtServiced: _paid,
    happened.RetirementAnswerSealed: _retirement_answer_sealed,
    happened.RetirementAnswerReplaced: _sealed,
    happened.AdvanceRetirementSealed: _advance_sealed,
    happened.AdvanceRetirementReplaced: _advance_sealed,
    happened.AdvanceRetirementDropped: _advance_dropped,
    happened.DebtRetired: _debt_retired,
    happened.GrowthCardTurned: _growth_card_turned,
    happened.LinkBuilt: _link_built,
    happened.FutureRowLaid: _future_row_laid,
    happened.LotOpened: _lot_opened,
    happened.BidPlaced: _bid_placed,
    happened.BidderPassed: _bidder_passed,
    happened.LinkSold: _link_sold,
    happened.LinkUnsold: _link_unsold,
    happened.BuildDiceRolled: _build_dice_rolled,
    happened.ShortfallPaid: _paid,  # `LinkBuilt` records the other consequences
    happened.LinkLeftUnbuilt: _link_left_unbuilt,
    happened.RowMovedDown: _row_moved_down,
    happened.RowMovedDown1: _row_moved_down,
    happened.LastTurnAnnounced: _last_turn_announced,
    happened.RoundsOpened: _rounds_opened,
    happened.CubeShipped: _cube_shipped,
    happened.ShipmentSkipped: _shipment_skipped,
    happened.MarketDiceRolled: _unchanged,
    happened.IncomeLost: _income_lost,
    happened.IncomePaid: _income_paid,
    happened.FirstPlayerNamed: _first_player_named,
    happened.ProxyBidSet: _proxy_set,
    happened.ProxyBidReplaced: _proxy_set,
    happened.ProxyBidWithdrawn: _proxy_withdrawn,
    happened.BuildLimitSet: _limit_set,
    happened.BuildLimitReplaced: _limit_set,
    happened.BuildLimitWithdrawn: _limit_withdrawn,
    happened.EntryAnswered: _unchanged,
    happened.SeatLeft: _seat_left,
    happened.FinalAccountDrawn: _final_account_drawn,
    happened.GameWon: _game_won,
}
