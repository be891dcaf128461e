"""The request behind an action on an account: language, time, limits, and the log of security events."""

from typing import Any, Protocol

import msgspec
from limits import RateLimitItem
from sqlalchemy import Connection

from config.settings import Settings
from service.base import links
from service.database.store import Store
from service.people import accounts
from service.people.accounts import Asker

Limit = tuple[RateLimitItem, ...]


class Limits(Protocol):
    """Counts of actions. Both methods raise an error above a limit."""

    def spend(self, what: str, who: str, items: Limit) -> None:
        """Count one more ``what`` for ``who``."""

    def spend_by_address(self, what: str, items: Limit) -> None:
        """Count one more ``what`` for the address of the client."""


class SecurityLog(Protocol):
    """The log of security events. Each entry holds a hash of the client's address."""

    def tell(self, event: str, /, **facts: Any) -> None:
        """Log an event of `security.EVENTS`."""


class SignInTooOld(Exception):
    """The action needs a browser that signed in lately."""


class AccountRequest(msgspec.Struct, frozen=True):
    """A request. ``at``: the time of all its decisions; ``lang``: the language of its letters."""

    store: Store
    settings: Settings
    at: int
    lang: str
    limits: Limits
    log: SecurityLog

    def demand_fresh(self, conn: Connection, who: Asker) -> None:
        """Raise `SignInTooOld` unless ``who`` signed in lately in this browser."""
        if not accounts.is_fresh(conn, who.session, self.at, accounts.lasting(self.settings).fresh):
            raise SignInTooOld

    def mark_of(self, email: str) -> str:
        """Return a keyed hash of an address: equal for equal ones, meaningless without the key."""
        return links.pseudonym(self.settings, "mailbox", email)
