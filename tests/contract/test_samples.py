"""Every event shape ever released can still be read, and generated messages survive encoding to plain data and back."""

import random
from typing import Any

import msgspec
import pytest

from domain.messages import tag_of
from domain.title import Title
from tests import samples
from tests.contract.games import Forger


def test_every_shape_has_a_sample(title: Title):
    have = {samples.tag_in(line) for line in samples.lines(title)}
    assert sorted(set(samples.shapes(title)) - have) == [], "run: python -m tests.samples " + title.id
    assert sorted(have - set(samples.shapes(title))) == [], "a released shape can no longer be read"


def test_every_sample_decodes_to_the_bytes_it_came_from(title: Title):
    for line in samples.lines(title):
        event = msgspec.json.decode(line, type=title.codec.event_type)
        assert msgspec.json.encode(event) == line
        assert type(title.codec.lift(event)) in title.codec.events.values()


@pytest.mark.parametrize("seed", range(20))
def test_commands_and_events_survive_plain_data_and_back(title: Title, seed: int):
    """With generated values of every field, whether they make sense or not."""
    forger = Forger(title, random.Random(seed))
    for kind in (*title.rules.commands, *title.rules.events):
        message = generated(kind, forger)
        wanted: Any = title.codec.command_type if kind in title.rules.commands else title.codec.event_type
        encoded = msgspec.json.encode(message)
        assert msgspec.json.decode(encoded, type=wanted) == message
        assert msgspec.convert(msgspec.to_builtins(message, str_keys=True), type=wanted, strict=False) == message
        assert tag_of(kind).encode() in encoded
        assert not has_float(msgspec.json.decode(encoded))


def generated(kind: Any, forger: Forger) -> Any:
    return kind(**{name: forger.value(kind, name) for name in kind.__struct_fields__})


def has_float(value: Any) -> bool:
    """Does the value hold a float? Logs must not: two machines might write one differently."""
    if isinstance(value, dict):
        return any(has_float(each) for each in value.values())
    return any(has_float(each) for each in value) if isinstance(value, list) else isinstance(value, float)


def test_names_are_stable_and_distinct(title: Title):
    tags = [tag_of(kind) for kind in (*title.codec.commands.values(), *title.codec.events.values())]
    assert len(set(tags)) == len(tags)
    assert all(tag.partition(".")[0].isidentifier() for tag in tags), "no Python paths"
