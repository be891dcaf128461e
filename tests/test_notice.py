"""NOTICE names every library we use whose licence demands more than being kept."""

import importlib.metadata
import re
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
ASKS_FOR_MORE = re.compile(r"GPL|General Public|MPL|Mozilla|EPL|CDDL", re.IGNORECASE)


def used(package: str = "slowtrain") -> set[str]:
    """Return the installed packages that Slow Train needs, without those that only tests need."""
    found: set[str] = set()
    wanted = {(package, "")}
    while wanted:
        name, extra = wanted.pop()
        found.add(name.lower())
        for line in importlib.metadata.distribution(name).requires or []:
            need = Requirement(line)
            if need.marker is None or need.marker.evaluate({"extra": extra}):
                wanted |= {(need.name, it) for it in (need.extras or {""}) if need.name.lower() not in found or it}
    return found - {package}


def licence(package: str) -> str:
    meta = importlib.metadata.metadata(package)
    named = [
        *(meta.get_all("License-Expression") or []),
        *(meta.get_all("License") or [])[:1],
        *(it for it in meta.get_all("Classifier") or [] if it.startswith("License")),
    ]
    return " ".join(text[:200] for text in named)


def test_notice_names_every_library_whose_licence_demands_it() -> None:
    notice, packages = (ROOT / "NOTICE").read_text(), used()
    assert {"flask", "psycopg", "psycopg-binary", "resvg-py", "kombu"} <= packages
    named = {package for package in packages if ASKS_FOR_MORE.search(licence(package))}
    assert named >= {"psycopg", "psycopg-binary"}
    assert [package for package in named if not re.search(rf"\b{package}\b", notice)] == []
    said = " ".join(notice.split())
    for its in ("Lesser General Public License, version 3", "resvg", "Apache 2.0 or MIT", "Mozilla Public License 2.0"):
        assert its in said
