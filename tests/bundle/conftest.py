"""The second verifier, loaded once."""

from collections.abc import Iterator

import pytest

from tests.bundle.javascript import JavaScript, loaded


@pytest.fixture(scope="session")
def javascript() -> Iterator[JavaScript]:
    yield from loaded()
