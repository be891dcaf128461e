"""Answers to letters through a real mail server, set up with the shipped files.

``python -m tests.mta postfix`` (or ``opensmtpd``; for ``dovecot`` see `tests.mta.provider`), as root on Debian: the
mail server is installed into a file system of its own that is removed afterwards. A letter goes out through it, and is
answered through it. It refuses unknown recipients at once, queues mail that cannot be stored, and never sends anything
that was not owed. A minute.
"""

import argparse
import os
import re
import smtplib
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from email import message_from_bytes
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import select

from config.settings import Settings
from service.database.store import Away, Store, open_store
from service.post.inbox import INCOMING
from service.post.incoming import examine
from service.post.limits import LARGEST
from tests.answers import written
from tests.listening import letter, listening, returning
from tests.mta.servers import DOMAIN, SERVERS, USER, Mta, World
from tests.servers import free_port
from tests.service.post.test_trust import RECORDS, signed
from tests.workers.post import EARLY, person, smtp_server, table, until
from workers import incoming, outbox

KEYS = {"s._domainkey.example.org.": RECORDS["s._domainkey.home.example."]}
"""The DNS records of example.org, whose server signs its mail."""
NOBODY = f"g+{'a' * 26}@{DOMAIN}"


class House:
    """A mail server between the world and a store, once that is `opened`. ``world``: the mails that arrived there."""

    def __init__(self, name: str, stack: ExitStack, world: World | None = None, **more: Path) -> None:
        self.world = world or World()
        self.listens = free_port()
        self.mta: Mta = stack.enter_context(
            SERVERS[name](self.listens, stack.enter_context(smtp_server(self.world)), keys=KEYS, **more)
        )
        self.signs = name == "postfix"

    @contextmanager
    def opened(self, folder: Path) -> Iterator[None]:
        """Give it an empty store in this folder, and a listener."""
        vouched = {"authserv_id": DOMAIN} if self.signs else {"check_dkim": True}
        settings = Settings(
            _env_file=None,  # type: ignore[call-arg]
            data_dir=folder, smtp_host="127.0.0.1", smtp_port=self.mta.port, mail_domain=DOMAIN, replies=True,
            mail_from=f"Slow Train <trains@{DOMAIN}>", presence_seconds=0, settle_seconds=0, **vouched,
        )  # fmt: skip
        self.store = open_store(settings.database, settings=settings)
        try:
            self.store.migrate()
            with listening(self.store, self.listens):
                yield
        finally:
            self.store.close()

    def work(self) -> None:
        """Read arrived mail, and send due mail."""
        incoming.work_off(self.store, lambda question: examine(question, KEYS.get))
        outbox.send_due(self.store)

    def kept(self) -> list[Any]:
        with self.store.read() as conn:
            return list(conn.execute(select(INCOMING).order_by(INCOMING.c.id)))

    def until_kept(self, number: int) -> None:
        until(lambda: len(self.kept()) >= number, 60, f"mail {number}")
        assert len(self.kept()) == number

    def send(self, raw: bytes, to: str, sender: str = "ann@example.org") -> None:
        """Deliver a mail to the mail server as other servers do."""
        with self.mta.from_the_world() as line:
            line.sendmail(sender, to, signed(raw.replace(b"\n", b"\r\n"), b"example.org"))

    def refusal(self, to: str) -> str:
        """Return the immediate refusal to a sender of mail for this address; "" if there is none."""
        with self.mta.from_the_world() as line:
            line.ehlo()
            line.mail("ann@example.org")
            code, words = line.rcpt(to)
            return f"{code} {words.decode()}" if code >= 400 else ""


Anywhere = TypeVar("Anywhere", bound=House)


@contextmanager
def away(store: Store) -> Iterator[None]:
    """Make the database unreachable."""

    def nothing() -> Any:
        raise Away("away")

    store.read, store.write = nothing, nothing  # type: ignore[method-assign]
    try:
        yield
    finally:
        del store.read, store.write


# ==== what is tried ===============================================================================
def a_letter_goes_out_and_is_answered(house: House) -> None:
    people = person(house.store, "Ann"), person(house.store, "Bob")
    game = table(house.store, *people, at=EARLY, title="ticket_to_ride", options={})
    house.work()
    (mail,) = until(lambda: house.world.of("ann@example.org"), 60, "the letter")
    assert mail["List-Id"].startswith(f"<{game}")
    house.send(written(mail["Reply-To"], "look"), mail["Reply-To"])
    house.until_kept(1)
    house.work()
    until(lambda: len(house.world.of("ann@example.org")) == 2, 60, "the receipt")
    assert house.world.mails[-1]["Auto-Submitted"] == "auto-replied"
    if house.signs:
        assert mail["DKIM-Signature"]


def who_is_not_there_is_refused_when_they_are_named(house: House) -> None:
    assert house.refusal(NOBODY).startswith("550 ")
    assert house.refusal(NOBODY).startswith("550 "), "and again"
    assert house.refusal(f"somebody@{DOMAIN}").startswith("550 ")
    assert house.refusal("ann@example.com").startswith(("554 ", "550 ")), "nothing is sent on for others"


def what_cannot_be_kept_waits_and_comes_once(house: House) -> None:
    known, unknown, before = letter(house.store), letter(house.store), len(house.kept())
    with house.mta.from_the_world() as line:
        line.ehlo()
        line.mail("ann@example.org")
        assert line.rcpt(known)[0] == 250
        with away(house.store):
            assert line.data(written(known, "look"))[0] == 250
            until(lambda: "451 4.3.0" in house.mta.log(), 60, "putting it off")
            assert house.mta.waiting() == [known]
            assert house.refusal(unknown).startswith("4"), "whoever cannot be looked up is not unknown"
    house.mta.try_again()
    house.until_kept(before + 1)


