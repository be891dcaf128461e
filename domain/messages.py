"""Commands and events: their bases, the visibility of their fields, and the conversion between classes and stored
bytes.

A command is a wish in the imperative, an event a fact in the past tense. Both are frozen structs whose stable name is
their tag (the class name unless a class says otherwise), never a Python path. Everything that a viewer receives of
either goes through `redact`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import UnionType
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

T = TypeVar("T")

Own = Union[T, UnsetType]  # noqa: UP007 (with | it is no alias of a type)
"""A field that only its own seat may see: ``card: Own[str] = UNSET``. Others receive the message without it."""


def one_of(ids: Iterable[str]) -> Any:
    """Return the type of a field that holds one of ``ids``, those of printed things.

    A value read from a log is then the same string object that the tables hold, so that sets and dicts find it without
    comparing letters. No other value can be read from a log.
    """
    return Literal[tuple(ids)]


class Command(msgspec.Struct, frozen=True, gc=False, tag_field="command", tag=True, forbid_unknown_fields=True):
    """A request of a seat. The seat is not a field: it comes with the submission.

    (``gc=False``, here and below: such values cannot form cycles, so the collector need not look at them.)

    ``HIDDEN``: others are not shown that this command was given, not even its name (a proxy bid).
    """

    HIDDEN: ClassVar[bool] = False


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=True, forbid_unknown_fields=True):
    """A fact about the game. The framework derives redaction, versions and barriers from the declarations of each
    class.

    ``HIDDEN``: others do not see the event at all; its ``seat`` does. ``QUIET``: it changes nobody else's choices, so
    it makes no other seat's command stale. ``BARRIER``: nothing before its ply can be taken back.

    An event with ``Own`` fields, or a hidden one, has a field ``seat``: the one that may see them. A released class is
    never edited. A new shape takes the plain name, with the next schema number in its tag ("TrainMoved.2"). The class
    of the earlier shape gets its own number ("TrainMoved1") and keeps its tag.
    """

    HIDDEN: ClassVar[bool] = False
    QUIET: ClassVar[bool] = False
    BARRIER: ClassVar[bool] = False


@cache
def own_fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the names of the fields of ``kind`` that only its own seat may see."""
    hints = get_type_hints(kind)
    return tuple(
        name
        for name in kind.__struct_fields__
        if isinstance(hints[name], UnionType) or getattr(hints[name], "__origin__", None) is Union
        if UnsetType in get_args(hints[name])
    )


M = TypeVar("M", bound=Command | Event)


def open_part(message: M) -> M | None:
    """Return the public part of ``message``: the message without its own fields, or nothing if it is hidden."""
    if message.HIDDEN:
        return None
    fields = own_fields(type(message))  # type: ignore[arg-type]
    return replace(message, **dict.fromkeys(fields, UNSET)) if fields else message


def redact(message: M, owner: int | None, viewer: int | None) -> M | None:
    """Return the part of a message of seat ``owner`` that ``viewer`` (a seat, or None for a spectator) may see."""
    return message if viewer is not None and viewer == owner else open_part(message)


def owner_of(event: Event) -> int | None:
    """Return the seat that may see all of ``event``."""
    return getattr(event, "seat", None)


Upcast = Callable[[Any], Event]


class Codec:
    """Converts bytes to commands and events, and back, for one closed set of classes.

    ``upcasters`` maps an older class to the function that converts its instances to the present shape.
    """

    def __init__(
        self,
        commands: Iterable[type[Command]],
        events: Iterable[type[Event]],
        upcasters: Mapping[type[Event], Upcast] | None = None,
    ) -> None:
        self.commands = {tag_of(kind): kind for kind in commands}
        self.events = {tag_of(kind): kind for kind in events}
        self.upcasters = dict(upcasters or {})
        self.command_type: Any = Union[tuple(self.commands.values())]  # noqa: UP007
        self.event_type: Any = Union[(*self.events.values(), *self.upcasters)]

    def lift(self, event: Event) -> Event:
        """Return ``event`` in the present shape, converted one schema number at a time."""
        while (upcast := self.upcasters.get(type(event))) is not None:
            event = upcast(event)
        return event


def tag_of(kind: type[msgspec.Struct]) -> str:
    """Return the stable name of a command or event class."""
    return str(kind.__struct_config__.tag)
