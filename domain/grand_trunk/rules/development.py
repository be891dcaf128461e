"""GTJ 12: development. The options of a Development card; objectives are chapter 16."""

from collections.abc import Iterator

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CITIES, CITY_SET, CONSTANTS
from domain.grand_trunk.cards import CARDS, DEVELOPMENT_OPTIONS, FAST, FORCE_LEVELS, IMPROVEMENTS, VARIANTS
from domain.grand_trunk.rules import actions, calendar, improvements, travel
from domain.grand_trunk.state import Seat, State
from domain.messages import Command, Event
from domain.refusal import Refused


def offers(mine: Seat, card: str, option: str) -> None:
    """GTJ 12.1 A Development card carries out one option that its variant offers."""
    actions.in_hand(mine, card)
    variant = CARDS[card].development
    if variant is None:
        raise Refused("GTJ 11.2", "{card} does not show {action}.", card=card, action="development")
    if option not in VARIANTS[variant]:
        raise Refused("GTJ 12.1", "{card} does not offer: {option}.", card=card, option=option)


def played(seat: int, card: str) -> events.ActionCardPlayed:
    """GTJ 12.1, 11.2 Afterwards the card goes to the discard pile."""
    return events.ActionCardPlayed(seat, card, "development")


def days_of(mine: Seat, option: str) -> int:
    """GTJ 12.1 The days of an option. GTJ 13.7 None for the locomotive, with Rail Equipment Factory."""
    free = any(option in IMPROVEMENTS[each].free_options for each in mine.improvements)
    return 0 if free else DEVELOPMENT_OPTIONS[option].days


# ==== 12.2, 12.3 Force ============================================================================
def increase_force(state: State, seat: int, command: commands.IncreaseForce, chance: Chance) -> list[Event]:
    """GTJ 12.2, 12.3 Force rises by one, for enough delivered steel; reaching IV scores."""
    mine = state.seats[seat]
    offers(mine, command.card, "increase_force")
    level = FORCE_LEVELS.get(mine.force + 1)
    if level is None:
        raise Refused("GTJ 12.2", "Your train has the greatest Force.")
    if mine.delivered["steel"] < level.steel_required:
        raise Refused("GTJ 12.2", "Force {roman} needs {needed} delivered steel; you have {steel}.",
                      roman=level.roman, needed=level.steel_required, steel=mine.delivered["steel"])  # fmt: skip
    days = days_of(mine, "increase_force")
    travel.leaves_a_move(state, mine, command.card, days)
    return [
        *calendar.spend(state, seat, days, "increase_force", chance),
        events.ForceIncreased(seat, level.force, level.vp),
        played(seat, command.card),
    ]


# ==== 12.4 Speed ==================================================================================
def increase_speed(state: State, seat: int, command: commands.IncreaseSpeed, chance: Chance) -> list[Event]:
    """GTJ 12.4 With 3 delivered coal a slow train becomes Fast, for good."""
    mine = state.seats[seat]
    offers(mine, command.card, "increase_speed")
    if mine.fast:
        raise Refused("GTJ 12.4", "Your train is Fast already.")
    if mine.delivered["coal"] < FAST.coal_required:
        raise Refused("GTJ 12.4", "Speed needs {needed} delivered coal; you have {coal}.",
                      needed=FAST.coal_required, coal=mine.delivered["coal"])  # fmt: skip
    days = days_of(mine, "increase_speed")
    travel.leaves_a_move(state, mine, command.card, days, fast=True)
    return [
        *calendar.spend(state, seat, days, "increase_speed", chance),
        events.SpeedIncreased(seat, FAST.vp),
        played(seat, command.card),
    ]


# ==== 12.5 to 12.7 terminals ======================================================================
def build_terminal(state: State, seat: int, command: commands.BuildTerminal, chance: Chance) -> list[Event]:
    """GTJ 12.5 to 12.7 A city gets a terminal, for every seat; the cards laid aside for it come into play."""
    mine = state.seats[seat]
    city = command.city
    offers(mine, command.card, "build_terminal")
    if city not in CITY_SET:
        raise Refused("GTJ 12.5", "{place} is not a city.", place=city)
    if city in state.terminals:
        raise Refused("GTJ 12.5", "{city} has a terminal.", city=city)
    days = days_of(mine, "build_terminal")
    travel.leaves_a_move(state, mine, command.card, days, opened=city)
    return [
        *calendar.spend(state, seat, days, "build_terminal", chance),
        events.TerminalBuilt(seat, city, CONSTANTS.vp_new_terminal, command.new_card),
        *improvements.speculators_paid(state, seat),
        played(seat, command.card),
    ]


# ==== 12.8, 12.9 improvements =====================================================================
def acquire_improvement(state: State, seat: int, command: commands.AcquireImprovement, chance: Chance) -> list[Event]:
    """GTJ 12.8, 12.9 One improvement from the display, which is not refilled."""
    mine = state.seats[seat]
    offers(mine, command.card, "acquire_improvement")
    if command.improvement not in state.improvements:
        raise Refused("GTJ 12.8", "{improvement} is not on display.", improvement=command.improvement)
    improvement = IMPROVEMENTS[command.improvement]
    travel.leaves_a_move(state, mine, command.card, improvement.cost_days)
    return [
        *calendar.spend(state, seat, improvement.cost_days, "acquire_improvement", chance),
        events.ImprovementAcquired(seat, improvement.id, improvements.gained(improvement)),
        played(seat, command.card),
    ]


# ==== candidates ==================================================================================
def candidates(state: State, seat: int) -> Iterator[Command]:
    for card in sorted(state.seats[seat].hand):
        variant = CARDS[card].development
        if variant is None:
            continue
        options = VARIANTS[variant]
        if "increase_force" in options:
            yield commands.IncreaseForce(card)
        if "increase_speed" in options:
            yield commands.IncreaseSpeed(card)
        if "build_terminal" in options:
            for city in CITIES:
                if city not in state.terminals:
                    yield commands.BuildTerminal(card, city, "deck_top")
                    yield commands.BuildTerminal(card, city, "discard")
        if "acquire_improvement" in options:
            for improvement in state.improvements:
                yield commands.AcquireImprovement(card, improvement)
