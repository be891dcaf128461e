"""Every sentence the pages say themselves, found in the templates and in the code."""

import ast
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, nodes

from service.notices.kinds import KINDS
from service.operators import acts
from service.web import pages
from service.web.pages import channels, errors, operate, preferences, story, times, web

PAGES = Path(pages.__file__).parent


def used() -> set[str]:
    """All texts that are given to ``_``, in English."""
    return {*_in_templates(), *_in_code(), *_in_tables()}


def _in_templates() -> Iterator[str]:
    for template in (PAGES / "templates").rglob("*.html"):
        for call in Environment().parse(template.read_text()).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "_":
                first = call.args[0]
                assert isinstance(first, nodes.Const), f"{template.name}:{call.lineno} says something computed"
                yield str(first.value)


def _in_code() -> Iterator[str]:
    for module in PAGES.glob("*.py"):
        for call in ast.walk(ast.parse(module.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "_":
                first = call.args[0]
                if isinstance(first, ast.Constant):
                    yield str(first.value)
                else:
                    assert ast.unparse(first) in TABLES, f"{module.name}:{call.lineno} says something computed"


TABLES = {
    "said": web.SAID.values(),
    "GAME_STATES[game.status]": web.GAME_STATES.values(),
    "CAUSES[it.ply.cause]": story.CAUSES.values(),
    "CAUSES[word]": channels.CAUSES.values(),
    "WRONG[error.why]": channels.WRONG.values(),
    "AREAS[it.area]": story.AREAS.values(),
    "KINDS[kind]": times.KINDS.values(),
    "KINDS[kind].named": [kind.named for kind in KINDS.values()],
    "KINDS[row.kind]": times.KINDS.values(),
    "WRONG[bad.why]": times.WRONG.values(),
    "BAD_NAMES[bad.why]": web.BAD_NAMES.values(),
    "STEPS[step.what]": preferences.STEPS.values(),
    "STATES[state]": preferences.STATES.values(),
    "REASONS[why]": preferences.REASONS.values(),
    "CLOSED_FOR[it]": operate.CLOSED_FOR.values(),
    "DEEDS[entry.what]": operate.DEEDS.values(),
    "acts.NOT_DONE[not_done.why]": acts.NOT_DONE.values(),
    "DUE[kind]": operate.DUE.values(),
    "GROUPS[it]": operate.GROUPS.values(),
    "GAME_STATES[it]": web.GAME_STATES.values(),
    "GAME_STATES[line.status]": web.GAME_STATES.values(),
    "TROUBLES[it]": operate.TROUBLES.values(),
    "MAIL_STATES[it]": operate.MAIL_STATES.values(),
    "CALL_STATES[it]": operate.CALL_STATES.values(),
    "CALL_STATES[it.state]": operate.CALL_STATES.values(),
    "words": [text for pair in (*errors.SAID.values(), errors.AWAY, errors.UPDATED) for text in pair],
}
"""What is said from tables: as it is written in the code, and all it can be."""


def _in_tables() -> Iterator[str]:
    for texts in TABLES.values():
        yield from texts
