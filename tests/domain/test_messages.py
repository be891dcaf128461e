"""Commands and events: who sees which field, stable names, and earlier shapes."""

import msgspec
import pytest
from msgspec import UNSET

from domain.messages import Codec, Command, Event, open_part, own_fields, owner_of, redact, tag_of
from tests.domain.sample import (
    CODEC,
    Bid,
    BidMade,
    Counted,
    CountedInDozens,
    Opened,
    Pocket,
    Pocketed,
    Speak,
    Spoken,
)

ANN, BOB = 1, 2


def test_own_fields_are_found_by_their_type():
    assert own_fields(Pocketed) == ("cards",)
    assert own_fields(Pocket) == ("card",)
    assert own_fields(Spoken) == ()


def test_a_union_with_unset_written_with_a_bar_is_found_too():
    class Barred(Event, frozen=True):
        seat: int
        card: str | msgspec.UnsetType = UNSET
        other: str | None = None

    assert own_fields(Barred) == ("card",)


def test_everybody_sees_an_open_message_whole():
    said = Spoken("hi")
    assert open_part(said) is said
    assert redact(said, ANN, BOB) is said


def test_others_see_an_event_without_its_own_fields():
    event = Pocketed(ANN, 1, ("x",))
    assert redact(event, owner_of(event), ANN) == event
    assert redact(event, owner_of(event), BOB) == Pocketed(ANN, 1)
    assert redact(event, owner_of(event), None) == Pocketed(ANN, 1)


def test_others_do_not_see_a_hidden_message():
    event = BidMade(ANN, 3)
    assert redact(event, ANN, ANN) == event
    assert redact(event, ANN, BOB) is None
    assert redact(event, ANN, None) is None


def test_a_spectator_does_not_own_a_message_without_owner():
    """A message without owner and a spectator are both None: that must not open it."""
    assert redact(Bid(3), None, None) is None


def test_names_are_tags_instead_of_python_paths():
    assert tag_of(Speak) == "Speak"
    assert tag_of(Counted) == "Counted.2"
    assert msgspec.json.encode(Speak("hi")) == b'{"command":"Speak","words":"hi"}'
    assert msgspec.json.encode(Counted(24)) == b'{"event":"Counted.2","pieces":24}'
    assert msgspec.json.encode(Pocketed(ANN, 1)) == b'{"event":"Pocketed","seat":1,"number":1}'


def test_a_codec_reads_only_its_own_classes():
    assert CODEC.commands == {"Speak": Speak, "Pocket": Pocket, "Bid": Bid}
    assert CODEC.events["Opened"] is Opened
    assert msgspec.json.decode(b'{"command":"Bid","amount":3}', type=CODEC.command_type) == Bid(3)


@pytest.mark.parametrize(
    "body",
    [
        b'{"command":"Steal"}',
        b'{"command":"Bid"}',
        b'{"command":"Bid","amount":"3"}',
        b"[]",
        b"null",
        b'{"command":"Bid","amount":3,"more":1}',
        b'{"command":"Bid","amount":1e3}',
        b'{"amount":3}',
    ],
)
def test_messages_of_another_shape_are_refused(body):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(body, type=CODEC.command_type)


def test_an_older_shape_is_converted_to_the_present_one():
    old = msgspec.json.decode(b'{"event":"Counted","dozens":2}', type=CODEC.event_type)
    assert old == CountedInDozens(2)
    assert CODEC.lift(old) == Counted(24)
    assert CODEC.lift(Counted(5)) == Counted(5)


def test_shapes_are_converted_one_number_at_a_time():
    class First(Event, frozen=True, tag="It"):
        pass

    class Second(Event, frozen=True, tag="It.2"):
        pass

    class Third(Event, frozen=True, tag="It.3"):
        pass

    codec = Codec([Speak], [Third], {First: lambda _: Second(), Second: lambda _: Third()})
    assert codec.lift(First()) == Third()


def test_messages_are_frozen():
    with pytest.raises(AttributeError):
        Speak("hi").words = "ho"
    assert issubclass(Speak, Command)
