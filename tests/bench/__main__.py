"""``python -m tests.bench``: speed, each figure beside a yardstick of the same run on the same machine.

Required figures stand beside them for reference; they were chosen on two cores, so compare the ratios.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

import click
from rich.console import Console
from rich.table import Table
from sqlalchemy import inspect, text

import domain
from service.database.store import open_store
from service.words import called
from tests.bench import (
    claims,
    home,
    http,
    live,
    mail,
    memory,
    pages,
    picture,
    position,
    proxies,
    record,
    reminders,
    replies,
    store,
    turn,
)
from tests.bench.measure import Bench, Figure
from tests.servers import PostgreSQL

BENCHES: dict[str, Callable[[Bench], Iterator[Figure]]] = {
    "fold": memory.bench_fold,
    "audit": memory.bench_audit,
    "open": store.bench_open,
    "position": position.bench_position,
    "verify": store.bench_verify,
    "http": http.bench_http,
    "picture": picture.bench_picture,
    "proxies": proxies.bench_proxies,
    "mail": mail.bench_mail,
    "claims": claims.bench_claims,
    "turn": turn.bench_turn,
    "pages": pages.bench_pages,
    "reminders": reminders.bench_reminders,
    "replies": replies.bench_replies,
    "record": record.bench_record,
    "home": home.bench_home,
    "live": live.bench_live,
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(sorted(BENCHES)))
@click.option("--title", default="grand_trunk", show_default=True, help="The title to measure with.")
@click.option("--postgresql", metavar="URL", help="An empty PostgreSQL database.  [default: a new one]")
@click.option("--games", default=400, show_default=True, type=click.IntRange(1), help="How many games verify proves.")
@click.option(
    "--idle", default=60.0, show_default=True, help="Seconds that home leaves the service alone; the figure is for 600."
)
def bench(names: Sequence[str], title: str, postgresql: str | None, games: int, idle: float) -> None:
    """Measure speed, each figure beside a yardstick of the same run.

    NAMES choose among fold, audit, open, position, verify, http, picture, proxies, mail, claims, turn, pages,
    reminders, replies, record, home and live; without any, all are measured, which takes a quarter of an hour. Let
    nothing else run meanwhile.
    """
    if title not in domain.TITLES:
        raise click.BadParameter(f"there is {', '.join(domain.TITLES)}", param_hint="--title")
    if postgresql is not None:
        _demand_empty(postgresql)
    console = Console()
    table = Table(
        "what",
        "ours",
        "yardstick",
        "to hold",
        title=f"{called(domain.TITLES[title], 'en')}, Python "
        f"{sys.version_info[0]}.{sys.version_info[1]}, {os.cpu_count()} cores",
    )
    for name in names or BENCHES:
        with tempfile.TemporaryDirectory() as folder, _databases(folder, postgresql, name) as addresses:
            for figure in BENCHES[name](Bench(domain.TITLES[title], addresses, games, console, idle)):
                table.add_row(figure.what, figure.ours, figure.yardstick, figure.hold)
                console.print(f"[dim]{figure.what}: {figure.ours}, beside {figure.yardstick}[/]", highlight=False)
    console.print(table)


def _demand_empty(address: str) -> None:
    """Refuse a database that holds anything: measurements fill the database and empty it."""
    with closing(open_store(address)) as opened, opened.read() as conn:
        if inspect(conn).get_table_names():
            raise click.ClickException("The database is not empty, and is left as it is. Name one that is (createdb).")


def _empty(address: str) -> None:
    """Empty a database again."""
    with closing(open_store(address)) as opened, opened.write() as conn:
        conn.execute(text("DROP SCHEMA public CASCADE"))
        conn.execute(text("CREATE SCHEMA public"))


@contextmanager
def _databases(folder: str, postgresql: str | None, name: str) -> Iterator[dict[str, str]]:
    """Yield empty databases of both kinds for one measurement."""
    addresses = {"SQLite": f"sqlite:///{folder}/bench.db"}
    if name not in ("open", "http", "mail", "claims", "reminders", "replies", "record"):
        yield addresses
    elif postgresql is not None:
        try:
            yield addresses | {"PostgreSQL": postgresql}
        finally:
            _empty(postgresql)
    else:
        server = PostgreSQL(safe=True)
        try:
            yield addresses | {"PostgreSQL": server.new_database()}
        finally:
            server.stop()


if __name__ == "__main__":
    bench(prog_name="python -m tests.bench")
