"""``slowtrain init``: ask for the settings of an installation, try what they name, and write its files."""

import os
import pwd
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from smtplib import SMTPException
from typing import TypeVar

import click
from sqlalchemy.exc import SQLAlchemyError

from config.files import keep_private
from config.review import Finding, findings_of
from config.settings import Settings
from service.cli.check_settings import tell
from service.cli.operate import of_setup_code
from service.database.store import Store, open_store
from service.operators import acts
from service.people import accounts
from service.post import imap
from service.setup import answers as asking
from service.setup import files, trials
from service.setup.answers import Answers, BadAnswer, SetupQuestion, Values
from service.setup.round_trip import Arrived, Letters
from service.words import ENGLISH

T = TypeVar("T")

OF_PRODUCTION = Path("/etc/slowtrain/slowtrain.env")
USER = "slowtrain"
"""The user that the units of production name."""
OF_ANSWER = 600.0
"""Seconds to wait for somebody to answer a test letter."""
LETTER = "SLOWTRAIN_IMAP_HOST"
"""The setting to which the findings of test letters belong."""


@click.command()
@click.option(
    "--answers",
    "answers_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take the answers from this TOML file and ask nothing. --example shows one.",
)
@click.option("--example", is_flag=True, help="Print a file of answers, with all questions, and end.")
@click.option(
    "--file",
    "settings_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"The file of settings.  [default: .env; for root and production {OF_PRODUCTION}]",
)
@click.option("--show", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--anyway", is_flag=True, help="With --answers: write the files even if something does not work.")
def init(answers_file: Path | None, example: bool, settings_file: Path | None, show: bool, anyway: bool) -> None:
    """Ask for the settings, try what they name, and write the files of an installation.

    It asks where players reach the site, where the data lies, how mail leaves and arrives, and for the first operator.
    It tries each answer: the DNS, the certificate, the servers, a letter that is answered. A thing that cannot be tried
    is called unchecked. It shows all changes before it writes them. Run again, it offers the present settings as
    defaults; it keeps the keys and all lines that it does not know.
    """
    if example:
        click.echo(asking.example(), nl=False)
        return
    try:
        answers = _answers(answers_file)
        _set_up(answers, settings_file, show=show, anyway=anyway)
    except (BadAnswer, files.BadValue) as error:
        raise click.ClickException(str(error)) from None
    except click.Abort:
        raise click.ClickException("Stopped. Nothing was written.") from None


def _answers(file: Path | None) -> Answers:
    if file is None and not _is_terminal():
        raise click.UsageError(
            'There is no terminal here. "slowtrain init --example > answers.toml" writes a file for the answers; '
            '"slowtrain init --answers answers.toml" takes them from there.'
        )
    return Answers(asking.from_file(file) if file else None, _prompt, lambda words: click.secho(words, fg="red"))


def _is_terminal() -> bool:
    return sys.stdin.isatty()


def _prompt(question: SetupQuestion, usual: str) -> str:
    for choice, words in question.choices.items():
        click.echo(f"  {choice:<11} {words}")
    if question.is_secret:
        kept = " [Enter keeps the present one]" if usual else ""
        return click.prompt(question.words + kept, default=usual, hide_input=True, show_default=False, type=str)
    return str(click.prompt(question.words, default=usual, show_default=bool(usual.strip()), type=str)).strip()


# ==== the dialogue ================================================================================
def _set_up(answers: Answers, file: Path | None, *, show: bool, anyway: bool) -> None:
    is_root = os.geteuid() == 0
    kept = OF_PRODUCTION if is_root and OF_PRODUCTION.exists() else Path(".env")
    values = files.read(file or kept)
    _warn_of_environment(values)
    asking.profile(answers, values)
    if file is None:
        file = OF_PRODUCTION if is_root and not asking.is_embedded(values) else kept
    if not os.access(files.nearest(file), os.W_OK):
        raise click.ClickException(
            f"This account may not write {file.absolute()}. Run this as the owner of its folder."
        )
    user = _user(file, values) if is_root else ""
    if user and not _exists(user):
        tell([Finding("look", "", f"the units need a user {user}, who is missing: useradd --system {user}")])
    part = partial(_part, answers, values, anyway=anyway)
    part("The address", asking.address, trials.address)
    part("Data", asking.data, trials.data, trials.database, trials.broker, user=user)
    part("Mail", asking.mail, trials.mail_server, trials.mailbox)
    _head(answers, "The first operator")
    operator = asking.operator(answers, values)
    while values.get("smtp_host") and answers.is_yes("letter", "yes"):
        found = list(_letters_tried(answers, values, operator))
        if _may_stay(answers, found, "Answer the questions about mail again?", anyway=anyway):
            break
        part("Mail", asking.mail, trials.mail_server, trials.mailbox)
    units = _units(answers, values, file, user, is_root=is_root)
    _review(values, anyway=anyway or answers.asks)
    if not _show_changes(file, values, units) and not operator:
        click.echo("Nothing changes.")
    elif show:
        click.echo("Nothing was written (--show).")
    elif not answers.asks or click.confirm("Write this?", default=True):
        _write(file, values, units)
        _prepare(file, values, operator, user)
        _tell_next(file, values, units)
    else:
        click.echo("Nothing was written.")


def _user(file: Path, values: Values) -> str:
    """Return the user of the service if root sets it up: of production, else the owner of the folder, but not root."""
    if not asking.is_embedded(values):
        return USER
    owner = file.absolute().parent.stat().st_uid
    return pwd.getpwuid(owner).pw_name if owner else ""


def _warn_of_environment(values: Values) -> None:
    given = {name for name in os.environ if name.startswith(files.PREFIX)}
    others = sorted(it for it in given if os.environ[it] != values.get(it.removeprefix(files.PREFIX).lower()))
    if others:
        click.secho(f"Careful: the environment sets {', '.join(others)}, which wins over any file.", fg="yellow")


def _part(
    answers: Answers,
    values: Values,
    heading: str,
    ask: Callable[[Answers, Values], None],
    *its: trials.Trial,
    anyway: bool,
    user: str = "",
) -> None:
    """Ask for one part of the settings and try them, until it works or the answers shall stay."""
    _head(answers, heading)
    while True:
        ask(answers, values)
        if answers.asks:
            click.echo("  trying this ...")
        found = _tried(values, its, user)
        tell(found)
        if _may_stay(answers, found, "Answer these questions again?", anyway=anyway):
            return


def _may_stay(answers: Answers, found: Sequence[Finding], again: str, *, anyway: bool) -> bool:
    """Do the answers work, or shall they stay although something does not? A file whose answers do not work ends it."""
    if not any(it.grade == "wrong" for it in found):
        return True
    if not answers.asks and not anyway:
        raise click.ClickException("Nothing was written. Change the answers, or use --anyway.")
    return not answers.asks or not click.confirm(again, default=True)


def _head(answers: Answers, heading: str) -> None:
    if answers.asks:
        click.secho(f"\n{heading}", bold=True)


def _tried(values: Values, its: Sequence[trials.Trial], user: str) -> list[Finding]:
    try:
        settings = files.settings_of(values, checked=False)
    except ValueError as error:
        return findings_of(error) or [Finding("wrong", "", str(error))]
    run = partial(_list_tried, settings, its)
    return _as_user(user, run) if _exists(user) else run()


def _exists(user: str) -> bool:
    """Does this machine have the user, if there is to be one?"""
    return user in {it.pw_name for it in pwd.getpwall()}


def _list_tried(settings: Settings, its: Sequence[trials.Trial]) -> list[Finding]:
    return list(trials.tried(settings, *its))


def _as_user(user: str, run: Callable[[], list[T]]) -> list[T]:
    """Run in a process of the service's user: PostgreSQL asks who connects, and files shall belong to them."""
    who = pwd.getpwnam(user)
    with ProcessPoolExecutor(1, get_context("fork"), _become, (user, who.pw_uid, who.pw_gid)) as pool:
        return pool.submit(run).result()


def _become(user: str, uid: int, gid: int) -> None:
    os.initgroups(user, gid)
    os.setgid(gid)
    os.setuid(uid)


# ==== test letters ================================================================================
def _letters_tried(answers: Answers, values: Values, operator: str) -> Iterator[Finding]:
    """Send test letters, and put what they show into the settings. Each finding is told as soon as it is there."""
    for found in _as_findings(answers, values, operator):
        tell([found])
        yield found


def _as_findings(answers: Answers, values: Values, operator: str) -> Iterator[Finding]:
    try:
        letters = Letters(files.settings_of(values, checked=False), _told)
        judges: tuple[str, ...] = ()
        if values.get("imap_host"):
            judges = yield from _sent_home(letters, values)
        if operator:
            judges = (yield from _answered(letters, values, operator, asks=answers.asks)) or judges
        if judges:
            yield _judged(letters, values, judges[0])
    except imap.Unreachable as error:
        yield Finding("wrong", LETTER, f"the test letter is lost: {imap.TROUBLES[error.trouble]}")
    except (OSError, SMTPException, ValueError) as error:
        yield Finding("wrong", "SLOWTRAIN_SMTP_HOST", f"the test letter was not sent: {error}")


def _told(left: int) -> None:
    click.echo(f"\r  waiting, at most {left:>3} s more; Ctrl-C goes on without it ", nl=False)


def _wait(letters: Letters, address: str) -> Arrived | None:
    """Wait for a letter. Ctrl-C ends the waiting, not the command."""
    try:
        return letters.until_arrived(address)
    except KeyboardInterrupt:
        return None
    finally:
        click.echo("\r" + " " * 60 + "\r", nl=False)


def _sent_home(letters: Letters, values: Values) -> Generator[Finding, None, tuple[str, ...]]:
    """Send a letter to ourselves. Return the names of the servers that judged its author."""
    form = values["reply_addresses"]
    click.echo(f"A test letter goes to {form.replace('{}', 'g.…')}.")
    address, sender = letters.send_home()
    arrived = _wait(letters, address)
    if arrived is None:
        words = f"no letter to {form} arrived: does the provider support such addresses? Look for it in the spam folder"
        yield Finding("wrong", "SLOWTRAIN_REPLY_ADDRESSES", words)
        return ()
    yield Finding("well", "SLOWTRAIN_REPLY_ADDRESSES", f"letters to {form} arrive in this mailbox")
    if sender == arrived.sender != letters.account:
        values.pop("return_addresses", None)
        yield Finding("well", "SLOWTRAIN_RETURN_ADDRESSES", "bounces come back to an address for each letter")
    else:
        values["return_addresses"] = "false"
        words = "the provider sends from its account alone, so bounces come to you; this setting becomes false"
        yield Finding("look", "SLOWTRAIN_RETURN_ADDRESSES", words)
    yield _of_deleting(letters, arrived)
    return arrived.judges


def _of_deleting(letters: Letters, arrived: Arrived) -> Finding:
    copies = letters.left_behind(arrived.message_id)
    if not copies:
        return Finding("well", LETTER, "what is deleted there is gone, and no copy of the letter stays elsewhere")
    words = f"copies stay in {', '.join(copies)}; erasing a person does not reach them (docs/host/privacy.md)"
    return Finding("look", LETTER, words)


def _answered(
    letters: Letters, values: Values, operator: str, *, asks: bool
) -> Generator[Finding, None, tuple[str, ...]]:
    """Let the operator answer a letter. Return the names of the servers that judged its author."""
    address = letters.send_to(operator)
    click.echo(f"A test letter is on its way to {operator}.")
    if not values.get("imap_host"):
        words = "nobody can tell from here whether the test letter arrived: look for it"
        yield Finding("unchecked", "SLOWTRAIN_SMTP_HOST", words)
        return ()
    if not asks:
        words = "answers are not waited for without a terminal; send one, and call slowtrain fetch"
        yield Finding("unchecked", LETTER, words)
        return ()
    click.echo("Open it there, press Reply, write a word and send it.")
    letters.wait = OF_ANSWER
    arrived = _wait(letters, address)
    letters.wait = Letters.WAIT
    if arrived is None:
        yield Finding("unchecked", LETTER, "the test letter was not answered")
        return ()
    yield Finding("well", LETTER, "the answer to the test letter arrived")
    return arrived.judges


def _judged(letters: Letters, values: Values, name: str) -> Finding:
    """Believe the judgements in the provider's name if the provider removes forged ones."""
    setting = "SLOWTRAIN_AUTHSERV_ID"
    address = letters.forge(name)
    arrived = _wait(letters, address) if address else None
    if arrived is None:
        words = f"whether the provider removes forged headers of {name} is not known, so signatures are checked here"
        return Finding("unchecked", setting, words)
    if arrived.is_forged:
        values.pop("authserv_id", None)
        words = f"the provider passes on forged headers of {name}, so it is not believed; signatures are checked here"
        return Finding("look", setting, words)
    values["authserv_id"] = name
    return Finding("well", setting, f"the provider removes forged headers of {name}, so it is believed")


# ==== writing =====================================================================================
def _units(answers: Answers, values: Values, file: Path, user: str, *, is_root: bool) -> list[files.Unit]:
    """Return the units to write: those of production or of the embedded service, for root or for its user."""
    has_systemd = "yes" if Path("/run/systemd/system").exists() and files.DEPLOY.exists() else "no"
    folder = file.absolute().parent
    _head(answers, "Units")
    if not asking.is_embedded(values) and not is_root:
        click.echo("Only root may write the units of production. As root, type:")
        click.echo(f"  {sys.argv[0]} init --file {file.absolute()}")
        return []
    if not answers.is_yes("units", has_systemd):
        return []
    if not asking.is_embedded(values):
        return list(files.units_of_production())
    if user:
        return list(files.units_of_a_machine(folder, user))
    return list(files.units_of_a_home(folder, Path.home()))


def _review(values: Values, *, anyway: bool) -> None:
    """Check all settings together, as the service does at its start."""
    try:
        files.settings_of(values)
    except ValueError as error:
        tell(findings_of(error) or [Finding("wrong", "", str(error))])
        if not anyway:
            raise click.ClickException("Nothing was written: the service could not start.") from None


def _show_changes(file: Path, values: Values, units: Sequence[files.Unit]) -> bool:
    """Show what writing would change. Return whether it would change anything."""
    before = files.read(file)
    changed = {name: it for name, it in values.items() if before.get(name) != it}
    gone = sorted(set(before) - set(values))
    fresh = [it for it in units if not it.is_there]
    if changed or gone:
        click.secho(f"\n{file.absolute()} ({'changes' if file.exists() else 'new, for you alone to read'})", bold=True)
    for name, value in changed.items():
        line = f"{files.PREFIX}{name.upper()}={files.shown(name, value)}"
        click.echo(f"  {'~' if name in before else '+'} {line}")
    for name in gone:
        click.echo(f"  - {files.PREFIX}{name.upper()}")
    for unit in fresh:
        click.echo(f"  {'~' if unit.file.exists() else '+'} {unit.file}")
    return bool(changed or gone or fresh)


def _write(file: Path, values: Values, units: Sequence[files.Unit]) -> None:
    text = file.read_text() if file.exists() else ""
    gone = set(files.read(file)) - set(values)
    files.write_private(file, files.changed(text, values, without=gone))
    for unit in units:
        if not unit.is_there:
            files.write_private(unit.file, unit.text, 0o644)
    click.echo("Written.")


def _prepare(file: Path, values: Values, operator: str, user: str) -> None:
    """Make the tables and the first operator, as the service's user."""
    settings = files.settings_of(values, checked=False)
    if settings.embedded and not settings.data_dir.is_absolute():
        settings = settings.with_(data_dir=file.absolute().parent / settings.data_dir)
    run = partial(_make, settings, operator)
    for line in _as_user(user, run) if _exists(user) else run():
        click.echo(line)


def _make(settings: Settings, operator: str) -> list[str]:
    """Make the tables and the first operator. Return what to say of it."""
    keep_private()
    settings.keys()
    with closing(open_store(settings.database, settings=settings)) as store:
        try:
            store.migrate()
            return _made_operator(store, operator) if operator else []
        except SQLAlchemyError:
            return ["The tables are not made yet, since the database does not answer. Run init again once it does."]


def _made_operator(store: Store, address: str) -> list[str]:
    with store.write() as conn:
        person_id, _ = accounts.person_at(conn, address, ENGLISH, store.now())
        if acts.is_operator(conn, person_id):
            return [f"{address} is an operator already."]
    code = acts.add(store, acts.AT_THE_COMMAND_LINE, person_id, store.now())
    return [f"{address} is an operator.", *of_setup_code(store, code)]


def _tell_next(file: Path, values: Values, units: Sequence[files.Unit]) -> None:
    click.secho("\nNext", bold=True)
    whose = " --user" if units and units[0].file.is_relative_to(Path.home()) else ""
    stop = f": systemctl{whose} stop slowtrain" if units and asking.is_embedded(values) else "."
    click.echo(f"  If the service is running, stop it first{stop}")
    if not asking.is_embedded(values) and units:
        click.echo("  systemctl daemon-reload && systemctl enable --now slowtrain-web.socket slowtrain.target")
    elif units:
        enable = f"systemctl{whose} enable --now slowtrain slowtrain-backup.timer"
        click.echo(f"  systemctl{whose} daemon-reload && {enable}")
        if whose:
            click.echo("  loginctl enable-linger   # so that it runs while you are not signed in")
    elif asking.is_embedded(values):
        click.echo(f"  cd {file.absolute().parent} && {sys.argv[0]} up")
    else:
        click.echo("  start the processes of the Procfile with these settings")
    if values.get("base_url"):
        click.echo("  docs/host/proxy.md says what the proxy in front has to do.")
    click.echo(f"  {sys.argv[0]} check-settings --connect   # tries everything again")
