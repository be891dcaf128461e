"""The events in sentences: one for each event that a player would mention, none for bookkeeping.

`narrate` describes one ply from its events, as far as its reader may see them; `hand` and `standing` describe a view.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import UNSET

from domain import house_words, lifecycle
from domain.messages import Event
from domain.new_england import events as happened
from domain.new_england.state import LOANS, RETIREMENT
from domain.new_england.view import NewEnglandView, SeatView
from domain.words import Sentence

STEPS = (
    "loans", "service", "retirement", "growth", "completion", "future_links", "auction", "shipping", "market", "income",
    "first_player",
)  # fmt: skip
"""The ids of the eleven steps, which have names in both languages."""


LETTERS = "ABCDEF"
"""A seat's letter on the board."""


def narrate(events: Sequence[Event]) -> list[Sentence]:
    """Return sentences for the events of one ply. A run of events of the same kind may share one sentence."""
    told: list[Sentence] = []
    kind: type[Event]
    for kind, run in groupby(events, key=type):
        same = list(run)
        if issubclass(kind, lifecycle.EVENTS):
            for event in same:
                told += house_words.narrate(event)
        elif kind in TOLD_TOGETHER:
            told += TOLD_TOGETHER[kind](same)
        elif kind in TELLERS:
            for event in same:
                told += TELLERS[kind](event)
    return told


# ==== NER 2 and 3: setup and turns ================================================================
def _opening_cubes_drawn(event: happened.OpeningCubesDrawn) -> list[Sentence]:
    return [Sentence("The first cubes are drawn.")]


def _opening_row_laid(event: happened.OpeningRowLaid) -> list[Sentence]:
    return [Sentence("Links on offer: {links}.", {"links": event.links})]


def _first_player_drawn(event: happened.FirstPlayerDrawn) -> list[Sentence]:
    return [Sentence("{first_seat} is drawn by lot as first player.", {"first_seat": event.first})]


def _turn_began(event: happened.TurnBegan) -> list[Sentence]:
    return [Sentence("Turn {turn} begins.", {"turn": event.turn})]


# ==== NER 4 to 6: loans, service, retirement ======================================================
def _loan_answer_sealed(event: happened.LoanAnswerSealed) -> list[Sentence]:
    if event.amount is UNSET:
        return [Sentence("{seat} has decided on a loan.", {"seat": event.seat})]
    return [Sentence("{seat} secretly chooses a loan of ${amount}.", {"seat": event.seat, "amount": event.amount})]


def _loan_answer_replaced(event: happened.LoanAnswerReplaced) -> list[Sentence]:
    return [Sentence("{seat} now secretly chooses a loan of ${amount}.", {"seat": event.seat, "amount": event.amount})]


def _answers_opened(event: happened.AnswersOpened) -> list[Sentence]:
    return [Sentence("All choices on {step} are revealed.", {"step": STEPS[event.step - 1]})]


def _loan_taken(event: happened.LoanTaken) -> list[Sentence]:
    return [Sentence("{seat} borrows ${amount}.", {"seat": event.seat, "amount": event.amount})]


def _debts_serviced(events: Sequence[happened.DebtServiced]) -> list[Sentence]:
    return [
        Sentence("{seat} pays ${amount} in debt service.", {"seat": each.seat, "amount": each.amount})
        for each in events
    ]


def _retirement_answer_sealed(event: happened.RetirementAnswerSealed) -> list[Sentence]:
    if event.amount is UNSET:
        return [Sentence("{seat} has decided how much to pay back.", {"seat": event.seat})]
    return [Sentence("{seat} secretly chooses to pay back ${amount}.", {"seat": event.seat, "amount": event.amount})]


def _retirement_answer_replaced(event: Any) -> list[Sentence]:
    return [
        Sentence("{seat} now secretly chooses to pay back ${amount}.", {"seat": event.seat, "amount": event.amount})
    ]


def _advance_sealed(event: Any) -> list[Sentence]:
    facts = {"seat": event.seat, "amount": event.amount}
    return [Sentence("{seat} will pay back ${amount} in step 3 if that is possible then.", facts)]


def _advance_dropped(event: happened.AdvanceRetirementDropped) -> list[Sentence]:
    return [Sentence("{seat} cannot pay back the planned amount and pays back nothing.", {"seat": event.seat})]


def _debt_retired(event: happened.DebtRetired) -> list[Sentence]:
    return [Sentence("{seat} pays back ${amount}.", {"seat": event.seat, "amount": event.amount})]


