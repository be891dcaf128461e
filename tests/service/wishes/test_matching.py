"""Matching, beside a second program that tries all groups.

pytest tests/service/wishes/test_matching.py --queues 1000    # the whole check; the suite tries some
"""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest

from domain.pace import DAY, MINUTE
from service.wishes.matching import Known, MatchedGroup, Seeker, TableKind, fill, match

TITLES, PACES = ("toy", "lanterns"), ("evenings", "day")
KINDS = [
    TableKind(title, pace, seats, rated, pace == "evenings")
    for seats in (4, 3, 2)
    for pace in PACES
    for title in TITLES
    for rated in (True, False)
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(metafunc.config.getoption("--queues", default=60)))


def queue(seed: int) -> tuple[list[Seeker], Known]:
    """Return a random queue, some of whose people have two wishes."""
    dice = random.Random(seed)
    seekers = [
        Seeker(
            wish=number,
            person=dice.randrange(12),
            titles=some(dice, TITLES),
            paces=some(dice, PACES),
            seats=frozenset(dice.sample((2, 3, 4, 4), dice.randint(1, 2))),
            rated=dice.choice(("yes", "no", "either", "either")),
            spread=dice.choice((None, None, 3, 5)),
            finished=dice.choice((0, 0, 80)),
            lang=dice.choice(("", "", "", "en", "de")),
            waited=dice.choice((0, 6 * MINUTE, DAY)),
        )
        for number in range(dice.randint(1, 10))
    ]
    ratings = {(who, title): dice.randint(20, 36) for who in range(12) for title in TITLES if dice.random() < 0.6}
    shares = {who: dice.choice((50, 79, 80, 100)) for who in range(12) if dice.random() < 0.7}
    pairs = {(dice.randrange(12), dice.randrange(12)) for _ in range(dice.randint(0, 8))}
    return seekers, Known(ratings, shares, frozenset(pairs | {(other, one) for one, other in pairs}))


def some(dice: random.Random, among: Sequence[str]) -> frozenset[str]:
    return frozenset(dice.sample(among, dice.randint(1, len(among))))


# ==== the second program ==========================================================================
def wants(it: Seeker, kind: TableKind) -> bool:
    as_rated = {"yes": [True], "no": [False], "either": [True, False]}[it.rated]
    return kind.title in it.titles and kind.pace in it.paces and kind.seats in it.seats and kind.rated in as_rated


def likes(one: Seeker, other: Seeker, kind: TableKind, known: Known) -> bool:
    """Does the other meet all demands of the one?"""
    if one.person == other.person or (one.person, other.person) in known.apart:
        return False
    if one.lang and other.lang and one.lang != other.lang:
        return False
    if other.person in known.shares and known.shares[other.person] < one.finished:
        return False
    here, there = (known.ratings.get((it.person, kind.title)) for it in (one, other))
    if one.spread is None or here is None or there is None:
        return True
    grown = one.waited // (5 * MINUTE if kind.pace == "evenings" else DAY)
    return abs(here - there) <= one.spread + grown * one.spread


def fits(group: Sequence[Seeker], kind: TableKind, known: Known) -> bool:
    each_likes_each = (likes(one, other, kind, known) for one in group for other in group if one is not other)
    return all(wants(it, kind) for it in group) and all(each_likes_each)


def all_groups(seekers: Sequence[Seeker], known: Known) -> list[tuple[TableKind, tuple[Seeker, ...]]]:
    """Return the groups that trying all of them finds: for the oldest wish, by kind, the oldest others."""
    found, left = [], list(seekers)
    for leader in seekers:
        if leader not in left:
            continue
        later = left[left.index(leader) + 1 :]
        tried = ((kind, (leader, *rest)) for kind in KINDS for rest in combinations(later, kind.seats - 1))
        first = next(((kind, group) for kind, group in tried if fits(group, kind, known)), None)
        if first is not None:
            found.append(first)
            left = [it for it in left if it not in first[1]]
    return found


