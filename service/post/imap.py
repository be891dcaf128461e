"""An ordinary mailbox by IMAP (RFC 3501), as far as answers to letters need it.

Nothing but mail to an address of ours (`service.base.ways_back`) is fetched, marked or deleted. Reading a header or a
mail never marks it as read. `imaplib` talks; its errors become `Unreachable`.
"""

import imaplib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from msgspec import Struct

from config.settings import Settings
from service.base import ways_back
from service.base.tls import tls_context
from service.words import N_

Trouble = Literal["away", "login", "folder", "refused", "full"]
"""The mailbox cannot be reached; does not let us in; has no such folder; refuses a command; has no room left."""

TROUBLES: Mapping[str, str] = {
    "away": N_("the mailbox cannot be reached"),
    "login": N_("the mailbox does not accept the user name and password"),
    "folder": N_("the mailbox does not have this folder"),
    "refused": N_("the mailbox refuses a command"),
    "full": N_("the mailbox is full, so new answers may be refused"),
}
"""The troubles in words, for operators."""

RECIPIENTS = ("DELIVERED-TO", "X-ORIGINAL-TO", "ENVELOPE-TO", "TO", "CC")
"""The headers in which an address of ours may stand, the envelope's recipient first."""
FULL = 0.98
"""The part of the quota from which a mailbox counts as full: soon the provider refuses mail to it."""
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")
_STORAGE = re.compile(rb"STORAGE (\d+) (\d+)")
_RETURN_PATH = re.compile(r"^return-path:\s*<([^<>\s]{0,254})>", re.IGNORECASE | re.MULTILINE)


class Unreachable(Exception):
    """The mailbox cannot be used at the moment. ``trouble`` says why."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble: Trouble = trouble


class Found(Struct, frozen=True):
    """A mail in the mailbox. ``addresses``: ours in its headers; ``sender``: of its envelope; ``size``: in bytes."""

    uid: int
    size: int
    addresses: tuple[str, ...]
    sender: str | None


class Mailbox:
    """An open folder. Raises `Unreachable` if it cannot be opened, and from every method."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._next = 1
        """All mails with lower numbers are settled, as long as this connection lasts."""
        with _as_trouble("away"):
            self._line = _connected(settings)
        try:
            with _as_trouble("login"):
                self._line.login(_quoted(settings.imap_user), settings.imap_password)
            with _as_trouble("folder"):
                _ok(self._line.select(_quoted(settings.imap_folder)))
            with _as_trouble("refused"):
                can = _flat(_ok(self._line.capability()))  # it may have more for somebody who is signed in
                self._can = frozenset(can.decode("ascii", "replace").upper().split())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Hang up."""
        try:
            self._line.logout()
        except (imaplib.IMAP4.error, OSError):
            self._line.shutdown()

    # ---- looking ----
    def has_news(self) -> bool:
        """Did mail arrive since the last look, or is this the first?"""
        with _as_trouble("refused"):
            if self._next == 1:
                return True
            self._line.response("EXISTS")
            _ok(self._line.noop())
            return self._line.response("EXISTS")[1] != [None]

    def found(self) -> Iterator[Found]:
        """Yield the mails to addresses of ours that are not settled yet, oldest first."""
        for uid in self._search(f"UID {self._next}:*", "UNFLAGGED"):
            if uid >= self._next and (it := self._looked_at(uid)) is not None:
                yield it

    def settle_below(self, uid: int) -> None:
        """Look at no mail with a lower number again while this connection lasts."""
        self._next = max(self._next, uid)

    def left(self) -> int:
        """Return the number of our mails that are marked, since they could not be kept."""
        return sum(self._looked_at(uid) is not None for uid in self._search("FLAGGED"))

    def is_full(self) -> bool:
        """Has the mailbox no room left for more mail (RFC 9208), as far as it says so?"""
        if "QUOTA" not in self._can:
            return False
        with _as_trouble("refused"):
            quota = self._line.getquotaroot(_quoted(self.settings.imap_folder))
            used = [(int(it[1]), int(it[2])) for it in _STORAGE.finditer(_flat(_ok(quota)))]
        return any(number >= limit * FULL for number, limit in used)

    def _search(self, *criteria: str) -> list[int]:
        """Return the numbers of mails in whose headers an address of ours may stand, in order."""
        texts = [f'HEADER {name} "{text}"' for name in RECIPIENTS for text in ways_back.beginnings(self.settings)]
        either = " ".join(["OR"] * (len(texts) - 1) + texts)
        with _as_trouble("refused"):
            answer = _ok(self._line.uid("SEARCH", *criteria, either))
        return sorted(int(number) for number in (answer[0] or b"").split())

    def _looked_at(self, uid: int) -> Found | None:
        """Return a mail by its headers, or None if it is not to us, or gone."""
        wanted = " ".join(("RETURN-PATH", *RECIPIENTS))
        with _as_trouble("refused"):
            answer = _ok(self._line.uid("FETCH", str(uid), f"(RFC822.SIZE BODY.PEEK[HEADER.FIELDS ({wanted})])"))
        told = _flat(answer)
        size = _SIZE.search(told)
        header = "".join(it[1].decode("utf-8", "replace") for it in answer if isinstance(it, tuple))
        addresses = ways_back.found_in(self.settings, header)
        if size is None or not addresses:
            return None
        sender = _RETURN_PATH.search(header)
        return Found(uid, int(size[1]), addresses, sender[1] if sender else None)

    def arrived(self, address: str) -> Found | None:
        """Return the newest mail to one of our addresses, even if it is flagged, or None."""
        with _as_trouble("refused"):
            _ok(self._line.noop())
            answer = _ok(self._line.uid("SEARCH", f'HEADER TO "{address}"'))
        numbers = sorted(int(number) for number in (answer[0] or b"").split())
        found = (self._looked_at(uid) for uid in reversed(numbers))
        return next((it for it in found if it and address in it.addresses), None)

    def folders_with(self, message_id: str) -> list[str]:
        """Return the other folders that hold a mail. Afterwards the mailbox's own folder is open again."""
        mine = self.settings.imap_folder
        with _as_trouble("refused"):
            names = [name for it in _ok(self._line.list()) if it and (name := _listed(it)) not in ("", mine)]
            holding = [name for name in names if self._holds(name, message_id)]
            _ok(self._line.select(_quoted(mine)))
        return holding

    def _holds(self, folder: str, message_id: str) -> bool:
        if self._line.select(_quoted(folder), readonly=True)[0] != "OK":
            return False
        return bool(_ok(self._line.uid("SEARCH", f'HEADER MESSAGE-ID "{message_id}"'))[0])

    # ---- acting ----
    def content(self, uid: int) -> bytes | None:
        """Return a mail's bytes, or None if it is gone."""
        with _as_trouble("refused"):
            answer = _ok(self._line.uid("FETCH", str(uid), "(BODY.PEEK[])"))
        return next((it[1] for it in answer if isinstance(it, tuple)), None)

    def mark(self, uid: int) -> None:
        """Flag a mail that stays here, for its owner to see."""
        with _as_trouble("refused"):
            _ok(self._line.uid("STORE", str(uid), "+FLAGS.SILENT", r"(\Flagged)"))

    def delete(self, uid: int) -> None:
        """Delete a mail for good.

        A server without UID EXPUNGE (RFC 4315) would also delete what the owner has marked as deleted. There the mail
        is only marked so, and vanishes with the owner's.
        """
        with _as_trouble("refused"):
            _ok(self._line.uid("STORE", str(uid), "+FLAGS.SILENT", r"(\Deleted)"))
            if "UIDPLUS" in self._can:
                _ok(self._line.uid("EXPUNGE", str(uid)))


