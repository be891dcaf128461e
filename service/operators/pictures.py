"""Figures of the last hour, day or month as pictures for operators: on their page and in their commands.

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


class Trend(NamedTuple):
    """A value for each span of the period; None where nothing is known."""

    name: str
    values: Sequence[int | None]

    @property
    def most(self) -> int | None:
        return max((it for it in self.values if it is not None), default=None)


class Chart(NamedTuple):
    """Lanes that belong together, in one unit."""

    id: str
    heading: str
    unit: Unit
    lanes: tuple[Trend, ...]


WORK: Mapping[str, str] = {
    "mail": N_("Email"),
    "webhooks": N_("Webhook calls"),
    "clocks": N_("Clocks that have run out"),
    "bots": N_("Bots to play"),
    "incoming": N_("Incoming email to process"),
    "wishes": N_("Kept seats that nobody took"),
}
"""The kinds of due work (`service.notices.watch.due`), by name."""


class Pictures(NamedTuple):
    """The pictures of a period. ``begins``: the starts of their spans, each of ``span`` milliseconds."""

    span: int
    begins: Sequence[int]
    pictures: tuple[Chart, ...]


def pictures(conn: Connection, who: Who, period: Period, at: int) -> Pictures:
    """Return the pictures of the last hour, day or month."""
    acts.demand(conn, who, at)
    found = figures.course(conn, period, at)
    return Pictures(found.span, found.begins, tuple(_pictures(found)))


def _pictures(found: Course) -> Sequence[Chart]:
    return (
        Chart("moves", N_("Moves"), "number", (Trend(N_("Moves"), found.sums(tally.MOVES)),)),
        Chart(
            "letters",
            N_("Emails"),
            "number",
            (
                Trend(N_("Sent"), found.sums(tally.LETTERS)),
                Trend(N_("Failed attempts"), found.sums(tally.FAILED_LETTERS)),
                Trend(N_("Answers by email"), found.sums(tally.ANSWERS)),
            ),
        ),
        Chart(
            "errors",
            N_("Errors"),
            "number",
            (
                Trend(N_("Failed requests"), found.sums(tally.FAILED_REQUESTS)),
                Trend(N_("Errors in the log"), found.sums(tally.ERRORS)),
            ),
        ),
        Chart(
            "times",
            N_("Response times"),
            "time",
            (
                Trend(N_("Half of all requests"), found.below(tally.REQUESTS, 0.5)),
                Trend(N_("19 of 20 requests"), found.below(tally.REQUESTS, 0.95)),
                Trend(N_("19 of 20 moves"), found.below(tally.MOVES, 0.95)),
            ),
        ),
        Chart(
            "delays",
            N_("Delay of emails"),
            "time",
            (Trend(N_("19 of 20 emails"), found.below(tally.LETTERS, 0.95)),),
        ),
        Chart(
            "ages",
            N_("Oldest job due"),
            "time",
            tuple(Trend(name, found.highest(f"{AGE}{kind}")) for kind, name in WORK.items()),
        ),
    )
