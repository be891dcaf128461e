"""``slowtrain operator`` and ``slowtrain operate``: the area of operators as commands, on the same functions."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any, get_args

import click

from config import logging
from domain.lifecycle import Status
from domain.refusal import Refused
from service.base import clock
from service.base.names import BadName
from service.cli.shared import opened_store
from service.database.store import Busy, NoSuchGame, Store
from service.games import queries
from service.games.play import Stale
from service.games.rights import SeatChanged
from service.games.talk_reports import ReportOfTalk
from service.notices.details import in_english
from service.notices.failing import REASONS
from service.notices.figures import PERIODS
from service.notices.ledger import Owed
from service.notices.processes import Running
from service.notices.webhooks import BAD_URLS, BadUrl
from service.operators import acts, notes, oversight, pictures, rules, talk
from service.operators.acts import AT_THE_COMMAND_LINE as US
from service.operators.acts import Act, NotDone
from service.operators.notes import Noted
from service.operators.pictures import Chart, Trend
from service.people import accounts
from service.post.imap import TROUBLES

BAD_WHY = f"--why has 1 to {acts.LONGEST_WHY} visible characters."

why_option = click.option("--why", required=True, metavar="TEXT", help="The reason; the people concerned can read it.")
limit_option = click.option(
    "--limit", type=click.IntRange(1, 1000), default=30, show_default=True, help="Show at most this many."
)


@contextmanager
def _store() -> Iterator[Store]:
    """Open the store, and turn its errors into messages of the command."""
    try:
        with closing(opened_store()) as store:
            logging.open_security_log(store.settings)
            yield store
    except NotDone as error:
        raise click.ClickException(acts.NOT_DONE[error.why]) from None
    except BadName:
        raise click.ClickException(BAD_WHY) from None
    except Refused as error:
        raise click.ClickException(f"{queries.refusal(None, error, 'en')} ({error.rule})") from None
    except NoSuchGame:
        raise click.ClickException("There is no such game.") from None
    except (Stale, SeatChanged):
        raise click.ClickException("The game has moved on in the meantime. Nothing was changed; try again.") from None
    except Busy:
        raise click.ClickException("The database is busy. Nothing was changed; try again.") from None


UNKNOWN = "There is nobody with this address. `slowtrain operate people` lists those who have signed in."


def _at_address(store: Store, address: str, unknown: str = UNKNOWN) -> int:
    with store.read() as conn:
        found = accounts.find(conn, address)
    if found is None:
        raise click.ClickException(unknown)
    return found


def _time(at: int | None) -> str:
    return clock.to_the_minute(at) if at is not None else "–"


def _tell(rows: Iterable[str]) -> None:
    lines = list(rows)
    click.echo("\n".join(lines) if lines else "None found.")


# ==== the role ====================================================================================
@click.group()
def operator() -> None:
    """Manage the operators of the site.

    Operators find their area at /operate, for a while after each sign-in (SLOWTRAIN_SESSION_FRESH_MINUTES).
    """


@operator.command("add")
@click.argument("address")
def add(address: str) -> None:
    """Make the person with this mail ADDRESS an operator."""
    with _store() as store:
        unknown = "Nobody has this address. A future operator signs in to the site first."
        code = acts.add(store, US, _at_address(store, address, unknown), store.now())
    click.echo("Made an operator.")
    _tell(of_setup_code(store, code))


@operator.command("second-factor")
@click.argument("address")
def second_factor(address: str) -> None:
    """Let the operator with this mail ADDRESS set up a second factor.

    Their previous second factor and its recovery codes stop working at once. The setup code is for this operator alone
    and works for a day. Do not send it by mail.
    """
    with _store() as store:
        code = acts.renew_second_factor(store, _at_address(store, address), store.now())
    _tell(of_setup_code(store, code))


def of_setup_code(store: Store, code: str) -> list[str]:
    """Return what an operator should know of their setup code."""
    return [
        f"Setup code for their second factor, valid for a day: {code}",
        f"They type it at {store.settings.site}/operate/second-factor",
    ]


@operator.command("remove")
@click.argument("address")
def remove(address: str) -> None:
    """Take the role of operator away from the person with this mail ADDRESS."""
    with _store() as store:
        acts.remove(store, US, _at_address(store, address), store.now())
    click.echo("No longer an operator.")


@operator.command("alarms")
@click.argument("address")
@click.argument("way", type=click.Choice(acts.WAYS))
@click.option("--url", default="", metavar="URL", help="The address of the webhook.")
def alarms(address: str, way: acts.Way, url: str) -> None:
    """Send alarms to the operator with this mail ADDRESS by email or to a webhook (with --url), or none.

    A call has JSON with "text" and "content", as chat services expect. If it fails, the alarm comes by email.
    """
    with _store() as store:
        try:
            acts.wish_alarms(store, US, _at_address(store, address), way, store.now(), url)
        except BadUrl as error:
            raise click.ClickException(BAD_URLS[error.why]) from None
    click.echo({"none": "Alarms are off.", "email": "Alarms come by email."}.get(way, "Alarms go to the webhook."))


@operator.command("list")
def list_operators() -> None:
    """List the operators."""
    with _store() as store, store.read() as conn:
        _tell(
            f"{_time(it.added_at)}  {it.email}  {it.name}  (by {it.added_by or 'the command line'})  "
            + ("second factor" if it.second_factor else "no second factor")
            for it in acts.members(conn, US, store.now())
        )


# ==== reading =====================================================================================
@click.group()
def operate() -> None:
    """Look after people, games and mails. Each change needs a reason.

    Each change is recorded with its author and reason, and shown to the people it concerns. Nothing hidden in a running
    game is shown here.
    """


@operate.command()
@click.option(
    "--over", type=click.Choice([*PERIODS]), default="hour", show_default=True, help="The period of the figures."
)
def status(over: Any) -> None:
    """Show waiting work, anything that needs a look, and figures over time."""
    with _store() as store, store.read() as conn:
        at = store.now()
        seen = oversight.overview(store, conn, US, at)
        course = pictures.pictures(conn, US, over, at)
        holding = rules.causes(rules.holding(store, conn, at))
    for trouble in holding:
        named = f": {', '.join(trouble.named)}" if trouble.named else ""
        click.echo(f"WRONG: {trouble.rule.summary}{named}. {trouble.rule.remedy}")
    for kind, it in seen.due.items():
        late = "  OVERDUE" if kind in seen.late else ""
        click.echo(f"due: {kind:9} {it.number:6}  oldest for {it.waited // clock.SECOND} s{late}")
    for reason, failed in seen.failing.items():
        click.echo(f"failing: {reason:9} {failed.number:2}  since {_time(failed.since)}")
    if server := seen.server:
        tries = f"{server.failed} of {server.of} recent tries failed"
        click.echo(f"mail server: TAKES NO MAIL since {_time(server.since)}, {tries}")
    if (box := seen.mailbox) and box.trouble:
        click.echo(f"mailbox: {TROUBLES[box.trouble].upper()} since {_time(box.since)}")
    if box and box.left:
        click.echo(f"mailbox: {box.left} flagged mails could not be kept")
    for name, when in sorted(seen.beats.items()):
        click.echo(f"heartbeat: {name:20} {_time(when)}")
    for job, number in seen.expected.items():
        click.echo(f"job: {job:9} {number} {'process' if number == 1 else 'processes'}{'' if number else '  NONE'}")
    for running in seen.processes:
        click.echo(_process_line(running, at))
    click.echo(_installation_line(seen.installation))
    for what in ("games", "troubles", "people", "mails", "returned", "came", "calls"):
        counts = ", ".join(f"{name} {number}" for name, number in getattr(seen, what).items())
        click.echo(f"{what}: {counts or 'none'}")
    for picture in course.pictures:
        for lane in picture.lanes:
            click.echo(f"last {over}: {_lane_line(picture, lane)}")


def _process_line(it: Running, at: int) -> str:
    doing = f"{it.doing} since {_time(it.since)}" if it.doing else "idle"
    silent = f"  SILENT since {_time(it.seen_at)}" if it.is_silent(at) else ""
    return (
        f"process: {it.role} {it.host} {it.pid}, {it.release or 'unknown release'}, since {_time(it.started_at)}, "
        f"{_megabytes(it.memory)}, connections {it.connections} of {it.pool}, {doing}{silent}"
    )


def _megabytes(number: int) -> str:
    return f"{number / 1e6:.0f} MB"


def _installation_line(it: oversight.Installed) -> str:
    before = {"a day": it.a_day_ago, "a month": it.a_month_ago}
    grown = "".join(f", {_megabytes(it.size - was)} more than {ago} ago" for ago, was in before.items() if was)
    return (
        f"installation: database {_megabytes(it.size)}{grown}; {_megabytes(it.free)} of {_megabytes(it.disk)} free; "
        f"Slow Train {it.program or '?'}, Python {it.python}, {it.database}, tables {it.tables}; last copy "
        f"{_time(it.backed_up_at)}, last good one {_time(it.proved_at)}"
    )


LEVELS = "▁▂▃▄▅▆▇█"


def _lane_line(picture: Chart, lane: Trend) -> str:
    """Return a lane as a line of columns, with its sum or its highest value."""
    most = lane.most or 0
    columns = "".join(
        "·" if it is None else LEVELS[-(-it * (len(LEVELS) - 1) // most) if most else 0] for it in lane.values
    )
    if picture.unit == "number":
        said = f"{sum(it or 0 for it in lane.values)} in all"
    else:
        said = "–" if lane.most is None else f"{lane.most} ms at most"
    return f"{picture.heading}: {lane.name:31} {columns} {said}"


@operate.command("people")
@click.argument("text", default="")
@click.option("--group", type=click.Choice(oversight.PEOPLE), default=None, help="Only this group.")
@limit_option
def list_people(text: str, group: str | None, limit: int) -> None:
    """List the people whose name or address contains TEXT, newest first."""
    with _store() as store, store.read() as conn:
        found = oversight.people(conn, US, store.now(), text=text, group=group or "", limit=limit)
    _tell(f"{it.id:6}  {it.email}  {it.name}  games: {it.games}  {', '.join(it.groups)}" for it in found)


@operate.command("games")
@click.argument("text", default="")
@click.option("--status", type=click.Choice(get_args(Status)), default=None)
@click.option("--trouble", type=click.Choice(oversight.TROUBLES), default=None, help="Only games worth a look.")
@limit_option
def list_games(text: str, status: str | None, trouble: str | None, limit: int) -> None:
    """List the games with the id TEXT or with TEXT in their name, newest first."""
    with _store() as store, store.read() as conn:
        found = oversight.games(
            store, conn, US, store.now(), text=text, status=status or "", trouble=trouble or "", limit=limit
        )
    _tell(_game_line(it) for it in found)


def _game_line(game: oversight.GameLine) -> str:
    seats = ", ".join(f"{it.seat}: {it.name or it.bot or '(erased)'}{' *' if it.asked else ''}" for it in game.sitting)
    state = "paused" if game.paused else game.status
    return f"{game.id}  {game.title}  {state:9}  {_time(game.moved_at)}  {game.name}  [{seats}]"


@operate.command("mails")
@click.option("--person", "address", metavar="ADDRESS", help="Only mails to this person.")
@click.option("--game", metavar="GAME", help="Only mails about this game.")
@click.option(
    "--state",
    type=click.Choice(["pending", "held", "failing", "leased", "sent", "superseded", "dead"]),
    default=None,
    help='Only mails in this state. "failing" means failed and waiting for another try.',
)
@limit_option
def list_mails(address: str | None, game: str | None, state: str | None, limit: int) -> None:
    """List mails and their steps, newest first, without their content."""
    with _store() as store:
        person_id = _at_address(store, address) if address else None
        with store.read() as conn:
            found = oversight.mails(conn, US, store.now(), person_id=person_id, game_id=game, state=state, limit=limit)
    _tell(line for it in found for line in _mail_lines(it))


def _mail_lines(owed: Owed) -> list[str]:
    entry = owed.entry
    about = f" about {entry.game} ({entry.game_id})" if entry.game_id else ""
    first = f"{entry.id:8}  {entry.kind}{about} to {owed.address}: {entry.state}"
    return [first, *(f"          {_time(it.at)}  {it.what} {it.detail}".rstrip() for it in entry.steps)]


@operate.command("arrivals")
@click.option("--came", type=click.Choice(oversight.CAME), default=None, help="Only mails with this outcome.")
@limit_option
def list_arrivals(came: Any, limit: int) -> None:
    """List last week's mails that were not simply handled, newest first, without their content."""
    with _store() as store, store.read() as conn:
        found = oversight.arrivals(conn, US, store.now(), came=came, limit=limit)
    _tell(_arrival_line(it) for it in found)


