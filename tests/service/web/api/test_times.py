"""Time over the API: paces, clocks in a game, seats of absent players, one's own days off and waking hours."""

from datetime import date, timedelta
from typing import Any

import pytest
from freezegun import freeze_time

from domain.pace import DAY, HOUR, PRESETS
from service.base.clock import iso, now
from tests.service.web.api.test_account import kind
from tests.service.web.api.world import Asker, World
from workers import clocks

PACE = {"turn": DAY, "excuse": False, "then": "substitute", "reminders": [HOUR]}


def paced(world: World, host: Asker, *players: Asker, pace: Any = PACE, public: bool = True) -> str:
    body = {"title": "toy", "seats": len(players), "public": public, "pace": pace}
    opened = host.post("/games", body)
    assert opened.status_code == 201, opened.text
    game_id = str(opened.json["id"])  # type: ignore[index]
    for player in players:
        player.post(f"/games/{game_id}/join", {"invite": opened.json["invite"]})  # type: ignore[index]
    assert host.post(f"/games/{game_id}/start").status_code == 200
    return game_id


def shown(who: Asker, game_id: str) -> Any:
    return who.get(f"/games/{game_id}").json


def test_paces_have_names_and_words_and_a_table_is_opened_with_one(world: World, alice: Asker, bob: Asker) -> None:
    listed = world.anonymous().get("/paces", headers={"Accept-Language": "de"}).json["paces"]  # type: ignore[index]
    assert [it["id"] for it in listed] == list(PRESETS)
    assert listed[2]["name"] == "ein Tag je Zug"
    assert listed[2]["said"][0] == "Zeit für einen Zug: 1 Tag."
    game_id = paced(world, alice, alice, bob, pace=listed[2]["pace"])
    game = shown(bob, game_id)
    assert game["pace"] == listed[2]["pace"]
    assert "Time for a turn: 1 day." in game["pace_said"]
    assert [(it["seat"], it["overdue"]) for it in game["clocks"]] == [(1, False), (2, False)]


def test_the_host_chooses_another_pace_before_the_start(world: World, alice: Asker, bob: Asker) -> None:
    opened = alice.post("/games", {"title": "toy", "seats": 2, "pace": PACE}).json
    game_id = str(opened["id"])  # type: ignore[index]
    assert bob.post(f"/games/{game_id}/pace", {"pace": None}).status_code == 403
    assert kind(alice.post(f"/games/{game_id}/pace", {"pace": {"turn": 1}})) == "refused"
    assert alice.post(f"/games/{game_id}/pace", {"pace": None}).status_code == 200
    assert shown(bob, game_id)["pace"] is None
    assert alice.post(f"/games/{game_id}/pace", {"pace": {"turn": HOUR}}).status_code == 200
    assert shown(bob, game_id)["pace"]["turn"] == HOUR
    for player in (alice, bob):
        player.post(f"/games/{game_id}/join", {"invite": opened["invite"]})  # type: ignore[index]
    alice.post(f"/games/{game_id}/start")
    assert "set_pace" not in shown(alice, game_id)["may"]
    assert kind(alice.post(f"/games/{game_id}/pace", {"pace": None})) == "refused"


def test_a_table_without_a_pace_shows_none(world: World, alice: Asker, game_id: str) -> None:
    game = shown(alice, game_id)
    assert (game["pace"], game["pace_said"], game["clocks"], game["away"], game["vacant"]) == (None, [], [], [], [])


@pytest.mark.parametrize(
    ("pace", "said"),
    [
        ({}, "shape"),
        ({"turn": True}, "shape"),
        ({"turn": DAY, "then": "win"}, "shape"),
        ({"turn": DAY, "x": 1}, "shape"),
        ({"turn": 1}, "refused"),
        ({"turn": DAY, "reminders": [1, 2]}, "refused"),
        ({"turn": DAY, "bank": 5}, "refused"),
    ],
)
def test_a_pace_out_of_shape_or_bounds_is_refused(world: World, alice: Asker, pace: Any, said: str) -> None:
    answer = alice.post("/games", {"title": "toy", "seats": 2, "pace": pace})
    assert kind(answer) == said


def test_a_moved_deadline_changes_the_etag(world: World, alice: Asker, bob: Asker) -> None:
    game_id = paced(world, alice, alice, bob)
    tag = alice.tag(game_id)
    today = date.fromtimestamp(now() / 1000)
    assert bob.post("/me/absences", {"first_day": str(today), "last_day": str(today)}).status_code == 201
    assert alice.tag(game_id) != tag


def test_a_seat_that_opens_is_listed_and_taken_by_a_substitute(
    world: World, alice: Asker, bob: Asker, charlie: Asker
) -> None:
    game_id = paced(world, alice, alice, bob)
    alice.choose(game_id)
    assert charlie.get("/games?which=substitute").json["games"] == []  # type: ignore[index]
    clocks.call(world.store, now() + DAY)
    assert shown(charlie, game_id)["vacant"] == [2]
    assert "take_over" in shown(charlie, game_id)["may"]
    (listed,) = charlie.get("/games?which=substitute").json["games"]  # type: ignore[index]
    assert (listed["id"], listed["vacant"]) == (game_id, [2])
    assert {"stand_in"} <= {*shown(alice, game_id)["may"]}
    assert "move" not in shown(bob, game_id)["may"]
    assert "return_to_seat" in shown(bob, game_id)["may"]
    taken = charlie.post(f"/games/{game_id}/take-over", {"seat": 2})
    assert taken.status_code == 200
    assert shown(charlie, game_id)["seat"] == 2
    assert shown(charlie, game_id)["hand"]
    assert shown(bob, game_id)["seat"] is None
    assert charlie.choose(game_id).status_code == 201
    again = bob.post(f"/games/{game_id}/return", {})
    assert kind(again) == "no_seat"


