"""Lines as a player would type them, in place of commands."""

from typing import Any

from tests.service.web.api.test_account import kind
from tests.service.web.api.test_moves import leader_of
from tests.service.web.api.world import Asker, World

GERMAN_SAYS = {
    "asked": "Wie viel: 1 bis 2?",
    "cannot": "2 Schritte sind übrig.",
    "unknown": "„home“ ist kein Wort dieses Spiels.",
    "unread": "Das beginnt nicht mit einem Befehl.",
}
GERMAN = {"Accept-Language": "de"}


def lines(asker: Asker, game_id: str, *text: str, **headers: str) -> Any:
    return asker.post(f"/games/{game_id}/preview", {"lines": text}, headers=headers)


def test_each_action_has_a_line_that_can_be_sent(alice: Asker, game_id: str) -> None:
    action = alice.get(f"/games/{game_id}/actions", headers=GERMAN).json["actions"][0]  # type: ignore[index]
    assert action["order"].startswith("wähle ")
    previewed = lines(alice, game_id, action["order"])
    assert previewed.status_code == 200, previewed.json
    [read] = previewed.json["lines"]
    assert (read["command"], read["problem"]) == (action["command"], None)
    assert read["line"] == action["order"].replace("wähle", "choose")
    answer = alice.post(f"/games/{game_id}/moves", {"lines": [action["order"]]}, headers={"If-Match": "*"})
    assert answer.status_code == 201, answer.json


def test_lines_are_read_one_after_another(world: World, alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    answer = lines(leader, game_id, "walk 2 steps", "", "walk 2")
    assert [it["problem"] for it in answer.json["lines"]] == [None, "cannot"]
    assert answer.json["lines"][1]["rule"] == "TOY 3"
    assert answer.json["lines"][1]["message"] == "1 steps are left."
    assert "walk 1" not in answer.json["lines"][1]["near"], "it is less than what was typed"
    assert len(answer.json["steps"]) == 1
    assert (
        leader.post(
            f"/games/{game_id}/moves", {"lines": ["walk 2", "gehe 1", "halt"]}, headers={"If-Match": "*"}
        ).status_code
        == 201
    )


def test_lines_after_a_draw_are_read_later(alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    answer = lines(leader, game_id, "walk 3", "pick", "whisper 7")
    assert [it["problem"] for it in answer.json["lines"]] == [None, None, "later"]
    assert not answer.json["foreseen"]


def test_one_unreadable_line_stops_all(alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    before = leader.get(f"/games/{game_id}").json["version"]  # type: ignore[index]
    for text, problem in {
        "walk": "asked",
        "walk 9": "cannot",
        "walk home": "unknown",
        "Good luck!": "unread",
        "[1] walk 1": "copied",
        "resign": "elsewhere",
        "undo": "elsewhere",
    }.items():
        body, headers = {"lines": ["walk 1", text]}, {"If-Match": "*", **GERMAN}
        answer = leader.post(f"/games/{game_id}/moves", body, headers=headers)
        assert (answer.status_code, kind(answer)) == (422, "line"), text
        read = answer.json["lines"]  # type: ignore[index]
        assert [it["problem"] for it in read] == [None, problem]
        assert read[1]["message"] == GERMAN_SAYS.get(problem, read[1]["message"])
    assert leader.get(f"/games/{game_id}").json["version"] == before  # type: ignore[index]


def test_blank_lines_alone_are_refused(alice: Asker, game_id: str) -> None:
    answer = alice.post(f"/games/{game_id}/moves", {"lines": ["  ", "# not yet"]}, headers={"If-Match": "*"})
    assert (answer.status_code, kind(answer)) == (422, "line")


def test_commands_and_lines_together_are_refused(alice: Asker, game_id: str) -> None:
    for body in ({}, {"lines": ["halt"], "commands": [{"command": "Stop"}]}, {"lines": []}, {"lines": ["x" * 301]}):
        answer = alice.post(f"/games/{game_id}/preview", body)
        assert (answer.status_code, kind(answer)) == (422, "shape"), body


def test_the_same_lines_again_are_the_same_move(alice: Asker, bob: Asker, game_id: str) -> None:
    """They are read at the position for which they were written, so a repetition gets the lost answer."""
    leader, _ = leader_of(game_id, alice, bob)
    version = leader.get(f"/games/{game_id}").json["version"]  # type: ignore[index]
    headers = {"If-Match": f'"{version}"', "Idempotency-Key": "lines"}
    first, again = (
        leader.post(f"/games/{game_id}/moves", {"lines": ["walk 3", "halt"]}, headers=headers) for _ in range(2)
    )
    assert (first.status_code, again.status_code) == (201, 201), again.json
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.json["plies"] == again.json["plies"]  # type: ignore[index]
    late = leader.post(f"/games/{game_id}/moves", {"lines": ["walk 1"]}, headers={"If-Match": f'"{version}"'})
    assert (late.status_code, kind(late)) == (412, "stale")
    future = leader.post(f"/games/{game_id}/moves", {"lines": ["walk 1"]}, headers={"If-Match": '"999999"'})
    assert (future.status_code, kind(future)) == (412, "stale")
