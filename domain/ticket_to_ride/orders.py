"""The commands of Ticket to Ride as lines: what each names, by which verbs it is asked for.

A route is its two cities; of a double route in two colours the line has the track's colour, of a gray one its number.
Cards are counted or told one by one. Without cards, or with a colour alone, the fewest locomotives are meant.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import pairwise

from domain.messages import Command
from domain.orders import NUMBER, Cards, Ends, Listing, Names, One, Order, Orders, Part, Told, Verb
from domain.ticket_to_ride.board import CITIES, GRAY, POINTS_FOR_SPACES, ROUTES, TICKETS, Route
from domain.ticket_to_ride.cards import COLOURS, KINDS, LOCOMOTIVE
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.view import TicketToRideView
from domain.title import Action
from domain.words import Sentence

VERBS = (
    Verb(Sentence("keep"), (KeepTickets,), "TTR 6.2"),
    Verb(Sentence("take | pick"), (DrawFaceUpCard,), "TTR 4.1"),
    Verb(Sentence("draw"), (DrawFaceUpCard, DrawBlindCard), "TTR 4.1"),
    Verb(Sentence("draw card | draw blind | blind"), (DrawBlindCard,), "TTR 4.4"),
    Verb(Sentence("claim | build"), (ClaimRoute,), "TTR 5.1"),
    Verb(Sentence("draw tickets | take tickets"), (DrawTickets,), "TTR 6.1"),
)

# ==== what things are called ======================================================================
CITY, CARD, TRACK, EXTRA = "city", "card", "track", "extra"
ALIKE = {"track_2": "track_1"}
"""Both tracks of a gray double route, where both are free for the seat."""

NAMES = Names(
    {
        CITY: dict.fromkeys(CITIES, ()),
        CARD: {
            **dict.fromkeys(COLOURS, ()),
            LOCOMOTIVE: (Sentence("locomotive | loco | loc | engine | wild | joker"),),
        },
        TRACK: {
            **dict.fromkeys((*COLOURS, GRAY), ()),
            "track_1": (Sentence("track {number}", {"number": 1}),),
            "track_2": (Sentence("track {number}", {"number": 2}),),
        },
        EXTRA: {
            "all": (Sentence("all | everything"),),
            "deck": (Sentence("deck | pile | card"),),
            "market": (Sentence("market | card"),),
            "tickets": (Sentence("tickets | destination tickets"),),
        },
    },
    counted=frozenset({CARD}),
)


def names(view: TicketToRideView | None) -> Names:
    """They are the same for every seat."""
    return NAMES


# ==== what a line names ===========================================================================
def tell(view: TicketToRideView, action: Action) -> Order:
    """The line of a legal action."""
    assert view.own is not None
    private = view.own.private
    assert private is not None
    match action.command:
        case KeepTickets(tickets):
            assert isinstance(tickets, tuple)
            return _keep(tickets, everything=len(tickets) == len(private.offered))
        case DrawFaceUpCard(card):
            return _take(card)
        case DrawBlindCard():
            return DRAW
        case ClaimRoute(route, pay):
            counts = tuple((kind, pay.count(kind)) for kind in KINDS if kind in pay)
            [(colour, cards), *_] = counts
            fewest = cards == min(private.hand[colour], len(pay))
            return _claim(route, counts, unsaid=not action.aside, by=colour if fewest else None)
    return TICKETS_ASKED


KEEP = Sentence("keep {tickets}")
TAKE = Sentence("take {card}")
CLAIM, CLAIM_TRACK = Sentence("claim {route} with {cards}"), Sentence("claim {route} {track} with {cards}")
DRAW = Order(Sentence("draw card"), beside=(One(EXTRA, "deck"), One(NUMBER, "1")))
TICKETS_ASKED = Order(Sentence("draw tickets"), beside=(One(EXTRA, "deck"), One(EXTRA, "tickets")))


@cache
def _take(card: str) -> Order:
    return Order(TAKE, {"card": One(CARD, card)}, (One(EXTRA, "market"), One(NUMBER, "1")))


def _keep(tickets: tuple[str, ...], *, everything: bool) -> Order:
    kept = [TICKETS[it] for it in tickets]
    beside = [One(NUMBER, str(it.points)) for it in kept] + [One(EXTRA, "tickets")]
    return Order(
        KEEP,
        {"tickets": Ends(CITY, tuple((it.a, it.b) for it in kept))},
        (*beside, *([One(EXTRA, "all")] if everything else [])),
    )


@lru_cache(maxsize=8192)
def _claim(route: str, counts: tuple[tuple[str, int], ...], *, unsaid: bool, by: str | None) -> Order:
    it = ROUTES[route]
    parts: dict[str, Part] = {"route": Ends(CITY, ((it.a, it.b),)), "cards": Cards(CARD, counts, unsaid, by)}
    beside = (One(NUMBER, str(it.spaces)),)
    colour = One(TRACK, it.colour)
    if it.twin is None:
        return Order(CLAIM, parts, (*beside, colour))
    if ROUTES[it.twin].colour == it.colour:
        parts["track"] = One(TRACK, f"track_{it.lane}")
        return Order(CLAIM_TRACK, parts, (*beside, colour))
    return Order(CLAIM_TRACK, {**parts, "track": colour}, beside)


LINES: Mapping[type[Command], tuple[Sentence, ...]] = {
    KeepTickets: (KEEP,),
    DrawFaceUpCard: (TAKE,),
    DrawBlindCard: (DRAW.line,),
    ClaimRoute: (CLAIM, CLAIM_TRACK),
    DrawTickets: (TICKETS_ASKED.line,),
}


# ==== why a line is not legal =====================================================================
def wish(view: TicketToRideView, kind: type[Command], told: Told) -> Command | None:
    """The command of a class that names what was told; a route or a ticket is named by its two ends."""
    ends = told.of(CITY)
    if kind is ClaimRoute:
        routes = [it.id for it in ROUTES.values() if {it.a, it.b} == set(ends) and _is_track(it, told)]
        return told.beside("route", routes).named(kind, {"route": "route", "pay": f"{CARD}*"})
    if kind is KeepTickets:
        pairs = [set(pair) for pair in list(pairwise(ends))[::2]]
        kept = [it.id for it in TICKETS.values() if {it.a, it.b} in pairs]
        return told.beside("ticket", kept).named(kind, {"tickets": "ticket*"}) if kept else None
    return told.named(kind, FIELDS.get(kind, {}))


def _is_track(route: Route, told: Told) -> bool:
    """Whether what was told of the track, and of the cards in its colour, is true of this one."""
    tracks = set(told.of(TRACK)) - {LOCOMOTIVE}
    return route.colour == GRAY or not tracks or route.colour in tracks


FIELDS: Mapping[type[Command], Mapping[str, str]] = {DrawFaceUpCard: {"card": CARD}}


# ==== as a list ===================================================================================
def remark(view: TicketToRideView, action: Action) -> Sentence | None:
    """The points that a route is worth."""
    if not isinstance(action.command, ClaimRoute):
        return None
    return Sentence("{points:point|points}", {"points": POINTS_FOR_SPACES[ROUTES[action.command.route].spaces]})


HINTS: Mapping[type[Command], Sentence] = {
    ClaimRoute: Sentence(
        "You pay for a route with as few locomotives as possible. To use more locomotives, name them: “with 1 blue 1 "
        "locomotive”."
    ),
}

ORDERS = Orders(VERBS, tell, names, LINES, ALIKE, wish, Listing({ClaimRoute: ("cards",)}, remark=remark, hints=HINTS))
