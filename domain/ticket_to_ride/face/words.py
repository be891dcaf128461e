"""The English names of things in Ticket to Ride. Other languages are in `words/`; sentences stand in the code that says
them.

City names stay as they are printed; German words follow the glossary of the catalogue (appendix B).
"""

from collections.abc import Mapping
from pathlib import Path

from domain import house_words
from domain.drawing import map_names
from domain.ticket_to_ride.board import CITIES, ROUTES, TICKETS, Route
from domain.ticket_to_ride.cards import ALL_CARDS, KINDS, LOCOMOTIVE
from domain.ticket_to_ride.face.picture import BASE
from domain.words import Name, Sentence, Words

OUR_OWN: Mapping[str, Name] = {
    "ticket_to_ride": "Ticket to Ride",
    # colours, of cards, routes and seats
    "purple": "purple",
    "blue": "blue",
    "orange": "orange",
    "white": "white",
    "green": "green",
    "yellow": "yellow",
    "black": "black",
    "red": "red",
    "gray": "gray",
    "locomotive": "locomotive",
    # choices
    "colour": "Colour",
    # phases and steps of a turn
    "setup": "setup",
    "play": "play",
    "one_card": "second train card",
    "complete": "complete",
    # categories of the result
    "routes": "routes",
    "tickets": "tickets",
    "longest_path": "longest path",
    # groups of actions
    "draw_cards": "Draw train cards",
    "claim": "Claim a route",
    "claim_with_more": "Claim a route, with more locomotives",
    "draw_tickets": "Draw tickets",
    "keep": "Keep tickets",
    # kinds of actions
    "do keep": "Keep tickets",
    "do take": "Take a card",
    "do draw": "Draw a card",
    "do claim": "Claim a route",
    "do tickets": "Draw tickets",
    # places
    "train_deck": "train card deck",
    "ticket_deck": "ticket deck",
}


def _route(route: Route) -> Sentence:
    """Name a route like "Denver–Kansas City (orange, 4)"; for two gray tracks side by side, add the track's number."""
    facts = {"a": route.a, "b": route.b, "colour": route.colour, "spaces": route.spaces}
    if route.twin is not None and ROUTES[route.twin].colour == route.colour:
        return Sentence("{a}–{b} ({colour}, {spaces}, track {lane})", {**facts, "lane": route.lane})
    return Sentence("{a}–{b} ({colour}, {spaces})", facts)


def _counted(kind: str, number: int) -> Sentence:
    """Name cards with their number: "3 white", "2 locomotives"."""
    if kind == LOCOMOTIVE:
        return Sentence("{number:locomotive|locomotives}", {"number": number})
    return Sentence("{number} {colour}", {"number": number, "colour": kind})


NAMES: Mapping[str, Name] = {
    **house_words.NAMES,
    **map_names(BASE),
    **{city.id: city.name for city in CITIES.values()},
    **OUR_OWN,
    **{route.id: _route(route) for route in ROUTES.values()},
    **{
        ticket.id: Sentence("{a}–{b} ({points})", {"a": ticket.a, "b": ticket.b, "points": ticket.points})
        for ticket in TICKETS.values()
    },
    **{f"{number} {kind}": _counted(kind, number) for kind in KINDS for number in range(1, ALL_CARDS[kind] + 1)},
}

WORDS = Words(NAMES, Path(__file__).parents[1] / "words")
