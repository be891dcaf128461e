"""Name and time zone of a person: forms ask for them until they are known."""

from zoneinfo import available_timezones

from flask import g, request

from service.base import names
from service.base.names import BadName
from service.people import accounts
from service.people.accounts import Asker
from service.web.pages.frame import _
from service.web.pages.parts.refusals import bad_name
from service.web.shared.context import store

FIELD = "my_name"
"""The field of a name in forms that name something else, too."""


def persons_name(given: str) -> str:
    """Return a name that may stand at a table. Raises `BadName`."""
    return names.cleaned(given, names.LONGEST_OF_PERSON, mailed=True)


def bad_persons_name(bad: BadName) -> str:
    said = _("Please give a name of 1 to {length} characters.", length=names.LONGEST_OF_PERSON)
    return bad_name(bad, said)


def zones() -> list[str]:
    """Return all time zones, to choose from."""
    return sorted(available_timezones())


def zone_in(given: str) -> str | None:
    """Read a zone from a form, "" for none; None for an unknown one."""
    zone = given.strip()
    return zone if not zone or accounts.is_zone(zone) else None


def introduced(asker: Asker) -> str | None:
    """Take the name from the form of a person without one. Return the error, if there is one."""
    if asker.named:
        return None
    try:
        name = persons_name(request.form.get(FIELD, ""))
    except BadName as bad:
        return bad_persons_name(bad)
    with store.write() as conn:
        accounts.introduce(conn, asker.id, name=name)
    g.pop("asker", None)  # look the caller up again
    g.pop("reader", None)
    return None
