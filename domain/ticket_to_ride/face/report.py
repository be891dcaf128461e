"""A position of Ticket to Ride for readers without a board: market and decks, seats, tickets, routes
claimed and free.
"""

from collections.abc import Container, Iterator, Sequence

from domain.report import Cell, Description, Grid, Passage, of_seat
from domain.ticket_to_ride.board import CITIES, POINTS_FOR_SPACES, ROUTES, Route
from domain.ticket_to_ride.cards import Count, counted, held, spread
from domain.ticket_to_ride.face.things import COMPARED, compared, needed
from domain.ticket_to_ride.rules.routes import has_trains, payments
from domain.ticket_to_ride.view import Private, TicketToRideView
from domain.ticket_to_ride.ways import length, missing, open_routes
from domain.words import Sentence


def report(view: TicketToRideView) -> Description:
    """Report the whole open position, and the missing routes of the reader's tickets."""
    own = view.own
    return Description(
        Sentence("turn {turn}", {"turn": view.turn}) if view.turn else Sentence("setup"),
        None if own is None else Sentence("{seat}, {colour}", {"seat": own.seat, "colour": own.colour}),
        tuple(_parts(view)),
    )


def _parts(view: TicketToRideView) -> Iterator[Grid | Passage]:
    yield Passage(Sentence("Market and decks"), tuple(_decks(view)), drawn=2)
    yield _seats(view)
    private = view.own.private if view.own else None
    if private is not None and (private.tickets or private.offered):
        yield _tickets(view, private)
    if view.owners:
        claimed = tuple(_claimed(view))
        yield Passage(Sentence("Claimed"), claimed, drawn=len(claimed))
    free = tuple(_free(view, private))
    yield Passage(Sentence("Free routes, by length and colour"), free, drawn=len(free))
    yield Passage(Sentence("Points by length"), (Sentence("{points}.", {"points": tuple(_points())}),))


# ==== cards =======================================================================================
def _decks(view: TicketToRideView) -> Iterator[Sentence]:
    market = tuple(card for card in view.market if card is not None)
    if market:
        yield Sentence("Market: {cards}.", {"cards": market})
    else:
        yield Sentence("The market is empty.")
    facts = {"deck": view.train_deck, "tickets": view.ticket_deck, "returned": len(view.bottom)}
    yield Sentence("{deck:card|cards} in the train card deck, {tickets:ticket|tickets} in the ticket deck.", facts)
    if thrown := _each(view.discard):
        yield Sentence("Discarded: {cards}.", {"cards": thrown})


def _each(cards: Count) -> tuple[str, ...]:
    """Return ids that have a name in words: "3 orange", "1 locomotive"."""
    return counted(tuple(spread(cards)))


# ==== seats =======================================================================================
def _seats(view: TicketToRideView) -> Grid:
    head = (Sentence("colour"), *COMPARED, Sentence("known cards"))
    rows: list[tuple[Cell, ...]] = []
    for it in view.seats:
        if it.left:
            continue
        rows.append((of_seat(it.seat), it.colour, *compared(it), _each(it.seen)))
    return Grid(Sentence("Seats"), head, tuple(rows), drawn=len(head) - 1)


def _tickets(view: TicketToRideView, private: Private) -> Grid:
    """TTR 6 List tickets with the routes that complete each for the fewest trains."""
    rows = [(it, _missing(view, it)) for it in dict.fromkeys((*private.tickets, *private.offered))]
    return Grid(Sentence("Your tickets"), (Sentence("missing"),), tuple(rows))


def _missing(view: TicketToRideView, ticket: str) -> Sentence:
    """Say how many trains a ticket still needs, and for which routes, each with its spaces and colours."""
    own = frozenset(route for route, seat in view.owners.items() if seat == view.seat)
    free = frozenset(it.id for it in open_routes(view))
    way = missing(ticket, own, free)
    if way is None:
        return Sentence("can no longer be completed")
    if not way:
        return Sentence("completed")
    return Sentence("{trains:train|trains} ({routes})", {"trains": length(way), "routes": needed(way, free)})


# ==== routes ======================================================================================
def _claimed(view: TicketToRideView) -> Iterator[Sentence]:
    claimed: dict[int, list[Sentence]] = {}
    for route in ROUTES.values():
        if route.id in view.owners:
            facts = {"a": route.a, "b": route.b, "spaces": route.spaces}
            claimed.setdefault(view.owners[route.id], []).append(Sentence("{a}–{b} {spaces}", facts))
    for it in view.seats:
        if it.seat in claimed:
            yield Sentence("{seat}: {routes}.", {"seat": it.seat, "routes": tuple(claimed[it.seat])})


def _free(view: TicketToRideView, private: Private | None) -> Iterator[Sentence]:
    """List free routes by their first city; routes that the reader can pay for are marked."""
    free = list(open_routes(view))
    by_city: dict[str, list[Route]] = {city: [] for city in CITIES}
    for it in free:
        if not _is_second(it, free):
            by_city[it.a].append(it)
    payable = frozenset[str]() if private is None else _payable(view, private, free)
    for city, routes in by_city.items():
        if routes:
            known = tuple(_free_route(it, payable) for it in routes)
            yield Sentence("{city}: {routes}.", {"city": city, "routes": known})
    if private is not None:
        yield Sentence("An asterisk (*) marks the routes that you can pay for.")


def _points() -> Iterator[Sentence]:
    for spaces, points in POINTS_FOR_SPACES.items():
        yield Sentence("{points} for {spaces}", {"points": points, "spaces": spaces})


def _is_second(route: Route, free: Sequence[Route]) -> bool:
    """Is it the second of two equal tracks that are both free?"""
    return route.lane == 2 and any(it.id == route.twin and it.colour == route.colour for it in free)


def _payable(view: TicketToRideView, private: Private, free: Sequence[Route]) -> frozenset[str]:
    """Return the free routes that the reader can pay for. Routes of the same colour and length have the same price."""
    trains, own = view.own.trains if view.own else 0, held(private.hand)
    by_price = {(it.colour, it.spaces): it for it in free}
    prices = {price for price, it in by_price.items() if has_trains(trains, it) and payments(it, own)}
    return frozenset(it.id for it in free if (it.colour, it.spaces) in prices)


def _free_route(route: Route, payable: Container[str]) -> Sentence:
    facts = {"city": route.b, "spaces": route.spaces, "colour": route.colour}
    if route.id in payable:
        return Sentence("{city} {spaces} {colour}*", facts)
    return Sentence("{city} {spaces} {colour}", facts)
