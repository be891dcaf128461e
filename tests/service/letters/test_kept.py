"""The text of letters of every kind, in both languages, stored in ``tests/mails`` to be read without a board.

Rewrite them with ``SLOWTRAIN_KEEP_MAILS=1``. Parts that differ each time (addresses, fingerprints, secrets) are
removed.
"""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from domain import TITLES
from domain.lifecycle import StartGame
from service.database.store import Store
from service.games import opening
from service.letters import by_kind, several
from service.notices.owing import PEOPLE
from service.words import languages
from tests import road
from tests.service.lanterns import NOON, game, give, play_on
from tests.service.letters import every
from tests.workers import post

KEPT = Path(__file__).parents[2] / "mails"
AT = every.LATE + 1000
PLIES = 12
"""The number of plies before a title's letter."""


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """A mail's text does not depend on the database."""
    return copy_on_sqlite


@pytest.fixture(autouse=True)
def the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the secrets of games, and so all draws, and the names of games."""
    drawn = (bytes([number]) * 32 for number in range(99))
    monkeypatch.setattr(opening.secrets, "token_bytes", lambda _: next(drawn))


def told(source: bytes) -> str:
    """Return a mail's subject and text, without the parts that differ each time."""
    mail = post.parse(source)
    text = re.sub(r"(https?://[^/\s]+/[a-z-]+)/\S+", r"\1/…", post.text_of(mail))
    text = re.sub(r"\b(fingerprint|Fingerabdruck) [0-9a-f]{12}", r"\1 …", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "…", re.sub(r"\bg\+[a-z2-7]{26}@", "g+…@", text))
    return f"Subject: {mail['Subject']}\n\n{text}"


def is_as_it_was(name: str, letters: dict[str, str]) -> None:
    """Compare all letters with one file, in which a line with its name precedes each."""
    said = "\n\n".join(f"{'=' * 20} {kind} {'=' * (50 - len(kind))}\n{text}" for kind, text in letters.items())
    file = KEPT / f"{name}.txt"
    if "SLOWTRAIN_KEEP_MAILS" in os.environ:
        file.write_text(said)
    assert said == file.read_text()


def speak(store: Store, lang: str) -> None:
    with store.write() as conn:
        conn.execute(update(PEOPLE).values(lang=lang, zone="Europe/Berlin"))


@pytest.mark.parametrize("lang", languages())
def test_letters_of_every_kind_read_as_they_did(store: Store, lang: str) -> None:
    rows = every.rows_of(store, AT)
    speak(store, lang)
    sources = every.composed(store, rows, AT)
    with store.read() as conn:
        together = several.mail(store, conn, [rows["turn"], rows["over"]], "<together.1@localhost>", AT)
    is_as_it_was(f"every_{lang}", {kind: told(it) for kind, it in {**sources, "several": together.source}.items()})


@pytest.mark.parametrize("title", TITLES)
def test_turn_letters_of_a_title_read_as_they_did(store: Store, title: str) -> None:
    """Letters of a game in progress, in both languages."""
    players = [post.person(store, name) for name in ("Anna", "Bert", "Cleo")]
    given: dict[str, Any] = {"options": {}, "seats": 3, "host_id": None, "public": True, "settle_ms": 0}
    game_id = road.open_game(store, title=title, name="Northern mails", at=NOON, **given).game_id
    post.sit_down(store, game_id, *players)
    give(store, game_id, None, StartGame())
    play_on(store, game_id, plies=PLIES, seed=11)
    row = [it for it in post.outbox(store, "turn") if it.seat in game(store, game_id).asked][-1]
    letters = {}
    for lang in languages():
        speak(store, lang)
        with store.read() as conn:
            letters[lang] = told(by_kind.mail(store, conn, row, AT).source)
    is_as_it_was(f"turn_{title}", letters)
