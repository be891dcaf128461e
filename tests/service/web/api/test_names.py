"""Allowed names: the same on the pages and in the API, for people, tables, sandboxes and tokens."""

import json
import re
from collections.abc import Callable

import pytest

from service.base.names import BadName, cleaned, has_address, without_addresses
from tests.service.web.api.world import Asker, World
from tests.service.web.pages.browser import Browser

UNSEEN = (
    "A\u200bnn", "Ann\u200d", "A\u00adnn", "\u202eAnn", "A\u2067nn", "Ann\u2028", "A\x00nn", "A\nnn", "A\tnn",
    "Ann\u3164", "\u3164", "\u2800", "\u115f\u1160", "Ann\ufe0f", "Ann\U000e0041", "Ann\U000e0100", "A\u034fnn",
    "\ue000", "Ann\ufeff", "\U0001d159", "Ann\u061c",
)  # fmt: skip
NOTHING = ("", "   ", "\u00a0\u2003", "\u0301")
LINKS = (
    "evil.example", "Ann www.x", "https://1.2.3.4", "ftp://x", "ann@example.org", "EVIL.COM/x", "evil\uff0ecom",
    "evil\u3002com", "evil\u2024com", "mailto:x", "почта.рф", "x.xn--p1ai", "हिन्दी.कॉम",
)  # fmt: skip
GOOD = (
    "Ann", "  Ann   Onym ", "Ann\u00a0Onym", "J.R.R. Tolkien", "Dr. Who", "Zoë", "王小明", "علي", "☺\ufe0f", "R2.2",
    "O'Neil", "Ann - 1. FC", "...", "a.b.c",
)  # fmt: skip
SOME = ("A\u200bnn", "\u202eAnn", "Ann\u2028", "\u3164", "", "evil.example", " Ann\u00a0 Onym ", "☺\ufe0f")
"""The examples for pages and API; the rule itself is tested with all."""


def by_page(world: World) -> tuple[Asker, Browser]:
    """Return Alice twice: for the API, and with the same browser for the pages."""
    alice = world.person("Alice")
    browser = Browser(world.app)
    browser.client = alice.client
    return alice, browser


Try = Callable[[str], bool]


def persons(world: World) -> tuple[Try, Try]:
    alice, browser = by_page(world)
    page = browser.get("/account").form("/account")
    return (
        lambda name: alice.patch("/me", {"name": name}).status_code == 200,
        lambda name: page.submit("Save", name=name).status == 200,
    )


def tables(world: World) -> tuple[Try, Try]:
    alice, browser = by_page(world)

    def by_form(name: str) -> bool:
        return browser.get("/games/new").form("/games/new?title=toy").submit("Open", name=name).status == 200

    return lambda name: alice.post("/games", {"title": "toy", "seats": 2, "name": name}).status_code == 201, by_form


def tokens(world: World) -> tuple[Try, Try]:
    alice, browser = by_page(world)
    page = browser.get("/account").form("/account/tokens")

    def revoke() -> None:
        for it in alice.get("/me/tokens").json["tokens"]:  # type: ignore[index]
            alice.delete(f"/me/tokens/{it['id']}")

    def by_api(name: str) -> bool:
        revoke()
        return alice.post("/me/tokens", {"name": name, "scopes": ["read"]}).status_code == 201

    return by_api, lambda name: page.submit(name=name).status == 200


def sandboxes(world: World) -> tuple[Try, Try]:
    alice, browser = by_page(world)
    game_id = world.game(world.person("Harriet"), alice, world.person("Bob"))
    made = alice.post(f"/games/{game_id}/sandboxes", {}).json["id"]  # type: ignore[index]
    page = browser.get(f"/sandboxes/{made}").tab("note").form("/note")
    return (
        lambda name: alice.patch(f"/sandboxes/{made}", {"name": name}).status_code == 200,
        lambda name: page.submit(name=name).status == 200,
    )


def test_a_name_holds_no_invisible_characters_and_no_addresses() -> None:
    for name in (*UNSEEN, *NOTHING, *LINKS):
        with pytest.raises(BadName):
            cleaned(name, 40, mailed=True)
    for name in (*GOOD, "x" * 40):
        assert cleaned(name, 40, mailed=True) == " ".join(name.split())
    with pytest.raises(BadName):
        cleaned("x" * 41, 40)


@pytest.mark.parametrize(("of", "links"), [(persons, LINKS), (tables, LINKS), (tokens, ()), (sandboxes, ())])
def test_pages_and_api_accept_and_refuse_the_same_names(
    world: World, of: Callable[[World], tuple[Try, Try]], links: tuple[str, ...]
) -> None:
    by_api, by_page = of(world)
    for name in SOME:
        good = name not in (*UNSEEN, *NOTHING, *links)
        assert (by_api(name), by_page(name)) == (good, good), ascii(name)


def test_the_answer_explains_a_bad_name(world: World) -> None:
    alice, browser = by_page(world)
    form = browser.get("/account").form("/account")
    assert "cannot contain a web address" in form.submit("Save", name="evil.example").text
    assert "invisible" in form.submit("Save", name="A\u200bnn").text
    answer = alice.patch("/me", {"name": "evil.example"}).json
    assert answer["errors"]["json"]["name"] == [
        "Web addresses are not allowed. If this is not meant as a web address, put a space after the dot."
    ]  # type: ignore[index]


def test_a_name_from_the_first_page_follows_the_same_rule(world: World) -> None:
    answer = Browser(world.app).post("/play", {"name": "evil.example", "email": "a@example.org", "title": "toy"})
    assert answer.status in (403, 422)
    guest = Browser(world.app)
    page = guest.get("/").form("/play").submit(name="evil.example", email="a@example.org")
    assert (page.status, "cannot contain a web address" in page.text) == (422, True)


def test_names_are_kept_with_single_blanks(world: World) -> None:
    alice = world.person("Alice")
    assert alice.patch("/me", {"name": " Ann\u00a0 Onym "}).json["name"] == "Ann Onym"  # type: ignore[index]


def test_the_document_says_how_long_names_may_be(world: World) -> None:
    described = json.dumps(world.anonymous().get("/openapi.json").json["components"]["schemas"]["MeChanged"])  # type: ignore[index]
    assert re.search(r'"maxLength": 40', described)


@pytest.mark.parametrize("name", LINKS)
def test_names_from_before_the_rule_lose_their_addresses(name: str) -> None:
    plain = without_addresses(name)
    assert not has_address(plain)
    assert plain.replace(" ", "")[0] == name.replace(" ", "")[0]
    assert cleaned(plain, 200, mailed=True)


@pytest.mark.parametrize("name", GOOD)
def test_other_names_stay_as_they_are(name: str) -> None:
    assert without_addresses(name) == name
