"""The fields of a page's address that its links keep: those that pages read, within limits."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

import domain
import service.web.pages
from service.web.pages.frame.addresses import CARRIED, LONGEST_ADDRESS, ONCE, SEVERAL, this_page
from service.web.pages.parts.boards import CHOSEN, opening_view
from tests.service.web.pages.tables import start

PAGES = Path(service.web.pages.__file__).parent
READ = re.compile(
    r"""(?:(?:request\.(?:args|values)|given)\.get(?:list)?|text_in|chosen_in|number_asked)\("(\w+)\""""
    r"""|"(\w+)" in request\.args"""
)
ASKED = re.compile(r"<form[^>]*method=\"get\".*?</form>", re.DOTALL)


@pytest.fixture
def links_of(app):
    """``links_of(address)``: the address that a page there gives itself."""

    def of(address, method="GET"):
        with app.test_request_context(address, method=method):
            return this_page()

    return of


def test_every_field_that_a_page_reads_is_known():
    read = {name for file in PAGES.rglob("*.py") for it in READ.findall(file.read_text()) for name in it if name}
    read |= {
        name
        for file in PAGES.rglob("*.html")
        for form in ASKED.findall(file.read_text())
        for name in re.findall(r'name="(\w+)"', form)
    }
    assert read >= {"at", "do", "try", "seat", "person", "came"}
    assert read - {"game_id", "sandbox_id"} - {*CARRIED, *ONCE} == set()
    assert {CHOSEN, *SEVERAL} <= {*CARRIED, *ONCE}


@pytest.mark.parametrize("title", domain.TITLES.values(), ids=domain.TITLES)
def test_names_of_places_and_kinds_are_short_enough(title):
    assert max(map(len, title.face.places.kinds)) <= CARRIED["do"]
    for small in (False, True):
        assert max(map(len, title.face.places.areas(opening_view(title), small))) <= CARRIED["at"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("x=1", ""),
        ("said=saved&board=wide", ""),
        ("do=move&at=a&at=b&from=20&number=3", "do=move&at=a&at=b&from=20&number=3"),
        ("seat=1&seat=2&x=3", "seat=1"),
        (f"seat=123&from={'9' * 10}&do={'m' * 21}&at={'a' * 61}", ""),
        (f"x={'y' * 200_000}&seat=2", "seat=2"),
        ("=5&seat=", "seat="),
        ("do=%C3%BC%26%23", "do=%C3%BC%26%23"),
    ],
)
def test_a_link_keeps_the_known_fields_of_the_address(links_of, given, kept):
    assert links_of(f"/games/x?{given}") == "/games/x" + (f"?{kept}" if kept else "")


def test_the_kept_fields_fit_into_the_longest_address(links_of):
    for given in (f"at={'%C3%BC' * 50}&" * 500, "try=%22x%22&" * 20_000, f"try={'%20' * LONGEST_ADDRESS}"):
        assert len(links_of(f"/games/x?{given}")) <= LONGEST_ADDRESS + 10


def test_an_address_after_a_form_keeps_no_fields(links_of):
    assert links_of(f"/games/x/move?seat=1&x={'y' * 1000}", "POST") == "/games/x"


def test_unknown_fields_of_an_address_make_no_page_longer(ann, bob):
    """Table and sandbox, with a query of 200 kB, and with the longest known fields."""
    started = start(ann, bob)
    fields = {name: "9" * most for name, most in CARRIED.items() if name not in ("try", "v")}
    for address in (started, ann.get(started).tab("sandbox").press("Open a sandbox here").address):
        plain = len(ann.get(address).text)
        for query in (f"x={'y' * 200_000}", "&".join(["x=1"] * 50_000), "at=" + "z" * 200_000, "try=" + "[" * 200_000):
            assert len(ann.get(f"{address}?{query}").text) == plain
        assert len(ann.get(f"{address}?{urlencode(fields)}").text) < plain + 200_000
