"""The list of legal actions: each of them, its words, the amounts left open, and the actions that forms fold away.

The chapters show which commands are legal; each test there asks the list as well (`tests.spec`).
"""

import pytest

from domain.new_england import TITLE
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import CITIES, COLOURS, LINKS, LINKS_AT
from domain.new_england.decide import ANSWERS
from domain.new_england.now import Now
from domain.new_england.state import LOANS
from domain.rules import Span
from domain.words import say
from tests.contract.games import is_listed
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
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

PROXY_BP, PROXY_BW = do.SetProxyBid(BP, 0), do.SetProxyBid(BW, 0)
LIMIT_BP, LIMIT_BW = do.SetBuildLimit(BP, 0), do.SetBuildLimit(BW, 0)


def listed(position, seat=ANN):
    """Return (command, sentence, amounts left open) of each action; those folded away come last."""
    found = TITLE.rules.actions(position.state, seat)
    lines = [(each.command, say(each.sentence, TITLE.face.words.english, str), each.span) for each in found]
    return (
        [line for line, each in zip(lines, found, strict=True) if not each.aside],
        [line for line, each in zip(lines, found, strict=True) if each.aside],
    )


def entry(command, words):
    field = "maximum" if isinstance(command, do.SetProxyBid) else "amount"
    return command, words, Span(field, 0, 1000)


def shipped(colour, *path):
    start, *through, end = (CITIES[city].name for city in path)
    said = f" through {' and '.join(through)}" if through else ""
    return do.ShipCube(colour, path), f"Ship a {colour} cube from {start} to {end}{said}", None


ENTRIES = [
    entry(PROXY_BP, "Leave a proxy for Boston–Providence"),
    entry(LIMIT_BP, "Set a build limit for Boston–Providence"),
    entry(PROXY_BW, "Leave a proxy for Boston–Worcester"),
    entry(LIMIT_BW, "Set a build limit for Boston–Worcester"),
]
"""The entries that can be left while nothing has been sold."""


def test_step_one_lists_loans_and_folds_later_answers_away():
    """NER 4.1, 19.5, 20.2: a loan from the minimum; later answers are folded away."""
    borrow = (do.TakeLoan(0), "Borrow", Span("amount", 0, 1000, 10))
    back = (do.RetireDebt(0), "Decide now what to pay back in step 3", Span("amount", 0, 1000, 10))
    assert listed(given(opening())) == ([borrow], [back, *ENTRIES])
    assert listed(given(opening()), CYD) == ([borrow], [back, *ENTRIES]), "nobody waits for another's answer"
    poor = given(opening(), debt(ann=10), cash(ann=-9))
    assert listed(poor)[0] == [(do.TakeLoan(10), "Borrow", Span("amount", 10, 1000, 10))]


def test_no_loan_is_listed_if_the_least_exceeds_an_answer():
    """NER 4.2"""
    just = given(opening(), debt(ann=4040))
    assert listed(just)[0] == [(do.TakeLoan(1000), "Borrow", Span("amount", 1000, 1000, 10))]
    assert listed(given(opening(), debt(ann=4090)))[0] == []


def test_step_three_lists_repayments_up_to_debt_and_cash():
    """NER 6.2, 6.3: up to debt and cash."""
    owing = given(opening(), debt(ann=30, bob=30), cash(ann=15), retirement())
    assert listed(owing) == ([(do.RetireDebt(0), "Pay back", Span("amount", 0, 20, 10))], ENTRIES)
    assert listed(owing, CYD) == ([], ENTRIES)


def test_a_rich_seat_can_repay_at_most_a_thousand():
    """NER 4.2: an answer says $1,000 at most."""
    owing = given(opening(), debt(ann=1500), cash(ann=1500), retirement())
    assert listed(owing)[0] == [(do.RetireDebt(0), "Pay back", Span("amount", 0, 1000, 10))]


