"""What every release has written is proved and replayed by today's code, to the end it had then (`tests.releases`)."""

from pathlib import Path
from typing import Any

import pytest

from domain import TITLES
from service.bundle import format as bundles
from service.bundle.prove import prove
from tests import releases, samples

FOLDERS = releases.folders()
FILES = [file for folder in FOLDERS for file in releases.files(folder)]


@pytest.fixture(scope="module", params=FILES, ids=lambda file: f"{file.parent.name}-{file.name.partition('.')[0]}")
def file(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_it_is_proved_and_ends_as_it_did(file: Path):
    reading = bundles.read(releases.read(file))
    proof = prove(reading, TITLES)
    assert proof.proved, str(proof.fault)
    title, was = TITLES[reading.bundle.header.title], releases.finals(file.parent)[file.name]
    assert proof.decided + proof.replayed == was["plies"]
    now = releases.final(title, releases.game_of(title, reading.bundle))
    assert left_out(was, {**now, "events": was["events"]}) == []


def left_out(was: Any, now: Any, path: str = "") -> list[str]:
    """Where ``now`` does not hold what ``was`` held. What a later release shows beside it is no difference."""
    if isinstance(was, dict) and isinstance(now, dict):
        return [it for name in was for it in left_out(was[name], now.get(name, "nothing"), f"{path}/{name}")]
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        return [it for at, pair in enumerate(zip(was, now, strict=True)) for it in left_out(*pair, f"{path}/{at}")]
    return [] if was == now and type(was) is type(now) else [f"{path}: {was!r} became {now!r}"]


def test_there_are_streams_of_every_title():
    for folder in FOLDERS:
        titles = {file.name.partition("-")[0] for file in releases.files(folder)}
        assert titles
        assert titles <= set(TITLES), "what a title has written must stay readable"
        assert set(releases.finals(folder)) == {file.name for file in releases.files(folder)}


def test_they_hold_what_happens_seldom():
    """Going back, leaving and closing a table are in the streams of each release, of each of its titles."""
    for folder in FOLDERS:
        by_title: dict[str, set[str]] = {}
        for name, end in releases.finals(folder).items():
            by_title.setdefault(name.partition("-")[0], set()).update(end["events"])
        for title, events in by_title.items():
            assert {"Rewound", "RewindRefused", "SeatRetired", "TakenBack", "GameCancelled"} <= events, title


def test_a_release_holds_every_event_of_its_version():
    """A new event needs a stream with it before the release: `python -m tests.releases` adds one.

    A version in the making has no folder before that.
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
