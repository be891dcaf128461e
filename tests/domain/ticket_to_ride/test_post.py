"""TTR 10: playing by post. Tests about the log (10.4 to 10.7) play through `domain.play`."""

import pytest
from msgspec.structs import replace

from domain import lifecycle
from domain.chance import NOBODY, ChanceAsked
from domain.game import advance, can_take_back
from domain.play import decide, decide_all, foresee
from domain.refusal import Refused
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import TICKETS as ALL_TICKETS
from domain.ticket_to_ride.cards import size
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.events import (
    BlindCardDrawn,
    FaceUpCardDrawn,
    GameEnded,
    LastRoundStarted,
    MarketSwept,
    PlayStalled,
    RouteClaimed,
    SeatLeft,
    SetupCompleted,
    TicketsKept,
    TicketsOffered,
    TicketsScored,
    TrainDeckShuffled,
    TurnPassed,
    TurnPassed1,
    TurnStarted,
)
from tests.contract.games import RandomGame
from tests.domain.ticket_to_ride.positions import (
    ANN,
    BOB,
    CYD,
    DAN,
    HANDS,
    LOCO,
    TICKETS,
    chosen,
    claims,
    dealt,
    given,
    holding,
    left_in_deck,
    opening,
    turn,
)

OFFER = ("miami__toronto", "new_york__seattle", "santa_fe__vancouver")
SETTLE = 60_000
SECRET = bytes(32)


GRAY_FOURS = {BOB: "calgary__helena", CYD: "calgary__seattle", DAN: "helena__winnipeg"}


def bare(*empty_handed, deck=0, tickets=()):
    """Begin Ann's turn. Dan has left with all other cards; this many yellow ones and these tickets can still be drawn.

    The empty-handed have paid their four cards for a route.
    """
    table = given(opening(4))
    for seat in (*empty_handed, DAN):
        table = table.then(RouteClaimed(seat, GRAY_FOURS[seat], (HANDS[seat - 1],) * 4, 7, 41))
    table = table.then(left_in_deck(table.state, {}, DAN), TrainDeckShuffled(4 + 4 * len(empty_handed)))
    table = table.then(left_in_deck(table.state, {"yellow": deck}, DAN))
    rest = (*table.state.tickets, *(ticket for _, ticket in table.state.bottom))
    kept = tuple(ticket for ticket in rest if ticket not in tickets)
    return table.then(
        TicketsOffered(DAN, len(rest), rest),
        TicketsKept(DAN, len(kept), len(tickets), len(tickets), kept, tickets),
        SeatLeft(DAN, "resigned", 0),
        turn(ANN, 1),
    )


# ==== passing =====================================================================================
def test_a_seat_without_an_action_is_passed_for():
    """TTR 10.1: Ann takes the last card, Bob holds none."""
    table = bare(BOB, deck=1)
    table.when(ANN, DrawBlindCard(), ["yellow"]).then(
        BlindCardDrawn(ANN, "yellow"), turn(BOB), TurnPassed(BOB), turn(CYD, 3)
    )


def test_a_seat_that_can_claim_is_not_passed_for():
    """TTR 10.1, 10.3"""
    outcome = bare(CYD, deck=1).when(ANN, DrawBlindCard(), ["yellow"])
    outcome.then(BlindCardDrawn(ANN, "yellow"), turn(BOB))


def test_a_seat_that_can_draw_tickets_is_not_passed_for():
    """TTR 10.1, 10.3"""
    outcome = bare(BOB, deck=1, tickets=OFFER[:1]).when(ANN, DrawBlindCard(), ["yellow"])
    outcome.then(BlindCardDrawn(ANN, "yellow"), turn(BOB))
    assert [each.command for each in TITLE.rules.actions(outcome.after.state, BOB)] == [DrawTickets()]


def test_paid_cards_become_the_deck_for_the_next_seat():
    """TTR 10.1, 4.10"""
    outcome = bare(BOB).when(ANN, ClaimRoute("chicago__duluth", ("red",) * 3))
    outcome.then_without(TurnPassed)
    assert outcome.after.allows(BOB, DrawBlindCard())


