"""Tips: a sentence for each turn of a beginner that explains a rule, or says what is usual. No tip weighs moves.

A title lists its tips, the most important first (`Face.tips`). A tip follows from a view alone, so it tells nothing
that the view hides. `service.games.tips` knows who is a beginner.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec

from domain.words import Sentence


class Tip(msgspec.Struct, frozen=True, eq=False):
    """A tip. ``rule``: the number of the rule that it explains.

    ``says(view)``: its sentence for a seat that must move; None if it does not fit the position.
    """

    rule: str
    says: Callable[[Any], Sentence | None]


class TipSaid(NamedTuple):
    """The tip of a turn: its sentence, and the number of its rule."""

    sentence: Sentence
    rule: str


def first(tips: Sequence[Tip], view: Any) -> TipSaid | None:
    """Return the first tip that fits ``view``; None if none fits."""
    said = ((it.says(view), it.rule) for it in tips)
    return next((TipSaid(sentence, rule) for sentence, rule in said if sentence is not None), None)


# ==== figures from games between bots =============================================================
class Usual(msgspec.Struct, frozen=True):
    """Figures from games between sensible bots, as a command has written them. ``by``: that command.

    ``figures``: the name of a figure -> the number of seats -> its value in each game.
    """

    by: str
    figures: Mapping[str, Mapping[str, tuple[int, ...]]]

    def of(self, figure: str, seats: int) -> int:
        """Return the median of a figure at tables with so many seats, as a whole number."""
        return round(median(self.figures[figure][str(seats)]))


def usual(folder: Path) -> Usual:
    """Read the figures of a title from the file ``usual.json`` in its folder of data."""
    return msgspec.json.decode((folder / "usual.json").read_bytes(), type=Usual)
