"""Mutants that mean nothing: no test can distinguish them from the rules, and `equivalents.toml` says why.

It holds one table a reason, under the id of the title: ``why``, and ``mutants`` as `Mutant.key` names them. If one no
longer exists, a test fails (`test_mutants`).
"""

import tomllib
from pathlib import Path

KEPT = tomllib.loads(Path(__file__).with_name("equivalents.toml").read_text(encoding="utf-8"))
EQUIVALENTS: dict[str, dict[str, str]] = {
    title: {key: reason["why"] for reason in reasons for key in reason["mutants"]} for title, reasons in KEPT.items()
}
"""Title -> key -> reason."""
