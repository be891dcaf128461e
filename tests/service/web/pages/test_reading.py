"""The rules as a page: every number is an anchor."""

import re

import pytest

import domain
from service.web.pages.rules import reading
from tests import toy
from tests.service.web.pages.browser import parse


@pytest.mark.parametrize("title", [toy.TITLE, *domain.TITLES.values()], ids=lambda title: title.id)
def test_every_rule_has_an_anchor(title):
    text = title.catalogue.read_text(encoding="utf-8")
    numbers = re.findall(rf"\*\*({title.prefix} \d+(?:\.\d+)?)[ *]", text)
    assert len(numbers) > 3
    read = reading.catalogue(title.catalogue, (title.prefix,))
    ids = {it.attrs["id"] for it in parse(str(read.text)).walk() if "id" in it.attrs}
    assert {number.replace(" ", "-") for number in numbers} <= ids


@pytest.mark.parametrize("title", [toy.TITLE, *domain.TITLES.values()], ids=lambda title: title.id)
def test_every_link_inside_the_rules_leads_somewhere(title):
    tree = parse(str(reading.catalogue(title.catalogue, (title.prefix,)).text))
    ids = [it.attrs["id"] for it in tree.walk() if "id" in it.attrs]
    assert len(ids) == len(set(ids))
    assert {it.attrs["href"][1:] for it in tree.all("a")} <= set(ids)


def test_a_wide_table_of_the_rules_is_scrolled_by_keyboard():
    """A scrolling box takes the focus (WCAG 2.1.1), and the table in it stays a table."""
    text = str(reading.catalogue(domain.TITLES["grand_trunk"].catalogue, ("GTJ",)).text)
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
    html = str(reading.catalogue(file, ("X",)).text)
    assert "<script>" not in html
    assert '<a href="#X-1">X 1</a>' in html
    assert "X 12." in html


def test_board_rules_and_credits_name_the_reconstructed_parts(guest):
    for address in ("/", "/rules/toy", "/legal"):
        assert "The path with its lanterns." in guest.get(address).text, address
