"""The sensible player: plans a whole turn ahead on a table it imagines behind its view.

It tries the moves that promise most, plays each turn on greedily (unload, develop, couple, load), and takes the
turn whose end it likes best. What it likes is in `worth`: victory points won, and what the position promises.
Nothing here is a rule: whatever it tries goes through `decide`.
"""

import random
from collections.abc import Callable, Iterable, Iterator

import msgspec

from domain.chance import Chance, FreeChance
from domain.grand_trunk import commands as do
from domain.grand_trunk.board import (
    CITY_SET,
    CONSTANTS,
    CONTRACT_TOKENS,
    END_SPACE,
    FIRST_DELIVERIES,
    GOODS_TOKENS,
    LAST_SPACE,
    LINKS_BETWEEN,
    PORT_SET,
    PORTS,
    PRINTED_GOODS,
    SLOTS,
    WOOD_VALUES,
)  # fmt: skip
from domain.grand_trunk.cards import CARDS, CARRIES, FORCE_LEVELS, SET_GOODS, VARIANTS
from domain.grand_trunk.decide import decide
from domain.grand_trunk.evolve import evolve
from domain.grand_trunk.imagine import imagine
from domain.grand_trunk.state import Seat, State
from domain.grand_trunk.view import GrandTrunkView
from domain.messages import Command
from domain.refusal import Refused

DAY = 1.15
"""What a day is worth while the end is far: it can be spent on something, or scores by itself (GTJ 15.5)."""
DESTINATIONS = 5
"""How many moves are played out to the end of the turn."""
FAR = 0.86
"""What is left of a delivery's worth with every day it is away."""
OUT_OF_HAND = 0.6
"""What a delivery is worth, if no card in hand leads there, against one that can be made next turn."""


class Line(msgspec.Struct, frozen=True):
    """Commands tried one after the other, and where they led."""

    commands: tuple[Command, ...]
    state: State


def sensible(view: GrandTrunkView, dice: random.Random) -> tuple[Command, ...]:
    """The commands of the viewer's next turn, or of what is left of it."""
    seat = view.seat
    assert seat is not None
    chance = FreeChance(dice)
    state = imagine(view, chance)
    if state.stage == "choosing":
        return (_best_first_railcar(state, seat),)
    here = Line((), state)
    if state.stage in ("start", "before"):
        lines = [_played_out(line, seat, chance) for line in _moves(here, seat, chance)]
        lines += _without_moving(here, seat, chance)
    else:
        lines = [_played_out(here, seat, chance)]
    return max(lines, key=lambda line: worth(line.state, seat)).commands


# ==== trying things ===============================================================================
def _try(line: Line, seat: int, command: Command, chance: Chance) -> Line | None:
    """``line`` with one command more, or nothing where the rules refuse it."""
    try:
        events = decide(line.state, seat, command, chance)
    except Refused:
        return None
    state = line.state
    for event in events:
        state = evolve(state, event)
    return Line((*line.commands, command), state)


def _tried(line: Line, seat: int, wishes: Iterable[Command], chance: Chance) -> list[Line]:
    return [tried for wish in wishes if (tried := _try(line, seat, wish, chance)) is not None]


def _moves(line: Line, seat: int, chance: Chance) -> list[Line]:
    """The moves worth playing out: for each place the cheapest card, then the most promising places."""
    by_place: dict[str, Line] = {}
    for moved in _tried(line, seat, _ways_to_move(line.state, seat), chance):
        place = moved.state.seats[seat].place
        if place not in by_place or worth(moved.state, seat) > worth(by_place[place].state, seat):
            by_place[place] = moved
    promising = sorted(by_place.values(), key=lambda moved: -_promise(moved.state, seat))
    return promising[:DESTINATIONS]


def _ways_to_move(state: State, seat: int) -> Iterator[Command]:
    own = state.seats[seat]
    for card in sorted(own.hand):
        for place in sorted(_reach(card, state)):
            if place != own.place:
                yield do.MoveTrain(card, place)


def _promise(state: State, seat: int) -> float:
    """How good a place looks on arrival: the position, and what can be unloaded at once."""
    own = state.seats[seat]
    cubes = [(car.good, car.cubes) for car in own.railcars if car.good]
    unloading = sum(cubes_ * max(_delivery(state, own, own.place, good, own.day), 0.0) for good, cubes_ in cubes)
    steel = 1.5 if state.steel.get(own.place) and any("steel" in CARRIES[card] for card in _cars(own)) else 0.0
    return worth(state, seat) + unloading + steel


def _cars(own: Seat) -> list[str]:
    return [car.card for car in own.railcars] + [card for card in own.hand if card in CARRIES]


def _played_out(line: Line, seat: int, chance: Chance) -> Line:
    """``line`` with the best next thing again and again, as long as it makes the position better; then the end."""
    for wishes in (_unloading, _developing, _filling):
        line = _improved(line, seat, wishes, chance)
    ended = _try(line, seat, do.EndTurn(), chance)
    return ended if ended is not None else line


