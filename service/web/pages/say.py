"""What the pages say in the reader's language: English as written in the templates, others from `service.words`."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from markupsafe import Markup

from service.words import locale, said


def say(lang: str, text: str, /, **facts: Any) -> str:
    """``text`` in ``lang`` with its facts, as plain text."""
    return said(text, lang).format_map(facts)


def sayer(lang: str) -> Callable[..., Markup]:
    """The ``_`` of the templates: facts are escaped unless they are markup, our own words are not."""

    def _(text: str, /, **facts: Any) -> Markup:
        return Markup(said(text, lang)).format_map(facts)

    return _


class Moment(NamedTuple):
    """A time as a page shows it: absolute, in the reader's zone. ``iso``: for machines."""

    iso: str
    text: str


def moment(at: int, lang: str, zone: str) -> Moment:
    """``at`` (milliseconds since 1970) in words: "21 Nov 2026, 13:05 CET", as Babel writes it, and the zone's name."""
    from babel import dates  # it takes a while to import, and who shows no time does without it

    there, how = datetime.fromtimestamp(at / 1000, ZoneInfo(zone)), locale(lang)
    day, hour = dates.format_skeleton("yMMMd", there, locale=how), f"{there:%H:%M}"
    whole = str(how.datetime_formats["medium"]).replace("{1}", day).replace("{0}", hour)
    iso = datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Moment(iso, f"{whole} {there.tzname()}")
