"""Headers, limits, proxies, health, logs, the document and its page, and schemas made from structs."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

import msgspec
import pytest
import structlog
from marshmallow import ValidationError
from msgspec import UNSET

import domain
from config.logging import strike_out
from config.settings import Settings
from domain.messages import Command, Own
from service.database.store import Store
from service.web.shared.headers import ALWAYS
from service.web.shared.limits import network_of
from service.web.shared.shapes import schema_of
from tests.service.web.api.test_account import kind
from tests.service.web.api.world import Asker, World, make_world


# ==== headers =====================================================================================
def test_every_answer_has_the_security_headers(alice: Asker, game_id: str) -> None:
    paths = (
        f"/games/{game_id}",
        f"/games/{game_id}/log",
        "/nothing",
        "/docs",
        "/openapi.json",
        "./healthz",
        "./",
        "./nothing",
    )
    for path in paths:
        answer = alice.get(path)
        for name in ALWAYS:
            assert name in answer.headers, (path, name)
        assert answer.headers["Cache-Control"] == "no-store", path
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe-inline" not in policy
        assert "frame-ancestors 'none'" in policy


def test_caches_separate_answers_by_caller_and_language(alice: Asker) -> None:
    assert {"Accept-Language", "Authorization", "Cookie"} <= {
        it.strip() for it in alice.get("/me").headers["Vary"].split(",")
    }


# ==== limits ======================================================================================
@pytest.fixture
def limited(tmp_path: Path, one_moment: None) -> Iterator[World]:
    """Return a world with rate limits, also for requests from this machine: there is a proxy in front."""
    settings = Settings(_env_file=None, data_dir=tmp_path, trusted_proxies=1, allowed_hosts=("trains.example",))
    made = make_world(f"sqlite:///{tmp_path / 'limited.db'}", settings)
    yield made
    made.store.close()


def test_one_address_may_request_a_limited_number_of_links(limited: World) -> None:
    answers = [limited.anonymous().post("/sign-in", {"email": f"d{number}@example.org"}) for number in range(12)]
    assert [it.status_code for it in answers] == [202] * 10 + [429] * 2
    assert kind(answers[-1]) == "slower"
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60


def test_one_mailbox_is_not_flooded_from_many_addresses(limited: World) -> None:
    codes = []
    for number, email in enumerate(["dora@example.org", "Dora@example.org", "DORA@EXAMPLE.ORG", "dora@example.org"]):
        headers = {"X-Forwarded-For": f"192.0.2.{number}"}
        codes.append(limited.anonymous().post("/sign-in", {"email": email}, headers=headers).status_code)
    assert codes == [202, 202, 202, 429]


def test_the_number_of_tried_codes_is_limited(limited: World) -> None:
    answers = [limited.anonymous().post("/sign-in/confirm", {"token": "x", "code": "000000"}) for _ in range(21)]
    assert [it.status_code for it in answers] == [403] * 20 + [429]


def test_the_requests_of_one_person_are_limited(limited: World, monkeypatch: pytest.MonkeyPatch) -> None:
    alice, bob = limited.person("Alice"), limited.person("Bob")
    codes = []
    for number in range(601):  # each from a new address
        codes.append(alice.get("/me", headers={"X-Forwarded-For": f"192.0.2.{number % 250}"}).status_code)
    assert codes == [200] * 600 + [429]
    assert bob.get("/me", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("not an address", "not an address", True),
    ],
)
def test_a_network_of_ipv6_is_counted_as_one(one: str, other: str, alike: bool) -> None:
    assert (network_of(one) == network_of(other)) is alike


def test_a_client_that_changes_addresses_within_a_network_is_still_counted(limited: World) -> None:
    codes = [
        limited.anonymous()
        .post("/sign-in", {"email": f"d{number}@example.org"}, headers={"X-Forwarded-For": f"2001:db8::{number:x}:1"})
        .status_code
        for number in range(11)
    ]
    assert codes == [202] * 10 + [429]
    elsewhere = {"X-Forwarded-For": "2001:db8:0:1::1"}
    assert limited.anonymous().post("/sign-in", {"email": "e@example.org"}, headers=elsewhere).status_code == 202


@pytest.mark.usefixtures("one_moment")
def test_a_caller_at_the_machine_is_not_counted(tmp_path: Path) -> None:
    world = make_world(f"sqlite:///{tmp_path / 'x.db'}", Settings(_env_file=None, data_dir=tmp_path))
    for _ in range(12):
        assert world.anonymous().post("/sign-in", {"email": "dora@example.org"}).status_code == 202
    elsewhere = [
        world.app.test_client()
        .post("/api/v1/sign-in", json={"email": "e@example.org"}, environ_overrides={"REMOTE_ADDR": "192.0.2.1"})
        .status_code
        for _ in range(4)
    ]
    assert elsewhere == [202, 202, 202, 429]
    world.store.close()


# ==== proxies =====================================================================================
def test_headers_of_a_proxy_count_only_behind_a_trusted_one(world: World, limited: World) -> None:
    """An https Origin is the site's own only if the trusted proxy says that the request came by https."""
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "trains.example", "Origin": "https://trains.example"}
    assert limited.person("Alice").patch("/me", {"name": "A"}, headers=headers).status_code == 200
    assert world.person("Alice").patch("/me", {"name": "A"}, headers=headers).status_code == 403


