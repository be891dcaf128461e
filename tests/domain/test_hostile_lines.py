"""Lines made to hurt their reader: none is slow, none raises, and none means a number that nobody typed."""

import random
import time
from collections.abc import Iterator

import pytest

from domain import TITLES
from domain.orders import Found, apart, by_number, kind_of, mended, naming, read
from domain.orders.folding import fold
from tests.orders import Position, positions

GAMES = {title: next(positions(TITLES[title], 0, every=1)) for title in TITLES}
LONGEST = 300
"""The letters of a line that are read."""
SECONDS = 1.0
"""The limit for everything that is asked of a line; it takes some hundredths."""

OTHER_NUMBERS = ("፩", "᧚", "𐩀", "²", "½", "⑫", "〡", "५²")
"""Signs that are numbers, but not all of them digits."""


def slip(word: str, dice: random.Random) -> str:
    at = dice.randrange(1, len(word))
    return word[:at] + dice.choice("aeiou") + word[at + 1 :]


def long_lines(at: Position) -> Iterator[str]:
    """Yield endless near words, verbs and names, and everything that may stand between orders."""
    known, dice = at.tongue.spelling, random.Random(1)
    verbs = [it for it, role in known.roles.items() if role == "verb" and len(it) > 2]
    names = [it for it, role in known.roles.items() if role == "name" and len(it) > 2]
    longest = max(names, key=len)
    yield " ".join(slip(dice.choice(verbs + names), dice) for _ in range(12))
    yield " ".join([slip(longest, dice)] * 12)
    for verb in dice.sample(verbs, 8):
        yield f"{verb} {', '.join(dice.choice(names) for _ in range(60))}"
        yield f"{slip(verb, dice)} {' '.join(dice.choice(names) for _ in range(11))}"
        yield f"{verb} {names[0]}, " * 60
        yield f"then {verb} " * 60
    for piece in (
        "1,000",
        "[1] ",
        "1 of ",
        "then ",
        ",;",
        "I'll ",
        "please ",
        "\u0301",
        "\ufdfa",
        "m\u200bo",
        "½",
        "a",
    ):
        yield f"{verbs[0]} " + piece * LONGEST


def everything_asked_of(line: str, at: Position) -> bool:
    """Would the line be carried out? Ask everything that is asked of any line."""
    mended(line, at.tongue)
    naming(line, at.options, at.tongue)
    by_number(line, at.tongue.grammar)
    kind_of(line, at.tongue)
    apart(line, at.tongue)
    found = [read(line, at.options, at.tongue, in_letter=it) for it in (True, False)]
    return any(isinstance(it, Found) for it in found)


@pytest.mark.parametrize("title", TITLES)
def test_no_line_is_slow(title: str) -> None:
    for line in long_lines(GAMES[title]):
        begun = time.process_time()
        everything_asked_of(line[:LONGEST], GAMES[title])
        assert time.process_time() - begun < SECONDS, line


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("number", OTHER_NUMBERS)
def test_signs_that_are_no_decimal_digits_are_read_as_no_number(title: str, number: str) -> None:
    at = GAMES[title]
    verbs = [it for it, role in at.tongue.spelling.roles.items() if role == "verb"]
    for line in (number, f"[{number}]", f"line {number}", *(f"{verb} {number} wood" for verb in verbs)):
        everything_asked_of(line, at)


@pytest.mark.parametrize(("text", "words"), [("5²", ("5", "2")), ("bid 5½", ("bid", "5", "1", "2")), ("１２", ("12",))])
def test_a_number_sign_that_is_no_digit_is_a_word_of_its_own(text: str, words: tuple[str, ...]) -> None:
    assert fold(text) == words


@pytest.mark.parametrize("line", ["еnd turn", "dеliver wood", "раss", "ΡΑSS", "claim Воston Miami", "ᴘᴀss"])
def test_lookalike_letters_of_other_alphabets_give_no_order(line: str) -> None:
    assert not any(everything_asked_of(line, at) for at in GAMES.values())
