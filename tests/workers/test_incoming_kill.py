"""kill -9 on the road of an answer: it acts once, and is answered once, by the process that comes after.

`tests.kills` does it at every step and at random, to many at once, on both databases.
"""

from pathlib import Path

from domain.title import Title
from tests import kills


def test_an_answer_acts_once_and_is_answered_once_though_steps_of_its_road_kill_their_process(
    tmp_path: Path, toy_title: Title
) -> None:
    """Where else a worker may die is tried in `test_incoming`, without processes."""
    with kills.settings_for("sqlite", tmp_path) as settings:
        said = kills.in_turn(settings, "acted", "handed over")
    assert "listener 1, worker 2" in said
