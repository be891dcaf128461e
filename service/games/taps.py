"""One-tap links: a mail offers one command at its position; a page previews it, and a button submits it.

The link acts with its own right (`rights.ByOneTap`), whatever account is signed in there. It works once. After that,
and when the game has gone on without it, its page tells the events since.
"""

import hashlib
from collections.abc import Sequence
from typing import Literal, cast

import msgspec

from domain import notation, play, timekeeping
from domain.game import Game
from domain.lifecycle import AgreeToRewind, Proposal, RefuseRewind
from domain.messages import Command
from domain.refusal import Refused
from domain.title import Title
from domain.words import Sentence
from service.base.links import BadLink, OneTapLink
from service.database.work import Work
from service.games import lookback, queries, rights
from service.games.lookback import ChangedSentence
from service.games.play import Answer, Submission, submit, time_of_plies
from service.games.queries import Seen, StoryPly
from service.games.rights import ByOneTap, What
from service.games.turn import Tryout
from service.words import ENGLISH

How = Literal["open", "done", "passed"]


class OneTap(msgspec.Struct, frozen=True):
    """The state of a one-tap link. ``how``: "open": it can be used. "done": it was. "passed": the game went on without.

    ``wish``: its offer in words. ``since``: the plies since its position. ``done``: the ply that it made, or the same
    command by another channel.
    """

    seen: Seen
    command: Command
    how: How
    wish: str
    since: tuple[StoryPly, ...] = ()
    done: StoryPly | None = None


class Foreseen(msgspec.Struct, frozen=True):
    """The foreseen effects of a link. ``position``: the one after it. ``does``: its story. ``changes``: differences.

    ``whole``: all of it can be foreseen; if not, ``does`` tells the chance ahead. ``refused``: why the rules refuse it
    now. ``proposal``: the one that it answers. ``undone``: the plies that going back would undo.
    """

    position: Game
    does: tuple[str, ...] = ()
    changes: tuple[ChangedSentence, ...] = ()
    whole: bool = True
    refused: Refused | None = None
    proposal: Proposal | None = None
    undone: tuple[StoryPly, ...] = ()


# ==== before the tap ==============================================================================
def look(work: Work, link: OneTapLink, lang: str) -> OneTap:
    """Return the state of the offer. Raises `NoSuchGame` if its person has lost the seat, and `BadLink`."""
    actor = _actor(work, link, lang)
    seen = rights.see(work, actor, link.game_id)
    with work.reading() as conn:
        then = seen.game
        if link.version != seen.version:
            then = queries.position(work.store, conn, seen, link.version)
        wish = wish_in_words(seen, then, actor.command, lang)
        if link.version == seen.version:
            return OneTap(seen, actor.command, "open", wish)
        since = queries.plies(work.store, conn, seen, lang, since=link.version)
    first = next((it for it in since if it.ply.seat == link.seat or (it.ply.events and not it.ply.quiet)), None)
    own = first is not None and first.ply.seat == link.seat and first.ply.command == actor.command
    told = tuple(it for it in since if it.said)
    return OneTap(seen, actor.command, "done" if own else "passed", wish, told, first if own else None)


def would_do(work: Work, it: OneTap, lang: str) -> Foreseen:
    """Foresee its effects now. They reveal no more than a look at the table."""
    seen, at = it.seen, time_of_plies(it.seen.stored, None)
    try:
        if seen.table.time is not None:
            timekeeping.must_have_taken_it_back(seen.table, seen.seat, it.command)
        if isinstance(it.command, AgreeToRewind | RefuseRewind):
            if (why := play.refusal(seen.game, seen.seat or 0, it.command, at)) is not None:
                raise why
            return _answered(work, it, lang, at)
        turn = Tryout(seen, at, lang)
        does = turn.does(turn.add(it.command))
    except Refused as refused:
        return Foreseen(seen.game, refused=refused)
    changes = lookback.differences(seen, seen.game, turn.game, lang, ("standing", "hand"))
    return Foreseen(turn.game, does, tuple(changes), whole=not turn.ahead)


def _answered(work: Work, it: OneTap, lang: str, at: int) -> Foreseen:
    """Foresee the answer to a proposal: its position, and the plies that going back would undo."""
    proposal = queries.rewind(it.seen, at)
    if proposal is None or isinstance(it.command, RefuseRewind):
        return Foreseen(it.seen.game, proposal=proposal)
    with work.reading() as conn:
        past = queries.position(work.store, conn, it.seen, proposal.to)
        undone = queries.undone(work.store, conn, it.seen, lang, proposal.to)
    return Foreseen(past, proposal=proposal, undone=tuple(undone))


def wish_in_words(seen: Seen, game: Game, command: Command, lang: str) -> str:
    """The words for a command among the legal actions of the position for which it was offered, as for a button."""
    if isinstance(command, AgreeToRewind):
        return seen.say(Sentence("Agree to a rewind to move {to}", {"to": command.to}), lang)
    if isinstance(command, RefuseRewind):
        return seen.say(Sentence("Refuse to rewind"), lang)
    deed = queries.deed(seen, command, game)
    return notation.write(command) if deed is None else seen.say(deed, lang).rstrip(".")


# ==== doing =======================================================================================
def do(work: Work, link: OneTapLink) -> Answer:
    """Submit the link's command. A repetition gets the first answer again. Raises the errors of `play.submit`."""
    actor = _actor(work, link)
    wish: Sequence[Command] = [actor.command]
    return submit(work, actor, Submission(link.game_id, _what(actor.command), wish, link.version, _id(link)))


def _actor(work: Work, link: OneTapLink, lang: str = ENGLISH) -> ByOneTap:
    return ByOneTap(link, lang, command=command_in(work.game(link.game_id).game.title, link.command))


def command_in(title: Title, offered: str) -> Command:
    """The command that a link holds. Raises `BadLink` if mails never offer it, or another release wrote it."""
    try:
        command = msgspec.json.decode(offered, type=title.codec.command_type)
    except msgspec.DecodeError as error:
        raise BadLink from error
    if type(command) not in (*title.rules.commands, AgreeToRewind, RefuseRewind):
        raise BadLink
    return cast(Command, command)


def _what(command: Command) -> What:
    match command:
        case AgreeToRewind():
            return "agree_to_rewind"
        case RefuseRewind():
            return "refuse_rewind"
    return "move"


def _id(link: OneTapLink) -> str:
    """The id of the submission: the same for the same offer at the same version, in any letter."""
    said = f"{link.seat} {link.version} {link.command}".encode()
    return "tap-" + hashlib.sha256(said).hexdigest()[:40]
