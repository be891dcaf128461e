"""The documented table of stored and signed data is complete and up to date."""

import re
from pathlib import Path

from sqlmodel import SQLModel

from service.database import tables

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/host/data.md").read_text()
SALT = re.compile(r"""[bf]["']slow train ([A-Za-z0-9 -]+?)(?:[|"']| ?\{)""")
PURPOSE = re.compile(r"""_(?:sign|open|serializer)\(settings, ["']([^"']+)["']""")


def rows(heading: str) -> dict[str, str]:
    """Return the first two fields of each row of the tables under a heading."""
    part = TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| `([^`]+)` \| ([^|]+) \|", part, re.M))


def test_every_table_is_documented_with_its_retention() -> None:
    assert tables
    assert sorted(rows("Tables")) == sorted(SQLModel.metadata.tables)


def test_every_purpose_of_a_key_is_documented() -> None:
    found: set[str] = set()
    for top in ("config", "domain", "service", "workers"):
        for file in (ROOT / top).rglob("*.py"):
            code = file.read_text()
            found |= {it.strip() for it in SALT.findall(code)} | set(PURPOSE.findall(code))
    assert len(found) > 20
    assert {f"slow train {it}" for it in found} == set(rows("Purposes of keys"))


def test_no_key_is_used_without_a_purpose() -> None:
    """Code that uses a key of the installation states the purpose in the same file."""
    for top in ("service", "workers"):
        for file in (ROOT / top).rglob("*.py"):
            code = file.read_text()
            if re.search(r"hmac\.(new|digest)\(\s*(settings\.)?key", code):
                assert "slow train " in code, file
