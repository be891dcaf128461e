"""Who a mail is for, and how things are said to them."""

from typing import Any

from service.web.pages.say import moment
from workers.mail.german import GERMAN


def in_language(lang: str, text: str) -> str:
    """One of our own texts, its facts not yet filled in."""
    return text if lang == "en" else GERMAN[text]


class Reader:
    """Who a mail is for: number (None: nobody we know), address, language, zone; and how things are said to them.

    ``since``: since when they have had the address (0: always), which goes into the links of the mail.
    """

    def __init__(self, id: int | None, address: str, lang: str, zone: str, since: int = 0) -> None:
        self.id, self.address, self.lang, self.zone, self.since = id, address, lang, zone, since

    def __call__(self, text: str, **facts: Any) -> str:
        return in_language(self.lang, text).format_map(facts)

    def when(self, at: int) -> str:
        return moment(at, self.lang, self.zone).text
