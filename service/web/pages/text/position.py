"""A position and the moves before it, in the sentences and cells of a letter."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.report import Grid, Passage, say_cell
from domain.things import Shelf
from domain.words import Sentence, first_upper
from service.games import queries
from service.games.queries import Seen, StoryPly
from service.web.pages.frame import _, reader
from service.web.pages.parts.fresh import told

TOLD_MOST = 30
"""Moves that are told: the newest."""


class PartShown(NamedTuple):
    """A table or a passage of a position. ``id``: of its heading; ``head`` begins with the heading, too."""

    id: str
    heading: str
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    lines: Sequence[str] = ()


class ShelfInWords(NamedTuple):
    """Things that lie together. ``lines``: those of which there is more to say than their name; ``uses``: of all."""

    name: str
    lines: Sequence[str]
    uses: Sequence[str]


class PositionShown(NamedTuple):
    """A position. ``when``: the stage of the game; ``who``: the reader's part in it, "" for a spectator.

    ``hand``: what only the reader may know, in the sentences of a letter; ``own``: more about it. ``near``: the purpose
    of things that players use every turn.
    """

    when: str
    who: str
    parts: Sequence[PartShown]
    hand: Sequence[str]
    own: Sequence[ShelfInWords]
    near: Sequence[ShelfInWords]


def in_words(seen: Seen, view: Any) -> PositionShown:
    lang, face = reader().lang, seen.title.face
    report, shelves = face.report(view), face.things(view).shelves
    return PositionShown(
        first_upper(seen.say(report.when, lang)),
        "" if report.who is None else seen.say(report.who, lang),
        [_part(seen, it, f"part-{number}") for number, it in enumerate(report.parts, 1)],
        [] if seen.seat is None else [seen.say(it, lang) for it in face.hand(view)],
        [] if seen.seat is None else [_shelf(seen, it) for it in shelves if it.lies == "own"],
        [_shelf(seen, it) for it in shelves if it.lies == "near"],
    )


def _shelf(seen: Seen, shelf: Shelf) -> ShelfInWords:
    lang = reader().lang
    language = seen.language(lang)

    def words(it: str | Sentence) -> str:
        return first_upper(language.name(it) if isinstance(it, str) else seen.say(it, lang))

    lines, uses = [], [f"{words(it.text)} {it.rule}" for it in shelf.uses]
    for it in shelf.things:
        name = words(it.name) + (f", {seen.say(it.mark, lang)}" if it.mark else "")
        if it.said:
            lines.append(f"{name}: {'; '.join(seen.say(each, lang) for each in it.said)}")
        explained = [f"{words(use.text)} {use.rule}" for use in it.uses]
        uses += [f"{words(it.name)}: {line}" for line in explained[:1]] + explained[1:]
    return ShelfInWords(words(shelf.name), lines, list(dict.fromkeys(uses)))


def _part(seen: Seen, it: Grid | Passage, id: str) -> PartShown:
    lang = reader().lang
    heading = first_upper(seen.say(it.heading, lang))
    if isinstance(it, Passage):
        return PartShown(id, heading, lines=[seen.say(line, lang) for line in it.lines])
    language = seen.language(lang)
    head, *rows = ([say_cell(cell, language, seen.player) for cell in row] for row in (it.head, *it.rows))
    return PartShown(id, heading, [heading, *head], rows)


def latest(plies: Sequence[StoryPly]) -> list[str]:
    """Return the lines of the latest moves, the newest last."""
    known = [it for it in plies if it.said]
    before, shown = known[:-TOLD_MOST], known[-TOLD_MOST:]
    if not before:
        return told(shown)
    return [_("… and {count} earlier moves: see the game's log.", count=len(before)), *told(shown)]


def did(seen: Seen, plies: Sequence[StoryPly]) -> str:
    """Say what the reader's own moves among ``plies`` did."""
    own = [sentence for it in plies if it.ply.seat == seen.seat and it.ply.cause != "bot" for sentence in it.said]
    return " ".join(own[-DID_MOST:])


DID_MOST = 12
"""Sentences about the reader's own moves: the last ones."""


def waiting_for(seen: Seen, seats: Sequence[int], names: str) -> str:
    """Name the players that the game waits for, with the reason."""
    why = queries.why_asked(seen, reader().lang)
    text = _("The game is waiting for {names}.", names=names)
    return f"{text} {first_upper(why)}." if why else text
