"""GTJ 5: Option 1. The order of its steps, and step 1, moving the train."""

from collections.abc import Iterator

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CITY_SET, CONSTANTS, FURTHEST_LINKS, LAST_SPACE, LINKS_BETWEEN, PLACES, PORT_SET
from domain.grand_trunk.cards import ACTIONS, CARDS, FAST
from domain.grand_trunk.rules import actions, calendar
from domain.grand_trunk.state import BEFORE_MOVE, Seat, Stage, State
from domain.messages import Command, Event
from domain.refusal import Refused

UNLOAD: frozenset[Stage] = frozenset(("unload",))
UNCOUPLE: frozenset[Stage] = frozenset(("unload", "uncouple"))
COUPLE_AND_LOAD: frozenset[Stage] = frozenset(("unload", "uncouple", "load"))


# ==== the order of the steps ======================================================================
def in_step(state: State, stages: frozenset[Stage]) -> None:
    """GTJ 5.1 The steps come in their order, after the move, and there is no way back."""
    if state.stage in stages:
        return
    if state.stage in BEFORE_MOVE:
        raise Refused("GTJ 5.1", "This comes after the move.")
    raise Refused("GTJ 5.1", "This step is over for this turn.")


def before_the_move(state: State) -> None:
    """GTJ 5.3 The train moves once."""
    if state.stage not in BEFORE_MOVE:
        raise Refused("GTJ 5.3", "Your train has moved in this turn.")


def after_the_move(state: State) -> None:
    """GTJ 5.3 In Option 1 the train must move before the turn ends."""
    if state.stage in BEFORE_MOVE:
        raise Refused("GTJ 5.3", "Your train has not moved yet.")


# ==== step 1: moving ==============================================================================
def move_train(state: State, seat: int, command: commands.MoveTrain, chance: Chance) -> list[Event]:
    """GTJ 5.3, 5.4, 5.6 The train moves once, to where the played card leads; the old location card is discarded."""
    before_the_move(state)
    mine = state.seats[seat]
    card, to = command.card, command.to
    leads_there(state, mine, card, to)
    another_place(mine, to)
    fast_matters(mine, command)
    right_of_way_matters(mine, command)
    days = days_of_move(mine, command)
    moved: list[Event] = calendar.spend(state, seat, days, "move", chance)
    links, junction = LINKS_BETWEEN[mine.place][to], CARDS[card].leads_to == "any"
    moved.append(
        events.TrainMoved(
            seat, card, mine.location, mine.place, to, links, junction, command.decline_fast, command.right_of_way, days
        )
    )
    if command.right_of_way is not None:
        moved.append(events.ActionCardPlayed(seat, command.right_of_way, "right_of_way"))
    return moved


def leads_there(state: State, mine: Seat, card: str, to: str) -> None:
    """GTJ 5.4 A city card leads to its city, a port card to any port, the junction to any port or open city."""
    if card not in mine.hand:
        raise Refused("GTJ 5.4", "{card} is not in your hand.", card=card)
    leads_to = CARDS[card].leads_to
    if leads_to is None:
        raise Refused("GTJ 5.4", "{card} leads nowhere.", card=card)
    if to in CITY_SET and to not in state.terminals:
        raise Refused("GTJ 5.4", "{place} has no terminal.", place=to)
    if to not in _reach(state, leads_to):
        raise Refused("GTJ 5.4", "{card} does not lead to {place}.", card=card, place=to)


def _reach(state: State, leads_to: str) -> frozenset[str]:
    if leads_to == "any_port":
        return PORT_SET
    return PORT_SET | state.terminals if leads_to == "any" else frozenset((leads_to,))


def another_place(mine: Seat, to: str) -> None:
    """GTJ 5.5 The destination is not where the train stands."""
    if to == mine.place:
        raise Refused("GTJ 5.5", "Your train stands in {place} already.", place=to)


def days_of_move(mine: Seat, command: commands.MoveTrain) -> int:
    """GTJ 5.8 Links, 1 more by the junction, 1 less by Fast and by Right of Way; never under 1."""
    days = _full_days(mine.place, command)
    if mine.fast and not command.decline_fast:
        days -= CONSTANTS.fast_discount_days
    if command.right_of_way is not None:
        days -= ACTIONS["right_of_way"].discount_days
    return max(days, CONSTANTS.min_move_days)


