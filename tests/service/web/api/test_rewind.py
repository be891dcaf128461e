"""Rewinding together (ST 9) over the API: proposing, agreeing, refusing, and everything that is no proposal."""

from typing import Any

import pytest
from freezegun import freeze_time

from service.games.moves import REWIND_LIFE
from tests.service.web.api.test_account import kind
from tests.service.web.api.test_moves import leader_of, walk
from tests.service.web.api.world import Asker, World

SOON, TOO_LATE = REWIND_LIFE // 1000 - 60, REWIND_LIFE // 1000 + 60


@pytest.fixture
def table(world: World, alice: Asker, bob: Asker, game_id: str) -> tuple[str, Asker, Asker]:
    """The leader has walked (ply 7). Return the game, the leader, the other."""
    leader, other = leader_of(game_id, alice, bob)
    leader.move(game_id, walk(2))
    return game_id, leader, other


def shown(who: Asker, game_id: str) -> Any:
    return who.get(f"/games/{game_id}").json


def propose(who: Asker, game_id: str, to: Any = 6, **headers: str) -> Any:
    return who.post(f"/games/{game_id}/rewind", {"to": to}, headers=headers)


def agree(who: Asker, game_id: str, to: Any = 6, **headers: str) -> Any:
    return who.post(f"/games/{game_id}/rewind/agree", {"to": to}, headers=headers)


def refuse(who: Asker, game_id: str, **headers: str) -> Any:
    return who.post(f"/games/{game_id}/rewind/refuse", {}, headers=headers)


def is_refused(answer: Any, sentence: str, rule: str = "ST 9") -> None:
    assert (answer.status_code, answer.json["rule"]) == (409, rule)
    assert sentence in answer.json["sentence"]


def test_all_seats_see_a_proposal_and_consent_rewinds_the_game(world: World, table: Any, harriet: Asker) -> None:
    game_id, leader, other = table
    before = shown(leader, game_id)
    assert before["rewind"] is None
    assert "propose_rewind" in before["may"]
    seats = {who: shown(who, game_id)["seat"] for who in (leader, other)}
    made = propose(leader, game_id)
    assert made.status_code == 201
    assert made.json["plies"] == [8]
    for who in (leader, other, harriet):
        rewind = shown(who, game_id)["rewind"]
        assert rewind.pop("expires").endswith("Z")
        assert rewind == {
            "seat": seats[leader],
            "to": 6,
            "people": [seats[other]],
            "agreed": [],
            "missing": [seats[other]],
        }
    assert {"agree_to_rewind", "refuse_rewind"} <= set(shown(other, game_id)["may"])
    assert "agree_to_rewind" not in shown(leader, game_id)["may"]
    assert agree(other, game_id).json["plies"] == [9]
    after = shown(leader, game_id)
    assert (after["rewind"], after["view"]["steps"], after["version"]) == (None, 3, 9)


def test_a_proposal_makes_nobody_stale_but_changes_the_etag(table: Any) -> None:
    game_id, leader, other = table
    tag = other.tag(game_id)
    assert other.get(f"/games/{game_id}", headers={"If-None-Match": tag}).status_code == 304
    propose(leader, game_id)
    fresh = other.get(f"/games/{game_id}", headers={"If-None-Match": tag})
    assert (fresh.status_code, fresh.json["version"]) == (200, 7)
    assert agree(other, game_id, **{"If-Match": tag}).status_code == 201


def test_undone_plies_can_still_be_read(table: Any) -> None:
    game_id, leader, other = table
    propose(leader, game_id)
    agree(other, game_id)
    withdrawn = {it["ply"]: it["withdrawn"] for it in leader.get(f"/games/{game_id}/plies").json["plies"]}
    assert [ply for ply, gone in withdrawn.items() if gone] == [7]


def test_a_rewind_to_before_another_one_cancels_it(table: Any) -> None:
    """Ply 7 was rewound at ply 9; rewinding to ply 7 itself makes it count again."""
    game_id, leader, other = table
    propose(leader, game_id)
    agree(other, game_id)
    propose(other, game_id, 7)
    assert agree(leader, game_id, 7).json["plies"] == [11]
    assert shown(leader, game_id)["view"]["steps"] == 1
    plies = leader.get(f"/games/{game_id}/plies").json["plies"]
    assert [it["ply"] for it in plies if it["withdrawn"]] == [9]


@pytest.mark.parametrize("which", ["who is asked", "who proposed"])
def test_a_proposal_is_refused_or_withdrawn(table: Any, which: str) -> None:
    game_id, leader, other = table
    propose(leader, game_id)
    assert refuse(other if which == "who is asked" else leader, game_id).status_code == 201
    assert shown(leader, game_id)["rewind"] is None
    is_refused(agree(other, game_id), "Nobody has proposed to rewind.")
    is_refused(refuse(leader, game_id), "Nobody has proposed to rewind.")


