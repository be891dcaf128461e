"""Reads `.po` files, each when its language is first spoken, and keeps what it has made of them.

Plural forms are those of the file's own header; lists are joined, and amounts written, as Babel does it.
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
"""The files of what all parts say alike."""


class Catalogue(NamedTuple):
    """What one file holds, each as in `Language`."""

    texts: dict[str, str]
    names: dict[str, str]
    counts: dict[str, Sequence[str]]
    plural: Callable[[int], int]


@lru_cache(maxsize=1024)
def spoken(words: Words, tag: str) -> Language:
    """The language ``tag`` (BCP 47: "de", "de-AT") as a part speaks it; English where it does not know it."""
    code = known(tag)
    own = code and _read(words.folder / f"{code}.po")
    if not (code and own):
        return words.english
    from babel.lists import format_list  # Babel takes a while to import, and English does without it
    from babel.numbers import format_decimal

    shared, there = _read(HOUSE / f"{code}.po") or own, locale(code)
    texts, names, counts = shared.texts | own.texts, shared.names | own.names, shared.counts | own.counts
    listed, amount = partial(format_list, locale=there), partial(format_decimal, locale=there)
    return naming(Language(code, texts, names, counts, own.plural, listed, amount), words.names)


def called(title: Title, tag: str) -> str:
    """The name of a title."""
    return title.name(spoken(title.face.words, tag))


@cache
def languages() -> tuple[str, ...]:
    """The languages that the house speaks, English first."""
    return ENGLISH, *sorted(file.stem for file in HOUSE.glob("*.po"))


@lru_cache(maxsize=1024)
def known(tag: str) -> str | None:
    """The language of ours that a BCP 47 tag stands for: "de-AT" is "de"; None where there is none.

    The longest beginning counts (RFC 4647, 3.4), without regard to case.
    """
    subtags, ours = tag.lower().replace("_", "-").split("-"), {code.lower(): code for code in languages()}
    while subtags:
        if code := ours.get("-".join(subtags)):
            return code
        subtags.pop()
    return None


def own_name(code: str) -> str:
    """What a language of ours calls itself: "Deutsch"; its code where Babel does not know it."""
    there = locale(code)
    known_well = code == ENGLISH or there != locale(ENGLISH)
    return str(there.get_language_name(there.language) or code) if known_well else code


@lru_cache(maxsize=64)
def locale(code: str) -> "Locale":
    """How dates, times and lists are written in a language of ours. English is that of Britain.

    A language that Babel does not know writes them as English does.
    """
    import babel

    try:
        return babel.Locale.parse("en_GB" if code == ENGLISH else code, sep="-" if "-" in code else "_")
    except (ValueError, babel.UnknownLocaleError):
        return locale(ENGLISH)


@cache
def _read(file: Path) -> Catalogue | None:
    """A file's entries; None where there is no such file. What is fuzzy or empty is not there."""
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
