"""The list of legal actions: each of them, its words, and the actions that forms fold away.

The chapters show which commands are legal; each test there asks the list as well (`tests.spec`).
"""

from itertools import combinations

import pytest

from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import ROUTES
from domain.ticket_to_ride.cards import KINDS
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.decide import ANSWERS
from domain.ticket_to_ride.events import BlindCardDrawn, FaceUpCardDrawn, FaceUpCardTurned, SeatLeft, TicketsOffered
from domain.ticket_to_ride.now import Now
from domain.words import say
from tests.domain.ticket_to_ride.positions import (
    ANN,
    BOB,
    CYD,
    LOCO,
    MARKET,
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


def listed(position, seat=ANN):
    """Return (command, group, sentence) of each action; those folded away have a star."""
    return [
        (each.command, each.group + "*" * each.aside, say(each.sentence, TITLE.face.words.english, str))
        for each in TITLE.rules.actions(position.state, seat)
    ]


def drawn(*market):
    return [(DrawFaceUpCard(card), "draw_cards", f"Take {NAMES[card]} from the market") for card in market]


NAMES = {card: TITLE.face.words.english.name(card) for card in (*MARKET, "red", LOCO)}
BLIND = (DrawBlindCard(), "draw_cards", "Draw a card from the deck")
DALLAS = "Claim Dallas–Houston (gray, 1"
TICKETS_TOO = (DrawTickets(), "draw_tickets", "Draw tickets")


def test_setup_lists_the_choices_of_tickets():
    """TTR 2.6, 2.7: all three, or two; seats that have chosen may choose again."""
    first, second, third = TICKETS[0]
    choices = [KeepTickets(kept) for kept in ((first, second, third), (first, second), (first, third), (second, third))]
    assert [command for command, group, _ in listed(given(dealt())) if group == "keep"] == choices
    assert [command for command, _, _ in listed(given(dealt(), chosen(ANN)))] == choices
    assert listed(given(dealt()))[1][2] == "Keep Boston–Miami (12) and Atlanta–Montréal (9)"
    assert listed(given(dealt(), SeatLeft(ANN, "resigned", 3))) == []


def last_train(*more):
    """Give Ann one train: for routes of a single space. She holds four red cards."""
    return given(opening(), claims(ANN, "calgary__vancouver", trains=4), more, turn(ANN))


def test_a_turn_begins_with_all_actions():
    """TTR 3.2, 4.13, 5.1: the kinds of the market in their slots, the deck, the routes of the data, the tickets."""
    ones = [
        "atlanta__nashville", "dallas__houston__gray_1", "dallas__houston__gray_2", "kansas_city__omaha__gray_1",
        "kansas_city__omaha__gray_2", "portland__seattle__gray_1", "portland__seattle__gray_2",
        "seattle__vancouver__gray_1", "seattle__vancouver__gray_2",
    ]  # fmt: skip
    found = listed(last_train())
    assert found[:5] == [*drawn("purple", "orange", "white", "black"), BLIND]
    assert found[-1] == TICKETS_TOO
    assert [(command, group) for command, group, _ in found[5:-1]] == [
        (ClaimRoute(route, ("red",)), "claim") for route in ones
    ]
    assert found[5][2] == "Claim Atlanta–Nashville (gray, 1) for 1 red"


def test_claims_that_spend_more_locomotives_are_folded_away():
    """TTR 5.2, 5.3"""
    found = listed(last_train(holding(ANN, locomotive=1)))
    assert [line for line in found if "dallas" in getattr(line[0], "route", "")] == [
        (ClaimRoute(f"dallas__houston__gray_{track}", (card,)), group, f"{DALLAS}, track {track}) for {paid}")
        for track in (1, 2)
        for card, group, paid in (("red", "claim", "1 red"), (LOCO, "claim_with_more*", "1 locomotive"))
    ]


def test_taken_and_closed_routes_are_not_listed():
    """TTR 5.1, 5.4"""
    table = last_train(claims(BOB, "atlanta__nashville", "dallas__houston__gray_1"))
    found = [command for command, _, _ in listed(table)]
    assert ClaimRoute("atlanta__nashville", ("red",)) not in found
    assert ClaimRoute("dallas__houston__gray_2", ("red",)) not in found
    assert ClaimRoute("kansas_city__omaha__gray_1", ("red",)) in found


def test_the_second_card_is_listed_alone():
    """TTR 3.3, 4.3: no locomotive of the market, no route, no tickets."""
    market = [FaceUpCardTurned(2, LOCO)]
    assert listed(last_train(market))[:5] == [*drawn("purple", LOCO, "white", "black"), BLIND]
    one_card = given(opening(), market, BlindCardDrawn(ANN, "red"))
    assert listed(one_card) == [*drawn("purple", "white", "black"), BLIND]


def test_empty_decks_are_not_listed():
    """TTR 4.11, 6.5: neither deck nor tickets."""
    table = last_train()
    no_cards = table.then(left_in_deck(table.state, {}, BOB), turn(ANN))
    kinds = [type(command) for command, _, _ in listed(no_cards)]
    assert kinds == [ClaimRoute] * 9 + [DrawTickets]
    taken = [TicketsOffered(CYD, 24, tuple(table.state.tickets)), TicketsOffered(CYD, 3, ())]
    assert DrawTickets not in {type(command) for command, _, _ in listed(no_cards.then(taken, turn(ANN)))}


def test_all_ways_to_keep_offered_tickets_are_listed():
    """TTR 6.2: all ways to keep one or more, the most first."""
    offer = ("miami__toronto", "new_york__seattle", "santa_fe__vancouver")
    table = given(opening(), TicketsOffered(ANN, 3, offer))
    kept = [len(command.tickets) for command, _, _ in listed(table)]
    assert kept == [3, 2, 2, 2, 1, 1, 1]
    assert listed(table)[-1] == (KeepTickets(offer[2:]), "keep", "Keep Santa Fe–Vancouver (13)")


def test_nobody_else_has_anything_to_choose():
    """TTR 3.4"""
    assert listed(given(opening()), BOB) == []
    assert listed(given(opening(), FaceUpCardDrawn(ANN, 1, "purple"), FaceUpCardTurned(1, "red")), BOB) == []


# ==== near misses =================================================================================
def near(pay):
    """Yield a payment, and its neighbours: a card more, a card less, one in another colour or a locomotive in its
    place.
    """
    yield pay
    yield pay[:-1]
    yield (*pay, pay[0])
    for card in ("red", "blue", LOCO):
        yield (*pay[:-1], card)
        yield (card,) * len(pay)


def near_claims():
    for route in ROUTES.values():
        colour = "red" if route.colour == "gray" else route.colour
        for pay in near((colour,) * route.spaces):
            yield ClaimRoute(route.id, pay)


def near_tickets():
    offer = TICKETS[0]
    for number in range(len(offer) + 1):
        yield from (KeepTickets(kept) for kept in combinations(offer, number))
    yield KeepTickets((*offer[:1], "chicago__santa_fe"))


NEAR = [
    given(dealt()),
    given(dealt(), chosen(ANN)),
    last_train(),
    last_train(holding(ANN, locomotive=1, blue=2)),
    last_train(claims(BOB, "atlanta__nashville", "dallas__houston__gray_1", "portland__seattle__gray_2")),
    given(opening(4), claims(BOB, "denver__kansas_city__black"), claims(ANN, "houston__new_orleans"), turn(ANN)),
    given(opening(4), holding(ANN, locomotive=6, black=4), claims(ANN, "denver__kansas_city__black"), turn(ANN)),
    given(opening(), [FaceUpCardTurned(2, LOCO)], BlindCardDrawn(ANN, "red")),
    given(opening(), TicketsOffered(ANN, 3, TICKETS[0])),
]


@pytest.mark.parametrize("table", NEAR)
@pytest.mark.parametrize("seat", [ANN, BOB])
def test_refused_commands_are_not_listed_and_listed_ones_not_refused(table, seat):
    """TTR 9.9 It is tried with commands just inside and just outside the rules."""
    cards = (*MARKET, "red", LOCO)
    others = [DrawBlindCard(), DrawTickets(), *map(DrawFaceUpCard, dict.fromkeys(cards))]
    legal = {it.command for it in TITLE.rules.actions(table.state, seat)}
    tried = {*near_claims(), *near_tickets(), *others}
    now = Now.trial(table.state, seat)
    accepted = {it for it in tried if now.allows(ANSWERS[type(it)], it)}
    twins = {it for it in accepted - legal if isinstance(it, ClaimRoute)}  # the same cards in another order
    assert {ClaimRoute(it.route, tuple(sorted(it.pay, key=KINDS.index))) for it in twins} <= legal
    assert accepted - twins == tried & legal
    assert tried - accepted, "some are near misses"
