"""A command as a line of text, and back."""

import pytest

from domain import TITLES, notation
from domain.grand_trunk.commands import ChooseFirstRailcar, EndTurn, MoveTrain, PerformMaintenance
from domain.messages import Command
from domain.new_england.commands import ShipCube, TakeLoan
from domain.ticket_to_ride.commands import ClaimRoute, KeepTickets

LINES: dict[str, Command] = {
    "end-turn": EndTurn(),
    "move-train cv.richmond richmond": MoveTrain("cv.richmond", "richmond"),
    "move-train cv.richmond richmond decline_fast": MoveTrain("cv.richmond", "richmond", decline_fast=True),
    "move-train cv.a quebec right_of_way=cv.b": MoveTrain("cv.a", "quebec", right_of_way="cv.b"),
    "choose-first-railcar cv.box_car iron": ChooseFirstRailcar("cv.box_car", "iron"),
    "perform-maintenance": PerformMaintenance(),
    "perform-maintenance discard=a,b": PerformMaintenance(("a", "b")),
    "keep-tickets a,b": KeepTickets(("a", "b")),
    "keep-tickets -": KeepTickets(()),
    "claim-route x red,red,locomotive": ClaimRoute("x", ("red", "red", "locomotive")),
    "take-loan 40": TakeLoan(40),
    "ship-cube yellow boston,portsmouth": ShipCube("yellow", ("boston", "portsmouth")),
}
TITLE_OF = {kind: title for title in TITLES.values() for kind in title.rules.commands}


@pytest.mark.parametrize(("line", "command"), LINES.items())
def test_a_command_survives_writing_and_reading(line, command):
    assert notation.write(command) == line
    assert notation.read(TITLE_OF[type(command)], line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    {
        "  CLAIM_ROUTE   x  red ": ClaimRoute("x", ("red",)),
        "claim-route pay=red x": ClaimRoute("x", ("red",)),
        "move-train a b decline_fast=true": MoveTrain("a", "b", decline_fast=True),
        "move-train a b decline_fast=false": MoveTrain("a", "b"),
    }.items(),
)
def test_a_line_is_read_despite_capitals_and_spaces(line, command):
    assert notation.read(TITLE_OF[type(command)], line) == command


@pytest.mark.parametrize(
    ("line", "why"),
    {
        "": "nothing is not a command of this title.",
        "fly-away": "fly-away is not a command of this title.",
        "resign": "resign is not a command of this title.",
        "claim-route": "claim-route also needs: route pay.",
        "claim-route x": "claim-route also needs: route pay.",
        "claim-route x plaid": "plaid is not possible as pay.",
        "claim-route x red red": "“red” is one word too many.",
        "draw-tickets 3": "“3” is one word too many.",
        "draw-blind-card colour=red": "“colour=red” is one word too many.",
    }.items(),
)
def test_an_unreadable_line_is_refused_with_its_reason(line, why):
    with pytest.raises(notation.UnreadableLine, match=f"^{why}$"):
        notation.read(TITLES["ticket_to_ride"], line)


def test_an_error_names_the_optional_fields():
    with pytest.raises(notation.UnreadableLine, match=r"card to \[decline_fast\] \[right_of_way=\]"):
        notation.read(TITLES["grand_trunk"], "move-train")


def test_numbers_out_of_bounds_are_refused():
    with pytest.raises(notation.UnreadableLine, match="1001 is not possible as amount"):
        notation.read(TITLES["new_england"], "take-loan 1001")


def test_hidden_fields_are_left_out():
    assert notation.write(ChooseFirstRailcar()) == "choose-first-railcar"
