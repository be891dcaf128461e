"""The players of a new table in its form: for each seat but the host's, a bot, a person, anybody or nobody."""

from collections.abc import Mapping
from typing import NamedTuple

from flask import abort

from domain.title import Title
from service.games import players
from service.games.players import ANYBODY, NOBODY, PERSON, BadPlayer, Player
from service.web.pages.frame import _
from service.web.pages.parts import forms


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
    try:
        return chair._replace(mail=players.invited(chair.mail, before))
    except BadPlayer as bad:
        why = str(bad)
        return chair._replace(problem=_(why))


def wishes(read: list[Chair]) -> list[Player]:
    """Return the players of the table, without the host and without seats that stay out of the game."""
    return players.kept(Player(chair.player, chair.mail if chair.player == PERSON else "") for chair in read)
