"""A receipt follows from its seat's view: it is the same in every world that the seat may imagine."""

import random

import msgspec
import pytest
from sqlalchemy import select

from domain import TITLES
from domain.chance import FreeChance
from domain.lifecycle import StartGame
from service.database.store import Store
from service.database.work import Work
from service.games import by_mail, pictures, queries
from service.games.by_mail import GivenAnswer
from service.games.orders import lines as lines_of
from service.letters import by_kind
from service.notices.owing import OUTBOX
from service.notices.replies import Answered
from service.people import outbox
from tests import road
from tests.service.lanterns import ANN, NOON, game, give, stored
from tests.workers.post import person, sit_down

LINES, SEEDS = 4, 2


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """A receipt's text does not depend on the database: one kind is enough here."""
    return copy_on_sqlite


@pytest.mark.parametrize("title", ["toy", *TITLES])
def test_receipts_are_the_same_in_every_world_with_their_readers_view(
    store: Store, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "paint", lambda *_: b"")  # other tests cover a letter's picture
    players = [person(store, name) for name in ("Ann", "Bob", "Cleo", "Dan")][: store.titles[title].seating.seats[0]]
    others = [_is_another_world(store, title, players, seed) for seed in range(SEEDS)]
    assert any(others), "nothing was ever hidden: the test shows nothing"


def _is_another_world(store: Store, title: str, players: list[int], seed: int) -> bool:
    """Answer in the true world and in imagined ones, and compare. Return whether one differed from the truth."""
    given = {"options": {}, "seats": len(players), "name": "A table", "host_id": None, "public": True, "at": NOON}
    game_id = road.open_game(store, title=title, settle_ms=0, **given).game_id
    sit_down(store, game_id, *players)
    give(store, game_id, None, StartGame())
    dice = random.Random(seed)
    for _ in range(dice.randrange(3, 12)):
        _play(store, game_id, dice)
    for _ in range(40):
        if ANN in game(store, game_id).asked:
            break
        _play(store, game_id, dice)
    earlier = game(store, game_id)
    seen = queries.seen_by(stored(store, game_id), players[0])
    legal = [line for _, line in lines_of(seen, "en")]
    picked = dice.sample(legal, min(LINES, len(legal)))
    now = earlier.version_for(ANN)
    answers = [("preview", line) for line in picked] + [(line, "[1] copied", "no order") for line in picked[:2]]
    mails = [_said(store, game_id, players[0], now, lines) for lines in answers]
    stale = _said(store, game_id, players[0], max(1, now - 1), picked[:1])
    here, other = stored(store, game_id), False
    box = here.game.title
    for world in range(2):
        state = box.rules.imagine(box.rules.view(here.game.state, ANN), FreeChance(random.Random(world)))
        other |= state != here.game.state
        store.folds.clear()
        store.folds.keep(msgspec.structs.replace(here.game, state=state), here.head)
        assert [_said(store, game_id, players[0], now, lines) for lines in answers] == mails
        assert _said(store, game_id, players[0], max(1, now - 1), picked[:1]) == stale
    store.folds.clear()
    assert game(store, game_id).version == earlier.version, "nothing was done"
    return other


def _play(store: Store, game_id: str, dice: random.Random) -> None:
    """Let one of the seats that must move play safely."""
    now = game(store, game_id)
    seat = dice.choice(now.asked)
    give(store, game_id, seat, now.title.rules.safe(now.state, seat))


def _said(store: Store, game_id: str, person_id: int, version: int, lines: tuple[str, ...] | list[str]) -> bytes:
    """Return the receipt for these lines, in the store's world."""
    letter = Answered("<x@localhost>", person_id, game_id, ANN, version, "turn", 0, (), NOON)
    answer = GivenAnswer(letter, tuple(lines), frozenset(), "mail.test")
    transcript = by_mail.carry_out(Work(store), person_id, answer, NOON, "en")
    assert transcript.outcome in ("preview", "nothing", "stale", "asks"), transcript
    payload = {"transcript": msgspec.to_builtins(transcript), "answers": "", "letter": "<x@localhost>", "lang": "en"}
    row = outbox.mail(
        "receipt", f"<receipt.{game_id}@localhost>", NOON, person_id=person_id, game_id=game_id, seat=ANN, key="test"
    )
    with store.write() as conn:
        outbox.owe_once(conn, [{**row, "payload": payload}])
        owed = conn.execute(select(OUTBOX).where(OUTBOX.c.message_id == row["message_id"])).one()
        conn.execute(OUTBOX.delete().where(OUTBOX.c.id == owed.id))
    with store.read() as conn:
        return by_kind.mail(store, conn, owed, NOON).source
