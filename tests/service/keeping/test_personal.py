"""The export of a person's data, and erasure: nothing of the person is left in any table or game of any title."""

import io
import json
import random
import zipfile
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import LargeBinary, insert, select
from sqlmodel import SQLModel

import domain
from domain.lifecycle import StartGame
from service.base.clock import DAY
from service.cli import main
from service.database.store import Store
from service.database.work import Work
from service.games import queries, sandboxes
from service.games.rights import ByPerson
from service.keeping import personal
from service.notices import owing
from service.notices.mailbox import MAILBOX
from service.people import accounts, mail_settings
from service.people.accounts import ERASED, PERSONS
from service.proof.audit import game_ids, verify_game
from service.proof.bundle.prove import prove_file
from tests import road
from tests.service.lanterns import NOON

NAME, EMAIL = "Zerlina Quastenflosser", "zerlina@bücher.example"


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """SQLite: the statements are alike on both databases, so one is enough, except for the last test."""
    return copy_on_sqlite


def someone(store: Store, name: str, email: str) -> int:
    with store.write() as conn:
        number, _ = accounts.person_at(conn, email, "en", NOON)
        accounts.change(conn, number, 0, name=name)
    return number


def open_table(store: Store, title: str, host: int | None, name: str, *who: int | str) -> str:
    box = store.titles[title]
    seats = max(box.seating.seats[0], len(who))
    game_id = road.open_game(
        store, title=title, options={}, seats=seats, name=name, host_id=host, public=True, at=NOON, settle_ms=0
    ).game_id
    for seat, one in enumerate(who, 1):
        holder: Any = {"bot": one} if isinstance(one, str) else {"person_id": one}
        road.take_seat(store, game_id, seat, choice={}, at=NOON, **holder)
    return game_id


def start(store: Store, title: str, host: int, name: str, *who: int | str, plies: int) -> str:
    """Start a game, and let bots play for its people until ``plies``."""
    fill = ["random"] * (store.titles[title].seating.seats[0] - len(who))
    game_id = open_table(store, title, host, name, *who, *fill)
    road.submit(store, game_id, None, [StartGame()], None, None, NOON)
    dice = random.Random(1)
    for _ in range(plies):
        with store.read() as conn:
            game = store.load(conn, game_id).game
        if not game.asked:
            break
        seat = dice.choice(game.asked)
        commands = game.title.bots["random"](game.title.rules.view(game.state, seat), dice)[:1]
        road.submit(store, game_id, seat, commands, None, None, NOON)
    return game_id


