"""Games between bots without a store or a server, many at a time: who wins, with what, from where.

Options, seats and the seats' choices are drawn anew for each game, so that the figures can be told by each of them.
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
from rich.progress import track
from rich.table import Table

from domain import TITLES
from domain.game import Game, decide_all, decide_plan, fold
from domain.lifecycle import OpenTable, StartGame, TakeSeat
from domain.refusal import Refused
from domain.title import Title

MOST_SUBMISSIONS = 20_000
"""A game that takes longer has a fault."""


class Played(msgspec.Struct, frozen=True):
    """A finished game. ``seats``: for each seat, by number, the groups it belongs to and how it did."""

    plies: int
    seconds: float
    decisions: int
    seats: tuple["SeatPlayed", ...]


class SeatPlayed(msgspec.Struct, frozen=True):
    """``groups``: (heading, value), such as ("company", "central_vermont"). ``won``: its share of the victory."""

    seat: int
    bot: str
    groups: tuple[tuple[str, str], ...]
    total: int
    won: float


# ==== one game ====================================================================================
def play(
    title: Title,
    options: Any,
    choices: Mapping[int, Any],
    bots: Mapping[int, str],
    seed: str,
) -> tuple[Game, list[int], float, int]:
    """Play a whole game: the end of it, the seats in the order of their first open turn, seconds spent in the bots'
    decisions, and how many there were."""
    dice = random.Random(seed)
    secret = hashlib.sha256(seed.encode()).digest()
    game = _started(title, options, choices, secret)
    order: list[int] = []
    seconds, decisions = 0.0, 0
    for _ in range(MOST_SUBMISSIONS):
        if not game.asked:
            return game, order, seconds, decisions
        seat = game.asked[0]
        if len(game.asked) > 1:  # sealed answers: those who have given theirs are still asked until all are in
            seat = dice.choice(game.asked)
        elif seat not in order:
            order.append(seat)
        began = time.perf_counter()
        commands = title.bots[bots[seat]](title.view(game.state, seat), dice)
        seconds, decisions = seconds + time.perf_counter() - began, decisions + 1
        game = decide_plan(game, seat, commands, 0, "bot", secret).game
    raise RuntimeError(f"{title.id}: no end after {MOST_SUBMISSIONS} submissions")


def _started(title: Title, options: Any, choices: Mapping[int, Any], secret: bytes) -> Game:
    game = fold("SIMULATED", title, ())
    raw = msgspec.Raw(msgspec.json.encode(options))
    opening: list[Any] = [OpenTable(title.id, len(choices), raw, hashlib.sha256(secret).hexdigest(), 0)]
    for seat, choice in choices.items():
        entropy = hashlib.sha256(bytes([seat])).hexdigest()
        opening.append(TakeSeat(seat, msgspec.Raw(msgspec.json.encode(choice)), entropy))
    return decide_all(game, None, [*opening, StartGame()], 0, "service", secret).game


# ==== many games ==================================================================================
def _settings(title: Title, seats: int | None, dice: random.Random) -> tuple[Any, dict[int, Any]]:
    """Options and choices the title allows, each as likely as the other."""
    while True:
        options = _drawn(title.options, dice)
        n = seats or dice.randint(*title.seats)
        choices: dict[int, Any] = {}
        try:
            title.check_table(options, n)
            for seat in range(1, n + 1):
                choices[seat] = _allowed_choice(title, options, list(choices.values()), dice)
        except Refused:
            continue
        return options, choices


def _allowed_choice(title: Title, options: Any, taken: Sequence[Any], dice: random.Random) -> Any:
    while True:
        choice = _drawn(title.choice, dice)
        try:
            title.check_choice(options, choice, taken)
        except Refused:
            continue
        return choice


def _drawn(kind: type[msgspec.Struct], dice: random.Random) -> Any:
    values = {}
    for name, hint in get_type_hints(kind).items():
        allowed = get_args(hint) if get_origin(hint) is Literal else (False, True)
        values[name] = dice.choice([value for value in allowed if value != ""])
    return kind(**values)


def _one(title_id: str, seats: int | None, bots: Sequence[str], seed: str) -> Played:
    title = TITLES[title_id]
    dice = random.Random(seed)
    options, choices = _settings(title, seats, dice)
    line_up = list(bots) + [bots[-1]] * (len(choices) - len(bots))
    dice.shuffle(line_up)
    names = dict(zip(choices, line_up, strict=False))
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


def games(
    title_id: str, count: int, seats: int | None, bots: Sequence[str], seed: str, workers: int
) -> Iterator[Played]:
    """``count`` games; ``bots`` are the players of the first seats, the last of them of all others (then shuffled)."""
    seeds = [f"{seed}/{number}" for number in range(count)]
    if workers == 1:
        yield from (_one(title_id, seats, bots, each) for each in seeds)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(_one, *zip(*((title_id, seats, bots, each) for each in seeds), strict=True), chunksize=4)


@click.command("simulate")
@click.option("--title", default="grand_trunk", show_default=True, type=click.Choice(sorted(TITLES)))
@click.option("--games", "count", default=1000, show_default=True, type=click.IntRange(1), help="How many games.")
@click.option("--seats", type=click.IntRange(1), help="Seats at each table (default: every number the title takes).")
@click.option("--bots", default="sensible", show_default=True,
              help="Players of the seats, separated by commas; the last plays all others too. Seats are shuffled.")
@click.option("--seed", default="1", show_default=True, help="The same seed plays the same games.")
@click.option("--workers", default=cpu_count() or 1, show_default=True, type=click.IntRange(1), help="Processes.")
def command(title: str, count: int, seats: int | None, bots: str, seed: str, workers: int) -> None:
    """Play games between bots; print who wins and with how many points, by everything that may matter."""
    players = [bot.strip() for bot in bots.split(",")]
    unknown = [bot for bot in players if bot not in TITLES[title].bots]
    if unknown:
        known = ", ".join(sorted(TITLES[title].bots))
        raise click.BadParameter(f"{unknown[0]!r} does not play {title}; there is {known}", param_hint="--bots")
    least, most = TITLES[title].seats
    if seats is not None and not least <= seats <= most:
        raise click.BadParameter(f"{title} takes {least} to {most} seats", param_hint="--seats")
    console = Console()
    began = time.perf_counter()
    running = games(title, count, seats, players, seed, workers)
    played = list(track(running, total=count, description="Playing", console=console, transient=True))
    _report(console, TITLES[title], played, time.perf_counter() - began)


def _report(console: Console, title: Title, played: Sequence[Played], seconds: float) -> None:
    decisions = sum(game.decisions for game in played)
    thinking = sum(game.seconds for game in played)
    console.print(
        f"{len(played)} games of {title.name('en')} in {seconds:.0f} s; "
        f"{statistics.mean(game.plies for game in played):.0f} plies a game; "
        f"{1000 * thinking / decisions:.1f} ms a decision in the mean, of {decisions} decisions"
    )
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
                title.words.name(value, "en"), str(len(lines)), f"{100 * statistics.mean(x.won for x in lines):.1f} %",
                f"{100 * fair:.1f} %", f"{statistics.mean(totals):.1f}", f"{statistics.pstdev(totals):.1f}",
            )  # fmt: skip
        for column in table.columns[1:]:
            column.justify = "right"
        console.print(table)


def _table_sizes(lines: Sequence[SeatPlayed]) -> Iterator[int]:
    for line in lines:
        yield int(dict(line.groups)["seats"])
