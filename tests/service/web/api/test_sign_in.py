"""Sign-in by a mailed link, and its sessions."""

import re
from datetime import timedelta
from typing import Any

import pytest
from freezegun import freeze_time
from sqlalchemy import select

from service.database.tables import Notice, SignInLink, table_of
from service.people import accounts, outbox
from service.web.app import create_app
from tests.service.web.api.world import Asker, World

NOON = "2026-03-01T12:00:00Z"


def mailed_token(world: World, address: str = "dora@example.org") -> str:
    """Return the token of the last link mailed to this address."""
    outbox = table_of(Notice)
    with world.store.read() as conn:
        newest = select(outbox).where(outbox.c.address == address).order_by(outbox.c.id.desc())
        payload = conn.execute(newest).first().payload  # type: ignore[union-attr]
        address_of_link = accounts.link_address(world.settings, conn, payload)
    assert address_of_link is not None
    assert address_of_link.startswith(f"{world.settings.site}/sign-in/")
    return address_of_link.rpartition("/")[2]


def ask(asker: Asker, email: str = "dora@example.org", **more: Any) -> Any:
    return asker.post("/sign-in", {"email": email, **more})


def confirm(asker: Asker, token: str, **more: Any) -> Any:
    return asker.post("/sign-in/confirm", {"token": token, **more})


def test_a_mailed_link_signs_in(world: World) -> None:
    browser = world.anonymous()
    assert ask(browser, next="/games/abc").status_code == 202
    done = confirm(browser, mailed_token(world))
    assert done.status_code == 200
    assert done.json["new"] is True
    assert done.json["next"] == "/games/abc"
    assert browser.get("/me").json["email"] == "dora@example.org"


def test_the_first_name_of_a_person_does_not_show_the_address(world: World) -> None:
    browser = world.anonymous()
    ask(browser)
    assert "dora" not in confirm(browser, mailed_token(world)).json["me"]["name"]


def test_a_returning_person_gets_the_same_account(world: World) -> None:
    for new in (True, False):
        browser = world.anonymous()
        ask(browser, "  DORA@Example.org ")
        assert confirm(browser, mailed_token(world)).json["new"] is new


def test_a_new_account_takes_the_language_of_the_browser(world: World) -> None:
    browser = world.anonymous()
    ask(browser)
    done = browser.post(
        "/sign-in/confirm", {"token": mailed_token(world)}, headers={"Accept-Language": "de-AT,en;q=0.3"}
    )
    assert done.json["me"]["lang"] == "de"  # type: ignore[index]


def test_a_link_works_once(world: World) -> None:
    browser = world.anonymous()
    ask(browser)
    token = mailed_token(world)
    confirm(browser, token)
    again = confirm(browser, token)
    assert (again.status_code, again.json["type"]) == (403, "/api/v1/docs#link")


def test_a_link_works_for_ten_minutes(world: World) -> None:
    browser = world.anonymous()
    with freeze_time(NOON) as clock:
        ask(browser)
        token = mailed_token(world)
        clock.tick(timedelta(minutes=10))
        assert confirm(browser, token).json["type"] == "/api/v1/docs#link"
        ask(browser)
        clock.tick(timedelta(minutes=9, seconds=59))
        assert confirm(browser, mailed_token(world)).status_code == 200


def test_another_browser_needs_the_digits(world: World) -> None:
    code = ask(world.anonymous()).json["code"]
    assert re.fullmatch("[0-9]{6}", code)
    token, phone = mailed_token(world), world.anonymous()
    assert confirm(phone, token).json["type"] == "/api/v1/docs#code"
    assert confirm(phone, token, code=code).status_code == 200


def test_digits_can_be_tried_five_times(world: World) -> None:
    code = ask(world.anonymous()).json["code"]
    wrong = f"{(int(code) + 1) % 10**6:06}"
    token, phone = mailed_token(world), world.anonymous()
    kinds = [confirm(phone, token, code=wrong).json["type"].partition("#")[2] for _ in range(5)]
    assert kinds == ["code", "code", "code", "code", "link"]
    assert confirm(phone, token, code=code).json["type"] == "/api/v1/docs#link"


def test_unknown_and_used_tokens_get_the_same_answer(world: World) -> None:
    browser = world.anonymous()
    ask(browser)
    token = mailed_token(world)
    confirm(browser, token)
    used, unknown = confirm(browser, token), confirm(browser, "nothing-of-the-kind")
    assert (used.status_code, used.data) == (unknown.status_code, unknown.data)


def test_known_and_unknown_addresses_get_the_same_answer(world: World) -> None:
    world.person("Alice")
    known, unknown = ask(world.anonymous(), "alice@example.org"), ask(world.anonymous(), "nobody@example.org")
    assert known.status_code == unknown.status_code == 202
    assert known.json.keys() == unknown.json.keys()
    assert known.json["expires_in"] == unknown.json["expires_in"]
    assert {name for name, _ in known.headers} == {name for name, _ in unknown.headers}