def _arrival_line(it: oversight.Arrival) -> str:
    about = ("report" if it.returned else it.kind or "answer") + (f" about {it.game} ({it.game_id})" if it.game else "")
    became = " ".join(filter(None, (it.what or f"waits until {_time(it.due_at)}", it.detail, it.said, it.status)))
    by = it.person or it.domain or "–"
    return f"{it.id:8}  {_time(it.received_at)}  {about} of {by}, {it.size} bytes, tries {it.attempts}: {became}"


@operate.command("webhooks")
@click.option("--failing", is_flag=True, help="Only failing webhooks.")
@limit_option
def list_webhooks(failing: bool, limit: int) -> None:
    """List webhooks with their last calls, newest first."""
    with _store() as store, store.read() as conn:
        found = oversight.hooks(conn, US, store.now(), failing=failing, limit=limit)
    _tell(
        line
        for hook in found
        for line in (
            f"{hook.id:6}  {hook.person}  {hook.host}  {'on' if hook.enabled else 'off'}  {hook.error}",
            *(
                f"        call {it.id}  {it.kind}  {it.state}  {_time(it.done_at or it.due_at)}  "
                f"{in_english(it.detail)}"
                for it in hook.calls
            ),
        )
    )


@operate.command("reports")
@click.option("--waiting", is_flag=True, help="Only reports that nobody has settled.")
@limit_option
def list_reports(waiting: bool, limit: int) -> None:
    """List reports of talk with the lines that they quote: those that wait first, then the newest."""
    with _store() as store, store.read() as conn:
        found = talk.reports(conn, US, store.now(), limit=limit)
    _tell(line for it in found if not (waiting and it.settled_at) for line in _report_lines(it))


