"""The commands of New England Railways as people meet them: one record for each; the list of all is at the end.

A link is named by its two cities. A path may leave out cities as long as one legal path is left. One points at a
shipment by its cube, the city where it ends, and the links that it takes, or chooses among the paths by their yield.
"""

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

from domain.face import CommandFace, ahead_of
from domain.messages import Command
from domain.new_england import commands as do
from domain.new_england.board import LINK_BETWEEN, LINKS
from domain.new_england.face.narrate import LETTERS
from domain.new_england.face.orders import CITY, COLOUR, DOLLARS
from domain.new_england.face.places import ACCOUNT, cube_in
from domain.new_england.view import NewEnglandView
from domain.orders import NUMBER, Amount, Ends, One, Order, Part, Path, Told, Verb
from domain.places import Aim
from domain.rules import Action
from domain.words import Sentence

LEAST_ROLL = 2
"""Of two dice (NER 10.10)."""
_AT = {
    "NER 7.1": Sentence("Growth cards are revealed."),
    "NER 9.1": Sentence("Links for the next turn are drawn."),
    "NER 10.10": Sentence("The dice are rolled for construction."),
    "NER 12.1": Sentence("The market dice are rolled."),
    "NER 14.3": Sentence("The first player is drawn by lot."),
    "NER 20.12": Sentence("The next seat has to decide. If that seat has left a proxy, it bids or passes at once."),
    "EntryAnswered": Sentence("If the next seat has left an answer, it counts at once and is final."),
    "RowMovedDown": Sentence("All links of this turn are sold, and the links of the next turn move down."),
    "GameWon": Sentence("The game ends and is scored."),
}
"""Beginning of the name of a draw, or of the tag of an event -> the sentence about it."""


def _happens(view: NewEnglandView, command: Command, at: str) -> list[Sentence]:
    """Describe the next event that nobody can foresee: the same whether others have left proxies or not (NER 18.4)."""
    return [sentence for begin, sentence in _AT.items() if at.startswith(begin)]


# ==== shared by many ==============================================================================
TOLD = (One(DOLLARS, DOLLARS),)


@cache
def _ends(link: str) -> tuple[str, str]:
    return LINKS[link].a, LINKS[link].b


def _amount(action: Action) -> dict[str, Part]:
    span = action.span
    return {} if span is None else {span.field: Amount(span.field, span.low, span.high, span.step)}


def _link_of(view: NewEnglandView, told: Told) -> Told:
    """Return the link between the two cities in the line, or the one on offer."""
    cities = frozenset(told.of(CITY))
    link = LINK_BETWEEN.get(cities) if cities else view.lot and view.lot.link
    return told.beside("link", [link] if link else [])


def _of_money(command: type[Command], kind: str, verb: Verb, line: Sentence, **more: Any) -> CommandFace:
    """Make the record of a command about one's own account, with its amount."""
    return CommandFace(
        command,
        verbs=(verb,),
        lines=(line,),
        tell=lambda view, it, action: Order(line, _amount(action), TOLD),
        kind=kind,
        aim=lambda view, it: Aim(kind, (ACCOUNT,)),
        fields={"amount": NUMBER},
        **more,
    )


def _of_a_link(
    command: type[Command], kind: str, verb: Verb, line: Sentence, amount: str | None = None, **more: Any
) -> CommandFace:
    """Make the record of a command about a link, named by its two cities. ``amount``: the field of its number."""

    def tell(view: NewEnglandView, it: Any, action: Action) -> Order:
        return Order(line, {**_amount(action), "link": Ends(CITY, (_ends(it.link),))}, TOLD)

    return CommandFace(
        command,
        verbs=(verb,),
        lines=(line,),
        kind=kind,
        aim=lambda view, it: Aim(kind, (it.link,)),
        fields={"link": "link", **({amount: NUMBER} if amount else {})},
        follows=_link_of,
        **{"tell": tell, **more},
    )


# ==== NER 4 and 6: loans ==========================================================================
def _last_to_choose(view: NewEnglandView, command: Command, at: str) -> list[Sentence]:
    return [Sentence("You choose last; all choices are revealed.")]  # the following events depend on the answers


BORROW = _of_money(
    do.TakeLoan,
    "loan",
    Verb(Sentence("borrow | loan | take loan"), "NER 4.1"),
    Sentence("borrow ${amount}"),
    deed=Sentence("Borrow ${amount}"),
    hint=Sentence(
        "You borrow in steps of $10. Each $10 of debt costs you $2 every turn, this one included, until you pay it "
        "back. Your debt at the end is subtracted from your total."
    ),
    ahead=_last_to_choose,
)


def _changes_nothing(view: NewEnglandView, command: do.RetireDebt) -> bool:
    """NER 19.5 Does an answer in advance about debt change nothing, as there is neither debt nor a sealed loan?"""
    own = next(it for it in view.seats if it.seat == view.seat)
    return not own.debt and not own.sealed


REPAY = _of_money(
    do.RetireDebt,
    "repay",
    Verb(Sentence("repay | retire | pay back | pay … back"), "NER 6.1"),
    Sentence("repay ${amount}"),
    deed=Sentence("Pay back ${amount}"),
    idle=_changes_nothing,
    ahead=_last_to_choose,
)


# ==== NER 10: the auction, and building ===========================================================
def _of_a_bid(view: NewEnglandView, command: do.PlaceBid, at: str) -> list[Sentence]:
    """NER 10.7, 10.11 Say the price if nobody bids more; NER 10.13 and the possible cost of building besides."""
    said = [Sentence("If nobody bids more, you pay ${amount}.", {"amount": command.amount})]
    left = (view.own.cash if view.own else 0) - command.amount
    if most := max(min(LINKS[command.link].number - LEAST_ROLL, left), 0):
        said.append(Sentence("If you agree, construction may cost up to ${most} more.", {"most": most}))
    return said + _happens(view, command, at)


