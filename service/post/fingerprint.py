"""The second protection against quoted text: a comparison with our own letter, whose every line we know.

A single line that matches the letter is an order. Two or more lines in the letter's order are a quote, whatever the
mail program did with prefixes and line breaks.
"""

from bisect import bisect_left
from collections.abc import Sequence

from msgspec import structs

from .lines import TextLine, words

_SKIP = 3
"""Lines of the letter that a mail program may skip between two that it quotes."""
_ENOUGH = 4
"""The number of equal words that identifies the beginning of a line."""
_LONG = 400
"""Words of a line that are compared, and places of the letter that are tried for one."""


def cut(lines: Sequence[TextLine], letter: Sequence[str]) -> list[TextLine]:
    """Return the lines, with those from the letter marked as cut. ``letter``: the lines of its text and of its HTML."""
    known = _Letter(letter)
    marked = list(lines)
    run: list[int] = []
    end = -1
    for place, line in enumerate(lines):
        said = words(line.text)[:_LONG]
        if not said:
            continue
        next_end = known.follows(said, end) if run else -1
        if next_end < 0:
            _mark(marked, run)
            run = []
            next_end = known.begins(said)
        if next_end >= 0:
            run.append(place)
        end = next_end
    _mark(marked, run)
    return marked


def _mark(lines: list[TextLine], run: Sequence[int]) -> None:
    """Mark a run of two or more lines as quoted."""
    if len(run) > 1:
        for place in run:
            if not lines[place].cut:
                lines[place] = structs.replace(lines[place], cut="our letter")


class _Letter:
    """The words of a letter in one list, and the starts of its lines."""

    def __init__(self, letter: Sequence[str]) -> None:
        self.words: list[str] = []
        self.starts: list[int] = []
        self._by_word: dict[str, list[int]] = {}
        for line in letter:
            said = words(line)
            if said:
                self._by_word.setdefault(said[0], []).append(len(self.words))
                self.starts.append(len(self.words))
                self.words += said
        self._starts = set(self.starts)

    def _end(self, said: Sequence[str], at: int) -> int:
        """Return the place behind these words if they stand at ``at``, else -1."""
        return at + len(said) if self.words[at : at + len(said)] == said else -1

    def _ends_a_line(self, at: int) -> bool:
        return at in self._starts or at == len(self.words)

    def begins(self, said: Sequence[str], starts: Sequence[int] | None = None) -> int:
        """Return the place behind these words if a line of the letter begins with them, else -1.

        After a line break a few words may be left over; but "3" does not match "[3] move Ottawa".
        """
        for at in self._by_word.get(said[0], ())[:_LONG] if starts is None else starts:
            end = self._end(said, at)
            if end >= 0 and (len(said) >= _ENOUGH or self._ends_a_line(end)):
                return end
        return -1

    def follows(self, said: Sequence[str], end: int) -> int:
        """Return the place behind these words if they continue a line ending at ``end`` or begin the next, else -1."""
        if not self._ends_a_line(end):
            return self._end(said, end)
        place = bisect_left(self.starts, end)
        return self.begins(said, self.starts[place : place + _SKIP])
