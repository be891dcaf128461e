"""Boards as pictures: all texts on pages are legible, and pieces have names by which two positions can be compared."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from domain import TITLES
from domain.drawing import VARIABLE
from domain.face import Picture, Piece
from domain.title import Title
from service.proof.face import DRAWINGS
from tests.contract.titles import ASKED
from tests.orders import positions

TEXT = "{http://www.w3.org/2000/svg}text"
BOARDS = {1280: 790, 768: 720, 360: 360}
"""CSS px: the width of a window -> that of its board."""
LEAST = {1280: 11.0, 768: 10.0, 360: 8.0}
"""CSS px: the width of a window -> the smallest name of a place, and the smallest number."""
LETTER, ZOOM = 8.0, {1280: 1, 360: 2}
"""CSS px: the smallest letter on a piece. The width of a window -> the zoom at which it has that size."""
ON_THE_MAP = {f"var({VARIABLE.format(name)})" for name in ("water-name", "region-name")}
"""The fills of the names of waters and regions, which nobody plays by."""


@cache
def _views(title: str) -> list[Any]:
    """Return every third position of two games, in order."""
    return [at.tongue.view for number in range(2) for at in positions(ASKED[title], number, every=3)]


def drawn(title: Title, view: Any, small: bool, alone: bool) -> Picture:
    return title.face.picture(view, "page", title.face.words.english, small, alone)


# ==== the size of texts ===========================================================================
def texts(element: ElementTree.Element, scale: float = 1.0) -> Iterator[tuple[str, float]]:
    """Yield each text of a drawing with its size, in board units."""
    scale *= float((re.findall(r"scale\(([\d.]+)\)", element.get("transform", "")) or ["1"])[0])
    if element.tag == TEXT and element.get("fill") not in ON_THE_MAP:
        yield str(element.text), float(element.get("font-size", "")) * scale
    for child in element:
        yield from texts(child, scale)


def sizes(title: Title, window: int) -> set[tuple[str, float]]:
    """Return every text on the boards in a window of that width, with its size in CSS px."""
    small, found = window < 600, set()
    for view in _views(title.id)[::8]:
        picture = drawn(title, view, small, True)
        whole = picture.ground + "".join(piece.svg for piece in picture.pieces)
        tree = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{whole}</svg>')
        px = BOARDS[window] / picture.box[2]
        found |= {(said, round(size * px, 2)) for said, size in texts(tree)}
    return found


@pytest.mark.parametrize("window", BOARDS)
def test_names_of_places_and_numbers_are_legible_on_pages(title: Title, window: int) -> None:
    found = {it for it in sizes(title, window) if not re.fullmatch("[A-Z]", it[0])}
    assert bool(found) == (title.id in TITLES)
    assert [it for it in found if it[1] < LEAST[window]] == []


@pytest.mark.parametrize("window", ZOOM)
def test_letters_on_pieces_are_legible_on_pages(title: Title, window: int) -> None:
    found = {it for it in sizes(title, window) if re.fullmatch("[A-Z]", it[0])}
    assert bool(found) == (title.id in TITLES)
    assert [it for it in found if it[1] * ZOOM[window] < LETTER] == []


def test_a_page_leaves_room_for_what_stands_beside_its_board(title: Title) -> None:
    for small, alone in DRAWINGS[1:]:
        mail, page = drawn(title, _views(title.id)[-1], False, False), drawn(title, _views(title.id)[-1], small, alone)
        assert {it.name for it in page.pieces} <= {it.name for it in mail.pieces}
        assert not any(it.name.startswith(("seat.", "market.", "cup.")) for it in page.pieces)


# ==== the names of pieces =========================================================================
@pytest.mark.parametrize(("small", "alone"), DRAWINGS)
def test_pieces_have_distinct_names(title: Title, small: bool, alone: bool) -> None:
    for view in _views(title.id)[::8]:
        names = [it.name for it in drawn(title, view, small, alone).pieces]
        assert all(names)
        assert [name for name, number in Counter(names).items() if number > 1] == []


def test_both_drawings_of_a_page_have_the_same_pieces(title: Title) -> None:
    for view in _views(title.id)[::8]:
        wide, narrow = (drawn(title, view, small, True).pieces for small in (False, True))
        assert {(it.name, it.seat) for it in wide} == {(it.name, it.seat) for it in narrow}


@pytest.mark.parametrize("small", [False, True])
def test_pieces_keep_their_names_from_move_to_move(title: Title, small: bool) -> None:
    for before, after in pairwise(_by_place(drawn(title, view, small, True).pieces) for view in _views(title.id)):
        assert [(before[at], after[at]) for at in before.keys() & after.keys() if before[at] != after[at]] == []


def _by_place(pieces: tuple[Piece, ...]) -> dict[Any, set[str]]:
    """Return the names of equal drawings in one place."""
    found = defaultdict(set)
    for it in pieces:
        found[it.x, it.y, it.svg].add(it.name)
    return found


def test_pieces_of_a_seat_are_known_as_its_own(title: Title) -> None:
    seats = {it.seat for view in _views(title.id) for it in drawn(title, view, True, True).pieces} - {None}
    assert seats >= set(range(1, title.seating.seats[0] + 1))
