"""The commands of Ticket to Ride as people meet them: one record for each; the list of all is at the end.

A route is named by its two cities. For a double route in two colours the line adds the track's colour, for a gray one
its number. Cards are counted or named one by one. Without cards, or with a colour alone, a line means the fewest
locomotives.
"""

from functools import cache, lru_cache
from itertools import pairwise

from domain.face import CommandFace, ahead_of
from domain.messages import Command
from domain.orders import NUMBER, Cards, Ends, One, Order, Part, Told, Verb
from domain.places import Aim
from domain.rules import Action
from domain.ticket_to_ride.board import GRAY, POINTS_FOR_SPACES, ROUTES, TICKETS, TICKETS_DEALT, Route
from domain.ticket_to_ride.cards import KINDS, LOCOMOTIVE
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.face.orders import CARD, CITY, EXTRA, TRACK
from domain.ticket_to_ride.face.places import DECK_OF_TICKETS, DECK_OF_TRAINS, tracks
from domain.ticket_to_ride.view import Private, TicketToRideView
from domain.words import Sentence


def _private(view: TicketToRideView) -> Private:
    """Return the private part of the view of the acting seat."""
    assert view.own is not None
    assert view.own.private is not None
    return view.own.private


def _others(view: TicketToRideView, command: Command, at: str) -> list[Sentence]:
    """Describe the outcome of a command whose record is silent. ``at``: the unforeseeable draw or event."""
    if at.startswith("TTR 10.6"):
        return [Sentence("No more cards can be drawn. The next seat plays if it can claim a route.")]
    if at in ("TicketsScored", "GameEnded"):
        return [Sentence("The game ends. All tickets are revealed and scored.")]
    return [Sentence("Cards from the deck refill the market.")]  # the number depends on the deck


# ==== TTR 2 and 6: tickets ========================================================================
def _keep(view: TicketToRideView, command: KeepTickets, action: Action) -> Order:
    assert isinstance(command.tickets, tuple)
    return _kept(command.tickets, everything=len(command.tickets) == len(_private(view).offered))


def _kept(tickets: tuple[str, ...], *, everything: bool) -> Order:
    kept = [TICKETS[it] for it in tickets]
    beside = [One(NUMBER, str(it.points)) for it in kept] + [One(EXTRA, "tickets")]
    return Order(
        KEEP.lines[0],
        {"tickets": Ends(CITY, tuple((it.a, it.b) for it in kept))},
        (*beside, *([One(EXTRA, "all")] if everything else [])),
    )


def _tickets_of(view: TicketToRideView, told: Told) -> Told | None:
    """Return the tickets with the two ends in the line."""
    pairs = [set(pair) for pair in list(pairwise(told.of(CITY)))[::2]]
    kept = [it.id for it in TICKETS.values() if {it.a, it.b} in pairs]
    return told.beside("ticket", kept) if kept else None


def _after_keeping(view: TicketToRideView, command: KeepTickets, at: str) -> list[Sentence]:
    if view.phase == "setup":
        return [Sentence("You choose last, so the game begins.")]
    return _others(view, command, at)


KEEP = CommandFace(
    KeepTickets,
    verbs=(Verb(Sentence("keep"), "TTR 6.2"),),
    lines=(Sentence("keep {tickets}"),),
    tell=_keep,
    kind="keep",
    aim=lambda view, command: Aim("keep", more=tuple(command.tickets or ())),
    deed=Sentence("Keep these tickets"),
    fields={"tickets": "ticket*"},
    follows=_tickets_of,
    ahead=_after_keeping,
)


def _dealt(view: TicketToRideView, command: DrawTickets, at: str) -> list[Sentence]:
    dealt = min(TICKETS_DEALT, view.ticket_deck)
    return [
        Sentence("You are dealt {count:ticket|tickets} and keep at least one.", {"count": dealt}),
        Sentence("A ticket that you keep but do not complete costs you its points at the end."),
    ]


TICKETS_ASKED = Order(Sentence("draw tickets"), beside=(One(EXTRA, "deck"), One(EXTRA, "tickets")))
DRAW_TICKETS = CommandFace(
    DrawTickets,
    verbs=(Verb(Sentence("draw tickets | take tickets"), "TTR 6.1"),),
    lines=(TICKETS_ASKED.line,),
    tell=lambda view, command, action: TICKETS_ASKED,
    kind="tickets",
    aim=lambda view, command: Aim("tickets", (DECK_OF_TICKETS,)),
    ahead=_dealt,
)


# ==== TTR 4: train cards ==========================================================================
DRAW = Verb(Sentence("draw"), "TTR 4.1")


def _after_a_card(view: TicketToRideView, *, whole_turn: bool = False) -> Sentence:
    """TTR 4.1, 4.3 Describe the rest of the turn: it has two cards, or one locomotive of the market."""
    if whole_turn or view.step == "one_card":
        return Sentence("This ends your turn.")
    return Sentence("Then you draw a second card.")


@cache
def _take(card: str) -> Order:
    return Order(TAKE_CARD.lines[0], {"card": One(CARD, card)}, (One(EXTRA, "market"), One(NUMBER, "1")))


