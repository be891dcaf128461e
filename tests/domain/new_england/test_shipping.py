"""NER 11: shipping."""

import pytest

from domain.chance import NoChance
from domain.decision import NO_SEAT
from domain.new_england import TITLE
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import LINKS
from domain.new_england.decide import actions, asked
from domain.new_england.now import Now
from domain.new_england.rules.shipping import grouped_shipments, open_rounds, shipments
from domain.refusal import Refused
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
    auction,
    everything_built,
    given,
    income,
    network,
    opening,
    owned,
    shipping,
    sold,
)
from tests.spec import Dealt

EXAMPLE = ("boston", "providence", "plainfield", "hartford", "new_haven")
"""The rule text's shipment: a blue cube from Boston over four links."""
OWNERS = {
    ANN: ("boston__providence", "hartford__new_haven"),
    BOB: ("plainfield__providence",),
    CYD: ("hartford__plainfield",),
}


def on_the_way(*opportunities, owners=OWNERS):
    return given(opening(), network(owners), shipping(*(opportunities or (("B", ANN), ("B", BOB)))))


def rounds(*events):
    now = Now(given(*events).state, NO_SEAT, Dealt())
    open_rounds(now)
    return now.events[0].opportunities


# ==== who ships ===================================================================================
def test_a_seat_that_bought_no_link_ships_twice():
    """NER 11.1"""
    position = [*opening(first=BOB), *auction(), *sold(CYD, roll=(1, 1)), happened.LinkLeftUnbuilt(CYD, BP, "choice")]
    assert rounds(position) == (("A", BOB), ("A", ANN), ("B", BOB), ("B", CYD), ("B", ANN))


def test_opportunities_are_taken_in_their_order():
    """NER 11.1"""
    position = on_the_way(("A", BOB), ("B", ANN), ("B", BOB))
    assert asked(position.state) == (BOB,)
    after = position.when(BOB, do.SkipShipment()).then(happened.ShipmentSkipped(BOB, "A", "choice"))
    assert asked(after.state) == (ANN,)
    position.when(ANN, do.SkipShipment()).then_refused("NER 19.2")


def test_an_opportunity_ships_one_cube_or_none():
    """NER 11.2: after it the next seat is asked, and nothing is saved."""
    position = on_the_way(("A", ANN), ("A", BOB), ("B", ANN))
    after = position.when(ANN, do.ShipCube("blue", EXAMPLE)).after
    assert asked(after.state) == (BOB,)
    after = position.when(ANN, do.SkipShipment()).after
    assert after.state.opportunities == (("A", BOB), ("B", ANN))


def test_an_opportunity_without_a_shipment_is_skipped():
    """NER 11.3: nobody has a choice, so the market follows at once."""
    passed = [happened.BidderPassed(seat, BW, "choice") for seat in (ANN, BOB)]
    position = given(opening(), happened.LinkUnsold(BP), auction(BW), passed)
    outcome = position.when(CYD, do.PassBid(BW), [3, 4, ANN])
    skipped = outcome.only(happened.ShipmentSkipped)
    assert [(event.seat, event.round) for event in skipped] == [
        (seat, name) for name in "AB" for seat in (ANN, BOB, CYD)
    ]
    assert {event.cause for event in skipped} == {"nothing_legal"}


# ==== what may be shipped =========================================================================
def test_any_seat_ships_any_cube():
    """NER 11.4: even over links of others alone."""
    position = on_the_way(("B", BOB), owners={ANN: OWNERS[ANN] + OWNERS[BOB] + OWNERS[CYD]})
    position.when(BOB, do.ShipCube("blue", EXAMPLE), [3, 4]).then_includes(
        happened.CubeShipped(BOB, "blue", EXAMPLE, ((ANN, 4),))
    )


def test_only_a_waiting_cube_can_be_shipped():
    """NER 11.4"""
    on_the_way().when(ANN, do.ShipCube("red", ("boston", "providence"))).then_refused("NER 11.4")
    on_the_way().when(ANN, do.ShipCube("red", ())).then_refused("NER 11.4")


@pytest.mark.parametrize("path", [("boston",), ("boston", *EXAMPLE[1:], "new_london", "kingston")])
def test_a_path_has_one_to_five_links(path):
    """NER 11.5"""
    position = given(opening(), everything_built(), shipping(("B", ANN)))
    position.when(ANN, do.ShipCube("blue", path)).then_refused("NER 11.5")


def test_a_path_of_five_links_is_legal():
    """NER 11.5: and six are never listed."""
    position = given(opening(), everything_built(), shipping(("B", ANN)))
    lengths = {len(path) - 1 for _, path in shipments(position.state)}
    assert lengths == {1, 2, 3, 4, 5}


def test_each_link_of_a_path_must_be_built():
    """NER 11.6"""
    position = given(opening(), network(OWNERS), owned(ANN, BW, built=False), shipping(("B", ANN)))
    position.when(ANN, do.ShipCube("blue", ("boston", "worcester", "providence"))).then_refused("NER 11.6")
    position.when(ANN, do.ShipCube("blue", ("boston", "hartford"))).then_refused("NER 11.6")
    position.when(ANN, do.ShipCube("blue", ("boston", "boston"))).then_refused("NER 11.6")
    position.when(ANN, do.ShipCube("blue", EXAMPLE), [3, 4]).then_includes(
        happened.CubeShipped(ANN, "blue", EXAMPLE, ((ANN, 2), (BOB, 1), (CYD, 1)))
    )


