"""One game: versions, hidden and quiet plies, several commands at once, foreseeing, and taking back (ST 7)."""

import pytest
from msgspec.structs import replace

from domain import lifecycle
from domain.chance import ChanceAsked
from domain.game import advance, can_take_back, few_take_backs, fold, take_backs_left, why_no_take_back
from domain.play import decide, foresee, refusal
from domain.refusal import Refused
from tests.domain import byhand
from tests.domain.table import ANN, BOB, SECRET, SETTLE, TableForTwo
from tests.toy import (
    TITLE,
    CardChosen,
    CardDrawn,
    CardsShown,
    Choose,
    Pick,
    RoundEnded,
    Stop,
    Walk,
    Walked,
    Whisper,
    Whispered,
)


def led(seats=2):
    """Return a table at which somebody leads, and the leader."""
    table = TableForTwo(seats)
    return table, table.choose_all()


def refused(rule, table, seat, command):
    before = table.game
    with pytest.raises(Refused) as refusal:
        table.give(seat, command)
    assert refusal.value.rule == rule
    assert table.game == before
    return refusal.value


# ==== folding and versions ========================================================================
def test_a_game_is_the_fold_of_its_plies():
    table, leader = led()
    table.give(leader, Walk(1))
    table.give(leader, lifecycle.TakeBack(table.game.version))
    table.give(leader, Walk(2))
    assert fold("a-game", TITLE, table.plies) == table.game
    step_by_step = fold("a-game", TITLE, [])
    for ply in table.plies:
        step_by_step = advance(step_by_step, ply)
    assert step_by_step == table.game


def test_plies_are_numbered_without_gaps():
    table, _ = led()
    assert [ply.number for ply in table.plies] == list(range(1, len(table.plies) + 1))
    assert table.game.version == len(table.plies)


def test_a_refused_command_changes_nothing():
    table, leader = led()
    refused("TOY 3", table, leader, Walk(4))
    refused("TOY 3", table, 3 - leader, Walk(1))


def test_a_seat_sees_the_version_of_the_last_ply_that_matters_to_it():
    """A quiet ply makes no other seat's version stale, and its own seat sees it."""
    table = TableForTwo()
    started = table.game.version
    table.give(ANN, Choose(table.hand(ANN)[0]))
    assert (table.game.version_for(ANN), table.game.version_for(BOB), table.game.version_for(None)) == (
        started + 1,
        started,
        started,
    )
    table.give(BOB, Whisper(5))
    assert (table.game.version_for(ANN), table.game.version_for(BOB), table.game.version_for(None)) == (
        started + 1,
        started + 2,
        started,
    )
    table.give(BOB, Choose(table.hand(BOB)[0]))
    assert table.game.version_for(ANN) == table.game.version_for(BOB) == table.game.version_for(None) == started + 3


def test_hidden_plies_change_nothing_for_others():
    table = TableForTwo()
    view = TITLE.rules.view(table.game.state, BOB)
    ply = table.give(ANN, Whisper(42))
    assert ply.events == (Whispered(ANN, 42),)
    assert (ply.hidden, ply.quiet, ply.barrier) == (True, True, False)
    assert TITLE.rules.view(table.game.state, BOB) == view
    assert TITLE.rules.view(table.game.state, ANN) != view


def test_the_last_sealed_answer_opens_all():
    table = TableForTwo()
    first = table.give(ANN, Choose(table.hand(ANN)[0]))
    assert (first.quiet, first.barrier) == (True, False)
    last = table.give(BOB, Choose(table.hand(BOB)[0]))
    assert [type(event) for event in last.events] == [CardChosen, CardsShown, CardDrawn, CardDrawn]
    assert (last.quiet, last.barrier) == (False, True)


# ==== draws =======================================================================================
def test_draws_follow_from_secret_entropies_name_and_ordinal():
    table, _ = led()
    ordinals: dict[str, int] = {}
    for ply in table.plies:
        for draw in ply.draws:
            ordinal = ordinals.setdefault(draw.name, 0)
            entropies = [bytes([seat]) * 32 for seat in (ANN, BOB)]
            assert list(draw.picks) == byhand.picks(SECRET, entropies, draw.name, ordinal, draw.size, len(draw.picks))
            ordinals[draw.name] += 1
    assert ordinals == table.game.ordinals
    assert max(ordinals.values()) >= 3


