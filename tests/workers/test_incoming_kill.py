"""kill -9 during the processing of an answer: the next process makes sure that it acts once and is answered once.

`tests.kills` does it at every step and at random, to many processes at once, on both databases.
"""

from pathlib import Path

import pytest

from domain.title import Title
from tests import kills


@pytest.mark.long
def test_an_answer_acts_once_and_is_answered_once_though_steps_of_its_road_kill_their_process(
    tmp_path: Path, toy_title: Title
) -> None:
    """`test_incoming` covers deaths at other places, without processes."""
    with kills.settings_for("sqlite", tmp_path) as settings:
        said = kills.in_turn(settings, "acted", "handed over")
    assert "listener 1, worker 2" in said
