"""The descriptions and drawings of New England Railways: the face's contents page."""

from domain.face import Face, deeds_of, orders_of, places_of
from domain.new_england.events import LastTurnAnnounced
from domain.new_england.face.commands import COMMANDS, ahead
from domain.new_england.face.narrate import asks, hand, narrate, standing, why_asked
from domain.new_england.face.notes import NOTES
from domain.new_england.face.orders import names
from domain.new_england.face.picture import picture
from domain.new_england.face.places import areas, shown
from domain.new_england.face.plots import plots
from domain.new_england.face.report import report
from domain.new_england.face.terms import TERMS
from domain.new_england.face.things import things
from domain.new_england.face.tips import TIPS
from domain.new_england.face.words import WORDS

FACE = Face(
    words=WORDS,
    notes=NOTES,
    narrate=narrate,
    hand=hand,
    standing=standing,
    why_asked=why_asked,
    asks=asks,
    report=report,
    things=things,
    picture=picture,
    orders=orders_of(COMMANDS, names),
    places=places_of(COMMANDS, shown, areas),
    deeds=deeds_of(COMMANDS),
    ahead=ahead,
    tips=TIPS,
    terms=TERMS,
    plots=plots,
    end_begins=(LastTurnAnnounced,),
)
