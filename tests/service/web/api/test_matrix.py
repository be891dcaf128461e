"""Every address of the API, for every kind of caller: anonymous, stranger, both seats, host, a token with too few
scopes.

The rows are compared with the application's own list of addresses: a new one without a row fails. All games here are
private, so strangers are told that they do not exist.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from werkzeug.test import TestResponse

from config.settings import Settings
from service.base.clock import now
from service.notices import webhooks
from service.people.accounts import SCOPES, Scope
from tests.service.web.api.conftest import close, copy_of
from tests.service.web.api.world import Asker, World

ASKERS = ("anonymous", "stranger", "alice", "bob", "host", "small")
"""``small``: a token of the host's with every scope but the required one (with none at all if none is)."""


class Row(NamedTuple):
    """The answer to each caller. ``scope``: of the route; "browser" if it refuses tokens; "" for everybody."""

    scope: Scope | str
    anonymous: int
    stranger: int
    alice: int
    bob: int
    host: int
    body: Any = None
    table: str = "running"

    def of(self, asker: str) -> int:
        if asker == "small":
            return 403 if self.scope else self.anonymous
        return int(getattr(self, asker))


def everybody(status: int, scope: str = "") -> Row:
    return Row(scope, status, status, status, status, status)


def persons(status: int, body: Any = None, scope: str = "browser") -> Row:
    return Row(scope, 401, status, status, status, status, body)


def members(status: int = 200, table: str = "running") -> Row:
    """Return the row of a game that its players and its host may see."""
    return Row("read", 404, 404, status, status, status, None, table)


def seats(scope: Scope, status: int, body: Any = None) -> Row:
    """Return the row of an action for seats only: the host sees the game, but has no seat."""
    return Row(scope, 401, 404, status, status, 403, body)


def hosts(status: int, body: Any = None, table: str = "open") -> Row:
    return Row("host", 401, 404, 403, 403, status, body, table)


def alices(scope: Scope, status: int, body: Any = None) -> Row:
    """Return the row of a sandbox of Alice's: everybody else is told that it does not exist."""
    return Row(scope, 401, 404, status, 404, 404, body)


WHISPER = {"commands": [{"command": "Whisper", "number": 1}]}