def test_a_game_is_scored_when_nobody_can_act():
    """TTR 10.2"""
    outcome = bare(BOB, CYD).leaves(ANN)  # then Bob and Cyd are left, and neither has anything
    outcome.then_includes(
        SeatLeft(ANN, "resigned", 0), turn(BOB), TurnPassed(BOB), turn(CYD, 3), TurnPassed(CYD), PlayStalled()
    )
    assert isinstance(outcome.events[-1], GameEnded)


def test_a_pass_ends_the_turn():
    """TTR 10.1, 3.6"""
    table = bare(BOB).then(turn(BOB), TurnPassed(BOB))
    assert TITLE.rules.view(table.state, None).step == "complete"


def test_a_leaving_can_cause_the_standstill():
    """TTR 10.2: the others had been passed for one after the other."""
    table = bare(BOB, CYD).then(turn(BOB), TurnPassed(BOB), turn(CYD, 3), TurnPassed(CYD), turn(ANN, 4))
    outcome = table.leaves(ANN)
    assert outcome.events[:2] == [SeatLeft(ANN, "resigned", 0), PlayStalled()]


def test_an_action_restarts_the_count_of_passes():
    """TTR 10.2"""
    table = bare(BOB, CYD).then(turn(BOB), TurnPassed(BOB), turn(CYD, 3), TurnPassed(CYD), turn(ANN, 4))
    assert table.state.passed == (BOB, CYD)
    after = table.when(ANN, ClaimRoute("chicago__duluth", ("red",) * 3)).after
    assert after.state.passed == ()


@pytest.mark.parametrize(
    "action", [FaceUpCardDrawn(CYD, 1, "purple"), BlindCardDrawn(CYD, "red"), TicketsOffered(CYD, 3, OFFER)]
)
def test_every_action_restarts_the_count_of_passes(action):
    """TTR 10.2"""
    passed = given(opening(), turn(BOB), TurnPassed(BOB), turn(CYD, 3))
    assert passed.state.passed == (BOB,)
    assert passed.then(action).state.passed == ()


def test_a_seat_that_left_is_no_longer_among_the_seats_passed_for():
    """TTR 10.2, 10.8"""
    table = given(opening(), turn(BOB), TurnPassed(BOB), turn(CYD, 3), TurnPassed(CYD), SeatLeft(BOB, "resigned", 0))
    assert table.state.passed == (CYD,)


def test_a_pass_counts_as_a_turn_of_the_last_round():
    """TTR 10.1, 7.4: the game ends with the last of them."""
    table = bare(BOB, CYD).then(LastRoundStarted(CYD, (ANN, BOB, CYD)), turn(ANN, 5))
    outcome = table.leaves(ANN)
    assert [event.seat for event in outcome.only(TurnPassed)] == [BOB, CYD]
    assert not outcome.only(PlayStalled)
    assert outcome.only(GameEnded)


def test_the_service_never_moves_for_a_seat_that_has_a_command():
    """TTR 10.3: though it has only one."""
    table = given(opening())
    table = table.then(left_in_deck(table.state, {"white": 3}, CYD)).then(BlindCardDrawn(ANN, "white"), turn(BOB))
    begun = table.when(BOB, DrawBlindCard(), ["white"]).after
    assert begun.state.on_turn == BOB
    assert TITLE.rules.asked(begun.state) == (BOB,)


def test_a_refused_command_changes_nothing():
    """TTR 10.4, C21"""
    table = given(opening())
    before = (table.state, TITLE.rules.view(table.state, ANN))
    table.when(ANN, DrawFaceUpCard(LOCO)).then_refused("TTR 4.1")
    assert (table.state, TITLE.rules.view(table.state, ANN)) == before


