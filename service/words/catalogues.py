"""The reader of `.po` files: it reads each at the first use of its language, and caches the result.

Plural forms come from the file's header; Babel joins lists and writes amounts.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from gettext import c2py
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from domain import house_words
from domain.title import Title
from domain.words import Language, Words, naming

if TYPE_CHECKING:
    from babel import Locale

ENGLISH = "en"
HOUSE = house_words.WORDS.folder
"""The files of texts that all parts share."""


class Catalogue(NamedTuple):
    """The entries of one file, in the shapes of `Language`."""

    texts: dict[str, str]
    names: dict[str, str]
    counts: dict[str, Sequence[str]]
    plural: Callable[[int], int]


@lru_cache(maxsize=1024)
def spoken(words: Words, tag: str) -> Language:
    """Return the language ``tag`` (BCP 47: "de", "de-AT") for a part, or English if it is unknown."""
    code = known(tag)
    own = code and _read(words.folder / f"{code}.po")
    if not (code and own):
        return words.english
    from babel.lists import format_list  # Babel's import is slow, and English needs none of it
    from babel.numbers import format_decimal

    shared, there = _read(HOUSE / f"{code}.po") or own, locale(code)
    texts, names, counts = shared.texts | own.texts, shared.names | own.names, shared.counts | own.counts
    listed, amount = partial(format_list, locale=there), partial(format_decimal, locale=there)
    return naming(Language(code, texts, names, counts, own.plural, listed, amount), words.names)


def called(title: Title, tag: str) -> str:
    """Return the name of a title."""
    return title.name(spoken(title.face.words, tag))


@cache
def languages() -> tuple[str, ...]:
    """Return the languages of the program, English first."""
    return ENGLISH, *sorted(file.stem for file in HOUSE.glob("*.po"))


@lru_cache(maxsize=1024)
def known(tag: str) -> str | None:
    """Return our language for a BCP 47 tag ("de" for "de-AT"), or None.

    The longest prefix wins (RFC 4647, 3.4), without regard to case.
    """
    subtags, ours = tag.lower().replace("_", "-").split("-"), {code.lower(): code for code in languages()}
    while subtags:
        if code := ours.get("-".join(subtags)):
            return code
        subtags.pop()
    return None


@cache
def own_name(code: str) -> str:
    """Return a language's name for itself, such as "Deutsch"; its code if Babel does not know it."""
    there = locale(code)
    known_well = code == ENGLISH or there != locale(ENGLISH)
    return str(there.get_language_name(there.language) or code) if known_well else code


@lru_cache(maxsize=64)
def locale(code: str) -> "Locale":
    """Return Babel's locale for dates, times and lists in one of our languages. English is British.

    For a language that Babel does not know, it is English, too.
    """
    import babel

    try:
        return babel.Locale.parse("en_GB" if code == ENGLISH else code, sep="-" if "-" in code else "_")
    except (ValueError, babel.UnknownLocaleError):
        return locale(ENGLISH)


@cache
def _read(file: Path) -> Catalogue | None:
    """Return a file's entries without fuzzy and empty ones, or None if there is no such file."""
    if not file.exists():
        return None
    from babel.messages.pofile import read_po

    texts: dict[str, str] = {}
    names: dict[str, str] = {}
    counts: dict[str, Sequence[str]] = {}
    with file.open("rb") as opened:
        catalog = read_po(opened, abort_invalid=True)
    for message in catalog:
        if not message.id or message.fuzzy:
            continue
        kind, _, of = (message.context or "").partition(" ")
        said = message.string or ""
        if isinstance(said, tuple | list):
            if all(said):
                counts["|".join(message.id) + kind.removeprefix("count")] = tuple(said)
        elif said and kind == "name":
            names[of] = said
        elif said:
            texts[str(message.id)] = said
    return Catalogue(texts, names, counts, c2py(catalog.plural_expr))
