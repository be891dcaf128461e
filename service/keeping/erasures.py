"""Marks of erased people and addresses, which identify nobody, and a list of these marks outside the database.

A copy of the database still holds everybody erased after it was made. The list identifies them by marks that can be
computed from the copy. The mark of a person comes from their number and time of signing up, a pair that is never given
again. The mark of an address is salted, and every copy has the salt. The table is written first, and the list is
updated from it. If that fails, the next update makes up for it.
"""

import hashlib
import hmac
import logging
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from email_validator import EmailNotValidError
from sqlalchemy import Connection, delete, insert, select

from config.files import FILE
from service.database.store import Store
from service.database.tables import Erasure, Installation, table_of
from service.people.accounts import on_the_wire

log = logging.getLogger(__name__)

ERASURES = table_of(Erasure)
INSTALLATION = table_of(Installation)


# ==== marks =======================================================================================
def mark_of_person(person_id: int, created_at: int) -> str:
    return hashlib.sha256(f"slow train person {person_id} {created_at}".encode()).hexdigest()


def mark_of_address(salt: bytes, address: str) -> str:
    """The mark of an address: the same for its stored form and its form on mail servers."""
    with suppress(EmailNotValidError):  # mail may have come for an invalid address
        address = on_the_wire(address)
    return hmac.new(salt, address.encode(errors="replace"), hashlib.sha256).hexdigest()


def salt_of(conn: Connection) -> bytes:
    return bytes(conn.execute(select(INSTALLATION.c.salt)).scalar_one())


def note(conn: Connection, addresses: Iterable[str], at: int, person: Any = None) -> None:
    """Note, in the transaction that forgets them, that ``addresses`` and a ``person`` (their row) are erased."""
    salt = salt_of(conn)
    marks = {mark_of_address(salt, each) for each in addresses}
    if person is not None:
        marks.add(mark_of_person(person.id, person.created_at))
    note_marks(conn, dict.fromkeys(marks, at))


def note_marks(conn: Connection, marks: Mapping[str, int]) -> None:
    """Note ``marks`` (mark -> time). They replace earlier notes of the same marks."""
    for mark, at in sorted(marks.items()):
        conn.execute(delete(ERASURES).where(ERASURES.c.mark == mark))
        conn.execute(insert(ERASURES).values(mark=mark, at=at))


def noted(store: Store) -> dict[str, int]:
    """Mark -> time, of everybody erased."""
    with store.read() as conn:
        return {row.mark: row.at for row in conn.execute(select(ERASURES))}


# ==== the list ====================================================================================
def read_list(file: Path) -> dict[str, int]:
    """Read the list: mark -> time. A line that broke off is skipped, and written again later. Raises ``OSError``."""
    marks: dict[str, int] = {}
    for line in file.read_text(errors="replace").splitlines():
        mark, _, at = line.partition(" ")
        if len(mark) == 64 and at.isdecimal():
            marks[mark] = max(int(at), marks.get(mark, 0))
    return marks


def keep_list(store: Store) -> bool:
    """Update the list outside the database. Return False if there is none, or it cannot be written."""
    file = store.settings.list_of_erased
    if file is None:
        return False
    marks = noted(store)
    known: dict[str, int] = {}
    try:
        with suppress(FileNotFoundError):
            known = read_list(file)
        missing = [f"{mark} {at}\n" for mark, at in sorted(marks.items()) if known.get(mark, -1) < at]
        if missing:
            _append(file, "".join(missing))
    except OSError as error:
        log.error("who was erased could not be noted in %s: %s", file, error)
        return False
    return True


def _append(file: Path, lines: str) -> None:
    """Append lines after a newline, which ends a line that broke off."""
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, FILE)
    try:
        os.write(handle, f"\n{lines}".encode())
        os.fsync(handle)
    finally:
        os.close(handle)