# ==== messages of several commands, taking back ===================================================
class Played:
    """A game of two through the framework, as far as the first turn."""

    def __init__(self, number=1):
        self.random = RandomGame(TITLE, number, TITLE.seating.options(), 2, mischief=False)
        for _ in self.random.opening():
            pass
        for seat in (1, 2):
            self.random.give(seat, TITLE.rules.safe(self.game.state, seat))
        self.seat = self.game.state.on_turn

    @property
    def game(self):
        return self.random.game

    def claim(self):
        """Return a claim that can be paid, if need be after drawing."""
        while True:
            seat = self.game.state.on_turn
            claims_ = [each.command for each in TITLE.rules.actions(self.game.state, seat) if each.group == "claim"]
            if claims_ and seat == self.seat:
                return claims_[0]
            self.random.give(seat, DrawBlindCard())


def test_commands_after_a_barrier_are_dropped_and_the_barrier_stands():
    """TTR 10.5"""
    played = Played()
    both = [DrawBlindCard(), ClaimRoute("boston__miami", ())]
    decided = decide_all(played.game, played.seat, both, played.random.at, "player", played.random.secret)
    assert [type(ply.command) for ply in decided.plies] == [DrawBlindCard]
    assert (decided.refusal.rule, decided.refused_at) == ("TTR 3.3", 1)


def test_all_commands_are_dropped_without_a_barrier():
    """TTR 10.5"""
    played = Played()
    both = [played.claim(), DrawBlindCard()]
    with pytest.raises(Refused) as refused:
        decide_all(played.game, played.seat, both, played.random.at, "player", played.random.secret)
    assert refused.value.rule == "TTR 3.4"


def test_a_claim_is_taken_back_with_the_turn_it_handed_on():
    """TTR 10.6"""
    played = Played()
    command = played.claim()
    before = played.game
    ply = played.random.give(played.seat, command).ply
    assert isinstance(ply.events[-1], TurnStarted)
    assert not ply.barrier
    assert can_take_back(played.game, played.seat, ply.at + SETTLE) == (ply.number,)
    assert can_take_back(played.game, played.seat, ply.at + SETTLE + 1) == ()
    back = decide(played.game, played.seat, lifecycle.TakeBack(ply.number), ply.at, "player", played.random.secret)
    assert advance(played.game, back).state == before.state


def test_no_ply_is_taken_back_after_another_seat_has_acted():
    """TTR 10.6"""
    played = Played()
    ply = played.random.give(played.seat, played.claim()).ply
    played.random.give(played.game.state.on_turn, DrawBlindCard())
    assert can_take_back(played.game, played.seat, ply.at) == ()


@pytest.mark.parametrize("command", [DrawBlindCard(), DrawTickets(), "face_up"])
def test_a_draw_is_a_barrier(command):
    """TTR 10.6, appendix A"""
    played = Played()
    if command == "face_up":
        command = next(
            each.command
            for each in TITLE.rules.actions(played.game.state, played.seat)
            if isinstance(each.command, DrawFaceUpCard)
        )
    ply = played.random.give(played.seat, command).ply
    assert ply.barrier
    assert can_take_back(played.game, played.seat, ply.at) == ()


def test_a_preview_stops_at_a_draw():
    """TTR 10.7"""
    played = Played()
    with pytest.raises(ChanceAsked):
        foresee(played.game, played.seat, DrawBlindCard(), played.random.at)
    _, events = foresee(played.game, played.seat, played.claim(), played.random.at)
    assert isinstance(events[0], RouteClaimed)


def test_keeping_tickets_in_a_turn_is_taken_back_but_not_drawing_them():
    """TTR 10.6, appendix A"""
    played = Played()
    played.random.give(played.seat, DrawTickets())
    ply = played.random.give(played.seat, TITLE.rules.safe(played.game.state, played.seat)).ply
    assert can_take_back(played.game, played.seat, ply.at) == (ply.number,)


