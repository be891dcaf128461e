"""The numbered rules in a language.

The English rules are a file of Markdown (`catalogue.md`), and a translation is a file beside it (`catalogue.de.md`).
Both consist of parts: a heading with the text below it, or a rule. A part of a translation stands below a comment with
its key and with a digest of the English part: ``<!-- TTR 5.3 0a1b2c3d4e -->``. A part counts while this digest is that
of the English part as it is now. Every other part is in English.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from service.words.catalogues import ENGLISH, languages


class RulePart(NamedTuple):
    """A part of the rules. ``key``: the number of the rule, or the anchor of the heading. ``lang``: of ``text``, which
    is Markdown. ``behind``: the translation renders an earlier English text, or lacks this part.
    """

    key: str
    text: str
    lang: str
    behind: bool


COMMENT = re.compile(r"^<!-- (.+) ([0-9a-f]{10}) -->\n", re.MULTILINE)


def digest(text: str) -> str:
    """Return the digest of an English part, whatever its line breaks."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:10]


def anchor(heading: str) -> str:
    return "chapter-" + re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def translation(file: Path, lang: str) -> Path:
    """Return the place of a text's translation: `catalogue.de.md` beside `catalogue.md`."""
    return file.with_suffix(f".{lang}{file.suffix}")


def languages_of(file: Path) -> list[str]:
    """Return the languages in which a text can be read, English first."""
    return [lang for lang in languages() if lang == ENGLISH or translation(file, lang).exists()]


@lru_cache(64)
def parts(file: Path, prefix: str, lang: str) -> tuple[RulePart, ...]:
    """Return the rules in ``file``, whose numbers begin with ``prefix``, as far as possible in ``lang``."""
    english = list(english_parts(file, prefix))
    if lang not in languages_of(file) or lang == ENGLISH:
        return tuple(RulePart(key, text, ENGLISH, False) for key, text in english)
    theirs = {key: (of, text) for key, of, text in translated_parts(translation(file, lang))}
    return tuple(
        RulePart(key, theirs[key][1], lang, False)
        if theirs.get(key, ("", ""))[0] == digest(text)
        else RulePart(key, text, ENGLISH, True)
        for key, text in english
    )


def text(file: Path, prefix: str, lang: str) -> str:
    """Return the rules in ``file`` as Markdown, as far as possible in ``lang``."""
    return "".join(part.text for part in parts(file, prefix, lang))


def english_parts(file: Path, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield key and text of each part of the English rules."""
    text = file.read_text(encoding="utf-8")
    head = re.compile(rf"^(?:- )?\*\*({prefix} \d+(?:\.\d+)?)(?![\d.]*\d)|^#{{1,6}} (.+)$", re.MULTILINE)
    heads = list(head.finditer(text))
    ends = [found.start() for found in heads[1:]] + [len(text)]
    for found, end in zip(heads, ends, strict=True):
        yield found[1] or anchor(found[2]), text[found.start() : end]


def translated_parts(file: Path) -> Iterator[tuple[str, str, str]]:
    """Yield key, digest of the English part, and text of each part of a translation."""
    _, *pieces = COMMENT.split(file.read_text(encoding="utf-8"))
    yield from zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
