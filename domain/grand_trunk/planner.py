"""The sensible player: plans a whole turn ahead on a table it imagines behind its view.

It tries the moves that promise most, plays each turn on greedily (unload, develop, couple, load), and takes the
turn whose end it likes best. What it likes is in `worth`: victory points won, and what the position promises.
Nothing here is a rule: whatever it tries goes through `decide`.
"""

import random
from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec.structs import replace

from domain.chance import Chance, FreeChance
from domain.grand_trunk import commands as do
from domain.grand_trunk.board import (
    CITY_SET,
    CONSTANTS,
    CONTRACT_TOKENS,
    END_SPACE,
    FIRST_DELIVERIES,
    LAST_SPACE,
    LINKS_BETWEEN,
    PORT_SET,
    PORTS,
    SLOTS,
    WOOD_VALUES,
)
from domain.grand_trunk.cards import CARDS, CARRIES, FORCE_LEVELS, SET_GOODS, VARIANTS
from domain.grand_trunk.decide import actions_of, decide
from domain.grand_trunk.imagine import imagine
from domain.grand_trunk.rules.contracts import window
from domain.grand_trunk.rules.places import demanded, goods_at
from domain.grand_trunk.rules.unloading import steel_made
from domain.grand_trunk.state import BEFORE_MOVE, Seat, State
from domain.grand_trunk.view import GrandTrunkView
from domain.messages import Command
from domain.refusal import Refused

DAY = 1.15
"""What a day is worth while the end is far: it can be spent on something, or scores by itself (GTJ 15.5)."""
DESTINATIONS = 5
"""How many moves are played out to the end of the turn."""
FAR = 0.86
"""What is left of a delivery's worth with every day it is away."""
OUT_OF_HAND = 0.35
"""What a delivery is worth, if no card in hand leads there and none can be drawn, against one of the next turn."""
AT_THE_END = 0.8
"""What a day not used is worth when the seat has finished (GTJ 15.5)."""
HOPELESS = 0.4
"""A cube worth less than this is thrown away where that makes room for another."""


class Line(msgspec.Struct, frozen=True):
    """Commands tried one after the other, and where they led. What is drawn at the end of the turn is left open."""

    commands: tuple[Command, ...]
    state: State

    def then(self, *commands: Command) -> "Line":
        """The same with commands behind that are not tried: what they bring is chance."""
        return Line((*self.commands, *commands), self.state)


Wish = tuple[Command, ...]
"""Commands that make sense together."""


def sensible(view: GrandTrunkView, dice: random.Random) -> tuple[Command, ...]:
    """The commands of the viewer's next turn, or of what is left of it."""
    seat = view.seat
    assert seat is not None, "a spectator has nothing to play"
    chance = FreeChance(dice)
    state = imagine(view, chance)
    if state.stage == "choosing":
        return (_best_first_railcar(state, seat),)
    here = Line((), state)
    if state.stage in BEFORE_MOVE:
        lines = [line for moved in _moves(here, seat, chance) for line in _played_out(moved, seat, chance)]
        if state.stage == "start":
            lines += _without_moving(here, seat, chance)
    else:
        lines = _played_out(here, seat, chance)
    if not lines:  # somebody else began this turn, and left a move that is not among those tried
        return (actions_of(state, seat)[0].command,)
    return max(lines, key=lambda line: worth(line.state, seat)).commands


# ==== trying things ===============================================================================
def _try(line: Line, seat: int, wish: Wish, chance: Chance) -> Line | None:
    """``line`` with the commands of ``wish`` behind, or nothing where the rules refuse one."""
    state = line.state
    for command in wish:
        try:
            state = decide(state, seat, command, chance).after
        except Refused:
            return None
    return Line((*line.commands, *wish), state)


def _tried(line: Line, seat: int, wishes: Iterable[Wish], chance: Chance) -> list[Line]:
    return [tried for wish in wishes if (tried := _try(line, seat, wish, chance)) is not None]


def _moves(line: Line, seat: int, chance: Chance) -> list[Line]:
    """The moves worth playing out: for each place the best card, then the most promising places."""
    by_place: dict[str, tuple[float, Line]] = {}
    for moved in _tried(line, seat, _ways_to_move(line.state, seat), chance):
        place, value = moved.state.seats[seat].place, worth(moved.state, seat)
        if place not in by_place or value > by_place[place][0]:
            by_place[place] = value, moved
    promising = sorted(by_place.values(), key=lambda pair: -_promise(pair[1].state, seat, pair[0]))
    return [moved for _, moved in promising[:DESTINATIONS]]


def _ways_to_move(state: State, seat: int) -> Iterator[Wish]:
    own = state.seats[seat]
    for card in sorted(own.hand):
        for place in sorted(_reach(card, state)):
            if place != own.place:
                yield (do.MoveTrain(card, place),)


