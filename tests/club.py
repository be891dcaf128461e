"""``python -m tests.club``: a simulated club of rated games, and ``slowtrain ratings --check`` on its database.

    python -m tests.club [--games 120] [--slowtrain /other/python/bin/slowtrain]…

Games of two to six people end in any order, some at the same moment; people resign, are replaced, and are erased. The
check must find no difference, on SQLite and PostgreSQL, by the program of each Python that is named.
"""

import os
import random
import subprocess
import sys
import tempfile
from collections import ChainMap
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import click
from sqlalchemy import func, select

import domain
from config.settings import Settings
from domain.clock import FreeSeat
from domain.lifecycle import Resign
from domain.pace import DAY, HOUR, Pace
from service.database.store import Store, open_store
from service.keeping import personal
from service.record import rows
from service.record.ratings import RATINGS
from tests import road, toy
from tests.conftest import no_power_cuts
from tests.servers import PostgreSQL
from tests.service.lanterns import NOON, game, give
from tests.service.record.lives import finish
from tests.workers.post import person, table

PEOPLE = 14
PACE = Pace(turn=DAY, excuse=False, then="substitute")


def play_all(store: Store, games: int, dice: random.Random) -> int:
    """Play the games of a club. Return the number of its ratings."""
    people = [person(store, f"Player{number}") for number in range(PEOPLE)]
    for number in range(games):
        play_one(store, people, dice)
        if dice.random() < 0.3:
            rows.make_due(store)
        if number in (games // 2, games - 10):
            rows.make_due(store)
            personal.erase(store, people.pop(dice.randrange(len(people))), NOON + 40 * DAY)
    rows.make_due(store)
    with store.read() as conn:
        return int(conn.execute(select(func.count()).select_from(RATINGS)).scalar_one())


def play_one(store: Store, people: list[int], dice: random.Random) -> None:
    seats = dice.randint(*toy.TITLE.seating.seats[:: len(toy.TITLE.seating.seats) - 1])
    who, at, fate = dice.sample(people, seats), NOON + dice.randrange(30) * DAY, dice.random()
    game_id, seat = table(store, *who, at=at, rated=True, pace=PACE), dice.randint(1, seats)
    if fate < 0.2:
        give(store, game_id, seat, Resign(), at=at)
    elif fate < 0.3:
        give(store, game_id, None, FreeSeat(seat), at=at)
        other = dice.choice([it for it in people if it not in who])
        road.take_over(store, game_id, seat, person_id=other, at=at)
    if game(store, game_id).status == "running":
        finish(store, game_id, at + HOUR * dice.randrange(2))


@click.command()
@click.option("--games", default=120, show_default=True, type=click.IntRange(20))
@click.option("--slowtrain", multiple=True, help="The program of another Python, beside this one's.")
def main(games: int, slowtrain: tuple[str, ...]) -> None:
    """Play, and check."""
    domain.TITLES = ChainMap({"toy": toy.TITLE}, domain.TITLES)  # type: ignore[assignment]
    programs = (str(Path(sys.executable).parent / "slowtrain"), *slowtrain)
    server = PostgreSQL()
    with tempfile.TemporaryDirectory() as folder:
        on_sqlite = lambda: f"sqlite:///{folder}/club.db"  # noqa: E731
        try:
            found = [checked(made, folder, games, programs) for made in (on_sqlite, server.new_database)]
        finally:
            server.stop()
    sys.exit(0 if all(found) else 1)


def checked(address: Callable[[], str], folder: str, games: int, programs: tuple[str, ...]) -> bool:
    """Make a club on a new database. Does every program find its ratings as they are stored?"""
    url, found = address(), []
    settings = Settings(_env_file=None, data_dir=Path(folder))  # type: ignore[call-arg]
    with closing(no_power_cuts(open_store(url, titles={"toy": toy.TITLE}, settings=settings))) as store:
        store.migrate()
        click.echo(f"{url.partition(':')[0]}: {play_all(store, games, random.Random(3))} ratings of {games} games")
    for program in programs:
        env = {**os.environ, "SLOWTRAIN_DATABASE_URL": url, "SLOWTRAIN_DATA_DIR": folder}
        said = subprocess.run([program, "ratings", "--check"], env=env, capture_output=True, text=True, check=False)
        click.echo(f"  {program}: {said.stdout.strip()}{said.stderr.strip()[-200:]}")
        found.append(said.returncode == 0)
    return all(found)


if __name__ == "__main__":
    main(prog_name="python -m tests.club")
