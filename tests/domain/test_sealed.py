"""ST 20: words that are sealed, opened by all, and sealed anew if somebody does not open them."""

import pytest

from domain import lifecycle, luck
from domain.chain import secret_commitment
from domain.clock import ClockStarted, SetPace
from domain.game import fold
from domain.pace import Calendar, Pace
from domain.play import decide
from domain.refusal import Refused
from domain.sealed import (
    CallWords,
    MoveWords,
    RevealWords,
    SealWords,
    SeatLost,
    WordsCalled,
    WordsRevealed,
    WordsSealed,
    WordsVoided,
)
from domain.timekeeping import by_calendars
from tests.domain import byhand
from tests.domain.table import ANN, BOB, SECRET, SETTLE, TableForTwo, raw
from tests.toy import TITLE

CLEO, DAY = 3, 24 * 60 * 60 * 1000


def words(seat, number=0):
    return f"{16 * seat + number:02x}" * 32


class SealedTable(TableForTwo):
    def __init__(self, seats=2):
        super().__init__(seats, started=False, older=False)
        self.game, self.plies = fold("a-game", TITLE, []), []
        opened = lifecycle.OpenTable("toy", seats, raw("{}"), secret_commitment(SECRET), SETTLE, True)
        self.give(None, opened)

    def sit(self, seat, number=0, bot=False, due=DAY * 20):
        brought = None if bot else luck.brought("", words(seat, number))
        return self.give(seat, lifecycle.TakeSeat(seat, raw("{}"), brought, bot, due))

    def seal(self, seat, number):
        return self.give(seat, SealWords(luck.brought("", words(seat, number)), DAY * 40))

    def open(self, seat, number=0):
        return self.give(seat, RevealWords(words(seat, number)))


def full(seats=3):
    table = SealedTable(seats)
    for seat in range(1, seats + 1):
        table.sit(seat)
    return table


def refused(table, seat, command, rule="ST 20"):
    before = table.game
    with pytest.raises(Refused) as refusal:
        table.give(seat, command)
    assert refusal.value.rule == rule
    assert table.game == before


def test_the_last_seat_taken_calls_for_words_and_the_last_opening_starts_the_game():
    table = SealedTable()
    assert len(table.sit(ANN).events) == 1
    assert table.game.asked == ()
    assert table.sit(BOB).events[1:] == (WordsCalled(DAY * 20),)
    assert table.game.asked == (ANN, BOB)
    refused(table, None, lifecycle.StartGame())
    assert table.open(BOB).events == (WordsRevealed(BOB, words(BOB)),)
    assert (table.game.status, table.game.asked) == ("open", (ANN,))
    ply = table.open(ANN)
    assert ply.events[:2] == (WordsRevealed(ANN, words(ANN)), lifecycle.GameStarted())
    assert table.game.status == "running"
    entropies = [byhand.entropy(bytes.fromhex(words(seat)), byhand.ours(SECRET, "a-game", seat)) for seat in (ANN, BOB)]
    ordinals = {}
    for draw in ply.draws:
        ordinal = ordinals[draw.name] = ordinals.get(draw.name, -1) + 1
        assert list(draw.picks) == byhand.picks(SECRET, entropies, draw.name, ordinal, draw.size, len(draw.picks))
    assert [chair.entropy for chair in table.game.table.chairs.values()] == [each.hex() for each in entropies]


def test_a_person_must_bring_a_seal_and_a_bot_must_not():
    table = SealedTable()
    refused(table, ANN, lifecycle.TakeSeat(ANN, raw("{}"), None, False, DAY * 20))
    table.sit(ANN, bot=True)
    table.sit(BOB)
    assert table.game.asked == (BOB,)
    table.open(BOB)
    assert table.game.status == "running"


def test_a_table_of_bots_is_started_by_command():
    table = SealedTable()
    table.sit(ANN, bot=True)
    assert len(table.sit(BOB, bot=True).events) == 1
    table.give(None, lifecycle.StartGame())
    assert table.game.table.choosable