# ==== health ======================================================================================
def test_the_service_is_alive_and_ready(world: World) -> None:
    anybody = world.anonymous()
    assert anybody.get("./healthz").json == {"status": "ok"}
    assert anybody.get("./readyz").json == {"status": "ok"}


def test_the_service_is_not_ready_without_its_tables(world: World, tmp_path: Path) -> None:
    empty = Store(f"sqlite:///{tmp_path / 'empty.db'}", {}, world.settings)
    world.use(empty)
    assert world.anonymous().get("./readyz").status_code == 503
    assert world.anonymous().get("./healthz").status_code == 200
    empty.close()


def test_the_service_is_not_ready_without_its_database(world: World) -> None:
    world.use(Store("postgresql://nobody@127.0.0.1:1/nothing", {}, world.settings))
    assert world.anonymous().get("./readyz").status_code == 503


# ==== logs ========================================================================================
def test_requests_are_logged_without_secrets(world: World, alice: Asker, game_id: str) -> None:
    token = world.token("Alice")
    invite = world.person("Harriet").post(f"/games/{game_id}/invitations")
    with structlog.testing.capture_logs() as lines:
        token.get("/me")
        token.get(f"/games/{game_id}?invite=secret-invitation")
        alice.post("/sign-in", {"email": "dora@example.org"})
        alice.get("./sign-in/secret-token")
        alice.choose(game_id)
    assert invite.status_code == 409
    assert {
        "event": "request",
        "method": "GET",
        "rule": "/api/v1/me",
        "status": 200,
        "person": alice.number,
    }.items() <= {**lines[0]}.items()
    text = str(lines)
    for secret in (token.headers["Authorization"][7:], "secret-invitation", "dora@", "secret-token", game_id):
        assert secret not in text


def test_a_secret_in_a_log_line_is_struck_out() -> None:
    event = {
        "event": "dora@example.org asked GET /sign-in/abc-_1?next=/ HTTP", "token": "x", "cookie": "y", "n": 5,
        "detail": "Bearer stk_abc-DEF, /turn/q.w-e and invite=zzz&x=1", "rule": "/api/v1/me",
    }  # fmt: skip
    assert strike_out(None, "info", event) == {
        "event": "<address> asked GET /sign-in/<token>?next=/ HTTP", "token": "<hidden>", "cookie": "<hidden>", "n": 5,
        "detail": "Bearer <token>, /turn/<token> and invite=<token>&x=1", "rule": "/api/v1/me",
    }  # fmt: skip