class Life:
    """A person with finished, running and open games of every title, mails, a session and a token."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.id, self.bob = someone(store, NAME, EMAIL), someone(store, "Bob", "bob@example.org")
        self.running = {}
        for title in store.titles:
            plies = 2 if title == "toy" else 12
            self.running[title] = start(store, title, self.bob, "Trains", self.bob, self.id, plies=plies)
        self.over = start(store, "toy", self.id, f"{NAME} and the bots", self.id, plies=500)
        self.hosted = open_table(store, "toy", self.id, f"At {NAME.upper()}’s", self.bob, self.id)
        self.visited = open_table(store, "toy", self.bob, "Bob’s", self.bob, self.id)
        self.sandbox = self.try_out(self.id, self.running["toy"], note=f"{NAME} would walk")
        self.try_out(self.bob, self.over)  # its name is that of the game
        with store.write() as conn:
            self.session = accounts.open_session(conn, self.id, NOON)
            self.token = accounts.make_token(conn, self.id, "my bot", ("read",), NOON)[1]
            accounts.ask_for_link(conn, store.settings, EMAIL, browser="b", next="/", lang="en", at=NOON)
            told = conn.execute(select(owing.OUTBOX).limit(5)).all()
            conn.execute(
                insert(owing.HISTORY),
                [
                    {"notice_id": it.id, "at": NOON, "what": "accepted", "detail": f"to {EMAIL}"}
                    for it in told
                    if it.person_id == self.id
                ],
            )
            running = self.running["toy"]
            conn.execute(
                insert(MAILBOX),
                [
                    {
                        "received_at": NOON,
                        "sender": "a@b.c",
                        "recipient": recipient,
                        "subject": subject,
                        "message_id": message_id,
                        "source": f"{NAME} has moved".encode(),
                    }
                    for recipient, subject, message_id in (
                        ("zerlina@xn--bcher-kva.example", "Sign in", "<sign-in.1@localhost>"),
                        ("bob@example.org", "Trains", f"<turn.{running}.7.abc@localhost>"),
                    )
                ],
            )

    def try_out(self, who: int, game_id: str, note: str = "") -> str:
        made = sandboxes.begin(Work(self.store), ByPerson(who), game_id, 5, at=NOON)
        sandboxes.play_on(Work(self.store), ByPerson(who), made, everybody="random", revision=None, at=NOON)
        sandboxes.describe(Work(self.store), ByPerson(who), made, name=None, note=note, at=NOON)
        return made


@pytest.fixture
def life(store: Store) -> Life:
    return Life(store)


def everywhere(store: Store) -> str:
    """The whole content of the database in one text."""
    found = []
    with store.read() as conn:
        for table in SQLModel.metadata.sorted_tables:
            for row in conn.execute(select(table)):
                for column, value in zip(table.columns, row, strict=True):
                    binary = isinstance(column.type, LargeBinary) and value is not None
                    found.append(value.decode("utf-8", "replace") if binary else json.dumps(value, ensure_ascii=False))
    return "\n".join(found).casefold()


TRACES = (NAME, "Zerlina", "Quastenflosser", EMAIL, "bücher", "xn--bcher-kva")


def test_erasure_leaves_nothing_of_a_person_and_every_game_verifies(life: Life) -> None:
    store, logs = life.store, {}
    assert all(trace.casefold() in everywhere(store) for trace in TRACES)
    for game_id in game_ids(store):
        with store.read() as conn:
            logs[game_id] = store.stored_plies(conn, game_id)
    personal.erase(store, life.id, NOON + DAY)
    text = everywhere(store)
    assert [trace for trace in TRACES if trace.casefold() in text] == []
    assert "bob@example.org" in text
    assert set(life.running) == set(domain.TITLES)
    for game_id, log in logs.items():
        report = verify_game(store, game_id)
        assert report.proved, report.faults
        with store.read() as conn:
            assert store.stored_plies(conn, game_id)[: len(log)] == log


def test_erasure_leaves_seats_and_closes_tables(life: Life) -> None:
    store = life.store
    personal.erase(store, life.id, NOON + DAY)
    with store.read() as conn:
        for title, game_id in life.running.items():
            seen = queries.game_for(store, conn, life.bob, game_id)
            assert seen.game.table is not None
            assert 2 not in seen.game.table.playing, title
            assert (seen.player(2), seen.player(1)) == ("(erased)", "Bob")
            assert queries.game_for(store, conn, None, game_id, lang="de").player(2) == "(gelöscht)"
        assert store.load(conn, life.hosted).game.status == "cancelled"
        visited = store.load(conn, life.visited)
        assert (visited.game.status, list(visited.game.table.chairs)) == ("open", [1])  # type: ignore[union-attr]
        assert accounts.by_session(conn, life.session, NOON + DAY) is None
        assert accounts.by_token(conn, life.token, NOON + DAY) is None


def test_a_repeated_erasure_changes_nothing(life: Life) -> None:
    personal.erase(life.store, life.id, NOON + DAY)
    before = everywhere(life.store)
    personal.erase(life.store, life.id, NOON + 2 * DAY)
    assert everywhere(life.store) == before


def test_the_number_of_an_erased_person_is_never_given_again(store: Store) -> None:
    """The link that stops all mail never expires: it must not stop the mail of a stranger."""
    last = someone(store, "Ann", "ann@example.org")
    personal.erase(store, last, NOON)
    again = someone(store, "Ann", "ann@example.org")
    assert again > last
    with store.write() as conn:
        mail_settings.stop_mail(conn, last, NOON)
        assert accounts.person(conn, again).mail_stopped_at is None
        assert conn.execute(select(ERASED.c.person_id)).scalars().all() == [last]


def test_an_export_holds_all_data_of_a_person(life: Life) -> None:
    packed = zipfile.ZipFile(io.BytesIO(personal.export(life.store, life.id, NOON)))
    kept = json.loads(packed.read("person.json"))
    assert (kept["person"]["name"], kept["person"]["email"]) == (NAME, EMAIL)
    assert (kept["person"]["pictures"], kept["person"]["short_receipts"]) == (True, False)
    games = {life.hosted, life.visited, *life.running.values(), life.over}
    assert {it["game_id"] for it in kept["seat"]} == games
    assert [it["name"] for it in kept["api_token"]] == ["my bot"]
    assert len(kept["session"]) == len(kept["sign_in_link"]) == 1
    (sandbox,) = kept["sandbox"]
    assert (sandbox["id"], sandbox["note"]) == (life.sandbox, f"{NAME} would walk")
    assert sandbox["start"]["state"]["seats"] == [1, 2]
    assert len(sandbox["plies"]) == sandbox["last"] > 5
    assert "secret" not in sandbox
    assert {it["person_id"] for it in kept["outbox"]} == {life.id, None}
    assert {it["detail"] for it in kept["outbox_history"]} == {f"to {EMAIL}"}
    files = {name for name in packed.namelist() if name.startswith("games/")}
    assert files == {f"games/{game_id}.jsonl" for game_id in games}
    for name in files:
        proof = prove_file(packed.read(name), domain.TITLES)
        assert proof.fault is None
        running = proof.header.game in life.running.values()
        assert proof.header.reader == (2 if running else "everything" if proof.header.status == "over" else 2)


def test_nothing_in_the_export_opens_anything(life: Life) -> None:
    packed = zipfile.ZipFile(io.BytesIO(personal.export(life.store, life.id, NOON)))
    kept = packed.read("person.json").decode()
    assert "hash" not in kept
    with life.store.read() as conn:
        secrets = [store.secret for store in (life.store.load(conn, it) for it in life.running.values())]
    everything = b"".join(packed.read(name) for name in packed.namelist())
    assert not any(secret.hex().encode() in everything for secret in secrets)
    assert b"bob@example.org" not in everything


def test_every_table_of_people_is_covered_by_erasure() -> None:
    """A new table must say what happens to its rows, or nobody could be erased any more."""
    for table in SQLModel.metadata.tables.values():
        for column in table.columns:
            keys = [key for key in column.foreign_keys if key.column is PERSONS.c.id]
            assert all(key.ondelete in ("CASCADE", "SET NULL") for key in keys), f"{table.name}.{column.name}"
            if column.name.endswith("person_id") and table is not ERASED:
                assert keys, f"{table.name}.{column.name} is of a person, and nobody would know"


# ==== by the operator =============================================================================
def test_the_operator_can_erase_a_person(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    someone(store, NAME, EMAIL)
    monkeypatch.setattr(main, "opened_store", lambda: store)
    for typed, given, code, said in (
        ("nobody@example.org", "y\n", 1, "Nobody has this address,"),
        ("nobody", "", 1, "Error"),
        (EMAIL.upper(), "n\n", 1, "Aborted"),
        (EMAIL.upper(), "y\n", 0, "Erased."),
        (EMAIL, "y\n", 1, "Nobody has"),
    ):
        answer = CliRunner().invoke(main.main, ["erase", typed], input=given)
        assert (answer.exit_code, said in answer.output) == (code, True), answer.output
    assert NAME.casefold() not in everywhere(store)
