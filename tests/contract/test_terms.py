"""Words of a game: each has a rule that exists, is short, and stands in the texts of its title in every language."""

from collections import Counter
from collections.abc import Iterator

import pytest

import domain
from domain.title import Title
from service.web.pages.parts.terms import _forms_of, names
from service.words import languages, rulebooks, spoken

MOST_WORDS = 26
EVERY = [pytest.param(box, lang, id=f"{box.id}-{lang}") for box in domain.TITLES.values() for lang in languages()]


def texts_of(box: Title, lang: str) -> Iterator[str]:
    """Yield the sentences and names of a title in a language, without those that explain its words."""
    language = spoken(box.face.words, lang)
    own = {it.template for term in box.face.terms for it in (term.forms, term.says)}
    yield from (said for template, said in language.texts.items() if template not in own)
    yield from language.names.values()


def test_rules_of_words_stand_in_the_catalogue(title: Title) -> None:
    known = {key for key, _ in rulebooks.english_parts(title.catalogue, title.prefix)}
    assert {it.rule for it in title.face.terms} <= known


@pytest.mark.parametrize(("box", "lang"), EVERY)
def test_a_word_is_explained_briefly_and_has_forms_of_its_own(box: Title, lang: str) -> None:
    texts = spoken(box.face.words, lang).texts
    assert len(box.face.terms) >= 12
    for it in box.face.terms:
        says = texts.get(it.says.template, it.says.template)
        assert 4 < len(says.split()) <= MOST_WORDS, says
    counted = Counter(form for forms in names(box, lang).values() for form in forms)
    assert [form for form, times in counted.items() if times > 1] == []
    assert len({it.id for it in box.face.terms}) == len(box.face.terms)


@pytest.mark.parametrize("box", [pytest.param(it, id=it.id) for it in domain.TITLES.values()])
def test_every_word_stands_in_texts_of_its_title(box: Title) -> None:
    """English sentences are the keys of any other language's texts."""
    german = spoken(box.face.words, "de")
    own = {it.template for term in box.face.terms for it in (term.forms, term.says)}
    english = [it for it in german.texts if it not in own] + list(box.face.words.english.names.values())
    for lang, texts in (("en", english), ("de", list(texts_of(box, "de")))):
        forms = _forms_of(box, lang)
        found = {forms.of[it[0]] for text in texts for it in forms.pattern.finditer(text)}
        assert {it.id for it in box.face.terms} - found == set(), lang
