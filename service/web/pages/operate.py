"""The area of operators: waiting work, people, games, mails and webhooks, and actions on them, each with a reason.

Everybody else is told that there is no such page. A running game shows only what everybody may know of it.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

from flask import Response, abort, g, redirect, request, url_for

from domain.lifecycle import ClosedFor
from domain.refusal import Refused
from service.base.clock import DAY, HOUR, MINUTE, SECOND
from service.base.names import BadName
from service.games import queries
from service.games.by_mail import RECEIPTS
from service.notices.ledger import Owed
from service.operators import acts, oversight
from service.operators.acts import Act, NoSecondFactor, NotAllowed, NotDone, NotFresh, Who
from service.operators.oversight import Arrival, GameLine, Hook, PersonLine, Sitting
from service.people import accounts
from service.web.pages import mail_settings
from service.web.pages.channels import cause
from service.web.pages.web import GAME_STATES, _, bad_name, done, moment, number_in, page, pages, place_in, reader
from service.web.shared import events
from service.web.shared.context import now, settings, store
from service.words import N_, called, listed, name_of_bot

DEEDS = {
    "add": N_("made an operator"), "remove": N_("operator rights removed"),
    "second_factor": N_("allowed to set up a new second factor"), "resend": N_("an email was sent again"),
    "send_now": N_("a waiting email was sent at once"), "read_again": N_("a failed email was processed again"),
    "call_again": N_("a webhook was called again"),
    "block": N_("blocked"), "unblock": N_("unblocked"), "unflag": N_("retried an address that had bounced"),
    "try_failed": N_("all failed email was retried"),
    "close": N_("the table was closed"), "free_seat": N_("a seat was freed"), "give_time": N_("clocks were extended"),
}  # fmt: skip
"""Descriptions of actions, by their name in an entry."""

DUE = {
    "mail": N_("Email"),
    "webhooks": N_("Webhook calls"),
    "clocks": N_("Clocks that have run out"),
    "bots": N_("Bots to play"),
    "incoming": N_("Incoming email to process"),
}
FAILING = {
    "away": N_("the mail server cannot be reached"),
    "server": N_("the mail server refuses the email"),
    "mailbox": N_("the mailbox is not accepting email for now"),
    "ours": N_("a fault in the service"),
}
GROUPS = {
    "all": N_("all people"),
    "operators": N_("operators"),
    "blocked": N_("blocked"),
    "flagged": N_("email bounces"),
    "stopped": N_("have stopped email"),
}
TROUBLES = {
    "late": N_("an expired clock was not handled"),
    "bots": N_("a bot has not moved in time"),
    "still": N_("no activity for two weeks"),
    "paused": N_("paused because nobody is there"),
}
MAIL_STATES = {
    "pending": N_("waiting"), "held": N_("held for the recipient"), "failing": N_("failed, tried again"),
    "leased": N_("being sent"), "sent": N_("sent"), "superseded": N_("not needed"), "dead": N_("not delivered"),
}  # fmt: skip
CALL_STATES = {
    "pending": N_("waiting"),
    "leased": N_("in progress"),
    "sent": N_("accepted"),
    "superseded": N_("not needed"),
    "dead": N_("not delivered"),
}


RETURNED = {
    "unwanted": N_("rejected as unwanted"),
    "complained": N_("marked as spam by the recipient"),
    "undelivered": N_("could not be delivered for now"),
    "bounced": N_("address does not exist"),
    "delayed": N_("still on its way"),
}
CAME = {
    "failed": N_("failed on our side"),
    "waiting": N_("failed so far, will be retried"),
    "unreadable": N_("could not be read"),
    "unknown": N_("the email it answers no longer exists"),
    "unproved": N_("author not verified"),
    "unwanted": N_("spam complaint"),
}
ABOUT_US = ("unwanted", "complained")
"""Reports about a mail, and the part of them that concerns the sender: they hurt its reputation."""


# ==== access ======================================================================================
@pages.before_request
def only_operators() -> Response | None:
    """Hide the area from others. Ask an operator who signed in too long ago to do so again."""
    if not (request.path == "/operate" or request.path.startswith("/operate/")):
        return None
    asker = reader().asker
    if asker is None:
        abort(404)
    who = Who(asker.id, asker.session or "", accounts.lasting(settings).fresh, settings.demands_second_factor)
    try:
        with store.read() as conn:
            demand = acts.demand_first if request.endpoint == "pages.second_factor" else acts.demand
            demand(conn, who, now())
    except NotAllowed:
        events.tell("operator.refused", why="role", person=who.person_id)
        abort(404)
    except NotFresh:
        back = request.path if request.method == "GET" else url_for("pages.operate")
        return page("operate_again.html", 403, sign_in=url_for("pages.sign_in", next=back))
    except NoSecondFactor:
        if request.method != "GET":
            events.tell("operator.refused", why="second_factor", person=who.person_id)
        back = request.full_path.rstrip("?") if request.method == "GET" else url_for("pages.operate")
        return cast(Response, redirect(url_for("pages.second_factor", next=back), 303))
    g.operator = who
    return None


def operator() -> Who:
    """Return the operator who calls, with the rights that the page requires."""
    return cast(Who, g.operator)


def _sheet(template: str, status: int = 200, /, **facts: Any) -> Response:
    """Answer with a page of the area, with links to the others."""
    areas = [
        (_("Overview"), "pages.operate"), (_("People"), "pages.operate_people"), (_("Games"), "pages.operate_games"),
        (_("Emails"), "pages.operate_mails"), (_("Incoming email"), "pages.operate_arrivals"),
        (_("Webhooks"), "pages.operate_hooks"), (_("Operator actions"), "pages.operate_entries"),
    ]  # fmt: skip
    tabs = [(name, url_for(endpoint), request.endpoint == endpoint) for name, endpoint in areas]
    return page(template, status, tabs=tabs, **facts)


def _text(name: str, longest: int) -> str:
    """Return a search text. It omits characters that databases refuse."""
    return request.args.get(name, "")[:longest].replace("\0", "").strip()


def _chosen(name: str, known: Sequence[str]) -> str:
    given = request.args.get(name, "")
    return given if given in known else ""


# ==== overview ====================================================================================
@pages.get("/operate")
def operate() -> Response:
    return _overview_page()


def _overview_page(problem: str | None = None, status: int = 200) -> Response:
    at = now()
    with store.read() as conn:
        seen = oversight.overview(store, conn, operator(), at)
        entries = acts.entries(conn, operator(), at, limit=10)
    return _sheet(
        "operate.html",
        status,
        problem=problem,
        why=request.form.get("why", ""),
        server=seen.server and {"since": moment(seen.server.since), "failed": seen.server.failed, "of": seen.server.of},
        failing=[
            (_(FAILING[reason]), it.number, moment(it.since), _span(max(0, at - it.since)))
            for reason, it in seen.failing.items()
        ],
        failing_at=url_for("pages.operate_mails", state="failing"),
        due=[
            {
                "what": _(DUE[kind]),
                "number": it.number,
                "waited": _span(it.waited) if it.number else "",
                "late": kind in seen.late,
            }
            for kind, it in seen.due.items()
        ],
        beats=[(name, moment(when), _span(max(0, at - when))) for name, when in sorted(seen.beats.items())],
        games=[
            (_(GAME_STATES[it]), number, url_for("pages.operate_games", status=it)) for it, number in seen.games.items()
        ],
        troubles=[
            (_(TROUBLES[it]), number, url_for("pages.operate_games", trouble=it))
            for it, number in seen.troubles.items()
        ],
        people=[
            (_(GROUPS[it]), number, url_for("pages.operate_people", group=None if it == "all" else it))
            for it, number in seen.people.items()
        ],
        mails=[
            (_(MAIL_STATES[it]), number, url_for("pages.operate_mails", state=it)) for it, number in seen.mails.items()
        ],
        calls=[(_(CALL_STATES[it]), number) for it, number in seen.calls.items()],
        returned=[(_(RETURNED[it]), number, it in ABOUT_US) for it, number in seen.returned.items()],
        came=[(_(CAME[it]), number, url_for("pages.operate_arrivals", came=it)) for it, number in seen.came.items()],
        entries=[_entry(it) for it in entries],
    )


def _span(milliseconds: int) -> str:
    """Return a waiting time in words."""
    if milliseconds < 2 * MINUTE:
        return _("{seconds} s", seconds=milliseconds // SECOND)
    if milliseconds < 2 * HOUR:
        return _("{minutes} min", minutes=milliseconds // MINUTE)
    if milliseconds < 2 * DAY:
        return _("{hours} h", hours=milliseconds // HOUR)
    return _("{days} days", days=milliseconds // DAY)


@pages.get("/operate/entries")
def operate_entries() -> Response:
    before = number_in(request.args.get("before"))
    with store.read() as conn:
        found = acts.entries(conn, operator(), now(), before=before)
    more = url_for("pages.operate_entries", before=found[-1].id) if len(found) == acts.PAGE else None
    return _sheet("operate_entries.html", entries=[_entry(it) for it in found], more=more)


def _entry(entry: Act) -> dict[str, Any]:
    """Return an entry for operators, with a link to its subject."""
    return {
        **told(entry),
        "person": entry.person,
        "game": entry.game,
        "person_at": url_for("pages.operate_person", person_id=entry.person_id) if entry.person_id else None,
        "game_at": url_for("pages.operate_game", game_id=entry.game_id) if entry.game_id else None,
    }


def told(entry: Act) -> dict[str, Any]:
    """Return an entry for the people it concerns: action, time, operator and reason."""
    by = entry.operator or (_("the command line") if entry.by_command else _("an operator"))
    detail = {
        "free_seat": lambda: _("seat {number}", number=entry.detail),
        "give_time": lambda: _("{minutes} min", minutes=entry.detail),
        "try_failed": lambda: _("emails: {number}", number=entry.detail),
    }.get(entry.what)
    return {
        "at": moment(entry.at),
        "by": by,
        "what": _(DEEDS[entry.what]),
        "why": entry.why,
        "closed": entry.what == "close",
        "detail": detail() if detail else "",
    }


# ==== people ======================================================================================
@pages.get("/operate/people")
def operate_people() -> Response:
    text, group, at = _text("text", 254), _chosen("group", oversight.PEOPLE), now()
    before = number_in(request.args.get("before"))
    with store.read() as conn:
        found = oversight.people(conn, operator(), at, text=text, group=group, before=before)
        never = oversight.wants_no_invitations(conn, operator(), text, at) if text else None
    more = (
        url_for("pages.operate_people", text=text or None, group=group or None, before=found[-1].id)
        if len(found) == oversight.PAGE
        else None
    )
    return _sheet(
        "operate_people.html",
        people=[_person(it) for it in found],
        text=text,
        group=group,
        more=more,
        never=moment(never) if never else None,
        groups=[(it, _(GROUPS[it])) for it in oversight.PEOPLE],
    )


def _person(line: PersonLine) -> dict[str, Any]:
    marks = [
        ("operators", line.is_operator),
        ("blocked", line.blocked_at),
        ("flagged", line.flagged_at),
        ("stopped", line.stopped_at),
    ]
    return {
        "id": line.id, "name": line.name, "email": line.email, "since": moment(line.created_at), "games": line.games,
        "address": url_for("pages.operate_person", person_id=line.id), "zone": line.zone, "lang": line.lang,
        "marks": [_(GROUPS[it]) for it, so in marks if so], "is_operator": line.is_operator,
        "blocked": moment(line.blocked_at) if line.blocked_at else None, "flag": line.flag,
        "flagged": moment(line.flagged_at) if line.flagged_at else None,
        "stopped": moment(line.stopped_at) if line.stopped_at else None,
    }  # fmt: skip


@pages.get("/operate/people/<int(max=2147483647):person_id>")
def operate_person(person_id: int) -> Response:
    return _person_page(person_id)


def _person_page(person_id: int, problem: str | None = None, status: int = 200) -> Response:
    at = now()
    with store.read() as conn:
        line = oversight.person(conn, operator(), person_id, at)
        if line is None:
            abort(404)
        games = oversight.games(store, conn, operator(), at, person_id=person_id)
        mails = oversight.mails(conn, operator(), at, person_id=person_id, limit=10)
        hooks = oversight.hooks(conn, operator(), at, person_id=person_id)
        entries = acts.entries(conn, operator(), at, person_id=person_id)
    myself = person_id == operator().person_id
    wishes = [("unflag", _("Try the address again"))] if line.flagged_at else []
    if line.blocked_at:
        wishes.append(("unblock", _("Unblock")))
    elif not myself:
        wishes.append(("block", _("Block")))
    return _sheet(
        "operate_person.html",
        status,
        problem=problem,
        person=_person(line),
        games=[_game(it) for it in games],
        mails=[_mail(it) for it in mails],
        hooks=[_hook(it) for it in hooks],
        entries=[_entry(it) for it in entries],
        all_mails=url_for("pages.operate_mails", person=person_id),
        myself=myself,
        wishes=wishes,
        why=request.form.get("why", ""),
    )


@pages.post("/operate/people/<int(max=2147483647):person_id>")
def operate_on_person(person_id: int) -> Response:
    deeds = {"block": acts.block, "unblock": acts.unblock, "unflag": acts.unflag}
    deed = deeds.get(request.form.get("wish", ""))
    if deed is None:
        abort(400)
    problem = _problem(lambda: deed(store, operator(), person_id, request.form.get("why", ""), now()))
    if problem:
        return _person_page(person_id, problem, 422)
    return done(url_for("pages.operate_person", person_id=person_id), "noted")


def _problem(deed: Callable[[], None]) -> str | None:
    """Do it, and return the error in words if there was one."""
    try:
        deed()
    except BadName as bad:
        return bad_name(
            bad,
            _(
                "Please give a reason of at most {length} characters; the people concerned can read it.",
                length=acts.LONGEST_WHY,
            ),
        )
    except Refused as refused:
        return queries.refusal(None, refused, reader().lang)
    except NotDone as not_done:
        return _(acts.NOT_DONE[not_done.why])
    return None


# ==== games =======================================================================================
@pages.get("/operate/games")
def operate_games() -> Response:
    text, at = _text("text", 80), now()
    status, trouble = _chosen("status", tuple(GAME_STATES)), _chosen("trouble", oversight.TROUBLES)
    before = place_in(request.args.get("before"))
    with store.read() as conn:
        found = oversight.games(store, conn, operator(), at, text=text, status=status, trouble=trouble, before=before)
    last = found[-1] if len(found) == oversight.PAGE else None
    more = last and url_for(
        "pages.operate_games",
        text=text or None,
        status=status or None,
        trouble=trouble or None,
        before=f"{last.created_at}.{last.id}",
    )
    return _sheet(
        "operate_games.html",
        games=[_game(it) for it in found],
        text=text,
        status=status,
        trouble=trouble,
        more=more,
        states=[(it, _(GAME_STATES[it])) for it in GAME_STATES],
        troubles=[(it, _(TROUBLES[it])) for it in oversight.TROUBLES],
    )


def _game(line: GameLine) -> dict[str, Any]:
    title, seats = store.titles.get(line.title), [_sitting(it) for it in line.sitting]
    return {
        "id": line.id, "name": line.name, "title": called(title, reader().lang) if title else line.title,
        "status": line.status, "state": _("paused") if line.paused else _(GAME_STATES[line.status]),
        "address": url_for("pages.operate_game", game_id=line.id), "moved": moment(line.moved_at),
        "created": moment(line.created_at), "due": moment(line.due_at) if line.due_at else None,
        "host": line.host, "host_at": url_for("pages.operate_person", person_id=line.host_id) if line.host_id else None,
        "public": line.public, "seats": seats,
        "people": listed([it["name"] for it in seats], reader().lang) or _("nobody yet"),
        "table": url_for("pages.game", game_id=line.id) if line.public else None,
    }  # fmt: skip


def _sitting(it: Sitting) -> dict[str, Any]:
    name = it.name or (name_of_bot(it.bot, it.seat, reader().lang) if it.bot else _("(erased)"))
    return {
        "seat": it.seat, "name": name, "bot": it.bot if it.person_id is not None else "", "left": it.left,
        "vacant": it.vacant, "asked": it.asked, "due": moment(it.due_at) if it.due_at else None,
        "address": url_for("pages.operate_person", person_id=it.person_id) if it.person_id else None,
    }  # fmt: skip


@pages.get("/operate/games/<game:game_id>")
def operate_game(game_id: str) -> Response:
    return _game_page(game_id)


def _game_page(game_id: str, problem: str | None = None, status: int = 200) -> Response:
    at = now()
    with store.read() as conn:
        line = oversight.game(conn, operator(), game_id, at)
        if line is None:
            abort(404)
        mails = oversight.mails(conn, operator(), at, game_id=game_id, limit=10)
        entries = acts.entries(conn, operator(), at, game_id=game_id)
    return _sheet(
        "operate_game.html",
        status,
        problem=problem,
        game=_game(line),
        mails=[_mail(it) for it in mails],
        entries=[_entry(it) for it in entries],
        all_mails=url_for("pages.operate_mails", game=game_id),
        why=request.form.get("why", ""),
        wish=request.form.get("wish"),
        causes=[(it, _(CLOSED_FOR[it])) for it in acts.CLOSED_FOR],
        most_minutes=acts.LONGEST_GIVEN,
    )


@pages.post("/operate/games/<game:game_id>")
def operate_on_game(game_id: str) -> Response:
    form, wish = request.form, request.form.get("wish")
    why, seat, minutes = form.get("why", ""), number_in(form.get("seat")), number_in(form.get("minutes")) or 0
    cause = next((it for it in acts.CLOSED_FOR if it == form.get("cause", "other")), None)
    if wish not in acts.OF_TABLES or cause is None or (wish == "free_seat" and seat is None):
        abort(400)
    problem = _problem(lambda: _do_at_table(game_id, wish, cause, seat or 0, minutes, why))
    if problem:
        return _game_page(game_id, problem, 422)
    return done(url_for("pages.operate_game", game_id=game_id), "noted")


def _do_at_table(game_id: str, wish: str, cause: ClosedFor, seat: int, minutes: int, why: str) -> None:
    if wish == "close":
        acts.close(store, operator(), game_id, cause, why, now())
    elif wish == "free_seat":
        acts.free_seat(store, operator(), game_id, seat, why, now())
    else:
        acts.give_time(store, operator(), game_id, minutes, why, now())


CLOSED_FOR = {
    "fault": N_("a fault in the service"),
    "conduct": N_("a player's conduct"),
    "wish": N_("the players' request"),
    "other": N_("something else"),
}


# ==== mails =======================================================================================
@pages.get("/operate/mails")
def operate_mails() -> Response:
    state, at = _chosen("state", tuple(MAIL_STATES)), now()
    person, game, before = (_text(name, 50) for name in ("person", "game", "before"))
    with store.read() as conn:
        found = oversight.mails(
            conn,
            operator(),
            at,
            person_id=number_in(person),
            game_id=game or None,
            state=state or None,
            before=number_in(before),
        )
    more = (
        url_for(
            "pages.operate_mails",
            state=state or None,
            person=person or None,
            game=game or None,
            before=found[-1].entry.id,
        )
        if len(found) == oversight.PAGE
        else None
    )
    return _sheet(
        "operate_mails.html",
        mails=[_mail(it) for it in found],
        state=state,
        person=person,
        game=game,
        more=more,
        states=[(it, _(MAIL_STATES[it])) for it in MAIL_STATES],
    )


def _mail(owed: Owed) -> dict[str, Any]:
    line = mail_settings.line(owed.entry)
    waits = owed.entry.state == "pending"
    return {
        **line,
        "to": owed.name or owed.address,
        "at": owed.address if owed.name else "",
        "person_at": url_for("pages.operate_person", person_id=owed.person_id) if owed.person_id else None,
        "game_at": url_for("pages.operate_game", game_id=line["game_id"]) if line["game"] else None,
        "address": url_for("pages.operate_mail", notice_id=line["id"]),
        "due": moment(owed.entry.due_at) if waits else None,
        "now": waits,
    }


@pages.get("/operate/mails/<int(max=2147483647):notice_id>")
def operate_mail(notice_id: int) -> Response:
    return _mail_page(notice_id)


def _mail_page(notice_id: int, problem: str | None = None, status: int = 200) -> Response:
    with store.read() as conn:
        found = oversight.mail(conn, operator(), notice_id, now())
    if found is None:
        abort(404)
    return _sheet("operate_mail.html", status, problem=problem, mail=_mail(found), why=request.form.get("why", ""))


@pages.post("/operate/mails/<int(max=2147483647):notice_id>")
def operate_on_mail(notice_id: int) -> Response:
    deeds = {"resend": acts.resend, "send_now": acts.send_now}
    deed = deeds.get(request.form.get("wish", ""))
    if deed is None:
        abort(400)
    problem = _problem(lambda: deed(store, operator(), notice_id, request.form.get("why", ""), now()))
    if problem:
        return _mail_page(notice_id, problem, 422)
    return done(url_for("pages.operate_mail", notice_id=notice_id), "noted")


@pages.post("/operate/mails/failed")
def operate_on_failed() -> Response:
    def deed() -> None:
        acts.try_failed(store, operator(), request.form.get("why", ""), now())

    problem = _problem(deed)
    return _overview_page(problem, 422) if problem else done(url_for("pages.operate"), "noted")


# ==== incoming mail ===============================================================================
@pages.get("/operate/arrivals")
def operate_arrivals() -> Response:
    return _arrivals_page()


def _arrivals_page(problem: str | None = None, status: int = 200) -> Response:
    came, before = (
        next((it for it in oversight.CAME if it == request.args.get("came")), None),
        request.args.get("before"),
    )
    with store.read() as conn:
        found = oversight.arrivals(conn, operator(), now(), came=came, before=number_in(before))
    more = url_for("pages.operate_arrivals", came=came, before=found[-1].id) if len(found) == oversight.PAGE else None
    return _sheet(
        "operate_arrivals.html",
        status,
        problem=problem,
        arrivals=[_arrival(it) for it in found],
        came=came,
        more=more,
        sorts=[(it, _(CAME[it])) for it in oversight.CAME],
    )


def _arrival(it: Arrival) -> dict[str, Any]:
    sort = "unwanted" if it.said else it.what or "waiting"
    return {
        "id": it.id, "kind": mail_settings.named("receipt" if it.kind in RECEIPTS else it.kind),
        "returned": it.returned, "person": it.person, "game": it.game,
        "person_at": url_for("pages.operate_person", person_id=it.person_id) if it.person_id else None,
        "game_at": url_for("pages.operate_game", game_id=it.game_id) if it.game else None,
        "became": _(CAME[sort]) if sort in CAME else sort, "again": it.failed, "at": moment(it.received_at),
        "due": moment(it.due_at) if not it.what else None, "domain": it.domain, "size": it.size,
        "attempts": it.attempts, "detail": it.detail,
        "said": " ".join(filter(None, (_(RETURNED[it.said]) if it.said else "", it.status))),
    }  # fmt: skip


@pages.post("/operate/arrivals/<int(max=2147483647):number>")
def operate_on_arrival(number: int) -> Response:
    problem = _problem(lambda: acts.read_again(store, operator(), number, request.form.get("why", ""), now()))
    if problem:
        return _arrivals_page(problem, 422)
    return done(url_for("pages.operate_arrivals"), "noted")


# ==== webhooks ====================================================================================
@pages.get("/operate/webhooks")
def operate_hooks() -> Response:
    return _hooks_page()


def _hooks_page(problem: str | None = None, status: int = 200) -> Response:
    failing, before = "failing" in request.args, number_in(request.args.get("before"))
    with store.read() as conn:
        found = oversight.hooks(conn, operator(), now(), failing=failing, before=before)
    more = (
        url_for("pages.operate_hooks", failing="on" if failing else None, before=found[-1].id)
        if len(found) == oversight.PAGE
        else None
    )
    return _sheet(
        "operate_hooks.html", status, problem=problem, hooks=[_hook(it) for it in found], failing=failing, more=more
    )


def _hook(hook: Hook) -> dict[str, Any]:
    return {
        "id": hook.id, "person": hook.person, "host": hook.host, "enabled": hook.enabled,
        "person_at": url_for("pages.operate_person", person_id=hook.person_id), "failures": hook.failures,
        "why": cause(hook.disabled_for or hook.error) if hook.disabled_for or hook.error else "",
        "calls": [
            {"id": it.id, "kind": mail_settings.named(it.kind),
             "state": _(CALL_STATES[it.state]), "again": it.state in ("sent", "dead") and hook.enabled,
             "at": moment(it.done_at or it.due_at), "attempts": it.attempts,
             "detail": cause(it.detail) if it.detail else ""}
            for it in hook.calls
        ],
    }  # fmt: skip


@pages.post("/operate/calls/<int(max=2147483647):call_id>")
def operate_on_call(call_id: int) -> Response:
    problem = _problem(lambda: acts.call_again(store, operator(), call_id, request.form.get("why", ""), now()))
    if problem:
        return _hooks_page(problem, 422)
    return done(url_for("pages.operate_hooks"), "noted")
