"""Mails about an address itself: is it yours, does it work again, your mail goes elsewhere now."""

from typing import Any

from sqlalchemy import Connection

from config.settings import Settings
from service.people import addresses
from workers.mail.letter import Button, Letter
from workers.mail.reader import Reader


def of_address(settings: Settings, conn: Connection, row: Any, say: Reader, at: int) -> Letter:
    if row.kind == "moved":
        return _moved(say)
    link = addresses.link_address(settings, conn, row.payload, at)
    assert link is not None
    until = say.when(row.created_at + addresses.LINK_LIFE)
    if row.kind == "confirm":
        return _confirm(say, link, until)
    return _new(say, link, until)


def _new(say: Reader, link: str, until: str) -> Letter:
    return Letter(
        lang=say.lang,
        subject=say("Is this address yours?"), above="Slow Train", name="",
        heading=say("Is this address yours?"),
        lead=(say("Somebody, probably you, wants their mail about games to go to this address. It does so when the "
                  "button behind this link is pressed, until {when}.", when=until),),
        button=Button(say("Use this address"), link),
        small=(say("If it was not you, do nothing: you get no other mail."),),
    )  # fmt: skip


def _confirm(say: Reader, link: str, until: str) -> Letter:
    return Letter(
        lang=say.lang,
        subject=say("Does this address work again?"), above="Slow Train", name="",
        heading=say("Does this address work again?"),
        lead=(say("Mail to you came back, so your notices wait. They come again when the button behind this link is "
                  "pressed, until {when}.", when=until),),
        button=Button(say("It works"), link),
    )  # fmt: skip


def _moved(say: Reader) -> Letter:
    return Letter(
        lang=say.lang,
        subject=say("Your mail goes to another address now"), above="Slow Train", name="",
        heading=say("Your mail goes to another address now"),
        lead=(say("The address of your account was changed, and all other browsers were signed out. You sign in with "
                  "the new address from now on."),
              say("If it was not you, somebody got into your account: write to those who run this site.")),
    )  # fmt: skip
