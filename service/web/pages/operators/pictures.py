"""The pictures of the last hour, day or month, each with its table."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from flask import request, url_for
from markupsafe import Markup

from domain.drawing import INKS
from service.base.clock import DAY, HOUR, MINUTE, SECOND
from service.games import plots
from service.games.plots import Sheet
from service.notices.figures import PERIODS, Period
from service.operators.pictures import Chart, Pictures, Trend, Unit
from service.web.pages.frame import _, reader
from service.web.pages.parts import boards
from service.web.pages.parts.plots import PlotShown
from service.words import N_, amount
from service.words.moments import short_day

NAMED: dict[Period, str] = {"hour": N_("Last hour"), "day": N_("Last 24 hours"), "month": N_("Last 30 days")}
MARKS: dict[Period, int] = {"hour": 15, "day": 6, "month": 7}
"""So many spans lie between two marks below a picture."""
WIDTH, NARROW = 460, 300


def chosen() -> Period:
    """Return the period in the address."""
    return next((it for it in PERIODS if it == request.args.get("over")), "hour")


def choices() -> list[tuple[str, str, bool]]:
    """Return the periods as (name, address, is this one shown)."""
    at = url_for("pages.operators.overview")
    return [(_(name), f"{at}?over={it}#pictures", it == chosen()) for it, name in NAMED.items()]


def shown(found: Pictures) -> list[PlotShown]:
    """Return the pictures with their tables."""
    times = [_time(begin, found.span) for begin in found.begins]
    apart = MARKS[chosen()]
    marks = [(place, said) for place, said in enumerate(times) if (len(times) - 1 - place) % apart == 0]
    sheet = Sheet(str, {}, INKS["page"], NARROW if boards.drawing() == "narrow" else WIDTH)
    return [_shown(picture, times, marks, sheet) for picture in found.pictures]


def _shown(picture: Chart, times: list[str], marks: list[tuple[int, str]], sheet: Sheet) -> PlotShown:
    heading = _(picture.heading)
    drawing = plots.lanes([_lane(lane, picture.unit) for lane in picture.lanes], marks, sheet)
    head = [_("From"), *(_(lane.name) for lane in picture.lanes)]
    rows = [
        [time, *(said(value, picture.unit) for value in values)]
        for time, *values in zip(times, *(lane.values for lane in picture.lanes), strict=True)
    ]
    return PlotShown(picture.id, heading, Markup(plots.svg(drawing, heading)), [head, *reversed(rows)])


def _lane(lane: Trend, unit: Unit) -> plots.Lane:
    name = _(lane.name)
    if unit == "number":
        total: Any = sum(it for it in lane.values if it is not None)
        return plots.Lane(name, lane.values, _("{number} in all", number=amount(total, reader().lang)))
    most = _("highest: {time}", time=said(lane.most, unit)) if lane.most is not None else said(None, unit)
    return plots.Lane(name, lane.values, most)


def said(value: int | None, unit: Unit) -> str:
    """Return a value in words."""
    if value is None:
        return "–"
    return amount(value, reader().lang) if unit == "number" else span(value)


def span(milliseconds: int) -> str:
    """Return a time in words, in the unit that suits it."""
    if milliseconds < SECOND:
        return _("{milliseconds} ms", milliseconds=milliseconds)
    if milliseconds < 2 * MINUTE:
        return _("{seconds} s", seconds=milliseconds // SECOND)
    if milliseconds < 2 * HOUR:
        return _("{minutes} min", minutes=milliseconds // MINUTE)
    if milliseconds < 2 * DAY:
        return _("{hours} h", hours=milliseconds // HOUR)
    return _("{days} days", days=milliseconds // DAY)


def _time(begin: int, length: int) -> str:
    """Return the start of a span: the day of a day, in UTC, or the time of day in the reader's zone."""
    if length == DAY:
        return short_day(begin, reader().lang)
    return f"{datetime.fromtimestamp(begin / 1000, ZoneInfo(reader().zone)):%H:%M}"
