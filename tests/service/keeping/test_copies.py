"""Copies made while others write hold all that was accepted before, prove themselves, and bring nobody erased back."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner, Result
from freezegun import freeze_time
from sqlalchemy import make_url, select, text
from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from service.base.clock import DAY
from service.cli import main
from service.database import migrations
from service.database.store import Store, open_store
from service.keeping import copies, erasures, personal
from service.notices import watch
from service.notices.mailbox import MAILBOX
from service.notices.owing import OUTBOX
from service.people import accounts
from service.people.accounts import LINKS, PERSONS
from service.post import inbox
from service.proof.audit import game_ids, verify_game
from tests.answers import Post, written
from tests.children import CHILDREN
from tests.config.test_files import open_to_others
from tests.next_release import VERSIONS
from tests.servers import PostgreSQL
from tests.service.database.test_partition import Roles
from tests.service.keeping.test_personal import EMAIL, TRACES, Life, everywhere
from tests.service.lanterns import NOON, game, play_on, start
from tests.workers.post import outbox, person, table

STRANGER = "friend-of-hers@invited.example"


class House:
    """A store in a folder of its own, with the commands of its operator."""

    def __init__(self, store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.folder = store, folder
        self.copy = folder.parent / "copy.backup"
        self._patch = monkeypatch
        self.uses(store.engine.url.render_as_string(hide_password=False))
        monkeypatch.setenv("SLOWTRAIN_DATA_DIR", str(folder))

    def uses(self, url: str) -> None:
        self._patch.setenv("SLOWTRAIN_DATABASE_URL", url)
        self.url = url

    def __call__(self, *command: str) -> Result:
        return CliRunner().invoke(main.main, command)

    def ends(self, code: int, *command: str) -> str:
        result = self(*command)
        assert result.exit_code == code, result.output
        return result.output

    def opened(self) -> Store:
        """Open the present store."""
        self.store.close()
        self.store = open_store(self.url, settings=self.store.settings)
        return self.store


@pytest.fixture
def house(
    database_url: str, toy_title: Any, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    """A store with some history, on either database, with the tools of the server."""
    folder = tmp_path / "var"
    if not database_url.startswith("sqlite"):
        server: PostgreSQL = request.getfixturevalue("postgresql")
        monkeypatch.setenv("PATH", f"{server.programs}{os.pathsep}{os.environ['PATH']}")
    url = f"sqlite:///{folder / 'slowtrain.db'}" if database_url.startswith("sqlite") else database_url
    store = open_store(url, settings=Settings(_env_file=None, data_dir=folder))
    store.migrate()
    made = House(store, folder, monkeypatch)
    umask = os.umask(0)
    yield made
    os.umask(umask)
    made.store.close()


def begin_anew(house: House, request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The options of ``restore`` that put the copy in place of the present store, or into an empty database."""
    if house.store.on_sqlite:
        return ("--replace",)
    house.uses(request.getfixturevalue("postgresql").new_database())
    return ()


# ==== there and back ==============================================================================
@pytest.mark.long("postgresql")
def test_a_copy_brings_all_back_but_who_was_erased_since(house: House, request: pytest.FixtureRequest) -> None:
    life = Life(house.store)
    with house.store.write() as conn:
        accounts.ask_for_link(conn, house.store.settings, STRANGER, browser="b", next="/", lang="en", at=NOON)
        bob = conn.execute(select(PERSONS.c.name).where(PERSONS.c.id == life.bob)).scalar_one()
    games = game_ids(house.store)
    said = house.ends(0, "backup", str(house.copy))
    assert f"{len(games)} games" in said
    assert house.copy.stat().st_mode & 0o777 == 0o600
    personal.erase(house.store, life.id, NOON)
    assert personal.forget_address(house.store, STRANGER, NOON) == 1
    listed = (house.folder / "erased").read_text().casefold()
    assert len(listed.split()) == 6, "a person and two addresses, each with a time"
    assert not any(trace.casefold() in listed for trace in (*TRACES, STRANGER))

    said = house.ends(0, "restore", str(house.copy), *begin_anew(house, request))
    assert "Proved." in said
    assert "Erased again: 1 people, 1 mails" in said
    store = house.opened()
    assert game_ids(store) == games
    assert not any(trace.casefold() in everywhere(store) for trace in (*TRACES, STRANGER))
    with store.write() as conn:
        assert conn.execute(select(PERSONS.c.name).where(PERSONS.c.id == life.bob)).scalar_one() == bob
        number, _ = accounts.person_at(conn, EMAIL, "en", NOON)
        assert number > life.bob + copies.NOT_GIVEN_AGAIN, "numbers that were given since stand in mails"
    house.copy.unlink()
    house.ends(0, "backup", str(house.copy))
    assert "Erased again: 0 people, 0 mails" in house.ends(0, "restore", str(house.copy), *begin_anew(house, request))
    with house.opened().read() as conn:
        assert accounts.find(conn, EMAIL) == number, "who comes back with an old address is somebody else"
    if store.on_sqlite:
        for aside in house.folder.glob("*.before-*"):
            aside.unlink()
        assert open_to_others(house.folder) == []


