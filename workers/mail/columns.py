"""The text form's layout: paragraphs and columns of at most so many letters a line."""

from collections.abc import Sequence
from itertools import zip_longest
from textwrap import fill, wrap

WIDTH = 72
"""Letters of a line: what is left whole when it is quoted once or twice."""
NARROWEST = 9
"""Letters of a column that is wrapped."""


def paragraph(words: str, first: str = "") -> str:
    """Wrapped lines; ``first`` stands before the first, and the others are indented as far."""
    return fill(
        words,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )


def hanging(words: str) -> str:
    """A paragraph whose lines behind the first are indented."""
    return fill(words, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def ends(left: str, right: str, indent: int = 0) -> str:
    """A line with something at either end; more lines where it is too long, indented behind the first."""
    if len(left) + 2 + len(right) <= WIDTH:
        return left.ljust(WIDTH - len(right)) + right if right else left
    lines = wrap(left, WIDTH, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    if right and len(lines[-1]) + 2 + len(right) <= WIDTH:
        lines[-1] = lines[-1].ljust(WIDTH - len(right)) + right
    elif right:
        lines += [line.rjust(WIDTH) for line in wrap(right, WIDTH - indent)]
    return "\n".join(lines)


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells, the first its head. Columns of numbers stand to the right; too wide a one is wrapped."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    between = "  " if sum(widths) + 2 * (len(widths) - 1) <= WIDTH else " "
    while (over := sum(widths) + len(between) * (len(widths) - 1) - WIDTH) > 0 and max(widths) > NARROWEST:
        widest = widths.index(max(widths))
        widths[widest] = max(NARROWEST, widths[widest] - over)
    numbers = [at > 0 and all(_is_number(row[at]) for row in rows[1:]) for at in range(len(widths))]
    return "\n".join(line for row in rows for line in _lines(row, widths, numbers, between))


def _is_number(cell: str) -> bool:
    return not cell or cell.lstrip("$").isdigit()


def _lines(row: Sequence[str], widths: Sequence[int], numbers: Sequence[bool], between: str) -> list[str]:
    cells = [
        [(part.rjust if number else part.ljust)(width) for part in wrap(cell, width) or [""]]
        for cell, width, number in zip(row, widths, numbers, strict=True)
    ]
    lines = zip_longest(*cells)
    return [
        between.join(part or " " * width for part, width in zip(line, widths, strict=True)).rstrip() for line in lines
    ]