def _full_days(place: str, command: commands.MoveTrain) -> int:
    """GTJ 5.7, 5.8 The days before any discount; the train takes the fewest links, whatever lies on the way."""
    extra = CONSTANTS.grand_trunk_jct_extra_days if CARDS[command.card].leads_to == "any" else 0
    return LINKS_BETWEEN[place][command.to] + extra


def fast_matters(mine: Seat, command: commands.MoveTrain) -> None:
    """GTJ 5.9 Fast may be declined, where that changes something."""
    if not command.decline_fast:
        return
    if not mine.fast:
        raise Refused("GTJ 5.9", "Your train is slow: there is nothing to decline.")
    if _full_days(mine.place, command) <= CONSTANTS.min_move_days:
        raise Refused("GTJ 5.9", "This move takes one day with or without Fast.")


def right_of_way_matters(mine: Seat, command: commands.MoveTrain) -> None:
    """GTJ 5.2 A card is used as a location or for its attribute. GTJ 11.9 Right of Way must save a day."""
    card = command.right_of_way
    if card is None:
        return
    if card == command.card:
        raise Refused("GTJ 5.2", "{card} cannot be used twice.", card=card)
    actions.shows(mine, card, "right_of_way")
    fast = FAST.discount_days if mine.fast and not command.decline_fast else 0
    if _full_days(mine.place, command) - fast <= CONSTANTS.min_move_days:
        raise Refused("GTJ 11.9", "This move takes one day already.")


# ==== actions before the move =====================================================================
def leaves_a_move(
    state: State, mine: Seat, lost: str | None = None, days: int = 0, opened: str | None = None, fast: bool = False
) -> None:
    """GTJ 5.10 After an action before the move at least one legal move must remain, with days enough.

    ``lost``: the card of the hand that the action uses up; ``opened``: the city it opens; ``fast``: it makes the train
    Fast. Cards it would draw do not count.
    """
    if state.stage in BEFORE_MOVE and not a_move_remains(state, mine, lost, days, opened, mine.fast or fast):
        raise Refused("GTJ 5.10", "After this no legal move would be left.")


def a_move_remains(state: State, mine: Seat, lost: str | None, days: int, opened: str | None, fast: bool) -> bool:
    """Whether some card in hand, other than ``lost``, leads to another place in the days that are left (GTJ 3.6)."""
    budget = LAST_SPACE - mine.day - days
    if budget < CONSTANTS.min_move_days:
        return False
    plenty = budget > FURTHEST_LINKS  # then any move can be paid for, the junction's included
    rights_of_way = [card for card in mine.hand if card != lost and CARDS[card].action == "right_of_way"]
    for card in mine.hand:
        leads_to = CARDS[card].leads_to
        if card == lost or leads_to is None:
            continue
        reach = _reach(state, leads_to)
        if opened is not None and leads_to == "any":
            reach |= {opened}
        discount = fast * CONSTANTS.fast_discount_days + any(other != card for other in rights_of_way)
        extra = CONSTANTS.grand_trunk_jct_extra_days if leads_to == "any" else 0
        for place in reach:
            if place == mine.place:
                continue
            if plenty or max(LINKS_BETWEEN[mine.place][place] + extra - discount, 1) <= budget:
                return True
    return False


# ==== candidates ==================================================================================
def moves(state: State, mine: Seat) -> Iterator[commands.MoveTrain]:
    """Every move there could be: by the order of cards and places, then the ways to shorten it."""
    rights_of_way = [None, *(card for card in sorted(mine.hand) if CARDS[card].action == "right_of_way")]
    for card in sorted(mine.hand):
        leads_to = CARDS[card].leads_to
        if leads_to is None:
            continue
        reach = _reach(state, leads_to)
        for place in PLACES:
            if place not in reach or place == mine.place:
                continue
            for right_of_way in rights_of_way:
                yield commands.MoveTrain(card, place, False, right_of_way)
                if mine.fast:
                    yield commands.MoveTrain(card, place, True, right_of_way)


def candidates(state: State, seat: int) -> Iterator[Command]:
    if state.stage in BEFORE_MOVE:
        yield from moves(state, state.seats[seat])
