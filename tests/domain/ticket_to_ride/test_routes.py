"""TTR 5: claiming routes."""

import pytest

from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import ROUTES
from domain.ticket_to_ride.cards import COLOURS, KINDS, held
from domain.ticket_to_ride.commands import ClaimRoute
from domain.ticket_to_ride.events import GameEnded, RouteClaimed, SeatLeft
from domain.ticket_to_ride.rules.routes import payments
from tests.domain.ticket_to_ride.positions import ANN, BOB, CYD, DAN, LOCO, claims, given, holding, opening, turn

BLUE, PURPLE = "kansas_city__saint_louis__blue", "kansas_city__saint_louis__purple"


def of(kind, number, locomotives=0):
    return (kind,) * number + (LOCO,) * locomotives


def test_a_whole_route_is_claimed():
    """TTR 5.1"""
    after = (
        given(opening(), holding(ANN, blue=2))
        .when(ANN, ClaimRoute(BLUE, of("blue", 2)))
        .then(RouteClaimed(ANN, BLUE, of("blue", 2), 2, 43), turn(BOB))
    )
    assert after.state.owners == {BLUE: ANN}


def test_a_claim_need_not_touch_other_routes():
    """TTR 5.1"""
    table = given(opening(), claims(ANN, "calgary__helena"), holding(ANN, yellow=3), turn(ANN))
    assert table.allows(ANN, ClaimRoute("los_angeles__san_francisco__yellow", of("yellow", 3)))


@pytest.mark.parametrize("seat", [ANN, BOB])
def test_a_claimed_route_is_refused(seat):
    """TTR 5.1: also to its owner."""
    table = given(opening(), claims(BOB, "atlanta__miami"), holding(seat, blue=5), turn(seat))
    table.when(seat, ClaimRoute("atlanta__miami", of("blue", 5))).then_refused("TTR 5.1")


def test_a_route_that_does_not_exist_is_refused():
    """TTR 1.2"""
    given(opening()).when(ANN, ClaimRoute("boston__miami", of("red", 4))).then_refused("TTR 1.2")


@pytest.mark.parametrize("pay", [of("blue", 2), of("blue", 1, 1), of("blue", 0, 2), (LOCO, "blue")])
def test_a_coloured_route_takes_its_colour_and_locomotives(pay):
    """TTR 5.2"""
    outcome = given(opening(), holding(ANN, blue=2, locomotive=2)).when(ANN, ClaimRoute(BLUE, pay))
    (claimed,) = outcome.only(RouteClaimed)
    assert sorted(claimed.paid) == sorted(pay)


@pytest.mark.parametrize(
    "pay",
    [
        (),
        of("blue", 1),
        of("blue", 3),
        of("red", 2),  # another colour
        ("blue", "red"),  # mixed
        of("red", 1, 1),
        ("blue", "mauve"),
    ],
)
def test_another_price_of_a_coloured_route_is_refused(pay):
    """TTR 5.2: though all these cards are in hand."""
    table = given(opening(), holding(ANN, blue=3, red=2, locomotive=1))
    table.when(ANN, ClaimRoute(BLUE, pay)).then_refused("TTR 5.2")
    assert not table.allows(ANN, ClaimRoute(BLUE, pay))


def test_two_colours_on_a_coloured_route_are_answered_with_the_one_it_takes():
    """TTR 5.2"""
    tried = given(opening(), holding(ANN, blue=3, red=2)).when(ANN, ClaimRoute(BLUE, ("blue", "red")))
    assert tried.refusal.sentence.template == "The cards must be {colour}, or locomotives."


@pytest.mark.parametrize("pay", [of("red", 3), of("white", 2, 1), of("white", 1, 2), of("white", 0, 3)])
def test_a_gray_route_takes_any_one_colour_and_locomotives(pay):
    """TTR 5.3"""
    table = given(opening(), holding(ANN, white=2, locomotive=3))
    (claimed,) = table.when(ANN, ClaimRoute("calgary__vancouver", pay)).only(RouteClaimed)
    assert claimed.paid == pay


@pytest.mark.parametrize("pay", [(), of("red", 2), of("red", 4), ("red", "red", "white"), ("red", "white", LOCO)])
def test_another_price_of_a_gray_route_is_refused(pay):
    """TTR 5.3"""
    table = given(opening(), holding(ANN, white=2, locomotive=3))
    table.when(ANN, ClaimRoute("calgary__vancouver", pay)).then_refused("TTR 5.3")


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seat", [ANN, BOB])
def test_the_second_track_is_closed_to_all_with_two_or_three_players(seats, seat):
    """TTR 5.4: the claimer included."""
    table = given(opening(seats), claims(ANN, BLUE), holding(seat, purple=2), turn(seat))
    table.when(seat, ClaimRoute(PURPLE, of("purple", 2))).then_refused("TTR 5.4")
    assert not table.allows(seat, ClaimRoute(PURPLE, of("purple", 2)))


