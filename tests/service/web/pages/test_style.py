"""Readable colours, defined variables, existing fonts."""

import hashlib
import re

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont

from domain import TITLES
from domain.drawing import PALETTES
from service.base import fonts
from service.games import drawings
from service.web.pages.frame import style
from service.web.pages.parts.boards import opening_view
from service.words import spoken

SHEET = style.style_sheet("/fonts/")
LETTERS = re.compile(r"""font-family="'?([^,']+)[^"]*" font-size="[^"]*" font-weight="(\d+)\"""")
"""The family and the weight of a text on a board."""


def colours(theme):
    own = style.LIGHT if theme == "light" else style.DARK
    return {**own, **{name: PALETTES[theme][name] for name in style.OF_THE_BOARD}}


def test_compressing_the_style_sheet_keeps_needed_blanks():
    sheet = '/* one */\n.a :target, .b > :is(c, d)::after { content: ""; margin: calc(1px - 2px) 0; }\n'
    served = '.a :target,.b > :is(c,d)::after{content:"";margin:calc(1px - 2px) 0}'
    assert style._without_remarks(sheet) == served


def test_every_variable_that_is_used_is_set_in_both_themes():
    sheet = (style.STATIC / "site.css").read_text()
    used, sizes = (set(re.findall(it, sheet)) for it in (r"var\(--([a-z0-9-]+)\)", r"--([a-z0-9-]+): [.\d]+rem;"))
    for theme in ("light", "dark"):
        assert used - sizes <= colours(theme).keys(), theme


def test_no_template_has_a_class_that_is_fixed_to_the_window():
    """Only scripts make such boxes, and take them away: nothing of a page is ever hidden behind one."""
    sheet = (style.STATIC / "site.css").read_text()
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", sheet)
    fixed = {name for which, what in rules if "position: fixed" in what for name in re.findall(r"\.([a-z-]+)", which)}
    assert fixed, "the box of a term"
    for template in style.STATIC.parents[1].rglob("*.html"):
        names = " ".join(re.findall(r'class="([^"]*)"', template.read_text())).split()
        assert not fixed & set(names), template


def test_boards_find_all_their_colours():
    light, dark = SHEET.split("@media screen and (prefers-color-scheme: dark)", 1)
    for theme, sheet in (("light", light), ("dark", dark)):
        for palette in (PALETTES, *(title.face.colours for title in TITLES.values() if title.face.colours)):
            assert [name for name, colour in palette[theme].items() if f"--board-{name}:{colour};" not in sheet] == []


def test_titles_name_their_colours_differently():
    names = [*PALETTES["light"], *(name for title in TITLES.values() for name in title.face.colours.get("light", ()))]
    assert len(names) == len(set(names))
    assert all(title.face.colours.keys() <= set(PALETTES) for title in TITLES.values())


def test_each_font_has_a_name_that_changes_with_its_bytes(app):
    assert set(re.findall(r'url\("/fonts/([^"]+)"\)', SHEET)) == set(style.FONTS)
    for name, file in style.FONTS.items():
        answer = app.test_client().get(f"/fonts/{name}", headers={"Accept-Encoding": "gzip"})
        assert answer.data == file.read_bytes()
        assert hashlib.sha256(answer.data).hexdigest()[:8] in name
        assert answer.mimetype == "font/woff2"
        assert "immutable" in answer.headers["Cache-Control"]
        assert "Content-Encoding" not in answer.headers  # it is compressed already


@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_each_cut_of_the_letters_on_a_board_is_a_face_of_the_pages(title):
    face, used = title.face, set()
    for small in (False, True):
        picture = face.picture(opening_view(title), "page", spoken(face.words, "en"), small=small)
        used |= set(LETTERS.findall(drawings.svg(picture, "")))
    assert {("Alegreya", "500"), ("Alegreya Sans", "700")} <= used
    for family, weight in used:
        spans = [face[1].split() for face in style.FACES if face[0] == family]
        assert any(int(low) <= int(weight) <= int(high) for low, high in spans), (family, weight)


def test_no_other_file_is_served_as_a_font(app):
    for name in ("Alegreya-Bold.woff2", "Alegreya-Bold.ttf", "__init__.py", "../names.py"):
        assert app.test_client().get(f"/fonts/{name}").status_code == 404


def test_the_fonts_of_a_first_visit_are_light():
    assert sum(file.stat().st_size for file in style.FONTS.values()) <= 38_000


@pytest.mark.parametrize("file", style.FONTS.values(), ids=lambda file: file.stem)
def test_the_fonts_of_pages_have_the_latin_letters_as_pictures_have_them(file):
    cut, whole = (TTFont(each) for each in (file, file.with_suffix(".ttf")))
    told = [each.removeprefix("U+").split("-") for each in fonts.RANGES.split(",")]
    wanted = {sign for each in told for sign in range(int(each[0], 16), int(each[-1], 16) + 1)}
    has, of_all = cut.getBestCmap(), whole.getBestCmap()
    assert has.keys() == of_all.keys() & wanted
    assert {chr(sign) for sign in has} >= set("AZaz09ÄÖÜäöüßéèç–—„“”‚‘’…€")
    drawn, as_in = cut.getGlyphSet(), whole.getGlyphSet()
    for sign in has:
        letters = RecordingPen(), RecordingPen()
        drawn[has[sign]].draw(letters[0])
        as_in[of_all[sign]].draw(letters[1])
        assert len(letters[0].value) == len(letters[1].value), chr(sign)
        assert drawn[has[sign]].width == as_in[of_all[sign]].width


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("seat", style.SEATS)
def test_the_letter_of_a_seat_is_read_on_its_colour(seat, theme):
    """Large text needs a contrast of 3 (WCAG 1.4.3)."""
    assert contrast(PALETTES[theme][f"on-{seat}"], PALETTES[theme][seat]) >= 3
    assert f".c-{seat} {{ background: var(--board-{seat}); color: var(--board-on-{seat}); }}" in SHEET


TEXT_ON_GROUND = [
    (ink, ground) for ink in ("ink", "soft", "link") for ground in ("land", "paper", "panel", "field")
] + [("on-accent", "accent"), ("on-accent", "accent-deep")]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT_ON_GROUND)
def test_text_has_enough_contrast(theme, ink, ground):
    """WCAG 2.2, 1.4.3: 4.5 to 1."""
    assert contrast(colours(theme)[ink], colours(theme)[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("edge", ["frame", "focus"])
@pytest.mark.parametrize("ground", ["land", "paper", "panel"])
def test_edges_and_focus_have_enough_contrast(theme, edge, ground):
    """WCAG 2.2, 1.4.11: 3 to 1."""
    assert contrast(colours(theme)[edge], colours(theme)[ground]) >= 3


def contrast(one, other):
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_hidden_elements_stay_hidden_against_all_other_rules():
    assert "[hidden]{display:none !important}" in SHEET
