"""``python -m tests.ratings``: simulated players of known strength, and how often their rating's range holds it."""

import random

import click

from service.record.formula import NEWCOMER, Strength, rated

TABLES = (2, 3, 4, 6)
AFTER = (10, 40)
MILLION = 1_000_000


def simulated(seats: int, people: int, games: int, seed: int) -> tuple[list[Strength], list[float]]:
    """Return the ratings and the true strengths of players, each with about ``games`` games of so many seats.

    Who scores most wins: a score is the strength with noise, of the deviations that the formula assumes.
    """
    dice = random.Random(seed)
    true = [dice.gauss(NEWCOMER.mu / MILLION, NEWCOMER.sigma / MILLION) for _ in range(people)]
    known = [NEWCOMER] * people
    for _ in range(games):
        order = dice.sample(range(people), people)
        for first in range(0, people - seats + 1, seats):
            who = order[first : first + seats]
            scores = {each: dice.gauss(true[each], 25 / 6) for each in who}
            places = [1 + sum(scores[other] > scores[each] for other in who) for each in who]
            for each, after in zip(who, rated([known[it] for it in who], places), strict=True):
                known[each] = after
    return known, true


def held(seats: int, games: int, *, people: int = 120, seed: int = 1) -> float:
    """Return the part of players whose range of two deviations holds their true strength."""
    known, true = simulated(seats, people, games, seed)
    inside = [abs(it.mu / MILLION - at) <= 2 * it.sigma / MILLION for it, at in zip(known, true, strict=True)]
    return sum(inside) / len(inside)


@click.command()
@click.option("--people", default=600, show_default=True, type=click.IntRange(60))
def ratings(people: int) -> None:
    """Print how often the range holds the true strength, and fail if that is below four times in five."""
    worst = 1.0
    for seats in TABLES:
        for games in AFTER:
            part = held(seats, games, people=people)
            worst = min(worst, part)
            click.echo(f"{seats} seats, {games} games: {part:.0%}")
    raise SystemExit(0 if worst >= 0.8 else 1)


if __name__ == "__main__":
    ratings(prog_name="python -m tests.ratings")
