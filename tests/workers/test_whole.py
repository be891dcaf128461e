"""A whole game as in production: PostgreSQL, Redis, the web server, Celery and a mail server, all real processes.

Three people sign in by mailed links, sit down, and play through the API to the end, each waiting for the mail of the
turn. Every mail of the game is read and compared with the log.
"""

import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import requests

from config.settings import Settings
from domain.game import Game, advance, fold
from service.database.store import Store, open_store
from tests.servers import PostgreSQL, Redis, free_port
from tests.workers.post import Sink, html_of, outbox, smtp_server, text_of, until
from tests.workers.processes import TICK, beat, forked, production, run_slowtrain, worker

PLAYERS = ("ann@example.org", "bob@example.org", "cleo@example.org")


class Player:
    """A person who reads mail and plays through the API."""

    def __init__(self, site: str, address: str, sink: Sink) -> None:
        self.site, self.address, self.sink = site, address, sink
        self.session = requests.Session()
        self.read = 0

    def next_mail(self) -> EmailMessage:
        """Return the next unread mail."""
        until(lambda: len(self.sink.of(self.address)) > self.read, what=f"mail {self.read + 1} of {self.address}")
        self.read += 1
        return self.sink.of(self.address)[self.read - 1]

    def get(self, path: str) -> Any:
        answer = self.session.get(f"{self.site}/api/v1{path}", timeout=30)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any, status: int = 201, **headers: str) -> Any:
        answer = self.session.post(f"{self.site}/api/v1{path}", json=body, headers=headers, timeout=30)
        assert answer.status_code == status, answer.text
        return answer.json()

    def sign_in(self) -> None:
        self.post("/sign-in", {"email": self.address}, 202)
        (link,) = set(re.findall(r"\S+/sign-in/(\S+)", text_of(self.next_mail())))
        self.post("/sign-in/confirm", {"token": link}, 200)
        token = self.post("/me/tokens", {"name": "test", "scopes": ["read", "play", "host"]})["token"]
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"

    def play_something(self, game_id: str, dice: random.Random) -> None:
        """Play any legal action, preferring those that end a game to those that go on for ever."""
        offered = self.get(f"/games/{game_id}/actions")
        action = dice.choice(offered["actions"])
        version = offered["version"]
        self.post(f"/games/{game_id}/moves", {"commands": [action["command"]]}, **{"If-Match": f'"{version}"'})


@pytest.fixture
def settings(tmp_path: Path, postgresql: PostgreSQL, redis_server: Redis) -> Settings:
    port = free_port()
    return production(
        tmp_path,
        postgresql.new_database(),
        redis_server.url,
        port=port,
        base_url=f"http://127.0.0.1:{port}",
        smtp_port=free_port(),
        settle_seconds=0.0,
        presence_seconds=0.0,
        rate_limits=False,
    )


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    opened = open_store(settings.database, settings=settings)
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def sink(settings: Settings, store: Store) -> Iterator[Sink]:
    """Run the whole service; its mail arrives here."""
    sink = Sink()
    web = forked(settings, run_slowtrain, "web", "--processes=2")
    app = "workers.app"
    with smtp_server(sink, settings.smtp[1]), web, worker(settings, app), beat(settings, app):
        until(lambda: _answers(settings.site), what="starting the web server")
        yield sink


def _answers(site: str) -> bool:
    try:
        return requests.get(f"{site}/healthz", timeout=2).ok
    except requests.RequestException:
        return False


def test_a_whole_game_through_http_and_every_mail_it_caused(settings: Settings, store: Store, sink: Sink) -> None:
    players = {seat: Player(settings.site, address, sink) for seat, address in enumerate(PLAYERS, 1)}
    for player in players.values():
        player.sign_in()
    host = players[1]
    opened = host.post("/games", {"title": "grand_trunk", "seats": 3, "name": "By post", "public": False})
    game_id = opened["id"]
    host.post(f"/games/{game_id}/join", {"seat": 1, "entropy": "one"})
    host.post(f"/games/{game_id}/invitations", {"emails": [*PLAYERS[1:]]}, 200)
    for seat in (2, 3):
        invitation = text_of(players[seat].next_mail())
        (token,) = re.findall(r"/join/(\S+)", invitation)
        players[seat].post(f"/games/{game_id}/join", {"seat": seat, "invite": token, "entropy": str(seat)})
    assert host.next_mail()["Message-ID"].startswith(f"<full.{game_id}."), "the host starts when the table is full"
    host.post(f"/games/{game_id}/start", {}, 200)

    turns = _play(players, game_id, settings)
    _read_every_mail(settings, store, sink, game_id, turns)
    _read_the_end(players, game_id, store)


