"""TTR 6: drawing tickets in a turn."""

import pytest

from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import TICKETS as ALL_TICKETS
from domain.ticket_to_ride.commands import DrawTickets, KeepTickets
from domain.ticket_to_ride.events import TicketsKept, TicketsOffered
from tests.domain.ticket_to_ride.positions import ANN, BOB, CYD, TICKETS, given, opening, turn

OFFER = ("miami__toronto", "new_york__seattle", "santa_fe__vancouver")
OFFERED = TicketsOffered(ANN, 3, OFFER)


def few_left(number):
    """Begin Ann's turn; Cyd has kept all but ``number`` tickets of the set."""
    table = given(opening())
    rest = table.state.tickets[number:]
    for at in range(0, len(rest), 3):
        three = rest[at : at + 3]
        left = table.state.ticket_deck - len(three)
        table = table.then(TicketsOffered(CYD, len(three), three), TicketsKept(CYD, len(three), 0, left, three, ()))
    return table.then(turn(ANN, 1))


def test_a_seat_is_offered_three_tickets():
    """TTR 6.1"""
    after = given(opening()).when(ANN, DrawTickets(), OFFER).then(OFFERED)
    assert after.state.ticket_deck == 24 - 3
    assert TITLE.rules.asked(after.state) == (ANN,)


@pytest.mark.parametrize("kept", [OFFER, OFFER[:2], OFFER[2:]])
def test_a_seat_keeps_at_least_one_ticket(kept):
    """TTR 6.2"""
    returned = tuple(ticket for ticket in OFFER if ticket not in kept)
    table = given(opening(), OFFERED)
    assert table.allows(ANN, KeepTickets(kept))
    after = table.when(ANN, KeepTickets(kept)).then(
        TicketsKept(ANN, len(kept), len(returned), 21 + len(returned), kept, returned), turn(BOB)
    )
    assert after.state.players[ANN].tickets == TICKETS[0][:2] + kept


def test_keeping_no_ticket_is_refused():
    """TTR 6.2"""
    given(opening(), OFFERED).when(ANN, KeepTickets(())).then_refused("TTR 6.2")
    given(opening(), OFFERED).when(ANN, KeepTickets()).then_refused("TTR 6.2")


@pytest.mark.parametrize(
    "tickets", [(OFFER[0], OFFER[0]), (TICKETS[0][0],), (*OFFER, "calgary__phoenix"), ("nothing",)]
)
def test_tickets_that_are_not_offered_are_refused(tickets):
    """TTR 6.1"""
    given(opening(), OFFERED).when(ANN, KeepTickets(tickets)).then_refused("TTR 6.1")


def test_keeping_tickets_without_an_offer_is_refused():
    """TTR 6.1"""
    given(opening()).when(ANN, KeepTickets(TICKETS[0][:1])).then_refused("TTR 6.1")
    given(opening()).when(ANN, KeepTickets(())).then_refused("TTR 6.1")


def test_returned_tickets_go_to_the_bottom_in_the_order_they_were_dealt():
    """TTR 6.3"""
    after = given(opening(), OFFERED).when(ANN, KeepTickets((OFFER[1],))).after
    assert after.state.bottom[-2:] == ((ANN, OFFER[0]), (ANN, OFFER[2]))
    assert len(after.state.bottom) == 3 + 2


def test_returned_tickets_are_dealt_again_when_no_other_is_left():
    """TTR 6.3, 10.12: the top of them first, and without chance."""
    table = few_left(1)
    (last,) = table.state.tickets
    returned = [ticket for _, ticket in table.state.bottom]
    after = table.when(ANN, DrawTickets(), [last]).then(TicketsOffered(ANN, 3, (last, *returned[:2])))
    assert after.state.bottom == ((CYD, returned[2]),)
    assert after.state.tickets == ()
    table = few_left(0)
    table.when(ANN, DrawTickets()).then(TicketsOffered(ANN, 3, tuple(returned)))


def test_fewer_than_three_remaining_tickets_are_all_dealt():
    """TTR 6.4"""
    table = few_left(0).then(TicketsOffered(ANN, 3, tuple(t[2] for t in TICKETS[:3])))
    two = table.when(ANN, KeepTickets((TICKETS[1][2],))).after
    assert two.state.ticket_deck == 2
    offered = two.when(BOB, DrawTickets())
    after = offered.then(TicketsOffered(BOB, 2, (TICKETS[0][2], TICKETS[2][2])))
    after.when(BOB, KeepTickets(())).then_refused("TTR 6.2")
    after.when(BOB, KeepTickets((TICKETS[0][2],))).then(
        TicketsKept(BOB, 1, 1, 1, (TICKETS[0][2],), (TICKETS[2][2],)), turn(CYD, 3)
    )


def test_no_tickets_are_drawn_from_an_empty_deck():
    """TTR 6.5"""
    returned = tuple(three[2] for three in TICKETS[:3])
    empty = few_left(0).then(TicketsOffered(ANN, 3, returned), TicketsKept(ANN, 3, 0, 0, returned, ()), turn(BOB))
    empty.when(BOB, DrawTickets()).then_refused("TTR 6.5")
    assert not empty.allows(BOB, DrawTickets())


def test_a_kept_ticket_is_never_returned():
    """TTR 6.6: the choice is only among those just drawn."""
    table = given(opening(), OFFERED)
    choices = [action.command.tickets for action in TITLE.rules.actions(table.state, ANN)]
    assert len(choices) == 7
    assert all(set(tickets) <= set(OFFER) for tickets in choices)
    assert len(few_left(0).state.players[CYD].tickets) == 23
    assert sum(len(player.tickets) for player in few_left(0).state.players.values()) == len(ALL_TICKETS) - 3
