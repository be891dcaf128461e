"""The things beside the board of Ticket to Ride: market and decks, the hand by colour, tickets with missing routes."""

from collections.abc import Collection, Iterator, Sequence
from functools import cache

from domain.drawing import INKS, Ink, num
from domain.things import Seated, Shelf, Sketch, Thing, Things, Use
from domain.ticket_to_ride.board import CITIES, POINTS_FOR_SPACES, ROUTES, TICKETS, Route
from domain.ticket_to_ride.cards import KINDS, size
from domain.ticket_to_ride.face.picture import BASE, LETTERS, card_of, deck_of
from domain.ticket_to_ride.view import Private, SeatView, TicketToRideView
from domain.ticket_to_ride.ways import length, missing, open_routes
from domain.words import Sentence

INK: Ink = INKS["page"]


def things(view: TicketToRideView) -> Things:
    """TTR 9 Return only things that the viewer may see."""
    seats, shelves = (tuple(_seated(view, it) for it in view.seats), tuple(it for it in _shelves(view) if it.things))
    return Things(seats, shelves, _said(view), COMPARED)


def _said(view: TicketToRideView) -> tuple[Sentence, ...]:
    """TTR 7.1, 7.2 Say how near the end is."""
    if view.last_round_by is None or view.phase == "over":
        return ()
    return (Sentence("This is the last round; {seat} set it off.", {"seat": view.last_round_by}),)


def _shelves(view: TicketToRideView) -> Iterator[Shelf]:
    own = view.own
    private = None if own is None or own.left else own.private
    if private is not None:
        hand = private.hand
        yield Shelf(Sentence("Train cards"), "own", tuple(_held(it, hand[it]) for it in KINDS if hand[it]), PAYS)
    if view.phase != "over":
        yield Shelf(Sentence("Market"), "near", tuple(_market(view)), TAKE)
    if own is not None and private is not None:
        offered, kept = (tuple(_tickets(view, own, private, those)) for those in (private.offered, private.tickets))
        yield Shelf(Sentence("Tickets on offer"), "own", offered, (_TICKET,), listed=True)
        yield Shelf(Sentence("Your tickets"), "own", kept, (_TICKET,), listed=True)
        returned = tuple(map(Thing, private.returned))
        yield Shelf(Sentence("Tickets you have returned"), "aside", returned, (_RETURNED,))


# ==== cards =======================================================================================
PAYS = (
    Use(Sentence("Cards of one colour pay for routes of that colour and for gray routes."), "TTR 5.3"),
    Use(Sentence("A locomotive stands for a card of any colour."), "TTR 5.2"),
)
TAKE = (
    Use(Sentence("On your turn you can take two cards, each from here or from the deck."), "TTR 4.1"),
    Use(Sentence("If you take a locomotive from here, it is your only card this turn."), "TTR 4.3"),
)


def _held(kind: str, number: int) -> Thing:
    return Thing(kind, kind, (_card(kind),), Sentence("{number} ×", {"number": number}))


def _market(view: TicketToRideView) -> Iterator[Thing]:
    for slot, kind in enumerate(view.market, 1):
        if kind is not None:
            yield Thing(kind, f"market.{slot}", (_card(kind),))
    yield _pile("train_deck", "train_deck", view.train_deck, "accent", _DECK)
    yield _pile("ticket_deck", "ticket_deck", view.ticket_deck, "paper", _TICKETS)
    yield _pile(Sentence("discards"), "", size(view.discard), "gray", _DISCARDS, _discarded(view))


def _pile(name: str | Sentence, place: str, number: int, back: str, use: Use, said: tuple[Sentence, ...] = ()) -> Thing:
    mark = Sentence("{number}", {"number": number})
    return Thing(name, place, (_deck(back if number else ""),), mark, said, uses=(use,))


_DECK = Use(Sentence("Draw a face-down card. A locomotive drawn here counts as one card."), "TTR 4.4")
_TICKETS = Use(Sentence("You are dealt three tickets and keep at least one."), "TTR 6.2")
_DISCARDS = Use(Sentence("When the deck runs out, these cards are reshuffled into a new one."), "TTR 4.10")


def _discarded(view: TicketToRideView) -> tuple[Sentence, ...]:
    """TTR 9.5 List the number of each kind in the discard pile."""
    lying = tuple(f"{view.discard[it]} {it}" for it in KINDS if view.discard[it])
    return (Sentence("{cards}", {"cards": lying}),) if lying else ()


# ==== tickets =====================================================================================
def _tickets(view: TicketToRideView, own: SeatView, private: Private, tickets: tuple[str, ...]) -> Iterator[Thing]:
    """TTR 8.3 List tickets, completed ones last."""
    if not tickets:
        return
    mine = tuple(it for it, seat in view.owners.items() if seat == own.seat)
    free = frozenset(it.id for it in open_routes(view))
    for ticket in sorted(tickets, key=lambda it: it in private.completed):
        it = TICKETS[ticket]
        done = ticket in private.completed
        way = () if done else missing(ticket, frozenset(mine), free)
        name = Sentence("{a}–{b}", {"a": it.a, "b": it.b})
        points = Sentence("{points:point|points}", {"points": it.points})
        said = _rest(own, way, free, done, view.phase == "over")
        place = ticket if ticket in private.offered else ""
        yield Thing(name, place, (_on_map(ticket, own.colour, mine, way or ()),), points, said)


_TICKET = Use(
    Sentence("If your routes connect its cities, you gain its points at the end. Otherwise you lose them."), "TTR 8.3"
)


