"""kill -9 of two workers that bring people together, in short: `tests.kills_wishes` does the same for minutes."""

import random
from pathlib import Path

from domain.title import Title
from tests.kills_wishes import in_turn, run, settings_for
from tests.servers import PostgreSQL, Redis

STEPS = ("before the letters", "after the table", "after a missed offer", "before closing")


def test_two_workers_that_are_killed_seat_nobody_twice_and_a_sweep_leaves_no_group_that_fits(
    toy_title: Title, tmp_path: Path, postgresql: PostgreSQL, redis_server: Redis
) -> None:
    settings = settings_for(tmp_path, postgresql, redis_server)
    outcome = run(settings, 1, len(STEPS), in_turn(STEPS), random.Random(1))
    assert "all proved" in outcome, outcome
