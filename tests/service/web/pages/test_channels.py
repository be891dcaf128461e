"""The page of calendar, feeds and webhooks: made, shown once, tried, changed, ended, by forms alone."""

import pytest
from sqlalchemy import select, update

from domain.words import Sentence
from service.base.clock import now
from service.database.store import Store
from service.notices import push, webhooks
from service.notices.kinds import SWITCHED
from service.notices.webhooks import CALLS, WEBHOOKS
from service.web.pages.account.channels import VERIFY
from service.web.pages.parts import notices
from tests.service.web.pages.browser import Browser, Page
from tests.service.web.pages.tables import game_id, start

CHANNELS = "/account/channels"


def add(browser: Browser, url: str = "https://hooks.example/x", **more: object) -> Page:
    return browser.get(CHANNELS).form("/account/channels/webhooks").submit(url=url, **more)


def test_only_a_signed_in_person_reaches_the_page_from_the_account(ann: Browser, guest: Browser) -> None:
    assert ann.get("/account").follow("Calendar, feeds").h1 == "Other channels"
    assert guest.get(CHANNELS).h1 == "Sign in"


@pytest.mark.parametrize(("button", "file"), [("Create a calendar", "turns.ics"), ("Create a feed", "games.atom")])
def test_a_secret_address_is_shown_once_works_and_ends(ann: Browser, guest: Browser, button: str, file: str) -> None:
    made = ann.get(CHANNELS).press(button)
    assert made.root is not None
    address = made.root.all("pre")[0].text.removeprefix("http://127.0.0.1:8000")
    assert address.endswith(f"/{file}")
    assert guest.client.get(address).status_code == 200
    page = ann.get(CHANNELS)
    assert address.split("/")[4] not in page.html
    assert "Last fetched" in page.text
    assert "The address no longer works." in page.press("Remove the address").text
    assert guest.client.get(address).status_code == 404


def test_a_new_webhook_shows_its_secret_once(ann: Browser, shelf: Store) -> None:
    made = add(ann)
    assert made.root is not None
    secret = made.root.all("pre")[0].text
    assert secret.startswith("whs_")
    page = ann.get(CHANNELS)
    assert secret not in page.html
    assert "https://hooks.example/x" in page.text
    assert "No call accepted yet." in page.text
    with shelf.read() as conn:
        row = conn.execute(select(WEBHOOKS)).one()
    assert row.kinds.split() != []


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://hooks.example/", "must begin with https://"),
        ("https://a:b@hooks.example/", "must not contain a name"),
        ("https://hooks.example:25/", "ports 443 and 8443"),
        ("https://", "We cannot call this web address"),
    ],
)
def test_a_refused_address_is_explained_and_stays_in_the_form(ann: Browser, url: str, said: str) -> None:
    page = add(ann, url)
    assert page.status == 422
    assert said in page.text
    assert page.form("/account/channels/webhooks").filled["url"] == url


def test_a_person_switches_a_webhook_narrows_its_kinds_and_removes_it(ann: Browser, bob: Browser, shelf: Store) -> None:
    add(ann)
    page = ann.get(CHANNELS).press("Switch off")
    assert page.has_button("Switch on")
    page = page.press("Switch on")
    assert page.has_button("Switch off")
    one = next(it for it in page.forms if it.address.endswith("/webhooks/1") and it.buttons[0].text.startswith("Save"))
    assert f"Notices (1 of {len(SWITCHED)})" in one.submit(kind="over").text
    for wish in ("off", "try", "remove"):
        csrf = bob.get(CHANNELS).forms[0].filled["csrf"]
        assert bob.post("/account/channels/webhooks/1", {"wish": wish, "csrf": csrf}).status == 404
    assert "The webhook is removed." in ann.get(CHANNELS).press("Remove").text


def test_the_page_waits_for_a_trial_call_and_shows_its_result(ann: Browser, shelf: Store) -> None:
    add(ann)
    page = ann.get(CHANNELS).press("Send a test call")
    assert "We are sending the test call." in page.text
    assert 'http-equiv="refresh"' in page.html
    for state, detail, said in (
        ("sent", "answered 204", "The test call was accepted."),
        ("dead", "answered 500", "The test call failed: the receiver answered 500."),
        ("dead", "no_host", "The test call failed: this host does not exist on the public internet."),
    ):
        with shelf.write() as conn:
            conn.execute(update(CALLS).values(state=state, detail=detail))
        page = ann.get(page.address)
        assert said in page.text
        assert 'http-equiv="refresh"' not in page.html


