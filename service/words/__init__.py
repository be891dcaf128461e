"""Languages, from the `.po` files of the parts. English stands in the code.

Each part of the program with texts (a title, the service, the proofs) has a value `domain.words.Words`. It holds the
English names of its ids, and its folder ``words`` with a file for each language (``de.po``, of GNU gettext). `spoken`
makes a `domain.words.Language` of it, once per process, which includes all shared texts (``domain/words``). Where a
part lacks a language, its texts appear in English. In a file, ``msgctxt`` distinguishes kinds of entries:

- none: a sentence. ``msgid "Dump {good} from {railcar}"``, ``msgstr "{good} von {railcar:dat} mit Verlust abladen"``.
- ``name box_car``: the name of an id; ``name box_car:dat``: its form "dat", which a translated sentence asks for. Each
  language decides which forms it has.
- ``count``: the nouns of a count. Sentences keep their English form in every language (``{days:day|days}``). The entry
  ``msgid "day"``, ``msgid_plural "days"`` translates it, with as many plural forms as the language has.
  ``{days:day|days:dat}`` asks for the entry with ``msgctxt "count:dat"``.

To add a part's texts, write them as ``Sentence("…")``, ``Refused(rule, "…")``, ``_("…")`` or ``N_("…")`` with the
English text itself, in Python, Jinja or JavaScript; give the part a `Words`; put its files beside it.
`tests/test_catalogues.py` finds every source with Babel's extractor and reports missing, superfluous and fuzzy entries.
"""

from service.words.catalogues import ENGLISH, HOUSE, called, known, languages, locale, own_name, spoken
from service.words.moments import Moment, moment
from service.words.texts import N_, amount, kind_of_bot, listed, name_of_bot, said

__all__ = [
    "ENGLISH", "HOUSE", "N_", "Moment", "amount", "called", "kind_of_bot", "known", "languages", "listed", "locale",
    "moment", "name_of_bot", "own_name", "said", "spoken",
]  # fmt: skip
