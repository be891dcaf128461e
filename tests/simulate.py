"""``python -m tests.simulate``: many games between bots, without a store or server: who wins, by bot, choice and seat.

Options, seats and the seats' choices are drawn anew for each game, so that the figures can be grouped by each of them.
A *duel* is a series of games in which one bot sits alone among others, at each place of the table in turn.
"""

import hashlib
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click
import msgspec
from rich.console import Console
from rich.progress import Progress, track
from rich.table import Table

from domain import TITLES
from domain.chance import FreeChance
from domain.game import Game, fold
from domain.lifecycle import OpenTable1, StartGame, TakeSeat1
from domain.messages import Command
from domain.play import decide_all, decide_plan
from domain.refusal import Refused
from domain.rules import View
from domain.title import Bot, Title
from service.words import ENGLISH, called

SAFE = "safe"
MOST_SUBMISSIONS = 20_000
"""Submissions after which a game must be faulty."""


class Played(msgspec.Struct, frozen=True):
    """A finished game. ``seats``: each seat's groups and result, in no certain order."""

    plies: int
    seconds: float
    decisions: int
    seats: tuple["SeatPlayed", ...]


class SeatPlayed(msgspec.Struct, frozen=True):
    """A seat's result. ``groups``: (heading, value), such as ("company", "central_vermont"). ``won``: its share of the
    victory.
    """

    seat: int
    bot: str
    groups: tuple[tuple[str, str], ...]
    total: int
    won: float


Task = tuple[str, int | None, Sequence[str], str, int | None]
"""The argument of `_one`: the title's id, seats, bots, seed, and the seat of the first bot."""


def players_of(title: Title) -> dict[str, Bot]:
    """The title's bots and "safe", which always gives the answer that the clock would give."""

    def safe(view: View, dice: random.Random) -> tuple[Command, ...]:
        return (title.rules.safe(title.rules.imagine(view, FreeChance(dice)), view.seat),)

    return {**title.bots, SAFE: safe}


# ==== one game ====================================================================================
def play(
    title: Title,
    options: Any,
    choices: Mapping[int, Any],
    bots: Mapping[int, str],
    seed: str,
) -> tuple[Game, list[int], float, int]:
    """Play a whole game. Return its end, the seats in the order of their first open turn, the seconds of the bots'
    decisions, and the number of decisions.
    """
    dice = random.Random(seed)
    players = players_of(title)
    secret = hashlib.sha256(seed.encode()).digest()
    game = _started(title, options, choices, secret)
    order: list[int] = []
    seconds, decisions = 0.0, 0
    for _ in range(MOST_SUBMISSIONS):
        if not game.asked:
            return game, order, seconds, decisions
        seat = game.asked[0]
        if len(game.asked) > 1:  # sealed answers: seats stay asked until all answers are in
            seat = dice.choice(game.asked)
        elif seat not in order:
            order.append(seat)
        began = time.perf_counter()
        commands = players[bots[seat]](title.rules.view(game.state, seat), dice)
        seconds, decisions = seconds + time.perf_counter() - began, decisions + 1
        game = decide_plan(game, seat, commands, 0, "bot", secret).game
    raise RuntimeError(f"{title.id}: no end after {MOST_SUBMISSIONS} submissions")


def _started(title: Title, options: Any, choices: Mapping[int, Any], secret: bytes) -> Game:
    game = fold("SIMULATED", title, ())
    raw = msgspec.Raw(msgspec.json.encode(options))
    opening: list[Any] = [OpenTable1(title.id, len(choices), raw, hashlib.sha256(secret).hexdigest(), 0)]
    for seat, choice in choices.items():
        entropy = hashlib.sha256(bytes([seat])).hexdigest()
        opening.append(TakeSeat1(seat, msgspec.Raw(msgspec.json.encode(choice)), entropy))
    return decide_all(game, None, [*opening, StartGame()], 0, "service", secret).game


# ==== many games ==================================================================================
def _settings(title: Title, seats: int | None, dice: random.Random) -> tuple[Any, dict[int, Any]]:
    """Draw options and choices that the title allows, all equally likely."""
    while True:
        options = _drawn(title.seating.options, dice)
        n = seats or dice.randint(*title.seating.seats)
        choices: dict[int, Any] = {}
        try:
            title.seating.check_table(options, n)
            for seat in range(1, n + 1):
                choices[seat] = _allowed_choice(title, options, list(choices.values()), dice)
        except Refused:
            continue
        return options, choices


def _allowed_choice(title: Title, options: Any, taken: Sequence[Any], dice: random.Random) -> Any:
    while True:
        choice = _drawn(title.seating.choice, dice)
        try:
            title.seating.check_choice(options, choice, taken)
        except Refused:
            continue
        return choice


