"""Rematches by mail: the letter about the end is answered with "rematch", and the others join by "join"."""

import pytest

from domain.pace import HOUR
from service.database.store import Store
from service.database.work import Work
from service.games import rematches
from service.games.rights import ByPerson
from tests.answers import Post
from tests.service.lanterns import NOON, SETTLE, game, play_on, stored
from tests.workers.post import outbox, person, table, text_of


@pytest.fixture
def post(store: Store) -> Post:
    made = Post(store)
    made.at = NOON + SETTLE + 1
    return made


@pytest.fixture
def people(store: Store) -> tuple[int, int]:
    return person(store, "Ann"), person(store, "Bob", "de")


@pytest.fixture
def over(store: Store, post: Post, people: tuple[int, int]) -> str:
    """Return the id of a finished game whose players have the letter about its end."""
    game_id = table(store, *people, name="Monday trains")
    play_on(store, game_id)
    post.at = NOON + HOUR
    post.deliver()
    return game_id


def flat(mail: object) -> str:
    return " ".join(text_of(mail).split())  # type: ignore[arg-type]


def next_of(store: Store, game_id: str) -> str:
    with store.read() as conn:
        return str(rematches.following(conn, game_id).id)


def test_the_letter_about_the_end_offers_a_rematch_and_its_answer_opens_the_table(
    store: Store, post: Post, over: str, people: tuple[int, int]
) -> None:
    letter = post.letter("Ann")
    assert "answer with the word “rematch”" in flat(letter)
    receipt = flat(post.answer(letter, "Good game!\n\nRematch\n\nBest wishes\nAnn"))
    assert "“Rematch”: Done. You have seat 2 at a new table for the same players." in receipt
    assert "“Good game!”: This is not an order." in receipt
    asked = next_of(store, over)
    assert [it.person_id for it in stored(store, asked).seats] == [people[0]]

    post.deliver()
    invitation = post.letter("Bob")
    assert invitation["Subject"] == "Ann will noch eine Partie Laternen"
    assert "Antworte mit dem Wort „mitspielen“" in flat(invitation)
    post.answer(invitation, "mitspielen")
    assert {it.seat: it.person_id for it in stored(store, asked).seats} == {1: people[1], 2: people[0]}
    assert len(outbox(store, "invitation")) == 1


def test_two_who_ask_by_mail_sit_at_one_table(store: Store, post: Post, over: str, people: tuple[int, int]) -> None:
    letters = post.letter("Ann"), post.letter("Bob")
    post.answer(letters[0], "rematch")
    receipt = flat(post.answer(letters[1], "Revanche!"))
    assert "Du hast Platz 1 an einem neuen Tisch" in receipt
    asked = next_of(store, over)
    assert {it.seat: it.person_id for it in stored(store, asked).seats} == {1: people[1], 2: people[0]}


def test_a_preview_opens_nothing(store: Store, post: Post, over: str) -> None:
    receipt = flat(post.answer(post.letter("Ann"), "preview\nrematch"))
    assert "PREVIEW (NOTHING WAS DONE)" in receipt
    with store.read() as conn:
        assert rematches.following(conn, over) is None


@pytest.mark.parametrize(
    "talk",
    [
        "I would love a rematch some day", "No rematch, please", "Rematch next week, Bob?", "What a rematch that was!",
        "> rematch", "Shall we play again soon?",
    ],
)  # fmt: skip
def test_small_talk_about_a_rematch_opens_nothing(store: Store, post: Post, over: str, talk: str) -> None:
    post.answer(post.letter("Ann"), talk)
    with store.read() as conn:
        assert rematches.following(conn, over) is None


def test_in_a_running_game_the_word_is_talk_and_hinders_nothing(
    store: Store, post: Post, people: tuple[int, int]
) -> None:
    game_id = table(store, *people)
    hand = sorted(game(store, game_id).state.hands[1])
    post.at = NOON + HOUR
    post.deliver()
    receipt = flat(post.answer(post.letter("Ann"), f"choose {hand[0]}\nrematch"))
    assert "“rematch”: This is not an order." in receipt
    assert 1 not in game(store, game_id).asked


def test_join_after_the_table_closed_tells_so(store: Store, post: Post, over: str, people: tuple[int, int]) -> None:
    rematches.ask(Work(store), ByPerson(people[0]), over, at=post.at)
    post.deliver()
    invitation = post.letter("Bob")
    rematches.close_old(store, post.at + rematches.LASTS)
    post.at += rematches.LASTS + HOUR
    post.deliver()
    assert "The table was closed, because not all seats were taken within two weeks." in flat(post.letter("Ann"))
    assert "NICHTS WURDE AUSGEFÜHRT" in flat(post.answer(invitation, "mitspielen")).upper()
