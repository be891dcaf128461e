"""The rules as a page: every number is an anchor, in every language; the search; the way back to a table."""

import re

import pytest
from msgspec import structs

import domain
from service.web.pages.rules import catalogue, search
from service.web.pages.rules.reading import HOUSE_RULES
from service.words import rulebooks
from tests import toy
from tests.service.web.pages.browser import Browser, parse
from tests.service.web.pages.tables import open_table

TITLES = (toy.TITLE, *domain.TITLES.values())
BOOKS = [(title.catalogue, title.prefix) for title in TITLES] + [(HOUSE_RULES, "ST")]
EVERY = [(*book, lang) for book in BOOKS for lang in rulebooks.languages_of(book[0])]
IDS = [f"{prefix}-{lang}" for _, prefix, lang in EVERY]


def html_of(file, prefix, lang):
    return str(catalogue.joined(catalogue.catalogue(file, prefix, lang)))


@pytest.mark.parametrize(("file", "prefix", "lang"), EVERY, ids=IDS)
def test_every_rule_has_an_anchor(file, prefix, lang):
    numbers = re.findall(rf"\*\*({prefix} \d+(?:\.\d+)?)[ *]", file.read_text(encoding="utf-8"))
    assert len(numbers) > 3
    ids = {it.attrs["id"] for it in parse(html_of(file, prefix, lang)).walk() if "id" in it.attrs}
    assert {number.replace(" ", "-") for number in numbers} <= ids


@pytest.mark.parametrize(("file", "prefix", "lang"), EVERY, ids=IDS)
def test_every_link_inside_the_rules_leads_somewhere(file, prefix, lang):
    tree = parse(html_of(file, prefix, lang))
    ids = [it.attrs["id"] for it in tree.walk() if "id" in it.attrs]
    assert len(ids) == len(set(ids))
    assert {it.attrs["href"][1:] for it in tree.all("a")} <= set(ids)
    assert {anchor for anchor, _ in catalogue.contents(catalogue.catalogue(file, prefix, lang))} <= set(ids)


def test_a_wide_table_of_the_rules_is_scrolled_by_keyboard():
    """A scrolling box takes the focus (WCAG 2.1.1), and the table in it stays a table."""
    text = html_of(domain.TITLES["grand_trunk"].catalogue, "GTJ", "en")
    tables = parse(text).all("table")
    assert tables
    assert text.count('<div class="scroll" tabindex="0"><table>') == len(tables)


def test_the_house_rules_can_be_read(guest):
    page = guest.get("/rules/house")
    assert {f"ST-{number}" for number in range(1, 9)} <= {it.attrs.get("id") for it in page.root.walk()}


def test_the_rules_of_an_unknown_title_are_not_found(guest):
    assert guest.get("/rules/nothing").status == 404


def test_html_in_a_catalogue_stays_text(tmp_path):
    file = tmp_path / "rules.md"
    file.write_text("# T\n\n- **X 1 A.** <script>alert(1)</script> See X 1 and X 12.\n")
    html = html_of(file, "X", "en")
    assert "<script>" not in html
    assert '<a href="#X-1">X 1</a>' in html
    assert "X 12." in html


def test_board_rules_and_credits_name_the_reconstructed_parts(guest):
    for address in ("/", "/rules/toy", "/legal"):
        assert "The path with its lanterns." in guest.get(address).text, address


# ==== in other languages ==========================================================================
@pytest.fixture
def translated(tmp_path, monkeypatch, shelf):
    """Give the toy a German catalogue: one rule is up to date, one renders an earlier text, the others are missing."""
    file = tmp_path / "TOY.md"
    file.write_text(toy.TITLE.catalogue.read_text())
    english = dict(rulebooks.english_parts(file, "TOY"))
    rulebooks.translation(file, "de").write_text(
        f"<!-- chapter-lanterns {rulebooks.digest(english['chapter-lanterns'])} -->\n# Laternen\n\n"
        f"<!-- TOY 1 {rulebooks.digest(english['TOY 1'])} -->\n- **TOY 1 Vorbereitung.** Siehe TOY\n  2 und TOY 5.\n"
        "<!-- TOY 2 0123456789 -->\n- **TOY 2 Wählen.** Eine alte Regel.\n"
    )
    monkeypatch.setitem(shelf.titles, "toy", structs.replace(toy.TITLE, catalogue=file))
    return file


def test_a_part_is_in_english_when_its_translation_renders_an_earlier_text(translated):
    parts = {part.key: part for part in rulebooks.parts(translated, "TOY", "de")}
    assert (parts["TOY 1"].lang, parts["TOY 1"].behind) == ("de", False)
    assert (parts["TOY 2"].lang, parts["TOY 2"].behind) == ("en", True)
    assert "secretly chooses" in parts["TOY 2"].text
    assert (parts["TOY 3"].lang, parts["TOY 3"].behind) == ("en", True), "the translation lacks it"
    english = rulebooks.parts(translated, "TOY", "en")
    assert [part.key for part in english] == list(parts)
    assert not any(part.behind for part in english)


