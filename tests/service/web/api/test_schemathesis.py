"""The API answers generated requests as its document says: made and shrunk by Schemathesis.

    pytest tests/service/web/api/test_schemathesis.py --examples 100    # of each operation; else 2

Alice is signed in, and every request is sent to a game of hers as well as to the generated one. A seat is kept for her
at a third table, and the wish behind it is hers.
"""

import re
from collections.abc import Iterator
from copy import copy as shallow
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as tried
from schemathesis.specs.openapi import checks

from config.settings import Settings
from service.base.clock import now
from service.people import accounts
from service.wishes import gathering
from tests.service.web.api.conftest import close, copy_of
from tests.service.web.api.test_matrix import MATRIX
from tests.service.web.api.world import World

CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.allow_header_conformance,
    checks.unsupported_method,
]


def is_alice(_: Any, response: Any, case: Any) -> None:
    """Otherwise every answer would be "sign in", and nothing else would be tested."""
    assert response.status_code != 401


CHECKS.insert(0, is_alice)


WISH = {"titles": ["toy"], "paces": ["day"], "seats": [2]}


class Desk:
    """A world in which Alice hosts and plays: an open table, a running game, and a table with a seat kept for her."""

    def __init__(self, world: World) -> None:
        self.world = world
        alice, bob = world.person("Alice"), world.person("Bob")
        self.alice = alice.number
        wishes = [it.post("/me/wishes", WISH) for it in (alice, bob)]
        gathering.sweep(world.store, now())
        self.wish = wishes[0].json["id"]  # type: ignore[index]
        [made] = alice.get("/me/wishes").json["wishes"]  # type: ignore[index]
        self.games = world.game(alice, alice, bob), world.table(alice, alice, seats=3), made["offered"]["game_id"]
        self.sandbox = alice.post(f"/games/{self.games[0]}/sandboxes", {}).json["id"]  # type: ignore[index]

    def in_a_copy(self, database: Path, copy: Path) -> "Desk":
        desk = shallow(self)
        desk.world = copy_of(self.world, database, copy)
        desk.sign_in()
        return desk

    def sign_in(self) -> None:
        with self.world.store.write() as conn:
            self.cookies = {"session": accounts.open_session(conn, self.alice, now())}


@pytest.fixture(scope="module")
def first_desk(first_world: World, settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Return one for all tests, each of which gets a copy."""
    folder = tmp_path_factory.mktemp("desk")
    desk = Desk(copy_of(first_world, settings.data_dir / "first.db", folder / "desk.db"))
    close(desk.world)
    return desk


@pytest.fixture
def desk(first_desk: Desk, tmp_path: Path) -> Iterator[Desk]:
    made = first_desk.in_a_copy(Path(str(first_desk.world.store.engine.url.database)), tmp_path / "desk.db")
    yield made
    made.world.store.close()


@pytest.fixture(scope="module")
def document(first_world: World) -> Any:
    """Return the source of requests; the test chooses the caller."""
    config = schemathesis.Config.from_dict({"generation": {"with-security-parameters": False}})
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", first_world.app, config=config)


OPERATIONS = [
    (method, re.sub(r"<(?:[^:<>]*:)?([^<>]*)>", r"{\1}", rule))
    for method, rule in MATRIX
    if rule.startswith("/api/v1/") and "/docs" not in rule and "openapi" not in rule
]


EXAMPLES = 2
HEADERS = {"If-Match": "*", "Accept-Encoding": "identity"}
"""Without a server its requests accept compressed answers, which nobody decompresses."""


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=[" ".join(operation) for operation in OPERATIONS])
def test_the_api_follows_its_document(
    request: pytest.FixtureRequest,
    document: Any,
    desk: Desk,
    method: str,
    path: str,
    mode: schemathesis.GenerationMode,
) -> None:
    operation = document[path][method]

    @given(case=operation.as_strategy(generation_mode=mode))
    @tried(
        max_examples=request.config.getoption("--examples", default=None) or EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: schemathesis.Case) -> None:
        games, others = (
            [("game_id", each) for each in desk.games],
            [("sandbox_id", desk.sandbox), ("number", desk.wish)],
        )
        for name, real in (("", ""), *games, *others):
            if name and f"{{{name}}}" not in path:
                continue
            if name:
                case.path_parameters[name] = real
            case.call_and_validate(cookies=desk.cookies, headers=HEADERS, checks=CHECKS)
            if method == "DELETE":
                desk.sign_in()

    if not operation.body and not list(operation.iter_parameters()) and mode is schemathesis.GenerationMode.NEGATIVE:
        return  # every answer to such a request is right
    check()


def test_every_operation_of_the_document_is_tried(document: Any) -> None:
    tried = {(method.lower(), path) for method, path in OPERATIONS}
    assert {(it.ok().method, it.ok().path) for it in document.get_all_operations()} == tried
