"""A full state behind a view: the others' hidden entries made up at random, everything else as the view has it."""

from domain.chance import Chance
from domain.new_england.board import MOST, UNIT
from domain.new_england.rules.loans import least_loan, most_to_retire
from domain.new_england.state import AUCTION, LOANS, Lot, Seat, State
from domain.new_england.view import NewEnglandView, SeatView


def imagine(view: NewEnglandView, chance: Chance) -> State:
    """Return a state whose view for ``view.seat`` is ``view``. Each hidden entry gets one of its possible values."""
    lot = view.lot
    state = State(
        seats={each.seat: _seat(each) for each in view.seats},
        first=view.first,
        turn=view.turn,
        step=view.step,
        cubes={city.id: dict(city.cubes) for city in view.cities if city.cubes},
        cup=dict(view.cup),
        link_deck=frozenset(view.link_deck),
        growth_deck=frozenset(view.growth_deck),
        row=view.row,
        future=view.future,
        owners={link.id: link.owner for link in view.links if link.owner is not None},
        built=frozenset(link.id for link in view.links if link.where == "built"),
        unsold=view.unsold,
        lot=None if lot is None else Lot(lot.link, lot.next, lot.bidder, lot.bid, frozenset(lot.passed), lot.shortfall),
        bought=frozenset(view.bought),
        opportunities=view.opportunities,
        last_turn=view.last_turn,
        accounts=view.accounts,
        winners=view.winners,
    )
    seats = {
        each.seat: state.seats[each.seat] if each.proxies is not None else _made_up(state, view, each, chance)
        for each in view.seats
    }
    return State(**{field: getattr(state, field) for field in state.__struct_fields__} | {"seats": seats})


def _seat(seen: SeatView) -> Seat:
    return Seat(
        cash=seen.cash,
        debt=seen.debt,
        income=seen.income,
        left=seen.left,
        sealed=seen.sealed,
        advance=seen.advance,
        proxies=dict(seen.proxies or {}),
        limits=dict(seen.limits or {}),
    )


def _made_up(state: State, view: NewEnglandView, seen: SeatView, chance: Chance) -> Seat:
    """Make up another seat, with hidden entries that it may have left."""
    own = state.seats[seen.seat]
    sealed = _sealed(state, own, chance) if seen.answered else None
    if seen.left:
        return Seat(own.cash, own.debt, own.income, left=True, sealed=sealed)
    advance = _one_of([None, 0, UNIT], chance) if state.step == LOANS else None
    proxies, limits = _entries(state, view, seen, own, chance)
    return Seat(own.cash, own.debt, own.income, sealed=sealed, advance=advance, proxies=proxies, limits=limits)


def _sealed(state: State, own: Seat, chance: Chance) -> int:
    """Make up a legal answer to the present step."""
    if state.step == LOANS:
        least = least_loan(own)
        return _one_of([min(least + more, MOST) for more in (0, UNIT, 2 * UNIT)], chance) or 0
    return _one_of(list(range(0, most_to_retire(own) + 1, UNIT)), chance) or 0


def _entries(
    state: State, view: NewEnglandView, seen: SeatView, own: Seat, chance: Chance
) -> tuple[dict[str, int], dict[str, int]]:
    """Make up proxies and build limits of another seat. A seat that must answer now gets none that
    would answer for it.
    """
    lot = state.lot
    if state.step == AUCTION and seen.seat in state.bought:
        return {}, {}
    closed = {lot.link} if lot is not None and (seen.seat in lot.passed or seen.seat in view.asked) else set()
    links = [link for link in state.row if link not in closed]
    return (
        {link: most for link in links if (most := _one_of([None, 0, own.cash // 2, own.cash], chance)) is not None},
        {link: most for link in links if (most := _one_of([None, 0, 2], chance)) is not None},
    )


def _one_of(choices: list[int] | list[int | None], chance: Chance) -> int | None:
    """Return one of ``choices``, each equally likely; None stands for no entry."""
    return choices[chance.draw("imagined", range(len(choices)))[0]]
