"""The command ``slowtrain``: what an operator or an auditor types.

Nothing heavy is imported before the command that needs it is chosen. Commands that are longer than a screen live in
their own modules and are named in `ELSEWHERE`.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from service.audit import Report
    from service.bundle.prove import Proof
    from service.queries import Seen, Shown
    from service.store import Store

ELSEWHERE = {
    "up": ("service.run:up", "Start everything: web, worker, beat and mailbox."),
    "web": ("service.run:web", "Serve the site and the API."),
    "worker": ("service.run:worker", "Send mail, play the bots and look after the clock."),
    "beat": ("service.run:beat", "Tick, so that sweeps find what a lost hint left behind."),
    "mailbox": ("service.run:mailbox", "Take the mail of the embedded service."),
    "check-settings": ("service.check_settings:check_settings", "Say what is wrong with the settings, and what well."),
    "export": ("service.bundle.commands:export", "Write a game as one file that proves itself."),
    "import": ("service.bundle.commands:import_", "Bring a finished game from another installation."),
    "compare": ("service.compare:compare", "Replay every game with the code of two checkouts, and say what differs."),
    "demo": ("service.demo:demo", "Play a whole game over the API of a running service."),
    "simulate": ("service.simulate:command", "Play many games between bots and count who wins."),
    "bench": ("service.bench:bench", "Measure speed, each figure beside a yardstick."),
}
"""Command -> where it is, and its line in the help."""

SECTIONS = {
    "Run the service": ("up", "check-settings", "migrate", "web", "worker", "beat", "mailbox"),
    "Look after people": ("erase",),
    "Look into games": ("verify", "checks", "compare", "show", "export", "import"),
    "Try it out": ("demo", "simulate", "bench"),
}


class Commands(click.Group):
    """The commands of this module and, imported when they are called, those elsewhere."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in SECTIONS.values() for name in names]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in ELSEWHERE:
            return super().get_command(ctx, name)
        module, _, attribute = ELSEWHERE[name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ValueError as error:  # most commands begin with the settings
            if not type(error).__module__.startswith("pydantic"):
                raise
            from config.review import findings_of

            found = findings_of(error)
            if found is None:
                raise
            wrong = "\n".join(f"  {it}" for it in found)
            message = f"The settings are wrong.\n{wrong}\n\"slowtrain check-settings\" looks at all of them."
            raise click.ClickException(message) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, names in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name, self._line(ctx, name)) for name in names])

    def _line(self, ctx: click.Context, name: str) -> str:
        if name in ELSEWHERE:
            return ELSEWHERE[name][1]
        command = super().get_command(ctx, name)
        return command.get_short_help_str(100) if command else ""


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="slowtrain", prog_name="Slow Train")
def main() -> None:
    """Slow Train: railway board games played over days, by web and by mail.

    Settings come from the environment (SLOWTRAIN_…) and from a file .env; without any, everything is kept in the
    folder var. "slowtrain up" starts the whole service.
    """


# ==== the tables ==================================================================================
@main.command()
def migrate() -> None:
    """Bring the tables of the database to the present shape."""
    from config.settings import Settings
    from service.store import open_store

    settings = Settings()
    store = open_store(settings.database, settings=settings)
    store.migrate()
    click.echo(f"The tables are up to date ({store.engine.url.render_as_string(hide_password=True)}).")
    store.close()


# ==== proving =====================================================================================
@main.command()
@click.argument("game", metavar="[GAME | FILE]", required=False)
@click.option("-f", "--fingerprint", "fingerprints", multiple=True, metavar="F",
              help="A fingerprint from a mail or a page of this game; give as many as you like. For a file also with "
                   "its ply: 17:0123456789ab.")  # fmt: skip
@click.option("-w", "--words", multiple=True, metavar="W",
              help="Salt and words of luck that you brought, as the site shows them to you: it must find their seat.")
@click.option("--all", "everything", is_flag=True, help="Prove every game of the database.")
@click.option("--processes", type=click.IntRange(1, 256), help="With --all: how many at a time.  [default: one a core]")
@click.option("--quick", is_flag=True, help="Work out the chain and the positions again, but decide nothing again.")
def verify(
    game: str | None, fingerprints: tuple[str, ...], words: tuple[str, ...], everything: bool,
    processes: int | None, quick: bool,
) -> None:  # fmt: skip
    """Prove that a game was never changed and was played by the rules.

    The chain of hashes is worked out again from the stored bytes, every command is decided again to the same bytes,
    and every draw is made again from the secret whose hash stands in the first ply. Ends with 1 when something is
    wrong. An exported file is proved without service and database.
    """
    if everything == (game is not None):
        raise click.UsageError("Name a game, or say --all.")
    if everything and (fingerprints or words):
        raise click.UsageError("Fingerprints and words belong to one game: name it.")
    if game is not None and _is_file(game):
        if quick:
            raise click.UsageError("--quick is for games of the database.")
        from service.bundle.commands import verify_file

        raise SystemExit(0 if verify_file(Path(game), fingerprints, words) else 1)
    store = opened_store()
    try:
        proved = (
            _verify_all(store, processes, quick)
            if game is None
            else _verify_one(store, game, fingerprints, words, quick)
        )
    finally:
        store.close()
    raise SystemExit(0 if proved else 1)


