"""GTJ 18: who may see what."""

import random

import msgspec
from msgspec import UNSET

from domain.chance import FreeChance
from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import ChooseFirstRailcar, Pass
from domain.grand_trunk.events import (
    CardsDrawn,
    EndBegun,
    FirstRailcarChosen,
    FirstRailcarReplaced,
    RailcarStored,
    TerminalBuilt,
)
from domain.messages import redact
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    OPENING,
    ann,
    bob,
    dealt,
    delivered,
    drawn,
    ended,
    given,
    moved,
    opening,
    owns,
    spent,
)

RICH = given(
    OPENING,
    delivered(ANN, "coal", "wood"),
    owns(ANN, "parking_spur"),
    owns(BOB, "warehouse"),
    TerminalBuilt(BOB, "boston", 2, "deck_top"),
    drawn(ANN, "flat_car"),
    RailcarStored(ANN, ann("flat_car"), "hand"),
    moved(ANN, "watertown", "watertown", "burlington", 0),
)


def seen(situation, viewer, seat):
    return TITLE.rules.view(situation.state, viewer).seats[seat - 1]


def test_everything_else_is_open():
    """GTJ 18.1"""
    mine, others = seen(RICH, ANN, ANN), seen(RICH, BOB, ANN)
    secret = {"hand", "deck", "choice"}
    for field in mine.__struct_fields__:
        if field not in secret:
            assert getattr(mine, field) == getattr(others, field), field
    for field in TITLE.rules.view(RICH.state, None).__struct_fields__:
        if field not in {"seat", "seats"}:
            assert getattr(TITLE.rules.view(RICH.state, ANN), field) == getattr(
                TITLE.rules.view(RICH.state, None), field
            ), field


def test_hand_and_deck_taken_together_can_be_worked_out():
    """GTJ 18.1"""
    mine, others = seen(RICH, ANN, ANN), seen(RICH, None, ANN)
    assert set(others.hidden) == {*mine.hand, *mine.deck}
    assert (others.hand_size, others.deck_size) == (len(mine.hand), len(mine.deck))


def test_a_hand_is_its_owners():
    """GTJ 18.2"""
    assert seen(RICH, ANN, ANN).hand is not None
    assert seen(RICH, BOB, ANN).hand is None
    assert seen(RICH, None, ANN).hand is None
    event = CardsDrawn(ANN, 1, (ann("flat_car"),))
    assert redact(event, ANN, BOB) == CardsDrawn(ANN, 1, UNSET)


def test_only_its_owner_sees_the_contents_of_a_deck():
    """GTJ 18.3"""
    assert seen(RICH, BOB, BOB).deck is not None
    assert seen(RICH, ANN, BOB).deck is None


def test_cards_put_on_top_are_open_with_their_order():
    """GTJ 18.3"""
    two = RICH.then(TerminalBuilt(BOB, "quebec", 2, "deck_top"))
    assert seen(two, ANN, BOB).top == seen(two, BOB, BOB).top == (bob("quebec"), bob("boston"))
    assert not set(seen(two, ANN, BOB).top) & set(seen(two, ANN, BOB).hidden)
    gone = two.then(drawn(BOB, "quebec"))
    assert seen(gone, ANN, BOB).top == (bob("boston"),)
    assert bob("quebec") in seen(gone, ANN, BOB).hidden


def test_discard_piles_are_open_and_have_no_order():
    """GTJ 18.4"""
    assert seen(RICH, BOB, ANN).discard == seen(RICH, ANN, ANN).discard != ()
    one = given(
        OPENING, moved(ANN, "watertown", "watertown", "burlington", 0), TerminalBuilt(BOB, "boston", 2, "discard")
    )
    other = given(
        OPENING, TerminalBuilt(BOB, "boston", 2, "discard"), moved(ANN, "watertown", "watertown", "burlington", 0)
    )
    assert seen(one, BOB, ANN).discard == seen(other, BOB, ANN).discard


def test_a_face_down_slot_has_no_token():
    """GTJ 18.5, 2.5"""
    slot = TITLE.rules.view(given(OPENING).state, ANN).contracts[2]
    assert (slot.length, slot.first_day, slot.last_day, slot.vp) == (3, 10, 12, 4)
    assert (slot.token, slot.city, slot.good) == (None, None, None)


def test_sealed_choices():
    """GTJ 18.6"""
    chosen = given(dealt(3), FirstRailcarChosen(ANN, ann("hopper_car"), "iron"))
    assert seen(chosen, ANN, ANN).choice == (ann("hopper_car"), "iron")
    assert (seen(chosen, BOB, ANN).choice, seen(chosen, BOB, ANN).chosen) == (None, True)
    assert redact(FirstRailcarChosen(ANN, ann("hopper_car"), "iron"), ANN, BOB) == FirstRailcarChosen(ANN)
    assert redact(ChooseFirstRailcar(ann("hopper_car"), "iron"), ANN, BOB) == ChooseFirstRailcar()
    replaced = chosen.then(FirstRailcarReplaced(ANN, ann("flat_car"), "wood"))
    for viewer in (BOB, 3, None):
        assert TITLE.rules.view(replaced.state, viewer) == TITLE.rules.view(chosen.state, viewer)
        assert redact(FirstRailcarReplaced(ANN, ann("flat_car"), "wood"), ANN, viewer) is None


def test_legal_actions_depend_on_the_view_alone():
    """GTJ 18.7: the same view, imagined anew, has the same actions and refusals."""
    view = TITLE.rules.view(RICH.state, ANN)
    worlds = [TITLE.rules.imagine(view, FreeChance(random.Random(seed))) for seed in range(8)]
    assert len({msgspec.json.encode(sorted(world.seats[BOB].hand)) for world in worlds}) > 1
    assert all(TITLE.rules.actions(world, ANN) == TITLE.rules.actions(RICH.state, ANN) for world in worlds)


def over():
    late = given(opening(order=(BOB, ANN)), spent(BOB, 0, 37), EndBegun(BOB, 37), ended(BOB, 37, True))
    return late.when(ANN, Pass()).after


def test_when_the_game_is_over_everything_is_open():
    """GTJ 18.8"""
    views = [TITLE.rules.view(over().state, viewer) for viewer in (ANN, BOB, None)]
    assert views[0].seats == views[1].seats == views[2].seats
    assert all(seat.hand is not None and seat.deck is not None for seat in views[2].seats)
