"""Every file of a language is complete: it has exactly the texts that Babel's extractor finds.

A part of the program is a folder that has a folder ``words`` with files in it; a part inside it has its own texts.
"""

import ast
import re
import string
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import read_po

import domain
from domain import house_words
from domain.words import Sentence
from service.notices.owing import PEOPLE
from tests import toy
from tests.sentences import KEYWORDS, METHODS

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "domain"
TOY = ROOT / "tests"
TITLES = (*domain.TITLES.values(), toy.TITLE)
FILES = sorted(file for root in ("domain", "service", "tests") for file in (ROOT / root).rglob("words/*.po"))
PARTS = {file.parents[1] for file in FILES} | {HOUSE / title for title in domain.TITLES}


@cache
def names(part: Path) -> dict[str, str]:
    """Return the ids that a part names itself, without composed names."""
    titles = [title for title in TITLES if title.face.words.folder.parent == part]
    named = house_words.NAMES if part == HOUSE else titles[0].face.words.names if titles else {}
    others = {} if part == HOUSE else house_words.NAMES
    return {id_: name for id_, name in named.items() if isinstance(name, str) and id_ not in others}


@cache
def sentences(part: Path) -> frozenset[str]:
    """Return the sentences in the sources of a part: templates as they stand in the code.

    Refusals of the service, outside of all parts, are the house's.
    """

    def is_ours(folder: str) -> bool:
        return Path(folder) not in PARTS and Path(folder).name != "static"

    if part == TOY:
        return frozenset(str(found[1]) for found in extract_from_file("python", TOY / "toy.py", keywords=KEYWORDS))
    found = list(extract_from_dir(part, METHODS, keywords=KEYWORDS, directory_filter=is_ours))
    if part == HOUSE:
        refusals = {keyword: KEYWORDS[keyword] for keyword in ("Sentence", "Refused")}
        for room in (ROOT / "service", ROOT / "workers"):
            found += extract_from_dir(room, METHODS[:1], keywords=refusals, directory_filter=is_ours)
    return frozenset(message for _, _, message, _, _ in found if isinstance(message, str))


@cache
def read(file: Path) -> Catalog:
    with file.open("rb") as opened:
        return read_po(opened, abort_invalid=True)


def asked(template: str) -> Iterator[tuple[str, str]]:
    """Return (field, form) of each field."""
    return ((name, form or "") for _, name, form, _ in string.Formatter().parse(template) if name is not None)


def entries(file: Path, context: str | None) -> dict[str, str]:
    """Return English -> translation, of entries of one kind: sentences (None) or names, whose context stands before the
    text.
    """
    found = (each for each in read(file) if each.id and isinstance(each.id, str))
    if context is None:
        return {str(each.id): str(each.string) for each in found if not each.context}
    return {str(each.context): str(each.id) for each in found if (each.context or "").startswith(f"{context} ")}


def counts(file: Path) -> set[str]:
    """Return the nouns of counts, as a template asks for them."""
    return {
        "|".join(each.id) + (each.context or "").removeprefix("count")
        for each in read(file)
        if isinstance(each.id, tuple | list)
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
class TestAFile:
    def test_each_file_has_exactly_the_sentences_of_its_part(self, file: Path) -> None:
        part, held = file.parents[1], set(entries(file, None))
        house = set() if part == HOUSE else set(entries(HOUSE / "words" / file.name, None))
        assert len(sentences(part)) > 3
        assert sorted(sentences(part) - held - house) == []
        assert sorted(held - sentences(part)) == []

    def test_the_tag_of_a_language_fits_into_the_column_of_a_person(self, file: Path) -> None:
        assert len(file.stem) <= PEOPLE.c.lang.type.length

    def test_each_file_has_exactly_the_names_of_its_part(self, file: Path) -> None:
        known, held = names(file.parents[1]), entries(file, "name")
        plain = {f"name {id_}": name for id_, name in known.items()}
        assert {each for each in held.items() if ":" not in each[0]} == set(plain.items())
        for context, english in held.items():
            assert plain[context.partition(":")[0]] == english, context

    def test_some_sentence_uses_each_form_and_each_count(self, file: Path) -> None:
        forms = {form for said in entries(file, None).values() for _, form in asked(said)}
        assert {context.partition(":")[2] for context in entries(file, "name") if ":" in context} <= forms
        nouns = {form for form in forms if "|" in form}
        house = HOUSE / "words" / file.name
        assert counts(file) <= nouns
        assert nouns <= counts(file) | counts(house)

    def test_no_text_has_two_entries(self, file: Path) -> None:
        """Readers of such files disagree on which of two entries counts."""
        found = re.findall(r'^((?:msgctxt .*\n)?msgid (?:".*"\n)+)', file.read_text(), re.MULTILINE)
        assert [it for it, times in Counter(found).items() if times > 1] == []

    def test_no_entry_is_fuzzy_empty_or_obsolete(self, file: Path) -> None:
        catalog = read(file)
        assert [each.id for each in catalog if each.fuzzy and each.id] == []
        assert [each.id for each in catalog if each.id and not each.string] == []
        assert list(catalog.obsolete) == []
        for each in catalog:
            if isinstance(each.id, tuple | list):
                assert len(each.string) == catalog.num_plurals, each.id
                assert all(each.string), each.id

    def test_a_translation_has_the_fields_of_the_english_sentence(self, file: Path) -> None:
        for english, said in entries(file, None).items():
            assert {name for name, _ in asked(english)} == {name for name, _ in asked(said)}, english


def test_composed_names_use_ids_that_have_names() -> None:
    for title in TITLES:
        for id_, name in title.face.words.names.items():
            if isinstance(name, Sentence):
                ids = [each for fact in name.facts.values() for each in (fact if isinstance(fact, tuple) else (fact,))]
                assert all(each in title.face.words.names for each in ids if isinstance(each, str)), id_


@pytest.mark.parametrize("room", ["domain", "service", "workers"])
def test_templates_are_literals_where_they_are_said(room: str) -> None:
    """Anything but a text, or a text of a sentence, would hide the template from the extractor."""
    hidden, found = [], 0
    for file in sorted((ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if isinstance(node, ast.Call) and name in ("Sentence", "Refused"):
                found, template = found + 1, node.args[0 if name == "Sentence" else 1]
                known = getattr(template, "attr", getattr(template, "id", "")) == "template"
                if not (isinstance(template, ast.Constant) or known):
                    hidden.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert hidden == []
    assert found > 0 or room == "workers"


def test_no_sentence_stands_inside_an_f_string() -> None:
    """Before Python 3.12, Babel's extractor does not look inside of f-strings."""
    found = [
        f"{file.relative_to(ROOT)}:{call.lineno}"
        for room in ("domain", "service", "workers")
        for file in sorted((ROOT / room).rglob("*.py"))
        for whole in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(whole, ast.JoinedStr)
        for call in ast.walk(whole)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS
        if any(isinstance(it, ast.Constant) and isinstance(it.value, str) for it in call.args)
    ]
    assert found == []
