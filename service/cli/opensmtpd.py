"""``slowtrain opensmtpd-filter``: a filter of OpenSMTPD that asks ``slowtrain listen`` whether recipients exist.

OpenSMTPD writes requests to the filter's standard input and reads results from its standard output (smtpd-filters(7)).
It has no other way to ask another server about a recipient before it accepts a mail. A server that accepts mail for
nobody must bounce it, mostly to people who never wrote it.
"""

import smtplib
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing

import click

READ_BY_PEOPLE = ("postmaster", "abuse")
"""Local parts that exist at every domain (RFC 2142)."""
CANNOT_SAY = "451 4.3.0 Cannot check this recipient now, please try again later"
NOBODY = "550 5.1.1 This is not a reply address of a letter"
SECONDS = 20.0


@click.command("opensmtpd-filter")
@click.option("--host", help="Address of slowtrain listen.  [default: SLOWTRAIN_LISTEN_HOST, 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Its port.  [default: SLOWTRAIN_LISTEN_PORT, 8024]")
def opensmtpd_filter(host: str | None, port: int | None) -> None:
    """Tell an OpenSMTPD in front which recipients exist, as a filter of its smtpd.conf (docs/host/mail.md).

    The filter needs neither the database nor the keys: it asks "slowtrain listen" about each recipient.
    """
    if host is None or port is None:
        from config.settings import Settings

        settings = Settings()
        host, port = host or settings.listen_host, port or settings.listen_port
    with closing(Inquirer(host, port)) as inquirer:
        # Strangers choose the recipients' bytes. They must not end the filter, since OpenSMTPD ends with its filters.
        for line in answers((line.decode("utf-8", "replace") for line in sys.stdin.buffer), inquirer):
            print(line, flush=True)


def answers(asked: Iterable[str], inquirer: "Inquirer") -> Iterator[str]:
    """Answer the lines of OpenSMTPD.

    A request is ``filter|VERSION|TIME|smtp-in|rcpt-to|SESSION|TOKEN|RECIPIENT`` (the order since version 0.5).
    """
    for line in asked:
        match line.rstrip("\n").split("|", 7):
            case ["config", "ready", *_]:
                yield "register|filter|smtp-in|rcpt-to"
                yield "register|ready"
            case ["filter", _, _, _, "rcpt-to", session, token, recipient]:
                refusal = inquirer.refusal(recipient.strip("<>"))
                yield f"filter-result|{session}|{token}|" + (f"reject|{refusal}" if refusal else "proceed")


class Inquirer:
    """Asks ``slowtrain listen``, over one connection for as long as that lasts."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._line: smtplib.LMTP | None = None

    def refusal(self, recipient: str) -> str:
        """The reason to refuse mail for this address; "" if it is accepted."""
        if recipient.partition("@")[0].lower() in READ_BY_PEOPLE:
            return ""
        if not (recipient.isascii() and recipient.isprintable()):
            return NOBODY
        for _ in range(2):  # an idle connection may have ended
            try:
                return self._asked(recipient)
            except (OSError, smtplib.SMTPException):
                self.close()
        return CANNOT_SAY

    def _asked(self, recipient: str) -> str:
        if self._line is None:
            self._line = smtplib.LMTP(self.host, self.port, timeout=SECONDS)
            self._line.ehlo()
        for code, words in (self._line.mail(""), self._line.rcpt(recipient)):
            if code >= 400:
                if code == 421:
                    raise smtplib.SMTPServerDisconnected
                self._line.rset()
                said, *_ = words.decode("ascii", "ignore").splitlines() or [""]
                return f"{code} {said}"
        self._line.rset()
        return ""

    def close(self) -> None:
        """End the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None
