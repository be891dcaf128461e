"""``slowtrain backup`` and ``slowtrain restore``: copy the whole installation, and restore it."""

import sqlite3
from contextlib import closing, nullcontext
from pathlib import Path

import click
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from config.files import keep_private, private_folder
from config.settings import Settings
from service.base import clock
from service.cli.run import alone
from service.cli.shared import opened_store
from service.cli.verify import prove_all
from service.database.store import Busy, Store, open_store
from service.keeping import copies, erasures, personal
from service.keeping.copies import Copied, NoCopy
from service.notices import watch
from service.proof.verdicts import WRONG, games_and_plies


# ==== backup ======================================================================================
@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--keep", type=click.IntRange(1), metavar="N", help="In a folder: delete all but the newest N copies.")
def backup(file: Path, keep: int | None) -> None:
    """Copy the whole installation to a new FILE while the service runs. In a folder, name the copy by its time.

    The copy holds every move accepted before it began. For PostgreSQL it is the output of pg_dump. It contains
    everything in the database, the hands of running games included, so only its owner can read it: keep it that way.
    It also holds the key of an embedded service. Keys from the environment are only named: keep those yourself.
    """
    folder = file if file.is_dir() else None
    if keep and folder is None:
        raise click.UsageError("--keep needs a folder of copies.")
    keep_private()
    with closing(opened_store()) as store:
        file = copies.named_by_time(folder, clock.now()) if folder else file
        copied = copies.back_up(store, file, store.now())
        watch.note(store, watch.BACKED_UP, store.now())
    for old in copies.kept_in(folder)[:-keep] if folder and keep else ():
        old.unlink(missing_ok=True)
    at_least = "" if store.on_sqlite else " at least"
    click.echo(f"{file} holds {games_and_plies(copied.games, copied.plies)}{at_least}.")
    if copied.own_key:
        click.echo("It also holds the key of the installation: with it, a reader can sign in as anybody.")
    else:
        click.echo(f"It needs the keys {', '.join(copied.keys)} (SLOWTRAIN_SECRET_KEYS), which are not in it.")


# ==== restore =====================================================================================
@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--here", is_flag=True, help="Prove a database that you restored by other means, and erase again.")
@click.option("--check", is_flag=True, help="Only prove the copy; replace nothing.")
@click.option(
    "--replace", is_flag=True, help="Replace the present database with the copy, and keep the old one beside it."
)
@click.option("--anyway", is_flag=True, help="Restore even if something in the copy is wrong.")
@click.option(
    "--erased",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="LIST",
    help="The list of erased people.  [default: SLOWTRAIN_ERASED_LIST]",
)
@click.option("--processes", type=click.IntRange(1, 256), help="Processes that prove games.  [default: one per core]")
def restore(
    file: Path | None,
    here: bool,
    check: bool,
    replace: bool,
    anyway: bool,
    erased: Path | None,
    processes: int | None,
) -> None:
    """Restore a copy from FILE: prove it, and erase again all people who were erased after it was made.

    If FILE is a folder, the newest copy is used. With --check, a copy of PostgreSQL is tried in a separate database on
    the same server, which is dropped afterwards.

    Stop all processes of the service first. A copy of PostgreSQL goes into an empty database. The tables then belong to
    the role that restores it. Other existing roles get their grants back; the command lists grants it could not give.
    With --here, it proves a database that you restored by other means. A copy of an earlier release is migrated to the
    tables of this one.

    \b
    Exit status
      0  the copy was restored, and all of it is proved
      1  it was not restored, or (--anyway) something in it is wrong
      3  it was restored, but not fully checked against the
         rules, or it holds no games
    """
    if here == (file is not None):
        raise click.UsageError("Name a file, or use --here.")
    keep_private()
    settings = Settings()
    on_sqlite = make_url(settings.database).get_backend_name() == "sqlite"
    if check and here:
        raise click.UsageError("--check needs a file.")
    try:
        of_folder = file is not None and file.is_dir()
        file = _newest(file) if file is not None and of_folder else file
        marks = {} if check else _marks(settings, erased)
        if file is None:
            status = _restore_here(settings, marks, anyway, processes)
        elif check and not on_sqlite:
            status = _check_apart(settings, file, anyway, processes)
        elif on_sqlite:
            status = _restore_file(settings, file, marks, check, replace, anyway, processes)
        else:
            with closing(open_store(settings.database, settings=settings)) as store:
                _say_who_may(copies.unpack_postgresql(store, file))
            status = _restore_here(settings, marks, anyway, processes)
    except Busy:
        raise click.ClickException("The database is busy: stop all processes of the service first.") from None
    if check and of_folder and status != WRONG:
        _note_checked(settings)
    raise SystemExit(status)


def _newest(folder: Path) -> Path:
    found = copies.kept_in(folder)
    if not found:
        raise NoCopy(f"There is no copy in {folder}.")
    click.echo(f"The newest copy is {found[-1]}.")
    return found[-1]


