"""GTJ 12: development. The options of a Development card; objectives are chapter 16."""

from collections.abc import Iterator

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CITIES, CITY_SET, CONSTANTS
from domain.grand_trunk.cards import (
    CARDS,
    DEVELOPMENT_OPTIONS,
    FAST,
    FORCE_LEVELS,
    IMPROVEMENTS,
    VARIANTS,
    ForceLevel,
    Improvement,
)
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import calendar, hand, improvements, travel
from domain.grand_trunk.state import Seat
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence


def must_offer(now: Now, card: str, option: str) -> None:
    """GTJ 12.1 A Development card carries out one option that its variant offers."""
    hand.must_be_in_hand(now, card)
    variant = CARDS[card].development
    if variant is None:
        raise Refused("GTJ 11.2", "{card} does not show {action}.", card=card, action="development")
    if option not in VARIANTS[variant]:
        raise Refused("GTJ 12.1", "You cannot use {card} for this: {option}.", card=card, option=option)


def played(seat: int, card: str) -> events.ActionCardPlayed:
    """GTJ 12.1, 11.2 Afterwards the card goes to the discard pile."""
    return events.ActionCardPlayed(seat, card, "development")


def days_of(mine: Seat, option: str) -> int:
    """GTJ 12.1 The days of an option. GTJ 13.7 None for the locomotive, with Rail Equipment Factory."""
    free = any(option in IMPROVEMENTS[each].free_options for each in mine.improvements)
    return 0 if free else DEVELOPMENT_OPTIONS[option].days


# ==== 12.2, 12.3 Force ============================================================================
def increase_force(now: Now, command: commands.IncreaseForce) -> None:
    """GTJ 12.2, 12.3 Force rises by one, for enough delivered steel; reaching IV scores."""
    days = days_of(now.mine, "increase_force")
    must_offer(now, command.card, "increase_force")
    level = must_deserve_more_force(now.mine)
    travel.must_leave_a_move(now, command.card, days)
    calendar.spend(now, days, "increase_force")
    now.happens(events.ForceIncreased(now.seat, level.force, level.vp), played(now.seat, command.card))


def must_deserve_more_force(mine: Seat) -> ForceLevel:
    """GTJ 12.2 There is a next level, and enough steel was delivered for it."""
    level = FORCE_LEVELS.get(mine.force + 1)
    if level is None:
        raise Refused("GTJ 12.2", "Your train already has the greatest Force.")
    if mine.delivered["steel"] < level.steel_required:
        raise Refused(
            "GTJ 12.2",
            "Force {roman} needs {needed} delivered steel; you have {steel}.",
            roman=level.roman,
            needed=level.steel_required,
            steel=mine.delivered["steel"],
        )
    return level


# ==== 12.4 Speed ==================================================================================
def increase_speed(now: Now, command: commands.IncreaseSpeed) -> None:
    """GTJ 12.4 With 3 delivered coal a slow train becomes Fast, for good."""
    days = days_of(now.mine, "increase_speed")
    must_offer(now, command.card, "increase_speed")
    must_deserve_speed(now.mine)
    travel.must_leave_a_move(now, command.card, days, fast=True)
    calendar.spend(now, days, "increase_speed")
    now.happens(events.SpeedIncreased(now.seat, FAST.vp), played(now.seat, command.card))


def must_deserve_speed(mine: Seat) -> None:
    """GTJ 12.4 The train is slow, and enough coal was delivered."""
    if mine.fast:
        raise Refused("GTJ 12.4", "Your train is already Fast.")
    if mine.delivered["coal"] < FAST.coal_required:
        raise Refused(
            "GTJ 12.4",
            "Speed needs {needed} delivered coal; you have {coal}.",
            needed=FAST.coal_required,
            coal=mine.delivered["coal"],
        )


