"""The primary database is lost under load, without any loss of data. (`tests.failover` runs longer.)"""

from pathlib import Path

import pytest

from tests import failover
from tests.servers import PostgreSQLFolder, Redis


@pytest.mark.long
def test_nothing_is_lost_with_a_machine(tmp_path: Path, capsys) -> None:
    home, valkey = PostgreSQLFolder(), Redis()
    try:
        wrong = failover.run(tmp_path, home, valkey, seconds=0.4, writers=2, tables=3)
    finally:
        valkey.stop()
        home.remove()
    assert wrong == []
    assert "0 of them lost" in capsys.readouterr().out
