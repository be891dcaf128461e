"""The changes between two versions in words: in both directions, undone, rewound, and without hidden facts."""

from typing import Any

import pytest

from service.games import lookback, moves, queries
from service.games.lookback import turn_ends
from tests.service.web.api.test_account import kind
from tests.service.web.api.test_moves import STOP, leader_of, walk
from tests.service.web.api.world import Asker, World


def changes(who: Asker, game_id: str, since: int, to: int) -> Any:
    answer = who.get(f"/games/{game_id}/changes?from={since}&to={to}")
    assert answer.status_code == 200, answer.text
    return answer.json


def plies(lines: list[dict[str, Any]]) -> list[tuple[int, bool]]:
    return [(it["ply"], it["withdrawn"]) for it in lines]


@pytest.fixture
def walked(alice: Asker, bob: Asker, game_id: str) -> tuple[Asker, Asker, str]:
    """Both have chosen (5, 6); the leader walks twice (7, 8), takes the second back (9), and walks again (10)."""
    leader, other = leader_of(game_id, alice, bob)
    leader.move(game_id, walk(1))
    leader.move(game_id, walk(1))
    leader.post(f"/games/{game_id}/take-back", {"down_to": 8}, headers={"If-Match": "*"})
    leader.move(game_id, walk(2))
    return leader, other, game_id


def test_a_comparison_forwards_lists_new_and_withdrawn_plies(walked: tuple[Asker, Asker, str]) -> None:
    _leader, other, game_id = walked
    found = changes(other, game_id, 6, 10)
    assert plies(found["added"]) == [(7, False), (8, True), (9, False), (10, False)]
    assert found["removed"] == []
    board = next(it for it in found["differences"] if it["area"] == "standing")
    assert board["before"] != board["after"]


def test_a_comparison_backwards_lists_the_plies_to_undo(walked: tuple[Asker, Asker, str]) -> None:
    _leader, other, game_id = walked
    there, back = changes(other, game_id, 6, 10), changes(other, game_id, 10, 6)
    assert plies(back["removed"]) == [(7, False), (9, False), (10, False)]
    assert back["added"] == []
    assert {(it["after"], it["before"]) for it in back["differences"]} == {
        (it["before"], it["after"]) for it in there["differences"]
    }


def test_withdrawn_plies_are_marked(walked: tuple[Asker, Asker, str]) -> None:
    _leader, other, game_id = walked
    found = changes(other, game_id, 8, 9)
    assert (plies(found["removed"]), plies(found["added"])) == ([(8, False)], [(9, False)])


def test_a_rewind_removes_later_plies_and_restores_those_withdrawn_by_them(
    walked: tuple[Asker, Asker, str],
) -> None:
    leader, other, game_id = walked
    leader.post(f"/games/{game_id}/rewind", {"to": 8})
    assert other.post(f"/games/{game_id}/rewind/agree", {"to": 8}).status_code == 201
    found = changes(other, game_id, 10, 12)
    assert plies(found["removed"]) == [(9, False), (10, False)]
    assert plies(found["added"]) == [(8, False), (11, False), (12, False)]  # 11 proposed, 12 agreed and went back


def test_nothing_changes_from_a_version_to_itself(walked: tuple[Asker, Asker, str]) -> None:
    _leader, other, game_id = walked
    found = changes(other, game_id, 9, 9)
    assert found == {"from": 9, "to": 9, "added": [], "removed": [], "differences": []}


def test_others_learn_nothing_of_hidden_things(alice: Asker, bob: Asker, game_id: str) -> None:
    alice.move(game_id, {"command": "Whisper", "number": 7})
    theirs, mine = changes(bob, game_id, 4, 5), changes(alice, game_id, 4, 5)
    assert theirs == {"from": 4, "to": 5, "added": [], "removed": [], "differences": []}
    assert plies(mine["added"]) == [(5, False)]


def test_a_hand_is_compared_for_its_owner_alone(walked: tuple[Asker, Asker, str]) -> None:
    leader, other, game_id = walked
    for who in (leader, other):
        found = [it for it in changes(who, game_id, 4, 6)["differences"] if it["area"] == "hand"]
        before, after = own_hand(who, game_id, 4), own_hand(who, game_id, 6)
        told = [(it["before"], it["after"]) for it in found]
        assert told == ([(before, after)] if before != after else [])  # the card drawn may be like the one played


def own_hand(who: Asker, game_id: str, version: int) -> str:
    """Return the part of the position about the seat's own cards (the only ones in it)."""
    hand: list[str] = who.get(f"/games/{game_id}/versions/{version}").json["hand"]  # type: ignore[index]
    return hand[0]


def test_a_comparison_starts_by_default_at_the_callers_last_ply(walked: tuple[Asker, Asker, str]) -> None:
    leader, other, game_id = walked
    assert leader.get(f"/games/{game_id}/changes").json["from"] == 10  # type: ignore[index]
    assert other.get(f"/games/{game_id}/changes").json["from"] in (5, 6)  # type: ignore[index]


