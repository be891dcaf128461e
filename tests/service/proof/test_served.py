"""Both verifiers prove the logs of a real service: the short version of `served`."""

from collections.abc import Iterator

import pytest

from service.database.store import Store
from tests.service.proof.bundle.javascript import JavaScript, loaded
from tests.service.proof.served import served


@pytest.fixture(scope="module")
def javascript() -> Iterator[JavaScript]:
    yield from loaded()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_service_that_is_played_is_proved(
    javascript: JavaScript, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    tables, alarms = served(store, 1, javascript)
    assert alarms == []
    assert [it.getMessage() for it in caplog.records if it.levelname == "ERROR"] == []
    assert {"player", "bot", "service", "clock", "TimeGivenBack", "Rewound", "GameStarted"} <= {*tables.happened()}
