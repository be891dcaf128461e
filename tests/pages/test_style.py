"""Colours that can be read, variables that exist, fonts that are there."""

import re

import pytest

from domain import TITLES
from domain.drawing import PALETTES
from service.base import fonts
from service.web.pages import style

SHEET = style.style_sheet("/fonts/")


def colours(theme):
    own = style.LIGHT if theme == "light" else style.DARK
    return {**own, **{name: PALETTES[theme][name] for name in style.OF_THE_BOARD}}


def test_every_variable_that_is_used_is_set_in_both_themes():
    used = set(re.findall(r"var\(--([a-z0-9-]+)\)", (style.STATIC / "site.css").read_text()))
    for theme in ("light", "dark"):
        assert used <= colours(theme).keys(), theme


def test_boards_find_all_their_colours():
    light, dark = SHEET.split("@media (prefers-color-scheme: dark)", 1)
    for theme, sheet in (("light", light), ("dark", dark)):
        for palette in (PALETTES, *(title.colours for title in TITLES.values() if title.colours)):
            assert [name for name, colour in palette[theme].items() if f"--board-{name}:{colour};" not in sheet] == []


def test_no_title_calls_its_colour_like_one_of_another():
    names = [*PALETTES["light"], *(name for title in TITLES.values() for name in title.colours.get("light", ()))]
    assert len(names) == len(set(names))
    assert all(title.colours.keys() <= set(PALETTES) for title in TITLES.values())


def test_fonts_are_there():
    for *_, file in style.FACES:
        assert (fonts.FOLDER / file).read_bytes()[:4] == b"\x00\x01\x00\x00"
        assert f'url("/fonts/{file}")' in SHEET


TEXT_ON_GROUND = [
    (ink, ground) for ink in ("ink", "soft", "link") for ground in ("land", "paper", "panel", "field")
] + [("on-accent", "accent"), ("on-accent", "accent-deep")]  # fmt: skip


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT_ON_GROUND)
def test_text_can_be_read(theme, ink, ground):
    """WCAG 2.2, 1.4.3: 4.5 to 1."""
    assert contrast(colours(theme)[ink], colours(theme)[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("edge", ["frame", "focus"])
@pytest.mark.parametrize("ground", ["land", "paper", "panel"])
def test_edges_and_focus_can_be_seen(theme, edge, ground):
    """WCAG 2.2, 1.4.11: 3 to 1."""
    assert contrast(colours(theme)[edge], colours(theme)[ground]) >= 3


def contrast(one, other):
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_what_is_hidden_is_hidden_whatever_else_is_said_of_it():
    assert "[hidden] { display: none !important; }" in SHEET