def _rest(
    own: SeatView, way: tuple[str, ...] | None, free: Collection[str], done: bool, over: bool
) -> tuple[Sentence, ...]:
    if done:
        return (Sentence("completed"),)
    if over:
        return (Sentence("not completed"),)
    if way is None:
        return (Sentence("This ticket can no longer be completed."),)
    need = length(way)
    rest = Sentence("needs at least {need:train|trains} more: {routes}", {"need": need, "routes": needed(way, free)})
    return (rest, Sentence("You have {trains} left.", {"trains": own.trains})) if need > own.trains else (rest,)


def needed(way: Sequence[str], free: Collection[str]) -> tuple[Sentence, ...]:
    """TTR 1.3 Name routes with spaces and colour; with the colours of both tracks if both are ``free``."""
    return tuple(_needed(ROUTES[it], free) for it in way)


def _needed(route: Route, free: Collection[str]) -> Sentence:
    facts = {"a": route.a, "b": route.b, "spaces": route.spaces, "colour": route.colour}
    other = ROUTES[route.twin].colour if route.twin is not None and route.twin in free else route.colour
    if other == route.colour:
        return Sentence("{a}–{b} {spaces} {colour}", facts)
    return Sentence("{a}–{b} {spaces} {colour} or {other}", facts | {"other": other})


_RETURNED = Use(Sentence("These tickets are at the bottom of the ticket deck, and only you know them."), "TTR 9.7")


# ==== seats =======================================================================================
COMPARED = (
    Sentence("points"), Sentence("trains"), Sentence("cards"), Sentence("tickets"), Sentence("longest path"),
)  # fmt: skip


def compared(seat: SeatView) -> tuple[int, ...]:
    """TTR 9.1 Return the public numbers of a seat, in the order of `COMPARED`."""
    return seat.points, seat.trains, seat.cards, seat.tickets + seat.offered, seat.longest_path


def _seated(view: TicketToRideView, seat: SeatView) -> Seated:
    facts = {
        "points": seat.points, "trains": seat.trains, "cards": seat.cards, "tickets": seat.tickets + seat.offered,
        "longest": seat.longest_path, "seen": tuple(f"{seat.seen[it]} {it}" for it in KINDS if seat.seen[it]),
    }  # fmt: skip
    said = [
        Sentence("{points:point|points}, {trains:train|trains}", facts),
        Sentence("{cards:train card|train cards}, {tickets:ticket|tickets}", facts),
    ]
    if seat.longest_path:
        said.append(Sentence("longest path: {longest}", facts))
    if facts["seen"]:
        said.append(Sentence("known cards: {seen}", facts))
    return Seated(
        seat.seat,
        seat.colour,
        LETTERS[seat.colour],
        said=tuple(said),
        mark=Sentence("{number}", {"number": seat.points}),
        facts=compared(seat),
        shelves=tuple(it for it in _open(view, seat) if it.things),
    )


def _open(view: TicketToRideView, seat: SeatView) -> Iterator[Shelf]:
    """Lay out the routes of a seat, and the train cards that everybody knows to be in its hand."""
    routes = tuple(_claimed(it) for it, owner in view.owners.items() if owner == seat.seat)
    yield Shelf(Sentence("Routes"), "aside", routes)
    yield Shelf(Sentence("Known cards"), "aside", tuple(_held(it, seat.seen[it]) for it in KINDS if seat.seen[it]))


@cache
def _claimed(id: str) -> Thing:
    route = ROUTES[id]
    facts = {"a": route.a, "b": route.b, "trains": route.spaces, "points": POINTS_FOR_SPACES[route.spaces]}
    points = Sentence("{points:point|points}", facts)
    return Thing(Sentence("{a}–{b}", facts), mark=Sentence("{trains:train|trains}", facts), said=(points,))


# ==== drawings ====================================================================================
@cache
def _card(kind: str) -> Sketch:
    return Sketch(52, 36, f'<g transform="scale(.63)">{card_of(kind, INK)}</g>', telling=True)


@cache
def _deck(back: str) -> Sketch:
    return Sketch(30, 36, f'<g transform="scale(.63)">{deck_of(back or None, INK)}</g>')


MAP = (-20.0, -20.0, 1040.0, 740.0)


@cache
def _course(route: str) -> str:
    it = ROUTES[route]
    a, b, bend = CITIES[it.a], CITIES[it.b], BASE.courses[it.pair]
    curve = f"Q{num(bend[0])} {num(bend[1])} {b.x} {b.y}" if bend else f"L{b.x} {b.y}"
    return f"M{a.x} {a.y}{curve}"


def _on_map(ticket: str, colour: str, mine: tuple[str, ...], way: tuple[str, ...]) -> Sketch:
    """Draw the two cities, one's own routes, and the missing ones between them."""
    it = TICKETS[ticket]
    own, rest = ("".join(map(_course, routes)) for routes in (mine, way))
    ends = "".join(
        f'<circle cx="{city.x}" cy="{city.y}" r="26" fill="{INK["accent"]}" stroke="{INK["paper"]}" stroke-width="9"/>'
        for city in (CITIES[it.a], CITIES[it.b])
    )
    lines = f'<path d="{own}" fill="none" stroke="{INK["ink"]}" stroke-width="22"/>' if own else ""
    lines += f'<path d="{own}" fill="none" stroke="{INK[colour]}" stroke-width="13"/>' if own else ""
    if rest:
        lines += f'<path d="{rest}" fill="none" stroke="{INK["accent"]}" stroke-width="14" stroke-dasharray="26 18"/>'
    return Sketch(168, 120, lines + ends, MAP)
