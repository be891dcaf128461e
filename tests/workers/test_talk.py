"""Talk by mail: only "say:" publishes, unread lines ride in the next letter, and a mention makes one letter."""

# ruff: noqa: F811  fixtures of another module

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from service.base.clock import DAY, HOUR, MINUTE
from service.database.store import Store
from service.database.work import Work
from service.games import rights, saying, talk
from service.games.rights import ByPerson
from service.games.talk import LINES, MENTIONS, READS
from service.games.transcripts import MOST_LINES
from service.keeping import personal
from service.people import acquaintances, presence
from service.people.accounts import PERSONS
from tests.answers import Post
from tests.service.lanterns import NOON, SETTLE, game, give
from tests.toy import Choose
from tests.workers.post import html_of, outbox, person, table, text_of
from tests.workers.test_incoming import NUMBERS, ann, flat, leader_of, plies, post  # noqa: F401

SMALL_TALK = [
    line
    for path in sorted((Path(__file__).parents[1] / "talk").glob("*.txt"))
    for line in path.read_text().splitlines()
    if line
]
NEARLY = [
    "Say hello to Anna", "Say, whose turn is it?", "say", "say:", "I say: go on", "Sag Anna schöne Grüße", "Sage und",
    "sag: ", "Anna said: hello", "> say: quoted", "| say: quoted", "[3] say: copied", "say hello: now", "essay: none",
]  # fmt: skip


def said(store: Store) -> list[str]:
    with store.read() as conn:
        return list(conn.scalars(select(LINES.c.text).where(LINES.c.deleted_at.is_(None)).order_by(LINES.c.said_at)))


def say(store: Store, game_id: str, who: int, text: str, at: int) -> int:
    return saying.say(Work(store), ByPerson(who), game_id, text, at)


def looks(store: Store, game_id: str, who: int, at: int) -> None:
    seen = rights.see(Work(store), ByPerson(who), game_id)
    talk.read(Work(store), seen, talk.own_room(seen) or "players", at)


# ==== what a mail publishes =======================================================================
@pytest.mark.parametrize(
    "line", ["say: Well played, Bob! See #3 at https://example.org/x", "Sage: Gut gespielt", "1. say : x"]
)
def test_a_word_with_a_colon_publishes_the_text_behind_it(store: Store, post: Post, ann: str, line: str) -> None:
    before = plies(store, ann)
    receipt = post.answer(post.letter(leader_of(store, ann)), f"Hi!\n{line}\n\nBest wishes\nAnn")
    assert "Done. The players at the table can read it now." in flat(receipt)
    assert said(store) == [line.partition(":")[2].strip()]
    assert plies(store, ann) == before


def test_no_small_talk_is_published(store: Store, post: Post, ann: str) -> None:
    letter = post.letter(leader_of(store, ann))
    lines = [*NEARLY, *SMALL_TALK]
    for at in range(0, len(lines), MOST_LINES - 2):
        post.answer(letter, "\n".join(lines[at : at + MOST_LINES - 2]))
    post.answer(letter, "Thanks\n\n-- \nsay: a signature\nsay: another")
    post.answer(letter, "Thanks!\n\nOn Monday Bob wrote:\n> say: a quote\n> say: and another")
    assert said(store) == []


@pytest.mark.parametrize("other", ["wakl 2", "walk 99", "[1] walk 1"])
def test_a_mail_of_which_nothing_is_done_publishes_nothing(store: Store, post: Post, ann: str, other: str) -> None:
    post.answer(post.letter(leader_of(store, ann)), f"say: I walk\n{other}\nsay: so there")
    assert said(store) == []
    post.answer(post.letter(leader_of(store, ann)), "preview\nsay: Only a trial")
    assert said(store) == []


def test_a_mail_that_is_read_twice_publishes_once(store: Store, post: Post, ann: str) -> None:
    letter = post.letter(leader_of(store, ann))
    post.answer(letter, "say: Once", number=9)
    post.answer(letter, "say: Once", number=10)
    assert said(store) == ["Once", "Once"], "two mails"
    with store.write() as conn:
        conn.exec_driver_sql("UPDATE incoming SET state = 'pending', due_at = 0")
    post.work_off()
    assert said(store) == ["Once", "Once"]


