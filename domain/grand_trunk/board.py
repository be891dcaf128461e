"""The board as tables the rules use: places, links, goods, contracts, tracks, and the numbers of the rulebook."""

import msgspec

from domain import railmap
from domain.grand_trunk.material import Item, read


class Place(Item, frozen=True, kw_only=True):
    """GTJ 1.2."""

    id: str
    name: str
    kind: str


class Link(Item, frozen=True, kw_only=True):
    """GTJ 1.3."""

    id: str
    a: str
    b: str
    via: str


class GoodsToken(Item, frozen=True, kw_only=True):
    """GTJ 1.7. ``group``: starting, regular or port."""

    id: str
    group: str
    demand: tuple[str, ...]
    supply: tuple[str, ...]


class PrintedGoods(Item, frozen=True, kw_only=True):
    """GTJ 1.5: goods printed on the board."""

    place: str
    demand: tuple[str, ...]
    supply: tuple[str, ...]


class FirstDelivery(Item, frozen=True, kw_only=True):
    """GTJ 2.4, 6.3."""

    id: str
    vp: int


class ContractToken(Item, frozen=True, kw_only=True):
    """GTJ 7.1. ``days``: its length."""

    id: str
    days: int
    city: str
    good: str


class Slot(Item, frozen=True, kw_only=True):
    """GTJ 7.1. ``revealed_at``: the dark space that turns it up, 0 for setup."""

    slot: int
    days: int
    first_day: int
    last_day: int
    vp: int
    revealed_at: int


class TimeTrack(Item, frozen=True, kw_only=True):
    """GTJ 1.10, 3.6, 7.2, 15.1."""

    first_space: int
    last_space: int
    end_trigger_space: int
    dark_spaces: tuple[int, ...]


class WoodTrack(Item, frozen=True, kw_only=True):
    """GTJ 1.10, 15.7. ``vp_per_improvement``: by space."""

    vp_per_improvement: tuple[int, ...]


class Board(msgspec.Struct, frozen=True):
    places: tuple[Place, ...]
    links: tuple[Link, ...]
    city_goods_tokens: tuple[GoodsToken, ...]
    port_goods_tokens: tuple[GoodsToken, ...]
    port_goods_dealt_to: tuple[str, ...]
    printed_port_goods: tuple[PrintedGoods, ...]
    first_delivery_tokens: tuple[FirstDelivery, ...]
    contract_tokens: tuple[ContractToken, ...]
    contract_slots: tuple[Slot, ...]
    time_track: TimeTrack
    wood_track: WoodTrack


class Constants(Item, frozen=True, kw_only=True):
    """Numbers the rulebook states."""

    starting_vp: int
    hand_limit: int
    steel_limit_per_city: int
    steel_per_iron_delivered: int
    min_move_days: int
    maintenance_days: int
    grand_trunk_jct_extra_days: int
    fast_discount_days: int
    vp_per_steel_delivered: int
    vp_penalty_unwanted_good: int
    vp_new_terminal: int
    vp_per_coal_iron_wood_set: int
    vp_per_day_behind_leader: int
    improvements_shown_per_player: int
    objectives_shown: int
    contracts_used_by_length: dict[str, int]
    contracts_face_up_at_setup: int
    tie_breakers: tuple[str, ...]


class Players(Item, frozen=True, kw_only=True):
    """GTJ 1.1."""

    min: int
    max: int


class Scenario(Item, frozen=True, kw_only=True):
    """GTJ 17.1. ``intermediate`` and ``expert``: the companies listed for that level."""

    id: str
    name: str
    starting_cities: tuple[str, ...]
    intermediate: tuple[str, ...]
    expert: tuple[str, ...]

    def companies(self, level: str) -> tuple[str, ...]:
        return self.intermediate if level == "intermediate" else self.expert


class _Game(msgspec.Struct, frozen=True):
    players: Players
    constants: Constants
    scenarios: tuple[Scenario, ...]


BOARD: Board = read("board.json", Board)
_game: _Game = read("game.json", _Game)
CONSTANTS = _game.constants
PLAYERS = _game.players
SCENARIOS = {scenario.id: scenario for scenario in _game.scenarios}

# ==== GTJ 1.2, 1.3: places and links ==============================================================
PLACES = {place.id: place for place in BOARD.places}
PLACE_ORDER = {place: index for index, place in enumerate(PLACES)}
"""Place -> its number in the data, the order of GTJ 19.10."""
CITIES = tuple(place.id for place in BOARD.places if place.kind == "city")
PORTS = tuple(place.id for place in BOARD.places if place.kind == "port")
CITY_SET = frozenset(CITIES)
PORT_SET = frozenset(PORTS)
NEIGHBOURS = railmap.neighbours((link.a, link.b) for link in BOARD.links)
LINKS_BETWEEN = railmap.distances(NEIGHBOURS)
"""GTJ 5.7: place -> place -> the fewest links."""
FURTHEST_LINKS = max(links for row in LINKS_BETWEEN.values() for links in row.values())

# ==== GTJ 1.7: goods tokens =======================================================================
GOODS_TOKENS = {token.id: token for token in (*BOARD.city_goods_tokens, *BOARD.port_goods_tokens)}
PRINTED_GOODS = {printed.place: printed for printed in BOARD.printed_port_goods}

# ==== GTJ 2.4, 7.1: first deliveries and contracts ================================================
FIRST_DELIVERIES = {token.id: token for token in BOARD.first_delivery_tokens}
CONTRACT_TOKENS = {token.id: token for token in BOARD.contract_tokens}
SLOTS = {slot.slot: slot for slot in BOARD.contract_slots}

# ==== GTJ 1.10: tracks ============================================================================
LAST_SPACE = BOARD.time_track.last_space
END_SPACE = BOARD.time_track.end_trigger_space
WOOD_VALUES = BOARD.wood_track.vp_per_improvement
LAST_WOOD_SPACE = len(WOOD_VALUES) - 1