def test_answers_without_a_fitting_proposal_are_refused(world: World, table: Any) -> None:
    game_id, leader, other = table
    before = world.log_of(game_id)
    is_refused(agree(other, game_id), "Nobody has proposed to rewind.")
    is_refused(refuse(other, game_id), "Nobody has proposed to rewind.")
    propose(leader, game_id)
    is_refused(agree(leader, game_id), "Your consent is not needed")
    is_refused(agree(other, game_id, 5), "rewind to move 6")
    is_refused(propose(other, game_id), "There is already a proposal to rewind.")
    assert len(world.log_of(game_id)) == len(before) + 1


def test_a_proposal_to_a_version_out_of_range_is_refused(world: World, table: Any) -> None:
    game_id, leader, _ = table
    before = world.log_of(game_id)
    for outside in (1, 3, 7, 8, 2**31 - 1):
        is_refused(propose(leader, game_id, outside), "any move from 4 to 6")
    misshapen: tuple[Any, ...] = (0, -1, 2**31, "6", 6.5, True, None, [6])
    for to in misshapen:
        answer = propose(leader, game_id, to)
        assert (answer.status_code, kind(answer)) == (422, "shape"), to
    bodies: tuple[Any, ...] = ({}, {"to": 6, "people": []}, {"to": 6, "expires": 0}, [])
    for body in bodies:
        assert leader.post(f"/games/{game_id}/rewind", body).status_code == 422, body
    assert leader.post(f"/games/{game_id}/rewind/refuse", {"to": 6}).status_code == 422
    assert world.log_of(game_id) == before


def test_only_players_of_the_game_propose_and_answer(world: World, table: Any, harriet: Asker, charlie: Asker) -> None:
    game_id, leader, _ = table
    propose(leader, game_id)
    before = world.log_of(game_id)
    for act in (propose, agree, refuse):
        assert kind(act(harriet, game_id)) == "no_seat"
        assert act(charlie, game_id).status_code == 404
        assert act(world.anonymous(), game_id).status_code == 401
    assert world.log_of(game_id) == before


def test_a_proposal_expires(table: Any) -> None:
    game_id, leader, other = table
    with freeze_time() as clock:
        propose(leader, game_id)
        clock.tick(SOON)
        assert shown(other, game_id)["rewind"] is not None
        clock.tick(TOO_LATE - SOON)
        assert shown(other, game_id)["rewind"] is None
        is_refused(agree(other, game_id), "The proposal has expired.")
        german = agree(other, game_id, **{"Accept-Language": "de"})
        assert german.json["sentence"] == "Der Vorschlag ist abgelaufen."
        assert propose(other, game_id).status_code == 201


def test_a_proposal_lapses_when_the_game_goes_on(table: Any) -> None:
    game_id, leader, other = table
    propose(leader, game_id)
    leader.move(game_id, walk(1))
    assert shown(other, game_id)["rewind"] is None
    is_refused(agree(other, game_id), "The game has moved on")


def test_a_repeated_proposal_counts_once(world: World, table: Any) -> None:
    game_id, leader, other = table
    first, again = (propose(leader, game_id, **{"Idempotency-Key": "back"}) for _ in range(2))
    assert first.data == again.data
    assert again.headers["Idempotency-Replayed"] == "true"
    assert kind(propose(leader, game_id, 5, **{"Idempotency-Key": "back"})) == "reused"
    assert agree(other, game_id, **{"Idempotency-Key": "yes"}).status_code == 201
    replayed = agree(other, game_id, **{"Idempotency-Key": "yes"})
    assert (replayed.status_code, replayed.headers["Idempotency-Replayed"]) == (201, "true")
    is_refused(agree(other, game_id), "Nobody has proposed to rewind.")
    assert len(world.log_of(game_id)) == 9


def test_a_proposal_from_an_old_position_is_stale(table: Any) -> None:
    game_id, _leader, other = table
    for act in (propose, agree, refuse):
        answer = act(other, game_id, **{"If-Match": '"4"'})
        assert (answer.status_code, kind(answer)) == (412, "stale")


def test_a_finished_game_cannot_be_rewound(world: World, table: Any) -> None:
    game_id, leader, other = table
    propose(leader, game_id)
    other.post(f"/games/{game_id}/resign", headers={"If-Match": "*"})
    assert shown(leader, game_id)["rewind"] is None
    for answer in (propose(leader, game_id), agree(leader, game_id), refuse(leader, game_id)):
        is_refused(answer, "The game is over.", "TOY 5")


def test_a_game_among_bots_is_rewound_at_once(world: World, alice: Asker) -> None:
    game_id = world.table(alice, alice, seats=2)
    alice.post(f"/games/{game_id}/bots", {"bot": "random"})
    alice.post(f"/games/{game_id}/start")
    alice.choose(game_id)
    assert shown(alice, game_id)["view"]["chosen"]
    assert propose(alice, game_id, 4).json["plies"] == [6]
    after = shown(alice, game_id)
    assert (after["rewind"], after["view"]["chosen"]) == (None, {})
