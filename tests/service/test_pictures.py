"""Boards as pages and mails get them: self-contained, alike on every machine, and never mixed up."""

import io
import random
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from domain.chance import FreeChance
from domain.grand_trunk import TITLE
from domain.title import Picture
from service import pictures


def views(number: int) -> list[Any]:
    """An onlooker's views of the first moves of a game of four random players."""
    dice = random.Random(11)
    state, chance = TITLE.start, FreeChance(dice)
    for event in TITLE.setup(TITLE.options(), {seat: TITLE.choice() for seat in (1, 2, 3, 4)}, chance):
        state = TITLE.evolve(state, event)
    seen = []
    while len(seen) < number:
        seat = TITLE.asked(state)[0]
        for command in TITLE.bots["random"](TITLE.view(state, seat), dice):
            state = TITLE.decide(state, seat, command, chance).after
        seen.append(TITLE.view(state, None))
    return seen


@pytest.fixture(scope="module")
def some_views() -> list[Any]:
    return views(24)


# ==== for pages ===================================================================================
def test_a_board_is_one_svg_that_needs_nothing_from_elsewhere(some_views):
    drawn = pictures.svg(TITLE.picture(some_views[-1], "page", "en"), 'Ann & Bob\'s "board" <1>')
    root = ElementTree.fromstring(drawn)
    assert root.find("{http://www.w3.org/2000/svg}title").text == 'Ann & Bob\'s "board" <1>'
    assert root.attrib["role"] == "img"
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", drawn) == []
    assert "<script" not in drawn


def test_two_boards_in_one_page_do_not_share_an_id(some_views):
    picture, small = (TITLE.picture(some_views[-1], "page", "de", small) for small in (False, True))
    page = pictures.svg(picture, "now", name="now") + pictures.svg(small, "then", name="then")
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids)) >= 8
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)|labelledby="([^"]+)"', page))
    assert {name for names in used for name in names if name} == set(ids)


# ==== for mails ===================================================================================
def opened(packed: bytes) -> Image.Image:
    return Image.open(io.BytesIO(packed))


@pytest.mark.parametrize("width", [600, 1200])
def test_a_mail_gets_a_small_picture_of_the_width_it_asked_for(some_views, width: int):
    packed = pictures.png(TITLE, some_views[-1], "en", width)
    image = opened(packed)
    assert image.format == "PNG"
    assert image.size == (width, round(width * 840 / 1140))
    assert len(image.getcolors()) <= 128
    assert len(packed) < 200_000


def test_a_picture_pasted_together_looks_like_one_drawn_whole(some_views):
    picture = TITLE.picture(some_views[-1], "light", "en")
    laid = "".join(f'<g transform="translate({piece.x} {piece.y})">{piece.svg}</g>' for piece in picture.pieces)
    whole = pictures._ground.__wrapped__(picture.box, picture.defs, picture.ground + laid, 1200)

    def difference(other: Picture) -> float:
        image = opened(pictures.paint(other, 1200)).convert("RGB")
        return max(ImageStat.Stat(ImageChops.difference(image, whole)).mean)

    assert difference(picture) < 3, "half a pixel, and colours that are nearly the same"
    assert difference(replace(picture, pieces=())) > 2 * difference(picture)


def test_what_is_kept_never_shows_through(some_views):
    first = pictures.png(TITLE, some_views[0], "en")
    last = pictures.png(TITLE, some_views[-1], "en")
    assert first != last
    assert pictures.png(TITLE, some_views[0], "de") != first
    assert pictures.png(TITLE, some_views[0], "en") == first
    pictures._ground.cache_clear()
    pictures._piece.cache_clear()
    assert pictures.png(TITLE, some_views[0], "en") == first


def test_several_threads_draw_what_one_draws(some_views):
    alone = [pictures.png(TITLE, view, "en", 600) for view in some_views]
    pictures._ground.cache_clear()
    pictures._piece.cache_clear()
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda view: pictures.png(TITLE, view, "en", 600), some_views))
    assert together == alone


def test_the_fonts_are_files_of_ours_with_their_licence():
    fonts = {Path(file).name for file in pictures.FONTS}
    assert fonts == {"Alegreya-Bold.ttf", "Alegreya-MediumItalic.ttf", "AlegreyaSans-Bold.ttf",
                     "AlegreyaSans-ExtraBold.ttf", "AlegreyaSans-Medium.ttf"}  # fmt: skip
    licence = Path(pictures.FONTS[0]).with_name("OFL.txt").read_text()
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert all(font in licence for font in fonts)


@pytest.mark.parametrize(
    ("style", "other"),
    [
        ("font-family=\"'Alegreya Sans'\" font-weight=\"500\"", "font-family=\"'Alegreya Sans'\" font-weight=\"700\""),
        ("font-family=\"'Alegreya Sans'\" font-weight=\"700\"", "font-family=\"'Alegreya Sans'\" font-weight=\"800\""),
        ('font-family="Alegreya" font-weight="700"', 'font-family="Alegreya" font-weight="500" font-style="italic"'),
    ],
)
def test_each_cut_of_the_letters_is_found(style: str, other: str):
    """A cut that is missing would be drawn in another, or not at all."""

    def drawn(style: str) -> bytes:
        text = f'<text x="5" y="40" font-size="40" {style}>Québec 0123</text>'
        image = pictures._drawn(text, (0, 0, 300, 60), 300, 60)
        assert image.getchannel("A").getextrema()[1] == 255, "nothing was drawn"
        return image.tobytes()

    assert drawn(style) != drawn(other)
