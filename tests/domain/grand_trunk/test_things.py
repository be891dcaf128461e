"""The hand with goods, days and effects, the train, and what is said of each card."""

import pytest
from msgspec.structs import replace

from domain.grand_trunk import TITLE
from domain.words import Sentence, say
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    ann,
    coupled,
    emptied,
    ended,
    fast,
    force,
    given,
    moved,
    opening,
)


def shelf(position, name, seat=ANN):
    things = TITLE.face.things(TITLE.rules.view(given(position).state, seat))
    return next((it.things for it in things.shelves if it.name.template == name), ())


def said(it):
    return TITLE.face.words.english.name(it) if isinstance(it, str) else say(it, TITLE.face.words.english, str)


def test_each_card_of_the_hand_tells_its_days_and_what_it_is_for():
    """GTJ 5.8: the train stands in Burlington, two links from Richmond and one from Albany."""
    hand = {it.place: it for it in shelf(opening(), "Your hand")}
    assert set(hand) == {ann(it) for it in ("port_1", "grand_trunk_jct", "richmond", "watertown", "white_river_jct")}
    assert said(hand[ann("richmond")].mark) == "2 days"
    assert said(hand[ann("port_1")].mark) == "from 1 day"
    assert said(hand[ann("grand_trunk_jct")].mark) == "from 2 days"
    assert [use.rule for use in hand[ann("grand_trunk_jct")].uses] == ["GTJ 5.8"]
    assert all(it.uses for it in hand.values())


def test_a_fast_train_takes_a_day_less():
    hand = {it.place: it for it in shelf([opening(), fast(ANN)], "Your hand")}
    assert said(hand[ann("richmond")].mark) == "1 day"


def test_after_the_move_no_card_tells_days():
    position = [opening(), moved(ANN, "port_1", "albany", "burlington", 0, 2)]
    assert {it.mark for it in shelf(position, "Your hand")} == {None}


def test_the_train_has_its_railcars_with_their_load():
    locomotive, railcar, stock = shelf(opening(), "Your train")
    assert said(locomotive.name) == "Force I"
    assert (said(railcar.name), [said(it) for it in railcar.said]) == ("Hopper Car", ["1 iron"])
    assert (said(stock.name), stock.place, [use.rule for use in stock.uses]) == ("the stock", "stock", ["GTJ 6.9"])


def test_dumping_points_at_a_railcar_and_the_stock():
    """GTJ 6.9: Watertown wants iron, and no wood."""
    turn = [force(ANN, 2), coupled(ANN, "flat_car", "wood"), moved(ANN, "watertown", "watertown", "burlington", 0)]
    state = given(opening(hands={ANN: ("flat_car", "box_car", "port_1", "watertown", "richmond")}), *turn).state
    targets = TITLE.face.places.targets(TITLE.rules.view(state, ANN), TITLE.rules.actions(state, ANN))
    [dumping] = [it for it in targets if it.aim.kind == "dump"]
    assert dumping.aim.places == (ann("flat_car"), "stock")
    assert "stock" not in {it.place for it in shelf([opening(), emptied(ANN)], "Your train")}


@pytest.mark.parametrize("seat", [BOB, None])
def test_nobody_else_sees_hand_and_piles(seat):
    other = TITLE.face.things(TITLE.rules.view(given(opening()).state, seat))
    mine = {it.place for it in shelf(opening(), "Your hand")}
    assert mine.isdisjoint({it.place for shelf in other.shelves for it in shelf.things})


def test_railcars_of_the_discard_pile_lie_there_for_rail_yard_alone():
    name = "Railcars in your discard pile, for Rail Yard"
    turn = [moved(ANN, "white_river_jct", "white_river_jct", "burlington", 0, 1), ended(ANN, 1)]
    assert shelf([opening(), turn], name) == ()


def test_a_city_says_what_it_demands_and_who_is_there():
    [burlington] = [it for it in shelf(opening(), "Places") if it.place == "burlington"]
    assert [said(it) for it in burlington.said] == ["demands coal, supplies iron and wood", "trains there: 1"]
    assert isinstance(burlington.mark, Sentence)


def test_a_seat_opens_to_its_train_its_goods_and_what_it_has_won():
    view = TITLE.rules.view(given([opening(), fast(BOB)]).state, ANN)
    bob = TITLE.face.things(
        replace(
            view,
            seats=(
                view.seats[0],
                replace(
                    view.seats[1],
                    improvements=("warehouse",),
                    objectives=("coal_depot",),
                    delivered={**view.seats[1].delivered, "coal": 3},
                ),
                *view.seats[2:],
            ),
            contracts=(replace(view.contracts[0], met_by=BOB, city="utica", good="coal"), *view.contracts[1:]),
        )
    ).seats[1]
    opened = {it.name.template: it.things for it in bob.shelves}
    assert said(opened["Train"][0].said[0]).startswith("Fast, in ")
    assert [(it.name, said(it.mark)) for it in opened["Delivered"]] == [("coal", "3")]
    assert [said(it.name) for it in opened["Contracts fulfilled"]] == ["coal for Utica"]
    assert [use.text for it in (*opened["Improvements"], *opened["Objectives"]) for use in it.uses] == [
        "warehouse.effect",
        "coal_depot.effect",
    ]
