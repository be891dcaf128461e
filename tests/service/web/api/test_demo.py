"""The demonstration's players: their own programs over the API, here without a network."""

import random
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace
from typing import Any

import click
import pytest

from service.cli import demo
from tests import toy
from tests.service.web.api.test_moves import leader_of
from tests.service.web.api.world import Asker


class Program(demo.Client):
    """A client that sends requests to the application of an `Asker`."""

    def __init__(self, asker: Asker) -> None:
        super().__init__("")
        self.asker = asker

    def _request(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        answer = self.asker.ask(method, path, headers=headers, **({} if body is None else {"json": body}))
        if answer.status_code >= 400:
            raise demo.Refusal(answer.status_code, answer.get_json())
        return answer.json


def planning(*plan: Any) -> Any:
    """Return a title whose bot has this plan."""
    return SimpleNamespace(rules=toy.TITLE.rules, bots={"sensible": lambda view, dice: plan})


def test_the_first_command_of_a_refused_plan_is_played(alice: Asker, bob: Asker, game_id: str) -> None:
    """The plan did not know a card that was revealed: its first command stands."""
    leader, _ = leader_of(game_id, alice, bob)
    version = leader.get(f"/games/{game_id}").json["version"]  # type: ignore[index]
    demo._move(Program(leader), planning(toy.Walk(1), toy.Walk(99)), game_id, random.Random(1), "run.1")
    assert leader.get(f"/games/{game_id}").json["version"] == version + 1  # type: ignore[index]


@pytest.fixture
def busy() -> Iterator[tuple[str, list[str]]]:
    """A service that is busy twice and answers then: its address, and the requests that it got."""
    came: list[str] = []

    class Busy(BaseHTTPRequestHandler):
        def answer(self) -> None:
            came.append(self.command)
            self.send_response(503 if len(came) < 3 else 200)
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(b'{"title": "busy"}')

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    for method in ("GET", "POST"):
        setattr(Busy, f"do_{method}", Busy.answer)
    with HTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", came
        server.shutdown()


def test_a_busy_service_is_asked_again(busy: tuple[str, list[str]]) -> None:
    site, came = busy
    assert demo.Client(site).get("/games") == {"title": "busy"}
    assert came == ["GET"] * 3


def test_a_request_that_could_act_twice_is_not_repeated(busy: tuple[str, list[str]]) -> None:
    site, came = busy
    with pytest.raises(demo.Refusal):
        demo.Client(site).post("/games", {})
    assert demo.Client(site).post("/games/1/moves", {}, Idempotency_Key="a") == {"title": "busy"}
    assert came == ["POST"] * 3


def test_a_single_move_that_is_refused_ends_the_demonstration(alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    with pytest.raises(click.ClickException, match="The service refused a move"):
        demo._move(Program(leader), planning(toy.Walk(99)), game_id, random.Random(1), "run.1")