def test_a_choice_of_setup_is_never_taken_back():
    """TTR 10.6, 2.7"""
    random = RandomGame(TITLE, 1, TITLE.seating.options(), 2, mischief=False)
    for _ in random.opening():
        pass
    ply = random.give(1, TITLE.rules.safe(random.game.state, 1)).ply
    assert ply.quiet
    assert can_take_back(random.game, 1, ply.at) == ()
    with pytest.raises(Refused) as refused:
        random.give(1, lifecycle.TakeBack(ply.number))
    assert refused.value.rule == "TTR 10.6"
    last = random.give(2, TITLE.rules.safe(random.game.state, 2)).ply
    assert last.barrier
    assert not last.quiet


def test_a_claim_that_sweeps_the_market_is_a_barrier():
    """TTR 10.6, appendix A; one that only makes the discard pile the deck is none."""
    assert MarketSwept.BARRIER
    assert not RouteClaimed.BARRIER
    assert not TurnStarted.BARRIER


def keeping_the_last_tickets(*empty_handed):
    """Return Ann's game, and the command with which she keeps the last tickets. (Cards paid for a claim
    can be drawn.)
    """
    state = bare(*empty_handed, tickets=OFFER).then(TicketsOffered(ANN, 3, OFFER)).state
    return replace(Played().game, state=state, base=state, since_barrier=()), KeepTickets(OFFER)


def test_no_preview_reveals_whether_the_next_seat_can_act():
    """TTR 10.6, 9.9: with nothing to draw, its hand decides whether it is passed for."""
    for empty_handed in ((), (BOB,)):
        game, command = keeping_the_last_tickets(*empty_handed)
        with pytest.raises(ChanceAsked):
            foresee(game, ANN, command, game.at)


def test_an_automatic_pass_of_another_seat_is_a_barrier():
    """TTR 10.6, appendix A"""
    for empty_handed, taken_back in (((), True), ((BOB,), False)):
        game, command = keeping_the_last_tickets(*empty_handed)
        ply = decide(game, ANN, command, game.at, "player", SECRET)
        assert any(isinstance(event, TurnPassed) for event in ply.events) != taken_back
        assert can_take_back(advance(game, ply), ANN, ply.at) == ((ply.number,) if taken_back else ())


def test_a_pass_recorded_by_version_1_of_the_rules_is_no_barrier():
    """TTR 10.6: earlier decisions can still be taken back as at their time."""
    game, command = keeping_the_last_tickets(BOB)
    ply = decide(game, ANN, command, game.at, "player", SECRET, rules=1)
    assert [type(event) for event in ply.events] == [TicketsKept, TurnStarted, TurnPassed1, TurnStarted]
    then = advance(game, ply)
    assert can_take_back(then, ANN, ply.at) == (ply.number,)
    back = decide(then, ANN, lifecycle.TakeBack(ply.number), ply.at, "player", SECRET)
    assert advance(then, back).state == game.state


def test_a_draw_is_recorded_and_never_made_again():
    """TTR 10.7: the same commands after a refused one meet the same cards; the record has the draw."""
    played, again = Played(), Played()
    with pytest.raises(Refused):
        again.random.give(again.seat, ClaimRoute("boston__miami", ()))
    again.random.at = played.random.at
    first, second = (each.random.give(each.seat, DrawBlindCard()).ply for each in (played, again))
    assert first.events == second.events
    (draw,) = first.draws
    assert (draw.name, draw.seat) == ("TTR 4.1 train deck", NOBODY)
    assert draw.size == size(played.game.state.deck) + 1


# ==== leaving =====================================================================================
def test_play_skips_a_seat_that_has_left():
    """TTR 10.8"""
    table = given(opening(), SeatLeft(BOB, "resigned", 0))
    one = table.when(ANN, DrawBlindCard(), ["white"]).after
    one.when(ANN, DrawBlindCard(), ["white"]).then(BlindCardDrawn(ANN, "white"), turn(CYD))


