"""Kept seats by mail: the offer is answered with "join", and the others get letters, too."""

import pytest

from domain.pace import HOUR, MINUTE
from service.database.store import Store
from service.games import kept
from service.wishes import gathering
from tests.answers import Post
from tests.service.lanterns import NOON, game, stored
from tests.service.wishes.conftest import TWO, offered, sit, wish
from tests.workers.post import outbox, person, text_of


@pytest.fixture
def post(store: Store) -> Post:
    made = Post(store)
    made.at = NOON
    return made


def flat(mail: object) -> str:
    return " ".join(text_of(mail).split())  # type: ignore[arg-type]


def brought_together(store: Store, post: Post) -> tuple[int, int, str]:
    ann, bob = person(store, "Ann"), person(store, "Bob", "de")
    for who in (ann, bob):
        wish(store, who, TWO)
    gathering.sweep(store, NOON)
    post.deliver()
    return ann, bob, offered(store, ann)


def test_the_letter_offers_the_seat_and_its_answer_takes_it(store: Store, post: Post) -> None:
    ann, bob, table = brought_together(store, post)
    letter = post.letter("Ann")
    assert letter["Subject"].startswith("A seat is kept for you")
    for said in ("for 2 players", "Please sit down by", "Answer with the word “join”", "Time for a turn: 1 day."):
        assert said in flat(letter), said
    assert "Done" in flat(post.answer(letter, "join"))
    assert [it.person_id for it in stored(store, table).seats] == [ann]
    assert "Antworte mit dem Wort „mitspielen“" in flat(post.letter("Bob"))
    post.answer(post.letter("Bob"), "Gern!\n\nmitspielen")
    assert {it.person_id for it in stored(store, table).seats} == {ann, bob}
    assert game(store, table).status == "running"


def test_the_answer_declines_the_seat_too(store: Store, post: Post) -> None:
    ann, bob, table = brought_together(store, post)
    cleo = person(store, "Cleo")
    wish(store, cleo, TWO, NOON + 1)
    assert "or with “decline” if you cannot play" in flat(post.letter("Ann"))
    assert "You have declined the seat." in flat(post.answer(post.letter("Ann"), "Sorry, no time.\n\nI decline"))
    gathering.sweep(store, NOON + MINUTE)
    assert (offered(store, ann), offered(store, bob), offered(store, cleo)) == ("", table, table)
    assert "Du hast den Platz abgelehnt." in flat(post.answer(post.letter("Bob"), "ablehnen"))
    assert stored(store, table).seats == ()
    assert "not kept for you" not in flat(post.answer(post.letter("Ann"), "decline")), "a second time changes nothing"


def test_an_answer_after_the_seat_was_given_away_says_so(store: Store, post: Post) -> None:
    ann, bob, table = brought_together(store, post)
    cleo = person(store, "Cleo")
    wish(store, cleo, TWO, NOON + 1)
    sit(store, ann, table, NOON + MINUTE)
    post.at = NOON + kept.OFFER
    gathering.sweep(store, post.at)
    assert offered(store, cleo) == table
    assert "Die Plätze an diesem Tisch sind für Leute reserviert" in flat(post.answer(post.letter("Bob"), "mitspielen"))
    assert bob not in {it.person_id for it in stored(store, table).seats}


def test_a_closed_table_and_an_ended_wish_are_told(store: Store, post: Post) -> None:
    ann, bob, table = brought_together(store, post)
    for _ in range(2):
        sit(store, ann, offered(store, ann), post.at)
        post.at += kept.OFFER
        gathering.sweep(store, post.at)
    post.at += HOUR
    post.deliver()
    assert "Deine Suche nach einer Partie ist beendet" in post.letter("Bob")["Subject"]
    assert "you keep your place in the queue" in flat(post.letter("Ann"))
    assert [it.person_id for it in outbox(store, "wish_ended")] == [bob]
    assert game(store, table).status == "cancelled"


def test_a_letter_that_has_not_gone_when_its_reader_sits_is_dropped(store: Store, post: Post) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    for who in (ann, bob):
        wish(store, who, TWO)
    gathering.sweep(store, NOON)
    sit(store, ann, offered(store, ann))
    post.deliver()
    assert {it.person_id: it.state for it in outbox(store, "seat_kept")} == {ann: "superseded", bob: "sent"}