BID = _of_a_link(
    do.PlaceBid,
    "bid",
    Verb(Sentence("bid"), "NER 10.1"),
    Sentence("bid ${amount} on {link}"),
    "amount",
    deed=Sentence("Bid ${amount} on {link}"),
    ahead=_of_a_bid,
)


def _of_a_pass(view: NewEnglandView, command: do.PassBid, at: str) -> list[Sentence]:
    return [Sentence("You stop bidding for {link}.", {"link": command.link}), *_happens(view, command, at)]


def _passed(view: NewEnglandView, command: do.PassBid, action: Action) -> Order:
    """Return the line, in which the link on offer may be named or not."""
    return Order(PASS.lines[0], _amount(action), tuple(One(CITY, city) for city in _ends(command.link)))


PASS = _of_a_link(
    do.PassBid, "pass", Verb(Sentence("pass"), "NER 10.6"), Sentence("pass"), tell=_passed, ahead=_of_a_pass
)
BUILD = _of_a_link(do.PayShortfall, "build", Verb(Sentence("build | pay"), "NER 10.13"), Sentence("build {link}"))
WAIT = _of_a_link(do.LeaveUnbuilt, "wait", Verb(Sentence("wait | leave"), "NER 10.13"), Sentence("wait {link}"))


# ==== NER 11: shipping ============================================================================
def gains(view: NewEnglandView, command: do.ShipCube) -> tuple[tuple[int, int], ...]:
    """NER 11.10 Return (seat, income): each link of a cube's path brings its owner 1 income."""
    return _gains_of(view, _links(command))


def _links(command: do.ShipCube) -> tuple[str, ...]:
    return tuple(LINK_BETWEEN[frozenset(ends)] for ends in pairwise(command.path))


def _gains_of(view: NewEnglandView, links: Iterable[str]) -> tuple[tuple[int, int], ...]:
    owners, found = view.owners, dict[int, int]()
    for link in links:
        if (owner := owners.get(link)) is not None:
            found[owner] = found.get(owner, 0) + 1
    return tuple(sorted(found.items()))


def _cube_and_way(view: NewEnglandView, command: do.ShipCube) -> Aim:
    links, path = _links(command), command.path
    return Aim("ship", (cube_in(command.colour, path[0]), path[-1], *links), gains=_gains_of(view, links))


def _brings(view: NewEnglandView, command: do.ShipCube, action: Action) -> Sentence | None:
    """Say the yield of a cube for each seat, by the letters on the board."""
    brings = gains(view, command)
    if not brings:
        return None
    each = (Sentence("{letter} +{income}", {"letter": LETTERS[it - 1], "income": income}) for it, income in brings)
    return Sentence("{gains}", {"gains": tuple(each)})


def _shipped(view: NewEnglandView, command: do.ShipCube, action: Action) -> Order:
    return Order(SHIP.lines[0], {"colour": One(COLOUR, command.colour), "path": Path(CITY, command.path)})


SHIP = CommandFace(
    do.ShipCube,
    verbs=(Verb(Sentence("ship | deliver"), "NER 11.1"),),
    lines=(Sentence("ship {colour} {path}"),),
    tell=_shipped,
    kind="ship",
    aim=_cube_and_way,
    fields={"colour": COLOUR, "path": f"{CITY}*"},
    open=("path",),
    gains=gains,
    remark=_brings,
    hint=Sentence(
        "If several paths lead to a city, the list shows the one that earns you most. To take another path, name more "
        "cities."
    ),
)

NOTHING_SHIPPED = Order(Sentence("ship nothing"), beside=TOLD)
SKIP = CommandFace(
    do.SkipShipment,
    verbs=(Verb(Sentence("ship nothing | skip | skip shipment"), "NER 11.2"),),
    lines=(NOTHING_SHIPPED.line,),
    tell=lambda view, it, action: NOTHING_SHIPPED,
    kind="skip",
    aim=lambda view, it: Aim("skip"),
)

# ==== NER 20: proxies and build limits ============================================================
PROXY = _of_a_link(
    do.SetProxyBid,
    "proxy",
    Verb(Sentence("proxy | leave proxy"), "NER 20.1"),
    Sentence("proxy {link} ${maximum}"),
    "maximum",
    deed=Sentence("Leave a proxy of ${maximum} for {link}"),
    hint=Sentence("A proxy bids for you as little as possible, and never more than its amount."),
)
NO_PROXY = _of_a_link(
    do.WithdrawProxyBid,
    "no_proxy",
    Verb(Sentence("no proxy | withdraw proxy"), "NER 20.10"),
    Sentence("no proxy {link}"),
)
LIMIT = _of_a_link(
    do.SetBuildLimit,
    "limit",
    Verb(Sentence("limit | build limit"), "NER 20.13"),
    Sentence("limit {link} ${amount}"),
    "amount",
    deed=Sentence("Set a build limit of ${amount} for {link}"),
    hint=Sentence("If your roll is too low, a build limit pays the difference, but never more than its amount."),
)
NO_LIMIT = _of_a_link(
    do.WithdrawBuildLimit,
    "no_limit",
    Verb(Sentence("no limit | withdraw limit | no build limit"), "NER 20.13"),
    Sentence("no limit {link}"),
)

COMMANDS = (BORROW, REPAY, BID, PASS, BUILD, WAIT, SHIP, SKIP, PROXY, NO_PROXY, LIMIT, NO_LIMIT)
ahead = ahead_of(COMMANDS, _happens)