# ==== both ========================================================================================
def test_it_finds_the_groups_of_the_second_program_and_leaves_none_that_fits(seed: int) -> None:
    seekers, known = queue(seed)
    found = match(seekers, KINDS, known)
    assert [(it.kind, it.seekers) for it in found] == all_groups(seekers, known)
    taken = {it.wish for group in found for it in group.seekers}
    left = [it for it in seekers if it.wish not in taken]
    assert not any(fits(group, kind, known) for kind in KINDS for group in combinations(left, kind.seats))


def test_it_fills_free_seats_as_the_second_program_does(seed: int) -> None:
    seekers, known = queue(seed)
    kind = random.Random(seed).choice(KINDS)
    there = next((group for group in combinations(seekers, kind.seats - 1) if fits(group, kind, known)), ())
    others = [it for it in seekers if it not in there]
    free = kind.seats - len(there)
    tried = (rest for rest in combinations(others, free) if fits((*there, *rest), kind, known))
    assert fill(there, kind, free, others, known) == list(next(tried, ()))


def test_the_random_queues_have_groups_of_all_sizes_and_people_who_are_left() -> None:
    groups: list[MatchedGroup] = []
    left = 0
    for seed in range(60):
        seekers, known = queue(seed)
        found = match(seekers, KINDS, known)
        groups += found
        left += len(seekers) - sum(len(it.seekers) for it in found)
    assert {it.kind.seats for it in groups} == {2, 3, 4}
    assert left > 60


# ==== single rules ================================================================================
def seeker(number: int, **more: object) -> Seeker:
    given = {"titles": frozenset(["toy"]), "paces": frozenset(["day"]), "seats": frozenset([2])}
    return Seeker(number, number, **given | more)  # type: ignore[arg-type]


def test_the_oldest_wishes_come_first() -> None:
    [group] = match([seeker(3), seeker(1), seeker(2)], KINDS, Known())
    assert [it.wish for it in group.seekers] == [3, 1]


def test_larger_tables_come_first() -> None:
    all_of_them = [seeker(number, seats=frozenset([2, 3])) for number in range(3)]
    assert [it.kind.seats for it in match(all_of_them, KINDS, Known())] == [3]


@pytest.mark.parametrize(
    ("pace", "waited", "fits"),
    [
        ("evenings", 0, False), ("evenings", 4 * MINUTE, False), ("evenings", 5 * MINUTE, True),
        ("day", 5 * MINUTE, False), ("day", DAY - 1, False), ("day", DAY, True),
    ],
)  # fmt: skip
def test_a_range_widens_fast_at_a_live_pace_and_slowly_at_others(pace: str, waited: int, fits: bool) -> None:
    known = Known({(1, "toy"): 25, (2, "toy"): 31})
    one = seeker(1, spread=3, waited=waited, paces=frozenset([pace]))
    assert bool(match([one, seeker(2, paces=frozenset([pace]))], KINDS, known)) is fits


def test_both_must_accept_the_ratings_of_the_other() -> None:
    known = Known({(1, "toy"): 25, (2, "toy"): 31})
    assert not match([seeker(1, spread=10), seeker(2, spread=5)], KINDS, known)
    assert match([seeker(1, spread=10), seeker(2, spread=6)], KINDS, known)


def test_two_thousand_wishes_of_which_few_fit_take_no_time_worth_a_sweep() -> None:
    """No figure: without sets of bits, this test would take minutes."""
    many = [seeker(number, lang=("en", "de")[number % 2], seats=frozenset([4])) for number in range(2000)]
    apart = frozenset((one, other) for one in range(0, 2000, 2) for other in range(one + 2, one + 40, 2))
    known = Known(apart=apart | {(other, one) for one, other in apart})
    assert sum(len(it.seekers) for it in match(many, KINDS, known)) > 1900