def test_the_player_returns_from_a_bot_and_the_host_may_seat_one(world: World, alice: Asker, bob: Asker) -> None:
    game_id = paced(world, alice, alice, bob)
    alice.choose(game_id)
    clocks.call(world.store, now() + DAY)
    assert shown(alice, game_id)["vacant"] == [2]
    assert kind(bob.post(f"/games/{game_id}/stand-in", {"seat": 2})) == "not_host"
    assert alice.post(f"/games/{game_id}/stand-in", {"seat": 2}).status_code == 200
    game = shown(bob, game_id)
    assert (game["away"], game["vacant"]) == ([2], [])
    assert game["places"][1] == {"seat": 2, "name": "Bob", "bot": "sensible", "left": False}
    moved = bob.move(game_id, {"command": "Whisper", "number": 1})
    assert (moved.status_code, moved.json["rule"]) == (409, "ST 15")  # type: ignore[index]
    assert bob.post(f"/games/{game_id}/return", {}).status_code == 200
    assert shown(bob, game_id)["away"] == []
    assert [it["seat"] for it in shown(bob, game_id)["clocks"]] == [2]


def test_a_paused_game_is_marked_and_goes_on_when_a_player_returns(world: World, alice: Asker, bob: Asker) -> None:
    game_id = paced(world, alice, alice, bob, pace={**PACE, "then": "bot"})
    tag = alice.tag(game_id)
    clocks.call(world.store, now() + DAY)
    game = shown(bob, game_id)
    assert (game["waited_for"], game["away"], game["clocks"], game["stand_ins"]) == ([1, 2], [1], [], [])
    assert {"return_to_seat", "move"} <= {*game["may"]}
    assert "move" not in shown(alice, game_id)["may"]
    assert alice.tag(game_id) != tag
    (listed,) = bob.get("/games?which=mine").json["games"]  # type: ignore[index]
    assert listed["paused"] is True
    assert bob.post(f"/games/{game_id}/return", {}).status_code == 200
    game = shown(bob, game_id)
    assert (game["waited_for"], [it["seat"] for it in game["clocks"]]) == ([], [2])
    assert [it["seat"] for it in game["stand_ins"]] == [1]
    assert game["stand_ins"][0]["until"] > iso(now() + HOUR)
    told = bob.get(f"/games/{game_id}/plies").json["plies"][-1]["events"]  # type: ignore[index]
    assert [it["event"] for it in told] == ["SeatReturned", "GameResumed", "ClockStarted", "StandInWaits"]
    (listed,) = bob.get("/games?which=mine").json["games"]  # type: ignore[index]
    assert listed["paused"] is False
    assert kind(bob.post(f"/games/{game_id}/return", {})) == "refused"


def test_a_seat_at_a_private_table_is_taken_over_by_invitation_only(
    world: World, alice: Asker, bob: Asker, charlie: Asker
) -> None:
    game_id = paced(world, alice, alice, bob, public=False)
    clocks.call(world.store, now() + DAY)
    assert kind(charlie.post(f"/games/{game_id}/take-over", {"seat": 1})) == "not_found"
    invite = alice.post(f"/games/{game_id}/invitations", {"emails": []}).json["invite"]  # type: ignore[index]
    assert charlie.post(f"/games/{game_id}/take-over", {"seat": 1, "invite": invite}).status_code == 200


def test_days_off_are_planned_listed_and_ended(world: World, alice: Asker, bob: Asker) -> None:
    today = date.fromtimestamp(now() / 1000)
    days = {"first_day": str(today + timedelta(3)), "last_day": str(today + timedelta(5))}
    planned = alice.post("/me/absences", {**days, "kind": "holiday"})
    (line,) = planned.json["absences"]  # type: ignore[index]
    assert line == {"id": line["id"], **days, "kind": "holiday"}
    assert kind(alice.post("/me/absences", days)) == "shape"
    assert kind(alice.post("/me/absences", {"first_day": "tomorrow", "last_day": "x"})) == "shape"
    assert bob.get("/me/absences").json == {"absences": []}
    assert kind(bob.delete(f"/me/absences/{line['id']}")) == "not_found"
    assert alice.delete(f"/me/absences/{line['id']}").status_code == 204
    assert alice.get("/me/absences").json == {"absences": []}


def test_a_person_sets_waking_hours_of_a_minimum_length(world: World, alice: Asker) -> None:
    assert alice.get("/me").json["wakes_at"] == 480  # type: ignore[index]
    changed = alice.patch("/me", {"wakes_at": 1200, "sleeps_at": 300})
    assert (changed.json["wakes_at"], changed.json["sleeps_at"]) == (1200, 300)  # type: ignore[index]
    assert kind(alice.patch("/me", {"sleeps_at": 1300})) == "shape"
    assert kind(alice.patch("/me", {"wakes_at": 1440})) == "shape"
    assert alice.patch("/me", {"wakes_at": 0, "sleeps_at": 0}).status_code == 200


def test_the_list_of_own_games_shows_deadlines(world: World, alice: Asker, bob: Asker) -> None:
    with freeze_time("2026-11-21T12:00:00Z"):
        game_id = paced(world, alice, alice, bob)
        (mine,) = alice.get("/games?which=mine").json["games"]  # type: ignore[index]
        assert (mine["id"], mine["my_due"]) == (game_id, "2026-11-22T12:00:00.000Z")
        alice.choose(game_id)
        (mine,) = alice.get("/games?which=mine").json["games"]  # type: ignore[index]
        assert mine["my_due"] is None or mine["my_turn"]
