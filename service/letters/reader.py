"""Who a mail is for, and how things are said to them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from service.words import listed, locale, said


class MailReader:
    """Who a mail is for: number (None: nobody we know), address, language, zone; and how things are said to them.

    ``since``: since when they have had the address (0: always), which goes into the links of the mail. ``pictures``:
    they want some; ``short``: they want receipts that tell only what became of each line.
    """

    def __init__(
        self,
        id: int | None,
        address: str,
        lang: str,
        zone: str,
        since: int = 0,
        *,
        pictures: bool = True,
        short: bool = False,
    ) -> None:
        self.id, self.address, self.lang, self.zone, self.since = id, address, lang, zone, since
        self.pictures, self.short = pictures, short

    def __call__(self, text: str, **facts: Any) -> str:
        """A text of the service in the reader's language."""
        return said(text, self.lang).format_map(facts)

    def when(self, at: int) -> str:
        """``at`` (milliseconds since 1970) on the reader's clock: "Tue, 24 Nov 2026, 18:00 (Berlin)"."""
        from babel import dates  # it takes a while to import, and a worker that sends no mail does without it

        zone, how = ZoneInfo(self.zone), locale(self.lang)
        there = datetime.fromtimestamp(at / 1000, zone)
        city = dates.get_timezone_location(zone, locale=how, return_city=True)
        return f"{dates.format_skeleton('yMMMEd', there, locale=how)}, {there:%H:%M} ({city})"

    def listed(self, words: Sequence[str]) -> str:
        """One or more words as a list."""
        return listed(words, self.lang)
