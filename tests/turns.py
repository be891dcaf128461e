"""The answers of every road to the same turns: a check for changes of the code that reads, tries and submits them.

``python -m tests.turns FILE`` writes the answers at 200 recorded positions of each title, a line of JSON each.
``--against FILE`` compares them with the answers of another version of the code, and names the differences. At each
position its seat sends the turn it played (one command or several, in English and German), a draw with an order after
it, and lines that are no order: a slip, a line of another position, a verb alone.

The roads: the API, the text box, turns that are collected on a page, answers by mail, one-tap links, and the command
line. Each turn is tried. Roads that make a move make it, too, each time in a store of its own.
"""

import argparse
import hashlib
import json
import logging
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
import structlog
from click.testing import CliRunner
from flask import Flask
from freezegun import freeze_time
from sqlalchemy import insert

from config.settings import Settings
from domain import TITLES
from domain.chain import Ply
from domain.game import Game, advance, fold
from domain.messages import Command
from domain.orders import write
from domain.rules import Action
from domain.title import Title
from domain.words import Language, Sentence
from service.base import links
from service.cli.main import main as slowtrain
from service.database.store import SEATS, Store, open_store
from service.database.work import Work
from service.games import by_mail
from service.games.by_mail import GivenAnswer
from service.notices.replies import Answered
from service.people import accounts
from service.web.app import create_app
from service.web.shared.context import Site
from service.words import spoken
from tests import record
from tests.bench import measure
from tests.slips import slipped

GAME = "positiongame0000"
NOON = "2026-06-01 12:00:00"
AT = 1_780_315_200_000
MOST_STEPS = 4
SEATED = 6


class Turn(NamedTuple):
    """Lines that a seat sends at a position, and their commands, if they have some."""

    case: str
    lines: tuple[str, ...]
    commands: tuple[Command, ...] = ()


class Position(NamedTuple):
    """A recorded position: all plies up to it, the seat, and the commands it played then, each step with its own
    position.
    """

    title: Title
    plies: Sequence[Ply]
    game: Game
    seat: int
    played: tuple[tuple[Game, Command], ...]

    @property
    def name(self) -> str:
        return f"{self.title.id} {self.game.id}, ply {self.game.version}, seat {self.seat}"


