"""New England Railways: the package's contents page."""

from pathlib import Path

from domain.new_england import setup
from domain.new_england.board import MATERIAL
from domain.new_england.bots import BOTS
from domain.new_england.decide import COMMANDS, actions, asked, decide, leave, safe
from domain.new_england.events import EVENTS, SHAPES_1
from domain.new_england.evolve import BOOKKEEPING
from domain.new_england.face import FACE
from domain.new_england.face.lesson import LESSON
from domain.new_england.imagine import imagine
from domain.new_england.state import State
from domain.new_england.view import result, view
from domain.rules import Ending, Rules, recording
from domain.title import Seating, Title

TITLE = Title(
    id="new_england",
    prefix="NER",
    cites={"take_back": "NER 19.8", "over": "NER 17.4"},
    catalogue=Path(__file__).parent / "catalogue.md",
    seating=Seating(MATERIAL.seats, setup.Options, setup.Choice, setup.check_table, setup.check_choice),
    rules=Rules(
        version=3,
        commands=COMMANDS,
        events=EVENTS,
        start=State(),
        setup=setup.setup,
        decide=decide,
        bookkeeping=BOOKKEEPING,
        leave=leave,
        asked=asked,
        actions=actions,
        safe=safe,
        result=result,
        view=view,
        imagine=imagine,
        ending=Ending(("GameWon", "seats"), ("FinalAccountDrawn", "accounts"), (4,)),
        older={1: recording(decide, leave, SHAPES_1), 2: {}},
    ),
    face=FACE,
    bots=BOTS,
    lesson=LESSON,
)
