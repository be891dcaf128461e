"""Notes of operators: who gets them in an export, and with whom they are erased; the commands."""

import io
import json
import zipfile

import pytest
from sqlalchemy import select, update

from service.database.store import GAMES, Store
from service.games.seats import FORMER
from service.keeping import personal
from service.operators import acts, notes
from service.operators.acts import AT_THE_COMMAND_LINE, Who
from service.operators.notes import Noted
from service.people import accounts
from tests.service.lanterns import NOON, open_table
from tests.service.operators.test_operators import Slowtrain, slowtrain, somebody  # noqa: F401
from tests.workers.post import sit_down

pytestmark = pytest.mark.usefixtures("slowtrain")


def operator(store: Store, name: str) -> Who:
    number = somebody(store, name)
    acts.add(store, AT_THE_COMMAND_LINE, number, NOON)
    with store.write() as conn:
        session = accounts.hashed(accounts.open_session(conn, number, NOON))
    return Who(number, session, strict=False)


def read(store: Store, **about: object) -> list[Noted]:
    with store.read() as conn:
        return notes.notes(conn, AT_THE_COMMAND_LINE, NOON, **about)  # type: ignore[arg-type]


def texts(store: Store, **about: object) -> list[str]:
    return [it.text for it in read(store, **about)]


def exported(store: Store, person_id: int) -> str:
    """Return all files of an export."""
    with zipfile.ZipFile(io.BytesIO(personal.export(store, person_id, NOON))) as packed:
        return "\n".join(packed.read(name).decode() for name in packed.namelist())


class Club:
    """Two players at a table, an operator, and a note about one of the players and about their game."""

    def __init__(self, store: Store) -> None:
        self.ann, self.bob, self.olga = somebody(store, "Ann"), somebody(store, "Bob"), operator(store, "Olga")
        self.game = open_table(store, 2, at=NOON, host_id=self.bob)
        sit_down(store, self.game, self.bob, self.ann, at=NOON)
        notes.about_person(store, self.olga, self.ann, "Asked for help\r\n\r\n\r\n with  her address", NOON)
        notes.about_game(store, self.olga, self.game, "Ann waits for Bob", NOON)


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store)


def test_notes_have_author_time_and_subject(store: Store, club: Club) -> None:
    of_game, of_ann = read(store)
    assert (of_ann.person, of_ann.game, of_ann.operator, of_ann.at) == ("Ann", "", "Olga", NOON)
    assert of_ann.text == "Asked for help\n\nwith her address"
    assert (of_game.game_id, of_game.person, of_game.by_command) == (club.game, "", False)
    assert texts(store, person_id=club.bob) == []
    assert texts(store, game_id=club.game) == ["Ann waits for Bob"]


def test_only_operators_read_write_and_delete_notes(store: Store, club: Club) -> None:
    ann = Who(club.ann, "x", strict=False)
    with pytest.raises(acts.NotAllowed), store.read() as conn:
        notes.notes(conn, ann, NOON, person_id=club.ann)
    with pytest.raises(acts.NotAllowed):
        notes.about_game(store, ann, club.game, "Mine", NOON)
    with pytest.raises(acts.NotAllowed):
        notes.remove(store, ann, read(store)[0].id, NOON)
    assert len(read(store)) == 2
    with store.read() as conn:
        assert acts.about_person(conn, club.ann) == [], "people read their entries, so a note is none"


def test_a_note_is_in_the_export_of_its_person_and_in_no_other(store: Store, club: Club) -> None:
    of_ann = exported(store, club.ann)
    (kept,) = json.loads(of_ann[: of_ann.index("\n}") + 2])["operator_note"]
    assert kept["text"] == "Asked for help\n\nwith her address"
    assert "Ann waits for Bob" not in of_ann
    for other in (club.bob, club.olga.person_id):
        assert other is not None
        of_other = exported(store, other)
        assert "her address" not in of_other
        assert "Ann waits" not in of_other


def test_a_note_is_erased_with_its_person(store: Store, club: Club) -> None:
    personal.erase(store, club.ann, NOON)
    assert read(store) == []


def test_a_note_about_a_game_is_erased_with_any_of_its_players(store: Store, club: Club) -> None:
    personal.erase(store, club.bob, NOON)
    assert texts(store) == ["Asked for help\n\nwith her address"]


def test_a_note_about_a_game_is_erased_with_a_former_player(store: Store, club: Club) -> None:
    zoe = somebody(store, "Zoe")
    with store.write() as conn:
        conn.execute(FORMER.insert().values(game_id=club.game, seat=1, ply=1, person_id=zoe))
    personal.erase(store, zoe, NOON)
    assert texts(store, game_id=club.game) == []


def test_a_note_outlives_its_author_without_naming_them(store: Store, club: Club) -> None:
    assert club.olga.person_id is not None
    personal.erase(store, club.olga.person_id, NOON)
    assert [(it.operator, it.by_command) for it in read(store)] == [("", False)] * 2


# ==== commands ====================================================================================
def test_notes_are_written_listed_and_deleted_by_command(store: Store, slowtrain: Slowtrain) -> None:  # noqa: F811
    somebody(store, "Ann")
    game = open_table(store, 2, at=NOON)
    with store.write() as conn:
        conn.execute(update(GAMES).where(GAMES.c.id == game).values(name="Friday"))
    assert slowtrain("operate", "note-person", "ann@example.org", "Lost her phone").output == "Done.\n"
    assert slowtrain("operate", "note-game", game, "Two of them\nare away").output == "Done.\n"
    listed = slowtrain("operate", "notes").output
    assert f"the command line about Friday ({game}):\n        Two of them\n        are away\n" in listed
    assert "the command line about Ann:\n        Lost her phone\n" in listed
    assert "phone" not in slowtrain("operate", "notes", "--game", game).output
    assert "away" not in slowtrain("operate", "notes", "--person", "ann@example.org").output
    with store.read() as conn:
        number = conn.scalar(select(notes.NOTES.c.id).where(notes.NOTES.c.game_id == game))
    assert slowtrain("operate", "delete-note", str(number)).exit_code == 0
    assert "no such note" in slowtrain("operate", "delete-note", str(number)).output
    assert texts(store) == ["Lost her phone"]


@pytest.mark.parametrize("text", ["", " \n ", "x" * (notes.LONGEST + 1), "\n".join("x" * 61), "turned\u202eabout"])
def test_a_note_has_limits(store: Store, slowtrain: Slowtrain, text: str) -> None:  # noqa: F811
    somebody(store, "Ann")
    done = slowtrain("operate", "note-person", "ann@example.org", text)
    assert done.exit_code == 1
    assert "1 to 2000 visible characters" in done.output
    assert "no such game" in slowtrain("operate", "note-game", "none", "x").output
    assert read(store) == []
