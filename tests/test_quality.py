"""The findings of checkers: style (ruff), types (mypy), imports that point one way (import-linter), distinct names."""

import ast
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

CHECKS = {
    "ruff": ["-m", "ruff", "check", "."],
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "mypy": ["-m", "mypy"],
    "import-linter": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
}


@pytest.mark.parametrize("check", CHECKS)
def test_the_checker_finds_nothing(check: str) -> None:
    done = subprocess.run([sys.executable, *CHECKS[check]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


NAMED_AFTER_OTHERS = ("domain/*/*", "domain/*/face/*", "service/database/tables.py", "service/web/api/*schemas.py")
"""Titles have the same files with the same names; rows and schemas have the names of the things they
hold or describe.
"""


def test_no_two_classes_have_one_name() -> None:
    """A class's name alone tells a reader which class it is."""
    named: dict[str, list[str]] = defaultdict(list)
    for top in ("config", "domain", "service", "workers"):
        for file in sorted((ROOT / top).rglob("*.py")):
            path = file.relative_to(ROOT)
            if not any(path.match(pattern) for pattern in NAMED_AFTER_OTHERS) or "words" in path.parts:
                for node in ast.walk(ast.parse(file.read_text())):
                    if isinstance(node, ast.ClassDef):
                        named[node.name].append(str(path))
    assert len(named) > 100
    assert {name: places for name, places in named.items() if len(places) > 1} == {}
