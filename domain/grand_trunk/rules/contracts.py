"""GTJ 7: special delivery contracts. How they are turned up, and how they are met."""

from collections.abc import Collection

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONTRACT_TOKENS, SLOTS, Slot
from domain.grand_trunk.cards import IMPROVEMENTS
from domain.grand_trunk.rules import travel, unloading
from domain.grand_trunk.state import Seat, State
from domain.messages import Event
from domain.refusal import Refused

_DARK_SPACES = tuple((slot.revealed_at, slot.slot) for slot in SLOTS.values() if slot.revealed_at)


# ==== turning up ==================================================================================
def turned_up(state: State, to: int, chance: Chance) -> list[events.ContractTurnedUp]:
    """GTJ 7.2 The first marker to reach or pass a dark space turns up its slot; several in order of the track."""
    furthest = state.furthest
    if to <= furthest:
        return []
    turned: list[events.ContractTurnedUp] = []
    for space, slot in _DARK_SPACES:
        if furthest < space <= to:
            drawn = {contract.token for contract in state.contracts.values()} | {event.token for event in turned}
            turned.append(events.ContractTurnedUp(slot, token_drawn(slot, drawn, chance), space))
    return turned


def token_drawn(slot: int, drawn: Collection[str], chance: Chance) -> str:
    """GTJ 2.5, 19.2 Each token of the slot's length that was not drawn yet is equally likely."""
    days = SLOTS[slot].days
    left = [token.id for token in CONTRACT_TOKENS.values() if token.days == days and token.id not in drawn]
    [token] = chance.draw(f"GTJ 2.5 contract of slot {slot}", left)
    return token


# ==== meeting a contract ==========================================================================
def fulfil_contract(state: State, seat: int, command: commands.FulfilContract, chance: Chance) -> list[Event]:
    """GTJ 7.3, 7.5, 7.6 A cube of the token's good, unloaded in its city, meets the contract and goes to the stock."""
    travel.in_step(state, travel.UNLOAD)
    mine = state.seats[seat]
    railcar = unloading.loaded_railcar(mine, command.railcar)
    contract = state.contracts.get(command.slot)
    if contract is None:
        raise Refused("GTJ 7.3", "No contract lies face up in slot {slot}.", slot=command.slot)
    if contract.met_by is not None:
        raise Refused("GTJ 7.3", "The contract of slot {slot} has been met.", slot=command.slot)
    token = CONTRACT_TOKENS[contract.token]
    if token.city != mine.place:
        raise Refused("GTJ 7.3", "This contract is for {city}; your train stands in {place}.",
                      city=token.city, place=mine.place)  # fmt: skip
    if token.good != railcar.good:
        raise Refused("GTJ 7.3", "This contract is for {good}; {railcar} carries {cargo}.",
                      good=token.good, railcar=railcar.card, cargo=railcar.good)  # fmt: skip
    slot = SLOTS[command.slot]
    day_in_window(mine, slot)
    return [
        events.ContractFulfilled(seat, slot.slot, token.id, railcar.card, slot.vp),
        *unloading.first_delivery(state, seat, mine.place),
    ]


def day_in_window(mine: Seat, slot: Slot) -> None:
    """GTJ 7.4 The seat's day at the moment of unloading must lie in the window."""
    first, last = window(mine, slot)
    if not first <= mine.day <= last:
        raise Refused("GTJ 7.4", "This contract is open from day {first} to day {last}; you are on day {day}.",
                      first=first, last=last, day=mine.day)  # fmt: skip


def window(mine: Seat, slot: Slot) -> tuple[int, int]:
    """GTJ 13.5, 13.6 Every window opens a day sooner, closes a day later, or both, for the owner."""
    owned = [IMPROVEMENTS[each] for each in mine.improvements]
    return (
        slot.first_day - sum(each.days_before for each in owned),
        slot.last_day + sum(each.days_after for each in owned),
    )
