"""Part (c) of the catalogue: the invariants of every position, by their numbers there.

INV 14 is tested with the proxies (`test_proxies`), INV 15 and 18 by the contract tests.
"""

from collections import Counter, defaultdict

from domain import lifecycle
from domain.chain import Ply
from domain.game import Game
from domain.messages import Event
from domain.new_england import TITLE
from domain.new_england import events as happened
from domain.new_england.board import GROWTH_CARDS, LINKS, MATERIAL
from domain.new_england.decide import asked
from domain.new_england.rules.ending import total
from domain.new_england.state import AUCTION, RETIREMENT, SHIPPING, State
from tests.contract.games import listed

TURNS = {3: 15, 4: 10, 5: 8, 6: 6}
ENTRIES = (
    happened.ProxyBidSet, happened.ProxyBidReplaced, happened.ProxyBidWithdrawn, happened.BuildLimitSet,
    happened.BuildLimitReplaced, happened.BuildLimitWithdrawn,
)  # fmt: skip


class Invariants:
    """One game, ply by ply."""

    def __init__(self) -> None:
        self.before: State | None = None
        self.plies: dict[int, Ply] = {}
        self.cash: Counter[int] = Counter()
        self.debt: Counter[int] = Counter()
        self.answering_again = False
        """Has the asked seat taken its answer back, and left an entry before or after (NER 20.10)?"""

    def after(self, ply: Ply, game: Game) -> None:
        state: State = game.state
        taken_back = [event for event in ply.events if isinstance(event, lifecycle.TakenBack)]
        for event in taken_back:
            for number in event.plies:
                self.book(self.plies.pop(number), -1)
        if not taken_back:
            self.plies[ply.number] = ply
            self.book(ply, 1)
            if self.before is not None:
                assert self.event_by_event(ply) == state
        self.things(state)
        self.money(state)
        self.auction(state)
        self.entries(state)
        if taken_back or not ply.quiet:
            self.answering_again = bool(taken_back)
        self.waiting(state)
        self.end(state, ply)
        self.before = state

    # ==== event by event ==========================================================================
    def event_by_event(self, ply: Ply) -> State:
        state = self.before
        for event in ply.events:
            if isinstance(event, lifecycle.EVENTS):
                continue
            after = TITLE.evolve(state, event)
            self.one_event(state, event, after)
            state = after
        return state

    def one_event(self, before: State, event: Event, after: State) -> None:
        incomes = {seat: (before.seats[seat].income, after.seats[seat].income) for seat in before.seats}
        assert all(seat.cash >= 0 for seat in after.seats.values()), "INV 6"
        if isinstance(event, happened.CubeShipped):
            gained = sum(now - was for was, now in incomes.values())
            assert gained == len(event.path) - 1 == sum(gain for _, gain in event.gains), "INV 7"
            assert 1 <= gained <= 5, "INV 7"
        elif isinstance(event, happened.IncomeLost):
            assert before.step == 9, "INV 7"
            assert all(was - was // 3 <= now <= was for was, now in incomes.values()), "INV 6, 7"
        else:
            assert all(was == now for was, now in incomes.values()), "INV 7"
        if before.first != after.first:
            assert before.step == 11, "INV 8"
        if isinstance(event, happened.BidPlaced):
            assert event.amount > before.lot.bid, "INV 12"
            assert event.seat not in before.lot.passed, "INV 12"
        if isinstance(event, happened.StepBegan):
            if event.step == 2:
                assert all(seat.cash >= seat.debt // 10 * 2 for seat in before.seats.values()), "INV 16"
            if event.step == 6:
                assert set(after.owners) == after.built, "INV 9"
            if event.step == 7:
                assert len(after.future) <= len(after.row), "INV 11"

    # ==== at rest =================================================================================
    def things(self, state: State) -> None:
        for colour, number in MATERIAL.cubes.items():
            waiting = sum(box.get(colour, 0) for box in state.cubes.values())
            assert state.cup[colour] + waiting == number, "INV 1"
            assert state.cup[colour] >= 0, "INV 1"
        places = [*state.link_deck, *state.future, *state.row, *state.owners, *state.unsold]
        assert sorted(places) == sorted(LINKS), "INV 2"
        assert state.built <= set(state.owners), "INV 2"
        ever_on_offer = len(LINKS) - len(state.link_deck) - len(state.future)
        grown = ever_on_offer - (len(state.row) if not 4 <= state.step <= 7 else 0)
        assert len(GROWTH_CARDS) - len(state.growth_deck) == grown, "INV 3"
        unbuilt = set(state.owners) - state.built
        assert not (unbuilt and state.step in (5, 6)), "INV 9"
        assert len(unbuilt) <= len(state.seats) - 1, "INV 9"
        assert all(len(state.links_of(seat)) <= state.turn for seat in state.seats), "INV 10"
        if state.step == SHIPPING:
            assert len(state.bought) < len(state.seats), "INV 10"
        assert not state.future or state.step in (6, 7), "INV 11"
        assert max(len(state.row), len(state.future)) <= len(state.seats) - 1, "INV 11"

    def book(self, ply: Ply, sign: int) -> None:
        """Book every dollar that changes hands."""
        for event in ply.events:
            match event:
                case happened.GameSetUp():
                    for seat in range(1, event.seats + 1):
                        self.cash[seat] += 10
                case happened.LoanTaken():
                    self.cash[event.seat] += sign * event.amount
                    self.debt[event.seat] += sign * event.amount
                case happened.DebtRetired():
                    self.cash[event.seat] -= sign * event.amount
                    self.debt[event.seat] -= sign * event.amount
                case happened.DebtServiced() | happened.ShortfallPaid():
                    self.cash[event.seat] -= sign * event.amount
                case happened.LinkSold():
                    self.cash[event.seat] -= sign * event.price
                case happened.IncomePaid():
                    self.cash[event.seat] += sign * event.amount

    def money(self, state: State) -> None:
        for number, seat in state.seats.items():
            assert seat.cash == self.cash[number], "INV 4"
            assert seat.debt == self.debt[number], "INV 5"
            assert seat.debt >= 0, "INV 5"
            assert seat.debt % 10 == 0, "INV 5"
            assert seat.cash >= 0, "INV 6"
            assert seat.income >= 0, "INV 6"

    def auction(self, state: State) -> None:
        lot = state.lot
        if lot is None:
            return
        assert state.step == AUCTION, "INV 12"
        if lot.shortfall is None and lot.bidder is not None:
            assert lot.bid <= state.seats[lot.bidder].cash, "INV 12"
            assert lot.bidder not in lot.passed, "INV 12"
            assert lot.bidder not in state.bought, "INV 12"

    def entries(self, state: State) -> None:
        """NER 20.2, 20.11: proxies and build limits stand only where they may be left."""
        lot = state.lot
        for number, seat in state.seats.items():
            done = state.step == AUCTION and number in state.bought
            passed = {lot.link} if lot is not None and number in lot.passed else set()
            open_links = set() if done else set(state.row) - passed
            assert set(seat.proxies) <= open_links, "NER 20.11"
            pays = {lot.link} if lot is not None and lot.shortfall is not None and lot.bidder == number else set()
            assert set(seat.limits) <= open_links | pays, "NER 20.13"

    def waiting(self, state: State) -> None:
        if state.step not in (AUCTION, SHIPPING) or state.winners:
            return
        (seat,) = asked(state)
        answers = [each for each in listed(TITLE, state, seat) if each.group != "proxies"]
        assert len(answers) > 1, "INV 13"
        own, lot = state.seats[seat], state.lot
        assert not own.left, "INV 13"
        if lot is not None and not self.answering_again:
            assert lot.link not in (own.proxies if lot.shortfall is None else own.limits), "INV 13"

    def end(self, state: State, ply: Ply) -> None:
        kinds = defaultdict(list)
        for event in ply.events:
            kinds[type(event)].append(event)
        for event in kinds[happened.LastTurnAnnounced]:
            usual = TURNS[len(state.seats)]
            assert (event.turn, event.step) in ((usual, 7), (usual + 1, 5)), "INV 17"
        if not state.winners:
            assert state.turn <= TURNS[len(state.seats)] + 1, "INV 17"
            assert state.step not in (RETIREMENT + 1, 5, 6, 9, 10, 11), "a step without a choice never waits"
            return
        if len(state.staying) > 1:
            assert state.last_turn, "INV 17"
        totals = {}
        for seat, cash, values, debt, sum_, _ in state.accounts:
            assert (cash, values, debt, sum_) == total(state, seat), "INV 19"
            assert sum_ == cash + values - 12 * (debt // 10), "INV 19"
            totals[seat] = sum_
        best = max(totals[seat] for seat in state.staying)
        assert state.winners == tuple(seat for seat in state.staying if totals[seat] == best), "INV 19"


def entries(ply: Ply) -> list[Event]:
    """Return the hidden entries that a ply records."""
    return [event for event in ply.events if isinstance(event, ENTRIES)]
