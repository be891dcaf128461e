"""GTJ 11: actions. What playing an action card needs, and the simple actions (Right of Way goes with a move)."""

from collections.abc import Iterator
from itertools import combinations

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CITIES, CITY_SET, CONSTANTS, NEIGHBOURS, PLACES, PORTS
from domain.grand_trunk.cards import CARDS, CARRIES, STOCK_GOODS
from domain.grand_trunk.rules import coupling, loading, travel
from domain.grand_trunk.state import Seat, State
from domain.messages import Command, Event
from domain.refusal import Refused


def in_hand(mine: Seat, card: str) -> None:
    """GTJ 11.2 An action card is played from the hand."""
    if card not in mine.hand:
        raise Refused("GTJ 11.2", "{card} is not in your hand.", card=card)


def shows(mine: Seat, card: str, action: str) -> None:
    """GTJ 11.2 An action card is played from the hand and carries out the action it shows."""
    in_hand(mine, card)
    if CARDS[card].action != action:
        raise Refused("GTJ 11.2", "{card} does not show {action}.", card=card, action=action)


# ==== 11.5 High Capacity Railcar ==================================================================
def play_high_capacity_railcar(
    state: State, seat: int, command: commands.PlayHighCapacityRailcar, chance: Chance
) -> list[Event]:
    """GTJ 11.5 In step 5, a second coal, iron or wood on a railcar that holds one cube of that good."""
    travel.in_step(state, travel.COUPLE_AND_LOAD)
    mine = state.seats[seat]
    shows(mine, command.card, "high_capacity_railcar")
    railcar = mine.railcar(command.railcar)
    if railcar is None:
        raise Refused("GTJ 11.5", "{railcar} is not on your train.", railcar=command.railcar)
    if railcar.cubes != 1 or railcar.good not in STOCK_GOODS:
        raise Refused("GTJ 11.5", "{railcar} does not hold exactly one coal, iron or wood.", railcar=railcar.card)
    loading.is_supplied(state, mine.place, railcar.good)
    return [
        events.GoodLoaded(seat, railcar.card, railcar.good, mine.place, "stock", 2),
        events.ActionCardPlayed(seat, command.card, "high_capacity_railcar"),
    ]


# ==== 11.6 Influence Demand =======================================================================
def play_influence_demand(
    state: State, seat: int, command: commands.PlayInfluenceDemand, chance: Chance
) -> list[Event]:
    """GTJ 11.6 The goods tokens of two cities, or of two ports, change places."""
    mine = state.seats[seat]
    shows(mine, command.card, "influence_demand")
    first, second = command.first, command.second
    for place in (first, second):
        if place not in state.tokens:
            raise Refused("GTJ 11.6", "{place} has no goods token.", place=place)
    if first == second:
        raise Refused("GTJ 11.6", "Name two different places.")
    if (first in CITY_SET) != (second in CITY_SET):
        raise Refused("GTJ 11.6", "The token of a city is not exchanged with that of a port.")
    travel.leaves_a_move(state, mine, command.card)
    return [
        events.GoodsTokensSwapped(seat, first, second, state.tokens[second], state.tokens[first]),
        events.ActionCardPlayed(seat, command.card, "influence_demand"),
    ]


# ==== 11.7 Overland Transport =====================================================================
def play_overland_transport(
    state: State, seat: int, command: commands.PlayOverlandTransport, chance: Chance
) -> list[Event]:
    """GTJ 11.7 One steel moves to a city one link away that has room for it."""
    mine = state.seats[seat]
    shows(mine, command.card, "overland_transport")
    origin, target = command.origin, command.target
    if origin not in CITY_SET or target not in CITY_SET:
        raise Refused("GTJ 11.7", "Steel is moved between two cities.")
    if not state.steel[origin]:
        raise Refused("GTJ 11.7", "No steel lies in {place}.", place=origin)
    if target not in NEIGHBOURS[origin]:
        raise Refused("GTJ 11.7", "No link joins {origin} and {target}.", origin=origin, target=target)
    if state.steel[target] >= CONSTANTS.steel_limit_per_city:
        raise Refused("GTJ 11.7", "There is no room for more steel in {place}.", place=target)
    travel.leaves_a_move(state, mine, command.card)
    return [
        events.SteelMoved(seat, origin, target),
        events.ActionCardPlayed(seat, command.card, "overland_transport"),
    ]


# ==== 11.8 Rail Yard ==============================================================================
def play_rail_yard(state: State, seat: int, command: commands.PlayRailYard, chance: Chance) -> list[Event]:
    """GTJ 11.8 A railcar out of the seat's own discard pile is coupled, with its first cube."""
    travel.in_step(state, travel.COUPLE_AND_LOAD)
    mine = state.seats[seat]
    shows(mine, command.card, "rail_yard")
    railcar = command.railcar_card
    if railcar not in mine.discard:
        raise Refused("GTJ 11.8", "{card} is not in your discard pile.", card=railcar)
    if railcar not in CARRIES:
        raise Refused("GTJ 11.8", "{card} is no railcar.", card=railcar)
    source = coupling.fits_with_cube(state, mine, railcar, command.good)
    return [
        *coupling.coupled_and_loaded(state, seat, railcar, command.good, "discard_pile", source),
        events.ActionCardPlayed(seat, command.card, "rail_yard"),
    ]


# ==== candidates ==================================================================================
def candidates(state: State, seat: int) -> Iterator[Command]:
    mine = state.seats[seat]
    for card in sorted(mine.hand):
        match CARDS[card].action:
            case "high_capacity_railcar" if state.stage in travel.COUPLE_AND_LOAD:
                for railcar in mine.railcars:
                    if railcar.cubes == 1:
                        yield commands.PlayHighCapacityRailcar(card, railcar.card)
            case "influence_demand":
                for pool in (CITIES, PORTS):
                    for first, second in combinations([place for place in pool if place in state.tokens], 2):
                        yield commands.PlayInfluenceDemand(card, first, second)
            case "overland_transport":
                for origin in CITIES:
                    if state.steel[origin]:
                        for target in PLACES:
                            if target in CITY_SET and target in NEIGHBOURS[origin]:
                                yield commands.PlayOverlandTransport(card, origin, target)
            case "rail_yard" if state.stage in travel.COUPLE_AND_LOAD:
                for railcar_card in sorted(mine.discard):
                    for good in CARRIES.get(railcar_card, ()):
                        yield commands.PlayRailYard(card, railcar_card, good)
