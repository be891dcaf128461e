"""Looking back: the ends of a game's turns, its story in lines, and the changes between two of its versions, in words.

Everything is shown as the viewer may see it: plies as `queries` tells them, positions as the title shows them.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from sqlalchemy import Connection

from domain.chain import Ply
from domain.clock import ReturnToSeat
from domain.game import Game
from domain.words import Sentence
from service.database.store import NoSuchVersion, Store
from service.games import queries
from service.games.queries import Seen, StoryPly

REACH = 32
"""Plies before and after a position in which to look first for the ends of turns."""

Area = Literal["board", "standing", "hand"]
AREAS: tuple[Area, ...] = get_args(Area)


class ChangedSentence(msgspec.Struct, frozen=True):
    """A sentence about a position that has changed, is new, or is gone. ``area``: its subject."""

    area: Area
    before: str | None
    after: str | None


class Changes(msgspec.Struct, frozen=True):
    """The changes between two versions; ``since`` may be the later one.

    ``added``: plies that count at ``to`` and did not at ``since``, and plies in between that were taken back (marked as
    withdrawn). ``removed``: plies that counted at ``since`` and do not at ``to``.
    """

    since: int
    to: int
    added: tuple[StoryPly, ...]
    removed: tuple[StoryPly, ...]
    differences: tuple[ChangedSentence, ...]


# ==== turns =======================================================================================
def turn_ends(plies: Sequence[Ply]) -> list[int]:
    """The versions at which a seat had finished its consecutive plies, and the last version.

    Quiet plies separate no turns: not everybody may know what they are.
    """
    loud = [ply for ply in plies if ply.events and not ply.quiet]
    ends = [ply.number for ply, following in pairwise(loud) if ply.seat != following.seat]
    return [*ends, *([plies[-1].number] if plies else [])]


def neighbours(store: Store, conn: Connection, seen: Seen, version: int) -> tuple[int | None, int | None]:
    """The ends of the turns before and after ``version``. They are near, so a few plies around it are read first."""
    last = seen.game.version
    for reach in (REACH, REACH * 8, last):
        since, until = max(0, version - reach), min(last, version + reach)
        ends = turn_ends([ply for _, ply in store.plies(conn, seen.game.id, seen.title, since, until)])
        if until < last:
            ends = ends[:-1]  # the last ply read ends a turn only if nothing follows
        before, after = [end for end in ends if end < version], [end for end in ends if end > version]
        if (before or since == 0) and (after or until == last):
            break
    return (before[-1] if before else None), (after[0] if after else None)


def last_own(store: Store, conn: Connection, seen: Seen) -> int:
    """The version at which the viewer last did something at the table; for a spectator the one before the present.

    Plies of a bot in their absence do not count, since the viewer has not seen them. Taking the seat back is no move.
    """
    before = max(0, seen.game.version - 1)
    own = before if seen.seat is None else seen.game.last_of.get(seen.seat, before)
    if seen.seat is None or seen.game.table is None or seen.game.table.time is None:
        return own  # nobody has a stand-in
    reach, until = 1, own  # nearly always exactly this ply
    while until > 0:
        since = max(0, until - reach)
        for _, ply in reversed(store.plies(conn, seen.game.id, seen.title, since, until)):
            if ply.seat == seen.seat and ply.cause != "bot" and not isinstance(ply.command, ReturnToSeat):
                return int(ply.number)
        reach, until = REACH, since
    return 0


# ==== the story ===================================================================================
class StoryRun(NamedTuple):
    """A line of the story: a ply, or the last of several in a row that tell the same. ``times``: their number."""

    ply: StoryPly
    times: int


def told(plies: Sequence[StoryPly]) -> list[StoryRun]:
    """Return a line for each ply that has something to tell. Repeats of a seat are one line.

    Plies of which the viewer may not know are passed over, so that they break no line.
    """
    return [*told_backwards(plies)][::-1]


def told_backwards(plies: Sequence[StoryPly]) -> Iterator[StoryRun]:
    """Yield the lines of `told`, the newest first. Earlier plies are narrated only if their lines are asked for."""
    known = (it for it in reversed(plies) if it.sentences)
    for _same, run in groupby(known, lambda it: (it.ply.seat, it.ply.cause, it.withdrawn, it.said)):
        last, *others = run
        yield StoryRun(last, 1 + len(others))


# ==== what changed ================================================================================
def changes(store: Store, conn: Connection, seen: Seen, since: int, to: int, lang: str) -> Changes:
    """Return the changes from one version to another, as far as the viewer may know. Raises `NoSuchVersion`."""
    last = max(since, to)
    if not (0 <= since <= seen.game.version and 0 <= to <= seen.game.version):
        raise NoSuchVersion(last)
    told = {it.ply.number: it for it in queries.plies(store, conn, seen, lang, until=last)}
    log = [told[number].ply for number in sorted(told)]
    then, now = _counting(log, since), _counting(log, to)
    between = set(range(since + 1, to + 1)) - then
    earlier, later = (queries.position(store, conn, seen, version) for version in sorted((since, to)))
    before, after = (earlier, later) if since <= to else (later, earlier)
    return Changes(
        since,
        to,
        tuple(_marked(told[number], number not in now) for number in sorted((now - then) | between)),
        tuple(_marked(told[number], False) for number in sorted(then - now)),
        tuple(differences(seen, before, after, lang)),
    )


def _counting(log: Sequence[Ply], version: int) -> set[int]:
    """The plies that counted at a version."""
    return {ply.number for ply in log[:version]} - queries.withdrawn_among(log[:version])


def _marked(told: StoryPly, withdrawn: bool) -> StoryPly:
    return msgspec.structs.replace(told, withdrawn=withdrawn)


def differences(
    seen: Seen, before: Game, after: Game, lang: str, areas: Sequence[Area] = AREAS
) -> Iterator[ChangedSentence]:
    """Compare two positions by the sentences that describe them."""
    then, now = _described(seen, before, lang, areas), _described(seen, after, lang, areas)
    for area in areas:
        old, new = ([it for it in all_of if it[0] == area] for all_of in (then, now))
        for _area, key, sentence in new:
            match = next((it for it in old if it[1] == key), None)
            if match is not None:
                old.remove(match)
            if match is None or match[2] != sentence:
                yield ChangedSentence(area, match and seen.say(match[2], lang), seen.say(sentence, lang))
        for _area, _key, sentence in old:
            yield ChangedSentence(area, seen.say(sentence, lang), None)


def _described(seen: Seen, game: Game, lang: str, areas: Sequence[Area]) -> list[tuple[str, Any, Sentence]]:
    """The sentences about a position: for each its area, a key that identifies it at other versions, and its text."""
    view = queries.view(seen, game)
    if view is None:
        return []
    title = seen.title
    hand = [] if seen.seat is None else title.face.hand(view)
    label = [title.face.picture(view, "light", seen.language(lang)).label] if "board" in areas else []
    said = (("board", label), ("standing", title.face.standing(view)), ("hand", hand))
    return [(area, _key(sentence), sentence) for area, sentences in said for sentence in sentences]


def _key(sentence: Sentence) -> Any:
    return sentence.template, sentence.facts.get("seat")
