"""A machine is lost with everything but a copy and the list of erased people: an empty one continues the games."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from config.settings import Settings
from service.base.clock import now
from service.database.store import GAMES, Store, open_store
from service.notices.mailbox import MAILBOX
from service.notices.owing import OUTBOX
from service.people import accounts
from service.proof.audit import verify_game
from tests.children import Child
from tests.servers import PostgreSQL, free_port
from tests.workers.post import until
from tests.workers.processes import ROOT, beat, forked, run_slowtrain, worker
from tests.workers.test_run import running, up
from tests.workers.test_two_releases import Players, ready

WHO = "zerlina@gone.example"


class Machine:
    """A data folder and, with PostgreSQL, an empty server."""

    def __init__(self, folder: Path, server: PostgreSQL | None) -> None:
        self.folder, self.server = folder, server
        folder.mkdir()
        self.environment = {"SLOWTRAIN_DATA_DIR": str(folder), "SLOWTRAIN_RATE_LIMITS": "false"}
        self.environment |= {"SLOWTRAIN_SETTLE_SECONDS": "0", "SLOWTRAIN_PRESENCE_SECONDS": "0"}
        if server is not None:
            self.environment["PATH"] = f"{server.programs}{os.pathsep}{os.environ['PATH']}"
            self.environment |= {"PGHOST": str(server.folder), "PGUSER": "postgres"}
            self.environment["SLOWTRAIN_DATABASE_URL"] = f"postgresql://slowtrain@/slowtrain?host={server.folder}"

    def run(self, line: str) -> str:
        """Run a line of the documentation, which must succeed."""
        said = ""
        for program, *arguments in (command.split() for command in line.partition("#")[0].split("&&")):
            status, output = (self._slowtrain if program == "slowtrain" else self._other)(program, *arguments)
            assert status == 0, line + output
            said += output
        return said

    def _slowtrain(self, *command: str) -> tuple[int, str]:
        out = self.folder.with_suffix(".out")
        out.unlink(missing_ok=True)
        child = Child(run_slowtrain, command, os.environ | self.environment, ROOT, out)
        return child.wait(300), out.read_text()

    def _other(self, program: str, *arguments: str) -> tuple[int, str]:
        found = shutil.which(program, path=self.environment["PATH"])
        done = subprocess.run(
            [str(found), *arguments],
            env=os.environ | self.environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        return done.returncode, done.stdout

    def settings(self, **more: Any) -> Settings:
        database = self.environment.get("SLOWTRAIN_DATABASE_URL", "")
        return Settings(_env_file=None, data_dir=self.folder, database_url=database, **more)

    @contextmanager
    def store(self) -> Iterator[Store]:
        settings = self.settings()
        with closing(open_store(settings.database, settings=settings)) as store:
            yield store

    @contextmanager
    def at_work(self) -> Iterator[str]:
        """Run the processes of a service. Yield the address of its site."""
        with self.store() as store:
            store.migrate()
        more = {"rate_limits": False, "settle_seconds": 0, "presence_seconds": 0, "sweep_seconds": 1}
        settings = self.settings(port=free_port(), mailbox_port=free_port(), **more)
        web, mailbox = (forked(settings, run_slowtrain, name) for name in ("web", "mailbox"))
        with web, mailbox, worker(settings, "workers.app"), beat(settings):
            until(lambda: ready(settings.site), what="starting")
            yield settings.site

    @contextmanager
    def up(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
        """Run the whole service. Yield the address of its site. Kill it at the end."""
        with monkeypatch.context() as patch:
            for name, value in self.environment.items():
                patch.setenv(name, value)
            with up(self.folder):
                yield until(lambda: running(self.folder), what="starting")


def documented() -> list[str]:
    """Return the commands for an empty machine, as in docs/host/backups.md."""
    page = (ROOT / "docs/host/backups.md").read_text()
    (block,) = re.findall(r"\*\*On an empty machine\*\*.*?```sh\n(.*?)```", page, re.DOTALL)
    return str(block).splitlines()


@pytest.mark.long
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_an_empty_machine_goes_on_where_the_copy_was_made(
    database: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    first: PostgreSQL | None = request.getfixturevalue("postgresql") if database == "postgresql" else None
    lost, copy, listed = Machine(tmp_path / "lost", first), tmp_path / "copy.backup", tmp_path / "erased"
    if first is not None:
        lost.environment["SLOWTRAIN_DATABASE_URL"] = first.new_database()
    with lost.at_work() as site:
        with lost.store() as store:
            with store.write() as conn:
                accounts.person_at(conn, WHO, "en", now())
            players = Players(store.settings, [site])
        with players.playing():
            players.more(2)
        lost.run(f"slowtrain backup {copy}")
        with players.playing():
            players.more(2)
        lost.run(f"slowtrain erase {WHO} --yes")
    shutil.copy(lost.folder / "erased", listed)
    shutil.rmtree(lost.folder)

    second = PostgreSQL() if first is not None else None
    empty = Machine(tmp_path / "empty", second)
    prepare, restore, verify, start = documented()
    if second is not None:
        empty.run(prepare)
    said = empty.run(restore.replace("FILE", str(copy)).replace("LIST", str(listed)))
    assert "Erased again: 1 people" in said
    assert "proved" in empty.run(verify).casefold()
    assert start.startswith("slowtrain up")
    with empty.up(monkeypatch) as site, empty.store() as store:
        came, (game, version) = mails(store), games(store)[0]
        again = Players(store.settings, [site])
        again.games = [game]
        while mails(store) == came:  # no mail tells a player who has moved of that turn, but the next player gets one
            with again.playing():
                again.more(1)
            until(lambda: not owed(store), what="what is due to be told or found to be over")
            assert again.moves < 100, "mail of the game that goes on"
        assert games(store)[0][1] > version
        assert verify_game(store, game).verdict.proved
    if second is not None:
        second.stop()


def games(store: Store) -> list[tuple[str, int]]:
    with store.read() as conn:
        return [(row.id, row.version) for row in conn.execute(select(GAMES).order_by(GAMES.c.created_at))]


def owed(store: Store) -> int:
    """Return the number of due mails that have neither left nor been found out of date."""
    waits = OUTBOX.c.state.in_(("pending", "leased")) & (OUTBOX.c.due_at <= now())
    with store.read() as conn:
        return int(conn.execute(select(func.count()).where(waits)).scalar_one())


def mails(store: Store) -> int:
    with store.read() as conn:
        return int(conn.execute(select(func.count()).select_from(MAILBOX)).scalar_one())