def _improved(line: Line, seat: int, wishes: Callable[[State, Seat], Iterator[Command]], chance: Chance) -> Line:
    before = worth(line.state, seat)
    while True:
        tried = _tried(line, seat, wishes(line.state, line.state.seats[seat]), chance)
        best = max(tried, key=lambda each: worth(each.state, seat), default=None)
        if best is None or (after := worth(best.state, seat)) <= before + 0.05:
            return line
        line, before = best, after


def _unloading(state: State, own: Seat) -> Iterator[Command]:
    for car in own.railcars:
        if not car.cubes:
            continue
        yield do.DeliverGood(car.card)
        if car.good == "steel" and "foreign_steel_contract" in own.improvements:
            yield do.DeliverGood(car.card, foreign_steel=True)
        for slot, contract in state.contracts.items():
            token = CONTRACT_TOKENS[contract.token]
            if contract.met_by is None and token.city == own.place and token.good == car.good:
                yield do.FulfilContract(car.card, slot)


def _developing(state: State, own: Seat) -> Iterator[Command]:
    for card in sorted(own.hand):
        variant = CARDS[card].development
        if variant is None:
            continue
        for option in VARIANTS[variant]:
            if option == "increase_force":
                yield do.IncreaseForce(card)
            elif option == "increase_speed":
                yield do.IncreaseSpeed(card)
            elif option == "build_terminal":
                for city in sorted(CITY_SET - state.terminals):
                    yield do.BuildTerminal(card, city, "deck_top")
            elif option == "acquire_improvement":
                for improvement in state.improvements:
                    yield do.AcquireImprovement(card, improvement)
        for objective in state.objectives:
            yield do.AcquireObjective(card, objective)


def _filling(state: State, own: Seat) -> Iterator[Command]:
    goods = list(_goods_here(state, own.place))
    for car in own.railcars:
        for good in goods:
            if not car.cubes and good in CARRIES[car.card]:
                yield do.LoadGood(car.card, good)
        if car.cubes == 1 and car.good == "steel" and "hi_roof_boxcar" in own.improvements:
            yield do.UseHiRoofBoxcar(car.card)
    for card in sorted(own.hand):
        if CARDS[card].action == "high_capacity_railcar":
            for car in own.railcars:
                if car.cubes == 1 and car.good in goods and car.good != "steel":
                    yield do.PlayHighCapacityRailcar(card, car.card)
    if len(own.railcars) < FORCE_LEVELS[own.force].railcars:
        yield from _coupling(own, goods)


def _coupling(own: Seat, goods: list[str]) -> Iterator[Command]:
    for card in sorted(own.hand):
        if card in CARRIES:
            for good in goods:
                if good in CARRIES[card]:
                    yield do.CoupleRailcar(card, good)
        elif CARDS[card].action == "rail_yard":
            for railcar in sorted(own.discard & CARRIES.keys()):
                for good in goods:
                    if good in CARRIES[railcar]:
                        yield do.PlayRailYard(card, railcar, good)


def _without_moving(line: Line, seat: int, chance: Chance) -> list[Line]:
    """Passing, and maintenance that throws away nothing or what does not lead to a delivery."""
    own = line.state.seats[seat]
    wanted = {place for place, _ in _outlets(line.state, own)}
    useless = tuple(
        card for card in sorted(own.hand) if not _reach(card, line.state) & wanted and CARDS[card].development is None
    )
    wishes: list[Command] = [do.Pass(), do.PerformMaintenance()]
    if useless:
        wishes.append(do.PerformMaintenance(useless))
    return _tried(line, seat, wishes, chance)


def _best_first_railcar(state: State, seat: int) -> Command:
    """The railcar and good that can be sold best from the starting city."""
    own = state.seats[seat]
    choices = [
        do.ChooseFirstRailcar(card, good)
        for card in sorted(CARRIES)
        if card.startswith(f"{own.company}.") and CARDS[card].kind == "railcar"
        for good in _goods_here(state, own.place)
        if good in CARRIES[card]
    ]
    return max(choices, key=lambda choice: _cargo(state, own, choice.good, set()))


# ==== what a position is worth ====================================================================
def worth(state: State, seat: int) -> float:
    """What ``seat`` may hope for in ``state``, in victory points."""
    own = state.seats[seat]
    left = max(LAST_SPACE - 2 - own.day, 0)
    if state.stage == "over":
        return float(own.vp)
    points = own.vp + _sets(own) + _engine(own, left) + _improvements(own, left)
    if own.finished:
        return points + 0.9 * max(END_SPACE - own.day, 0)
    return points + DAY * left + _hold(state, own, left)


def _hold(state: State, own: Seat, left: int) -> float:
    """What lies on the train. Each place takes its share of one seat's interest."""
    reach = {place for card in own.hand for place in _reach(card, state)}
    total = 0.0
    for car in own.railcars:
        if car.good is None:
            total -= 0.2
            continue
        total += car.cubes * _cargo(state, own, car.good, reach)
    return total if left > 2 else 0.4 * total