def what_is_too_large_is_refused_at_the_edge(house: House) -> None:
    to = letter(house.store)
    with pytest.raises(smtplib.SMTPResponseException) as refused:
        house.send(written(to, ("x" * 70 + "\n") * (LARGEST // 70)), to)
    assert b"5.3.4" in refused.value.smtp_error
    before = len(house.kept())
    house.send(written(to, ("x" * 70 + "\n") * 12_500), to)
    house.until_kept(before + 1)


def nobody_else_says_who_a_mail_is_from(house: House) -> None:
    to, before = letter(house.store), len(house.kept())
    forged = f"Authentication-Results: {DOMAIN};\n dkim=pass header.d=example.com\nAUTHENTICATION-results: x; y\n"
    house.send(forged.encode() + written(to, "look"), to)
    house.until_kept(before + 1)
    row = house.kept()[-1]
    said = [value for name, value in message_from_bytes(row.raw).items() if name.lower() == "authentication-results"]
    if house.signs:
        assert [value.split(";")[0] for value in said] == [DOMAIN], "what our own server says is all that is said"
        assert "example.com" not in said[0]
    assert row.sender == "ann@example.org"


def no_mail_is_smuggled_in_another(house: House) -> None:
    to, before = letter(house.store), len(house.kept())
    second = f"MAIL FROM:<x@example.org>\r\nRCPT TO:<{to}>\r\nDATA\r\nFrom: x\r\n\r\nlook\r\n".encode()
    for end in (b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r\n", b"\r\r\n.\r\r\n"):
        with house.mta.from_the_world() as line:
            line.ehlo()
            line.mail("ann@example.org")
            line.rcpt(to)
            line.putcmd("DATA")
            line.getreply()
            line.send(written(to, "look") + end + second + b"\r\n.\r\n")
            line.getreply()
            line.close()
    with house.mta.from_the_world() as line:  # all earlier mail has been processed
        line.ehlo()
    until(lambda: house.mta.waiting() == [], 60, "the queue")
    assert len(house.kept()) - before <= 5
    assert not [row for row in house.kept() if row.sender == "x@example.org"]


def reports_come_to_where_letters_come_back(house: House) -> None:
    to, before = returning(house.store), len(house.kept())
    house.send(written(to, "It could not be delivered."), to, sender="")
    house.until_kept(before + 1)
    assert house.kept()[-1].sender == ""


def somebody_reads_what_comes_for_postmaster(house: House) -> None:
    house.send(written(f"postmaster@{DOMAIN}", "Hello"), f"postmaster@{DOMAIN}")
    until(lambda: "you@example.org" in house.world.recipients, 60, "the mail for postmaster")


def what_a_pipe_cannot_keep_waits(house: House) -> None:
    to, before, database = letter(house.store), len(house.kept()), house.store.settings.data_dir / "slowtrain.db"
    database.rename(database.with_suffix(".away"))
    house.send(written(to, "look"), to)
    until(lambda: re.search('status=deferred|result="?TempFail', house.mta.log()), 60, "putting it off")
    database.with_suffix(".away").rename(database)
    house.mta.try_again()
    house.until_kept(before + 1)


def nothing_else_was_sent(house: House) -> None:
    """Check that nothing else was sent: above all no bounce, to anybody."""
    until(lambda: house.mta.waiting() == [], 60, "the queue")
    owed = {"ann@example.org": 2, "bob@example.org": 1, "you@example.org": 1}
    assert {it: house.world.recipients.count(it) for it in house.world.recipients} == owed


SCENES: tuple[Callable[[House], None], ...] = (
    a_letter_goes_out_and_is_answered,
    who_is_not_there_is_refused_when_they_are_named,
    what_cannot_be_kept_waits_and_comes_once,
    what_is_too_large_is_refused_at_the_edge,
    nobody_else_says_who_a_mail_is_from,
    no_mail_is_smuggled_in_another,
    reports_come_to_where_letters_come_back,
    somebody_reads_what_comes_for_postmaster,
    nothing_else_was_sent,
)


BY_PIPE = (
    a_letter_goes_out_and_is_answered,
    nobody_else_says_who_a_mail_is_from,
    reports_come_to_where_letters_come_back,
    what_a_pipe_cannot_keep_waits,
)


def belongs_to_the_service(folder: Path, settings: Settings) -> None:
    """Set a folder and its settings up as the command that a mail server starts finds them."""
    given = {"DATA_DIR": folder, "MAIL_DOMAIN": DOMAIN, "SMTP_HOST": settings.smtp_host, "REPLIES": "true"}
    (folder / ".env").write_text("".join(f"SLOWTRAIN_{name}={value}\n" for name, value in given.items()))
    for each in (folder, *folder.rglob("*")):
        os.chown(each, USER, USER)


def play_all(house: Anywhere, scenes: Sequence[Callable[[Anywhere], None]]) -> None:
    """Play scenes one after another. If one fails, show the mail server's log."""
    try:
        for scene in scenes:
            scene(house)
            print(f"ok   {scene.__name__.replace('_', ' ')}", flush=True)
    except BaseException:
        print(house.mta.log())
        raise


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", choices=[*sorted(SERVERS), "dovecot"])
    parser.add_argument("--pipe", action="store_true", help="by slowtrain receive")
    wanted = parser.parse_args()
    if wanted.server == "dovecot":
        from tests.mta import provider

        return provider.run()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        house = House(wanted.server, stack, **({"pipe": folder} if wanted.pipe else {}))
        stack.enter_context(house.opened(folder))
        if wanted.pipe:
            belongs_to_the_service(folder, house.store.settings)
        play_all(house, BY_PIPE if wanted.pipe else SCENES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
