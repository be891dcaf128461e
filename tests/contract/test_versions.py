"""The names of messages that have changed their shape: today's class has the plain name, and earlier ones a number.

The tag stands in the log and never changes: the first shape has the plain tag, the second ".2" behind it.
"""

import ast
import re
from itertools import islice
from pathlib import Path

import pytest

from domain import TITLES, lifecycle
from domain.messages import Command, Event, tag_of
from domain.title import Title
from tests.contract.games import RandomGame

ROOT = Path(__file__).parents[2] / "domain"
A_LOOK = 150
"""Plies of a game; a link of New England is sold by then, and a row has moved down."""


def kinds_of(title: Title) -> list[type[Command | Event]]:
    return [*title.codec.commands.values(), *title.codec.events.values(), *title.codec.upcasters]


def named(kind: type[Command | Event]) -> tuple[str, int | None]:
    """Return the plain name, and the number of an earlier shape."""
    plain, number = re.fullmatch(r"(.*?)(\d*)", kind.__name__).groups()
    return plain, int(number) if number else None


def tagged(kind: type[Command | Event]) -> tuple[str, int]:
    """Return the name in the log, and which of its shapes this is, from 1."""
    name, _, shape = tag_of(kind).partition(".")
    return name, int(shape or 1)


def test_todays_class_has_the_plain_name_and_earlier_ones_a_number(title: Title):
    shapes: dict[str, dict[int, int | None]] = {}
    for kind in kinds_of(title):
        plain, number = named(kind)
        name, shape = tagged(kind)
        assert name == plain, kind
        shapes.setdefault(name, {})[shape] = number
    for name, numbers in shapes.items():
        newest = max(numbers)
        assert numbers == {shape: None if shape == newest else shape for shape in range(1, newest + 1)}, name


def test_some_messages_have_changed_their_shape():
    assert tagged(lifecycle.OpenTable) == ("OpenTable", 2)
    assert tagged(lifecycle.OpenTable1) == ("OpenTable", 1)
    assert sum(named(kind)[1] is not None for kind in kinds_of(TITLES["new_england"])) == 5


def test_only_todays_classes_are_decided(title: Title):
    game = RandomGame(title, 2, mischief=False)
    assert not game.older
    for step in islice(game.steps(), A_LOOK):
        for message in (step.ply.command, *step.ply.events):
            assert named(type(message))[1] is None, message


@pytest.mark.parametrize("ruled", TITLES)
def test_no_rule_of_a_title_knows_an_earlier_shape(ruled: str):
    """Earlier editions translate the events of today's rules (`domain.rules.recording`)."""
    earlier = {kind.__name__ for kind in kinds_of(TITLES[ruled]) if named(kind)[1] is not None}
    for file in (ROOT / ruled / "decide.py", *(ROOT / ruled / "rules").glob("*.py")):
        nodes = list(ast.walk(ast.parse(file.read_text())))
        names = {it.id for it in nodes if isinstance(it, ast.Name)}
        assert not earlier & (names | {it.attr for it in nodes if isinstance(it, ast.Attribute)}), file
