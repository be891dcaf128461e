"""Sealed words in the API and on the pages."""

import hashlib

from tests.service.web.api.world import Asker, World


def sealed(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()


def test_players_use_sealed_words_by_the_api(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    game_id = harriet.post("/games", {"title": "toy", "seats": 2, "sealed": True}).json["id"]  # type: ignore[index]
    path, one, two = f"/games/{game_id}", "11" * 32, "22" * 32
    assert alice.post(f"{path}/join", {"words": one}).json["rule"] == "ST 20"  # type: ignore[index]
    assert alice.post(f"{path}/join", {"sealed": sealed(one)}).status_code == 201
    assert alice.post(f"{path}/words/open", {"words": one}).json["rule"] == "ST 20"  # type: ignore[index]
    bob.post(f"{path}/join", {"sealed": sealed(two)})
    told = alice.get(f"{path}/words").json["sealed"]  # type: ignore[index]
    assert (told["owing"], told["opened"], told["failed"], told["due"] is None) == ([1, 2], [], 0, False)
    assert harriet.post(f"{path}/start").json["rule"] == "ST 20"  # type: ignore[index]
    assert alice.post(f"{path}/words/open", {"words": two}).json["rule"] == "ST 20"  # type: ignore[index]
    for bad in ({"words": "x"}, {"words": "AB" * 32}, {}, {"words": one, "more": 1}):
        assert alice.post(f"{path}/words/open", bad).status_code == 422
    assert alice.post(f"{path}/words/seal", {"sealed": sealed(two)}).json["rule"] == "ST 20"  # type: ignore[index]
    assert harriet.post(f"{path}/words/open", {"words": one}).status_code == 403
    assert alice.post(f"{path}/words/open", {"words": one}).status_code == 200
    assert bob.post(f"{path}/leave").status_code == 200
    assert alice.get(f"{path}/words").json["sealed"]["failed"] == 1  # type: ignore[index]
    assert alice.post(f"{path}/words/seal", {"sealed": sealed("33" * 32)}).status_code == 200
    bob.post(f"{path}/join", {"sealed": sealed("44" * 32)})
    bob.post(f"{path}/words/open", {"words": "44" * 32})
    assert alice.post(f"{path}/words/open", {"words": "33" * 32}).status_code == 200
    assert alice.get(path).json["status"] == "running"  # type: ignore[index]
    said = alice.get(f"{path}/words").json["sentence"]  # type: ignore[index]
    assert said.startswith("Words were sealed before any were opened (2 seats: 1 and 2)")
    assert said.endswith("1 attempt before that failed.")
