"""The reader of a page, their language, and the numbers and paths that addresses and forms hold."""

from typing import Any, cast

import msgspec
from flask import Response, abort, g, redirect, request, url_for

from service.base.clock import DAY
from service.people.accounts import Asker
from service.web.pages.frame import say
from service.web.shared import context
from service.words import ENGLISH, Moment, languages, moments

YEAR = 365 * DAY


class Reader(msgspec.Struct, frozen=True):
    """The reader of a page. ``asker``: if signed in. ``lang`` and ``zone``: for texts and times."""

    asker: Asker | None
    lang: str
    zone: str

    @property
    def id(self) -> int | None:
        return self.asker.id if self.asker else None


def reader() -> Reader:
    """Return the reader of this page, looked up once. Pages accept browsers only, never a program's token."""
    if "reader" not in g:
        asker = context.asker_or_none()
        if asker is not None and asker.scopes is not None:
            asker = None
        chosen = request.cookies.get("lang", "")
        if chosen not in languages():
            chosen = asker.lang if asker else context.wanted_language(request) or ENGLISH
        g.reader = Reader(asker, chosen, asker.zone if asker else "UTC")
    return cast(Reader, g.reader)


def signed_in() -> Asker:
    """Return the signed-in reader; send others to sign in and back."""
    asker = reader().asker
    if asker is None:
        abort(sign_in_first())
    return asker


def sign_in_first() -> Response:
    """Redirect to the sign-in, and back afterwards."""
    back = request.full_path.rstrip("?") if request.method == "GET" else url_for("pages.lobby.games")
    return cast(Response, redirect(url_for("pages.front.sign_in", next=back), 303))


def _(text: str, /, **facts: Any) -> str:
    """Return ``text`` in the reader's language."""
    return say.say(reader().lang, text, **facts)


def moment(at: int) -> Moment:
    return moments.moment(at, reader().lang, reader().zone)


def home_path(given: str | None, otherwise: str) -> str:
    """Return a path of this site to go on to; any address that could lead elsewhere is replaced."""
    plain = given or ""
    ours = plain.startswith("/") and not plain.startswith(("//", "/\\")) and plain.isprintable() and len(plain) <= 500
    return plain if ours else otherwise


def number_in(given: str | None, digits: int = 9) -> int | None:
    """Read a number of at most ``digits`` digits from an address or a form; None if there is none."""
    plain = given or ""
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) <= digits else None


def number_of(field: str, digits: int = 9) -> int:
    """Read a required number from a field of the form."""
    number = number_in(request.form.get(field), digits)
    return abort(400) if number is None else number


def number_asked(name: str, otherwise: int) -> int:
    """Read a number from a field of the address; without the field, return ``otherwise``."""
    given = request.args.get(name)
    if given is None:
        return otherwise
    number = number_in(given)
    return abort(400) if number is None else number


def place_in(given: str | None) -> tuple[int, str] | None:
    """Read the start of a page in a list of games from its address: the time when a game was made, and its id."""
    when, _dot, game_id = (given or "").partition(".")
    at = number_in(when, 15)
    return None if at is None or not game_id.isalnum() else (at, game_id)
