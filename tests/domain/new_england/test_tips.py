"""Each tip of New England Railways, with a position where it shows and is true."""

import pytest

from domain.new_england import events as happened
from domain.new_england.board import LINKS, MATERIAL
from domain.new_england.face.tips import TIPS, USUAL
from domain.new_england.state import RETIREMENT
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    CYD,
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
from tests.domain.tips import tip

BIDS = [happened.BidPlaced(seat, BP, amount, by_proxy=False) for seat, amount in ((ANN, 1), (BOB, 3))]
IN_DEBT = debt(ann=20, bob=10)


def passed(*seats: int) -> list[happened.BidderPassed]:
    return [happened.BidderPassed(seat, BP, "choice", by_proxy=False) for seat in seats]


def retirement_of(turn: int) -> list:
    return [*a_new_turn(turn), happened.StepBegan(2), happened.StepBegan(RETIREMENT)]


REST = tuple(link for link in LINKS if link not in MATERIAL.opening_links[:2])
LAST_LINKS = [a_new_turn(9), happened.FutureRowLaid(REST), happened.RowMovedDown(REST), auction(REST[0])]
POSITIONS = [
    (
        [a_new_turn(2), debt(ann=100), cash(ann=-5)],
        "Your cash does not cover this turn's debt service, so you must borrow at least $20. NER 4.4",
    ),
    (
        [],
        "You can borrow only in this step, and you bid with cash. Without a loan you have $10. NER 3.4",
    ),
    ([a_new_turn(2)], "Each $10 of debt costs you $2 now and in every later turn, and $12 at the end. NER 5.1"),
    ([a_new_turn(3)], "Nobody sees your choice before all have chosen. Until then you can change it. NER 19.4"),
    (
        [IN_DEBT, retirement()],
        "Each $10 that you pay back saves you $2 in every later turn, and $12 at the end. NER 5.1",
    ),
    (
        [IN_DEBT, retirement_of(2)],
        "The auctions come next. You bid with the cash that you keep, and you cannot borrow before then. NER 3.4",
    ),
    (
        [auction(), sold(ANN, price=4, roll=(1, 2))],
        "If you pay $2, Boston–Providence is built now and can earn in this turn. Otherwise it is built next turn, "
        "for nothing. NER 10.13",
    ),
    (
        [auction(), passed(BOB, CYD)],
        "All others are out, so $1 buys Boston–Providence. If you pass, too, the link leaves the game. NER 10.8",
    ),
    (
        LAST_LINKS,
        "No links come after these. As soon as all bought links are built, the turn is the last. NER 15.1",
    ),
    (
        [auction(), BIDS, passed(CYD)],
        "A pass is final: afterwards you cannot bid for Boston–Providence any more. NER 10.6",
    ),
    (
        [auction()],
        "The buyer of Boston–Providence rolls two dice: 5 or more builds it at once. Otherwise the buyer pays the "
        "difference, or waits a turn. NER 10.12",
    ),
    (
        [a_new_turn(2), auction()],
        f"The highest bid buys the link. In a whole game, bots pay about ${USUAL.of('price', 3)} for a link. NER 10.7",
    ),
    (
        [a_new_turn(3), auction()],
        "You can leave a proxy for Boston–Providence. It bids $1 more than the others for you, up to your maximum. "
        "NER 20.4",
    ),
    ([a_new_turn(4), auction()], "If you buy no link in this turn, you can ship twice instead of once. NER 11.1"),
    (
        [owned(ANN, BP), shipping(("B", ANN)), happened.LastTurnAnnounced(1, 7)],
        "Income is paid for the last time in this turn. Then cash and links count, less $12 for each $10 of debt. "
        "NER 16.1",
    ),
    (
        [owned(BOB, BP), shipping(("A", ANN), ("B", ANN))],
        "None of your links is built, so a shipment raises only the income of others. You may ship nothing. NER 11.10",
    ),
    (
        [owned(ANN, BP), shipping(("A", ANN), ("B", ANN))],
        "You bought no link in this turn, so you can ship twice: now, and again in round B. NER 11.1",
    ),
    (
        [owned(ANN, BP), shipping(("B", ANN))],
        "Each link on the way raises its owner's income by 1, whoever ships. Income is paid in every turn. NER 11.10",
    ),
    (
        [owned(ANN, BP), a_new_turn(3), shipping(("B", ANN))],
        "A cube travels over one to five built links. It stops in the first city that demands its colour. NER 11.9",
    ),
    (
        [owned(ANN, BP), a_new_turn(4), shipping(("B", ANN))],
        "After shipping, the market takes a part of every income: at most a third, rounded down. NER 12.2",
    ),
]


@pytest.mark.parametrize(("events", "says"), POSITIONS, ids=[says[:40] for _, says in POSITIONS])
def test_a_tip_shows_where_it_is_true(events, says):
    assert tip(given(opening(), *events), ANN) == says


def test_every_tip_has_a_position():
    assert len(POSITIONS) == len(TIPS)