def _report_lines(it: ReportOfTalk) -> list[str]:
    state = f"settled {_time(it.settled_at)}" if it.settled_at else "waits"
    first = f"{it.id:6}  {_time(it.reported_at)}  {it.game} ({it.game_id}), {it.room}: {state}"
    reason = f"        {it.reporter or '(erased)'}: {it.why}"
    return [first, reason, *(f"        > {each.writer}, {each.address}: {each.text}" for each in it.lines)]


@operate.command("entries")
@limit_option
def list_entries(limit: int) -> None:
    """List the actions of operators with their reasons, newest first."""
    with _store() as store, store.read() as conn:
        found = acts.entries(conn, US, store.now(), limit=limit)
    _tell(
        f"{_time(it.at)}  {_author(it)}: {it.what} {it.person or it.game_id} {it.detail}".rstrip()
        + (f" – {it.why}" if it.why else "")
        for it in found
    )


def _author(it: Act | Noted) -> str:
    return it.operator or ("the command line" if it.by_command else "an operator")


@operate.command("notes")
@click.option("--person", "address", metavar="ADDRESS", help="Only notes about this person.")
@click.option("--game", metavar="GAME", help="Only notes about this game.")
@limit_option
def list_notes(address: str | None, game: str | None, limit: int) -> None:
    """List the notes about people and games, newest first. They are for operators alone."""
    with _store() as store:
        person_id = _at_address(store, address) if address else None
        with store.read() as conn:
            found = notes.notes(conn, US, store.now(), person_id=person_id, game_id=game, limit=limit)
    _tell(line for it in found for line in _note_lines(it))


