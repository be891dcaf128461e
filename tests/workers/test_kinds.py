"""Each kind of notice is complete: a record, its letter, its words in every place that shows it."""

import ast
import inspect

import pytest

from service.letters import due
from service.letters.by_kind import LETTERS
from service.notices import hearers, kinds
from service.notices.hearers import Step
from service.notices.kinds import KINDS, SWITCHED
from service.words import spoken
from service.words.texts import WORDS


def test_each_kind_has_its_record_and_its_letter() -> None:
    assert list(KINDS) == list(LETTERS)
    assert len({each.letter for each in LETTERS.values()}) == len(LETTERS), "two kinds share a letter"


@pytest.mark.parametrize("tag", KINDS)
def test_each_kind_has_its_words(tag: str) -> None:
    kind = KINDS[tag]
    assert bool(kind.line) == bool(kind.call) == kind.switched
    assert {kind.named, kind.line, kind.call} - {""} <= spoken(WORDS, "de").texts.keys()


def test_notices_told_together_have_one_order() -> None:
    ranks = [KINDS[tag].rank for tag in SWITCHED]
    assert len(set(ranks)) == len(ranks)
    assert all(kind.rank > max(ranks) for kind in KINDS.values() if not (kind.switched or kind.at_once))
    assert all(kind.rank < min(ranks) for kind in KINDS.values() if kind.at_once)


def test_every_owed_notice_has_a_known_kind() -> None:
    """The functions that find the recipients of a step, or outdated notices, have a kind each."""
    finders = {name for name, it in vars(hearers).items() if _takes(it, Step) and not name.startswith("_")}
    assert finders == {it.hears.__name__ for it in KINDS.values() if it.hears is not None}
    passed = {name for name, it in vars(due).items() if _takes(it, due.Case) and not name.startswith("_")}
    helpers = {"opened", "left_the_table"}
    assert passed - helpers == {it.passed.__name__ for it in LETTERS.values()}


def _takes(it: object, kind: type) -> bool:
    """Is it a function with one such argument?"""
    return inspect.isfunction(it) and [each.annotation for each in inspect.signature(it).parameters.values()] == [kind]


@pytest.mark.parametrize("tag", KINDS)
def test_a_tag_has_room_in_the_rows(tag: str) -> None:
    assert len(tag) <= 20


def test_the_records_stand_in_the_order_that_is_published() -> None:
    """Webhooks store their kinds in this order, and the API names them so."""
    (table,) = [
        it
        for it in ast.parse(inspect.getsource(kinds)).body
        if isinstance(it, ast.AnnAssign) and ast.unparse(it.target) == "KINDS"
    ]
    assert isinstance(table.value, ast.Dict)
    assert len(table.value.keys) == len(KINDS), "one tag twice"
    assert SWITCHED == (
        "turn", "reminder", "timed_out", "seat_open", "paused", "resumed", "started", "over", "cancelled", "rewind",
        "rewound", "words", "seat_lost", "full", "left", "sooner", "talk",
        "seat_kept", "wish_ended",
    )  # fmt: skip
