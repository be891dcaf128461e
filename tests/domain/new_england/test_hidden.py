"""NER 18: open and hidden. (A contract test shows that nothing a seat receives depends on facts hidden from it.)"""

import msgspec
import pytest

from domain.chance import NOBODY, ChanceAsked, NoChance
from domain.messages import own_fields, redact
from domain.new_england import TITLE
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.decide import actions
from domain.new_england.view import view
from tests.contract.games import RandomGame
from tests.domain.new_england.positions import ANN, BOB, BP, BW, CYD, auction, debt, given, opening
from tests.domain.new_england.table import Table

ENTRIES = [
    happened.LoanAnswerSealed(ANN, 30),
    happened.AdvanceRetirementSealed(ANN, 20),
    happened.ProxyBidSet(ANN, BP, 7),
    happened.BuildLimitSet(ANN, BW, 3),
]


def test_the_table_is_open_to_all():
    """NER 18.1: also to a spectator."""
    seen = view(given(opening(), debt(bob=20), auction()).state, None)
    assert (seen.first, seen.turn, seen.step, seen.row, seen.future) == (ANN, 1, 7, (BP, BW), ())
    assert [(seat.cash, seat.debt, seat.income) for seat in seen.seats] == [(10, 0, 0), (10, 20, 0), (10, 0, 0)]
    assert next(city for city in seen.cities if city.id == "boston").cubes == {"blue": 1, "purple": 1}
    assert sum(seen.cup.values()) == 35
    assert next(link for link in seen.links if link.id == BP).where == "lot"


def test_no_fact_is_hidden_from_everybody():
    """NER 18.2: the contents of decks and cup are open, and have no order."""
    seen = view(given(opening()).state, None)
    assert len(seen.link_deck) == 28
    assert list(seen.link_deck) == sorted(seen.link_deck)
    assert list(seen.growth_deck) == sorted(seen.growth_deck)
    assert len(seen.growth_deck) == 30


def test_only_its_own_seat_sees_hidden_entries():
    """NER 18.3, 20.12"""
    state = given(opening(), ENTRIES).state
    own = view(state, ANN).own
    assert (own.sealed, own.advance, own.proxies, own.limits) == (30, 20, {BP: 7}, {BW: 3})
    for viewer in (BOB, CYD, None):
        seat = view(state, viewer).seats[0]
        assert seat.answered, "that an answer was given is open"
        assert (seat.sealed, seat.advance, seat.proxies, seat.limits) == (None, None, None, None)


def test_only_its_own_seat_sees_hidden_events_and_fields():
    """NER 18.3: replacing and withdrawing are hidden too; a sealed answer and a proxy's bid hide only a field."""
    hidden = {kind.__name__ for kind in TITLE.rules.events if kind.HIDDEN}
    assert hidden == {
        "LoanAnswerReplaced", "RetirementAnswerReplaced", "AdvanceRetirementSealed", "AdvanceRetirementReplaced",
        "AdvanceRetirementDropped", "ProxyBidSet", "ProxyBidReplaced", "ProxyBidWithdrawn", "BuildLimitSet",
        "BuildLimitReplaced", "BuildLimitWithdrawn", "EntryAnswered",
    }  # fmt: skip
    assert {kind.__name__: own_fields(kind) for kind in TITLE.rules.events if own_fields(kind)} == {
        "LoanAnswerSealed": ("amount",), "RetirementAnswerSealed": ("amount", "in_advance"),
        "BidPlaced": ("by_proxy",), "BidderPassed": ("by_proxy",), "ShortfallPaid": ("by_build_limit",),
        "LinkLeftUnbuilt": ("by_build_limit",),
    }  # fmt: skip
    bid = happened.BidPlaced(ANN, BP, 3, by_proxy=True)
    assert redact(bid, ANN, BOB) == happened.BidPlaced(ANN, BP, 3)
    assert redact(bid, ANN, ANN) == bid


def test_no_preview_reveals_a_proxy():
    """NER 18.4: whether Bob has left one or not, the effect of Ann's bid cannot be foreseen."""
    for entries in ([], [happened.ProxyBidSet(BOB, BP, 7)]):
        state = given(opening(), entries, auction()).state
        with pytest.raises(ChanceAsked):
            TITLE.rules.decide(state, ANN, do.PlaceBid(BP, 1), NoChance())


def test_legal_commands_do_not_depend_on_hidden_entries():
    """NER 18.4"""
    for entries in ([], [happened.ProxyBidSet(BOB, BP, 7), happened.BuildLimitSet(CYD, BP, 7)]):
        listed = actions(given(opening(), entries, auction()).state, ANN)
        assert listed == actions(given(opening(), auction()).state, ANN)


def test_when_the_game_is_over_everything_is_open():
    """NER 18.5"""
    state = given(opening(), ENTRIES, happened.GameWon((ANN,))).state
    assert view(state, None).seats[0].sealed == 30
    assert view(state, BOB).seats[0].proxies == {BP: 7}


def test_the_whole_log_can_be_read_after_the_end():
    """NER 18.5: with the secret every hidden entry, and every one that was replaced, can be read."""
    table = Table()
    table.give(ANN, do.SetProxyBid(BP, 5))
    replaced = table.give(ANN, do.SetProxyBid(BP, 8))
    stored = TITLE.chain.store(replaced, b"\0" * 32, "a-game", table.secret)
    assert b"8" not in stored.open
    assert b"SetProxyBid" not in stored.open
    assert TITLE.chain.decode(stored.open, stored.sealed).events == (happened.ProxyBidReplaced(ANN, BP, 8),)


def test_no_order_of_a_deck_is_in_the_log_or_the_state():
    """NER 18.2, 19.6: nor an index that reveals one; the event that shows a draw names it."""
    game = RandomGame(TITLE, 5, mischief=False)
    for step in game.steps():
        for draw in step.ply.draws:
            assert draw.seat is None
            assert draw.seat != NOBODY
    assert isinstance(game.plies, list)
    assert msgspec.json.encode(view(game.game.state, None))
