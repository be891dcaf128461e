"""Ticket to Ride, the map of the United States: the package's contents page."""

from pathlib import Path

from domain.ticket_to_ride.ahead import ahead
from domain.ticket_to_ride.bots import play_at_random, play_sensibly
from domain.ticket_to_ride.commands import COMMANDS
from domain.ticket_to_ride.decide import actions, asked, decide, leave, result, safe
from domain.ticket_to_ride.events import EVENTS, SHAPES_1
from domain.ticket_to_ride.evolve import BOOKKEEPING
from domain.ticket_to_ride.imagine import imagine
from domain.ticket_to_ride.narrate import hand, narrate, standing, why_asked
from domain.ticket_to_ride.notes import NOTES
from domain.ticket_to_ride.orders import ORDERS
from domain.ticket_to_ride.picture import picture
from domain.ticket_to_ride.places import PLACES
from domain.ticket_to_ride.report import report
from domain.ticket_to_ride.setup import FEWEST_SEATS, MOST_SEATS, Choice, Options, check_choice, check_table, setup
from domain.ticket_to_ride.state import State
from domain.ticket_to_ride.things import things
from domain.ticket_to_ride.view import view
from domain.ticket_to_ride.words import WORDS
from domain.title import Ending, Title, recording

TITLE = Title(
    id="ticket_to_ride",
    prefix="TTR",
    rules=3,
    seats=(FEWEST_SEATS, MOST_SEATS),
    cites={"take_back": "TTR 10.6", "over": "TTR 7.4"},
    options=Options,
    choice=Choice,
    check_table=check_table,
    check_choice=check_choice,
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
    ahead=ahead,
    narrate=narrate,
    hand=hand,
    standing=standing,
    report=report,
    why_asked=why_asked,
    things=things,
    picture=picture,
    orders=ORDERS,
    places=PLACES,
    words=WORDS,
    notes=NOTES,
    bots={"random": play_at_random, "sensible": play_sensibly},
    catalogue=Path(__file__).parent / "catalogue.md",
    ending=Ending(("GameEnded", "winners"), ("GameEnded", "scores"), (1, 2, 3)),
    older={1: recording(decide, leave, SHAPES_1), 2: {}},
)
