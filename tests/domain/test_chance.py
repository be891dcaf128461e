"""Draws: the golden vectors, the second implementation, fairness, and the promises of each kind of chance."""

import json
import random
from collections import Counter
from itertools import permutations
from math import sqrt
from pathlib import Path

import pytest
from msgspec import UNSET

from domain.chance import (
    Bag,
    ChanceAsked,
    Draw,
    FreeChance,
    NamedChance,
    NoChance,
    draw_key,
    length_prefixed,
    picks_of,
)
from domain.messages import own_fields
from tests.domain import byhand

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "draws.json").read_text())
SECRET = bytes(range(32))


@pytest.mark.parametrize("vector", GOLDEN["vectors"], ids=lambda vector: f"{vector['name']}-{vector['ordinal']}")
def test_every_draw_gives_its_golden_picks(vector):
    """A released draw never changes: the file is the guard, and the second implementation agrees with it."""
    secret, entropies = bytes.fromhex(vector["secret"]), [bytes.fromhex(each) for each in vector["entropies"]]
    asked = vector["name"], vector["ordinal"], vector["size"], vector["count"]
    assert list(picks_of(draw_key(secret), length_prefixed(entropies), *asked)) == vector["picks"]
    assert byhand.picks(secret, entropies, *asked) == vector["picks"]


def test_the_golden_draws_cover_several_blocks_and_whole_decks():
    assert any(vector["count"] > 8 for vector in GOLDEN["vectors"]), "more than two blocks of words"
    assert any(vector["count"] == vector["size"] for vector in GOLDEN["vectors"]), "a whole deck"
    assert any(not vector["entropies"] for vector in GOLDEN["vectors"]), "nobody gave entropy"


def test_the_two_implementations_agree_on_many_draws():
    dice = random.Random(7)
    for _ in range(200):
        secret, size = dice.randbytes(32), dice.randint(1, 40)
        entropies = [dice.randbytes(dice.choice((0, 1, 32, 80))) for _ in range(dice.randint(0, 4))]
        asked = dice.choice(("GTJ 2.7", "Zug für Québec", "")), dice.randint(0, 2**40), size, dice.randint(0, size)
        ours = picks_of(draw_key(secret), length_prefixed(entropies), *asked)
        assert list(ours) == byhand.picks(secret, entropies, *asked)


def test_a_word_beyond_the_last_full_multiple_is_discarded(monkeypatch):
    """Without this the first items would be a little more likely. Real words this large hardly ever occur."""
    words = [2**64 - 1, 2**64 - 2**64 % 3, 2**64 - 2**64 % 3 - 1, 5]
    block = b"".join(word.to_bytes(8, "big") for word in words)
    monkeypatch.setattr("domain.chance.keyed", lambda *_: block)
    assert picks_of(b"", b"", "any", 0, 3, 1) == ((2**64 - 2**64 % 3 - 1) % 3,)


def chi_square(counts: Counter, cells: int) -> float:
    """Return how many standard deviations the counts of ``cells`` equally likely outcomes are off their expectation."""
    expected = sum(counts.values()) / cells
    assert len(counts) <= cells
    value = sum((counts[cell] - expected) ** 2 for cell in counts) / expected + (cells - len(counts)) * expected
    return (value - (cells - 1)) / sqrt(2 * (cells - 1))


@pytest.mark.parametrize("size", [2, 3, 7, 10, 18, 22])
def test_every_item_is_equally_likely(size):
    """Inputs are fixed, so this either always passes or never: 4 standard deviations are no matter of luck."""
    key = draw_key(SECRET)
    counts = Counter(picks_of(key, b"", "fair", ordinal, size, 1)[0] for ordinal in range(6000))
    assert abs(chi_square(counts, size)) < 4


def test_every_order_is_equally_likely():
    key = draw_key(SECRET)
    counts: Counter = Counter()
    for ordinal in range(6000):
        here = list("abcd")
        counts["".join(here.pop(pick) for pick in picks_of(key, b"", "orders", ordinal, 4, 4))] += 1
    assert set(counts) == {"".join(order) for order in permutations("abcd")}
    assert abs(chi_square(counts, 24)) < 4


def test_name_ordinal_secret_and_entropy_each_change_a_draw():
    def draw(secret=SECRET, entropies=(b"a", b"b"), name="name", ordinal=0):
        return picks_of(draw_key(secret), length_prefixed(entropies), name, ordinal, 1000, 5)

    variants = [
        draw(),
        draw(secret=bytes(32)),
        draw(entropies=(b"ab", b"")),
        draw(entropies=(b"b", b"a")),
        draw(name="other"),
        draw(ordinal=1),
    ]
    assert len(set(variants)) == len(variants)
    assert draw() == draw()


def test_nobody_can_draw_more_items_than_there_are():
    with pytest.raises(ValueError, match="3 of 2"):
        picks_of(draw_key(SECRET), b"", "deck", 0, 2, 3)


def test_the_order_of_the_items_does_not_change_a_draw():
    def drawn(items):
        return NamedChance(draw_key(SECRET), b"", {}).draw("deck", items, 3)

    assert drawn(["a", "b", "c", "d", "e"]) == drawn({"e", "c", "a", "d", "b"})


@pytest.mark.parametrize("numbers", [{"b": 2, "a": 3, "d": 0, "c": 1}, {"a": 1}, {"z": 4, "y": 4}])
def test_a_bag_draws_like_its_items_one_by_one(numbers):
    one_by_one = [kind for kind, number in numbers.items() for _ in range(number)]
    for seed in range(20):
        for count in range(len(one_by_one) + 1):
            by_name, again = (NamedChance(draw_key(bytes([seed] * 32)), b"", {}) for _ in range(2))
            assert by_name.draw("deck", Bag(numbers), count) == again.draw("deck", one_by_one, count)
            assert by_name.drawn == again.drawn
            freely, again = (FreeChance(random.Random(seed)) for _ in range(2))
            assert freely.draw("deck", Bag(numbers), count) == again.draw("deck", one_by_one, count)


def test_ordinals_count_the_draws_of_each_name():
    ordinals = {"deck": 4}
    chance = NamedChance(draw_key(SECRET), b"", ordinals)
    first, other, second = (
        chance.draw("deck", range(90)),
        chance.draw("pile", range(90)),
        chance.draw("deck", range(90)),
    )
    key = draw_key(SECRET)
    assert first == list(picks_of(key, b"", "deck", 4, 90, 1))
    assert second == list(picks_of(key, b"", "deck", 5, 90, 1))
    assert other == list(picks_of(key, b"", "pile", 0, 90, 1))
    assert ordinals == {"deck": 4}, "the game counts, not the decision"


def test_draws_are_recorded_for_the_ply():
    chance = NamedChance(draw_key(SECRET), b"", {})
    cards = chance.draw("deck of seat 2", ["x", "y", "z"], 2, seat=2)
    (draw,) = chance.drawn
    assert (draw.name, draw.size, draw.seat) == ("deck of seat 2", 3, 2)
    here = ["x", "y", "z"]
    assert [here.pop(pick) for pick in draw.picks] == cards
    assert own_fields(Draw) == ("picks",)
    assert Draw("open", 3).picks is UNSET


def test_a_preview_ends_where_it_asks_chance():
    with pytest.raises(ChanceAsked):
        NoChance().draw("deck", "abc")


def test_free_chance_draws_only_existing_items():
    chance = FreeChance(random.Random(1))
    assert sorted(chance.draw("all", {"c", "a", "b"}, 3)) == ["a", "b", "c"]
    seen = {chance.draw("one", range(5))[0] for _ in range(200)}
    assert seen == set(range(5))
