"""Today's code proves and replays the games of every release, to the same end (`tests.releases`)."""

from pathlib import Path
from typing import Any

import pytest

from domain import TITLES
from domain.lifecycle import TakenBack
from domain.messages import tag_of
from service.proof.bundle import format as bundles
from service.proof.bundle.prove import prove
from tests import releases, samples

FOLDERS = releases.folders()
FILES = [file for folder in FOLDERS for file in releases.files(folder)]


@pytest.fixture(scope="module", params=FILES, ids=lambda file: f"{file.parent.name}-{file.name.partition('.')[0]}")
def file(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_a_released_game_is_proved_and_ends_as_it_did(file: Path):
    reading = bundles.read(releases.read(file))
    proof = prove(reading, TITLES)
    assert proof.proved, str(proof.fault)
    title, was = TITLES[reading.bundle.header.title], releases.finals(file.parent)[file.name]
    assert proof.decided + proof.replayed == was["plies"]
    now = releases.final(title, releases.game_of(title, reading.bundle))
    assert left_out(was, {**now, "events": was["events"]}) == []


def left_out(was: Any, now: Any, path: str = "") -> list[str]:
    """Return the paths at which ``now`` lacks something of ``was``. Additions of later releases are no difference."""
    if isinstance(was, dict) and isinstance(now, dict):
        return [it for name in was for it in left_out(was[name], now.get(name, "nothing"), f"{path}/{name}")]
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        return [it for at, pair in enumerate(zip(was, now, strict=True)) for it in left_out(*pair, f"{path}/{at}")]
    return [] if was == now and type(was) is type(now) else [f"{path}: {was!r} became {now!r}"]


def test_a_release_has_streams_of_every_title():
    for folder in FOLDERS:
        titles = {file.name.partition("-")[0] for file in releases.files(folder)}
        assert titles
        assert titles <= set(TITLES), "what a title has written must stay readable"
        assert set(releases.finals(folder)) == {file.name for file in releases.files(folder)}


def test_the_streams_hold_rare_events():
    """The streams of each release hold rewinding, leaving and closing a table, for each of its titles."""
    for folder in FOLDERS:
        by_title: dict[str, set[str]] = {}
        for name, end in releases.finals(folder).items():
            by_title.setdefault(name.partition("-")[0], set()).update(end["events"])
        for title, events in by_title.items():
            assert {"Rewound", "RewindRefused", "SeatRetired", "TakenBack", "GameCancelled"} <= events, title


def test_the_flags_of_a_released_event_hold_for_ever():
    """With a barrier more or fewer, old logs would lead to another state: a new barrier needs a new class."""
    for folder in FOLDERS:
        for title, kept in releases.kept_flags(folder).items():
            today = releases.flags(TITLES[title])
            assert {tag: today.get(tag, "gone") for tag in kept} == kept, title


def test_streams_of_version_1_take_back_plies_that_newer_rules_bar():
    """A pass that follows by itself, with a claim after it, and the row that moves down (TTR 10.6, NER 19.8)."""
    ticket_to_ride = taken_back("ticket_to_ride-7")
    assert {"TurnPassed", "RouteClaimed"} <= ticket_to_ride[0], "at once, in one turn"
    assert ticket_to_ride[1] == {"RouteClaimed", "TrainDeckShuffled", "TurnStarted"}, "and the claim alone"
    assert "RowMovedDown" in taken_back("new_england-8")[0]


def taken_back(name: str) -> list[set[str]]:
    """Return the events of the plies that each undoing in a stream of 0.1.0 withdrew; all are decided again."""
    reading = bundles.read(releases.read(releases.RELEASES / "0.1.0" / f"{name}.jsonl.gz"))
    proof, title = prove(reading, TITLES), TITLES[reading.bundle.header.title]
    plies = releases.plies_of(title, reading.bundle)
    assert (proof.decided, proof.replayed) == (len(plies), 0)
    assert {ply.rules for ply in plies} == {1}
    events = {ply.number: {tag_of(type(it)) for it in ply.events} for ply in plies}
    withdrawn = [it.plies for ply in plies for it in ply.events if isinstance(it, TakenBack)]
    return [set().union(*(events[number] for number in numbers)) for numbers in withdrawn]


def test_a_release_holds_every_event_of_its_version():
    """A new event needs a stream with it before the release: `python -m tests.releases` adds one.

    A version in development has no folder until then.
    """
    folder = releases.RELEASES / releases.version()
    assert folder.exists() != releases.in_the_making()
    if releases.in_the_making():
        return
    ends = releases.finals(folder)
    for title in TITLES.values():
        events = {event for name, end in ends.items() if name.startswith(f"{title.id}-") for event in end["events"]}
        assert samples.recorded_today(title) - events == set(), title.id


def test_a_changed_end_would_be_noticed():
    (file, *_) = FILES
    was = releases.finals(file.parent)[file.name]
    assert left_out(was, was) == []
    assert left_out(was, {**was, "plies": was["plies"] + 1}) != []
    assert left_out({"view": {"a": [1, 2]}}, {"view": {"a": [1, 3], "b": 4}}) == ["/view/a/1: 2 became 3"]
