"""``python -m tests.usual``: writes the figures that tips name anew, from games between sensible bots.

They stand in ``data/usual.json`` of each title (`domain.tips.Usual`). Game number n at a table of so many seats is the
same in every run, so a test plays some of them again.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count
from statistics import median

import click
import msgspec

from domain import TITLES
from domain.grand_trunk.events import TurnEnded
from domain.messages import Command
from domain.new_england.events import LinkSold
from domain.ticket_to_ride.events import RouteClaimed, TurnStarted
from domain.tips import Usual
from domain.title import Title
from tests.contract.games import RandomGame, Step, tables

Measure = Callable[[Sequence[Step]], int]
"""Returns a figure of a finished game."""


def price(steps: Sequence[Step]) -> int:
    """Return the median price of a link."""
    return round(median(event.price for step in steps for event in step.ply.events if isinstance(event, LinkSold)))


def first_route(steps: Sequence[Step]) -> int:
    """Return the median number of the turn in which a seat claims its first route."""
    turns: dict[int, int] = {}
    claimed: dict[int, int] = {}
    for step in steps:
        for event in step.ply.events:
            if isinstance(event, TurnStarted):
                turns[event.seat] = turns.get(event.seat, 0) + 1
            elif isinstance(event, RouteClaimed):
                claimed.setdefault(event.seat, turns[event.seat])
    return round(median(claimed.values()))


def turns(steps: Sequence[Step]) -> int:
    """Return the mean number of turns of a seat."""
    ended = sum(isinstance(event, TurnEnded) for step in steps for event in step.ply.events)
    return round(ended / steps[0].after.table.seats)


def winner(steps: Sequence[Step]) -> int:
    """Return the points of the winner."""
    return max(it.total for it in steps[-1].after.result.standings)


FIGURES: Mapping[str, Mapping[str, Measure]] = {
    "grand_trunk": {"turns": turns, "winner": winner},
    "ticket_to_ride": {"first_route": first_route},
    "new_england": {"price": price},
}


def measured(title_id: str, seats: int, number: int) -> dict[str, int]:
    """Play a game, and return its figures."""
    title, dice = TITLES[title_id], random.Random(f"{title_id} {seats} {number}")
    options = next(options for options, takes in tables(title) if takes == seats)

    def choose(game, seat, actions) -> Command:
        return title.bots["sensible"](title.rules.view(game.state, seat), dice)[0]

    steps = list(RandomGame(title, number, options, seats, mischief=False, choose=choose).steps())
    return {name: measure(steps) for name, measure in FIGURES[title_id].items()}


def usual(title: Title, games: int, workers: int) -> Usual:
    """Play so many games with each number of seats."""
    fewest, most = title.seating.seats
    tasks = [(title.id, seats, number) for seats in range(fewest, most + 1) for number in range(games)]
    figures: dict[str, dict[str, list[int]]] = {name: {} for name in FIGURES[title.id]}
    with ProcessPoolExecutor(workers) as pool:
        for (_, seats, _), found in zip(tasks, pool.map(measured, *zip(*tasks, strict=True)), strict=True):
            for name, value in found.items():
                figures[name].setdefault(str(seats), []).append(value)
    return msgspec.convert(
        {"by": f"python -m tests.usual --title {title.id} --games {games}", "figures": figures}, Usual
    )


@click.command()
@click.option("--title", type=click.Choice(list(FIGURES)), required=True)
@click.option("--games", default=30, show_default=True, type=click.IntRange(1), help="Games for each number of seats.")
@click.option("--workers", default=cpu_count() or 1, show_default=True, type=click.IntRange(1), help="Processes.")
def main(title: str, games: int, workers: int) -> None:
    """Write the figures of a title."""
    box = TITLES[title]
    written = msgspec.json.encode(usual(box, games, workers)).replace(b"],", b"],\n")  # a line for each number of seats
    (box.catalogue.parent / "data" / "usual.json").write_bytes(written + b"\n")


if __name__ == "__main__":
    main()
