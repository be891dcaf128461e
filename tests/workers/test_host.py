"""The notices only for the host: the table is full, or a player has left."""

import ast
import inspect
import re
from types import ModuleType
from typing import Any

import pytest

from domain import luck
from domain.lifecycle import Resign, StartGame
from service.base.clock import DAY
from service.database.store import Store
from service.keeping import personal
from service.letters import by_kind, due
from service.notices.details import in_english
from service.notices.hearers import LONGEST_KEY, key_of, people_in
from service.notices.mailbox import MAILBOX
from service.notices.owing import OUTBOX
from service.people import mail_settings
from service.words import spoken
from service.words.texts import WORDS
from tests import road
from tests.service.lanterns import ANN, BOB, CLEO, NOON, give, open_table
from tests.service.letters.test_mail import mail_of
from tests.workers.post import outbox, person, sit_down, text_of
from workers import claims, clocks, smtp
from workers import outbox as post_office


@pytest.fixture
def host(store: Store) -> int:
    return person(store, "Hostess")


def due_to(store: Store, kind: str) -> list[tuple[int | None, int]]:
    return [(row.person_id, row.ply) for row in outbox(store, kind)]


def why_not(store: Store, row: Any) -> str:
    """Return the reason why a mail is not due: by the game and by its row, which must agree."""
    with store.read() as conn:
        of_game = by_kind.why_not(store, conn, row, NOON)
        by_row = due.why_not_by_row(conn, [row], due.games_of(conn, row.person_id)).get(row.id)
    assert by_row == of_game
    return "" if of_game is None else in_english(of_game)


def said(store: Store, kind: str) -> str:
    row = outbox(store, kind)[-1]
    assert why_not(store, row) == ""
    return " ".join(text_of(mail_of(store, row)).split())


def sealed_table(store: Store, host: int, *who: int) -> None:
    """Return a table of sealed words at which all have sat down."""
    game_id = open_table(store, len(who), host_id=host, sealed=True)
    for seat, one in enumerate(who, 1):
        seal = luck.brought("", f"{seat:02}" * 32)
        road.take_seat(store, game_id, seat, choice={}, at=NOON, person_id=one, seal=seal)


# ==== a full table ================================================================================
def test_the_host_hears_once_that_the_table_is_full(store: Store, host: int) -> None:
    game_id = open_table(store, 2, host_id=host)
    sit_down(store, game_id, person(store, "Ann"))
    assert due_to(store, "full") == []
    road.take_seat(store, game_id, BOB, choice={}, at=NOON, person_id=person(store, "Bob"))
    assert due_to(store, "full") == [(host, 3)]
    text = said(store, "full")
    assert "THE TABLE IS FULL" in text
    assert "All seats at your table are taken. You can start the game now." in text
    assert "because you are the host of this game" in text


def test_the_hosts_own_action_is_no_news_to_them(store: Store, host: int) -> None:
    by_sitting_down = open_table(store, 2, host_id=host)
    sit_down(store, by_sitting_down, person(store, "Ann"), host)
    by_a_bot = open_table(store, 2, host_id=host)
    sit_down(store, by_a_bot, host, "random")
    road.give_up_seat(store, by_a_bot, BOB, at=NOON, holder="random")
    road.give_up_seat(store, by_a_bot, ANN, at=NOON, holder=host)
    assert outbox(store, "full") == outbox(store, "left") == []


def test_a_table_that_fills_again_causes_a_new_mail_instead_of_the_old_one(store: Store, host: int) -> None:
    game_id, bob = open_table(store, 2, host_id=host), person(store, "Bob")
    sit_down(store, game_id, host, bob)
    road.give_up_seat(store, game_id, BOB, at=NOON, holder=bob)
    first, left = outbox(store, "full")[0], outbox(store, "left")[0]
    assert why_not(store, first) == "somebody has left since"
    assert why_not(store, left) == ""
    sit_down_again = person(store, "Cleo")
    road.take_seat(store, game_id, BOB, choice={}, at=NOON, person_id=sit_down_again)
    assert why_not(store, left) == "the seat is taken again"
    assert due_to(store, "full") == [(host, 3), (host, 5)]
    give(store, game_id, None, StartGame())
    assert why_not(store, outbox(store, "full")[1]) == "the game has started or was called off"


def test_a_host_who_left_their_seat_still_hears_it(store: Store, host: int) -> None:
    game_id = open_table(store, 2, host_id=host)
    sit_down(store, game_id, host)
    road.give_up_seat(store, game_id, ANN, at=NOON, holder=host)
    sit_down(store, game_id, person(store, "Ann"), person(store, "Bob"))
    assert "You can start the game now" in said(store, "full")


def test_without_a_host_nobody_hears_that_the_table_is_full(store: Store) -> None:
    game_id, bob = open_table(store, 2), person(store, "Bob")
    sit_down(store, game_id, person(store, "Ann"), bob)
    road.give_up_seat(store, game_id, BOB, at=NOON, holder=bob)
    assert outbox(store) == []


def test_a_full_table_of_sealed_words_begins_by_itself(store: Store, host: int) -> None:
    sealed_table(store, host, person(store, "Ann"), person(store, "Bob"))
    assert "The game begins by itself when all sealed words are open." in said(store, "full")


def test_a_host_asked_for_sealed_words_gets_no_other_mail(store: Store, host: int) -> None:
    sealed_table(store, host, host, person(store, "Bob"))
    assert outbox(store, "full") == []
    assert host in [row.person_id for row in outbox(store, "words")]