def test_a_seat_on_turn_that_leaves_hands_on_the_turn():
    """TTR 10.8: also the first seat."""
    after = (
        given(opening(), claims(ANN, "calgary__helena"), turn(ANN, 1))
        .leaves(ANN, "timed_out")
        .then(SeatLeft(ANN, "timed_out", 0), turn(BOB))
    )
    ann = after.state.players[ANN]
    assert after.state.owners == {"calgary__helena": ANN}
    assert (size(ann.hand), ann.tickets, ann.trains) == (4, TICKETS[0][:2], 41)


def test_a_seat_that_is_not_on_turn_leaves_without_disturbing_the_turn():
    """TTR 10.8"""
    given(opening(), BlindCardDrawn(ANN, "white")).leaves(CYD).then(SeatLeft(CYD, "resigned", 0))


def test_a_seat_that_leaves_keeps_offered_tickets():
    """TTR 10.10"""
    after = given(opening(), TicketsOffered(ANN, 3, OFFER)).leaves(ANN).then(SeatLeft(ANN, "resigned", 3), turn(BOB))
    assert after.state.players[ANN].tickets == TICKETS[0][:2] + OFFER
    assert after.state.players[ANN].offered == ()


def test_leaving_after_the_first_draw_ends_the_action_with_one_card():
    """TTR 10.10"""
    given(opening(), BlindCardDrawn(ANN, "white")).leaves(ANN).then(SeatLeft(ANN, "resigned", 0), turn(BOB))


def test_setup_does_not_wait_for_a_seat_that_left():
    """TTR 10.10: without a choice it keeps all three, and the last choice missing opens the game."""
    given(dealt(), chosen(ANN, BOB)).leaves(CYD).then(
        SeatLeft(CYD, "resigned", 3), SetupCompleted(((ANN, 2), (BOB, 2), (CYD, 3)), 23), turn(ANN, 1)
    )
    given(dealt()).leaves(CYD).then(SeatLeft(CYD, "resigned", 3))
    waiting = given(dealt(), chosen(CYD)).leaves(CYD)
    after = waiting.then(SeatLeft(CYD, "resigned", 0))
    assert TITLE.rules.asked(after.state) == (ANN, BOB)
    assert after.state.players[CYD].chosen == TICKETS[2][:2]


def test_the_next_seat_begins_if_the_first_has_left_in_setup():
    """TTR 10.8, 2.8"""
    outcome = given(dealt(), chosen(BOB, CYD)).leaves(ANN)
    assert outcome.events[-1] == turn(BOB, 1)


def test_a_single_remaining_seat_ends_the_game():
    """TTR 10.11"""
    outcome = given(opening(), SeatLeft(CYD, "resigned", 0)).leaves(BOB)
    assert isinstance(outcome.events[-1], GameEnded)
    result = TITLE.rules.result(outcome.after.state)
    assert result.winners == (ANN,)
    assert [standing.place for standing in result.standings] == [1, None, None]


@pytest.mark.parametrize("choices", [(), (ANN,), (BOB,)])
def test_a_single_remaining_seat_ends_the_game_in_setup_too(choices):
    """TTR 10.11: a choice it has made counts, tickets not chosen from do not, except for a seat that leaves (TTR
    10.10).
    """
    outcome = given(dealt(2), chosen(*choices)).leaves(BOB)
    assert isinstance(outcome.events[-1], GameEnded)
    ann, bob = TITLE.rules.result(outcome.after.state).standings
    assert (ann.place, ann.total) == (1, -21 if ANN in choices else 0)
    assert (bob.place, bob.total) == (None, -20 if BOB in choices else -24)
    assert [event.missed for event in outcome.only(TicketsScored)] == [
        TICKETS[0][:2] if ANN in choices else (),
        TICKETS[1][:2] if BOB in choices else TICKETS[1],
    ]
    assert TITLE.rules.asked(outcome.after.state) == ()


