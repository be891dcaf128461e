"""A person's own record, for their eyes alone: finished games, results, opponents, and the time they took to move.

Names are looked up when the record is read, so an erasure reaches them. Bots stand apart from people everywhere.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import date
from statistics import quantiles
from typing import Annotated, Any, Literal, get_args
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection, and_, or_, select

from domain.pace import instant
from service.base.described import MOMENT, doc
from service.database.store import GAMES, PERSONS, SEATS
from service.record.ratings import Rating, ratings
from service.record.rows import ROWS
from service.words import ENGLISH, N_, kind_of_bot, name_of_bot, said

Against = Literal["people", "bots", "both"]
AGAINST: tuple[Against, ...] = get_args(Against)
"""The opponents of a game: people alone, bots alone, or both."""


# ==== what is read ================================================================================
class Opponent(msgspec.Struct, frozen=True):
    """Another player of a game. ``person``: tells people of the same name apart, within one record."""

    seat: int
    name: str
    bot: Annotated[str | None, doc("The kind of bot; null for a person.")]
    place: Annotated[int | None, doc("Null if they left, or if a bot played for them in the end.")]
    person: Annotated[int | None, doc("A number for each person in this answer; 0 for erased people, null for a bot.")]
    profile: Annotated[str | None, doc("The address of a person's profile.")] = None


class TimeToMove(msgspec.Struct, frozen=True):
    """The seconds that turns took to begin: a quarter of them at most ``lower``, half of them at most ``median``."""

    of: Annotated[str, doc("The title; empty for all titles together.")]
    turns: int
    lower: Annotated[int, doc("First quartile, in seconds.")]
    median: Annotated[int, doc("In seconds.")]
    upper: Annotated[int, doc("Third quartile, in seconds.")]


class RecordedGame(msgspec.Struct, frozen=True):
    """A finished game of the person. ``game``: None if they may not see it any more."""

    game: Annotated[str | None, doc("The game's id; null if you may not see the game any more.")]
    name: str
    title: str
    ended_at: Annotated[int, doc("Time of its end.", MOMENT)]
    seats: Annotated[int, doc("The number of players.")]
    seat: int
    place: Annotated[int | None, doc("Null if you left before the end.")]
    points: int | None
    leaving: Annotated[str, doc("resigned, timed_out, or replaced by a substitute; empty if you stayed.")]
    played_by: Annotated[str, doc("Who played your seat in the end: player, bot, clock or nobody.")]
    substitute: Annotated[bool, doc("Did you take the seat over from another player?")]
    against: Annotated[str, doc("people, bots or both")]
    opponents: tuple[Opponent, ...]
    times: Annotated[tuple[int, ...], doc("The seconds that each of your turns took to begin.")]

    @property
    def counts(self) -> bool:
        """Does the place count as theirs? It does unless they left, or a bot played for them in the end."""
        return self.place is not None and self.played_by != "bot"

    @property
    def won(self) -> bool:
        return self.counts and self.place == 1


class Results(msgspec.Struct, frozen=True):
    """Results of games that have something in common, ``of``: a title, or a number of players.

    ``average``: of the places that count.
    """

    of: Annotated[str, doc("The title, or the number of players.")]
    games: int
    won: Annotated[int, doc("First places, shared ones included.")]
    average: Annotated[float | None, doc("The average place in games that you played to the end.")]
    not_finished: Annotated[int, doc("Games that you left, or that a bot finished for you.")]


class Encounters(msgspec.Struct, frozen=True):
    """Results against an opponent: how often the person was ``ahead``, ``behind`` and ``level``."""

    name: str
    games: int
    ahead: int
    behind: int
    level: int
    profile: Annotated[str | None, doc("The address of a person's profile.")] = None


class Record(msgspec.Struct, frozen=True):
    """The record of a person. ``games``: the latest first."""

    games: tuple[RecordedGame, ...]
    by_title: tuple[Results, ...]
    by_seats: tuple[Results, ...]
    people: Annotated[tuple[Encounters, ...], doc("Results against people.")]
    bots: Annotated[tuple[Encounters, ...], doc("Results against kinds of bots.")]
    time_to_move: Annotated[tuple[TimeToMove, ...], doc("For all titles together, then for each.")]
    ratings: Annotated[tuple[Rating, ...], doc("Present ratings, by title, whatever the filters.")] = ()


class Wanted(msgspec.Struct, frozen=True):
    """A filter of games. ``since`` and ``until``: ends of games, from one moment to before another."""

    title: str | None = None
    seats: int | None = None
    against: Against | None = None
    since: int | None = None
    until: int | None = None
    reader: int | None = None
    """Only games that this person may see; 0 for an unknown one."""


EVERYTHING = Wanted()


def record(conn: Connection, person_id: int, lang: str = ENGLISH, wanted: Wanted = EVERYTHING) -> Record:
    """Return the record of a person, as far as it is ``wanted``."""
    games = tuple(it for it in _games(conn, person_id, lang, wanted) if wanted.against in (None, it.against))
    return Record(
        games,
        _results(games, lambda it: it.title),
        _results(games, lambda it: f"{it.seats:2}"),
        _encounters(games, lambda it: it.person, lambda it: it.name),
        _encounters(games, lambda it: it.bot, lambda it: kind_of_bot(it.bot or "", lang)),
        time_to_move(games),
        ratings(conn, person_id),
    )


# ==== the games ===================================================================================
def _games(conn: Connection, person_id: int, lang: str, wanted: Wanted) -> list[RecordedGame]:
    mine = and_(ROWS.c.person_id == person_id, *_conditions(wanted))
    about = select(ROWS, GAMES.c.name, GAMES.c.public, GAMES.c.host_id, SEATS.c.person_id.label("holder"))
    about = about.join_from(ROWS, GAMES).join(
        SEATS, and_(SEATS.c.game_id == ROWS.c.game_id, SEATS.c.seat == ROWS.c.seat), isouter=True
    )
    own = conn.execute(about.where(mine).order_by(ROWS.c.ended_at.desc(), ROWS.c.game_id.desc())).all()
    others: dict[str, list[Any]] = {}
    for it in conn.execute(_OTHERS.where(ROWS.c.game_id.in_(select(ROWS.c.game_id).where(mine)))):
        others.setdefault(it.game_id, []).append(it)
    numbers: dict[int, int] = {}
    return [_game(row, others[row.game_id], person_id, numbers, lang, wanted) for row in own]


_OTHERS = select(
    ROWS.c.game_id,
    ROWS.c.seat,
    ROWS.c.person_id,
    ROWS.c.bot,
    ROWS.c.place,
    ROWS.c.played_by,
    PERSONS.c.name.label("person"),
    PERSONS.c.profile,
).join(PERSONS, PERSONS.c.id == ROWS.c.person_id, isouter=True)
_OTHERS = _OTHERS.order_by(ROWS.c.game_id, ROWS.c.seat, ROWS.c.sitting)


def _conditions(wanted: Wanted) -> list[Any]:
    given = {
        "title": wanted.title and ROWS.c.title == wanted.title,
        "seats": wanted.seats and ROWS.c.seats == wanted.seats,
        "since": None if wanted.since is None else ROWS.c.ended_at >= wanted.since,
        "until": None if wanted.until is None else ROWS.c.ended_at < wanted.until,
        "reader": None if wanted.reader is None else ROWS.c.game_id.in_(_seen_by(wanted.reader)),
    }
    return [it for name, it in given.items() if getattr(wanted, name) not in (None, "")]


def _seen_by(reader: int) -> Any:
    """Return the ids of the games that a person may see."""
    seats = select(SEATS.c.game_id).where(SEATS.c.person_id == reader)
    return select(GAMES.c.id).where(or_(GAMES.c.public, GAMES.c.host_id == reader, GAMES.c.id.in_(seats)))


def _game(
    row: Any, rows: Sequence[Any], person_id: int, numbers: dict[int, int], lang: str, wanted: Wanted
) -> RecordedGame:
    """Return a game. Of a private one that the person had to leave to a substitute, they know only their own part."""
    sees = row.public or wanted.reader is not None or person_id in (row.holder, row.host_id)
    opponents = tuple(_opponent(it, numbers, lang) for it in rows if it.person_id != person_id)
    bots = sum(it.bot is not None for it in opponents)
    return RecordedGame(
        row.game_id if sees else None,
        row.name if sees else "",
        row.title,
        row.ended_at,
        row.seats,
        row.seat,
        row.place,
        row.total,
        row.leaving,
        row.played_by,
        row.sitting > 0,
        "people" if not bots else "bots" if bots == len(opponents) else "both",
        opponents if sees else (),
        tuple(row.times),
    )


def _opponent(row: Any, numbers: dict[int, int], lang: str) -> Opponent:
    """Return an opponent. ``numbers``: the number in this record of each person."""
    if row.bot is not None:
        return Opponent(row.seat, name_of_bot(row.bot, row.seat, lang), row.bot, row.place, None)
    place = None if row.played_by == "bot" else row.place
    if row.person_id is None:
        return Opponent(row.seat, said(N_("(erased)"), lang), None, place, 0)
    number = numbers.setdefault(row.person_id, len(numbers) + 1)
    return Opponent(row.seat, row.person, None, place, number, row.profile)


# ==== summed up ===================================================================================
def _results(games: Iterable[RecordedGame], key: Callable[[RecordedGame], str]) -> tuple[Results, ...]:
    found: dict[str, list[RecordedGame]] = {}
    for game in games:
        found.setdefault(key(game), []).append(game)
    return tuple(results(of.strip(), found[of]) for of in sorted(found))


def results(of: str, games: Sequence[RecordedGame]) -> Results:
    places = [it.place for it in games if it.counts and it.place is not None]
    average = round(sum(places) / len(places), 2) if places else None
    won = sum(it.won for it in games)
    return Results(of, len(games), won, average, len(games) - len(places))


def _encounters(
    games: Iterable[RecordedGame], key: Callable[[Opponent], Hashable], name: Callable[[Opponent], str]
) -> tuple[Encounters, ...]:
    """Return the results against the opponents that have a ``key``, the most frequent ones first."""
    found: dict[Hashable, list[int]] = {}
    names: dict[Hashable, tuple[str, str | None]] = {}
    for game in games:
        mine = _rank(game.place if game.counts else None)
        for each in game.opponents:
            if (which := key(each)) is not None:
                theirs = _rank(each.place)
                names.setdefault(which, (name(each), each.profile))
                found.setdefault(which, []).append((theirs > mine) - (theirs < mine))
    lines = [
        Encounters(names[which][0], len(signs), signs.count(1), signs.count(-1), signs.count(0), names[which][1])
        for which, signs in found.items()
    ]
    return tuple(sorted(lines, key=lambda it: (-it.games, it.name)))


def _rank(place: int | None) -> int:
    """Return a place for a comparison: whoever left is behind all others."""
    return _LAST if place is None else place


_LAST = 1_000


def time_to_move(games: Iterable[RecordedGame]) -> tuple[TimeToMove, ...]:
    """Return median and quartiles of the times in ``games``: of all, and by title. Without times there are none."""
    found: dict[str, list[int]] = {}
    for game in games:
        if game.times:
            found.setdefault(game.title, []).extend(game.times)
    for seconds in found.values():
        seconds.sort()  # most of the work of a record; what is sorted once is merged below
    everything = sorted(it for seconds in found.values() for it in seconds)
    named = [("", everything), *sorted(found.items())] if everything else []
    return tuple(TimeToMove(of, len(seconds), *quartiles(seconds)) for of, seconds in named)


def quartiles(seconds: Sequence[int]) -> tuple[int, int, int]:
    """Return the quartiles, of which the second is the median. There is at least one number."""
    if len(seconds) == 1:
        return seconds[0], seconds[0], seconds[0]
    lower, median, upper = quantiles(seconds, n=4, method="inclusive")
    return int(lower), int(median), int(upper)


def ends_on(first: date | None, last: date | None, zone: str) -> dict[str, int | None]:
    """Return ``since`` and ``until`` of a filter for two days of a person's calendar, both included."""
    there = ZoneInfo(zone)
    return {
        "since": None if first is None else instant(there, first.toordinal(), 0),
        "until": None if last is None else instant(there, last.toordinal() + 1, 0),
    }
