"""Every id has a name and every template a German one: the sources themselves say which there are."""

import ast
import string
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

import domain
from domain import house_words
from domain.grand_trunk import TITLE, board, cards, commands, state
from domain.grand_trunk.events import EVENTS
from domain.grand_trunk.legal import _GROUPS
from domain.grand_trunk.narrate import BOOKKEEPING, TELLERS
from domain.grand_trunk.words import WORDS
from domain.words import Sentence, say
from service.words import spoken

ENGLISH = WORDS.english
GERMAN = spoken(WORDS, "de")

ROOT = Path(domain.__file__).parent
HOUSE = [
    ROOT / f"{name}.py" for name in ("game", "lifecycle", "timekeeping", "pace", "pace_words", "fork", "house_words")
]
SOURCES = sorted((ROOT / "grand_trunk").rglob("*.py"))
TEMPLATE_AT = {"Refused": 1, "Sentence": 0}


def templates() -> Iterator[tuple[str, str]]:
    """(where, template) of each template that is written in a call of `Refused` or `Sentence`."""
    for file in (*HOUSE, *SOURCES):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TEMPLATE_AT:
                where = f"{file.relative_to(ROOT)}:{node.lineno}"
                given = node.args[TEMPLATE_AT[node.func.id]]
                yield from ((where, template) for template in literals(given, where))


def literals(node: ast.expr, where: str) -> list[str]:
    """The strings an expression can be: a literal, a choice of them, or the template of a sentence found elsewhere.

    Anything else would hide templates from this test.
    """
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.IfExp):
        return literals(node.body, where) + literals(node.orelse, where)
    if isinstance(node, ast.Attribute) and node.attr == "template":
        return []
    raise AssertionError(f"{where}: the template is not written where it is used")


def fields(template: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


TEMPLATES = list(templates())


def test_it_finds_the_templates_of_all_kinds():
    assert len({template for _, template in TEMPLATES}) > 80
    assert {where.split(":")[0] for where, _ in TEMPLATES} >= {"game.py", "lifecycle.py", "grand_trunk/narrate.py"}


@pytest.mark.parametrize(("where", "template"), TEMPLATES)
def test_each_template_is_said_in_german_with_the_same_fields(where: str, template: str):
    assert template in WORDS.german, f"{where}: no German for {template!r}"
    assert fields(WORDS.german[template]) == fields(template)


def test_no_german_is_kept_for_templates_that_nobody_says():
    said = {template for _, template in TEMPLATES}
    own = [template for template in WORDS.german if template not in house_words.GERMAN]
    assert [template for template in own if template not in said] == []


def test_a_number_takes_its_noun_along_in_both_languages():
    moved = Sentence("{seat} moves from {origin} to {to}: {days:day|days}, now on day {day}.",
                     {"seat": 1, "origin": "utica", "to": "quebec", "days": 1, "day": 9})  # fmt: skip
    assert say(moved, ENGLISH, lambda seat: "Ann") == "Ann moves from Utica to Québec: 1 day, now on day 9."
    assert say(moved, GERMAN, lambda seat: "Ann") == "Ann fährt von Utica nach Québec: 1 Tag, jetzt an Tag 9."


IDS = {
    "places": board.PLACES, "goods": cards.GOODS, "companies": cards.COMPANIES, "cards": cards.CARDS,
    "railcar types": cards.RAILCAR_TYPES, "actions": cards.ACTIONS, "options": cards.DEVELOPMENT_OPTIONS,
    "variants": cards.VARIANTS, "improvements": cards.IMPROVEMENTS, "objectives": cards.OBJECTIVES,
    "scenarios": board.SCENARIOS, "goods tokens": board.GOODS_TOKENS, "contract tokens": board.CONTRACT_TOKENS,
    "first deliveries": board.FIRST_DELIVERIES, "levels": ("intermediate", "expert"),
    "force levels": [level.id for level in cards.FORCE_LEVELS.values()],
    "groups of actions": _GROUPS.values(), "stages": state.Stage.__args__, "categories": state.Category.__args__,
    "new card": commands.BuildTerminal.__annotations__["new_card"].__args__,
}  # fmt: skip


@pytest.mark.parametrize("kind", IDS)
def test_each_id_has_a_name_in_both_languages(kind: str):
    for each in IDS[kind]:
        english, german = WORDS.names[each]
        assert english
        assert german
        assert "_" not in english + german, "an id is no name"


@pytest.mark.parametrize("struct", [TITLE.options, TITLE.choice])
def test_what_the_host_and_a_seat_choose_has_names(struct: type[msgspec.Struct]):
    for field, kind in get_type_hints(struct).items():
        for named in (field, *get_args(kind)):
            assert named in WORDS.names, f"{struct.__name__}.{field}"


def test_a_card_is_named_by_what_it_shows():
    assert ENGLISH.name("central_vermont.burlington") == "Burlington (Hopper Car)"
    assert GERMAN.name("grand_trunk_railway.ottawa") == "Ottawa (Überlandtransport)"
    assert ENGLISH.name("quebec_richmond.port_1") == ENGLISH.name("quebec_richmond.port_2")


def test_every_event_is_told_or_is_bookkeeping():
    assert set(TELLERS) | set(BOOKKEEPING) == set(EVENTS)
    assert not set(TELLERS) & set(BOOKKEEPING)
