"""What happened in the last hour, day or month, as pictures for operators: on their page and in their commands.

Everything comes from the sums of `service.notices.figures`, so no picture counts a table.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from sqlalchemy import Connection

from service.base import tally
from service.notices import figures
from service.notices.figures import AGE, Course, Period
from service.operators import acts
from service.operators.acts import Who
from service.words import N_

Unit = Literal["number", "time"]
"""Numbers, or times in milliseconds."""


class Lane(NamedTuple):
    """A value for each span of the period; None where nothing is known."""

    name: str
    values: Sequence[int | None]

    @property
    def most(self) -> int | None:
        return max((it for it in self.values if it is not None), default=None)


class Picture(NamedTuple):
    """Lanes that belong together, in one unit."""

    id: str
    heading: str
    unit: Unit
    lanes: tuple[Lane, ...]


WORK: Mapping[str, str] = {
    "mail": N_("Email"),
    "webhooks": N_("Webhook calls"),
    "clocks": N_("Clocks that have run out"),
    "bots": N_("Bots to play"),
    "incoming": N_("Incoming email to process"),
}
"""The kinds of due work (`service.notices.watch.due`), by name."""


class Pictures(NamedTuple):
    """The pictures of a period. ``begins``: the starts of their spans, each of ``span`` milliseconds."""

    span: int
    begins: Sequence[int]
    pictures: tuple[Picture, ...]


def pictures(conn: Connection, who: Who, period: Period, at: int) -> Pictures:
    """Return the pictures of the last hour, day or month."""
    acts.demand(conn, who, at)
    found = figures.course(conn, period, at)
    return Pictures(found.span, found.begins, tuple(_pictures(found)))


def _pictures(found: Course) -> Sequence[Picture]:
    return (
        Picture("moves", N_("Moves"), "number", (Lane(N_("Moves"), found.sums(tally.MOVES)),)),
        Picture(
            "letters",
            N_("Emails"),
            "number",
            (
                Lane(N_("Sent"), found.sums(tally.LETTERS)),
                Lane(N_("Failed attempts"), found.sums(tally.FAILED_LETTERS)),
                Lane(N_("Answers by email"), found.sums(tally.ANSWERS)),
            ),
        ),
        Picture(
            "errors",
            N_("Errors"),
            "number",
            (
                Lane(N_("Failed requests"), found.sums(tally.FAILED_REQUESTS)),
                Lane(N_("Errors in the log"), found.sums(tally.ERRORS)),
            ),
        ),
        Picture(
            "times",
            N_("Response times"),
            "time",
            (
                Lane(N_("Half of all requests"), found.below(tally.REQUESTS, 0.5)),
                Lane(N_("19 of 20 requests"), found.below(tally.REQUESTS, 0.95)),
                Lane(N_("19 of 20 moves"), found.below(tally.MOVES, 0.95)),
            ),
        ),
        Picture(
            "delays",
            N_("Delay of emails"),
            "time",
            (Lane(N_("19 of 20 emails"), found.below(tally.LETTERS, 0.95)),),
        ),
        Picture(
            "ages",
            N_("Oldest job due"),
            "time",
            tuple(Lane(name, found.highest(f"{AGE}{kind}")) for kind, name in WORK.items()),
        ),
    )
