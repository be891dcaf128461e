"""The drawn board: whole in every theme and language, the same ground for all, and nothing on top of anything else."""

import random
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from fontTools.ttLib import TTFont
from msgspec.structs import replace

from domain.chance import FreeChance
from domain.drawing import breadth
from domain.face import Piece
from domain.grand_trunk import TITLE, board, cards
from domain.grand_trunk.face.picture import (
    BASE,
    INKS,
    LEGEND,
    LETTERS,
    REGULAR,
    SMALL,
    _at_place,
    _contract,
    _legend,
    _markers,
    _panel,
    _trains,
    picture,
)
from domain.grand_trunk.face.report import _places
from domain.grand_trunk.view import GrandTrunkView
from domain.words import Sentence, say
from service.base.fonts import FOLDER
from service.words import spoken

ENGLISH = TITLE.face.words.english
GERMAN = spoken(TITLE.face.words, "de")

SIZES = {False: REGULAR, True: SMALL}


def opening(seats: int = 4) -> GrandTrunkView:
    choices = {seat: TITLE.seating.choice() for seat in range(1, seats + 1)}
    return TITLE.rules.view(
        TITLE.rules.setup(TITLE.seating.options(), choices, FreeChance(random.Random(5))).after, None
    )


def crowded(
    view: GrandTrunkView,
    place: str = "utica",
    day: int = 21,
    tokens: dict[int, str] | None = None,
    beside: str = "both",
) -> GrandTrunkView:
    """All trains in one place, all markers on one space, steel or tokens everywhere, contracts as given."""
    seats = tuple(replace(seat, place=place, day=day) for seat in view.seats)
    places = tuple(
        replace(
            each,
            terminal=True,
            steel=0 if beside == "token" else 4,
            supply=("coal", "wood"),
            first_delivery=None if beside == "steel" else "first_delivery_1",
            first_delivery_vp=2,
        )
        if not each.port
        else each
        for each in view.places
    )
    contracts = tuple(
        replace(each, token=token, city=board.CONTRACT_TOKENS[token].city, good=board.CONTRACT_TOKENS[token].good)
        if (token := (tokens or {}).get(each.slot))
        else replace(each, token=None, city=None, good=None)
        for each in view.contracts
    )
    return replace(view, seats=seats, places=places, contracts=contracts, order=(2, 3, 1, 4))


def overlap(one: Piece, other: Piece) -> float:
    """How deep two boxes reach into each other."""
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return min(across, down)


def kinds(view: GrandTrunkView, small: bool) -> dict[str, list[Piece]]:
    """The pieces by what they show."""
    size, ink = SIZES[small], INKS["light"]
    return {
        "places": [piece for place in view.places for piece in _at_place(place, size, ink)],
        "trains": list(_trains(view, size, ink)),
        "markers": list(_markers(view, size, ink)),
        "contracts": [piece for each in view.contracts for piece in _contract(each, view, size, ink)],
        "panel": [] if small else list(_panel(view, ink, ENGLISH)),
    }


# ==== whole and alike =============================================================================
@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("theme", ["light", "dark", "page"])
def test_it_is_drawn_in_every_theme_and_language(theme, lang: str, small: bool):
    drawn = picture(
        crowded(opening(), tokens={8: "contract_1d_quebec_coal"}), theme, spoken(TITLE.face.words, lang), small
    )
    parts = [drawn.defs, drawn.ground, *(piece.svg for piece in drawn.pieces)]
    for part in parts:
        ElementTree.fromstring(f"<svg>{part}</svg>")
    whole = "".join(parts)
    if theme == "page":
        assert re.findall(r'"#[0-9a-f]{3,8}"', whole) == [], "a page sets the colours"
        assert set(re.findall(r"var\(--board-([\w-]+)\)", whole)) <= set(INKS["light"])
    else:
        assert "var(" not in whole
        assert set(re.findall(r'(?:fill|stroke)="(#\w+)"', whole)) <= set(INKS[theme].values())
    said = say(drawn.label, spoken(TITLE.face.words, lang), str)
    assert "Utica" in said
    assert "21" in said


