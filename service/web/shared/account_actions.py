"""Actions of a person on their own account, shared by API and pages, each within its limit.

Sign-in, mail address, deletion, and sending a mail or a webhook call again.
"""

from collections.abc import Sequence

from flask import Response, request
from limits import parse

from service.base import hints
from service.base.clock import iso
from service.notices import ledger, webhooks
from service.people import accounts, addresses, strangers
from service.people.accounts import Asker, Scope
from service.web.shared import events, limits
from service.web.shared.context import demand_fresh, lang, now, session_cookie, settings, store
from service.web.shared.problems import Problem

AGAIN_PER_PERSON = (parse("5 per minute"), parse("30 per day"))
ADDRESS_PER_PERSON = (parse("3 per minute"), parse("10 per day"))


# ==== signing in ==================================================================================
def ask_for_link(email: str, next: str, nonce: str, zone: str = "") -> str:
    """Mail a sign-in link, unless the limit is reached. Return the six digits to show. Raises `accounts.BadAddress`.

    ``zone``: the caller's time zone, if the browser states it.
    """
    limits.spend_by_address("sign-in", limits.SIGN_IN_PER_ADDRESS)
    limits.spend("sign-in to", strangers.mailbox_of(accounts.normalised(email)), limits.SIGN_IN_PER_MAILBOX)
    events.tell("sign_in.asked", mailbox=events.mark_of(accounts.normalised(email)))
    language = lang()
    with store.write() as conn:
        code = accounts.ask_for_link(
            conn, settings, email, browser=nonce, next=next, lang=language, at=now(), zone=zone
        )
    hints.wake("outbox")
    return code


def confirm_link(
    token: str, nonce: str | None, code: str | None, name: str = "", zone: str | None = None
) -> accounts.Consumed:
    """Use up a sign-in link. ``name`` and ``zone``: as `accounts.consume_link` takes them."""
    limits.spend_by_address("sign-in code", limits.CODES_PER_ADDRESS)
    language = lang()
    at, lasting = now(), accounts.lasting(settings)
    with store.write() as conn:
        done = accounts.consume_link(
            conn, token, browser=nonce, code=code, lang=language, at=at, name=name, zone=zone,
            life=lasting.life,
        )  # fmt: skip
        if done.outcome == "signed_in":
            accounts.end_session_of(conn, request.cookies.get(session_cookie(), ""))  # the new session replaces it
            if who := accounts.by_session(conn, done.session, at):
                addresses.unflag(conn, who.id, at)  # the mail with the link arrived, so the address works
    if done.outcome == "signed_in":
        events.tell("sign_in.done", person=done.person, new=done.new)
    elif done.outcome != "code" or code is not None:
        events.tell("sign_in.refused", why=done.outcome, person=done.person or None)
    return done


def signed_out(who: Asker) -> None:
    """End the session of the caller's browser."""
    with store.write() as conn:
        accounts.end_session(conn, who.id, who.session or "")
    events.tell("sign_out", person=who.id)


def end_session(who: Asker, which: str) -> bool:
    """End one session of the caller, or all "others". Return False if there was none."""
    with store.write() as conn:
        if which == "others":
            ended = accounts.end_other_sessions(conn, who.id, who.session) > 0
        else:
            ended = accounts.end_session(conn, who.id, which)
    if ended:
        events.tell("session.ended", person=who.id, which="others" if which == "others" else "one")
    return ended


# ==== tokens ======================================================================================
def make_token(who: Asker, name: str, scopes: Sequence[Scope], at: int) -> tuple[int, str]:
    """Make a token for a program. Return its number and the token. Raises `accounts.TooMany` and the problem
    "fresh"."""
    with store.write() as conn:
        demand_fresh(conn, who)
        number, token = accounts.make_token(conn, who.id, name, scopes, at)
    events.tell("token.made", person=who.id, number=number, scopes=" ".join(scopes))
    return number, token


def revoke_token(who: Asker, number: int) -> bool:
    """Revoke a token of the caller. Return False if there was none."""
    with store.write() as conn:
        revoked = accounts.revoke_token(conn, who.id, number, now())
    if revoked:
        events.tell("token.revoked", person=who.id, number=number)
    return revoked


# ==== export and deletion =========================================================================
def packed_person(who: Asker) -> Response:
    """Return all data of the person as a download. Pages use it, too."""
    limits.spend("export of", str(who.id), limits.EXPORTS_PER_PERSON)
    from service.keeping import personal  # only exports need what it loads

    response = Response(personal.export(store, who.id, now()), content_type="application/zip")
    events.tell("account.exported", person=who.id)
    response.headers["Content-Disposition"] = f'attachment; filename="slowtrain-{iso(now())[:10]}.zip"'
    return response


def erased(who: Asker, typed: str) -> bool:
    """Erase the caller if they typed their own address. Return False otherwise."""
    from service.keeping import personal

    try:
        if accounts.normalised(typed) != who.email:
            return False
    except accounts.BadAddress:
        return False
    personal.erase(store, who.id, now())
    events.tell("account.erased", person=who.id)
    return True


# ==== mail and webhooks ===========================================================================
def ask_to_change(who: Asker, address: str) -> None:
    """Mail a link to a new address. Raises `BadAddress`, `SameAddress`, and the problem "fresh"."""
    with store.read() as conn:
        demand_fresh(conn, who)
    email = accounts.normalised(address)
    limits.spend("address of", str(who.id), ADDRESS_PER_PERSON)
    limits.spend("sign-in to", strangers.mailbox_of(email), limits.SIGN_IN_PER_MAILBOX)
    with store.write() as conn:
        addresses.ask_to_change(conn, settings, who.id, email, lang=lang(), at=now())
    events.tell("address.asked", person=who.id, mailbox=events.mark_of(email))
    hints.wake("outbox")


def ask_to_confirm(who: Asker) -> None:
    """Mail a link to the person's own address, to learn whether it works again."""
    limits.spend("address of", str(who.id), ADDRESS_PER_PERSON)
    with store.write() as conn:
        addresses.ask_to_confirm(conn, settings, who.id, lang=lang(), at=now())
    hints.wake("outbox")


def send_again(who: Asker, notice_id: int) -> bool:
    """Owe a mail of this person again. Return False if none such can be repeated."""
    limits.spend("mail again to", str(who.id), AGAIN_PER_PERSON)
    with store.write() as conn:
        owed = ledger.send_again(conn, who.id, notice_id, now())
    hints.wake("outbox")
    return owed


def try_out(who: int, number: int) -> int:
    """Owe a trial call, wake the workers, and return the number of the call."""
    limits.spend("trial calls of", str(who), limits.TRIAL_CALLS_PER_PERSON)
    with store.write() as conn:
        call = webhooks.ping(conn, who, number, now())
    if call is None:
        raise Problem("not_found")
    hints.wake("webhooks")
    return call


def clock_time(minutes: int | None) -> str | None:
    """Format minutes after midnight, for example "07:30"."""
    return None if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}"
