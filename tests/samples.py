"""A stored sample of every event shape that was ever released: people's databases must stay readable.

    python -m tests.samples grand_trunk        # adds a sample of each shape that has none yet

``tests/samples/<title>.jsonl`` holds one event a line, as the store keeps it. Lines are added, never changed or
removed: when a shape gets a successor, its line stays and shows that the upcaster converts it. Samples come from played
games, so they are realistic. If no game has a new event, the command says so.
"""

import argparse
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import msgspec

from domain import TITLES, clock, lifecycle, sealed
from domain.messages import Event, tag_of
from domain.pace import PRESETS
from domain.title import Title
from tests import record

SAMPLES = Path(__file__).parent / "samples"
MOST_GAMES = 1500
BY_HAND: tuple[Event, ...] = (
    lifecycle.GameCancelled(), lifecycle.RewindProposed(1, 8, (2, 3), 1_800_000_000_000, 12), lifecycle.RewindAgreed(2),
    lifecycle.RewindRefused(3), lifecycle.Rewound(8),
    clock.PaceSet(PRESETS["evenings"]), clock.ClockStarted(1, 1_800_000_000_000, 7_200_000),
    clock.ClockStopped(1, 5_000_000), clock.ClockMoved(2, 1_800_100_000_000),
    clock.TimeGivenBack(3_600_000, ((1, 1_800_003_600_000), (2, 1_800_103_600_000))),
    clock.TimeRanOut(1, 1_800_000_000_000), clock.MissExcused(1), clock.BotPlaysOn(1), clock.SeatOpened(2),
    clock.SeatReturned(1), clock.SeatTakenOver(2), clock.ClockPlaysOn(1), clock.StandInWaits(1, 1_800_000_000_000),
    clock.GamePaused((1, 2)), clock.GameResumed(),
    clock.ClocksSetRight(172_800_000, ((1, 1_800_003_600_000), (2, 1_800_103_600_000))),
    lifecycle.TableOpened("toy", 3, msgspec.Raw(b"{}"), "1f" * 32, 60_000),
    lifecycle.SeatTaken(1, msgspec.Raw(b"{}"), "2e" * 32, "3d" * 32, False),
    lifecycle.SeatTaken(2, msgspec.Raw(b"{}"), None, "4c" * 32, True),
    sealed.WordsCalled(1_800_000_000_000), sealed.WordsSealed(1, "5b" * 32), sealed.WordsRevealed(1, "6a" * 32),
    sealed.SeatLost(2), sealed.WordsVoided(), lifecycle.GameClosed("fault"),
)  # fmt: skip
"""Commands that bots never give."""


def file_of(title: Title) -> Path:
    return SAMPLES / f"{title.id}.jsonl"


def lines(title: Title) -> list[bytes]:
    file = file_of(title)
    return file.read_bytes().splitlines() if file.exists() else []


def tag_in(line: bytes) -> str:
    return str(msgspec.json.decode(line)["event"])


def shapes(title: Title) -> dict[str, type[Event]]:
    """Return every shape that can stand in a log of this title, present or older."""
    return {tag_of(kind): kind for kind in (*lifecycle.EVENTS, *title.rules.events, *title.rules.upcasters)}


def recorded_today(title: Title) -> set[str]:
    """Return the names of the shapes that the present rules record: of each event the last one ("TurnPassed.2",
    "TurnPassed").
    """
    names = set(shapes(title)) - {tag_of(kind) for kind in title.rules.upcasters}
    return {name for name in names if _next(name) not in names}


def _next(name: str) -> str:
    stem, _, number = name.partition(".")
    return f"{stem}.{int(number or 1) + 1}"


def played(title: Title) -> Iterator[Event]:
    """Yield events of recorded games, then of new ones."""
    for file in record.files(title.id):
        for ply in record.read(file).plies:
            yield from ply.events
    for number in count():
        game = record.play(title, number, sensible=number % 10 == 9)
        for ply in game.plies:
            yield from ply.events
        if number == MOST_GAMES:
            return


def add_missing(title: Title) -> list[str]:
    """Write samples of shapes that have none. Return the names of events not met."""
    have = {tag_in(line) for line in lines(title)}
    missing = {tag for tag, kind in shapes(title).items() if tag not in have and kind not in title.rules.upcasters}
    fresh = [event for event in BY_HAND if tag_of(type(event)) in missing]
    missing -= {tag_of(type(event)) for event in fresh}
    games = played(title)
    while missing and (event := next(games, None)) is not None:
        if tag_of(type(event)) in missing:
            missing.remove(tag_of(type(event)))
            fresh.append(event)
    SAMPLES.mkdir(exist_ok=True)
    with file_of(title).open("ab") as file:
        for event in fresh:
            file.write(msgspec.json.encode(event) + b"\n")
    return sorted(missing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("title", choices=list(TITLES))
    print("not met:", ", ".join(add_missing(TITLES[parser.parse_args().title])) or "nothing")


if __name__ == "__main__":
    main()