def _note_lines(it: Noted) -> list[str]:
    about = it.person or f"{it.game} ({it.game_id})"
    return [
        f"{it.id:6}  {_time(it.at)}  {_author(it)} about {about}:",
        *(f"        {line}" for line in it.text.splitlines()),
    ]


# ==== actions =====================================================================================
Deed = Callable[..., None]


def _on_person(deed: Deed, address: str, why: str) -> None:
    with _store() as store:
        deed(store, US, _at_address(store, address), why, store.now())
    click.echo("Done.")


def _do(deed: Deed, *what: Any) -> None:
    with _store() as store:
        deed(store, US, *what, store.now())
    click.echo("Done.")


@operate.command()
@click.argument("address")
@why_option
def block(address: str, why: str) -> None:
    """Block the person with this mail ADDRESS.

    All their sessions, tokens and feeds end. They cannot sign in and get no mail. Their clocks keep running; when their
    time is over, the agreement of the table applies.
    """
    _on_person(acts.block, address, why)


@operate.command()
@click.argument("address")
@why_option
def unblock(address: str, why: str) -> None:
    """Unblock the person with this mail ADDRESS."""
    _on_person(acts.unblock, address, why)


@operate.command()
@click.argument("address")
@why_option
def unflag(address: str, why: str) -> None:
    """Try this bouncing mail ADDRESS again."""
    _on_person(acts.unflag, address, why)


@operate.command()
@click.argument("mail", type=click.IntRange(1, 2**31 - 1))
@why_option
def resend(mail: int, why: str) -> None:
    """Send the mail with the number MAIL once more."""
    _do(acts.resend, mail, why)


@operate.command("send-now")
@click.argument("mail", type=click.IntRange(1, 2**31 - 1))
@why_option
def send_now(mail: int, why: str) -> None:
    """Send the waiting mail with the number MAIL at once."""
    _do(acts.send_now, mail, why)


@operate.command("try-failed")
@click.option("--reason", type=click.Choice(REASONS), default=None, help="Only mail that failed for this reason.")
@why_option
def try_failed(reason: Any, why: str) -> None:
    """Try all failed mail again, spread over five minutes.

    This includes mail that was given up because of the mail server. Outdated news is not sent. When the mail server
    works again, its mail goes by itself. Use this command for mail that was given up, or that failed because of a
    mailbox or an error of ours.
    """
    with _store() as store:
        number = acts.try_failed(store, US, why, store.now(), reason)
    click.echo(f"Trying {number} {'mail' if number == 1 else 'mails'} now.")