def _is_file(game: str) -> bool:
    """Whether a file is meant, and not the id of a game."""
    return bool({"/", "\\", "."} & set(game)) or Path(game).is_file()


def _verify_one(store: Store, game: str, fingerprints: Sequence[str], words: Sequence[str], quick: bool) -> bool:
    from service.audit import verify_game
    from service.store import NoSuchGame

    try:
        report = verify_game(store, game, fingerprints, quick=quick)
    except NoSuchGame:
        raise click.ClickException(f"There is no game {game}.") from None
    console = _console()
    _print_report(console, report, quick)
    return print_luck(console, report, words) and report.proved


def _print_report(console: Console, report: Report, quick: bool) -> None:
    console.print(f"Game [bold]{report.game_id}[/] ({report.title}), {report.status or 'not readable'}")
    older = f"; {report.replayed} of older rules were replayed" if report.replayed else ""
    lines = [
        ("chain", f"{report.links} plies and {report.parts} sealed parts follow from one another"),
        ("decisions", "not looked at") if quick else
        ("decisions", f"{report.decided} commands decided again to the same bytes (rules {report.rules}){older}"),
        ("draws", "not looked at") if quick else
        ("draws", f"{report.draws} made again from the game's secret"),
        *(("fingerprint", f"{given} is that of ply {ply}") for given, ply in report.found.items()),
        ("head", report.head),
    ]
    for name, line in lines:
        console.print(f"  [dim]{name:<12}[/] {line}", highlight=False)
    for fault in report.faults:
        console.print(f"[bold red]Wrong.[/] {escape(str(fault))}", highlight=False)
    if report.proved:
        rules = "" if quick else ", and all of it was played by the rules"
        console.print(f"[bold green]Proved.[/] Nothing was changed{rules}.")


def print_luck(console: Console, proof: Report | Proof, words: Sequence[str]) -> bool:
    """Say whether the draws could have been chosen, and which seats ``words`` went in with; whether all of them did."""
    from domain import luck
    from domain.house_words import WORDS

    if proof.luck is not None:
        console.print(f"  [dim]{'luck':<12}[/] {WORDS.say(proof.luck, 'en', str)}", highlight=False)
    found = [luck.seats_of(each, proof.brought) for each in words]
    for seats in found:
        went = f"these words went in with seat {seats[0]}" if seats else "[bold red]these words went in with no seat[/]"
        console.print(f"  [dim]{'words':<12}[/] {went}", highlight=False)
    return all(found)


def _verify_all(store: Store, processes: int | None, quick: bool) -> bool:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from service.audit import game_ids, verify_all

    console = _console()
    ids = game_ids(store)
    wrong: list[Report] = []
    plies = 0
    columns = TextColumn("Proving"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(ids))
        for report in verify_all(store, ids, processes=processes, quick=quick):
            plies += report.links
            progress.advance(task)
            if not report.proved:
                wrong.append(report)
                progress.console.print(f"[bold red]Wrong.[/] Game {report.game_id}: {escape(str(report.faults[0]))}")
    if wrong:
        console.print(f"[bold red]{len(wrong)} of {len(ids)} games are not what they were.[/]")
    else:
        console.print(f"[bold green]Proved.[/] {len(ids)} games with {plies} plies.")
    return not wrong


@main.command()
def checks() -> None:
    """Say what the nightly checks of all games found.

    Ends with 1 when the last one that ended found a difference.
    """
    from service import checks, clock

    store, console = opened_store(), _console()
    with store.read() as conn:
        runs = checks.runs(conn)
        found = {run.id: checks.differences(conn, run.id) for run in runs if run.wrong}
    store.close()
    if not runs:
        console.print("No check has run yet: the workers begin one each night.")
    for run in runs:
        when = clock.iso(run.started_at)[:16].replace("T", " ")
        state = "" if run.ended_at is not None else ", under way"
        console.print(f"[dim]{when}[/]  {run.games} games with {run.plies} plies verified, {run.wrong} differences, "
                      f"{run.spent / 1000:.1f} s{state}", highlight=False)  # fmt: skip
        for it in found.get(run.id, ()):
            console.print(f"    [bold red]Wrong.[/] Game {it.game_id}, ply {it.ply or '–'}: {escape(it.what)}",
                          highlight=False)  # fmt: skip
    ended = [run for run in runs if run.ended_at is not None]
    raise SystemExit(1 if ended and ended[0].wrong else 0)


