"""kill -9 all along the road of an answer: each mail acts once, and is answered once.

``python -m tests.kills`` delivers 60 answers by LMTP on each database. Meanwhile it kills the listener, a worker and
the beat (SIGKILL) every few hundred milliseconds, and now and then between two steps of a mail: after storing and
before the acknowledgement, after reading, after acting, after owing the receipt, after handing that over. The sender
repeats each mail until it is acknowledged, as mail servers do. ``--mails``, ``--kills``, ``--seed`` and ``--database``
choose. Some minutes.
"""

import argparse
import os
import random
import signal
import smtplib
import sys
import tempfile
import threading
import time
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from sqlalchemy import select

import domain
from config.settings import Settings
from service.database.store import Store, open_store
from service.post.inbox import INCOMING
from tests import toy
from tests.answers import Post, written
from tests.children import Child
from tests.servers import PostgreSQL, Redis, free_port
from tests.service.lanterns import game
from tests.workers.post import PATIENCE, Sink, outbox, person, smtp_server, table, until
from tests.workers.processes import beat, embedded, forked, production, run_celery, run_slowtrain, worker

MX = "mx.example.org"
GAMES_OF_A_PAIR = 8
"""So few that no limit on mail is reached."""


# ==== processes that die between two steps ========================================================
def at_step(number: int, function: Callable[..., Any], *, before: bool) -> Callable[..., Any]:
    """Wrap a function so that its process dies in the ``number``-th call."""
    calls = iter(range(1, number + 1))

    def dies(*given: Any, **more: Any) -> Any:
        last = next(calls, 0) == number
        if last and before:
            os.kill(os.getpid(), signal.SIGKILL)
        answer = function(*given, **more)
        if last:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

    return dies


STEPS = ("read", "acted", "owed", "handed over")


def run_dying_worker(step: str, number: int) -> None:
    """Run a worker that dies at a step of its ``number``-th mail."""
    from workers import incoming, outbox

    match step:
        case "read":
            incoming._answer = at_step(number, incoming._answer, before=True)
        case "acted":
            incoming.by_mail.submit = at_step(number, incoming.by_mail.submit, before=False)  # type: ignore[assignment]
        case "owed":
            incoming._mark = at_step(number, incoming._mark, before=False)
        case "handed over":
            outbox.finish = at_step(number, outbox.finish, before=True)
    run_celery()


def run_dying_listener(number: int) -> None:
    """Run a listener that dies between storing a mail and acknowledging it."""
    from service.post.listener import Listener

    Listener.keep = at_step(number, Listener.keep, before=False)  # type: ignore[method-assign]
    run_slowtrain()


# ==== processes that are restarted ================================================================
class Undying:
    """A process that is replaced when it has died. ``start``: starts one, with the dice."""

    def __init__(self, start: Callable[[], AbstractContextManager[Child]]) -> None:
        self._start, self._stack = start, ExitStack()
        self.begin()

    def begin(self) -> None:
        self.child: Child = self._stack.enter_context(self._start())

    def again(self) -> bool:
        """Restart the process if it has died. Return True if it had."""
        if self.child.poll() is None:
            return False
        self._stack.close()
        self.begin()
        return True

    def kill(self) -> None:
        self.child.kill()
        self.child.wait()

    def end(self) -> None:
        self._stack.close()


def _listener(settings: Settings, dice: random.Random) -> AbstractContextManager[Child]:
    run: Callable[[], None] = run_slowtrain
    if dice.random() < 0.5:
        run = partial(run_dying_listener, dice.randint(1, 4))
    return forked(settings, run, "listen")


def _worker(settings: Settings, dice: random.Random) -> AbstractContextManager[Child]:
    if dice.random() < 0.5:
        return worker(settings, run=partial(run_dying_worker, dice.choice(STEPS), dice.randint(1, 3)))  # type: ignore[no-any-return]
    return worker(settings)  # type: ignore[no-any-return]


NONE: Mapping[str, Undying] = {}


# ==== the sending mail server =====================================================================
class Handing(threading.Thread):
    """A mail server that sends mails one after another, each until it is acknowledged. ``tries``: the number of all
    attempts.
    """

    def __init__(self, port: int, mails: list[tuple[str, bytes]]) -> None:
        super().__init__(daemon=True)
        self._port, self._mails, self.tries = port, mails, 0

    def run(self) -> None:
        for to, raw in self._mails:
            while not self._handed(to, raw):
                time.sleep(0.1)

    def _handed(self, to: str, raw: bytes) -> bool:
        self.tries += 1
        try:
            with smtplib.LMTP("127.0.0.1", self._port, timeout=30) as line:
                line.sendmail("somebody@example.org", [to], raw)
        except (OSError, smtplib.SMTPException):
            return False
        return True


# ==== a run =======================================================================================
Starts = Callable[[Settings], AbstractContextManager[Child]]


def at_random(settings: Settings, mails: int, kills: int, seed: int) -> str:
    """Process ``mails`` answers under ``kills`` kills, and check that each acted once. Return the result in words."""
    dice = random.Random(seed)
    return _run(settings, mails, kills, dice, lambda it: _listener(it, dice), lambda it: _worker(it, dice))


