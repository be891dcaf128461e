"""Every field error of every schema is stated in the caller's language."""

from collections.abc import Iterator
from typing import Any

import pytest
from marshmallow import Schema, ValidationError, fields, validate

from domain import TITLES
from service.web.shared.field_errors import in_words
from service.web.shared.shapes import shapes_of
from tests.service.web.api.world import Asker, World

GERMAN = {"Accept-Language": "de"}
OURS_TO_SAY = ("required", "null", "invalid", "type", "too_large", "special", "invalid_utf8", "validator_failed")


def errors(answer: Any) -> Any:
    assert answer.json["type"].endswith("#shape"), answer.text
    return answer.json["errors"]["json"]


def test_field_errors_are_in_the_language_of_the_program(world: World, alice: Asker, game_id: str) -> None:
    said = errors(alice.post("/games", {"title": "toy", "seats": 0, "nothing": 1}, headers=GERMAN))
    assert said["nothing"] == ["Dieses Feld gibt es nicht."]
    assert said["seats"][0].startswith("Das muss mindestens ")
    assert errors(alice.patch("/me", {"name": "evil.example"}, headers=GERMAN))["name"] == [
        "Webadressen sind nicht erlaubt. Wenn das keine Webadresse sein soll, setz ein Leerzeichen hinter den Punkt."
    ]
    lines = errors(alice.move(game_id, "fly away", headers=GERMAN))["commands"]
    assert lines == {"0": ["fly ist kein Befehl dieses Spiels."]}
    assert errors(alice.patch("/me", {"zone": "Moon"}, headers={"Accept-Language": "en"}))["zone"] == [
        "This is not the name of a time zone."
    ]


# ==== completeness ================================================================================
def schemas() -> Iterator[Schema]:
    """Yield all schemas of the API and of the titles."""

    def below(kind: type[Schema]) -> Iterator[type[Schema]]:
        for each in kind.__subclasses__():
            yield each
            yield from below(each)

    yield from (kind() for kind in set(below(Schema)) if kind.__module__.startswith("service."))
    for title in TITLES.values():
        shapes = shapes_of(title)
        yield from (*shapes.commands.values(), shapes.options, shapes.choice)


def within(field: fields.Field[Any]) -> Iterator[fields.Field[Any]]:
    yield field
    parts = [getattr(field, name, None) for name in ("inner", "key_field", "value_field")]
    for part in [*parts, *getattr(field, "tuple_fields", ())]:
        if part is not None:
            yield from within(part)


def what_a_validator_says(check: Any) -> str | None:
    """Return the error of a validator for a value that it refuses."""
    for wrong in (-(2**40), 2**40, 2**40 + 0.5, "", "x" * 5000, "\u202e\n", [0] * 5000):
        try:
            check(wrong)
        except ValidationError as error:
            return str(error.messages[0])
        except (TypeError, AttributeError):
            continue
    return None


@pytest.fixture(scope="module")
def all_that_is_said() -> set[str]:
    found = {str(text) for schema in schemas() for text in schema.error_messages.values()}
    for field in (each for schema in schemas() for top in schema.fields.values() for each in within(top)):
        found |= {text for key, text in field.error_messages.items() if key in OURS_TO_SAY}
        found |= {said for check in field.validators if (said := what_a_validator_says(check)) is not None}
    return found


def test_every_field_error_has_a_german_text(all_that_is_said: set[str]) -> None:
    assert len(all_that_is_said) > 30
    assert [text for text in sorted(all_that_is_said) if in_words([text], "de") == [text]] == []


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (validate.Range(1, 9), "Das muss mindestens 1 und darf höchstens 9 sein."),
        (validate.Range(min=1), "Das muss mindestens 1 sein."),
        (validate.Range(max=-(2**41)), "Das darf höchstens -2199023255552 sein."),
        (validate.OneOf(["a", "b"]), "Das muss eines davon sein: a, b."),
    ],
)
def test_bounds_and_choices_are_filled_in(english: Any, german: str) -> None:
    said = what_a_validator_says(english)
    assert in_words({"x": [said]}, "de") == {"x": [german]}
    assert in_words({"x": [said]}, "en") == {"x": [said]}


def test_an_unknown_field_error_stays_as_it_is() -> None:
    assert in_words({"x": ["Expected `int`, got `str`"], "y": {"0": 7}}, "de") == {
        "x": ["Expected `int`, got `str`"],
        "y": {"0": 7},
    }
