"""GTJ 6: step 2, unloading. Delivering on demand and dumping; contracts are chapter 7."""

from collections.abc import Iterator

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONSTANTS, FIRST_DELIVERIES, LAST_WOOD_SPACE
from domain.grand_trunk.rules import improvements, travel
from domain.grand_trunk.rules.places import demanded
from domain.grand_trunk.state import Railcar, Seat, State
from domain.messages import Command, Event
from domain.refusal import Refused


def loaded_railcar(mine: Seat, card: str) -> Railcar:
    """GTJ 6.1 Cubes are unloaded one by one, each from a railcar of the train."""
    railcar = mine.railcar(card)
    if railcar is None:
        raise Refused("GTJ 6.1", "{railcar} is not on your train.", railcar=card)
    if not railcar.cubes:
        raise Refused("GTJ 6.1", "{railcar} is empty.", railcar=card)
    return railcar


# ==== delivering ==================================================================================
def deliver_good(state: State, seat: int, command: commands.DeliverGood, chance: Chance) -> list[Event]:
    """GTJ 6.2 A cube of a good that the place demands goes to the seat's delivered goods."""
    travel.in_step(state, travel.UNLOAD)
    mine = state.seats[seat]
    place = mine.place
    railcar = loaded_railcar(mine, command.railcar)
    good = str(railcar.good)
    if good not in demanded(state, mine, place):
        raise Refused("GTJ 6.2", "{place} does not demand {good}.", place=place, good=good)
    steel = steel_made(state, place) if good == "iron" else 0
    if not command.foreign_steel:
        return [_delivered(mine, seat, railcar, steel), *first_delivery(state, seat, place)]
    paid, bonus = improvements.foreign_steel(state, seat, good, chance)
    return [*paid, _delivered(mine, seat, railcar, steel), *bonus]


def _delivered(mine: Seat, seat: int, railcar: Railcar, steel: int) -> events.GoodDelivered:
    good = str(railcar.good)
    vp = CONSTANTS.vp_per_steel_delivered if good == "steel" else 0  # GTJ 6.8; coal has no effect at once (GTJ 6.4)
    wood_steps = wood_steps_made(mine) if good == "wood" else 0
    return events.GoodDelivered(seat, railcar.card, good, mine.place, vp, steel, wood_steps)


def first_delivery(state: State, seat: int, place: str) -> list[Event]:
    """GTJ 6.3 The first cube delivered in a city, on demand or by contract, takes its first delivery token."""
    token = state.first_deliveries.get(place)
    return [] if token is None else [events.FirstDeliveryTaken(seat, place, token, FIRST_DELIVERIES[token].vp)]


def wood_steps_made(mine: Seat) -> int:
    """GTJ 6.5 Each wood moves the marker a space up, as far as the last one."""
    return int(mine.wood < LAST_WOOD_SPACE)


def steel_made(state: State, city: str) -> int:
    """GTJ 6.6 Each iron puts 2 steel into the city, as far as there is room; none can be delivered on a full space.

    Only cities demand iron (GTJ 1.7, 13.10).
    """
    room = CONSTANTS.steel_limit_per_city - state.steel[city]
    if not room:
        raise Refused("GTJ 6.6", "{city} holds {steel} steel: no iron can be delivered there.",
                      city=city, steel=state.steel[city])  # fmt: skip
    return min(CONSTANTS.steel_per_iron_delivered, room)


# ==== dumping =====================================================================================
def dump_good(state: State, seat: int, command: commands.DumpGood, chance: Chance) -> list[Event]:
    """GTJ 6.9, 6.10 A cube of a good that the place does not demand goes to the stock and costs a VP."""
    travel.in_step(state, travel.UNLOAD)
    mine = state.seats[seat]
    railcar = loaded_railcar(mine, command.railcar)
    good = str(railcar.good)
    if good in demanded(state, mine, mine.place):
        raise Refused("GTJ 6.9", "{place} demands {good}: it cannot be dumped there.", place=mine.place, good=good)
    return [events.GoodDumped(seat, railcar.card, good, mine.place, -CONSTANTS.vp_penalty_unwanted_good)]


def candidates(state: State, seat: int) -> Iterator[Command]:
    if state.stage not in travel.UNLOAD:
        return
    mine = state.seats[seat]
    demand = demanded(state, mine, mine.place)
    for railcar in mine.railcars:
        if railcar.good in demand:
            yield commands.DeliverGood(railcar.card)
            if railcar.good == "steel" and "foreign_steel_contract" in mine.improvements:
                yield commands.DeliverGood(railcar.card, foreign_steel=True)
        if railcar.cubes:
            for slot, contract in state.contracts.items():
                if contract.met_by is None:
                    yield commands.FulfilContract(railcar.card, slot)
            if railcar.good not in demand:
                yield commands.DumpGood(railcar.card)
