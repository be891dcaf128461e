"""``slowtrain export``, ``slowtrain import``, and ``slowtrain verify`` for files."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

import domain
from service.cli.shared import escape, opened_store, terminal, tongue
from service.cli.verdicts import print_lines, print_verdict, print_words
from service.database.store import Busy, Store
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
    help="Show a running game as this seat sees it.  [default: as a spectator]",
)
@click.option("--format", "form", type=click.Choice(["html", "jsonl"]), default="html", show_default=True)
@click.option("--lang", callback=tongue, default="en", show_default=True, help="Language of the page.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write to.  [default: standard output]",
)
def export(game: str, seat: int | None, form: str, lang: str, output: Path | None) -> None:
    """Write a game as one file that proves itself.

    The file holds no names. For a running game it holds only what one seat or a spectator may see; for a finished game,
    everything. As a page it shows the board ply by ply, carries its own proof, and needs no network.
    """
    with closing(opened_store()) as store:
        made = _exported(store, game, seat, form, lang)
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
@click.option("--name", default="", help="Name of the table here.  [default: the name of the title]")
@click.option("--private", is_flag=True, help="Do not list it among the public games.")
@click.option(
    "--unproved",
    is_flag=True,
    help="Import it even if some plies can only be replayed, because their rules are retired.",
)
def import_(file: Path, name: str, private: bool, unproved: bool) -> None:
    """Import a finished game from another installation.

    The command proves the file first, and then the game as stored. The game stays finished and has no people. A game
    with errors is never imported (exit status 1). A game not fully checked against the rules ends with 3, unless
    --unproved allows it.
    """
    if len(name) > 80:
        raise click.UsageError("A table's name can have at most 80 letters.")
    raw = contents(file)
    try:
        with closing(opened_store()) as store:
            bundle, new, verdict = keep.keep(store, raw, name=name, public=not private, unproved=unproved)
    except keep.NotProved as error:
        click.echo(f"Error: Not imported. {error} Use --unproved to import it anyway.", err=True)
        raise SystemExit(NOT_PROVED) from None
    except (keep.NotImported, Unreadable) as error:
        raise click.ClickException(f"Not imported. {error}") from None
    except Busy:
        raise click.ClickException("Not imported: the database is busy. Try again.") from None
    header = bundle.header
    if new:
        click.echo(f"Imported game {header.game} ({header.title}, {header.plies} plies). {verdict}")
    else:
        click.echo(f"Game {header.game} is already here, with the same log. Nothing was changed.")


# ==== verify ======================================================================================
def verify_file(
    file: Path,
    fingerprints: Sequence[str],
    words: Sequence[str] = (),
    formers: Formers = NOBODY,
    lang: str = ENGLISH,
) -> int:
    """Prove a file, print the findings, and return the exit status."""
    try:
        proof = prove_file(contents(file), domain.TITLES, fingerprints, formers)
    except Unreadable as error:
        raise click.ClickException(say(error.why, lang)) from None
    console = terminal()
    console.print(escape(say(report.heading_of_file(proof), lang)), highlight=False)
    print_lines(console, report.of_file(proof), lang)
    print_verdict(console, proof.verdict, lang)
    return proof.verdict.status if print_words(console, proof.brought, words, lang) else WRONG


def contents(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(LARGEST + 1)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror}.") from None
