"""GTJ 1: places and goods. What a place demands and supplies."""

from domain.grand_trunk.board import GOODS_TOKENS, PORT_SET, PRINTED_GOODS, GoodsToken, PrintedGoods
from domain.grand_trunk.cards import IMPROVEMENTS
from domain.grand_trunk.state import Seat, State


def goods_at(state: State, place: str) -> GoodsToken | PrintedGoods:
    """GTJ 1.7 A place demands and supplies what the token says that lies there now, or Hamilton's print."""
    token = state.tokens.get(place)
    return PRINTED_GOODS[place] if token is None else GOODS_TOKENS[token]


def demanded(state: State, mine: Seat, place: str) -> tuple[str, ...]:
    """GTJ 1.7, 13.4, 13.10 What a place demands of this seat: ports take an exporter's good as well."""
    demand = goods_at(state, place).demand
    if place in PORT_SET and mine.improvements:
        demand += tuple(good for each in mine.improvements if (good := IMPROVEMENTS[each].ports_demand))
    return demand
