"""Every sentence the pages say is there in German, and no German is left over."""

from string import Formatter

import pytest

from service.web.pages import say
from service.web.pages.german import GERMAN
from tests.pages.browser import Browser
from tests.pages.texts import used


def test_every_text_has_its_german():
    assert sorted(used() - GERMAN.keys()) == []


def test_no_german_is_left_over():
    assert sorted(GERMAN.keys() - used()) == []


@pytest.mark.parametrize("english", sorted(GERMAN))
def test_both_languages_have_the_same_blanks(english):
    assert _blanks(english) == _blanks(GERMAN[english])


def _blanks(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_facts_are_escaped_and_markup_is_not():
    from markupsafe import Markup

    _ = say.sayer("de")
    assert _("The game waits for {names}.", names="<b>Ann</b>") == "Die Partie wartet auf &lt;b&gt;Ann&lt;/b&gt;."
    assert "<i>x</i>" in _("Since {time}", time=Markup("<i>x</i>"))


@pytest.mark.parametrize(("asked", "lang"), [
    ("de-AT,en;q=0.5", "de"), ("fr,de;q=0.1", "de"), ("en", "en"), ("fr", "en"), ("", "en"),
    ("en;q=0.1,de;q=0.9", "de"), ("den", "en"), ("de;q=0,en", "en"),
])  # fmt: skip
def test_pages_and_api_read_alike_which_languages_a_browser_asks_for(app, asked, lang):
    assert Browser(app, asked).get("/").root.all("html")[0].attrs["lang"] == lang
    missing = app.test_client().get("/api/v1/games/nothing", headers={"Accept-Language": asked})
    assert missing.json["title"] == {"en": "There is nothing here", "de": "Hier ist nichts"}[lang]


def test_times_are_absolute_and_in_the_readers_zone():
    at = 1_795_266_300_000
    assert say.moment(at, "en", "Europe/Berlin") == ("2026-11-21T13:05:00Z", "21 Nov 2026, 14:05 CET")
    assert say.moment(at, "de", "UTC").text == "21. Nov. 2026, 13:05 Uhr UTC"
