"""The things beside the board of New England Railways: one's own sheet, the lot on offer, the row and the next one."""

from collections.abc import Iterator

from domain.drawing import INKS, Ink, text
from domain.new_england.board import COLOURS, LINKS
from domain.new_england.face.narrate import LETTERS, STEPS
from domain.new_england.face.picture import SEAT_COLOURS, cube_of
from domain.new_england.rules.loans import service
from domain.new_england.view import CityView, NewEnglandView, SeatView
from domain.report import Cell
from domain.things import Seated, Shelf, Sketch, Thing, Things, Use
from domain.words import Sentence

INK: Ink = INKS["page"]
ACCOUNT = "account"


def things(view: NewEnglandView) -> Things:
    """NER 18 Return only things that the viewer may see."""
    seats, shelves = (tuple(_seated(view, it) for it in view.seats), tuple(it for it in _shelves(view) if it.things))
    return Things(seats, shelves, _said(view), COMPARED)


def _said(view: NewEnglandView) -> tuple[Sentence, ...]:
    """NER 3.1, 15.2 Say the step, and whether the turn is the last."""
    if not view.step or view.winners:
        return ()
    where = Sentence("Turn {turn}, {step}.", {"turn": view.turn, "step": STEPS[view.step - 1]})
    return (where, Sentence("This is the last turn.")) if view.last_turn else (where,)


def _shelves(view: NewEnglandView) -> Iterator[Shelf]:
    own = view.own
    if own is not None and not own.left:
        yield Shelf(Sentence("Your account"), "own", tuple(_account(view, own)))
        yield Shelf(Sentence("Your links"), "own", tuple(_links(view, own)), (_OWNED,))
    if not view.winners:
        yield Shelf(Sentence("On offer this turn"), "near", tuple(_row(view)), (_BID, _LATER), listed=True)
        yield Shelf(Sentence("On offer next turn"), "near", tuple(map(_offered, view.future)), (_NEXT,))
    yield Shelf(
        Sentence("Cup"),
        "aside",
        tuple(Thing(it, "", (_cube(it),), Sentence("{number}", {"number": view.cup[it]})) for it in COLOURS),
        (_DRAWN,),
    )
    yield Shelf(Sentence("Cities"), "aside", tuple(map(_city, view.cities)), (_ENDS,), listed=True)


# ==== one's own sheet =============================================================================
def _account(view: NewEnglandView, own: SeatView) -> Iterator[Thing]:
    debt = [Sentence("debt service each turn: ${service}", {"service": service(own.debt)})] if own.debt else []
    if view.step == 1 and own.least_loan:
        debt.append(Sentence("You must borrow at least ${least}.", {"least": own.least_loan}))
    yield Thing(Sentence("Cash"), ACCOUNT, mark=_dollars(own.cash), uses=(_CASH,))
    yield Thing(Sentence("Debt"), ACCOUNT, mark=_dollars(own.debt), said=tuple(debt), uses=(_DEBT,))
    yield Thing(Sentence("Income"), mark=Sentence("{number}", {"number": own.income}), uses=(_INCOME,))
    if own.sealed is not None:
        yield Thing(Sentence("Your secret choice"), mark=_dollars(own.sealed), uses=(_SEALED,))
    if own.advance is not None:
        yield Thing(Sentence("To pay back in step 3"), mark=_dollars(own.advance), uses=(_ADVANCE,))
    for link, most in (own.proxies or {}).items():
        yield Thing(Sentence("Proxy for {link}", {"link": link}), link, mark=_dollars(most), uses=(_PROXY,))
    for link, most in (own.limits or {}).items():
        yield Thing(Sentence("Build limit for {link}", {"link": link}), link, mark=_dollars(most), uses=(_LIMIT,))


_CASH = Use(
    Sentence("You need cash for bids, for shortfalls and to pay back debt. You can borrow only in step 1."), "NER 3.4"
)
_DEBT = Use(
    Sentence(
        "Each turn you pay a fifth of your debt as debt service. At the end, you lose $12 of your total for each $10 "
        "of debt."
    ),
    "NER 16.1",
)
_INCOME = Use(
    Sentence(
        "You receive your income in cash each turn. Your income rises by 1 for each of your links that a cube travels "
        "over."
    ),
    "NER 11.10",
)
_SEALED = Use(
    Sentence("Nobody else sees your choice until all have answered. Until then you may change it."), "NER 19.4"
)
_ADVANCE = Use(Sentence("You will pay back this amount in step 3, if you can."), "NER 19.5")
_PROXY = Use(
    Sentence("Your proxy bids one dollar more than the others, up to this amount. Nobody else sees it."), "NER 20.4"
)
_LIMIT = Use(
    Sentence(
        "If you buy the link and roll less than its number, your build limit pays the difference at once, up to this "
        "amount."
    ),
    "NER 20.13",
)


def _dollars(amount: int) -> Sentence:
    return Sentence("${amount}", {"amount": amount})


def _links(view: NewEnglandView, seat: SeatView) -> Iterator[Thing]:
    for it in view.links:
        if it.owner == seat.seat:
            said = (Sentence("built"),) if it.where == "built" else (Sentence("not built yet"),)
            disc = _disc(SEAT_COLOURS[seat.seat - 1], str(it.number))
            yield Thing(it.id, it.id, (disc,), Sentence("worth ${number}", {"number": it.number}), said)


