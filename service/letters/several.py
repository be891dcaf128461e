"""Mails about several notices: those that became due together, and the daily digest.

A few games appear as in their own mails, with board and story; many games only by their rows, without a fold.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection

from domain.chain import fingerprint
from domain.lifecycle import ENDED
from service.base import links
from service.database.store import Store, raise_if_away
from service.letters.by_kind import letter_of
from service.letters.compose import reader_of
from service.letters.due import games_of
from service.letters.letter import Button, GamePart, Letter, Mail, Section, write
from service.letters.reader import MailReader
from service.notices import replies
from service.notices.kinds import kind_of
from service.notices.replies import Issued
from service.words import called

log = logging.getLogger(__name__)

TOLD_IN_FULL = 5
"""The most notices with board and story in one mail; with more, none has them."""
MOST_ORDERS = 20
"""The most lines of a game's actions in such a mail."""


def mail(store: Store, conn: Connection, rows: Sequence[Any], message_id: str, at: int) -> Mail:
    """Return the mail of several rows of one person, which were found still due."""
    say = reader_of(conn, rows[0])
    of_game: dict[str, list[Any]] = {}
    for row in sorted(rows, key=lambda row: (kind_of(row.kind).rank, row.id)):
        of_game.setdefault(row.game_id, []).append(row)
    if len(of_game) == 1:
        letter = _of_one_game(store, conn, next(iter(of_game.values())), say, at, message_id)
    else:
        letter = _of_many(store, conn, of_game, say, at, message_id)
    return write(store.settings, letter, say.address, message_id, at)


def _of_one_game(
    store: Store, conn: Connection, rows: Sequence[Any], say: MailReader, at: int, message_id: str
) -> Letter:
    """Return the mail of the most urgent notice, with a line for each of the others."""
    first, *others = rows
    letter = letter_of(store, conn, first, say, at, message_id)
    more = tuple(f"{say(kind_of(row.kind).line)}." for row in others if row.kind != first.kind)
    return msgspec.structs.replace(letter, lead=(*letter.lead, *more))


def _of_many(
    store: Store, conn: Connection, of_game: dict[str, list[Any]], say: MailReader, at: int, message_id: str
) -> Letter:
    assert say.id is not None
    games = games_of(conn, say.id)
    full = sum(map(len, of_game.values())) <= TOLD_IN_FULL
    parts = tuple(
        (full and _in_full(store, conn, rows, games[game_id], say, at, message_id))
        or _by_row(store, rows, games[game_id], say, at, message_id)
        for game_id, rows in of_game.items()
    )
    stop = links.unsubscribe_address(store.settings, say.id, since=say.since)
    waiting = sum(_waits(rows, games[it]) for it, rows in of_game.items())
    heading = _heading(say, waiting, len(of_game))
    return Letter(
        lang=say.lang,
        subject=heading,
        heading=heading,
        lead=_begins(store, of_game, games, say),
        kind="digest",
        parts=parts,
        in_words=not say.pictures,
        button=Button(say("All your games"), links.games_address(store.settings)),
        small=(
            say(
                "Until {when}, the link beside a turn opens your seat in that game and nothing else in your account. "
                "Opening it changes nothing.",
                when=say.when(at + links.TURN_LINK_LASTS),
            ),
        )
        if waiting
        else (),
        foot=(
            say("Keep this email: its fingerprints expose any later change to these games, even one made by us."),
            say("You get this email because you play or host these games."),
        ),
        stop=Button(say("No more email about games"), stop),
        answer=replies.issue(store.settings, message_id, "digest", person_id=say.id, since=say.since),
    )


def _heading(say: MailReader, waiting: int, games: int) -> str:
    if waiting == 1:
        return say("A game is waiting for you, and there is news from other games")
    if waiting:
        return say("{count} games are waiting for you", count=waiting)
    return say("News from {count} games", count=games)


