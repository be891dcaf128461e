"""The formula of ratings: pairs, ties, orders of seats, and the last bit of the machine's exponential function."""

import importlib.util
import math
import random
from itertools import permutations
from typing import Any

import pytest
from openskill.models.weng_lin import bradley_terry_full

from service.record import formula
from service.record.formula import NEWCOMER, Strength, rated


def table(seats: int, seed: int = 1) -> list[Strength]:
    dice = random.Random(seed)
    return [Strength(dice.randrange(15_000_000, 35_000_000), dice.randrange(900_000, 8_333_333)) for _ in range(seats)]


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_seat_takes_the_mean_of_its_pairs(seats: int) -> None:
    before, places = table(seats), list(range(1, seats + 1))
    after = rated(before, places)
    for seat in range(seats):
        pairs = [rated([before[seat], before[it]], [places[seat], places[it]])[0] for it in range(seats) if it != seat]
        assert abs(after[seat].mu - sum(it.mu for it in pairs) / len(pairs)) <= 1
        assert abs(after[seat].sigma - sum(it.sigma for it in pairs) / len(pairs)) <= 1


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_order_of_seats_changes_nothing(seats: int) -> None:
    before, places = table(seats), [1, 1, 3, 3, 5, 5][:seats]
    whole = dict(zip(before, rated(before, places), strict=True))
    for order in list(permutations(range(seats)))[:50]:
        assert rated([before[it] for it in order], [places[it] for it in order]) == [whole[before[it]] for it in order]


@pytest.mark.parametrize("seats", range(2, 7))
def test_newcomers_who_tie_stay_alike_and_better_places_gain(seats: int) -> None:
    assert len(set(rated([NEWCOMER] * seats, [1] * seats))) == 1
    after = rated([NEWCOMER] * seats, list(range(1, seats + 1)))
    assert after == sorted(after, reverse=True)
    assert after[0].mu > NEWCOMER.mu > after[-1].mu
    last = rated([NEWCOMER] * seats, [1] + [9] * (seats - 1))
    assert len(set(last[1:])) == 1, "those who left share the last place"
    assert last[0].mu > last[1].mu


def test_only_the_order_of_places_counts() -> None:
    before = table(4)
    assert rated(before, [1, 2, 3, 4]) == rated(before, [1, 5, 70, 1000])


def test_the_range_covers_two_deviations() -> None:
    assert NEWCOMER.range == (8, 42)
    assert Strength(30_000_000, 2_000_000).range == (26, 34)


# ==== the last bit ================================================================================
class Trembling:
    """The module `math` of a machine whose exponential function is now and then off by its last bit."""

    def __init__(self) -> None:
        self.dice, self.off = random.Random(3), 0

    def __getattr__(self, name: str) -> Any:
        return getattr(math, name)

    def exp(self, value: float) -> float:
        exact = math.exp(value)
        if self.dice.random() < 0.3:
            self.off += 1
            return math.nextafter(exact, self.dice.choice((0.0, math.inf)))
        return exact


def in_python(trembles: Trembling) -> Any:
    """Return the model from its source in Python: the compiled one calls the machine's function itself."""
    source = bradley_terry_full.__file__.partition(".cpython")[0].removesuffix(".py") + ".py"
    spec = importlib.util.spec_from_file_location("openskill.models.weng_lin.trembling", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.math = trembles  # type: ignore[attr-defined]
    return module.BradleyTerryFull()


def play(games: int) -> list[Strength]:
    dice, people = random.Random(7), [NEWCOMER] * 60
    for _ in range(games):
        who = dice.sample(range(len(people)), dice.randrange(2, 6))
        places = [dice.randrange(1, len(who) + 1) for _ in who]
        for each, after in zip(who, rated([people[it] for it in who], places), strict=True):
            people[each] = after
    return people


def unrounded() -> list[tuple[float, float]]:
    return [formula._pair(*table(2, seed), 1, 2) for seed in range(300)]


def test_the_last_bit_of_a_machine_changes_no_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    exact, compiled, trembles = unrounded(), play(1500), Trembling()
    monkeypatch.setattr(formula, "_MODEL", in_python(trembles))
    assert play(1500) == compiled
    assert trembles.off > 1000
    assert unrounded() != exact, "without rounding it would"
