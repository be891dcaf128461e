"""Requests about an account, for pages and API: with them `service.accounts` gets the limits and the log of the web."""

from flask import Response

from service.accounts import person
from service.accounts.request import AccountRequest
from service.base.clock import iso
from service.people.accounts import Asker
from service.web.shared import events, limits
from service.web.shared.context import lang, now, site


def asked() -> AccountRequest:
    """Return this request for an action on an account."""
    return AccountRequest(site().store, site().settings, now(), lang(), limits, events)


def exported(who: Asker) -> Response:
    """Return all data of the caller as a download."""
    response = Response(person.export(asked(), who), content_type="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="slowtrain-{iso(now())[:10]}.zip"'
    return response
