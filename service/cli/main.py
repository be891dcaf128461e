"""The command ``slowtrain`` for operators and auditors.

Heavy modules are imported only by the commands that need them. Commands longer than a screen live in modules of their
own, which `ELSEWHERE` names.
"""

from __future__ import annotations

import importlib
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.cli.shared import escape, newer_tables, opened_store, terminal, tongue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from service.database.store import Store
    from service.games.queries import Seen, Shown

ELSEWHERE = {
    "init": ("init:init", "Ask for the settings, try them, and write the files of an installation."),
    "up": ("run:up", "Start everything: web, worker, beat and mailbox."),
    "web": ("run:web", "Serve the site and the API."),
    "worker": ("run:worker", "Send mail, play the bots and watch the clocks."),
    "beat": ("run:beat", "Tell the workers at intervals to look for due work."),
    "live": ("run:live", "Hold the streams of live pages (production)."),
    "mailbox": ("run:mailbox", "Take the mail of the embedded service."),
    "listen": ("run:listen", "Take mail from a mail server, by SMTP and LMTP."),
    "opensmtpd-filter": ("opensmtpd:opensmtpd_filter", "Tell an OpenSMTPD in front which recipients exist."),
    "fetch": ("fetch:fetch", "Fetch answers from an ordinary mailbox now."),
    "receive": ("receive:receive", "Take one mail from a mail server's pipe."),
    "read-mail": ("read_mail:read_mail", "Show how the service reads a mail, as JSON."),
    "check-settings": ("check_settings:check_settings", "Check the settings."),
    "backup": ("backup:backup", "Copy the whole installation to a file while the service runs."),
    "restore": ("backup:restore", "Restore a copy, prove it, and repeat later erasures."),
    "partition": ("partition:partition", "Partition the log of a large store (PostgreSQL)."),
    "operator": ("operate:operator", "Manage the operators of the site."),
    "operate": ("operate:operate", "Look after people, games and mails."),
    "verify": ("verify:verify", "Prove that a game was never changed and was played by the rules."),
    "record": ("record:record", "Check the record of finished games, or make it again."),
    "ratings": ("record:ratings", "Check the ratings of players, or compute them again."),
    "export": ("bundles:export", "Write a game as one file that proves itself."),
    "import": ("bundles:import_", "Import a finished game from another installation."),
    "compare": ("compare:compare", "Replay games with the code of two checkouts, and show each difference."),
    "demo": ("demo:demo", "Play a whole game over the API of a running service."),
}
"""Command -> its module and function, and its line in the help."""

SECTIONS = {
    "Run the service": (
        "init",
        "up",
        "check-settings",
        "migrate",
        "backup",
        "restore",
        "partition",
        "web",
        "worker",
        "beat",
        "live",
        "mailbox",
        "listen",
        "opensmtpd-filter",
        "fetch",
        "receive",
    ),
    "Look after people": ("erase", "operator", "operate"),
    "Look into games": ("verify", "checks", "record", "ratings", "compare", "show", "export", "import", "read-mail"),
    "Try it out": ("demo",),
}


