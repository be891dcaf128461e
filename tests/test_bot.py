"""The bot of docs/api.md plays whole games against itself, as it stands there."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import waitress

import domain
from config.settings import Settings
from domain.lifecycle import StartGame
from service.base.clock import now
from service.database.store import Store, open_store
from service.people import accounts
from service.web.app import create_app
from tests import road, toy
from tests.servers import free_port

ROOT = Path(__file__).parents[1]


def bot() -> str:
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/api.md").read_text(), re.DOTALL)
    return str(program)


def seated(store: Store, title: str) -> tuple[str, list[str]]:
    """Return a game of two people that has begun, and a token of each."""
    people, tokens = [], []
    for name in ("ann", "bob"):
        with store.write() as conn:
            person, _ = accounts.person_at(conn, f"{name}@example.org", "en", now())
            people.append(person)
            tokens.append(accounts.make_token(conn, person, "bot", ("read", "play"), now())[1])
    table: dict[str, Any] = {"title": title, "options": {}, "seats": 2, "name": "Bots", "host_id": people[0]}
    game = road.open_game(store, **table, public=True, at=now(), settle_ms=60_000).game_id
    for seat, person in enumerate(people, 1):
        road.take_seat(store, game, seat, choice={}, at=now(), person_id=person)
    road.submit(store, game, None, [StartGame()], None, None, now())
    return game, tokens


def test_the_bot_is_as_short_as_its_page_says() -> None:
    assert len(bot().splitlines()) <= 40


@pytest.mark.long("ticket_to_ride")
@pytest.mark.parametrize("title", ["toy", "ticket_to_ride"])
def test_the_bot_plays_a_whole_game(title: str, tmp_path: Path) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, port=free_port(), rate_limits=False)  # type: ignore[call-arg]
    store = open_store(settings.database, titles={"toy": toy.TITLE, **domain.TITLES}, settings=settings)
    store.migrate()
    game, tokens = seated(store, title)
    server: Any = waitress.create_server(create_app(settings, store), host="127.0.0.1", port=settings.port, threads=4)
    threading.Thread(target=server.run, daemon=True).start()
    bots = []
    try:
        for token in tokens:
            environment = os.environ | {"SITE": settings.site, "TOKEN": token, "PAUSE": "0.01"}
            bots.append(subprocess.Popen([sys.executable, "-c", bot()], env=environment))
        assert [it.wait(100) for it in bots] == [0, 0], "each ends when no game of its token runs any more"
        with store.read() as conn:
            assert store.load(conn, game).game.status == "over"
    finally:
        for it in bots:
            it.kill()
        server.close()
        store.close()
