"""``slowtrain receive``: take a mail from a mail server's pipe, and report the result by the exit status."""

import sys
from contextlib import closing
from typing import NoReturn

import click
from sqlalchemy.exc import SQLAlchemyError

from config.settings import Settings
from service.cli.shared import opened_store
from service.database.store import Away, Busy, Store
from service.post import inbox
from service.post.child import ReadingChild
from service.post.incoming import Question
from service.post.limits import LARGEST

# sysexits.h, which every mail server knows
EX_DATAERR, EX_NOUSER, EX_UNAVAILABLE, EX_TEMPFAIL, EX_CONFIG = 65, 67, 69, 75, 78


@click.command()
@click.option("--to", "to", default="", help="Recipient from the envelope.  [default: from its headers]")
@click.option("--from", "sender", default=None, help="Sender from the envelope; '' for an empty sender.")
def receive(to: str, sender: str | None) -> None:
    """Take one mail from standard input: the answer to a letter, or a mail server's report about one.

    The command stores the mail before it ends with 0. A worker then reads it, carries it out and answers.
    SLOWTRAIN_REPLIES=true switches this on. It is always on where all mail goes to the mailbox of this machine.

    The exit status is what mail servers expect (sysexits): 65 too large, 67 not a reply address of a letter, 69
    answers are switched off, 75 could not be stored (try again later), 78 wrong settings.
    """
    try:
        settings = Settings()
    except ValueError as error:
        _end(EX_CONFIG, f"The settings are wrong: {error}")
    if not settings.answerable:
        _end(EX_UNAVAILABLE, "This service takes no answers to letters: SLOWTRAIN_REPLIES is off.")
    raw = sys.stdin.buffer.read(LARGEST + 1)
    if len(raw) > LARGEST:
        _end(EX_DATAERR, f"The mail is too large: {LARGEST} bytes is the limit.")
    _keep(to, sender, raw)


def _keep(to: str, sender: str | None, raw: bytes) -> None:
    try:
        with closing(opened_store()) as store:
            _kept(store, [to] if to else _recipients(raw), sender and _as_text(sender), raw)
    except inbox.TooManyMails:
        _end(EX_TEMPFAIL, "Too many mails for this letter, please try again later.")
    except inbox.NobodysAddress:
        _end(EX_NOUSER, "This is not a reply address of a letter.")
    except click.ClickException as error:  # the store is missing, or its tables are outdated
        _end(EX_TEMPFAIL, error.message)
    except (SQLAlchemyError, Busy, Away, OSError) as error:
        _end(EX_TEMPFAIL, f"The mail could not be stored, please try again: {type(error).__name__}.")


def _kept(store: Store, addresses: list[str], sender: str | None, raw: bytes) -> None:
    """Store a mail under the first of these addresses that is an answer or return address of a letter."""
    with store.write() as conn:
        for address in addresses:
            try:
                inbox.keep(conn, store.settings, address, sender, raw, store.time())
            except inbox.NobodysAddress:
                continue
            return
    raise inbox.NobodysAddress("")


def _as_text(argument: str) -> str:
    """An argument as text for the store, even if its bytes are not UTF-8."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _recipients(raw: bytes) -> list[str]:
    """The addresses in a mail's headers, read in a child process, since strangers wrote them."""
    with ReadingChild() as child:
        return list(child.read(Question(raw)).recipients)


def _end(code: int, words: str) -> NoReturn:
    click.echo(words, err=True)
    sys.exit(code)
