"""The counts of this process since they were last written down; `service.notices.figures` writes them each minute.

Counting is an addition in memory, and never waits for the database. Counts name no person, no address and no game.
"""

import os
import threading
from bisect import bisect_left
from collections.abc import Iterable, Mapping

MOVES, LETTERS, REQUESTS = "moves", "letters", "requests"
"""Times: of an accepted move in our code, from the due time of a letter to its acceptance, of a web request."""
FAILED_LETTERS, ANSWERS, FAILED_REQUESTS, ERRORS = "failed_letters", "answers", "failed_requests", "errors"
"""Counts: refused attempts to send a letter, answers read, requests that failed (5xx), errors in our logs."""

_QUICK = (5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000)
BOUNDS: Mapping[str, tuple[int, ...]] = {
    MOVES: _QUICK,
    REQUESTS: _QUICK,
    LETTERS: (1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000, 7_200_000, 86_400_000, 604_800_000),
}
"""Kind of time -> the upper bounds of its classes, in milliseconds. The last class has no bound."""
BEYOND = 2**53
"""The bound of the last class."""

Key = tuple[str, int]
"""What is counted, and the bound of its class; 0 for what has no classes."""

_lock = threading.Lock()
_sums: dict[Key, int] = {}
_highest: dict[str, int] = {}


def count(what: str, number: int = 1) -> None:
    """Count something."""
    _add((what, 0), number)


def took(what: str, seconds: float) -> None:
    """Count something by the time that it took."""
    bounds, time = BOUNDS[what], seconds * 1000
    _add((what, bounds[place] if (place := bisect_left(bounds, time)) < len(bounds) else BEYOND), 1)


def reached(what: str, value: int) -> None:
    """Note a value of which the highest is kept."""
    with _lock:
        _highest[what] = max(value, _highest.get(what, value))


def taken() -> tuple[dict[Key, int], dict[str, int]]:
    """Return the sums and the highest values so far, and begin anew."""
    global _sums, _highest
    with _lock:
        found = _sums, _highest
        _sums, _highest = {}, {}
    return found


def give_back(sums: Mapping[Key, int], highest: Mapping[str, int]) -> None:
    """Count again what could not be written down."""
    for key, number in sums.items():
        _add(key, number)
    for what, value in highest.items():
        reached(what, value)


def share_at_most(what: str, counts: Iterable[tuple[int, int]], share: float) -> int | None:
    """Return the milliseconds that this share of (bound, number) took at most; None without numbers.

    Longer times than the last bound count as this bound.
    """
    ordered = sorted(counts)
    wanted = share * sum(number for _, number in ordered)
    passed = 0
    for bound, number in ordered:
        passed += number
        if number and passed >= wanted:
            return min(bound, BOUNDS[what][-1])
    return None


def _add(key: Key, number: int) -> None:
    with _lock:
        _sums[key] = _sums.get(key, 0) + number


def _begin_anew() -> None:
    """Leave the parent's counts to the parent."""
    global _lock
    _lock = threading.Lock()
    _sums.clear()
    _highest.clear()


os.register_at_fork(after_in_child=_begin_anew)
