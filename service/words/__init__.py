"""Languages, as the `.po` files of the parts give them. English is what stands in the code.

Each part of the program with texts (a title, the service, the proofs) has a value `domain.words.Words`. It holds the
English names of its ids, and its folder ``words`` with a file for each language (``de.po``, of GNU gettext). `spoken`
makes a `domain.words.Language` of it, once per process, which includes all texts of the house (``domain/words``).
Where a part lacks a language, its texts appear in English. In a file, ``msgctxt`` distinguishes kinds of entries:

- none: a sentence. ``msgid "Dump {good} from {railcar}"``, ``msgstr "{good} von {railcar:dat} mit Verlust abladen"``.
- ``name box_car``: what an id is called; ``name box_car:dat``: the same in the form "dat", which a translated sentence
  asks for. Which forms there are is the language's affair.
- ``count``: the nouns of a count. Sentences keep them in every language as they are in English (``{days:day|days}``);
  they are said by the entry ``msgid "day"``, ``msgid_plural "days"``, with as many plural forms as the language has.
  ``{days:day|days:dat}`` asks for the entry with ``msgctxt "count:dat"``.

How a part is brought to files, and kept in them: write what it says as ``Sentence("…")``, ``Refused(rule, "…")``,
``_("…")`` or ``N_("…")`` with the English text itself, in Python, Jinja or JavaScript; give it a `Words`; put its
files beside it. `tests/test_catalogues.py` finds every source with Babel's extractor and says what a file lacks, what
is left over in it and what is fuzzy.
"""

from service.words.catalogues import ENGLISH, HOUSE, called, known, languages, locale, own_name, spoken
from service.words.moments import Moment, moment
from service.words.own import N_, amount, kind_of_bot, listed, name_of_bot, said

__all__ = [
    "ENGLISH", "HOUSE", "N_", "Moment", "amount", "called", "kind_of_bot", "known", "languages", "listed", "locale",
    "moment", "name_of_bot", "own_name", "said", "spoken",
]  # fmt: skip