class Commands(click.Group):
    """The commands of this module, and those of other modules, which are imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in SECTIONS.values() for name in names]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in ELSEWHERE:
            return super().get_command(ctx, name)
        module, _, attribute = ELSEWHERE[name][0].partition(":")
        command = getattr(importlib.import_module(f"service.cli.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            message = _in_words(error)
            if message is None:
                raise
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


def _in_words(error: Exception) -> str | None:
    """Explain errors that are no fault of ours, such as wrong settings or an unreachable database; else None."""
    from config.files import NotPrivate
    from config.review import findings_of
    from service.database.migrations import NewerTables, NoWayBack
    from service.database.store import Away, Busy, NoSuchGame, NoSuchVersion
    from service.keeping.copies import NoCopy
    from service.people.accounts import BadAddress
    from service.proof.checkouts import DoesNotRun

    if isinstance(error, NotPrivate | NoWayBack | NoCopy | BadAddress | DoesNotRun):
        return str(error)
    if isinstance(error, NewerTables):
        return newer_tables(error)
    if isinstance(error, NoSuchGame):
        return f"There is no game {error}."
    if isinstance(error, NoSuchVersion):
        return f"The game has not reached ply {error}."
    if isinstance(error, Busy):
        return "The database is busy. Try again."
    if isinstance(error, Away):
        return f"The database cannot be reached: {error}\nSLOWTRAIN_DATABASE_URL is its address."
    if isinstance(error, PermissionError) and error.filename in (".env", Path(".env")):
        return "You may not read the settings in .env here. Change to another folder, or run this as its owner."
    found = findings_of(error) if isinstance(error, ValueError) else None
    if found is None:
        return None
    wrong = "\n".join(f"  {it}" for it in found)
    return f'The settings are wrong.\n{wrong}\n"slowtrain check-settings" checks all of them.'


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="slowtrain", prog_name="Slow Train")
def main() -> None:
    """Slow Train: railway board games played over days, by web and by mail.

    Settings come from the environment (SLOWTRAIN_…) and from a file .env. Without any, the folder var holds all data.
    "slowtrain up" starts the whole service.
    """


# ==== the tables ==================================================================================
@main.command()
@click.option("--list", "listed", is_flag=True, help="Only list the steps, and the present step of the tables.")
@click.option(
    "--to", "revision", metavar="REVISION", help="Go back to these tables before you go back to an older release."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
def migrate(listed: bool, revision: str | None, yes: bool) -> None:
    """Bring the tables of the database up to date.

    Processes of earlier releases (0.2 or later) keep working as long as the new steps only add. See
    docs/host/updating.md for updates and the way back.
    """
    from config.settings import Settings
    from service.database.store import Busy, open_store

    settings = Settings()
    with closing(open_store(settings.database, settings=settings)) as store:
        try:
            if listed:
                _list_steps(store)
            elif revision is not None:
                _go_back(store, revision, yes)
            else:
                store.migrate()
                click.echo(f"The tables are up to date ({store.engine.url.render_as_string(hide_password=True)}).")
        except Busy:
            raise click.ClickException("The database is busy. Nothing was changed; try again.") from None


def _list_steps(store: Store) -> None:
    from service.database import migrations

    with store.read() as conn:
        at = migrations.present(conn)
    for step in reversed(migrations.between(None, migrations.newest())):
        here = "*" if step.revision == at else " "
        back = f"no way back: {step.no_way_back}" if step.no_way_back else "can be undone"
        kind = "adds only" if step.adds_only else "changes"
        click.echo(f"{here} {step.revision}  {step.what}\n        {kind}; {back}")
    if at is None:
        click.echo("The database is empty.")
    elif not migrations.is_known(at):
        click.echo(f"The tables are those of a later release ({at}).")


def _go_back(store: Store, revision: str, yes: bool) -> None:
    from service.database import migrations

    with store.read() as conn:
        at = migrations.present(conn)
    if not migrations.is_known(at):
        raise migrations.NewerTables(at)
    undone = migrations.between(revision, at)
    if revision not in {step.revision for step in migrations.between(None, at)}:
        raise click.ClickException(f'These tables have had no step {revision}: see "slowtrain migrate --list".')
    if stuck := next((step for step in undone if step.no_way_back), None):
        raise click.ClickException(f"{migrations.NoWayBack(stuck)} Nothing was changed.")
    for step in undone:
        click.echo(f"{step.revision}  {step.what}")
    if undone and not yes:
        click.confirm("Undo these steps? Data that only they can keep is lost", abort=True)
    migrations.go_back(store, revision)
    click.echo(f"The tables are at {revision}.")


# ==== proving =====================================================================================
@main.command()
def checks() -> None:
    """Show the results of the nightly checks of all games.

    The exit status is 1 if the last completed check found a difference. It is 3 if the check found none, but could only
    replay some plies, so that not every game is fully checked against the rules.
    """
    from service.base import clock
    from service.proof import checks
    from service.proof.verdicts import NOT_PROVED, PROVED, WRONG, games_and_plies

    out = terminal()
    with closing(opened_store()) as store, store.read() as conn:
        runs = checks.runs(conn)
        found = {run.id: checks.differences(conn, run.id) for run in runs if run.wrong}
    if not runs:
        out.print("No check has run yet. The workers start one each night.")
    for run in runs:
        when = clock.to_the_minute(run.started_at)
        state = "" if run.ended_at is not None else ", under way"
        found_so = f"{run.wrong} differences, {run.not_proved} not fully checked against the rules"
        out.print(
            f"[dim]{when}[/]  {games_and_plies(run.games, run.plies)} verified, {found_so}, "
            f"{run.spent / 1000:.1f} s{state}",
            highlight=False,
        )
        for it in found.get(run.id, ()):
            out.print(
                f"    [bold red]Wrong.[/] Game {it.game_id}, ply {it.ply or '–'}: {escape(it.what())}", highlight=False
            )
    ended = [run for run in runs if run.ended_at is not None]
    raise SystemExit(WRONG if ended and ended[0].wrong else NOT_PROVED if ended and ended[0].not_proved else PROVED)


# ==== people ======================================================================================
@main.command()
@click.argument("address")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(address: str, yes: bool) -> None:
    """Erase the person with this mail ADDRESS, if they asked you rather than using their account page.

    Their name, address, tokens, mails and notes are gone for good. Their seats in running games resign, and their open
    tables are closed. Every game can still be proved. If nobody has this address, the command erases mails sent to it,
    such as invitations. Backups, and old data that PostgreSQL keeps for a while, are up to you: see
    docs/host/privacy.md.
    """
    from service.keeping import personal
    from service.people import accounts

    with closing(opened_store()) as store:
        with store.read() as conn:
            person_id = accounts.find(conn, address)
        if not yes:
            who = "all data about this address (nobody has it)" if person_id is None else f"the person {person_id}"
            click.confirm(f"Erase {who}, for good?", abort=True)
        if person_id is not None:
            personal.erase(store, person_id, store.now())
        elif not personal.forget_address(store, accounts.normalised(address), store.now()):
            raise click.ClickException("Nobody has this address, and no data about it is stored.")
    click.echo("Erased.")


# ==== looking =====================================================================================
@main.command()
@click.argument("game")
@click.option("--at", type=click.IntRange(0), metavar="N", help="Show the game after ply N.  [default: now]")
@click.option(
    "--seat", type=click.IntRange(1), metavar="S", help="Show the game as this seat sees it.  [default: as a spectator]"
)
@click.option("--lang", callback=tongue, default="en", show_default=True, help="Language tag (BCP 47), such as de.")
@click.option(
    "--line", "lines", multiple=True, metavar="LINE", help="An order to try there: show how it would be read."
)
def show(game: str, at: int | None, seat: int | None, lang: str, lines: tuple[str, ...]) -> None:
    """Tell the story of a game, and show its position."""
    if lines and seat is None:
        raise click.UsageError("Name the seat that gives the orders with --seat.")
    with closing(opened_store()) as store:
        _print_game(terminal(), store, game, at, seat, lang, lines)


def _print_game(
    console: Console, store: Store, game: str, at: int | None, seat: int | None, lang: str, lines: Sequence[str]
) -> None:
    from msgspec.structs import replace

    from service.base import clock
    from service.games import queries
    from service.games.turn import Tryout
    from service.words import called

    with store.read() as conn:
        seen = queries.seen_by(store.load(conn, game), None, invited=True, lang=lang)  # operators may see any table
        seen = replace(seen, seat=seat)
        if seat is not None and seat > seen.row.seats:
            raise click.ClickException(f"This table has {seen.row.seats} seats.")
        position = queries.position(store, conn, seen, seen.game.version if at is None else at)
        told = queries.plies(store, conn, seen, lang, until=position.version)
    eyes = "a spectator" if seat is None else seen.player(seat)
    name = f"[bold]{escape(seen.row.name)}[/] ({called(seen.title, lang)})"
    console.print(f"{name}, game {game}, as {escape(eyes)} sees it")
    for ply in told:
        story = " ".join(ply.said) or ("…" if ply.hidden else type(ply.ply.command).__name__)
        when = clock.to_the_minute(ply.ply.at) if ply.ply.at else " " * 16
        withdrawn = " [dim](taken back)[/]" if ply.withdrawn else ""
        console.print(f"[dim]{ply.ply.number:>5}  {when}[/]  {escape(story)}{withdrawn}", highlight=False)
    _print_position(console, queries.shown(seen, lang, position), seen)
    for line in Tryout(seen, max(seen.stored.now(), position.at), lang, position).read(lines):
        rule = f" ({line.rule})" if line.rule else ""
        what = f"{line.said}{rule}" if line.problem else " ".join((f"{line.line}:", *line.does))
        console.print(f"[dim]>[/] {escape(line.text)}\n  {escape(what)}", highlight=False)
        for near in line.near:
            console.print(f"    {escape(near)}", highlight=False)


def _print_position(console: Console, shown: Shown, seen: Seen) -> None:
    console.print(f"[bold]After ply {shown.version}[/]: {shown.status}", highlight=False)
    if shown.asked:
        console.print(f"  Waiting for {', '.join(escape(seen.player(seat)) for seat in shown.asked)}.")
    for sentence in (*shown.hand, *shown.standing):
        console.print(f"  {escape(sentence)}", highlight=False)