def test_a_silenced_player_learns_it_from_the_receipt(store: Store, post: Post, ann: str) -> None:
    with store.write() as conn:
        conn.execute(update(PERSONS).values(silenced_until=post.at + DAY))
    receipt = post.answer(post.letter(leader_of(store, ann)), "say: Let me speak")
    assert "An operator has silenced you for some time." in flat(receipt)
    assert said(store) == []


def test_lines_of_others_in_a_letter_are_never_orders_when_they_are_quoted(store: Store, post: Post, ann: str) -> None:
    """A hostile line, wrapped so that a line of the letter begins like an order."""
    name = leader_of(store, ann)
    me, other = NUMBERS[name], 3 - NUMBERS[name]
    hostile = "x" * 50 + " say: I am a fool say: I am a fool resign walk 1 say: pwned " + "y" * 40 + " resign"
    say(store, ann, other, f"@{name} {hostile}", post.at)
    post.at += HOUR
    (letter,) = post.deliver()
    before = plies(store, ann)
    post.answer(letter, f"Nice!\n\n{text_of(letter)}")
    post.answer(letter, f"Nice!\n\n-----Original Message-----\n{text_of(letter)}")
    assert len(said(store)) == 1
    assert plies(store, ann) == before
    assert me != other


# ==== letters =====================================================================================
def test_unread_lines_ride_in_the_next_letter_once(store: Store, post: Post) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    say(store, game_id, 1, "Read this: https://evil.example/x", NOON)
    post.at = NOON + SETTLE + 1
    post.deliver()
    assert "TALK AT THE TABLE" not in text_of(post.letter("Ann")), "their own line"
    letter = post.letter("Bob")
    for form in (text_of(letter), html_of(letter)):
        assert "Ann: Read this: (a link)" in form
        assert "evil.example" not in form
    assert "begin a line of your answer with “say:”" in flat(letter)
    with store.read() as conn:
        assert conn.execute(select(READS.c.person_id, READS.c.told)).all() == [(2, 1)]
    looked = post.answer(letter, "look")
    assert "Read this" not in text_of(looked)
    hands = game(store, game_id).state.hands
    for seat in sorted(hands, key=lambda seat: (-min(hands[seat]), seat)):  # the next leader chooses first
        give(store, game_id, seat, Choose(min(hands[seat])), at=post.at)
    post.at += SETTLE + 1
    assert post.deliver()
    assert "Read this" not in text_of(post.sent[-1])


def mention(store: Store, game_id: str, name: str, at: int) -> None:
    say(store, game_id, 3 - NUMBERS[name], f"@{name}: look", at)


def letters_about_talk(post: Post) -> list[Any]:
    return [it for it in post.deliver() if "has mentioned you" in it["Subject"] or "News in the talk" in it["Subject"]]


def test_a_mention_makes_one_letter_after_a_quiet_time(store: Store, post: Post, ann: str) -> None:
    start = post.at
    mention(store, ann, "Bob", start)
    post.at = start + 14 * MINUTE
    assert letters_about_talk(post) == []
    say(store, ann, 1, "And more", post.at)
    post.at = start + 28 * MINUTE
    assert letters_about_talk(post) == []
    post.at = start + 29 * MINUTE
    (letter,) = letters_about_talk(post)
    assert letter["To"] == "bob@example.org"
    assert letter["Subject"].startswith("Ann has mentioned you")
    assert "Ann: @Bob: look" in flat(letter)
    assert "Ann: And more" in flat(letter)
    post.answer(letter, "say: I have looked")
    assert said(store)[-1] == "I have looked"


def test_there_is_no_second_letter_until_the_first_was_read_or_a_day_has_passed(
    store: Store, post: Post, ann: str
) -> None:
    mention(store, ann, "Bob", post.at)
    post.at += 15 * MINUTE
    first = post.at
    assert len(letters_about_talk(post)) == 1
    mention(store, ann, "Bob", post.at + HOUR)
    post.at += 2 * HOUR
    assert letters_about_talk(post) == []
    post.at = first + DAY
    assert len(letters_about_talk(post)) == 1
    mention(store, ann, "Bob", post.at)
    looks(store, ann, 2, post.at + MINUTE)
    post.at += DAY
    assert letters_about_talk(post) == [], "they have read it"
    mention(store, ann, "Bob", post.at)
    post.at += 15 * MINUTE
    assert len(letters_about_talk(post)) == 1


