"""Pictures of boards for pages and mails: self-contained, alike on every machine, and never mixed up."""

import io
import random
import re
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from domain import TITLES
from domain.chance import FreeChance
from domain.face import Picture, Piece
from domain.game import fold
from domain.grand_trunk import TITLE
from domain.title import Title
from service.games import drawings, pictures
from service.words import spoken
from tests import record

ENGLISH = TITLE.face.words.english
GERMAN = spoken(TITLE.face.words, "de")


def views(number: int) -> list[Any]:
    """A spectator's views of the first moves of a game of four random players."""
    dice = random.Random(11)
    chance = FreeChance(dice)
    state = TITLE.rules.setup(
        TITLE.seating.options(), {seat: TITLE.seating.choice() for seat in (1, 2, 3, 4)}, chance
    ).after
    seen = []
    while len(seen) < number:
        seat = TITLE.rules.asked(state)[0]
        for command in TITLE.bots["random"](TITLE.rules.view(state, seat), dice):
            state = TITLE.rules.decide(state, seat, command, chance).after
        seen.append(TITLE.rules.view(state, None))
    return seen


@pytest.fixture(scope="module")
def some_views() -> list[Any]:
    return views(24)


# ==== for pages ===================================================================================
def test_a_board_is_one_svg_that_needs_nothing_from_elsewhere(some_views):
    drawn = drawings.svg(TITLE.face.picture(some_views[-1], "page", ENGLISH), 'Ann & Bob\'s "board" <1>')
    root = ElementTree.fromstring(drawn)
    assert root.find("{http://www.w3.org/2000/svg}title").text == 'Ann & Bob\'s "board" <1>'
    assert root.attrib["role"] == "img"
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", drawn) == []
    assert "<script" not in drawn


def opening(title: Title) -> Any:
    choices = {seat: title.seating.choice() for seat in (1, 2, 3)}
    return title.rules.setup(title.seating.options(), choices, FreeChance(random.Random(3))).after


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.id)
def test_both_drawings_in_one_page_do_not_share_an_id(title: Title):
    view, language = title.rules.view(opening(title), None), spoken(title.face.words, "de")
    picture, small = (title.face.picture(view, "page", language, small) for small in (False, True))
    assert not any(" id=" in piece.svg or "#" in piece.svg for piece in (*picture.pieces, *small.pieces))
    page = drawings.svg(picture, "wide", name="wide") + drawings.svg(small, "narrow", name="narrow")
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
    assert image.mode == "P"
    assert len(packed) < 200_000


def test_a_picture_pasted_together_looks_like_one_drawn_whole(some_views):
    picture = TITLE.face.picture(some_views[-1], "light", ENGLISH)
    laid = "".join(f'<g transform="translate({piece.x} {piece.y})">{piece.svg}</g>' for piece in picture.pieces)
    whole = pictures._true(picture.box, picture.defs, picture.ground + laid, 1200)

    def difference(other: Picture) -> float:
        image = opened(pictures.paint(other, 1200)).convert("RGB")
        return max(ImageStat.Stat(ImageChops.difference(image, whole)).mean)

    assert difference(picture) < 3, "half a pixel, and colours that are nearly the same"
    assert difference(replace(picture, pieces=())) > 2 * difference(picture)


def errors(packed: bytes, true: Image.Image) -> list[float]:
    """The mean error of each colour channel."""
    return ImageStat.Stat(ImageChops.difference(opened(packed).convert("RGB"), true)).mean


def chosen_at_once(sheet: Image.Image) -> bytes:
    """The picture by plain Pillow: 128 colours for the whole picture, compressed by zlib."""
    out = io.BytesIO()
    sheet.quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG", compress_level=5)
    return out.getvalue()


@cache
def true_ground(box: Any, defs: str, ground: str) -> Image.Image:
    """It is the same for all positions of a title."""
    return pictures._true(box, defs, ground, 1200)