def in_turn(settings: Settings, *steps: str) -> str:
    """Do the same with one answer: the listener dies after storing it, and a worker at each of these steps."""
    listeners: Iterator[Callable[[], None]] = chain([partial(run_dying_listener, 1)], repeat(run_slowtrain))
    workers = chain((partial(run_dying_worker, step, 1) for step in steps), repeat(run_celery))
    return _run(
        settings, 1, 0, random.Random(), lambda it: forked(it, next(listeners), "listen"),
        lambda it: worker(it, run=next(workers)),
    )  # fmt: skip


def _run(settings: Settings, mails: int, kills: int, dice: random.Random, listens: Starts, works: Starts) -> str:
    store = open_store(settings.database, settings=settings)
    store.migrate()
    try:
        return _let_come(store, mails, kills, dice, listens, works)
    finally:
        store.close()


def _let_come(store: Store, mails: int, kills: int, dice: random.Random, listens: Starts, works: Starts) -> str:
    settings, sink = store.settings, Sink()
    games, letters = _letters(store, mails)
    before = {game_id: game(store, game_id).version for game_id in games}
    begun = time.monotonic()
    undying = {
        name: Undying(partial(start, settings))
        for name, start in {"listener": listens, "worker": works, "beat": beat}.items()
    }
    died: Counter[str] = Counter()
    handing = Handing(settings.listen_port, letters)
    with smtp_server(sink, settings.mailbox_port if settings.embedded else settings.smtp_port):
        try:
            handing.start()
            while died.total() < kills and not _is_done(store, handing, mails):
                time.sleep(dice.uniform(0.1, 0.7))
                name = dice.choice(("listener", "worker", "worker", "beat"))
                if dice.random() < 0.6:
                    undying[name].kill()
                for name, process in undying.items():
                    died[name] += process.again()
            until(lambda: _is_done(store, handing, mails, undying, died), PATIENCE * 2, "the last receipt")
        finally:
            for process in undying.values():
                process.end()
    took = time.monotonic() - begun
    receipts = [mail["Message-ID"] for mail in sink.mails if mail["Auto-Submitted"] == "auto-replied"]
    answered = Counter(str(mail["In-Reply-To"]) for mail in sink.mails if mail["Auto-Submitted"] == "auto-replied")
    with store.read() as conn:
        rows = conn.execute(select(INCOMING)).all()
    assert Counter(row.what for row in rows) == {"done": mails}, Counter(row.what for row in rows)
    assert len(set(receipts)) == len(answered) == len(outbox(store, "receipt")) == mails
    moved = sum(game(store, game_id).version - before[game_id] for game_id in games)
    assert moved == mails, f"{moved} moves of {mails} mails"
    return (
        f"{mails} mails acted and were answered once, {took:.0f} s; killed: "
        + ", ".join(f"{name} {number}" for name, number in sorted(died.items()))
        + f"; handed over {handing.tries} times, tried {sum(row.attempts for row in rows)} times, "
        f"{len(receipts) - mails} receipts sent again as the very same"
    )


def _letters(store: Store, mails: int) -> tuple[list[str], list[tuple[str, bytes]]]:
    """Start games of two, each with a letter for both. Return the answers and their addresses, ``mails`` in all."""
    at, games, letters = store.time() - 60_000, [], []
    post = Post(store, at + 1)
    for number in range((mails + 1) // 2):
        if number % GAMES_OF_A_PAIR == 0:
            names = [f"{name}{number}" for name in ("Ann", "Bob")]
            pair = [person(store, name) for name in names]
        games.append(table(store, *pair, at=at))
        fresh = {str(mail["To"]): mail for mail in post.deliver()}
        hands = game(store, games[-1]).state.hands
        for seat, name in enumerate(names, 1):
            address = f"{name.lower()}@example.org"
            letter = fresh[address]
            vouched = {"Authentication_Results": f"{MX}; dmarc=pass header.from=example.org"}
            raw = written(letter["Reply-To"], f"choose {min(hands[seat])}", sender=address, **vouched)
            letters.append((str(letter["Reply-To"]), raw.replace(b"\n", b"\r\n")))
    return games, letters[:mails]


def _is_done(
    store: Store, handing: Handing, mails: int, undying: Mapping[str, Undying] = NONE, died: Counter[str] | None = None
) -> bool:
    for name, process in undying.items():
        if process.again() and died is not None:
            died[name] += 1
    if handing.is_alive():
        return False
    receipts = outbox(store, "receipt")
    return len(receipts) == mails and all(row.state == "sent" for row in receipts)


# ==== the two databases ===========================================================================
@contextmanager
def settings_for(database: str, folder: Path) -> Iterator[Settings]:
    """Return settings with a database of this kind, in this folder."""
    more: dict[str, Any] = {"listen_port": free_port(), "authserv_id": MX, "presence_seconds": 0}
    if database == "sqlite":
        yield embedded(folder, mailbox_port=free_port(), **more)
        return
    server, broker = PostgreSQL(), Redis()
    try:
        yield production(folder, server.new_database(), broker.url, smtp_port=free_port(), replies=True, **more)
    finally:
        server.stop()
        broker.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=60)
    parser.add_argument("--kills", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", action="append", choices=("sqlite", "postgresql"))
    wanted = parser.parse_args()
    domain.TITLES = ChainMap({"toy": toy.TITLE}, domain.TITLES)  # type: ignore[assignment, arg-type]
    for database in wanted.database or ("sqlite", "postgresql"):
        with tempfile.TemporaryDirectory() as folder, settings_for(database, Path(folder)) as settings:
            print(f"{database}: {at_random(settings, wanted.mails, wanted.kills, wanted.seed)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