def _play(players: dict[int, Player], game_id: str, settings: Settings) -> list[EmailMessage]:
    """Play to the end. Nobody moves before the mail of the turn has come, and nobody's mail comes twice."""
    dice = random.Random(11)
    mails: list[EmailMessage] = []
    asked: tuple[int, ...] = ()
    for _ in range(2_000):
        shown = players[1].get(f"/games/{game_id}")
        if shown["status"] == "over":
            return mails
        now = tuple(shown["asked"])
        for seat in now:
            if seat not in asked:
                mail = players[seat].next_mail()
                assert mail["Message-ID"].startswith(f"<turn.{game_id}."), mail["Message-ID"]
                mails.append(mail)
        players[now[0]].play_something(game_id, dice)
        asked = now
    raise AssertionError("the game did not end")


def _read_every_mail(settings: Settings, store: Store, sink: Sink, game_id: str, turns: list[EmailMessage]) -> None:
    until(lambda: not {"pending", "leased"} & {row.state for row in outbox(store)}, what="sending the last mail")
    time.sleep(2 * TICK)  # a duplicate would come now
    copies = Counter(str(mail["Message-ID"]) for mail in sink.mails)
    assert set(copies.values()) == {1}
    assert set(copies) == {row.message_id for row in outbox(store) if row.state == "sent"}
    assert [row for row in outbox(store) if row.state not in ("sent", "superseded")] == []
    due = _asked_in(store, game_id)
    told = Counter((int(m["Message-ID"].split(".")[2]), str(m["To"])) for m in turns)
    assert told == due
    with store.read() as conn:
        links_of_log = {stored.fingerprint for stored in store.stored_plies(conn, game_id)}
    for mail in turns:
        said = " ".join(text_of(mail).split())
        fingerprints = re.findall(r"fingerprint ([0-9a-f]{12})", said)
        assert len(fingerprints) == 1
        assert fingerprints[0] in links_of_log
        assert mail["Subject"] == "Your turn: By post (The Grand Trunk Journey)"
        (link,) = set(re.findall(r'href="([^"]+/turn/[^"]+)"', html_of(mail)))
        assert link.startswith(settings.site)
        assert len([part for part in mail.walk() if part.get_content_type() == "image/png"]) == 1
    _links_open_and_change_nothing(settings, store, game_id, turns)


def _asked_in(store: Store, game_id: str) -> Counter[tuple[int, str]]:
    """Return, from the log alone, the plies that newly asked a seat, with its address."""
    with store.read() as conn:
        game = store.load(conn, game_id).game
        plies = [ply for _, ply in store.plies(conn, game_id, game.title)]
    due: Counter[tuple[int, str]] = Counter()
    at: Game = fold(game_id, game.title, ())
    for ply in plies:
        after = advance(at, ply)
        due.update((ply.number, PLAYERS[seat - 1]) for seat in set(after.asked) - set(at.asked))
        at = after
    return due


def _links_open_and_change_nothing(settings: Settings, store: Store, game_id: str, turns: list[EmailMessage]) -> None:
    with store.read() as conn:
        before = store.load(conn, game_id).head
    for mail in (turns[0], turns[-1]):
        for address in set(re.findall(r'href="([^"]+)"', html_of(mail))):
            assert requests.get(address, timeout=30).status_code == 200, address
    with store.read() as conn:
        assert store.load(conn, game_id).head == before
        assert set(conn.exec_driver_sql("SELECT mail_stopped_at FROM person").scalars()) == {None}


def _read_the_end(players: dict[int, Player], game_id: str, store: Store) -> None:
    result = players[1].get(f"/games/{game_id}/result")
    with store.read() as conn:
        secret = store.load(conn, game_id).secret.hex()
    for player in players.values():
        mail = player.next_mail()
        said = text_of(mail)
        assert mail["Message-ID"].startswith(f"<over.{game_id}.")
        totals = re.search(r"^Total +(.+)$", said, re.M)
        assert totals
        ranked = sorted(result["standings"], key=lambda line: line["place"])
        assert [int(total) for total in totals[1].split()] == [line["total"] for line in ranked]
        assert secret in said
        assert player.read == len(player.sink.of(player.address))
