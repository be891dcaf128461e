"""What one points at in New England Railways: cities, links, the cubes that wait, and one's own account.

A shipment is pointed at by its cube, the city where it ends, and the links that it takes, or chosen among the paths by
what they bring.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from domain.messages import Command
from domain.new_england import commands as do
from domain.new_england.board import CITIES, LINK_BETWEEN, LINKS
from domain.new_england.orders import gains_of
from domain.new_england.picture import BASE, REGULAR, SMALL, cubes_at, disc_radius, ring_radius
from domain.new_england.view import NewEnglandView
from domain.places import Aim, Area, NamedPlace, Places, box
from domain.rules import Action

ACCOUNT = "account"

KINDS: Mapping[type[Command], str] = {
    do.TakeLoan: "loan",
    do.RetireDebt: "repay",
    do.PlaceBid: "bid",
    do.PassBid: "pass",
    do.PayShortfall: "build",
    do.LeaveUnbuilt: "wait",
    do.ShipCube: "ship",
    do.SkipShipment: "skip",
    do.SetProxyBid: "proxy",
    do.WithdrawProxyBid: "no_proxy",
    do.SetBuildLimit: "limit",
    do.WithdrawBuildLimit: "no_limit",
}


def shown(view: NewEnglandView) -> tuple[NamedPlace, ...]:
    """Cities and the cubes in them, links, and the account of the one who looks."""
    board = (*CITIES, *_cubes(view), *LINKS)
    own = () if view.own is None else (NamedPlace(ACCOUNT),)
    return (*(NamedPlace(it, on_board=True) for it in board), *own)


def _cubes(view: NewEnglandView) -> Iterator[str]:
    return (_cube(colour, city.id) for city in view.cities for colour in city.cubes)


def _cube(colour: str, city: str) -> str:
    return f"cube.{colour}.{city}"


def aim(view: NewEnglandView, action: Action) -> Aim:
    """What one points at to mean a legal action."""
    command = action.command
    kind = KINDS[type(command)]
    match command:
        case do.TakeLoan() | do.RetireDebt():
            return Aim(kind, (ACCOUNT,))
        case do.SkipShipment():
            return Aim(kind)
        case do.ShipCube(colour, path):
            links = tuple(LINK_BETWEEN[frozenset(ends)] for ends in pairwise(path))
            return Aim(kind, (_cube(colour, path[0]), path[-1], *links), gains=gains_of(view, links))
    return Aim(kind, (command.link,))  # type: ignore[attr-defined]


# ==== where they are ==============================================================================
def areas(view: NewEnglandView, small: bool) -> Mapping[str, Area]:
    """Where the places are in a drawing; one's account is in none. A link is its disc."""
    size = SMALL if small else REGULAR
    found = {city: Area((BASE.places[city],), ring_radius(size)) for city in CITIES}
    found |= {link: Area((BASE.middles[link],), disc_radius(size)) for link in LINKS}
    for city in view.cities:
        for cube in cubes_at(city, size):
            found[_cube(cube.colour, city.id)] = box(cube.x, cube.y, cube.side, cube.side)
    return found


PLACES = Places(tuple(KINDS.values()), shown, areas, aim)