@pytest.mark.long("de")
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("title", sorted(TITLES))
def test_a_picture_is_nearer_to_its_colours_than_one_with_128_for_all_and_hardly_larger(
    title: str, lang: str, monkeypatch: pytest.MonkeyPatch
):
    kept = record.read(record.files(title)[0])
    for part in (0.2, 0.6, 1):
        state = fold(kept.game_id, kept.title, kept.plies[: round(len(kept.plies) * part)]).state
        picture = kept.title.face.picture(
            kept.title.rules.view(state, None), "light", spoken(kept.title.face.words, lang)
        )
        ours = pictures.paint(picture, 1200)
        ground = true_ground(picture.box, picture.defs, picture.ground).copy()
        with monkeypatch.context() as patch:
            patch.setattr(pictures.Ground, "in_colour", lambda _, ground=ground: ground)
            _, sheet, _ = pictures._laid(picture, 1200)
        plain = chosen_at_once(sheet)
        assert all(mine <= theirs for mine, theirs in zip(errors(ours, sheet), errors(plain, sheet), strict=True))
        assert len(ours) <= 1.15 * len(plain)


def drawn(*pieces: Piece, ground: str = '<path fill="#fff" d="M0 0h200v100H0z"/>') -> Image.Image:
    """A picture of 200 by 100 pixels, white but for ``pieces``."""
    picture = Picture((0, 0, 200, 100), "", ground, pieces, TITLE.face.picture(views(1)[0], "light", ENGLISH).label)
    return opened(pictures.paint(picture, 200)).convert("RGB")


def square(x: float, y: float, colour: str, opacity: float = 1, side: int = 40) -> Piece:
    return Piece(x, y, side, side, f'<path fill="{colour}" opacity="{opacity}" d="M0 0h{side}v{side}H0z"/>')


def near(pixel: Any, *colour: int) -> bool:
    return max(abs(one - other) for one, other in zip(pixel, colour, strict=True)) <= 4


def test_a_piece_that_can_be_seen_through_shows_the_piece_below_and_the_ground():
    both = drawn(square(20, 20, "#0000ff"), square(40, 20, "#ff0000", 0.5))
    assert near(both.getpixel((30, 40)), 0, 0, 255)
    assert near(both.getpixel((50, 40)), 128, 0, 128)
    assert near(both.getpixel((70, 40)), 255, 128, 128)
    assert near(both.getpixel((90, 40)), 255, 255, 255)
    under = drawn(square(40, 20, "#ff0000", 0.5), square(20, 20, "#0000ff"))
    assert near(under.getpixel((50, 40)), 0, 0, 255)


def test_a_colour_that_no_picture_had_before_is_shown_as_it_is():
    for colour in ("#804000", "#00a0a0", "#123456", "#ff00ff"):
        said = tuple(bytes.fromhex(colour[1:]))
        image = drawn(square(20, 20, "#0000ff"), square(100, 20, colour))
        assert near(image.getpixel((120, 40)), *said)
        assert near(image.getpixel((40, 40)), 0, 0, 255)


def test_a_slanted_piece_is_cut_into_patches_that_leave_nothing_out():
    slanted = Piece(10, 5, 180, 90, '<path stroke="#0a0" stroke-width="6" d="M4 4L176 86"/>')
    patches = pictures._piece(slanted.svg, slanted.width, slanted.height, 4)
    assert len(patches) > 2
    assert sum(patch.pixels.width * patch.pixels.height for patch in patches) < 0.5 * 720 * 360
    laid = Image.new("RGBA", (720, 360))
    for patch in patches:
        laid.paste(patch.pixels, (patch.x, patch.y))
    assert laid.tobytes() == pictures._drawn(slanted.svg, (0, 0, 180, 90), 720, 360).tobytes()
    image = drawn(slanted)
    for step in range(1, 9):
        assert near(image.getpixel((14 + step * 19, 9 + step * 9)), 0, 170, 0)


def test_empty_pieces_and_pieces_beyond_the_edge_do_no_harm():
    assert drawn().getcolors() == [(200 * 100, (255, 255, 255))]
    assert drawn(Piece(10, 10, 50, 50, "")).getcolors() == [(200 * 100, (255, 255, 255))]
    image = drawn(square(-20, -20, "#0000ff"), square(180, 80, "#ff0000"), square(500, 500, "#00ff00"))
    assert near(image.getpixel((5, 5)), 0, 0, 255)
    assert near(image.getpixel((195, 95)), 255, 0, 0)
    assert near(image.getpixel((100, 50)), 255, 255, 255)