def test_wrong_repeated_and_early_openings_are_refused():
    table = SealedTable(3)
    table.sit(ANN)
    refused(table, ANN, RevealWords(words(ANN)))
    table.sit(BOB)
    table.sit(CLEO)
    refused(table, ANN, RevealWords(words(ANN, 1)))
    refused(table, ANN, RevealWords(words(BOB)))
    table.open(ANN)
    refused(table, ANN, RevealWords(words(ANN)))
    refused(table, None, RevealWords(words(BOB)))
    refused(TableForTwo(started=False, older=False), ANN, RevealWords(words(ANN)))


def test_a_late_player_loses_the_seat_and_everybody_seals_anew():
    table = full()
    table.open(ANN)
    refused(table, None, CallWords())
    table.at = DAY * 20
    assert table.give(None, CallWords(), "clock").events == (SeatLost(BOB), SeatLost(CLEO), WordsVoided())
    assert table.game.asked == (ANN,)
    assert table.game.table.sealed.failed == 1
    refused(table, ANN, RevealWords(words(ANN)))
    assert table.seal(ANN, 1).events == (WordsSealed(ANN, luck.brought("", words(ANN, 1))),)
    refused(table, ANN, SealWords(luck.brought("", words(ANN, 2)), DAY * 40))
    table.sit(BOB, 1, due=DAY * 40)
    table.sit(CLEO, 1, due=DAY * 40)
    for seat, number in ((ANN, 1), (BOB, 1), (CLEO, 1)):
        table.open(seat, number)
    assert table.game.status == "running"


def test_missing_seals_have_a_deadline_once_all_seats_are_taken():
    table = full()
    table.open(ANN)
    table.give(CLEO, lifecycle.GiveUpSeat())
    assert table.game.asked == (ANN, BOB)
    assert table.sit(CLEO, due=DAY * 30).events[1:] == (WordsCalled(DAY * 30),)
    assert table.game.asked == (ANN, BOB)
    assert table.seal(ANN, 1).events == (WordsSealed(ANN, luck.brought("", words(ANN, 1))),)
    refused(table, CLEO, RevealWords(words(CLEO)))
    table.at = DAY * 30
    assert table.give(None, CallWords(), "clock").events == (SeatLost(BOB),)
    assert table.sit(BOB, 5, due=DAY * 50).events[1:] == (WordsCalled(DAY * 50),)
    assert table.game.asked == (ANN, BOB, CLEO)


def test_leaving_voids_the_words_only_after_one_was_opened():
    table = full()
    assert table.give(CLEO, lifecycle.GiveUpSeat()).events == (lifecycle.SeatGivenUp(CLEO),)
    assert (table.game.asked, table.game.table.sealed.due) == ((), None)
    table.sit(CLEO)
    table.open(BOB)
    assert table.give(BOB, lifecycle.GiveUpSeat()).events == (lifecycle.SeatGivenUp(BOB), WordsVoided())
    assert table.game.asked == (ANN, CLEO)
    assert table.game.table.sealed.failed == 1


def test_a_deadline_only_moves_later():
    table = full()
    refused(table, None, MoveWords(DAY * 20))
    table.give(None, MoveWords(DAY * 21), "service")
    assert table.game.table.sealed.due == DAY * 21
    refused(SealedTable(), None, MoveWords(DAY * 21))
    late = SealedTable(2)
    late.sit(ANN)
    refused(late, BOB, lifecycle.TakeSeat(BOB, raw("{}"), "00" * 32, False, late.at))
    refused(late, BOB, lifecycle.TakeSeat(BOB, raw("{}"), "00" * 32, False))


def test_each_command_is_decided_again_to_the_same_bytes():
    table = full()
    for seat in (ANN, BOB, CLEO):
        table.open(seat)
    game = fold("a-game", TITLE, [])
    for number, ply in enumerate(table.plies):
        game = fold("a-game", TITLE, table.plies[:number])
        assert decide(game, ply.seat, ply.command, ply.at, ply.cause, SECRET) == ply


def test_clocks_begin_with_the_game_and_not_with_the_words():
    table = SealedTable(2)
    table.timekeeper = by_calendars({ANN: Calendar(), BOB: Calendar()})
    table.give(None, SetPace(Pace(DAY)))
    table.sit(ANN)
    table.sit(BOB)
    table.open(ANN)
    assert not any(isinstance(event, ClockStarted) for ply in table.plies for event in ply.events)
    table.at += DAY // 4
    table.open(BOB)
    assert table.game.table.clocks == {ANN: table.at + DAY, BOB: table.at + DAY}
