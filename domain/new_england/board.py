"""The printed material as tables for the rules: cities, links, growth cards, and the numbers of the rule text."""

from pathlib import Path
from typing import Literal

import msgspec

Provenance = Literal["rulebook", "source", "reconstructed", "convention"]


class City(msgspec.Struct, frozen=True):
    """NER 1.2. ``demand``: the colour of its demand."""

    id: str
    name: str
    state: str
    demand: str
    provenance: Provenance


class Link(msgspec.Struct, frozen=True):
    """NER 1.3, 1.4. ``number``: build number and value."""

    id: str
    a: str
    b: str
    number: int
    line: str
    provenance: Provenance


class GrowthCard(msgspec.Struct, frozen=True):
    """NER 1.6."""

    id: str
    cities: tuple[str, str]
    provenance: Provenance


class Section(msgspec.Struct, frozen=True):
    """The source of a part of the material, and its reason."""

    kind: Provenance
    why: str


class _Provenance(msgspec.Struct, frozen=True):
    kinds: dict[str, str]
    sections: dict[str, Section]


class Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in data/game.json."""

    title: str
    made_by: str
    provenance: _Provenance
    seats: tuple[int, int]
    cubes: dict[str, int]
    cities: tuple[City, ...]
    links: tuple[Link, ...]
    growth_cards: tuple[GrowthCard, ...]
    cash: int
    opening_cubes: tuple[str, ...]
    opening_links: tuple[str, ...]
    loan_unit: int
    service_per_unit: int
    repay_per_unit: int
    most_links_of_a_path: int
    die_sides: int
    market_adds: int


MATERIAL = msgspec.json.decode((Path(__file__).parent / "data" / "game.json").read_bytes(), type=Material)

CITIES = {city.id: city for city in MATERIAL.cities}
LINKS = {link.id: link for link in MATERIAL.links}
GROWTH_CARDS = {card.id: card for card in MATERIAL.growth_cards}
COLOURS = tuple(MATERIAL.cubes)
DIE = range(1, MATERIAL.die_sides + 1)
UNIT = MATERIAL.loan_unit
MOST = 1000
"""The largest amount that an answer may name (NER 4.2)."""

LINK_BETWEEN = {frozenset((link.a, link.b)): link.id for link in MATERIAL.links}
LINKS_AT: dict[str, tuple[tuple[str, str], ...]] = {
    city: tuple((link.id, link.b if link.a == city else link.a) for link in MATERIAL.links if city in (link.a, link.b))
    for city in CITIES
}
"""City -> (link, city at its other end)."""


def offered(seats: int) -> int:
    """NER 2.2 Return the number of links on offer each turn: with n seats, n - 1."""
    return seats - 1
