"""A title has two halves, and a command few homes: its class, its chapter of the rules, its face, and one more at most.

A command with an event of its own takes three files more: to define, apply and tell the event.

That the rules never import the face is a contract in ``pyproject.toml``.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain import TITLES
from domain.title import Title

ROOT = Path(__file__).parents[2] / "domain"
MOST_MODULES = 4
"""The most modules that name a command: `commands`, its chapter, `face/commands`, and one that narrates or safely
answers it.
"""
MOST_FIELDS = 12
BOTS = ("bots.py", "planner.py")
OF_AN_EVENT = {"events.py", "evolve.py", "face/narrate.py"}
RECORDING = {"decide.py", "now.py", "setup.py"}
"""The modules beside the chapters that record events."""
LOOKING_BACK = {"face/plots.py", "face/__init__.py"}
"""The modules that look back at a finished game. A new event needs neither."""


def modules(title: str) -> Iterator[tuple[str, set[str]]]:
    """Return each module of a title, with all names in it."""
    for file in sorted((ROOT / title).rglob("*.py")):
        nodes = list(ast.walk(ast.parse(file.read_text())))
        named = {it.id for it in nodes if isinstance(it, ast.Name)}
        named |= {it.attr for it in nodes if isinstance(it, ast.Attribute)}
        named |= {it.name for it in nodes if isinstance(it, ast.ClassDef)}
        yield str(file.relative_to(ROOT / title)), named


@pytest.mark.parametrize("halved", TITLES)
def test_a_command_is_named_in_few_modules(halved: str):
    everything = [it for it in modules(halved) if it[0] not in BOTS]
    for command in TITLES[halved].rules.commands:
        homes = [file for file, names in everything if command.__name__ in names]
        assert {"commands.py", "face/commands.py"} <= set(homes), command
        assert any(file.startswith("rules/") for file in homes), command
        assert len(homes) <= MOST_MODULES, f"{command.__name__} is named in {', '.join(homes)}"


def test_a_title_has_few_fields():
    assert len(Title.__struct_fields__) <= MOST_FIELDS


@pytest.mark.parametrize("halved", TITLES)
def test_an_event_is_recorded_by_rules_and_otherwise_named_once_to_apply_it_and_once_to_tell_it(halved: str):
    everything = [it for it in modules(halved) if it[0] not in BOTS]
    for event in TITLES[halved].rules.events:
        homes = {file for file, names in everything if event.__name__ in names}
        assert {"events.py", "evolve.py"} <= homes, event
        others = {file for file in homes - OF_AN_EVENT - LOOKING_BACK if not file.startswith("rules/")}
        assert others <= RECORDING, f"{event.__name__} is named in {', '.join(sorted(homes))}"
