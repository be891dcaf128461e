"""The board: everything on it is drawn, in every theme, and equal things are drawn alike."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from domain.drawing import PALETTES
from domain.ticket_to_ride.board import CITIES, ROUTES
from domain.ticket_to_ride.face.picture import picture, track
from domain.ticket_to_ride.face.words import WORDS
from domain.ticket_to_ride.view import view
from domain.words import say
from service.words import spoken
from tests.domain.ticket_to_ride.positions import ANN, BOB, LOCO, claims, given, opening

ENGLISH = WORDS.english

TABLE = given(
    opening(5, market=("red", "green", LOCO, "white", "black")), claims(BOB, "calgary__helena", "atlanta__miami")
)


def whole(drawn):
    pieces = "".join(f'<g transform="translate({piece.x} {piece.y})">{piece.svg}</g>' for piece in drawn.pieces)
    box = " ".join(map(str, drawn.box))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><defs>{drawn.defs}</defs>{drawn.ground}{pieces}</svg>'
    )


@pytest.mark.parametrize("theme", ["light", "dark", "page"])
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("small", [False, True])
def test_the_picture_is_well_formed_and_shows_the_names(theme, lang, small):
    drawn = picture(view(TABLE.state, ANN), theme, spoken(WORDS, lang), small)
    tree = ElementTree.fromstring(whole(drawn))
    shown = {element.text for element in tree.iter("{http://www.w3.org/2000/svg}text")}
    codes = {city.code for city in CITIES.values()}
    assert codes <= shown if small else {"Denver", "Montréal"} <= shown
    if not small:
        assert ("Auslage" if lang == "de" else "Market") in shown


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_have_literal_colours_and_pages_variables(theme):
    assert "var(" not in whole(picture(view(TABLE.state, ANN), theme, ENGLISH))
    page = whole(picture(view(TABLE.state, ANN), "page", ENGLISH))
    assert not re.search(r"#[0-9a-f]{6}", page)
    assert {name.removeprefix("--board-") for name in re.findall(r"--board-[a-z0-9-]+", page)} <= set(PALETTES[theme])


def test_the_ground_is_the_same_in_every_game():
    other = given(opening(2))
    mine, theirs = (picture(view(*seen), "light", ENGLISH) for seen in ((TABLE.state, ANN), (other.state, None)))
    assert mine.ground == theirs.ground


def test_a_claimed_route_is_a_piece_with_a_wagon_for_every_space():
    before, after = given(opening(5)), given(opening(5), claims(BOB, "atlanta__miami"))
    drawn = [set(picture(view(each.state, ANN), "light", ENGLISH).pieces) for each in (before, after)]
    (claimed,) = [piece for piece in drawn[1] - drawn[0] if piece.svg.count(">R</text>") == 5]
    assert claimed.width < 300
    again = picture(view(after.state, None), "light", ENGLISH).pieces
    assert claimed in again


def test_hidden_things_are_not_drawn():
    shown = {whole(picture(view(TABLE.state, viewer), "light", ENGLISH)) for viewer in (ANN, BOB, None)}
    assert len(shown) == 1


@pytest.mark.parametrize("route", ROUTES)
def test_every_space_has_its_place_on_the_sheet(route):
    cars = track(route).cars
    assert len(cars) == ROUTES[route].spaces
    assert all(0 < car.x < 1000 and 0 < car.y < 700 and -90 <= car.turn <= 90 and 8 < car.length <= 30 for car in cars)


def test_the_tracks_of_a_double_route_lie_beside_each_other():
    for route in ROUTES.values():
        if route.lane == 1:
            for one, other in zip(track(route.id).cars, track(route.twin).cars, strict=True):
                assert abs(((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5 - 13.2) < 0.01
                assert one.turn == other.turn


def test_the_label_describes_the_picture():
    label = picture(view(TABLE.state, ANN), "light", ENGLISH).label
    assert say(label, ENGLISH, str) == (
        "The board: 2 routes are claimed. Market: red, green, locomotive, white and black."
    )
