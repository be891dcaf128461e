"""GTJ 7: special delivery contracts: turning them up and meeting them."""

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONTRACT_TOKENS, SLOTS, ContractToken, Slot
from domain.grand_trunk.cards import IMPROVEMENTS
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import places, steps, train
from domain.grand_trunk.state import Railcar, Seat
from domain.refusal import Refused
from domain.rules import Action
from domain.words import Sentence

_DARK_SPACES = tuple((slot.revealed_at, slot.slot) for slot in SLOTS.values() if slot.revealed_at)


# ==== turning up ==================================================================================
def turn_up(now: Now, furthest: int, to: int) -> None:
    """GTJ 7.2 The first marker to reach or pass a dark space turns up its slot; several follow the order of the track.

    ``furthest``: the space where the foremost marker stood; ``to``: the space that a marker has reached.
    """
    if to <= furthest:
        return
    for space, slot in _DARK_SPACES:
        if furthest < space <= to:
            now.happens(events.ContractTurnedUp(slot, token_drawn(now, slot), space))


def token_drawn(now: Now, slot: int) -> str:
    """GTJ 2.5, 19.2 Every token of the slot's length still undrawn is equally likely."""
    days, drawn = SLOTS[slot].days, {contract.token for contract in now.state.contracts.values()}
    left = [token.id for token in CONTRACT_TOKENS.values() if token.days == days and token.id not in drawn]
    [token] = now.chance.draw(draw_of(slot), left)
    return token


def draw_of(slot: int) -> str:
    """The name of the draw that gives a slot its token."""
    return f"GTJ 2.5 contract of slot {slot}"


# ==== meeting a contract ==========================================================================
def fulfil_contract(now: Now, command: commands.FulfilContract) -> None:
    """GTJ 7.3, 7.5, 7.6 A cube of the token's good, unloaded in its city, meets the contract and goes to the stock."""
    steps.must_be_in_step(now, steps.UNLOAD)
    railcar, _ = train.must_be_loaded(now, command.railcar)
    token = must_be_face_up(now, command.slot)
    must_be_met(now, token, railcar)
    slot = SLOTS[command.slot]
    must_be_in_the_window(now.mine, slot)
    now.happens(events.ContractFulfilled(now.seat, slot.slot, token.id, railcar.card, slot.vp))
    places.first_delivery(now)


def must_be_face_up(now: Now, slot: int) -> ContractToken:
    """GTJ 7.3 The slot is turned up, and its contract not met yet."""
    contract = now.state.contracts.get(slot)
    if contract is None:
        raise Refused("GTJ 7.3", "There is no face-up contract in slot {slot}.", slot=slot)
    if contract.met_by is not None:
        raise Refused("GTJ 7.3", "The contract in slot {slot} has already been fulfilled.", slot=slot)
    return CONTRACT_TOKENS[contract.token]


def must_be_met(now: Now, token: ContractToken, railcar: Railcar) -> None:
    """GTJ 7.3 The token names the good of the cube, and the city where it is unloaded."""
    if token.city != now.mine.place:
        raise Refused(
            "GTJ 7.3",
            "This contract is for {city}, but your train is in {place}.",
            city=token.city,
            place=now.mine.place,
        )
    if token.good != railcar.good:
        raise Refused(
            "GTJ 7.3",
            "This contract is for {good}, but {railcar} carries {cargo}.",
            good=token.good,
            railcar=railcar.card,
            cargo=railcar.good,
        )


def must_be_in_the_window(mine: Seat, slot: Slot) -> None:
    """GTJ 7.4 The seat's day at the moment of unloading must lie in the window."""
    first, last = window(mine, slot)
    if not first <= mine.day <= last:
        raise Refused(
            "GTJ 7.4",
            "This contract is open from day {first} to day {last}; you are on day {day}.",
            first=first,
            last=last,
            day=mine.day,
        )


def window(mine: Seat, slot: Slot) -> tuple[int, int]:
    """GTJ 13.5, 13.6 Every window opens a day sooner, closes a day later, or both, for the owner."""
    owned = [IMPROVEMENTS[each] for each in mine.improvements]
    return (
        slot.first_day - sum(each.days_before for each in owned),
        slot.last_day + sum(each.days_after for each in owned),
    )


# ==== in the list of legal actions ================================================================
def listed(now: Now, railcar: Railcar, slot: int) -> Action:
    """Return the candidate that fulfils the contract of ``slot`` out of ``railcar``; `unloading` lists it."""
    facts = {
        "good": railcar.good,
        "railcar": railcar.card,
        "slot": slot,
        "place": now.mine.place,
        "vp": SLOTS[slot].vp,
    }
    sentence = Sentence("Fulfil contract {slot} in {place} with {good} from {railcar}: {vp} VP", facts)
    return Action(commands.FulfilContract(railcar.card, slot), "unload", sentence)
