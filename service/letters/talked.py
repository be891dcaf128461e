"""The unread talk at a table, as a part of any letter to a player."""

from collections.abc import Sequence

from service.games import talk_mail, talk_text
from service.games.talk import LineRead, Room, own_room
from service.games.talk_mail import TalkTold
from service.letters.due import Case
from service.letters.letter import Section
from service.letters.reader import MailReader

LONGEST = 300
"""Characters of a line in a letter."""


def unread(it: Case, say: MailReader) -> tuple[Section, tuple[TalkTold, ...]]:
    """Return the lines of the reader's own room that they do not know; and what the letter then has told them."""
    room = own_room(it.seen)
    found = talk_mail.fresh(it.conn, it.store.settings, it.seen, room, say.lang, it.at) if room is not None else []
    if room is None or not found:
        return Section(heading=""), ()
    return of_lines(it, say, found), told(it, room, found)


def told(it: Case, room: Room, found: Sequence[LineRead]) -> tuple[TalkTold, ...]:
    """Return what a letter with these lines tells its reader."""
    assert it.seen.viewer is not None
    return (TalkTold(it.seen.game.id, room, it.seen.viewer, found[-1].number),)


def of_lines(it: Case, say: MailReader, found: Sequence[LineRead]) -> Section:
    """Return lines as a section, with the way to answer them for a player."""
    answers = it.store.settings.answerable and it.seen.seat is not None
    how = say("To write back, begin a line of your answer with “say:”. Nothing else is published.")
    return Section(
        heading=say("Talk at the table"),
        lines=tuple(_line(line, say) for line in found),
        notes=(how,) if answers else (),
    )


def _line(line: LineRead, say: MailReader) -> str:
    words = talk_text.mailed(line.pieces, say("(a link)"))
    return f"{line.writer}: {words if len(words) <= LONGEST else f'{words[: LONGEST - 1]}…'}"
