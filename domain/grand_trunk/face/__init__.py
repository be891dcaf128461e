"""The texts and drawings of the Grand Trunk Journey: the contents page of the face."""

from domain.face import Face, deeds_of, orders_of, places_of
from domain.grand_trunk.events import EndBegun
from domain.grand_trunk.face.commands import COMMANDS, ahead
from domain.grand_trunk.face.narrate import asks, hand, narrate, standing, why_asked
from domain.grand_trunk.face.notes import NOTES
from domain.grand_trunk.face.orders import ALIKE, names
from domain.grand_trunk.face.picture import COLOURS, picture
from domain.grand_trunk.face.places import areas, shown
from domain.grand_trunk.face.plots import plots
from domain.grand_trunk.face.report import report
from domain.grand_trunk.face.terms import TERMS
from domain.grand_trunk.face.things import things
from domain.grand_trunk.face.tips import TIPS
from domain.grand_trunk.face.words import WORDS

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
    orders=orders_of(COMMANDS, names, ALIKE),
    places=places_of(COMMANDS, shown, areas, ALIKE),
    deeds=deeds_of(COMMANDS),
    ahead=ahead,
    colours=COLOURS,
    tips=TIPS,
    terms=TERMS,
    plots=plots,
    end_begins=(EndBegun,),
)
