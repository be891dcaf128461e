"""The caller as a person: changing their settings, exporting and deleting their data."""

from collections.abc import Mapping
from typing import Any

from limits import parse

from service.accounts.request import AccountRequest
from service.base import hints
from service.people import accounts
from service.people.accounts import Asker

EXPORTS_PER_PERSON = (parse("5 per minute"), parse("30 per day"))


def change(asked: AccountRequest, who: Asker, changes: Mapping[str, Any]) -> None:
    """Change settings of the caller: name, language, waking hours and so on. Raises `accounts.TooShort`."""
    with asked.store.write() as conn:
        accounts.change(conn, who.id, asked.at, **changes)
    hints.wake("outbox")


def export(asked: AccountRequest, who: Asker) -> bytes:
    """Return all data of the caller as a ZIP."""
    asked.limits.spend("export of", str(who.id), EXPORTS_PER_PERSON)
    from service.keeping import personal  # only exports and deletions need what it loads

    packed = personal.export(asked.store, who.id, asked.at)
    asked.log.tell("account.exported", person=who.id)
    return packed


def erase(asked: AccountRequest, who: Asker, typed: str) -> bool:
    """Erase the caller if they typed their own address. Return False otherwise."""
    from service.keeping import personal

    try:
        if accounts.normalised(typed) != who.email:
            return False
    except accounts.BadAddress:
        return False
    personal.erase(asked.store, who.id, asked.at)
    asked.log.tell("account.erased", person=who.id)
    return True
