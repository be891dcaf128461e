"""kill -9 of every process of ``slowtrain up``, the first one too, while games go on: no accepted move is lost.

``python -m tests.kills_home`` lets two people play Ticket to Ride for two minutes. Every few seconds it kills a process
of the service (SIGKILL): web, workers, beat, mailbox, or the parent, which is started again at once, as systemd would.
``--seconds`` and ``--seed`` choose. Then every owed letter must leave, every game must be proved, and no accepted move
may be missing. The tests kill each process once.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPException
from pathlib import Path

import psutil
from sqlalchemy import func, select

from config.settings import Settings
from service.base.clock import now
from service.cli.demo import Refusal
from service.database.store import Store, open_store
from service.notices.mailbox import MAILBOX
from service.notices.owing import OUTBOX
from service.proof.audit import verify_game
from tests.bench.home import SLOWTRAIN
from tests.servers import free_port
from tests.service.lanterns import stored
from tests.workers.post import until
from tests.workers.processes import process, said
from tests.workers.test_two_releases import Players, ready

PATIENCE = 120.0
"""Seconds until all owed letters have left."""
PARENT = "parent"
CHILDREN = frozenset({"train web", "train worker", "train mail", "train beat", "train mailbox"})
Hits = Iterator[str | None]
"""Names of the processes to kill, each as soon as it is requested; None: any."""


def at_random(site: str, seconds: float, seed: int) -> Hits:
    """Kill every few seconds."""
    dice, end = random.Random(seed), time.monotonic() + seconds
    while time.monotonic() < end:
        if dice.random() < 0.8:  # otherwise it is hit during its start
            until(lambda: ready(site) == 200, PATIENCE, "starting again")
        time.sleep(dice.uniform(0.5, 4.0))
        yield None


def each_once(players: "Stubborn") -> Hits:
    """Kill first the children, then their parent, with a move after each."""
    for name in (*sorted(CHILDREN), PARENT):
        yield name
        before = players.moves
        until(lambda before=before: players.moves > before, PATIENCE, "a move")


class Stubborn(Players):
    """Two people who repeat unanswered requests. ``accepted``: game -> the last version in an answer."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, [settings.site])
        self.site = settings.site
        self.accepted: dict[str, int] = {}
        self.unanswered = 0

    def _play(self) -> None:
        while not self._stopping.is_set():
            try:
                self._go_on()
            except Refusal as refusal:
                if refusal.status not in (409, 412, 503):  # it was accepted, and the answer was lost
                    self.wrong.append(f"{refusal.status}: {refusal}")
                    return
            except (OSError, HTTPException):  # the latter: killed between head and body of its answer
                self.unanswered += 1
                time.sleep(0.1)

    def _go_on(self) -> None:
        if not self.games:
            self._begin()
        game = self.games[-1]
        asked = self.clients[0][0].get(f"/games/{game}")["asked"]
        if not asked:
            self._begin()
        for seat in asked:
            client = self.clients[seat - 1][0]
            offered = client.get(f"/games/{game}/actions")
            action = self._dice.choice(offered["actions"])
            body = {"commands": [action["command"]]}
            answer = client.post(f"/games/{game}/moves", body, If_Match=f'"{offered["version"]}"')
            self.accepted[game] = answer["version"]
            self.moves += 1
            time.sleep(0.05)


def run(folder: Path, hits: Callable[[Stubborn], Hits], seed: int = 1) -> str:
    """Kill the processes that ``hits`` names while people play. Return the result in a line."""
    dice, died = random.Random(seed), Counter[str]()
    settings = Settings(
        _env_file=None, data_dir=folder, port=free_port(), mailbox_port=free_port(), rate_limits=False,
        settle_seconds=0.0, presence_seconds=0.0, sweep_seconds=1.0,
    )  # type: ignore[call-arg]  # fmt: skip
    with ExitStack() as stack:
        parent = stack.enter_context(process(settings, *SLOWTRAIN, "up"))
        until(lambda: ready(settings.site) == 200, PATIENCE, "starting")
        players = Stubborn(settings)
        with players.playing():
            for wanted in hits(players):
                if wanted:
                    _until_all_live(parent.pid)
                family = {PARENT: psutil.Process(parent.pid)} | _children(parent.pid)
                name = wanted or dice.choice(sorted(family))
                died[name] += 1
                family[name].kill()
                if name == PARENT:
                    parent.wait()
                    _, alive = psutil.wait_procs(family.values(), PATIENCE)
                    assert not alive, "children that outlive their parent"
                    parent = stack.enter_context(process(settings, *SLOWTRAIN, "up"))
        _until_all_live(parent.pid)
        until(lambda: ready(settings.site) == 200, PATIENCE, "starting for the last time")
        with closing(open_store(settings.database, settings=settings)) as store:
            until(lambda: _owed(store) == 0, PATIENCE, "the last letter")
            for game in players.games:
                assert verify_game(store, game).verdict.proved, game
                assert stored(store, game).game.version >= players.accepted.get(game, 0), "an accepted move is lost"
            with store.read() as conn:
                letters = conn.execute(select(func.count()).select_from(MAILBOX)).scalar_one()
    assert "Traceback" not in said(settings), said(settings)
    killed = ", ".join(f"{name} {times}" for name, times in sorted(died.items()))
    return (
        f"{players.moves} moves in {len(players.games)} games, all there and proved; {letters} letters, none owed; "
        f"killed: {killed}; {players.unanswered} requests without an answer"
    )


def _until_all_live(parent: int) -> None:
    until(lambda: _children(parent).keys() == CHILDREN, PATIENCE, "forking what was killed")


def _children(parent: int) -> dict[str, psutil.Process]:
    """Return the children by name, without dead ones that the parent has not reaped. A new one has its parent's name
    first."""
    found = {}
    for child in psutil.Process(parent).children():
        with suppress(psutil.NoSuchProcess):
            if child.name() in CHILDREN and child.status() != psutil.STATUS_ZOMBIE:
                found[child.name()] = child
    return found


def _owed(store: Store) -> int:
    due = OUTBOX.c.state.in_(("pending", "leased")) & (OUTBOX.c.due_at <= now())
    with store.read() as conn:
        return int(conn.execute(select(func.count()).where(due)).scalar_one())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds, seed = wanted.seconds, wanted.seed
        print(run(Path(folder), lambda players: at_random(players.site, seconds, seed), seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
