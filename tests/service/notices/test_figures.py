"""Figures over time: counted in memory, written each minute, read for a period, and bounded."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, insert, select

from service.base import tally
from service.base.clock import DAY, HOUR, MINUTE
from service.database.store import Away, Store
from service.notices import figures
from service.notices.figures import FIGURES
from tests.service.lanterns import NOON


@pytest.fixture(autouse=True)
def nothing_counted() -> Iterator[None]:
    tally.taken()
    yield
    tally.taken()


def course(store: Store, period: figures.Period, at: int) -> figures.Course:
    with store.read() as conn:
        return figures.course(conn, period, at)


def test_counts_of_several_processes_add_up_in_each_period(store: Store) -> None:
    for _ in range(2):
        tally.count(tally.ERRORS, 2)
        figures.write(store, NOON)
    tally.count(tally.ERRORS)
    figures.write(store, NOON + MINUTE)
    assert course(store, "hour", NOON + MINUTE).sums(tally.ERRORS) == [0] * 58 + [4, 1]
    for period, number in (("day", 24), ("month", 31)):
        sums = course(store, period, NOON + MINUTE).sums(tally.ERRORS)
        assert (len(sums), sums[-1], sum(sums)) == (number, 5, 5)


def test_of_ages_the_highest_is_kept(store: Store) -> None:
    for age in (3, 9, 5):
        tally.reached("age_mail", age)
        figures.write(store, NOON)
    found = course(store, "hour", NOON).highest("age_mail")
    assert found == [None] * 59 + [9]


def test_times_are_kept_in_classes_and_read_as_shares(store: Store) -> None:
    for seconds in [0.004] * 10 + [0.2] * 9 + [1000.0]:
        tally.took(tally.REQUESTS, seconds)
    figures.write(store, NOON)
    found = course(store, "hour", NOON)
    assert found.below(tally.REQUESTS, 0.5)[-1] == 5
    assert found.below(tally.REQUESTS, 0.95)[-1] == 250
    assert found.below(tally.REQUESTS, 1)[-1] == 60_000
    assert found.below(tally.REQUESTS, 0.5)[0] is None
    assert found.sums(tally.REQUESTS)[-1] == 20
    with store.read() as conn:
        assert figures.ever(conn, tally.REQUESTS) == {5: 10, 250: 9, tally.BEYOND: 1}


def test_counts_wait_while_the_database_is_away(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise Away

    tally.count(tally.ERRORS)
    tally.reached("age_mail", 7)
    with monkeypatch.context() as patched:
        patched.setattr(store, "write", away)
        figures.write(store, NOON)
    tally.count(tally.ERRORS)
    figures.write(store, NOON + MINUTE)
    found = course(store, "hour", NOON + MINUTE)
    assert found.sums(tally.ERRORS)[-2:] == [0, 2]
    assert found.highest("age_mail")[-2:] == [None, 7]


def test_threads_lose_no_count(store: Store) -> None:
    def often(_: int) -> None:
        for _n in range(1000):
            tally.count(tally.ERRORS)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(often, range(8)))
    assert tally.taken()[0] == {(tally.ERRORS, 0): 8000}


def test_old_rows_go_and_their_number_is_bounded(store: Store) -> None:
    spans = ((MINUTE, 4 * HOUR), (HOUR, 4 * DAY), (DAY, 100 * DAY))
    rows = [
        {"span": span, "at": NOON - NOON % span - age, "what": tally.ERRORS, "bound": 0, "number": 1}
        for span, oldest in spans
        for age in range(0, oldest, span)
    ]
    with store.write() as conn:
        conn.execute(insert(FIGURES), rows)
        figures.forget_old(conn, NOON)
        left = dict(conn.execute(select(FIGURES.c.span, func.count()).group_by(FIGURES.c.span)).all())
    assert left == {MINUTE: 121, HOUR: 49, DAY: 62}
    for period, number in (("hour", 60), ("day", 24), ("month", 31)):
        assert course(store, period, NOON).sums(tally.ERRORS) == [1] * number


def test_waiting_work_is_looked_at(store: Store) -> None:
    figures.look(store, NOON)
    figures.write(store, NOON)
    assert course(store, "hour", NOON).highest("age_mail")[-1] == 0
