"""What the pages for engineers name is there: files, links, and no more words in the glossary than one remembers."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
PLACE = re.compile(r"`((?:config|docs|domain|service|tests|workers)/[\w./-]+)`")
LINK = re.compile(r"\]\(([^):#]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_is_there(page: Path) -> None:
    text = page.read_text()
    missing = [name for name in PLACE.findall(text) if not (ROOT / name).exists()]
    missing += [name for name in LINK.findall(text) if not (page.parent / name).exists()]
    assert missing == []


def test_the_glossary_is_short() -> None:
    rows = [line for line in (ROOT / "docs/GLOSSARY.md").read_text().splitlines() if line.startswith("| ")]
    assert 20 < len(rows) - 1 <= 40
