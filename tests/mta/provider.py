"""Answers through an ordinary mailbox at a provider: Debian's Postfix delivers into it, Dovecot opens it.

``python -m tests.mta dovecot``, as root on Debian, installs both for its run alone. Letters leave through the account
of a club, answers arrive in its mailbox among the owner's own mail, and ``slowtrain fetch`` takes them. A minute.
"""

import imaplib
import os
import random
import signal
import smtplib
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from config.settings import Settings
from service.database.store import open_store
from service.post.fetching import Fetcher
from service.post.inbox import DRAFT
from service.post.limits import LARGEST
from tests.answers import written
from tests.listening import letter
from tests.mta.__main__ import House, play_all
from tests.mta.servers import SLOWTRAIN, World, dovecot
from tests.workers.post import EARLY, person, smtp_server, table, until

CLUB, PASSWORD = "club@provider.example", "an application password"
OWN = (
    written(CLUB, "Shall we meet on Friday?", sender="Zoe <zoe@example.org>"),
    written("club+shop@provider.example", "Your order has left.", sender="shop@example.org"),
    written(f"zoe@example.org, {CLUB}", f"To: club+g.{'a' * 26}@provider.example", sender="y@example.org"),
)
"""Mail that is the owner's alone."""


class Provider(House):
    """A provider with the club's account, and a store whose settings name it."""

    def __init__(self, stack: ExitStack, world: World | None = None) -> None:
        self.world = world or World()
        self.mta, self.imap = stack.enter_context(
            dovecot(stack.enter_context(smtp_server(self.world)), password=PASSWORD)
        )
        self.signs = False

    @contextmanager
    def opened(self, folder: Path) -> Iterator[None]:
        """Give it an empty store in this folder."""
        self.settings = {
            "data_dir": folder, "smtp_host": "127.0.0.1", "smtp_port": self.mta.port, "mail_domain": "provider.example",
            "mail_from": f"Slow Train <{CLUB}>", "presence_seconds": 0, "settle_seconds": 0, "imap_host": "127.0.0.1",
            "imap_port": self.imap, "imap_tls": "none", "imap_user": "club", "imap_password": PASSWORD,
            "reply_addresses": "club+{}@provider.example",
        }  # fmt: skip
        settings = Settings(_env_file=None, **self.settings)  # type: ignore[call-arg]
        self.store = open_store(settings.database, settings=settings)
        self.fetcher = Fetcher(self.store)
        try:
            self.store.migrate()
            yield
        finally:
            self.fetcher.hang_up()
            self.store.close()

    def work(self) -> None:
        self.fetched()
        super().work()

    def fetched(self) -> None:
        done = self.fetcher.round(self.store.time(), at_once=True)
        assert done is not None
        assert done.trouble == "", done

    def until_kept(self, number: int) -> None:
        def kept() -> bool:
            self.fetched()
            return len(self.kept()) >= number

        until(kept, 60, f"mail {number}")
        assert len(self.kept()) == number

    @contextmanager
    def as_owner(self) -> Iterator[imaplib.IMAP4]:
        """Open the mailbox as its owner does."""
        with imaplib.IMAP4("127.0.0.1", self.imap) as line:
            line.login("club", PASSWORD)
            line.select()
            yield line

    def mailbox(self) -> list[tuple[bytes, frozenset[str]]]:
        """Return all mails in the mailbox with their flags, as the owner's program sees them, and leaves them."""
        with self.as_owner() as line:
            line.select(readonly=True)
            found: list[Any] = line.fetch("1:*", "(FLAGS BODY.PEEK[])")[1] if line.search(None, "ALL")[1][0] else []
        mails = [it for it in found if isinstance(it, tuple)]
        flags = [frozenset(map(bytes.decode, imaplib.ParseFlags(it[0]))) - {r"\Recent"} for it in mails]
        return [(it[1], each) for it, each in zip(mails, flags, strict=True)]

    def command(self) -> "subprocess.Popen[bytes]":
        """Start ``slowtrain fetch``."""
        given = {f"SLOWTRAIN_{name.upper()}": str(value) for name, value in self.settings.items()}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([SLOWTRAIN, "fetch"], env=os.environ | given, **quiet)  # type: ignore[call-overload,no-any-return]


# ==== what is tried ===============================================================================
def a_letter_goes_out_and_is_answered_from_the_mailbox(house: Provider) -> None:
    for each in OWN:
        house.send(each, CLUB if b"shop" not in each else "club+shop@provider.example", "x@example.org")
    until(lambda: len(house.mailbox()) == len(OWN), 60, "the owner's mail")
    people = person(house.store, "Ann"), person(house.store, "Bob")
    table(house.store, *people, at=EARLY, title="ticket_to_ride", options={})
    house.work()
    (mail,) = until(lambda: house.world.of("ann@example.org"), 60, "the letter")
    to = str(mail["Reply-To"])
    assert to.startswith("club+g.")
    begun = time.monotonic()
    house.send(written(to, "look"), to)
    house.until_kept(1)
    print(f"     an answer is fetched {time.monotonic() - begun:.2f} s after it was sent")
    house.work()
    until(lambda: len(house.world.of("ann@example.org")) == 2, 60, "the receipt")
    assert house.world.mails[-1]["Auto-Submitted"] == "auto-replied"


