"""The letter about talk at a table."""

from typing import cast

from service.base import links
from service.games import talk_mail
from service.games.talk import LineRead, Room
from service.letters import talked
from service.letters.compose import of_game
from service.letters.due import Case, unread_talk
from service.letters.letter import Button, Letter
from service.letters.reader import MailReader


def talk(it: Case, say: MailReader) -> Letter:
    """Return the letter with the lines that its reader does not know."""
    room, found = cast(Room, it.row.key.partition(".")[0]), unread_talk(it, say.lang)
    address = links.talk_address(it.store.settings, it.seen.game.id, room)
    why = "" if it.seen.seat is not None else say("You get this email because you read the talk at this table.")
    return of_game(
        it,
        say,
        heading=_heading(it, say, found),
        lead=(say("This is new in the talk at the table."),),
        sections=[talked.of_lines(it, say, found)],
        button=Button(say("Open the talk"), address),
        why=why,
        talk=talked.told(it, room, found) if found else (),
    )


def _heading(it: Case, say: MailReader, found: list[LineRead]) -> str:
    named = [line.writer for line in found if talk_mail.mentions(it.seen, line)]
    return say("{name} has mentioned you", name=named[-1]) if named else say("News in the talk at the table")
