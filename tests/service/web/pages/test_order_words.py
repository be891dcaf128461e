"""The page of all words in a title's orders."""

import pytest

import domain
from service.words import languages


@pytest.fixture
def shelf(settings, store_in):
    opened = store_in(settings, {title: domain.TITLES[title] for title in ("grand_trunk", "new_england")})
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def only_app(app_of_all):
    return app_of_all


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("grand_trunk", ["move place with card and right of way", "kopple Waggon ab", "haul from … to with card"]),
        ("new_england", ["no proxy city–city", "liefere nichts", "kein Höchstpreis Stadt–Stadt"]),
    ],
)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_page_lists_each_verb_in_every_language(guest, title, lines, lang):
    page = guest.get(f"/rules/{title}/orders", headers={"Accept-Language": lang})
    assert page.status == 200
    text = " ".join(page.text.split())
    for verb in domain.TITLES[title].face.orders.verbs:
        assert verb.rule in text
        assert all(word in text for word in verb.words.template.split(" | ")), verb.words.template
    for each in (*lines, "zurücknehmen", "undo"):
        assert each in text, each
    assert "{" not in text
    assert len(page.root.all("thead")[0].all("th")) == 1 + len(languages())
    assert page.root.all("h1")[0].text.endswith({"en": "orders", "de": "Befehle"}[lang])