# ==== people ======================================================================================
@main.command()
@click.argument("address")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(address: str, yes: bool) -> None:
    """Erase the person with a mail ADDRESS, who asked for it by other means than the account page.

    Name, address, tokens, mails and notes are gone for good. Running games are resigned for them, and their open tables
    are closed; every game can still be proved. Of an address that is nobody's the mails are erased that were sent to
    it, such as invitations. Backups, and what PostgreSQL keeps for a while, are yours to look after: see the README.
    """
    from service import clock, people, personal
    from service.store import Busy

    store = opened_store()
    try:
        with store.read() as conn:
            person_id = people.find(conn, address)
        if not yes:
            who = "what is kept of this address, which is nobody's" if person_id is None else f"the person {person_id}"
            click.confirm(f"Erase {who}, for good?", abort=True)
        if person_id is not None:
            personal.erase(store, person_id, clock.now())
        elif not personal.forget_address(store, people.normalised(address), clock.now()):
            raise click.ClickException("There is nobody with this address, and nothing is kept of it.")
    except people.BadAddress as error:
        raise click.ClickException(str(error)) from None
    except Busy:
        raise click.ClickException("The database is busy. Try again.") from None
    finally:
        store.close()
    click.echo("Erased.")


# ==== looking =====================================================================================
@main.command()
@click.argument("game")
@click.option("--at", type=click.IntRange(0), metavar="N", help="As it was after ply N.  [default: now]")
@click.option("--seat", type=click.IntRange(1), metavar="S", help="As this seat sees it.  [default: as an onlooker]")
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
def show(game: str, at: int | None, seat: int | None, lang: str) -> None:
    """Tell the story of a game, and where it stands."""
    from service.store import NoSuchGame, NoSuchVersion

    store = opened_store()
    try:
        _print_game(_console(), store, game, at, seat, lang)
    except NoSuchGame:
        raise click.ClickException(f"There is no game {game}.") from None
    except NoSuchVersion:
        raise click.ClickException(f"The game has not come to ply {at}.") from None
    finally:
        store.close()


def _print_game(console: Console, store: Store, game: str, at: int | None, seat: int | None, lang: str) -> None:
    from msgspec.structs import replace

    from service import clock, queries

    with store.read() as conn:
        seen = queries.seen_by(store.load(conn, game), None, invited=True, lang=lang)  # the operator sees any table
        seen = replace(seen, seat=seat)
        if seat is not None and seat > seen.row.seats:
            raise click.ClickException(f"This table has {seen.row.seats} seats.")
        position = queries.position(store, conn, seen, seen.game.version if at is None else at)
        told = queries.plies(store, conn, seen, lang, until=position.version)
    eyes = "an onlooker" if seat is None else seen.player(seat)
    console.print(f"[bold]{escape(seen.row.name)}[/] ({seen.title.name(lang)}), game {game}, as {escape(eyes)} sees it")
    for ply in told:
        story = " ".join(ply.said) or ("…" if ply.hidden else type(ply.ply.command).__name__)
        when = clock.iso(ply.ply.at)[:16].replace("T", " ") if ply.ply.at else " " * 16
        withdrawn = " [dim](taken back)[/]" if ply.withdrawn else ""
        console.print(f"[dim]{ply.ply.number:>5}  {when}[/]  {escape(story)}{withdrawn}", highlight=False)
    _print_position(console, queries.shown(seen, lang, position), seen)


def _print_position(console: Console, shown: Shown, seen: Seen) -> None:
    console.print(f"[bold]After ply {shown.version}[/]: {shown.status}", highlight=False)
    if shown.asked:
        console.print(f"  Waiting for {', '.join(escape(seen.player(seat)) for seat in shown.asked)}.")
    for sentence in (*shown.hand, *shown.standing):
        console.print(f"  {escape(sentence)}", highlight=False)


def escape(text: str) -> str:
    """``text`` as it is, whatever names players gave themselves: nothing in it is mark-up."""
    from rich.markup import escape as escaped

    return escaped(text)


# ==== shared ======================================================================================
def opened_store() -> Store:
    """The store of the settings, which must be there already and of the present shape."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import OperationalError

    from config.settings import Settings
    from service import migrations
    from service.store import open_store

    settings = Settings()
    address = make_url(settings.database)
    if address.drivername == "sqlite" and not Path(address.database or "").exists():
        raise click.ClickException(f"There is no database {address.database}: \"slowtrain up\" makes one.")
    store = open_store(settings.database, settings=settings)
    try:
        with store.read() as conn:
            current = migrations.is_current(conn)
    except OperationalError as error:
        raise click.ClickException(f"The database does not answer: {error.orig}") from None
    if not current:
        store.close()
        raise click.ClickException('The tables are not of the present shape: run "slowtrain migrate" first.')
    return store


def _console() -> Console:
    from rich.console import Console

    return Console(soft_wrap=True)