def test_no_secret_of_a_link_lies_in_the_database(world: World) -> None:
    code = ask(world.anonymous()).json["code"]
    token = mailed_token(world)
    with world.store.read() as conn:
        rows = [*conn.execute(select(table_of(SignInLink))), *conn.execute(select(table_of(Notice)))]
    assert token not in str(rows)
    assert code not in str([value for row in rows for value in row if isinstance(value, str)])


def test_link_and_email_are_written_in_one_transaction(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the mail cannot be stored, there is no link either."""
    monkeypatch.setattr(outbox, "_INSERT", None)
    with pytest.raises(AttributeError), world.store.write() as conn:
        accounts.ask_for_link(
            conn, world.settings, "dora@example.org", browser="b" * 32, next="/", lang="en", at=1_000_000
        )
    with world.store.read() as conn:
        assert conn.execute(select(table_of(SignInLink))).all() == []


@pytest.mark.parametrize(
    "next", ["https://evil.example", "//evil.example", "/\\evil.example", "games", "/play?title=toy", "/play"]
)
def test_the_sign_in_leads_only_to_pages_of_this_site(world: World, next: str) -> None:
    assert ask(world.anonymous(), next=next).status_code == 422


@pytest.mark.parametrize(
    "email", ["", "dora", "dora@", "a@b@c.example", "dora@example.org\nBcc: x@example.org", "d" * 300 + "@example.org"]
)
def test_a_bad_address_is_refused(world: World, email: str) -> None:
    answer = ask(world.anonymous(), email)
    assert (answer.status_code, answer.json["type"]) == (422, "/api/v1/docs#shape")
    with world.store.read() as conn:
        assert conn.execute(select(table_of(Notice))).all() == []


def test_a_session_cookie_is_guarded(world: World) -> None:
    browser = world.anonymous()
    ask(browser)
    cookie = next(it for it in confirm(browser, mailed_token(world)).headers.getlist("Set-Cookie") if "session" in it)
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Path=/" in cookie


def test_over_https_cookies_belong_to_this_host_alone(world: World) -> None:
    settings = world.settings.with_(base_url="https://trains.example")
    browser = World(create_app(settings, world.store), world.store, settings).anonymous()
    first = ask(browser).headers["Set-Cookie"]
    assert first.startswith("__Host-browser=")
    assert "Secure" in first
    assert "Domain" not in first
    assert ask(browser).headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"


def test_a_session_ends_when_it_is_not_used(world: World) -> None:
    with freeze_time(NOON) as clock:
        alice = world.person("Alice")
        clock.tick(timedelta(milliseconds=accounts.USUAL.idle - 1))
        assert alice.get("/me").status_code == 200  # this counts as a visit
        clock.tick(timedelta(milliseconds=accounts.USUAL.idle - 1))
        assert alice.get("/me").status_code == 200
        clock.tick(timedelta(milliseconds=accounts.USUAL.idle))
        assert alice.get("/me").status_code == 401


def test_a_session_ends_even_if_it_is_used(world: World) -> None:
    with freeze_time(NOON) as clock:
        alice = world.person("Alice")
        for _ in range(accounts.USUAL.life // accounts.USUAL.idle):
            assert alice.get("/me").status_code == 200
            clock.tick(timedelta(milliseconds=accounts.USUAL.idle - 1))
        assert alice.get("/me").status_code == 200
        clock.tick(timedelta(milliseconds=accounts.USUAL.idle - 1))
        assert alice.get("/me").status_code == 401


def test_the_settings_say_how_long_a_session_lasts(world: World) -> None:
    settings = world.settings.with_(session_days=10, session_idle_days=2, session_fresh_minutes=30)
    shorter = World(create_app(settings, world.store), world.store, settings)
    with freeze_time(NOON) as clock:
        browser = shorter.anonymous()
        ask(browser)
        assert "Max-Age=864000;" in confirm(browser, mailed_token(shorter)).headers["Set-Cookie"]
        clock.tick(timedelta(days=2))
        assert browser.get("/me").status_code == 401  # two days without a visit
        ask(browser)
        confirm(browser, mailed_token(shorter))
        clock.tick(timedelta(minutes=30))
        made = browser.post("/me/tokens", {"name": "late", "scopes": ["read"]})
        assert (made.status_code, made.json["type"].rpartition("#")[2]) == (403, "fresh")
        for _ in range(9):
            clock.tick(timedelta(days=1))
            assert browser.get("/me").status_code == 200
        clock.tick(timedelta(days=1))
        assert browser.get("/me").status_code == 401  # ten days in all


def test_signing_out_empties_the_browsers_cache_and_leaves_cookies_and_sealed_words(alice: Asker) -> None:
    # Words of luck that are still sealed lie in the browser alone; neighbours on the domain have cookies of their own.
    assert alice.delete("/session").headers["Clear-Site-Data"] == '"cache"'


def test_a_person_signs_out(world: World, alice: Asker) -> None:
    assert alice.delete("/session").status_code == 204
    assert alice.get("/me").status_code == 401


def test_signing_in_again_gives_another_session(world: World) -> None:
    browser = world.anonymous()
    tokens = []
    for _ in range(2):
        ask(browser)
        confirm(browser, mailed_token(world))
        tokens.append(browser.client.get_cookie("session").value)  # type: ignore[union-attr]
    assert tokens[0] != tokens[1]


def test_signing_in_ends_the_browsers_earlier_session(world: World) -> None:
    """It holds for everybody's session: its owner could not return to it, but a thief of its cookie could."""
    browser, thief, phone = world.anonymous(), world.anonymous(), world.person("Dora")
    ask(browser)
    confirm(browser, mailed_token(world))
    stolen = browser.client.get_cookie("session")
    assert stolen is not None
    thief.client.set_cookie("session", stolen.value)
    for email in ("emil@example.org", "emil@example.org"):
        assert thief.get("/me").status_code == 200
        ask(browser, email)
        assert confirm(browser, mailed_token(world, email)).status_code == 200
        assert thief.get("/me").status_code == 401
        assert browser.get("/me").json["email"] == email  # type: ignore[index]
        stolen = browser.client.get_cookie("session")
        assert stolen is not None
        thief.client.set_cookie("session", stolen.value)
    assert phone.get("/me").status_code == 200, "other browsers stay signed in"


def test_a_link_that_signs_nobody_in_ends_no_session(world: World, alice: Asker) -> None:
    assert confirm(alice, "nothing-of-the-kind").status_code == 403
    assert alice.get("/me").status_code == 200


def test_sessions_are_listed_and_ended(world: World, bob: Asker) -> None:
    here, phone = world.person("Alice"), world.person("Alice")
    listed = here.get("/me/sessions").json["sessions"]  # type: ignore[index]
    assert [it["current"] for it in listed].count(True) == 1
    other = next(it["id"] for it in listed if not it["current"])
    assert bob.delete(f"/me/sessions/{other}").status_code == 404
    assert phone.get("/me").status_code == 200
    assert here.delete(f"/me/sessions/{other}").status_code == 204
    assert phone.get("/me").status_code == 401
    assert here.delete(f"/me/sessions/{other}").status_code == 404


def test_the_sign_in_works_on_both_databases(both_worlds: World) -> None:
    browser = both_worlds.anonymous()
    ask(browser)
    assert confirm(browser, mailed_token(both_worlds)).status_code == 200
    assert browser.patch("/me", {"name": "Dora"}).json["name"] == "Dora"  # type: ignore[index]


# ==== names and zones =============================================================================
def test_a_program_gives_name_and_zone_of_a_new_person(world: World) -> None:
    browser = world.anonymous()
    ask(browser)
    me = confirm(browser, mailed_token(world), name=" Dora ", zone="Europe/Vienna").json["me"]
    assert (me["name"], me["named"], me["zone"], me["zone_known"]) == ("Dora", True, "Europe/Vienna", True)
    ask(browser)
    me = confirm(browser, mailed_token(world), name="Mallory", zone="Asia/Tokyo").json["me"]
    assert (me["name"], me["zone"]) == ("Dora", "Europe/Vienna")


def test_the_zone_may_come_with_the_request_for_a_link(world: World) -> None:
    browser = world.anonymous()
    ask(browser, zone="Europe/Vienna")
    me = confirm(browser, mailed_token(world)).json["me"]
    assert (me["zone"], me["zone_known"], me["named"]) == ("Europe/Vienna", True, False)


@pytest.mark.parametrize("more", [{"zone": "Mars/Olympus"}, {"zone": ""}, {"name": ""}, {"name": "x" * 41}])
def test_a_bad_name_or_zone_leaves_the_link_valid(world: World, more: dict[str, str]) -> None:
    browser = world.anonymous()
    ask(browser)
    token = mailed_token(world)
    assert confirm(browser, token, **more).status_code == 422
    assert confirm(browser, token).status_code == 200


def test_a_name_chosen_in_the_account_is_not_replaced(world: World) -> None:
    browser = world.anonymous()
    ask(browser)
    confirm(browser, mailed_token(world))
    me = browser.patch("/me", {"name": "Dora", "zone": "UTC"}).json
    assert (me["named"], me["zone_known"]) == (True, True)  # type: ignore[index]