# ==== 12.5 to 12.7 terminals ======================================================================
def build_terminal(now: Now, command: commands.BuildTerminal) -> None:
    """GTJ 12.5 to 12.7 A city gets a terminal, for every seat; the cards laid aside for it come into play."""
    city, days = command.city, days_of(now.mine, "build_terminal")
    must_offer(now, command.card, "build_terminal")
    must_be_without_a_terminal(now, city)
    travel.must_leave_a_move(now, command.card, days, opened=city)
    calendar.spend(now, days, "build_terminal")
    now.happens(events.TerminalBuilt(now.seat, city, CONSTANTS.vp_new_terminal, command.new_card))
    improvements.speculators_paid(now)
    now.happens(played(now.seat, command.card))


def must_be_without_a_terminal(now: Now, city: str) -> None:
    """GTJ 12.5 A city that has none."""
    if city not in CITY_SET:
        raise Refused("GTJ 12.5", "{place} is not a city.", place=city)
    if city in now.state.terminals:
        raise Refused("GTJ 12.5", "{city} already has a terminal.", city=city)


# ==== 12.8, 12.9 improvements =====================================================================
def acquire_improvement(now: Now, command: commands.AcquireImprovement) -> None:
    """GTJ 12.8, 12.9 One improvement from the display, which is not refilled."""
    must_offer(now, command.card, "acquire_improvement")
    improvement = must_be_on_display(now, command.improvement)
    travel.must_leave_a_move(now, command.card, improvement.cost_days)
    calendar.spend(now, improvement.cost_days, "acquire_improvement")
    now.happens(
        events.ImprovementAcquired(now.seat, improvement.id, improvements.gained(improvement)),
        played(now.seat, command.card),
    )


def must_be_on_display(now: Now, improvement: str) -> Improvement:
    """GTJ 12.8 Only what is on display can be acquired."""
    if improvement not in now.state.improvements:
        raise Refused("GTJ 12.8", "{improvement} is not on display.", improvement=improvement)
    return IMPROVEMENTS[improvement]


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return the options of each Development card in hand."""
    mine = now.mine
    for card in sorted(mine.hand):
        options = VARIANTS.get(CARDS[card].development or "", ())
        if "increase_force" in options:
            yield _increase_force(mine, card)
        if "increase_speed" in options:
            yield _increase_speed(mine, card)
        if "build_terminal" in options:
            for city in CITIES:
                if now.allows(must_be_without_a_terminal, city):
                    yield from _build(mine, card, city)
        if "acquire_improvement" in options:
            yield from (_acquire(card, improvement) for improvement in now.state.improvements)


def _increase_force(mine: Seat, card: str) -> Action:
    level = FORCE_LEVELS.get(mine.force + 1)
    facts = {"force": level and level.id, "card": card, "days": days_of(mine, "increase_force")}
    sentence = Sentence("Increase to {force} with {card}: {days:day|days}", facts)
    return Action(commands.IncreaseForce(card), "development", sentence)


def _increase_speed(mine: Seat, card: str) -> Action:
    facts = {"card": card, "days": days_of(mine, "increase_speed")}
    sentence = Sentence("Make the train Fast with {card}: {days:day|days}", facts)
    return Action(commands.IncreaseSpeed(card), "development", sentence)


def _build(mine: Seat, card: str, city: str) -> Iterator[Action]:
    facts = {"city": city, "card": card, "days": days_of(mine, "build_terminal")}
    sentence = Sentence(
        "Build a terminal in {city} with {card} and put the city's card on top of your deck: {days:day|days}", facts
    )
    yield Action(commands.BuildTerminal(card, city, "deck_top"), "development", sentence)
    sentence = Sentence(
        "Build a terminal in {city} with {card} and put the city's card on your discard pile: {days:day|days}", facts
    )
    yield Action(commands.BuildTerminal(card, city, "discard"), "development", sentence)


def _acquire(card: str, improvement: str) -> Action:
    facts = {"improvement": improvement, "card": card, "days": IMPROVEMENTS[improvement].cost_days}
    sentence = Sentence("Acquire {improvement} with {card}: {days:day|days}", facts)
    return Action(commands.AcquireImprovement(card, improvement), "development", sentence)


CHAPTER = Chapter(
    {
        commands.IncreaseForce: increase_force,
        commands.IncreaseSpeed: increase_speed,
        commands.BuildTerminal: build_terminal,
        commands.AcquireImprovement: acquire_improvement,
    },
    candidates,
)
