"""Answers with a typo in one of their lines: nothing is executed, and the receipt suggests the intended line."""

# ruff: noqa: F811  fixtures of another module

import random
from typing import NamedTuple

import pytest
from sqlalchemy import update

from domain import play as plays
from domain.chance import ChanceAsked
from domain.lifecycle import StartGame
from domain.orders import write
from service.database.store import Store
from service.games import queries
from service.games.orders import lines as legal_lines
from service.notices.owing import PEOPLE
from tests import road
from tests.answers import Post
from tests.service.lanterns import ANN, BOB, NOON, SETTLE, game, give, stored
from tests.toy import Walk
from tests.workers.post import person, sit_down, table
from tests.workers.test_incoming import ann, flat, leader_of, plies, post  # noqa: F401
from tests.workers.test_incoming_wishes import last_to_choose, lines_of, opened


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """A line's meaning does not depend on the database."""
    return copy_on_sqlite


class Delivery(NamedTuple):
    """A seat that can move to a place of delivery. ``good``: in the language of the lines."""

    game_id: str
    name: str
    move: str
    good: str


def before_a_delivery(store: Store, post: Post, lang: str = "en") -> Delivery:
    """Return a game of Grand Trunk whose next seat can move to a place that demands a good on its train."""
    players = [person(store, name, lang) for name in ("Ann", "Bob")]
    given = {"options": {}, "seats": 2, "name": "A table", "host_id": None, "public": True, "at": NOON}
    game_id = road.open_game(store, title="grand_trunk", settle_ms=SETTLE, **given).game_id
    sit_down(store, game_id, *players)
    give(store, game_id, None, StartGame())
    dice, last = random.Random(1), 0
    for _ in range(60):
        [seat, *_] = game(store, game_id).asked
        seen = queries.seen_by(stored(store, game_id), players[seat - 1])
        for action, line in legal_lines(seen, lang):
            try:
                then, _ = plays.foresee(seen.game, seat, action.command, NOON)
            except ChanceAsked:
                continue
            delivers = [it for it in queries.options(seen, then) if type(it.command).__name__ == "DeliverGood"]
            letter_comes = seat != last  # in the middle of a turn there is no letter
            if delivers and letter_comes and type(action.command).__name__ == "MoveTrain":
                post.at = NOON + SETTLE + 1
                post.deliver()
                names = seen.title.face.orders.names(queries.view(seen, then))
                delivered = write(delivers[0].order, names, seen.language(lang))
                return Delivery(game_id, ("Ann", "Bob")[seat - 1], line, delivered.split()[1])
        give(store, game_id, seat, seen.title.bots["random"](queries.view(seen), dice)[0])
        last = seat
    raise AssertionError("nobody could ever deliver")


def wrong(word: str) -> str:
    """Remove the last letter but one: "wood" becomes "wod"."""
    return word[:-2] + word[-1]


# ==== as it was written in a real game ============================================================
def test_a_typo_in_a_delivery_stops_the_end_of_the_turn_too(store: Store, post: Post) -> None:
    at = before_a_delivery(store, post)
    post.answer(post.letter(at.name), at.move)
    before = plies(store, at.game_id)
    receipt = post.answer(post.letter(at.name), f"deliver {wrong(at.good)}\nend turn")
    assert receipt["Subject"].startswith("Nothing was done")
    assert f"“deliver {wrong(at.good)}”: This looks like an order but cannot be read. Did you mean “deliver " in (
        lines_of(receipt)
    )
    assert "“end turn”: Not done." in lines_of(receipt)
    assert plies(store, at.game_id) == before


def test_of_four_lines_with_three_typos_none_is_executed(store: Store, post: Post) -> None:
    at = before_a_delivery(store, post)
    before = plies(store, at.game_id)
    receipt = post.answer(post.letter(at.name), f"{at.move}\ndelivr {at.good}\nlod coal\nend trun")
    said = lines_of(receipt)
    assert "NOTHING WAS DONE" in flat(receipt)
    assert f"“{at.move}”: Not done." in said
    assert f"“delivr {at.good}”: This looks like an order but cannot be read. Did you mean “deliver {at.good} " in said
    assert "“lod coal”: This looks like an order but cannot be read. Did you mean “load coal”?" in said
    assert "“end trun”: This looks like an order but cannot be read. Did you mean “end turn”?" in said
    assert plies(store, at.game_id) == before


def test_a_line_without_a_verb_gets_the_orders_with_all_its_names(store: Store, post: Post) -> None:
    at = before_a_delivery(store, post)
    receipt = post.answer(post.letter(at.name), at.move.removeprefix("move "))
    assert f"“{at.move}”" in lines_of(receipt)
    assert receipt["Subject"].startswith("Nothing was done")


# ==== wherever it stands ==========================================================================
@pytest.mark.parametrize(
    ("text", "wrong", "meant"),
    [
        ("wlak 2\nhalt", "wlak 2", "walk 2"),  # the first line
        ("walk 1\nwakl 1\nhalt", "wakl 1", "walk 1"),  # in the middle
        ("walk 2\nhatl", "hatl", "halt"),  # the last, of one word
        ("walk 2\nsteps wlak 1", "steps wlak 1", ""),
        ("walk 2\nWell played so far\n\nwalk oen", "walk oen", "walk 1"),  # beside text that is no order
        ("Hi Bob\nwlak 2 steps\nCheers\n\nAnn\n\n-- \nhatl", "wlak 2 steps", "walk 2"),
        ("wlak 2\nwalk 1\n\nOn Monday Slow Train wrote:\n> hatl\n> walk 1", "wlak 2", "walk 2"),
        ("walk 1\nstop\nhatl", "", ""),
        ("walk 1\n# hatl\nThanks!\nBob", "", ""),
    ],
)
def test_a_typo_anywhere_stops_all(store: Store, post: Post, ann: str, text: str, wrong: str, meant: str) -> None:
    before = plies(store, ann)
    receipt = post.answer(post.letter(leader_of(store, ann)), text)
    if not wrong:
        assert receipt["Subject"].startswith("All done")
        assert plies(store, ann) > before
        return
    said = lines_of(receipt)
    assert f"“{wrong}”: This looks like an order but cannot be read. " in said
    assert not meant or f"Did you mean “{meant}”?" in said
    assert receipt["Subject"].startswith("Nothing was done")
    assert plies(store, ann) == before


