"""The call path of a move: the functions between a view and the rule that answers, and the number of reads of a
game."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from config.settings import Settings
from domain import TITLES
from domain.lifecycle import StartGame
from domain.messages import Command
from domain.title import Title
from service.database.store import Store, Stored, open_store
from service.games import queries
from service.web.app import create_app
from tests import road
from tests.service.web.api.test_matrix import GAME_ROUTES, Question, prepared, question  # noqa: F401
from tests.service.web.api.world import API, Asker, World

HERE = Path(__file__).parents[4]
MOST = 7


@pytest.fixture(scope="module")
def all_titles(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('road') / 'road.db'}", settings=settings)
    store.migrate()
    yield World(create_app(settings, store), store, settings)
    store.close()


def begun(world: World, title: Title, *players: Asker) -> str:
    """Return a running game of these people."""
    seats = title.seating.seats[0]
    game_id = road.open_game(
        world.store, title=title.id, options={}, seats=seats, name="x", host_id=None, public=True, settle_ms=0
    ).game_id
    for seat in range(1, seats + 1):
        who: dict[str, Any] = {"person_id": players[seat - 1].number} if seat <= len(players) else {"bot": "random"}
        road.take_seat(world.store, game_id, seat, choice={}, **who)
    road.submit(world.store, game_id, None, [StartGame()], None, None)
    return game_id


class Road:
    """Our functions entered while a view works. ``stack``: from the view to the rule, both included."""

    def __init__(self, view: str, title: Title) -> None:
        self.view, self.rules = view, f"domain/{title.id}/rules/"
        self.stack: list[str] = []
        self.entered: list[str] = []
        self._inside = False

    def __enter__(self) -> "Road":
        self._before = sys.getprofile()
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)

    def _see(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or self.stack:
            return
        name, place = frame.f_code.co_name, _place(frame)
        self._inside = self._inside or (name == self.view and "/web/" in place)
        if not self._inside or not place:
            return
        self.entered.append(f"{place}: {name}")
        given = [frame.f_locals[each] for each in frame.f_code.co_varnames[: frame.f_code.co_argcount]]
        if place.startswith(self.rules) and any(isinstance(each, Command) for each in given):
            self.stack = list(reversed([*_up_to(frame, self.view)]))


def _place(frame: FrameType) -> str:
    """Return our file of a function; "" for code of others."""
    path = Path(frame.f_code.co_filename)
    ours = path.is_relative_to(HERE) and path.relative_to(HERE).parts[0] in ("domain", "service")
    return str(path.relative_to(HERE)) if ours else ""


def _up_to(frame: FrameType | None, view: str) -> Iterator[str]:
    while frame is not None:
        yield frame.f_code.co_name
        if frame.f_code.co_name == view:
            return
        frame = frame.f_back


def said(road_taken: Road) -> None:
    """Print the path for `pytest -s`."""
    stack = road_taken.stack
    print(f"\n{len(stack)} functions: {', '.join(stack)}")
    aside = [it for it in road_taken.entered if it.rpartition(": ")[2] not in stack]
    modules = {it.partition(":")[0] for it in road_taken.entered}
    print(f"{len(road_taken.entered)} calls in {len(modules)} modules; beside the road:")
    print(*dict.fromkeys(aside), sep="\n")


ROAD = ["submit", "attempt", "decide_all", "play", "decide"]


@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_a_rule_is_seven_functions_from_the_view_of_the_api(all_titles: World, title: Title) -> None:
    alice, bob = all_titles.person("Alice"), all_titles.person("Bob")
    game_id = begun(all_titles, title, alice, bob)
    asked = alice if 1 in game_of(all_titles.store, game_id).asked else bob
    [action, *_] = asked.get(f"/games/{game_id}/actions").json["actions"]  # type: ignore[index]
    with Road("make_moves", title) as taken:
        answer = asked.move(game_id, action["command"])
    said(taken)
    assert answer.status_code == 201, answer.text
    assert taken.stack[:-1] == ["make_moves", *ROAD]
    assert len(taken.stack) <= MOST


@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_a_rule_is_seven_functions_from_the_view_of_a_page(all_titles: World, title: Title) -> None:
    move = move_by_page(all_titles, title)
    with Road("move", title) as taken:
        answer = move()
    said(taken)
    assert answer.status_code == 303, answer.text
    assert taken.stack[:-1] == ["move", *ROAD]
    assert len(taken.stack) <= MOST


def move_by_page(world: World, title: Title) -> Callable[[], TestResponse]:
    """Return a function that sends the form of a first move."""
    alice, bob = world.person("Alice"), world.person("Bob")
    game_id = begun(world, title, alice, bob)
    asked = alice if 1 in game_of(world.store, game_id).asked else bob
    page = asked.client.get(f"/games/{game_id}")
    [action, *_] = asked.get(f"/games/{game_id}/actions").json["actions"]  # type: ignore[index]
    sent = {
        "csrf": re.search('name="csrf" value="([^"]*)"', page.text)[1],  # type: ignore[index]
        "version": str(game_of(world.store, game_id).version_for(1 if asked is alice else 2)),
        "command": msgspec.json.encode(action["command"]).decode(),
    }
    return lambda: asked.client.post(f"/games/{game_id}/move", data=sent)


def game_of(store: Store, game_id: str) -> Any:
    with store.read() as conn:
        return store.load(conn, game_id).game


# ==== once ========================================================================================
@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the games that were loaded, in order."""
    seen: list[str] = []
    load = Store.load

    def counted(store: Store, conn: Any, game_id: str, submission_id: str | None = None) -> Any:
        seen.append(game_id)
        return load(store, conn, game_id, submission_id)

    monkeypatch.setattr(Store, "load", counted)
    return seen


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the games that were viewed, in order."""
    looked: list[str] = []
    seen_by = queries.seen_by

    def counted(stored: Stored, viewer: int | None, **how: Any) -> queries.Seen:
        looked.append(stored.row.id)
        return seen_by(stored, viewer, **how)

    monkeypatch.setattr(queries, "seen_by", counted)
    return looked


OF_A_GAME = [
    (method, rule)
    for method, rule in GAME_ROUTES
    if rule.startswith(f"{API}/games/") and not rule.endswith("/audit")  # a proof reads the whole log
]


@pytest.mark.parametrize("asker", ["alice", "host"])
@pytest.mark.parametrize(("method", "rule"), OF_A_GAME, ids=[" ".join(address) for address in OF_A_GAME])
def test_one_request_loads_a_game_once(
    question: Question,  # noqa: F811
    loads: list[str],
    looks: list[str],
    method: str,
    rule: str,
    asker: str,
) -> None:
    answer = question.ask(method, rule, asker)
    # A refused move is decided again on the stored game, which is locked meanwhile.
    assert len(loads) == 1 if answer.status_code < 400 else len(loads) <= 2, answer.text
    assert len(looks) <= len(loads), "who sees what of a game as it was loaded is asked once"


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_a_move_by_page_checks_the_callers_view_once(
    all_titles: World, title: Title, loads: list[str], looks: list[str]
) -> None:
    move = move_by_page(all_titles, title)
    loads.clear()
    looks.clear()
    assert move().status_code == 303
    assert len(loads) == len(looks) == 1


def test_finding_the_caller_loads_no_game(question: Question, loads: list[str]) -> None:  # noqa: F811
    assert question.ask("GET", f"{API}/me", "alice").status_code == 200
    assert question.prepared.askers["alice"].move("0000", {}).status_code in (404, 422)
    assert set(loads) <= {"0000"}
