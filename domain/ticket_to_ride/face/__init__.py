"""The descriptions and drawings of Ticket to Ride: the face's contents page. None of it is reconstructed."""

from domain.face import Face, deeds_of, orders_of, places_of
from domain.ticket_to_ride.events import LastRoundStarted, PlayStalled
from domain.ticket_to_ride.face.commands import COMMANDS, ahead
from domain.ticket_to_ride.face.narrate import asks, hand, narrate, standing, why_asked
from domain.ticket_to_ride.face.orders import ALIKE, names
from domain.ticket_to_ride.face.picture import picture
from domain.ticket_to_ride.face.places import areas, shown
from domain.ticket_to_ride.face.plots import plots
from domain.ticket_to_ride.face.report import report
from domain.ticket_to_ride.face.terms import TERMS
from domain.ticket_to_ride.face.things import things
from domain.ticket_to_ride.face.tips import TIPS
from domain.ticket_to_ride.face.words import WORDS

FACE = Face(
    words=WORDS,
    notes=(),
    narrate=narrate,
    hand=hand,
    standing=standing,
    why_asked=why_asked,
    asks=asks,
    report=report,
    things=things,
    picture=picture,
    orders=orders_of(COMMANDS, names, ALIKE),
    places=places_of(COMMANDS, shown, areas),
    deeds=deeds_of(COMMANDS),
    ahead=ahead,
    tips=TIPS,
    terms=TERMS,
    plots=plots,
    end_begins=(LastRoundStarted, PlayStalled),
)
