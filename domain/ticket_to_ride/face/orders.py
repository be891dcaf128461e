"""The names of the things of Ticket to Ride in lines, the same for all commands."""

from domain.orders import Names
from domain.ticket_to_ride.board import CITIES, GRAY
from domain.ticket_to_ride.cards import COLOURS, LOCOMOTIVE
from domain.ticket_to_ride.view import TicketToRideView
from domain.words import Sentence

CITY, CARD, TRACK, EXTRA = "city", "card", "track", "extra"
ALIKE = {"track_2": "track_1"}
"""Both tracks of a gray double route, if both are free for the seat."""

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
    """Return the names, which are the same for every seat."""
    return NAMES
