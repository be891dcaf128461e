"""People with mail addresses at toy tables, real SMTP servers with various faults, and readers of the mail there."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from sqlalchemy import insert, select

from config.settings import Settings
from domain.lifecycle import StartGame
from service.database.store import Store
from service.notices import ledger as ledgers
from service.notices.owing import HISTORY, OUTBOX, PEOPLE
from tests import road
from tests.servers import free_port
from tests.service.lanterns import NOON, open_table
from tests.workers.strict import read_strictly

EARLY = 1_700_000_000_000
"""Before now, so that everything is due."""
PATIENCE = 180
"""Seconds after which an automatic event counts as missing, on a busy machine."""


def person(store: Store, name: str, lang: str = "en", zone: str = "UTC") -> int:
    row = {"email": f"{name.lower()}@example.org", "name": name, "lang": lang, "zone": zone, "created_at": NOON}
    with store.write() as conn:
        return int(conn.execute(insert(PEOPLE).values(row)).inserted_primary_key[0])  # type: ignore[index]


def sit_down(store: Store, game_id: str, *who: int | str, at: int = NOON) -> None:
    """Seat people (by id) and bots (by name), from seat 1 on."""
    for seat, one in enumerate(who, 1):
        holder: Any = {"bot": one} if isinstance(one, str) else {"person_id": one}
        road.take_seat(store, game_id, seat, choice={}, at=at, words="abc", **holder)


def table(store: Store, *who: int | str, at: int = NOON, **more: Any) -> str:
    """Return a game that its table has just started; everybody must choose a card."""
    game_id = open_table(store, len(who), at=at, **more)
    sit_down(store, game_id, *who, at=at)
    road.submit(store, game_id, None, [StartGame()], None, None, at)
    return game_id


def outbox(store: Store, kind: str | None = None, seat: int | None = None) -> list[Any]:
    rows = select(OUTBOX).order_by(OUTBOX.c.id)
    if kind is not None:
        rows = rows.where(OUTBOX.c.kind == kind)
    if seat is not None:
        rows = rows.where(OUTBOX.c.seat == seat)
    with store.read() as conn:
        return list(conn.execute(rows))


def history(store: Store, notice: int) -> list[str]:
    steps = select(HISTORY.c.what).where(HISTORY.c.notice_id == notice).order_by(HISTORY.c.id)
    with store.read() as conn:
        return list(conn.scalars(steps))


def ledger(store: Store, person_id: int) -> list[ledgers.Entry]:
    with store.read() as conn:
        return ledgers.entries(conn, person_id)


# ==== servers =====================================================================================
class Sink:
    """A server that takes all mail. ``answers``: its next answers to RCPT or DATA instead of yes, in this order."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.to_rcpt: list[str] = []
        self.to_data: list[str] = []
        self.before_answer: Callable[[], None] | None = None

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if self.to_rcpt:
            return self.to_rcpt.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.to_data:
            return self.to_data.pop(0)
        self.recipients += envelope.rcpt_tos
        self.mails.append(parse(envelope.content))
        if self.before_answer:
            self.before_answer()
        return "250 2.0.0 Kept"

    def of(self, recipient: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == recipient]


@contextmanager
def smtp_server(sink: Any, port: int | None = None) -> Iterator[int]:
    """Run a real SMTP server. Yield its port."""
    port = port or free_port()
    server = Controller(sink, hostname="127.0.0.1", port=port)
    server.start()
    try:
        yield port
    finally:
        server.stop()


def to(store: Store, port: int, **more: Any) -> Settings:
    """Send the store's mail to a server on this port."""
    store.settings = store.settings.with_(smtp_host="127.0.0.1", smtp_port=port, **more)
    return store.settings


def parse(source: bytes) -> EmailMessage:
    """Parse a mail of ours; every mail in a test is parsed as strictly as possible."""
    return read_strictly(source)


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def until(condition: Callable[[], Any], seconds: float = PATIENCE, what: str = "it", *, every: float = 0.02) -> Any:
    """Wait for ``condition`` to become true, and ask ``every`` so many seconds. Return its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(every)
    raise AssertionError(f"{what} did not happen within {seconds} seconds")
