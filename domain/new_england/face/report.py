"""A position of New England Railways for readers without a board: companies, the lot and the rows, cities, links, the
cup.
"""

from collections.abc import Iterator

from domain.new_england.face.narrate import LETTERS, STEPS
from domain.new_england.face.things import COMPARED, compared
from domain.new_england.view import LotView, NewEnglandView, SeatView
from domain.report import Cell, Description, Grid, Passage, counted, of_seat
from domain.words import Sentence


def report(view: NewEnglandView) -> Description:
    """Report the whole open position."""
    own = view.own
    facts = {"turn": view.turn, "step": STEPS[view.step - 1] if view.step else ""}
    return Description(
        Sentence("turn {turn}, {step}", facts),
        None if own is None else Sentence("{seat}, {letter}", {"seat": own.seat, "letter": LETTERS[own.seat - 1]}),
        tuple(_parts(view)),
    )


def _parts(view: NewEnglandView) -> Iterator[Grid | Passage]:
    yield _companies(view)
    offer = tuple(_offer(view))
    yield Passage(Sentence("On offer"), (*offer, *_auction(view)), drawn=len(offer))
    yield _links(view)
    yield _cities(view)
    yield Passage(Sentence("Still to come"), tuple(_to_come(view)), drawn=1)


# ==== companies and lots ==========================================================================
def _companies(view: NewEnglandView) -> Grid:
    head = (Sentence("letter"), *COMPARED)
    return Grid(Sentence("Companies"), head, tuple(_company(view, it) for it in view.seats if not it.left), len(head))


def _company(view: NewEnglandView, it: SeatView) -> tuple[Cell, ...]:
    return of_seat(it.seat), LETTERS[it.seat - 1], *compared(view, it)


def _offer(view: NewEnglandView) -> Iterator[Sentence]:
    """Report the links on offer, which are all drawn. `Title.standing` has the high bid, which no picture shows."""
    lot = view.lot
    if lot is not None:
        facts = {"link": lot.link, "seat": lot.bidder, "bid": lot.bid, "shortfall": lot.shortfall}
        if lot.shortfall is not None:
            yield Sentence("{seat} has bought {link} for ${bid} and is ${shortfall} short.", facts)
        elif lot.bidder is None:
            yield Sentence("Now on offer: {link}, no bid yet.", facts)
        else:
            yield Sentence("Now on offer: {link}, {seat} bids ${bid}.", facts)
    if view.row:
        yield Sentence("This turn: {links}.", {"links": view.row})
    if view.future:
        yield Sentence("Next turn: {links}.", {"links": view.future})
    if view.first:
        yield Sentence("First player: {first_seat}.", {"first_seat": view.first})


def _auction(view: NewEnglandView) -> Iterator[Sentence]:
    """Report the order of bidding and shipping."""
    lot = view.lot
    if lot is not None and (order := _still_to_bid(view, lot)):
        yield Sentence("To bid, in order: {order_seat}.", {"order_seat": order})
    if lot is not None and lot.passed:
        yield Sentence("Out of this auction: {passed_seat}.", {"passed_seat": lot.passed})
    if view.bought:
        yield Sentence("Already bought a link this turn: {bought_seat}.", {"bought_seat": view.bought})
    if view.opportunities:
        rounds = tuple(Sentence("{seat} ({round})", {"seat": seat, "round": name}) for name, seat in view.opportunities)
        yield Sentence("Still to ship, in order (round): {order}.", {"order": rounds})
    if view.last_turn:
        yield Sentence("This is the last turn.")


def _still_to_bid(view: NewEnglandView, lot: LotView) -> tuple[int, ...]:
    """NER 10.2 Return seats clockwise, without those that passed, bought in this turn, or hold the bid."""
    if lot.shortfall is not None:
        return ()
    out = {*lot.passed, *view.bought, lot.bidder, *(it.seat for it in view.seats if it.left)}
    clockwise = sorted((it.seat for it in view.seats), key=lambda seat: (seat < lot.next, seat))
    return tuple(seat for seat in clockwise if seat not in out)


# ==== the board ===================================================================================
def _links(view: NewEnglandView) -> Grid:
    """NER 1.3 List links with their numbers: the influence on building costs, and the value."""
    head = (Sentence("number"), Sentence("state"), Sentence("owner"))
    shown = sorted(view.links, key=lambda it: (WHERE.index(it.where), it.owner or 0))
    rows = tuple(
        (it.id, it.number, f"link.{it.where}", None if it.owner is None else of_seat(it.owner)) for it in shown
    )
    return Grid(Sentence("Links"), head, rows, drawn=len(head))


WHERE = ("lot", "row", "built", "owned", "future", "unsold", "deck")


def _cities(view: NewEnglandView) -> Grid:
    rows = tuple((it.id, it.demand, counted(it.cubes)) for it in view.cities)
    return Grid(Sentence("Cities"), (Sentence("demands"), Sentence("cubes")), rows, drawn=2)


def _to_come(view: NewEnglandView) -> Iterator[Sentence]:
    if cup := counted(view.cup):
        yield Sentence("In the cup: {cubes}.", {"cubes": cup})
    else:
        yield Sentence("The cup is empty.")
    facts = {"links": len(view.link_deck), "growth": len(view.growth_deck)}
    yield Sentence("The decks still contain {links:link|links} and {growth:growth card|growth cards}.", facts)
