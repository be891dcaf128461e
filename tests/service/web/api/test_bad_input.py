"""Bad input of every kind gets a clear answer with the right status, writes nothing, and causes no internal error."""

import json
import logging
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Response

from service.web.app import LARGEST_BODY
from service.web.shared.problems import KINDS
from tests.service.web.api.test_account import kind
from tests.service.web.api.world import API, Asker, World

WHISPER = {"command": "Whisper", "number": 1}


@pytest.fixture(autouse=True)
def _no_mistake_of_ours(first_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail the test at once on a problem "broken", with its cause."""

    def fail(app: Flask, error: Any) -> None:
        raise AssertionError("a request ended in a mistake of ours") from error

    monkeypatch.setattr(
        "service.web.shared.errors.log.error", lambda *_, exc_info=None, **__: fail(first_world.app, exc_info)
    )


# ==== commands ====================================================================================
COMMANDS = {
    "no such command": {"command": "Fly"},
    "a command of the table": {"command": "StartGame"},
    "no command": {},
    "not a line": "Halt",
    "a list": ["Stop"],
    "nothing": None,
    "a number": 5,
    "a command that is no word": {"command": 5},
    "a command that is a list": {"command": ["Stop"]},
    "an unknown field": {"command": "Stop", "seat": 2},
    "another's seat": {"command": "Walk", "steps": 1, "seat": 2},
    "a missing field": {"command": "Walk"},
    "a field left out for others": {"command": "Choose"},
    "a word for a number": {"command": "Walk", "steps": "1"},
    "true for a number": {"command": "Walk", "steps": True},
    "a fraction": {"command": "Walk", "steps": 1.5},
    "a whole fraction": {"command": "Walk", "steps": 1.0},
    "null for a number": {"command": "Walk", "steps": None},
    "a list for a number": {"command": "Walk", "steps": [1]},
    "a huge number": {"command": "Walk", "steps": 10**40},
    "a huge negative number": {"command": "Walk", "steps": -(10**40)},
    "beyond 32 bits": {"command": "Walk", "steps": 2**31},
}


@pytest.mark.parametrize("path", ["moves", "preview"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_command_of_the_wrong_shape_is_refused(
    world: World, alice: Asker, game_id: str, path: str, command: Any
) -> None:
    before = world.log_of(game_id)
    answer = alice.post(f"/games/{game_id}/{path}", {"commands": [WHISPER, command]}, headers={"If-Match": "*"})
    assert (answer.status_code, kind(answer)) == (422, "shape")
    assert "1" in answer.json["errors"]["json"]["commands"]  # type: ignore[index]  # which of the two it is
    assert world.log_of(game_id) == before


@pytest.mark.parametrize("steps", [0, -1, 4, 2**31 - 1, -(2**31) + 1])
def test_a_well_formed_command_against_the_rules_is_refused(
    world: World, alice: Asker, bob: Asker, game_id: str, steps: int
) -> None:
    alice.choose(game_id)
    bob.choose(game_id)
    before = world.log_of(game_id)
    for who in (alice, bob):
        answer = who.move(game_id, {"command": "Walk", "steps": steps})
        assert (answer.status_code, answer.json["rule"]) == (409, "TOY 3")  # type: ignore[index]
    assert world.log_of(game_id) == before


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"commands": []},
        {"commands": {}},
        {"commands": None},
        {"commands": WHISPER},
        {"commands": [WHISPER] * 51},
        {"commands": [WHISPER], "version": 4},
        {"command": WHISPER},
        [],
        [WHISPER],
        None,
        1,
        "x",
        True,
    ],
    ids=repr,
)
def test_a_body_of_the_wrong_shape_is_refused(world: World, alice: Asker, game_id: str, body: Any) -> None:
    before = world.log_of(game_id)
    answer = alice.ask(
        "POST",
        f"/games/{game_id}/moves",
        data=json.dumps(body),
        content_type="application/json",
        headers={"If-Match": "*"},
    )
    assert (answer.status_code, kind(answer)) == (422, "shape")
    assert world.log_of(game_id) == before


# ==== bytes =======================================================================================
BYTES = {
    "not JSON": b"commands=Stop",
    "half of it": b'{"commands": [',
    "invalid UTF-8": b'{"commands": ["\xff\xfe"]}',
    "surrogate bytes": b'{"commands": ["\xed\xa0\x80"]}',
    "an unpaired surrogate": b'{"commands": [{"command": "\\ud800"}]}',
    "UTF-16": '{"commands": []}'.encode("utf-16"),
    "not a number": b'{"commands": [{"command": "Walk", "steps": NaN}]}',
    "infinity": b'{"commands": [{"command": "Walk", "steps": Infinity}]}',
    "beyond floats": b'{"commands": [{"command": "Walk", "steps": 1e999}]}',
    "a number of 5,000 digits": b'{"commands": [{"command": "Walk", "steps": ' + b"9" * 5000 + b"}]}",
    "deep lists": b"[" * 50_000 + b"]" * 50_000,
    "deep objects": b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "objects a little too deep": b'{"a":[' * 16 + b'{"a":1}' + b"]}" * 16,
    "a NUL": b'{"commands": []}\x00',
    "NULs": b"\x00" * 100,
    "two of them": b"{} {}",
    "only a space": b" ",
}


@pytest.mark.parametrize("data", BYTES.values(), ids=BYTES)
def test_a_body_that_is_not_json_is_refused(world: World, alice: Asker, game_id: str, data: bytes) -> None:
    before = world.log_of(game_id)
    answer = alice.ask(
        "POST", f"/games/{game_id}/moves", data=data, content_type="application/json", headers={"If-Match": "*"}
    )
    assert (answer.status_code, kind(answer)) == (400, "malformed")
    assert world.log_of(game_id) == before


def test_a_huge_body_is_refused(world: World, alice: Asker, game_id: str) -> None:
    for data in (b"x" * (LARGEST_BODY + 1), b'{"commands": "' + b"x" * LARGEST_BODY + b'"}'):
        answer = alice.ask("POST", f"/games/{game_id}/moves", data=data, content_type="application/json")
        assert (answer.status_code, kind(answer)) == (413, "too_large")


def test_a_huge_body_without_a_length_is_refused(world: World, game_id: str) -> None:
    """A chunked body does not state its length."""

    class Endless:
        def read(self, size: int = -1) -> bytes:
            return b" " * (size if size > 0 else LARGEST_BODY)

    headers = {**world.token("Alice").headers, "Content-Type": "application/json", "If-Match": "*"}
    environ = EnvironBuilder(f"{API}/games/{game_id}/moves", method="POST", headers=headers).get_environ()
    environ.pop("CONTENT_LENGTH", None)
    environ.update({"wsgi.input": Endless(), "wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"})
    answer = Response.from_app(world.app, environ)
    assert answer.status_code == 413
    assert json.loads(answer.data)["type"].endswith("#too_large")


def test_a_huge_body_is_refused_even_if_no_view_reads_it(alice: Asker) -> None:
    answer = alice.ask("DELETE", "/session", data=b"x" * (LARGEST_BODY + 1))
    assert answer.status_code == 413
    assert alice.get("/me").status_code == 200


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        "json",
        "application/json-seq",
        "\x00",
    ],
)
def test_the_wrong_content_type_is_refused(world: World, alice: Asker, game_id: str, content_type: str) -> None:
    before = world.log_of(game_id)
    answer = alice.ask(
        "POST",
        f"/games/{game_id}/moves",
        data=json.dumps({"commands": [WHISPER]}),
        headers={"If-Match": "*", "Content-Type": content_type},
    )
    assert (answer.status_code, kind(answer)) == (415, "content_type")
    assert world.log_of(game_id) == before


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "application/vnd.x+json", "APPLICATION/JSON"]
)
def test_other_content_types_of_json_are_accepted(alice: Asker, game_id: str, content_type: str) -> None:
    answer = alice.ask(
        "POST",
        f"/games/{game_id}/moves",
        data=json.dumps({"commands": [WHISPER]}),
        headers={"If-Match": "*", "Content-Type": content_type},
    )
    assert answer.status_code == 201


# ==== texts =======================================================================================
TEXTS = ["a\x00b", "\x1b[31m", "a\r\nSet-Cookie: x=y", "\u202egnp", "\x7f", "\u2028"]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_control_characters_are_refused_everywhere(world: World, harriet: Asker, alice: Asker, text: str) -> None:
    game_id = world.table(harriet, seats=2)
    for answer in (
        harriet.post("/games", {"title": "toy", "seats": 2, "name": text}),
        harriet.post("/games", {"title": text, "seats": 2}),
        alice.post(f"/games/{game_id}/join", {"entropy": text}),
        alice.post(f"/games/{game_id}/join", {"choice": {"colour": text}}),
        alice.post(f"/games/{game_id}/join", {"invite": text}),
        alice.patch("/me", {"name": text}),
        alice.patch("/me", {"zone": text}),
        alice.post("/me/tokens", {"name": text, "scopes": ["read"]}),
        alice.post("/sign-in", {"email": f"{text}@example.org"}),
        alice.post("/sign-in/confirm", {"token": text}),
        harriet.post(f"/games/{game_id}/bots", {"bot": text}),
        harriet.post(f"/games/{game_id}/invitations", {"emails": [f"{text}@example.org"]}),
    ):
        assert (answer.status_code, kind(answer)) == (422, "shape"), answer.request.path
    assert len(world.log_of(game_id)) == 1


def test_a_name_may_be_in_any_language(alice: Asker) -> None:
    for name in (
        "Ægir Þór",
        "王小明",
        "Zoë 🚂",
        "<script>alert(1)</script>",
        "'; DROP TABLE person; --",
        "{seat} {0}",
        "%s",
    ):
        assert alice.patch("/me", {"name": name}).json["name"] == name  # type: ignore[index]


def test_names_are_never_templates(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    alice.patch("/me", {"name": "{seat.__class__} {0} %s"})
    game_id = world.game(harriet, alice, bob)
    assert "{seat.__class__} {0} %s draws a card." in bob.get(f"/games/{game_id}/log").json["log"][-1]["sentences"]  # type: ignore[index]


# ==== addresses ===================================================================================
@pytest.mark.parametrize(
    "path",
    [
        "nothing",
        "0000000000000000",
        "a" * 26,
        "a" * 27,
        "a" * 5000,
        "%00",
        "a%00b",
        "%ff%fe",
        "%ed%a0%80",
        "..%2f..",
        "ABC",
        "a b",
        "ä",
        "'",
        "-1",
        "1e9",
        "%0d%0aX:y",
        "null",
    ],
)
@pytest.mark.parametrize("tail", ["", "/actions", "/plies", "/board.svg"])
def test_an_unknown_game_is_not_found(alice: Asker, path: str, tail: str) -> None:
    answer = alice.get(f"/games/{path}{tail}")
    assert (answer.status_code, kind(answer)) == (404, "not_found")


@pytest.mark.parametrize("seat", ["0", "2", "21", "99999999999999999999", "-1", "x", "1.0", "%00"])
def test_an_unknown_seat_is_refused(world: World, harriet: Asker, seat: str) -> None:
    game_id = world.table(harriet, seats=2)
    assert harriet.delete(f"/games/{game_id}/bots/{seat}").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/me/tokens/0",
        "/me/tokens/99999999999999999999",
        "/me/tokens/x",
        "/me/sessions/x",
        "/me/sessions/" + "%" * 16,
        "/me/sessions/" + "0" * 16,
        "/titles/chess",
        "/titles/%00",
        "/titles/" + "x" * 5000,
        "/nothing",
        "/",
    ],
)
def test_unknown_addresses_are_not_found(alice: Asker, path: str) -> None:
    for method in ("GET", "DELETE"):
        assert alice.ask(method, path).status_code in (404, 405)


@pytest.mark.parametrize(
    "query",
    [
        "since=x",
        "since=-1",
        "since=99999999999999999999",
        "since=",
        "limit=0",
        "invite=" + "x" * 201,
        "%ff=1",
        "since=%00",
        "since=1.0",
        "since=１０x",
    ],
)
def test_a_wrong_query_is_refused(alice: Asker, game_id: str, query: str) -> None:
    answer = alice.get(f"/games/{game_id}/plies?{query}")
    assert (answer.status_code, kind(answer)) == (422, "shape")


def test_strange_invitations_open_nothing(world: World, alice: Asker, charlie: Asker, game_id: str) -> None:
    for invite in ("%00", "%ff", "%ed%a0%80", "x", "ä"):
        assert charlie.get(f"/games/{game_id}?invite={invite}").status_code == 404
        assert alice.get(f"/games/{game_id}?invite={invite}").status_code == 200


# ==== methods and headers =========================================================================
def test_an_unsupported_method_is_refused(world: World, alice: Asker, game_id: str) -> None:
    for method, path, allowed in (
        ("PUT", f"/games/{game_id}", "GET, HEAD, OPTIONS"),
        ("GET", f"/games/{game_id}/moves", "OPTIONS, POST"),
        ("DELETE", "/me", "GET, HEAD, OPTIONS, PATCH"),
        ("TRACE", "/me", "GET, HEAD, OPTIONS, PATCH"),
        ("BREW", "/me", "GET, HEAD, OPTIONS, PATCH"),
    ):
        answer = alice.ask(method, path)
        assert (answer.status_code, answer.headers["Allow"], kind(answer)) == (405, allowed, "method")


@pytest.mark.parametrize(
    "name",
    [
        "Accept-Language",
        "Accept",
        "If-None-Match",
        "If-Match",
        "Cookie",
        "Origin",
        "Host",
        "Idempotency-Key",
        "Range",
        "If-Modified-Since",
        "X-Forwarded-For",
    ],
)
@pytest.mark.parametrize("value", ["\xff\xfe", "x" * 5000, "", ",,,;;;===", '"', "*", "de;q=x", "\x00", "bytes=9-1"])
def test_strange_headers_break_nothing(alice: Asker, game_id: str, name: str, value: str) -> None:
    for answer in (
        alice.get(f"/games/{game_id}", headers={name: value}),
        alice.post(f"/games/{game_id}/moves", {"commands": [WHISPER]}, headers={"If-Match": "*", name: value}),
    ):
        assert answer.status_code < 500
        if answer.status_code >= 400:
            assert answer.content_type == "application/problem+json"


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_a_malformed_idempotency_key_is_refused(world: World, alice: Asker, game_id: str, key: str) -> None:
    before = world.log_of(game_id)
    answer = alice.post(
        f"/games/{game_id}/moves", {"commands": [WHISPER]}, headers={"If-Match": "*", "Idempotency-Key": key}
    )
    assert (answer.status_code, kind(answer)) == (422, "shape")
    assert world.log_of(game_id) == before


# ==== problems ====================================================================================
def test_a_problem_has_all_its_members(alice: Asker) -> None:
    answer = alice.get("/games/nothing", headers={"Accept-Language": "de"})
    assert answer.content_type == "application/problem+json"
    assert answer.json == {
        "type": "/api/v1/docs#not_found",
        "title": "Nicht gefunden",
        "status": 404,
        "detail": "Das gibt es nicht, oder du darfst es nicht sehen.",
        "instance": "/api/v1/games/nothing",
    }


def test_a_refusal_names_rule_sentence_and_facts(alice: Asker, bob: Asker, game_id: str) -> None:
    answer = alice.move(game_id, {"command": "Stop"}, headers={"Accept-Language": "de"})
    assert {name: answer.json[name] for name in ("rule", "sentence", "facts")} == {  # type: ignore[index]
        "rule": "TOY 3",
        "sentence": "Du führst diese Runde nicht an.",
        "facts": {},
    }


def test_every_problem_is_explained_where_its_type_points(alice: Asker) -> None:
    page = alice.get("/docs").text
    for name in KINDS:
        assert f'id="{name}"' in page


def test_an_internal_error_is_logged_and_its_answer_reveals_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, game_id: str, alice: Asker, caplog: pytest.LogCaptureFixture
) -> None:
    noted = []
    monkeypatch.setattr("service.web.shared.errors.log.error", lambda event, **facts: noted.append((event, facts)))
    monkeypatch.setattr("service.games.queries.shown", lambda *_: 1 / 0)
    with caplog.at_level(logging.CRITICAL):
        answer = alice.get(f"/games/{game_id}")
    assert (answer.status_code, kind(answer)) == (500, "broken")
    assert "division" not in answer.text
    assert noted[0][1]["rule"] == "/api/v1/games/<game:game_id>"
