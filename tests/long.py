"""Long tests: each takes seconds, and guards something that few changes touch or that a shorter test guards, too.

They are marked ``long``, and run with ``pytest --long``. ``long("postgresql", "3")`` marks only the variants whose id
has one of these parameters.
"""

from collections.abc import Iterable

import pytest

MARKER = "long(*parameters): run only with --long; with parameters, only variants that have one of them"


def add_to(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", MARKER)


def parted(items: Iterable[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the short tests and the long ones."""
    short: list[pytest.Item] = []
    long: list[pytest.Item] = []
    for item in items:
        (long if _is_long(item) else short).append(item)
    return short, long


def _is_long(item: pytest.Item) -> bool:
    marks = list(item.iter_markers("long"))
    if not marks:
        return False
    called = getattr(item, "callspec", None)
    parameters = set(called.id.split("-")) if called else set()
    return any(not mark.args or not parameters.isdisjoint(mark.args) for mark in marks)