# ==== positions and turns =========================================================================
def positions(title: Title, most: int) -> Iterator[Position]:
    """Return ``most`` positions, spread over all recorded games of a title."""
    found = [it for file in record.files(title.id) for it in _of_game(record.read(file))]
    step = max(1, len(found) // most)
    yield from found[::step][:most]


def _of_game(recorded: record.Recorded) -> Iterator[Position]:
    plies = recorded.plies
    game = fold(recorded.game_id, recorded.title, ())
    own = tuple(recorded.title.rules.commands)
    for number, ply in enumerate(plies):
        if game.status == "running" and ply.seat in game.asked and isinstance(ply.command, own) and _by_rules(plies):
            played = tuple(_together(game, plies[number : number + MOST_STEPS], own))
            yield Position(recorded.title, plies[:number], game, ply.seat, played)
        game = advance(game, ply)


def _by_rules(plies: Sequence[Ply]) -> bool:
    """Has this game no rewind or take-back? Its plies can then be kept up to any of them."""
    return not any("Rewound" in type(event).__name__ for ply in plies for event in ply.events)


def _together(game: Game, plies: Sequence[Ply], own: tuple[type[Command], ...]) -> Iterator[tuple[Game, Command]]:
    """Return the commands that a seat gave one after another, until another seat acted."""
    for ply in plies:
        if ply.seat != plies[0].seat or not isinstance(ply.command, own):
            return
        yield game, ply.command
        game = advance(game, ply)


def turns(at: Position, dice: random.Random) -> Iterator[Turn]:
    english, german = (spoken(at.title.face.words, code) for code in ("en", "de"))
    first, played = at.played[0][1], tuple(command for _, command in at.played)
    own = line_of(at, *at.played[0], english)
    other = line_of(at, at.game, dice.choice(at.title.rules.actions(at.game.state, at.seat)).command, english)
    yield Turn("played", (own,), (first,))
    yield Turn("played, in German", (line_of(at, *at.played[0], german),), (first,))
    yield Turn("another, and behind it", (other, own))
    yield Turn("several steps", tuple(line_of(at, *step, english) for step in at.played), played)
    yield Turn("an order, and a slip", (own, _with_a_slip(other, dice)))
    yield Turn("a verb alone", (own.split()[0],))
    yield Turn("talk", ("Nice move!", own, "See you tomorrow"))
    yield Turn("no order", ("frobnicate the widget",))


def line_of(at: Position, game: Game, command: Command, language: Language) -> str:
    """Return a command as its seat would type it at a position."""
    title, view = at.title, at.title.rules.view(game.state, at.seat)
    action = next((it for it in title.rules.actions(game.state, at.seat) if it.means(command)), None)
    action = msgspec.structs.replace(action, command=command) if action else Action(command, "", Sentence(""))
    [option] = title.face.orders.options(view, [action])
    amount = None if option.amount is None else getattr(command, option.amount.field)
    return write(option.order, title.face.orders.names(view), language, amount)


def _with_a_slip(line: str, dice: random.Random) -> str:
    words = line.split()
    at = max(range(len(words)), key=lambda it: len(words[it]))
    words[at] = slipped(words[at], len(words[at]) // 2, "left out", dice)
    return " ".join(words)


# ==== roads =======================================================================================
class Roads:
    """A store that holds one position, made anew for every action, and all roads into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = Settings(_env_file=None, data_dir=folder, secret_keys=("turns" * 10,))  # type: ignore[call-arg]
        empty = open_store(f"sqlite:///{folder / 'empty.db'}", settings=self.settings)
        empty.migrate()
        self.app: Flask = create_app(self.settings, empty)
        self.app.config["TESTING"] = True
        with empty.write() as conn:
            self.people = [accounts.person_at(conn, f"seat{it}@example.org", "en", AT)[0] for it in range(SEATED)]
            for number, person in enumerate(self.people, 1):
                accounts.change(conn, person, AT, name=f"Player {number}", confirm="tried", confirm_live="tried")
            self.sessions = [accounts.open_session(conn, person, AT) for person in self.people]
        _closed(empty)

    def set_up(self, at: Position) -> None:
        self.at = at
        store = self._opened("empty.db", "position.db")
        measure.keep(store, at.title, GAME, at.plies)
        assert at.game.table is not None
        with store.write() as conn:
            rows = [
                {"game_id": GAME, "seat": seat, "person_id": self.people[seat - 1], "joined_at": 0}
                for seat in at.game.table.chairs
            ]
            conn.execute(insert(SEATS), rows)
        _closed(store)
        self.store = self._opened("position.db", "tried.db")

    def _opened(self, of: str, name: str) -> Store:
        shutil.copy(self.folder / of, self.folder / name)
        store = open_store(f"sqlite:///{self.folder / name}", settings=self.settings)
        self.app.extensions["slowtrain"] = Site(self.settings, store)
        return store

    def answers(self, turn: Turn) -> Iterator[tuple[str, Any]]:
        """Return the answer of each road; roads that make a move come after those that try it."""
        version = self.at.game.version_for(self.at.seat)
        lines = {"lines": list(turn.lines)}
        bodies = [msgspec.to_builtins(it) for it in turn.commands]
        yield "API, lines tried", self._api("preview", lines)
        yield "text box, read", self._page("orders", self._typed(turn, version, ""))
        yield "text box, collected", self._page("orders", self._typed(turn, version, "add"))
        yield "mail, tried", self._mail(turn, by_mail.would_do)
        yield "command line", self._shown(turn)
        if turn.commands:
            yield "API, commands tried", self._api("preview", {"commands": bodies})
            yield "collected turn", self._collected(turn, version)
            yield "one-tap link", self._tapped(turn.commands[0], version)
        for road, made in (
            ("API, lines made", lambda: self._api("moves", lines)),
            ("text box, made", lambda: self._page("orders", self._typed(turn, version, "play"))),
            ("mail, carried out", lambda: self._mail(turn, by_mail.carry_out)),
        ):
            tried, self.store = self.store, self._opened("position.db", "made.db")
            yield road, [made(), self._log()]
            self.store.close()
            self.store = tried
            self.app.extensions["slowtrain"] = Site(self.settings, tried)

    def _client(self) -> Any:
        client = self.app.test_client()
        client.set_cookie("session", self.sessions[self.at.seat - 1])
        for counts in (self.app.extensions["slowtrain_limiter"], self.app.extensions["slowtrain_counts"].storage):
            counts.reset()
        return client

    def _api(self, what: str, body: Any) -> Any:
        with self._client().post(f"/api/v1/games/{GAME}/{what}", json=body, headers={"If-Match": "*"}) as answer:
            return [answer.status_code, answer.json]

    def _typed(self, turn: Turn, version: int, then: str) -> dict[str, Any]:
        return {"lines": "\n".join(turn.lines), "version": version, "do": then}

    def _page(self, where: str, form: dict[str, Any]) -> Any:
        client = self._client()
        token = re.search(r'name="csrf" value="([\w-]+)"', client.get("/account").text)
        assert token is not None
        with client.post(f"/games/{GAME}/{where}", data={**form, "csrf": token[1]}) as answer:
            leads = answer.headers.get("Location", "")
            return [answer.status_code, leads, said(answer.text)]

    def _collected(self, turn: Turn, version: int) -> Any:
        tried = "".join(f"&try={quote(msgspec.json.encode(it).decode())}" for it in turn.commands)
        with self._client().get(f"/games/{GAME}?v={version}{tried}") as answer:
            return [answer.status_code, said(answer.text)]

    def _tapped(self, command: Command, version: int) -> Any:
        person = self.people[self.at.seat - 1]
        address = links.one_tap(self.settings, GAME, self.at.seat, version, person, AT, since=0, command=command)
        with self._client().get(address.removeprefix(self.settings.site)) as answer:
            return [answer.status_code, said(answer.text)]

    def _mail(self, turn: Turn, road: Any) -> Any:
        version = self.at.game.version_for(self.at.seat)
        person = self.people[self.at.seat - 1]
        letter = Answered("<letter@example.org>", person, GAME, self.at.seat, version, "turn", 0, (), AT, "en")
        given = GivenAnswer(letter, turn.lines, frozenset(), "answer")
        return msgspec.to_builtins(road(Work(self.store), person, given, AT, "en"))

    def _shown(self, turn: Turn) -> str:
        """Return the reading of the command line, which makes no move."""
        given = ["show", GAME, "--seat", str(self.at.seat), *(it for line in turn.lines for it in ("--line", line))]
        address = self.store.engine.url.render_as_string(hide_password=False)
        return CliRunner(env={"SLOWTRAIN_DATABASE_URL": address}).invoke(slowtrain, given).output

    def _log(self) -> list[Any]:
        """Return the plies that were added to the log."""
        with self.store.read() as conn:
            return [it.open.decode() for it in self.store.stored_plies(conn, GAME, len(self.at.plies))]


def _closed(store: Store) -> None:
    with store.engine.connect() as conn:
        conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()


RANDOM = r'name="csrf" value="[^"]*"|/people/[0-9a-f]{22}'
"""The token of forms and the addresses of profiles, which are others each time."""


def said(page: str) -> str:
    """Return the words of a page's content, and the targets of its links and forms."""
    main = page[page.find("<main") : page.find("</main>")]
    led = re.sub(r'<[^>]*\b(?:href|action|value)="([^"]*)"[^>]*>', r" [\1] ", re.sub(RANDOM, "", main))
    return " ".join(re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<svg.*?</svg>", "", led)).split())


LONG = 300
"""Characters of a text, or of a view, that are written in full; the rest is a digest."""


def brief(answer: Any) -> Any:
    """Return an answer with long parts cut, each with a digest of the whole part."""
    if isinstance(answer, dict):
        return {name: _cut(json.dumps(it)) if name == "view" else brief(it) for name, it in answer.items()}
    if isinstance(answer, list | tuple):
        return [brief(it) for it in answer]
    return _cut(answer) if isinstance(answer, str) else answer


def _cut(text: str) -> str:
    return text if len(text) <= LONG else f"{text[:LONG]}… {hashlib.sha256(text.encode()).hexdigest()[:16]}"


# ==== the check ===================================================================================
def all_answers(titles: Sequence[str], most: int) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder, freeze_time(NOON):
        roads = Roads(Path(folder))
        for name in titles:
            for at in positions(TITLES[name], most):
                roads.set_up(at)
                for turn in turns(at, random.Random(at.name)):
                    for road, answer in roads.answers(turn):
                        yield {"at": at.name, "case": turn.case, "road": road, "answer": brief(answer)}
                roads.store.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="where the answers are written")
    parser.add_argument("--against", type=Path, help="answers that another version has written")
    parser.add_argument("--positions", type=int, default=200, help="of each title  [default: 200]")
    parser.add_argument("--title", action="append", choices=list(TITLES))
    wanted = parser.parse_args(arguments)
    before = wanted.against.read_text().splitlines() if wanted.against else None
    found, differ = Counter[str](), 0
    with wanted.file.open("w") as written:
        for number, it in enumerate(all_answers(wanted.title or list(TITLES), wanted.positions)):
            line = json.dumps(it, ensure_ascii=False)
            written.write(f"{line}\n")
            found[it["road"]] += 1
            if before is not None and before[number : number + 1] != [line]:
                differ += 1
                print(f"{it['at']}, {it['case']}, {it['road']}:\n  was {before[number : number + 1]}\n  is  {line}")
    for road, number in found.items():
        print(f"{number:7} answers  {road}")
    if before is not None:
        print(f"{differ} differ.")
    return int(differ > 0)


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    sys.exit(main())
