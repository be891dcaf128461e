"""The story of a game: what is told of a ply, to whom, and in which words."""

import hashlib
import random

import msgspec
import pytest

from domain import lifecycle
from domain.chain import Ply
from domain.game import Game
from domain.grand_trunk import TITLE
from domain.grand_trunk.events import (
    CardsDiscarded,
    CardsDrawn,
    ContractFulfilled,
    ContractTurnedUp,
    DaysSpent,
    DeckShuffled,
    FirstRailcarChosen,
    ForceIncreased,
    GameOver,
    GoodDelivered,
    GoodDumped,
    GoodLoaded,
    ImprovementUsed,
    MaintenancePerformed,
    RailcarCoupled,
    SteelBonusPaid,
    TerminalBuilt,
    TrainMoved,
    TurnEnded,
)
from domain.grand_trunk.face.narrate import hand, narrate, standing
from domain.messages import Event, owner_of, redact
from domain.play import decide_all
from domain.words import say
from service.words import spoken

ANN, BOB = 1, 2
NAMES = {1: "Ann", 2: "Bob", 3: "Cyd"}
HOPPER = "central_vermont.hopper_car"


def said(events: list[Event], lang: str = "en", viewer: int | None = ANN) -> list[str]:
    seen = [event for event in (redact(event, owner_of(event), viewer) for event in events) if event is not None]
    return [say(sentence, spoken(TITLE.face.words, lang), NAMES.__getitem__) for sentence in narrate(seen)]


def moved(junction: bool = False, right_of_way: str | None = None, declined: bool = False) -> TrainMoved:
    return TrainMoved(
        ANN,
        "central_vermont.boston",
        "central_vermont.utica",
        "utica",
        "boston",
        3,
        junction,
        declined,
        right_of_way,
        3,
    )


def test_a_move_and_its_days_are_one_sentence():
    days = DaysSpent(ANN, 3, 2, 5, "move")
    assert said([moved(), days]) == ["Ann moves from Utica to Boston: 3 days, now on day 5."]
    assert said([moved(junction=True), days]) == [
        "Ann moves from Utica to Boston via Grand Trunk Jct: 3 days, now on day 5."
    ]
    assert said([moved(right_of_way="central_vermont.boston"), days]) == [
        "Ann moves from Utica to Boston, using Right of Way: 3 days, now on day 5."
    ]
    assert len(said([moved(declined=True), days])) == 2


def test_a_contract_is_told_after_the_move_that_turned_it_up():
    events = [moved(), DaysSpent(ANN, 3, 2, 5, "move"), ContractTurnedUp(3, "contract_3d_quebec_iron", 4)]
    assert said(events)[1] == "Contract 3 is turned up: iron for Québec on days 10 to 12, 4 points."
    assert said(events[::-1])[0].startswith("Ann moves")
    single = said([ContractTurnedUp(8, "contract_1d_ottawa_coal", 24)], "de")
    assert single == ["Auftrag 8 wird aufgedeckt: Kohle für Ottawa an Tag 30, 7 Siegpunkte."]


@pytest.mark.parametrize(
    ("delivered", "sentence"),
    [
        (("coal", "utica", 0, 0, 0), "Ann delivers coal to Utica."),
        (("iron", "utica", 0, 2, 0), "Ann delivers iron to Utica: 2 steel is placed there."),
        (("wood", "utica", 0, 0, 1), "Ann delivers wood to Utica and moves up the wood track."),
        (("steel", "albany", 3, 0, 0), "Ann delivers steel to Albany: 3 points."),
    ],
)
def test_a_delivery_says_what_the_good_does(delivered: tuple[str, str, int, int, int], sentence: str):
    assert said([GoodDelivered(ANN, HOPPER, *delivered)]) == [sentence]


def test_points_won_and_lost_are_said_with_their_noun():
    assert said([GoodDumped(ANN, HOPPER, "coal", "utica", -1)]) == ["Ann dumps coal in Utica and loses 1 point."]
    assert said([ContractFulfilled(ANN, 8, "contract_1d_ottawa_coal", HOPPER, 7)]) == [
        "Ann fulfils contract 8 with coal for Ottawa: 7 points."
    ]
    bonus = [DaysSpent(ANN, 1, 9, 10, "foreign_steel_contract"), SteelBonusPaid(ANN, 1)]
    assert said(bonus) == ["The Foreign Steel Contract pays Ann 1 more point, now on day 10."]


def test_a_railcar_and_its_first_cube_are_one_sentence():
    coupled = [RailcarCoupled(ANN, HOPPER, "hand"), GoodLoaded(ANN, HOPPER, "iron", "utica", "stock", 1)]
    assert said(coupled) == ["Ann couples Hopper Car with iron."]
    crane = [ImprovementUsed(ANN, "railroad_crane"), DaysSpent(ANN, 1, 4, 5, "railroad_crane"), *coupled]
    assert said(crane) == ["With Railroad Crane, Ann couples Hopper Car with iron, now on day 5."]
    assert said(coupled[1:]) == ["Ann loads iron on Hopper Car."]