def test_mail_to_an_address_that_came_after_it_was_erased_stays(house: House) -> None:
    settings = house.store.settings
    with house.store.write() as conn:
        for at in (NOON, NOON + 2):
            accounts.ask_for_link(conn, settings, STRANGER, browser="b", next="/", lang="en", at=at)
        mark = erasures.mark_of_address(erasures.salt_of(conn), STRANGER)
    assert personal.erase_again(house.store, {mark: NOON + 1}, NOON + 3) == (0, 1)
    with house.store.read() as conn:
        assert conn.scalars(select(LINKS.c.created_at)).all() == [NOON + 2]
        assert conn.scalars(select(OUTBOX.c.created_at)).all() == [NOON + 2]
        assert conn.scalars(select(MAILBOX.c.id)).all() == []


def test_after_a_restore_owed_mails_keep_their_message_ids_and_new_mails_get_new_ones(
    house: House, request: pytest.FixtureRequest
) -> None:
    """Many mailboxes drop a second mail with a known Message-ID."""
    game_id = table(house.store, person(house.store, "Ann"), person(house.store, "Bob"))
    house.ends(0, "backup", str(house.copy))
    before = {row.message_id for row in outbox(house.store)}
    play_on(house.store, game_id, 6)  # so far that each has been asked, whoever leads
    lost = {(row.game_id, row.ply, row.kind, row.person_id): row.message_id for row in outbox(house.store)}
    house.ends(0, "restore", str(house.copy), *begin_anew(house, request))
    store = house.opened()
    assert {row.message_id for row in outbox(store)} == before
    play_on(store, game_id, 6, since=NOON + 1000)
    anew = [row for row in outbox(store) if row.message_id not in before]
    assert anew
    assert all(row.message_id not in lost.values() for row in anew)
    assert any((row.game_id, row.ply, row.kind, row.person_id) in lost for row in anew)


@pytest.mark.long("postgresql")
def test_letters_of_a_copy_are_answered_after_going_back_and_later_ones_are_not(
    house: House, request: pytest.FixtureRequest
) -> None:
    game_id = table(house.store, person(house.store, "Ann"), person(house.store, "Bob"))
    post = Post(house.store, NOON + DAY)
    post.deliver()
    letters = [post.letter(name) for name in ("Ann", "Bob")]
    hands = game(house.store, game_id).state.hands
    mails = [(f"choose {min(hands[seat])}", letter) for seat, letter in enumerate(letters, 1)]
    answers = [(written(letter["Reply-To"], text, number=7 + at), letter) for at, (text, letter) in enumerate(mails)]
    post.take(answers[0][0], answers[0][1]["Reply-To"])
    house.ends(0, "backup", str(house.copy))
    post.take(answers[1][0], answers[1][1]["Reply-To"])
    post.work_off()
    before = post.receipts()
    assert len(before) == 2
    assert game(house.store, game_id).version == 6
    house.ends(0, "restore", str(house.copy), *begin_anew(house, request))

    store = house.opened()
    post = Post(store, NOON + DAY + 1)
    assert game(store, game_id).version == 4
    with pytest.raises(inbox.NobodysAddress):
        post.take(written(before[0]["Reply-To"], "look"), before[0]["Reply-To"])
    for _ in range(2):
        post.take(answers[1][0], answers[1][1]["Reply-To"])
        post.work_off()
    after = post.receipts()
    assert game(store, game_id).version == 6, "what the copy held acted, and what came again"
    assert len(after) == 2
    assert not {it["Message-ID"] for it in before} & {it["Message-ID"] for it in after}, "no mailbox drops them"