# ==== NER 7 to 9: growth, completion, future links ================================================
def _growth_cards_turned(events: Sequence[happened.GrowthCardTurned]) -> list[Sentence]:
    """Name all cubes of the turn in one sentence, and the cities that got none in another."""
    cubes = [cube for event in events for cube in event.cubes]
    got = tuple(f"cube.{colour}.{city}" for city, colour in cubes if colour is not None)
    without = tuple(city for city, colour in cubes if colour is None)
    told = [Sentence("New cubes: {cubes}.", {"cubes": got})] if got else []
    if without:
        told.append(Sentence("The cup is empty. There are no cubes for {cities}.", {"cities": without}))
    return told


def _links_built(events: Sequence[happened.LinkBuilt]) -> list[Sentence]:
    facts = [{"seat": each.seat, "link": each.link} for each in events]
    return [
        Sentence("{seat} completes {link}.", fact)
        if each.by == "completion"
        else Sentence("{seat} builds {link}.", fact)
        for each, fact in zip(events, facts, strict=True)
    ]


def _future_row_laid(event: happened.FutureRowLaid) -> list[Sentence]:
    return [Sentence("The next turn will offer {links}.", {"links": event.links})]


# ==== NER 10: auction and building ================================================================
def _lot_opened(event: happened.LotOpened) -> list[Sentence]:
    return [Sentence("The auction of {link} begins.", {"link": event.link})]


def _bid_placed(event: happened.BidPlaced) -> list[Sentence]:
    facts = {"seat": event.seat, "link": event.link, "amount": event.amount}
    if event.by_proxy is True:
        return [Sentence("By proxy, {seat} bids ${amount} for {link}.", facts)]
    return [Sentence("{seat} bids ${amount} for {link}.", facts)]


def _bidder_passed(event: happened.BidderPassed) -> list[Sentence]:
    if event.cause in ("has_bought", "cannot_pay"):
        return []  # nobody expects a bid from this seat
    facts = {"seat": event.seat, "link": event.link}
    if event.cause == "safe_answer":
        return [Sentence("{seat} stops bidding.", facts)]
    if event.by_proxy is True:
        return [Sentence("By proxy, {seat} passes on {link}.", facts)]
    return [Sentence("{seat} passes on {link}.", facts)]


def _link_sold(event: happened.LinkSold) -> list[Sentence]:
    facts = {"seat": event.seat, "link": event.link, "price": event.price}
    return [Sentence("{seat} buys {link} for ${price}.", facts)]


def _link_unsold(event: happened.LinkUnsold) -> list[Sentence]:
    return [Sentence("Nobody wants {link}, so it is removed from the game.", {"link": event.link})]


def _build_dice_rolled(event: happened.BuildDiceRolled) -> list[Sentence]:
    facts = {"seat": event.seat, "roll": sum(event.dice), "shortfall": event.shortfall}
    if event.shortfall:
        return [Sentence("{seat} rolls {roll}, which is ${shortfall} short.", facts)]
    return [Sentence("{seat} rolls {roll}, which is enough.", facts)]


def _shortfall_paid(event: happened.ShortfallPaid) -> list[Sentence]:
    facts = {"seat": event.seat, "amount": event.amount}
    if event.by_build_limit is True:
        return [Sentence("{seat} pays the missing ${amount}, within the build limit.", facts)]
    return [Sentence("{seat} pays the missing ${amount}.", facts)]


def _link_left_unbuilt(event: happened.LinkLeftUnbuilt) -> list[Sentence]:
    return [Sentence("{seat} waits to build {link} until the next turn.", {"seat": event.seat, "link": event.link})]


def _last_turn_announced(event: happened.LastTurnAnnounced) -> list[Sentence]:
    return [Sentence("Turn {turn} is the last.", {"turn": event.turn})]


# ==== NER 11 to 14: shipping, market, income, first player ========================================
def _cube_shipped(event: happened.CubeShipped) -> list[Sentence]:
    facts: dict[str, Any] = {"seat": event.seat, "colour": event.colour, "city": event.path[0], "end": event.path[-1]}
    told = [Sentence("{seat} ships a {colour} cube from {city} to {end}.", facts)]
    told += [Sentence("{seat} gains {gain} income.", {"seat": seat, "gain": gain}) for seat, gain in event.gains]
    return told


def _shipment_skipped(event: happened.ShipmentSkipped) -> list[Sentence]:
    if event.cause == "nothing_legal":
        return []
    return [Sentence("{seat} ships nothing.", {"seat": event.seat})]


def _market_dice_rolled(event: happened.MarketDiceRolled) -> list[Sentence]:
    return [Sentence("The market: the loss number is {number}.", {"number": event.loss_number})]


