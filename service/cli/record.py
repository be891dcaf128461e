"""``slowtrain record`` and ``ratings``: compared with what they follow from, or made again."""

from contextlib import closing

import click

from service.cli.shared import opened_store
from service.record import ratings as rated
from service.record import rows


@click.command()
@click.option("--check", is_flag=True, help="Only compare.")
@click.option("--rebuild", is_flag=True, help="Write the rows that differ or are missing.")
def record(check: bool, rebuild: bool) -> None:
    """Check the record of finished games, or make it again.

    The record has a row for each finished game and player. Workers make the rows from the log and from the seats when
    a game ends. This command makes them again and says whether they differ. The exit status is 1 if some did.
    """
    if check == rebuild:
        raise click.UsageError("Choose --check or --rebuild.")
    games = count = differing = 0
    with closing(opened_store()) as store:
        for found in rows.compare(store, rebuild=rebuild):
            games, count, differing = games + 1, count + found.rows, differing + found.differs
            if found.differs:
                click.echo(f"The record of game {found.game_id} differs{' and was made again' if rebuild else ''}.")
            elif found.why:
                click.echo(f"The record of game {found.game_id} was not checked: {found.why}")
    click.echo(f"Games: {games}; rows: {count}; games whose rows differed: {differing}.")
    raise SystemExit(1 if differing else 0)


@click.command()
@click.option("--check", is_flag=True, help="Only compare.")
@click.option("--rebuild", is_flag=True, help="Store the ratings that differ.")
def ratings(check: bool, rebuild: bool) -> None:
    """Check the ratings of players, or compute them again.

    Ratings follow from the record of rated games, in the order of their ends. This command computes all of them from
    the first game on and says whether they differ. The exit status is 1 if some did.
    """
    if check == rebuild:
        raise click.UsageError("Choose --check or --rebuild.")
    with closing(opened_store()) as store:
        found = rated.compare(store, rebuild=rebuild)
    for it in found:
        click.echo(f"{it.title}: games: {it.games}; ratings: {it.rows}; games that differed: {len(it.differing)}.")
        for game_id in it.differing:
            click.echo(f"  {game_id}")
    if not found:
        click.echo("There are no rated games.")
    raise SystemExit(1 if any(it.differing for it in found) else 0)