# ==== several commands at once ====================================================================
def test_accepted_commands_of_one_message_all_stand():
    table, leader = led()
    decided = table.send(leader, Walk(1), Walk(2), Stop())
    assert [ply.events for ply in decided.plies] == [
        (Walked(leader, 1),),
        (Walked(leader, 2),),
        (RoundEnded(leader),),
    ]
    assert decided.refusal is None
    assert decided.game == table.game


def test_no_command_of_a_message_stands_if_one_is_refused():
    """GTJ 19.3"""
    table, leader = led()
    before = table.game
    with pytest.raises(Refused) as refusal:
        table.send(leader, Walk(1), Walk(3))
    assert refusal.value.rule == "TOY 3"
    assert table.game == before


def test_plies_up_to_the_last_barrier_stand():
    """GTJ 19.3: a last line that is sure to fail gives nobody a free look."""
    table, leader = led()
    version = table.game.version
    decided = table.send(leader, Walk(1), Pick(), Choose(0), Walk(1))
    assert [type(ply.command) for ply in decided.plies] == [Walk, Pick]
    assert decided.plies[1].barrier
    assert (decided.refusal.rule, decided.refused_at) == ("TOY 2", 2)
    assert table.game.version == version + 2
    assert fold("a-game", TITLE, table.plies) == table.game


def test_plies_after_the_barrier_are_dropped():
    """GTJ 19.3"""
    table, leader = led()
    version = table.game.version
    decided = table.send(leader, Pick(), Whisper(1), Whisper(2), Whisper(100))
    assert [type(ply.command) for ply in decided.plies] == [Pick]
    assert decided.refused_at == 3
    assert table.game.version == version + 1


# ==== foreseeing ==================================================================================
def test_foreseeing_decides_without_a_ply():
    table, leader = led()
    once, first = foresee(table.game, leader, Walk(1), table.at)
    after, second = foresee(once, leader, Walk(1), table.at)
    assert [list(events) for events in (first, second)] == [[Walked(leader, 1)], [Walked(leader, 1)]]
    assert after.state.walked[leader] == 2
    assert table.game.state.walked[leader] == 0


def test_foreseeing_stops_at_a_draw():
    table, leader = led()
    with pytest.raises(ChanceAsked):
        foresee(table.game, leader, Pick(), table.at)
    assert refusal(table.game, leader, Pick(), table.at) is None


def test_foreseeing_reveals_nothing():
    """The last of the sealed answers would open the others."""
    table = TableForTwo()
    table.give(ANN, Choose(table.hand(ANN)[0]))
    with pytest.raises(ChanceAsked):
        foresee(table.game, BOB, Choose(table.hand(BOB)[0]), table.at)


def test_foreseeing_an_illegal_command_raises_its_refusal():
    table, leader = led()
    with pytest.raises(Refused) as refused:
        foresee(table.game, leader, Walk(4), table.at)
    why = refusal(table.game, leader, Walk(4), table.at)
    assert why is not None
    assert (why.rule, why.sentence) == (refused.value.rule, refused.value.sentence)


# ==== ST 7: taking back ===========================================================================
def test_a_seat_takes_back_as_far_as_the_last_barrier():
    """ST 7, GTJ 19.5"""
    table, leader = led()
    shown = table.game
    for steps in (1, 1, 1):
        table.give(leader, Walk(steps))
    first = shown.version + 1
    assert can_take_back(table.game, leader, table.at) == (first + 2, first + 1, first)
    taken_back = table.give(leader, lifecycle.TakeBack(first + 1))
    assert taken_back.events == (lifecycle.TakenBack(leader, (first + 1, first + 2)),)
    assert table.game.state.walked[leader] == 1
    table.give(leader, lifecycle.TakeBack(first))
    assert table.game.state == shown.state
    refused("ST 7", table, leader, lifecycle.TakeBack(first))
    refused("ST 7", table, leader, lifecycle.TakeBack(first - 1))


@pytest.mark.parametrize("number", [0, -1, 1, 10_000])
def test_only_plies_since_the_barrier_can_be_taken_back(number):
    """ST 7"""
    table, leader = led()
    table.give(leader, Walk(1))
    refusal = refused("ST 7", table, leader, lifecycle.TakeBack(number))
    assert refusal.sentence.facts == {"oldest": table.game.version}


def test_no_ply_before_a_draw_can_be_taken_back():
    """ST 7"""
    table, leader = led()
    table.give(leader, Walk(1))
    table.give(leader, Pick())
    refused("ST 7", table, leader, lifecycle.TakeBack(table.game.version - 1))