def _incomes_lost(events: Sequence[happened.IncomeLost]) -> list[Sentence]:
    return [Sentence("{seat} loses {loss} income.", {"seat": each.seat, "loss": each.amount}) for each in events]


def _incomes_paid(events: Sequence[happened.IncomePaid]) -> list[Sentence]:
    return [
        Sentence("{seat} receives ${amount} in income.", {"seat": each.seat, "amount": each.amount}) for each in events
    ]


def _first_player_named(event: happened.FirstPlayerNamed) -> list[Sentence]:
    return [Sentence("{seat} is the first player.", {"seat": event.seat})]


# ==== NER 20: proxies and build limits ============================================================
def _proxy_set(event: Any) -> list[Sentence]:
    facts = {"seat": event.seat, "link": event.link, "maximum": event.maximum}
    return [Sentence("{seat} leaves a proxy for {link}: up to ${maximum}.", facts)]


def _proxy_withdrawn(event: happened.ProxyBidWithdrawn) -> list[Sentence]:
    return [Sentence("{seat} withdraws the proxy for {link}.", {"seat": event.seat, "link": event.link})]


def _limit_set(event: Any) -> list[Sentence]:
    facts = {"seat": event.seat, "link": event.link, "amount": event.amount}
    return [Sentence("{seat} sets a build limit for {link}: up to ${amount}.", facts)]


def _limit_withdrawn(event: happened.BuildLimitWithdrawn) -> list[Sentence]:
    return [Sentence("{seat} withdraws the build limit for {link}.", {"seat": event.seat, "link": event.link})]


# ==== NER 15 to 17, 19: the end ===================================================================
def _seat_left(event: happened.SeatLeft) -> list[Sentence]:
    return [Sentence("The railway of {seat} carries on without its player.", {"seat": event.seat})]


def _final_account_drawn(event: happened.FinalAccountDrawn) -> list[Sentence]:
    return [_account(*account) for account in event.accounts]


def _account(seat: int, cash: int, values: int, debt: int, total: int, _place: int | None) -> Sentence:
    facts = {"seat": seat, "cash": cash, "values": values, "debt": debt, "total": abs(total)}
    if total < 0:
        return Sentence("{seat} ends with −${total}: ${cash} in cash, ${values} in links, a debt of ${debt}.", facts)
    return Sentence("{seat} ends with ${total}: ${cash} in cash, ${values} in links, a debt of ${debt}.", facts)


def _game_won(event: happened.GameWon) -> list[Sentence]:
    if len(event.seats) == 1:
        return [Sentence("{seat} wins the game.", {"seat": event.seats[0]})]
    return [Sentence("{winner_seat} shares the victory.", {"winner_seat": seat}) for seat in event.seats]


Teller = Callable[[Any], list[Sentence]]

TELLERS: Mapping[type[Event], Teller] = {
    happened.OpeningCubesDrawn: _opening_cubes_drawn,
    happened.OpeningRowLaid: _opening_row_laid,
    happened.FirstPlayerDrawn: _first_player_drawn,
    happened.TurnBegan: _turn_began,
    happened.LoanAnswerSealed: _loan_answer_sealed,
    happened.LoanAnswerReplaced: _loan_answer_replaced,
    happened.AnswersOpened: _answers_opened,
    happened.LoanTaken: _loan_taken,
    happened.RetirementAnswerSealed: _retirement_answer_sealed,
    happened.RetirementAnswerReplaced: _retirement_answer_replaced,
    happened.AdvanceRetirementSealed: _advance_sealed,
    happened.AdvanceRetirementReplaced: _advance_sealed,
    happened.AdvanceRetirementDropped: _advance_dropped,
    happened.DebtRetired: _debt_retired,
    happened.FutureRowLaid: _future_row_laid,
    happened.LotOpened: _lot_opened,
    happened.BidPlaced: _bid_placed,
    happened.BidderPassed: _bidder_passed,
    happened.LinkSold: _link_sold,
    happened.LinkUnsold: _link_unsold,
    happened.BuildDiceRolled: _build_dice_rolled,
    happened.ShortfallPaid: _shortfall_paid,
    happened.LinkLeftUnbuilt: _link_left_unbuilt,
    happened.LastTurnAnnounced: _last_turn_announced,
    happened.CubeShipped: _cube_shipped,
    happened.ShipmentSkipped: _shipment_skipped,
    happened.MarketDiceRolled: _market_dice_rolled,
    happened.FirstPlayerNamed: _first_player_named,
    happened.ProxyBidSet: _proxy_set,
    happened.ProxyBidReplaced: _proxy_set,
    happened.ProxyBidWithdrawn: _proxy_withdrawn,
    happened.BuildLimitSet: _limit_set,
    happened.BuildLimitReplaced: _limit_set,
    happened.BuildLimitWithdrawn: _limit_withdrawn,
    happened.SeatLeft: _seat_left,
    happened.FinalAccountDrawn: _final_account_drawn,
    happened.GameWon: _game_won,
}

