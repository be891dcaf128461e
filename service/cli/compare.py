"""``slowtrain compare``: replay the same games with two versions of the code, and compare them ply by ply.

Each game, of the store or of a file, goes to two processes with the code of one checkout each
(`service.proof.digest`). They answer with hashes of each ply and its effects. If hashes differ, the command asks for
the values and prints the difference.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from sqlalchemy import select

from domain.chain import StoredPly
from service.cli.bundles import contents
from service.cli.shared import escape, opened_store, terminal
from service.database.store import GAMES, SECRETS, Store
from service.proof import digest
from service.proof.audit import game_ids
from service.proof.bundle.format import Unreadable, read, stored_plies
from service.proof.checkouts import Code, is_checkout
from service.proof.verdicts import games_and_plies

FACE = Path("service", "proof", "face.py")
"""The module of a checkout that computes the face of a ply."""
SHOWN = 8
"""Places shown of one difference."""
LONG = 160


def _script(checkout: Path, names: Sequence[str]) -> Path:
    """The digest script for a checkout: its own, or ours if its release is older than this command.

    The code that the script runs is always the checkout's. If fields are renamed, both checkouts get our script, since
    an older one cannot rename.
    """
    if names:
        return Path(digest.__file__)
    places = checkout / "service" / "proof", checkout / "service"  # the second until 0.2.0
    own = (place / "digest.py" for place in places)
    return next((it for it in own if it.is_file()), Path(digest.__file__))


def _renamings(context: click.Context, option: click.Parameter, given: Sequence[str]) -> Sequence[str]:
    for each in given:
        if not re.fullmatch(r"[a-z_]+=[a-z_]+", each):
            raise click.BadParameter(f"{each} is not OLD=NEW, such as floor=start.", context, option)
    return given


@click.command()
@click.argument("old", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("new", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--old-python", default=sys.executable, metavar="FILE", help="The interpreter for OLD.  [default: this one]"
)
@click.option(
    "--new-python", default=sys.executable, metavar="FILE", help="The interpreter for NEW.  [default: this one]"
)
@click.option("--game", "games", multiple=True, help="Only this game of the store. Can be repeated.  [default: all]")
@click.option(
    "--renamed",
    "names",
    multiple=True,
    metavar="OLD=NEW",
    callback=_renamings,
    help="Treat the field OLD of states or of the table, now called NEW, as the same. Can be repeated.",
)
@click.option(
    "--face",
    is_flag=True,
    help="Also compare the texts, offers and drawings of every ply, for each reader and in all languages. This takes a "
    "hundred times as long. Both checkouts must know this option.",
)
def compare(
    old: Path,
    new: Path,
    files: tuple[Path, ...],
    old_python: str,
    new_python: str,
    games: tuple[str, ...],
    names: Sequence[str],
    face: bool,
) -> None:
    """Replay games with the code of two checkouts, and show each difference.

    OLD and NEW are folders with two versions of the code, such as two git worktrees. For each ply, the command
    compares the log as read, the decision of the rules, the state after it, and the view of each seat.

    FILE is an exported game that has ended (`slowtrain export`), as a page or as JSON lines. Without FILE, the command
    takes all games of the store and only reads them. The exit status is 1 if anything differs.
    """
    for checkout in (old, new):
        if not is_checkout(checkout):
            raise click.UsageError(f"{checkout} is not a checkout of Slow Train.")
        if face and not (checkout / FACE).is_file():
            raise click.UsageError(f"{checkout} is older than --face. Compare it without this option.")
    if files and games:
        raise click.UsageError("Name either games of the store or files.")
    console = terminal()
    with ExitStack() as opened:
        logs, number = _of_files(files) if files else _of_store(opened, games)
        script_of_old, script_of_new = _script(old, names), _script(new, names)
        now = [f"{each.partition('=')[2]}={each.partition('=')[2]}" for each in names]
        asked = ["--face"] if face else []
        codes = (
            Code(old, old_python, script_of_old, *_each(names), *asked),
            Code(new, new_python, script_of_new, *_each(now), *asked),
        )
        for code in codes:
            opened.callback(code.end)
        differing, plies = _compare_all(console, codes, logs, number)
    if differing:
        console.print(f"[bold red]{differing} of {number} games differ.[/]")
        raise SystemExit(1)
    console.print(f"[bold green]The same.[/] {games_and_plies(number, plies)}.")


def _each(names: Sequence[str]) -> list[str]:
    return [argument for name in names for argument in ("--renamed", name)]


def _compare_all(console: Console, codes: tuple[Code, Code], logs: Iterator["_Log"], number: int) -> tuple[int, int]:
    """Compare all games. Return the number that differ, and the plies of all."""
    differing = plies = 0
    columns = TextColumn("Comparing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=number)
        for game in logs:
            lines = list(_compared(codes, game))
            plies += game.count
            differing += bool(lines)
            for line in lines:
                progress.console.print(line, highlight=False)
            progress.advance(task)
    return differing, plies


# ==== the games ===================================================================================
class _Log(msgspec.Struct, frozen=True):
    """A game as sent to the processes. ``called``: its name in the output. ``count``: the number of its plies."""

    called: str
    line: bytes
    count: int


def _log(called: str, game_id: str, title: str, secret: str, plies: Sequence[StoredPly]) -> _Log:
    asked = {
        "game": game_id,
        "title": title,
        "secret": secret,
        "plies": [[it.open.decode(), [[part.seat, part.body.decode()] for part in it.sealed]] for it in plies],
    }
    return _Log(called, msgspec.json.encode(asked), len(plies))


def _of_files(files: Sequence[Path]) -> tuple[Iterator[_Log], int]:
    return (_log_of_file(file) for file in files), len(files)


def _log_of_file(file: Path) -> _Log:
    try:
        reading = read(contents(file))
    except Unreadable as error:
        raise click.ClickException(f"{file}: {error}") from None
    header, secret = reading.bundle.header, reading.bundle.secret
    if reading.fault is not None:
        raise click.ClickException(f"{file} was changed after it was written: {reading.fault}")
    if secret is None:
        raise click.ClickException(f"{file} does not hold the whole game: it was written while the game was running.")
    return _log(f"{header.game} ({file})", header.game, header.title, secret, stored_plies(reading.bundle))


def _of_store(opened: ExitStack, games: Sequence[str]) -> tuple[Iterator[_Log], int]:
    store = opened_store()
    opened.callback(store.close)
    ids = list(games) or game_ids(store)
    return (_log_of(store, game_id) for game_id in ids), len(ids)


def _log_of(store: Store, game_id: str) -> _Log:
    with store.read() as conn:
        row = conn.execute(
            select(GAMES.c.title, GAMES.c.version, SECRETS.c.secret).join(SECRETS).where(GAMES.c.id == game_id)
        ).one_or_none()
        if row is None:
            raise click.ClickException(f"There is no game {game_id}.")
        plies = store.stored_plies(conn, game_id, 0, row.version)
    return _log(game_id, game_id, row.title, row.secret.hex(), plies)


# ==== differences =================================================================================
def _compared(codes: tuple[Code, Code], game: _Log) -> Iterator[str]:
    """The differences in a game, in lines: for each value the first ply that differs, and each differing decision."""
    for code in codes:
        code.ask(game.line)
    old, new = (code.answer() for code in codes)
    if old == new and not old["error"]:
        return
    old, new = (code.once(game.line, "--pruned") for code in codes)
    found = dict(_differing(old["plies"], new["plies"]))
    if found:
        plies = ",".join(map(str, found))
        values = (code.once(game.line, "--whole", plies)["plies"] for code in codes)
        for (number, what), one, other in zip(found.items(), *values, strict=True):
            for name in what:
                yield f"[bold]Game {escape(game.called)}, ply {number}[/]: {name}"
                yield from (f"    {escape(line)}" for line in _first_places(one[name], other[name]))
    for code, said in zip(codes, (old, new), strict=True):
        if said["error"]:
            where = f"[bold]Game {escape(game.called)}, ply {len(said['plies']) + 1}[/]"
            yield f"{where}: the code in {escape(str(code.checkout))} cannot continue: {escape(said['error'])}"


def _differing(old: Sequence[dict[str, str]], new: Sequence[dict[str, str]]) -> Iterator[tuple[int, list[str]]]:
    """The differing plies with the names of values: each value where it first differs, and each differing decision."""
    seen: set[str] = set()
    for number, (before, after) in enumerate(zip(old, new, strict=False), 1):
        what = [it for it in before if it in after and before[it] != after[it] and (it not in seen or it == "decided")]
        if what:
            seen.update(what)
            yield number, what


def _first_places(before: Any, after: Any) -> list[str]:
    places = list(_places(before, after, ""))
    more = [f"… and {len(places) - SHOWN} more"] if len(places) > SHOWN else []
    return places[:SHOWN] + more


def _places(before: Any, after: Any, path: str) -> Iterator[str]:
    """The places at which two pieces of plain data differ, each as a line."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted({*before, *after}):
            yield from _places(before.get(name), after.get(name), f"{path}.{name}" if path else name)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for at, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _places(one, other, f"{path}[{at}]")
    elif before != after:
        yield f"{path or 'it'}: {_short(before)} → {_short(after)}"


def _short(value: Any) -> str:
    said = msgspec.json.encode(value).decode()
    return said if len(said) <= LONG else said[:LONG] + "…"
