"""The report of tickets for readers without a board."""

import pytest

from domain.report import Grid, say_cell
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.face.things import needed
from domain.words import say
from service.words import spoken
from tests.domain.ticket_to_ride.positions import ANN, given, opening


def missing(ticket, lang):
    """Return the words beside one of Ann's tickets."""
    report = TITLE.face.report(TITLE.rules.view(given(opening()).state, ANN))
    [grid] = [it for it in report.parts if isinstance(it, Grid) and it.heading.template == "Your tickets"]
    language = spoken(TITLE.face.words, lang)
    rows = [[say_cell(cell, language, str) for cell in row] for row in grid.rows]
    [said] = [row[1] for row in rows if row[0].startswith(ticket)]
    return said


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            "12 trains (Boston–New York 2 red or yellow, New York–Pittsburgh 2 green or white, "
            "Pittsburgh–Raleigh 2 gray, Charleston–Raleigh 2 gray and Charleston–Miami 4 purple)",
        ),
        (
            "de",
            "12 Waggons (Boston–New York 2 rot oder gelb, New York–Pittsburgh 2 grün oder weiß, "
            "Pittsburgh–Raleigh 2 grau, Charleston–Raleigh 2 grau und Charleston–Miami 4 lila)",
        ),
    ],
)
def test_a_ticket_names_length_and_colour_of_its_missing_routes(lang, said):
    assert missing("Boston–Miami", lang) == said


def test_a_track_that_is_taken_lends_a_missing_route_no_colour():
    red = ("boston__new_york__red",)
    [both], [alone] = needed(red, {*red, "boston__new_york__yellow"}), needed(red, red)
    english = TITLE.face.words.english
    assert (say(both, english, str), say(alone, english, str)) == (
        "Boston–New York 2 red or yellow",
        "Boston–New York 2 red",
    )