def test_the_page_explains_a_switched_off_webhook_in_both_languages(ann: Browser, shelf: Store) -> None:
    add(ann)
    failed = {"enabled": False, "disabled_for": "answered 404", "failed_at": now(), "error": "certificate too old"}
    with shelf.write() as conn:
        conn.execute(update(WEBHOOKS).values(**failed))
    page = ann.get(CHANNELS)
    assert "after repeated failures: the receiver answered 404." in page.text
    assert "its certificate is not valid: too old." in page.text
    ann.get("/account").form("/account").submit("Save", lang="de")
    assert "Nach wiederholten Fehlern abgeschaltet: der Empfänger antwortete 404." in ann.get(CHANNELS).text


def test_at_the_limit_of_webhooks_the_form_is_missing(ann: Browser) -> None:
    for _ in range(webhooks.WEBHOOKS_EACH):
        add(ann)
    assert not ann.get(CHANNELS).has_form("/account/channels/webhooks")


def test_a_watched_game_leads_feed_readers_to_its_feed(ann: Browser, bob: Browser, guest: Browser) -> None:
    address = start(ann, bob)
    page = guest.get(address)
    assert page.root is not None
    (link,) = page.root.all("link", type="application/atom+xml")
    assert link.attrs["href"] == f"/api/v1/games/{game_id(address)}/log.atom?lang=en"
    assert guest.client.get(link.attrs["href"]).status_code == 200


def test_the_sample_code_checks_a_signature(settings: object) -> None:
    known: dict[str, object] = {}
    exec(VERIFY, known)
    at = now() // 1000
    headers = {"Slow-Train-Timestamp": str(at), "Slow-Train-Signature": webhooks.signature("s", at, b"{}")}
    assert known["is_genuine"](headers, b"{}", "s")  # type: ignore[operator]
    assert not known["is_genuine"](headers, b"{ }", "s")  # type: ignore[operator]
    assert not known["is_genuine"](headers | {"Slow-Train-Timestamp": str(at - 600)}, b"{}", "s")  # type: ignore[operator]


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (Sentence("you have moved since"), "du hast seither gezogen"),
        ("switched off", "der Webhook ist ausgeschaltet"),
        ("answered 404", "404"),
        ("what nobody knows", "what nobody knows"),
    ],
)
def test_the_cause_of_a_failed_call_is_in_the_readers_language(app, kept, said):
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert said in notices.cause(kept)


# ==== devices =====================================================================================
KEYS = {"p256dh": "B" + "A" * 86, "auth": "A" * 22}
"""Of the right length; a push service never sees them."""


def test_a_device_is_added_listed_and_removed(ann):
    page = ann.get("/account/channels")
    page = page.form("/devices").submit("Show notices", endpoint="https://push.example/abc", **KEYS)
    assert "A device, through push.example" in page.text
    assert "https://push.example/abc" not in page.html, "the address is a key"
    assert "A device" not in page.press("Remove").text


def test_a_device_with_a_wrong_address_or_keys_is_refused(ann):
    form = ann.get("/account/channels").form("/devices")
    assert form.submit("Show notices", endpoint="http://push.example/abc", **KEYS).status == 400
    assert form.submit("Show notices", endpoint="https://push.example/abc", p256dh="x", auth="x").status == 400


def test_devices_are_limited_and_leave_room_for_webhooks(ann):
    form = ann.get("/account/channels").form("/devices")
    for number in range(push.DEVICES_EACH):
        assert form.submit("Show notices", endpoint=f"https://push.example/{number}", **KEYS).status == 200
    page = form.submit("Show notices", endpoint="https://push.example/more", **KEYS)
    assert (page.status, "too many devices" in page.text) == (409, True)
    assert page.has_button("Add the webhook")


def test_without_the_packages_no_device_is_offered(ann, monkeypatch):
    monkeypatch.setattr(push, "is_there", lambda: False)
    assert not ann.get("/account/channels").has_form("/devices")


def test_the_site_can_be_installed(ann, guest):
    page = ann.get("/games")
    assert page.root.all("link", rel="manifest")
    told = guest.get("/manifest.webmanifest").response.json
    assert (told["start_url"], told["display"]) == ("/games", "standalone")
    worker = guest.get("/service-worker.js").response
    assert worker.mimetype == "text/javascript"
    assert worker.headers["Cache-Control"] == "no-cache"
    assert "No connection" in guest.get("/offline").text
