"""The players of a new table, seat by seat: a bot, a person with an invitation, anybody, or nobody.

The host's own seat is the first. A seat that the game can do without may stay out of it; the seats that are left are
numbered anew, in their order.
"""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from domain.title import Title
from service.database.work import Work
from service.games import lobby
from service.games.rights import ByPerson
from service.people import accounts
from service.words import N_

ANYBODY, PERSON, NOBODY = "anybody", "person", "nobody"
"""The answers besides the name of a bot."""


class Player(msgspec.Struct, frozen=True):
    """The wish for a seat. ``who``: a bot's name, or another answer. ``mail``: the address of a person."""

    who: str
    mail: str = ""


class BadPlayer(ValueError):
    """The address of a person cannot be used. Its text is a sentence, marked for translation."""


def invited(mail: str, before: Collection[str]) -> str:
    """Return the normalised address of a person to invite, besides those ``before``. Raise `BadPlayer`."""
    if not mail:
        raise BadPlayer(N_("Please enter the email address of this person."))
    try:
        address = accounts.normalised(mail)
    except accounts.BadAddress:
        raise BadPlayer(N_("We cannot send email to this address. Please check it.")) from None
    if address in before:
        raise BadPlayer(N_("You have entered this address twice."))
    return address


RATED = N_("Only public games without bots can be rated.")


def can_be_rated(title: Title, players: Iterable[Player], *, public: bool) -> bool:
    return public and not any(it.who in title.bots for it in players)


def kept(players: Iterable[Player]) -> list[Player]:
    """Return the seats of the game, without the host's."""
    return [it for it in players if it.who != NOBODY]


def addresses(players: Iterable[Player]) -> list[str]:
    return [it.mail for it in players if it.who == PERSON]


def come(
    work: Work, by: ByPerson, game_id: str, players: Sequence[Player], *,
    lang: str, at: int, submission_id: str | None = None,
) -> list[bool | None]:  # fmt: skip
    """Seat the bots behind the host's seat, and invite the people. Return the outcomes of `lobby.invite`.

    ``submission_id``: of the table. With it, a call that comes twice seats each bot once.
    """
    stored = work.game(game_id)
    if stored.game.status == "open":
        for seat, it in enumerate(players, 2):
            if it.who in stored.game.title.bots:
                key = submission_id and f"{submission_id}.{seat}"
                lobby.seat_bot(work, by, game_id, it.who, seat=seat, submission_id=key)
    mails = addresses(players)
    return lobby.invite(work, by, game_id, mails, lang=lang, at=at) if mails else []