def test_a_list_that_could_not_be_written_is_made_up_for(house: House) -> None:
    file = house.folder / "erased"
    house.folder.mkdir(exist_ok=True)
    file.mkdir()
    life = Life(house.store)
    personal.erase(house.store, life.id, NOON)
    with house.store.read() as conn:
        assert conn.execute(select(PERSONS.c.id).where(PERSONS.c.id == life.id)).scalar() is None
    file.rmdir()
    file.write_text("0123")  # a line that broke off
    assert erasures.keep_list(house.store)
    assert erasures.read_list(file) == erasures.noted(house.store)
    before = file.read_text()
    assert erasures.keep_list(house.store)
    assert file.read_text() == before


def test_production_keeps_a_list_where_it_is_told(house: House, tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "profile": "production", "database_url": house.url, "broker_url": "redis://r", "base_url": "https://t.example",
        "secret_keys": ("a key that is long enough, for tests only",), "smtp_host": "mx",
    }  # fmt: skip
    with pytest.raises(ValueError, match="SLOWTRAIN_ERASED_LIST"):
        Settings(_env_file=None, **given)
    house.store.settings = Settings(_env_file=None, erased_list=str(tmp_path / "list"), **given)
    life = Life(house.store)
    personal.erase(house.store, life.id, NOON)
    assert len(erasures.read_list(tmp_path / "list")) == 2


