"""GTJ 5: Option 1. Step 1, moving the train, and what must stay possible before it; the order of steps is `steps`."""

from collections.abc import Iterator
from typing import Any

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CITY_SET, CONSTANTS, FURTHEST_LINKS, LAST_SPACE, LINKS_BETWEEN, PLACES, PORT_SET
from domain.grand_trunk.cards import ACTIONS, CARDS, FAST
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import calendar, hand, steps
from domain.grand_trunk.state import BEFORE_MOVE, Seat, State
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence


# ==== step 1: moving ==============================================================================
def move_train(now: Now, command: commands.MoveTrain) -> None:
    """GTJ 5.3, 5.4, 5.6 The train moves once, to where the played card leads; the old location card is discarded."""
    mine, card, to = now.mine, command.card, command.to
    steps.must_not_have_moved(now)
    must_lead_there(now, card, to)
    must_be_another_place(mine, to)
    must_change_something(mine, command)
    must_save_a_day(now, command)
    days = days_of_move(mine, command)
    calendar.spend(now, days, "move")
    links, junction = LINKS_BETWEEN[mine.place][to], CARDS[card].leads_to == "any"
    now.happens(
        events.TrainMoved(
            now.seat,
            card,
            mine.location,
            mine.place,
            to,
            links,
            junction,
            command.decline_fast,
            command.right_of_way,
            days,
        )
    )
    if command.right_of_way is not None:
        now.happens(events.ActionCardPlayed(now.seat, command.right_of_way, "right_of_way"))


def must_lead_there(now: Now, card: str, to: str) -> None:
    """GTJ 5.4 A city card leads to its city, a port card to any port, the junction to any port or open city."""
    hand.must_be_in_hand(now, card, "GTJ 5.4")
    leads_to = CARDS[card].leads_to
    if leads_to is None:
        raise Refused("GTJ 5.4", "{card} leads nowhere.", card=card)
    if to in CITY_SET and to not in now.state.terminals:
        raise Refused("GTJ 5.4", "{place} has no terminal.", place=to)
    if to not in _reach(now.state, leads_to):
        raise Refused("GTJ 5.4", "{card} does not lead to {place}.", card=card, place=to)


def _reach(state: State, leads_to: str) -> frozenset[str]:
    if leads_to == "any_port":
        return PORT_SET
    return PORT_SET | state.terminals if leads_to == "any" else frozenset((leads_to,))


def must_be_another_place(mine: Seat, to: str) -> None:
    """GTJ 5.5 The destination is not where the train stands."""
    if to == mine.place:
        raise Refused("GTJ 5.5", "Your train is already in {place}.", place=to)


def days_of_move(mine: Seat, move: commands.MoveTrain) -> int:
    """GTJ 5.8 Links, 1 more by the junction, 1 less by Fast and by Right of Way; never under 1."""
    fast, right_of_way = mine.fast and not move.decline_fast, move.right_of_way is not None
    return days_by(move.card, mine.place, move.to, fast=fast, right_of_way=right_of_way)


def days_by(card: str, place: str, to: str, *, fast: bool, right_of_way: bool = False) -> int:
    """GTJ 5.8 What a move by ``card`` takes."""
    days = _full_days(card, place, to)
    if fast:
        days -= CONSTANTS.fast_discount_days
    if right_of_way:
        days -= ACTIONS["right_of_way"].discount_days
    return max(days, CONSTANTS.min_move_days)


def _full_days(card: str, place: str, to: str) -> int:
    """GTJ 5.7, 5.8 The days before any discount; the train takes the fewest links, whatever lies on the way."""
    extra = CONSTANTS.grand_trunk_jct_extra_days if CARDS[card].leads_to == "any" else 0
    return LINKS_BETWEEN[place][to] + extra


def must_change_something(mine: Seat, command: commands.MoveTrain) -> None:
    """GTJ 5.9 Fast may be declined, where that changes something."""
    if not command.decline_fast:
        return
    if not mine.fast:
        raise Refused("GTJ 5.9", "Your train is slow, so there is no saved day to give up.")
    if _full_days(command.card, mine.place, command.to) <= CONSTANTS.min_move_days:
        raise Refused("GTJ 5.9", "This move takes one day, with or without Fast.")


def must_save_a_day(now: Now, command: commands.MoveTrain) -> None:
    """GTJ 5.2 A card is used as a location or for its attribute. GTJ 11.9 Right of Way must save a day."""
    mine, card = now.mine, command.right_of_way
    if card is None:
        return
    if card == command.card:
        raise Refused("GTJ 5.2", "You cannot use {card} twice.", card=card)
    hand.must_show(now, card, "right_of_way")
    fast = FAST.discount_days if mine.fast and not command.decline_fast else 0
    if _full_days(command.card, mine.place, command.to) - fast <= CONSTANTS.min_move_days:
        raise Refused("GTJ 11.9", "This move already takes only one day.")


# ==== actions before the move =====================================================================
def must_leave_a_move(
    now: Now, lost: str | None = None, days: int = 0, opened: str | None = None, fast: bool = False
) -> None:
    """GTJ 5.10 After an action before the move at least one legal move must remain, with days enough.

    ``lost``: the card of the hand that the action uses up; ``opened``: the city it opens; ``fast``: it makes the train
    Fast. Cards it would draw do not count.
    """
    state, mine = now.state, now.mine
    if state.stage in BEFORE_MOVE and not a_move_remains(state, mine, lost, days, opened, mine.fast or fast):
        raise Refused("GTJ 5.10", "After this you would have no legal move left.")


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


# ==== in the list of legal actions ================================================================
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


def candidates(now: Now) -> Iterator[Action]:
    """Return every move there could be, in the order of cards and places."""
    if now.allows(steps.must_not_have_moved):
        for it in moves(now.state, now.mine):
            yield Action(it, "move", _move(now.mine, it))


def _move(mine: Seat, it: commands.MoveTrain) -> Sentence:
    facts: dict[str, Any] = {"place": it.to, "card": it.card, "days": days_of_move(mine, it)}
    if it.right_of_way is None:
        if it.decline_fast:
            return Sentence("Move to {place} with {card}, without Fast: {days:day|days}", facts)
        return Sentence("Move to {place} with {card}: {days:day|days}", facts)
    facts["right_of_way"] = it.right_of_way
    if it.decline_fast:
        return Sentence("Move to {place} with {card} and {right_of_way}, without Fast: {days:day|days}", facts)
    return Sentence("Move to {place} with {card} and {right_of_way}: {days:day|days}", facts)


CHAPTER = Chapter({commands.MoveTrain: move_train}, candidates)
