"""The letters about an address itself: confirm it, check that it works again, and the notice to a replaced address."""

from service.letters.due import Case
from service.letters.letter import Button, Letter
from service.letters.reader import MailReader
from service.people import addresses


def address(it: Case, say: MailReader) -> Letter:
    link, until = _link(it, say)
    return Letter(
        lang=say.lang,
        subject=say("Is this address yours?"),
        heading=say("Is this address yours?"),
        lead=(
            say(
                "Somebody, probably you, wants to get email about their games at this address. If you agree, follow "
                "this link and press the button there before {when}.",
                when=until,
            ),
        ),
        button=Button(say("Use this address"), link),
        small=(say("If it was not you, ignore this email: you will get no other."),),
    )


def confirm(it: Case, say: MailReader) -> Letter:
    link, until = _link(it, say)
    return Letter(
        lang=say.lang,
        subject=say("Does this address work again?"),
        heading=say("Does this address work again?"),
        lead=(
            say(
                "Our email to you bounced, so we are holding it back. To get email again, follow this link and "
                "press the button there before {when}.",
                when=until,
            ),
        ),
        button=Button(say("It works"), link),
    )


def moved(it: Case, say: MailReader) -> Letter:
    return Letter(
        lang=say.lang,
        subject=say("Your email now goes to another address"),
        heading=say("Your email now goes to another address"),
        lead=(
            say(
                "The address of your account was changed, and all other browsers were signed out. From now "
                "on, sign in with the new address."
            ),
            say("If it was not you, somebody got into your account. Please write to the operators of this site."),
        ),
    )


def _link(it: Case, say: MailReader) -> tuple[str, str]:
    """Return the link in the mail, and its expiry."""
    link = addresses.link_address(it.store.settings, it.conn, it.row.payload, it.at)
    assert link is not None
    return link, say.when(it.row.created_at + addresses.LINK_LIFE)
