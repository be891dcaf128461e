"""The plots of a finished game of the Grand Trunk Journey: points and their origins, days, deliveries, contracts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from domain.grand_trunk.board import SLOTS
from domain.grand_trunk.cards import GOODS
from domain.grand_trunk.decide import CATEGORIES
from domain.grand_trunk.events import ContractFulfilled, DaysSpent
from domain.grand_trunk.state import State
from domain.plots import Bar, BarGroup, Bars, Dot, Happening, Plot, PlotRow, PlotRows, Steps, Stretch, steps
from domain.report import Cell
from domain.words import Sentence

DAY = Sentence("day")
SPENT: Mapping[str, Cell] = {
    "move": Sentence("moving"),
    "increase_force": Sentence("Force"),
    "increase_speed": Sentence("Speed"),
    "build_terminal": "terminals",
    "acquire_improvement": "improvements",
    "acquire_objective": "objectives",
    "foreign_steel_contract": "foreign_steel_contract",
    "hi_roof_boxcar": "hi_roof_boxcar",
    "parking_spur": "parking_spur",
    "railroad_crane": "railroad_crane",
    "maintenance": Sentence("maintenance"),
}
"""The purpose of days (`DaysSpent.for_what`), in the order of the plot."""


def plots(moments: Sequence[Happening]) -> tuple[Plot, ...]:
    """Return the plots in the order of the page. The last points are the result's (GTJ 15.5 to 15.7)."""
    return (
        Steps("points", Sentence("Points"), DAY, Sentence("points"), steps(moments, _seats, _points)),
        _days(moments),
        PlotRows(
            "deliveries",
            Sentence("Deliveries"),
            DAY,
            Sentence("good"),
            tuple(_deliveries(moments)),
            dot=Sentence("days"),
        ),
        PlotRows(
            "contracts",
            Sentence("Contracts"),
            DAY,
            Sentence("contract"),
            tuple(_contracts(moments)),
            span=Sentence("open on days"),
            dot=Sentence("met on day"),
        ),
        _origins(moments),
    )


def _seats(state: State) -> Sequence[int]:
    return tuple(state.seats)


def _points(state: State, seat: int) -> tuple[int, int]:
    return state.seats[seat].day, state.seats[seat].vp


def _days(moments: Sequence[Happening]) -> Bars:
    """GTJ 3.2 The days of each seat by their purpose."""
    spent: Counter[tuple[str, int]] = Counter()
    for moment in moments:
        if isinstance(moment.event, DaysSpent):
            spent[moment.event.for_what, moment.event.seat] += moment.event.days
    seats, used = sorted({seat for _, seat in spent}), {what for what, _ in spent}
    groups = tuple(
        BarGroup(name, tuple(Bar(spent[what, seat], seat) for seat in seats))
        for what, name in SPENT.items()
        if what in used
    )
    return Bars("days", Sentence("Use of the days"), Sentence("purpose"), Sentence("days"), groups)


def _deliveries(moments: Sequence[Happening]) -> Iterator[PlotRow]:
    """GTJ 6.2, 6.8, 13.2 The goods that joined a seat's delivered goods, on its days."""
    goods: dict[str, Counter[tuple[int, int]]] = {good: Counter() for good in GOODS}
    for moment in moments:
        for number, seat in moment.after.seats.items():
            then = moment.before.seats.get(number)
            if then is None or seat.delivered is then.delivered:
                continue
            for good in GOODS:
                if more := seat.delivered[good] - then.delivered[good]:
                    goods[good][seat.day, number] += more
    for good, there in goods.items():
        yield PlotRow(good, dots=tuple(Dot(day, seat, there[day, seat]) for day, seat in sorted(there)))


def _contracts(moments: Sequence[Happening]) -> Iterator[PlotRow]:
    """GTJ 7.1 to 7.5 The windows of the contracts that were turned up, and the days on which they were met."""
    met = {
        it.event.slot: Dot(it.after.seats[it.event.seat].day, it.event.seat)
        for it in moments
        if isinstance(it.event, ContractFulfilled)
    }
    for slot in sorted(moments[-1].after.contracts if moments else ()):
        facts = {"slot": slot, "points": SLOTS[slot].vp}
        name = Sentence("{slot} ({points:point|points})", facts)
        window = Stretch(SLOTS[slot].first_day, SLOTS[slot].last_day)
        yield PlotRow(name, (window,), (met[slot],) if slot in met else ())


def _origins(moments: Sequence[Happening]) -> Bars:
    """GTJ 15.5 to 15.7 The points of each seat by category."""
    seats = moments[-1].after.seats if moments else {}
    groups = tuple(
        BarGroup(category, tuple(Bar(each.points.get(category, 0), seat) for seat, each in seats.items()))
        for category in CATEGORIES
        if any(each.points.get(category) for each in seats.values())
    )
    return Bars("origins", Sentence("Where points came from"), Sentence("category"), Sentence("points"), groups)
