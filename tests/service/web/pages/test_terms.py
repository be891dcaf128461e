"""Words of a game on the pages: marked once where they stand, never inside a link or a button, and explained."""

import pytest
from werkzeug.test import EnvironBuilder

from domain import TITLES
from service.web.pages.parts.terms import marker
from service.words import languages
from tests.service.web.pages.browser import Browser, parse
from tests.service.web.pages.test_tips import begun, only_app, shelf  # noqa: F401

TABS = ("", "?show=seats", "?show=details", "/text")


def marked(page):
    return page.root.all("a", **{"class": "term"})


@pytest.fixture(params=TITLES)
def table(request, ann, arrive):
    seats = TITLES[request.param].seating.seats[0]
    return begun(ann, *map(arrive, ("Bob", "Cleo")[: seats - 1]), title=request.param)


@pytest.mark.parametrize("lang", list(languages()))
@pytest.mark.parametrize("also", TABS)
def test_words_are_marked_once_and_not_inside_controls(arrive, ann, table, lang, also):
    ann.headers["Accept-Language"] = lang
    ann.client.set_cookie("lang", lang)
    page = ann.get(table + also)
    found = marked(page)
    assert found, "a table has words to explain"
    assert len({it.attrs["href"] for it in found}) == len(found)
    for it in found:
        for control in ("button", "summary", "label", "legend"):
            assert it.inside(control) is None, (control, it.text)
        assert it.parent.inside("a") is None
        assert it.parent.tag != "a"


def test_a_word_leads_to_its_explanation_and_back_to_the_table(ann, table):
    [word, *_] = marked(ann.get(table))
    page = ann.get(word.attrs["href"])
    assert page.status == 200
    [entry] = [it for it in page.root.walk() if it.attrs.get("id") == word.attrs["href"].partition("#")[2]]
    [rule] = entry.all("a", **{"class": "rule"})
    assert page.follow("Back to the table").address.startswith(table)
    assert ann.get(rule.attrs["href"]).follow("Back to the table").address.startswith(table)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("lang", list(languages()))
def test_all_words_have_a_page_that_others_lead_to(app, title, lang):
    guest = Browser(app, lang)
    address = f"/rules/{title}/words"
    page = guest.get(address)
    terms = TITLES[title].face.terms
    [listed] = page.root.all("ul", **{"class": "terms"})
    assert {it.attrs["id"] for it in listed.all("li")} == {it.id for it in terms}
    assert len(listed.all("a", **{"class": "rule"})) == len(terms)
    assert address in guest.get("/rules").links
    assert address in guest.get(f"/rules/{title}/how").links
    assert marked(guest.get(f"/rules/{title}/how"))


def test_a_lesson_has_words_that_lead_back_to_its_step(guest):
    page = guest.get("/learn/new_england/1")
    word = next(it for it in marked(page) if it.text == "links")
    assert guest.get(word.attrs["href"]).follow("Back to the lesson").address == "/learn/new_england/1"
    assert "Back to" not in guest.get("/rules/new_england/words?lesson=nothing&step=1").text


def test_a_title_without_words_has_no_such_page(guest):
    assert guest.get("/rules/nothing/words").status == 404


def test_words_are_whole_and_names_stay_text(only_app):  # noqa: F811
    box = TITLES["grand_trunk"]
    with only_app.request_context(EnvironBuilder("/rules/grand_trunk").get_environ()):
        html = str(marker(box)("<b>ports</b> Portland, support, port-side; the port. A port and a port"))
    assert "&lt;b&gt;" in html
    [link] = parse(html).all("a")
    assert (link.text, link.attrs["href"]) == ("ports", "/rules/grand_trunk/words#port")
