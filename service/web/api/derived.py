"""Schemas of answers that repeat a struct, or the row of a table: their fields get their types from it.

A struct's field is described by ``Annotated[…, Meta(description=…)]``; its further properties in JSON stand in
``extra_json_schema``. Structs of the domain and rows say nothing of the API: for them the schema describes the fields
that it shows. All other fields are declared as usual.
"""

from collections.abc import Callable
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from marshmallow import Schema, fields, validate

from service.base.clock import iso
from service.base.described import doc

S = TypeVar("S", bound=type[Schema])

_OF: dict[type, type[Schema]] = {}
"""The schemas of nested structs."""


def derived(kind: type, /, **shown: str | msgspec.Meta) -> Callable[[S], S]:
    """Give the decorated schema the fields of ``kind``, followed by its own.

    ``shown``: the fields that it shows, with their descriptions ("" for none); all of a struct by default. A field that
    ends in ``_at`` holds a time.
    """

    def derive(schema: S) -> S:
        hints = get_type_hints(kind, include_extras=True)
        described = {name: Annotated[hints[name], doc(it) if isinstance(it, str) else it] for name, it in shown.items()}
        own = described or {field.name: hints[field.name] for field in msgspec.structs.fields(kind)}
        made = {name: _field(hint, is_time=name.endswith("_at")) for name, hint in own.items()}
        schema._declared_fields = made | schema._declared_fields
        _OF[kind] = schema
        return schema

    return derive


class MomentField(fields.String):
    """Milliseconds since 1970 in the struct, RFC 3339 in the answer."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **more: Any) -> str | None:
        return None if value is None else iso(int(value))


def _field(hint: Any, *, optional: bool = False, is_time: bool = False, **said: Any) -> fields.Field[Any]:
    """Make the field for a type that answers use so far. Every field of an answer is present."""
    common: dict[str, Any] = {"required": True, "allow_none": optional, "metadata": said}
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        meta: msgspec.Meta = args[1]
        said |= {"description": meta.description} if meta.description else {}
        return _field(args[0], optional=optional, is_time=is_time, **said, **(meta.extra_json_schema or {}))
    if origin in (Union, UnionType):
        [one] = [each for each in args if each is not type(None)]
        return _field(one, optional=True, is_time=is_time, **said)
    if origin is Literal:
        return fields.String(validate=validate.OneOf(args), **common)
    if origin in (tuple, list):
        return fields.List(_item(args[0]), **common)
    if origin is dict:
        return fields.Dict(**common)
    if hint is Any:
        return fields.Raw(**{**common, "allow_none": True})
    if hint in _OF:
        return fields.Nested(_OF[hint], **common)
    if is_time or said.get("format") == "date-time":
        return MomentField(**common)
    return _PLAIN[hint](**common)


_PLAIN: dict[type, type[fields.Field[Any]]] = {
    int: fields.Integer,
    str: fields.String,
    bool: fields.Boolean,
    float: fields.Float,
}


def _item(hint: Any) -> fields.Field[Any]:
    return fields.Nested(_OF[hint]) if hint in _OF else _PLAIN[hint]()
