"""``slowtrain verify``: games of the database, one or all, and files."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from service.cli.bundles import verify_file
from service.cli.shared import escape, opened_store, tongue
from service.cli.verdicts import COLOURS, print_lines, print_verdict, print_words
from service.database.store import NoSuchGame, Store
from service.proof import report
from service.proof.audit import game_ids, verify_all, verify_game
from service.proof.checkouts import DoesNotRun, is_checkout
from service.proof.former import NOBODY, Former, Formers
from service.proof.verdicts import HEADS, NOT_PROVED, WRONG, Kind, Verdict, say, status_of
from service.words import ENGLISH


def _formers(context: click.Context, option: click.Parameter, given: Sequence[str]) -> Formers:
    """What --release names. Nothing of it is run before it is asked."""
    found: dict[int, Former] = {}
    for each in given:
        rules, equals, folder = each.partition("=")
        if not (equals and rules.isascii() and rules.isdecimal() and len(rules) < 6 and int(rules)):
            raise click.BadParameter(f"{each} is not RULES=FOLDER, such as 1=../v0.1.0.", context, option)
        if int(rules) in found:
            raise click.BadParameter(f"Version {int(rules)} of the rules is given to two releases.", context, option)
        if not (folder and is_checkout(Path(folder))):
            raise click.BadParameter(f"{folder or each} is no checkout of Slow Train.", context, option)
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
    help="A fingerprint from a mail or a page of this game, perhaps with its ply: 17:0123456789ab; give as many as you "
    "like.",
)
@click.option(
    "-w",
    "--words",
    multiple=True,
    metavar="W",
    help="Salt and words of luck that you brought, as the site shows them to you: it must find their seat.",
)
@click.option("--all", "everything", is_flag=True, help="Prove every game of the database.")
@click.option("--processes", type=click.IntRange(1, 256), help="With --all: how many at a time.  [default: one a core]")
@click.option("--quick", is_flag=True, help="Work out the chain and the positions again, but decide nothing again.")
@click.option(
    "--release",
    "formers",
    multiple=True,
    metavar="RULES=FOLDER",
    callback=_formers,
    help="The code in FOLDER, a checkout of the release that decided by version RULES, decides the plies of "
    "that version in place of this program; may be given for several versions. It is run with the "
    "folder's own .venv, if it has one, and learns the secrets of the games.",
)
@click.option("--lang", callback=tongue, default="en", show_default=True, help="Of what is said.")
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

    The chain of hashes is worked out again from the stored bytes, every command is decided again to the same bytes,
    and every draw is made again from the secret whose hash stands in the first ply. An exported file is proved without
    service and database.

    \b
    Ends with
      0  when all is proved: every ply was decided again
      1  when something is wrong
      3  when nothing is wrong, but it is not proved by the rules:
         some plies were only replayed, since their rules are
         decided no longer, with --quick, or in the file of a
         running game, whose secret is not out; or there are no
         games
      4  when the log in an exported page is proved, but the page
         around it was not compared: another release made it.
         That release can compare it; slowtrain export makes
         a new page
    """
    if quick and formers:
        raise click.UsageError("With --quick nothing is decided: no release is asked.")
    try:
        raise SystemExit(_verified(game, fingerprints, words, everything, processes, quick, formers, lang))
    except DoesNotRun as error:
        raise click.ClickException(str(error)) from None
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
    """What the command ends with."""
    if everything == (game is not None):
        raise click.UsageError("Name a game, or say --all.")
    if everything and (fingerprints or words):
        raise click.UsageError("Fingerprints and words belong to one game: name it.")
    if game is not None and _is_file(game):
        if quick:
            raise click.UsageError("--quick is for games of the database.")
        return verify_file(Path(game), fingerprints, words, formers, lang)
    store = opened_store()
    try:
        if game is None:
            return prove_all(store, processes, quick, formers, lang)
        return _verify_one(store, game, fingerprints, words, quick, formers, lang)
    finally:
        store.close()


def _is_file(game: str) -> bool:
    """Whether a file is meant, and not the id of a game."""
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
    console = Console(soft_wrap=True)
    try:
        found = verify_game(store, game, fingerprints, quick=quick, formers=formers)
    except NoSuchGame:
        raise click.ClickException(say(report.no_game(game), lang)) from None
    console.print(escape(say(report.named(found), lang)), highlight=False)
    print_lines(console, report.of_game(found), lang)
    print_verdict(console, found.verdict, lang)
    return found.verdict.status if print_words(console, found.brought, words, lang) else WRONG


def prove_all(
    store: Store, processes: int | None = None, quick: bool = False, formers: Formers = NOBODY, lang: str = ENGLISH
) -> int:
    """Prove every game of a store, say what came of it, and give what a command ends with."""
    console = Console(soft_wrap=True)
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
    """Say what came of many games; what the command ends with. Without games nothing is proved."""
    if not verdicts:
        console.print(say(report.NO_GAMES, lang))
        return NOT_PROVED
    kinds = {it.kind for it in verdicts}
    kind: Kind = "wrong" if "wrong" in kinds else "replayed" if "replayed" in kinds else "proved"
    said = f"{say(HEADS[kind], lang)}[/] {escape(say(report.of_all(verdicts), lang))}"
    console.print(f"[{COLOURS[kind]}]{said}", highlight=False)
    return status_of(verdicts)
