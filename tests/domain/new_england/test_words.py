"""Every id has a name, every event is narrated, and both use the words of the game."""

import pytest

from domain.messages import owner_of, redact
from domain.new_england import TITLE
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import CITIES, COLOURS, GROWTH_CARDS, LINKS, MATERIAL
from domain.new_england.decide import actions
from domain.new_england.face.narrate import SILENT, STEPS, TELLERS, hand, narrate, standing
from domain.new_england.face.notes import NOTES
from domain.new_england.face.words import WORDS
from domain.new_england.state import State
from domain.new_england.view import view
from domain.words import Sentence, say
from service.words import spoken
from tests.contract.games import RandomGame
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
    auction,
    debt,
    everything_built,
    given,
    opening,
    owned,
    shipping,
    sold,
)

ENGLISH, GERMAN = WORDS.english, spoken(WORDS, "de")
NAMES = {1: "Ann", 2: "Bob", 3: "Cyd"}


@pytest.mark.parametrize(
    "id",
    [
        *CITIES,
        *LINKS,
        *GROWTH_CARDS,
        *COLOURS,
        *STEPS,
        "loans",
        "in_advance",
        "retirement",
        "auction",
        "building",
        "proxies",
        "shipping",
        "cash",
        "links",
        "debt",
        "amount",
        "maximum",
    ],
)
def test_each_id_has_a_name_in_both_languages(id):
    assert id in WORDS.names
    for language in (ENGLISH, GERMAN):
        assert language.name(id)
        assert "_" not in language.name(id), "an id is no name"


def test_each_cube_in_each_city_is_a_group_with_a_name():
    """NER 11.13"""
    for colour in COLOURS:
        assert WORDS.english.name(f"cube.{colour}.boston") == f"{colour} in Boston"
    groups = {action.group for action in actions(given(opening(), everything_built(), shipping(("B", ANN))).state, ANN)}
    assert all(group in WORDS.names for group in groups)


def test_every_event_is_narrated_or_is_bookkeeping():
    assert {*TELLERS, happened.GrowthCardTurned, *SILENT} == set(TITLE.rules.events)
    assert not set(TELLERS) & set(SILENT)


def said(sentences, lang="en"):
    return [say(sentence, spoken(WORDS, lang), lambda seat: NAMES.get(seat, f"Seat {seat}")) for sentence in sentences]


def told(*events, viewer=ANN, lang="en"):
    seen = [part for event in events if (part := redact(event, owner_of(event), viewer)) is not None]
    return said(narrate(seen), lang)


def test_only_its_own_seat_is_told_the_amount_of_a_sealed_answer():
    sealed = happened.LoanAnswerSealed(ANN, 30)
    assert told(sealed) == ["Ann secretly chooses a loan of $30."]
    assert told(sealed, viewer=BOB) == told(sealed, viewer=None) == ["Ann has decided on a loan."]
    assert told(happened.LoanAnswerReplaced(ANN, 20), viewer=BOB) == []


def test_others_are_told_a_bid_by_proxy_as_if_typed():
    """NER 20.12"""
    bid = happened.BidPlaced(ANN, BP, 4, by_proxy=True)
    assert told(happened.EntryAnswered(ANN, BP), bid) == ["By proxy, Ann bids $4 for Boston–Providence."]
    assert told(happened.EntryAnswered(ANN, BP), bid, viewer=BOB) == ["Ann bids $4 for Boston–Providence."]


def test_a_sale_and_its_build_roll_are_narrated():
    events = [
        happened.LinkSold(BP, BOB, 4),
        happened.BuildDiceRolled(BP, BOB, (1, 3), 1),
        happened.ShortfallPaid(BOB, BP, 1, by_build_limit=False),
        happened.LinkBuilt(BP, BOB, "payment"),
    ]
    assert told(*events) == [
        "Bob buys Boston–Providence for $4.",
        "Bob rolls 4, which is $1 short.",
        "Bob pays the missing $1.",
        "Bob builds Boston–Providence.",
    ]
    assert told(*events, lang="de")[1] == "Bob würfelt 4: Es fehlen $1."


