"""Things beside the board: every place can be found, and every named rule stands in the catalogue."""

import re
from collections.abc import Iterator

import pytest

from domain.things import Things
from domain.title import Title
from service.web.pages.frame.style import SEATS
from tests.contract.games import RandomGame

KINDS_OF_GOODS = {"coal", "iron", "wood", "steel"}
"""A card of a choice stands for several of these, which the list of actions names."""


def of_game(title: Title, number: int) -> Iterator[tuple[object, int, Things]]:
    """Yield some positions of a random game with the view of a seat that must act."""
    for step in RandomGame(title, number).steps():
        if step.after.status == "running" and step.ply.number % 5 == 0:
            for seat in step.after.asked[:1]:
                yield step.after.state, seat, title.face.things(title.rules.view(step.after.state, seat))


def placed(things: Things) -> set[str]:
    return {it.place for shelf in things.shelves for it in shelf.things if it.place}


@pytest.mark.parametrize("number", range(3))
def test_every_place_lies_on_the_board_or_beside_it(title: Title, number: int):
    """On both drawings, or beside the board."""
    for state, seat, things in of_game(title, number):
        view = title.rules.view(state, seat)
        drawn = title.face.places.areas(view, small=True).keys() & title.face.places.areas(view, small=False).keys()
        known = {it.id for it in title.face.places.shown(view)}
        assert placed(things) <= known, placed(things) - known
        for action in title.rules.actions(state, seat):
            aimed = set(title.face.places.aim(view, action).places) - KINDS_OF_GOODS
            assert aimed <= drawn | placed(things), (action.command, aimed - drawn - placed(things))


def test_named_rules_stand_in_the_catalogue(title: Title):
    numbers = set(re.findall(rf"\b{title.prefix} \d+(?:\.\d+)?", title.catalogue.read_text()))
    for _, _, things in of_game(title, 1):
        uses = [use for shelf in things.shelves for it in (shelf, *shelf.things) for use in it.uses]
        assert {use.rule for use in uses} <= numbers


def test_seats_have_colours_of_the_pages_and_distinct_letters(title: Title):
    for _, _, things in of_game(title, 2):
        assert {it.colour for it in things.seats} <= set(SEATS)
        assert len({it.letter for it in things.seats}) == len({it.colour for it in things.seats}) == len(things.seats)


def test_seats_are_compared_by_the_same_facts(title: Title):
    for _, _, things in of_game(title, 1):
        assert things.compared
        assert {len(it.facts) for it in things.seats} == {len(things.compared)}


def test_a_seat_opens_to_the_same_things_for_everybody(title: Title):
    """Nothing of it depends on the viewer, so nothing hidden is among it."""
    for state, seat, things in of_game(title, 3):
        for viewer in (None, *(it.seat for it in things.seats)):
            others = title.face.things(title.rules.view(state, viewer))
            assert (others.compared, [(it.facts, it.shelves) for it in others.seats]) == (
                things.compared, [(it.facts, it.shelves) for it in things.seats],
            ), (seat, viewer)  # fmt: skip
