"""Mails about an address itself: is it yours, does it work again, your mail goes elsewhere now."""

from service.people import addresses
from workers.due import Case
from workers.mail.letter import Button, Letter
from workers.mail.reader import MailReader


def address(it: Case, say: MailReader) -> Letter:
    link, until = _link(it, say)
    return Letter(
        lang=say.lang,
        subject=say("Is this address yours?"),
        above="Slow Train",
        name="",
        heading=say("Is this address yours?"),
        lead=(
            say(
                "Somebody, probably you, wants their mail about games to go to this address. It does so when the "
                "button behind this link is pressed, until {when}.",
                when=until,
            ),
        ),
        button=Button(say("Use this address"), link),
        small=(say("If it was not you, do nothing: you get no other mail."),),
    )


def confirm(it: Case, say: MailReader) -> Letter:
    link, until = _link(it, say)
    return Letter(
        lang=say.lang,
        subject=say("Does this address work again?"),
        above="Slow Train",
        name="",
        heading=say("Does this address work again?"),
        lead=(
            say(
                "Mail to you came back, so your notices wait. They come again when the button behind this link is "
                "pressed, until {when}.",
                when=until,
            ),
        ),
        button=Button(say("It works"), link),
    )


def moved(it: Case, say: MailReader) -> Letter:
    return Letter(
        lang=say.lang,
        subject=say("Your mail goes to another address now"),
        above="Slow Train",
        name="",
        heading=say("Your mail goes to another address now"),
        lead=(
            say(
                "The address of your account was changed, and all other browsers were signed out. You sign in with "
                "the new address from now on."
            ),
            say("If it was not you, somebody got into your account: write to those who run this site."),
        ),
    )


def _link(it: Case, say: MailReader) -> tuple[str, str]:
    """The link in the mail, and until when it is good."""
    link = addresses.link_address(it.store.settings, it.conn, it.row.payload, it.at)
    assert link is not None
    return link, say.when(it.row.created_at + addresses.LINK_LIFE)
