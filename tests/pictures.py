"""The page and the letter in the pictures of README, the same to the byte each time they are made.

Bots play a game of three to the middle, at a fixed time and with fixed randomness, in a store of its own. ``python -m
tests.browser.pictures`` takes pictures of it and notes the digests; `tests.test_pictures` compares them.
"""

import hashlib
import json
import random
import re
import secrets
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from html import escape
from pathlib import Path
from typing import NamedTuple

import pytest
from freezegun import freeze_time
from sqlalchemy import select

from config.settings import Settings
from domain.lifecycle import StartGame
from domain.pace import PRESETS
from service.database.store import Store, open_store
from service.letters import by_kind
from service.notices.owing import OUTBOX
from service.people import accounts
from service.web.app import create_app
from tests import road
from tests.conftest import foreordain
from tests.workers.post import html_of, parse, person

FOLDER = Path(__file__).parents[1] / "docs/pictures"
DIGESTS = FOLDER / "digests.json"
MOMENT = "2026-10-02 18:40:00"
AT = 1_790_966_400_000
"""`MOMENT` in milliseconds since 1970, UTC."""
KEY = "a key for pictures that is long enough"
NAMES = ("Ann", "Bob", "Cleo")
PLIES = 34
VARIES = re.compile(r'(?<=name="csrf" value=")[^"]*|(?<=\?v=)[0-9a-f]{6,}')
"""The parts of a page that differ each time: the token of its forms, and the hashes of files."""


class Shown(NamedTuple):
    """The subjects of the pictures: the page of a table, and a letter with its picture inside."""

    page: str
    letter: EmailMessage

    def digests(self) -> dict[str, str]:
        """Return a hash of each, as stored beside the pictures."""
        shown = {"table": VARIES.sub("", self.page), "letter": html_of(self.letter)}
        return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in shown.items()}


@contextmanager
def fixed() -> Iterator[None]:
    """Fix the present moment, and the numbers that the machine draws at random."""
    dice = random.Random("pictures")
    with pytest.MonkeyPatch.context() as patch, freeze_time(MOMENT):
        foreordain(patch, "pictures")
        patch.setattr(secrets, "token_bytes", lambda size=32: dice.randbytes(size))
        yield


def shown(folder: Path) -> Shown:
    """Play the game in a store below ``folder``. Return Ann's view of it when it is her turn."""
    settings = Settings(_env_file=None, data_dir=folder, secret_keys=(KEY,))  # type: ignore[call-arg]
    store = open_store(settings.database, settings=settings)
    try:
        store.migrate()  # its salt is random, but never shown
        with fixed():
            people = [person(store, name) for name in NAMES]
            game = _played(store, people)
            return Shown(_page(store, settings, people[0], game), _letter(store, people[0]))
    finally:
        store.close()


def _played(store: Store, people: list[int]) -> str:
    """Start a game and play until Ann is asked. Return its id."""
    game: str = road.open_game(
        store, title="grand_trunk", options={}, seats=len(people), name="Friday evening trains", host_id=people[0],
        public=True, at=AT, settle_ms=0, pace=PRESETS["day"],
    ).game_id  # fmt: skip
    for seat, who in enumerate(people, 1):
        road.take_seat(store, game, seat, choice={}, at=AT, person_id=who)
    road.submit(store, game, None, [StartGame()], None, None, AT)
    dice, seat = random.Random(5), 0
    while True:
        with store.read() as conn:
            now = store.load(conn, game).game
        if now.asked == (1,) and seat != 1 and now.version >= PLIES:
            return game
        seat = now.asked[-1]
        command = now.title.bots["sensible"](now.title.rules.view(now.state, seat), dice)[0]
        road.submit(store, game, seat, [command], None, None, AT)


def _page(store: Store, settings: Settings, who: int, game: str) -> str:
    """Return the table as the browser of ``who`` gets it."""
    with store.write() as conn:
        session = accounts.open_session(conn, who, AT)
    client = create_app(settings, store).test_client()
    client.set_cookie("session", session, domain="127.0.0.1")
    answer = client.get(f"/games/{game}", base_url=settings.site)
    assert answer.status_code == 200
    return str(answer.text)


def _letter(store: Store, who: int) -> EmailMessage:
    """Return the last turn mail owed to ``who``."""
    owed = select(OUTBOX).where(OUTBOX.c.person_id == who, OUTBOX.c.kind == "turn").order_by(OUTBOX.c.id.desc())
    with store.read() as conn:
        row = conn.execute(owed).first()
        return parse(by_kind.mail(store, conn, row, AT).source)


def in_a_frame(letter: EmailMessage) -> str:
    """Return the letter as a simple mail program shows it: its headers, and its HTML with the pictures inside."""
    html = html_of(letter)
    for part in letter.walk():
        if part.get_content_maintype() == "image":
            inside = b64encode(part.get_content()).decode()
            name = part["Content-ID"].strip("<>")
            html = html.replace(f"cid:{name}", f"data:{part.get_content_type()};base64,{inside}")
    heads = "".join(f"<dt>{name}</dt><dd>{escape(str(letter[name]))}</dd>" for name in ("From", "To"))
    return FRAME.format(subject=escape(str(letter["Subject"])), heads=heads, letter=escape(html))


FRAME = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; font: 15px/1.4 sans-serif; background: #fff; color: #222 }}
header {{ padding: 12px 20px; background: #eef1f4; border-bottom: 1px solid #ccd3da }}
h1 {{ font-size: 19px; margin: 0 0 6px }} dl {{ margin: 0; display: grid; grid-template-columns: 4em 1fr; color: #555 }}
dd {{ margin: 0 }}
iframe {{ border: 0; width: 100%; height: 100vh }}
</style><header><h1>{subject}</h1><dl>{heads}</dl></header><iframe srcdoc="{letter}"></iframe>"""


def noted() -> dict[str, str]:
    """Return the digests of the existing pictures."""
    said: dict[str, str] = json.loads(DIGESTS.read_text())
    return said
