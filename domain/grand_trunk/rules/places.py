"""GTJ 1: places and goods. Demand and supply of a place, and the token for its first delivery."""

from domain.grand_trunk import events
from domain.grand_trunk.board import (
    FIRST_DELIVERIES,
    GOODS_TOKENS,
    PORT_SET,
    PRINTED_GOODS,
    GoodsToken,
    PrintedGoods,
)
from domain.grand_trunk.cards import IMPROVEMENTS
from domain.grand_trunk.now import Now
from domain.grand_trunk.state import Seat, State


def goods_at(state: State, place: str) -> GoodsToken | PrintedGoods:
    """GTJ 1.7 A place demands and supplies the goods on the token that lies there now; Hamilton's are printed."""
    token = state.tokens.get(place)
    return PRINTED_GOODS[place] if token is None else GOODS_TOKENS[token]


def demanded(state: State, mine: Seat, place: str) -> tuple[str, ...]:
    """GTJ 1.7, 13.4, 13.10 The goods that a place takes from this seat: ports also take an exporter's good."""
    demand = goods_at(state, place).demand
    if place in PORT_SET and mine.improvements:
        demand += tuple(good for each in mine.improvements if (good := IMPROVEMENTS[each].ports_demand))
    return demand


def first_delivery(now: Now) -> None:
    """GTJ 6.3 The first cube delivered in a city, on demand or by contract, takes its first delivery token."""
    place = now.mine.place
    token = now.state.first_deliveries.get(place)
    if token is not None:
        now.happens(events.FirstDeliveryTaken(now.seat, place, token, FIRST_DELIVERIES[token].vp))
