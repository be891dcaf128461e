"""The English names of things in the Grand Trunk Journey.

Other languages lie in `words/`; each sentence stands in the module that uses it. Printed names come from the data;
names that the printed game does not give stand here. German words follow the glossary of the catalogue (appendix C).
Places and companies keep their names in German (GTJ 19.9).
"""

from collections.abc import Mapping
from pathlib import Path

from domain import house_words
from domain.drawing import map_names
from domain.grand_trunk import board, cards
from domain.grand_trunk.face.picture import BASE
from domain.words import Name, Sentence, Words

OUR_OWN: Mapping[str, Name] = {
    "grand_trunk": "The Grand Trunk Journey",
    "coal": "coal",
    "iron": "iron",
    "wood": "wood",
    "steel": "steel",
    "intermediate": "intermediate",
    "expert": "expert",
    "force_1": "Force I",
    "force_2": "Force II",
    "force_3": "Force III",
    "force_4": "Force IV",
    "slow": "Slow",
    "fast": "Fast",
    "city": "city",
    "port": "port",
    "any_port": "any port",
    "deck_top": "on top of the deck",
    "discard": "to the discard pile",
    # variants of Development cards
    "terminal_or_improvement": "Terminal or Improvement",
    "force_or_speed": "Force or Speed",
    "any_of_four": "Development",
    # options and choices
    "scenario": "Scenario",
    "level": "Level",
    "objectives": "Objectives",
    "company": "Company",
    # stages of a turn
    "choosing": "choosing first railcars",
    "start": "at the start",
    "before": "before the move",
    "unload": "unload goods",
    "uncouple": "remove empty railcars",
    "couple": "add railcars",
    "load": "load goods",
    "draw": "draw cards",
    # categories of the result
    "starting_vp": "start",
    "foreign_steel": "Foreign Steel Contract",
    "first_deliveries": "first deliveries",
    "contracts": "contracts",
    "terminals": "terminals",
    "force": "Force",
    "speed": "Speed",
    "dumped": "dumped goods",
    "time": "time",
    "sets": "sets",
    "improvements": "improvements",
    # groups of actions
    "move": "Move the train",
    "first_railcar": "First railcar",
    "action": "Actions",
    "improvement": "Use an improvement",
    "maintenance": "Maintenance",
    "end": "End the turn",
    "pass": "Pass",
    # kinds of actions
    "do start": "Start",
    "do move": "Move",
    "do deliver": "Deliver",
    "do contract": "Contract",
    "do dump": "Dump",
    "do uncouple": "Uncouple",
    "do couple": "Couple",
    "do load": "Load",
    "do double": "Double",
    "do swap": "Swap goods",
    "do haul": "Haul",
    "do yard": "Rail Yard",
    "do force": "Force",
    "do speed": "Speed",
    "do build": "Build",
    "do acquire": "Acquire",
    "do objective": "Objective",
    "do store": "Store",
    "do clear": "Clear the spur",
    "do crane": "Crane",
    "do roundhouse": "Roundhouse",
    "do semaphore": "Semaphore",
    "do roof": "Hi-Roof Boxcar",
    "do end": "End turn",
    "do maintenance": "Maintenance",
    "do pass": "Pass",
    # places
    "slowly": "without Fast",
    "discard_pile": "its card to the discard pile",
    "stock": "the stock",
}


def _printed() -> dict[str, Name]:
    kinds = (
        board.PLACES, cards.COMPANIES, cards.ACTIONS, cards.IMPROVEMENTS, cards.OBJECTIVES, board.SCENARIOS,
        cards.RAILCAR_TYPES, cards.DEVELOPMENT_OPTIONS,
    )  # fmt: skip
    return {item.id: item.name for kind in kinds for item in kind.values()}


def _card(card: cards.Card) -> Name:
    """Name cards by their face, the same for every owner: "Burlington (Hopper Car)"."""
    if card.kind == "railcar":
        return Sentence("{railcar}", {"railcar": card.railcar})
    if card.kind == "junction":
        return "Grand Trunk Jct"
    shows = card.railcar or card.action or card.development
    if card.kind == "port":
        return Sentence("Port ({shows})", {"shows": shows})
    return Sentence("{place} ({shows})", {"place": card.leads_to, "shows": shows})


def _tokens() -> dict[str, Name]:
    """Name tokens by the text on them."""
    names: dict[str, Name] = {}
    for token in board.GOODS_TOKENS.values():
        facts = {"demand": token.demand, "supply": token.supply}
        names[token.id] = Sentence("{demand} for {supply}", facts)
    for contract in board.CONTRACT_TOKENS.values():
        names[contract.id] = Sentence("{good} for {city}", {"good": contract.good, "city": contract.city})
    for first in board.FIRST_DELIVERIES.values():
        names[first.id] = Sentence("first delivery, {vp} VP", {"vp": first.vp})
    return names


OBJECTIVES: Mapping[str, Name] = {
    "carrier_of_the_year": "needs 4 contracts: 5 points.",
    "coal_depot": "needs 3 coal delivered: 1 point for each coal.",
    "common_carrier": "needs 3 coal, 3 iron and 3 wood delivered, and Force III: 5 points.",
    "freight_station": "needs 6 goods delivered: 2 points for every 3 goods.",
    "heavy_cargo_train": "needs 4 goods on the train: 3 points.",
    "iron_ore_depot": "needs 3 iron delivered: 1 point for each iron.",
    "national_railway_certificate": "needs 10 goods delivered, 2 contracts, Force IV and Fast: 7 points.",
    "specialized_carrier": "needs 6 of one good delivered: 5 points.",
    "steel_warehouse": "needs 3 steel delivered: 1 point for each steel.",
    "wood_depot": "needs 3 wood delivered: 1 point for each wood.",
}
"""The conditions and points of objectives (GTJ 16.5 to 16.14); a test compares them with the data."""


def _effects() -> dict[str, Name]:
    """Return the effects of improvements, and the conditions and points of objectives."""
    improvements = {f"{it.id}.effect": it.summary for it in cards.IMPROVEMENTS.values()}
    return {**improvements, **{f"{it}.effect": said for it, said in OBJECTIVES.items()}}


NAMES: Mapping[str, Name] = {
    **house_words.NAMES,
    **map_names(BASE),
    **_effects(),
    **_printed(),
    **OUR_OWN,
    **{card.id: _card(card) for card in cards.CARDS.values()},
    **_tokens(),
}

WORDS = Words(NAMES, Path(__file__).parents[1] / "words")