# ==== somebody has left ===========================================================================
def test_the_host_hears_who_gave_up_a_seat_and_how_many_are_free(store: Store, host: int) -> None:
    game_id, bob = open_table(store, 3, host_id=host), person(store, "Bob")
    sit_down(store, game_id, host, bob, person(store, "Cleo"))
    road.give_up_seat(store, game_id, BOB, at=NOON, holder=bob)
    text = said(store, "left")
    assert "Bob has given up their seat. 1 of 3 seats is free. Anybody with this link can take a seat: http" in text
    assert "/join/" in text


def test_two_lost_seats_at_once_are_told_in_one_mail(store: Store, host: int) -> None:
    people = [person(store, name) for name in ("Ann", "Bob", "Cleo")]
    sealed_table(store, host, *people)
    assert clocks.call(store, NOON + 3 * DAY) == 1
    assert due_to(store, "left") == [(host, 5)]
    assert [row.person_id for row in outbox(store, "seat_lost")] == people
    text = said(store, "left")
    for name in ("Ann", "Bob", "Cleo"):
        assert f"{name} did not open their sealed words in time and lost their seat." in text
    assert "3 of 3 seats are free." in text


def test_a_host_who_loses_a_seat_hears_of_the_others(store: Store, host: int) -> None:
    sealed_table(store, host, host, person(store, "Bob"))
    clocks.call(store, NOON + 3 * DAY)
    assert "Bob did not open" in said(store, "left")
    assert "Hostess" not in said(store, "left")
    assert host in [row.person_id for row in outbox(store, "seat_lost")]


def test_the_host_hears_who_left_a_running_game_unless_that_ended_it(store: Store, host: int) -> None:
    game_id, cleo = open_table(store, 3, host_id=host), person(store, "Cleo")
    sit_down(store, game_id, person(store, "Ann"), person(store, "Bob"), cleo)
    give(store, game_id, None, StartGame())
    give(store, game_id, CLEO, Resign())
    text = said(store, "left")
    assert "Cleo has left the game. The others play on." in text
    assert "/join/" not in text
    give(store, game_id, BOB, Resign())
    assert len(outbox(store, "left")) == 1
    assert why_not(store, outbox(store, "left")[0]) == "the game is over"


def test_the_mail_speaks_german(store: Store) -> None:
    host = person(store, "Wirtin", "de")
    game_id, bob = open_table(store, 3, host_id=host), person(store, "Bob")
    sit_down(store, game_id, host, bob)
    road.give_up_seat(store, game_id, BOB, at=NOON, holder=bob)
    assert "Bob hat den Platz aufgegeben. 2 von 3 Plätzen sind frei." in said(store, "left")
    sit_down_at = [person(store, "Ann"), person(store, "Cleo")]
    for seat, who in zip((BOB, CLEO), sit_down_at, strict=True):
        road.take_seat(store, game_id, seat, choice={}, at=NOON, person_id=who)
    assert "Alle Plätze an deinem Tisch sind besetzt. Du kannst die Partie jetzt beginnen." in said(store, "full")


# ==== what is known of who has left ===============================================================
def test_an_erased_person_is_no_longer_named_and_mail_naming_them_is_deleted(store: Store, host: int) -> None:
    game_id, bob = open_table(store, 2, host_id=host), person(store, "Bob")
    sit_down(store, game_id, host, bob)
    road.give_up_seat(store, game_id, BOB, at=NOON, holder=bob)
    row = outbox(store, "left")[0]
    with store.write() as conn:
        conn.execute(
            MAILBOX.insert().values(
                received_at=NOON,
                sender="x",
                recipient="hostess@example.org",
                message_id=row.message_id,
                source=b"Bob",
                subject="",
            )
        )
    personal.erase(store, bob, NOON)
    with store.read() as conn:
        assert conn.execute(MAILBOX.select()).all() == []
    assert "Somebody has given up their seat." in said(store, "left")


def test_a_key_names_as_many_people_as_fit() -> None:
    assert people_in(key_of([7, 12])) == [7, 12]
    many = key_of([1_000_000_000 + number for number in range(9)])
    assert len(many) <= LONGEST_KEY
    assert people_in(many) == [1_000_000_000 + number for number in range(5)]
    assert people_in("") == []


def test_a_host_without_a_seat_can_switch_off_the_mail_of_a_game(store: Store, host: int) -> None:
    game_id = open_table(store, 2, host_id=host)
    with store.read() as conn:
        assert mail_settings.games_of(conn, host) == {game_id}


@pytest.mark.parametrize("module", [post_office, claims, smtp])
def test_every_reason_why_a_mail_waits_or_failed_is_said_in_both_languages(module: ModuleType) -> None:
    """Our own reasons, also those passed on with a call; a mail server's words are shown unchanged."""
    said_to_nobody = re.compile(r"notice %s could not be|the mail server works again|attempt |: | ")
    ours = {text for text in texts_of(module) if not said_to_nobody.match(text)}
    assert {
        "outbox": "the attempt took too long",
        "smtp": "the mail server does not answer",
        "claims": "email to your address bounces",
    }[module.__name__.rpartition(".")[2]] in ours
    assert ours <= spoken(WORDS, "de").texts.keys()


def texts_of(module: ModuleType) -> set[str]:
    """Return texts of several words that a module passes to functions."""
    tree = ast.parse(inspect.getsource(module))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given = [part for node in found for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return {part.value for part in given if isinstance(part.value, str) and " " in part.value}


def test_the_outbox_has_room_for_the_key() -> None:
    assert OUTBOX.c.key.type.length == LONGEST_KEY
