"""Commands as lines that a person would type: "move Ottawa with Ottawa Flat Car", "fahre Ottawa mit Ottawa Flachwagen".

For each legal action, a title gives the things that its line names (`Order`). It also gives the words that ask for its
commands (`Verb`), and the names of its things (`Names`). `write` makes the line of an action in a language; `read`
finds the action that a line means, in any mixture of languages. Templates, verbs, filling words and numbers are texts
like all others, so a language is added without code.

    order.py    input from a title       house.py    words for every title, and the small words
    folding.py  a line as plain words    lexicon.py  the words of all languages, and cutting a line into names
    fitting.py  does an action fit?      reading.py  a line, and its meaning
    spelling.py slips in words           slips.py    a line that was meant as an order, and is none
    numbered.py a bare number, of a letter whose lines have numbers
    writing.py  an action as a line      listing.py  actions as a list of lines, one a target
"""

from domain.orders.apart import apart
from domain.orders.listing import Line, listed, whole_commands
from domain.orders.numbered import AskedBack, Numbered, by_number, chosen
from domain.orders.order import (
    BLANK,
    NUMBER,
    Amount,
    Cards,
    Ends,
    Listing,
    Names,
    One,
    Option,
    Order,
    Orders,
    Part,
    Path,
    Several,
    Told,
    Verb,
)
from domain.orders.reading import (
    Asked,
    Cannot,
    Copied,
    Found,
    Missing,
    Reading,
    Tongue,
    Unknown,
    Unread,
    Wish,
    begins_like_an_order,
    is_copied,
    may_be_an_order,
    read,
)
from domain.orders.slips import Kind, kind_of, mended, naming, stopping
from domain.orders.writing import say_part, write

__all__ = [
    "BLANK", "NUMBER", "Amount", "Asked", "AskedBack", "Cannot", "Cards", "Copied", "Ends", "Found", "Kind", "Line",
    "Listing", "Missing", "Names", "Numbered", "One", "Option", "Order", "Orders", "Part", "Path", "Reading", "Several",
    "Told", "Tongue", "Unknown", "Unread", "Verb", "Wish", "apart", "begins_like_an_order", "by_number", "chosen",
    "is_copied", "kind_of", "listed", "may_be_an_order", "mended", "naming", "read", "say_part", "stopping",
    "whole_commands", "write",
]  # fmt: skip