MATRIX: Mapping[tuple[str, str], Row] = {
    # the service
    ("GET", "/healthz"): everybody(200),
    ("GET", "/readyz"): everybody(200),
    ("GET", "/healthz/work"): everybody(200),
    ("GET", "/metrics"): everybody(404),  # there is none without a token of its own
    ("GET", "/api/v1/openapi.json"): everybody(200),
    ("GET", "/api/v1/docs"): everybody(200),
    ("GET", "/api/v1/docs/static/<path:filename>"): everybody(200),
    # signing in
    ("POST", "/api/v1/sign-in"): everybody(202)._replace(body={"email": "dora@example.org"}),
    ("POST", "/api/v1/sign-in/confirm"): everybody(403)._replace(body={"token": "nothing"}),
    ("DELETE", "/api/v1/session"): persons(204),
    # the account
    ("GET", "/api/v1/me"): persons(200, scope="read"),
    ("PATCH", "/api/v1/me"): persons(200, {"lang": "de"}),
    ("GET", "/api/v1/me/export"): persons(200),
    ("GET", "/api/v1/people/<string(length=22):address>"): everybody(404),  # it is nobody's
    ("GET", "/api/v1/me/profile"): persons(200, scope="read"),
    ("PATCH", "/api/v1/me/profile"): persons(200, {"hidden": []}),
    ("POST", "/api/v1/me/profile/renew"): persons(200),
    ("GET", "/api/v1/me/people"): persons(200),
    ("PUT", "/api/v1/me/people/<any(liked, blocked, muted):kind>/<string(length=22):address>"): persons(404),
    ("DELETE", "/api/v1/me/people/<any(liked, blocked, muted):kind>/<string(length=22):address>"): persons(404),
    ("GET", "/api/v1/me/wishes"): persons(200, scope="read"),
    ("POST", "/api/v1/me/wishes"): persons(201, {"titles": ["toy"], "paces": ["day"], "seats": [2]}, "play"),
    ("DELETE", "/api/v1/me/wishes/<int(max=2147483647):number>"): persons(404, scope="play"),  # it is nobody's
    ("GET", "/api/v1/me/record"): persons(200, scope="read"),
    ("GET", "/api/v1/me/record.csv"): persons(200, scope="read"),
    ("POST", "/api/v1/me/erase"): persons(422, {"email": "dora@example.org"}),  # not their own
    ("GET", "/api/v1/me/sessions"): persons(200),
    ("DELETE", "/api/v1/me/sessions/<string(length=16):session_id>"): persons(404),  # it is nobody's
    ("GET", "/api/v1/me/tokens"): persons(200),
    ("POST", "/api/v1/me/tokens"): persons(201, {"name": "x", "scopes": ["read"]}),
    # token 1 is the host's
    ("DELETE", "/api/v1/me/tokens/<int(max=2147483647):token_id>"): Row("browser", 401, 404, 404, 404, 204),
    # webhooks and feeds; webhook 1 and its call 1 are the host's, who has no feed yet
    ("GET", "/api/v1/me/webhooks"): persons(200),
    ("POST", "/api/v1/me/webhooks"): persons(201, {"url": "https://hooks.example/x"}),
    ("PATCH", "/api/v1/me/webhooks/<int(max=2147483647):number>"): Row("browser", 401, 404, 404, 404, 200, {}),
    ("DELETE", "/api/v1/me/webhooks/<int(max=2147483647):number>"): Row("browser", 401, 404, 404, 404, 204),
    ("POST", "/api/v1/me/webhooks/<int(max=2147483647):number>/test"): Row("browser", 401, 404, 404, 404, 202),
    ("GET", "/api/v1/me/webhook-calls/<int(max=2147483647):number>"): Row("browser", 401, 404, 404, 404, 200),
    ("GET", "/api/v1/me/feeds"): persons(200),
    ("PUT", "/api/v1/me/feeds/<any(calendar, story):kind>"): persons(200),
    ("DELETE", "/api/v1/me/feeds/<any(calendar, story):kind>"): persons(404),
    ("GET", "/api/v1/games/<game:game_id>/log.atom"): members(),
    # who has the address is the key; nobody has this one
    ("GET", "/api/v1/feeds/<string(length=43):token>/turns.ics"): everybody(404),
    ("GET", "/api/v1/feeds/<string(length=43):token>/games.atom"): everybody(404),
    ("GET", "/api/v1/feeds/<string(length=43):token>/games/<game:game_id>.atom"): everybody(404),
    # time
    ("GET", "/api/v1/paces"): everybody(200),
    ("GET", "/api/v1/me/absences"): persons(200, scope="read"),
    ("POST", "/api/v1/me/absences"): persons(422, {"first_day": "2020-01-01", "last_day": "2020-01-01"}),  # long past
    ("DELETE", "/api/v1/me/absences/<int(max=2147483647):absence_id>"): persons(404),  # it is nobody's
    ("POST", "/api/v1/games/<game:game_id>/return"): seats("play", 409, {}),  # nobody is away
    ("POST", "/api/v1/games/<game:game_id>/take-over"): Row("play", 401, 404, 409, 409, 409, {"seat": 1}),
    ("POST", "/api/v1/games/<game:game_id>/stand-in"): hosts(409, {"seat": 1}, "running"),
    # talk in the room of the players, which the host without a seat does not enter
    ("GET", "/api/v1/games/<game:game_id>/talk/<any(players, spectators):whose>"): Row("talk", 401, 404, 200, 200, 404),
    ("POST", "/api/v1/games/<game:game_id>/talk/<any(players, spectators):whose>"): Row(
        "talk", 401, 404, 201, 201, 409, {"text": "Hello"}
    ),
    ("DELETE", "/api/v1/games/<game:game_id>/talk/<any(players, spectators):whose>/<int(max=2147483647):number>"): Row(
        "talk", 401, 404, 404, 404, 404
    ),
    ("POST", "/api/v1/games/<game:game_id>/talk/<any(players, spectators):whose>/read"): Row(
        "talk", 401, 404, 204, 204, 404, {}
    ),
    ("POST", "/api/v1/games/<game:game_id>/talk/<any(players, spectators):whose>/reports"): Row(
        "talk", 401, 404, 404, 404, 404, {"lines": [1], "why": "x"}
    ),
    ("PATCH", "/api/v1/games/<game:game_id>/talk"): hosts(204, {"on": False}),
    ("GET", "/api/v1/games/<game:game_id>/notes"): Row("read", 401, 404, 200, 200, 200),
    ("POST", "/api/v1/games/<game:game_id>/notes"): Row("play", 401, 404, 204, 204, 204, {"text": "x"}),
    ("DELETE", "/api/v1/games/<game:game_id>/notes/<int(max=2147483647):number>"): Row("play", 401, 404, 404, 404, 404),
    # live pages
    ("GET", "/api/v1/live"): persons(200, scope="read"),
    # the nightly check
    ("GET", "/api/v1/checks"): everybody(200, "read"),
    # mail
    ("GET", "/api/v1/me/mail"): persons(200, scope="read"),
    ("PATCH", "/api/v1/me/mail"): persons(200, {"quiet": True}),
    ("POST", "/api/v1/me/address"): persons(202, {"email": "elsewhere@example.org"}),
    ("POST", "/api/v1/me/address/check"): persons(202),
    ("GET", "/api/v1/me/notices"): persons(200, scope="read"),
    ("POST", "/api/v1/me/notices/<int(max=2147483647):notice_id>/again"): persons(404),  # there is none of theirs
    # titles
    ("GET", "/api/v1/titles"): everybody(200, "read"),
    ("GET", "/api/v1/titles/<string(maxlength=40):title_id>"): everybody(200, "read"),
    ("GET", "/api/v1/titles/<string(maxlength=40):title_id>/rules"): everybody(200, "read"),
    # tables
    ("GET", "/api/v1/games"): everybody(200, "read"),
    ("POST", "/api/v1/games"): persons(201, {"title": "toy", "seats": 2}, "host"),
    ("GET", "/api/v1/games/<game:game_id>"): members(),
    ("POST", "/api/v1/games/<game:game_id>/join"): Row("play", 401, 404, 409, 409, 201, {}, "open"),
    ("POST", "/api/v1/games/<game:game_id>/decline"): Row("play", 401, 404, 409, 409, 409, {}, "open"),  # none is kept
    ("GET", "/api/v1/games/<game:game_id>/words"): members(),
    # words were not asked for at these tables
    ("POST", "/api/v1/games/<game:game_id>/words/seal"): Row("play", 401, 404, 409, 409, 403, {"sealed": "0" * 64}),
    ("POST", "/api/v1/games/<game:game_id>/words/open"): Row("play", 401, 404, 409, 409, 403, {"words": "0" * 64}),
    ("POST", "/api/v1/games/<game:game_id>/leave"): Row("play", 401, 404, 200, 200, 403, {}, "open"),
    ("POST", "/api/v1/games/<game:game_id>/bots"): hosts(201, {"bot": "random"}),
    ("DELETE", "/api/v1/games/<game:game_id>/bots/<int(max=20):seat>"): hosts(404),  # Alice is no bot
    ("POST", "/api/v1/games/<game:game_id>/invitations"): hosts(200, {}),
    ("POST", "/api/v1/games/<game:game_id>/invitations/renew"): hosts(200, {}),
    ("POST", "/api/v1/games/<game:game_id>/start"): hosts(409, {}),  # a seat is free
    ("POST", "/api/v1/games/<game:game_id>/cancel"): hosts(200, {}),
    ("POST", "/api/v1/games/<game:game_id>/pace"): hosts(200, {"pace": None}),
    ("PUT", "/api/v1/games/<game:game_id>/offer"): hosts(204, {"lang": "de"}),
    # moves
    ("GET", "/api/v1/games/<game:game_id>/actions"): seats("read", 200),
    ("POST", "/api/v1/games/<game:game_id>/preview"): seats("play", 200, WHISPER),
    ("POST", "/api/v1/games/<game:game_id>/moves"): seats("play", 201, WHISPER),
    ("POST", "/api/v1/games/<game:game_id>/take-back"): seats("play", 409, {"down_to": 1}),
    ("POST", "/api/v1/games/<game:game_id>/rewind"): seats("play", 409, {"to": 1}),  # the game had not begun
    ("POST", "/api/v1/games/<game:game_id>/rewind/agree"): seats("play", 409, {"to": 1}),  # nobody has proposed
    ("POST", "/api/v1/games/<game:game_id>/rewind/refuse"): seats("play", 409, {}),
    ("POST", "/api/v1/games/<game:game_id>/resign"): seats("play", 201, {}),
    ("POST", "/api/v1/games/<game:game_id>/rematch"): seats("host", 409, {}),  # the game is not over
    # history
    ("GET", "/api/v1/games/<game:game_id>/plies"): members(),
    ("GET", "/api/v1/games/<game:game_id>/log"): members(),
    ("GET", "/api/v1/games/<game:game_id>/changes"): members(),
    ("GET", "/api/v1/games/<game:game_id>/audit"): members(),
    ("GET", "/api/v1/games/<game:game_id>/versions/<int(max=2147483647):version>"): members(),
    ("GET", "/api/v1/games/<game:game_id>/result"): members(404),  # there is none yet, and a stranger cannot tell
    ("GET", "/api/v1/games/<game:game_id>/board.svg"): members(),
    ("GET", "/api/v1/games/<game:game_id>/board.png"): members(),
    # sandboxes: the host sees the game, and a sandbox is its owner's (Alice's) alone
    ("POST", "/api/v1/games/<game:game_id>/sandboxes"): Row("play", 401, 404, 201, 201, 201, {}),
    ("GET", "/api/v1/sandboxes"): persons(200, scope="read"),
    ("GET", "/api/v1/sandboxes/<game:sandbox_id>"): alices("read", 200),
    ("PATCH", "/api/v1/sandboxes/<game:sandbox_id>"): alices("play", 200, {"note": "x"}),
    ("DELETE", "/api/v1/sandboxes/<game:sandbox_id>"): alices("play", 204),
    ("GET", "/api/v1/sandboxes/<game:sandbox_id>/actions"): alices("read", 200),
    ("POST", "/api/v1/sandboxes/<game:sandbox_id>/moves"): alices("play", 201, {"seat": 1, **WHISPER}),
    ("POST", "/api/v1/sandboxes/<game:sandbox_id>/play-on"): alices("play", 201, {"everybody": "random"}),
    ("POST", "/api/v1/sandboxes/<game:sandbox_id>/step"): alices("play", 200, {"to": 0}),
    ("GET", "/api/v1/sandboxes/<game:sandbox_id>/log"): alices("read", 200),
    ("GET", "/api/v1/sandboxes/<game:sandbox_id>/board.svg"): alices("read", 200),
}  # fmt: skip