@pytest.mark.parametrize("choices", [(ANN,), (ANN, CYD), (CYD,), ()])
def test_the_last_of_three_seats_ends_the_game_in_setup(choices):
    """TTR 10.11, 10.10: Ann leaves, then Bob, and the game waits for neither; Cyd's choice is scored with theirs."""
    outcome = given(dealt(), chosen(*choices)).leaves(ANN).then(SeatLeft(ANN, "resigned", 0 if ANN in choices else 3))
    outcome = outcome.leaves(BOB)
    assert bool(outcome.only(SetupCompleted)) is (CYD in choices)
    assert {event.seat: event.missed for event in outcome.only(TicketsScored)} == {
        ANN: TICKETS[0][:2] if ANN in choices else TICKETS[0],
        BOB: TICKETS[1],
        CYD: TICKETS[2][:2] if CYD in choices else (),
    }
    assert outcome.only(GameEnded)[0].winners == (CYD,)


def test_the_last_round_does_not_wait_for_a_seat_that_left():
    """TTR 10.8, 7.4"""
    table = given(opening(4), LastRoundStarted(ANN, (BOB, CYD, DAN, ANN)), turn(BOB), turn(CYD, 3), turn(DAN, 4))
    after = table.leaves(ANN).then(SeatLeft(ANN, "resigned", 0))
    last = after.when(DAN, DrawBlindCard(), ["white"]).after.when(DAN, DrawBlindCard(), ["white"])
    assert last.only(GameEnded)


# ==== drawn when seen =============================================================================
def test_decks_have_no_stored_order():
    """TTR 10.12: the deck is a count, the ticket deck a sorted set above the returned tickets."""
    state = given(opening()).state
    assert set(state.deck.values()) <= set(range(15))
    assert state.tickets == tuple(sorted(state.tickets))
    assert {*state.tickets, *(ticket for _, ticket in state.bottom)} < set(ALL_TICKETS)


# ==== the safe answer =============================================================================
def test_the_safe_answer_in_setup_is_to_keep_all():
    """TTR 10.13"""
    assert TITLE.rules.safe(given(dealt()).state, BOB) == KeepTickets(TICKETS[1])


def test_the_safe_answer_to_tickets_offered_is_to_keep_all():
    """TTR 10.13"""
    assert TITLE.rules.safe(given(opening(), TicketsOffered(ANN, 3, OFFER)).state, ANN) == KeepTickets(OFFER)


def test_the_safe_answer_is_a_blind_card_twice():
    """TTR 10.13"""
    assert TITLE.rules.safe(given(opening()).state, ANN) == DrawBlindCard()
    assert TITLE.rules.safe(given(opening(), BlindCardDrawn(ANN, "white")).state, ANN) == DrawBlindCard()


def test_the_safe_answer_without_cards_is_the_first_payable_route():
    """TTR 10.13: with as few locomotives as possible; on gray the first colour in the order of the data."""
    table = given(opening())
    empty = table.then(left_in_deck(table.state, {"purple": 2, LOCO: 2}, CYD)).then(
        holding(ANN, purple=2, locomotive=2), turn(ANN, 1)
    )
    assert TITLE.rules.safe(empty.state, ANN) == ClaimRoute("atlanta__charleston", ("purple", "purple"))
    assert TITLE.rules.safe(bare().state, ANN) == ClaimRoute("atlanta__charleston", ("red", "red"))
    two_locomotives = empty.then(RouteClaimed(ANN, "calgary__seattle", ("red",) * 4, 7, 41), turn(ANN, 1))
    two_locomotives = two_locomotives.then(
        RouteClaimed(ANN, "atlanta__nashville", ("purple",), 1, 40),
        RouteClaimed(ANN, "dallas__houston__gray_1", ("purple",), 1, 39),
        turn(ANN, 1),
    )
    state = replace(two_locomotives.state, deck=dict.fromkeys(two_locomotives.state.deck, 0))
    assert TITLE.rules.safe(state, ANN) == ClaimRoute("atlanta__charleston", (LOCO, LOCO))


def test_the_last_safe_answer_is_to_draw_tickets():
    """TTR 10.13"""
    table = bare(BOB, tickets=OFFER[:1]).then(turn(BOB))
    assert TITLE.rules.safe(table.state, BOB) == DrawTickets()