def _promise(state: State, seat: int, value: float) -> float:
    """How good a place looks on arrival: the position, and what can be unloaded and loaded at once."""
    own = state.seats[seat]
    unloading = sum(car.cubes * _delivery(state, own, own.place, car.good, own.day) for car in own.railcars if car.good)
    steel = 1.5 if state.steel.get(own.place) and any("steel" in CARRIES[card] for card in _cars(own)) else 0.0
    return value + unloading + steel


def _cars(own: Seat) -> list[str]:
    return [car.card for car in own.railcars] + [card for card in own.hand if card in CARRIES]


def _played_out(line: Line, seat: int, chance: Chance) -> list[Line]:
    """The rest of the turn, greedily: once keeping what nobody wants, once dumping it."""
    unloaded = _improved(line, seat, _unloading, chance)
    lines = [unloaded]
    if (dumped := _dumped(unloaded, seat, chance)) is not None:
        lines.append(dumped)
    played = []
    for each in lines:
        for wishes in (_developing, _filling, _developing):
            each = _improved(each, seat, wishes, chance)
        played.append(each.then(do.EndTurn()))
    return played


def _improved(line: Line, seat: int, wishes: Callable[[State, Seat], Iterator[Wish]], chance: Chance) -> Line:
    """``line`` with the best wish again and again, as long as it makes the position better."""
    before = worth(line.state, seat)
    while True:
        tried = _tried(line, seat, wishes(line.state, line.state.seats[seat]), chance)
        best = max(((worth(each.state, seat), -at, each) for at, each in enumerate(tried)), default=None)
        if best is None or best[0] <= before + 0.05:
            return line
        before, _, line = best


def _unloading(state: State, own: Seat) -> Iterator[Wish]:
    for car in own.railcars:
        if not car.cubes:
            continue
        yield (do.DeliverGood(car.card),)
        if car.good == "steel" and "foreign_steel_contract" in own.improvements:
            yield (do.DeliverGood(car.card, foreign_steel=True),)
        for slot, contract in state.contracts.items():
            token = CONTRACT_TOKENS[contract.token]
            if contract.met_by is None and token.city == own.place and token.good == car.good:
                yield (do.FulfilContract(car.card, slot),)


def _dumped(line: Line, seat: int, chance: Chance) -> Line | None:
    """``line`` without the cubes that no open place asks for, if there are any (GTJ 6.9)."""
    own = line.state.seats[seat]
    hopeless = [car for car in own.railcars if car.good and _cargo(line.state, own, car.good) < HOPELESS]
    wish = tuple(do.DumpGood(car.card) for car in hopeless for _ in range(car.cubes))
    return _try(line, seat, wish, chance) if wish else None


def _developing(state: State, own: Seat) -> Iterator[Wish]:
    for card in sorted(own.hand):
        variant = CARDS[card].development
        if variant is None:
            continue
        for option in VARIANTS[variant]:
            yield from ((command,) for command in _option(state, card, option))
        yield from ((do.AcquireObjective(card, objective),) for objective in state.objectives)


def _option(state: State, card: str, option: str) -> Iterator[Command]:
    if option == "increase_force":
        yield do.IncreaseForce(card)
    elif option == "increase_speed":
        yield do.IncreaseSpeed(card)
    elif option == "build_terminal":
        for city in sorted(CITY_SET - state.terminals):
            yield do.BuildTerminal(card, city, "deck_top")
    else:
        for improvement in state.improvements:
            yield do.AcquireImprovement(card, improvement)


def _filling(state: State, own: Seat) -> Iterator[Wish]:
    goods = list(_goods_here(state, own.place))
    for car in own.railcars:
        if not car.cubes:
            yield from ((do.LoadGood(car.card, good),) for good in goods if good in CARRIES[car.card])
        if car.cubes == 1 and car.good == "steel" and "hi_roof_boxcar" in own.improvements:
            yield (do.UseHiRoofBoxcar(car.card),)
    for card in sorted(own.hand):
        if CARDS[card].action == "high_capacity_railcar":
            for car in own.railcars:
                if car.cubes == 1 and car.good in goods and car.good != "steel":
                    yield (do.PlayHighCapacityRailcar(card, car.card),)
    coupling = list(_coupling(own, goods))
    if len(own.railcars) < FORCE_LEVELS[own.force].railcars:
        yield from coupling
    for car in own.railcars:
        if not car.cubes:
            yield from ((do.UncoupleRailcar(car.card), *wish) for wish in coupling)


def _coupling(own: Seat, goods: list[str]) -> Iterator[Wish]:
    for card in sorted(own.hand):
        if card in CARRIES:
            yield from ((do.CoupleRailcar(card, good),) for good in goods if good in CARRIES[card])
        elif CARDS[card].action == "rail_yard":
            for railcar in sorted(own.discard & CARRIES.keys()):
                yield from ((do.PlayRailYard(card, railcar, good),) for good in goods if good in CARRIES[railcar])


