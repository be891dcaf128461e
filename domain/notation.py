"""A command as a line of text, and back: a player can type it, a script can send it and a mail can quote it.

A line is the command's name in small letters with hyphens, then its fields in their order. Optional fields follow by
name, a switch by its name alone. Members of a list are joined by commas, an empty one is ``-``.

    move-train central_vermont.richmond richmond decline_fast
    claim-route denver__kansas_city.black red,red,locomotive
    perform-maintenance discard=central_vermont.port_1,central_vermont.port_2

The names are ids, the same in every language, and the same as in the log. Only commands of a title have lines.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT, UNSET
from msgspec.structs import FieldInfo, fields

from domain.messages import Command, tag_of
from domain.title import Title

EMPTY = "-"


class UnreadableLine(ValueError):
    """A line that is no command of the title. The message says why."""


@cache
def verb(kind: type[Command]) -> str:
    """Return the first word of a line with a command of this class: ``MoveTrain`` -> ``move-train``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", tag_of(kind).partition(".")[0]).lower()


def write(command: Command) -> str:
    """Return the line for ``command``. Fields that were hidden from its reader are left out."""
    words = [verb(type(command))]
    for field in _shape(type(command)).values():
        value = getattr(command, field.name)
        if value is UNSET or (not _comes_first(field) and value == field.default):
            continue
        by_name = field.name if value is True else f"{field.name}={_text(value)}"
        words.append(_text(value) if _comes_first(field) else by_name)
    return " ".join(words)


def read(title: Title, line: str) -> Command:
    """Return the command that ``line`` stands for. Raises `UnreadableLine`."""
    word, *given = line.split() or ["nothing"]
    kind = {verb(each): each for each in title.rules.commands}.get(word.lower().replace("_", "-"))
    if kind is None:
        raise UnreadableLine(f"{word[:40]} is not a command of this title.")
    shape = _shape(kind)
    values = _by_name(given, shape)
    missing = [name for name, field in shape.items() if _comes_first(field) and name not in values]
    if missing:
        raise UnreadableLine(f"{verb(kind)} also needs: {' '.join(_asked(shape.values()))}.")
    for name, value in values.items():
        try:
            values[name] = msgspec.convert(value, shape[name].type, strict=False)
        except msgspec.ValidationError:
            raise UnreadableLine(f"{_text(value)[:40]} is not possible as {name}.") from None
    return kind(**values)


@cache
def _shape(kind: type[Command]) -> dict[str, FieldInfo]:
    """Return the fields of a command by their names, in their order."""
    return {field.name: field for field in fields(kind)}


def _by_name(given: Iterable[str], shape: dict[str, FieldInfo]) -> dict[str, Any]:
    """Return the words of a line by the fields they fill: first in their order, then by name."""
    values: dict[str, Any] = {}
    waiting = [name for name, field in shape.items() if _comes_first(field)]
    for word in given:
        name, equals, text = word.partition("=")
        if equals and name in shape:
            values[name] = _value(text, shape[name])
        elif waiting := [each for each in waiting if each not in values]:
            values[waiting[0]] = _value(word, shape[waiting[0]])
        elif word in shape and shape[word].type is bool:
            values[word] = True
        else:
            raise UnreadableLine(f"“{word[:40]}” is one word too many.")
    return values


def _text(value: Any) -> str:
    """Return a value as one word."""
    return (",".join(map(str, value)) or EMPTY) if isinstance(value, tuple | list) else str(value)


def _value(text: str, field: FieldInfo) -> Any:
    """Return a word as `msgspec.convert` needs it: a list if the field is one."""
    if not _is_list(field):
        return text
    return [] if text == EMPTY else text.split(",")


def _comes_first(field: FieldInfo) -> bool:
    """Must the field be given? So must a field that only its own seat may see."""
    return field.default is NODEFAULT or field.default is UNSET


def _is_list(field: FieldInfo) -> bool:
    return "tuple" in str(field.type)


def _asked(shape: Iterable[FieldInfo]) -> list[str]:
    """Return the fields in the style of a manual: ``card to [decline_fast] [right_of_way=]``."""
    return [
        field.name if _comes_first(field) else f"[{field.name}]" if field.type is bool else f"[{field.name}=]"
        for field in shape
    ]
