"""``slowtrain read-mail``: show operators how the service reads a mail, without a game, a store or settings."""

import json
import os
import re
import stat
import sys
from collections.abc import Sequence
from functools import cache
from typing import IO, Any

import click

from domain import TITLES
from domain.orders import Tongue, by_number, may_be_an_order
from service.post.child import ReadingChild
from service.post.incoming import Incoming, Question
from service.post.limits import LARGEST
from service.post.lines import LONGEST
from service.words import languages, spoken

KINDS = {"person": "orders", "automatic": "auto", "report": "bounce", "unreadable": "empty"}
SAID = {"delayed": "transient"}
"""Actions of delivery reports that have no class of their own here."""
TOKEN = re.compile(
    r"(?<![a-z0-9])[gb](?:[+.=-](?P<ours>[a-z0-9]{26})|\+(?P<short>[a-z0-9]{8,64}))(?![a-z0-9])|"
    r"^[a-z]{1,16}\+(?P<other>[a-z0-9]{20,64})$"
)
"""A token in a local part, of any installation. Forwarding servers may have wrapped it (SRS)."""


@click.command("read-mail")
@click.option("--batch", is_flag=True, help="Read many mails: one path per line on standard input.")
def read_mail(batch: bool) -> None:
    """Show how the service reads a mail, as JSON.

    The mail comes on standard input. With --batch, standard input lists the paths of many mails, one per line. Each
    gets a line of JSON, in the same order. The command does and keeps nothing, and needs neither settings nor a store.

    \b
    kind     orders: a person wrote lines that look like orders; empty: none;
             auto: a machine wrote it; bounce: a report about a returned mail
    lines    these lines, as written
    bounces  [address, class]: permanent, transient or complaint
    token    from the reply address or return address of a letter

    Only a game can tell whether a line is an order. Mail that is too large, too deep or too slow to read counts as
    empty; standard error says why. The exit status is 1 if a file could not be read; its line then has an "error".
    """
    with ReadingChild() as child:
        if not batch:
            _say(_read(child, sys.stdin.buffer, "the mail"))
            return
        wrong = False
        for line in sys.stdin.buffer:
            if path := line.rstrip(b"\r\n"):
                answer = _of_file(child, os.fsdecode(path))
                wrong = wrong or "error" in answer
                _say(answer)
    sys.exit(1 if wrong else 0)


def _say(answer: dict[str, Any]) -> None:
    click.echo(json.dumps(answer))


def _of_file(child: ReadingChild, path: str) -> dict[str, Any]:
    try:
        if stat.S_ISFIFO(os.stat(path).st_mode):
            raise ValueError("a pipe, which could block forever")
        with open(path, "rb") as file:
            return _read(child, file, path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        click.echo(f"{ascii(path)[1:-1]}: {why}", err=True)
        return {"kind": "empty", "lines": [], "bounces": [], "token": None, "error": why}


def _read(child: ReadingChild, file: IO[bytes], name: str) -> dict[str, Any]:
    raw = file.read(LARGEST + 1)
    incoming = child.read(Question(raw)) if len(raw) <= LARGEST else Incoming("unreadable", "large")
    if incoming.kind == "unreadable":
        click.echo(f"{ascii(name)[1:-1]}: not read: {incoming.why}", err=True)
    return told(incoming)


def told(incoming: Incoming) -> dict[str, Any]:
    """The output for a mail: kind, lines, bounces and token."""
    lines = [line.text for line in incoming.lines if begins_like_an_order(line.text)]
    said = incoming.report.bounces if incoming.report else ()
    bounces = [[one.address, SAID.get(one.kind, one.kind)] for one in said]
    kind = KINDS[incoming.kind]
    if kind == "bounce" and not bounces:
        kind = "auto"  # a notice that a mail arrived or was read
    if kind == "orders" and not lines:
        kind = "empty"
    return {"kind": kind, "lines": lines, "bounces": bounces, "token": token_of(incoming.recipients)}


def token_of(recipients: Sequence[str]) -> str | None:
    """The token of the first address that has one: an answer address or return address of a letter."""
    found = (TOKEN.search(one.rpartition("@")[0]) for one in recipients if not one.endswith("@mail.gmail.com"))
    return next((it[it.lastgroup or 0] for it in found if it), None)


def begins_like_an_order(line: str) -> bool:
    """Does a line begin like an order of any title, in any language? A number alone does, too."""
    text = line[:LONGEST]
    return any(by_number(text, each.grammar) is not None or may_be_an_order(text, each) for each in _tongues())


@cache
def _tongues() -> tuple[Tongue, ...]:
    return tuple(
        Tongue(it.face.orders, None, tuple(spoken(it.face.words, tag) for tag in languages())) for it in TITLES.values()
    )
