"""One's own sheet, the lot on offer, the rows."""

from domain.new_england import TITLE
from domain.new_england import events as happened
from domain.words import say
from tests.domain.new_england.positions import ANN, BOB, BP, auction, debt, given, opening, owned


def shelves(seat, *position):
    things = TITLE.face.things(TITLE.rules.view(given(opening(), *position).state, seat))
    return {it.name.template: it.things for it in things.shelves}


def said(it):
    return (
        TITLE.face.words.english.name(it)
        if isinstance(it, str)
        else say(it, TITLE.face.words.english, {1: "Ann", 2: "Bob", 3: "Cyd"}.get)
    )


def test_the_account_shows_cash_debt_income_and_service():
    cash, owed, income = shelves(ANN, debt(ann=20))["Your account"]
    assert [said(it.mark) for it in (cash, owed, income)] == ["$10", "$20", "0"]
    assert [said(it) for it in owed.said] == [
        "debt service each turn: $4",
    ]
    assert {it.place for it in (cash, owed)} == {"account"}


def test_only_its_own_seat_sees_a_proxy():
    """NER 18.3"""
    position = (auction(), happened.ProxyBidSet(ANN, BP, 7))
    names = [said(it.name) for it in shelves(ANN, *position)["Your account"]]
    assert "Proxy for Boston–Providence" in names
    assert shelves(BOB, *position)["On offer this turn"] == shelves(BOB, auction())["On offer this turn"]


def test_the_lot_shows_the_bidder_and_the_remaining_seats():
    """NER 10.1"""
    bids = (
        auction(),
        happened.BidPlaced(ANN, BP, 3, by_proxy=False),
        happened.BidderPassed(BOB, BP, "choice", by_proxy=False),
    )
    lot, later = shelves(ANN, *bids)["On offer this turn"]
    assert (said(lot.name), [said(it) for it in lot.said]) == (
        "Boston–Providence", ["Ann bids $3", "still in: Cyd", "passed: Bob"],
    )  # fmt: skip
    assert (later.said, said(later.mark)) == ((), "number 5")


def test_links_show_whether_they_are_built():
    built, waits = shelves(ANN, owned(ANN, "boston__lowell"), owned(ANN, "boston__fitchburg", built=False))[
        "Your links"
    ]
    assert {said(it.name): said(it.said[0]) for it in (built, waits)} == {
        "Boston–Lowell": "built", "Boston–Fitchburg": "not built yet",
    }  # fmt: skip


def test_a_seat_opens_to_its_links_and_is_compared_by_its_money():
    state = given(opening(), owned(BOB, BP, built=False), debt(bob=20)).state
    for viewer in (ANN, BOB, None):
        bob = TITLE.face.things(TITLE.rules.view(state, viewer)).seats[BOB - 1]
        (links,) = bob.shelves
        assert [(said(it.name), *map(said, it.said)) for it in links.things] == [("Boston–Providence", "not built yet")]
        assert [it if isinstance(it, int) else said(it) for it in bob.facts][1:] == ["$20", 0, 1]
