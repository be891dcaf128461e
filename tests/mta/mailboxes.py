"""The other end of the mail: mailboxes on a disk, and the answers of people's programs to letters in them.

A program quotes the letter as it came. Each has its own style: above the quote in plain text, in two forms, below it
with wrapped lines (format=flowed), or above a header block without any prefix.
"""

import mailbox
from collections.abc import Callable, Mapping
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime, localtime, make_msgid, parsedate_to_datetime
from html import escape
from pathlib import Path
from typing import Any

from tests.mta.servers import World
from tests.workers.post import text_of


class Mailboxes(World):
    """The world's mail servers: arriving mail lies in a Maildir for each address, in ``folder``."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir()
        self._folder = folder

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        for recipient in envelope.rcpt_tos:
            self.put(recipient, envelope.content)
        return await super().handle_DATA(server, session, envelope)

    def put(self, recipient: str, source: bytes) -> None:
        """Put a mail into somebody's mailbox."""
        mailbox.Maildir(self._folder / recipient).add(source)

    def latest(self, address: str) -> EmailMessage:
        """Return the last letter to somebody that can be answered, as a program finds it in their mailbox."""
        mails = mailbox.Maildir(self._folder / address)
        for key in sorted(mails.keys(), key=_came, reverse=True):
            mail = _opened(mails.get_bytes(key))
            if mail["Reply-To"]:
                return mail
        raise LookupError(address)


def _came(key: str) -> int:
    """Return the number of a mail among those put into a Maildir; names within a second have no order."""
    return int(key.partition("Q")[2].partition(".")[0])


def _opened(source: bytes) -> EmailMessage:
    mail = message_from_bytes(source, policy=default)
    assert isinstance(mail, EmailMessage)
    return mail


# ==== programs ====================================================================================
WROTE = {
    "en": "On {when:%a, %b %d, %Y at %H:%M} {who} wrote:",
    "de": "Am {when:%d.%m.%Y} um {when:%H:%M} schrieb {who}:",
}
HEADS = {"en": ("From", "Sent", "To", "Subject"), "de": ("Von", "Gesendet", "An", "Betreff")}
PHONE = {"en": "Sent from my iPhone", "de": "Von meinem iPhone gesendet"}


def answered(letter: EmailMessage, text: str, lang: str, program: str) -> bytes:
    """Return a person's answer to a letter with these lines, as a program writes and sends it."""
    mail = EmailMessage()
    mail["From"], mail["To"] = letter["To"], letter["Reply-To"]
    mail["Subject"] = ("AW: " if lang == "de" and program == "outlook" else "Re: ") + letter["Subject"]
    mail["Date"], mail["Message-ID"] = format_datetime(localtime()), make_msgid(domain="client.example.org")
    mail["In-Reply-To"] = letter["Message-ID"]
    mail["References"] = " ".join(filter(None, (letter["References"], letter["Message-ID"])))
    PROGRAMS[program](mail, letter, text, lang)
    return mail.as_bytes()


def _plain(mail: EmailMessage, letter: EmailMessage, text: str, lang: str) -> None:
    mail.set_content(f"{text}\n\n{_wrote(letter, lang)}\n{_prefixed(letter)}")


def _flowed(mail: EmailMessage, letter: EmailMessage, text: str, lang: str) -> None:
    """Write below the quote; a long line continues in the next after a blank (RFC 3676)."""
    said = "\n".join(f" {line}" if line.startswith((" ", ">", "From ")) else line for line in text.split("\n"))
    mail.set_content(f"{_wrote(letter, lang)}\n{_prefixed(letter)}\n{said}\n", cte="8bit")
    mail.set_param("format", "flowed")


def _gmail(mail: EmailMessage, letter: EmailMessage, text: str, lang: str) -> None:
    _plain(mail, letter, text, lang)
    said = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))
    mail.add_alternative(
        f'<div dir="ltr">{said}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f'{escape(_wrote(letter, lang))}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">'
        f"{_page(letter)}</blockquote></div>",
        subtype="html",
    )


def _outlook(mail: EmailMessage, letter: EmailMessage, text: str, lang: str) -> None:
    """Write a block of headers, and the letter below it unchanged."""
    sent = parsedate_to_datetime(letter["Date"]).strftime("%A, %d. %B %Y %H:%M")
    values = (str(letter["From"]), sent, str(letter["To"]), str(letter["Subject"]))
    block = [f"{name}: {value}" for name, value in zip(HEADS[lang], values, strict=True)]
    mail.set_content("\n".join((text, "", *block, "", text_of(letter))), cte="base64")
    said = "".join(f'<p class="MsoNormal">{escape(line) or "&nbsp;"}</p>' for line in text.split("\n"))
    names = "<br>".join(
        f"<b>{escape(name)}:</b> {escape(value)}" for name, value in zip(HEADS[lang], values, strict=True)
    )
    mail.add_alternative(
        f'<html><body><div class="WordSection1">{said}<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;'
        f'padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">{names}</p></div></div>{_page(letter)}</div></body></html>',
        subtype="html",
    )


def _phone(mail: EmailMessage, letter: EmailMessage, text: str, lang: str) -> None:
    mail.set_content(f"{text}\n\n{PHONE[lang]}\n\n> {_wrote(letter, lang)}\n> \n{_prefixed(letter)}", cte="base64")


PROGRAMS: Mapping[str, Callable[[EmailMessage, EmailMessage, str, str], None]] = {
    "plain": _plain, "gmail": _gmail, "flowed": _flowed, "outlook": _outlook, "phone": _phone
}  # fmt: skip


def _wrote(letter: EmailMessage, lang: str) -> str:
    return WROTE[lang].format(when=parsedate_to_datetime(letter["Date"]), who=letter["From"])


def _page(letter: EmailMessage) -> str:
    part = letter.get_body(("html",))
    return str(part.get_content()) if part is not None else ""


def _prefixed(letter: EmailMessage) -> str:
    return "".join(f"> {line}\n" if line else ">\n" for line in text_of(letter).splitlines())
