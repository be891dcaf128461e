"""The commands of New England Railways as lines: what each names, by which verbs it is asked for.

A link is its two cities. A path may leave out cities as long as one legal path is left.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise

from domain.messages import Command
from domain.new_england import commands as do
from domain.new_england.board import CITIES, COLOURS, LINK_BETWEEN, LINKS
from domain.new_england.narrate import LETTERS
from domain.new_england.view import NewEnglandView
from domain.orders import NUMBER, Amount, Ends, Listing, Names, One, Order, Orders, Part, Path, Told, Verb
from domain.rules import Action
from domain.words import Sentence

VERBS: Mapping[Verb, tuple[type[Command], ...]] = {
    Verb(Sentence("borrow | loan | take loan"), "NER 4.1"): (do.TakeLoan,),
    Verb(Sentence("repay | retire | pay back | pay … back"), "NER 6.1"): (do.RetireDebt,),
    Verb(Sentence("bid"), "NER 10.1"): (do.PlaceBid,),
    Verb(Sentence("pass"), "NER 10.6"): (do.PassBid,),
    Verb(Sentence("build | pay"), "NER 10.13"): (do.PayShortfall,),
    Verb(Sentence("wait | leave"), "NER 10.13"): (do.LeaveUnbuilt,),
    Verb(Sentence("ship | deliver"), "NER 11.1"): (do.ShipCube,),
    Verb(Sentence("ship nothing | skip | skip shipment"), "NER 11.2"): (do.SkipShipment,),
    Verb(Sentence("proxy | leave proxy"), "NER 20.1"): (do.SetProxyBid,),
    Verb(Sentence("no proxy | withdraw proxy"), "NER 20.10"): (do.WithdrawProxyBid,),
    Verb(Sentence("limit | build limit"), "NER 20.13"): (do.SetBuildLimit,),
    Verb(Sentence("no limit | withdraw limit | no build limit"), "NER 20.13"): (do.WithdrawBuildLimit,),
}

# ==== what things are called ======================================================================
CITY, COLOUR, DOLLARS = "city", "colour", "dollars"

NAMES = Names({
    CITY: dict.fromkeys(CITIES, ()),
    COLOUR: dict.fromkeys(COLOURS, ()),
    DOLLARS: {DOLLARS: (Sentence("dollars | dollar"),)},
})  # fmt: skip


def names(view: NewEnglandView | None) -> Names:
    """They are the same for every seat."""
    return NAMES


# ==== what a line names ===========================================================================
LINES: Mapping[type[Command], tuple[Sentence, ...]] = {
    do.TakeLoan: (Sentence("borrow ${amount}"),),
    do.RetireDebt: (Sentence("repay ${amount}"),),
    do.PlaceBid: (Sentence("bid ${amount} on {link}"),),
    do.PassBid: (Sentence("pass"),),
    do.PayShortfall: (Sentence("build {link}"),),
    do.LeaveUnbuilt: (Sentence("wait {link}"),),
    do.ShipCube: (Sentence("ship {colour} {path}"),),
    do.SkipShipment: (Sentence("ship nothing"),),
    do.SetProxyBid: (Sentence("proxy {link} ${maximum}"),),
    do.WithdrawProxyBid: (Sentence("no proxy {link}"),),
    do.SetBuildLimit: (Sentence("limit {link} ${amount}"),),
    do.WithdrawBuildLimit: (Sentence("no limit {link}"),),
}


def tell(view: NewEnglandView, action: Action) -> Order:
    """The line of a legal action."""
    command, span = action.command, action.span
    [line] = LINES[type(command)]
    parts: dict[str, Part] = {}
    if span is not None:
        parts[span.field] = Amount(span.field, span.low, span.high, span.step)
    match command:
        case do.ShipCube(colour, path):
            return Order(line, {"colour": One(COLOUR, colour), "path": Path(CITY, path)})
        case do.PassBid(link):  # the link on offer may be told, and need not
            return Order(line, parts, tuple(One(CITY, city) for city in _ends(link)))
        case do.TakeLoan() | do.RetireDebt() | do.SkipShipment():
            return Order(line, parts, DOLLARS_TOLD)
    return Order(line, {**parts, "link": Ends(CITY, (_ends(getattr(command, "link")),))}, DOLLARS_TOLD)  # noqa: B009


DOLLARS_TOLD = (One(DOLLARS, DOLLARS),)


@cache
def _ends(link: str) -> tuple[str, str]:
    return LINKS[link].a, LINKS[link].b


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
    **{
        kind: {"link": "link"}
        for kind in (do.PassBid, do.PayShortfall, do.LeaveUnbuilt, do.WithdrawProxyBid, do.WithdrawBuildLimit)
    },
}


# ==== as a list ===================================================================================
def gains(view: NewEnglandView, action: Action) -> tuple[tuple[int, int], ...]:
    """NER 11.10 Each link of a cube's path brings its owner 1 income: (seat, income)."""
    if not isinstance(action.command, do.ShipCube):
        return ()
    return gains_of(view, [LINK_BETWEEN[frozenset(ends)] for ends in pairwise(action.command.path)])


def gains_of(view: NewEnglandView, links: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """NER 11.10 What a path over these links brings."""
    owners, found = view.owners, dict[int, int]()
    for link in links:
        if (owner := owners.get(link)) is not None:
            found[owner] = found.get(owner, 0) + 1
    return tuple(sorted(found.items()))


def remark(view: NewEnglandView, action: Action) -> Sentence | None:
    """What a cube brings to whom, by the letters on the board."""
    brings = gains(view, action)
    if not brings:
        return None
    each = (Sentence("{letter} +{income}", {"letter": LETTERS[it - 1], "income": income}) for it, income in brings)
    return Sentence("{gains}", {"gains": tuple(each)})


HINTS: Mapping[type[Command], Sentence] = {
    do.TakeLoan: Sentence(
        "You borrow in steps of $10. Each $10 of debt costs you $2 every turn, this one included, until you pay it "
        "back. Your debt at the end is subtracted from your total."
    ),
    do.ShipCube: Sentence(
        "If several paths lead to a city, the list shows the one that earns you most. To take another path, name more "
        "cities."
    ),
    do.SetProxyBid: Sentence("A proxy bids for you as little as possible, and never more than its amount."),
    do.SetBuildLimit: Sentence(
        "If your roll is too low, a build limit pays the difference, but never more than its amount."
    ),
}


def idle(view: NewEnglandView, action: Action) -> bool:
    """NER 19.5 An answer in advance about debt, while there is none and no loan is sealed."""
    own = next(it for it in view.seats if it.seat == view.seat)
    return isinstance(action.command, do.RetireDebt) and not own.debt and not own.sealed


LISTING = Listing({do.ShipCube: ("path",)}, gains, remark, HINTS, idle)

ORDERS = Orders(VERBS, tell, names, LINES, wish=wish, listing=LISTING)
