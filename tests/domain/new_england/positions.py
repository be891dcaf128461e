"""The initial positions of rule tests, given as events.

Three seats unless said otherwise. Ann is first player. On offer are Boston–Providence (number 5) and Boston–Worcester
(number 5); everybody has $10, no debt and no income.
"""

from collections.abc import Iterable, Mapping

from domain.messages import Event
from domain.new_england import TITLE
from domain.new_england import events as happened
from domain.new_england.board import LINKS, MATERIAL
from domain.new_england.state import AUCTION, LOANS, RETIREMENT, SHIPPING
from tests.spec import Spec

given = Spec(TITLE).given

ANN, BOB, CYD, DAN, EVE, FAY = 1, 2, 3, 4, 5, 6
BP, BW, PW, BL, KP = MATERIAL.opening_links
CUBES = ("red", "red", "red", "red", "red", "red", "yellow", "blue", "purple", "purple", "yellow")
"""The opening cubes, in the order of NER 2.1: Rutland's first."""

Events = Iterable[Event]


def opening(seats: int = 3, first: int = ANN) -> list[Event]:
    """Begin the first turn: everybody is asked for a loan."""
    return [
        happened.GameSetUp(seats, MATERIAL.cash),
        happened.OpeningCubesDrawn(tuple(zip(MATERIAL.opening_cubes, CUBES, strict=True))),
        happened.OpeningRowLaid(MATERIAL.opening_links[: seats - 1]),
        happened.FirstPlayerDrawn(first, tuple(range(1, seats + 1))),
        happened.TurnBegan(1),
        happened.StepBegan(LOANS),
    ]


def cash(**dollars: int) -> list[Event]:
    """Give ``ann=5``: that much more (or less) than the $10 of the start."""
    return [happened.IncomePaid(_seat(name), amount) for name, amount in dollars.items()]


def debt(**dollars: int) -> list[Event]:
    """Give old debts, whose money is spent."""
    return [
        event
        for name, amount in dollars.items()
        for event in (happened.LoanTaken(_seat(name), amount), happened.IncomePaid(_seat(name), -amount))
    ]


def income(**dollars: int) -> list[Event]:
    return [happened.IncomeLost(_seat(name), -amount) for name, amount in dollars.items()]


def _seat(name: str) -> int:
    return ("ann", "bob", "cyd", "dan", "eve", "fay").index(name) + 1


def owned(seat: int, *links: str, built: bool = True) -> list[Event]:
    """Give ``seat`` these links, bought earlier for nothing."""
    events: list[Event] = []
    for link in links:
        events.append(happened.LinkSold(link, seat, 0))
        if built:
            events.append(happened.LinkBuilt(link, seat, "completion"))
    return events


def network(owners: Mapping[int, Iterable[str]]) -> list[Event]:
    return [event for seat, links in owners.items() for event in owned(seat, *links)]


def everything_built(seat: int = ANN) -> list[Event]:
    return owned(seat, *LINKS)


def retirement() -> list[Event]:
    """Begin step 3 (seats with debt are asked)."""
    return [happened.StepBegan(2), happened.StepBegan(RETIREMENT)]


def auction(lot: str = BP) -> list[Event]:
    """Begin step 7 with ``lot`` on offer and an unknown next row."""
    return [*(happened.StepBegan(step) for step in range(2, AUCTION + 1)), happened.LotOpened(lot)]


def sold(seat: int, link: str = BP, price: int = 1, roll: tuple[int, int] | None = None) -> list[Event]:
    """Sell the lot to ``seat``; with a ``roll`` below its number the shortfall is to be answered."""
    events: list[Event] = [happened.BidPlaced(seat, link, price, by_proxy=False), happened.LinkSold(link, seat, price)]
    if roll is not None:
        events.append(happened.BuildDiceRolled(link, seat, roll, max(LINKS[link].number - sum(roll), 0)))
    return events


def shipping(*opportunities: tuple[str, int]) -> list[Event]:
    """Begin step 8 with these opportunities to come."""
    return [*(happened.StepBegan(step) for step in range(2, SHIPPING + 1)), happened.RoundsOpened(opportunities)]


def a_new_turn(number: int = 2) -> list[Event]:
    return [happened.TurnBegan(number), happened.StepBegan(LOANS)]


TO_THE_LOT = ("growth_01", "red", "red", "growth_02", "red", "blue", "albany__rutland", "boston__lowell")
"""The draws from step 4 of a turn of three seats until its first lot is on offer."""
TELLING = (given(opening(), happened.ProxyBidSet(BOB, BP, 7), auction()).state,)
"""Positions in which the effect of a command depends on hidden facts."""
NO_LOANS = [happened.LoanAnswerSealed(ANN, 0), happened.LoanAnswerSealed(BOB, 0)]
"""Ann and Bob borrow nothing; Cyd's answer is missing."""