@pytest.mark.usefixtures("translated")
def test_the_page_says_which_rule_is_not_translated_yet(app):
    page = Browser(app, "de").get("/rules/toy")
    article = page.root.all("article")[0]
    assert article.attrs["lang"] == "de"
    assert "Vorbereitung" in article.text
    assert "Eine alte Regel" not in page.text
    behind = {it.text.split(".")[0]: it for it in page.root.all("div", lang="en")}
    assert list(behind) == [f"TOY {number} {name}" for number, name in enumerate(
        ("Choosing", "Leading", "Whispering", "End", "Leaving"), start=2
    )]  # fmt: skip
    note = behind["TOY 2 Choosing"].parent.all("p", lang="de")[0].text
    assert note.startswith("Diese Regel hat sich geändert")
    assert not page.root.all("a", href="/rules/toy?in=de")
    english = Browser(app, "de").get(page.root.all("a", href="/rules/toy?in=en")[0].attrs["href"])
    assert english.root.all("article")[0].attrs["lang"] == "en"
    assert "Vorbereitung" not in english.text


def test_a_title_without_a_translation_is_in_english(app):
    page = Browser(app, "de").get("/rules/toy")
    assert "Diese Regeln gibt es bisher nur auf Englisch." in page.text
    assert page.root.all("article")[0].attrs["lang"] == "en"
    assert not page.root.all("div", **{"class": "behind"})


# ==== the search ==================================================================================
TICKETS = domain.TITLES["ticket_to_ride"]


@pytest.mark.parametrize(
    ("asked", "lang", "first"),
    [
        ("5.4", "en", "TTR 5.4"),
        ("TTR 10.13", "de", "TTR 10.13"),
        ("ttr 4.3", "de", "TTR 4.3"),
        ("locomotive second draw", "en", "TTR 4.3"),
        ("LOKOMOTIVE zweite", "de", "TTR 4.3"),
        ("doppelstrecke gesperrt", "de", "TTR 5.4"),
        ("geprüft", "de", "TTR 4.8"),
    ],
)
def test_rules_are_found_by_number_and_by_words(asked, lang, first):
    hits = search.found(catalogue.catalogue(TICKETS.catalogue, "TTR", lang), asked)
    assert hits[0].key == first
    assert len(hits) < 30


def test_a_number_is_found_as_a_whole_and_with_its_mentions():
    hits = search.found(catalogue.catalogue(TICKETS.catalogue, "TTR", "en"), "TTR 5.4")
    assert [it.key for it in hits[:3]] == ["TTR 5.4", "TTR 5.1", "TTR 10.9"]
    assert all("5.4" in it.html for it in hits)


@pytest.mark.parametrize("asked", ["", "?!", "...", "nothing of the kind", "lanterns 77"])
def test_nothing_is_found_where_nothing_is(asked):
    assert search.found(catalogue.catalogue(toy.TITLE.catalogue, "TOY", "en"), asked) == []


def test_the_page_searches_without_scripts_and_its_links_lead_to_all_rules(guest):
    page = guest.get("/rules/toy").form("/rules/toy").submit(find="secretly")
    assert "Found for “secretly”: 1" in page.text
    assert [it.attrs["id"] for it in page.root.all("article")[0].all("strong")] == ["TOY-2"]
    assert page.root.all("a", **{"class": "number"})[0].attrs["href"] == "/rules/toy#TOY-2"
    assert page.root.all("a", href="/rules/toy")
    assert "Nothing contains “<i>zzz”." in guest.get("/rules/toy?find=%3Ci%3Ezzz").text


# ==== back to the table ===========================================================================
def test_a_rule_opened_from_a_table_leads_back_to_it(ann, bob):
    table = open_table(ann, colour="red")
    refused = bob.get(table).form("/join").submit("Take seat 2", colour="red")
    link = refused.root.all("a", **{"class": "rule"})[0].attrs["href"]
    rules = ann.get(link)
    back = next(it for it in rules.root.all("a") if it.text == "Back to the table")
    assert back.attrs["href"] == table
    assert ann.get(back.attrs["href"]).status == 200
    found = rules.form("/rules/toy").submit(find="walk")
    assert any(it.attrs["href"] == table for it in found.root.all("a")), "the search keeps the way back"


def test_only_a_table_of_this_site_is_led_back_to(guest):
    for given in ("//evil.example", "../legal", "x" * 27, "%0A", ""):
        assert "Back to the table" not in guest.get(f"/rules/toy?game={given}").text
    assert "Back to the sandbox" in guest.get("/rules/toy?sandbox=01abc").text
