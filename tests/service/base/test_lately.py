"""The cache belongs to one object and keeps only a few entries."""

from service.base.lately import Lately


def test_a_value_is_computed_once():
    kept, thing, made = Lately[int](2), object(), [1, 2]
    assert [kept.of(thing, lambda: made.pop(0)) for _ in range(2)] == [1, 1]


def test_a_value_is_computed_for_each_input():
    kept, thing = Lately[str](4), object()
    assert [kept.of(thing, lambda seat=seat: f"of {seat}", seat) for seat in (1, 2, None)] == [
        "of 1",
        "of 2",
        "of None",
    ]


def test_equal_objects_are_different_keys():
    kept, one, other = Lately[str](4), [1], [1]
    assert (kept.of(one, lambda: "one"), kept.of(other, lambda: "other")) == ("one", "other")


def test_the_newest_values_are_kept():
    kept, things = Lately[int](2), [object() for _ in range(3)]
    for number, thing in enumerate(things):
        kept.of(thing, lambda number=number: number)
    assert [kept.of(thing, lambda: 9) for thing in (things[2], things[1], things[0])] == [2, 1, 9]