def test_a_letter_waits_while_its_reader_is_there(store: Store, post: Post, ann: str) -> None:
    mention(store, ann, "Bob", post.at)
    post.at += 15 * MINUTE
    with store.write() as conn:
        presence.note(conn, 2, ann, post.at, 120_000)
    assert letters_about_talk(post) == []
    looks(store, ann, 2, post.at)
    post.at += HOUR
    assert letters_about_talk(post) == []
    assert [it.state for it in outbox(store, "talk")] == ["superseded"]


@pytest.mark.parametrize(("wish", "letters"), [("mentions", 0), ("all", 1), ("hidden", 0)])
def test_people_choose_what_there_are_letters_about(
    store: Store, post: Post, ann: str, wish: str, letters: int
) -> None:
    with store.write() as conn:
        conn.execute(update(PERSONS).where(PERSONS.c.id == 2).values(talk=wish))
    say(store, ann, 1, "Hello everybody", post.at)
    post.at += 15 * MINUTE
    assert len(letters_about_talk(post)) == letters


@pytest.mark.parametrize("hides", ["blocked", "muted", "hidden", "deleted"])
def test_nobody_gets_a_letter_about_what_they_do_not_see(store: Store, post: Post, ann: str, hides: str) -> None:
    mention(store, ann, "Bob", post.at)
    with store.write() as conn:
        if hides in ("blocked", "muted"):
            acquaintances.add(conn, 2, hides, 1, post.at)  # type: ignore[arg-type]
        elif hides == "hidden":
            conn.execute(update(PERSONS).where(PERSONS.c.id == 2).values(talk="hidden"))
    if hides == "deleted":
        saying.delete_line(Work(store), ByPerson(1), ann, "players", 1, post.at)
    post.at += HOUR
    assert letters_about_talk(post) == []


def test_a_spectator_who_is_mentioned_gets_a_letter_without_a_seat(store: Store, post: Post, ann: str) -> None:
    cleo, dora = person(store, "Cleo"), person(store, "Dora")
    for who in (cleo, dora):
        looks(store, ann, who, post.at)
    say(store, ann, cleo, "Hello", post.at)
    say(store, ann, dora, "@Cleo and @Bob, hello", post.at)
    post.at += 15 * MINUTE
    (letter,) = letters_about_talk(post)
    assert letter["To"] == "cleo@example.org"
    assert "begin a line of your answer" not in flat(letter)
    assert "because you read the talk" in flat(letter)


# ==== a person's data =============================================================================
def test_an_export_has_the_lines_of_its_person_and_nobody_elses(store: Store, post: Post, ann: str) -> None:
    say(store, ann, 1, "Mine, @Bob", post.at)
    say(store, ann, 2, "Bob's, @Ann", post.at)
    with store.write() as conn:
        acquaintances.add(conn, 2, "muted", 1, post.at)
    packed = personal.export(store, 1, post.at)
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        kept = json.loads(file.read("person.json"))
        everything = b"".join(file.read(name) for name in file.namelist())
    assert [it["text"] for it in kept["talk_line, writer_id"]] == ["Mine, @…"]
    assert b"Bob's" not in everything
    assert not any("mention" in name for name in kept)
    assert kept["mute"] == []


def test_erasing_a_person_deletes_their_lines_and_the_letters_with_them(store: Store, post: Post, ann: str) -> None:
    mention(store, ann, "Bob", post.at)
    say(store, ann, 2, "From @Ann's friend", post.at)
    post.at += HOUR
    (letter,) = [it for it in letters_about_talk(post) if it["To"] == "bob@example.org"]
    post.answer(letter, "say: @Ann, thanks")
    personal.erase(store, 1, post.at)
    assert said(store) == ["From \ue0000\ue001's friend", "\ue0000\ue001, thanks"]
    with store.read() as conn:
        assert set(conn.scalars(select(MENTIONS.c.person_id))) == {None}
        rows = (
            conn.exec_driver_sql("SELECT lines FROM reply").all()
            + conn.exec_driver_sql("SELECT raw FROM incoming").all()
        )
    assert not any(b"look" in bytes(row[0]) for row in rows)
