"""One dialect of rules: ``rule(now, command) -> None``; guards are called ``must_...``, and precede all events.

`test_random_games` shows that no random game and no made-up command finds a rule that refuses after an event. Here the
rules are read: no path through one leads from an event, or from chance, to a guard.
"""

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import pytest

from domain import TITLES, lifecycle
from domain.chance import FreeChance
from domain.decision import Decision
from domain.messages import Command, Event
from domain.play import HOUSE_RULES
from domain.refusal import Refused
from tests.contract.games import what_had_happened

ROOT = Path(__file__).parents[2]
HAPPENS = ("happens", "draw", "uncover")
"""Methods of a decision and its chance after which nothing may be refused."""
CHECKS = ("check_table", "check_choice")
"""The title's checks of a table and of a seat, which the framework calls: they refuse, too."""
RULES = {
    **{title: sorted((ROOT / "domain" / title / "rules").glob("*.py")) for title in TITLES},
    "toy": [ROOT / "tests" / "toy.py"],
    "the house": [
        ROOT / "domain" / f"{name}.py" for name in ("at_table", "seats", "leaving", "going_back", "timekeeping", "pace")
    ],
}
"""The modules of rules: of each title, and of the framework."""


class Rules:
    """The functions of some modules, and the names of those that cause events or refuse, directly or by others."""

    def __init__(self, files: list[str]) -> None:
        trees = [ast.parse(file) for file in files]
        self.functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        self.happening = self._reaching(lambda name, method: method and name in HAPPENS)
        self.refusing = self._reaching(lambda name, method: not method and (name == "Refused" or name in CHECKS))

    def _reaching(self, ends) -> set[str]:
        found: set[str] = set()
        while True:
            more = {
                it.name
                for it in self.functions
                if it.name not in found and any(ends(*call) or call[0] in found for call in calls(it))
            }
            if not more:
                return found
            found |= more

    def faults(self) -> Iterator[str]:
        for function in self.functions:
            name = function.name
            refuses = any(call == ("Refused", False) for call in calls(function))
            if refuses and not name.startswith(("must_", "check_")):
                yield f"{name} refuses, and is not called must_..."
            if name.startswith("must_") and (name not in self.refusing or name in self.happening):
                yield f"{name} is no guard"
            asked = [it.arg for it in function.args.args]
            if "command" in asked and name != "decide" and not name.startswith("must_"):
                if asked != ["now", "command"] or ast.unparse(function.returns or ast.Pass()) != "None":
                    yield f"{name} is no rule(now, command) -> None"
                yield from self.late_guards(name, function.body)

    def late_guards(self, name: str, body: list[ast.stmt]) -> Iterator[str]:
        """Yield guards after an event; branches that return lead nowhere."""
        late: list[str] = []
        self._walk(body, False, late)
        yield from (f"{name} refuses by {guard} after something has happened" for guard in late)

    def _walk(self, body: list[ast.stmt], happened: bool, late: list[str]) -> bool | None:
        """Return True if an event happens in ``body``, or None if nothing can follow it."""
        for statement in body:
            branches = [getattr(statement, field, []) for field in ("body", "orelse", "finalbody")]
            branches += [case.body for case in getattr(statement, "cases", [])]
            inner = [each for branch in branches for each in branch]
            for call, method in calls(statement, but=inner):
                if happened and not method and call in {*self.refusing, *CHECKS, "Refused"}:
                    late.append(call)
                happened = happened or (method and call in HAPPENS) or (not method and call in self.happening)
            ends = [self._walk(branch, happened, late) for branch in branches if branch]
            loops = isinstance(statement, ast.For | ast.While)
            if loops and any(ends):
                self._walk(inner, True, late)
            if isinstance(statement, ast.Return | ast.Raise):
                return None
            happened = happened or any(ends)
        return happened


def calls(node: ast.AST, but: list[ast.stmt] | None = None) -> list[tuple[str, bool]]:
    """Return the calls in ``node`` in order, as (name, is it a method of anything but a module?)."""
    skipped = {id(each) for statement in but or [] for each in ast.walk(statement)}
    found = []
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and id(each) not in skipped:
            called = each.func
            place = each.end_lineno, each.end_col_offset
            if isinstance(called, ast.Name):
                found.append((place, called.id, False))
            elif isinstance(called, ast.Attribute):
                found.append((place, called.attr, called.attr in HAPPENS))
    return [(name, method) for _, name, method in sorted(found)]


@pytest.mark.parametrize("whose", RULES)
def test_guards_precede_all_events(whose: str):
    rules = Rules([file.read_text() for file in RULES[whose]])
    assert rules.happening
    assert rules.refusing
    assert list(rules.faults()) == []


def test_every_command_of_the_framework_has_its_house_rule():
    assert set(HOUSE_RULES) == set(lifecycle.COMMANDS)


@pytest.mark.parametrize(
    "body",
    [
        "now.happens(1); must_be_seen(now)",
        "now.happens(must_be_seen(now)); must_be_seen(now)",
        "if now: go(now)\n must_be_seen(now)",
        "for each in now:\n  must_be_seen(now)\n  go(now)",
        "now.chance.draw('x'); must_be_seen(now)",
    ],
)
def test_a_late_guard_is_found(body: str):
    found = list(Rules([made_up(body)]).faults())
    assert found == ["rule refuses by must_be_seen after something has happened"]


@pytest.mark.parametrize(
    "body",
    [
        "must_be_seen(now); now.happens(1)",
        "now.happens(must_be_seen(now))",
        "if now:\n  go(now)\n  return\n must_be_seen(now); go(now)",
        "if now: go(now)\n else: must_be_seen(now)",
    ],
)
def test_an_early_guard_is_no_fault(body: str):
    assert list(Rules([made_up(body)]).faults()) == []


def made_up(body: str) -> str:
    return (
        f"def rule(now, command) -> None:\n {body}\n"
        "def must_be_seen(now):\n raise Refused('x')\n"
        "def go(now):\n now.happens(1)\n"
    )


# ==== what `test_random_games` looks at ===========================================================
class Step(Event, frozen=True):
    pass


class Walk(Command, frozen=True):
    steps: int


class Stroll(Decision[int]):
    __slots__ = ()
    bookkeeping = MappingProxyType({Step: lambda steps, event: steps + 1})


def walk(now: Stroll, command: Walk) -> None:
    """Refuse a walk that is too far, but only midway."""
    for _ in range(command.steps):
        if now.state == 2:
            raise Refused("X 1", "Too far.")
        now.happens(Step())


def test_events_before_a_refusal_are_seen():
    with pytest.raises(Refused) as late:
        walk(Stroll(0, 1, FreeChance(random.Random(1))), Walk(3))
    assert what_had_happened(late.value) == [Step(), Step()]
    with pytest.raises(Refused) as at_once:
        walk(Stroll(2, 1, FreeChance(random.Random(1))), Walk(1))
    assert what_had_happened(at_once.value) == []


def test_a_trial_ends_at_the_first_event():
    assert Stroll.trial(0, 1).allows(walk, Walk(1))
    assert Stroll.trial(0, 1).allows(walk, Walk(3)), "what is refused later is not seen"
    assert not Stroll.trial(2, 1).allows(walk, Walk(1))


def test_only_a_trial_is_asked_what_it_allows():
    """A real decision would record the events."""
    with pytest.raises(AssertionError):
        Stroll(0, 1, FreeChance(random.Random(1))).allows(walk, Walk(1))