def test_it_says_german_words_in_german_only():
    english, german = picture(opening(), "light", ENGLISH), picture(opening(), "light", GERMAN)
    assert "Ontariosee" in german.ground
    assert "Ontariosee" not in english.ground
    assert "Kohle" in german.ground


@pytest.mark.parametrize("language", [ENGLISH, GERMAN], ids=["en", "de"])
def test_the_legend_has_the_words_of_the_places_and_room_for_them(language):
    legend = _legend(INKS["light"], language)
    found = re.findall(r'<text x="([\d.-]+)" y="([\d.-]+)"[^>]* text-anchor="start"[^>]*>([^<]+)<', legend)
    heads = [say(it, language, str) for it in _places(opening()).head[:2]]
    font = TTFont(FOLDER / "AlegreyaSans-Medium.ttf")
    letters, widths, unit = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    rows = [[(float(x), said) for x, at, said in found if at == y] for y in sorted({it[1] for it in found}, key=float)]
    assert [row[0][1] for row in rows[1:]] == heads
    for row in rows:
        ends = [x + sum(widths[letters[ord(letter)]][0] for letter in said) / unit * 16 for x, said in row]
        starts = [*(x - 26 for x, _ in row[1:]), LEGEND[0] + 312]  # a picture before each, and the edge
        assert all(end <= start for end, start in zip(ends, starts, strict=True)), row


def test_the_ground_is_the_same_for_all_games_and_pieces_that_look_alike_are_alike():
    one, other = picture(opening(2), "light", ENGLISH), picture(crowded(opening(4)), "light", ENGLISH)
    assert one.ground is other.ground
    assert one.defs == other.defs
    shown = [piece.svg for piece in other.pieces]
    assert len(set(shown)) < len(shown) / 2
    assert "id=" not in "".join(shown), "a piece may lie there many times"


@pytest.mark.parametrize("small", [False, True])
def test_everything_lies_on_the_sheet(small: bool):
    view = crowded(opening(), place="quebec", day=40)
    left, top, width, height = SIZES[small].box
    for piece in picture(view, "light", ENGLISH, small).pieces:
        assert left <= piece.x
        assert piece.x + piece.width <= left + width + 1
        assert top <= piece.y
        assert piece.y + piece.height <= top + height


# ==== nothing hides another =======================================================================
# On a phone steel that was brought where no first delivery was made yet may be touched by a neighbour's trains.
LOOKS = [(False, "both"), (True, "steel"), (True, "token")]


@pytest.mark.parametrize(("small", "beside"), LOOKS)
@pytest.mark.parametrize("place", BASE.places)
def test_four_trains_in_one_place_hide_neither_each_other_nor_any_goods(place: str, small: bool, beside: str):
    shown = kinds(crowded(opening(), place), small)
    pad = SIZES[small].train * 0.1
    assert len(shown["trains"]) == 4
    for one, other in combinations(shown["trains"], 2):
        assert overlap(one, other) < 2 * pad + 0.1
    view = opening()
    for each in crowded(view, place, beside=beside).places:
        for goods in kinds(replace(crowded(view, place), places=(each,)), small)["places"]:
            if goods.width > SIZES[small].place * 3 or each.id != place:  # its own disc may be touched
                assert max(overlap(train, goods) for train in shown["trains"]) < pad + 2, each.id


@pytest.mark.parametrize("place", BASE.places)
def test_trains_in_one_place_hide_no_name_on_a_phone(place: str):
    labels, pad = BASE.labels[SMALL.labels], SMALL.train * 0.1
    trains = kinds(crowded(opening(), place), True)["trains"]
    for label in labels.items.values():
        for number, name in enumerate(label.lines):
            width, height = breadth(name, labels.size), labels.size * 0.72
            left = label.x - width * {"start": 0, "end": 1, "middle": 0.5}[label.anchor]
            said = Piece(left, label.y + number * labels.size - height, width, height, "")
            assert max(overlap(train, said) for train in trains) < pad + 2, name


