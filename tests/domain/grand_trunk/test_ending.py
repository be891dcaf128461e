"""GTJ 15: the end of the game and scoring."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import EndTurn, MoveTrain, Pass, PerformMaintenance, PlayInfluenceDemand
from domain.grand_trunk.events import EndBegun, GameOver, GameScored, SeatPassed, TurnEnded
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    CYD,
    OPENING,
    ann,
    bob,
    delivered,
    ended,
    given,
    moved,
    opening,
    owns,
    spent,
)

WATERTOWN = MoveTrain(ann("watertown"), "watertown")


def at(day):
    """Ann has moved to ``day``; Bob has just begun."""
    return given(OPENING, spent(ANN, 0, day - 1), moved(ANN, "watertown", "watertown", "burlington", day - 1))


def after_the_end_began(*events):
    return given(opening(order=(BOB, ANN)), events, spent(BOB, 0, 37), EndBegun(BOB, 37), ended(BOB, 37, True))


@pytest.mark.parametrize(("day", "ends"), [(35, False), (36, True), (40, True)])
def test_the_end_begins_on_thirty_six(day, ends):
    """GTJ 15.1, 15.2"""
    outcome = at(day).when(ANN, EndTurn(), chance=[ann("flat_car")])
    assert outcome.only(EndBegun) == ([EndBegun(ANN, day)] if ends else [])
    assert outcome.only(TurnEnded) == [TurnEnded(ANN, day, ends)]
    assert TITLE.rules.view(outcome.after.state, None).end_begun is ends


def test_the_end_begins_once():
    """GTJ 15.1"""
    third = given(
        opening(3),
        spent(ANN, 0, 36),
        EndBegun(ANN, 36),
        ended(ANN, 36, True),
        spent(BOB, 0, 35),
        moved(BOB, "port_1", "portland", "richmond", 35),
    )
    third.when(BOB, EndTurn(), chance=[bob("watertown")]).then_without(EndBegun)


def test_by_maintenance_too():
    """GTJ 15.1"""
    outcome = given(OPENING, spent(ANN, 0, 35)).when(ANN, PerformMaintenance())
    assert outcome.only(EndBegun) == [EndBegun(ANN, 36)]


def test_a_finished_seat_plays_no_more():
    """GTJ 15.2"""
    done = at(36).when(ANN, EndTurn(), chance=[ann("flat_car")]).after
    assert TITLE.rules.asked(done.state) == (BOB,)
    done.when(ANN, WATERTOWN).then_refused("GTJ 3.1")
    far = done.then(spent(BOB, 0, 35), ended(BOB, 35))
    assert TITLE.rules.asked(far.state) == (BOB,)


def test_passing():
    """GTJ 15.3"""
    outcome = after_the_end_began().when(ANN, Pass())
    assert outcome.only(SeatPassed) == [SeatPassed(ANN, 0)]
    assert TITLE.rules.view(outcome.after.state, None).seats[0].day == 0, "the marker stays where it is"


def test_no_passing_before_the_end_has_begun():
    """GTJ 15.3"""
    given(OPENING).when(ANN, Pass()).then_refused("GTJ 15.3")


def test_no_passing_in_mid_turn():
    """GTJ 15.3"""
    moved_on = after_the_end_began().when(ANN, WATERTOWN).after
    moved_on.when(ANN, Pass()).then_refused("GTJ 15.3")
    acted = after_the_end_began().when(ANN, PlayInfluenceDemand(ann("white_river_jct"), "boston", "utica")).after
    acted.when(ANN, Pass()).then_refused("GTJ 15.3")


def test_passing_is_final_and_nobody_must():
    """GTJ 15.3"""
    three = given(opening(3), spent(ANN, 0, 36), EndBegun(ANN, 36), ended(ANN, 36, True))
    passed = three.when(BOB, Pass()).after
    assert TITLE.rules.asked(passed.state) == (CYD,)
    passed.when(BOB, PerformMaintenance()).then_refused("GTJ 3.1")
    assert three.when(BOB, PerformMaintenance()).events


def test_over_when_all_have_finished_or_passed():
    """GTJ 15.4"""
    outcome = after_the_end_began().when(ANN, Pass())
    assert [type(event) for event in outcome.events[-2:]] == [GameScored, GameOver]
    assert TITLE.rules.result(outcome.after.state) is not None
    assert TITLE.rules.asked(outcome.after.state) == ()
    last = after_the_end_began(spent(ANN, 0, 35)).then(moved(ANN, "watertown", "watertown", "burlington", 35))
    assert last.when(ANN, EndTurn(), chance=[ann("flat_car")]).only(GameOver)


@pytest.mark.parametrize("command", [WATERTOWN, PerformMaintenance(), Pass(), EndTurn()])
def test_nothing_is_played_when_it_is_over(command):
    """GTJ 15.4"""
    over = after_the_end_began().when(ANN, Pass()).after
    for seat in (ANN, BOB):
        over.when(seat, command).then_refused("GTJ 15.4")


def lines(result, seat):
    (standing,) = [each for each in result.standings if each.seat == seat]
    assert sum(vp for _, vp in standing.lines) == standing.total
    return dict(standing.lines), standing


def final(*events):
    """The game ends with Bob on 37 and Ann, on 30, passing."""
    return TITLE.rules.result(after_the_end_began(events, spent(ANN, 0, 30)).when(ANN, Pass()).after.state)


def test_time():
    """GTJ 15.5"""
    result = final()
    assert lines(result, ANN)[0]["time"] == 7
    assert lines(result, BOB)[0]["time"] == 0


@pytest.mark.parametrize(
    ("goods", "sets"),
    [
        ((), 0),
        (("coal", "iron"), 0),
        (("coal", "iron", "wood"), 1),
        (("coal", "iron", "wood") * 2 + ("wood",), 2),
        (("coal", "coal", "coal", "steel", "iron", "wood"), 1),
    ],
)
def test_sets(goods, sets):
    """GTJ 15.6"""
    assert lines(final(delivered(ANN, *goods)), ANN)[0]["sets"] == 3 * sets


def test_sets_with_goods_of_mines():
    """GTJ 15.6, 13.11"""
    assert lines(final(owns(ANN, "coal_mine", "iron_ore_mine", "forest_exploitation")), ANN)[0]["sets"] == 6


@pytest.mark.parametrize(("wood", "owned", "vp"), [(0, 3, 0), (2, 3, 6), (7, 2, 14), (3, 0, 0)])
def test_improvements(wood, owned, vp):
    """GTJ 15.7"""
    mine = ("roundhouse", "warehouse", "parking_spur")[:owned]
    assert lines(final(delivered(ANN, *["wood"] * wood), owns(ANN, *mine)), ANN)[0]["improvements"] == vp


def test_the_totals_are_told():
    """GTJ 15.5 to 15.7"""
    outcome = after_the_end_began(
        delivered(ANN, "coal", "iron", "wood"), owns(ANN, "roundhouse"), spent(ANN, 0, 30)
    ).when(ANN, Pass())
    (scored,) = outcome.only(GameScored)
    by_seat = {score[0]: score[1:] for score in scored.scores}
    assert by_seat[ANN] == (7, 3, 1, 3 + 7 + 3 + 1, 0, 3)
    assert by_seat[BOB] == (0, 0, 0, 3, 0, 0)


def test_most_points_win():
    """GTJ 15.8"""
    result = final()
    assert result.winners == (ANN,)
    assert [(each.seat, each.place, each.total) for each in result.standings] == [(ANN, 1, 10), (BOB, 2, 3)]


def tied(bobs=(), anns=()):
    """Ann and Bob both end on 37 with as many points, but for what is given."""
    before = given(
        opening(order=(BOB, ANN)),
        delivered(ANN, *anns),
        delivered(BOB, *bobs),
        spent(BOB, 0, 37),
        EndBegun(BOB, 37),
        ended(BOB, 37, True),
        spent(ANN, 0, 37),
    )
    return TITLE.rules.result(before.when(ANN, Pass()).after.state)


def test_ties_go_to_the_steel():
    """GTJ 15.9: three wood steps on one improvement are worth a steel."""
    steel_for_bob = given(
        opening(order=(BOB, ANN)),
        delivered(ANN, "wood", "wood", "wood", "coal"),
        owns(ANN, "roundhouse"),
        delivered(BOB, "steel"),
        spent(BOB, 0, 37),
        EndBegun(BOB, 37),
        ended(BOB, 37, True),
        spent(ANN, 0, 37),
    ).when(ANN, Pass())
    result = TITLE.rules.result(steel_for_bob.after.state)
    assert {each.total for each in result.standings} == {6}
    assert result.winners == (BOB,)
    assert [(each.seat, each.place) for each in result.standings] == [(BOB, 1), (ANN, 2)]


def test_then_to_the_goods():
    """GTJ 15.9"""
    assert tied(bobs=("coal",)).winners == (BOB,)
    assert tied(anns=("coal", "coal"), bobs=("coal",)).winners == (ANN,)


def test_then_the_win_is_shared():
    """GTJ 15.9"""
    result = tied(bobs=("coal",), anns=("iron",))
    assert result.winners == (ANN, BOB)
    assert [each.place for each in result.standings] == [1, 1]


def test_the_winners_are_told():
    """GTJ 15.8"""
    (over,) = after_the_end_began(spent(ANN, 0, 30)).when(ANN, Pass()).only(GameOver)
    assert (over.winners, over.order) == ((ANN,), (ANN, BOB))