def test_a_development_says_the_day_unless_it_costs_none():
    built = [DaysSpent(ANN, 1, 4, 5, "build_terminal"), TerminalBuilt(ANN, "boston", 2, "discard")]
    assert said(built) == ["Ann builds a terminal in Boston: 2 points, now on day 5."]
    assert said([ForceIncreased(ANN, 2, 0)]) == ["Ann increases the Force to Force II."]
    assert said([ForceIncreased(ANN, 4, 5)], "de") == [
        "Ann erreicht Antriebskraft IV.",
        "Die neue Antriebskraft bringt 5 Siegpunkte.",
    ]


def test_maintenance_is_one_sentence_and_a_draw_another_for_who_drew():
    events = [
        MaintenancePerformed(ANN), DaysSpent(ANN, 1, 4, 5, "maintenance"),
        CardsDiscarded(ANN, ("central_vermont.box_car",), "maintenance"),
        CardsDrawn(ANN, 1, ("central_vermont.boston",)),
        DeckShuffled(ANN, 4, "discard_pile"), CardsDrawn(ANN, 1, (HOPPER,)), TurnEnded(ANN, 5, False),
    ]  # fmt: skip
    assert said(events) == [
        "Ann does maintenance and discards Box Car, now on day 5.",
        "Ann draws Boston (Right of Way) and Hopper Car.",
    ]
    assert said(events, viewer=BOB) == ["Ann does maintenance and discards Box Car, now on day 5."]


def test_a_sealed_choice_is_told_to_its_own_seat_only():
    chosen = [FirstRailcarChosen(ANN, HOPPER, "iron")]
    assert said(chosen) == ["Ann chooses Hopper Car with iron as first railcar."]
    for other in (BOB, None):
        assert said(chosen, viewer=other) == ["Ann has chosen a first railcar."]


def test_the_winner_and_those_who_share_the_win():
    assert said([GameOver((2,), (2, 1))]) == ["Bob wins the game."]
    assert said([GameOver((2, 1), (2, 1))]) == ["Bob and Ann share the win."]


# ==== a whole game ================================================================================
def played(seed: int) -> tuple[Game, list[Ply]]:
    """A game of three random players."""
    dice, secret = random.Random(seed), hashlib.sha256(b"%d" % seed).digest()
    game = Game("game", TITLE, state=TITLE.rules.start, base=(TITLE.rules.start, {}))
    plies: list[Ply] = []

    def give(seat: int | None, *commands) -> None:
        nonlocal game
        decided = decide_all(game, seat, commands, 0, "player", secret)
        plies.extend(decided.plies)
        game = decided.game

    options = msgspec.Raw(msgspec.json.encode(TITLE.seating.options(objectives=True)))
    give(None, lifecycle.OpenTable1(TITLE.id, 3, options, hashlib.sha256(secret).hexdigest(), 0))
    for seat in (1, 2, 3):
        give(None, lifecycle.TakeSeat1(seat, msgspec.Raw(msgspec.json.encode(TITLE.seating.choice())), f"{seat:064x}"))
    give(None, lifecycle.StartGame())
    while game.status == "running":
        seat = game.asked[0]
        give(seat, *TITLE.bots["random"](TITLE.rules.view(game.state, seat), dice))
    return game, plies


@pytest.fixture(scope="module")
def whole() -> tuple[Game, list[Ply]]:
    return played(3)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_ply_of_a_game_is_told_in_few_whole_sentences(whole, lang: str):
    for ply in whole[1]:
        told = said(list(ply.events), lang, viewer=ply.seat or ANN)
        limit = 12 if isinstance(ply.command, lifecycle.StartGame) else 8
        assert 0 < len(told) <= limit, ply.command
        for sentence in told:
            assert sentence.endswith(".")
            assert "{" not in sentence
            assert "None" not in sentence
            assert "_" not in sentence, "an id was said instead of a name"


def test_a_spectator_is_told_no_card_that_was_drawn(whole):
    for ply in whole[1]:
        drawn = {card for event in ply.events if isinstance(event, CardsDrawn) for card in event.cards}
        told = narrate([seen for event in ply.events if (seen := redact(event, owner_of(event), None)) is not None])
        lists = [fact for sentence in told for fact in sentence.facts.values() if isinstance(fact, tuple)]
        mentioned = {card for cards in lists for card in cards}
        put_away = {card for event in ply.events if isinstance(event, CardsDiscarded) for card in event.cards}
        assert not (mentioned & drawn) - put_away


def test_the_hand_is_told_to_its_owner_and_the_standing_to_all(whole):
    game, plies = whole
    state = TITLE.rules.start
    for ply in plies[: len(plies) // 2]:
        for event in ply.events:
            if not isinstance(event, lifecycle.EVENTS):
                state = TITLE.evolve(state, event)
    own = TITLE.rules.view(state, ANN).own
    assert own is not None
    assert hand(TITLE.rules.view(state, ANN))[0].facts["cards"] == own.hand
    assert hand(TITLE.rules.view(state, None)) == []
    for viewer in (None, ANN, BOB):
        stands = standing(TITLE.rules.view(state, viewer))
        best_first = sorted((1, 2, 3), key=lambda seat: (-state.seats[seat].vp, seat))
        assert [line.facts["seat"] for line in stands] == best_first
        assert stands[0].facts["rank"] == 1
    final = standing(TITLE.rules.view(game.state, None))
    assert final[0].facts["vp"] == max(seat.vp for seat in game.state.seats.values())
