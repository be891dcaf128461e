"""Places to point at in New England Railways: cities, links, the cubes that wait, and one's own account."""

from collections.abc import Mapping

from domain.new_england.board import CITIES, LINKS
from domain.new_england.face.picture import BASE, REGULAR, SMALL, cubes_at, middle, ring_radius
from domain.new_england.view import NewEnglandView
from domain.places import Area, NamedPlace, box

ACCOUNT = "account"


def shown(view: NewEnglandView) -> tuple[NamedPlace, ...]:
    """Return cities and the cubes in them, links, and the viewer's account."""
    board = (*CITIES, *(cube_in(colour, city.id) for city in view.cities for colour in city.cubes), *LINKS)
    own = () if view.own is None else (NamedPlace(ACCOUNT),)
    return (*(NamedPlace(it, on_board=True) for it in board), *own)


def cube_in(colour: str, city: str) -> str:
    return f"cube.{colour}.{city}"


# ==== where they are ==============================================================================
def areas(view: NewEnglandView, small: bool) -> Mapping[str, Area]:
    """Return the areas of the places in a drawing; the account has none. A link is its disc."""
    size = SMALL if small else REGULAR
    found = {city: Area((BASE.places[city],), ring_radius(size)) for city in CITIES}
    found |= {link: Area((middle(link, size),), size.disc) for link in LINKS}
    for city in view.cities:
        for cube in cubes_at(city, size):
            found[cube_in(cube.colour, city.id)] = box(cube.x, cube.y, cube.side, cube.side)
    return found
