"""TTR 9: open and hidden. The contract tests ask the same of whole random games."""

import random

import msgspec
import pytest

from domain.chance import FreeChance
from domain.messages import own_fields, redact
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.cards import size
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.events import (
    EVENTS,
    BlindCardDrawn,
    FaceUpCardDrawn,
    HandDealt,
    RouteClaimed,
    SeatLeft,
    SetupTicketsChosen,
    SetupTicketsReplaced,
    TicketsKept,
    TicketsOffered,
)
from domain.ticket_to_ride.imagine import imagine
from domain.ticket_to_ride.view import view
from tests.domain.ticket_to_ride.positions import (
    ANN,
    BOB,
    CYD,
    TICKETS,
    chosen,
    claims,
    dealt,
    given,
    holding,
    opening,
    turn,
)

OFFER = ("miami__toronto", "new_york__seattle", "santa_fe__vancouver")
PLAYED = given(
    opening(), claims(BOB, "calgary__helena"), holding(ANN, locomotive=2), turn(ANN), BlindCardDrawn(ANN, "white")
)
VIEWERS = (ANN, BOB, CYD, None)


def test_everybody_sees_the_table():
    """TTR 9.1"""
    for viewer in VIEWERS:
        seen = view(PLAYED.state, viewer)
        assert seen.owners == {"calgary__helena": BOB}
        assert [(each.trains, each.points, each.cards, each.tickets) for each in seen.seats] == [
            (45, 0, 7, 2),
            (41, 7, 4, 2),
            (45, 0, 4, 2),
        ]
        assert seen.market == PLAYED.state.market
        assert (seen.train_deck, size(seen.discard), seen.ticket_deck) == (110 - 12 - 5 - 7, 4, 24)
        assert (seen.on_turn, seen.step, seen.last_round_by) == (ANN, "one_card", None)


def test_only_its_own_seat_sees_the_kinds_in_a_hand():
    """TTR 9.2"""
    assert view(PLAYED.state, ANN).own.private.hand["red"] == 4
    for viewer in VIEWERS:
        assert [each.private is not None for each in view(PLAYED.state, viewer).seats] == [
            seat == viewer for seat in (ANN, BOB, CYD)
        ]


def test_the_record_follows_cards_taken_openly_and_paid():
    """TTR 9.2: the cards that a hand is known to hold at least."""
    assert own_fields(FaceUpCardDrawn) == own_fields(RouteClaimed) == ()
    table = given(opening(), FaceUpCardDrawn(ANN, 3, "white"), holding(ANN, white=1))
    assert view(table.state, BOB).seats[0].seen["white"] == 1
    paid = table.then(RouteClaimed(ANN, "atlanta__charleston", ("white", "white"), 2, 43))
    assert size(view(paid.state, BOB).seats[0].seen) == 0


def test_only_its_own_seat_sees_a_card_drawn_blind():
    """TTR 9.3, 2.3"""
    for event in (BlindCardDrawn(ANN, "white"), HandDealt(ANN, 1, ("white",))):
        assert redact(event, ANN, ANN) == event
        for viewer in (BOB, None):
            shown = redact(event, ANN, viewer)
            assert shown.seat == ANN
            assert "white" not in str(msgspec.json.encode(shown))


def test_neither_deck_shows_its_cards():
    """TTR 9.4: the view has only their sizes; of the returned tickets each seat knows its own."""
    for viewer in VIEWERS:
        shown = msgspec.json.encode(view(PLAYED.state, viewer)).decode()
        assert not any(ticket in shown for ticket in PLAYED.state.tickets)
        bottom = view(PLAYED.state, viewer).bottom
        assert [lying.seat for lying in bottom] == [ANN, BOB, CYD]
        assert [lying.ticket for lying in bottom] == [
            TICKETS[seat - 1][2] if seat == viewer else None for seat in (ANN, BOB, CYD)
        ]


def test_everybody_sees_the_kinds_in_the_discard_pile():
    """TTR 9.5"""
    for viewer in VIEWERS:
        assert view(PLAYED.state, viewer).discard == PLAYED.state.discard
        assert PLAYED.state.discard["locomotive"] == 4


def test_only_its_own_seat_sees_tickets():
    """TTR 9.6"""
    offer, kept = TicketsOffered(ANN, 3, OFFER), TicketsKept(ANN, 1, 2, 23, OFFER[:1], OFFER[1:])
    assert redact(offer, ANN, BOB) == TicketsOffered(ANN, 3)
    assert redact(kept, ANN, BOB) == TicketsKept(ANN, 1, 2, 23)
    offered = PLAYED.then(turn(ANN), offer)
    assert view(offered.state, ANN).own.private.offered == OFFER
    assert view(offered.state, BOB).seats[0].offered == 3


