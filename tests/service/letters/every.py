"""A letter of every kind, as it would be sent, for properties common to all; and the content of a store."""

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import msgspec
from sqlalchemy import select
from sqlmodel import SQLModel

from domain import luck
from domain.pace import DAY, Pace
from service.base.clock import now
from service.database.store import Store
from service.database.work import Work
from service.games import lobby, saying
from service.games.rights import ByPerson
from service.games.transcripts import AnsweredLine, Transcript
from service.letters import by_kind, several
from service.notices import owing, replies
from service.notices.kinds import KINDS
from service.people import accounts, addresses
from service.post import inbox
from service.wishes import gathering, wishes
from service.wishes.wishes import WantedGame
from tests import answers, road
from tests.service.lanterns import ANN, BOB, NOON, game, give, lead, open_table, play_on
from tests.toy import Walk
from tests.workers import post
from workers import clocks

LATE = NOON + DAY


TRANSCRIPT = msgspec.to_builtins(
    Transcript(
        "stale", (AnsweredLine("walk 2", "would", "walk 2"), AnsweredLine("Bye", "unread")), helps=True, version=4
    )
)
"""The result of an answer to a letter about move 4; the receipt tells what happened since."""


def letters(store: Store) -> dict[str, bytes]:
    """Return the source of a letter by kind, and "several": about two games. All are of now, and so are their links."""
    at = now()
    rows = rows_of(store, at)
    with store.read() as conn:
        together = several.mail(store, conn, [rows["turn"], rows["rewind"]], "<together.1@localhost>", at)
    return {**composed(store, rows, at), "several": together.source}


def composed(store: Store, rows: Mapping[str, Any], at: int) -> dict[str, bytes]:
    """Return, by kind, the letter of each of ``rows`` in the store's present state."""
    with store.read() as conn:
        return {kind: by_kind.mail(store, conn, row, at).source for kind, row in rows.items()}


def rows_of(store: Store, at: int) -> dict[str, Any]:
    """Return an outbox row by kind: a real one if the games have caused it, else a possible one."""
    ann, bob = post.person(store, "Ann"), post.person(store, "Bob")
    host = post.person(store, "Hugo")
    running = post.table(store, ann, bob, host_id=host)
    leader = lead(store, running)
    give(store, running, leader, Walk(2))
    road.propose_rewind(store, running, leader, game(store, running).version - 1, at=LATE)
    timed = post.table(store, ann, bob, host_id=host, pace=Pace(DAY, excuse=False, then="substitute"))
    clocks.call(store, LATE)
    hurried = post.table(store, ann, bob, at=LATE, pace=Pace(DAY))
    over = post.table(store, ann, bob)
    play_on(store, over)
    sealed = open_table(store, host_id=host, sealed=True)
    for seat, who in ((ANN, ann), (BOB, bob)):
        road.take_seat(
            store, sealed, seat, choice={}, at=NOON, person_id=who, seal=luck.brought("", f"{seat:02x}" * 32)
        )
    waiting = open_table(store, host_id=host)
    with store.write() as conn:
        accounts.ask_for_link(conn, store.settings, "new@example.org", browser="b", next="/", lang="en", at=at)
        owing.invite(
            conn, store.settings, game_id=waiting, number=0, address="guest@example.org", by=host, lang="en", at=at
        )
        addresses.ask_to_change(conn, store.settings, ann, "ann2@example.org", lang="en", at=at)
        addresses.ask_to_confirm(conn, store.settings, bob, lang="en", at=at)
    saying.say(Work(store), ByPerson(bob), running, "@Ann: well played! See https://example.org/x", at)
    searching = brought_together(store, ann, bob, at)
    games = {
        "seat_kept": searching,
        "wish_ended": searching,
        "over": over,
        "words": sealed,
        "seat_lost": waiting,
        "full": sealed,
        "left": waiting,
        "cancelled": waiting,
    }
    games |= dict.fromkeys(("timed_out", "seat_open", "paused", "resumed"), timed)
    games |= dict.fromkeys(("reminder", "sooner"), hurried)
    owed = post.outbox(store)

    def row(kind: str) -> Any:
        game_id, to = games.get(kind, running), KINDS[kind].to
        real = [it for it in owed if it.kind == kind and it.game_id in (game_id, waiting, "", None)]
        if real:
            return real[-1]
        seated = to not in ("host", "seeker")
        whose = {"person_id": host if to == "host" else ann, "seat": ANN if seated else None, "address": None}
        told = {"game_id": game_id, "ply": game(store, game_id).version, "kind": kind, "key": f"{bob}."}
        if kind == "draft":
            return SimpleNamespace(**{**owed[0]._mapping, **asking(store, running, ann, at)})
        payload = {"transcript": TRANSCRIPT, "answers": "", "letter": "<turn@localhost>"} if kind == "receipt" else {}
        return SimpleNamespace(**{**owed[0]._mapping, **whose, **told, "payload": payload})

    return {kind: row(kind) for kind in KINDS}


def brought_together(store: Store, ann: int, bob: int, at: int) -> str:
    """Return a table at which seats are kept for two people, of whom one has sat down."""
    wanted = WantedGame(titles=("toy",), paces=("day",), seats=(2,))
    with store.write() as conn:
        for who in (ann, bob):
            wishes.add(conn, store.titles, who, wanted, at)
    gathering.sweep(store, at)
    with store.read() as conn:
        [offered] = wishes.offers_to(conn, bob)
    lobby.join(Work(store), ByPerson(bob), offered.game_id, choice={}, at=at)
    return offered.game_id


def asking(store: Store, game_id: str, person_id: int, at: int) -> dict[str, Any]:
    """Return the row after an unproved mail: the letter that asks its reader whether they wrote it."""
    version = game(store, game_id).version_for(ANN)
    letter = replies.issue(
        store.settings, "<turn@localhost>", "turn", person_id=person_id, game_id=game_id, seat=ANN, version=version
    )
    assert letter is not None
    draft = inbox.packed(inbox.Draft(("walk 2",), (), game_id, "eve@example.net", "foreign"))
    with store.write() as conn:
        replies.keep(conn, [letter], ["Your turn"], at)
        waits = {"token_hash": replies.hash_of(letter.token), "content": "asked", "state": "done", "what": inbox.DRAFT}
        answers.came(conn, at, **waits, draft=draft)
    tried = Transcript("preview", (AnsweredLine("walk 2", "would", "walk 2", does=("Ann walks 2.",)),))
    payload = {
        "transcript": msgspec.to_builtins(tried), "author": "eve@example.net", "doubt": "foreign",
        "expires": at + DAY, "lang": "en",
    }  # fmt: skip
    whose = {"person_id": person_id, "seat": ANN, "address": None, "game_id": game_id}
    return whose | {"kind": "draft", "key": "asked", "payload": payload, "message_id": "<draft.asked@localhost>"}


def links_in(source: bytes, site: str) -> set[str]:
    """Return our addresses in a letter, in text, HTML and headers."""
    mail = post.parse(source)
    everything = " ".join([post.text_of(mail), post.html_of(mail), *map(str, mail.values())])
    found = re.findall(r"https?://[^\s<>\"]+", everything.replace("&amp;", "&"))
    assert all(it.startswith(f"{site}/") for it in found)
    return {it.removeprefix(site) for it in found}


def everything_in(store: Store) -> dict[str, list[str]]:
    """Return all rows of all tables."""
    with store.read() as conn:
        return {
            table.name: sorted(map(repr, conn.execute(select(table)).all()))
            for table in SQLModel.metadata.sorted_tables
        }