def test_repeated_commands_cause_the_same_events():
    """ST 7, GTJ 19.5"""
    table, leader = led()
    table.give(leader, Walk(1))
    drawn = decide(table.game, leader, Pick(), table.at, "player", SECRET)
    table.give(leader, lifecycle.TakeBack(table.game.version))
    table.give(leader, Walk(1))
    again = table.give(leader, Pick())
    assert (again.events, again.draws) == (drawn.events, drawn.draws)


def test_another_seats_ply_cannot_be_taken_back():
    """ST 7"""
    table, leader = led()
    table.give(leader, Walk(1))
    refused("ST 7", table, 3 - leader, lifecycle.TakeBack(table.game.version))
    refused("ST 7", table, None, lifecycle.TakeBack(table.game.version))


def test_a_sealed_answer_is_replaced_and_not_taken_back():
    """ST 7"""
    table = TableForTwo()
    table.give(ANN, Choose(table.hand(ANN)[0]))
    refused("ST 7", table, ANN, lifecycle.TakeBack(table.game.version))
    assert table.give(ANN, Choose(table.hand(ANN)[1])).events == (CardChosen(ANN, table.hand(ANN)[1]),)


def test_another_seats_quiet_entry_prevents_no_take_back():
    """ST 7"""
    table, leader = led()
    table.give(leader, Walk(1))
    mine = table.game.version
    table.give(3 - leader, Whisper(7))
    table.give(leader, lifecycle.TakeBack(mine))
    assert table.game.state.walked[leader] == 0
    assert table.game.state.whispers == {3 - leader: 7}, "and it stays"


def test_a_turn_can_be_taken_back_until_the_settle_time_is_over():
    """ST 7: after Stop the other seat is asked as well; a minute later its mail may have gone."""
    table, leader = led()
    table.give(leader, Stop())
    number, at = table.game.version, table.at
    assert can_take_back(table.game, leader, at + SETTLE) == (number,)
    assert can_take_back(table.game, leader, at + SETTLE + 1) == ()
    table.at = at + SETTLE + 1
    refused("ST 7", table, leader, lifecycle.TakeBack(number))
    table.at = at + SETTLE
    table.give(leader, lifecycle.TakeBack(number))
    assert table.game.state.leader == leader


def test_a_move_in_ones_own_turn_can_be_taken_back_at_any_time():
    """ST 7"""
    table, leader = led()
    table.give(leader, Walk(1))
    assert can_take_back(table.game, leader, table.at + 1000 * SETTLE) == (table.game.version,)


def test_nothing_is_taken_back_past_a_leaving():
    """ST 7"""
    table, leader = led(seats=3)
    table.give(leader, Walk(1))
    gone = next(seat for seat in (1, 2, 3) if seat != leader)
    table.give(gone, lifecycle.Resign())
    assert can_take_back(table.game, leader, table.at) == ()


def test_nothing_is_taken_back_before_or_after_the_game():
    """ST 7"""
    table = TableForTwo(started=False)
    table.sit(ANN)
    refused("ST 7", table, ANN, lifecycle.TakeBack(2))
    over, leader = led()
    for _ in range(4):
        over.give(leader, Stop())
        leader = over.choose_all() if over.game.status == "running" else leader
    assert over.game.status == "over"
    assert can_take_back(over.game, leader, over.at) == ()
    refused("ST 7", over, leader, lifecycle.TakeBack(over.game.version))


def back_and_forth(table, seat, times):
    """Walk and take it back, this many times."""
    for _ in range(times):
        table.give(seat, Walk(1))
        table.give(seat, lifecycle.TakeBack(table.game.version))


def test_a_seat_takes_back_at_most_twenty_times():
    """ST 7"""
    table, leader = led()
    assert (take_backs_left(table.game, leader), few_take_backs(table.game, leader)) == (20, None)
    back_and_forth(table, leader, 15)
    assert few_take_backs(table.game, leader).facts == {"left": 5}
    back_and_forth(table, leader, 5)
    assert why_no_take_back(table.game, leader, table.at).template == (
        "You have made no move that could be taken back."
    )
    table.give(leader, Walk(1))
    assert can_take_back(table.game, leader, table.at) == ()
    refusal = refused("ST 7", table, leader, lifecycle.TakeBack(table.game.version))
    assert "taken back {most} times" in refusal.sentence.template
    assert refusal.sentence.facts == {"most": 20}
    assert fold("a-game", TITLE, table.plies) == table.game


def test_several_plies_withdrawn_together_are_one_take_back():
    """ST 7"""
    table, leader = led()
    for _ in range(3):
        table.give(leader, Walk(1))
    table.give(leader, lifecycle.TakeBack(table.game.version - 2))
    assert take_backs_left(table.game, leader) == 19


