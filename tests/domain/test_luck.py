"""The seats' share of chance: the format, the seats with words, and nothing left to vary for a person
with the secret.
"""

import json
from pathlib import Path

import pytest

from domain import house_words, lifecycle, luck
from domain.clock import SetPace
from domain.pace import PRESETS
from domain.refusal import Refused
from domain.words import Language, say
from tests.domain import byhand
from tests.domain.table import ANN, BOB, SECRET, TableForTwo, raw

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "luck.json").read_text())
CLEO = 3


def open_table(seats=3, **more):
    return TableForTwo(seats, started=False, older=False, **more)


def verdict(table):
    said = house_words.of_luck(table.game.table)
    return None if said is None else say(said, Language(), str)


# ==== the format ==================================================================================
@pytest.mark.parametrize("vector", GOLDEN["vectors"], ids=lambda vector: f"{vector['game']}-{vector['seat']}")
def test_shares_of_chance_equal_their_golden_values(vector):
    """A released value never changes: the file is the guard, and the second implementation agrees with it."""
    secret, game, seat, salt, words = (vector[name] for name in ("secret", "game", "seat", "salt", "words"))
    ours = luck.ours(bytes.fromhex(secret), game, seat)
    assert ours == vector["ours"] == byhand.ours(bytes.fromhex(secret), game, seat).hex()
    brought = None if words is None else luck.brought(salt, words)
    assert brought == vector["brought"]
    assert luck.entropy(brought, ours) == vector["entropy"]
    assert byhand.entropy(bytes.fromhex(brought or ""), bytes.fromhex(ours)).hex() == vector["entropy"]


def test_seats_are_found_by_their_words_with_or_without_salt():
    salt, words = "ab" * 32, "seven geese  and a fox"
    brought = {1: luck.brought(salt, words), 2: luck.brought("", "12" * 32), 4: luck.brought("", f"{salt} {words}")}
    assert luck.seats_of(f"  {salt} {words}\n", brought) == (1, 4)
    assert luck.seats_of(f"{salt}\n{words}", brought) == (1,)
    assert luck.seats_of("12" * 32, brought) == (2,)
    assert luck.seats_of(words, brought) == ()
    assert luck.seats_of("", {}) == ()


# ==== sitting down ================================================================================
def test_the_log_has_the_players_hash_and_our_share():
    """ST 2"""
    table = open_table()
    ply = table.bring(BOB, "seven geese", choice='{"colour":"red"}')
    brought, ours = byhand.brought("", "seven geese").hex(), byhand.ours(SECRET, "a-game", BOB).hex()
    assert ply.events == (lifecycle.SeatTaken(BOB, raw('{"colour":"red"}'), brought, ours, False),)
    chair = table.game.table.chairs[BOB]
    assert chair.entropy == byhand.entropy(bytes.fromhex(brought), bytes.fromhex(ours)).hex()
    assert ply.barrier


def test_the_log_distinguishes_bots_from_people_without_words():
    """ST 2"""
    table = open_table()
    table.bring(ANN, "words")
    table.bring(BOB)
    table.bring(CLEO, bot=True)
    chairs = table.game.table.chairs
    assert [(chairs[seat].brought is None, chairs[seat].bot) for seat in chairs] == [
        (False, False),
        (True, False),
        (True, True),
    ]
    assert table.game.table.brought == (ANN,)
    assert len({chair.entropy for chair in chairs.values()}) == 3, "what is ours differs by seat"


def test_a_bot_brings_no_words():
    """ST 2"""
    table = open_table()
    with pytest.raises(Refused, match="ST 2"):
        table.bring(ANN, "words", bot=True)


@pytest.mark.parametrize("seat", [-1, 0, 4, 2**40])
def test_a_seat_that_does_not_exist_is_refused(seat):
    """ST 2"""
    with pytest.raises(Refused, match="ST 2"):
        open_table().bring(seat, "words")


def test_a_table_continues_in_the_shape_in_which_it_was_opened():
    """ST 2: a table that was opened before words could be checked is played as it began."""
    older = TableForTwo(started=False)
    with pytest.raises(Refused, match="ST 2"):
        older.bring(ANN, "words")
    older.sit(ANN)
    older.sit(BOB)
    older.give(None, lifecycle.StartGame())
    assert older.game.table.choosable
    assert "opened before words of luck could be checked" in verdict(older)
    with pytest.raises(Refused, match="ST 2"):
        open_table().sit(ANN)


def test_a_player_who_stands_up_removes_the_words():
    """ST 3"""
    table = open_table()
    table.bring(ANN, "words")
    assert not table.game.table.choosable
    table.give(ANN, lifecycle.GiveUpSeat())
    assert (table.game.table.brought, table.game.table.choosable) == ((), True)


def test_a_started_game_says_whether_its_draws_could_have_been_chosen():
    table = open_table(2)
    table.bring(ANN, bot=True)
    table.bring(BOB)
    assert verdict(table) is None
    table.give(None, lifecycle.StartGame())
    assert verdict(table) == "Nobody added words of luck, so the operator could have chosen these draws."
    table = open_table(3)
    table.bring(ANN, "one")
    table.bring(BOB)
    table.bring(CLEO, "three")
    table.give(None, lifecycle.StartGame())
    assert verdict(table).startswith("Words of luck were added at 2 seats (1 and 3). After that, the operator")


# ==== the operator ================================================================================
def started(*before, words=("of Ann", None, None), seats=(ANN, BOB, CLEO)):
    """Return the draws of the opening. ``before`` ran after Ann's words were known and before she sat down."""
    table = open_table(3)
    for seat, command in before:
        table.give(seat, command)
    for seat in seats:
        table.bring(seat, words[seat - 1], bot=seat != ANN)
    return table.give(None, lifecycle.StartGame()).draws


def bot_comes_and_goes(seat):
    return [(seat, lifecycle.TakeSeat(seat, raw("{}"), None, True)), (seat, lifecycle.GiveUpSeat())]


def test_nobody_can_vary_the_draws_after_words_were_brought():
    """An operator who holds Ann's words and knows the secret can put idle plies before her, let bots come and go, and
    seat them in another order: the draws stay the same.
    """
    honest = started()
    assert len(honest) == 6
    idle = [(None, SetPace(PRESETS["evenings"])), (None, SetPace(None))]
    for before in (idle, idle * 7, bot_comes_and_goes(ANN), bot_comes_and_goes(CLEO) * 5 + idle):
        assert started(*before) == honest
    for seats in ((BOB, CLEO, ANN), (CLEO, ANN, BOB)):
        assert started(seats=seats) == honest
    assert started(words=("of Ann.", None, None)) != honest, "while other words make other draws"
