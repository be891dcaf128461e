"""Letters of real games: they suffice to decide, none of their lines works as an order, and they are not too large."""

import re
import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from textwrap import fill, wrap
from typing import NamedTuple

import msgspec
import pytest
from sqlalchemy import update

from config.settings import Settings
from domain import TITLES
from domain.lifecycle import StartGame
from domain.orders import Found, Wish, by_number, listed, read
from domain.report import Grid, Passage, say_cell, undrawn
from domain.title import Title
from service.database.store import Store, open_store
from service.games import numbered, orders, queries
from service.games.queries import Seen
from service.letters import compose
from service.letters.columns import BREAKS, WIDTH, _parts, columns, hanging, paragraph
from service.letters.due import Case
from service.letters.letter import LARGEST, SHOWN, Letter, Mail, OrderLine, Section, write
from service.notices import replies
from service.notices.owing import PEOPLE
from service.post import hypertext
from tests.conftest import given_tables
from tests.orders import Position, positions
from tests.service.lanterns import NOON, give, open_table, stored
from tests.workers.post import html_of, outbox, parse, person, sit_down, text_of

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eva", "Fay")
LARGEST_PICTURE = 200_000
"""Bytes."""
BUSY = {"grand_trunk": 11, "ticket_to_ride": 6, "new_england": 14}
"""Title -> a game of `tests.orders.positions` with a position of very many lines."""


class Looked(NamedTuple):
    """A letter, and its reader's view of the game."""

    seen: Seen
    lang: str
    sent: Mail
    mail: EmailMessage


