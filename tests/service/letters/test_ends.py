"""The letter of the end, of whole games of each title: it is not too large, and suffices without pictures."""

import html
import re
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from sqlalchemy import insert, update

import domain
from service.database.store import Store
from service.letters import compose, of_review
from service.letters.due import Case
from service.letters.letter import LARGEST, write
from service.notices.owing import PEOPLE, SEATS
from service.words import languages
from tests import record
from tests.bench import measure
from tests.service.lanterns import NOON
from tests.service.letters.test_letters import LARGEST_PICTURE
from tests.workers.post import html_of, parse, person, text_of

NAMES = ("Maximiliane", "Bob", "Cleo", "Dan", "Eva", "Konstantin")


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """A mail does not depend on the database."""
    return copy_on_sqlite


class Ended(NamedTuple):
    """A letter of the end in both forms. ``plots``: the pictures behind the board."""

    text: str
    page: str
    board: bytes
    plots: list[bytes]


def finished(store: Store, title: str) -> Any:
    """Return the row of a letter about the fullest recorded game of a title."""
    recorded = max(map(record.read, record.files(title)), key=lambda it: (len(it.result["standings"]), len(it.stored)))
    measure.keep(store, recorded.title, recorded.game_id, recorded.plies)
    people = [person(store, f"{name}-{title}") for name in NAMES[: len(recorded.result["standings"])]]
    sits = {"game_id": recorded.game_id, "joined_at": NOON}
    with store.write() as conn:
        conn.execute(insert(SEATS), [sits | {"seat": seat, "person_id": it} for seat, it in enumerate(people, 1)])
    return SimpleNamespace(
        id=1, kind="over", person_id=people[0], game_id=recorded.game_id, seat=1, ply=len(recorded.stored), key="",
        address=None, payload={}, message_id="<over.1@localhost>", created_at=NOON,
    )  # fmt: skip


def ended(store: Store, row: Any, *, lang: str = "en", pictures: bool = True) -> Ended:
    with store.write() as conn:
        conn.execute(update(PEOPLE).values(lang=lang, pictures=pictures))
    with store.read() as conn:
        letter = compose.over(Case(store, conn, row, NOON, lang=lang), compose.reader_of(conn, row))
    mail = parse(write(store.settings, letter, "ann@example.org", row.message_id, NOON).source)
    board, *plots = [it.get_content() for it in mail.walk() if it.get_content_type() == "image/png"] or [b""]
    return Ended(text_of(mail), html_of(mail), board, plots)


def headings(it: Ended) -> list[str]:
    """Return the headings of the plots."""
    return [html.unescape(each) for each in re.findall(r"<h2[^>]*>([^<]*)</h2>\s*<img", it.page)]


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("title", domain.TITLES)
def test_text_and_html_are_at_most_90_kb_the_board_200_and_all_plots_60(store: Store, title: str, lang: str) -> None:
    it = ended(store, finished(store, title), lang=lang)
    words, plots = len(it.text.encode()) + len(it.page.encode()), sum(map(len, it.plots))
    print(f"{title} {lang}: words {words}, board {len(it.board)}, {len(it.plots)} plots {plots} bytes")
    assert words <= LARGEST
    assert len(it.board) <= LARGEST_PICTURE
    assert len(it.plots) == 5
    assert plots <= of_review.PICTURES


@pytest.mark.parametrize("lang", languages())
def test_a_plot_whose_picture_is_too_large_is_said_in_words(
    store: Store, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = finished(store, "new_england")
    labels = [html.unescape(it) for it in re.findall(r'<img [^>]*alt="([^"]*)"', ended(store, row, lang=lang).page)]
    monkeypatch.setattr(of_review, "PICTURES", 20_000)
    it = ended(store, row, lang=lang)
    assert 0 < len(it.plots) < 5
    assert sum(map(len, it.plots)) <= 20_000
    shown = [html.unescape(label) for label in re.findall(r'<img [^>]*alt="([^"]*)"', it.page)]
    said = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", it.page)).split())
    for label in set(labels) - set(shown):
        values = re.sub(r"^[^:(]*(\([^)]*\))?: ", "", label)
        assert all(" ".join(each.split()) in said for each in values.split("; ")), label


@pytest.mark.long("de")
@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("title", domain.TITLES)
def test_a_mail_program_that_shows_no_pictures_shows_values_in_their_place(store: Store, title: str, lang: str) -> None:
    it = ended(store, finished(store, title), lang=lang)
    labels = [html.unescape(label) for label in re.findall(r'<img [^>]*alt="([^"]*)"', it.page)]
    assert len(labels) == 1 + len(it.plots)
    for heading, label in zip(headings(it), labels[1:], strict=True):
        name, _, values = label.removeprefix(heading).partition(": ")
        assert label.startswith(heading)
        assert not name or name.startswith(" (")
        assert any(figure.isdigit() for figure in values), label


@pytest.mark.parametrize("title", domain.TITLES)
def test_a_reader_without_pictures_gets_every_plot_as_a_table(store: Store, title: str) -> None:
    row = finished(store, title)
    plots = headings(ended(store, row))
    it = ended(store, row, pictures=False)
    assert not it.board
    assert "<img" not in it.page
    assert len(it.text.encode()) + len(it.page.encode()) <= LARGEST
    tables = re.findall(r"<h2[^>]*>([^<]*)</h2>\s*<div class=.wide", it.page)
    assert plots
    for heading in plots:
        assert any(html.unescape(each).startswith(heading) for each in tables), heading


def test_the_audit_is_a_link(store: Store) -> None:
    row = finished(store, "new_england")
    it, address = ended(store, row), f"{store.settings.site}/games/{row.game_id}/audit"
    assert f'<a href="{address}"' in it.page
    assert f"Audit the game: {address}" in it.text