def addresses(world: World) -> set[tuple[str, str]]:
    """Return every address of the application except pages, which have tests of their own."""
    return {
        (method, rule.rule)
        for rule in world.app.url_map.iter_rules()
        if not rule.endpoint.startswith("pages.")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def test_every_address_has_a_row(first_world: World) -> None:
    assert addresses(first_world) == set(MATRIX)


class Prepared(NamedTuple):
    """A database with a running game, an open table and everybody's keys, made once and copied for every question."""

    world: World
    database: Path
    askers: Mapping[str, Asker]
    small: Mapping[str, Asker]
    tables: Mapping[str, str]
    sandbox: str


@pytest.fixture(scope="module")
def prepared(first_world: World, settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    database = tmp_path_factory.mktemp("matrix") / "matrix.db"
    world = copy_of(first_world, settings.data_dir / "first.db", database)
    host = world.person("Harriet")
    askers = {
        "anonymous": world.anonymous(),
        "stranger": world.person("Charlie"),
        "alice": world.person("Alice"),
        "bob": world.person("Bob"),
        "host": host,
    }
    small = {
        scope: world.token("Harriet", *(other for other in SCOPES if other != scope))
        for scope in (*SCOPES, "browser", "")
    }
    players = askers["alice"], askers["bob"]
    tables = {
        "running": world.game(host, *players, public=False),
        "open": world.table(host, *players, seats=3, public=False),
    }
    sandbox = askers["alice"].post(f"/games/{tables['running']}/sandboxes", {}).json["id"]  # type: ignore[index]
    with world.store.write() as conn:
        number, _ = webhooks.make(conn, world.settings, host.number or 0, "https://hooks.example/", ["turn"], now())
        webhooks.ping(conn, host.number or 0, number, now())
    close(world)
    return Prepared(world, database, askers, small, tables, sandbox)


class Question(NamedTuple):
    """A request that any caller can send."""

    world: World
    prepared: Prepared

    def ask(self, method: str, rule: str, asker: str, game_id: str = "", sandbox_id: str = "") -> TestResponse:
        row = MATRIX[method, rule]
        who = self.prepared.small[row.scope] if asker == "small" else self.prepared.askers[asker]
        named = {
            "game_id": game_id or self.prepared.tables[row.table], "seat": 1, "version": 4, "title_id": "toy",
            "filename": "docs.css", "session_id": "0" * 16, "token_id": 1, "absence_id": 1, "notice_id": 10**9,
            "number": 1, "whose": "players", "kind": "blocked" if "/people/" in rule else "story", "token": "x" * 43,
            "address": "0" * 22, "sandbox_id": sandbox_id or self.prepared.sandbox,
        }  # fmt: skip
        path = re.sub(r"<(?:[^:<>]*:)?([^<>]*)>", lambda found: str(named[found[1]]), rule)
        headers = {"If-Match": "*"} if method == "POST" else {}
        more = {} if row.body is None else {"json": row.body}
        who.client.delete_cookie("browser")
        with who.ask(method, f".{path}", headers=headers, **more) as answer:
            answer.get_data()
            return answer


@pytest.fixture
def question(prepared: Prepared, tmp_path: Path) -> Iterator[Question]:
    world = copy_of(prepared.world, prepared.database, tmp_path / "matrix.db")
    cookies = {name: asker.client.get_cookie("session") for name, asker in prepared.askers.items()}
    yield Question(world, prepared)
    for name, cookie in cookies.items():  # a caller may have signed out
        if cookie is not None:
            prepared.askers[name].client.set_cookie("session", cookie.value)
    world.store.close()


@pytest.mark.parametrize("asker", ASKERS)
@pytest.mark.parametrize(("method", "rule"), MATRIX, ids=[" ".join(address) for address in MATRIX])
def test_each_kind_of_caller_gets_the_expected_answer(question: Question, method: str, rule: str, asker: str) -> None:
    row = MATRIX[method, rule]
    answer = question.ask(method, rule, asker)
    expected = row.of(asker)
    if asker == "small" and rule.startswith("/api/v1/sign-in"):
        expected = row.anonymous  # everybody may sign in
    assert answer.status_code == expected, answer.text
    if expected >= 400:
        assert answer.content_type == "application/problem+json"


GAME_ROUTES = [(method, rule) for method, rule in MATRIX if "<game:" in rule]


@pytest.mark.parametrize(("method", "rule"), GAME_ROUTES, ids=[" ".join(address) for address in GAME_ROUTES])
def test_foreign_and_missing_things_get_the_same_answer(question: Question, method: str, rule: str) -> None:
    """Status, headers and body are the same, apart from the address itself."""
    here = question.prepared.sandbox if "sandbox_id" in rule else question.prepared.tables[MATRIX[method, rule].table]
    nowhere = "0" * len(here)
    there, absent = question.ask(method, rule, "stranger"), question.ask(method, rule, "stranger", nowhere, nowhere)
    assert there.status_code == absent.status_code == 404
    assert there.data == absent.data.replace(nowhere.encode(), here.encode())
    assert _without_date(there) == _without_date(absent)


def _without_date(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.headers if name != "Date"}
