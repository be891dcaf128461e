"""The ``picture`` in a mail: ours beside resvg drawing and compressing the whole board.

Times are of a core: they show the load on the machine, whatever else it does meanwhile.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import resvg_py

from domain.chance import FreeChance
from domain.face import Picture
from domain.title import Title
from service.games import drawings, pictures
from tests.bench.measure import Bench, Figure

WIDTH = 1200
POSITIONS = 40
YARDSTICKS = 10


def bench_picture(bench: Bench) -> Iterator[Figure]:
    """Measure a picture with a cached ground, as for all but a process's first, and the first one."""
    drawn = [
        bench.title.face.picture(view, "light", bench.title.face.words.english) for view in _positions(bench.title)
    ]
    first = _milliseconds(lambda: pictures.paint(drawn[0], WIDTH))
    for picture in drawn:
        pictures.paint(picture, WIDTH)  # every piece is cached now, as after an hour of a busy service
    ours = [_milliseconds(partial(pictures.paint, picture, WIDTH)) for picture in drawn]
    yardstick = _summary([_milliseconds(partial(_whole, picture)) for picture in drawn[:YARDSTICKS]])
    size = statistics.mean(len(pictures.paint(picture, WIDTH)) for picture in drawn) / 1024
    whole = f"{yardstick} resvg, whole board"
    yield Figure(f"picture of the board, {WIDTH} px, {size:.0f} kB", _summary(ours), whole, "12 ms")
    yield Figure("  the first of a process", f"{first:.0f} ms", whole, "")


def _positions(title: Title) -> Sequence[Any]:
    """Yield a spectator's views of a game of random players."""
    dice = random.Random(1)
    seats = title.seating.seats[1]
    chance = FreeChance(dice)
    state = title.rules.setup(
        title.seating.options(), {seat: title.seating.choice() for seat in range(1, seats + 1)}, chance
    ).after
    views: list[Any] = []
    while title.rules.result(state) is None and len(views) < POSITIONS:
        seat = title.rules.asked(state)[0]
        for command in title.bots["random"](title.rules.view(state, seat), dice):
            state = title.rules.decide(state, seat, command, chance).after
        views.append(title.rules.view(state, None))
    return views


def _whole(picture: Picture) -> bytes:
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawings.svg(picture, "board"),
            width=WIDTH,
            skip_system_fonts=True,
            font_files=list(pictures.FONTS),
            font_family="Alegreya Sans",
        )
    )


def _milliseconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def _summary(times: Sequence[float]) -> str:
    return f"{statistics.median(times):.1f} ms (slowest {max(times):.1f})"
