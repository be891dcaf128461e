"""The mutation tester: its changes, its exceptions, and that a run distinguishes dead from living mutants."""

import subprocess
import sys
from pathlib import Path

import pytest

from domain import TITLES
from tests.mutants.equivalents import EQUIVALENTS
from tests.mutants.operators import mutants, mutants_of

ROOT = Path(__file__).parents[2]


def changes(source: str) -> set[tuple[str, str]]:
    found = list(mutants_of(source))
    for mutant in found:
        mutant.code()
    return {(mutant.before, mutant.after) for mutant in found}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", {("x = a < b", "x = a <= b")}),
        ("x = a in b", {("x = a in b", "x = a not in b")}),
        ("x = 2", {("x = 2", "x = 3"), ("x = 2", "x = 1")}),
        ("x = 0", {("x = 0", "x = 1")}),
        ("x = True", {("x = True", "x = False")}),
        ("x = a and b", {("x = a and b", f"x = {after}") for after in ("a or b", "a", "b")}),
        ("x = not a", {("x = not a", "x = a")}),
        ("x = a + b", {("x = a + b", "x = a - b")}),
        ("x = -a", {("x = -a", "x = a")}),
        ("x = min(a, b)", {("x = min(a, b)", f"x = {after}") for after in ("max(a, b)", "a", "b")}),
        ("x = any(a)", {("x = any(a)", "x = all(a)")}),
        ("x = [a, *b]", {("a", "nothing"), ("*b", "nothing")}),
        ("x = {a: b}", {("a", "nothing")}),
        ("f(a, b=c)", {("f(a, b=c)", "pass"), ("b=c", "nothing")}),
        ("x = f(seat)", {("x = f(seat)", "x = f(seat % 2 + 1)")}),
        ("x = a[lot.bidder]", {("x = a[lot.bidder]", "x = a[lot.bidder % 2 + 1]")}),
        ("x = [a for a in b if c]", {("c", "nothing")}),
        ("if a:\n    raise b", {("if a:", "pass"), ("a", "not a")}),
        ("for a in b:\n    c = a", {("for a in b:", "pass"), ("for a in b:", "only once")}),
        ("for a in b:\n    c = a\n    continue", {("continue", "break"), ("continue", "pass")}),
        ("match a:\n    case 'b':\n        c = d\n    case _:\n        c = e", {("'b'", "nothing"), ("_", "nothing")}),
        ("def f(a):\n    a = b\n    return a", {("a = b", "pass")}),
        ("def f(a):\n    a += b\n    return a", {("a += b", "pass"), ("a += b", "a -= b")}),
    ],
)
def test_each_construct_of_the_rules_is_changed(source, expected):
    assert expected <= changes(source)
    if "\n" not in source:
        assert changes(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""Two or more."""',
        "def f(a: tuple[int, 2]) -> Literal[3]:\n    return a",
        "@cache(maxsize=2)\ndef f(a):\n    return a",
        "class A(B, frozen=True):\n    pass",
        "a: Final[1] = b",
        "assert a < 2",
        "A = Callable[[B, C], D]",
        "A = TypeVar('A', bound=B)",
        "raise Refused('GTJ 3.6', 'No.', days=a + 1)",
        "x = Sentence('Yes.', {'days': 2})",
        "x = f'{a + 1}'",
        "def f():\n    a = b\n    return a",
    ],
)
def test_texts_and_annotations_are_left_alone(source):
    assert changes(source) == set()


@pytest.mark.parametrize("title", TITLES)
def test_every_mutant_compiles_and_has_a_distinct_name(title):
    found = mutants(title)
    assert len(found) > 1000
    assert len({mutant.key for mutant in found}) == len(found)
    for mutant in found[::20]:
        assert mutant.code()


@pytest.mark.parametrize("title", TITLES)
def test_each_equivalent_is_an_existing_mutant(title):
    keys = {mutant.key for mutant in mutants(title)}
    assert [key for key in EQUIVALENTS[title] if key not in keys] == []
    assert all(len(reason) > 20 for reason in EQUIVALENTS[title].values())


def run(tests: str) -> subprocess.CompletedProcess[str]:
    """Run some of the tests on three mutants of a small chapter."""
    some = ["--title", "ticket_to_ride", "--file", "rules/ending.py", "--mutants", "3", "--tests", tests]
    command = [sys.executable, "-m", "tests.mutants", *some, "--verbose"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_a_run_distinguishes_dead_from_living_mutants():
    died = run("test_ending.py")
    assert died.returncode == 0, died.stdout + died.stderr
    assert "3 of 3 died: 100.0 %" in died.stdout
    assert died.stdout.count("died of tests/domain/ticket_to_ride/test_ending.py::") == 3
    lived = run("test_components.py")
    assert lived.returncode == 1, lived.stdout + lived.stderr
    assert "0 of 3 died: 0.0 %" in lived.stdout
    assert lived.stdout.count("LIVES") == 3