def test_a_path_visits_no_city_twice():
    """NER 11.7: nor the one it starts from."""
    position = given(opening(), everything_built(), shipping(("B", ANN)))
    position.when(ANN, do.ShipCube("blue", ("boston", "providence", "boston"))).then_refused("NER 11.7")
    twice = ("boston", "providence", "worcester", "providence")
    position.when(ANN, do.ShipCube("blue", twice)).then_refused("NER 11.7")


def test_a_path_ends_in_a_city_that_demands_its_colour():
    """NER 11.8"""
    on_the_way().when(ANN, do.ShipCube("blue", EXAMPLE[:-1])).then_refused("NER 11.8")


def test_a_path_ends_in_the_first_city_that_demands_its_colour():
    """NER 11.9: Lowell asks for blue."""
    position = given(opening(), everything_built(), shipping(("B", ANN), ("B", BOB)))
    through = ("boston", "lowell", "manchester", "portsmouth", "boston")
    position.when(ANN, do.ShipCube("blue", through)).then_refused("NER 11.7")
    position.when(ANN, do.ShipCube("blue", ("boston", "fitchburg"))).then_includes()
    long_way = ("boston", "fitchburg", "bellows_falls", "rutland", "albany")
    position.when(ANN, do.ShipCube("blue", long_way)).then_refused("NER 11.9")


def test_the_demand_of_the_start_does_not_count():
    """NER 11.9: a red cube leaves Hartford, which asks for red."""
    position = given(opening(), everything_built(), shipping(("B", ANN), ("B", BOB)))
    path = ("hartford", "plainfield", "providence")
    position.when(ANN, do.ShipCube("red", path)).then(happened.CubeShipped(ANN, "red", path, ((ANN, 2),)))


# ==== what it brings ==============================================================================
def test_each_owner_gains_for_each_link():
    """NER 11.10: the rule text's example."""
    after = on_the_way().when(BOB, do.SkipShipment())
    after.then_refused("NER 19.2")
    state = on_the_way().when(ANN, do.ShipCube("blue", EXAMPLE)).after.state
    assert [state.seats[seat].income for seat in (ANN, BOB, CYD)] == [2, 1, 1]


def test_the_cube_returns_to_the_cup():
    """NER 11.11"""
    before = on_the_way()
    after = before.when(ANN, do.ShipCube("blue", EXAMPLE)).after.state
    assert after.cup["blue"] == before.state.cup["blue"] + 1
    assert "blue" not in after.cubes["boston"]


def test_income_has_no_upper_limit_and_stays():
    """NER 11.12: beyond the printed track, and into the next turn."""
    position = given(opening(), network(OWNERS), income(ann=60), shipping(("B", ANN), ("B", BOB)))
    after = position.when(ANN, do.ShipCube("blue", EXAMPLE)).after
    assert after.state.seats[ANN].income == 62
    assert after.then(happened.TurnBegan(2), happened.StepBegan(1)).state.seats[ANN].income == 62


def test_shipments_are_grouped_by_cube_then_end_then_path():
    """NER 11.13"""
    position = given(opening(), everything_built(), shipping(("B", ANN)))
    listed = grouped_shipments(position.state)
    assert sorted(listed) == sorted(shipments(position.state))
    assert len(listed) > 100
    seen = [((path[0], colour), path[-1]) for colour, path in listed]
    runs = [each for at, each in enumerate(seen) if at == 0 or seen[at - 1] != each]
    assert len(runs) == len(set(runs)), "each cube and each end stands in one place"
    groups = [action.group for action in actions(position.state, ANN) if isinstance(action.command, do.ShipCube)]
    assert groups == [f"cube.{colour}.{path[0]}" for colour, path in listed]


def accepts(state, command):
    try:
        TITLE.rules.decide(state, ANN, command, NoChance())
    except Refused:
        return False
    return True


def test_exactly_the_accepted_paths_are_listed():
    """NER 11.4 to 11.9: every accepted path of the network is listed, and no other."""
    owners = {
        ANN: [*OWNERS[ANN], BW, "providence__worcester", "springfield__worcester", "hartford__springfield"],
        BOB: OWNERS[BOB],
        CYD: OWNERS[CYD],
    }
    position = given(opening(), network(owners), shipping(("B", ANN), ("B", BOB)))
    cities = sorted({city for link in position.state.built for city in (LINKS[link].a, LINKS[link].b)})

    def ways(path):
        yield path
        if len(path) < 5:
            for city in cities:
                if city not in path:
                    yield from ways((*path, city))

    accepted = {
        (colour, path)
        for start in cities
        for colour in position.state.cubes.get(start, {})
        for path in ways((start,))
        if accepts(position.state, do.ShipCube(colour, path))
    }
    listed = {(colour, path) for colour, path in shipments(position.state) if len(path) <= 5}
    assert accepted == listed