def nothing_of_it_is_left_at_the_provider(house: Provider) -> None:
    there = house.mta.inside("grep", "-rl", "Re: your turn", "/home/club/Maildir")
    assert len(there.split()) == len(OWN), there
    assert [flags for _, flags in house.mailbox()] == [frozenset()] * len(OWN), "nor is the owner's mail marked as read"


def only_a_signed_answer_of_the_recipient_acts(house: Provider) -> None:
    """Anything else does nothing: forged, foreign, sent by the account to itself, or put there by IMAP."""
    (first, *_) = house.world.of("ann@example.org")
    to, before = str(first["Reply-To"]), len(house.kept())
    verdict = "Authentication-Results: provider.example; dmarc=pass header.from=example.org\n"
    forged = verdict.encode() + written(to, "look forged")
    with house.mta.from_the_world() as line:
        line.sendmail("ann@example.org", to, forged)
    house.send(written(to, "look foreign", sender="eve@example.org"), to, "eve@example.org")
    with smtplib.SMTP("127.0.0.1", house.mta.port) as line:
        line.sendmail(CLUB, to, written(to, "look myself", sender="ann@example.org"))
    with house.as_owner() as line_of_owner:
        line_of_owner.append("INBOX", None, None, forged.replace(b"look forged", b"look put there"))  # type: ignore[arg-type]
    house.until_kept(before + 4)
    house.work()
    assert [row.what for row in house.kept()[before:]] == [DRAFT, "unproved", DRAFT, DRAFT], "strangers get no answer"


def mail_that_cannot_be_kept_stays_flagged(house: Provider) -> None:
    before = len(house.kept())
    nobody = f"club+g.{'a' * 26}@provider.example"
    house.send(written(nobody, "look"), nobody)
    known = letter(house.store)
    large = written(known, ("x" * 70 + "\n") * (LARGEST // 70))
    house.send(large, known)
    until(lambda: len(house.mailbox()) == len(OWN) + 2, 60, "the mail")
    house.fetched()
    assert [flags for _, flags in house.mailbox()] == [frozenset()] * len(OWN) + [frozenset({r"\Flagged"})] * 2
    assert len(house.kept()) == before
    with house.as_owner() as line:
        line.store("4:5", "+FLAGS", r"(\Deleted)")
        line.expunge()


def a_fetcher_that_is_killed_loses_and_doubles_nothing(house: Provider) -> None:
    before, dice, kills = len(house.kept()), random.Random(1), 0
    for number in range(12):
        to = letter(house.store)
        house.send(written(to, f"look {number}"), to)
    until(lambda: len(house.mailbox()) == len(OWN) + 12, 60, "the answers")
    while len(house.mailbox()) > len(OWN):
        running = house.command(), house.command()
        _next_is_kept(house, running)
        time.sleep(dice.uniform(0, 0.05))
        for each in running:
            kills += each.poll() is None
            each.send_signal(signal.SIGKILL)
            each.wait()
    print(f"     {kills} kills while fetching")
    assert kills
    assert len(house.kept()) == before + 12


def _next_is_kept(house: Provider, running: "Sequence[subprocess.Popen[bytes]]") -> None:
    """Wait until the next answer is kept, or all commands have ended."""
    before = len(house.kept())
    until(lambda: len(house.kept()) > before or all(it.poll() is not None for it in running), 60, "the next answer")


def a_wrong_password_is_told_and_slows_nothing(house: Provider) -> None:
    wrong = Fetcher(house.store)
    wrong.settings = house.store.settings.with_(imap_password="wrong")
    done = wrong.round(house.store.time(), at_once=True)
    assert done is not None
    assert done.trouble == "login"
    assert house.fetcher.round(house.store.time()) is None, "it waits"
    house.fetched()


SCENES = (
    a_letter_goes_out_and_is_answered_from_the_mailbox,
    nothing_of_it_is_left_at_the_provider,
    only_a_signed_answer_of_the_recipient_acts,
    mail_that_cannot_be_kept_stays_flagged,
    a_fetcher_that_is_killed_loses_and_doubles_nothing,
    a_wrong_password_is_told_and_slows_nothing,
)


def run() -> int:
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        house = Provider(stack)
        stack.enter_context(house.opened(Path(name)))
        play_all(house, SCENES)
    return 0