def test_others_see_in_setup_only_that_a_seat_has_chosen():
    """TTR 9.6, 2.7"""
    event = SetupTicketsChosen(ANN, TICKETS[0], ())
    assert redact(event, ANN, BOB) == SetupTicketsChosen(ANN)
    assert redact(SetupTicketsReplaced(ANN, TICKETS[0], ()), ANN, BOB) is None
    two, three = given(dealt(), chosen(ANN)), given(dealt(), event)
    assert view(two.state, BOB) == view(three.state, BOB)
    assert view(two.state, BOB).seats[0].chosen
    assert view(two.state, ANN) != view(three.state, ANN)


def test_a_seat_can_look_up_its_returned_tickets():
    """TTR 9.7: also when it has been dealt again."""
    again = PLAYED.then(turn(BOB), TicketsKept(ANN, 1, 2, 0, OFFER[:1], OFFER[1:]))
    assert view(again.state, ANN).own.private.returned == (TICKETS[0][2], *OFFER[1:])
    assert all(ticket not in msgspec.json.encode(view(again.state, BOB)).decode() for ticket in OFFER[1:])


def test_a_view_does_not_depend_on_anothers_tickets():
    """TTR 9.8: with another ticket completed the others' views are the same."""
    state = PLAYED.state
    players = dict(state.players)
    players[BOB] = msgspec.structs.replace(players[BOB], tickets=("houston__winnipeg", "calgary__salt_lake_city"))
    swapped = msgspec.structs.replace(
        state,
        players=players,
        tickets=tuple(sorted({*state.tickets, "calgary__phoenix"} - {"houston__winnipeg"})),
    )
    for viewer in (ANN, CYD, None):
        assert view(swapped, viewer) == view(state, viewer)
    assert view(PLAYED.state, ANN).seats[1].longest_path == 4


@pytest.mark.parametrize("number", range(20))
def test_refusals_and_legal_commands_follow_from_the_seats_view(number):
    """TTR 9.9, C19: on any table imagined behind its view, the same commands are legal and the same refused."""
    table = PLAYED.then(turn(ANN)) if number % 2 else PLAYED
    world = imagine(view(table.state, ANN), FreeChance(random.Random(number)))
    assert view(world, ANN) == view(table.state, ANN)
    assert TITLE.rules.actions(world, ANN) == TITLE.rules.actions(table.state, ANN)
    for command in (ClaimRoute("calgary__helena", ("red",) * 4), KeepTickets(OFFER), DrawTickets()):
        assert refusal(world, command) == refusal(table.state, command)


def refusal(state, command):
    try:
        TITLE.rules.decide(state, ANN, command, FreeChance(random.Random(1)))
    except Exception as refused:
        return str(refused)
    return None


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_table_imagined_behind_a_view_looks_the_same(viewer):
    """TTR C19, C1, C9: and nothing is lost."""
    for number in range(10):
        world = imagine(view(PLAYED.state, viewer), FreeChance(random.Random(number)))
        assert view(world, viewer) == view(PLAYED.state, viewer)
        everywhere = [*world.tickets, *(ticket for _, ticket in world.bottom)]
        for player in world.players.values():
            everywhere += player.tickets
            assert all(player.hand[kind] >= player.seen[kind] for kind in player.hand)
        assert len(everywhere) == len(set(everywhere)) == 30
        assert sum(size(player.hand) for player in world.players.values()) + size(world.deck) == 110 - 5 - 4


def ended():
    return given(opening(2), claims(BOB, "calgary__helena"), turn(ANN)).leaves(BOB).after


def test_when_the_game_is_over_everything_is_open():
    """TTR 9.10"""
    table = ended()
    for viewer in (ANN, BOB, None):
        seen = view(table.state, viewer)
        assert [each.private.hand["red"] for each in seen.seats] == [4, 0]
        assert all(lying.ticket for lying in seen.bottom)
        assert imagine(seen, FreeChance(random.Random(3))) == table.state


def test_every_event_class_declares_its_private_fields():
    """Appendix A."""
    sealed = {kind.__name__: own_fields(kind) for kind in EVENTS if own_fields(kind)}
    assert sealed == {
        "HandDealt": ("cards",),
        "BlindCardDrawn": ("card",),
        "TicketsOffered": ("tickets",),
        "SetupTicketsChosen": ("kept", "returned"),
        "TicketsKept": ("kept", "returned"),
    }
    assert [kind.__name__ for kind in EVENTS if kind.HIDDEN] == ["SetupTicketsReplaced"]
    assert own_fields(SeatLeft) == ()
    assert own_fields(KeepTickets) == ("tickets",)
    assert own_fields(DrawBlindCard) == ()
