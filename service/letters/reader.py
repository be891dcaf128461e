"""The recipient of a mail: language, zone, address."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from service.words import listed, locale, said


class MailReader:
    """The recipient of a mail: number (None for a stranger), address, language, zone. It translates texts for them.

    ``since``: when they got the address (0: always), for the links of the mail. ``pictures``: they want some;
    ``short``: they want receipts with only the results of their lines.
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
        """Return a text of the service in the reader's language."""
        return said(text, self.lang).format_map(facts)

    def when(self, at: int) -> str:
        """Return ``at`` (milliseconds since 1970) on the reader's clock: "Tue, 24 Nov 2026, 18:00 (Berlin)"."""
        from babel import dates  # its import is slow, and a worker that sends no mail does without it

        zone, how = ZoneInfo(self.zone), locale(self.lang)
        there = datetime.fromtimestamp(at / 1000, zone)
        city = dates.get_timezone_location(zone, locale=how, return_city=True)
        return f"{dates.format_skeleton('yMMMEd', there, locale=how)}, {there:%H:%M} ({city})"

    def listed(self, words: Sequence[str]) -> str:
        """Return words as a list: "Ann, Bob and Cleo"."""
        return listed(words, self.lang)
