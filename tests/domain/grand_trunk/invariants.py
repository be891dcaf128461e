"""Appendix D of the catalogue: what holds in every state between two commands, from the end of setup on.

`Invariants` follows a game ply by ply. Some lines are about the whole log; it keeps the sums they need.
Lines about the service (D27, D28, D30) and D29 are contract tests, since they hold for every title.
"""

from collections import Counter, defaultdict

from domain import lifecycle
from domain.chain import Ply
from domain.game import Game
from domain.grand_trunk import events as e
from domain.grand_trunk.board import (
    BOARD,
    CITIES,
    CITY_SET,
    CONTRACT_TOKENS,
    FIRST_DELIVERIES,
    PORT_SET,
    SCENARIOS,
    SLOTS,
)
from domain.grand_trunk.cards import CARDS, CARRIES, COMPANIES, IMPROVEMENTS
from domain.grand_trunk.state import Seat, State
from domain.messages import Event

RAW = ("coal", "iron", "wood")
MINES = {"coal_mine": "coal", "iron_ore_mine": "iron", "forest_exploitation": "wood"}


class Invariants:
    def __init__(self) -> None:
        self.plies: list[Ply] = []
        self.happened: dict[type, list[tuple[int, Event]]] = defaultdict(list)
        self.before: State | None = None
        self.refilled_short: set[int] = set()

    def after(self, ply: Ply, game: Game) -> None:
        """Check the position after ``ply``."""
        if isinstance(ply.command, lifecycle.TakeBack):
            withdrawn = set(ply.events[0].plies)
            self.plies = [each for each in self.plies if each.number not in withdrawn]
            for kind, events in self.happened.items():
                self.happened[kind] = [it for it in events if it[0] not in withdrawn]
            self.before = None
        else:
            self.plies.append(ply)
            for event in ply.events:
                self.happened[type(event)].append((ply.number, event))
        state: State = game.state
        if not state.order or state.stage == "choosing":
            return
        self.cards(state, ply)
        self.trains(state)
        self.board(state)
        self.contracts(state)
        self.time(state, ply)
        self.points(state)
        self.before = state

    def of(self, kind: type) -> list:
        """All events of this kind so far, but for those taken back."""
        return [event for _, event in self.happened[kind]]

    # ==== cards ===================================================================================
    def cards(self, state: State, ply: Ply) -> None:
        for number, seat in state.seats.items():
            piles = [
                *seat.hand,
                *seat.deck(state.terminals),
                *seat.top,
                *seat.discard,
                seat.location,
                *(each.card for each in seat.railcars),
                *([seat.spur] if seat.spur else []),
                *state.set_aside(number),
            ]
            assert sorted(piles) == sorted(card.id for card in COMPANIES[seat.company].cards), "D1"
            assert all(CARDS[card].kind == "city" for card in seat.top), "D1"
            put = [
                event.city for event in self.of(e.TerminalBuilt) if (event.seat, event.new_card) == (number, "deck_top")
            ]
            assert {CARDS[card].leads_to for card in seat.top} <= set(put), "D1"
            aside = {CARDS[card].leads_to for card in state.set_aside(number)}
            assert aside == {city for city in CITIES if city not in state.terminals}, "D2"
            limit = 6 if "warehouse" in seat.improvements else 5
            assert len(seat.hand) <= limit, "D3"
            assert all(each.card in CARRIES for each in seat.railcars), "D4"
            assert seat.spur is None or seat.spur in CARRIES, "D4"
            assert CARDS[seat.location].leads_to, "D4"
        ended = [event.seat for event in ply.events if isinstance(event, e.TurnEnded)]
        for number in ended:
            seat = state.seats[number]
            limit = 6 if "warehouse" in seat.improvements else 5
            assert len(seat.hand) == limit or not (seat.deck(state.terminals) or seat.top or seat.discard), "D3"

    # ==== trains ==================================================================================
    def trains(self, state: State) -> None:
        at_rest = state.stage in ("start", "over")
        for number, seat in state.seats.items():
            leads_to = CARDS[seat.location].leads_to
            assert seat.place in PORT_SET or seat.place in state.terminals, "D5"
            if CARDS[seat.location].kind == "city":
                assert leads_to == seat.place, "D5"
            elif CARDS[seat.location].kind == "port":
                assert seat.place in PORT_SET, "D5"
            assert len(seat.railcars) <= seat.force <= 4, "D6"
            assert seat.force >= 1, "D6"
            if self.before is not None:
                old = self.before.seats[number]
                assert seat.force >= old.force, "D6"
                assert seat.fast >= old.fast, "D6"
                assert all(seat.delivered[good] >= old.delivered[good] for good in seat.delivered), "D24"
            for each in seat.railcars:
                assert 0 <= each.cubes <= 2, "D7"
                assert (each.good is None) == (each.cubes == 0), "D7"
                assert each.good is None or each.good in CARRIES[each.card], "D7"
                # When all others leave, the game is over in the middle of the active seat's turn (19.7).
                interrupted = state.stage == "over" and self.before is not None and self.before.active == number
                assert each.cubes or interrupted or not (at_rest or number != state.active), "D7"
            assert seat.delivered["steel"] >= seat.force - 1, "D8"
            assert not seat.fast or seat.delivered["coal"] >= 3, "D8"

    # ==== board ===================================================================================
    def board(self, state: State) -> None:
        tokens = [*BOARD.city_goods_tokens, *BOARD.port_goods_tokens]
        assert sorted(state.tokens.values()) == sorted(token.id for token in tokens), "D9"
        ports = {token.id for token in BOARD.port_goods_tokens}
        assert all((token in ports) == (place in PORT_SET) for place, token in state.tokens.items()), "D9"
        assert set(state.tokens) == CITY_SET | (PORT_SET - {"hamilton"}), "D9"
        assert set(state.steel) <= CITY_SET, "D10"
        assert all(0 <= cubes <= 4 for cubes in state.steel.values()), "D10"
        made = sum(event.steel for event in self.of(e.GoodDelivered))
        trains = sum(each.cubes for seat in state.seats.values() for each in seat.railcars if each.good == "steel")
        delivered = sum(seat.delivered["steel"] for seat in state.seats.values())
        dumped = sum(event.good == "steel" for event in self.of(e.GoodDumped))
        assert made == sum(state.steel.values()) + trains + delivered + dumped, "D11"
        assert made <= 2 * sum(event.good == "iron" for event in self.of(e.GoodDelivered)), "D11"
        built = self.of(e.TerminalBuilt)
        assert len(state.terminals) == 4 + len(built) <= 12, "D12"
        assert set(SCENARIOS[state.scenario].starting_cities) <= state.terminals, "D12"
        assert not set(state.first_deliveries) & set(SCENARIOS[state.scenario].starting_cities), "D13"
        taken = [event.token for event in self.of(e.FirstDeliveryTaken)]
        assert sorted([*state.first_deliveries.values(), *taken]) == sorted(FIRST_DELIVERIES), "D13"

    # ==== contracts ===============================================================================
    def contracts(self, state: State) -> None:
        tokens = [each.token for each in state.contracts.values()]
        assert len(set(tokens)) == len(tokens), "D14"
        assert all(CONTRACT_TOKENS[each.token].days == SLOTS[slot].days for slot, each in state.contracts.items()), (
            "D14"
        )
        met = {event.slot: event.seat for event in self.of(e.ContractFulfilled)}
        assert len(met) == len(self.of(e.ContractFulfilled)), "D14"
        assert {slot: each.met_by for slot, each in state.contracts.items() if each.met_by is not None} == met, (
            "D14, D26"
        )
        furthest = max([0, *(event.to for event in self.of(e.DaysSpent))])
        up = {number for number, slot in SLOTS.items() if slot.revealed_at <= furthest}
        assert set(state.contracts) == up == set(range(1, len(up) + 1)), "D15"
        for number, slot in SLOTS.items():
            for seat in state.seats.values():
                early = "early_delivery" in seat.improvements
                assert number in up or seat.day < slot.first_day - early, "D16"

    # ==== time and turns ==========================================================================
    def time(self, state: State, ply: Ply) -> None:
        for number, seat in state.seats.items():
            assert 0 <= seat.day <= 40, "D17"
            assert self.before is None or seat.day >= self.before.seats[number].day, "D17"
        assert sorted(state.order) == sorted(state.seats), "D17"
        days = [state.seats[number].day for number in state.order]
        assert days == sorted(days), "D17"
        playing = {number: seat for number, seat in state.seats.items() if seat.playing}
        if state.stage == "over":
            assert state.active is None, "D18"
            assert not playing or len([seat for seat in state.seats.values() if not seat.left]) == 1, "D20"
        else:
            assert state.active in playing, "D18"
            assert len([seat for seat in state.seats.values() if not seat.left]) > 1, "D20"
            if state.stage == "start":
                assert state.seats[state.active].day == min(seat.day for seat in playing.values()), "D18"
        for number, seat in playing.items():
            assert seat.day < 36 or number == state.active or state.stage == "over", "D19"
        finished = [event for event in self.of(e.TurnEnded) if event.finished]
        assert state.end_begun == bool(finished), "D19"
        assert len(self.of(e.EndBegun)) == bool(finished), "D19"
        if any(isinstance(event, e.TurnEnded) for event in ply.events):
            self.turn()

    def turn(self) -> None:
        """What happened in the turn that has just ended."""
        turn: list = []
        for each in reversed(self.plies[:-1]):
            if any(isinstance(event, e.TurnEnded | e.SeatPassed | e.FirstRailcarsOpened) for event in each.events):
                break
            if each.seat == self.plies[-1].seat:  # somebody else may leave in the meantime
                turn[:0] = each.events
        turn += self.plies[-1].events
        (ended,) = [event for event in turn if isinstance(event, e.TurnEnded)]
        assert [event for event in turn if isinstance(event, e.DaysSpent)], "D17: a day at least"
        moves = [event for event in turn if isinstance(event, e.TrainMoved)]
        upkeep = [event for event in turn if isinstance(event, e.MaintenancePerformed)]
        assert len(moves) + len(upkeep) == 1, "D21"
        used = Counter(event.improvement for event in turn if isinstance(event, e.ImprovementUsed))
        assert all(count == 1 for count in used.values()), "D21"
        left: Counter = Counter()
        for event in turn:
            match event:
                case e.TrainMoved():
                    left[event.card] += 1
                    left[event.right_of_way] += event.right_of_way is not None
                case e.ActionCardPlayed():
                    left[event.card] += 1
                case e.RailcarCoupled(source="hand") | e.RailcarStored(source="hand"):
                    left[event.card] += 1
                case e.CardsDiscarded() if event.for_what != "parking_spur":
                    left.update(event.cards)
                case e.CardsDrawn():
                    left.subtract({card: 1 for card in event.cards if left[card]})
        rights = {event.right_of_way for event in moves} - {None}
        assert all(count <= 1 or card in rights for card, count in left.items()), f"D21 {ended.seat}: {left}"

    # ==== points ==================================================================================
    def points(self, state: State) -> None:
        for number, seat in state.seats.items():
            assert seat.vp == self.vp(state, number, seat), f"D22 seat {number}"
            wood = seat.delivered["wood"] - 2 * ("forest_exploitation" in seat.improvements)
            assert seat.wood == min(7, wood), "D23"
            goods = Counter(event.good for event in self.of(e.GoodDelivered) if event.seat == number)
            goods.update({MINES[each]: 2 for each in seat.improvements if each in MINES})
            for each in seat.improvements:
                assert each in IMPROVEMENTS, "D25"
            assert Counter({good: cubes for good, cubes in seat.delivered.items() if cubes}) == goods, "D24"
        owned = [each for seat in state.seats.values() for each in seat.improvements]
        shown = [*state.improvements, *owned]
        assert len(set(shown)) == len(shown) == 3 * len(state.seats), "D25"
        objectives = [*state.objectives, *(each for seat in state.seats.values() for each in seat.objectives)]
        assert len(objectives) == (3 if state.with_objectives else 0), "D25"
        collected = sum(len(state.contracts_of(number)) for number in state.seats)
        assert collected == sum(each.met_by is not None for each in state.contracts.values()), "D26"

    def vp(self, state: State, number: int, seat: Seat) -> int:
        """D22: worked out from the events of the seat, and from what it has when the game is over."""

        def mine(kind: type) -> list:
            return [event for event in self.of(kind) if event.seat == number]

        vp = 3 + 3 * seat.delivered["steel"]
        for kind in (e.SteelBonusPaid, e.FirstDeliveryTaken, e.SpeculatorPaid, e.ObjectiveAcquired):
            vp += sum(event.vp for event in mine(kind))
        vp += sum(SLOTS[slot].vp for slot in state.contracts_of(number))
        vp += 2 * len(mine(e.TerminalBuilt))
        vp += 5 * (seat.force == 4) + seat.fast
        vp -= len(mine(e.GoodDumped))
        if state.stage == "over" and not seat.left:
            staying = [each for each in state.seats.values() if not each.left]
            vp += max(each.day for each in staying) - seat.day
            vp += 3 * min(seat.delivered[good] for good in RAW)
            vp += len(seat.improvements) * seat.wood
        return vp
