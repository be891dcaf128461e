"""Sandboxes over the API: starting, playing and keeping them, and all refusals."""

from typing import Any

import pytest
from sqlalchemy import update

from service.games import sandboxes
from tests.service.web.api.test_account import kind
from tests.service.web.api.test_moves import leader_of, walk
from tests.service.web.api.world import Asker, World


@pytest.fixture
def table(game_id: str, alice: Asker, bob: Asker) -> tuple[str, int]:
    """Return a private game at the leader's turn, and the leader's seat."""
    leader, _other = leader_of(game_id, alice, bob)
    return game_id, 1 if leader is alice else 2


def problem(answer: Any) -> tuple[int, str]:
    return answer.status_code, kind(answer)


def begin(who: Asker, game_id: str, **body: Any) -> Any:
    return who.post(f"/games/{game_id}/sandboxes", body)


def made(who: Asker, game_id: str, **body: Any) -> str:
    answer = begin(who, game_id, **body)
    assert answer.status_code == 201, answer.text
    return str(answer.json["id"])


def test_a_sandbox_begins_with_the_callers_view_and_leaves_the_game_alone(
    world: World, alice: Asker, table: tuple[str, int]
) -> None:
    game_id, leader = table
    tag, log, seen = alice.tag(game_id), world.log_of(game_id), alice.get(f"/games/{game_id}").json
    answer = begin(alice, game_id, name=" What if ")
    assert answer.headers["Location"] == f"/api/v1/sandboxes/{answer.json['id']}"
    box = alice.get(f"/sandboxes/{answer.json['id']}?seat=1").json
    assert box["view"] == seen["view"]
    assert (box["name"], box["begins_as"], box["imagined"], box["game"]) == ("What if", 1, True, game_id)
    assert (box["version"], box["last"], box["asked"], box["status"]) == (0, 0, [leader], "running")
    moved = alice.post(f"/sandboxes/{box['id']}/moves", {"seat": leader, "commands": [walk(2)]})
    assert (moved.status_code, moved.json["plies"]) == (201, [1])
    played = alice.post(f"/sandboxes/{box['id']}/play-on", {"everybody": "sensible"})
    assert played.json["plies"][0] == 2
    over = alice.get(f"/sandboxes/{box['id']}").json
    assert (over["status"], over["asked"]) == ("over", [])
    assert (alice.tag(game_id), world.log_of(game_id)) == (tag, log)
    assert problem(alice.post(f"/sandboxes/{box['id']}/play-on", {"everybody": "random"})) == (409, "refused")


def test_a_caller_without_access_to_a_game_cannot_try_it_out(
    world: World, charlie: Asker, harriet: Asker, alice: Asker, bob: Asker, table: tuple[str, int]
) -> None:
    game_id, _leader = table
    assert problem(begin(charlie, game_id)) == (404, "not_found")
    assert problem(begin(charlie, game_id, invite="guessed")) == (404, "not_found")
    assert problem(begin(world.anonymous(), game_id)) == (401, "sign_in")
    assert begin(harriet, game_id).json["begins_as"] is None
    public = world.game(harriet, alice, bob)
    spectators = begin(charlie, public).json
    assert (spectators["begins_as"], spectators["imagined"]) == (None, True)
    assert problem(begin(world.anonymous(), public)) == (401, "sign_in")


@pytest.mark.parametrize("version", [0, 1, 999])
def test_a_sandbox_needs_a_version_of_its_game(alice: Asker, table: tuple[str, int], version: int) -> None:
    assert problem(begin(alice, table[0], version=version)) == (404, "not_found")


def test_a_finished_game_is_tried_from_positions_as_they_were(
    world: World, alice: Asker, bob: Asker, game_id: str
) -> None:
    world.play_out(game_id, alice, bob)
    box = begin(alice, game_id, version=4).json
    assert (box["imagined"], box["status"], box["asked"]) == (False, "running", [1, 2])


def test_a_request_sent_twice_begins_one(alice: Asker, table: tuple[str, int]) -> None:
    once = [
        alice.post(f"/games/{table[0]}/sandboxes", {}, headers={"Idempotency-Key": "k"}).json["id"]  # type: ignore[index]
        for _ in range(2)
    ]
    assert once[0] == once[1]
    assert [box["id"] for box in alice.get("/sandboxes").json["sandboxes"]] == once[:1]  # type: ignore[index]
    other = alice.post(f"/games/{table[0]}/sandboxes", {"version": 4}, headers={"Idempotency-Key": "k"})
    assert problem(other) == (422, "reused")


