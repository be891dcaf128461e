"""Tables: opening, finding, joining, leaving, inviting, starting; and each viewer's view of a game."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from service.base.clock import now
from service.database.tables import Notice, table_of
from tests import road
from tests.service.lanterns import meanwhile
from tests.service.web.api.test_account import kind
from tests.service.web.api.world import Asker, World

NOTICES = table_of(Notice)


# ==== opening =====================================================================================
def test_the_api_opens_a_table(harriet: Asker) -> None:
    opened = harriet.post("/games", {"title": "toy", "seats": 3, "name": " Evening ", "options": {"length": "long"}})
    assert opened.status_code == 201
    shown = harriet.get(opened.headers["Location"].removeprefix("/api/v1")).json
    assert (shown["name"], shown["seats"], shown["status"], shown["host"]) == ("Evening", 3, "open", "Harriet")  # type: ignore[index]
    assert shown["options"] == {"length": "long", "lively": True}  # type: ignore[index]
    assert shown["may"] == ["join", "cancel", "invite", "set_pace", "set_offer"]  # type: ignore[index]


def test_the_same_request_again_opens_no_second_table(harriet: Asker, alice: Asker) -> None:
    body, key = {"title": "toy", "seats": 2}, {"Idempotency-Key": "one"}
    first, again = (harriet.post("/games", body, headers=key) for _ in range(2))
    assert first.json == again.json
    assert alice.post("/games", body, headers=key).json != first.json
    other = harriet.post("/games", {**body, "seats": 3}, headers=key)
    assert (other.status_code, kind(other)) == (422, "reused")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"title": "chess", "seats": 2},
        {"title": "toy"},
        {"title": "toy", "seats": "2"},
        {"title": "toy", "seats": True},
        {"title": "toy", "seats": 2.0},
        {"title": "toy", "seats": 10**30},
        {"title": "toy", "seats": -1},
        {"title": "toy", "seats": 2, "colour": "red"},
        {"title": "toy", "seats": 2, "options": {"length": "endless"}},
        {"title": "toy", "seats": 2, "options": {"weather": "fine"}},
        {"title": "toy", "seats": 2, "options": {"lively": 1}},
        {"title": "toy", "seats": 2, "options": []},
        {"title": "toy", "seats": 2, "options": None},
        {"title": "toy", "seats": 2, "name": "x" * 81},
        {"title": "toy", "seats": 2, "public": "yes"},
        {"title": "toy\u0000", "seats": 2},
        {"title": "../toy", "seats": 2},
        {"title": ["toy"], "seats": 2},
    ],
)
def test_a_malformed_table_is_refused(harriet: Asker, body: dict[str, object]) -> None:
    answer = harriet.post("/games", body)
    assert (answer.status_code, kind(answer)) == (422, "shape")
    assert answer.json["errors"]  # type: ignore[index]
    assert harriet.get("/games?which=mine").json["games"] == []  # type: ignore[index]


def test_options_against_a_titles_rules_are_refused_with_the_rule(harriet: Asker) -> None:
    answer = harriet.post("/games", {"title": "toy", "seats": 4}, headers={"Accept-Language": "de"})
    assert answer.status_code == 409
    assert (answer.json["rule"], answer.json["sentence"]) == ("TOY 1", "Laternen ist für zwei oder drei.")  # type: ignore[index]
    assert harriet.get("/games?which=mine").json["games"] == []  # type: ignore[index]


# ==== players, seat by seat =======================================================================
def places(who: Asker, game_id: str) -> dict[int, str]:
    return {it["seat"]: it["name"] for it in who.get(f"/games/{game_id}").json["places"]}  # type: ignore[index]


def test_a_table_opens_with_bots_guests_and_free_seats(world: World, harriet: Asker) -> None:
    players = [{"player": "sensible"}, {"player": "nobody"}, {"player": "person", "email": " Guest@Example.org "}]
    opened = harriet.post("/games", {"title": "toy", "players": players})
    assert (opened.status_code, opened.json["invited"]) == (201, 1)  # type: ignore[index]
    game_id = opened.json["id"]  # type: ignore[index]
    shown = harriet.get(f"/games/{game_id}").json
    assert shown["seats"] == 3  # type: ignore[index]
    assert list(places(harriet, game_id)) == [2]
    assert harriet.post(f"/games/{game_id}/join", {}).json["seat"] == 1  # type: ignore[index]
    with world.store.read() as conn:
        owed = conn.execute(select(NOTICES.c.address, NOTICES.c.kind).where(NOTICES.c.game_id == game_id)).all()
    assert ("guest@example.org", "invitation") in owed


def test_the_same_players_again_seat_and_invite_nobody_twice(harriet: Asker) -> None:
    players = [{"player": "sensible"}, {"player": "person", "email": "guest@example.org"}]
    body, key = {"title": "toy", "players": players}, {"Idempotency-Key": "seats"}
    first = harriet.post("/games", body, headers=key)
    game_id = first.json["id"]  # type: ignore[index]
    assert list(places(harriet, game_id)) == [2]
    assert harriet.delete(f"/games/{game_id}/bots/2").status_code == 204
    again = harriet.post("/games", body, headers=key)
    assert again.json == first.json
    assert not places(harriet, game_id), "a bot that was sent away stays away"
    other = harriet.post("/games", {"title": "toy", "players": players[:1]}, headers=key)
    assert (other.status_code, kind(other)) == (422, "reused")


@pytest.mark.parametrize(
    ("more", "errors"),
    [
        ({"players": [{"player": "genius"}]}, {"players": {"0": {"player": ["There is no such bot."]}}}),
        (
            {"players": [{"player": "anybody"}, {"player": "person"}]},
            {"players": {"1": {"email": ["Please enter the email address of this person."]}}},
        ),
        (
            {"players": [{"player": "person", "email": "not an address"}]},
            {"players": {"0": {"email": ["We cannot send email to this address. Please check it."]}}},
        ),
        (
            {"players": [{"player": "person", "email": it} for it in ("a@example.org", "A@example.org")]},
            {"players": {"1": {"email": ["You have entered this address twice."]}}},
        ),
        (
            {"players": [{"player": "anybody", "email": "a@example.org"}]},
            {"players": {"0": {"email": ["Only a person has an email address."]}}},
        ),
        ({"players": [{}]}, {"players": {"0": {"player": ["Missing data for required field."]}}}),
        ({"players": [{"player": "anybody"}], "seats": 2}, {"seats": ["Send either seats or players."]}),
        ({}, {"seats": ["Send either seats or players."]}),
        (
            {"players": [{"player": "sensible"}], "rated": True},
            {"rated": ["Only public games without bots can be rated."]},
        ),
    ],
)  # fmt: skip
def test_a_wrong_player_is_refused_at_its_field(harriet: Asker, more: dict[str, Any], errors: dict[str, Any]) -> None:
    answer = harriet.post("/games", {"title": "toy", **more})
    assert (answer.status_code, kind(answer)) == (422, "shape")
    assert answer.json["errors"] == {"json": errors}  # type: ignore[index]
    assert harriet.get("/games?which=mine").json["games"] == []  # type: ignore[index]


def test_a_seat_that_the_game_needs_cannot_be_nobodys(harriet: Asker) -> None:
    answer = harriet.post("/games", {"title": "toy", "players": [{"player": "nobody"}]})
    assert (answer.status_code, answer.json["rule"]) == (409, "TOY 1")  # type: ignore[index]
    assert harriet.get("/games?which=mine").json["games"] == []  # type: ignore[index]


# ==== finding =====================================================================================
def test_a_person_lists_own_open_and_watchable_games(
    world: World, harriet: Asker, alice: Asker, bob: Asker, charlie: Asker
) -> None:
    private = world.table(harriet, alice, seats=2, public=False)
    open_to_all = world.table(harriet, alice, seats=2)
    running = world.game(harriet, alice, bob)

    def listed(who: Asker, which: str) -> list[str]:
        return [it["id"] for it in who.get(f"/games?which={which}").json["games"]]  # type: ignore[index]

    assert listed(alice, "mine") == listed(harriet, "mine") == [running, open_to_all, private]
    assert listed(bob, "mine") == [running]
    assert listed(charlie, "mine") == []
    for who in (alice, charlie, world.anonymous()):
        assert listed(who, "open") == [open_to_all]
        assert listed(who, "watchable") == [running]


def test_a_stranger_has_no_list_of_own_games(world: World) -> None:
    assert world.anonymous().get("/games?which=mine").status_code == 401


def test_a_line_of_the_list_names_the_seats_to_move(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    game_id = world.game(harriet, alice, bob)
    alice.choose(game_id)
    mine = {who: who.get("/games?which=mine").json["games"][0] for who in (alice, bob, harriet)}  # type: ignore[index]
    assert [(it["seat"], it["my_turn"]) for it in mine.values()] == [(1, False), (2, True), (None, False)]
    assert [place["name"] for place in mine[bob]["places"]] == ["Alice", "Bob"]


def test_lists_come_in_pages(world: World, harriet: Asker) -> None:
    ids = [world.table(harriet, seats=2) for _ in range(5)]
    found, after = [], ""
    for _ in range(3):
        page = harriet.get(f"/games?limit=2{after}").json
        found += [it["id"] for it in page["games"]]  # type: ignore[index]
        after = f"&after={page['next']}"  # type: ignore[index]
    assert page["next"] is None  # type: ignore[index]
    assert sorted(found) == sorted(ids)
    assert len(found) == 5


@pytest.mark.parametrize(
    "query",
    [
        "which=all",
        "limit=0",
        "limit=101",
        "limit=x",
        "after=x",
        "after=1.",
        "status=lost",
        "colour=red",
        "after=99999999999999999999.a",
        "title=%00",
    ],
)
def test_an_unknown_list_is_refused(harriet: Asker, query: str) -> None:
    assert harriet.get(f"/games?{query}").status_code == 422


# ==== seats =======================================================================================
def test_the_lowest_free_seat_is_taken(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    game_id = world.table(harriet, seats=3)
    assert alice.post(f"/games/{game_id}/join", {"seat": 2}).json["seat"] == 2  # type: ignore[index]
    assert bob.post(f"/games/{game_id}/join").json["seat"] == 1  # type: ignore[index]
    assert harriet.post(f"/games/{game_id}/join").json["seat"] == 3  # type: ignore[index]


def test_joining_twice_with_one_key_takes_one_seat(world: World, harriet: Asker, alice: Asker) -> None:
    game_id = world.table(harriet, seats=2)
    first, again = (alice.post(f"/games/{game_id}/join", headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert first.json == again.json
    assert len(world.log_of(game_id)) == 2


def test_one_person_has_one_seat(world: World, harriet: Asker, alice: Asker) -> None:
    game_id = world.table(harriet, alice, seats=2)
    for body in ({}, {"seat": 2}):
        answer = alice.post(f"/games/{game_id}/join", body)
        assert (answer.status_code, answer.json["rule"]) == (409, "ST 2")  # type: ignore[index]
    assert len(world.log_of(game_id)) == 2


def test_a_taken_seat_a_full_table_and_a_taken_choice_are_refused(
    world: World, harriet: Asker, alice: Asker, bob: Asker, charlie: Asker
) -> None:
    game_id = world.table(harriet, seats=2)
    alice.post(f"/games/{game_id}/join", {"choice": {"colour": "red"}})
    for body, rule in (({"seat": 1}, "ST 2"), ({"seat": 3}, "ST 2"), ({"choice": {"colour": "red"}}, "TOY 1")):
        answer = bob.post(f"/games/{game_id}/join", body)
        assert (answer.status_code, answer.json["rule"]) == (409, rule)  # type: ignore[index]
    assert len(world.log_of(game_id)) == 2
    bob.post(f"/games/{game_id}/join")
    assert charlie.post(f"/games/{game_id}/join").json["rule"] == "ST 2"  # type: ignore[index]


@pytest.mark.parametrize(
    "body",
    [
        {"choice": {"colour": "mauve"}},
        {"choice": {"hat": "top"}},
        {"seat": 0},
        {"seat": "1"},
        {"entropy": "x" * 201},
        {"entropy": 5},
        {"person": 1},
    ],
)
def test_an_unknown_seat_is_refused(world: World, harriet: Asker, alice: Asker, body: dict[str, object]) -> None:
    game_id = world.table(harriet, seats=2)
    assert alice.post(f"/games/{game_id}/join", body).status_code == 422
    assert len(world.log_of(game_id)) == 1


def test_a_private_table_is_joined_by_invitation(world: World, harriet: Asker, alice: Asker) -> None:
    opened = harriet.post("/games", {"title": "toy", "seats": 2, "public": False}).json
    game_id, invite = opened["id"], opened["invite"]  # type: ignore[index]
    for body in ({}, {"invite": "x" * 24}, {"invite": invite[:-1]}):
        assert alice.post(f"/games/{game_id}/join", body).status_code == 404
    assert alice.get(f"/games/{game_id}").status_code == 404
    assert alice.get(f"/games/{game_id}?invite={invite}").status_code == 200
    assert alice.post(f"/games/{game_id}/join", {"invite": invite}).status_code == 201
    assert alice.get(f"/games/{game_id}").status_code == 200


def test_a_person_who_leaves_a_private_game_no_longer_sees_it(world: World, harriet: Asker, alice: Asker) -> None:
    game_id = world.table(harriet, alice, seats=2, public=False)
    assert alice.post(f"/games/{game_id}/leave").status_code == 200
    assert alice.get(f"/games/{game_id}").status_code == 404
    assert harriet.get(f"/games/{game_id}").json["places"] == []  # type: ignore[index]


def test_bots_come_and_go(world: World, harriet: Asker, alice: Asker) -> None:
    game_id = world.table(harriet, alice, seats=3)
    seated = harriet.post(f"/games/{game_id}/bots", {"bot": "random", "seat": 3, "choice": {"colour": "blue"}})
    assert (seated.status_code, seated.json["seat"]) == (201, 3)  # type: ignore[index]
    assert harriet.post(f"/games/{game_id}/bots").json["seat"] == 2  # type: ignore[index]
    bots = [it["bot"] for it in harriet.get(f"/games/{game_id}").json["places"]]  # type: ignore[index]
    assert bots == [None, "sensible", "random"]
    assert harriet.delete(f"/games/{game_id}/bots/1").status_code == 404  # Alice is no bot
    assert harriet.delete(f"/games/{game_id}/bots/2").status_code == 204
    assert harriet.post(f"/games/{game_id}/bots", {"bot": "genius"}).status_code == 422
    assert alice.post(f"/games/{game_id}/bots").json["type"].endswith("#not_host")  # type: ignore[index]


def test_a_player_who_sat_down_meanwhile_keeps_the_seat(
    world: World, harriet: Asker, alice: Asker, bob: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another person takes the seat before the request to leave, or to remove a bot, reaches the store."""
    game_id = world.table(harriet, alice, seats=2)
    harriet.post(f"/games/{game_id}/bots", {"seat": 2})

    def bob_has(seat: int) -> Callable[[], None]:
        def swap() -> None:
            road.give_up_seat(world.store, game_id, seat, at=now())
            road.take_seat(world.store, game_id, seat, choice={}, at=now(), person_id=world.numbers["Bob"])

        return swap

    meanwhile(world.store, monkeypatch, bob_has(2))
    assert harriet.delete(f"/games/{game_id}/bots/2").status_code == 404
    road.give_up_seat(world.store, game_id, 2, at=now())
    meanwhile(world.store, monkeypatch, bob_has(1))
    left = alice.post(f"/games/{game_id}/leave")
    assert (left.status_code, left.json["type"].rpartition("#")[2]) == (403, "no_seat")  # type: ignore[index]
    assert [it["name"] for it in harriet.get(f"/games/{game_id}").json["places"]] == ["Bob"]  # type: ignore[index]