def _taken(view: TicketToRideView, command: DrawFaceUpCard, at: str) -> list[Sentence]:
    taken = Sentence("You take this card: {card}. A card from the deck replaces it.", {"card": command.card})
    return [taken, _after_a_card(view, whole_turn=command.card == LOCOMOTIVE)]


def _slots(view: TicketToRideView, command: DrawFaceUpCard) -> Aim:
    """A colour in the market means each of the cards that show it."""
    return Aim("take", tuple(f"market.{slot}" for slot, it in enumerate(view.market, 1) if it == command.card))


TAKE_CARD = CommandFace(
    DrawFaceUpCard,
    verbs=(Verb(Sentence("take | pick"), "TTR 4.1"), DRAW),
    lines=(Sentence("take {card}"),),
    tell=lambda view, command, action: _take(command.card),
    kind="take",
    aim=_slots,
    fields={"card": CARD},
    ahead=_taken,
)


def _drawn(view: TicketToRideView, command: DrawBlindCard, at: str) -> list[Sentence]:
    return [Sentence("You draw a card that nobody has seen."), _after_a_card(view)]


CARD_DRAWN = Order(Sentence("draw card"), beside=(One(EXTRA, "deck"), One(NUMBER, "1")))
DRAW_CARD = CommandFace(
    DrawBlindCard,
    verbs=(DRAW, Verb(Sentence("draw card | draw blind | blind"), "TTR 4.4")),
    lines=(CARD_DRAWN.line,),
    tell=lambda view, command, action: CARD_DRAWN,
    kind="draw",
    aim=lambda view, command: Aim("draw", (DECK_OF_TRAINS,)),
    ahead=_drawn,
)


# ==== TTR 5: routes ===============================================================================
def _claim(view: TicketToRideView, command: ClaimRoute, action: Action) -> Order:
    pay = command.pay
    counts = tuple((kind, pay.count(kind)) for kind in KINDS if kind in pay)
    [(colour, cards), *_] = counts
    fewest = cards == min(_private(view).hand[colour], len(pay))
    return _claimed(command.route, counts, unsaid=not action.aside, by=colour if fewest else None)


@lru_cache(maxsize=8192)
def _claimed(route: str, counts: tuple[tuple[str, int], ...], *, unsaid: bool, by: str | None) -> Order:
    it, (line, line_of_track) = ROUTES[route], CLAIM.lines
    parts: dict[str, Part] = {"route": Ends(CITY, ((it.a, it.b),)), "cards": Cards(CARD, counts, unsaid, by)}
    beside = (One(NUMBER, str(it.spaces)),)
    colour = One(TRACK, it.colour)
    if it.twin is None:
        return Order(line, parts, (*beside, colour))
    if ROUTES[it.twin].colour == it.colour:
        parts["track"] = One(TRACK, f"track_{it.lane}")
        return Order(line_of_track, parts, (*beside, colour))
    return Order(line_of_track, {**parts, "track": colour}, beside)


def _routes_of(view: TicketToRideView, told: Told) -> Told:
    """Return the routes between the two cities in the line."""
    ends = set(told.of(CITY))
    return told.beside("route", [it.id for it in ROUTES.values() if {it.a, it.b} == ends and _is_track(it, told)])


def _is_track(route: Route, told: Told) -> bool:
    """Does this track agree with all facts in the line about the track and the cards in its colour?"""
    named = set(told.of(TRACK)) - {LOCOMOTIVE}
    return route.colour == GRAY or not named or route.colour in named


def _aimed_at(view: TicketToRideView, command: ClaimRoute) -> Aim:
    """Point at the route, or its two cities, then the colour that pays. Fewer or more locomotives are a number."""
    route, pay = command.route, command.pay
    colour = next((it for it in pay if it != LOCOMOTIVE), LOCOMOTIVE)
    ends = (ROUTES[route].a, ROUTES[route].b)
    return Aim("claim", (*tracks(route, view), *ends, colour), of=LOCOMOTIVE, number=pay.count(LOCOMOTIVE))


def _points(view: TicketToRideView, command: ClaimRoute, action: Action) -> Sentence:
    """Say the points of a route."""
    return Sentence("{points:point|points}", {"points": POINTS_FOR_SPACES[ROUTES[command.route].spaces]})


CLAIM = CommandFace(
    ClaimRoute,
    verbs=(Verb(Sentence("claim | build"), "TTR 5.1"),),
    lines=(Sentence("claim {route} with {cards}"), Sentence("claim {route} {track} with {cards}")),
    tell=_claim,
    kind="claim",
    aim=_aimed_at,
    fields={"route": "route", "pay": f"{CARD}*"},
    follows=_routes_of,
    open=("cards",),
    remark=_points,
    hint=Sentence(
        "You pay for a route with as few locomotives as possible. To use more locomotives, name them: “with 1 blue 1 "
        "locomotive”."
    ),
)

COMMANDS = (KEEP, TAKE_CARD, DRAW_CARD, CLAIM, DRAW_TICKETS)
ahead = ahead_of(COMMANDS, _others)
