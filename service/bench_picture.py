"""`slowtrain bench picture`: a mail's picture of the board, ours beside resvg drawing and packing the whole board."""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import resvg_py

from domain import TITLES
from domain.chance import FreeChance
from domain.title import Picture
from service import pictures

WIDTH = 1200
POSITIONS = 40
YARDSTICKS = 10


def bench_picture(title_id: str = "grand_trunk") -> None:
    """Print the milliseconds of a picture with its ground kept, of the first one, and of the yardstick."""
    title = TITLES[title_id]
    drawn = [title.picture(view, "light", "en") for view in _positions(title_id)]
    first = _milliseconds(lambda: pictures.paint(drawn[0], WIDTH))
    for picture in drawn:
        pictures.paint(picture, WIDTH)  # every piece is kept now, as after an hour of a busy service
    ours = [_milliseconds(lambda picture=picture: pictures.paint(picture, WIDTH)) for picture in drawn]  # type: ignore[misc]
    yardstick = [_milliseconds(lambda picture=picture: _whole(picture)) for picture in drawn[:YARDSTICKS]]  # type: ignore[misc]
    size = statistics.mean(len(pictures.paint(picture, WIDTH)) for picture in drawn) / 1024
    print(f"{title.name('en')}, {WIDTH} px, {len(drawn)} positions, {size:.0f} kB")
    print(f"  ours, ground and pieces kept   {_summary(ours)}   (hold: 60 ms)")
    print(f"  ours, nothing kept yet         {first:6.1f} ms")
    print(f"  yardstick: resvg, whole board  {_summary(yardstick)}")


def _positions(title_id: str) -> Sequence[Any]:
    """An onlooker's views of a game of random players."""
    title, dice = TITLES[title_id], random.Random(1)
    seats = title.seats[1]
    state, chance = title.start, FreeChance(dice)
    for event in title.setup(title.options(), {seat: title.choice() for seat in range(1, seats + 1)}, chance):
        state = title.evolve(state, event)
    views: list[Any] = []
    while title.result(state) is None and len(views) < POSITIONS:
        seat = title.asked(state)[0]
        for command in title.bots["random"](title.view(state, seat), dice):
            for event in title.decide(state, seat, command, chance):
                state = title.evolve(state, event)
        views.append(title.view(state, None))
    return views


def _whole(picture: Picture) -> bytes:
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=pictures.svg(picture, "board"), width=WIDTH, skip_system_fonts=True,
            font_files=list(pictures.FONTS), font_family="Alegreya Sans",
        )
    )  # fmt: skip


def _milliseconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def _summary(times: Sequence[float]) -> str:
    return f"{statistics.median(times):6.1f} ms (slowest {max(times):.1f})"


if __name__ == "__main__":
    bench_picture()
