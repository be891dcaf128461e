"""NER 3: the turn."""

import pytest

from domain.new_england import TITLE
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.decide import asked
from domain.new_england.rules.loans import least_loan
from domain.words import say
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
    NO_LOANS,
    TO_THE_LOT,
    a_new_turn,
    auction,
    cash,
    debt,
    given,
    opening,
    owned,
    retirement,
    shipping,
    sold,
)


@pytest.mark.parametrize(
    ("position", "command"),
    [
        (auction(), do.TakeLoan(0)),
        (auction(), do.RetireDebt(0)),
        ([], do.PlaceBid(BP, 1)),
        ([], do.PassBid(BP)),
        ([], do.PayShortfall(BP)),
        ([], do.LeaveUnbuilt(BP)),
        (auction(), do.ShipCube("red", ("boston", "providence"))),
        (auction(), do.SkipShipment()),
        (shipping(("B", ANN)), do.PassBid(BP)),
    ],
)
def test_a_command_for_another_step_is_refused(position, command):
    """NER 3.1"""
    given(opening(), position).when(ANN, command).then_refused("NER 3.1")


def test_a_turn_has_eleven_steps_in_order():
    """NER 3.1, 3.3: nobody can ship or pay back, so one pass carries the game from step 7 to the next step 1."""
    position = given(opening(), NO_LOANS)
    first = position.when(CYD, do.TakeLoan(0), TO_THE_LOT)
    assert [event.step for event in first.only(happened.StepBegan)] == [2, 3, 4, 5, 6, 7]
    after = first.after.then(
        *(happened.BidderPassed(seat, BP, "choice") for seat in (ANN, BOB, CYD)),
        happened.LinkUnsold(BP),
        happened.LotOpened(BW),
        *(happened.BidderPassed(seat, BW, "choice") for seat in (ANN, BOB)),
    )
    second = after.when(CYD, do.PassBid(BW), [3, 4, CYD])
    assert [event.step for event in second.only(happened.StepBegan)] == [8, 9, 10, 11, 1]
    assert second.only(happened.TurnBegan) == [happened.TurnBegan(2)]


def test_each_consequence_happens_in_its_step():
    """NER 3.1: from the loans to the first lot, with a debt to serve and a link to complete."""
    position = given(opening(), debt(cyd=10), owned(BOB, "boston__fitchburg", built=False), NO_LOANS)
    outcome = position.when(CYD, do.TakeLoan(0), TO_THE_LOT)
    after_loans = outcome.events[outcome.events.index(happened.StepBegan(2)) :]
    assert [getattr(event, "step", type(event)) for event in after_loans] == [
        2, happened.DebtServiced, 3, 4, happened.GrowthCardTurned, happened.GrowthCardTurned, 5, happened.LinkBuilt,
        6, happened.FutureRowLaid, 7, happened.LotOpened,
    ]  # fmt: skip


def test_seat_order_begins_with_the_first_player():
    """NER 3.2"""
    assert given(opening(5, first=4)).state.seat_order == (4, 5, 1, 2, 3)
    assert given(opening(3, first=ANN)).state.seat_order == (1, 2, 3)


def test_steps_without_a_choice_pass_but_record_their_events():
    """NER 3.3: nobody has debt, so steps 2 and 3 stop nowhere."""
    outcome = given(opening(), NO_LOANS).when(CYD, do.TakeLoan(0), TO_THE_LOT)
    outcome.then_includes(happened.StepBegan(2), happened.StepBegan(3), happened.StepBegan(4), happened.LotOpened(BP))
    assert asked(outcome.after.state) == (ANN,)


def test_nobody_borrows_outside_step_one():
    """NER 3.4"""
    position = given(opening(), debt(ann=10), cash(ann=-5), auction())
    position.when(ANN, do.TakeLoan(10)).then_refused("NER 3.1")
    position.when(ANN, do.PlaceBid(BP, 6)).then_refused("NER 10.5")


def test_cash_is_never_negative():
    """NER 3.4: nor can a seat pay back, or pay for a shortfall, more than it has."""
    given(opening(), debt(ann=20), cash(ann=5), retirement()).when(ANN, do.RetireDebt(20)).then_refused("NER 6.3")


def test_the_first_turn_is_a_full_turn():
    """NER 3.5"""
    position = given(opening())
    assert asked(position.state) == (ANN, BOB, CYD)
    assert position.when(ANN, do.TakeLoan(10)).then(happened.LoanAnswerSealed(ANN, 10))
    outcome = position.then(NO_LOANS).when(CYD, do.TakeLoan(0), TO_THE_LOT)
    outcome.then_without(happened.LinkBuilt)
    assert happened.StepBegan(5) in outcome.events


def test_every_step_for_all_seats_uses_seat_order():
    """NER 3.2: service, for one."""
    position = given(opening(first=BOB), debt(ann=10, bob=10, cyd=10), NO_LOANS)
    outcome = position.when(CYD, do.TakeLoan(0), TO_THE_LOT)
    assert [event.seat for event in outcome.only(happened.DebtServiced)] == [BOB, CYD, ANN]


def test_the_second_turn_asks_for_loans_again():
    """NER 3.1"""
    position = given(opening(), a_new_turn())
    assert asked(position.state) == (ANN, BOB, CYD)
    assert least_loan(position.state.seats[ANN]) == 0


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ([], "everyone chooses a loan in secret"),
        (retirement(), "everyone with debt decides in secret how much to repay"),
        (auction(), "first to bid on Boston–Providence"),
        (
            (auction(), happened.BidderPassed(ANN, BP, "choice")),
            "next to bid on Boston–Providence (no bid yet)",
        ),
        (
            (auction(), happened.BidPlaced(ANN, BP, 3, by_proxy=False)),
            "next to bid on Boston–Providence (high bid $3)",
        ),
        ((auction(), sold(ANN, roll=(1, 2))), "Boston–Providence is bought, but $2 short of being built"),
        (shipping(("B", ANN)), "next to ship, with everybody (round B)"),
    ],
)
def test_the_view_says_why_a_seat_is_asked(position, why):
    """NER 19.2, 19.3"""
    before = debt(ann=10) if position == retirement() else []
    sentence = TITLE.face.why_asked(TITLE.rules.view(given(opening(), before, position).state, CYD))
    assert say(sentence, TITLE.face.words.english, str) == why
