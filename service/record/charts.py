"""A person's record over time as plots, for the drawing of `service.games.plots` and for the table beside it."""

from collections.abc import Sequence
from datetime import date, datetime
from statistics import median
from typing import NamedTuple
from zoneinfo import ZoneInfo

from domain.plots import Bar, BarGroup, Bars, Plot
from domain.words import Sentence
from service.base.clock import HOUR, MINUTE, SECOND
from service.record.reading import Record, RecordedGame
from service.words.moments import month_in_words

MOST = 24
"""The most groups of bars in a plot. If there were more, each covers more months."""
SPANS = (1, 3, 12, 60)
"""The months that a group may cover."""


class Period(NamedTuple):
    """Some months in which games ended. ``first``: the first of them."""

    first: date
    months: int
    games: tuple[RecordedGame, ...]

    def name(self, lang: str) -> str:
        if self.months == 1:
            return month_in_words(self.first, lang)
        if self.months == 12:
            return str(self.first.year)
        last = _month(_number(self.first) + self.months - 1)
        return f"{month_in_words(self.first, lang)} – {month_in_words(last, lang)}"


def charts(own: Record, lang: str, zone: str) -> tuple[Plot, ...]:
    """Return the plots of a record; none for less than two games."""
    if len(own.games) < 2:
        return ()
    spans = periods(own.games, zone)
    return tuple(plot for plot in (_finished(spans, lang), _times(spans, lang)) if not plot.is_empty)


def periods(games: Sequence[RecordedGame], zone: str) -> list[Period]:
    """Return the periods from the first end of a game to the last one, also those without any."""
    there = ZoneInfo(zone)
    ends = [_number(datetime.fromtimestamp(it.ended_at / 1000, there).date()) for it in games]
    months = next((it for it in SPANS if max(ends) // it - min(ends) // it < MOST), SPANS[-1])
    held: dict[int, list[RecordedGame]] = {}
    for game, end in zip(games, ends, strict=True):
        held.setdefault(end // months, []).append(game)
    return [
        Period(_month(it * months), months, tuple(held.get(it, ())))
        for it in range(min(ends) // months, max(ends) // months + 1)
    ]


def _number(day: date) -> int:
    return day.year * 12 + day.month - 1


def _month(number: int) -> date:
    return date(number // 12, number % 12 + 1, 1)


def _finished(spans: Sequence[Period], lang: str) -> Bars:
    groups = [
        BarGroup(it.name(lang), (Bar(len(it.games), beside=10 * sum(game.won for game in it.games)),)) for it in spans
    ]
    return Bars(
        "finished",
        Sentence("Finished games"),
        Sentence("when"),
        Sentence("games"),
        tuple(groups),
        Sentence("of them won"),
    )


def _times(spans: Sequence[Period], lang: str) -> Bars:
    """Return the median time to move, in hours if one is long enough, else in minutes."""
    medians = {
        it: median(seconds) * SECOND for it in spans if (seconds := [s for game in it.games for s in game.times])
    }
    unit, name = MINUTE, Sentence("minutes")
    if max(medians.values(), default=0) >= 5 * HOUR:
        unit, name = HOUR, Sentence("hours")
    groups = [BarGroup(it.name(lang), (Bar(round(time / unit)),)) for it, time in medians.items()]
    return Bars("times", Sentence("Time to move"), Sentence("when"), name, tuple(groups))
