"""The board: everything on it is drawn, in every theme, and equal things are drawn alike."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from domain.drawing import PALETTES
from domain.new_england import events as happened
from domain.new_england.board import CITIES, LINKS
from domain.new_england.face.picture import BASE, picture
from domain.new_england.face.words import WORDS
from domain.new_england.view import view
from domain.words import say
from service.words import spoken
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
    auction,
    cash,
    given,
    opening,
    owned,
)

ENGLISH = WORDS.english

FUTURE = happened.FutureRowLaid(("albany__rutland", "boston__fitchburg"))
TABLE = given(
    opening(6),
    owned(BOB, "boston__lowell"),
    owned(CYD, "hartford__plainfield", built=False),
    FUTURE,
    cash(ann=-3),
    auction(),
)
TEXT = "{http://www.w3.org/2000/svg}text"


def whole(drawn):
    pieces = "".join(f'<g transform="translate({piece.x} {piece.y})">{piece.svg}</g>' for piece in drawn.pieces)
    box = " ".join(map(str, drawn.box))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><defs>{drawn.defs}</defs>{drawn.ground}{pieces}</svg>'
    )


def texts(drawn):
    return [element.text for element in ElementTree.fromstring(whole(drawn)).iter(TEXT)]


@pytest.mark.parametrize("theme", ["light", "dark", "page"])
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("small", [False, True])
def test_the_picture_is_well_formed_and_shows_every_name_and_number(theme, lang, small):
    shown = texts(picture(view(TABLE.state, ANN), theme, spoken(WORDS, lang), small))
    for city in BASE.labels["phone" if small else "regular"].items.values():
        assert set(city.lines) <= set(shown)
    assert {str(link.number) for link in LINKS.values()} <= set(shown)
    if not small:
        assert ("Im Becher" if lang == "de" else "In the cup") in shown
        assert "$7" in shown, "the money of the seats"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_have_literal_colours_and_pages_variables(theme):
    assert "var(" not in whole(picture(view(TABLE.state, ANN), theme, ENGLISH))
    page = whole(picture(view(TABLE.state, ANN), "page", ENGLISH))
    assert not re.search(r"#[0-9a-f]{6}", page)
    assert {name.removeprefix("--board-") for name in re.findall(r"--board-[a-z0-9-]+", page)} <= set(PALETTES[theme])


def test_the_ground_is_the_same_in_every_game():
    drawn, other = (picture(view(each.state, None), "light", ENGLISH) for each in (TABLE, given(opening())))
    assert drawn.ground == other.ground


def pieces(*events, small=False):
    return set(picture(view(given(opening(), *events).state, None), "light", ENGLISH, small).pieces)


@pytest.mark.parametrize("small", [False, True])
def test_each_state_of_a_link_is_drawn_differently(small):
    """NER 10: on offer next turn, on offer, the lot, unbuilt, built, unsold; each is drawn differently."""
    steps = [
        [happened.FutureRowLaid((BP,))], [], [happened.LotOpened(BP)], owned(ANN, BP, built=False), owned(ANN, BP),
        owned(BOB, BP), [happened.LinkUnsold(BP)],
    ]  # fmt: skip
    x, y = BASE.middles[BP]
    seen = []
    for events in steps:
        at = [
            each
            for each in pieces(*([happened.RowMovedDown((BW,))] if events == steps[0] else []), *events, small=small)
            if each.x <= x <= each.x + each.width and each.y <= y <= each.y + each.height
        ]
        seen.append(frozenset(piece.svg for piece in at))
    assert len(set(seen)) == len(steps)


def test_an_owned_link_carries_its_owners_letter():
    drawn = picture(view(TABLE.state, None), "light", ENGLISH, small=True)
    assert texts(drawn).count("B") == 1
    assert texts(drawn).count("C") == 1


def test_waiting_cubes_are_counted():
    card = happened.GrowthCardTurned("growth_01", (("boston", "blue"), ("boston", "blue")))
    before, after = pieces(), pieces(card)
    (boston,) = [piece for piece in after - before if "Boston" in piece.svg]
    assert ">3<" in boston.svg, "three blue ones"


def test_hidden_things_are_not_drawn():
    state = given(opening(), happened.ProxyBidSet(ANN, BP, 987), auction()).state
    shown = {whole(picture(view(state, viewer), "light", ENGLISH)) for viewer in (ANN, BOB, None)}
    assert len(shown) == 1
    assert "987" not in shown.pop()


def test_every_piece_lies_on_the_sheet():
    for small in (False, True):
        drawn = picture(view(TABLE.state, None), "light", ENGLISH, small)
        left, top, width, height = drawn.box
        for piece in drawn.pieces:
            middle = piece.x + piece.width / 2, piece.y + piece.height / 2
            assert left < middle[0] < left + width
            assert top < middle[1] < top + height


def test_every_city_and_link_has_its_place():
    assert set(BASE.places) == set(CITIES)
    assert set(BASE.links) == set(BASE.middles) == set(LINKS)


def test_the_label_describes_the_picture():
    label = picture(view(TABLE.state, None), "light", ENGLISH).label
    assert say(label, ENGLISH, str) == ("The board in turn 1: 1 of 30 links built, 11 cubes wait in the cities.")