def test_other_roles_may_do_again_what_they_might(
    postgresql: PostgreSQL, toy_title: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With PostgreSQL: a missing role is named, and does not stop the others' grants."""
    address, settings = postgresql.new_database(), Settings(_env_file=None, data_dir=tmp_path)
    roles, gone = Roles(address), f"gone_{make_url(address).database}"
    store = open_store(roles.at(address, roles.owner), settings=settings)
    store.migrate()
    roles.grant(store)
    with psycopg.connect(address) as conn:
        conn.execute(f"CREATE ROLE {gone}")
        conn.execute(f"GRANT SELECT ON game TO {gone}")
    game_id = start(store)
    monkeypatch.setenv("PATH", f"{postgresql.programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SLOWTRAIN_DATA_DIR", str(tmp_path))
    copy = House(store, tmp_path, monkeypatch)
    copy.ends(0, "backup", str(copy.copy))
    with psycopg.connect(address) as conn:
        conn.execute(f"REVOKE ALL ON game FROM {gone}")
        conn.execute(f"DROP ROLE {gone}")
        before = conn.execute(GRANTS).fetchall()
    assert len(before) > 50

    again = postgresql.new_database()
    with psycopg.connect(again, autocommit=True) as conn:
        conn.execute(f"ALTER DATABASE {make_url(again).database} OWNER TO {roles.owner}")
    copy.uses(roles.at(again, roles.owner))
    with monkeypatch.context() as later:
        later.setattr(migrations, "VERSIONS", VERSIONS)
        said = copy.ends(0, "restore", str(copy.copy))
    assert f'Not all grants could be given: role "{gone}" does not exist.' in said
    assert "Grants given as in the copy: " in said
    with psycopg.connect(again) as conn:
        after = conn.execute(GRANTS).fetchall()
        of_next = conn.execute("SELECT has_table_privilege(%s, 'motto', 'INSERT')", (roles.service,)).fetchone()
    assert set(before) <= set(after)
    assert of_next == (True,), "tables of a later release, too"
    served = open_store(roles.at(again, roles.service), settings=settings)
    play_on(served, game_id, 3)
    with pytest.raises(DBAPIError, match="permission denied"), served.write() as conn:
        conn.execute(text("DELETE FROM ply"))
    served.close()
    copy.store.close()


GRANTS = """
    SELECT relname, quote_ident(pg_get_userbyid(grantee)), privilege_type
    FROM pg_class, aclexplode(relacl) WHERE relnamespace = 'public'::regnamespace AND grantee <> relowner
    ORDER BY 1, 2, 3
"""


# ==== refusals ====================================================================================
def test_nothing_is_overwritten(house: House) -> None:
    start(house.store)
    house.copy.write_text("kept")
    assert "left as it is" in house.ends(1, "backup", str(house.copy))
    assert house.copy.read_text() == "kept"
    house.copy.unlink()
    house.ends(0, "backup", str(house.copy))
    assert [it.name for it in house.copy.parent.iterdir() if it.name.startswith(".")] == []
    word = "--replace" if house.store.on_sqlite else "not empty"
    assert word in house.ends(1, "restore", str(house.copy))
    assert game_ids(house.opened()), "it is as it was"
    assert "cannot be written" in house.ends(1, "backup", str(house.copy.parent / "nowhere" / "copy"))


def test_a_store_without_games_is_not_proved(house: House, request: pytest.FixtureRequest) -> None:
    assert "Proved" not in house.ends(3, "verify", "--all")
    house.ends(0, "backup", str(house.copy))
    said = house.ends(3, "restore", str(house.copy), *begin_anew(house, request))
    assert "There are no games here." in said
    assert "Proved" not in said


def test_a_copy_of_a_later_release_is_refused_and_one_of_an_earlier_gets_the_tables_of_today(
    house: House, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(house.store)
    house.ends(0, "backup", str(house.copy))
    with monkeypatch.context() as later:
        later.setattr(migrations, "VERSIONS", VERSIONS)
        house.ends(0, "restore", str(house.copy), *begin_anew(house, request))
        with house.opened().read() as conn:
            assert migrations.present(conn) == "next_1"
        house.copy.unlink()
        house.ends(0, "backup", str(house.copy))
    said = house.ends(1, "restore", str(house.copy), *begin_anew(house, request))
    assert "later release (tables next_1" in said


def test_a_database_that_was_brought_back_by_other_means_is_proved_where_it_is(house: House) -> None:
    life = Life(house.store)
    with house.store.read() as conn:
        row = conn.execute(select(PERSONS).where(PERSONS.c.id == life.id)).one()
    given = house.copy.with_name("list")
    given.write_text(f"{erasures.mark_of_person(row.id, row.created_at)} {NOON}\n")
    said = house.ends(0, "restore", "--here", "--erased", str(given))
    assert "Erased again: 1 people" in said
    assert "Proved." in said


def test_keys_of_the_environment_are_named_and_missed(
    house: House, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(house.store)
    key = "a key of the environment that is long enough"
    monkeypatch.setenv("SLOWTRAIN_SECRET_KEYS", f'["{key}"]')
    assert copies.name_of(key) in house.ends(0, "backup", str(house.copy))
    assert key.encode() not in house.copy.read_bytes()
    monkeypatch.setenv("SLOWTRAIN_SECRET_KEYS", f'["another", "{key}"]')
    assert "none of them" not in house.ends(0, "restore", str(house.copy), *begin_anew(house, request))
    monkeypatch.setenv("SLOWTRAIN_SECRET_KEYS", '["another"]')
    assert "none of them" in house.ends(0, "restore", str(house.copy), *begin_anew(house, request))


# ==== night by night ==============================================================================
def test_copies_in_a_folder_are_named_by_their_time_and_the_newest_is_checked(house: House, tmp_path: Path) -> None:
    """Copies by a timer replace nothing, on either database, and only our own copies are deleted."""
    play_on(house.store, start(house.store), 3)
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "notes.txt").write_text("not ours")
    assert "There is no copy in" in house.ends(1, "restore", "--check", str(folder))
    for day in (1, 2, 3):
        with freeze_time(f"2026-03-0{day}T03:00:00Z"):
            house.ends(0, "backup", str(folder), "--keep", "2")
    kept = sorted(it.name for it in folder.iterdir())
    assert kept == ["notes.txt", "slowtrain-20260302T030000Z.backup", "slowtrain-20260303T030000Z.backup"]
    before = databases(house)
    said = house.ends(0, "restore", "--check", str(folder))
    assert "slowtrain-20260303T030000Z.backup" in said
    assert "Proved." in said
    assert databases(house) == before, "where it was tried is gone"
    with house.store.read() as conn:
        noted = watch.heartbeats(conn, house.store.settings)["backup.check"]
    (folder / kept[-1]).write_bytes((folder / kept[-1]).read_bytes()[:5000])
    assert "Error: " in house.ends(1, "restore", "--check", str(folder))
    assert databases(house) == before
    with house.store.read() as conn:
        assert watch.heartbeats(conn, house.store.settings)["backup.check"] == noted, "a copy that is damaged is none"
    assert "--keep needs a folder" in house.ends(2, "backup", str(folder / "one"), "--keep", "2")


def databases(house: House) -> list[str]:
    """The files beside the SQLite database, or the databases of the server."""
    if house.store.on_sqlite:
        return sorted(it.name for it in house.folder.iterdir() if not it.name.endswith(("-shm", "-wal")))
    with house.store.read() as conn:
        return sorted(conn.scalars(text("SELECT datname FROM pg_database")))


def test_a_role_that_may_make_no_database_is_told_what_it_lacks(house: House, tmp_path: Path) -> None:
    if house.store.on_sqlite:
        house.ends(0, "backup", str(house.copy))
        house.ends(3, "restore", "--check", str(house.copy))  # there are no games
        return
    house.ends(0, "backup", str(house.copy))
    with house.store.write() as conn:
        conn.execute(text("CREATE ROLE plain LOGIN"))
    house.uses(make_url(house.url).set(username="plain").render_as_string(hide_password=False))
    assert "CREATEDB" in house.ends(1, "restore", "--check", str(house.copy))


# ==== one file ====================================================================================
@pytest.fixture
def small(tmp_path: Path, toy_title: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A store with a game in a file of SQLite."""
    folder = tmp_path / "var"
    store = open_store(f"sqlite:///{folder / 'slowtrain.db'}", settings=Settings(_env_file=None, data_dir=folder))
    store.migrate()
    play_on(store, start(store), 3)
    made = House(store, folder, monkeypatch)
    yield made
    made.store.close()


def spoilt(file: Path, *statements: str) -> None:
    """Change a copy as an expert would."""
    with closing(sqlite3.connect(file)) as copy, copy:
        for table in ("ply", "sealed_part"):
            for change in ("update", "delete"):
                copy.execute(f"DROP TRIGGER {table}_no_{change}")
        for statement in statements:
            copy.execute(statement)


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("UPDATE ply SET body = CAST(replace(CAST(body AS TEXT), ':4,', ':5,') AS BLOB) WHERE ply = 4", "Wrong."),
        ("DELETE FROM ply WHERE ply = 6", "Wrong."),
        ("UPDATE game SET version = version - 1", "should hold 1 with"),
    ],
)
def test_a_copy_that_was_changed_is_not_brought_back_unless_that_is_wished(
    small: House, statement: str, word: str
) -> None:
    small.ends(0, "backup", str(small.copy))
    spoilt(small.copy, statement)
    before = game_ids(small.store)
    said = small.ends(1, "restore", str(small.copy), "--replace")
    assert word in said
    assert "Not restored" in said
    assert verify_game(small.opened(), before[0]).verdict.proved
    small.ends(1, "restore", str(small.copy), "--replace", "--anyway")
    assert not verify_game(small.opened(), before[0]).verdict.proved
    assert [it for it in small.folder.iterdir() if it.name.startswith(".")] == []


def test_a_game_without_its_secret_is_wrong_and_the_others_are_proved(small: House) -> None:
    """A secret was lost or removed. This is reported for its game, and stops neither a proof nor a restore."""
    play_on(small.store, start(small.store), 3)
    without, whole = game_ids(small.store)
    small.ends(0, "backup", str(small.copy))
    with closing(sqlite3.connect(small.copy)) as copy, copy:
        copy.execute("DELETE FROM game_secret WHERE game_id = ?", (without,))
    said = small.ends(1, "restore", str(small.copy), "--replace")
    assert "Not restored" in said
    small.ends(1, "restore", str(small.copy), "--replace", "--anyway")
    said = small.ends(1, "verify", "--all")
    assert without in said
    assert "The game's secret is gone" in " ".join(said.split())
    assert whole not in said, "that one is proved"
    assert "The game's secret is gone" in small.ends(1, "verify", without)
    assert "The game's secret is gone" in " ".join(small.ends(1, "verify", "--all", "--quick").split())


def test_a_damaged_database_is_not_copied(small: House) -> None:
    with small.store.engine.connect() as conn:
        conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    small.store.close()
    file = small.folder / "slowtrain.db"
    whole = bytearray(file.read_bytes())
    whole[8192:] = os.urandom(len(whole) - 8192)
    file.write_bytes(whole)
    assert small.ends(1, "backup", str(small.copy)).startswith("Error: ")
    assert not small.copy.exists()


def test_files_that_are_no_copies_are_told_apart(small: House, tmp_path: Path) -> None:
    plain = tmp_path / "slowtrain.db"
    shutil.copy(small.folder / "slowtrain.db", plain)  # without its journal it lacks most
    assert small("restore", str(plain), "--check").exit_code == 1
    with small.store.engine.connect() as conn:
        conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(small.folder / "slowtrain.db", plain)
    assert "not made by" in small.ends(1, "restore", str(plain), "--check")
    plain.write_bytes(b"PGDMP" + bytes(40))
    assert "one of PostgreSQL" in small.ends(1, "restore", str(plain), "--check")
    small.ends(0, "backup", str(small.copy))
    whole = small.copy.read_bytes()
    small.copy.write_bytes(whole[: len(whole) // 2])
    assert small("restore", str(small.copy), "--replace").exit_code == 1
    for kept in (whole[: len(whole) // 2], whole[:200], whole[:8192] + bytes(8192) + whole[16384:]):
        small.copy.write_bytes(kept)
        *_, said = small.ends(1, "restore", str(small.copy), "--check").splitlines()
        assert said.startswith("Error: The copy is damaged and cannot be brought back; use an earlier one (")
        assert said.endswith(").")
    small.copy.write_bytes(whole)
    assert "cannot be unpacked" in small.ends(1, "restore", str(tmp_path / "nothing"), "--replace")
    assert "Name a file" in small.ends(2, "restore")
    assert game_ids(small.opened())
    assert [it for it in small.folder.iterdir() if it.name.startswith(".")] == []


def test_a_copy_is_only_tried_and_comes_to_another_machine_with_its_key(small: House, tmp_path: Path) -> None:
    key = small.store.settings.keys()[0]
    assert "the key of the installation" in small.ends(0, "backup", str(small.copy))
    before = {it.name: it.read_bytes() for it in small.folder.iterdir() if it.is_file()}
    assert "Proved." in small.ends(0, "restore", str(small.copy), "--check")
    after = {it.name: it.read_bytes() for it in small.folder.iterdir() if it.is_file()}
    assert {name for name in after if not name.endswith("-shm")} == {it for it in before if not it.endswith("-shm")}
    elsewhere = tmp_path / "elsewhere"
    small._patch.setenv("SLOWTRAIN_DATA_DIR", str(elsewhere))
    small.uses(f"sqlite:///{elsewhere / 'slowtrain.db'}")
    said = small.ends(0, "restore", str(small.copy))
    assert "nobody is erased again" in said
    assert (elsewhere / "secret_key").read_text() == key
    assert open_to_others(elsewhere) == []
    assert game_ids(small.opened())
    with small.store.read() as conn:
        assert conn.execute(text("SELECT copied FROM installation")).scalar() is None, "the key is in the copy alone"


# ==== beside writers ==============================================================================
def write(url: str, folder: str, begun: Any, stop: Any) -> None:
    """Play games without end, and note every ply that was accepted."""
    from tests.toy import TITLE

    store = Store(url, {"toy": TITLE}, Settings(_env_file=None, data_dir=Path(folder)))
    with open(Path(folder) / f"accepted-{os.getpid()}", "a", buffering=1) as accepted:
        while not stop.is_set():
            game_id = start(store)
            for _ in range(10):
                if stop.is_set():
                    break
                accepted.write(f"{game_id} {play_on(store, game_id, 1).version}\n")
                begun.set()
    store.close()


def accepted_in(folder: Path) -> dict[str, int]:
    versions: dict[str, int] = {}
    for file in folder.glob("accepted-*"):
        for line in file.read_text().splitlines(keepends=True):
            if line.endswith("\n"):
                game_id, version = line.split()
                versions[game_id] = int(version)
    return versions


def test_ten_copies_beside_writers_hold_all_that_was_accepted_before_and_are_proved(
    small: House, toy_title: Any, tmp_path: Path
) -> None:
    begun, stop = CHILDREN.Event(), CHILDREN.Event()
    writers = [CHILDREN.Process(target=write, args=(small.url, str(small.folder), begun, stop)) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        assert begun.wait(120)
        grew = 0
        for number in range(10):
            before = accepted_in(small.folder)
            file = tmp_path / f"copy-{number}"
            copied = copies.back_up(small.store, file, NOON)
            grew += accepted_in(small.folder) != before
            copy = open_store(f"sqlite:///{file}", settings=small.store.settings)
            reports = {game_id: verify_game(copy, game_id) for game_id in game_ids(copy)}
            copy.close()
            assert len(reports) == copied.games >= len(before)
            assert sum(it.links for it in reports.values()) == copied.plies
            for game_id, version in before.items():
                assert reports[game_id].links >= version
            assert [it.verdict.said for it in reports.values() if it.verdict.faults] == []
            file.unlink()
        assert grew > 0, "nobody wrote meanwhile"
    finally:
        stop.set()
        for writer in writers:
            writer.join(60)
            writer.kill()
    assert [writer.exitcode for writer in writers] == [0, 0]
