"""*How to play* of every title: short, in every language, with rules that exist and pictures of the example."""

import re
from pathlib import Path

import pytest

import domain
from domain import example
from domain.title import Title
from service.words import ENGLISH, languages, rulebooks

MOST_WORDS = 900
PICTURE = re.compile(r"!\[([^\]]*)\]\((\d+)/([\w,]*)\)")
TITLES = list(domain.TITLES.values())
EVERY = [(box, lang) for box in TITLES for lang in languages()]
IDS = [f"{box.id}-{lang}" for box, lang in EVERY]


def text_of(box: Title, lang: str) -> str:
    file = box.catalogue.with_name("how_to_play.md")
    return (file if lang == ENGLISH else rulebooks.translation(file, lang)).read_text()


def blocks(text: str) -> list[str]:
    """Return headings, paragraphs, list items, tables and pictures, each in one line."""
    return [" ".join(block.split()) for block in re.split(r"\n\n|\n(?=- |\d+\. )", text.strip())]


def kind(block: str) -> str:
    """Return the mark at the head of a block, or "" for a paragraph."""
    found = re.match(r"#+|\||!|-|\d+\.", block)
    return found[0] if found else ""


def cited(block: str) -> list[str]:
    return sorted(re.findall(r"\b[A-Z]{3} \d+\.\d+", block))


@pytest.mark.parametrize(("box", "lang"), EVERY, ids=IDS)
def test_it_is_short(box: Title, lang: str) -> None:
    read = PICTURE.sub(lambda found: found[1], text_of(box, lang))
    assert 300 < len(re.findall(r"\w+(?:[-’']\w+)*", read)) <= MOST_WORDS


@pytest.mark.parametrize(("box", "lang"), EVERY, ids=IDS)
def test_it_cites_only_rules_that_exist_and_states_none_without_its_number(box: Title, lang: str) -> None:
    text = text_of(box, lang)
    rules = {key for key, _ in rulebooks.english_parts(box.catalogue, box.prefix)}
    assert len(cited(text)) > 20
    assert {*cited(text)} - rules == set()
    silent = [it for it in blocks(text) if not cited(it) and not it.startswith(("#", "|"))]
    assert silent == []
    loose = re.findall(rf"(?<!{box.prefix} )\b\d+\.\d+", text)
    assert loose == [], "every number says whose it is, so that it becomes a link"


@pytest.mark.parametrize("box", TITLES, ids=lambda box: box.id)
def test_all_languages_state_the_same_rules_in_the_same_order(box: Title) -> None:
    english = blocks(text_of(box, ENGLISH))
    assert sum(block.startswith("#") for block in english) >= 6
    for lang in languages():
        theirs = blocks(text_of(box, lang))
        assert [cited(block) for block in theirs] == [cited(block) for block in english]
        assert [kind(block) for block in theirs] == [kind(block) for block in english]
        pictures = [[(moves, places) for _, moves, places in PICTURE.findall(it)] for it in (*english, *theirs)]
        assert pictures[: len(english)] == pictures[len(english) :]


@pytest.mark.parametrize("box", TITLES, ids=lambda box: box.id)
def test_each_move_of_the_example_is_legal_and_its_pictures_show_places_of_the_board(box: Title) -> None:
    played = example.read(box)
    assert example.after(box, played, len(played.moves)).version == len(played.moves) + played.seats + 2
    pictures = PICTURE.findall(text_of(box, ENGLISH))
    assert len(pictures) >= 2
    for _, moves, places in pictures:
        assert 0 < int(moves) <= len(played.moves)
        view = box.rules.view(example.after(box, played, int(moves)).state, None)
        assert {place for place in places.split(",") if place} <= {*box.face.places.areas(view, False)}


def test_no_picture_is_kept_as_a_file() -> None:
    folders = [Path(box.catalogue).parent for box in TITLES]
    assert [file for it in folders for kind in ("svg", "png", "jpg", "webp") for file in it.rglob(f"*.{kind}")] == []