@pytest.mark.parametrize("seats", [4, 5])
def test_the_second_track_is_closed_to_its_owner_with_four_or_five_players(seats):
    """TTR 5.5"""
    table = given(opening(seats), claims(ANN, BLUE), holding(ANN, purple=2), holding(BOB, purple=2))
    command = ClaimRoute(PURPLE, of("purple", 2))
    table.when(ANN, command).then_refused("TTR 5.5")
    assert not table.allows(ANN, command)
    assert table.then(turn(BOB)).allows(BOB, command)


def test_seats_that_have_left_still_count_as_players():
    """TTR 10.9"""
    table = given(opening(4), claims(ANN, BLUE), SeatLeft(DAN, "resigned", 0), SeatLeft(CYD, "resigned", 0))
    claim = ClaimRoute(PURPLE, of("purple", 2))
    assert table.then(holding(BOB, purple=2), turn(BOB)).when(BOB, claim).only(RouteClaimed)


def test_the_twin_of_a_track_whose_owner_has_left_stays_closed_to_three():
    """TTR 5.4, 10.9: the route stays claimed, and three players began."""
    table = given(opening(3), claims(ANN, BLUE), SeatLeft(ANN, "resigned", 0), holding(BOB, purple=2), turn(BOB))
    claim = ClaimRoute(PURPLE, of("purple", 2))
    table.when(BOB, claim).then_refused("TTR 5.4")
    assert not table.allows(BOB, claim)


def test_the_twin_of_a_track_whose_owner_has_left_stays_open_to_four():
    """TTR 5.5, 10.9"""
    table = given(opening(4), claims(ANN, BLUE), SeatLeft(ANN, "resigned", 0), holding(BOB, purple=2), turn(BOB))
    assert table.when(BOB, ClaimRoute(PURPLE, of("purple", 2))).only(RouteClaimed)


@pytest.mark.parametrize(
    ("route", "points"),
    [
        ("portland__seattle__gray_1", 1),
        ("atlanta__charleston", 2),
        ("calgary__vancouver", 4),
        ("calgary__seattle", 7),
        ("montreal__sault_ste_marie", 10),
        ("sault_ste_marie__winnipeg", 15),
    ],
)
def test_a_claim_scores_at_once_by_its_spaces(route, points):
    """TTR 5.6"""
    table = given(opening(), holding(ANN, locomotive=4, black=6))
    pay = (LOCO,) * 4 + ("black",) * 2
    outcome = table.when(ANN, ClaimRoute(route, tuple(reversed(pay))[: ROUTES[route].spaces]))
    assert outcome.after.state.players[ANN].points == points


def test_a_claim_places_a_train_on_every_space():
    """TTR 5.7"""
    table = given(opening(), claims(ANN, "calgary__seattle", trains=8), holding(ANN, black=6), turn(ANN))
    table.when(ANN, ClaimRoute("montreal__sault_ste_marie", of("black", 5))).then_refused("TTR 5.7")
    assert not table.allows(ANN, ClaimRoute("montreal__sault_ste_marie", of("black", 5)))
    after = table.when(ANN, ClaimRoute("duluth__winnipeg", of("black", 4))).after
    assert after.state.players[ANN].trains == 0


def test_paid_cards_are_discarded():
    """TTR 5.8"""
    table = given(opening(), holding(ANN, blue=1, locomotive=1))
    after = table.when(ANN, ClaimRoute(BLUE, of("blue", 1, 1))).after
    assert {kind: number for kind, number in after.state.discard.items() if number} == {"blue": 1, LOCO: 1}
    assert after.state.players[ANN].hand == {**dict.fromkeys(KINDS, 0), "red": 4}


@pytest.mark.parametrize("pay", [of("blue", 2), of("blue", 0, 2)])
def test_cards_that_are_not_in_hand_are_refused(pay):
    """TTR 5.9"""
    table = given(opening(), holding(ANN, blue=1, locomotive=1))
    table.when(ANN, ClaimRoute(BLUE, pay)).then_refused("TTR 5.9")
    assert not table.allows(ANN, ClaimRoute(BLUE, pay))


def test_payments_with_more_locomotives_than_needed_are_set_aside():
    """TTR 5.2, 5.3: they are legal, too, but hardly anybody wants them; forms fold them away."""
    table = given(opening(), holding(ANN, red=3, blue=2, white=2, locomotive=2), turn(ANN))
    ways = {
        action.command.pay: (action.group, action.aside)
        for action in TITLE.rules.actions(table.state, ANN)
        if isinstance(action.command, ClaimRoute) and action.command.route == "los_angeles__phoenix"
    }
    wanted, wasteful = ("claim", False), ("claim_with_more", True)
    assert {pay: where for pay, where in ways.items() if where == wanted} == {of("red", 3): wanted}
    assert ways[of("red", 2, 1)] == ways[of("blue", 2, 1)] == ways[of("red", 1, 2)] == wasteful