def _cargo(state: State, own: Seat, good: str, reach: set[str]) -> float:
    """The best that can be made of one cube of ``good``, wherever that is."""
    best = 0.0
    for place, way in _places_open(state, own):
        value = _delivery(state, own, place, good, own.day + way)
        if value > 0:
            near = 1.0 if not reach or place in reach else OUT_OF_HAND
            best = max(best, value * near * FAR**way)
    return best


def _places_open(state: State, own: Seat) -> Iterator[tuple[str, int]]:
    faster = 1 if own.fast else 0
    for place in (*state.terminals, *PORTS):
        if place != own.place:
            yield place, max(LINKS_BETWEEN[own.place][place] - faster, 1)


def _outlets(state: State, own: Seat) -> Iterator[tuple[str, float]]:
    """The places where something on the train is wanted."""
    for place, way in _places_open(state, own):
        for car in own.railcars:
            if car.good and (value := _delivery(state, own, place, car.good, own.day + way)) > 0:
                yield place, value


def _delivery(state: State, own: Seat, place: str, good: str, day: int) -> float:
    """What unloading a cube of ``good`` at ``place`` on ``day`` brings; 0 where nobody wants it."""
    first = state.first_deliveries.get(place)
    bonus = FIRST_DELIVERIES[first].vp if first else 0
    best = 0.0
    if good in _demand(state, own, place):
        best = _good(own, good) + (0.7 * _steel_made(state, place) if good == "iron" else 0) + bonus
        if good == "iron" and place in CITY_SET and not _steel_made(state, place):
            best = 0.0
    for slot, contract in state.contracts.items():
        token = CONTRACT_TOKENS[contract.token]
        if contract.met_by is None and token.city == place and token.good == good:
            window = SLOTS[slot]
            early, late = "early_delivery" in own.improvements, "late_delivery" in own.improvements
            if window.first_day - early <= day <= window.last_day + late:
                best = max(best, window.vp + bonus)
    return best


def _good(own: Seat, good: str) -> float:
    """What one more delivered cube is worth besides the points it scores at once."""
    have = own.delivered.get(good, 0)
    if good == "steel":
        return CONSTANTS.vp_per_steel_delivered + (1.2 if have < 3 else 0)
    fewest = min(own.delivered.get(each, 0) for each in SET_GOODS)
    value = 1.6 if have == fewest else 1.1 if have == fewest + 1 else 0.6
    if good == "coal" and have < 3 and not own.fast:
        value += 0.8
    if good == "wood":
        value += 0.35 + 0.8 * len(own.improvements)
    return value


def _sets(own: Seat) -> float:
    """The sets there are, and a part of those that are begun (GTJ 15.6)."""
    counts = sorted(own.delivered.get(good, 0) for good in SET_GOODS)
    full = counts[0]
    begun = min(counts[1] - full, 3) * 0.8 + min(counts[2] - full, 3) * 0.45
    return CONSTANTS.vp_per_coal_iron_wood_set * full + begun


def _engine(own: Seat, left: int) -> float:
    """Force and speed: worth more the longer the game still lasts."""
    share = left / LAST_SPACE
    steel, coal = own.delivered.get("steel", 0), own.delivered.get("coal", 0)
    force = {1: 0.0, 2: 7.0, 3: 12.0, 4: 15.0}[own.force] * share
    soon = 1.2 * share * sum(steel >= FORCE_LEVELS[level].steel_required for level in range(own.force + 1, 5))
    speed = 9.0 * share if own.fast else min(coal, 3) * 0.9 * share
    return force + soon + speed


def _improvements(own: Seat, left: int) -> float:
    """What the improvements will score (GTJ 15.7), with the wood still to come, and a little for what they do."""
    wood = min(own.wood + 2.2 * left / LAST_SPACE, len(WOOD_VALUES) - 1.0)
    return len(own.improvements) * (0.9 * wood + 1.4 * left / LAST_SPACE)


# ==== the map =====================================================================================
def _reach(card: str, state: State) -> frozenset[str]:
    """Where ``card`` leads (GTJ 5.4)."""
    leads_to = CARDS[card].leads_to
    if leads_to == "any_port":
        return PORT_SET
    if leads_to == "any":
        return PORT_SET | state.terminals
    return frozenset((leads_to,)) & state.terminals if leads_to else frozenset()


def _goods_here(state: State, place: str) -> Iterator[str]:
    yield from _token(state, place).supply
    if state.steel.get(place):
        yield "steel"


def _demand(state: State, own: Seat, place: str) -> tuple[str, ...]:
    wanted = _token(state, place).demand
    if place in PORT_SET:
        exported = tuple(good for good in ("coal", "wood") if f"{good}_exporter" in own.improvements)
        return (*wanted, *exported)
    return wanted


def _token(state: State, place: str):  # type: ignore[no-untyped-def]
    return PRINTED_GOODS[place] if place in PRINTED_GOODS else GOODS_TOKENS[state.tokens[place]]


def _steel_made(state: State, place: str) -> int:
    free = CONSTANTS.steel_limit_per_city - state.steel.get(place, 0)
    return min(CONSTANTS.steel_per_iron_delivered, free)