def test_an_asked_bidder_can_pass_or_bid():
    """NER 10.4 to 10.6, 20.2: pass, or bid from a dollar more to all the cash; entries for it are not folded away."""
    position = given(opening(), auction(), happened.BidPlaced(ANN, BP, 3, by_proxy=False))
    now = [
        (do.PassBid(BP), "Pass on Boston–Providence", None),
        (do.PlaceBid(BP, 4), "Bid on Boston–Providence", Span("amount", 4, 10)),
        *ENTRIES[:2],
    ]
    assert listed(position, BOB) == (now, ENTRIES[2:])
    assert listed(position, CYD) == (ENTRIES[:2], ENTRIES[2:]), "it is not asked"


def test_an_asked_buyer_can_pay_the_shortfall_or_not():
    """NER 10.13, 20.13: pay or leave; a limit that one may set besides; no proxies, for it has bought its link."""
    position = given(opening(), auction(), sold(ANN, roll=(1, 1)))
    now = [
        (do.PayShortfall(BP), "Pay $3 and build Boston–Providence now", None),
        (do.LeaveUnbuilt(BP), "Leave Boston–Providence unbuilt until next turn", None),
    ]
    assert listed(position) == (now, [entry(LIMIT_BP, "Set a build limit for Boston–Providence")])
    assert listed(position, BOB) == ([], ENTRIES[2:])


def test_entries_can_be_withdrawn():
    """NER 20.10, 20.13: by their owner, and as long as they can be left."""
    entries = [
        happened.ProxyBidSet(ANN, BP, 5),
        happened.BuildLimitSet(ANN, BW, 2),
        happened.ProxyBidSet(ANN, BW, 6),
        happened.BuildLimitSet(BOB, BP, 1),
    ]
    two = given(opening(), happened.BuildLimitSet(ANN, BW, 2), happened.BuildLimitSet(ANN, BP, 2))
    assert [line for line, *_ in listed(two)[1][-2:]] == [do.WithdrawBuildLimit(BP), do.WithdrawBuildLimit(BW)]
    position = given(opening(), entries, auction(BW))
    withdrawn = [
        (do.WithdrawProxyBid(BP), "Withdraw the proxy for Boston–Providence", None),
        (do.WithdrawProxyBid(BW), "Withdraw the proxy for Boston–Worcester", None),
        (do.WithdrawBuildLimit(BW), "Withdraw the build limit for Boston–Worcester", None),
    ]
    _, aside = listed(position)
    assert aside == [*ENTRIES[:2], *withdrawn]
    assert listed(position, BOB)[1] == [
        *ENTRIES[:2],
        (do.WithdrawBuildLimit(BP), "Withdraw the build limit for Boston–Providence", None),
    ]
    gone = position.then(happened.BidderPassed(ANN, BW, "choice", by_proxy=False))
    assert listed(gone) == ([], [*ENTRIES[:2], withdrawn[0]])


def test_an_asked_shipper_can_skip_or_ship():
    """NER 11.2, 11.13, 20.2: skip, or ship each cube along each path; the row is already the next turn's."""
    links = owned(ANN, "kingston__providence", BP, BW, "providence__worcester")
    position = given(opening(), links, happened.RowMovedDown(("boston__lowell",)), shipping(("A", BOB), ("B", ANN)))
    now, aside = listed(position, BOB)
    assert now == [
        (do.SkipShipment(), "Ship nothing", None),
        shipped("purple", "boston", "worcester"),
        shipped("purple", "boston", "providence", "worcester"),
        shipped("yellow", "kingston", "providence", "boston"),
        shipped("yellow", "kingston", "providence", "worcester", "boston"),
        shipped("purple", "providence", "worcester"),
        shipped("purple", "providence", "boston", "worcester"),
        shipped("yellow", "providence", "boston"),
        shipped("yellow", "providence", "worcester", "boston"),
        shipped("red", "worcester", "providence"),
        shipped("red", "worcester", "boston", "providence"),
    ]
    assert now[3][1] == "Ship a yellow cube from Kingston to Boston through Providence"
    assert now[1][1] == "Ship a purple cube from Boston to Worcester"
    assert listed(position)[0] == [], "it is not Ann's go"
    assert not [it for it in TITLE.rules.actions(given(opening(), links).state, ANN) if type(it.command) is do.ShipCube]
    assert aside == [
        entry(do.SetProxyBid("boston__lowell", 0), "Leave a proxy for Boston–Lowell"),
        entry(do.SetBuildLimit("boston__lowell", 0), "Set a build limit for Boston–Lowell"),
    ]


