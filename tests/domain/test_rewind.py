"""ST 9: going back together. The game stands again as it did, chance included, and the log keeps everything."""

import pytest

from domain import lifecycle
from domain.game import fold
from domain.lifecycle import AgreeToRewind, ProposeRewind, RefuseRewind
from domain.refusal import Refused
from tests.domain.table import ANN, BOB, TableForTwo
from tests.toy import TITLE, Walk

LATER = 10_000_000


def played():
    """Return a table where the leader has walked, and the version before that."""
    table = TableForTwo()
    leader = table.choose_all()
    before = table.game.version
    table.give(leader, Walk(2))
    return table, leader, before


def refused(table, seat, command):
    with pytest.raises(Refused) as refusal:
        table.give(seat, command)
    assert refusal.value.rule == "ST 9"


def test_with_the_last_consent_the_game_stands_as_it_did():
    table, leader, before = played()
    then = fold("a-game", TITLE, table.plies[:before])
    other = 3 - leader
    table.give(leader, ProposeRewind(before, (other,), LATER))
    assert table.game.state != then.state
    table.give(other, AgreeToRewind(before))
    assert table.game.state == then.state
    assert table.game.ordinals == then.ordinals
    assert table.game.version == before + 3
    assert fold("a-game", TITLE, table.plies) == table.game
    table.give(leader, Walk(1))
    assert table.game.state != then.state


def test_a_proposal_with_nobody_to_ask_rewinds_at_once():
    table, leader, before = played()
    ply = table.give(leader, ProposeRewind(before, (), LATER))
    assert ply.events[-1] == lifecycle.Rewound(before)
    assert table.game.state == fold("a-game", TITLE, table.plies[:before]).state


def test_the_same_moves_after_a_rewind_draw_the_same_cards():
    table = TableForTwo()
    start = table.game.version
    table.choose_all()
    first = [ply.draws for ply in table.plies[start:]]
    again = table.game.version
    table.give(ANN, ProposeRewind(start, (BOB,), LATER))
    table.give(BOB, AgreeToRewind(start))
    table.choose_all()
    assert [ply.draws for ply in table.plies[again + 2 :]] == first


def test_a_proposal_blocks_no_move_and_lapses_when_the_game_goes_on():
    table, leader, before = played()
    shown = table.game.version_for(leader)
    table.give(3 - leader, ProposeRewind(before, (leader,), LATER))
    assert table.game.version_for(leader) == shown
    table.give(leader, Walk(1))
    refused(table, leader, AgreeToRewind(before))


def test_asked_players_can_refuse_and_the_proposer_can_withdraw():
    for who in (ANN, BOB):
        table, leader, before = played()
        table.give(leader, ProposeRewind(before, (3 - leader,), LATER))
        refused(table, leader, AgreeToRewind(before))
        refused(table, 3 - leader, ProposeRewind(before, (leader,), LATER))
        table.give(who, RefuseRewind())
        refused(table, 3 - leader, AgreeToRewind(before))


def test_consent_holds_for_one_position_only():
    table, leader, before = played()
    table.give(leader, ProposeRewind(before, (3 - leader,), LATER))
    refused(table, 3 - leader, AgreeToRewind(before - 1))
    table.give(leader, RefuseRewind())
    table.give(leader, ProposeRewind(before - 1, (3 - leader,), LATER))
    refused(table, 3 - leader, AgreeToRewind(before))


def test_a_proposal_expires():
    table, leader, before = played()
    table.give(leader, ProposeRewind(before, (3 - leader,), table.at + 10))
    table.at += 11
    refused(table, 3 - leader, AgreeToRewind(before))


def test_nobody_rewinds_past_the_start_or_a_leaving_or_into_the_future():
    table = TableForTwo(3)
    start = table.game.table.floor
    assert isinstance(table.plies[start - 1].command, lifecycle.StartGame)
    table.choose_all()
    refused(table, ANN, ProposeRewind(start - 1, (), LATER))
    refused(table, ANN, ProposeRewind(table.game.version, (), LATER))
    table.give(BOB, lifecycle.Resign())
    left = table.game.version
    refused(table, ANN, ProposeRewind(left - 1, (), LATER))
    refused(table, BOB, ProposeRewind(left, (), LATER))


def test_nobody_agrees_without_a_proposal():
    table, leader, _ = played()
    refused(table, leader, AgreeToRewind(1))
    refused(table, leader, RefuseRewind())
