"""TTR 2: the opening, and the sealed choice of tickets."""

import random

import pytest

from domain.chance import FreeChance
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import TICKETS as ALL_TICKETS
from domain.ticket_to_ride.cards import ALL_CARDS, LOCOMOTIVE, size
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.events import (
    FaceUpCardTurned,
    HandDealt,
    MarketSwept,
    SetupCompleted,
    SetupTicketsChosen,
    SetupTicketsReplaced,
    TableSet,
    TicketsOffered,
    TurnStarted,
)
from domain.ticket_to_ride.setup import Choice, Options, setup
from tests.domain.ticket_to_ride.positions import ANN, BOB, CYD, TICKETS, chosen, dealt, given
from tests.spec import Dealt

SORTED_TICKETS = sorted(ALL_TICKETS)
ANNS = TICKETS[0]


def opened(seats, *outcomes):
    return setup(Options(), {seat: Choice() for seat in range(1, seats + 1)}, Dealt(*outcomes)).events


def two_seats(*market):
    """Return the opening of two seats, Bob first, with this market (and the cards after it)."""
    hands = ["red"] * 4 + ["blue"] * 4
    return opened(2, BOB, *hands, *market, *SORTED_TICKETS[:6])


def test_the_opening_is_dealt_in_order():
    """TTR 2.1 to 2.5"""
    market = ["green", "white", "black", LOCOMOTIVE, LOCOMOTIVE]
    assert two_seats(*market) == [
        TableSet(("blue", "red"), BOB),
        HandDealt(BOB, 4, ("red",) * 4),
        HandDealt(ANN, 4, ("blue",) * 4),
        *(FaceUpCardTurned(slot, card) for slot, card in enumerate(market, 1)),
        TicketsOffered(BOB, 3, tuple(SORTED_TICKETS[:3])),
        TicketsOffered(ANN, 3, tuple(SORTED_TICKETS[3:6])),
    ]


def test_a_market_of_locomotives_is_swept_at_once():
    """TTR 2.4, 4.7"""
    first = [LOCOMOTIVE, "green", LOCOMOTIVE, "white", LOCOMOTIVE]
    events = two_seats(*first, "green", "green", "green", "white", "white")
    assert events[8] == MarketSwept(tuple(first), 1)
    state = given(events).state
    assert state.market == ("green", "green", "green", "white", "white")
    assert state.discard[LOCOMOTIVE] == 3


def test_each_seat_starts_with_all_its_trains_and_no_points():
    """TTR 2.1"""
    for player in given(dealt(5)).state.players.values():
        assert (player.trains, player.points) == (45, 0)


def test_the_first_seat_is_drawn_before_anything_is_dealt():
    """TTR 2.2"""
    first = set()
    for number in range(60):
        chance = FreeChance(random.Random(number))
        event = setup(Options(), {1: Choice(), 2: Choice(), 3: Choice()}, chance).events[0]
        assert isinstance(event, TableSet)
        first.add(event.first_seat)
    assert first == {1, 2, 3}


def test_each_seat_has_four_cards():
    """TTR 2.3"""
    state = given(dealt(4)).state
    assert [size(player.hand) for player in state.players.values()] == [4] * 4
    assert size(state.deck) == 110 - 4 * 4 - 5
    assert all(state.deck[kind] <= ALL_CARDS[kind] for kind in ALL_CARDS)


def test_the_market_has_five_cards():
    """TTR 2.4"""
    assert [event.slot for event in two_seats(*["green"] * 5) if isinstance(event, FaceUpCardTurned)] == [1, 2, 3, 4, 5]


def test_each_seat_is_dealt_three_tickets():
    """TTR 2.5"""
    state = given(dealt(5)).state
    assert [len(player.offered) for player in state.players.values()] == [3] * 5
    assert state.ticket_deck == 15


