"""GTJ 11: actions. What the simple ones do; playing a card is `hand`, and Right of Way goes with a move."""

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import asdict

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CITIES, CITY_SET, CONSTANTS, NEIGHBOURS, PLACES, PORTS
from domain.grand_trunk.cards import CARDS, CARRIES, STOCK_GOODS
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import coupling, hand, loading, steps, train, travel
from domain.grand_trunk.state import Railcar, Seat, State
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence


# ==== 11.5 High Capacity Railcar ==================================================================
def play_high_capacity_railcar(now: Now, command: commands.PlayHighCapacityRailcar) -> None:
    """GTJ 11.5 In step 5, a second coal, iron or wood on a railcar that holds one cube of that good."""
    steps.must_be_in_step(now, steps.COUPLE_AND_LOAD)
    hand.must_show(now, command.card, "high_capacity_railcar")
    good = must_hold_one_cube(now, command.railcar)
    loading.must_be_supplied(now, good)
    now.happens(
        events.GoodLoaded(now.seat, command.railcar, good, now.mine.place, "stock", 2),
        events.ActionCardPlayed(now.seat, command.card, "high_capacity_railcar"),
    )


def must_hold_one_cube(now: Now, card: str) -> str:
    """GTJ 11.5 A railcar of the train with exactly one cube that comes from the stock; gives its good."""
    railcar = train.must_be_on_train(now, card, "GTJ 11.5")
    if railcar.cubes != 1 or railcar.good not in STOCK_GOODS:
        raise Refused("GTJ 11.5", "{railcar} does not hold exactly one coal, iron or wood.", railcar=card)
    return railcar.good


# ==== 11.6 Influence Demand =======================================================================
def play_influence_demand(now: Now, command: commands.PlayInfluenceDemand) -> None:
    """GTJ 11.6 The goods tokens of two cities, or of two ports, change places."""
    first, second, tokens = command.first, command.second, now.state.tokens
    hand.must_show(now, command.card, "influence_demand")
    must_be_exchangeable(now, first, second)
    travel.must_leave_a_move(now, command.card)
    now.happens(
        events.GoodsTokensSwapped(now.seat, first, second, tokens[second], tokens[first]),
        events.ActionCardPlayed(now.seat, command.card, "influence_demand"),
    )


def must_be_exchangeable(now: Now, first: str, second: str) -> None:
    """GTJ 11.6 Two places with a token each, of the same kind."""
    for place in (first, second):
        if place not in now.state.tokens:
            raise Refused("GTJ 11.6", "{place} has no goods token.", place=place)
    if first == second:
        raise Refused("GTJ 11.6", "Name two different places.")
    if (first in CITY_SET) != (second in CITY_SET):
        raise Refused("GTJ 11.6", "You cannot swap the token of a city with that of a port.")


# ==== 11.7 Overland Transport =====================================================================
def play_overland_transport(now: Now, command: commands.PlayOverlandTransport) -> None:
    """GTJ 11.7 One steel moves to a city one link away that has room for it."""
    hand.must_show(now, command.card, "overland_transport")
    must_be_a_way_for_steel(now, command.origin, command.target)
    travel.must_leave_a_move(now, command.card)
    now.happens(
        events.SteelMoved(now.seat, command.origin, command.target),
        events.ActionCardPlayed(now.seat, command.card, "overland_transport"),
    )


def must_be_a_way_for_steel(now: Now, origin: str, target: str) -> None:
    """GTJ 11.7 From a city where steel lies, over one link, to a city with room."""
    if origin not in CITY_SET or target not in CITY_SET:
        raise Refused("GTJ 11.7", "Steel can only move between two cities.")
    if not now.state.steel[origin]:
        raise Refused("GTJ 11.7", "There is no steel in {place}.", place=origin)
    if target not in NEIGHBOURS[origin]:
        raise Refused("GTJ 11.7", "No link joins {origin} and {target}.", origin=origin, target=target)
    if now.state.steel[target] >= CONSTANTS.steel_limit_per_city:
        raise Refused("GTJ 11.7", "There is no room for more steel in {place}.", place=target)


# ==== 11.8 Rail Yard ==============================================================================
def play_rail_yard(now: Now, command: commands.PlayRailYard) -> None:
    """GTJ 11.8 A railcar out of the seat's own discard pile is coupled, with its first cube."""
    steps.must_be_in_step(now, steps.COUPLE_AND_LOAD)
    hand.must_show(now, command.card, "rail_yard")
    must_lie_in_the_pile(now, command.railcar_card)
    hand.must_be_a_railcar(command.railcar_card, "GTJ 11.8")
    source = coupling.must_fit_with_a_cube(now, command.railcar_card, command.good)
    coupling.couple_and_load(now, command.railcar_card, command.good, "discard_pile", source)
    now.happens(events.ActionCardPlayed(now.seat, command.card, "rail_yard"))


def must_lie_in_the_pile(now: Now, card: str) -> None:
    """GTJ 11.8 The seat's own discard pile."""
    if card not in now.mine.discard:
        raise Refused("GTJ 11.8", "{card} is not in your discard pile.", card=card)


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return the uses of each action card in hand; Right of Way goes with a move."""
    mine, loads = now.mine, now.allows(steps.must_be_in_step, steps.COUPLE_AND_LOAD)
    for card in sorted(mine.hand):
        match CARDS[card].action:
            case "high_capacity_railcar" if loads:
                yield from (_second_cube(card, railcar) for railcar in mine.railcars)
            case "influence_demand":
                yield from _exchanges(now.state, card)
            case "overland_transport":
                yield from _ways_of_steel(now.state, card)
            case "rail_yard" if loads:
                yield from _out_of_the_pile(mine, card)


def _second_cube(card: str, railcar: Railcar) -> Action:
    facts = {"good": railcar.good, "railcar": railcar.card, "card": card}
    sentence = Sentence("Load a second {good} on {railcar} with {card}", facts)
    return Action(commands.PlayHighCapacityRailcar(card, railcar.card), "load", sentence)


def _exchanges(state: State, card: str) -> Iterator[Action]:
    for pool in (CITIES, PORTS):
        for first, second in combinations([place for place in pool if place in state.tokens], 2):
            it = commands.PlayInfluenceDemand(card, first, second)
            sentence = Sentence("Exchange the goods tokens of {first} and {second} with {card}", asdict(it))
            yield Action(it, "action", sentence)


def _ways_of_steel(state: State, card: str) -> Iterator[Action]:
    for origin in CITIES:
        if state.steel[origin]:
            for target in PLACES:
                if target in NEIGHBOURS[origin]:
                    it = commands.PlayOverlandTransport(card, origin, target)
                    sentence = Sentence("Move a steel from {origin} to {target} with {card}", asdict(it))
                    yield Action(it, "action", sentence)


def _out_of_the_pile(mine: Seat, card: str) -> Iterator[Action]:
    for railcar in sorted(mine.discard):
        for good in CARRIES.get(railcar, ()):
            it = commands.PlayRailYard(card, railcar, good)
            sentence = Sentence("With {card}, couple {railcar_card} from the discard pile with {good}", asdict(it))
            yield Action(it, "couple", sentence)


CHAPTER = Chapter(
    {
        commands.PlayHighCapacityRailcar: play_high_capacity_railcar,
        commands.PlayInfluenceDemand: play_influence_demand,
        commands.PlayOverlandTransport: play_overland_transport,
        commands.PlayRailYard: play_rail_yard,
    },
    candidates,
)
