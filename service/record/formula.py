"""The formula of ratings: strengths after a game, from the strengths before it and from its places.

Each pair of seats is rated as a game of two by Bradley and Terry's model (`openskill`), and a seat takes the mean of
its pairs. Rated as a whole, a table teaches too much: after 40 games of six, the range held the true strength of one
simulated player in three. All numbers are whole millionths, rounded after each game: so the last bit of a machine's
``exp`` changes no rating, however many games follow.
"""

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from openskill.models import BradleyTerryFull

VERSION = 1
"""Of the formula. Stored ratings carry it: those of another version are computed again."""
MILLION = 1_000_000


class Strength(NamedTuple):
    """The strength of a player, in millionths: a mean, and a standard deviation."""

    mu: int
    sigma: int

    @property
    def range(self) -> tuple[int, int]:
        """The whole numbers between which the true strength lies, most likely (two deviations)."""
        return round((self.mu - 2 * self.sigma) / MILLION), round((self.mu + 2 * self.sigma) / MILLION)


_MODEL = BradleyTerryFull()
NEWCOMER = Strength(round(_MODEL.mu * MILLION), round(_MODEL.sigma * MILLION))


def rated(before: Sequence[Strength], places: Sequence[int]) -> list[Strength]:
    """Return the strengths after a game, in the same order. ``places``: 1 is the winner's; equal ones are shared."""
    return [_mean(seat, before, places) for seat in range(len(before))]


def _mean(seat: int, before: Sequence[Strength], places: Sequence[int]) -> Strength:
    pairs = [
        _pair(before[seat], before[other], places[seat], places[other]) for other in range(len(before)) if other != seat
    ]
    return Strength(*(round(fsum(values) / len(pairs) * MILLION) for values in zip(*pairs, strict=True)))


def _pair(mine: Strength, theirs: Strength, place: int, other: int) -> tuple[float, float]:
    """Return mean and deviation of a player after a game of two."""
    two = [[_MODEL.rating(it.mu / MILLION, it.sigma / MILLION)] for it in (mine, theirs)]
    ((after,), _) = _MODEL.rate(two, ranks=[place, other])
    return after.mu, after.sigma