def _drawn(kind: type[msgspec.Struct], dice: random.Random) -> Any:
    values = {}
    for name, hint in get_type_hints(kind).items():
        allowed = get_args(hint) if get_origin(hint) is Literal else (False, True)
        values[name] = dice.choice([value for value in allowed if value != ""])
    return kind(**values)


def _one(title_id: str, seats: int | None, bots: Sequence[str], seed: str, first: int | None) -> Played:
    title = TITLES[title_id]
    dice = random.Random(seed)
    options, choices = _settings(title, seats, dice)
    names = dict(zip(choices, _line_up(bots, len(choices), first, dice), strict=False))
    game, order, seconds, decisions = play(title, options, choices, names, seed)
    result = game.result
    assert result is not None
    common = [(name, str(getattr(options, name))) for name in options.__struct_fields__]
    common.append(("seats", str(len(choices))))
    lines = []
    for standing in result.standings:
        own = [(name, str(getattr(choices[standing.seat], name))) for name in choices[standing.seat].__struct_fields__]
        turn = ("turn order", str(order.index(standing.seat) + 1) if standing.seat in order else "–")
        won = 1 / len(result.winners) if standing.seat in result.winners else 0.0
        groups = (*common, *own, turn, ("player", names[standing.seat]))
        lines.append(SeatPlayed(standing.seat, names[standing.seat], groups, standing.total, won))
    return Played(game.version, seconds, decisions, tuple(lines))


def _line_up(bots: Sequence[str], seats: int, first: int | None, dice: random.Random) -> list[str]:
    """The players of seats 1, 2 and so on; ``first``: the seat of the first of ``bots`` (None: all are shuffled)."""
    line_up = [*bots, *[bots[-1]] * (seats - len(bots))]
    if first is None:
        dice.shuffle(line_up)
        return line_up
    return line_up[1 - first :] + line_up[: 1 - first]


def games(
    title_id: str, count: int, seats: int | None, bots: Sequence[str], seed: str, workers: int
) -> Iterator[Played]:
    """Play ``count`` games. ``bots`` are dealt to shuffled seats; the last of them plays all seats that are left."""
    return _played([(title_id, seats, bots, f"{seed}/{number}", None) for number in range(count)], workers)


def duel(
    title_id: str, count: int, seats: int, bot: str, against: str, seed: str, workers: int
) -> Iterator[tuple[SeatPlayed, list[SeatPlayed]]]:
    """Play ``count`` games of one ``bot`` among others, at seat 1, then 2, and so on. Return its line and theirs."""
    places = [1 + number % seats for number in range(count)]
    tasks = [(title_id, seats, (bot, against), f"{seed}/{number}", place) for number, place in enumerate(places)]
    for place, game in zip(places, _played(tasks, workers), strict=True):
        (own,) = (line for line in game.seats if line.seat == place)
        yield own, [line for line in game.seats if line.seat != place]


def _played(tasks: Sequence[Task], workers: int) -> Iterator[Played]:
    if workers == 1:
        yield from (_one(*task) for task in tasks)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(_one, *zip(*tasks, strict=True), chunksize=4)


# ==== the command =================================================================================
@click.command()
@click.option("--title", type=click.Choice(sorted(TITLES)), help="Title to play (default: each).")
@click.option(
    "--games",
    "count",
    default=100,
    show_default=True,
    type=click.IntRange(1),
    help="Number of games; with --against, for each number of seats.",
)
@click.option("--seats", type=click.IntRange(1), help="Seats at each table (default: every number the title takes).")
@click.option(
    "--bots",
    default="sensible",
    show_default=True,
    help="Bots for the seats, separated by commas. The last one also plays all remaining seats. Seats are shuffled.",
)
@click.option(
    "--against",
    multiple=True,
    help="Play one seat by --bots and all others by this bot, in each place in turn and for each number of seats. Can "
    "be repeated.",
)
@click.option("--seed", default="1", show_default=True, help="The same seed plays the same games.")
@click.option("--workers", default=cpu_count() or 1, show_default=True, type=click.IntRange(1), help="Processes.")
def command(
    title: str | None, count: int, seats: int | None, bots: str, against: tuple[str, ...], seed: str, workers: int
) -> None:
    """Play games between bots; print wins and points by every factor that may matter.

    With --against, print only how one bot does against others, at every number of seats:

        python -m tests.simulate --against safe --against random

    Besides the bots of each title, "safe" always gives the answer that the clock would give.
    """
    titles = [TITLES[each] for each in sorted(TITLES) if title in (None, each)]
    players = [bot.strip() for bot in bots.split(",")]
    if against and len(players) > 1:
        raise click.BadParameter("--against takes one bot", param_hint="--bots")
    _check_players(titles, players, "--bots")
    _check_players(titles, against, "--against")
    titles = _that_take(titles, seats)
    console = Console()
    if against:
        _report_duels(console, titles, count, seats, players[0], against, seed, workers)
        return
    for each in titles:
        began = time.perf_counter()
        running = games(each.id, count, seats, players, seed, workers)
        played = list(track(running, total=count, description="Playing", console=console, transient=True))
        _report(console, each, played, time.perf_counter() - began)


