"""A small world for tests of the API: Alice and Bob play, Harriet is their host, Charlie a stranger to all of them."""

from collections.abc import Mapping
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from config.settings import Settings
from service.base.clock import now
from service.database.store import Store, open_store
from service.database.work import Work
from service.games import lobby, opening
from service.games.rights import ByPerson
from service.people import accounts
from service.people.accounts import SCOPES, Scope
from service.web.app import create_app
from service.web.shared.context import Site
from tests import toy

API = "/api/v1"


class Asker:
    """A caller with a browser or a token. Addresses are below the API unless they begin with a dot."""

    def __init__(self, client: FlaskClient, number: int | None = None, token: str | None = None) -> None:
        self.client = client
        self.number = number
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> TestResponse:
        where = path[1:] if path.startswith(".") else f"{API}{path}"
        return self.client.open(where, method=method, headers={**self.headers, **(headers or {})}, **more)

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.ask("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> TestResponse:
        return self.ask("POST", path, **({"json": body} if body is not None else {}), **more)

    def patch(self, path: str, body: Any, **more: Any) -> TestResponse:
        return self.ask("PATCH", path, json=body, **more)

    def delete(self, path: str, **more: Any) -> TestResponse:
        return self.ask("DELETE", path, **more)

    @property
    def person_id(self) -> int:
        assert self.number is not None
        return self.number

    # ---- playing ---------------------------------------------------------------------------------
    def tag(self, game_id: str) -> str:
        return str(self.get(f"/games/{game_id}").headers["ETag"])

    def move(self, game_id: str, *commands: Any, tag: str = "*", key: str = "", **more: Any) -> TestResponse:
        headers = {"If-Match": tag, **({"Idempotency-Key": key} if key else {}), **more.pop("headers", {})}
        return self.post(f"/games/{game_id}/moves", {"commands": list(commands)}, headers=headers, **more)

    def choose(self, game_id: str) -> TestResponse:
        """Choose the first card of the hand."""
        actions = self.get(f"/games/{game_id}/actions").json["actions"]  # type: ignore[index]
        return self.move(game_id, actions[0]["command"])


class World:
    """An application on a store, with people."""

    def __init__(self, app: Flask, store: Store, settings: Settings) -> None:
        self.app, self.store, self.settings = app, store, settings
        self.numbers: dict[str, int] = {}

    def use(self, store: Store) -> None:
        """Switch to another store of the same kind."""
        self.store = store
        self.app.extensions["slowtrain"] = Site(self.settings, store)

    def anonymous(self) -> Asker:
        return Asker(self.app.test_client())

    def person(self, name: str) -> Asker:
        """Return a person signed in with a browser."""
        with self.store.write() as conn:
            number = self._number(conn, name)
            session = accounts.open_session(conn, number, now())
        client = self.app.test_client()
        client.set_cookie("session", session)
        return Asker(client, number)

    def token(self, name: str, *scopes: Scope) -> Asker:
        """Return a program with a person's token."""
        with self.store.write() as conn:
            number = self._number(conn, name)
            _, token = accounts.make_token(conn, number, "program", scopes or SCOPES, now())
        return Asker(self.app.test_client(), number, token)

    def _number(self, conn: Any, name: str) -> int:
        if name not in self.numbers:
            number, _ = accounts.person_at(conn, f"{name.lower()}@example.org", "en", now())
            accounts.change(conn, number, 0, name=name)
            self.numbers[name] = number
        return self.numbers[name]

    # ---- tables ----------------------------------------------------------------------------------
    def table(self, host: Asker, *players: Asker, seats: int | None = None, public: bool = True, **options: Any) -> str:
        """Open a table with these players, below the API. Return its id."""
        work, settle = Work(self.store), round(self.settings.settle_seconds * 1000)
        given = {"title": "toy", "seats": seats or len(players), "public": public, "options": options}
        opened = opening.open_table(work, ByPerson(host.person_id), name="Toy", settle_ms=settle, **given)
        for player in players:
            lobby.join(work, ByPerson(player.person_id, invite=opened.invite_token), opened.game_id, choice={})
        return opened.game_id

    def game(self, host: Asker, *players: Asker, **more: Any) -> str:
        """Start a game of these players. Return its id."""
        game_id = self.table(host, *players, **more)
        lobby.start(Work(self.store), ByPerson(host.person_id), game_id)
        return game_id

    def play_out(self, game_id: str, *players: Asker) -> None:
        """Play the game to its end, without walking: everybody plays a card, and the leader stops."""
        for _ in range(20):
            for player in players:
                if player.get(f"/games/{game_id}").json["status"] == "over":  # type: ignore[index]
                    return
                for action in player.get(f"/games/{game_id}/actions").json["actions"]:  # type: ignore[index]
                    if action["command"]["command"] in ("Choose", "Stop"):
                        player.move(game_id, action["command"])
                        break
        raise AssertionError("the game does not end")

    def log_of(self, game_id: str) -> list[tuple[bytes, bytes]]:
        """Return the whole log of a game, to show that nothing was added."""
        with self.store.read() as conn:
            return [(ply.open, ply.link) for ply in self.store.stored_plies(conn, game_id)]


def make_world(url: str, settings: Settings, **more: Any) -> World:
    """Make a world on an empty database."""
    store = open_store(url, titles={"toy": toy.TITLE}, settings=settings)
    store.migrate()
    app = create_app(settings, store)
    app.config.update(more)
    return World(app, store, settings)
