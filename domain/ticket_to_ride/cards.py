"""The train cards (TTR 1.4): their kinds, how many there are of each, and sums over numbers of cards.

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
"""In the order of the data, which TTR 10.13 speaks of."""
KINDS: tuple[str, ...] = (*COLOURS, LOCOMOTIVE)
SEAT_COLOURS: tuple[str, ...] = tuple(DATA["seat_colours"])
assert get_args(Colour) == COLOURS
assert get_args(SeatColour) == SEAT_COLOURS

NO_CARDS: Count = dict.fromkeys(KINDS, 0)
ALL_CARDS: Count = {**dict.fromkeys(COLOURS, DATA["copies"]), LOCOMOTIVE: DATA["locomotives"]}

HAND_DEALT = 4  # TTR 2.3
MARKET_SLOTS = 5  # TTR 2.4
SWEEP_AT = 3  # TTR 4.7: locomotives in the market
FEWEST_OTHERS = 3  # TTR 4.9: cards that are not locomotives, for a sweep to be made
MOST_SWEEPS = 10  # TTR 4.9: caused by one command

_SORTED_KINDS = sorted(KINDS)


def plus(count: Count, cards: Iterable[str]) -> Count:
    """``count`` with ``cards`` added."""
    more = count.copy()
    for card in cards:
        more[card] += 1
    return more


def minus(count: Count, cards: Iterable[str]) -> Count:
    """``count`` without ``cards``, which must be there."""
    fewer = count.copy()
    for card in cards:
        fewer[card] -= 1
    return fewer


def size(count: Mapping[str, int]) -> int:
    """How many cards ``count`` holds."""
    return sum(count.values())


def spread(count: Mapping[str, int]) -> list[Any]:
    """The cards of ``count`` one by one, sorted."""
    cards: list[str] = []
    for kind in _SORTED_KINDS:
        cards += [kind] * count[kind]
    return cards


Numbers = tuple[tuple[str, int], ...]
"""How many of each kind: (kind, number), without those of which there are none."""


def numbers(cards: tuple[str, ...]) -> Numbers:
    """``cards`` by their kinds."""
    return tuple((kind, cards.count(kind)) for kind in KINDS if kind in cards)


def counted(cards: tuple[str, ...]) -> tuple[str, ...]:
    """``cards`` as ids that have a name in words: ``("3 orange", "1 locomotive")``."""
    return tuple(f"{number} {kind}" for kind, number in numbers(cards))


def holds(count: Mapping[str, int], cards: Numbers) -> bool:
    """Whether ``count`` has all of ``cards``."""
    for kind, number in cards:  # noqa: SIM110 (the list of legal actions asks this hundreds of times)
        if count[kind] < number:
            return False
    return True
