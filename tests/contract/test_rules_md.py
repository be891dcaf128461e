"""RULES.md of every title: each number of the catalogue is there, and every function and test it names exists.

A line of the table is ``| GTJ 5.3 | its name | `file.py:function`, ... | `test_file.py:test_name`, ... |``. Files are
looked for in the title's folder, then in ``domain/``; tests in ``tests/domain/<title>/``, ``tests/domain/`` and
``tests/contract/``.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from domain.title import Title

ROOT = Path(__file__).parents[2]


def catalogue_numbers(title: Title) -> list[str]:
    """Return the numbers that head a rule in the catalogue."""
    return re.findall(rf"^(?:- )?\*\*({title.prefix} \d+\.\d+)(?: |\*\*)", title.catalogue.read_text(), re.MULTILINE)


def rows(title: Title) -> list[list[str]]:
    lines = (ROOT / "domain" / title.id / "RULES.md").read_text().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [row for row in cells if row[0].startswith(title.prefix)]


@cache
def names_in(file: Path) -> frozenset[str]:
    """Return the names that a module defines at its top level: functions, classes and tables."""
    names: set[str] = set()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                names |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return frozenset(names)


def missing(cell: str, folders: list[Path]) -> list[str]:
    """Return the ``file:name`` references of a cell that lead nowhere. An empty cell is an error, too."""
    references = re.findall(r"`([^`:]+):([^`]+)`", cell)
    if not references:
        return [f"nothing named in {cell!r}"]
    return [
        f"{file}:{name}"
        for file, name in references
        if not any((folder / file).is_file() and name in names_in(folder / file) for folder in folders)
    ]


def test_every_rule_of_the_catalogue_is_in_rules_md(title: Title):
    numbers, listed = catalogue_numbers(title), [row[0] for row in rows(title)]
    assert len(numbers) > 50, "the catalogue's headings are not found"
    assert [number for number in numbers if number not in listed] == []
    assert [number for number in listed if number not in numbers] == [], "not in the catalogue"
    assert len(set(listed)) == len(listed), "listed twice"


def test_every_function_and_test_named_exists(title: Title):
    domain, tests = ROOT / "domain", ROOT / "tests"
    for row in rows(title):
        assert len(row) == 4, row
        assert missing(row[2], [domain / title.id, domain]) == [], row[0]
        assert missing(row[3], [tests / "domain" / title.id, tests / "domain", tests / "contract"]) == [], row[0]
        assert all(name.startswith("test_") for _, name in re.findall(r"`([^`:]+):([^`]+)`", row[3])), row[0]


@pytest.mark.parametrize("folder", ["rules", "."])
def test_refusals_cite_rules_of_the_catalogue(title: Title, folder: str):
    """Every number written in a `Refused` of the title's code heads a rule of its catalogue."""
    numbers = set(catalogue_numbers(title))
    for file in (ROOT / "domain" / title.id / folder).glob("*.py"):
        for number in re.findall(rf"Refused\(\s*\"({title.prefix} [^\"]*)\"", file.read_text()):
            assert number in numbers, f"{file.name}: {number}"
