"""Bringing people together who look for a game: a pure function over plain data.

The oldest wish comes first. It gets the first kind of table for which there is a group that fits and, of these groups,
the one with the oldest wishes. The search is exact: no group that fits is left waiting. Sets of wishes are the bits of
an integer, the oldest wish lowest.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any, Literal, NamedTuple

import msgspec

from domain.pace import DAY, MINUTE

Rated = Literal["yes", "no", "either"]
WIDENS_LIVE, WIDENS = 5 * MINUTE, DAY
"""The time after which a range of ratings has grown by its first width, at a live pace and at any other."""


class Seeker(msgspec.Struct, frozen=True):
    """Somebody who looks for a game. ``wish``, ``person``: numbers. ``waited``: milliseconds.

    ``spread``: how far the ratings of the others may differ at first, None: as far as they like. ``finished``: the
    share of games that the others have finished, at least. ``lang``: "" for any language.
    """

    wish: int
    person: int
    titles: frozenset[str] = frozenset()
    paces: frozenset[str] = frozenset()
    seats: frozenset[int] = frozenset()
    rated: Rated = "either"
    spread: int | None = None
    finished: int = 0
    lang: str = ""
    waited: int = 0


class TableKind(NamedTuple):
    """A kind of table. ``pace``: its name; ``live``: is it a live one?"""

    title: str
    pace: str
    seats: int
    rated: bool
    live: bool


class Known(msgspec.Struct, frozen=True):
    """Facts about people. ``ratings``: person and title -> the rating of those who have one; ``shares``: person -> the
    share of games that they finished, in percent, without newcomers; ``apart``: pairs of people who never play
    together, in both orders.

    Newcomers suit everybody.
    """

    ratings: Mapping[tuple[int, str], int] = {}
    shares: Mapping[int, int] = {}
    apart: frozenset[tuple[int, int]] = frozenset()


class MatchedGroup(NamedTuple):
    """People for one table."""

    kind: TableKind
    seekers: tuple[Seeker, ...]


def accepts(seeker: Seeker, kind: TableKind) -> bool:
    """Does the seeker want a table of this kind?"""
    return (
        kind.title in seeker.titles
        and kind.pace in seeker.paces
        and kind.seats in seeker.seats
        and seeker.rated in ("either", "yes" if kind.rated else "no")
    )


def width(seeker: Seeker, live: bool) -> int:
    """Return how far the ratings of the others may differ by now: it grows by the first width again and again."""
    return (seeker.spread or 0) * (1 + seeker.waited // (WIDENS_LIVE if live else WIDENS))


# ==== the search ==================================================================================
def match(seekers: Sequence[Seeker], kinds: Sequence[TableKind], known: Known) -> list[MatchedGroup]:
    """Return groups that fit. ``seekers``: the oldest wish first. ``kinds``: the preferred ones first."""
    field = _Field(seekers, known)
    found = []
    for number, leader in enumerate(seekers):
        if not field.waiting >> number & 1:
            continue
        for kind in kinds:
            if not accepts(leader, kind):
                continue
            if (chosen := field.around((leader,), kind, kind.seats - 1, since=number + 1)) is not None:
                found.append(MatchedGroup(kind, (leader, *chosen)))
                field.take((leader, *chosen))
                break
    return found


def fill(there: Sequence[Seeker], kind: TableKind, free: int, seekers: Sequence[Seeker], known: Known) -> list[Seeker]:
    """Return seekers for ``free`` seats at a table with others, the oldest wishes first; none if a seat stays free."""
    return _Field(seekers, known).around(there, kind, free) or []


class _Field:
    """The seekers of a search, as bits. ``waiting``: those who have no group yet."""

    def __init__(self, seekers: Sequence[Seeker], known: Known) -> None:
        self.seekers, self.known = seekers, known
        self.waiting = self.everybody = (1 << len(seekers)) - 1
        self.accepting = cache(lambda kind: self._those(it for it in seekers if accepts(it, kind)))
        self.fitting = cache(self._fitting)
        self._numbers = {it.wish: number for number, it in enumerate(seekers)}
        self._apart: dict[int, list[int]] = {}
        for one, other in known.apart:
            self._apart.setdefault(one, []).append(other)
        self._of = self._by(lambda it: it.person)
        self._speaking = self._by(lambda it: it.lang)
        self._asking = self._by(lambda it: it.finished)
        self._finished = self._by(lambda it: known.shares.get(it.person))
        self._rated = cache(lambda title: self._by(lambda it: known.ratings.get((it.person, title))))
        self._ranging = cache(self._by_range)

    def take(self, seekers: Sequence[Seeker]) -> None:
        """Take seekers off the field: they have a group."""
        self.waiting &= ~self._those(seekers)

    def around(self, there: Sequence[Seeker], kind: TableKind, need: int, *, since: int = 0) -> list[Seeker] | None:
        """Return ``need`` seekers, from number ``since`` on, who fit ``there`` and each other; None if too few."""
        candidates = self.waiting & self.accepting(kind) & (-1 << since)
        for it in there:
            if candidates.bit_count() < need:
                return None
            candidates &= self.fitting(it, kind.title, kind.live)
        chosen = self._search(candidates, need, kind)
        return None if chosen is None else [self.seekers[it] for it in chosen]

    def _search(self, candidates: int, need: int, kind: TableKind) -> list[int] | None:
        if need == 0:
            return []
        while candidates.bit_count() >= need:
            lowest = candidates & -candidates
            candidates ^= lowest
            number = lowest.bit_length() - 1
            rest = candidates if need == 1 else candidates & self.fitting(self.seekers[number], kind.title, kind.live)
            if (others := self._search(rest, need - 1, kind)) is not None:
                return [number, *others]
        return None

    # ---- sets of seekers ----
    def _those(self, seekers: Iterable[Seeker]) -> int:
        return sum(1 << self._numbers[it.wish] for it in seekers)

    def _by(self, key: Callable[[Seeker], Any]) -> dict[Any, int]:
        """Return each value -> the seekers who have it; None is no value."""
        found: dict[Any, int] = {}
        for it in self.seekers:
            if (value := key(it)) is not None:
                found[value] = found.get(value, 0) | 1 << self._numbers[it.wish]
        return found

    def _by_range(self, title: str, live: bool) -> dict[tuple[int, int], int]:
        """Return rating and width -> the seekers who ask for a range of ratings around theirs."""

        def its(it: Seeker) -> tuple[int, int] | None:
            rating = self.known.ratings.get((it.person, title))
            return None if rating is None or it.spread is None else (rating, width(it, live))

        return self._by(its)

    def _fitting(self, one: Seeker, title: str, live: bool) -> int:
        """Return the seekers who can play a title together with this one."""
        out = self._of.get(one.person, 0)
        for other in self._apart.get(one.person, ()):
            out |= self._of.get(other, 0)
        if one.lang:
            out |= self.everybody & ~(self._speaking.get("", 0) | self._speaking.get(one.lang, 0))
        out |= _union(self._finished, lambda share: share < one.finished)
        if (mine := self.known.shares.get(one.person)) is not None:
            out |= _union(self._asking, lambda asked: asked > mine)
        if (rating := self.known.ratings.get((one.person, title))) is not None:
            out |= _union(self._ranging(title, live), lambda it: abs(it[0] - rating) > it[1])
            if one.spread is not None:
                out |= _union(self._rated(title), lambda it: abs(it - rating) > width(one, live))
        return self.everybody & ~out


def _union(sets: Mapping[Any, int], which: Callable[[Any], bool]) -> int:
    """Return all seekers of the sets with such values."""
    return reduce(or_, (seekers for value, seekers in sets.items() if which(value)), 0)