TOLD_TOGETHER: Mapping[type[Event], Teller] = {
    happened.DebtServiced: _debts_serviced,
    happened.GrowthCardTurned: _growth_cards_turned,
    happened.LinkBuilt: _links_built,
    happened.IncomeLost: _incomes_lost,
    happened.IncomePaid: _incomes_paid,
}

SILENT = (
    happened.GameSetUp, happened.StepBegan, happened.RowMovedDown, happened.RowMovedDown1, happened.RoundsOpened,
    happened.EntryAnswered,
)  # fmt: skip
"""Events that need no sentence."""


# ==== descriptions of a view ======================================================================
def hand(view: NewEnglandView) -> list[Sentence]:
    """Describe the viewer's own money and hidden entries (NER 18.3)."""
    own = view.own
    if own is None:
        return []
    told = [
        Sentence(
            "You have ${cash}, a debt of ${debt} and an income of {income}.",
            {"cash": own.cash, "debt": own.debt, "income": own.income},
        )
    ]
    if view.step == 1 and own.least_loan:
        told.append(Sentence("You must borrow at least ${least}.", {"least": own.least_loan}))
    if own.sealed is not None:
        told.append(Sentence("Your secret choice: ${amount}.", {"amount": own.sealed}))
    if own.advance is not None:
        told.append(Sentence("You will pay back ${amount} in step 3.", {"amount": own.advance}))
    for link, maximum in (own.proxies or {}).items():
        told.append(Sentence("Your proxy for {link}: up to ${maximum}.", {"link": link, "maximum": maximum}))
    for link, amount in (own.limits or {}).items():
        told.append(Sentence("Your build limit for {link}: up to ${amount}.", {"link": link, "amount": amount}))
    return told


def standing(view: NewEnglandView) -> list[Sentence]:
    """Describe the stage of the game, and each railway in seat order."""
    told = [Sentence("Turn {turn}, {step}.", {"turn": view.turn, "step": STEPS[view.step - 1]})] if view.step else []
    if view.lot is not None:
        told.append(_lot(view))
    elif view.row:
        told.append(Sentence("On offer: {links}.", {"links": view.row}))
    if view.future:
        told.append(Sentence("Next turn: {links}.", {"links": view.future}))
    return told + [_railway(view, seat) for seat in view.seats]


def _lot(view: NewEnglandView) -> Sentence:
    lot = view.lot
    assert lot is not None
    if lot.shortfall is not None:
        facts = {"link": lot.link, "seat": lot.bidder, "shortfall": lot.shortfall}
        return Sentence("{seat} has bought {link} and is ${shortfall} short.", facts)
    if lot.bidder is None:
        return Sentence("In auction: {link}, no bid yet.", {"link": lot.link})
    return Sentence("In auction: {link}, {seat} bids ${bid}.", {"link": lot.link, "seat": lot.bidder, "bid": lot.bid})


def _railway(view: NewEnglandView, seat: SeatView) -> Sentence:
    links = tuple(link.id for link in view.links if link.owner == seat.seat)
    facts = {
        "letter": LETTERS[seat.seat - 1],
        "seat": seat.seat,
        "cash": seat.cash,
        "debt": seat.debt,
        "income": seat.income,
        "links": links,
    }
    return Sentence("{letter} {seat}: ${cash}, debt ${debt}, income {income}, links: {links}.", facts)


def why_asked(view: NewEnglandView) -> Sentence | None:
    """NER 19.2, 19.3 Return the reason of the turn: in steps 1 and 3 all answer together, in steps 7 and 8 one after
    another.
    """
    if not view.asked:
        return None
    if view.step == LOANS:
        return Sentence("everyone chooses a loan in secret")
    if view.step == RETIREMENT:
        return Sentence("everyone with debt decides in secret how much to repay")
    if view.lot is None:
        return Sentence("next to ship, round {round}", {"round": view.opportunities[0][0]})
    facts = {"link": view.lot.link, "bid": view.lot.bid, "shortfall": view.lot.shortfall}
    if view.lot.shortfall is not None:
        return Sentence("{link} is bought, but ${shortfall} short of being built", facts)
    if view.lot.bidder is not None:
        return Sentence("next to bid on {link} (high bid ${bid})", facts)
    if view.lot.passed:
        return Sentence("next to bid on {link} (no bid yet)", facts)
    return Sentence("first to bid on {link}", facts)