def _without_moving(line: Line, seat: int, chance: Chance) -> list[Line]:
    """Passing; and maintenance that throws away what does not lead to a delivery, or everything."""
    lines = _tried(line, seat, [(do.Pass(),)], chance)
    state, own = line.state, line.state.seats[seat]
    if own.day + CONSTANTS.maintenance_days > LAST_SPACE:
        return lines
    wanted = {place for car in own.railcars if car.good for place, _ in _outlets(state, own, car.good)}
    useless = frozenset(card for card in own.hand if not _reach(card, state) & wanted and not CARDS[card].development)
    for discard in dict.fromkeys((useless, own.hand)):
        if discard:
            rested = replace(own, day=own.day + CONSTANTS.maintenance_days, hand=own.hand - discard)
            after = replace(state, seats={**state.seats, seat: rested})
            lines.append(Line((*line.commands, do.PerformMaintenance(tuple(sorted(discard)))), after))
    return lines or [line.then(do.PerformMaintenance())]


def _best_first_railcar(state: State, seat: int) -> Command:
    """The railcar and good that can be sold best from the starting city."""
    own = state.seats[seat]
    choices = [
        (_cargo(state, own, good), do.ChooseFirstRailcar(card, good))
        for card in sorted(CARRIES)
        if card.startswith(f"{own.company}.") and CARDS[card].kind == "railcar"
        for good in _goods_here(state, own.place)
        if good in CARRIES[card]
    ]
    return max(choices, key=lambda choice: choice[0])[1]


# ==== what a position is worth ====================================================================
def worth(state: State, seat: int) -> float:
    """What ``seat`` may hope for in ``state``, in victory points."""
    own = state.seats[seat]
    if state.stage == "over":
        return float(own.vp)
    left = max(LAST_SPACE - 2 - own.day, 0)
    points = own.vp + _sets(own) + _engine(own, left) + _improvements(own, left)
    if own.finished or own.day >= END_SPACE:
        return points + AT_THE_END * (LAST_SPACE - own.day)
    return points + DAY * (left - 2) + 2 * AT_THE_END + _hold(state, own, left)


def _hold(state: State, own: Seat, left: int) -> float:
    """What lies on the train, and a little for the room that is left."""
    total = sum(car.cubes * _cargo(state, own, car.good) for car in own.railcars if car.good)
    return total * min(left / 5, 1.0)


def _cargo(state: State, own: Seat, good: str) -> float:
    """The best that can be made of one cube of ``good``, wherever that is."""
    return max((value for _, value in _outlets(state, own, good)), default=0.0)


def _outlets(state: State, own: Seat, good: str) -> Iterator[tuple[str, float]]:
    """The open places that want ``good``, and what a delivery there is worth from here."""
    in_hand = {place for card in own.hand for place in _reach(card, state)}
    faster = 1 if own.fast else 0
    for place in (*sorted(state.terminals), *PORTS):
        if place == own.place:
            continue
        way = max(LINKS_BETWEEN[own.place][place] - faster, 1)
        value = _delivery(state, own, place, good, own.day + way)
        if value > 0:
            near = 1.0 if place in in_hand else _to_be_drawn(state, own, place)
            yield place, value * near * FAR**way


def _to_be_drawn(state: State, own: Seat, place: str) -> float:
    """How near a place is that no card in hand leads to: it depends on what the next refill may bring."""
    room = CONSTANTS.hand_limit - len(own.hand)
    if any(place in _reach(card, state) for card in own.top[:room]):
        return 0.95
    deck = own.deck(state.terminals)
    pile = deck if len(deck) >= room else deck | own.discard
    leading = sum(place in _reach(card, state) for card in pile)
    return OUT_OF_HAND + (0.9 - OUT_OF_HAND) * min(room * leading / max(len(pile), 1), 1.0)


def _delivery(state: State, own: Seat, place: str, good: str, day: int) -> float:
    """What unloading a cube of ``good`` at ``place`` on ``day`` brings; 0 where nobody wants it."""
    first = state.first_deliveries.get(place)
    bonus = FIRST_DELIVERIES[first].vp if first else 0
    best = 0.0
    if good in demanded(state, own, place):
        best = _good(own, good) + (0.7 * steel_made(state, place) if good == "iron" else 0) + bonus
        if good == "iron" and place in CITY_SET and not steel_made(state, place):
            best = 0.0
    for slot, contract in state.contracts.items():
        token = CONTRACT_TOKENS[contract.token]
        if contract.met_by is None and token.city == place and token.good == good:
            first_day, last_day = window(own, SLOTS[slot])
            if first_day <= day <= last_day:
                best = max(best, SLOTS[slot].vp + bonus)
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
    yield from goods_at(state, place).supply
    if state.steel.get(place):
        yield "steel"
