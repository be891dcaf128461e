"""Ticket to Ride, the map of the United States: the package's contents page."""

from pathlib import Path

from domain.rules import Ending, Rules, recording
from domain.ticket_to_ride.bots import play_at_random, play_sensibly
from domain.ticket_to_ride.decide import COMMANDS, actions, asked, decide, leave, result, safe
from domain.ticket_to_ride.events import EVENTS, SHAPES_1
from domain.ticket_to_ride.evolve import BOOKKEEPING
from domain.ticket_to_ride.face import FACE
from domain.ticket_to_ride.face.lesson import LESSON
from domain.ticket_to_ride.imagine import imagine
from domain.ticket_to_ride.setup import FEWEST_SEATS, MOST_SEATS, Choice, Options, check_choice, check_table, setup
from domain.ticket_to_ride.state import State
from domain.ticket_to_ride.view import view
from domain.title import Seating, Title

TITLE = Title(
    id="ticket_to_ride",
    prefix="TTR",
    cites={"take_back": "TTR 10.6", "over": "TTR 7.4"},
    catalogue=Path(__file__).parent / "catalogue.md",
    seating=Seating((FEWEST_SEATS, MOST_SEATS), Options, Choice, check_table, check_choice),
    rules=Rules(
        version=3,
        commands=COMMANDS,
        events=EVENTS,
        start=State(),
        setup=setup,
        decide=decide,
        bookkeeping=BOOKKEEPING,
        leave=leave,
        asked=asked,
        actions=actions,
        safe=safe,
        result=result,
        view=view,
        imagine=imagine,
        ending=Ending(("GameEnded", "winners"), ("GameEnded", "scores"), (1, 2, 3)),
        older={1: recording(decide, leave, SHAPES_1), 2: {}},
    ),
    face=FACE,
    bots={"random": play_at_random, "sensible": play_sensibly},
    lesson=LESSON,
)
