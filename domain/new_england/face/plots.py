"""The plots of a finished game of New England Railways: worth, income, prices, shipments and dice."""

from collections import Counter
from collections.abc import Sequence

from domain.new_england.board import DIE, LINKS
from domain.new_england.events import BuildDiceRolled, CubeShipped, LinkSold, MarketDiceRolled
from domain.new_england.rules.ending import total
from domain.new_england.state import State
from domain.plots import Bar, BarGroup, Bars, Happening, Plot, Steps, steps
from domain.report import of_seat
from domain.words import Sentence

TURN = Sentence("turn")


def plots(moments: Sequence[Happening]) -> tuple[Plot, ...]:
    """Return the plots in the order of the page. The last points are the result's (NER 16.1)."""
    return (
        Steps(
            "worth",
            Sentence("Worth: cash and links, less debt"),
            TURN,
            Sentence("dollars"),
            steps(moments, _seats, _worth),
        ),
        Steps("income", Sentence("Income"), TURN, Sentence("dollars a turn"), steps(moments, _seats, _income)),
        Bars(
            "prices",
            Sentence("Prices of links, in the order of their sale"),
            Sentence("link"),
            Sentence("price in dollars"),
            tuple(_sold(moment.event) for moment in moments if isinstance(moment.event, LinkSold)),
            beside=Sentence("its number"),
        ),
        _earned(moments),
        _dice(moments),
    )


def _seats(state: State) -> Sequence[int]:
    return tuple(state.seats)


def _worth(state: State, seat: int) -> tuple[int, int]:
    """NER 16.1 In the end the debt costs 120 %, before that its face value."""
    if state.accounts:
        return state.turn, next(account[4] for account in state.accounts if account[0] == seat)
    cash, values, debt, _ = total(state, seat)
    return state.turn, cash + values - debt


def _income(state: State, seat: int) -> tuple[int, int]:
    return state.turn, state.seats[seat].income


def _sold(event: LinkSold) -> BarGroup:
    return BarGroup(event.link, (Bar(event.price, event.seat, 10 * LINKS[event.link].number),))


def _earned(moments: Sequence[Happening]) -> Bars:
    """NER 11.9 The income that each seat's shipments won, by owner of the links."""
    won: Counter[tuple[int, int]] = Counter()
    for moment in moments:
        if isinstance(moment.event, CubeShipped):
            for owner, gain in moment.event.gains:
                won[moment.event.seat, owner] += gain
    shippers = sorted({shipper for shipper, _ in won})
    owners = sorted({owner for _, owner in won})
    groups = tuple(BarGroup(of_seat(it), tuple(Bar(won[it, owner], owner) for owner in owners)) for it in shippers)
    return Bars(
        "shipments",
        Sentence("Income won by shipments"),
        Sentence("shipped by"),
        Sentence("income won, by owner"),
        groups,
    )


def _dice(moments: Sequence[Happening]) -> Bars:
    """NER 10.10, 12.1 The sums of all rolls, beside the number that is expected of so many."""
    rolls = [sum(it.event.dice) for it in moments if isinstance(it.event, BuildDiceRolled | MarketDiceRolled)]
    ways = Counter(first + second for first in DIE for second in DIE)
    rolled, all_ways = Counter(rolls), len(DIE) ** 2
    groups = tuple(
        BarGroup(each, (Bar(rolled[each], beside=round(10 * len(rolls) * ways[each] / all_ways)),))
        for each in sorted(ways)
    )
    return Bars(
        "dice",
        Sentence("Dice"),
        Sentence("sum of two dice"),
        Sentence("rolls"),
        groups if rolls else (),
        beside=Sentence("expected"),
    )