def _begins(store: Store, of_game: dict[str, list[Any]], games: Any, say: MailReader) -> tuple[str, ...]:
    """Return the text that lists the waiting games and how to answer each."""
    waiting = [games[it].name for it, rows in of_game.items() if _waits(rows, games[it])]
    lead = [say("This is the latest from your games.")]
    if waiting:
        lead = [say("Waiting for you: {games}. Everything else is just news.", games=say.listed(waiting))]
    if len(waiting) == len(of_game):
        lead = [say("Waiting for you: {games}.", games=say.listed(waiting))]
    if store.settings.answerable and any(games[it].status not in ENDED for it in of_game):
        lead.append(say(
            "Each game has its own reply address, which is shown with the game. Answer “look” to get "
            "the whole position and all your options."))  # fmt: skip
    return tuple(lead)


def _waits(rows: Sequence[Any], game: Any) -> bool:
    return game.status not in ENDED and any(kind_of(row.kind).asks for row in rows)


def _in_full(
    store: Store, conn: Connection, rows: Sequence[Any], game: Any, say: MailReader, at: int, message_id: str
) -> GamePart | None:
    """Return a game's part as in its own mail, or None if that fails, so that it spoils no other part."""
    try:
        letter = _of_one_game(store, conn, rows, say, at, message_id)
    except Exception as error:  # a bug
        raise_if_away(error)
        log.exception("notice %s could not be written in full", rows[0].id)
        return None
    plain = _by_row(store, rows, game, say, at, message_id)
    button = letter.button or plain.button
    told = tuple(it for it in _shown(letter) if len(it.orders) <= MOST_ORDERS)
    many = sum(len(it.orders) for it in letter.sections if it not in told)
    how = (say("You have {count} options. Answer “look” to see them all.", count=many),) if many else letter.how
    heading = () if any(letter.heading in line for line in letter.lead) else (f"{letter.heading}.",)
    return msgspec.structs.replace(
        plain,
        lines=(*heading, *letter.lead, *(how if letter.answer else ())),
        picture=letter.picture,
        sections=told,
        button=button,
        answer=plain.answer and letter.answer,
        talk=letter.talk,
    )


def _shown(letter: Letter) -> Iterator[Section]:
    """Yield the sections beside a letter's picture; without a picture, HTML has the position in words instead.

    Plain text leaves the position to an answer with "look", since many games are in one mail.
    """
    for section in letter.sections:
        if not section.only:
            yield section
        elif section.only == "text" and letter.in_words:
            yield msgspec.structs.replace(section, only="html")


def _by_row(store: Store, rows: Sequence[Any], game: Any, say: MailReader, at: int, message_id: str) -> GamePart:
    title = called(store.titles[game.title], say.lang)
    if kind_of(rows[0].kind).asks and game.status not in ENDED:
        link = links.turn_address(
            store.settings, game.id, game.seat, game.version, rows[0].person_id, at, since=say.since
        )
        button = Button(say("Go to the table") if game.status == "open" else say("Open the table and move"), link)
    else:
        button = Button(say("Look at the table"), links.game_address(store.settings, game.id))
    kinds = dict.fromkeys(row.kind for row in rows)
    said = tuple(f"{say(kind_of(kind).line)}." for kind in kinds)
    moved = say("The position at {when}.", when=say.when(game.moved_at))
    small = say("Move {version}, fingerprint {fingerprint}.", version=game.version, fingerprint=fingerprint(game.head))
    return GamePart(
        heading=f"{title}: {game.name}",
        lines=(f"{' '.join(said)} {moved}",),
        button=button,
        small=small,
        answer=None if game.status in ENDED else _answered_at(store, rows[0], game, say, message_id),
        answer_label=say("Reply address for this game"),
    )


def _answered_at(store: Store, row: Any, game: Any, say: MailReader, message_id: str) -> Issued | None:
    """Return the reply address of a game that is not folded: at its last ply, whoever may see it."""
    return replies.issue(
        store.settings,
        message_id,
        row.kind,
        person_id=say.id,
        game_id=game.id,
        seat=game.seat if game.left_at is None else None,
        version=game.version,
        since=say.since,
    )
