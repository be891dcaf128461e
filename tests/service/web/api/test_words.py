"""Words of luck in the API: bringing them, the proof of their use, and their secrecy."""

import hashlib

import pytest

from tests.service.web.api.world import Asker, World
from workers.pages import draw_due

SALT, WORDS = "ab" * 32, "12" * 32


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_program_brings_words_and_sees_that_they_went_in(
    world: World, harriet: Asker, alice: Asker, bob: Asker
) -> None:
    opened = harriet.post("/games", {"title": "toy", "seats": 3}).json
    game_id, commitment = opened["id"], opened["commitment"]  # type: ignore[index]
    assert alice.get(f"/games/{game_id}").json["commitment"] == commitment  # type: ignore[index]
    assert alice.post(f"/games/{game_id}/join", {"words": WORDS}).status_code == 201
    assert bob.post(f"/games/{game_id}/join", {"words": " seven geese ", "salt": SALT}).status_code == 201
    harriet.post(f"/games/{game_id}/bots", {"bot": "random"})
    assert alice.get(f"/games/{game_id}/words").json == {
        "commitment": commitment,
        "brought": {"1": hashed(WORDS), "2": hashed(f"{SALT}seven geese"), "3": None},
        "bots": [3],
        "choosable": None,
        "sentence": None,
        "sealed": None,
        "mine": {"seat": 1, "salt": "", "words": WORDS, "hash": hashed(WORDS), "ply": 2},
    }
    assert bob.get(f"/games/{game_id}/words").json["mine"]["words"] == "seven geese"  # type: ignore[index]
    for other in (harriet, world.anonymous()):
        seen = other.get(f"/games/{game_id}/words").json
        assert seen["mine"] is None  # type: ignore[index]
        assert WORDS not in str(seen)
    harriet.post(f"/games/{game_id}/start")
    told = world.anonymous().get(f"/games/{game_id}/words").json
    assert told["choosable"] is False  # type: ignore[index]
    assert told["sentence"].startswith("Words of luck were added at 2 seats (1 and 2)")  # type: ignore[index]


def test_no_answer_about_a_game_reveals_a_persons_words(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    game_id = world.table(harriet, seats=2)
    alice.post(f"/games/{game_id}/join", {"words": "seven geese", "salt": SALT})
    bob.post(f"/games/{game_id}/join")
    harriet.post(f"/games/{game_id}/start")
    world.play_out(game_id, alice, bob)
    stranger = world.anonymous()
    for asker in (bob, harriet, stranger):
        assert asker.get(f"/games/{game_id}/audit?format=html").status_code == 202
    draw_due(world.store)
    for path in ("", "/words", "/plies", "/log", "/result", "/audit?format=jsonl", "/audit?format=html"):
        for asker in (bob, harriet, stranger):
            answer = asker.get(f"/games/{game_id}{path}")
            assert answer.status_code == 200
            assert "geese" not in answer.text
            assert SALT not in answer.text


def test_the_api_reports_a_table_without_words(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    told = bob.get(f"/games/{world.game(harriet, alice, bob)}/words").json
    assert told["brought"] == {"1": None, "2": None}  # type: ignore[index]
    assert told["choosable"] is True  # type: ignore[index]
    assert told["sentence"] == ("Nobody added words of luck, so the operator could have chosen these draws.")  # type: ignore[index]


def test_the_older_name_of_the_field_still_works(world: World, harriet: Asker, alice: Asker) -> None:
    game_id = world.table(harriet, seats=2)
    alice.post(f"/games/{game_id}/join", {"entropy": "seven geese"})
    assert alice.get(f"/games/{game_id}/words").json["mine"]["hash"] == hashed("seven geese")  # type: ignore[index]


@pytest.mark.parametrize(
    "body",
    [
        {"words": "x" * 201},
        {"words": 5},
        {"salt": "ab"},
        {"salt": "AB" * 32},
        {"salt": None},
        {"words": "x", "salt": SALT + "\n"},
    ],
)
def test_words_of_another_shape_are_refused(
    world: World, harriet: Asker, alice: Asker, body: dict[str, object]
) -> None:
    game_id = world.table(harriet, seats=2)
    assert alice.post(f"/games/{game_id}/join", body).status_code == 422
    assert len(world.log_of(game_id)) == 1


def test_a_stranger_cannot_read_the_words_of_a_private_game(world: World, harriet: Asker, charlie: Asker) -> None:
    game_id = world.table(harriet, seats=2, public=False)
    assert charlie.get(f"/games/{game_id}/words").status_code == 404
