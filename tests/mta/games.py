"""Whole games through a mail server: three people with mailboxes elsewhere, and mail programs.

``python -m tests.by_mail --through postfix`` (as root on Debian) plays one game of each title, English and German in
turn. A letter leaves through Postfix, signed, and lies in a Maildir. A program answers it, quoting it in its own style;
the server of the player's domain signs the answer. Postfix looks up the recipient, checks the signature, records the
result and passes the mail to the listener, which has it read, done and answered. With ``--through dovecot``, answers
lie in a mailbox at a provider until they are fetched (`tests.mta.provider`).
"""

import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from email.message import EmailMessage
from itertools import cycle
from pathlib import Path

from sqlalchemy import func, select

from service.notices.owing import OUTBOX
from tests.by_mail import NAMES, GameByMail
from tests.mta.__main__ import House
from tests.mta.mailboxes import PROGRAMS, Mailboxes, answered
from tests.mta.provider import Provider
from tests.workers.post import until
from workers import incoming


class GameThroughServer(GameByMail):
    """A game through a mail server. ``took``: for each answer, the seconds until its receipt lies in the mailbox."""

    def __init__(self, house: House, world: Mailboxes, title: str, lang: str, seed: int) -> None:
        self.house, self.world, self.programs = house, world, cycle(PROGRAMS)
        self.took: list[float] = []
        self.before = len(world.mails)
        self.used: dict[str, int] = dict.fromkeys(PROGRAMS, 0)
        super().__init__(house.store, title, lang, seed, take=house.send)

    def answer(self, letter: EmailMessage, text: str) -> None:
        program = next(self.programs)
        self.used[program] += 1
        begun, before, receipts = time.monotonic(), len(self.house.kept()), self.receipts
        self.mails += 1
        self.house.send(answered(letter, text, self.lang, program), str(letter["Reply-To"]), str(letter["To"]))
        self.house.until_kept(before + 1)
        self.deliver()
        assert self.receipts == receipts + 1, f"one receipt for each answer ({program}): {text}"
        self.took.append(time.monotonic() - begun)

    def deliver(self) -> None:
        """Read and send until nothing is due, and everything sent has arrived."""
        self.house.work()
        until(lambda: len(self.world.mails) - self.before >= self._sent(), 60, "the mail")
        self.post.sent = self.world.mails

    def letter(self, name: str) -> EmailMessage:
        return self.world.latest(f"{name.lower()}@example.org")

    @property
    def receipts(self) -> int:
        return sum(mail["Auto-Submitted"] == "auto-replied" for mail in self.world.mails)

    def _sent(self) -> int:
        with self.store.read() as conn:
            told = select(func.count(OUTBOX.c.told_by.distinct())).where(OUTBOX.c.state == "sent")
            return int(conn.execute(told).scalar_one())


def play(titles: Mapping[str, str], seed: int, through: str) -> Iterator[str]:
    """Play one game of each title, in its language. Return the report on each. ``through``: postfix or dovecot."""
    incoming.RECEIPTS_AN_HOUR = 100 * incoming.RECEIPTS_AN_HOUR  # a game of weeks is played in minutes
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        world = Mailboxes(Path(folder) / "mail")
        house = Provider(stack, world) if through == "dovecot" else House(through, stack, world)
        for title, lang in titles.items():
            with house.opened(Path(folder) / title):
                yield _played(GameThroughServer(house, world, title, lang, seed))


def _played(by_mail: GameThroughServer) -> str:
    begun, before = time.monotonic(), len(by_mail.world.mails)
    game = by_mail.play()
    took = time.monotonic() - begun
    assert game.result is not None
    assert by_mail.house.mta.waiting() == []
    score = ", ".join(f"{NAMES[it.seat - 1]} {it.total}" for it in game.result.standings)
    half, most = statistics.median(by_mail.took), max(by_mail.took)
    return (
        f"{game.title.id} ({by_mail.lang}): {by_mail.mails} answers "
        f"({', '.join(f'{name} {number}' for name, number in by_mail.used.items())}), each with its receipt; "
        f"{len(by_mail.world.mails) - before} letters in all, {game.version} plies, {took:.0f} s; "
        f"an answer is answered in {half:.1f} s, {most:.1f} s at most; {score}"
    )