@pytest.mark.parametrize("query", ["from=11", "from=1&to=99", "from=2147483647"])
def test_a_comparison_with_a_future_version_is_refused(walked: tuple[Asker, Asker, str], query: str) -> None:
    answer = walked[0].get(f"/games/{walked[2]}/changes?{query}")
    assert (answer.status_code, kind(answer)) == (404, "not_found")


@pytest.mark.parametrize("query", ["from=-1", "from=x", "to=1.5", "since=1"])
def test_malformed_versions_are_refused(walked: tuple[Asker, Asker, str], query: str) -> None:
    assert walked[0].get(f"/games/{walked[2]}/changes?{query}").status_code == 422


def test_a_turn_ends_where_another_seat_begins(world: World, walked: tuple[Asker, Asker, str]) -> None:
    with world.store.read() as conn:
        log = [ply for _, ply in world.store.plies(conn, walked[2], world.store.titles["toy"])]
    ends = turn_ends(log)
    assert ends[-1] == 10
    loud = [ply.number for ply in log if not ply.quiet]
    assert set(ends) <= set(loud)
    seats = {ply.number: ply.seat for ply in log}
    assert all(seats[end] != seats[loud[loud.index(end) + 1]] for end in ends[:-1])


# ==== reasons against undoing =====================================================================
def test_the_actions_explain_why_no_move_can_be_taken_back(walked: tuple[Asker, Asker, str]) -> None:
    leader, other, game_id = walked
    assert leader.get(f"/games/{game_id}/actions").json["why_no_take_back"] is None  # type: ignore[index]
    why = [
        other.get(f"/games/{game_id}/actions", headers={"Accept-Language": lang}).json["why_no_take_back"]  # type: ignore[index]
        for lang in ("en", "de")
    ]
    assert why[0]
    assert why[1]
    assert why[0] != why[1]


def test_the_api_reports_a_lapsed_proposal(walked: tuple[Asker, Asker, str]) -> None:
    leader, other, game_id = walked
    assert other.get(f"/games/{game_id}").json["rewind_lapsed"] is None  # type: ignore[index]
    leader.post(f"/games/{game_id}/rewind", {"to": 8})
    assert other.get(f"/games/{game_id}").json["rewind_lapsed"] is None  # type: ignore[index]
    leader.move(game_id, STOP)
    seen = other.get(f"/games/{game_id}").json
    assert (seen["rewind"], seen["rewind_lapsed"]) == (None, "The game has moved on, so the proposal has lapsed.")  # type: ignore[index]


def test_the_api_reports_an_expired_proposal(walked: tuple[Asker, Asker, str], monkeypatch: pytest.MonkeyPatch) -> None:
    leader, other, game_id = walked
    monkeypatch.setattr(moves, "REWIND_LIFE", -60_000)
    leader.post(f"/games/{game_id}/rewind", {"to": 8})
    for who in (leader, other):
        assert who.get(f"/games/{game_id}").json["rewind_lapsed"] == "The proposal has expired."  # type: ignore[index]
    answer = other.post(f"/games/{game_id}/rewind/agree", {"to": 8})
    assert answer.status_code == 409
    assert "The proposal has expired." in answer.text


def test_the_turns_before_and_after_are_found_at_any_distance(
    world: World, walked: tuple[Asker, Asker, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_of_them() -> list[tuple[int | None, int | None]]:
        with world.store.read() as conn:
            seen = queries.seen_by(world.store.load(conn, game_id), None, invited=True)
            return [lookback.neighbours(world.store, conn, seen, version) for version in range(11)]

    game_id = walked[2]
    far = all_of_them()
    monkeypatch.setattr(lookback, "REACH", 1)
    assert all_of_them() == far
    assert far[0][0] is None
    assert far[10][1] is None
    assert far[9] == (far[8][0], 10)


# ==== other seats' views ==========================================================================
def test_the_views_of_other_seats_open_after_the_end(world: World, alice: Asker, bob: Asker, game_id: str) -> None:
    paths = ("versions/4", "changes", "board.svg", "board.png")
    for path in paths:
        assert alice.get(f"/games/{game_id}/{path}?seat=1").status_code == 200
        for seat in (2, 3, 99):
            assert alice.get(f"/games/{game_id}/{path}?seat={seat}").status_code == 404
    world.play_out(game_id, alice, bob)
    mine, theirs = (alice.get(f"/games/{game_id}/versions/4?seat={seat}").json for seat in (1, 2))
    assert mine["hand"] != theirs["hand"]  # type: ignore[index]
    assert theirs == bob.get(f"/games/{game_id}/versions/4").json
    assert [alice.get(f"/games/{game_id}/{path}?seat=2").status_code for path in paths] == [200] * 4
    assert [alice.get(f"/games/{game_id}/{path}?seat=3").status_code for path in paths] == [404] * 4
