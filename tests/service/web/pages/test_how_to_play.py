"""The page *How to play*: its links, its pictures and its weight."""

import zlib

import pytest

import domain
from service.web.app import create_app
from tests import toy
from tests.service.web.pages.browser import Browser

MOST_BYTES = 60_000
TITLES = {"toy": toy.TITLE, **domain.TITLES}


@pytest.fixture
def shelf(settings, store_in):
    opened = store_in(settings, TITLES)
    yield opened
    opened.close()


@pytest.fixture
def app(settings, shelf):
    return create_app(settings, shelf)


@pytest.mark.parametrize(("lang", "device"), [("en", "Desk"), ("de", "Desk"), ("en", "Mobi")])
@pytest.mark.parametrize("title", domain.TITLES)
def test_the_page_is_light_and_each_number_leads_to_its_rule(app, title, lang, device):
    visitor = Browser(app, lang)
    page = visitor.get(f"/rules/{title}/how", headers={"User-Agent": device})
    article = page.root.all("article")[0]
    assert article.attrs["lang"] == lang
    rules = visitor.get(f"/rules/{title}")
    anchors = {it.attrs["id"] for it in rules.root.walk() if "id" in it.attrs}
    links = [it.attrs["href"] for it in article.all("a", **{"class": "rule"})]
    assert len(links) > 20
    assert {link.partition("#")[0] for link in links} == {f"/rules/{title}"}
    assert {link.partition("#")[2] for link in links} <= anchors
    grounds = {it.attrs["href"].partition("#")[0] for it in article.all("use")}
    assert len(article.all("figure")) >= 2
    assert len(grounds) == 1, "both pictures lie on one ground, that of the tables"
    weight = len(zlib.compress(page.html.encode())) + sum(len(zlib.compress(visitor.get(it).bytes)) for it in grounds)
    print(f"{title} {lang} {device}: {weight} bytes")
    assert weight <= MOST_BYTES


@pytest.mark.parametrize("address", ["/", "/rules", "/rules/ticket_to_ride", "/games/new?title=ticket_to_ride"])
def test_pages_lead_to_it(arrive, address):
    assert arrive("Ann").get(address).root.all("a", href="/rules/ticket_to_ride/how")


def test_a_title_without_a_text_has_no_such_page(guest):
    assert guest.get("/rules/toy/how").status == 404
    assert guest.get("/rules/nothing/how").status == 404
    for address in ("/", "/rules", "/rules/toy", "/rules/house"):
        assert "/rules/toy/how" not in guest.get(address).html


def test_a_part_of_the_board_has_only_the_pieces_in_it(guest):
    whole, part = (it.all("svg")[0] for it in guest.get("/rules/ticket_to_ride/how").root.all("figure"))
    assert 0 < len(part.all("g")) < len(whole.all("g")) / 2
    left, top, width, height = map(float, part.attrs["viewbox"].split())
    assert width < 600
    assert left < 160 < left + width, "San Francisco lies in it"
    assert top < 400 < top + height