_OWNED = Use(
    Sentence("Once built, the link earns 1 income for each cube that uses it, and it is worth its number at the end."),
    "NER 11.10",
)


# ==== on offer ====================================================================================
def _row(view: NewEnglandView) -> Iterator[Thing]:
    """NER 10.1 List the links of the row in their order, the lot among them with its bid and the remaining bidders."""
    for link in view.row:
        if view.lot is None or view.lot.link != link:
            yield _offered(link)
        else:
            yield _lot(view, link)


def _lot(view: NewEnglandView, link: str) -> Thing:
    lot = view.lot
    assert lot is not None
    out = {*lot.passed, *view.bought, *(it.seat for it in view.seats if it.left)}
    facts = {
        "bid": lot.bid, "holder_seat": lot.bidder, "passed_seat": lot.passed, "shortfall": lot.shortfall,
        "in_seat": tuple(it.seat for it in view.seats if it.seat not in out and it.seat != lot.bidder),
    }  # fmt: skip
    if lot.shortfall is not None:
        said = [Sentence("{holder_seat} has bought the link for ${bid} and is ${shortfall} short", facts)]
    else:
        said = [Sentence("{holder_seat} bids ${bid}", facts) if lot.bidder is not None else Sentence("no bid yet")]
        if facts["in_seat"]:
            said.append(Sentence("still in: {in_seat}", facts))
        if lot.passed:
            said.append(Sentence("passed: {passed_seat}", facts))
    return Thing(link, link, (_disc("accent", str(LINKS[link].number)),), Sentence("on offer now"), tuple(said))


def _offered(link: str) -> Thing:
    return Thing(link, link, (_disc("paper", str(LINKS[link].number)),), _number(link))


def _number(link: str) -> Sentence:
    return Sentence("number {number}", {"number": LINKS[link].number})


_BID = Use(
    Sentence(
        "The highest bid buys the link. If two dice reach its number, it is built; otherwise the buyer may pay the "
        "difference."
    ),
    "NER 10.12",
)
_LATER = Use(Sentence("This link is auctioned this turn. You may leave a proxy for this link."), "NER 20.2")
_NEXT = Use(Sentence("This link is auctioned next turn."), "NER 10.16")


# ==== cup and cities ==============================================================================


_DRAWN = Use(Sentence("Cubes are drawn from the cup when cities grow. Shipped cubes return to the cup."), "NER 7.2")


def _city(it: CityView) -> Thing:
    """NER 1.2 Say the demand of a city, and the cubes that wait there."""
    said = [Sentence("demands {colour}", {"colour": it.demand})]
    waiting = tuple(
        Sentence("{number} {colour}", {"number": number, "colour": colour}) for colour, number in it.cubes.items()
    )
    if waiting:
        said.append(Sentence("waiting: {cubes}", {"cubes": waiting}))
    return Thing(it.id, it.id, (_cube(it.demand),), said=tuple(said))


_ENDS = Use(Sentence("A cube is shipped to the first city on its way that demands its colour."), "NER 11.9")


# ==== seats =======================================================================================
COMPARED = (Sentence("cash"), Sentence("debt"), Sentence("income"), Sentence("links"))


def compared(view: NewEnglandView, seat: SeatView) -> tuple[Cell, ...]:
    """Return the public numbers of a company, in the order of `COMPARED`."""
    links = sum(link.owner == seat.seat for link in view.links)
    return _dollars(seat.cash), _dollars(seat.debt), seat.income, links


def _seated(view: NewEnglandView, seat: SeatView) -> Seated:
    links = tuple(link.id for link in view.links if link.owner == seat.seat)
    facts = {"cash": seat.cash, "debt": seat.debt, "income": seat.income, "links": links}
    said = [Sentence("${cash}, debt ${debt}, income {income}", facts)]
    if links:
        said.append(Sentence("links: {links}", facts))
    if seat.seat == view.first and not view.winners:
        said.append(Sentence("first player"))
    if seat.answered and view.step in (1, 3):
        said.append(Sentence("has answered"))
    owned = tuple(_links(view, seat))
    return Seated(
        seat.seat,
        SEAT_COLOURS[seat.seat - 1],
        LETTERS[seat.seat - 1],
        said=tuple(said),
        mark=_dollars(seat.cash),
        facts=compared(view, seat),
        shelves=(Shelf(Sentence("Links"), "aside", owned, (_OWNED,)),) if owned else (),
    )


# ==== drawings ====================================================================================
def _disc(fill: str, said: str) -> Sketch:
    """Draw the disc of a link, as on the board."""
    paint = INK["ink" if fill == "paper" else f"on-{fill}"]
    circle = f'<circle cx="14" cy="14" r="12" fill="{INK[fill]}" stroke="{INK["ink"]}" stroke-width="1.6"/>'
    return Sketch(28, 28, circle + text(14, 19.3, said, 15.5, paint, weight=800))


def _cube(colour: str) -> Sketch:
    return Sketch(22, 22, f'<g transform="translate(2 2)">{cube_of(colour, 0, 18, INK)}</g>')
