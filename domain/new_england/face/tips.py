"""The tips of New England Railways, the most important first.

From turn 3 on, the number of the turn chooses among the general ones, so that they take turns.
"""

from pathlib import Path

from domain.new_england.board import LINKS
from domain.new_england.state import AUCTION, LOANS, RETIREMENT, SHIPPING
from domain.new_england.view import NewEnglandView
from domain.tips import Tip, usual
from domain.words import Sentence

USUAL = usual(Path(__file__).parents[1] / "data")


# ==== loans and paying back =======================================================================
def _must_borrow(view: NewEnglandView) -> Sentence | None:
    own = view.own
    if view.step != LOANS or own is None or not own.least_loan:
        return None
    return Sentence(
        "Your cash does not cover this turn's debt service, so you must borrow at least ${least}.",
        {"least": own.least_loan},
    )


def _first_loan(view: NewEnglandView) -> Sentence | None:
    own = view.own
    if view.step != LOANS or own is None or view.turn > 1:
        return None
    return Sentence(
        "You can borrow only in this step, and you bid with cash. Without a loan you have ${cash}.", {"cash": own.cash}
    )


def _cost_of_debt(view: NewEnglandView) -> Sentence | None:
    if view.step != LOANS or view.turn % 2:
        return None
    return Sentence("Each $10 of debt costs you $2 now and in every later turn, and $12 at the end.")


def _sealed(view: NewEnglandView) -> Sentence | None:
    if view.step != LOANS:
        return None
    return Sentence("Nobody sees your choice before all have chosen. Until then you can change it.")


def _saved(view: NewEnglandView) -> Sentence | None:
    if view.step != RETIREMENT or not view.turn % 2:
        return None
    return Sentence("Each $10 that you pay back saves you $2 in every later turn, and $12 at the end.")


def _cash_for_bids(view: NewEnglandView) -> Sentence | None:
    if view.step != RETIREMENT:
        return None
    return Sentence("The auctions come next. You bid with the cash that you keep, and you cannot borrow before then.")


# ==== auction and building ========================================================================
def _shortfall(view: NewEnglandView) -> Sentence | None:
    lot = view.lot
    if lot is None or lot.shortfall is None:
        return None
    return Sentence(
        "If you pay ${shortfall}, {link} is built now and can earn in this turn. Otherwise it is built next turn, for "
        "nothing.",
        {"shortfall": lot.shortfall, "link": lot.link},
    )


def _alone(view: NewEnglandView) -> Sentence | None:
    lot = view.lot
    if lot is None or lot.bidder is not None:
        return None
    out = {view.seat, *lot.passed, *view.bought, *(it.seat for it in view.seats if it.left)}
    if len(out) < len(view.seats):
        return None
    return Sentence(
        "All others are out, so $1 buys {link}. If you pass, too, the link leaves the game.", {"link": lot.link}
    )


def _last_links(view: NewEnglandView) -> Sentence | None:
    if view.step != AUCTION or view.link_deck or view.future:
        return None
    return Sentence("No links come after these. As soon as all bought links are built, the turn is the last.")


def _final_pass(view: NewEnglandView) -> Sentence | None:
    lot = view.lot
    if lot is None or lot.bidder is None or view.turn > 2:
        return None
    return Sentence("A pass is final: afterwards you cannot bid for {link} any more.", {"link": lot.link})


def _build_number(view: NewEnglandView) -> Sentence | None:
    lot = view.lot
    if lot is None or view.turn > 1:
        return None
    return Sentence(
        "The buyer of {link} rolls two dice: {number} or more builds it at once. Otherwise the buyer pays the "
        "difference, or waits a turn.",
        {"link": lot.link, "number": LINKS[lot.link].number},
    )


def _usual_price(view: NewEnglandView) -> Sentence | None:
    if view.lot is None or view.turn % 4 != 2:
        return None
    return Sentence(
        "The highest bid buys the link. In a whole game, bots pay about ${price} for a link.",
        {"price": USUAL.of("price", len(view.seats))},
    )


def _proxy(view: NewEnglandView) -> Sentence | None:
    lot = view.lot
    if lot is None or not view.turn % 2:
        return None
    return Sentence(
        "You can leave a proxy for {link}. It bids $1 more than the others for you, up to your maximum.",
        {"link": lot.link},
    )


def _two_shipments(view: NewEnglandView) -> Sentence | None:
    if view.lot is None:
        return None
    return Sentence("If you buy no link in this turn, you can ship twice instead of once.")


# ==== shipping ====================================================================================
def _last_income(view: NewEnglandView) -> Sentence | None:
    if view.step != SHIPPING or not view.last_turn:
        return None
    return Sentence(
        "Income is paid for the last time in this turn. Then cash and links count, less $12 for each $10 of debt."
    )


def _no_track(view: NewEnglandView) -> Sentence | None:
    if view.step != SHIPPING or any(it.owner == view.seat and it.where == "built" for it in view.links):
        return None
    return Sentence(
        "None of your links is built, so a shipment raises only the income of others. You may ship nothing."
    )


def _first_round(view: NewEnglandView) -> Sentence | None:
    if view.step != SHIPPING or view.opportunities[0] != ("A", view.seat):
        return None
    return Sentence("You bought no link in this turn, so you can ship twice: now, and again in round B.")


def _income(view: NewEnglandView) -> Sentence | None:
    if view.step != SHIPPING or view.turn > 2:
        return None
    return Sentence("Each link on the way raises its owner's income by 1, whoever ships. Income is paid in every turn.")


def _way(view: NewEnglandView) -> Sentence | None:
    if view.step != SHIPPING or not view.turn % 2:
        return None
    return Sentence("A cube travels over one to five built links. It stops in the first city that demands its colour.")


def _market(view: NewEnglandView) -> Sentence | None:
    if view.step != SHIPPING:
        return None
    return Sentence("After shipping, the market takes a part of every income: at most a third, rounded down.")


TIPS = (
    Tip("NER 4.4", _must_borrow),
    Tip("NER 3.4", _first_loan),
    Tip("NER 5.1", _cost_of_debt),
    Tip("NER 19.4", _sealed),
    Tip("NER 5.1", _saved),
    Tip("NER 3.4", _cash_for_bids),
    Tip("NER 10.13", _shortfall),
    Tip("NER 10.8", _alone),
    Tip("NER 15.1", _last_links),
    Tip("NER 10.6", _final_pass),
    Tip("NER 10.12", _build_number),
    Tip("NER 10.7", _usual_price),
    Tip("NER 20.4", _proxy),
    Tip("NER 11.1", _two_shipments),
    Tip("NER 16.1", _last_income),
    Tip("NER 11.10", _no_track),
    Tip("NER 11.1", _first_round),
    Tip("NER 11.10", _income),
    Tip("NER 11.9", _way),
    Tip("NER 12.2", _market),
)