@operate.command("read-again")
@click.argument("mail", type=click.IntRange(1, 2**31 - 1))
@why_option
def read_again(mail: int, why: str) -> None:
    """Process the incoming MAIL once more after it failed here."""
    _do(acts.read_again, mail, why)


@operate.command("call-again")
@click.argument("call", type=click.IntRange(1, 2**31 - 1))
@why_option
def call_again(call: int, why: str) -> None:
    """Make the webhook's CALL once more."""
    _do(acts.call_again, call, why)


@operate.command()
@click.argument("game")
@click.option(
    "--cause",
    type=click.Choice(acts.CLOSED_FOR),
    default="other",
    show_default=True,
    help="The cause to record in the log of a running game.",
)
@why_option
def close(game: str, cause: Any, why: str) -> None:
    """Close the table of GAME for good, without a result.

    The cause is a fault of the service, a player's conduct, the players' request, or something else. The secret of the
    game is published, and its log can still be proved (house rules ST 5 and ST 17).
    """
    _do(acts.close, game, cause, why)


@operate.command("free-seat")
@click.argument("game")
@click.argument("seat", type=click.IntRange(1, 20))
@why_option
def free_seat(game: str, seat: int, why: str) -> None:
    """Free SEAT of GAME.

    At a running table with a pace, a substitute can take over the seat (ST 18). Without a pace, the seat
    leaves the game (ST 6).
    """
    _do(acts.free_seat, game, seat, why)


@operate.command("ask-again")
@click.argument("game")
@click.argument("seat", type=click.IntRange(1, 20))
@why_option
def ask_again(game: str, seat: int, why: str) -> None:
    """Ask the player at SEAT of GAME once more to move, at most once a day.

    The player's switches and quiet hours hold.
    """
    _do(acts.ask_again, game, seat, why)


@operate.command("give-time")
@click.argument("game")
@click.argument("minutes", type=click.IntRange(1, acts.LONGEST_GIVEN))
@why_option
def give_time(game: str, minutes: int, why: str) -> None:
    """Give MINUTES back to every running clock in GAME (ST 13)."""
    _do(acts.give_time, game, minutes, why)


# ==== talk ========================================================================================
report_argument = click.argument("report", type=click.IntRange(1, 2**31 - 1))


@operate.command("remove-lines")
@report_argument
@why_option
def remove_lines(report: int, why: str) -> None:
    """Delete the lines of talk that REPORT quotes."""
    _do(talk.remove_lines, report, why)


@operate.command()
@click.argument("address")
@click.argument("hours", type=click.IntRange(0, talk.LONGEST_SILENCE))
@why_option
def silence(address: str, hours: int, why: str) -> None:
    """Let the person with this mail ADDRESS write no talk for HOURS; 0 lets them write again."""
    with _store() as store:
        talk.silence(store, US, _at_address(store, address), hours, why, store.now())
    click.echo("Done.")


@operate.command()
@report_argument
@why_option
def settle(report: int, why: str) -> None:
    """Mark REPORT as settled."""
    _do(talk.settle, report, why)


# ==== notes =======================================================================================
BAD_NOTE = f"A note has 1 to {notes.LONGEST} visible characters, in at most {notes.LINES} lines."


def _note(write: Callable[[Store], object]) -> None:
    with _store() as store:
        try:
            write(store)
        except BadName:
            raise click.ClickException(BAD_NOTE) from None
    click.echo("Done.")


@operate.command("note-person")
@click.argument("address")
@click.argument("text")
def note_person(address: str, text: str) -> None:
    """Write the note TEXT about the person with this mail ADDRESS.

    Only operators read it. It is in the person's export of their data, and erased with them.
    """
    _note(lambda store: notes.about_person(store, US, _at_address(store, address), text, store.now()))


@operate.command("note-game")
@click.argument("game")
@click.argument("text")
def note_game(game: str, text: str) -> None:
    """Write the note TEXT about GAME.

    Only operators read it; it is in nobody's export, and erased with any of the game's players. Write a note about a
    person with note-person.
    """
    _note(lambda store: notes.about_game(store, US, game, text, store.now()))


@operate.command("delete-note")
@click.argument("note", type=click.IntRange(1, 2**31 - 1))
def delete_note(note: int) -> None:
    """Delete the note with the number NOTE."""
    _note(lambda store: notes.remove(store, US, note, store.now()))