@pytest.mark.parametrize("kept", [ANNS, ANNS[:2], ANNS[1:], (ANNS[2], ANNS[0])])
def test_each_seat_keeps_two_or_three_tickets(kept):
    """TTR 2.6"""
    (event,) = given(dealt()).when(ANN, KeepTickets(kept)).events
    assert event == SetupTicketsChosen(
        ANN, tuple(t for t in ANNS if t in kept), tuple(t for t in ANNS if t not in kept)
    )
    assert given(dealt()).allows(ANN, KeepTickets(ANNS))


@pytest.mark.parametrize(
    "tickets",
    [
        (),
        ANNS[:1],
        (ANNS[0], ANNS[0]),  # one ticket twice
        (*ANNS, ANNS[0]),
        (ANNS[0], TICKETS[1][0]),  # Bob's
        (*ANNS[:2], "no_such_ticket"),
    ],
)
def test_other_choices_of_tickets_are_refused(tickets):
    """TTR 2.6"""
    given(dealt()).when(ANN, KeepTickets(tickets)).then_refused("TTR 2.6")
    assert not given(dealt()).allows(ANN, KeepTickets(tickets))


def test_an_empty_choice_is_refused():
    """TTR 2.6"""
    given(dealt()).when(ANN, KeepTickets()).then_refused("TTR 2.6")


def test_all_seats_choose_at_the_same_time():
    """TTR 2.7"""
    table = given(dealt())
    assert TITLE.rules.asked(table.state) == (ANN, BOB, CYD)
    one = table.when(CYD, KeepTickets(TICKETS[2])).after
    assert TITLE.rules.asked(one.state) == (ANN, BOB)


def test_a_choice_is_replaced_and_nobody_else_learns_of_it():
    """TTR 2.7"""
    table = given(dealt(), chosen(ANN))
    (event,) = table.when(ANN, KeepTickets(ANNS)).events
    assert event == SetupTicketsReplaced(ANN, ANNS, ())
    after = table.then(event)
    assert after.state.players[ANN].chosen == ANNS
    assert TITLE.rules.view(after.state, BOB) == TITLE.rules.view(table.state, BOB)
    assert SetupTicketsReplaced.HIDDEN


def test_a_choice_of_setup_is_quiet():
    """TTR 2.7: it makes nobody else's command stale."""
    assert SetupTicketsChosen.QUIET


def test_a_replaced_choice_must_be_legal_too():
    """TTR 2.6, 2.7"""
    given(dealt(), chosen(ANN)).when(ANN, KeepTickets(ANNS[:1])).then_refused("TTR 2.6")


def test_the_last_choice_opens_the_game():
    """TTR 2.8"""
    table = given(dealt(), chosen(ANN, BOB))
    after = table.when(CYD, KeepTickets(TICKETS[2])).then(
        SetupTicketsChosen(CYD, TICKETS[2], ()),
        SetupCompleted(((ANN, 2), (BOB, 2), (CYD, 3)), 21 + 2),
        TurnStarted(ANN, 1),
    )
    assert after.state.bottom == ((ANN, ANNS[2]), (BOB, TICKETS[1][2]))
    assert after.state.players[ANN].tickets == ANNS[:2]
    assert SetupCompleted.BARRIER


def test_returned_tickets_lie_in_turn_order():
    """TTR 2.8"""
    events = [TableSet(("blue", "red", "green"), CYD), *dealt()[1:], chosen(BOB, ANN)]
    after = given(events).when(CYD, KeepTickets(TICKETS[2][:2])).after
    assert [seat for seat, _ in after.state.bottom] == [CYD, ANN, BOB]
    assert after.state.on_turn == CYD


@pytest.mark.parametrize(
    "command", [DrawBlindCard(), DrawFaceUpCard("white"), DrawTickets(), ClaimRoute("atlanta__nashville", ("red",))]
)
def test_no_other_command_is_legal_before_all_have_chosen(command):
    """TTR 2.8"""
    given(dealt(), chosen(ANN)).when(ANN, command).then_refused("TTR 2.8")
    given(dealt()).when(BOB, command).then_refused("TTR 2.8")
