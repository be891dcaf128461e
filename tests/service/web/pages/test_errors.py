"""Failures are pages, too, in the reader's language."""

import pytest

from tests.service.web.pages.browser import Browser


@pytest.mark.parametrize("address", ["/nothing", "/games/nothing!", "/games/zzz", "/rules/x", "/%00", "/games/a%00b"])
def test_an_unknown_address_is_not_found(guest, address):
    page = guest.get(address)
    assert (page.status, page.h1) == (404, "Not found")


def test_an_error_page_speaks_german(app):
    assert Browser(app, "de").get("/nothing").h1 == "Nicht gefunden"


def test_the_address_of_a_form_cannot_be_opened_as_a_page(guest):
    assert guest.get("/play").status == 405


def test_a_form_that_is_too_large_is_refused(ann):
    token = ann.get("/account").form("/account").filled
    assert ann.post("/account", {**token, "name": "x" * 70_000}).status == 413


def test_an_internal_error_reveals_nothing(app, guest, monkeypatch):
    from service.web.pages.front import first as front

    monkeypatch.setattr(front, "opening_board", lambda *_: 1 / 0)
    page = guest.get("/")
    assert (page.status, page.h1) == (500, "Something went wrong on our side")
    assert "ZeroDivision" not in page.html


def test_pages_are_kept_in_no_cache(ann, guest):
    for browser in (ann, guest):
        assert browser.get("/").response.headers["Cache-Control"] == "no-store"
    sheet = next(it.attrs["href"] for it in guest.get("/").root.all("link", rel="stylesheet"))
    assert "immutable" in guest.client.get(sheet).headers["Cache-Control"]


def test_no_page_needs_anything_from_elsewhere(ann):
    for address in ("/", "/games", "/account", "/rules/toy", "/legal"):
        html = ann.get(address).html
        assert "http://" not in html.replace("http://www.w3.org/", "")
        assert "https://" not in html


def test_the_language_can_be_changed_on_the_answer_to_a_form(ann):
    refused = ann.get("/account").form("/account/tokens").submit(name="", scope="read")
    assert refused.status == 422
    forms = [it for it in refused.root.all("form") if it.attrs["action"] == "/language"]
    (back,) = forms[0].all("input", name="next")
    assert ann.get(back.attrs["value"]).status == 200
