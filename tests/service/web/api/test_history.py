"""The history: plies, past positions, the story, the result, and pictures."""

import hashlib
import io
import xml.etree.ElementTree as ET

from PIL import Image

from tests.service.web.api.test_account import kind
from tests.service.web.api.test_moves import STOP, leader_of, walk
from tests.service.web.api.world import Asker, World


def test_plies_hide_the_secrets_of_other_seats(alice: Asker, bob: Asker, harriet: Asker, game_id: str) -> None:
    alice.choose(game_id)
    last = {who: who.get(f"/games/{game_id}/plies?since=4").json["plies"][0] for who in (alice, bob, harriet)}  # type: ignore[index]
    assert "card" in last[alice]["command"]
    assert last[bob] == last[harriet]
    assert last[bob]["command"] == {"command": "Choose"}
    assert last[bob]["events"] == [{"event": "CardChosen", "seat": 1}]


def test_others_learn_only_the_number_of_a_hidden_ply(alice: Asker, bob: Asker, game_id: str) -> None:
    alice.move(game_id, {"command": "Whisper", "number": 7})
    mine, theirs = (who.get(f"/games/{game_id}/plies?since=4").json["plies"][0] for who in (alice, bob))  # type: ignore[index]
    assert mine["command"] == {"command": "Whisper", "number": 7}
    assert {name: it for name, it in theirs.items() if it not in (None, [])} == {
        "ply": 5,
        "rules": 3,
        "withdrawn": False,
        "link": mine["link"],
    }
    assert all(line["ply"] != 5 for line in bob.get(f"/games/{game_id}/log").json["log"])  # type: ignore[index]
    assert any(line["ply"] == 5 for line in alice.get(f"/games/{game_id}/log").json["log"])  # type: ignore[index]


def test_plies_come_in_pages(alice: Asker, game_id: str) -> None:
    first = alice.get(f"/games/{game_id}/plies?limit=3").json
    rest = alice.get(f"/games/{game_id}/plies?since=3").json
    assert [it["ply"] for it in (*first["plies"], *rest["plies"])] == [1, 2, 3, 4]  # type: ignore[index]
    assert (first["more"], rest["more"]) == (True, False)  # type: ignore[index]
    assert alice.get(f"/games/{game_id}/plies?since=99").json["plies"] == []  # type: ignore[index]


def test_the_story_is_in_the_callers_language(alice: Asker, bob: Asker, game_id: str) -> None:
    alice.choose(game_id)
    english, german = (
        bob.get(f"/games/{game_id}/log?since=4", headers={"Accept-Language": lang}).json["log"]
        for lang in ("en", "de")  # type: ignore[index]
    )
    assert english[0]["sentences"] == ["Alice has chosen."]
    assert german[0]["sentences"] == ["Alice hat gewählt."]


def test_withdrawn_plies_stay_readable(alice: Asker, bob: Asker, game_id: str) -> None:
    leader, other = leader_of(game_id, alice, bob)
    leader.move(game_id, walk(1))
    leader.post(f"/games/{game_id}/take-back", {"down_to": 7}, headers={"If-Match": "*"})
    for path in ("plies", "log"):
        lines = other.get(f"/games/{game_id}/{path}?since=6").json[path]  # type: ignore[index]
        assert [(it["ply"], it["withdrawn"]) for it in lines] == [(7, True), (8, False)]
        alone = other.get(f"/games/{game_id}/{path}?since=6&limit=1").json[path]  # type: ignore[index]
        assert alone == lines[:1]  # even if the page ends before the undoing


def test_past_positions_show_the_callers_view_of_that_time(alice: Asker, bob: Asker, game_id: str) -> None:
    before = bob.get(f"/games/{game_id}").json
    leader, _ = leader_of(game_id, alice, bob)
    leader.move(game_id, walk(3), STOP)
    past = bob.get(f"/games/{game_id}/versions/4").json
    assert {name: before[name] for name in past} == past  # type: ignore[index, union-attr]
    assert bob.get(f"/games/{game_id}/versions/1").json["view"] is None  # type: ignore[index]
    for version in ("0", "9", "99999999999", "-1", "x"):
        assert bob.get(f"/games/{game_id}/versions/{version}").status_code == (200 if version == "0" else 404)


def test_a_running_game_has_no_result(alice: Asker, game_id: str) -> None:
    answer = alice.get(f"/games/{game_id}/result")
    assert (answer.status_code, kind(answer)) == (404, "no_result")


def test_a_finished_game_hides_nothing(world: World, alice: Asker, bob: Asker, harriet: Asker, game_id: str) -> None:
    alice.move(game_id, {"command": "Whisper", "number": 7})
    world.play_out(game_id, alice, bob)
    result = harriet.get(f"/games/{game_id}/result").json
    assert hashlib.sha256(bytes.fromhex(result["secret"])).hexdigest() == result["commitment"]  # type: ignore[index]
    assert [line["name"] for line in result["standings"]] == ["Alice", "Bob"]  # type: ignore[index]
    assert result["standings"][0]["lines"] == [{"id": "steps", "name": "Steps", "points": 0}]  # type: ignore[index]
    plies = {who: who.get(f"/games/{game_id}/plies").json["plies"] for who in (alice, bob, harriet)}  # type: ignore[index]
    assert plies[alice] == plies[bob] == plies[harriet]
    assert plies[bob][4]["command"] == {"command": "Whisper", "number": 7}


def test_nobody_learns_the_secret_of_a_running_game(world: World, alice: Asker, harriet: Asker, game_id: str) -> None:
    with world.store.read() as conn:
        secret = world.store.load(conn, game_id).secret.hex()
    for who in (alice, harriet):
        for path in ("", "/plies", "/log", "/versions/4", "/result"):
            assert secret not in who.get(f"/games/{game_id}{path}").text


def test_the_board_is_drawn(alice: Asker, bob: Asker, game_id: str) -> None:
    drawn = alice.get(f"/games/{game_id}/board.svg")
    assert drawn.content_type.startswith("image/svg+xml")
    assert ET.fromstring(drawn.text).tag.endswith("svg")
    assert "script" not in drawn.headers["Content-Security-Policy"]
    leader, _ = leader_of(game_id, alice, bob)
    leader.move(game_id, walk(3))
    assert alice.get(f"/games/{game_id}/board.svg").data != drawn.data
    assert alice.get(f"/games/{game_id}/board.svg?version=4").data == drawn.data
    assert alice.get(f"/games/{game_id}/board.svg?theme=dark").data != alice.get(f"/games/{game_id}/board.svg").data


def test_the_board_is_painted(alice: Asker, game_id: str) -> None:
    painted = alice.get(f"/games/{game_id}/board.png?width=600")
    assert Image.open(io.BytesIO(painted.data)).size[0] == 600
    for query in ("width=1", "width=100000", "version=x", "version=-1"):
        assert alice.get(f"/games/{game_id}/board.png?{query}").status_code == 422
    assert alice.get(f"/games/{game_id}/board.png?version=99").status_code == 404


def test_there_is_no_board_before_the_game(world: World, harriet: Asker, alice: Asker) -> None:
    game_id = world.table(harriet, alice, seats=2)
    assert alice.get(f"/games/{game_id}/board.svg").status_code == 404