def test_no_action_is_listed_after_leaving_or_after_the_end():
    """NER 17.4, 19.10"""
    gone = given(opening(), happened.SeatLeft(ANN, "resigned"))
    assert TITLE.rules.actions(gone.state, ANN) == []
    over = gone.leaves(BOB).after
    assert over.state.step == LOANS, "it ends where it is"
    assert TITLE.rules.actions(over.state, CYD) == []
    assert TITLE.rules.asked(over.state) == ()


# ==== near misses =================================================================================
def walks(city, links):
    """Yield all ways over links from a city, built or not, back and forth, and one link longer than a path may be."""
    yield (city,)
    if links:
        for _, onward in LINKS_AT[city]:
            yield from ((city, *rest) for rest in walks(onward, links - 1))


def near_shipments(links):
    for city in ("boston", "rutland", "albany"):
        for path in {*walks(city, links), *((*it, "boston") for it in walks(city, 1)), (city, "new_haven")}:
            yield from (do.ShipCube(colour, path) for colour in COLOURS)
    yield do.ShipCube("red", ())


def near_amounts():
    for amount in (0, 1, 5, 9, 10, 11, 15, 19, 20, 21, 30, 990, 1000):
        yield do.TakeLoan(amount)
        yield do.RetireDebt(amount)
        for link in (BP, BW, "albany__rutland"):
            yield do.PlaceBid(link, amount)
            yield do.SetProxyBid(link, amount)
            yield do.SetBuildLimit(link, amount)


def near_links():
    for link in (BP, BW, "albany__rutland"):
        answers = do.PassBid, do.PayShortfall, do.LeaveUnbuilt, do.WithdrawProxyBid, do.WithdrawBuildLimit
        yield from (answer(link) for answer in answers)
    yield do.SkipShipment()


SOME_LINKS = list(LINKS)[::2]
SHIPS = shipping(("A", ANN), ("B", BOB))
NEAR = [
    (given(opening()), 0),
    (given(opening(), debt(ann=60)), 0),
    (given(opening(), debt(ann=30), cash(ann=15), retirement()), 0),
    (given(opening(), debt(ann=10, bob=40), cash(ann=45), retirement()), 0),
    (given(opening(), auction()), 0),
    (given(opening(), auction(), happened.BidPlaced(ANN, BP, 4, by_proxy=False)), 0),
    (given(opening(), happened.ProxyBidSet(ANN, BW, 4), auction(), sold(ANN, roll=(1, 1))), 0),
    (given(opening(), owned(BOB, *SOME_LINKS), SHIPS), 4),
    (given(opening(), owned(BOB, *LINKS), SHIPS), 3),
    (given(opening(), owned(ANN, *SOME_LINKS, built=False), SHIPS), 2),
    (given(opening(), owned(BOB, "boston__worcester"), SHIPS), 6),
]


@pytest.mark.parametrize(("table", "links"), NEAR)
def test_refused_commands_are_not_listed_and_listed_ones_not_refused(table, links):
    """NER 18.4 It is tried with commands just inside and just outside the rules."""
    tried = [*near_amounts(), *near_links(), *(near_shipments(links) if links else ())]
    for seat in (ANN, BOB):
        actions = TITLE.rules.actions(table.state, seat)
        plain = {it.command for it in actions if it.span is None}
        spans = [it for it in actions if it.span is not None]
        listed = {it for it in tried if it in plain or is_listed(it, spans)}
        now = Now.trial(table.state, seat)
        accepted = {it for it in tried if now.allows(ANSWERS[type(it)], it)}
        assert accepted == listed
        assert len(accepted) < len(set(tried)), "some are near misses"
