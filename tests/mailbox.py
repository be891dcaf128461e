"""An ordinary mailbox: a small IMAP server (RFC 3501, 4315, 9208) in a thread of the test, and its owner's view of it.

It knows the commands that a fetcher of answers needs, and no others: whatever else it is asked, it refuses.
`python -m tests.mta dovecot` does the same with a real server.
"""

import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from typing import Any

USER, PASSWORD = "club@example.org", "an application password"


class Mailbox:
    """The content of the mailbox: for each number a mail's bytes and flags. ``asked``: the commands it has got.

    ``lacks``: abilities that it does not have; ``used``: kilobytes of the 1,000 it has room for; ``cuts``: it hangs up
    at the next command of this name; ``elsewhere``: the mails in each of its other folders.
    """

    def __init__(self) -> None:
        self.mails: dict[int, tuple[bytes, set[str]]] = {}
        self.asked: list[str] = []
        self.lacks: set[str] = set()
        self.elsewhere: dict[str, list[bytes]] = {}
        self.used = 0
        self.cuts = ""
        self.port = 0
        self._next = 1

    @property
    def settings(self) -> dict[str, Any]:
        """The settings with which the service uses this mailbox."""
        where = {"imap_host": "127.0.0.1", "imap_port": self.port, "imap_tls": "none"}
        who = {"imap_user": USER, "imap_password": PASSWORD}
        return where | who | {"reply_addresses": "club+{}@example.org", "replies": True}

    def put(self, raw: bytes, *flags: str) -> int:
        """Let a mail arrive. Return its number."""
        number, self._next = self._next, self._next + 1
        self.mails[number] = raw, set(flags)
        return number

    def flags(self, number: int) -> set[str]:
        """Return the flags of a mail."""
        return self.mails[number][1]


class _Talk(socketserver.StreamRequestHandler):
    """One connection."""

    server: "_Server"
    disable_nagle_algorithm = True

    def handle(self) -> None:
        self._signed_in, self._told, self._open = False, 0, "INBOX"
        self._say("* OK ready")
        while line := self.rfile.readline():
            tag, command, *rest = line.decode().strip().split(" ", 2)
            given = rest[0] if rest else ""
            if command == "UID":
                command, _, given = given.partition(" ")
            if command == self.server.box.cuts:
                self.server.box.cuts = ""
                return
            self.server.box.asked.append(command)
            answer = getattr(self, f"_{command.lower()}", None)
            may = self._signed_in or command in ("CAPABILITY", "LOGIN", "LOGOUT")
            self._say(f"{tag} {answer(given) if answer and may else 'BAD'} so it is")
            if command == "LOGOUT":
                return

    def _say(self, line: str | bytes) -> None:
        self.wfile.write((line.encode() if isinstance(line, str) else line) + b"\r\n")

    # ---- commands ----
    def _capability(self, _: str) -> str:
        can = [it for it in ("IMAP4rev1", "UIDPLUS", "QUOTA") if it not in self.server.box.lacks]
        self._say(f"* CAPABILITY {' '.join(can)}")
        return "OK"

    def _login(self, given: str) -> str:
        self._signed_in = given == f'"{USER}" "{PASSWORD}"'
        return "OK" if self._signed_in else "NO [AUTHENTICATIONFAILED] wrong"

    def _select(self, folder: str) -> str:
        self._open = folder.strip('"')
        if self._open not in {"INBOX", *self.server.box.elsewhere}:
            return "NO there is none"
        return self._noop("")

    _examine = _select

    def _list(self, _: str) -> str:
        self._say(r'* LIST (\HasChildren \Noselect) "/" "[Provider]"')
        for folder in ("INBOX", *self.server.box.elsewhere):
            self._say(f'* LIST (\\HasNoChildren) "/" "{folder}"')
        return "OK"

    def _noop(self, _: str) -> str:
        highest = max(self.server.box.mails, default=0)
        if highest > self._told:
            self._told = highest
            self._say(f"* {len(self.server.box.mails)} EXISTS")
        return "OK"

    def _getquotaroot(self, _: str) -> str:
        self._say(f'* QUOTAROOT "INBOX" ""\r\n* QUOTA "" (STORAGE {self.server.box.used} 1000)')
        return "OK"

    def _search(self, criteria: str) -> str:
        least = int(found[1]) if (found := re.search(r"UID (\d+):\*", criteria)) else 0
        texts = re.findall(r'HEADER (\S+) "([^"]*)"', criteria)
        assert criteria.count("OR ") == len(texts) - 1
        if self._open != "INBOX":
            mails = enumerate(self.server.box.elsewhere[self._open], 1)
            found_there = [
                str(it) for it, raw in mails if all(text in str(message_from_bytes(raw)[name]) for name, text in texts)
            ]
            self._say(f"* SEARCH {' '.join(found_there)}".strip())
            return "OK"
        is_of_flags = "FLAGGED" in criteria
        numbers = [
            number
            for number, (raw, flags) in self.server.box.mails.items()
            if (number >= least or number == max(self.server.box.mails))
            and (not is_of_flags or (r"\Flagged" in flags) == ("UNFLAGGED" not in criteria))
            and any(text.lower() in (message_from_bytes(raw)[name] or "").lower() for name, text in texts)
        ]
        self._say(f"* SEARCH {' '.join(map(str, numbers))}".strip())
        return "OK"

    def _fetch(self, given: str) -> str:
        number = int(given.split(" ")[0])
        if number in self.server.box.mails:
            raw, _ = self.server.box.mails[number]
            part = self._header(raw, given) if "HEADER" in given else raw
            self._say(f"* 1 FETCH (RFC822.SIZE {len(raw)} BODY[] {{{len(part)}}}")
            self._say(part + f" UID {number})".encode())
        return "OK"

    def _header(self, raw: bytes, given: str) -> bytes:
        wanted = given.partition("(")[2].partition("(")[2].rstrip(")]").lower().split()
        lines = [f"{name}: {value}\r\n" for name, value in message_from_bytes(raw).items() if name.lower() in wanted]
        return "".join(lines).encode() + b"\r\n"

    def _store(self, given: str) -> str:
        number, _, flag = given.split(" ")
        if int(number) in self.server.box.mails:
            self.server.box.flags(int(number)).add(flag.strip("()"))
        return "OK"

    def _expunge(self, given: str) -> str:
        assert "UIDPLUS" not in self.server.box.lacks
        assert r"\Deleted" in self.server.box.flags(int(given)) if int(given) in self.server.box.mails else True
        self.server.box.mails.pop(int(given), None)
        return "OK"

    def _logout(self, _: str) -> str:
        self._say("* BYE")
        return "OK"


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, box: Mailbox) -> None:
        super().__init__(("127.0.0.1", 0), _Talk)
        self.box = box


@contextmanager
def mailbox() -> Iterator[Mailbox]:
    """Run an IMAP server with one mailbox."""
    box = Mailbox()
    with _Server(box) as server:
        box.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        try:
            yield box
        finally:
            server.shutdown()
