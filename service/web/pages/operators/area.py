"""Access to the area of operators, and the common parts of its pages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from flask import Response, abort, g, redirect, request, url_for

from domain.refusal import Refused
from service.base.names import BadName
from service.games import queries
from service.operators import acts, oversight
from service.operators.acts import NoSecondFactor, NotAllowed, NotDone, NotFresh, Who
from service.people import accounts
from service.web.pages.frame import _, done, page, reader
from service.web.pages.operators import room
from service.web.pages.parts.refusals import bad_name
from service.web.shared import events
from service.web.shared.context import now, settings, store

T = TypeVar("T")


@room.before_request
def only_operators() -> Response | None:
    """Hide the area from others. Ask an operator who signed in too long ago to do so again."""
    asker = reader().asker
    if asker is None:
        abort(404)
    who = Who(asker.id, asker.session or "", accounts.lasting(settings).fresh, settings.demands_second_factor)
    try:
        with store.read() as conn:
            demand = acts.demand_first if request.endpoint == "pages.operators.second_factor" else acts.demand
            demand(conn, who, now())
    except NotAllowed:
        events.tell("operator.refused", why="role", person=who.person_id)
        abort(404)
    except NotFresh:
        back = request.path if request.method == "GET" else url_for("pages.operators.overview")
        return page("operators/sign_in_again.html", 403, sign_in=url_for("pages.front.sign_in", next=back))
    except NoSecondFactor:
        if request.method != "GET":
            events.tell("operator.refused", why="second_factor", person=who.person_id)
        back = request.full_path.rstrip("?") if request.method == "GET" else url_for("pages.operators.overview")
        return cast(Response, redirect(url_for("pages.operators.second_factor", next=back), 303))
    g.operator = who
    return None


def operator() -> Who:
    """Return the operator who calls, with the rights that the page requires."""
    return cast(Who, g.operator)


def sheet(template: str, status: int = 200, /, **facts: Any) -> Response:
    """Answer with a page of the area, with links to the others."""
    areas = [
        (_("Overview"), "pages.operators.overview"), (_("People"), "pages.operators.people"),
        (_("Games"), "pages.operators.games"), (_("Emails"), "pages.operators.mails"),
        (_("Incoming email"), "pages.operators.arrivals"),
        (_("Reports of talk"), "pages.operators.reports"),
        (_("Webhooks"), "pages.operators.hooks"), (_("Operator actions"), "pages.operators.entries"),
    ]  # fmt: skip
    tabs = [(name, url_for(endpoint), request.endpoint == endpoint) for name, endpoint in areas]
    return page(template, status, tabs=tabs, **facts)


def text_in(name: str, longest: int) -> str:
    """Return a search text. It omits characters that databases refuse."""
    return request.args.get(name, "")[:longest].replace("\0", "").strip()


def chosen_in(name: str, known: Sequence[str]) -> str:
    given = request.args.get(name, "")
    return given if given in known else ""


def earlier(view: str, found: Sequence[Any], place: Callable[[Any], object], **filters: Any) -> str | None:
    """Return the address of the list's next page; None if ``found`` is the last. ``place``: of a line."""
    if len(found) < oversight.PAGE:
        return None
    kept = {name: given or None for name, given in filters.items()}
    return url_for(f"pages.operators.{view}", **kept, before=place(found[-1]))


def wished(deeds: Mapping[str, T]) -> T:
    """Return the deed that the form names."""
    deed = deeds.get(request.form.get("wish", ""))
    return abort(400) if deed is None else deed


def acted(
    deed: Callable[[], object], again: Callable[[str], Response], back: str, *, bad: str = "", said: str = "noted"
) -> Response:
    """Do it and go ``back``, or show the page ``again`` with the error in words.

    ``bad``: says what the text must be like, if it is no reason. ``said``: names the message after the deed.
    """
    try:
        deed()
    except BadName as error:
        why = _(
            "Please give a reason of at most {length} characters; the people concerned can read it.",
            length=acts.LONGEST_WHY,
        )
        return again(bad or bad_name(error, why))
    except Refused as refused:
        return again(queries.refusal(None, refused, reader().lang))
    except NotDone as not_done:
        return again(_(acts.NOT_DONE[not_done.why]))
    return done(back, said)


def why_given() -> str:
    """Return the reason in the form, as typed."""
    return request.form.get("why", "")
