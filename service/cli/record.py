"""``slowtrain record``: the record of finished games, compared with the logs or made again."""

from contextlib import closing

import click

from service.cli.shared import opened_store
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
