"""The pages: rendered by the server, usable without scripts, in English and German, for any screen."""

from service.web.pages import (
    account,
    channels,
    checks,
    drafts,
    errors,
    front,
    lists,
    mail_settings,
    mails,
    moves,
    opening,
    operate,
    order_words,
    reading,
    sandboxes,
    seats,
    second_factor,
    story,
    table,
    taps,
    times,
)
from service.web.pages.web import pages as blueprint

__all__ = [
    "account", "blueprint", "channels", "checks", "drafts", "errors", "front", "lists", "mail_settings", "mails",
    "moves", "opening", "operate", "order_words", "reading", "sandboxes", "seats", "second_factor", "story", "table",
    "taps", "times",
]  # fmt: skip