# ==== the host ====================================================================================
def test_only_a_full_table_starts(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    game_id = world.table(harriet, alice, seats=2)
    assert harriet.post(f"/games/{game_id}/start").json["rule"] == "ST 4"  # type: ignore[index]
    bob.post(f"/games/{game_id}/join")
    assert alice.post(f"/games/{game_id}/start").status_code == 403
    assert harriet.post(f"/games/{game_id}/start").status_code == 200
    assert harriet.post(f"/games/{game_id}/start").json["rule"] == "ST 4"  # type: ignore[index]
    assert alice.post(f"/games/{game_id}/leave").json["rule"] == "ST 3"  # type: ignore[index]


def test_a_table_can_be_closed(world: World, harriet: Asker, alice: Asker) -> None:
    game_id = world.table(harriet, alice, seats=2)
    assert alice.post(f"/games/{game_id}/cancel").status_code == 403
    assert harriet.post(f"/games/{game_id}/cancel").status_code == 200
    assert harriet.get(f"/games/{game_id}").json["status"] == "cancelled"  # type: ignore[index]
    assert harriet.get("/games").json["games"] == []  # type: ignore[index]


def test_an_invitation_is_mailed_once(world: World, harriet: Asker) -> None:
    game_id = world.table(harriet, seats=2, public=False)
    body = {"emails": ["Dora@Example.org"]}
    first, again = (harriet.post(f"/games/{game_id}/invitations", body).json for _ in range(2))
    assert (first["sent"], again["sent"]) == (1, 0)  # type: ignore[index]
    assert first["invite_link"] == f"{world.settings.site}/join/{first['invite']}"  # type: ignore[index]
    with world.store.read() as conn:
        rows = conn.execute(select(NOTICES).where(NOTICES.c.kind == "invitation")).all()
    assert [row.address for row in rows] == ["dora@example.org"]


def test_one_bad_address_stops_all_invitations(world: World, harriet: Asker) -> None:
    game_id = world.table(harriet, seats=2)
    answer = harriet.post(f"/games/{game_id}/invitations", {"emails": ["dora@example.org", "not one"]})
    assert answer.status_code == 422
    with world.store.read() as conn:
        assert conn.execute(select(NOTICES).where(NOTICES.c.kind == "invitation")).all() == []


# ==== views of a game =============================================================================
def test_no_answer_shows_an_email_address(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    game_id = world.game(harriet, alice, bob)
    for path in (f"/games/{game_id}", "/games?which=watchable", f"/games/{game_id}/log", f"/games/{game_id}/plies"):
        assert "@" not in bob.get(path).text


def test_each_player_sees_only_their_own_hand(
    world: World, alice: Asker, bob: Asker, harriet: Asker, game_id: str
) -> None:
    seen = {who: who.get(f"/games/{game_id}").json for who in (alice, bob, harriet)}
    assert [list(it["view"]["hands"]) for it in seen.values()] == [["1"], ["2"], []]  # type: ignore[index]
    assert [bool(it["hand"]) for it in seen.values()] == [True, True, False]  # type: ignore[index]


def test_the_etag_holds_the_version_and_saves_the_body(alice: Asker, bob: Asker, game_id: str) -> None:
    first = alice.get(f"/games/{game_id}")
    assert first.headers["ETag"].startswith(f'"{first.json["version"]}-')  # type: ignore[index]
    again = alice.get(f"/games/{game_id}", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    bob.choose(game_id)  # quiet: the version shown to Alice stays, but the game no longer waits for Bob
    news = alice.get(f"/games/{game_id}", headers={"If-None-Match": first.headers["ETag"]})
    assert news.status_code == 200
    assert (news.json["version"], news.json["asked"]) == (first.json["version"], [1])  # type: ignore[index]


def test_a_game_works_on_both_databases(both_worlds: World) -> None:
    harriet, alice, bob = (both_worlds.person(name) for name in ("Harriet", "Alice", "Bob"))
    game_id = both_worlds.game(harriet, alice, bob)
    assert harriet.get("/games?which=mine&limit=1").json["next"] is None  # type: ignore[index]
    assert harriet.get("/games?which=watchable&after=9999999999999.a").json["games"][0]["id"] == game_id  # type: ignore[index]
    both_worlds.play_out(game_id, alice, bob)
    assert bob.get(f"/games/{game_id}/result").status_code == 200
