"""Schemas made from a title's structs: its commands, its options, a seat's choice.

They check only the shape: unknown fields, wrong types, bounds. The domain decides whether a command is allowed.
"""

import unicodedata
from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from flask import current_app
from marshmallow import RAISE, Schema, ValidationError, fields, validate
from msgspec import UnsetType

from domain import notation
from domain.messages import Command, tag_of
from domain.title import Title
from service.base import names
from service.games.sandboxes import NOTE_LENGTH
from service.words import N_

LARGEST = 2**31 - 1
LONGEST_TEXT = 200
LONGEST_LIST = 100
LONGEST_LINE = 1000
MOST_COMMANDS = 50


# ==== strict fields ===============================================================================
class Whole(fields.Integer):
    """A whole number within the bounds of the API. It accepts neither True nor "5"."""

    def __init__(self, *, low: int = -LARGEST, high: int = LARGEST, **more: Any) -> None:
        super().__init__(strict=True, validate=validate.Range(low, high), **more)

    def _validated(self, value: Any) -> int:
        if isinstance(value, bool | str):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class Truth(fields.Boolean):
    """A boolean that accepts no other word or number."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Text(fields.String):
    """Text without control characters, of limited length."""

    def __init__(self, *, low: int = 0, high: int = LONGEST_TEXT, pattern: str = "", **more: Any) -> None:
        rules: list[Any] = [validate.Length(low, high), no_controls]
        if pattern:
            rules.append(validate.Regexp(pattern))
        super().__init__(validate=rules, **more)


NO_NAME: Mapping[names.Why, str] = {
    "length": N_("This is too short or too long."),
    "unseen": N_("Invisible characters, and characters that reverse the writing direction, are not allowed."),
    "address": N_("Web addresses are not allowed. If this is not meant as a web address, put a space after the dot."),
}
"""Why a text cannot be a name."""


class Name(fields.String):
    """A name in its stored form (`names.cleaned`), of at most ``high`` characters. ``mailed``: it appears in mails."""

    def __init__(self, *, high: int, mailed: bool = False, **more: Any) -> None:
        super().__init__(**more)
        self.longest, self.mailed = high, mailed
        self.metadata = {"minLength": 1, "maxLength": high, **self.metadata}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        try:
            return names.cleaned(text, self.longest, mailed=self.mailed)
        except names.BadName as bad:
            raise ValidationError(NO_NAME[bad.why]) from None


def no_controls(text: str) -> None:
    """Refuse characters that no line of text holds: control characters, unpaired surrogates, changes of direction."""
    if text.isprintable():
        return
    if any(unicodedata.category(sign) in ("Cc", "Cs") or sign in _TURNING for sign in text):
        raise ValidationError(N_("Control characters are not allowed."))


_TURNING = frozenset("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


# ==== schemas of structs ==========================================================================
def schema_of(kind: type[msgspec.Struct], name: str, tag: str | None = None) -> type[Schema]:
    """Make a schema with the fields of ``kind`` and, for a command, the field ``command`` with its tag."""
    hints = get_type_hints(kind, include_extras=True)
    declared: dict[str, Any] = {
        field.encode_name: field_of(hints[field.name], required=_required(field, hints[field.name]), of=name)
        for field in msgspec.structs.fields(kind)
    }
    if tag is not None:
        declared = {"command": fields.String(required=True, validate=validate.OneOf([tag])), **declared}
    declared["Meta"] = type("Meta", (), {"unknown": RAISE})
    declared["__doc__"] = kind.__doc__
    return type(name, (Schema,), declared)


def _required(field: Any, hint: Any) -> bool:
    """Is the field required? So is one that only its own seat may see: other viewers miss it, but the seat sends it."""
    return field.required or UnsetType in get_args(hint)


def field_of(hint: Any, *, required: bool, of: str, optional: bool = False) -> fields.Field[Any]:
    """Make the field for a type. Raises for a type that commands cannot have: a mistake of the title's author."""
    common: dict[str, Any] = {"required": required, "allow_none": optional}
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        inner = [arg for arg in args if arg not in (type(None), UnsetType)]
        if len(inner) == 1:
            return field_of(inner[0], required=required, of=of, optional=type(None) in args)
    elif origin is Annotated:
        return _bounded(args[0], args[1], common, of)
    elif origin is Literal:
        return _one_of(args, common)
    elif origin is tuple:
        return _listed(args, common, of)
    elif hint is bool:
        return Truth(**common)
    elif hint is int:
        return Whole(**common)
    elif hint is str:
        return Text(**common)
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return fields.Nested(schema_of(hint, f"{of}.{hint.__name__}"), **common)
    raise TypeError(f"{of}: a command or choice cannot have a field of type {hint}")


