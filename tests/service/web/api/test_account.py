"""The account, personal tokens and their scopes, and requests that another site makes a browser send."""

import io
import zipfile
from datetime import timedelta

import pytest
from freezegun import freeze_time

from service.people.accounts import TOKENS_EACH
from tests.service.web.api.world import Asker, World


def kind(answer: object) -> str:
    return str(answer.json["type"]).partition("#")[2]  # type: ignore[attr-defined]


# ==== the account =================================================================================
def test_a_stranger_has_no_account(world: World) -> None:
    answer = world.anonymous().get("/me")
    assert (answer.status_code, kind(answer)) == (401, "sign_in")


def test_the_api_changes_name_language_and_zone(alice: Asker) -> None:
    changed = alice.patch("/me", {"name": "  Alicia ", "lang": "de", "zone": "Europe/Vienna"}).json
    assert changed == alice.get("/me").json
    assert (changed["name"], changed["lang"], changed["zone"]) == ("Alicia", "de", "Europe/Vienna")  # type: ignore[index]


def test_answers_are_in_the_language_of_the_account(alice: Asker) -> None:
    assert alice.patch("/me", {"lang": "de-AT"}).json["lang"] == "de"  # type: ignore[index]
    assert alice.get("/games/nothing").json["title"] == "Nicht gefunden"  # type: ignore[index]
    asked = alice.get("/games/nothing", headers={"Accept-Language": "en"})
    assert asked.json["title"] == "Not found"  # type: ignore[index]


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "   "},
        {"name": "x" * 41},
        {"name": "a\u0000b"},
        {"name": "a\nb"},
        {"name": "a\u202eb"},
        {"name": None},
        {"name": 5},
        {"lang": "fr"},
        {"lang": "den"},
        {"lang": ""},
        {"lang": "de" + "-x" * 40},
        {"zone": "Mars/Olympus"},
        {"email": "else@example.org"},
        {"id": 1},
    ],
)
def test_bad_values_of_an_account_are_refused(alice: Asker, change: dict[str, object]) -> None:
    before = alice.get("/me").json
    answer = alice.patch("/me", change)
    assert (answer.status_code, kind(answer)) == (422, "shape")
    assert alice.get("/me").json == before


# ==== tokens ======================================================================================
def test_a_token_acts_for_its_owner(world: World, alice: Asker) -> None:
    made = alice.post("/me/tokens", {"name": "My bot", "scopes": ["play", "read"]})
    assert made.status_code == 201
    program = Asker(world.app.test_client(), token=made.json["token"])  # type: ignore[index]
    me = program.get("/me").json
    assert (me["name"], me["scopes"]) == ("Alice", ["read", "play"])  # type: ignore[index]


def test_an_old_session_cannot_create_a_token(world: World) -> None:
    """Otherwise anybody at an unattended browser could make a token that keeps working."""
    with freeze_time("2026-03-01T12:00:00Z") as clock:
        alice = world.person("Alice")
        clock.tick(timedelta(minutes=60))
        answer = alice.post("/me/tokens", {"name": "My bot", "scopes": ["read"]})
        assert (answer.status_code, kind(answer)) == (403, "fresh")
        assert alice.get("/me/tokens").json == {"tokens": []}
        again = world.person("Alice")
        clock.tick(timedelta(minutes=59))
        assert again.post("/me/tokens", {"name": "My bot", "scopes": ["read"]}).status_code == 201


def test_a_token_is_shown_once(alice: Asker) -> None:
    token = alice.post("/me/tokens", {"name": "My bot", "scopes": ["read"]}).json["token"]  # type: ignore[index]
    assert token not in alice.get("/me/tokens").text


def test_the_last_use_of_a_token_is_kept(world: World) -> None:
    with freeze_time("2026-03-01T12:00:00Z") as clock:
        alice, program = world.person("Alice"), world.token("Alice", "read")
        used = lambda: alice.get("/me/tokens").json["tokens"][0]["used_at"]  # type: ignore[index]  # noqa: E731
        assert used() is None
        program.get("/me")
        assert used() == "2026-03-01T12:00:00.000Z"
        clock.tick(timedelta(minutes=59))
        program.get("/me")
        assert used() == "2026-03-01T12:00:00.000Z"
        clock.tick(timedelta(minutes=1))
        program.get("/me")
        assert used() == "2026-03-01T13:00:00.000Z"


def test_a_revoked_token_no_longer_works(world: World, alice: Asker, bob: Asker) -> None:
    program = world.token("Alice")
    number = alice.get("/me/tokens").json["tokens"][0]["id"]  # type: ignore[index]
    assert bob.delete(f"/me/tokens/{number}").status_code == 404
    assert program.get("/me").status_code == 200
    assert alice.delete(f"/me/tokens/{number}").status_code == 204
    answer = program.get("/me")
    assert (answer.status_code, kind(answer)) == (401, "token")
    assert alice.delete(f"/me/tokens/{number}").status_code == 404


