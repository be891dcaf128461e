"""The cards as tables the rules use: companies, railcars, actions, development, improvements, objectives."""

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from domain.grand_trunk.material import Item, read


class Good(Item, frozen=True, kw_only=True):
    """GTJ 1.6. ``source``: stock or steel_space. ``part_of_set``: GTJ 15.6."""

    id: str
    name: str
    part_of_set: bool
    source: str


class RailcarType(Item, frozen=True, kw_only=True):
    """GTJ 1.9."""

    id: str
    name: str
    goods: tuple[str, ...]


class ActionKind(Item, frozen=True, kw_only=True):
    """GTJ 11, 12. ``discount_days``: the days it takes off a move (GTJ 11.9)."""

    id: str
    name: str
    summary: str
    discount_days: int = 0


class DevelopmentOption(Item, frozen=True, kw_only=True):
    """GTJ 12, 16.2."""

    id: str
    name: str
    days: int
    summary: str


class ForceLevel(msgspec.Struct, frozen=True):
    """GTJ 4.2, 12.2, 12.3."""

    id: str
    force: int
    roman: str
    railcars: int
    steel_required: int
    vp: int


class SpeedLevel(msgspec.Struct, frozen=True):
    """GTJ 12.4."""

    id: str
    discount_days: int
    coal_required: int
    vp: int


class LocomotiveCard(msgspec.Struct, frozen=True):
    id: str
    sides: tuple[str, ...]


class Locomotive(Item, frozen=True, kw_only=True):
    cards: tuple[LocomotiveCard, ...]
    force_levels: tuple[ForceLevel, ...]
    speed_levels: tuple[SpeedLevel, ...]


class Card(Item, frozen=True, kw_only=True):
    """GTJ 1.8. ``leads_to``: a city, "any_port", "any" (GTJ 5.4) or nothing.

    Its attribute is one of ``railcar`` (a type), ``action`` (an id) and ``development`` (a variant), or nothing.
    """

    id: str
    kind: str
    leads_to: str | None
    railcar: str | None = None
    action: str | None = None
    development: str | None = None


class Company(Item, frozen=True, kw_only=True):
    id: str
    name: str
    colour: str
    cards: tuple[Card, ...]


class Improvement(Item, frozen=True, kw_only=True):
    """GTJ 13. The fields after ``summary`` hold the numbers and lists of its effect."""

    id: str
    name: str
    kind: str
    cost_days: int
    summary: str
    use_days: int = 0
    ports_demand: str | None = None
    days_before: int = 0
    days_after: int = 0
    free_options: tuple[str, ...] = ()
    vp: int = 0
    hand_limit: int | None = None
    gains: dict[str, int] = msgspec.field(default_factory=dict)
    couple_days: int = 0


class Requirements(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """GTJ 16.4. The least amount of each."""

    contracts: int = 0
    goods: dict[str, int] = {}
    total_goods: int = 0
    any_one_good: int = 0
    goods_on_train: int = 0
    force: int = 0
    fast: bool = False


class Objective(Item, frozen=True, kw_only=True):
    """GTJ 16.3. ``vp``: in all, or for each cube of ``per_good``, or for each full ``per_goods`` of any goods."""

    id: str
    name: str
    kind: str
    requires: Requirements
    vp: int
    per_good: str | None = None
    per_goods: int | None = None


class _Cards(msgspec.Struct, frozen=True):
    goods: tuple[Good, ...]
    railcar_types: tuple[RailcarType, ...]
    actions: tuple[ActionKind, ...]
    development_options: tuple[DevelopmentOption, ...]
    development_variants: dict[str, tuple[str, ...]]
    locomotive: Locomotive
    companies: tuple[Company, ...]
    improvements: tuple[Improvement, ...]
    objectives: tuple[Objective, ...]


_cards: _Cards = read("cards.json", _Cards)

# ==== GTJ 1.6, 1.9: goods and railcars ============================================================
GOODS = {good.id: good for good in _cards.goods}
STOCK_GOODS = tuple(good.id for good in _cards.goods if good.source == "stock")
SET_GOODS = tuple(good.id for good in _cards.goods if good.part_of_set)
RAILCAR_TYPES = {each.id: each for each in _cards.railcar_types}

# ==== GTJ 1.8: company cards ======================================================================
COMPANIES = {company.id: company for company in _cards.companies}
CARDS = {card.id: card for company in _cards.companies for card in company.cards}
ORDER = {card: index for index, card in enumerate(CARDS)}
"""Card -> its place in the company's list, the order of GTJ 2.11 and 19.10."""
CITY_CARDS = {
    company.id: {str(card.leads_to): card.id for card in company.cards if card.kind == "city"}
    for company in _cards.companies
}
PLAIN_RAILCARS = {
    company.id: tuple(card.id for card in company.cards if card.kind == "railcar") for company in _cards.companies
}
CARRIES = {card.id: RAILCAR_TYPES[card.railcar].goods for card in CARDS.values() if card.railcar}
"""Card with a railcar face -> the goods its type can carry."""

# ==== GTJ 4, 11, 12: trains, actions, development =================================================
ACTIONS = {action.id: action for action in _cards.actions}
DEVELOPMENT_OPTIONS = {option.id: option for option in _cards.development_options}
VARIANTS = _cards.development_variants
FORCE_LEVELS = {level.force: level for level in _cards.locomotive.force_levels}
FAST = next(level for level in _cards.locomotive.speed_levels if level.id == "fast")

# ==== GTJ 13, 16: improvements and objectives =====================================================
IMPROVEMENTS = {improvement.id: improvement for improvement in _cards.improvements}
OBJECTIVES = {objective.id: objective for objective in _cards.objectives}


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """``cards`` in the order of their company's list."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


@lru_cache(maxsize=1024)
def in_play(company: str, terminals: frozenset[str]) -> frozenset[str]:
    """GTJ 2.13 The ten starting cards: all but city cards, and the cards of cities with a terminal.

    GTJ 12.5 to 12.7 More come into play with each terminal that is built.
    """
    cities = CITY_CARDS[company]
    others = (card.id for card in COMPANIES[company].cards if card.kind != "city")
    return frozenset((*others, *(cities[city] for city in terminals)))
