"""``slowtrain verify``: prove one or all games of the database, or a file."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from service.cli.bundles import verify_file
from service.cli.shared import escape, opened_store, terminal, tongue
from service.cli.verdicts import COLOURS, print_lines, print_verdict, print_words
from service.database.store import NoSuchGame, Store
from service.proof import report
from service.proof.audit import game_ids, verify_all, verify_game
from service.proof.checkouts import is_checkout
from service.proof.former import NOBODY, Former, Formers
from service.proof.verdicts import HEADS, NOT_PROVED, WRONG, Kind, Verdict, say, status_of
from service.words import ENGLISH


def _formers(context: click.Context, option: click.Parameter, given: Sequence[str]) -> Formers:
    """The releases named by --release. Their code runs only when it is needed."""
    found: dict[int, Former] = {}
    for each in given:
        rules, equals, folder = each.partition("=")
        if not (equals and rules.isascii() and rules.isdecimal() and len(rules) < 6 and int(rules)):
            raise click.BadParameter(f"{each} is not RULES=FOLDER, such as 1=../v0.1.0.", context, option)
        if int(rules) in found:
            raise click.BadParameter(f"Two releases are given for version {int(rules)} of the rules.", context, option)
        if not (folder and is_checkout(Path(folder))):
            raise click.BadParameter(f"{folder or each} is not a checkout of Slow Train.", context, option)
        found[int(rules)] = Former(int(rules), Path(folder))
    return found


@click.command()
@click.argument("game", metavar="[GAME | FILE]", required=False)
@click.option(
    "-f",
    "--fingerprint",
    "fingerprints",
    multiple=True,
    metavar="F",
    help="A fingerprint from a mail or page of this game, with or without its ply, such as 17:0123456789ab. Can be "
    "repeated.",
)
@click.option(
    "-w",
    "--words",
    multiple=True,
    metavar="W",
    help="Salt and words of luck that you brought, as the site shows them. The command must find their seat.",
)
@click.option("--all", "everything", is_flag=True, help="Prove every game of the database.")
@click.option(
    "--processes", type=click.IntRange(1, 256), help="With --all: number of processes.  [default: one per core]"
)
@click.option("--quick", is_flag=True, help="Check the chain and the positions again, but do not decide any ply again.")
@click.option(
    "--release",
    "formers",
    multiple=True,
    metavar="RULES=FOLDER",
    callback=_formers,
    help="Let an older release decide the plies of version RULES. FOLDER is a checkout of that release. It runs with "
    "its own .venv, if it has one, and learns the secrets of the games. Can be repeated for other versions.",
)
@click.option("--lang", callback=tongue, default="en", show_default=True, help="Language of the output.")
def verify(
    game: str | None,
    fingerprints: tuple[str, ...],
    words: tuple[str, ...],
    everything: bool,
    processes: int | None,
    quick: bool,
    formers: Formers,
    lang: str,
) -> None:
    """Prove that a game was never changed and was played by the rules.

    The command computes the chain of hashes again from the stored bytes. It decides every command again, down to the
    same bytes. It makes every draw again from the secret whose hash is in the first ply. To prove an exported file, it
    needs neither service nor database.

    \b
    Exit status
      0  everything is proved: every ply was rechecked against the rules
      1  something is wrong
      3  nothing is wrong, but not everything is checked against the
         rules. Some plies were only replayed: with --quick,
         because their rules are retired, or because the secret
         of a running game is not published. Or there are no
         games.
      4  the log in an exported page is proved, but another
         release made the page around it. That release can
         compare it; slowtrain export makes a new page
    """
    if quick and formers:
        raise click.UsageError("--quick decides nothing, so it cannot ask a release.")
    try:
        raise SystemExit(_verified(game, fingerprints, words, everything, processes, quick, formers, lang))
    finally:
        for former in formers.values():
            former.end()


def _verified(
    game: str | None,
    fingerprints: Sequence[str],
    words: Sequence[str],
    everything: bool,
    processes: int | None,
    quick: bool,
    formers: Formers,
    lang: str,
) -> int:
    """Prove the given games or file. Return the exit status."""
    if everything == (game is not None):
        raise click.UsageError("Name a game, or use --all.")
    if everything and (fingerprints or words):
        raise click.UsageError("Fingerprints and words belong to one game. Name that game.")
    if game is not None and _is_file(game):
        if quick:
            raise click.UsageError("--quick only works for games in the database.")
        return verify_file(Path(game), fingerprints, words, formers, lang)
    with closing(opened_store()) as store:
        if game is None:
            return prove_all(store, processes, quick, formers, lang)
        return _verify_one(store, game, fingerprints, words, quick, formers, lang)


def _is_file(game: str) -> bool:
    """Is a file meant, and not the id of a game?"""
    return bool({"/", "\\", "."} & set(game)) or Path(game).is_file()


def _verify_one(
    store: Store,
    game: str,
    fingerprints: Sequence[str],
    words: Sequence[str],
    quick: bool,
    formers: Formers,
    lang: str,
) -> int:
    console = terminal()
    try:
        found = verify_game(store, game, fingerprints, quick=quick, formers=formers)
    except NoSuchGame:
        raise click.ClickException(say(report.no_game(game), lang)) from None
    console.print(escape(say(report.heading(found), lang)), highlight=False)
    print_lines(console, report.of_game(found), lang)
    print_verdict(console, found.verdict, lang)
    return found.verdict.status if print_words(console, found.brought, words, lang) else WRONG


def prove_all(
    store: Store, processes: int | None = None, quick: bool = False, formers: Formers = NOBODY, lang: str = ENGLISH
) -> int:
    """Prove every game of a store, print the outcome, and return the exit status."""
    console = terminal()
    ids = game_ids(store)
    verdicts: list[Verdict] = []
    columns = TextColumn("Proving"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(ids))
        for found in verify_all(store, ids, processes=processes, quick=quick, formers=formers):
            verdict = found.verdict
            verdicts.append(verdict)
            progress.advance(task)
            if verdict.faults or not (verdict.proved or quick):
                head = f"[{COLOURS[verdict.kind]}]{say(verdict.head, lang)}[/]"
                said = escape(say(report.of_one_of_many(found.game_id, verdict), lang))
                progress.console.print(f"{head} {said}", highlight=False)
    return _print_all(console, verdicts, lang)


def _print_all(console: Console, verdicts: Sequence[Verdict], lang: str) -> int:
    """Print the outcome for many games, and return the exit status. Without games nothing is proved."""
    if not verdicts:
        console.print(say(report.NO_GAMES, lang))
        return NOT_PROVED
    kinds = {it.kind for it in verdicts}
    kind: Kind = "wrong" if "wrong" in kinds else "replayed" if "replayed" in kinds else "proved"
    said = f"{say(HEADS[kind], lang)}[/] {escape(say(report.of_all(verdicts), lang))}"
    console.print(f"[{COLOURS[kind]}]{said}", highlight=False)
    return status_of(verdicts)
