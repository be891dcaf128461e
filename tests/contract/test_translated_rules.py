"""The rules in other languages: each part renders the English one as it stands, with the same numbers and code.

After a change of an English rule, mend its translation, and then copy the digest that the test names.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

import domain
from service.words import ENGLISH, languages, rulebooks

BOOKS = {title.prefix: title.catalogue for title in domain.TITLES.values()}
BOOKS["ST"] = Path(domain.__file__).parent / "HOUSE_RULES.md"
TRANSLATIONS = [
    (prefix, lang) for prefix, file in BOOKS.items() for lang in rulebooks.languages_of(file) if lang != ENGLISH
]


@pytest.mark.parametrize(("prefix", "lang"), TRANSLATIONS)
def test_every_part_renders_the_english_one_as_it_stands(prefix: str, lang: str) -> None:
    english = dict(rulebooks.english_parts(BOOKS[prefix], prefix))
    rendered = {key: of for key, of, _ in rulebooks.translated_parts(rulebooks.translation(BOOKS[prefix], lang))}
    assert list(rendered) == list(english), "the same parts in the same order"
    assert {key: rulebooks.digest(text) for key, text in english.items()} == rendered


@pytest.mark.parametrize(("prefix", "lang"), TRANSLATIONS)
def test_every_part_has_the_numbers_and_the_code_of_the_english_one(prefix: str, lang: str) -> None:
    english = dict(rulebooks.english_parts(BOOKS[prefix], prefix))
    for key, _, text in rulebooks.translated_parts(rulebooks.translation(BOOKS[prefix], lang)):
        assert facts(text) == facts(english[key]), key
        assert text.startswith(re.match(r"#+ |(?:- )?\*\*" + re.escape(key), english[key])[0]), key  # type: ignore[index]


def facts(text: str) -> Counter[str]:
    """Count the numbers in a text, and the pieces of code."""
    plain = re.sub(r"(?<=\d)[.,](?=\d{3}\b)", "", text)
    return Counter(re.findall(r"`[^`]+`|\d+", plain))


def test_a_file_of_another_language_is_read_because_it_is_there() -> None:
    found = {file.name.split(".")[1] for book in BOOKS.values() for file in book.parent.glob(f"{book.stem}.*.md")}
    assert found <= {*languages()} - {ENGLISH}
    assert {lang for _, lang in TRANSLATIONS} == found


@pytest.mark.parametrize(("prefix", "lang"), TRANSLATIONS)
def test_the_whole_text_of_a_language_holds_each_part_without_its_digest(prefix: str, lang: str) -> None:
    file = BOOKS[prefix]
    assert rulebooks.text(file, prefix, ENGLISH) == file.read_text(encoding="utf-8")
    whole = rulebooks.text(file, prefix, lang)
    assert whole == "".join(text for _, _, text in rulebooks.translated_parts(rulebooks.translation(file, lang)))
    assert not rulebooks.COMMENT.search(whole)
