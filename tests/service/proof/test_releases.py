"""The table of releases is true for this program and for the logs of each release."""

import re
from itertools import pairwise

from domain import TITLES
from service.proof.bundle import format as bundles
from service.proof.releases import RELEASES, last_to_decide
from tests import releases


def test_the_last_line_is_this_program() -> None:
    newest = RELEASES[-1]
    assert newest.version == releases.version()
    assert newest.rules == {title.id: title.rules.version for title in TITLES.values()}


def test_every_line_but_the_last_names_its_commit() -> None:
    assert all(re.fullmatch("[0-9a-f]{40}", it.commit or "") for it in RELEASES[:-1])
    assert RELEASES[-1].commit is None


def test_no_title_and_no_version_of_its_rules_goes_back() -> None:
    for older, newer in pairwise(RELEASES):
        assert all(rules <= newer.rules[title] for title, rules in older.rules.items())


def test_games_of_a_release_were_decided_by_the_rules_of_its_line() -> None:
    lines = {it.version: it.rules for it in RELEASES}
    for folder in releases.folders():
        for file in releases.files(folder):
            bundle = bundles.read(releases.read(file)).bundle
            title = TITLES[bundle.header.title]
            decided_by = {ply.rules for ply in releases.plies_of(title, bundle)}
            assert decided_by == {lines[folder.name][title.id]}, file.name


def test_the_code_of_every_version_of_the_rules_is_known() -> None:
    for title in TITLES.values():
        for rules in range(1, title.rules.version + 1):
            assert last_to_decide(title.id, rules) is not None
    assert last_to_decide("ticket_to_ride", 1) == RELEASES[0]
    assert last_to_decide("ticket_to_ride", 99) is None
    assert last_to_decide("chess", 1) is None