def test_growth_is_narrated_in_one_sentence():
    cards = [
        happened.GrowthCardTurned("growth_01", (("worcester", "red"), ("portland", "blue"))),
        happened.GrowthCardTurned("growth_02", (("new_haven", None), ("pittsfield", None))),
    ]
    assert told(*cards) == [
        "New cubes: red in Worcester and blue in Portland.",
        "The cup is empty. There are no cubes for New Haven and Pittsfield.",
    ]


def test_a_colour_describes_a_cube():
    shipped = happened.CubeShipped(ANN, "red", ("boston", "worcester"), ((ANN, 1),))
    assert told(shipped)[0] == "Ann ships a red cube from Boston to Worcester."


def test_a_negative_total_has_its_sign_before_the_dollars():
    drawn = happened.FinalAccountDrawn(((ANN, 10, 0, 40, -30, 2), (BOB, 10, 7, 0, 17, 1)))
    assert told(drawn) == [
        "Ann ends with −$30: $10 in cash, $0 in links, a debt of $40.",
        "Bob ends with $17: $10 in cash, $7 in links, a debt of $0.",
    ]


def test_cubes_are_never_dice():
    """The glossary: Warensteine, never Würfel. (Lists of words are for reading typed lines.)"""
    said = {english: german for english, german in GERMAN.texts.items() if " | " not in german}
    assert [german for english, german in said.items() if "cube" in english and "Würfel" in german] == []


def test_a_seat_is_told_its_own_things():
    state = given(
        opening(),
        debt(ann=20),
        happened.ProxyBidSet(ANN, BP, 7),
        happened.BuildLimitSet(ANN, BW, 2),
        happened.LoanAnswerSealed(ANN, 10),
        happened.AdvanceRetirementSealed(ANN, 10),
    ).state
    assert said(hand(view(state, ANN))) == [
        "You have $10, a debt of $20 and an income of 0.",
        "Your secret choice: $10.",
        "You will pay back $10 in step 3.",
        "Your proxy for Boston–Providence: up to $7.",
        "Your build limit for Boston–Worcester: up to $2.",
    ]
    assert hand(view(state, None)) == []
    assert said(hand(view(state, BOB))) == ["You have $10, a debt of $0 and an income of 0."]


def test_the_standing_tells_the_turn_the_lot_and_each_railway():
    state = given(opening(), owned(CYD, "boston__lowell"), auction(), sold(BOB, roll=(1, 3))).state
    lines = said(standing(view(state, None)))
    assert lines[:2] == ["Turn 1, auction.", "Bob has bought Boston–Providence and is $1 short."]
    assert lines[-1] == "C Cyd: $10, debt $0, income 0, links: Boston–Lowell."


@pytest.mark.parametrize("number", range(3))
def test_whole_games_are_narrated(number):
    """To each seat and to spectators, in both languages, with nothing left unsaid."""
    for step in RandomGame(TITLE, number).steps():
        for viewer in (1, 2, None):
            events = [part for e in step.ply.events if (part := redact(e, owner_of(e), viewer)) is not None]
            sentences = narrate(events)
            if step.after.state.seats and step.ply.number % 7 == 0:
                seen = view(step.after.state, viewer)
                sentences += [*hand(seen), *standing(seen)]
            for lang in ("en", "de"):
                for line in said(sentences, lang):
                    assert not any(mark in line for mark in ("{", "__", "UNSET", "None")), line


def test_reconstructed_parts_are_declared():
    kinds = {section.kind for section in MATERIAL.provenance.sections.values()}
    assert "reconstructed" in kinds
    assert TITLE.face.notes == NOTES
    for note in NOTES:
        assert isinstance(note, Sentence)
        assert say(note, WORDS.english, str) != say(note, spoken(WORDS, "de"), str)
    reconstructed = [each for each in (*MATERIAL.links, *MATERIAL.growth_cards) if each.provenance == "reconstructed"]
    assert reconstructed, "the notes speak of something"


def test_paying_back_in_advance_is_offered_to_those_who_owe_or_borrow():
    """NER 19.5: everybody may do it in step 1, but it has no effect without debt."""

    def offered(state: State) -> bool:
        (back,) = (it for it in actions(state, ANN) if isinstance(it.command, do.RetireDebt))
        return not TITLE.face.orders.listing.idle(view(state, ANN), back)

    assert not offered(given(opening()).state)
    assert offered(given(opening(), debt(ann=20)).state)
    assert offered(given(opening(), happened.LoanAnswerSealed(ANN, 30)).state)
