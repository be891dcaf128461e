"""Every id has a name, every event is told, and both are said as the game calls them."""

import random
import re
from typing import get_args, get_type_hints

import msgspec
import pytest

from domain.chance import FreeChance
from domain.grand_trunk import TITLE, board, cards, commands, state
from domain.grand_trunk import commands as do
from domain.grand_trunk.events import EVENTS
from domain.grand_trunk.face.narrate import BOOKKEEPING, TELLERS
from domain.grand_trunk.face.words import WORDS
from domain.words import Sentence, say
from service.words import spoken
from tests.domain.grand_trunk.test_legal import SAID
from tests.orders import positions

ENGLISH = WORDS.english
GERMAN = spoken(WORDS, "de")


def test_a_number_takes_its_noun_along_in_both_languages():
    moved = Sentence(
        "{seat} moves from {origin} to {to}: {days:day|days}, now on day {day}.",
        {"seat": 1, "origin": "utica", "to": "quebec", "days": 1, "day": 9},
    )
    assert say(moved, ENGLISH, lambda seat: "Ann") == "Ann moves from Utica to Québec: 1 day, now on day 9."
    assert say(moved, GERMAN, lambda seat: "Ann") == "Ann fährt von Utica nach Québec: 1 Tag (nun Tag 9)."


def test_german_says_victory_points_alone() -> None:
    """The rulebook's word, or its abbreviation where there is little room."""
    said = [*GERMAN.texts.values(), *GERMAN.names.values()]
    assert any("Siegpunkt" in text for text in said)
    assert not [text for text in said if re.search(r"\bPunkt", text)]


IDS = {
    "places": board.PLACES, "goods": cards.GOODS, "companies": cards.COMPANIES, "cards": cards.CARDS,
    "railcar types": cards.RAILCAR_TYPES, "actions": cards.ACTIONS, "options": cards.DEVELOPMENT_OPTIONS,
    "variants": cards.VARIANTS, "improvements": cards.IMPROVEMENTS, "objectives": cards.OBJECTIVES,
    "scenarios": board.SCENARIOS, "goods tokens": board.GOODS_TOKENS, "contract tokens": board.CONTRACT_TOKENS,
    "first deliveries": board.FIRST_DELIVERIES, "levels": ("intermediate", "expert"),
    "force levels": [level.id for level in cards.FORCE_LEVELS.values()],
    "groups of actions": {group for _, _, group, _ in SAID},
    "stages": state.Stage.__args__, "categories": state.Category.__args__,
    "new card": commands.BuildTerminal.__annotations__["new_card"].__args__,
}  # fmt: skip


@pytest.mark.parametrize("kind", IDS)
def test_each_id_has_a_name_in_both_languages(kind: str):
    for each in IDS[kind]:
        assert each in WORDS.names
        for language in (ENGLISH, GERMAN):
            assert language.name(each)
            assert "_" not in language.name(each), "an id is no name"


@pytest.mark.parametrize("struct", [TITLE.seating.options, TITLE.seating.choice])
def test_options_and_choices_have_names(struct: type[msgspec.Struct]):
    for field, kind in get_type_hints(struct).items():
        for named in (field, *get_args(kind)):
            assert named in WORDS.names, f"{struct.__name__}.{field}"


def test_a_card_is_named_by_what_it_shows():
    assert ENGLISH.name("central_vermont.burlington") == "Burlington (Hopper Car)"
    assert GERMAN.name("grand_trunk_railway.ottawa") == "Ottawa (Überlandtransport)"
    assert ENGLISH.name("quebec_richmond.port_1") == ENGLISH.name("quebec_richmond.port_2")


def test_every_event_is_told_or_is_bookkeeping():
    assert set(TELLERS) | set(BOOKKEEPING) == set(EVENTS)
    assert not set(TELLERS) & set(BOOKKEEPING)


def test_sentences_about_objectives_agree_with_the_data():
    for it in cards.OBJECTIVES.values():
        said = WORDS.names[f"{it.id}.effect"]
        assert f": {it.vp} point" in said
        needs = it.requires
        for number in (needs.contracts, needs.total_goods, needs.any_one_good, needs.goods_on_train):
            assert not number or f" {number} " in said, said
        assert all(f"{number} {good}" in said for good, number in needs.goods.items())
        assert ("Fast" in said) == needs.fast
        assert ("Force" in said) == bool(needs.force)
        if needs.force:
            assert ENGLISH.name(f"force_{needs.force}") in said
        assert (it.per_good is None) or f"for each {it.per_good}" in said
        assert (it.per_goods is None) or f"for every {it.per_goods} goods" in said


def test_a_move_says_which_goods_its_place_takes():
    """Those that can be delivered there, or fulfil a contract, when the train has come."""
    taken = 0
    for at in positions(TITLE, 2, every=3):
        moves = [it.action for it in at.options if isinstance(it.command, do.MoveTrain) and not it.action.aside]
        for action in moves[::2]:
            remark = TITLE.face.orders.listing.remark(at.tongue.view, action)
            said = set(remark.facts.get("goods", ()))
            after = TITLE.rules.decide(at.state, at.seat, action.command, FreeChance(random.Random(1))).after
            before, now = (TITLE.rules.view(it, at.seat) for it in (at.state, after))
            if before.contracts != now.contracts:
                continue
            unloads = [it.command for it in TITLE.rules.actions(after, at.seat)]
            cars = {it.railcar for it in unloads if isinstance(it, do.DeliverGood | do.FulfilContract)}
            assert said == {it.good for it in now.own.railcars if it.card in cars}, action
            taken += bool(said)
    assert taken > 5
