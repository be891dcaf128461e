"""The image contains the same versions as the tests, each file by its hash."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINE = re.compile(r"([A-Za-z0-9._-]+)==(\S+)((?:\s+--hash=sha256:[0-9a-f]{64})+)")
BUILT_WITH = {"setuptools"}
"""Packages that build the project and are removed afterwards."""


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked() -> dict[str, tuple[str, int]]:
    """Return, by name, the version and the number of hashes."""
    found: dict[str, tuple[str, int]] = {}
    text = (ROOT / "config/deploy/image.lock").read_text().replace("\\\n", " ")
    for line in text.splitlines():
        if not line.startswith("#"):
            read = LINE.fullmatch(line.strip())
            assert read, line
            name, version, hashes = read.groups()
            found[canonical(name)] = version, hashes.count("--hash")
    return found


def test_the_lock_has_the_versions_of_the_constraints() -> None:
    pairs = (line.split("==") for line in (ROOT / "config/constraints.txt").read_text().split())
    constraints = {canonical(name): version for name, version in pairs}
    assert {name: version for name, (version, _) in locked().items() if name not in BUILT_WITH}.items() <= (
        constraints.items()
    )


def test_the_lock_has_all_packages_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    names = {canonical(re.match(r"[A-Za-z0-9._-]+", it)[0]) for it in needed}  # type: ignore[index]
    assert names <= set(locked())
    assert all(hashes for _, hashes in locked().values())


def test_the_image_installs_nothing_without_its_hash() -> None:
    text = (ROOT / "config/deploy/Containerfile").read_text().replace("\\\n", " ")
    installs = [part for line in text.splitlines() for part in line.split("&&") if "pip install" in part]
    assert len(installs) == 2
    for line in installs:
        assert "--require-hashes" in line or ("--no-deps" in line and "--no-build-isolation" in line), line
