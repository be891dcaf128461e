"""The commands of New England Railways as lines: what each names, by which verbs it is asked for.

A link is its two cities. A path may leave out cities as long as one legal path is left.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from domain.messages import Command
from domain.new_england import commands as do
from domain.new_england.board import CITIES, COLOURS, LINK_BETWEEN, LINKS
from domain.new_england.view import NewEnglandView
from domain.orders import NUMBER, Amount, Ends, Names, One, Order, Orders, Part, Path, Told, Verb
from domain.title import Action
from domain.words import Sentence

VERBS = (
    Verb(Sentence("borrow | loan | take loan"), (do.TakeLoan,), "NER 4.1"),
    Verb(Sentence("repay | retire | pay back | pay … back"), (do.RetireDebt,), "NER 6.1"),
    Verb(Sentence("bid"), (do.PlaceBid,), "NER 10.1"),
    Verb(Sentence("pass | passing"), (do.PassBid,), "NER 10.6"),
    Verb(Sentence("build | pay"), (do.PayShortfall,), "NER 10.13"),
    Verb(Sentence("wait | leave"), (do.LeaveUnbuilt,), "NER 10.13"),
    Verb(Sentence("ship | deliver"), (do.ShipCube,), "NER 11.1"),
    Verb(Sentence("ship nothing | skip | skip shipment"), (do.SkipShipment,), "NER 11.2"),
    Verb(Sentence("proxy | leave proxy"), (do.SetProxyBid,), "NER 20.1"),
    Verb(Sentence("no proxy | withdraw proxy"), (do.WithdrawProxyBid,), "NER 20.10"),
    Verb(Sentence("limit | build limit"), (do.SetBuildLimit,), "NER 20.13"),
    Verb(Sentence("no limit | withdraw limit | no build limit"), (do.WithdrawBuildLimit,), "NER 20.13"),
)

# ==== what things are called ======================================================================
CITY, COLOUR, DOLLARS = "city", "colour", "dollars"

NAMES = Names({
    CITY: dict.fromkeys(CITIES, ()),
    COLOUR: dict.fromkeys(COLOURS, ()),
    DOLLARS: {DOLLARS: (Sentence("dollars | dollar"),)},
})  # fmt: skip


def names(view: NewEnglandView) -> Names:
    """They are the same for every seat."""
    return NAMES


# ==== what a line names ===========================================================================
def tell(view: NewEnglandView, action: Action) -> Order:
    """The line of a legal action."""
    span = action.span
    amount = None if span is None else Amount(span.field, span.low, span.high, span.step)
    return _LINES[type(action.command)](action.command, amount)


def _of(line: Sentence, *, by_link: bool = True, beside: bool = False) -> Callable[[Any, Amount | None], Order]:
    """Commands about a link, or about money, or both. ``beside``: the link may be told, and need not."""

    def order(it: Any, amount: Amount | None) -> Order:
        parts: dict[str, Part] = {} if amount is None else {amount.field: amount}
        if not by_link:
            return Order(line, parts, (One(DOLLARS, DOLLARS),))
        if beside:
            return Order(line, parts, tuple(One(CITY, city) for city in _ends(it.link)))
        return Order(line, {**parts, "link": Ends(CITY, (_ends(it.link),))}, (One(DOLLARS, DOLLARS),))

    return order


@cache
def _ends(link: str) -> tuple[str, str]:
    return LINKS[link].a, LINKS[link].b


def _ship(it: do.ShipCube, amount: None) -> Order:
    return Order(Sentence("ship {colour} {path}"), {"colour": One(COLOUR, it.colour), "path": Path(CITY, it.path)})


_LINES: Mapping[type[Command], Callable[[Any, Any], Order]] = {
    do.TakeLoan: _of(Sentence("borrow ${amount}"), by_link=False),
    do.RetireDebt: _of(Sentence("repay ${amount}"), by_link=False),
    do.PlaceBid: _of(Sentence("bid ${amount} on {link}")),
    do.PassBid: _of(Sentence("pass"), beside=True),
    do.PayShortfall: _of(Sentence("build {link}")),
    do.LeaveUnbuilt: _of(Sentence("wait {link}")),
    do.ShipCube: _ship,
    do.SkipShipment: _of(Sentence("ship nothing"), by_link=False),
    do.SetProxyBid: _of(Sentence("proxy {link} ${maximum}")),
    do.WithdrawProxyBid: _of(Sentence("no proxy {link}")),
    do.SetBuildLimit: _of(Sentence("limit {link} ${amount}")),
    do.WithdrawBuildLimit: _of(Sentence("no limit {link}")),
}


# ==== why a line is not legal =====================================================================
def wish(view: NewEnglandView, kind: type[Command], told: Told) -> Command | None:
    """The command of a class that names what was told; a link is named by its two ends, or it is the one on offer."""
    cities = frozenset(told.of(CITY))
    link = LINK_BETWEEN.get(cities) if cities else view.lot and view.lot.link
    return told.beside("link", [link] if link else []).named(kind, FIELDS.get(kind, {}))


FIELDS: Mapping[type[Command], Mapping[str, str]] = {
    do.TakeLoan: {"amount": NUMBER},
    do.RetireDebt: {"amount": NUMBER},
    do.PlaceBid: {"link": "link", "amount": NUMBER},
    do.ShipCube: {"colour": COLOUR, "path": f"{CITY}*"},
    do.SetProxyBid: {"link": "link", "maximum": NUMBER},
    do.SetBuildLimit: {"link": "link", "amount": NUMBER},
    **{kind: {"link": "link"} for kind in (do.PassBid, do.PayShortfall, do.LeaveUnbuilt, do.WithdrawProxyBid,
                                           do.WithdrawBuildLimit)},
}  # fmt: skip

ORDERS = Orders(VERBS, tell, names, wish=wish)