def test_tokens_in_addresses_never_reach_a_log(world: World) -> None:
    """It covers every page and address that takes a token, in every spelling."""
    token = "q1-W_e.2r"
    rules = [str(rule) for rule in world.app.url_map.iter_rules() if "token" in rule.arguments]
    paths = [re.sub("<[^>]*token>", token, rule) for rule in rules]
    roads = {"sign-in", "turn", "join", "unsubscribe", "never", "address", "api"}
    assert {path.split("/")[1] for path in paths} >= roads
    for path in paths:
        for said in (
            f"GET {path} failed",
            f"http://localhost{path}?x=1",
            f"/sign-in?next={quote(path, safe='')}",
            f"'{path}'",
            f"Error handling request {path}",
        ):
            struck = strike_out(None, "info", {"event": said, "more": [said, {"deep": (said,)}]})
            assert token not in str(struck), said
            assert quote(token, safe="") not in str(struck), said
    for secret in ("whs_abc-DEF_1", "stk_abc-DEF_1", "dora%40example.org", "d.o+x@sub.example.org"):
        assert secret not in str(strike_out(None, "info", {"event": f"x={secret}&y", "more": [f"({secret})"]}))


def test_secrets_in_the_web_servers_own_log_are_struck_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from config import logging as ours

    root, kept = logging.getLogger(), logging.getLogger().handlers[:]
    try:
        ours.configure(Settings(_env_file=None, data_dir=tmp_path).model_copy(update={"profile": "production"}))
        logging.getLogger("waitress").error("Exception while serving %s", "/turn/abc.def")
    finally:
        root.handlers[:] = kept
        structlog.reset_defaults()
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["event"] == "Exception while serving /turn/<token>"


def test_libraries_log_in_the_same_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from config import logging as ours

    root, kept = logging.getLogger(), logging.getLogger().handlers[:]
    try:
        ours.configure(Settings(_env_file=None, data_dir=tmp_path).model_copy(update={"profile": "production"}))
        logging.getLogger("some.library").warning("mail to %s failed", "dora@example.org")
        try:
            secret_local = "stk_hidden"
            raise ValueError(f"no {secret_local}")
        except ValueError:
            structlog.get_logger("ours").exception("broken", rule="/x")
    finally:
        root.handlers[:] = kept
        structlog.reset_defaults()
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert first["event"] == "mail to <address> failed"
    assert second["rule"] == "/x"
    assert "ValueError: no <token>" in second["exception"]
    assert "secret_local =" not in second["exception"].replace('secret_local = "stk', "")


# ==== the document ================================================================================
def test_the_document_names_every_address(world: World) -> None:
    document = world.anonymous().get("/openapi.json").json
    assert document["openapi"].startswith("3.")  # type: ignore[index]
    described = {(path, method.upper()) for path, item in document["paths"].items() for method in item}  # type: ignore[index]
    for rule in world.app.url_map.iter_rules():
        if rule.rule.startswith("/api/v1/") and not rule.endpoint.startswith(("api-docs.", "api_page.")):
            path = re.sub(r"<(?:[^:<>]*:)?([^<>]*)>", r"{\1}", rule.rule)
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                assert (path, method) in described


def test_the_document_describes_the_commands_of_every_title(world: World) -> None:
    schemas = world.anonymous().get("/openapi.json").json["components"]["schemas"]  # type: ignore[index]
    assert {"$ref": "#/components/schemas/toy.Walk"} in schemas["Command"]["anyOf"]
    walk = schemas["toy.Walk"]
    assert walk["required"] == ["command", "steps"]
    assert walk["additionalProperties"] is False
    assert walk["properties"]["steps"]["type"] == "integer"
    assert schemas["toy.options"]["properties"]["length"]["enum"] == ["short", "long"]


def test_every_operation_names_its_permitted_callers(world: World) -> None:
    document = world.anonymous().get("/openapi.json").json
    for path, item in document["paths"].items():  # type: ignore[index]
        for method, operation in item.items():
            if method != "parameters" and not path.startswith("/api/v1/sign-in"):
                assert operation["security"], (method, path)
                assert operation["summary"], (method, path)


def test_the_page_shows_every_operation_and_loads_nothing_from_elsewhere(world: World) -> None:
    page = world.anonymous().get("/docs").text
    document = world.anonymous().get("/openapi.json").json
    for path in document["paths"]:  # type: ignore[index]
        assert f"<code>{path}</code>" in page
    assert "Commands: Lanterns" in page
    assert not re.search(r"<script|style=|https?://(?!127)", page)
    with world.anonymous().get("/docs/static/docs.css") as sheet:
        assert sheet.status_code == 200


