"""NER 11: shipping."""

from collections.abc import Iterator
from itertools import pairwise

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import CITIES, LINK_BETWEEN, LINKS_AT, MATERIAL
from domain.new_england.now import Now
from domain.new_england.rules.order import must_be_asked, must_be_in_step
from domain.new_england.state import SHIPPING, State
from domain.refusal import Refused

Path = tuple[str, ...]


def open_rounds(now: Now) -> None:
    """NER 11.1 Round A: each seat that bought no link this turn, in seat order. Round B: every seat."""
    state = now.state
    round_a = [("A", seat) for seat in state.seat_order if seat not in state.bought]
    round_b = [("B", seat) for seat in state.seat_order]
    now.happens(happened.RoundsOpened((*round_a, *round_b)))  # type: ignore[arg-type]


def shipping_waits_for(state: State) -> tuple[int, ...]:
    """NER 19.2 The seat that has the next opportunity."""
    return (state.opportunities[0][1],) if state.opportunities else ()


def ship(now: Now) -> bool:
    """Carry the rounds on until a seat must choose (True), or all had their opportunities (False)."""
    while now.state.opportunities:
        name, seat = now.state.opportunities[0]
        if now.state.seats[seat].left:  # NER 19.10
            now.happens(happened.ShipmentSkipped(seat, name, "safe_answer"))  # type: ignore[arg-type]
        elif next(shipments(now.state), None) is None:  # NER 11.3
            now.happens(happened.ShipmentSkipped(seat, name, "nothing_legal"))  # type: ignore[arg-type]
        else:
            return True
    return False


def ship_cube(now: Now, command: do.ShipCube) -> None:
    """NER 11.2 At an opportunity a seat ships one cube. NER 11.10 Each link of the path brings its owner 1 income."""
    must_have_an_opportunity(now)
    links = must_be_a_path(now.state, command.colour, command.path)
    gains: dict[int, int] = {}
    for link in links:
        owner = now.state.owners[link]
        gains[owner] = gains.get(owner, 0) + 1
    now.happens(happened.CubeShipped(now.seat, command.colour, command.path, tuple(sorted(gains.items()))))


def must_have_an_opportunity(now: Now) -> str:
    """NER 3.1, 19.2 It is the seat's turn to ship; gives the round."""
    must_be_in_step(now, SHIPPING)
    must_be_asked(now, shipping_waits_for(now.state))
    return now.state.opportunities[0][0]


def must_be_a_path(state: State, colour: str, path: Path) -> list[str]:
    """NER 11.4 to 11.9 The links of a path that a cube of ``colour`` may take."""
    if not path or not state.cubes.get(path[0], {}).get(colour):
        raise Refused("NER 11.4", "There is no {colour} cube in {city}.", colour=colour, city=path[0] if path else "–")
    most = MATERIAL.most_links_of_a_path
    if not 1 <= len(path) - 1 <= most:
        raise Refused("NER 11.5", "A path has 1 to {most} links.", most=most)
    links = [must_be_built(state, a, b) for a, b in pairwise(path)]
    if len(set(path)) < len(path):
        raise Refused("NER 11.7", "The path cannot visit a city twice.")
    if CITIES[path[-1]].demand != colour:
        raise Refused("NER 11.8", "{city} does not demand {colour} cubes.", city=path[-1], colour=colour)
    for city in path[1:-1]:
        if CITIES[city].demand == colour:
            raise Refused("NER 11.9", "The cube would have to stop in {city}.", city=city)
    return links


def must_be_built(state: State, a: str, b: str) -> str:
    """NER 11.6 Each link of a path is built."""
    link = LINK_BETWEEN.get(frozenset((a, b)))
    if link is None or link not in state.built:
        raise Refused("NER 11.6", "There is no built link between {a} and {b}.", a=a, b=b)
    return link


def skip_shipment(now: Now, command: do.SkipShipment) -> None:
    """NER 11.2 A seat may skip. Nothing is saved for later."""
    name = must_have_an_opportunity(now)
    now.happens(happened.ShipmentSkipped(now.seat, name, "choice"))  # type: ignore[arg-type]


def shipments(state: State) -> Iterator[tuple[str, Path]]:
    """All shipments there are: (colour, path)."""
    for city in CITIES:
        for colour in sorted(state.cubes.get(city, {})):
            for path in _paths(state, colour, (city,)):
                yield colour, path


def _paths(state: State, colour: str, path: Path) -> Iterator[Path]:
    for link, city in LINKS_AT[path[-1]]:
        if link not in state.built or city in path:
            continue
        if CITIES[city].demand == colour:
            yield (*path, city)
        elif len(path) < MATERIAL.most_links_of_a_path:
            yield from _paths(state, colour, (*path, city))


def grouped_shipments(state: State) -> list[tuple[str, Path]]:
    """NER 11.13 All shipments: first by the cube, then by the city where it would end, then the paths there."""
    order = {city: number for number, city in enumerate(CITIES)}
    return sorted(shipments(state), key=lambda it: (order[it[1][0]], it[0], order[it[1][-1]], len(it[1]), it[1]))
