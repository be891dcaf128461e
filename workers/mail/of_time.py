"""What the mails about time say: a deadline comes near, somebody's time ran out, a seat looks for a substitute, a game
waits for its people.
"""

from typing import Any

from sqlalchemy import Connection

from domain import clock, lifecycle, pace_words
from domain.lifecycle import Table
from service.base import links
from service.database.store import Store
from service.games import queries
from service.games.clocks import is_paused, time_of
from service.games.queries import Seen
from workers.due import opened
from workers.mail.letter import Button, Section
from workers.mail.reader import Reader


def until(seen: Seen, say: Reader) -> tuple[str, ...]:
    """A line that says how long the turn lasts, where a clock runs for the reader's seat."""
    table = seen.game.table
    due = table.clocks.get(seen.seat or 0) if table else None
    return () if due is None else (say("You have until {when}.", when=say.when(due)),)


def reminder(store: Store, row: Any, seen: Seen, say: Reader, at: int) -> dict[str, Any]:
    """Short: until when, what happens then, the way to the table."""
    table = _table(seen)
    assert table.pace is not None
    assert table.time is not None
    excused = table.pace.excuse and row.seat not in table.time.excused
    link = links.turn_address(store.settings, row.game_id, row.seat, seen.version, row.person_id, at, since=say.since)
    return {
        "heading": say("Your time is running out"),
        "lead": (
            *until(seen, say), seen.say(pace_words.then(table.pace), say.lang),
            *((say("The first time is excused: the turn then begins again."),) if excused else ()),
        ),
        "button": Button(say("Open the table and move"), link),
        "small": (say("The link opens your seat in this game and nothing else of yours, until {when}. "
                      "Looking changes nothing.", when=say.when(at + links.TURN_LINK_LASTS)),),
    }  # fmt: skip


def timed_out(store: Store, conn: Connection, row: Any, seen: Seen, say: Reader) -> dict[str, Any]:
    """What the clock did, and what can be done about it."""
    (told,) = queries.plies(store, conn, seen, say.lang, since=row.ply - 1, until=row.ply)
    did = next((_DID[type(event)] for event in told.ply.events if type(event) in _DID), "")
    did = did or (_PLAYED if did_play(told.ply.events) else _WAITS)
    waits = is_paused(seen.game)
    _, *played = told.said  # the first sentence says that the time is over
    game = links.game_address(store.settings, row.game_id)
    return {
        "heading": say("Your time ran out"),
        "lead": (say(_NOBODY), say(_UNTIL_BACK)) if waits else (say(did), *until(seen, say)),
        "sections": [Section(say("What the clock has played for you"), tuple(played))] if did == _PLAYED else [],
        "button": Button(say("Take the seat back") if did in (_BOT, _OPEN) else say("Look at the table"), game),
    }  # fmt: skip


_NOBODY = "Nobody is at the table any more: no clock runs, and no bot moves."
_UNTIL_BACK = "The game goes on as soon as one of its players moves, takes a seat back or says to be there again."
_BOT = "A bot plays on for you until you return."
_OPEN = "Your seat is open to a substitute. Until one has come you can take it back."
_PLAYED = "The clock has given the safe answer for you."
_WAITS = "The game still waits for you, and so do the others."
_DID: dict[type, str] = {
    clock.MissExcused: "It was the first time, and it is excused: your turn begins again.",
    clock.BotPlaysOn: _BOT,
    clock.SeatOpened: _OPEN,
    lifecycle.SeatRetired: "Your seat has left the game. The others play on.",
}
SAID = (_PLAYED, _WAITS, _NOBODY, _UNTIL_BACK, *_DID.values())
"""What is said of a time that ran out, and of a game that waits."""


def did_play(events: Any) -> bool:
    """Whether the clock has given an answer: something of the title's happened."""
    return any(not isinstance(event, lifecycle.EVENTS) for event in events)


def paused(store: Store, seen: Seen, say: Reader) -> dict[str, Any]:
    """What lets the game go on."""
    return {
        "heading": say("The game waits for its people"),
        "lead": (say(_NOBODY), say(_UNTIL_BACK)),
        "button": Button(say("Look at the table"), links.game_address(store.settings, seen.game.id)),
    }  # fmt: skip


def resumed(store: Store, conn: Connection, row: Any, seen: Seen, say: Reader, at: int) -> dict[str, Any]:
    """Who is back, and what that means for the reader."""
    (told,) = queries.plies(store, conn, seen, say.lang, since=row.ply - 1, until=row.ply)
    back = tuple(seen.say(it, say.lang) for event in told.ply.events if type(event) in _BACK
                 for it in seen.title.narrate([event]))  # fmt: skip
    seat, time = seen.seat, time_of(seen.game)
    facts: dict[str, Any] = {
        "heading": say("The game goes on"),
        "button": Button(say("Look at the table"), links.game_address(store.settings, seen.game.id)),
    }  # fmt: skip
    if time is not None and seat in time.absent:
        mine = (say(_BOT if seat in time.bots else _OPEN),)
        return {**facts, "lead": (*back, *mine)}
    if seat is None or seat not in seen.game.asked:
        return {**facts, "lead": back if seat is None else (*back, say("You will hear from us when it is your turn."))}
    link = links.turn_address(store.settings, seen.game.id, seat, seen.version, row.person_id, at, since=say.since)
    return {
        **facts, "lead": (*back, f"{say('It is your turn')}.", *until(seen, say)),
        "button": Button(say("Open the table and move"), link),
        "small": (say("The link opens your seat in this game and nothing else of yours, until {when}. "
                      "Looking changes nothing.", when=say.when(at + links.TURN_LINK_LASTS)),),
    }  # fmt: skip


_BACK = (clock.SeatReturned, clock.SeatTakenOver)


def seat_open(store: Store, conn: Connection, row: Any, seen: Seen, say: Reader) -> dict[str, Any]:
    """Who is missed, and how to find somebody."""
    seat = opened(store, conn, row, seen)
    token = queries.invitation(store.settings, seen)
    game = links.game_address(store.settings, row.game_id)
    hand_on = links.join_address(store.settings, token) if token else game
    return {
        "heading": say("A seat is open"),
        "lead": (
            say("{name} ran out of time. The seat waits for a substitute, who goes on where {name} left off.",
                name=seen.player(seat)),
            say("Do you know somebody? Whoever has this address can take the seat: {address}", address=hand_on),
        ),
        "button": Button(say("Look at the table"), game),
    }  # fmt: skip


def _table(seen: Seen) -> Table:
    assert seen.game.table is not None
    return seen.game.table
