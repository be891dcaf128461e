"""kill -9 in the embedded profile, in short: `tests.kills_home` does the same for minutes, at random."""

import sys
from pathlib import Path

import pytest

from tests.kills_home import CHILDREN, PARENT, each_once, run
from tests.workers.processes import embedded, said


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")
def test_each_process_at_home_is_killed_while_people_play_and_nothing_is_lost(tmp_path: Path) -> None:
    """No accepted move and no letter is lost; every child is forked again, and none outlives its parent."""
    outcome = run(tmp_path, each_once)
    assert all(f"{name} 1" in outcome for name in (*CHILDREN, PARENT)), outcome
    assert said(embedded(tmp_path)).count("process ended (SIGKILL)") == len(CHILDREN)
