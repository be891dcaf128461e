"""The email address of a person, and sending an email or a trial call of a webhook again."""

from limits import parse

from service.accounts.keys import SIGN_IN_PER_MAILBOX
from service.accounts.request import AccountRequest
from service.base import hints
from service.notices import ledger, webhooks
from service.people import accounts, addresses, strangers
from service.people.accounts import Asker
from service.people.addresses import Proved

AGAIN_PER_PERSON = (parse("5 per minute"), parse("30 per day"))
ADDRESS_PER_PERSON = (parse("3 per minute"), parse("10 per day"))
TRIAL_CALLS_PER_PERSON = (parse("6 per minute"), parse("60 per hour"))


# ==== the address =================================================================================
def ask_to_change(asked: AccountRequest, who: Asker, address: str) -> None:
    """Mail a link to a new address. Raises `BadAddress`, `SameAddress` and `SignInTooOld`."""
    with asked.store.read() as conn:
        asked.demand_fresh(conn, who)
    email = accounts.normalised(address)
    asked.limits.spend("address of", str(who.id), ADDRESS_PER_PERSON)
    asked.limits.spend("sign-in to", strangers.mailbox_of(email), SIGN_IN_PER_MAILBOX)
    with asked.store.write() as conn:
        addresses.ask_to_change(conn, asked.settings, who.id, email, lang=asked.lang, at=asked.at)
    asked.log.tell("address.asked", person=who.id, mailbox=asked.mark_of(email))
    hints.wake("outbox")


def ask_to_confirm(asked: AccountRequest, who: Asker) -> None:
    """Mail a link to the person's own address, to learn whether it works again."""
    asked.limits.spend("address of", str(who.id), ADDRESS_PER_PERSON)
    with asked.store.write() as conn:
        addresses.ask_to_confirm(conn, asked.settings, who.id, lang=asked.lang, at=asked.at)
    hints.wake("outbox")


def prove(asked: AccountRequest, who: Asker | None, token: str) -> Proved:
    """Confirm an address by the link in an email to it. ``who``: the caller, if signed in."""
    with asked.store.write() as conn:
        outcome = addresses.prove(conn, asked.settings, token, session=who.session if who else None, at=asked.at)
    if outcome == "changed":
        asked.log.tell("address.changed", person=who.id if who else None)
    elif outcome in ("dead", "taken"):
        asked.log.tell("address.refused", why=outcome, person=who.id if who else None)
    hints.wake("outbox")
    return outcome


# ==== emails and webhooks =========================================================================
def send_again(asked: AccountRequest, who: Asker, notice_id: int) -> bool:
    """Owe an email of this person again. Return False if none such can be repeated."""
    asked.limits.spend("mail again to", str(who.id), AGAIN_PER_PERSON)
    with asked.store.write() as conn:
        owed = ledger.send_again(conn, who.id, notice_id, asked.at)
    hints.wake("outbox")
    return owed


def try_webhook(asked: AccountRequest, who: Asker, number: int) -> int | None:
    """Owe a trial call of a webhook. Return the number of the call; None if there is no such webhook."""
    asked.limits.spend("trial calls of", str(who.id), TRIAL_CALLS_PER_PERSON)
    with asked.store.write() as conn:
        call = webhooks.ping(conn, who.id, number, asked.at)
    hints.wake("webhooks")
    return call
