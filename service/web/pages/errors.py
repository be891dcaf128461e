"""Failures as pages: the same problems as the API's, in a person's words."""

from typing import Any

from flask import Response

from service.web.pages.web import _, page, pages, reader
from service.web.shared.problems import KINDS, Problem

SAID = {
    400: ("That cannot be read", "Something about the request is broken. Go back and try again."),
    403: (
        "That is not allowed", "The page was open too long, or this is not yours to do. Load the page again and retry.",
    ),
    404: ("There is nothing here", "It does not exist, or it is not yours to see. If you were invited, sign in first."),
    405: ("That is not a page", "This address takes forms only."),
    413: ("That is too much", "No form on this site needs so much."),
    429: ("Too many at once", "Please wait a little and try again."),
    500: ("This is our mistake", "It was noted. Load the page again to see what stands."),
    503: ("Just a moment", "The service is busy. Nothing was changed; please try again."),
}  # fmt: skip
UPDATED = (
    "Just a moment",
    "The service is being updated, and this game goes on under newer rules than the answering process knows. Nothing "
    "was changed; please try again.",
)
AWAY = (
    "Just a moment",
    "The service cannot reach its database. Please try again soon; what you have just sent may have arrived all the "
    "same.",
)


def error_page(problem: Problem) -> Response:
    """The page for what failed."""
    if said := {"away": AWAY, "outdated": UPDATED}.get(problem.kind) or SAID.get(problem.status):
        heading, text = (_(words) for words in said)
    else:
        which = 1 if reader().lang == "de" else 0
        heading, text = KINDS[problem.kind].title[which], problem.words[which]
    response = page("error.html", problem.status, heading=heading, text=text)
    response.headers.update(problem.headers)
    return response


@pages.record_once
def _take_over(state: Any) -> None:
    """From now on what fails outside the API is answered with a page."""
    state.app.extensions["slowtrain_error_page"] = error_page
