"""The demonstration's players: their own programs over the API, here without a network between."""

import random
from types import SimpleNamespace
from typing import Any

import click
import pytest

from service.cli import demo
from tests import toy
from tests.service.web.api.test_moves import leader_of
from tests.service.web.api.world import Asker


class Program(demo.Client):
    """A client whose requests go to the application of an `Asker`."""

    def __init__(self, asker: Asker) -> None:
        super().__init__("")
        self.asker = asker

    def _request(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        answer = self.asker.ask(method, path, headers=headers, **({} if body is None else {"json": body}))
        if answer.status_code >= 400:
            raise demo.Refusal(answer.status_code, answer.get_json())
        return answer.json


def planning(*plan: Any) -> Any:
    """A title whose bot has this plan."""
    return SimpleNamespace(view=toy.TITLE.rules.view, bots={"sensible": lambda view, dice: plan})


def test_a_plan_that_is_refused_is_begun_all_the_same(alice: Asker, bob: Asker, game_id: str) -> None:
    """Something came to light that the plan did not know: its first command stands."""
    leader, _ = leader_of(game_id, alice, bob)
    version = leader.get(f"/games/{game_id}").json["version"]  # type: ignore[index]
    demo._move(Program(leader), planning(toy.Walk(1), toy.Walk(99)), game_id, random.Random(1), "run.1")
    assert leader.get(f"/games/{game_id}").json["version"] == version + 1  # type: ignore[index]


def test_a_single_move_that_is_refused_ends_the_demonstration(alice: Asker, bob: Asker, game_id: str) -> None:
    leader, _ = leader_of(game_id, alice, bob)
    with pytest.raises(click.ClickException, match="The service refused a move"):
        demo._move(Program(leader), planning(toy.Walk(99)), game_id, random.Random(1), "run.1")