@pytest.mark.parametrize(
    "header", ["Bearer nothing", "Bearer ", "Bearer", "Basic YTpi", "stk_x", "Bearer stk_\xff\x00"]
)
def test_a_bad_token_is_refused_even_at_public_addresses(world: World, header: str) -> None:
    answer = world.anonymous().get("/games", headers={"Authorization": header})
    assert (answer.status_code, kind(answer)) == (401, "token")


def test_a_token_cannot_create_tokens(world: World) -> None:
    program = world.token("Alice")
    for answer in (
        program.get("/me/tokens"),
        program.post("/me/tokens", {"name": "x", "scopes": ["read"]}),
        program.patch("/me", {"name": "x"}),
        program.get("/me/sessions"),
        program.delete("/session"),
    ):
        assert (answer.status_code, kind(answer)) == (403, "browser_only")


@pytest.mark.parametrize(
    "body", [{"name": "x", "scopes": []}, {"name": "x", "scopes": ["all"]}, {"name": "", "scopes": ["read"]}, {}]
)
def test_bad_values_of_a_token_are_refused(alice: Asker, body: dict[str, object]) -> None:
    assert alice.post("/me/tokens", body).status_code == 422
    assert alice.get("/me/tokens").json == {"tokens": []}


def test_the_number_of_tokens_is_limited(alice: Asker) -> None:
    for _ in range(TOKENS_EACH):
        assert alice.post("/me/tokens", {"name": "x", "scopes": ["read"]}).status_code == 201
    answer = alice.post("/me/tokens", {"name": "x", "scopes": ["read"]})
    assert (answer.status_code, kind(answer)) == (409, "too_many")


# ==== other sites =================================================================================
@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
def test_another_site_cannot_use_the_cookie(alice: Asker, headers: dict[str, str]) -> None:
    answer = alice.ask("PATCH", "/me", json={"name": "Mallory"}, headers=headers)
    assert (answer.status_code, kind(answer)) == (403, "other_site")
    assert alice.get("/me", headers=headers).json["name"] == "Alice"  # type: ignore[index]  # looking is no harm


@pytest.mark.parametrize(
    "headers", [{}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {"Origin": "http://localhost"}]
)
def test_this_site_can_use_the_cookie(alice: Asker, headers: dict[str, str]) -> None:
    assert alice.ask("PATCH", "/me", json={"name": "Alicia"}, headers=headers).status_code == 200


def test_another_site_cannot_sign_a_browser_in(world: World) -> None:
    browser = world.anonymous()
    browser.post("/sign-in", {"email": "dora@example.org"})
    answer = browser.post("/sign-in/confirm", {"token": "x"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert kind(answer) == "other_site"


def test_a_token_works_from_any_site(world: World) -> None:
    """No browser sends it unasked."""
    answer = world.token("Alice").get("/me", headers={"Origin": "https://a.tool.example"})
    assert answer.status_code == 200


# ==== export and deletion =========================================================================
def test_an_export_holds_all_stored_data(alice: Asker, game_id: str) -> None:
    answer = alice.get("/me/export")
    assert answer.content_type == "application/zip"
    packed = zipfile.ZipFile(io.BytesIO(answer.data))
    assert sorted(packed.namelist()) == [f"games/{game_id}.jsonl", "person.json", "record.csv", "record.json"]
    assert "alice@example.org" in packed.read("person.json").decode()


def test_an_account_is_erased_only_after_typing_its_address(alice: Asker, bob: Asker, game_id: str) -> None:
    for email in ("bob@example.org", "nobody", "alice@example.com"):
        answer = alice.post("/me/erase", {"email": email})
        assert (answer.status_code, kind(answer)) == (422, "shape")
    assert alice.post("/me/erase", {"email": " Alice@example.org"}).status_code == 204
    assert alice.get("/me").status_code == 401
    assert [it["name"] for it in bob.get(f"/games/{game_id}").json["places"] if it["seat"] == 1] == ["(erased)"]  # type: ignore[index]


def test_a_person_sets_the_confirmation_of_moves(alice: Asker) -> None:
    known = alice.get("/me").json
    assert (known["confirm"], known["confirm_live"]) == ("turn", "at_once")  # type: ignore[index]
    changed = alice.patch("/me", {"confirm": "each"}).json
    assert (changed["confirm"], changed["confirm_live"]) == ("each", "at_once")  # type: ignore[index]
    assert kind(alice.patch("/me", {"confirm_live": "never"})) == "shape"
    assert alice.get("/me").json["confirm_live"] == "at_once"  # type: ignore[index]


def test_a_person_sees_and_changes_the_look_of_letters(alice: Asker) -> None:
    wishes = alice.get("/me/mail").json
    assert (wishes["pictures"], wishes["short_receipts"]) == (True, False)  # type: ignore[index]
    changed = alice.patch("/me/mail", {"pictures": False, "short_receipts": True}).json
    assert (changed["pictures"], changed["short_receipts"], changed["quiet"]) == (False, True, False)  # type: ignore[index]
    assert alice.patch("/me/mail", {"pictures": None}).status_code == 422
    assert alice.patch("/me/mail", {"quiet": True}).json["pictures"] is False  # type: ignore[index]
