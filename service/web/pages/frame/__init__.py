"""The frame of all pages: the reader and their language, the guard of forms, the layout, files and addresses.

Rooms and parts import from here; a module of the frame imports from the others directly.
"""

from service.web.pages.frame.addresses import (
    IN_WORDS,
    LONGEST_ADDRESS,
    address,
    in_words,
    prefers_words,
    sandbox_address,
    table_address,
    this_page,
)
from service.web.pages.frame.assets import file_of
from service.web.pages.frame.blueprint import pages
from service.web.pages.frame.guard import form_secret
from service.web.pages.frame.layout import MAILBOX_KEY, done, has_mailbox, page
from service.web.pages.frame.reader import (
    YEAR,
    Reader,
    _,
    home_path,
    moment,
    number_asked,
    number_in,
    number_of,
    place_in,
    reader,
    sign_in_first,
    signed_in,
)

__all__ = [
    "IN_WORDS", "LONGEST_ADDRESS", "MAILBOX_KEY", "YEAR", "Reader", "_", "address", "done", "file_of", "form_secret",
    "has_mailbox", "home_path", "in_words", "moment", "number_asked", "number_in", "number_of", "page", "pages",
    "place_in", "prefers_words", "reader", "sandbox_address", "sign_in_first", "signed_in", "table_address",
    "this_page",
]  # fmt: skip
