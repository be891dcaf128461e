"""NER 11: shipping."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import CITIES, LINKS_AT, MATERIAL
from domain.new_england.now import Now
from domain.new_england.rules.order import must_be_asked, must_be_in_step
from domain.new_england.state import SHIPPING, State
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence

Path = tuple[str, ...]


def open_rounds(now: Now) -> None:
    """NER 11.1 Open round A for each seat that bought no link this turn, in seat order, and round B for every seat."""
    state = now.state
    round_a = [("A", seat) for seat in state.seat_order if seat not in state.bought]
    round_b = [("B", seat) for seat in state.seat_order]
    now.happens(happened.RoundsOpened((*round_a, *round_b)))  # type: ignore[arg-type]


def shipping_waits_for(state: State) -> tuple[int, ...]:
    """NER 19.2 Return the seat that has the next opportunity."""
    return (state.opportunities[0][1],) if state.opportunities else ()


def ship(now: Now) -> bool:
    """Carry the rounds on until a seat must choose (True), or all have had their opportunities (False)."""
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
    """NER 3.1, 19.2 It must be the seat's turn to ship. Return the round."""
    must_be_in_step(now, SHIPPING)
    must_be_asked(now, shipping_waits_for(now.state))
    return now.state.opportunities[0][0]


@lru_cache(maxsize=64)
def ways_out(built: frozenset[str]) -> dict[str, dict[str, str]]:
    """NER 11.6 Return city -> the cities that a cube may reach from it, each with the link: only built ones."""
    return {city: {end: link for link, end in links if link in built} for city, links in LINKS_AT.items()}


DEMANDS = {city.id: city.demand for city in CITIES.values()}
"""City -> the colour of the cubes that end there (NER 11.8), and never move on (NER 11.9)."""
MOST_LINKS = MATERIAL.most_links_of_a_path
"""NER 11.5"""


def must_be_a_path(state: State, colour: str, path: Path) -> list[str]:
    """NER 11.4 to 11.9 A cube of ``colour`` must be able to take this path. Return its links."""
    if not path or not state.cubes.get(path[0], {}).get(colour):
        raise Refused("NER 11.4", "There is no {colour} cube in {city}.", colour=colour, city=path[0] if path else "–")
    if not 1 <= len(path) - 1 <= MOST_LINKS:
        raise Refused("NER 11.5", "A path has 1 to {most} links.", most=MOST_LINKS)
    links = [must_be_built(state, a, b) for a, b in pairwise(path)]
    if any(city in path[:at] for at, city in enumerate(path)):
        raise Refused("NER 11.7", "The path cannot visit a city twice.")
    if DEMANDS[path[-1]] != colour:
        raise Refused("NER 11.8", "{city} does not demand {colour} cubes.", city=path[-1], colour=colour)
    for city in path[1:-1]:
        if DEMANDS[city] == colour:
            raise Refused("NER 11.9", "The cube would have to stop in {city}.", city=city)
    return links


def must_be_built(state: State, a: str, b: str) -> str:
    """NER 11.6 Each link of a path must be built."""
    link = ways_out(state.built)[a].get(b)
    if link is None:
        raise Refused("NER 11.6", "There is no built link between {a} and {b}.", a=a, b=b)
    return link


def skip_shipment(now: Now, command: do.SkipShipment) -> None:
    """NER 11.2 Skip an opportunity. The shipment cannot be saved for later."""
    name = must_have_an_opportunity(now)
    now.happens(happened.ShipmentSkipped(now.seat, name, "choice"))  # type: ignore[arg-type]


def shipments(state: State) -> Iterator[tuple[str, Path]]:
    """Yield all possible shipments: (colour, path)."""
    out = ways_out(state.built)
    for city in CITIES:
        for colour in sorted(state.cubes.get(city, {})):
            for path in _paths(out, colour, (city,)):
                yield colour, path


def _paths(out: dict[str, dict[str, str]], colour: str, path: Path) -> Iterator[Path]:
    """Yield the paths that begin with ``path``, as far as the cube has not had to stop."""
    for city in out[path[-1]]:
        if city in path:
            continue
        if DEMANDS[city] == colour:
            yield (*path, city)
        elif len(path) < MOST_LINKS:
            yield from _paths(out, colour, (*path, city))


def grouped_shipments(state: State) -> list[tuple[str, Path]]:
    """NER 11.13 Return all shipments: sorted by the cube, then by the city at the end, then by the path there."""
    order = {city: number for number, city in enumerate(CITIES)}
    return sorted(shipments(state), key=lambda it: (order[it[1][0]], it[0], order[it[1][-1]], len(it[1]), it[1]))


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return skipping, and the shipments that the guards let pass: there are hundreds, so none is tried."""
    if not now.allows(must_have_an_opportunity):
        return
    yield Action(do.SkipShipment(), "shipping", Sentence("Ship nothing"))
    for colour, path in grouped_shipments(now.state):
        yield Action(do.ShipCube(colour, path), f"cube.{colour}.{path[0]}", _shipment(colour, path))


def _shipment(colour: str, path: Path) -> Sentence:
    facts = {"colour": colour, "city": path[0], "end": path[-1], "through": path[1:-1]}
    if len(path) == 2:
        return Sentence("Ship a {colour} cube from {city} to {end}", facts)
    return Sentence("Ship a {colour} cube from {city} to {end} through {through}", facts)


CHAPTER = Chapter({do.ShipCube: ship_cube, do.SkipShipment: skip_shipment}, candidates, sure=True)
