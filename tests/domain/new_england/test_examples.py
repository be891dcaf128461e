"""The worked examples of the rule text, through the whole decision."""

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import LINKS
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    CYD,
    NO_LOANS,
    TO_THE_LOT,
    auction,
    cash,
    debt,
    given,
    income,
    network,
    opening,
    shipping,
)

JOHN, DAVE, PETE = ANN, BOB, CYD


def test_the_example_of_a_forced_loan_holds():
    """NER 4.3, 5.2: $1 in cash and a loan of $10; $10 are borrowed; of the $11 the service takes $4."""
    position = given(opening(), debt(cyd=10), cash(cyd=-9), NO_LOANS)
    position.when(CYD, do.TakeLoan(0)).then_refused("NER 4.4")
    outcome = position.when(CYD, do.TakeLoan(10), TO_THE_LOT)
    outcome.then_includes(happened.LoanTaken(CYD, 10), happened.DebtServiced(CYD, 4))
    assert outcome.after.state.seats[CYD].cash == 7
    assert outcome.after.state.seats[CYD].debt == 20


def test_the_example_of_a_build_roll_holds():
    """NER 10.13: Boston–Providence is a 5, 1 and 3 are rolled: $1 is missing."""
    assert LINKS[BP].number == 5
    position = given(
        opening(),
        auction(),
        happened.BidPlaced(JOHN, BP, 1, by_proxy=False),
        happened.BidderPassed(DAVE, BP, "choice", by_proxy=False),
    )
    outcome = position.when(PETE, do.PassBid(BP), [1, 3])
    outcome.then_includes(happened.BuildDiceRolled(BP, JOHN, (1, 3), 1))
    outcome.after.when(JOHN, do.PayShortfall(BP)).then_includes(
        happened.ShortfallPaid(JOHN, BP, 1, by_build_limit=False), happened.LinkBuilt(BP, JOHN, "payment")
    )


def test_the_example_of_a_shipment_holds():
    """NER 11.10: blue from Boston by Providence, Plainfield and Hartford to New Haven."""
    owners = {
        JOHN: ("boston__providence", "hartford__new_haven"),
        DAVE: ("hartford__plainfield",),
        PETE: ("plainfield__providence",),
    }
    position = given(opening(), network(owners), shipping(("A", PETE), ("B", JOHN)))
    path = ("boston", "providence", "plainfield", "hartford", "new_haven")
    outcome = position.when(PETE, do.ShipCube("blue", path))
    outcome.then_includes(happened.CubeShipped(PETE, "blue", path, ((JOHN, 2), (DAVE, 1), (PETE, 1))))


def test_the_example_of_a_market_holds():
    """NER 12.2: 4 and 1 make the loss number 6; incomes of 19, 14 and 18 lose 3, 2 and 3."""
    position = given(
        opening(), network({JOHN: ("boston__fitchburg",)}), income(ann=19, bob=14, cyd=18), shipping(("B", JOHN))
    )
    outcome = position.when(JOHN, do.SkipShipment(), [4, 1])
    outcome.then_includes(
        happened.MarketDiceRolled((4, 1), 6),
        happened.IncomeLost(JOHN, 3),
        happened.IncomeLost(DAVE, 2),
        happened.IncomeLost(PETE, 3),
        happened.IncomePaid(JOHN, 16),
    )
