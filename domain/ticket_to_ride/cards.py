"""The train cards (TTR 1.4): their kinds, the number of each, and arithmetic on counts of cards.

A set of cards is a *count*: kind -> number, with an entry for every kind, because cards of one kind are the same.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

DATA = json.loads((Path(__file__).parent / "data" / "board.json").read_text(encoding="utf-8"))

Colour = Literal["purple", "blue", "orange", "white", "green", "yellow", "black", "red"]
Card = Literal["purple", "blue", "orange", "white", "green", "yellow", "black", "red", "locomotive"]
SeatColour = Literal["blue", "red", "green", "yellow", "black"]
Count = dict[str, int]

LOCOMOTIVE = "locomotive"
COLOURS: tuple[str, ...] = tuple(DATA["colours"])
"""In the order of the data, to which TTR 10.13 refers."""
KINDS: tuple[str, ...] = (*COLOURS, LOCOMOTIVE)
SEAT_COLOURS: tuple[str, ...] = tuple(DATA["seat_colours"])
assert get_args(Colour) == COLOURS
assert get_args(SeatColour) == SEAT_COLOURS

NO_CARDS: Count = dict.fromkeys(KINDS, 0)
ALL_CARDS: Count = {**dict.fromkeys(COLOURS, DATA["copies"]), LOCOMOTIVE: DATA["locomotives"]}

HAND_DEALT = 4  # TTR 2.3
MARKET_SLOTS = 5  # TTR 2.4
SWEEP_AT = 3  # TTR 4.7: locomotives in the market
FEWEST_OTHERS = 3  # TTR 4.9: a sweep needs this many cards that are not locomotives
MOST_SWEEPS = 10  # TTR 4.9: the most that one command causes

_SORTED_KINDS = sorted(KINDS)


def plus(count: Count, cards: Iterable[str]) -> Count:
    """Return ``count`` with ``cards`` added."""
    more = count.copy()
    for card in cards:
        more[card] += 1
    return more


def minus(count: Count, cards: Iterable[str]) -> Count:
    """Return ``count`` without ``cards``, which must be there."""
    fewer = count.copy()
    for card in cards:
        fewer[card] -= 1
    return fewer


def size(count: Mapping[str, int]) -> int:
    """Return the number of cards in ``count``."""
    return sum(count.values())


def spread(count: Mapping[str, int]) -> list[Any]:
    """Return the cards of ``count`` one by one, sorted."""
    cards: list[str] = []
    for kind in _SORTED_KINDS:
        cards += [kind] * count[kind]
    return cards


Numbers = tuple[tuple[str, int], ...]
"""The number of each kind: (kind, number), without kinds that are missing."""


def numbers(cards: tuple[str, ...]) -> Numbers:
    """Return ``cards`` by their kinds."""
    return tuple((kind, cards.count(kind)) for kind in KINDS if kind in cards)


def counted(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return ``cards`` as ids that have a name in words: ``("3 orange", "1 locomotive")``."""
    return tuple(f"{number} {kind}" for kind, number in numbers(cards))


def held(count: Mapping[str, int]) -> set[tuple[str, int]]:
    """Return each (kind, number) with at least so many cards in ``count``. Cards are there if their `numbers` are."""
    return {(kind, number) for kind, most in count.items() for number in range(1, most + 1)}
