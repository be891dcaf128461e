"""Keys to an account: links to sign in, sessions of browsers, tokens of programs."""

from collections.abc import Sequence

from limits import parse

from service.accounts.request import AccountRequest
from service.base import hints
from service.people import accounts, addresses, strangers
from service.people.accounts import Asker, Consumed, Scope

SIGN_IN_PER_ADDRESS = (parse("10 per minute"), parse("60 per hour"))
SIGN_IN_PER_MAILBOX = (parse("3 per minute"), parse("10 per hour"), parse("30 per day"))
CODES_PER_ADDRESS = (parse("20 per minute"), parse("100 per hour"))


# ==== signing in ==================================================================================
def ask_for_link(asked: AccountRequest, email: str, next: str, nonce: str, zone: str = "") -> str:
    """Mail a sign-in link, unless the limit is reached. Return the six digits to show. Raises `accounts.BadAddress`.

    ``nonce``: of the caller's browser. ``zone``: its time zone, if it states one.
    """
    asked.limits.spend_by_address("sign-in", SIGN_IN_PER_ADDRESS)
    address = accounts.normalised(email)
    asked.limits.spend("sign-in to", strangers.mailbox_of(address), SIGN_IN_PER_MAILBOX)
    asked.log.tell("sign_in.asked", mailbox=asked.mark_of(address))
    with asked.store.write() as conn:
        code = accounts.ask_for_link(
            conn, asked.settings, email, browser=nonce, next=next, lang=asked.lang, at=asked.at, zone=zone
        )
    hints.wake("outbox")
    return code


def confirm_link(
    asked: AccountRequest,
    token: str,
    nonce: str | None,
    code: str | None,
    name: str = "",
    zone: str | None = None,
    *,
    replaced: str,
) -> Consumed:
    """Use up a sign-in link. ``name`` and ``zone``: as `accounts.consume_link` takes them.

    ``replaced``: the session that the browser had until now; the new one ends it.
    """
    asked.limits.spend_by_address("sign-in code", CODES_PER_ADDRESS)
    with asked.store.write() as conn:
        done = accounts.consume_link(
            conn, token, browser=nonce, code=code, lang=asked.lang, at=asked.at, name=name, zone=zone,
            life=accounts.lasting(asked.settings).life,
        )  # fmt: skip
        if done.outcome == "signed_in":
            accounts.end_session_of(conn, replaced)
            if who := accounts.by_session(conn, done.session, asked.at):
                addresses.unflag(conn, who.id, asked.at)  # the email with the link arrived, so the address works
    if done.outcome == "signed_in":
        asked.log.tell("sign_in.done", person=done.person, new=done.new)
    elif done.outcome != "code" or code is not None:
        asked.log.tell("sign_in.refused", why=done.outcome, person=done.person or None)
    return done


# ==== sessions ====================================================================================
def sign_out(asked: AccountRequest, who: Asker) -> None:
    """End the session of the caller's browser."""
    with asked.store.write() as conn:
        accounts.end_session(conn, who.id, who.session or "")
    asked.log.tell("sign_out", person=who.id)


def end_session(asked: AccountRequest, who: Asker, which: str) -> bool:
    """End one session of the caller, or all "others". Return False if there was none."""
    with asked.store.write() as conn:
        if which == "others":
            ended = accounts.end_other_sessions(conn, who.id, who.session) > 0
        else:
            ended = accounts.end_session(conn, who.id, which)
    if ended:
        asked.log.tell("session.ended", person=who.id, which="others" if which == "others" else "one")
    return ended


# ==== tokens ======================================================================================
def make_token(asked: AccountRequest, who: Asker, name: str, scopes: Sequence[Scope]) -> tuple[int, str]:
    """Make a token for a program. Return its number and the token. Raises `accounts.TooMany` and `SignInTooOld`."""
    with asked.store.write() as conn:
        asked.demand_fresh(conn, who)
        number, token = accounts.make_token(conn, who.id, name, scopes, asked.at)
    asked.log.tell("token.made", person=who.id, number=number, scopes=" ".join(scopes))
    return number, token


def revoke_token(asked: AccountRequest, who: Asker, number: int) -> bool:
    """Revoke a token of the caller. Return False if there was none."""
    with asked.store.write() as conn:
        revoked = accounts.revoke_token(conn, who.id, number, asked.at)
    if revoked:
        asked.log.tell("token.revoked", person=who.id, number=number)
    return revoked
