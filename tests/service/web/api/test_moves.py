"""Playing a seat: actions, previews, moves, versions, repetitions, undoing, resigning."""

from typing import Any

from service.games import daily
from tests.service.web.api.test_account import kind
from tests.service.web.api.world import Asker, World


def leader_of(game_id: str, alice: Asker, bob: Asker) -> tuple[Asker, Asker]:
    """Let both choose a card. Return the seat that leads the round, and the other."""
    alice.choose(game_id)
    bob.choose(game_id)
    leader = alice.get(f"/games/{game_id}").json["view"]["leader"]  # type: ignore[index]
    return (alice, bob) if leader == 1 else (bob, alice)


def walk(steps: int) -> dict[str, Any]:
    return {"command": "Walk", "steps": steps}


STOP, PICK = {"command": "Stop"}, {"command": "Pick"}


# ==== legal actions ===============================================================================
def test_every_listed_action_is_accepted(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    for place in (0, -2, -1):
        game_id = world.game(harriet, alice, bob)
        action = alice.get(f"/games/{game_id}/actions").json["actions"][place]  # type: ignore[index]
        assert alice.move(game_id, action["command"]).status_code == 201


def test_actions_are_in_the_callers_language(alice: Asker, game_id: str) -> None:
    german = alice.get(f"/games/{game_id}/actions", headers={"Accept-Language": "de"}).json["actions"][0]  # type: ignore[index]
    assert german["group_name"] == "Eine Karte wählen"
    assert german["sentence"].startswith("Die ")


def test_a_line_can_be_sent_for_a_command(alice: Asker, game_id: str) -> None:
    action = alice.get(f"/games/{game_id}/actions").json["actions"][0]  # type: ignore[index]
    assert action["line"].startswith("choose ")
    assert alice.move(game_id, action["line"]).status_code == 201


def test_an_unreadable_line_is_an_error_of_shape(alice: Asker, game_id: str) -> None:
    answer = alice.move(game_id, "choose", "x" * 1001)
    assert (answer.status_code, kind(answer)) == (422, "shape")
    assert answer.json["errors"]["json"]["commands"] == {  # type: ignore[index]
        "0": ["choose also needs: card."],
        "1": ["A line has at most 1000 characters."],
    }


def test_a_spectator_has_no_actions(harriet: Asker, game_id: str) -> None:
    for answer in (harriet.get(f"/games/{game_id}/actions"), harriet.move(game_id, STOP)):
        assert (answer.status_code, kind(answer)) == (403, "no_seat")


# ==== moving ======================================================================================
def test_a_move_is_made(world: World, alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    made = leader.move(game_id, walk(2), tag=leader.tag(game_id))
    assert made.status_code == 201
    assert made.json == {"version": 7, "plies": [7], "refusal": None, "refused_at": None}
    assert leader.get(f"/games/{game_id}").json["view"]["steps"] == 1  # type: ignore[index]


def test_several_commands_are_all_played_or_none(world: World, alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    before = world.log_of(game_id)
    answer = leader.move(game_id, walk(1), walk(3))
    assert (answer.status_code, answer.json["rule"]) == (409, "TOY 3")  # type: ignore[index]
    assert answer.json["facts"] == {"steps": 2}  # type: ignore[index]
    assert world.log_of(game_id) == before
    assert leader.move(game_id, walk(1), walk(2), STOP).json["plies"] == [7, 8, 9]  # type: ignore[index]


def test_commands_up_to_a_draw_stand_and_the_rest_is_refused(alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    answer = leader.move(game_id, walk(1), PICK, walk(1), headers={"Accept-Language": "de"})
    assert answer.status_code == 201
    assert (answer.json["plies"], answer.json["refused_at"]) == ([7, 8], 2)  # type: ignore[index]
    assert answer.json["refusal"] == {  # type: ignore[index]
        "rule": "TOY 3",
        "sentence": "Du führst diese Runde nicht an.",
        "facts": {},
    }


def test_a_stale_move_is_refused_with_the_present_version(world: World, alice: Asker, bob: Asker, game_id: str) -> None:
    old = alice.tag(game_id)
    leader, _ = leader_of(game_id, alice, bob)
    before = world.log_of(game_id)
    answer = leader.move(game_id, STOP, tag=old)
    assert (answer.status_code, kind(answer), answer.json["version"]) == (412, "stale", 6)  # type: ignore[index]
    assert world.log_of(game_id) == before


def test_a_quiet_ply_of_another_seat_makes_no_move_stale(alice: Asker, bob: Asker, game_id: str) -> None:
    tag = alice.tag(game_id)
    bob.choose(game_id)
    card = alice.get(f"/games/{game_id}").json["view"]["hands"]["1"][0]  # type: ignore[index]
    assert alice.move(game_id, {"command": "Choose", "card": card}, tag=tag).status_code == 201


def test_a_move_must_name_its_position(world: World, alice: Asker, game_id: str) -> None:
    body = {"commands": [{"command": "Whisper", "number": 1}]}
    before = world.log_of(game_id)
    answer = alice.post(f"/games/{game_id}/moves", body)
    assert (answer.status_code, kind(answer), answer.json["version"]) == (428, "no_version", 4)  # type: ignore[index]
    for wrong in ("nonsense", '"x"', '"3"', "", '""', '"999999999999999999999"', "4 4"):
        answer = alice.post(f"/games/{game_id}/moves", body, headers={"If-Match": wrong})
        assert (answer.status_code, kind(answer)) == (412, "stale")
    assert world.log_of(game_id) == before
    # Alice's own whisper raises the version shown to her, so each of these is for the next one.
    for version, right in ((4, '"{}"'), (5, '"{}-0f"'), (6, 'W/"{}"'), (7, '"1", "{}"'), (8, "{}"), (9, "*")):
        answer = alice.post(f"/games/{game_id}/moves", body, headers={"If-Match": right.format(version)})
        assert answer.status_code == 201, right


def test_the_same_move_twice_is_made_once(world: World, alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    tag = leader.tag(game_id)
    first = leader.move(game_id, walk(1), tag=tag, key="one")
    again = leader.move(game_id, walk(1), tag=tag, key="one")
    assert (first.status_code, first.data) == (again.status_code, again.data)
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert len(world.log_of(game_id)) == 7


def test_a_key_with_other_content_is_refused(world: World, alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    leader.move(game_id, walk(1), key="one")
    answer = leader.move(game_id, walk(2), key="one")
    assert (answer.status_code, kind(answer)) == (422, "reused")
    assert len(world.log_of(game_id)) == 7


def test_two_seats_may_choose_the_same_key(alice: Asker, bob: Asker, game_id: str) -> None:
    whisper = {"command": "Whisper", "number": 1}
    assert [who.move(game_id, whisper, key="1").status_code for who in (alice, bob)] == [201, 201]


def test_a_refused_move_is_not_remembered(alice: Asker, bob: Asker, game_id: str) -> None:
    assert alice.move(game_id, STOP, key="one").status_code == 409
    leader, _ = leader_of(game_id, alice, bob)
    assert leader.move(game_id, STOP, key="one").status_code == 201


def test_a_player_cannot_move_for_another_seat(alice: Asker, bob: Asker, game_id: str) -> None:
    _, other = leader_of(game_id, alice, bob)
    answer = other.move(game_id, STOP)
    assert (answer.status_code, answer.json["rule"]) == (409, "TOY 3")  # type: ignore[index]


def test_commands_of_the_table_are_refused_as_moves(world: World, alice: Asker, game_id: str) -> None:
    """Resigning, timing out and starting have addresses of their own, or none."""
    before = world.log_of(game_id)
    for command in ("Resign", "TimeOut", "StartGame", "CancelGame", "GiveUpSeat", "OpenTable", "TakeSeat", "TakeBack"):
        answer = alice.move(game_id, {"command": command})
        assert (answer.status_code, kind(answer)) == (422, "shape")
    assert world.log_of(game_id) == before


# ==== foreseeing ==================================================================================
def test_a_preview_writes_nothing(world: World, alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    before = world.log_of(game_id)
    answer = leader.post(f"/games/{game_id}/preview", {"commands": [walk(2), PICK, STOP]}).json
    assert answer["foreseen"] is False  # type: ignore[index]  # a card would be drawn
    assert [step["sentences"] for step in answer["steps"]] == [  # type: ignore[index]
        [f"{'Alice' if leader is alice else 'Bob'} walks 2."]
    ]
    assert answer["position"]["view"]["steps"] == 1  # type: ignore[index]
    assert world.log_of(game_id) == before


def test_a_preview_keeps_sealed_answers_hidden(alice: Asker, bob: Asker, game_id: str) -> None:
    """Bob's own choice would open Alice's: he may make it, but not preview it."""
    alice.choose(game_id)
    command = bob.get(f"/games/{game_id}/actions").json["actions"][0]["command"]  # type: ignore[index]
    answer = bob.post(f"/games/{game_id}/preview", {"commands": [command]}).json
    assert (answer["foreseen"], answer["steps"]) == (False, [])  # type: ignore[index]
    assert answer["position"]["view"]["chosen"] == {"1": None}  # type: ignore[index]


def test_a_preview_refuses_the_same_commands_as_a_move(alice: Asker, game_id: str) -> None:
    assert alice.post(f"/games/{game_id}/preview", {"commands": [STOP]}).json["rule"] == "TOY 3"  # type: ignore[index]


# ==== going back ==================================================================================
def test_a_player_takes_a_move_back(alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    leader.move(game_id, walk(1), walk(1))
    assert leader.get(f"/games/{game_id}/actions").json["take_back"] == [8, 7]  # type: ignore[index]
    assert "take_back" in leader.get(f"/games/{game_id}").json["may"]  # type: ignore[index]
    headers = {"If-Match": leader.tag(game_id)}
    assert leader.post(f"/games/{game_id}/take-back", {"down_to": 8}, headers=headers).json["plies"] == [9]  # type: ignore[index]
    assert leader.get(f"/games/{game_id}").json["view"]["steps"] == 2  # type: ignore[index]
    assert leader.get(f"/games/{game_id}/actions").json["take_backs_left"] == 19  # type: ignore[index]


def test_a_final_move_cannot_be_taken_back(world: World, alice: Asker, bob: Asker, game_id: str) -> None:
    leader, other = leader_of(game_id, alice, bob)
    leader.move(game_id, walk(1))
    before = world.log_of(game_id)
    for who, ply in ((leader, 6), (leader, 99), (other, 7)):
        answer = who.post(f"/games/{game_id}/take-back", {"down_to": ply}, headers={"If-Match": "*"})
        assert (answer.status_code, answer.json["rule"]) == (409, "ST 7")  # type: ignore[index]
    assert world.log_of(game_id) == before


def test_too_many_moves_a_day_are_refused(
    world: World, alice: Asker, bob: Asker, game_id: str, monkeypatch: Any
) -> None:
    """A program's moves count for its person. (The leader has chosen a card.)"""
    monkeypatch.setattr(daily, "MOST", 6)
    monkeypatch.setattr(world.store, "settings", world.settings.with_(rate_limits=True))
    leader, _ = leader_of(game_id, alice, bob)
    answers = [leader.move(game_id, walk(1)) for _ in range(2)]
    back = {"down_to": 7}, {"If-Match": "*"}
    answers.append(leader.post(f"/games/{game_id}/take-back", back[0], headers=back[1]))
    answers += [leader.move(game_id, walk(1)) for _ in range(3)]
    assert {it.status_code for it in answers[:-1]} == {201}
    assert (answers[-1].status_code, answers[-1].json["rule"]) == (409, "ST 8")  # type: ignore[index]
    assert "You can go on in " in answers[-1].json["sentence"]  # type: ignore[index]
    assert leader.post(f"/games/{game_id}/resign", headers={"If-Match": "*"}).status_code == 201


# ==== leaving =====================================================================================
def test_a_resigned_player_may_go_on_watching(alice: Asker, bob: Asker, game_id: str) -> None:
    assert alice.post(f"/games/{game_id}/resign", headers={"If-Match": "*"}).status_code == 201
    shown = alice.get(f"/games/{game_id}").json
    assert (shown["status"], shown["places"][0]["left"], shown["may"]) == ("over", True, [])  # type: ignore[index]
    again = alice.post(f"/games/{game_id}/resign", headers={"If-Match": "*"})
    assert (again.status_code, again.json["rule"]) == (409, "TOY 5")  # type: ignore[index]


def test_a_table_that_has_not_started_takes_no_moves(world: World, harriet: Asker, alice: Asker) -> None:
    game_id = world.table(harriet, alice, seats=2)
    for answer in (alice.move(game_id, STOP), alice.post(f"/games/{game_id}/preview", {"commands": [STOP]})):
        assert (answer.status_code, answer.json["rule"]) == (409, "ST 8")  # type: ignore[index]
    assert alice.get(f"/games/{game_id}/actions").json["actions"] == []  # type: ignore[index]
