"""A lesson: a game written down, in which a beginner does one thing after another by hand.

A lesson is data of a title. All its positions follow from the options, the secret and the lines; nothing of it is
stored, and no bot plays in it.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from domain.words import Sentence

PUPIL = 1
"""The seat that the reader plays."""
MOST_WORDS = 60
"""Words of a step's sentences, in each language."""
FEWEST_STEPS, MOST_STEPS = 8, 12

Shows = Literal["turn", "letter", "scoring", "new_game"]
"""What a step shows: a turn to play, a letter to answer, the result, or the form of a new game."""
ORDER = "order"
"""The source of a number that is part of the step's own order."""


class LessonStep(msgspec.Struct, frozen=True):
    """A step of a lesson. ``text``: what the reader learns; ``do``: what the reader does. Together they have at most
    `MOST_WORDS` words.

    ``lines``: the orders that do it, in English: one for a turn, several for a letter, none for a step to read. ``at``:
    the places to point at for it, in this order. ``instead``: why no other legal move does here, as a sentence that
    follows the outcome of that move.

    ``numbers``: each number in the sentences with its source: a path in the reader's view ("seats.0.day"), a numbered
    rule ("GTJ 5.8"), or `ORDER`.

    ``then``: the plies after it, each as the number of its seat and its order ("2 draw card"). ``again``: the number of
    an earlier step, counted from 1; this step is about the position before that step's order, and after the plies of
    ``since``.
    """

    text: Sentence
    do: Sentence | None = None
    lines: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    instead: Sentence | None = None
    numbers: tuple[tuple[int, str], ...] = ()
    then: tuple[str, ...] = ()
    shows: Shows = "turn"
    again: int = 0
    since: tuple[str, ...] = ()


class Lesson(msgspec.Struct, frozen=True):
    """The lesson of a title. ``players``: the names at the seats, from seat 1; the reader has seat 1.

    ``options``: the host's choices that differ from the usual ones. ``secret``: the one of all draws. ``new_game``: the
    fields of the form for the reader's first game against bots.
    """

    players: tuple[str, ...]
    secret: bytes
    steps: tuple[LessonStep, ...]
    new_game: Mapping[str, str]
    options: Mapping[str, Any] = {}