def test_a_picture_is_a_png_by_the_letter(some_views):
    """RFC 2083: each chunk with its sum, in order, and one byte before each line of pixels."""
    packed = pictures.png(TITLE, some_views[-1], "en", 600)
    assert packed[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(packed):
        (length,) = struct.unpack(">I", packed[at : at + 4])
        name, body = packed[at + 4 : at + 8], packed[at + 8 : at + 8 + length]
        assert struct.unpack(">I", packed[at + 8 + length : at + 12 + length]) == (zlib.crc32(name + body),)
        chunks[name] = body
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (width, height, rest) == (600, 442, [8, 3, 0, 0, 0])
    lines = zlib.decompress(chunks[b"IDAT"])
    assert len(lines) == 601 * 442
    assert set(lines[::601]) == {0}
    assert len(chunks[b"PLTE"]) % 3 == 0
    assert max(lines) < len(chunks[b"PLTE"]) // 3 <= 256


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty the cache, so that everything is drawn anew."""
    for name, most in ("_ground", pictures.GROUNDS_KEPT), ("_piece", pictures.PIECES_KEPT):
        monkeypatch.setattr(pictures, name, pictures._kept(most)(getattr(pictures, name).__wrapped__))


def test_cached_pictures_never_show_through(some_views, monkeypatch):
    first = pictures.png(TITLE, some_views[0], "en")
    last = pictures.png(TITLE, some_views[-1], "en")
    assert first != last
    assert pictures.png(TITLE, some_views[0], "de") != first
    assert pictures.png(TITLE, some_views[0], "en") == first
    forget(monkeypatch)
    assert pictures.png(TITLE, some_views[0], "en") == first


def test_several_threads_draw_what_one_draws(some_views, monkeypatch):
    alone = [pictures.png(TITLE, view, "en", 600) for view in some_views]
    forget(monkeypatch)
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda view: pictures.png(TITLE, view, "en", 600), some_views))
    assert together == alone


def test_the_fonts_are_files_of_ours_with_their_licence():
    fonts = {Path(file).name for file in pictures.FONTS}
    assert fonts == {
        "Alegreya-Bold.ttf",
        "Alegreya-MediumItalic.ttf",
        "AlegreyaSans-Bold.ttf",
        "AlegreyaSans-ExtraBold.ttf",
        "AlegreyaSans-Medium.ttf",
    }
    licence = Path(pictures.FONTS[0]).with_name("OFL.txt").read_text()
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert all(font in licence for font in fonts)


@pytest.mark.parametrize(
    ("style", "other"),
    [
        ('font-family="\'Alegreya Sans\'" font-weight="500"', 'font-family="\'Alegreya Sans\'" font-weight="700"'),
        ('font-family="\'Alegreya Sans\'" font-weight="700"', 'font-family="\'Alegreya Sans\'" font-weight="800"'),
        ('font-family="Alegreya" font-weight="700"', 'font-family="Alegreya" font-weight="500" font-style="italic"'),
    ],
)
def test_each_cut_of_the_letters_is_found(style: str, other: str):
    """Text in a missing cut would be drawn in another one, or not at all."""

    def drawn(style: str) -> bytes:
        text = f'<text x="5" y="40" font-size="40" {style}>Québec 0123</text>'
        image = pictures._drawn(text, (0, 0, 300, 60), 300, 60)
        assert image.getchannel("A").getextrema()[1] == 255, "nothing was drawn"
        return image.tobytes()

    assert drawn(style) != drawn(other)


def test_the_cache_of_pictures_is_limited_in_bytes_and_drops_the_least_recently_used():
    drawn = []

    @pictures._kept(5 * 100 * 100 * 3 + 3 * pictures.OVERHEAD)
    def piece(name: int, side: int = 100) -> tuple[pictures.Patch, ...]:
        drawn.append(name)
        pixels = Image.new("RGBA", (side, side))
        return (pictures.Patch(0, 0, pixels, pixels),)

    for name in (1, 2, 3, 1, 4, 1, 2):
        piece(name)
    assert drawn == [1, 2, 3, 4, 2], "2 was used before 3 and 1 when there was no room for 4"
    drawn.clear()
    piece(5, 1000)
    piece(5, 1000)
    piece(1)
    assert drawn == [5, 5, 1], "what is larger than all that is kept is drawn each time"