@pytest.mark.parametrize("stands", ["a draw", "a rewind"])
def test_a_final_ply_restarts_the_count_of_take_backs(stands):
    """ST 7"""
    table, leader = led()
    to = table.game.version
    back_and_forth(table, leader, 20)
    if stands == "a draw":
        table.give(leader, Pick())
    else:
        table.give(leader, Walk(1))
        table.give(leader, lifecycle.ProposeRewind(to, (), table.at))
    assert take_backs_left(table.game, table.game.state.leader or leader) == 20


def test_quiet_entries_and_refused_proposals_do_not_restart_the_count():
    """ST 7: they are not final, and a rewind does not undo the count."""
    table, leader = led()
    back_and_forth(table, leader, 19)
    table.give(3 - leader, Whisper(3))
    table.give(leader, lifecycle.ProposeRewind(table.game.version - 1, (3 - leader,), table.at + 1))
    table.give(3 - leader, lifecycle.RefuseRewind())
    assert take_backs_left(table.game, leader) == 1


def test_each_seat_has_its_own_count():
    """ST 7"""
    table, leader = led()
    back_and_forth(table, leader, 20)
    assert take_backs_left(table.game, 3 - leader) == 20


@pytest.mark.parametrize("rules", [1, 2])
def test_older_rules_do_not_count_take_backs(rules):
    """ST 7"""
    table, leader = led()
    back_and_forth(table, leader, 20)
    table.give(leader, Walk(1))
    back = lifecycle.TakeBack(table.game.version)
    ply = decide(table.game, leader, back, table.at, "player", SECRET, rules=rules)
    assert [type(event) for event in ply.events] == [lifecycle.TakenBack]
    older = replace(table.game, title=TITLE.editions[rules])
    assert (take_backs_left(older, leader), few_take_backs(older, leader)) == (None, None)


def test_plies_taken_back_stay_in_the_log():
    """ST 7"""
    table, leader = led()
    table.give(leader, Walk(1))
    table.give(leader, lifecycle.TakeBack(table.game.version))
    assert [type(ply.command) for ply in table.plies[-2:]] == [Walk, lifecycle.TakeBack]
    assert table.game.version == len(table.plies)


# ==== why not =====================================================================================
def why(table, seat, later=0):
    reason = why_no_take_back(table.game, seat, table.at + later)
    return reason.template if reason else None


NOTHING = "You have made no move that could be taken back."
OTHERS = "Somebody else has moved since then."
CHANCE = "Something was drawn or revealed."
SETTLED = "It is no longer your turn, and the time for taking a move back is over."


def test_a_game_says_why_nothing_can_be_taken_back():
    table = TableForTwo()
    assert why(table, ANN) == why(table, BOB) == NOTHING
    table.give(ANN, Choose(table.hand(ANN)[0]))
    assert why(table, ANN) == NOTHING  # a sealed answer is replaced
    table.give(BOB, Choose(table.hand(BOB)[0]))
    leader = table.game.state.leader
    assert (why(table, ANN), why(table, BOB)) == (OTHERS, CHANCE)  # Bob's answer opened both
    table.give(leader, Walk(1))
    assert why(table, leader) is None
    assert why(table, 3 - leader) == OTHERS
    table.give(leader, lifecycle.TakeBack(table.game.version))
    assert why(table, leader) == NOTHING
    table.give(leader, Stop())
    assert (why(table, leader, SETTLE), why(table, leader, SETTLE + 1)) == (None, SETTLED)


def test_a_seat_that_has_drawn_is_told_so():
    table = TableForTwo()
    leader = table.choose_all()
    table.give(leader, Pick())
    assert why(table, leader) == CHANCE


def test_no_ply_before_a_rewind_can_be_taken_back():
    table = TableForTwo()
    leader = table.choose_all()
    table.give(leader, Walk(1))
    table.give(leader, lifecycle.ProposeRewind(table.game.version - 1, (3 - leader,), 10_000_000))
    assert why(table, leader) is None
    table.give(3 - leader, lifecycle.AgreeToRewind(table.game.table.proposal.to))
    assert why(table, leader) == why(table, 3 - leader) == NOTHING


def test_a_refused_take_back_names_its_reason():
    table = TableForTwo()
    leader = table.choose_all()
    table.give(leader, Stop())
    table.at += SETTLE + 1
    with pytest.raises(Refused) as refusal:
        table.give(leader, lifecycle.TakeBack(table.game.version))
    assert refusal.value.sentence.template == SETTLED
