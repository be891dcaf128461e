"""The letters about time: a near deadline, a passed deadline, a seat that needs a substitute, a pause."""

from typing import Any

from domain import clock, lifecycle, pace_words
from domain.pace import MINUTE
from service.base import links
from service.games import queries
from service.games.clocks import is_paused, time_of
from service.games.deadlines import deadline
from service.games.queries import StoryPly
from service.letters import compose
from service.letters.compose import (
    as_it_stands,
    look,
    of_game,
    opens_seat,
    picture,
    seat_link,
    tip,
    until,
    what_can_be_done,
    who_and_why,
)
from service.letters.due import Case, opened
from service.letters.letter import Button, Letter, Section
from service.letters.reader import MailReader
from service.words import N_


def reminder(it: Case, say: MailReader) -> Letter:
    """Return the reminder: the deadline, its consequence, the actions, the link to the table."""
    if it.seen.game.status == "open":
        return compose.words(it, say)
    table = it.seen.table
    assert table.pace is not None
    assert table.time is not None
    excused = table.pace.excuse and it.row.seat not in table.time.excused
    can, how = what_can_be_done(it, say)
    return _of_time(
        it,
        say,
        heading=say("Your time is running out"),
        subject=_left(it, say),
        lead=(
            who_and_why(it, say),
            *until(it, say),
            it.seen.say(pace_words.then(table.pace), say.lang),
            *(
                (say("If you miss the deadline, you are excused this first time: your turn starts again."),)
                if excused
                else ()
            ),
        ),
        how=how,
        sections=[*as_it_stands(it, say, queries.shown(it.seen, say.lang)), tip(it, say), can],
        button=Button(say("Open the table and move"), seat_link(it, say)),
        small=(opens_seat(it, say),),
    )


def sooner(it: Case, say: MailReader) -> Letter:
    """Return the letter about an earlier deadline: the reason, and the new deadline."""
    can, how = what_can_be_done(it, say)
    return _of_time(
        it,
        say,
        heading=say("Your deadline is now earlier"),
        subject=_left(it, say),
        lead=(
            say("Our clock ran fast, so your deadline was too late. We have corrected it."),
            *until(it, say),
        ),
        how=how,
        sections=[Section(heading=say("Your hand"), lines=queries.shown(it.seen, say.lang).hand), can],
        button=Button(say("Open the table and move"), seat_link(it, say)),
        small=(opens_seat(it, say),),
    )


def _left(it: Case, say: MailReader) -> str:
    """Return the reader's time left: "6 hours left"."""
    due = deadline(it.seen.game, it.row.seat)
    minutes = max(0, (due or it.at) - it.at) // MINUTE
    if minutes >= 48 * 60:
        return say("{count} days left", count=round(minutes / 60 / 24))
    if minutes >= 90:
        return say("{count} hours left", count=round(minutes / 60))
    return say("{count} minutes left", count=minutes) if minutes else say("Your time is running out")


def timed_out(it: Case, say: MailReader) -> Letter:
    """Return the letter about the clock's action, and the reader's options."""
    told = _ply_of(it, say)
    did = next((_DID[type(event)] for event in told.ply.events if type(event) in _DID), "")
    did = did or (_PLAYED if did_play(told.ply.events) else _WAITS)
    waits = is_paused(it.seen.game)
    _, *played = told.said  # the first sentence says that time is up
    game = links.game_address(it.store.settings, it.row.game_id)
    answers = Section(heading=say("Moves the clock made for you"), lines=tuple(played))
    return _of_time(
        it,
        say,
        heading=say("Your time ran out"),
        lead=(say(_NOBODY), say(_UNTIL_BACK)) if waits else (say(did), *until(it, say)),
        sections=[answers] if did == _PLAYED else [],
        button=Button(say("Take the seat back"), game) if did in (_BOT, _OPEN) else look(it, say),
    )


_NOBODY = N_("Nobody is at the table any more, so clocks and bots have stopped.")
_UNTIL_BACK = N_("The game goes on as soon as a player moves, takes their seat back or says that they are back.")
_BOT = N_("A bot plays on for you until you return.")
_OPEN = N_("Your seat is open to a substitute. You can take it back until a substitute arrives.")
_PLAYED = N_("The clock made the safe move for you.")
_WAITS = N_("The game is still waiting for you, and so are the others.")
_DID: dict[type, str] = {
    clock.MissExcused: N_("This was the first time, so it is excused: your turn starts again."),
    clock.BotPlaysOn: _BOT,
    clock.SeatOpened: _OPEN,
    lifecycle.SeatRetired: N_("You are out of the game. The others play on."),
}


def did_play(events: Any) -> bool:
    """Has the clock moved for the seat? Then the title has events of its own."""
    return any(not isinstance(event, lifecycle.EVENTS) for event in events)


def paused(it: Case, say: MailReader) -> Letter:
    """Return the letter about a pause, and how it ends."""
    return _of_time(
        it,
        say,
        heading=say("The game is waiting for its players"),
        lead=(say(_NOBODY), say(_UNTIL_BACK)),
        button=look(it, say),
    )


def resumed(it: Case, say: MailReader) -> Letter:
    """Return the letter about a player who is back, and its consequence for the reader."""
    seen = it.seen
    back = tuple(
        seen.say(each, say.lang)
        for event in _ply_of(it, say).ply.events
        if type(event) in _BACK
        for each in seen.title.face.narrate([event])
    )
    seat, time, heading = seen.seat, time_of(seen.game), say("The game goes on")
    if time is not None and seat in time.absent:
        mine = say(_BOT if seat in time.bots else _OPEN)
        return _of_time(it, say, heading=heading, button=look(it, say), lead=(*back, mine))
    if seat is None or seat not in seen.game.asked:
        lead = back if seat is None else (*back, say("We will write to you when it is your turn."))
        return _of_time(it, say, heading=heading, button=look(it, say), lead=lead)
    can, how = what_can_be_done(it, say)
    return _of_time(
        it,
        say,
        heading=heading,
        lead=(*back, who_and_why(it, say), *until(it, say)),
        how=how,
        sections=[Section(heading=say("Your hand"), lines=queries.shown(seen, say.lang).hand), can],
        button=Button(say("Open the table and move"), seat_link(it, say)),
        small=(opens_seat(it, say),),
    )


_BACK = (clock.SeatReturned, clock.SeatTakenOver)


def seat_open(it: Case, say: MailReader) -> Letter:
    """Return the letter about an absent player, and how to find a substitute."""
    seat = opened(it)
    token = queries.invitation(it.store.settings, it.seen)
    game = links.game_address(it.store.settings, it.row.game_id)
    hand_on = links.join_address(it.store.settings, token) if token else game
    return _of_time(
        it,
        say,
        heading=say("A seat is open"),
        lead=(
            say(
                "{name} ran out of time. A substitute can take the seat and play on.",
                name=it.seen.player(seat),
            ),
            say(
                "Do you know somebody who would like to play? Anybody with this link can take the seat: {address}",
                address=hand_on,
            ),
        ),
        button=look(it, say),
    )


def _ply_of(it: Case, say: MailReader) -> StoryPly:
    """Return the ply of the notice, as the reader may know it."""
    (told,) = queries.plies(it.store, it.conn, it.seen, say.lang, since=it.row.ply - 1, until=it.row.ply)
    return told


def _of_time(it: Case, say: MailReader, **parts: Any) -> Letter:
    view = queries.view(it.seen)
    return of_game(it, say, picture=None if view is None else picture(it.seen, view, say), **parts)
