"""The docs are true: files and links that they name exist, the glossary's words stand in the code, README is short."""

import re
from pathlib import Path

import pytest

from tests import settings

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
ROOMS = ("config", "domain", "service", "workers")
PLACE = re.compile(r"`((?:config|docs|domain|service|tests|workers)/[\w./-]+)`")
LINK = re.compile(r"\]\(([^):#]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_and_links_named_on_a_page_exist(page: Path) -> None:
    text = page.read_text()
    missing = [name for name in PLACE.findall(text) if not (ROOT / name).exists()]
    missing += [name for name in LINK.findall(text) if not (page.parent / name).exists()]
    assert missing == []


def test_the_readme_is_short() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 150
    assert len(text.split()) <= 1300


def test_the_index_names_every_page() -> None:
    index = ROOT / "docs/README.md"
    named = {(index.parent / name).resolve() for name in LINK.findall(index.read_text())}
    pages = {page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "decisions"}
    assert pages - named == {index}


def glossary() -> list[str]:
    """Return the words of the glossary."""
    lines = (ROOT / "docs/developer/glossary.md").read_text().splitlines()
    rows = [line.split("|")[1].strip() for line in lines if line.startswith("| ")]
    return [word for row in rows if row != "word" for word in row.split(", ")]


def test_the_glossary_has_few_enough_words_to_learn() -> None:
    assert 40 < len(glossary()) <= 120
    assert len(glossary()) == len({*glossary()})


def test_every_word_of_the_glossary_stands_in_the_code() -> None:
    code = "\n".join(file.read_text() for room in ROOMS for file in (ROOT / room).rglob("*.py")).lower()
    missing = [word for word in glossary() if not re.search(rf"\b{word.replace(' ', '[ _]')}", code)]
    assert missing == []


def test_the_page_of_settings_is_current() -> None:
    assert settings.PAGE.read_text() == settings.page(), "python -m tests.settings writes it anew"
