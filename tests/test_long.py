"""Which tests are long."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.long import parted


def an_item(*marks: pytest.Mark, variant: str = "") -> Any:
    called = {"callspec": SimpleNamespace(id=variant)} if variant else {}
    return SimpleNamespace(iter_markers=lambda name: [mark for mark in marks if mark.name == name], **called)


def test_a_marked_test_is_long_and_with_parameters_only_its_variants_that_have_one() -> None:
    whole, some = pytest.mark.long.mark, pytest.mark.long("postgresql", "3").mark
    short = [an_item(), an_item(variant="postgresql"), an_item(some, variant="sqlite-2")]
    long = [an_item(whole), an_item(whole, variant="sqlite"), an_item(some, variant="postgresql-2")]
    long.append(an_item(some, variant="sqlite-3"))
    assert parted([*long, *short]) == (short, long)
