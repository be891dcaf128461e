"""Every pattern over text from outside takes work that grows with the text, and no faster."""

import re
from typing import Any

import pytest

from tests import patterns
from tests.patterns import Used, grows_too_fast, hostile

FOUND = patterns.found()


@pytest.mark.parametrize("used", FOUND, ids=[it.where for it in FOUND])
def test_each_patterns_work_grows_no_faster_than_the_text(used: Used) -> None:
    assert [text for text in hostile(used.pattern) if grows_too_fast(used, *text)] == []


QUICKER = (r"\s+$", r"(a+)+b", r"^\W{2,}+(\w.{2,60}?)\s*:?\s*\W{2,}$", r"<[^>]*>", r"\w+@\w+\.com", rb"\s*=\s*x")


@pytest.mark.long
@pytest.mark.parametrize("pattern", QUICKER)
def test_a_pattern_whose_work_grows_faster_is_found(pattern: Any) -> None:
    used = Used("here", re.compile(pattern))
    assert any(grows_too_fast(used, *text) for text in hostile(used.pattern))


def test_the_search_finds_all_patterns() -> None:
    found = {it.where for it in FOUND}
    assert {"service.post.quoting._RULED", "domain.orders.reading.COPIED", "config.logging._SECRETS"} <= found
    assert sum(where.startswith("service.post.") for where in found) > 50
