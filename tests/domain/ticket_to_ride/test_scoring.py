"""TTR 8: final scoring."""

import pytest
from msgspec.structs import replace

from domain.chance import NoChance
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import TICKETS
from domain.ticket_to_ride.events import (
    GameEnded,
    LongestPathScored,
    SeatLeft,
    TicketsKept,
    TicketsOffered,
    TicketsScored,
)
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.rules.scoring import completed_tickets, final_scoring, longest_path, score_game
from tests.domain.ticket_to_ride.positions import ANN, BOB, CYD, claims, given, holding, opening

NORTH = ("seattle__vancouver__gray_1", "calgary__vancouver", "calgary__winnipeg")  # 1 + 3 + 6
ANN_TO_MIAMI = (
    "boston__new_york__red",
    "new_york__washington__orange",
    "raleigh__washington__gray_1",
    "charleston__raleigh",
    "charleston__miami",
)


def scored(*events, seats=3):
    """Return the results of final scoring for a position."""
    now = Now(given(opening(seats), *events).state, ANN, NoChance())
    final_scoring(now)
    return now


def only(now, kind):
    return [event for event in now.events if isinstance(event, kind)]


def places(now):
    (ended,) = only(now, GameEnded)
    return {seat: place for seat, _, _, _, place in ended.scores}, ended.winners


def keeps(seat, *tickets):
    """Give a seat more tickets."""
    return [TicketsOffered(seat, len(tickets), tickets), TicketsKept(seat, len(tickets), 0, 0, tickets, ())]


def test_final_scoring_keeps_the_points_for_routes():
    """TTR 8.1"""
    (ended,) = only(scored(claims(ANN, *NORTH)), GameEnded)
    seat, routes, tickets, longest, place = ended.scores[0]
    assert (seat, routes, longest, place) == (ANN, 1 + 4 + 15, 10, 1)
    assert tickets == -(12 + 9)


def test_all_kept_tickets_of_all_seats_are_shown():
    """TTR 8.2: in turn order, also those of a seat that has left."""
    events = only(scored(SeatLeft(BOB, "resigned", 0)), TicketsScored)
    assert [event.seat for event in events] == [ANN, BOB, CYD]
    assert events[1].missed == ("calgary__phoenix", "calgary__salt_lake_city")
    assert TicketsScored.BARRIER


def test_a_ticket_is_completed_by_any_chain_of_own_routes():
    """TTR 8.3"""
    event = only(scored(claims(ANN, *ANN_TO_MIAMI)), TicketsScored)[0]
    assert event == TicketsScored(ANN, ("boston__miami",), ("atlanta__montreal",), 12 - 9)


def test_routes_of_others_complete_no_ticket():
    """TTR 8.3"""
    event = only(scored(claims(ANN, *ANN_TO_MIAMI[:-1]), claims(BOB, ANN_TO_MIAMI[-1])), TicketsScored)[0]
    assert event.completed == ()


def test_a_broken_chain_completes_no_ticket():
    """TTR 8.3"""
    assert completed_tickets(("boston__miami",), ANN_TO_MIAMI) == ("boston__miami",)
    for gap in range(len(ANN_TO_MIAMI)):
        assert completed_tickets(("boston__miami",), ANN_TO_MIAMI[:gap] + ANN_TO_MIAMI[gap + 1 :]) == ()
    assert completed_tickets(("boston__miami",), ()) == ()


def test_an_incomplete_ticket_subtracts_its_value():
    """TTR 8.4: a score may fall below zero."""
    (ended,) = only(scored(), GameEnded)
    assert [(routes, tickets) for _, routes, tickets, _, _ in ended.scores] == [(0, -21), (0, -20), (0, -16)]


@pytest.mark.parametrize(
    ("routes", "length"),
    [
        ((), 0),
        (("dallas__houston__gray_1",), 1),
        (NORTH, 10),
        (("calgary__helena", "denver__helena", "helena__omaha", "helena__seattle"), 6 + 5),  # a star: two of its arms
        (("denver__santa_fe", "denver__phoenix", "phoenix__santa_fe", "denver__helena"), 14),  # through a loop
        (("atlanta__nashville", "miami__new_orleans", "houston__new_orleans"), 8),  # two networks
        (
            (
                "chicago__omaha",
                "denver__omaha",
                "chicago__saint_louis__white",
                "kansas_city__saint_louis__blue",
                "denver__kansas_city__black",
                "kansas_city__omaha__gray_1",
            ),
            17,
        ),  # all of it: two odd cities
    ],
)
def test_the_longest_continuous_path_is_found(routes, length):
    """TTR 8.5"""
    assert longest_path(routes)[0] == length


def test_the_seat_with_the_longest_path_gets_the_card_and_ten_points():
    """TTR 8.6"""
    now = scored(claims(ANN, *NORTH), claims(BOB, *ANN_TO_MIAMI))
    (event,) = only(now, LongestPathScored)
    assert event.holders == (BOB,)
    assert [(seat, length) for seat, length, _ in event.paths] == [(ANN, 10), (BOB, 12), (CYD, 0)]
    assert set(event.paths[1][2]) == set(ANN_TO_MIAMI)
    assert [bonus for *_, bonus, _ in only(now, GameEnded)[0].scores] == [0, 10, 0]


def test_all_equally_long_paths_get_the_card():
    """TTR 8.6"""
    now = scored(claims(ANN, "calgary__helena"), claims(CYD, "calgary__seattle"), claims(BOB, "atlanta__nashville"))
    assert only(now, LongestPathScored)[0].holders == (ANN, CYD)
    assert [bonus for *_, bonus, _ in only(now, GameEnded)[0].scores] == [10, 0, 10]