def _note_checked(settings: Settings) -> None:
    """Note in the live database that a copy of the folder was just found good. An alert reads this."""
    if make_url(settings.database).get_backend_name() == "sqlite" and not copies.database_file(settings).exists():
        return
    with closing(open_store(settings.database, settings=settings)) as store:
        watch.note(store, watch.PROVED, store.now())


def _check_apart(settings: Settings, file: Path, anyway: bool, processes: int | None) -> int:
    """Prove a copy of PostgreSQL in a database of its own."""
    with (
        closing(open_store(settings.database, settings=settings)) as live,
        copies.database_apart(live) as address,
        closing(open_store(address, settings=settings)) as store,
    ):
        copies.unpack_postgresql(store, file)
        return _proved(store, copies.said_of(store), processes, anyway)


def _marks(settings: Settings, given: Path | None) -> dict[str, int]:
    file = given or settings.list_of_erased
    if file is not None and file.exists():
        return erasures.read_list(file)
    where = f"no list {file}" if file else "no list of erased people (SLOWTRAIN_ERASED_LIST)"
    click.secho(
        f"There is {where}, so nobody is erased again. Do it by hand for people who asked since: slowtrain erase "
        "ADDRESS.",
        fg="yellow",
        err=True,
    )
    return {}


def _say_who_may(granted: copies.Granted) -> None:
    if granted.given:
        click.echo(f"Grants given as in the copy: {granted.given}.")
    for why in granted.not_given:
        said = f"Not all grants could be given: {why}. See docs/host/growing.md for the grants that the service needs."
        click.secho(said, fg="yellow", err=True)


def _restore_here(settings: Settings, marks: dict[str, int], anyway: bool, processes: int | None) -> int:
    with closing(open_store(settings.database, settings=settings)) as store:
        copied = copies.said_of(store)
        status = _proved(store, copied, processes, anyway)
        _settled(store, marks, copied)
    return status


def _restore_file(
    settings: Settings,
    file: Path,
    marks: dict[str, int],
    check: bool,
    replace: bool,
    anyway: bool,
    processes: int | None,
) -> int:
    target = copies.database_file(settings)
    if target.exists() and not (replace or check):
        raise NoCopy(
            f"There is a database {target}. With --replace, the copy takes its place, and the old database is kept."
        )
    if settings.embedded:
        private_folder(settings.data_dir)
    with nullcontext() if check or not settings.embedded else alone(settings.data_dir):
        staged = copies.unpacked(settings, file)
        try:
            with closing(open_store(f"sqlite:///{staged}", settings=settings)) as store:
                copied = copies.said_of(store)
                if copied is None:
                    raise NoCopy(f'{file} was not made by "slowtrain backup", so it may be incomplete.')
                if copied.own_key:
                    store.settings = settings.with_(secret_keys=(copied.own_key,))
                status = _proved(store, copied, processes, anyway)
                if check:
                    return status
                marks |= _marks_of(settings, target)
                _settled(store, marks, copied)
            aside = copies.put_in_place(settings, staged, copied, clock.now())
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise copies.damaged(str(error.__cause__ or error)) from None
        finally:
            copies.discard(staged)
    click.echo(f"The copy of {clock.iso(copied.at)} is in place: {target}.")
    for each in aside:
        click.echo(f"The old data is now {each}. Delete it when you no longer need it: it also holds people's data.")
    return status


def _marks_of(settings: Settings, target: Path) -> dict[str, int]:
    """The marks of erased people in the database to be replaced, if it can be read."""
    if not target.exists():
        return {}
    try:
        with closing(open_store(f"sqlite:///{target}", settings=settings)) as store:
            return erasures.noted(store)
    except (SQLAlchemyError, sqlite3.Error):
        return {}


def _proved(store: Store, copied: Copied | None, processes: int | None, anyway: bool) -> int:
    """Prove a copy and return the exit status. Raises `NoCopy` if something is wrong, unless ``anyway``."""
    store.migrate()
    status = prove_all(store, processes)
    missing = "" if copied is None else copies.lost(store, copied)
    if missing:
        click.echo(missing)
    if missing or status == WRONG:
        if not anyway:
            raise NoCopy("Not restored: something in the copy is wrong. Use --anyway to restore it regardless.")
        return WRONG
    return status


def _settled(store: Store, marks: dict[str, int], copied: Copied | None) -> None:
    at = store.now()
    copies.settle(store, at)
    people, mails = personal.erase_again(store, marks, at)
    erasures.keep_list(store)
    click.echo(f"Erased again: {people} people, {mails} mails to addresses.")
    if copied is not None and copies.keys_gone(store.settings, copied):
        click.secho(
            f"The copy was made with the keys {', '.join(copied.keys)}, and none of them is in SLOWTRAIN_SECRET_KEYS. "
            "Links in old mails, invitations and webhooks no longer work.",
            fg="yellow",
            err=True,
        )
