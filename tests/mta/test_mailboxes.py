"""The answers of the programs of `tests.mta.games` are read exactly as written, without a server."""

from pathlib import Path

from service.database.store import Store
from service.post.incoming import Question, examine
from tests.answers import Post
from tests.mta.mailboxes import PROGRAMS, Mailboxes, answered
from tests.service.lanterns import NOON
from tests.workers.post import person, table
from tests.workers.post import text_of as text


def test_each_program_quotes_the_letter_and_only_the_answer_is_read(store: Store) -> None:
    table(store, person(store, "Ann"), person(store, "Bob", lang="de"))
    post = Post(store, NOON + 60_000)
    post.deliver()
    for name, lang in (("Ann", "en"), ("Bob", "de")):
        letter = post.letter(name)
        for program in PROGRAMS:
            raw = answered(letter, "look\nMünchen – Québec", lang, program)
            found = examine(Question(raw, tuple(text(letter).splitlines())))
            assert [line.text for line in found.lines] == ["look", "München – Québec"], program
            assert not found.alone, program
            assert letter["Message-ID"] in raw.decode("ascii", "replace")


def test_a_mailbox_finds_the_last_letter_that_can_be_answered(tmp_path: Path) -> None:
    world = Mailboxes(tmp_path / "mail")
    for number, more in enumerate(("Reply-To: g@x\n", "", "Reply-To: h@x\n", "")):
        world.put("ann@example.org", f"Subject: {number}\n{more}\nHello\n".encode())
    assert world.latest("ann@example.org")["Subject"] == "2"
