"""``slowtrain export`` and ``slowtrain import``, and what ``slowtrain verify`` does with a file."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

import domain
from service.cli.shared import escape, opened_store, tongue
from service.cli.verdicts import print_lines, print_verdict, print_words
from service.database.store import Busy, NoSuchGame, Store
from service.proof import report
from service.proof.bundle import keep, make
from service.proof.bundle.format import LARGEST, Unreadable, write
from service.proof.bundle.prove import prove_file
from service.proof.former import NOBODY, Formers
from service.proof.verdicts import NOT_PROVED, WRONG, say
from service.words import ENGLISH


# ==== export ======================================================================================
@click.command()
@click.argument("game")
@click.option(
    "--seat",
    type=click.IntRange(1, 99),
    metavar="S",
    help="As this seat sees a running game.  [default: as a spectator]",
)
@click.option("--format", "form", type=click.Choice(["html", "jsonl"]), default="html", show_default=True)
@click.option("--lang", callback=tongue, default="en", show_default=True, help="Of the page.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it.  [default: standard output]",
)
def export(game: str, seat: int | None, form: str, lang: str, output: Path | None) -> None:
    """Write a game as one file that proves itself.

    It holds no names. While a game runs, it holds what one seat or a spectator may see of it; when the game has ended,
    everything. As a page it shows the board ply by ply and brings its own proof; it needs no network.
    """
    store = opened_store()
    try:
        made = _exported(store, game, seat, form, lang)
    except NoSuchGame:
        raise click.ClickException(f"There is no game {game}.") from None
    finally:
        store.close()
    if output is None:
        click.echo(made, nl=False)
        return
    try:
        output.write_bytes(made)
    except OSError as error:
        raise click.ClickException(f"{output} cannot be written: {error.strerror}.") from None


def _exported(store: Store, game: str, seat: int | None, form: str, lang: str) -> bytes:
    with store.read() as conn:
        stored = store.load(conn, game)
        if seat is not None and seat > stored.row.seats:
            raise click.ClickException(f"This table has {stored.row.seats} seats.")
        plies = store.stored_plies(conn, game, 0, stored.row.version)
    bundle = make.bundle(stored, plies, seat)
    if form == "jsonl":
        return write(bundle)
    from service.proof.bundle import page

    return page.page(bundle, stored, plies, seat, lang)


# ==== import ======================================================================================
@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", default="", help="What the table is called here.  [default: the name of the title]")
@click.option("--private", is_flag=True, help="Do not list it among the games anybody may look at.")
@click.option(
    "--unproved",
    is_flag=True,
    help="Take it even where plies can only be replayed, since their rules are decided no longer.",
)
def import_(file: Path, name: str, private: bool, unproved: bool) -> None:
    """Bring a finished game from another installation into this one.

    The file is proved first, and the game again where it lies. It stays as it is: finished, and without people. What is
    wrong is never taken, and ends with 1; what is not proved by the rules ends with 3, unless --unproved lets it in.
    """
    if len(name) > 80:
        raise click.UsageError("A table's name has 80 letters at most.")
    raw = contents(file)
    store = opened_store()
    try:
        bundle, new, verdict = keep.keep(store, raw, name=name, public=not private, unproved=unproved)
    except keep.NotProved as error:
        click.echo(f"Error: Not imported. {error} It is taken all the same with --unproved.", err=True)
        raise SystemExit(NOT_PROVED) from None
    except (keep.NotImported, Unreadable) as error:
        raise click.ClickException(f"Not imported. {error}") from None
    except Busy:
        raise click.ClickException("Not imported: the database is busy. Try again.") from None
    finally:
        store.close()
    header = bundle.header
    if new:
        click.echo(f"Game {header.game} ({header.title}, {header.plies} plies) is here now. {verdict}")
    else:
        click.echo(f"Game {header.game} is here already, with the same log. Nothing was changed.")


# ==== verify ======================================================================================
def verify_file(
    file: Path,
    fingerprints: Sequence[str],
    words: Sequence[str] = (),
    formers: Formers = NOBODY,
    lang: str = ENGLISH,
) -> int:
    """Prove a file and say what was found; what the command ends with."""
    try:
        proof = prove_file(contents(file), domain.TITLES, fingerprints, formers)
    except Unreadable as error:
        raise click.ClickException(say(error.why, lang)) from None
    console = Console(soft_wrap=True)
    console.print(escape(say(report.named_in_file(proof), lang)), highlight=False)
    print_lines(console, report.of_file(proof), lang)
    print_verdict(console, proof.verdict, lang)
    return proof.verdict.status if print_words(console, proof.brought, words, lang) else WRONG


def contents(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(LARGEST + 1)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror}.") from None
