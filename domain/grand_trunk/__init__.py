"""The Grand Trunk Journey: the package's contents page."""

from pathlib import Path

from domain.grand_trunk import setup
from domain.grand_trunk.board import PLAYERS
from domain.grand_trunk.bots import BOTS
from domain.grand_trunk.decide import COMMANDS, actions_of, asked, decide, leave, result
from domain.grand_trunk.events import EVENTS
from domain.grand_trunk.evolve import BOOKKEEPING
from domain.grand_trunk.face import FACE
from domain.grand_trunk.face.lesson import LESSON
from domain.grand_trunk.imagine import imagine
from domain.grand_trunk.rules.service import safe
from domain.grand_trunk.state import State
from domain.grand_trunk.view import view
from domain.rules import Ending, Rules
from domain.title import Seating, Title

TITLE = Title(
    id="grand_trunk",
    prefix="GTJ",
    cites={"take_back": "GTJ 19.5", "over": "GTJ 15.4"},
    catalogue=Path(__file__).parent / "catalogue.md",
    seating=Seating((PLAYERS.min, PLAYERS.max), setup.Options, setup.Choice, setup.check_table, setup.check_choice),
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
        actions=actions_of,
        safe=safe,
        result=result,
        view=view,
        imagine=imagine,
        ending=Ending(("GameOver", "winners"), ("GameScored", "scores"), (4,)),
        older={1: {}, 2: {}},
    ),
    face=FACE,
    bots=BOTS,
    lesson=LESSON,
)
