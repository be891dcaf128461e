"""What several tests of games use: a listener to the ticks of their store."""

from collections.abc import Iterator

import pytest

from service.database.store import Store
from tests.listeners import Listener, listening


@pytest.fixture
def listener(store: Store) -> Iterator[Listener]:
    with listening(store.settings) as listener:
        yield listener
