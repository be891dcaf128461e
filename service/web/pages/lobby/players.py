"""The players of a new table: for each seat but the host's, the form asks for a bot, a person or anybody.

A seat that a game can do without may also stay out of it. The seats that are left are numbered anew, in their order.
"""

from collections.abc import Mapping
from typing import NamedTuple

from flask import abort

from domain.title import Title
from service.people import accounts
from service.web.pages.frame import _
from service.web.pages.parts import forms

ANYBODY, PERSON, NOBODY = "anybody", "person", "nobody"
"""The answers besides the name of a bot."""


class Chair(NamedTuple):
    """A seat in the form. ``number``: of its fields. ``player``: a bot's name, or another answer. ``mail``: the address
    of its person. ``problem``: an error in words, or "".
    """

    number: int
    player: str
    mail: str = ""
    problem: str = ""


def chairs(title: Title, form: Mapping[str, str]) -> list[Chair]:
    """Return the seats as ``form`` has them; as many as a game needs are open at first."""
    fewest, most = title.seating.seats
    return [
        Chair(
            number,
            form.get(f"seat{number}", ANYBODY if number <= fewest else NOBODY),
            form.get(f"mail{number}", "").strip(),
        )
        for number in range(2, most + 1)
    ]


def answers(title: Title, number: int) -> list[tuple[str, str]]:
    """Return the possible answers for a seat, with their words."""
    bots = [(bot, _("A bot: {kind}", kind=kind)) for bot, kind in forms.bot_names(title)]
    nobody = [] if number <= title.seating.seats[0] else [(NOBODY, _("Nobody"))]
    return [(ANYBODY, _("Anybody")), (PERSON, _("A person, by email")), *bots, *nobody]


def checked(title: Title, form: Mapping[str, str]) -> list[Chair]:
    """Read the seats of a form, with their problems. Addresses are normalised."""
    read: list[Chair] = []
    for chair in chairs(title, form):
        if chair.player not in dict(answers(title, chair.number)):
            abort(400)
        read.append(_with_address(chair, {it.mail for it in read}) if chair.player == PERSON else chair)
    return read


def _with_address(chair: Chair, before: set[str]) -> Chair:
    if not chair.mail:
        return chair._replace(problem=_("Please enter the email address of this person."))
    try:
        address = accounts.normalised(chair.mail)
    except accounts.BadAddress:
        return chair._replace(problem=_("We cannot send email to this address. Please check it."))
    if address in before:
        return chair._replace(problem=_("You have entered this address twice."))
    return chair._replace(mail=address)


def kept(read: list[Chair]) -> list[Chair]:
    """Return the seats of the game, without the host's."""
    return [chair for chair in read if chair.player != NOBODY]
