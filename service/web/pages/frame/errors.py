"""Failures as pages: the same problems as the API's, worded for people."""

from typing import Any

from flask import Response

from service.games.rights import Forbidden
from service.web.pages.frame.blueprint import pages
from service.web.pages.frame.layout import page
from service.web.pages.frame.reader import _, reader, sign_in_first
from service.web.shared.problems import KINDS, Problem
from service.words import N_

SAID = {
    400: (N_("We could not read this request"), N_("Something is wrong with the request. Go back and try again.")),
    403: (
        N_("That is not allowed"),
        N_("The page was open too long, or you do not have permission. Reload the page and try again."),
    ),
    404: (N_("Not found"),
    N_("The page does not exist, or you are not allowed to see it. If you were invited, sign in first.")),
    405: (N_("This is not a page"), N_("This address only accepts forms. Go back to the page with the form.")),
    413: (N_("That is too large"), N_("The form contained too much. Shorten it and try again.")),
    429: (N_("Too many requests at once"), N_("Please wait a little and try again.")),
    500: (
        N_("Something went wrong on our side"), N_("We logged the error. Reload the page to see the current position."),
    ),
    503: (N_("Just a moment"), N_("The service is busy. Nothing was changed; please try again.")),
}  # fmt: skip
UPDATED = (
    N_("Just a moment"),
    N_("The service is being updated, and this game already uses newer rules. Nothing was changed; please try again."),
)
AWAY = (
    N_("Just a moment"),
    N_("The service cannot reach its database. Please try again soon; your last entry may have arrived anyway."),
)


def error_page(problem: Problem) -> Response:
    """Return the page of a problem."""
    if said := {"away": AWAY, "outdated": UPDATED}.get(problem.kind) or SAID.get(problem.status):
        heading, text = (_(words) for words in said)
    else:
        heading, text = _(KINDS[problem.kind].title), problem.said(reader().lang)
    response = page("frame/error.html", problem.status, heading=heading, text=text)
    response.headers.update(problem.headers)
    return response


@pages.errorhandler(Forbidden)
def not_theirs(forbidden: Forbidden) -> Response:
    """Ask an anonymous reader to sign in; tell anybody else that they may not do it."""
    nobody = reader().asker is None
    if forbidden.why == "sign_in" or (forbidden.why == "by_link" and nobody):
        return sign_in_first()
    return error_page(Problem("not_host" if forbidden.why == "not_host" else "no_seat"))


@pages.record_once
def _take_over(state: Any) -> None:
    """Answer every failure outside the API with a page."""
    state.app.extensions["slowtrain_error_page"] = error_page