def test_the_api_describes_a_title(world: World) -> None:
    title = world.anonymous().get("/titles/toy", headers={"Accept-Language": "de"}).json
    assert (title["name"], title["seats"], title["bots"]) == ("Laternen", [2, 3], ["random", "sensible"])  # type: ignore[index]
    assert title["names"]["colour"] == "Farbe"  # type: ignore[index]
    assert title["commands"]["Walk"]["required"] == ["command", "steps"]  # type: ignore[index]
    assert title["notes"] == ["Der Weg mit seinen Laternen."]  # type: ignore[index]
    assert world.anonymous().get("/titles/toy/rules").text.startswith("#")
    assert [it["id"] for it in world.anonymous().get("/titles").json["titles"]] == ["toy"]  # type: ignore[index]


def test_the_rules_come_in_the_language_of_the_caller(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(world.store.titles, "ticket_to_ride", domain.TITLES["ticket_to_ride"])  # type: ignore[arg-type]

    def first_line(lang: str) -> str:
        answer = world.anonymous().get("/titles/ticket_to_ride/rules", headers={"Accept-Language": lang})
        assert "Accept-Language" in answer.vary
        return answer.text.splitlines()[0]

    assert first_line("en") == "# Ticket to Ride (US map): rule catalogue"
    assert first_line("de") == "# Zug um Zug (USA): Regelkatalog"


# ==== schemas made from structs ===================================================================
class Inner(msgspec.Struct, frozen=True):
    row: int


class Everything(Command, frozen=True):
    word: str
    number: int
    truth: bool
    side: Literal["left", "right"]
    size: Literal[1, 2]
    cards: tuple[str, ...]
    pair: tuple[int, str]
    inner: Inner
    days: Annotated[int, msgspec.Meta(ge=0, le=9)]
    city: Annotated[str, msgspec.Meta(pattern="^(york|bath)$")]
    perhaps: str | None = None
    mine: Own[int] = UNSET


GOOD: dict[str, Any] = {
    "command": "Everything", "word": "w", "number": -3, "truth": False, "side": "left", "size": 2, "cards": ["a", "b"],
    "pair": [1, "x"], "inner": {"row": 4}, "days": 9, "city": "bath",
    "perhaps": None, "mine": 5,
}  # fmt: skip


def test_a_schema_accepts_every_value_of_its_struct() -> None:
    loaded = schema_of(Everything, "Everything", "Everything")().load(GOOD)
    command = msgspec.convert(loaded, Everything)
    assert msgspec.to_builtins(command) == {**GOOD, "cards": ("a", "b"), "pair": (1, "x")}


@pytest.mark.parametrize(
    "wrong",
    [
        {"word": 1},
        {"word": None},
        {"word": "x" * 201},
        {"number": "1"},
        {"number": True},
        {"number": 2**31},
        {"truth": 1},
        {"truth": "true"},
        {"side": "up"},
        {"side": ["left"]},
        {"size": 3},
        {"size": True},
        {"size": "1"},
        {"cards": "ab"},
        {"cards": ["a"] * 101},
        {"cards": [1]},
        {"cards": [None]},
        {"pair": [1]},
        {"pair": [1, "x", 2]},
        {"pair": ["x", 1]},
        {"inner": {}},
        {"inner": {"row": 1, "column": 2}},
        {"inner": 4},
        {"perhaps": 1},
        {"mine": None},
        {"days": 10},
        {"days": -1},
        {"city": "bathe"},
        {"city": "a bath"},
        {"more": 1},
        {"command": "Else"},
    ],
    ids=repr,
)
def test_a_schema_refuses_all_other_values(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        schema_of(Everything, "Everything", "Everything")().load({**GOOD, **wrong})


def test_only_a_field_with_a_default_may_be_left_out() -> None:
    schema = schema_of(Everything, "Everything", "Everything")()
    for name in GOOD:
        rest = {key: it for key, it in GOOD.items() if key != name}
        if name == "perhaps":
            assert schema.load(rest)
        else:
            with pytest.raises(ValidationError):
                schema.load(rest)


def test_a_title_cannot_use_field_types_without_a_form() -> None:
    class Odd(Command, frozen=True):
        weight: float

    with pytest.raises(TypeError, match="Odd: a command or choice cannot have a field of type"):
        schema_of(Odd, "Odd", "Odd")
