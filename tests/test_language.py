"""The mechanical part of docs/LANGUAGE.md: clauses used as nouns, in texts that readers see and in docstrings."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from tests.sentences import KEYWORDS, METHODS

ROOT = Path(__file__).parents[1]
SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z])|\n\s*\n|\n\s*[-*] |\|")
NOUN_CLAUSE = re.compile(
    r"^\W*(?:Who|Whom|Whose|What|Whoever|Whatever) \S+ [^?]*$|\b(?:of|for|to|by) (?:who|whom|whoever)\b", re.IGNORECASE
)
"""A heading of two words, such as "What changed", does not count."""
PAGES = [*sorted(ROOT.glob("[CRS]*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
PAGES.remove(ROOT / "CHANGELOG.md")  # it quotes earlier texts
LEFT = {"config": 0, "domain": 0, "service": 0, "workers": 0}
"""Sentences of docstrings in each room that still use a clause as a noun. A number only falls."""
TEXTS_LEFT: dict[str, int] = {
    "docs/host/security-log.md": 1,
}
"""The same for texts and pages that readers see; nothing new may come here."""


def clauses_as_nouns(text: str) -> Iterator[str]:
    """Yield the sentences of a text in which a clause stands for a person or a thing."""
    for sentence in SENTENCE.split(text):
        if NOUN_CLAUSE.search(flat := " ".join(sentence.split())):
            yield flat


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What came from outside acts alone.", 1),
        ("It is the mail of who sent it.", 1),
        ("Mail goes. Whoever has the link may watch.", 1),
        ("What do you want to do?", 0),
        ("Who may see it?", 0),
        ("The player who moved last, and what they did.", 0),
    ],
)
def test_a_clause_used_as_a_noun_is_found(text: str, found: int) -> None:
    assert len(list(clauses_as_nouns(text))) == found


@pytest.mark.parametrize("file", sorted(ROOT.glob("[dsw]*/**/words/de.po")), ids=lambda it: str(it.relative_to(ROOT)))
def test_no_text_that_readers_see_uses_a_clause_as_a_noun(file: Path) -> None:
    with file.open("rb") as source:
        texts = [it.id if isinstance(it.id, str) else it.id[0] for it in read_po(source, locale="de") if it.id]
    assert texts
    found = [it for text in texts for it in clauses_as_nouns(text)]
    assert len(found) <= TEXTS_LEFT.get(str(file.relative_to(ROOT)), 0), found


@pytest.mark.parametrize("page", PAGES, ids=lambda it: str(it.relative_to(ROOT)))
def test_no_page_of_docs_uses_a_clause_as_a_noun(page: Path) -> None:
    text = re.sub(r"```.*?```|^\| before .*\n(?:\|.*\n)*", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    found = list(clauses_as_nouns(re.sub(r'"[^"]*"', "", text)))
    assert len(found) <= TEXTS_LEFT.get(str(page.relative_to(ROOT)), 0), found


@pytest.mark.parametrize("room", LEFT)
def test_docstrings_use_fewer_clauses_as_nouns_each_time(room: str) -> None:
    found = []
    for file in sorted((ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                said = clauses_as_nouns(ast.get_docstring(node) or "")
                found += [f"{file.relative_to(ROOT)}: {it}" for it in said]
    assert len(found) <= LEFT[room], "\n".join(found[:20])


# ==== moves and plies =============================================================================
PLY = re.compile(r"\bpl(?:y|ies)\b", re.IGNORECASE)
FIELD = re.compile(r"\{\w+")
OF_AUDITORS = (
    "proof/", "operators/", "cli/", "web/api/", "web/pages/operators/", "web/pages/story/audit.",
    "web/pages/front/checks.", "web/pages/parts/words_shown.html",
)  # fmt: skip
"""The rooms and pages that say "ply": for auditors, operators and programs."""
OF_PLAYERS = sorted(it for each in ("docs/player/*.md", "domain/**/catalogue*.md", "domain/**/how_to_play*.md",
                                    "domain/HOUSE_RULES*.md") for it in ROOT.glob(each))  # fmt: skip


def test_texts_of_pages_and_letters_say_move() -> None:
    """Auditors, operators and the API say "ply"; the number is the same."""
    found = [
        (file, text)
        for file, _, text, _, _ in extract_from_dir(ROOT / "service", METHODS, keywords=KEYWORDS)
        if isinstance(text, str) and PLY.search(FIELD.sub("", text))
    ]
    assert {file.partition("/")[0] for file, _ in found} >= {"proof", "web"}
    assert [it for it in found if not it[0].startswith(OF_AUDITORS)] == []


def test_texts_of_the_rules_say_move() -> None:
    found = [text for _, _, text, _, _ in extract_from_dir(ROOT / "domain", METHODS, keywords=KEYWORDS)]
    assert len(found) > 100
    assert [it for it in found if isinstance(it, str) and PLY.search(FIELD.sub("", it))] == []


@pytest.mark.parametrize("page", OF_PLAYERS, ids=lambda it: str(it.relative_to(ROOT)))
def test_pages_for_players_say_move(page: Path) -> None:
    assert PLY.findall(re.sub(r"`[^`]*`", "", page.read_text())) == []


@pytest.mark.parametrize("file", sorted(ROOT.glob("[ds]*/**/words/de.po")), ids=lambda it: str(it.relative_to(ROOT)))
def test_german_texts_call_a_move_and_a_ply_a_zug(file: Path) -> None:
    with file.open("rb") as source:
        entries = [(str(it.id), str(it.string)) for it in read_po(source, locale="de") if isinstance(it.id, str)]
    assert [it for _, it in entries if "halbzug" in it.lower() or "halbzüge" in it.lower()] == []
    numbered = [(said, it) for said, it in entries if re.search(r"\b(?:move|ply) \{(?:version|to|ply|number)", said)]
    assert [it for it in numbered if "Zug" not in it[1]] == []
