"""The second factor of operators: setting it up with a setup code, and a code after each sign-in. No scripts."""

from flask import Response, request, url_for
from sqlalchemy import Connection

from service.operators import second_factor as factors
from service.operators.second_factor import AppKey, CodeTried, FactorState
from service.people import accounts
from service.web.pages.frame import _, done, home_path, moment, page
from service.web.pages.operators import room
from service.web.pages.operators.area import operator
from service.web.shared import context, events
from service.web.shared.context import now, settings, store
from service.words import N_

PROBLEMS = {
    "wrong": N_("This code is wrong. The app's codes change every 30 seconds; also check your phone's clock."),
    "used": N_("This code was already used. Each code works only once, so wait for the next one."),
    "none": N_("This code confirms nothing, because no setup is in progress. Ask for a setup code."),
    "lost": N_(
        "The key of this installation was replaced, so your app's codes are no longer valid. Ask for a setup code."
    ),
}
"""Messages for a refused code, by `CodeTried.tried`."""


@room.route("/operate/second-factor", methods=["GET", "POST"])
def second_factor() -> Response:
    """Ask for the missing code: the setup code, the app's first code, or the code of this sign-in."""
    if request.method != "POST":
        return _asked()
    setup, code = request.form.get("setup", ""), request.form.get("code", "")
    if not setup:
        return _prove(code)
    return _set_up(setup, code) if code else _show(setup)


def _prove(code: str) -> Response:
    with store.write() as conn:
        outcome = factors.prove(conn, settings, _person(), code, now())
        token = _renewed(conn) if outcome.right else ""
    _tell(outcome, "second_factor.right")
    if not outcome.right:
        return _asked(outcome)
    response = done(home_path(request.form.get("next"), url_for("pages.operators.overview")))
    context.begin_session(response, token)
    return response


def _show(setup: str) -> Response:
    with store.write() as conn:
        outcome, shown = factors.show(conn, settings, _person(), setup, now())
    if not outcome.right:
        _tell(outcome, "")
    return _asked(outcome, shown=shown, setup=setup)


def _set_up(setup: str, code: str) -> Response:
    with store.write() as conn:
        outcome = factors.set_up(conn, settings, _person(), setup, code, now())
        token = _renewed(conn) if outcome.right else ""
    _tell(outcome, "second_factor.set_up")
    if not outcome.right:
        with store.write() as conn:  # show the secret again, unless the setup code itself is wrong
            again, shown = factors.show(conn, settings, _person(), setup, now())
        return _asked(outcome if again.right else again, shown=shown, setup=setup)
    response = page("operators/second_factor_codes.html", codes=outcome.recovery_codes)
    context.begin_session(response, token)
    return response


def _tell(outcome: CodeTried, right: str) -> None:
    """Log the result of a try; ``right``: the event of a success."""
    how = "recovery" if outcome.by_recovery else "app"
    if outcome.right:
        events.tell(right, person=_person(), how=how)
    elif outcome.tried == "pause":
        events.tell("second_factor.pause", person=_person())
    else:
        events.tell("second_factor.wrong", person=_person(), why=outcome.tried, how=how)


def _person() -> int:
    person_id = operator().person_id
    assert person_id is not None
    return person_id


def _renewed(conn: Connection) -> str:
    return accounts.renew_session(conn, operator().session or "", now())


def _asked(outcome: CodeTried | None = None, *, shown: AppKey | None = None, setup: str = "") -> Response:
    """Show the page that asks for the next code, with the error of the last."""
    with store.read() as conn:
        stands = factors.state(conn, _person(), now())
        is_shown = factors.is_shown(conn, operator().session)
    problem, status = None, 200
    if outcome is not None and not outcome.right:
        problem, status = _problem(outcome), 429 if outcome.tried == "pause" else 403
    response = page(
        "operators/second_factor.html",
        status,
        step=_step(stands, is_shown, shown),
        stands=stands,
        since=moment(stands.since) if stands.since else None,
        shown=shown,
        setup=setup,
        problem=problem,
        next=home_path(request.values.get("next"), url_for("pages.operators.overview")),
        demanded=settings.demands_second_factor,
    )
    if outcome is not None and outcome.tried == "pause":
        response.headers["Retry-After"] = str(max(1, (outcome.until - now()) // 1000))
    return response


def _step(stands: FactorState, is_shown: bool, shown: AppKey | None) -> str:
    if shown is not None:
        return "app"
    if stands.since is not None:
        return "there" if is_shown else "code"
    return "setup" if stands.opened else "none"


def _problem(outcome: CodeTried) -> str:
    if outcome.tried == "pause":
        return _("Too many wrong codes. You can try again {time}.", time=moment(outcome.until).text)
    return _(PROBLEMS[outcome.tried])
