"""`python -m tests.simulate`: counts over games between bots, and one bot among others at every seat."""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from domain import TITLES
from tests import simulate


def run(*arguments: str) -> str:
    result = CliRunner().invoke(simulate.command, [*arguments, "--workers", "1"], env={"COLUMNS": "100"})
    assert result.exit_code in (0, 2), result.output
    return result.output


@pytest.mark.parametrize("title", sorted(TITLES))
def test_the_lone_bot_sits_at_each_place_in_turn(title: str) -> None:
    """Its line is separate from the others', in whatever order a title lists its result."""
    fewest = TITLES[title].seating.seats[0]
    played = list(simulate.duel(title, fewest + 1, fewest, "sensible", "safe", "seed", 1))
    assert [own.seat for own, _ in played] == [*range(1, fewest + 1), 1]
    for own, others in played:
        assert own.bot == "sensible"
        assert {other.bot for other in others} == {"safe"}
        assert {other.seat for other in others} == set(range(1, fewest + 1)) - {own.seat}
        assert own.won + sum(other.won for other in others) == pytest.approx(1)


def test_one_table_a_bot_with_a_line_for_each_number_of_seats() -> None:
    said = run("--title", "new_england", "--games", "1", "--against", "safe", "--against", "random")
    assert [line.split("│")[2].strip() for line in said.splitlines() if "New England" in line] == [*"3456"] * 2
    assert "One sensible seat among safe ones (games of each size: 1)" in said
    assert "One sensible seat among random ones" in said
    assert said.count("100.0 %") == 8


def test_every_title_that_so_many_can_play_is_in_the_table() -> None:
    said = run("--seats", "5", "--games", "1", "--against", "safe")
    assert "New England Railways" in said
    assert "Ticket to Ride" in said
    assert "Grand Trunk" not in said


def test_figures_of_every_seat_by_each_factor() -> None:
    said = run("--title", "new_england", "--games", "2", "--seats", "3", "--bots", "sensible,safe")
    assert "2 games of New England Railways" in said
    for heading in ("By seats", "By turn order", "By player"):
        assert heading in said


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--against", "nobody"], "'nobody' does not play grand_trunk. Choose from: random, safe, sensible"),
        (["--title", "new_england", "--bots", "me"], "Choose from: hasty, patient, random, safe, sensible"),
        (["--title", "new_england", "--seats", "2"], "new_england takes 3 to 6 seats"),
        (["--bots", "random,sensible", "--against", "safe"], "--against takes one bot"),
    ],
)
def test_impossible_games_are_reported(arguments: list[str], why: str) -> None:
    assert why in " ".join(run(*arguments).split())


@pytest.mark.parametrize("title", sorted(TITLES))
def test_a_seed_plays_the_same_games_in_every_process(title: str) -> None:
    """Sets have another order in each process, but bots and rules depend on none."""
    told = set()
    for hash_seed in ("1", "2"):
        command = [
            sys.executable,
            "-m",
            "tests.simulate",
            "--title",
            title,
            "--seats",
            "3",
            "--games",
            "1",
            "--against",
            "random",
            "--workers",
            "1",
        ]
        done = subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True
        )
        told.add(done.stdout)
    assert len(told) == 1
    assert "One sensible seat among random ones" in told.pop()
