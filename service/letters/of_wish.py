"""The letters to people who look for a game: a seat that is kept for them, and the end of their wish."""

from typing import Any

from sqlalchemy import Connection, select

from domain import pace_words
from service.base import links
from service.games import kept
from service.letters.compose import of_game
from service.letters.due import Case
from service.letters.letter import Button, Letter, Section
from service.letters.reader import MailReader
from service.words import called


def seat_kept(it: Case, say: MailReader) -> Letter:
    """Return the offer of a seat: the game, the time to sit down, and what follows."""
    seen, table = it.seen, it.seen.table
    until = _until(it.conn, it.row)
    others = say.listed([place.name for place in seen.places.values()])
    return of_game(
        it,
        say,
        heading=say("A seat is kept for you"),
        lead=(
            say("You are looking for a game. We have found a table of {title} for {seats} players.",
                title=called(seen.title, say.lang), seats=table.seats),
            *((say("The game is rated."),) if seen.row.rated else ()),
            *((say("Already seated: {names}.", names=others),) if others else ()),
            say("Please sit down by {when}. After that, your seat goes to somebody else, or the table closes.",
                when=say.when(until)),
            say("The game starts by itself when everybody has sat down."),
        ),
        sections=[Section(heading=say("Pace"), lines=_pace(it, say))],
        how=_answers(say) if it.store.settings.answerable else (),
        button=Button(say("See the table and sit down"), links.game_address(it.store.settings, seen.game.id)),
        small=(say("If you let two such seats go by, your search ends."),),
        why=_why(say),
    )  # fmt: skip


def _answers(say: MailReader) -> tuple[str, ...]:
    return (say("Answer with the word “join” to take your seat, or with “decline” if you cannot play."),)


def wish_ended(it: Case, say: MailReader) -> Letter:
    """Return the letter about the end of a wish."""
    return of_game(
        it,
        say,
        heading=say("Your search for a game has ended"),
        lead=(
            say("Two seats were kept for you, the last one at this table, and you did not keep them. So we look for "
                "no more games for you."),
            say("You can begin a new search at any time."),
        ),
        button=Button(say("Find me a game"), links.find_address(it.store.settings)),
        why=_why(say),
    )  # fmt: skip


def _pace(it: Case, say: MailReader) -> tuple[str, ...]:
    pace = it.seen.table.pace
    if pace is None:
        return (say("no clock"),)
    return tuple(it.seen.say(sentence, say.lang) for sentence in pace_words.described(pace))


def _why(say: MailReader) -> str:
    return say("You get this email because you are looking for a game.")


def _until(conn: Connection, row: Any) -> int:
    its = kept.KEPT.c.game_id == row.game_id, kept.KEPT.c.person_id == row.person_id
    return int(conn.execute(select(kept.KEPT.c.kept_until).where(*its)).scalar() or row.created_at)
