"""The events in sentences: one for each event that a player would mention, none for bookkeeping.

`narrate` describes one ply from its events, as far as its reader may see them; `hand` and `standing` describe a view.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import UNSET

from domain import house_words
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
    """Return sentences for the events of one ply. All its growth cards share sentences."""
    told: list[Sentence] = []
    for kind, run in groupby(events, key=type):
        if kind is happened.GrowthCardTurned:
            told += _growth_cards_turned(list(run))
        else:
            told += [sentence for event in run for sentence in house_words.tell(event, TELLERS)]
    return told


# ==== NER 2 and 3: setup and turns ================================================================
def _first_player_drawn(event: happened.FirstPlayerDrawn) -> list[Sentence]:
    return [Sentence("{first_seat} is drawn by lot as first player.", {"first_seat": event.first})]


# ==== NER 4 to 6: loans, service, retirement ======================================================
def _loan_answer_sealed(event: happened.LoanAnswerSealed) -> list[Sentence]:
    if event.amount is UNSET:
        return [Sentence("{seat} has decided on a loan.", {"seat": event.seat})]
    return [Sentence("{seat} secretly chooses a loan of ${amount}.", {"seat": event.seat, "amount": event.amount})]


def _answers_opened(event: happened.AnswersOpened) -> list[Sentence]:
    return [Sentence("All choices on {step} are revealed.", {"step": STEPS[event.step - 1]})]


def _retirement_answer_sealed(event: happened.RetirementAnswerSealed) -> list[Sentence]:
    if event.amount is UNSET:
        return [Sentence("{seat} has decided how much to pay back.", {"seat": event.seat})]
    return [Sentence("{seat} secretly chooses to pay back ${amount}.", {"seat": event.seat, "amount": event.amount})]


# ==== NER 7 to 9: growth, completion, future links ================================================
def _growth_cards_turned(events: Sequence[Any]) -> list[Sentence]:
    """Name all cubes of the turn in one sentence, and the cities that got none in another."""
    cubes = [cube for event in events for cube in event.cubes]
    got = tuple(f"cube.{colour}.{city}" for city, colour in cubes if colour is not None)
    without = tuple(city for city, colour in cubes if colour is None)
    told = [Sentence("New cubes: {cubes}.", {"cubes": got})] if got else []
    if without:
        told.append(Sentence("The cup is empty. There are no cubes for {cities}.", {"cities": without}))
    return told


def _link_built(event: happened.LinkBuilt) -> list[Sentence]:
    facts = {"seat": event.seat, "link": event.link}
    if event.by == "completion":
        return [Sentence("{seat} completes {link}.", facts)]
    return [Sentence("{seat} builds {link}.", facts)]


# ==== NER 10: auction and building ================================================================
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


def _income_lost(event: happened.IncomeLost) -> list[Sentence]:
    return [Sentence("{seat} loses {loss} income.", {"seat": event.seat, "loss": event.amount})]


# ==== NER 15 to 17, 19: the end ===================================================================
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


TELLERS: Mapping[type[Event], house_words.Teller] = {
    happened.OpeningCubesDrawn: Sentence("The first cubes are drawn."),
    happened.OpeningRowLaid: Sentence("Links on offer: {links}."),
    happened.FirstPlayerDrawn: _first_player_drawn,
    happened.TurnBegan: Sentence("Turn {turn} begins."),
    happened.LoanAnswerSealed: _loan_answer_sealed,
    happened.LoanAnswerReplaced: Sentence("{seat} now secretly chooses a loan of ${amount}."),
    happened.AnswersOpened: _answers_opened,
    happened.LoanTaken: Sentence("{seat} borrows ${amount}."),
    happened.RetirementAnswerSealed: _retirement_answer_sealed,
    happened.RetirementAnswerReplaced: Sentence("{seat} now secretly chooses to pay back ${amount}."),
    **dict.fromkeys(
        (happened.AdvanceRetirementSealed, happened.AdvanceRetirementReplaced),
        Sentence("{seat} will pay back ${amount} in step 3 if that is possible then."),
    ),
    happened.AdvanceRetirementDropped: Sentence("{seat} cannot pay back the planned amount and pays back nothing."),
    happened.DebtRetired: Sentence("{seat} pays back ${amount}."),
    happened.FutureRowLaid: Sentence("The next turn will offer {links}."),
    happened.LotOpened: Sentence("The auction of {link} begins."),
    happened.BidPlaced: _bid_placed,
    happened.BidderPassed: _bidder_passed,
    happened.LinkSold: Sentence("{seat} buys {link} for ${price}."),
    happened.LinkUnsold: Sentence("Nobody wants {link}, so it is removed from the game."),
    happened.BuildDiceRolled: _build_dice_rolled,
    happened.ShortfallPaid: _shortfall_paid,
    happened.LinkLeftUnbuilt: Sentence("{seat} waits to build {link} until the next turn."),
    happened.LastTurnAnnounced: Sentence("Turn {turn} is the last."),
    happened.CubeShipped: _cube_shipped,
    happened.ShipmentSkipped: _shipment_skipped,
    happened.MarketDiceRolled: _market_dice_rolled,
    happened.FirstPlayerNamed: Sentence("{seat} is the first player."),
    **dict.fromkeys(
        (happened.ProxyBidSet, happened.ProxyBidReplaced),
        Sentence("{seat} leaves a proxy for {link}: up to ${maximum}."),
    ),
    happened.ProxyBidWithdrawn: Sentence("{seat} withdraws the proxy for {link}."),
    **dict.fromkeys(
        (happened.BuildLimitSet, happened.BuildLimitReplaced),
        Sentence("{seat} sets a build limit for {link}: up to ${amount}."),
    ),
    happened.BuildLimitWithdrawn: Sentence("{seat} withdraws the build limit for {link}."),
    happened.SeatLeft: Sentence("The railway of {seat} carries on without its player."),
    happened.FinalAccountDrawn: _final_account_drawn,
    happened.GameWon: _game_won,
    happened.DebtServiced: Sentence("{seat} pays ${amount} in debt service."),
    happened.LinkBuilt: _link_built,
    happened.IncomeLost: _income_lost,
    happened.IncomePaid: Sentence("{seat} receives ${amount} in income."),
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
        if view.opportunities[0][0] == "A":
            return Sentence("next to ship, before the buyers (round A)")
        return Sentence("next to ship, with everybody (round B)")
    facts = {"link": view.lot.link, "bid": view.lot.bid, "shortfall": view.lot.shortfall}
    if view.lot.shortfall is not None:
        return Sentence("{link} is bought, but ${shortfall} short of being built", facts)
    if view.lot.bidder is not None:
        return Sentence("next to bid on {link} (high bid ${bid})", facts)
    if view.lot.passed:
        return Sentence("next to bid on {link} (no bid yet)", facts)
    return Sentence("first to bid on {link}", facts)


def asks(view: NewEnglandView) -> Sentence:
    """NER 19.2, 19.3 Return what a seat that the game waits for has to do."""
    if view.step == LOANS:
        return Sentence("Choose a loan")
    if view.step == RETIREMENT:
        return Sentence("Choose how much to repay")
    if view.lot is None:
        return Sentence("Ship goods")
    if view.lot.shortfall is not None:
        return Sentence("Build {link}, or wait", {"link": view.lot.link})
    return Sentence("Bid on {link}", {"link": view.lot.link})
