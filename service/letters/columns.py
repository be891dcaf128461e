"""The layout of plain text: paragraphs and columns in lines of limited length."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from textwrap import fill, wrap

WIDTH = 72
"""Characters of a line. It stays whole even when it is quoted once or twice."""
BREAKS = re.compile(r"(?<=-)|\s")
"""The places where a cell may be wrapped."""
NARROWEST = 9
"""Characters of a wrapped column."""


def paragraph(words: str, first: str = "") -> str:
    """Return wrapped lines; ``first`` stands before the first line, and the others are indented to match."""
    if _fits(words, WIDTH - len(first)):
        return first + words
    return fill(
        words,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )


def hanging(words: str) -> str:
    """Return a paragraph in which all lines but the first are indented."""
    if _fits(words, WIDTH):
        return words
    return fill(words, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _fits(words: str, width: int) -> bool:
    """Would `textwrap` leave the words as they are? Asking here instead makes a mail 9 % cheaper, and a turn 4 %."""
    return 0 < len(words) <= width and words.isprintable() and words[-1] != " "


def ends(left: str, right: str, indent: int = 0) -> str:
    """Return a line with a text at each end, or several lines if it is too long, all but the first indented."""
    if len(left) + 2 + len(right) <= WIDTH:
        return left.ljust(WIDTH - len(right)) + right if right else left
    lines = wrap(left, WIDTH, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    if right and len(lines[-1]) + 2 + len(right) <= WIDTH:
        lines[-1] = lines[-1].ljust(WIDTH - len(right)) + right
    elif right:
        lines += [line.rjust(WIDTH) for line in wrap(right, WIDTH - indent)]
    return "\n".join(lines)


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as text; the first row is the head.

    Number columns are right-aligned; wide columns are wrapped.

    Cells are wrapped between words. A word is broken only if the longest words of all columns do not fit side by side.
    """
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    between = "  " if sum(widths) + 2 * (len(widths) - 1) <= WIDTH else " "
    room = WIDTH - len(between) * (len(widths) - 1)
    if sum(widths) > room:
        words = [max(len(word) for row in rows for word in BREAKS.split(row[at])) for at in range(len(widths))]
        widths = _narrowed(
            widths, [max(least, min(NARROWEST, width)) for least, width in zip(words, widths, strict=True)], room
        )
        widths = _narrowed(widths, [min(NARROWEST, width) for width in widths], room)
    numbers = [at > 0 and all(_is_number(row[at]) for row in rows[1:]) for at in range(len(widths))]
    return "\n".join(line for row in rows for line in _lines(row, widths, numbers, between))


def in_lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a table as lines: "name: column cell, column cell". Empty cells and rows are left out.

    ``head``: the names of the columns behind the first; the only one is not named.
    """
    names = [f"{it} " for it in head] if len(head) > 1 else [""]
    told = [(row[0], [f"{name}{cell}" for name, cell in zip(names, row[1:], strict=True) if cell]) for row in rows]
    return [f"{name}: {', '.join(cells)}" for name, cells in told if cells]


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Narrow ``widths`` to fit into ``room`` if possible: the widest first, none below its ``least``."""
    found = list(widths)
    while (over := sum(found) - room) > 0 and (wide := [at for at, it in enumerate(found) if it > least[at]]):
        widest = max(wide, key=lambda at: found[at])
        found[widest] = max(least[widest], found[widest] - over)
    return found


def _is_number(cell: str) -> bool:
    return not cell or cell.lstrip("−$").isdigit()


def _lines(row: Sequence[str], widths: Sequence[int], numbers: Sequence[bool], between: str) -> list[str]:
    cells = [
        [(part.rjust if number else part.ljust)(width) for part in _parts(cell, width)]
        for cell, width, number in zip(row, widths, numbers, strict=True)
    ]
    lines = zip_longest(*cells)
    return [
        between.join(part or " " * width for part, width in zip(line, widths, strict=True)).rstrip() for line in lines
    ]


def _parts(cell: str, width: int) -> list[str]:
    return [cell] if _fits(cell, width) else wrap(cell, width) or [""]