def test_payments_with_the_fewest_needed_locomotives_are_not_set_aside():
    """TTR 5.2"""
    table = given(opening(), holding(ANN, blue=1, locomotive=2), turn(ANN))
    ways = [
        (action.command.pay, action.aside)
        for action in TITLE.rules.actions(table.state, ANN)
        if isinstance(action.command, ClaimRoute) and action.command.route == BLUE
    ]
    assert ways == [(of("blue", 1, 1), False), (of("blue", 0, 2), True)]


def test_every_way_to_pay_is_listed_once():
    """TTR 5.9: fewest locomotives first."""
    hand = held({**dict.fromkeys(KINDS, 0), "red": 2, "black": 3, LOCO: 2})
    assert payments(ROUTES["calgary__vancouver"], hand) == [
        of("black", 3),
        of("black", 2, 1),
        of("red", 2, 1),
        of("black", 1, 2),
        of("red", 1, 2),
    ]
    assert payments(ROUTES[BLUE], hand) == [of("blue", 0, 2)]
    assert payments(ROUTES["denver__helena"], hand) == []
    all_i_have = held({"blue": 1, LOCO: 1})
    assert payments(ROUTES[BLUE], all_i_have) == [of("blue", 1, 1)]
    rich = held(dict.fromkeys(KINDS, 6))
    assert len(payments(ROUTES["duluth__toronto"], rich)) == 7
    gray = payments(ROUTES["sault_ste_marie__winnipeg"], rich)
    assert len(gray) == len(set(gray)) == 8 * 6 + 1


def test_refusals_name_the_first_broken_rule():
    """TTR 10.4: the refusal names the first of several broken rules."""
    busy = given(opening(), claims(BOB, BLUE))
    bad = ClaimRoute(BLUE, ("red",))
    busy.then(turn(BOB)).when(ANN, bad).then_refused("TTR 3.4")
    busy.when(ANN, bad).then_refused("TTR 5.1")
    busy.when(ANN, ClaimRoute(PURPLE, ("red",))).then_refused("TTR 5.4")
    few = given(opening(), claims(ANN, "calgary__seattle", trains=5))
    few.when(ANN, ClaimRoute("atlanta__miami", ("red",))).then_refused("TTR 5.7")
    given(opening()).when(ANN, ClaimRoute("atlanta__miami", of("white", 5))).then_refused("TTR 5.2")
    given(opening()).when(ANN, ClaimRoute("atlanta__miami", of("blue", 5))).then_refused("TTR 5.9")


def test_a_route_stays_with_its_owner():
    """TTR 5.10, 10.8: also when the seat has left."""
    table = given(opening(), claims(BOB, BLUE), SeatLeft(BOB, "resigned", 0))
    assert table.state.owners == {BLUE: BOB}
    table.then(holding(ANN, blue=2)).when(ANN, ClaimRoute(BLUE, of("blue", 2))).then_refused("TTR 5.1")


def test_exactly_the_accepted_claims_are_listed():
    """TTR 5: with four seats, a large hand and some routes gone."""
    table = given(
        opening(4),
        claims(BOB, BLUE, "atlanta__miami"),
        claims(ANN, "portland__seattle__gray_1"),
        holding(ANN, **dict.fromkeys(COLOURS, 3), locomotive=3),
        turn(ANN),
    )
    offered = [action.command for action in TITLE.rules.actions(table.state, ANN)]
    listed = [command for command in offered if isinstance(command, ClaimRoute)]
    assert len(listed) == len(set(listed)) > 500
    for command in listed:
        assert table.when(ANN, command).only(RouteClaimed)
    assert not any(table.when(ANN, command).only(GameEnded) for command in listed[:5])


@pytest.mark.parametrize(("owner", "tracks"), [(None, ["gray_1"]), (BOB, ["gray_2"])])
def test_two_free_gray_tracks_are_one_choice(owner, tracks):
    """TTR 5.5: they differ in nothing; where one is taken, the other is chosen by itself."""
    table = given(opening(4), *([] if owner is None else [claims(owner, "portland__seattle__gray_1"), turn(ANN)]))
    actions = TITLE.rules.actions(table.state, ANN)
    chosen = TITLE.face.places.targets(TITLE.rules.view(table.state, ANN), actions)
    claimed = [it.command.route for it in chosen if isinstance(it.command, ClaimRoute) and it.command.pay == ("red",)]
    assert [it.rpartition("__")[2] for it in claimed if it.startswith("portland__seattle")] == tracks