def test_a_seat_that_has_left_has_no_share_in_the_card():
    """TTR 8.6, 10.11: though its path is as long."""
    now = scored(claims(ANN, "calgary__helena"), claims(CYD, "calgary__seattle"), SeatLeft(CYD, "resigned", 0))
    assert only(now, LongestPathScored)[0].holders == (ANN,)


def test_nobody_gets_the_card_without_a_route():
    """TTR 8.7"""
    now = scored()
    assert only(now, LongestPathScored)[0].holders == ()
    assert all(bonus == 0 for *_, bonus, _ in only(now, GameEnded)[0].scores)


def test_a_seat_that_has_left_cannot_hold_the_card():
    """TTR 10.11"""
    now = scored(claims(ANN, *NORTH), claims(BOB, "atlanta__nashville"), SeatLeft(ANN, "resigned", 0))
    assert only(now, LongestPathScored)[0].holders == (BOB,)
    now = scored(claims(ANN, *NORTH), SeatLeft(ANN, "resigned", 0))
    assert only(now, LongestPathScored)[0].holders == ()


def test_the_most_points_win():
    """TTR 8.8"""
    assert places(scored(claims(ANN, *NORTH))) == ({ANN: 1, BOB: 3, CYD: 2}, (ANN,))


def tie(ann, bob):
    """Return the result of Ann and Bob with all the rest equal: (completed tickets, the card) of each."""
    state = given(opening(2)).state
    now = Now(state, ANN, NoChance())
    for seat, (completed, _) in ((ANN, ann), (BOB, bob)):
        tickets = tuple(sorted(TICKETS)[:completed])
        now.happens(TicketsScored(seat, tickets, (), 5))
    holders = tuple(seat for seat, (_, card) in ((ANN, ann), (BOB, bob)) if card)
    now.happens(LongestPathScored(((ANN, 3, ()), (BOB, 3, ())), holders))
    return now


def ranked(now, **points):
    players = dict(now.state.players)
    for name, value in points.items():
        seat = {"ann": ANN, "bob": BOB}[name]
        players[seat] = replace(players[seat], points=value)
    now.state = replace(now.state, players=players)
    score_game(now)
    return places(now)


def test_more_completed_tickets_break_a_tie():
    """TTR 8.9: number, not value."""
    assert ranked(tie((1, False), (2, False)), ann=7, bob=7) == ({ANN: 2, BOB: 1}, (BOB,))
    assert ranked(tie((1, False), (2, False)), ann=8, bob=7) == ({ANN: 1, BOB: 2}, (ANN,))


def test_a_tie_counts_completed_tickets_and_neither_their_value_nor_those_missed():
    """TTR 8.9: two tickets of 4 and 5 points, with three missed, are ahead of one of 22."""
    now = Now(given(opening(2)).state, ANN, NoChance())
    now.happens(TicketsScored(ANN, ("new_york__seattle",), (), 22))
    now.happens(TicketsScored(BOB, ("denver__el_paso", "houston__kansas_city"), tuple(sorted(TICKETS)[:3]), 22))
    now.happens(LongestPathScored(((ANN, 3, ()), (BOB, 3, ())), ()))
    assert ranked(now, ann=7, bob=7) == ({ANN: 2, BOB: 1}, (BOB,))


def test_the_longest_path_card_breaks_a_further_tie():
    """TTR 8.10"""
    assert ranked(tie((1, True), (1, False)), ann=0, bob=10) == ({ANN: 1, BOB: 2}, (ANN,))
    assert ranked(tie((1, True), (2, False)), ann=0, bob=10) == ({ANN: 2, BOB: 1}, (BOB,))


def test_seats_still_equal_share_their_place():
    """TTR 8.11"""
    assert ranked(tie((1, False), (1, False)), ann=3, bob=3) == ({ANN: 1, BOB: 1}, (ANN, BOB))
    assert ranked(tie((1, True), (1, True)), ann=3, bob=3) == ({ANN: 1, BOB: 1}, (ANN, BOB))


def test_seats_with_equal_points_share_a_lower_place():
    """TTR 8.12: two share the second place, and there is no third."""
    assert places(scored(claims(ANN, *NORTH)))[0] == {ANN: 1, BOB: 3, CYD: 2}
    same = scored(claims(ANN, *NORTH), keeps(CYD, "denver__el_paso"))  # -20 and -16 - 4
    assert places(same) == ({ANN: 1, BOB: 2, CYD: 2}, (ANN,))


def test_a_seat_that_has_left_takes_no_place():
    """TTR 10.11"""
    now = scored(claims(ANN, *NORTH), SeatLeft(ANN, "resigned", 0))
    found, winners = places(now)
    assert found == {ANN: None, BOB: 2, CYD: 1}
    assert winners == (CYD,)
    assert TITLE.rules.result(now.state).standings[0].total == 20 - 21


def test_cards_in_hand_and_trains_in_stock_are_worth_nothing():
    """TTR 8.13"""
    plain, rich = scored(), scored(holding(ANN, red=8, locomotive=5))
    assert only(plain, GameEnded) == only(rich, GameEnded)


def test_the_result_adds_up():
    """TTR 8.1 to 8.6"""
    result = TITLE.rules.result(scored(claims(ANN, *NORTH)).state)
    assert [standing.seat for standing in result.standings] == [ANN, BOB, CYD]
    assert dict(result.standings[0].lines) == {"routes": 20, "tickets": -21, "longest_path": 10}
    assert result.standings[0].total == 9