def chosen(title: Title) -> list[Position]:
    """Return the busiest position of a busy game, and some before it."""
    found = list(positions(title, BUSY[title.id], every=3))
    busiest = max(found, key=lambda at: len(listed(at.options, title.face.orders.listing, at.tongue.view, at.seat)))
    return [*found[1 :: len(found) // 3], busiest]


def letters(store: Store, title: Title) -> Iterator[Looked]:
    """Return turn mails of these positions, in both languages; the store gets the games."""
    players = [person(store, f"{name}-{title.id}", zone="Europe/Berlin") for name in NAMES[: title.seating.seats[1]]]
    game_id = open_table(store, len(players), title=title.id, options={}, name="Northern mails", settle_ms=0)
    sit_down(store, game_id, *players)
    give(store, game_id, None, StartGame())
    here = stored(store, game_id)
    for at in chosen(title):
        store.folds.clear()
        store.folds.keep(msgspec.structs.replace(here.game, state=at.state), here.head)
        row = next(it for it in outbox(store) if it.game_id == game_id and it.seat == at.seat)
        for lang in ("en", "de"):
            with store.write() as conn:
                conn.execute(update(PEOPLE).values(lang=lang))
            with store.read() as conn:
                seen = queries.game_for(store, conn, row.person_id, game_id)
                letter = compose.turn(Case(store, conn, row, NOON, lang=lang), compose.reader_of(conn, row))
            sent = write(store.settings, letter, "ann@example.org", row.message_id, NOON)
            yield Looked(seen, lang, sent, parse(sent.source))


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory, tables_on_sqlite: Path) -> Iterator[list[Looked]]:
    folder = tmp_path_factory.mktemp("letters")
    shutil.copyfile(tables_on_sqlite, folder / "letters.db")
    settings = Settings(_env_file=None, data_dir=folder)
    store = given_tables(open_store(f"sqlite:///{folder / 'letters.db'}", settings=settings))
    yield [it for title in TITLES.values() for it in letters(store, title)]
    store.close()


def test_no_line_of_a_letter_works_as_an_order(looked: list[Looked]) -> None:
    """However a mail program quotes the letter, no line of either form is an order or a number."""
    for it in looked:
        known, legal = orders.tongue(it.seen, lang=it.lang), queries.options(it.seen)
        assert len(it.sent.lines) > 60
        for line in dict.fromkeys(it.sent.lines):
            meant = read(line, legal, known, in_letter=True)
            assert not isinstance(meant, Found), line
            assert not isinstance(meant, Wish), line
            assert by_number(line) is None, line


def test_each_line_of_text_has_72_letters_at_most(looked: list[Looked]) -> None:
    for it in looked:
        lines = [line for line in text_of(it.mail).splitlines() if "://" not in line]
        assert max(map(len, lines)) <= WIDTH, max(lines, key=len)


def test_text_and_html_are_at_most_90_kb_and_the_picture_200(looked: list[Looked]) -> None:
    for it in looked:
        words = len(text_of(it.mail).encode()) + len(html_of(it.mail).encode())
        assert words <= 0.9 * LARGEST, "even the busiest position leaves room for longer names"
        [picture] = [part for part in it.mail.walk() if part.get_content_type() == "image/png"]
        assert len(picture.get_content()) <= LARGEST_PICTURE


def test_every_whole_command_is_listed_with_its_number(looked: list[Looked]) -> None:
    for it in looked:
        said = " ".join(text_of(it.mail).split())
        for line in numbered.lines(it.seen, it.lang):
            assert line.number is None or f"[{line.number}] {line.text}" in said, line.text
        assert len(re.findall(r"href=.mailto:", html_of(it.mail))) == len(numbered.options(it.seen))


def test_a_letter_has_the_whole_position(looked: list[Looked]) -> None:
    """Each word of the title's report is in it."""
    for it in looked:
        said = " ".join(text_of(it.mail).split()).casefold()
        report = it.seen.title.face.report(queries.view(it.seen))
        for part in report.parts:
            assert it.seen.say(part.heading, it.lang).casefold() in said
        assert it.seen.player(it.seen.seat or 0).casefold() in said


def test_html_has_the_facts_that_its_picture_lacks(looked: list[Looked]) -> None:
    """For example the powers of cards. Cells stand in lines of their rows, so that no number is alone on a line."""
    shown = set()
    for it in looked:
        said = " ".join(line.text for line in hypertext.lines_of(html_of(it.mail)))
        language = it.seen.language(it.lang)
        for part in filter(None, map(undrawn, it.seen.title.face.report(queries.view(it.seen)).parts)):
            cells = part.lines if isinstance(part, Passage) else [cell for row in part.rows for cell in row]
            for cell in (part.heading, *cells):
                assert say_cell(cell, language, it.seen.player) in said
            shown.add(part.heading.template)
    assert shown >= {"Powers of your cards", "On display", "Your discard pile", "Your tickets", "On offer"}


def test_no_word_in_a_table_is_broken(looked: list[Looked]) -> None:
    for it in looked:
        words = set(BREAKS.split(text_of(it.mail).casefold()))
        view = queries.view(it.seen)
        language = it.seen.language(it.lang)
        grids = [part for part in it.seen.title.face.report(view).parts if isinstance(part, Grid)]
        assert grids
        for cell in (cell for grid in grids for row in (grid.head, *grid.rows) for cell in row):
            said = say_cell(cell, language, it.seen.player).casefold()
            assert words >= set(BREAKS.split(said)), said


@pytest.mark.parametrize("first", ["", "* ", "[12] "])
@pytest.mark.parametrize(
    "words",
    ["", " ", "a", " a", "a ", "a  b", "a\tb", "a\nb", "a\xa0b", "a-b", "word " * 13 + "words", "word " * 14, "x" * 80],
)
def test_a_line_that_fits_is_the_one_that_textwrap_makes(words: str, first: str) -> None:
    how = {"break_long_words": False, "break_on_hyphens": False}
    indent = " " * len(first)
    assert paragraph(words, first) == fill(words, WIDTH, initial_indent=first, subsequent_indent=indent, **how)
    assert hanging(words) == fill(words, WIDTH, subsequent_indent="  ", **how)
    assert _parts(words, WIDTH) == (wrap(words, WIDTH) or [""])


def test_only_a_word_too_long_for_its_column_is_broken() -> None:
    roomy = columns(
        (("Seats", "Lokomotivschuppen", "a state in four words", "another one in five words"), ("Ann", *"123"))
    )
    assert "Lokomotivschuppen" in roomy
    assert max(map(len, roomy.splitlines())) <= WIDTH
    full = columns((("Seats", *["Lokomotivschuppen"] * 5), ("Ann", *"12345")))
    assert max(map(len, full.splitlines())) <= WIDTH


def test_an_example_has_a_usable_amount_and_steps_are_named(looked: list[Looked]) -> None:
    for it in looked:
        said = " ".join(text_of(it.mail).split())
        assert "$0”" not in said
        assert "$0“" not in said
        for line in numbered.lines(it.seen, it.lang):
            if line.amount is not None and 1 < line.amount.step < line.amount.high:
                assert {"en": "in steps of 10", "de": "in Schritten von 10"}[it.lang] in said


def test_html_of_a_large_letter_shortens_lists_and_says_so() -> None:
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    many = tuple(OrderLine(n, f"ship red Boston, Worcester, Hartford, {n}", "A +1", f"ship red Boston, Worcester, {n}")
                 for n in range(1, 501))  # fmt: skip
    section = Section(heading="You can", orders=many, more=lambda count: f"and {count} more")
    answer = replies.issue(settings, "<1@localhost>", "turn", person_id=1, game_id="a", seat=1, version=1)
    letter = Letter(
        lang="en", subject="Turn", above="Title", name="", heading="Turn", lead=(), sections=[section], answer=answer
    )
    mail = parse(write(settings, letter, "ann@example.org", "<1@localhost>", NOON).source)
    plain, page = text_of(mail), html_of(mail)
    assert len(plain.encode()) + len(page.encode()) <= LARGEST
    assert "[500] ship red" in plain
    shown = page.count("mailto:")
    assert shown in SHOWN[:-1]
    assert f"and {500 - shown} more" in page
