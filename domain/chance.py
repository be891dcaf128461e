"""Chance as a value: named draws, made from a game's secret, scripted for tests, or free for imagination.

A draw's *name* consists of the rule, the seat and the object ("GTJ 10.1 deck of seat 2"); its *ordinal* counts the
draws under that name so far. Name and ordinal decide the outcome, so the same moves after a take-back draw the same
cards.
"""

import random
from collections.abc import Iterable, Mapping
from functools import lru_cache
from struct import unpack
from typing import Generic, Protocol, TypeVar

import msgspec
from msgspec import UNSET

from domain.keyed import keyed
from domain.messages import Own

T = TypeVar("T")

NOBODY = 0
"""The ``seat`` of a draw whose picks are sealed to everybody until the game is over. An index into a sorted deck
reveals something about the cards before it. So a viewer of the card, but not of the deck, must not see the pick.
"""


class Bag(msgspec.Struct, Generic[T], frozen=True):
    """Items in kinds of which many are alike: the number (0 or more) of each kind."""

    numbers: dict[T, int]


class Draw(msgspec.Struct, frozen=True, gc=False):
    """One draw as the ply records it: a verifier can repeat it without knowing the rules.

    ``size``: the number of sorted items before the draw. ``picks``: the index taken each time, among the items still
    there. ``seat``: the only seat that may see the picks; `NOBODY`; or None if everybody may.
    """

    name: str
    size: int
    seat: int | None = None
    picks: Own[tuple[int, ...]] = UNSET


class ChanceAsked(Exception):
    """A decision asked chance where there is none: a preview, or a list of legal actions, ends here."""


class Chance(Protocol):
    """The source of luck for a decision."""

    def draw(self, name: str, items: Iterable[T] | Bag[T], count: int = 1, seat: int | None = None) -> list[T]:
        """Draw ``count`` of ``items``, one after the other, each item still there being equally likely.

        Items are sorted first, so their order reveals nothing; a bag stands for its items one by one. ``seat``: the
        only seat that may see the items drawn.
        """
        ...

    def uncover(self, name: str) -> None:
        """Declare that the outcome depends on something that only another seat may see, even if it does not exist.

        It draws nothing. But without chance a decision ends here, so that no preview reveals it.
        """
        ...


class NoChance:
    """Chance for deciding whether a command is legal: the rules refuse before they ask it."""

    def draw(self, name: str, items: Iterable[T] | Bag[T], count: int = 1, seat: int | None = None) -> list[T]:
        raise ChanceAsked(name)

    def uncover(self, name: str) -> None:
        raise ChanceAsked(name)


class FreeChance:
    """Chance with arbitrary outcomes, for the imagination of bots and forks."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def draw(self, name: str, items: Iterable[T] | Bag[T], count: int = 1, seat: int | None = None) -> list[T]:
        return self._dice.sample(in_order(items), count)

    def uncover(self, name: str) -> None:
        """Do nothing: there is no preview to guard."""


def in_order(items: Iterable[T] | Bag[T]) -> list[T]:
    """Return the items one by one, sorted."""
    if isinstance(items, Bag):
        laid_out: list[T] = []
        for kind in sorted(items.numbers):  # type: ignore[type-var]
            laid_out += [kind] * items.numbers[kind]
        return laid_out
    return sorted(items)  # type: ignore[type-var]


def _taken(numbers: dict[T, int], picks: Iterable[int]) -> list[T]:
    """Return the items that the indices ``picks`` take one after another from the sorted items, without laying them
    out.
    """
    left = numbers.copy()
    kinds: list[T] = sorted(left)  # type: ignore[type-var]
    taken = []
    for pick in picks:
        for kind in kinds:
            if pick < left[kind]:
                break
            pick -= left[kind]
        left[kind] -= 1
        taken.append(kind)
    return taken


class NamedChance:
    """Chance of real games: every outcome follows from the secret, the seats' entropies, the name and the ordinal.

    ``drawn`` collects the draws for the ply. ``ordinals`` counts draws of earlier plies by name and is never changed.
    """

    def __init__(self, key: bytes, entropies: bytes, ordinals: Mapping[str, int]) -> None:
        self._key = key
        self._entropies = entropies
        self._before = ordinals
        self._now: dict[str, int] = {}
        self.drawn: list[Draw] = []

    def draw(self, name: str, items: Iterable[T] | Bag[T], count: int = 1, seat: int | None = None) -> list[T]:
        if isinstance(items, Bag):
            return _taken(items.numbers, self._picks(name, sum(items.numbers.values()), count, seat))
        here = sorted(items)  # type: ignore[type-var]
        return [here.pop(pick) for pick in self._picks(name, len(here), count, seat)]

    def _picks(self, name: str, size: int, count: int, seat: int | None) -> tuple[int, ...]:
        ordinal = self._now[name] if name in self._now else self._before.get(name, 0)
        self._now[name] = ordinal + 1
        picks = picks_of(self._key, self._entropies, name, ordinal, size, count)
        self.drawn.append(Draw(name, size, seat, picks))
        return picks

    def uncover(self, name: str) -> None:
        """Do nothing: there is no preview to guard."""


@lru_cache(maxsize=256)
def draw_key(secret: bytes) -> bytes:
    """Return the subkey of a game's secret under which its draws are made."""
    return keyed(secret, b"slow train 1 draws")


def length_prefixed(parts: Iterable[bytes]) -> bytes:
    """Put its length in four bytes before each part, so that no two lists give the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def picks_of(key: bytes, entropies: bytes, name: str, ordinal: int, size: int, count: int) -> tuple[int, ...]:
    """Return the indices that a draw picks: ``count`` of ``size`` items without putting back.

    The stream is HMAC-SHA256 under ``key`` over the length-prefixed name, the ordinal (8 bytes), the number of the
    block (4 bytes) and the entropies. Each block gives four 64-bit words, big end first. A word at or above the largest
    multiple of the number of items is discarded, so every item is equally likely.
    """
    if count > size:
        raise ValueError(f"{name}: {count} of {size}")
    message = _prefixed_name(name) + ordinal.to_bytes(8, "big")
    picks: list[int] = []
    block, left, enough = 0, size, size - count
    while left > enough:
        for word in unpack(">4Q", keyed(key, message + block.to_bytes(4, "big") + entropies)):
            if word < 2**64 - 2**64 % left:
                picks.append(word % left)
                left -= 1
                if left == enough:
                    break
        block += 1
    return tuple(picks)


@lru_cache(maxsize=1024)
def _prefixed_name(name: str) -> bytes:
    return length_prefixed([name.encode()])
