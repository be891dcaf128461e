"""Every id has a name, every event is narrated, and both use the words of the game."""

import pytest

from domain.messages import owner_of, redact
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import CITIES, ROUTES, TICKETS
from domain.ticket_to_ride.cards import ALL_CARDS, KINDS, SEAT_COLOURS, counted
from domain.ticket_to_ride.decide import actions
from domain.ticket_to_ride.events import EVENTS, SetupCompleted, TurnStarted
from domain.ticket_to_ride.face.narrate import TELLERS, hand, narrate, standing
from domain.ticket_to_ride.face.words import NAMES, WORDS
from domain.ticket_to_ride.rules.routes import claim_action
from domain.ticket_to_ride.view import view
from domain.words import Sentence, say
from service.words import spoken
from tests.contract.games import RandomGame
from tests.domain.ticket_to_ride.positions import ANN, LOCO, given, holding, opening

ENGLISH, GERMAN = WORDS.english, spoken(WORDS, "de")


@pytest.mark.parametrize(
    "id",
    [
        *CITIES,
        *ROUTES,
        *TICKETS,
        *KINDS,
        *SEAT_COLOURS,
        "gray",
        "routes",
        "tickets",
        "longest_path",
        "draw_cards",
        "claim",
        "draw_tickets",
        "keep",
        "colour",
    ],
)
def test_each_id_has_a_name_in_both_languages(id):
    assert id in WORDS.names
    for language in (ENGLISH, GERMAN):
        assert language.name(id)
        assert "_" not in language.name(id), "an id is no name"


def test_routes_have_distinct_names():
    assert ENGLISH.name("denver__kansas_city__black") == "Denver–Kansas City (black, 4)"
    assert GERMAN.name("denver__kansas_city__black") == "Denver–Kansas City (schwarz, 4)"
    assert GERMAN.name("dallas__houston__gray_2") == "Dallas–Houston (grau, 1, Gleis 2)"
    assert len({GERMAN.name(route) for route in ROUTES}) == 100


def test_cards_are_named_with_their_number():
    assert counted(("white", LOCO, "white", LOCO)) == ("2 white", f"2 {LOCO}")
    assert [ENGLISH.name(each) for each in counted((LOCO, "red"))] == ["1 red", "1 locomotive"]
    assert [GERMAN.name(each) for each in counted((LOCO, "red"))] == ["1 rote", "1 Lokomotive"]
    assert all(f"{ALL_CARDS[kind]} {kind}" in NAMES for kind in KINDS)


def test_every_action_is_said_in_both_languages():
    action = claim_action("calgary__vancouver", ("white", "white", LOCO), 0)
    said = [say(action.sentence, spoken(WORDS, lang), str) for lang in ("en", "de")]
    assert said == [
        "Claim Calgary–Vancouver (gray, 3) for 2 white and 1 locomotive",
        "Calgary–Vancouver (grau, 3) für 2 weiße und 1 Lokomotive nutzen",
    ]


def test_only_bookkeeping_is_not_narrated():
    untold = {kind.__name__ for kind in EVENTS} - {kind.__name__ for kind in TELLERS}
    assert untold == {"FaceUpCardTurned", TurnStarted.__name__}
    assert SetupCompleted in TELLERS


def said(sentences):
    """Say them in both languages, with nothing left unsaid."""
    for sentence in sentences:
        assert isinstance(sentence, Sentence)
        for lang in ("en", "de"):
            line = say(sentence, spoken(WORDS, lang), lambda seat: f"Seat {seat}")
            assert "__" not in line
            assert "{" not in line
            assert "UNSET" not in line


@pytest.mark.parametrize("number", range(3))
def test_whole_games_are_narrated(number):
    """For each seat and for spectators, with hands and standings."""
    for step in RandomGame(TITLE, number).steps():
        for viewer in (1, 2, None):
            events = [part for e in step.ply.events if (part := redact(e, owner_of(e), viewer)) is not None]
            said(narrate(events))
        if step.after.state.players and step.ply.number % 7 == 0:
            seen = view(step.after.state, 1)
            said(hand(seen))
            said(standing(seen))


def test_a_seat_is_told_its_own_things():
    state = given(opening(), holding(ANN, locomotive=1)).state
    english = [say(sentence, WORDS.english, str) for sentence in hand(view(state, ANN))]
    assert english == [
        "Your train cards: 4 red and 1 locomotive.",
        "Your tickets still to complete: Boston–Miami (12) and Atlanta–Montréal (9).",
        "You have returned Dallas–New York (11).",
    ]
    assert hand(view(state, None)) == []
    assert actions(state, 2) == []
