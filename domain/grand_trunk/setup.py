"""Opening a table and the opening position (GTJ 1.1, 2, 17): the options of host and seats, and the deal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from domain.chance import Chance
from domain.decision import NO_SEAT
from domain.grand_trunk import events
from domain.grand_trunk.board import (
    BOARD,
    CITIES,
    CONSTANTS,
    FIRST_DELIVERIES,
    PLAYERS,
    SCENARIOS,
    SLOTS,
    Scenario,
)
from domain.grand_trunk.cards import IMPROVEMENTS, OBJECTIVES
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules.contracts import token_drawn
from domain.grand_trunk.state import State
from domain.refusal import Refused
from domain.rules import Outcome

ScenarioId = Literal[
    "default",
    "adirondacks",
    "completing_the_erie_canal",
    "east_coast",
    "lake_ontario",
    "new_england",
    "ontario",
    "quebec_ontario_gateway",
]
CompanyId = Literal["", "central_vermont", "grand_trunk_railway", "quebec_richmond", "st_lawrence_atlantic"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The host's options (GTJ 17.1, 16.1)."""

    scenario: ScenarioId = "default"
    level: Literal["intermediate", "expert"] = "intermediate"
    objectives: bool = False


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's choice: its company (GTJ 17.2), or any of those that are left."""

    company: CompanyId = ""


# ==== what may be chosen ==========================================================================
def check_table(options: Options, seats: int) -> None:
    """GTJ 1.1 Two to four seats play. GTJ 17.2 At most as many as companies are listed for the level."""
    if not PLAYERS.min <= seats <= PLAYERS.max:
        raise Refused("GTJ 1.1", "This game is for {least} to {most} seats.", least=PLAYERS.min, most=PLAYERS.max)
    companies = SCENARIOS[options.scenario].companies(options.level)
    if not companies:
        raise Refused(
            "GTJ 17.2", "{scenario} cannot be played at {level} level.", scenario=options.scenario, level=options.level
        )
    if seats > len(companies):
        raise Refused(
            "GTJ 17.2",
            "{scenario} at {level} level has only {companies:company|companies}, and each seat needs one.",
            scenario=options.scenario,
            level=options.level,
            companies=len(companies),
        )


def check_choice(options: Options, choice: Choice, taken: Sequence[Choice]) -> None:
    """GTJ 1.1 No company is run twice. GTJ 17.2 Only companies listed for the level are run."""
    if not choice.company:
        return
    if choice.company not in SCENARIOS[options.scenario].companies(options.level):
        raise Refused(
            "GTJ 17.2",
            "{company} is not available in {scenario} at {level} level.",
            company=choice.company,
            scenario=options.scenario,
            level=options.level,
        )
    if any(other.company == choice.company for other in taken):
        raise Refused("GTJ 1.1", "{company} is already taken.", company=choice.company)


# ==== the opening position ========================================================================
def setup(options: Options, choices: Mapping[int, Choice], chance: Chance) -> Outcome:
    """GTJ 2.1 to 2.9 Everything up to the sealed choice of the first railcars."""
    now, scenario = Now(State(), NO_SEAT, chance), SCENARIOS[options.scenario]
    now.happens(
        events.TableSet(companies(options, choices, chance), options.scenario, options.level, options.objectives),
        goods_tokens(scenario, chance),
        first_deliveries(scenario, chance),
    )
    first_contracts(now)
    now.happens(improvements(len(choices), chance))
    if options.objectives:
        now.happens(objectives(chance))
    now.happens(turn_order(len(choices), chance), starting_cities(scenario, len(choices), chance))
    return Outcome(now.events, now.state)


def companies(options: Options, choices: Mapping[int, Choice], chance: Chance) -> tuple[str, ...]:
    """GTJ 17.2 Each seat takes its company; a seat without a choice is given one of the others."""
    chosen = {seat: str(choice.company) for seat, choice in choices.items() if choice.company}
    left = [each for each in SCENARIOS[options.scenario].companies(options.level) if each not in chosen.values()]
    undecided = [seat for seat in sorted(choices) if seat not in chosen]
    if undecided:
        chosen |= dict(zip(undecided, chance.draw("GTJ 17.2 companies", left, len(undecided)), strict=True))
    return tuple(chosen[seat] for seat in sorted(choices))


def goods_tokens(scenario: Scenario, chance: Chance) -> events.GoodsTokensDealt:
    """GTJ 2.2, 2.3 City tokens by their group, port tokens to the three ports without printed goods."""
    tokens = BOARD.city_goods_tokens
    starting = [token.id for token in tokens if token.group == "starting"]
    regular = [token.id for token in tokens if token.group == "regular"]
    ports = [token.id for token in BOARD.port_goods_tokens]
    dealt = _dealt(scenario.starting_cities, starting, "GTJ 2.2 starting cities", chance)
    dealt |= _dealt(_other_cities(scenario), regular, "GTJ 2.2 other cities", chance)
    dealt |= _dealt(BOARD.port_goods_dealt_to, ports, "GTJ 2.3 ports", chance)
    return events.GoodsTokensDealt(dealt)


def first_deliveries(scenario: Scenario, chance: Chance) -> events.FirstDeliveriesDealt:
    """GTJ 2.4 Deal tokens to the eight cities that are not starting cities."""
    dealt = _dealt(_other_cities(scenario), FIRST_DELIVERIES, "GTJ 2.4 first deliveries", chance)
    return events.FirstDeliveriesDealt(dealt)


def first_contracts(now: Now) -> None:
    """GTJ 2.5 The first slots are turned up at once, in this order."""
    for slot in list(SLOTS)[: CONSTANTS.contracts_face_up_at_setup]:
        now.happens(events.ContractTurnedUp(slot, token_drawn(now, slot), SLOTS[slot].revealed_at))


def improvements(seats: int, chance: Chance) -> events.ImprovementsDisplayed:
    """GTJ 2.6 Deal three improvements for each seat."""
    shown = chance.draw("GTJ 2.6 improvements", IMPROVEMENTS, seats * CONSTANTS.improvements_shown_per_player)
    return events.ImprovementsDisplayed(tuple(sorted(shown, key=list(IMPROVEMENTS).index)))


def objectives(chance: Chance) -> events.ObjectivesDisplayed:
    """GTJ 16.1 Deal three objectives, in a game with objectives."""
    shown = chance.draw("GTJ 16.1 objectives", OBJECTIVES, CONSTANTS.objectives_shown)
    return events.ObjectivesDisplayed(tuple(sorted(shown, key=list(OBJECTIVES).index)))


def turn_order(seats: int, chance: Chance) -> events.TurnOrderDrawn:
    """GTJ 2.7 A first player is drawn; the others follow in table order, wrapping round."""
    [first] = chance.draw("GTJ 2.7 first player", range(1, seats + 1))
    return events.TurnOrderDrawn((*range(first, seats + 1), *range(1, first)))


def starting_cities(scenario: Scenario, seats: int, chance: Chance) -> events.StartingCitiesDrawn:
    """GTJ 2.9 Draw a different city for each seat."""
    return events.StartingCitiesDrawn(tuple(chance.draw("GTJ 2.9 starting cities", scenario.starting_cities, seats)))


def _other_cities(scenario: Scenario) -> list[str]:
    return [city for city in CITIES if city not in scenario.starting_cities]


def _dealt(places: Iterable[str], tokens: Iterable[str], name: str, chance: Chance) -> dict[str, str]:
    here = list(places)
    return dict(zip(here, chance.draw(name, tokens, len(here)), strict=True))