def _connected(settings: Settings) -> imaplib.IMAP4:
    host, port = settings.imap
    if settings.imap_tls == "tls":
        return imaplib.IMAP4_SSL(host, port, ssl_context=tls_context(), timeout=settings.smtp_timeout)
    line = imaplib.IMAP4(host, port, timeout=settings.smtp_timeout)
    if settings.imap_tls == "starttls":
        try:
            line.starttls(tls_context())
        except BaseException:
            line.shutdown()
            raise
    return line


@contextmanager
def _as_trouble(refused: Trouble) -> Iterator[None]:
    """Turn the library's errors into `Unreachable`; a refusal of the server has the meaning ``refused``."""
    try:
        yield
    except (imaplib.IMAP4.abort, OSError) as error:  # ssl's errors are OSError, too
        raise Unreachable("away") from error
    except UnicodeError as error:  # the library knows only names and passwords in ASCII
        raise Unreachable(refused) from error
    except imaplib.IMAP4.error as error:
        raise Unreachable("away" if "UNAVAILABLE" in str(error).upper() else refused) from error


def _ok(answer: tuple[str, list[Any]]) -> list[Any]:
    """Return the content of an answer. Raise the library's error if it is a refusal, as `login` does."""
    kind, content = answer
    if kind != "OK":
        raise imaplib.IMAP4.error(str(content[-1:]))
    return content


def _listed(line: bytes | tuple[bytes, bytes]) -> str:
    """Return the name of a folder in an answer to LIST, or "" for one that cannot be opened."""
    if isinstance(line, tuple):  # a literal
        return line[1].decode("ascii", "replace")
    found = re.fullmatch(rb'\((?P<flags>[^)]*)\) (?:"(?:[^"\\]|\\.)*"|NIL) (?P<name>.*)', line)
    if found is None or rb"\noselect" in found["flags"].lower():
        return ""
    name = found["name"].decode("ascii", "replace")
    return re.sub(r"\\(.)", r"\1", name[1:-1]) if name.startswith('"') else name


def _flat(answer: list[Any]) -> bytes:
    """Return all parts of an answer but the texts that were fetched."""
    parts = []
    for it in answer:
        if isinstance(it, list):
            parts.append(_flat(it))
        elif it is not None:
            parts.append(it[0] if isinstance(it, tuple) else it)
    return b" ".join(parts)


def _quoted(folder: str) -> str:
    """Return a name as a quoted string. Folders beyond ASCII are named as the server lists them (RFC 3501, 5.1.3)."""
    escaped = folder.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
