"""Every address of the pages, for every kind of caller: ``doors.txt`` holds the answers, one line per address.

A page that moves to another module keeps its line. After an intended change, ``SLOWTRAIN_KEEP_DOORS=1 pytest
tests/service/web/pages/test_doors.py`` writes the lines anew; read the difference.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from flask import Flask

from config.settings import Settings
from service.base.clock import now
from service.operators import acts
from tests.service.web.api.conftest import close, copy_of
from tests.service.web.api.world import Asker, World, make_world

KEPT = Path(__file__).parent / "doors.txt"
ASKERS = ("nobody", "stranger", "player", "host", "operator")
"""The game is private; the sandbox is the player's. The operator has no part in either."""
FILLED = {
    "seat": "1", "to": "3", "down_to": "3", "version": "4", "from": "3", "bot": "random", "everybody": "random",
    "why": "x", "wish": "block", "lang": "de", "title": "toy", "seats": "2", "bots": "0", "name": "Nameless",
    "email": "new@example.org", "note": "x", "kind": "story", "url": "https://hooks.example/", "scope": "read",
    "words": "0" * 64, "sealed": "0" * 64, "lines": "wait", "confirm": "at_once", "confirm_live": "at_once", "pace": "",
    "token": "1", "session": "0" * 16,
}  # fmt: skip
"""The fields of every form: enough for most to reach the check of permission."""


class Prepared(NamedTuple):
    """A world whose store is closed, to be copied."""

    world: World
    game_id: str
    sandbox_id: str


@pytest.fixture
def prepared(settings: Settings) -> Prepared:
    """Return a running game of Alice and Bob under Harriet, a sandbox of Alice's, a stranger, and an operator."""
    made = make_world(f"sqlite:///{settings.data_dir / 'doors.db'}", settings)
    host, alice, bob = (made.person(name) for name in ("Harriet", "Alice", "Bob"))
    game_id = made.game(host, alice, bob, public=False)
    sandbox_id = alice.post(f"/games/{game_id}/sandboxes", {}).json["id"]  # type: ignore[index]
    operator = made.person("Olga")
    acts.add(made.store, acts.AT_THE_COMMAND_LINE, operator.person_id, now())
    made.person("Charlie")
    close(made)
    return Prepared(made, game_id, sandbox_id)


class Door:
    """The pages on a copy of the store, renewed after every change."""

    here: World

    def __init__(self, prepared: Prepared, folder: Path) -> None:
        self.prepared, self.folder, self.copies = prepared, folder, 0
        self._anew()

    def _anew(self) -> None:
        if self.copies:
            self.here.store.close()
        self.copies += 1
        world = self.prepared.world
        self.here = copy_of(world, world.settings.data_dir / "doors.db", self.folder / f"{self.copies}.db")
        names = ("Charlie", "Alice", "Harriet", "Olga")
        people = [self.here.anonymous(), *map(self.here.person, names)]
        self.askers: dict[str, Asker] = dict(zip(ASKERS, people, strict=True))
        self.tokens: dict[str, str] = {}

    def answer(self, asker: str, method: str, rule: str, *, with_token: bool = True) -> str:
        """Return the status, and the address of a redirect."""
        who = self.askers[asker]
        form = {**FILLED, "csrf": self._token(asker)} if method == "POST" and with_token else {}
        for limits in (
            self.here.app.extensions["slowtrain_limiter"],
            self.here.app.extensions["slowtrain_counts"].storage,
        ):
            limits.reset()
        with who.ask(method, f".{self._path(rule)}", data=form) as answer:
            answer.get_data()
            leads = answer.headers.get("Location", "")
        if method == "POST" and answer.status_code < 400:
            self._anew()
        return f"{answer.status_code}{f'>{self._named(leads)}' if leads else ''}"

    def _token(self, asker: str) -> str:
        """Return the token of the forms of a caller, which holds until their session is renewed."""
        if asker not in self.tokens:
            who = self.askers[asker]
            found = re.search(r'name="csrf" value="([\w-]+)"', who.get("./sign-in").text)
            assert found is not None
            self.tokens[asker] = found[1]
        return self.tokens[asker]

    def _path(self, rule: str) -> str:
        named = {
            "game_id": self.prepared.game_id, "sandbox_id": self.prepared.sandbox_id, "version": 1, "title": "toy",
            "title_id": "toy", "lang": "en", "which": "wide", "digest": "0",
            "name": "none.woff2", "filename": "none.js",
            "token": "x" * 43, "person_id": 1, "number": 1, "call_id": 1, "notice_id": 1, "mail_id": 1,
            "kind": "liked", "address": "0" * 22, "whose": "players",
        }  # fmt: skip
        return re.sub(r"<(?:[^:<>]*:)?([^<>]*)>", lambda found: str(named[found[1]]), rule)

    def _named(self, address: str) -> str:
        path = address.partition("?")[0].partition("#")[0]
        known = path.replace(self.prepared.game_id, "GAME").replace(self.prepared.sandbox_id, "SANDBOX")
        return re.sub(r"\b[0-9a-z]{16}\b", "NEW", known)


def rules(app: Flask) -> list[tuple[str, str]]:
    """Return method and rule of every address of the pages."""
    found = (it for it in app.url_map.iter_rules() if it.endpoint.startswith("pages."))
    return sorted((it.rule, method) for it in found for method in (it.methods or set()) - {"HEAD", "OPTIONS"})


def test_every_address_gives_each_caller_the_kept_answer(prepared: Prepared, tmp_path: Path) -> None:
    door = Door(prepared, tmp_path)
    lines = [f"{'':60} {' '.join(ASKERS)}; without the form's token"]
    for rule, method in rules(prepared.world.app):
        answers = [door.answer(asker, method, rule) for asker in ASKERS]
        if method == "POST":
            answers.append(f"; {door.answer('host', method, rule, with_token=False)}")
        lines.append(f"{f'{method} {rule}':60} {' '.join(answers)}")
    door.here.store.close()
    said = "\n".join(lines) + "\n"
    if os.environ.get("SLOWTRAIN_KEEP_DOORS"):
        KEPT.write_text(said)
    assert said == KEPT.read_text()
