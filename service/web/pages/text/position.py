"""A position and the moves before it, in the sentences and cells of a letter."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from domain.report import Cell, Grid, Passage, say_cell
from domain.things import Shelf
from domain.words import Language, Sentence, first_upper
from service.games import queries
from service.games.queries import Seen, StoryPly
from service.web.pages.frame import _, reader
from service.web.pages.parts.fresh import told
from service.web.pages.parts.things import laid

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
    words, face = _Wording(seen.language(reader().lang), seen.player), seen.title.face
    report, shelves = face.report(view), laid(seen.title, view).shelves
    return PositionShown(
        words.beginning(report.when),
        "" if report.who is None else words.cell(report.who),
        [words.part(it, f"part-{number}") for number, it in enumerate(report.parts, 1)],
        [] if seen.seat is None else [words.cell(it) for it in face.hand(view)],
        [] if seen.seat is None else [words.shelf(it) for it in shelves if it.lies == "own"],
        [words.shelf(it) for it in shelves if it.lies == "near"],
    )


class _Wording(NamedTuple):
    """Says the parts of a position to its reader."""

    language: Language
    player: Callable[[int], str]

    def cell(self, it: Cell) -> str:
        return say_cell(it, self.language, self.player)

    def beginning(self, it: str | Sentence) -> str:
        return first_upper(self.cell(it))

    def shelf(self, shelf: Shelf) -> ShelfInWords:
        lines, uses = [], [f"{self.beginning(it.text)} {it.rule}" for it in shelf.uses]
        for it in shelf.things:
            name = self.beginning(it.name) + (f", {self.cell(it.mark)}" if it.mark else "")
            if it.said:
                lines.append(f"{name}: {'; '.join(self.cell(each) for each in it.said)}")
            explained = [f"{self.beginning(use.text)} {use.rule}" for use in it.uses]
            uses += [f"{self.beginning(it.name)}: {line}" for line in explained[:1]] + explained[1:]
        return ShelfInWords(self.beginning(shelf.name), lines, list(dict.fromkeys(uses)))

    def part(self, it: Grid | Passage, id: str) -> PartShown:
        heading = self.beginning(it.heading)
        if isinstance(it, Passage):
            return PartShown(id, heading, lines=[self.cell(line) for line in it.lines])
        head, *rows = ([self.cell(cell) for cell in row] for row in (it.head, *it.rows))
        return PartShown(id, heading, [heading, *head], rows)


def latest(plies: Sequence[StoryPly]) -> list[str]:
    """Return the lines of the latest moves, the newest last."""
    known = [it for it in plies if it.sentences]
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