def test_moves_are_refused_by_rule_and_for_positions_that_are_gone(alice: Asker, table: tuple[str, int]) -> None:
    game_id, leader = table
    at = f"/sandboxes/{made(alice, game_id)}"
    refused = alice.post(f"{at}/moves", {"seat": leader, "commands": [walk(4)]}, headers={"Accept-Language": "de"})
    assert (refused.status_code, refused.json["rule"]) == (409, "TOY 3")  # type: ignore[index]
    assert "Schritte sind übrig" in refused.json["sentence"]  # type: ignore[index]
    assert problem(alice.post(f"{at}/moves", {"seat": leader, "commands": [{"command": "Fly"}]})) == (422, "shape")
    tag = alice.get(at).headers["ETag"]
    moved = alice.post(f"{at}/moves", {"seat": leader, "commands": [walk(1)]}, headers={"If-Match": tag})
    assert moved.status_code == 201
    for path, body in (("moves", {"seat": leader, "commands": [walk(1)]}), ("step", {"to": 0}), ("play-on", {})):
        assert problem(alice.post(f"{at}/{path}", body, headers={"If-Match": tag})) == (412, "stale")
    assert problem(alice.post(f"{at}/step", {"to": 2})) == (409, "refused")
    assert alice.post(f"{at}/step", {"to": 0}).json["last"] == 1  # type: ignore[index]


def test_a_sandbox_shows_actions_log_and_board_of_a_seat(alice: Asker, table: tuple[str, int]) -> None:
    game_id, leader = table
    at = f"/sandboxes/{made(alice, game_id)}"
    actions = alice.get(f"{at}/actions").json
    assert (actions["seat"], actions["asked"]) == (leader, [leader])  # type: ignore[index]
    other = alice.get(f"{at}/actions?seat={3 - leader}").json
    assert [it["command"]["command"] for it in other["actions"]] == ["Whisper"]  # type: ignore[index]
    command = actions["actions"][0]["command"]  # type: ignore[index]
    alice.post(f"{at}/moves", {"seat": leader, "commands": [command]})
    (line,) = alice.get(f"{at}/log").json["log"]  # type: ignore[index]
    assert (line["seat"], line["cause"]) == (leader, "player")
    assert line["sentences"][0].endswith("walks 1.")
    board = alice.get(f"{at}/board.svg?seat=1&theme=dark")
    assert (board.status_code, board.mimetype) == (200, "image/svg+xml")


def test_name_note_and_bots_are_changed(alice: Asker, table: tuple[str, int]) -> None:
    game_id, leader = table
    at = f"/sandboxes/{made(alice, game_id)}"
    changed = alice.patch(at, {"name": " North ", "note": "a\r\nb", "bots": {str(3 - leader): "random"}}).json
    assert (changed["name"], changed["note"]) == ("North", "a\nb")  # type: ignore[index]
    assert changed["bots"] == {str(3 - leader): "random"}  # type: ignore[index]
    assert problem(alice.post(f"{at}/play-on", {})) == (409, "refused")  # a person plays the leader
    answered = alice.post(f"{at}/moves", {"seat": leader, "commands": [{"command": "Stop"}]}).json
    assert answered["plies"] == [1, 2]  # type: ignore[index]
    (listed,) = alice.get(f"/sandboxes?game={game_id}").json["sandboxes"]  # type: ignore[index]
    assert (listed["name"], listed["last"]) == ("North", 2)
    assert alice.get("/sandboxes?game=other").json == {"sandboxes": []}
    assert alice.delete(at).status_code == 204
    assert problem(alice.get(at)) == (404, "not_found")


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ({"name": ""}, (422, "shape")),
        ({"name": "x" * 81}, (422, "shape")),
        ({"name": "a\nb"}, (422, "shape")),
        ({"note": "x" * 2001}, (422, "shape")),
        ({"note": "a\x00b"}, (422, "shape")),
        ({"note": 1}, (422, "shape")),
        ({"bots": {"0": "random"}}, (422, "shape")),
        ({"bots": {"x": "random"}}, (422, "shape")),
        ({"bots": {"1": "nobody"}}, (409, "refused")),
        ({"bots": {"3": "random"}}, (409, "refused")),
        ({"secret": "x"}, (422, "shape")),
    ],
)
def test_other_requests_cannot_change_a_sandbox(alice: Asker, table: tuple[str, int], body: Any, answer: Any) -> None:
    at = f"/sandboxes/{made(alice, table[0])}"
    before = alice.get(at).json
    assert problem(alice.patch(at, body)) == answer
    assert alice.get(at).json == before


def test_the_number_of_sandboxes_is_limited(
    alice: Asker, table: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandboxes, "SANDBOXES_EACH", 1)
    made(alice, table[0])
    refused = begin(alice, table[0])
    assert (refused.status_code, refused.json["rule"]) == (409, "ST 10")
    assert refused.json["sentence"] == "You already have 1 sandboxes. Delete one first."


def test_an_unreadable_sandbox_of_an_earlier_release_is_reported(
    world: World, alice: Asker, table: tuple[str, int]
) -> None:
    box = made(alice, table[0])
    with world.store.write() as conn:
        conn.execute(update(sandboxes.SANDBOXES).values(start=b"{}"))
    for answer in (
        alice.get(f"/sandboxes/{box}"),
        alice.post(f"/sandboxes/{box}/moves", {"seat": 1, "commands": [walk(1)]}),
        alice.get(f"/sandboxes/{box}/board.svg"),
    ):
        assert problem(answer) == (409, "unreadable")
    assert [it["id"] for it in alice.get("/sandboxes").json["sandboxes"]] == [box]  # type: ignore[index]
    assert alice.delete(f"/sandboxes/{box}").status_code == 204