def _bounded(hint: Any, meta: msgspec.Meta, common: dict[str, Any], of: str) -> fields.Field[Any]:
    """Make a whole number with bounds, or a text with a pattern."""
    if hint is int and isinstance(meta.ge, int) and isinstance(meta.le, int):
        return Whole(low=meta.ge, high=meta.le, **common)
    if hint is str and meta.pattern:
        return Text(pattern=meta.pattern, **common)
    raise TypeError(f"{of}: a command or choice cannot have a field of {meta}")


def _one_of(ids: tuple[Any, ...], common: dict[str, Any]) -> fields.Field[Any]:
    if all(isinstance(each, str) for each in ids):
        return fields.String(validate=validate.OneOf(ids), **common)
    whole = Whole(**common)
    whole.validators.append(validate.OneOf(ids))
    return whole


def _listed(args: tuple[Any, ...], common: dict[str, Any], of: str) -> fields.Field[Any]:
    if len(args) == 2 and args[1] is ...:
        item = field_of(args[0], required=False, of=of)
        return fields.List(item, validate=validate.Length(max=LONGEST_LIST), **common)
    return fields.Tuple([field_of(arg, required=False, of=of) for arg in args], **common)


# ==== the shapes of a title =======================================================================
class Shapes(msgspec.Struct, frozen=True):
    """The schemas of one title. ``commands``: by tag."""

    title: Title
    commands: dict[str, Schema]
    options: Schema
    choice: Schema

    def command(self, plain: Any) -> Command:
        """Read a command from plain data, or from a line of `domain.notation`. Raises ``ValidationError``."""
        if isinstance(plain, str):
            plain = self._read(plain)
        if not isinstance(plain, dict):
            raise ValidationError(N_("This is not an object."))
        tag = plain.get("command")
        if not isinstance(tag, str) or tag not in self.commands:
            raise ValidationError({"command": [N_("This title has no such command.")]})
        return cast(Command, _convert(self.commands[tag].load(plain), self.title.codec.commands[tag]))

    def _read(self, line: str) -> Any:
        if len(line) > LONGEST_LINE:
            raise ValidationError(f"A line has at most {LONGEST_LINE} characters.")
        try:
            return msgspec.to_builtins(notation.read(self.title, line))
        except notation.UnreadableLine as error:
            raise ValidationError(str(error)) from None

    def all_commands(self, plain: list[Any]) -> list[Command]:
        """Read the commands of a submission. The errors of each stand under its index."""
        commands, errors = [], {}
        for place, each in enumerate(plain):
            try:
                commands.append(self.command(each))
            except ValidationError as error:
                errors[str(place)] = error.messages
        if errors:
            raise ValidationError({"commands": errors})
        return commands


def _convert(loaded: Any, kind: type[msgspec.Struct]) -> Any:
    try:
        return msgspec.convert(loaded, kind)
    except msgspec.ValidationError as error:
        raise ValidationError(str(error)) from None


def shapes_of(title: Title) -> Shapes:
    """Make the schemas of ``title``, once for an application, at its start."""
    return Shapes(
        title,
        {tag_of(kind): schema_of(kind, f"{title.id}.{kind.__name__}", tag_of(kind))() for kind in title.rules.commands},
        schema_of(title.seating.options, f"{title.id}.options")(),
        schema_of(title.seating.choice, f"{title.id}.choice")(),
    )


def shapes(title: str) -> Shapes:
    """Return the schemas of the title with this id."""
    return cast(Mapping[str, Shapes], current_app.extensions["slowtrain_shapes"])[title]


def is_title(title: str) -> bool:
    return title in current_app.extensions["slowtrain_shapes"]


class Note(fields.String):
    """Text of several lines."""

    def __init__(self, **more: Any) -> None:
        super().__init__(validate=[validate.Length(max=NOTE_LENGTH), _no_controls_but_lines], **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text: str = super()._deserialize(value, attr, data, **more)
        return text.replace("\r\n", "\n").strip()


def _no_controls_but_lines(text: str) -> None:
    no_controls(text.replace("\n", "").replace("\t", ""))


def clean_note(text: str) -> str | None:
    """Return a note in its stored form; None if it cannot be stored."""
    try:
        return str(Note().deserialize(text))
    except ValidationError:
        return None
