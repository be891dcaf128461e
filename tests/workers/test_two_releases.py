"""This release and a made-up next one serve at once, in their own processes, while the tables are migrated and back."""

import itertools
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import requests
from click.testing import CliRunner, Result

from config.settings import Settings
from service.base.clock import now
from service.cli import main
from service.cli.demo import Client, Refusal
from service.database import migrations
from service.database.store import open_store
from service.people import accounts
from tests import next_release
from tests.servers import free_port
from tests.workers.post import until
from tests.workers.processes import embedded, environment, forked, run_slowtrain


class Players:
    """Two people in one game after another, who make each move at another site. ``wrong``: the unexpected results."""

    def __init__(self, settings: Settings, sites: list[str]) -> None:
        with closing(open_store(settings.database, settings=settings)) as store, store.write() as conn:
            tokens = []
            for name in ("ann", "bob"):
                number, _ = accounts.person_at(conn, f"{name}@example.org", "en", now())
                tokens.append(accounts.make_token(conn, number, "program", accounts.SCOPES, now())[1])
        self.clients = [[Client(site, token) for site in sites] for token in tokens]
        self.games: list[str] = []
        self.moves = 0
        self.wrong: list[str] = []
        self._stopping = threading.Event()
        self._dice = random.Random(5)

    @contextmanager
    def playing(self) -> Iterator[None]:
        thread = threading.Thread(target=self._play)
        thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            thread.join()
            self._stopping.clear()
        assert self.wrong == []

    def more(self, moves: int = 6) -> None:
        """Wait until this many more moves were accepted."""
        goal = self.moves + moves
        until(lambda: self.wrong or self.moves >= goal, what="moves")
        assert self.wrong == []

    def _play(self) -> None:
        sites = itertools.cycle(range(len(self.clients[0])))
        try:
            while not self._stopping.is_set():
                if not self.games:
                    self._begin()
                game = self.games[-1]
                for seat in self.clients[0][next(sites)].get(f"/games/{game}")["asked"] or (self._begin() or ()):
                    client = self.clients[seat - 1][next(sites)]
                    action = self._dice.choice(client.get(f"/games/{game}/actions")["actions"])
                    client.post(f"/games/{game}/moves", {"commands": [action["command"]]}, If_Match="*")
                    self.moves += 1
        except Refusal as refusal:
            self.wrong.append(f"{refusal.status}: {refusal}")
        except Exception as error:
            self.wrong.append(repr(error))

    def _begin(self) -> None:
        ann, bob = self.clients[0][0], self.clients[1][0]
        opened = ann.post("/games", {"title": "ticket_to_ride", "seats": 2, "name": "A table", "options": {}})
        game = opened["id"]
        for client in (ann, bob):
            client.post(f"/games/{game}/join", {"invite": opened["invite"], "choice": {}})
        ann.post(f"/games/{game}/start", {})
        self.games.append(game)


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    given = embedded(tmp_path, database_url=database_url, rate_limits=False)
    with closing(open_store(database_url, settings=given)) as store:
        store.migrate()
    return given


def carry_out(settings: Settings, release: Callable[[], None], *command: str) -> None:
    """Run a command of another release, which must succeed."""
    with forked(settings, release, *command) as child:
        assert child.wait(120) == 0


@pytest.fixture
def slowtrain(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that runs a command of this release."""
    for name, value in environment(settings).items():
        monkeypatch.setenv(name, value)
    return lambda *command: CliRunner().invoke(main.main, command)


def ready(site: str) -> int:
    try:
        return requests.get(f"{site}/readyz", timeout=20).status_code
    except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
        return 0


@pytest.mark.long("postgresql")
def test_old_processes_stay_ready_while_steps_only_add_and_until_one_takes_away(
    settings: Settings, slowtrain: Callable[..., Result]
) -> None:
    ours = migrations.newest()
    webs = [settings.with_(port=free_port()) for _ in range(2)]
    sites = [each.site for each in webs]
    new = sites[1]
    with forked(webs[0], run_slowtrain, "web"), forked(webs[1], next_release.main, "web"):
        until(lambda: all(map(ready, sites)), what="starting")
        assert [ready(site) for site in sites] == [200, 503], "the tables are still those of this release"
        players = Players(settings, sites[:1])
        with players.playing():
            players.more()
            carry_out(settings, next_release.main, "migrate")  # expand
            players.more()
        assert [ready(site) for site in sites] == [200, 200]

        assert requests.post(f"{new}/next/motto/{players.games[0]}", data="Steam", timeout=20).ok
        both = Players(settings, sites)
        both.games = players.games
        with both.playing():
            both.more()
        assert requests.get(f"{new}/next/motto/{players.games[0]}", timeout=20).json() == {"motto": "Steam"}
        assert slowtrain("migrate").exit_code == 0
        assert [ready(site) for site in sites] == [200, 200], "nothing is taken from the next release"

        carry_out(settings, next_release.after_next, "migrate")  # contract
        assert [ready(site) for site in sites] == [503, 503]
        for command in (("verify", "--all"), ("migrate",), ("migrate", "--to", ours)):
            result = slowtrain(*command)
            assert result.exit_code == 1
            assert "later release" in result.output

        carry_out(settings, next_release.after_next, "migrate", "--yes", f"--to={ours}")  # and back
        assert [ready(site) for site in sites] == [200, 503]
        with players.playing():
            players.more()
    result = slowtrain("verify", "--all")
    assert result.exit_code == 0, result.output
    assert "Proved." in result.output
