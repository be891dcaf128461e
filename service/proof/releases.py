"""Every release: its commit, and the version of the rules by which it decides each title.

A ply names the version of the rules that decided it. This table names the code of that version, for auditors who run it
again (``slowtrain verify --release``). Each release adds a line, which never changes except for its commit.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Release(NamedTuple):
    """A release. ``commit``: None for the newest, which is not committed yet. ``rules``: title -> version."""

    version: str
    commit: str | None
    rules: Mapping[str, int]


RELEASES = (
    Release(
        "0.1.0", "7cd0f4c1aa05342bd6dd5de1232f6d8551f29fd2", {"grand_trunk": 1, "new_england": 1, "ticket_to_ride": 1}
    ),
    Release(
        "0.2.0", "37a6641b60a653c3dde03d81584225e8366d9930", {"grand_trunk": 2, "new_england": 2, "ticket_to_ride": 2}
    ),
    Release("0.3.0.dev0", None, {"grand_trunk": 3, "new_england": 3, "ticket_to_ride": 3}),
)


def last_to_decide(title: str, rules: int) -> Release | None:
    """The newest release that decided a title by this version of the rules and no newer one; None if none did."""
    return next((it for it in reversed(RELEASES) if it.rules.get(title) == rules), None)