def _check_players(titles: Sequence[Title], bots: Sequence[str], option: str) -> None:
    for title in titles:
        for bot in bots:
            if bot not in (known := players_of(title)):
                names = ", ".join(sorted(known))
                raise click.BadParameter(f"{bot!r} does not play {title.id}. Choose from: {names}", param_hint=option)


def _that_take(titles: Sequence[Title], seats: int | None) -> list[Title]:
    """The titles for this player count."""
    taking = [title for title in titles if seats is None or title.seating.seats[0] <= seats <= title.seating.seats[1]]
    if not taking:
        known = "; ".join(
            f"{title.id} takes {title.seating.seats[0]} to {title.seating.seats[1]} seats" for title in titles
        )
        raise click.BadParameter(known, param_hint="--seats")
    return taking


def _report_duels(
    console: Console,
    titles: Sequence[Title],
    count: int,
    seats: int | None,
    bot: str,
    against: Sequence[str],
    seed: str,
    workers: int,
) -> None:
    sizes = [
        (title, n)
        for title in titles
        for n in ([seats] if seats else range(title.seating.seats[0], title.seating.seats[1] + 1))
    ]
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("Playing", total=count * len(sizes) * len(against))
        for other in against:
            heading = f"One {bot} seat among {other} ones (games of each size: {count})"
            table = Table("", "seats", "wins", "fair", "mean", "lowest", "others", title=heading, pad_edge=False)
            for title, n in sizes:
                lines = []
                for line in duel(title.id, count, n, bot, other, seed, workers):
                    lines.append(line)
                    progress.advance(task)
                last = n in (seats, title.seating.seats[1])
                table.add_row(called(title, ENGLISH), str(n), *_figures(lines, n), end_section=last)
            for column in table.columns[1:]:
                column.justify, column.no_wrap = "right", True
            console.print(table)


def _figures(lines: Sequence[tuple[SeatPlayed, list[SeatPlayed]]], seats: int) -> Iterator[str]:
    """Wins and their fair share, mean score, lowest score, mean score of the others."""
    totals = [own.total for own, _ in lines]
    yield f"{100 * statistics.mean(own.won for own, _ in lines):.1f} %"
    yield f"{100 / seats:.1f} %"
    yield f"{statistics.mean(totals):.1f}"
    yield str(min(totals))
    yield f"{statistics.mean(other.total for _, others in lines for other in others):.1f}"


def _report(console: Console, title: Title, played: Sequence[Played], seconds: float) -> None:
    decisions = sum(game.decisions for game in played)
    thinking = sum(game.seconds for game in played)
    console.print(
        f"{len(played)} games of {called(title, ENGLISH)} in {seconds:.0f} s; "
        f"{statistics.mean(game.plies for game in played):.0f} plies a game; "
        f"{1000 * thinking / decisions:.1f} ms per decision on average, over {decisions} decisions"
    )
    english = title.face.words.english
    groups: dict[str, dict[str, list[SeatPlayed]]] = defaultdict(lambda: defaultdict(list))
    for game in played:
        for line in game.seats:
            for heading, value in line.groups:
                groups[heading][value].append(line)
    for heading, by_value in groups.items():
        table = Table("", "seats played", "wins", "fair share", "mean score", "spread", title=f"By {heading}")
        for value, lines in sorted(by_value.items()):
            totals = [line.total for line in lines]
            fair = statistics.mean(1 / seats_of for seats_of in _table_sizes(lines))
            table.add_row(
                english.name(value),
                str(len(lines)),
                f"{100 * statistics.mean(x.won for x in lines):.1f} %",
                f"{100 * fair:.1f} %",
                f"{statistics.mean(totals):.1f}",
                f"{statistics.pstdev(totals):.1f}",
            )
        for column in table.columns[1:]:
            column.justify = "right"
        console.print(table)


def _table_sizes(lines: Sequence[SeatPlayed]) -> Iterator[int]:
    for line in lines:
        yield int(dict(line.groups)["seats"])


if __name__ == "__main__":
    command(prog_name="python -m tests.simulate")