@pytest.mark.parametrize("text", ["halt\nwakl 1", "halt\nwalk 1\nhatl", "take back\nhatl", "wlak 1\nresign"])
def test_a_typo_after_a_chance_event_stops_all_before_the_first_step(
    store: Store, post: Post, ann: str, text: str
) -> None:
    before = plies(store, ann)
    give(store, ann, game(store, ann).asked[0], Walk(1))
    receipt = post.answer(post.answer(post.letter(leader_of(store, ann)), "look"), text)
    assert "Did you mean “" in lines_of(receipt)
    assert receipt["Subject"].startswith("Nothing was done")
    assert plies(store, ann) == before + 1


def test_text_between_orders_stops_them_unless_it_is_a_courtesy(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    said = lines_of(post.answer(letter, "walk 1\nHow are the kids?\nhalt"))
    assert "“How are the kids?”: This line is between orders but cannot be read." in said
    assert plies(store, ann) == before
    receipt = post.answer(letter, "walk 1\nGood luck, everybody!\nwalk 1\nHow are the kids?")
    assert receipt["Subject"].startswith("All done")
    assert plies(store, ann) == before + 2


def test_names_of_players_are_no_typos(store: Store, post: Post) -> None:
    """Bud is a typo of “bid”, Ada of “add” and Udo of “undo” or "ende", unless a player has this name."""
    game_id = table(store, person(store, "Hatl"), person(store, "Bob"))
    post.deliver()
    card = min(game(store, game_id).state.hands[ANN])
    assert post.answer(post.letter("Hatl"), f"choose {card}\nHatl")["Subject"].startswith("All done")


def test_a_german_answer_gets_german_suggestions(store: Store, post: Post, ann: str) -> None:
    with store.write() as conn:
        conn.execute(update(PEOPLE).values(lang="de"))
    before = plies(store, ann)
    receipt = post.answer(post.letter(leader_of(store, ann)), "Hallo Bob!\ngehhe 2\nViele Grüße")
    assert "Das sieht nach einem Befehl aus, ist aber nicht zu lesen. Meintest du „gehe 2“?" in flat(receipt)
    assert plies(store, ann) == before


def test_a_single_line_like_an_order_gets_suggestions(store: Store, post: Post, ann: str) -> None:
    said = lines_of(post.answer(post.letter(leader_of(store, ann)), "Hello Bob,\nhatl"))
    assert "“hatl”: This is not an order. You can type: “halt”." in said


def test_talk_apart_from_orders_gets_no_suggestion(store: Store, post: Post, ann: str) -> None:
    receipt = post.answer(post.letter(leader_of(store, ann)), "walk 1\nIt was close\nUdo")
    assert receipt["Subject"].startswith("All done")
    assert "“Udo”: This is not an order." in lines_of(receipt)
    assert "undo" not in lines_of(receipt)


def test_a_typo_stops_all_at_an_open_table_too(store: Store, post: Post) -> None:
    game_id = opened(store, post, "cleo@example.org")
    person(store, "Cleo")
    receipt = post.answer(post.letter("Cleo"), "join\nvacaton 24.12. - 31.12.")
    assert "Did you mean “vacation 24.12. - 31.12.”?" in lines_of(receipt)
    assert game(store, game_id).table.chairs == {}  # type: ignore[union-attr]


def test_the_subject_tells_the_number_of_executed_lines(store: Store, post: Post) -> None:
    game_id, card = last_to_choose(store, post)
    receipt = post.answer(post.letter("Bob"), f"choose {card}\nwalk 99\nwalk 1\nIt rains")
    assert game(store, game_id).state.leader in (ANN, BOB)
    assert receipt["Subject"].startswith("1 of 3 lines done")


@pytest.mark.parametrize("courtesy", ["Thanks!", "Best wishes\nBob", "Viele Grüße", "Danke\n\nBob Smith\nBoston"])
def test_an_order_below_a_farewell_needs_a_confirmation(store: Store, post: Post, ann: str, courtesy: str) -> None:
    before = plies(store, ann)
    receipt = post.answer(post.letter(leader_of(store, ann)), f"walk 1\n\n{courtesy}\nhalt")
    assert "“halt”: We read no orders below your thanks or greetings." in lines_of(receipt)
    assert receipt["Subject"].startswith("Nothing was done")
    assert plies(store, ann) == before


@pytest.mark.parametrize(
    "end",
    [
        "Best wishes\nBob",
        "Best wishes\nBob\n-- \nhalt",
        "Thanks!\n\nOn Monday Slow Train wrote:\n> hatl\n> walk 1",
        "Thanks!\nstop\nhalt",
        "Cheers\nBob\nSent from my iPhone\nhalt",
        "Best\nBob\nNote: I am away in May\nNo. 1\n12",
    ],
)
def test_other_text_below_a_farewell_is_no_order(store: Store, post: Post, ann: str, end: str) -> None:
    receipt = post.answer(post.letter(leader_of(store, ann)), f"walk 1\n\n{end}")
    assert receipt["Subject"].startswith("All done")
    assert lines_of(receipt).count("You wrote") == 1