@pytest.mark.parametrize("small", [False, True])
def test_the_goods_of_one_place_do_not_hide_those_of_another(small: bool):
    view = crowded(opening())
    by_place = {each.id: kinds(replace(view, places=(each,)), small)["places"] for each in view.places}
    for (here, mine), (there, theirs) in combinations(by_place.items(), 2):
        for one in mine:
            for other in theirs:
                assert overlap(one, other) < 1, (here, there)


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("day", range(41))
def test_four_markers_on_one_space_are_all_seen_in_the_order_of_the_stack(day: int, small: bool):
    view = crowded(opening(), day=day)
    markers = kinds(view, small)["markers"]
    letters = [re.findall(r">(\w)</text>", marker.svg)[0] for marker in markers]
    assert letters == [LETTERS[view.seats[number - 1].company] for number in view.order]
    for one, other in combinations(markers, 2):
        assert max(abs(one.x - other.x), abs(one.y - other.y)) > SIZES[small].marker * 1.2


def tokens_of(slot: board.Slot) -> list[str]:
    return [token.id for token in board.CONTRACT_TOKENS.values() if token.days == slot.days]


@pytest.mark.parametrize("small", [False, True])
def test_no_contract_hides_another_or_the_goods_of_a_place(small: bool):
    view = opening()
    signs = {
        (number, token): kinds(crowded(view, tokens={number: token}), small)["contracts"]
        for number, slot in board.SLOTS.items()
        for token in tokens_of(slot)
    }
    signs = {key: [piece for piece in pieces if piece.width > 60] for key, pieces in signs.items()}
    for ((slot, token), mine), ((other_slot, other_token), theirs) in combinations(signs.items(), 2):
        if slot != other_slot and token != other_token:
            assert all(overlap(one, other) < 1 for one in mine for other in theirs), (token, other_token)
    shown = kinds(crowded(view), small)
    for key, pieces in signs.items():
        for piece in pieces:
            for thing in (*shown["places"], *shown["panel"]):
                assert overlap(piece, thing) < 1, key


def test_the_width_of_a_name_is_not_guessed_too_small():
    """In Alegreya Sans ExtraBold, measured: what the guess must not fall below."""
    measured = {"White River Jct": 6.06, "Peterborough": 5.68, "New London": 5.03, "Utica": 2.13, "Québec": 3.03}
    for name, width in measured.items():
        assert width <= breadth(name, 1) < width * 1.25


# ==== colours =====================================================================================
def contrast(one: str, other: str) -> float:
    """WCAG 2, relative luminance."""

    def luminance(colour: str) -> float:
        parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_and_letters_can_be_read(theme: str):
    ink = INKS[theme]
    assert set(ink) == set(INKS["page"])
    for ground in ("land", "sea", "paper", "panel"):
        assert contrast(ink["ink"], ink[ground]) >= 9
    for colour in (*(company.colour for company in cards.COMPANIES.values()), "accent", "port"):
        assert contrast(ink[f"on-{colour}"], ink[colour]) >= 4
    assert contrast(ink["muted"], ink["paper"]) >= 3
    assert contrast(ink["accent"], ink["paper"]) >= 4.5


def test_a_company_is_told_by_letter_and_colour():
    assert set(LETTERS) == set(cards.COMPANIES)
    assert len(set(LETTERS.values())) == len({company.colour for company in cards.COMPANIES.values()}) == 4


@pytest.mark.parametrize(
    ("places", "english", "german"),
    [
        (("utica",), "Terminal in Utica.", "Güterbahnhof in Utica."),
        (("utica", "albany"), "Terminals in Utica and Albany.", "Güterbahnhöfe in Utica und Albany."),
    ],
)
def test_one_terminal_is_said_as_one(places, english, german):
    label = picture(opening(), "light", ENGLISH).label
    several = Sentence(label.template, {**label.facts, "terminals": places})
    assert say(several, ENGLISH, str).endswith(f". {english}")
    assert say(several, GERMAN, str).endswith(f". {german}")
