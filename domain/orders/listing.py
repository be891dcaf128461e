"""Legal actions as a list for readers: one line for each target, with numbers for whole commands.

A target may leave fields open: the cards that pay, or the direction of a cube. If the line means one action alone, it
is a whole command and has a number; else the line shows the choices, and has none. Nothing here depends on the
language: a number means the same action to every reader of a position.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from domain.messages import Command
from domain.orders.order import Listing, One, Option, Part, Path


class Line(msgspec.Struct, frozen=True):
    """A target. ``number``: of a whole command, from 1; else ``either`` are the actions to choose among.

    ``option``: the action itself, or the first of those. ``open``: fields in which they differ. ``others``: how many
    more actions lead to the same by other ways; ``aside``: how many more there are that are rarely wanted. ``extras``:
    the same actions with optional things. ``every``: all actions of the target but these.
    """

    number: int | None
    option: Option
    either: tuple[Option, ...]
    open: tuple[str, ...]
    others: int
    aside: int
    extras: tuple[Option, ...]
    every: tuple[Option, ...]


def listed(options: Iterable[Option], listing: Listing, view: Any, seat: int) -> list[Line]:
    """Return the lines for all actions of ``seat``, in the order of ``options``, those of a command together."""
    targets: dict[type[Command], dict[Any, list[Option]]] = {}
    for it in options:
        if listing.idle(view, it.action):
            continue
        kind = type(it.command)
        targets.setdefault(kind, {}).setdefault(_target(it, listing.open.get(kind, ())), []).append(it)
    lines: list[Line] = []
    number = 0
    for target in (each for of_kind in targets.values() for each in of_kind.values()):
        for line in _lines(target, listing, view, seat):
            number += line.number is not None
            lines.append(msgspec.structs.replace(line, number=number if line.number is not None else None))
    return lines


def whole_commands(lines: Sequence[Line]) -> list[Option]:
    """Return the whole commands in the order of their numbers, from 1."""
    return [line.option for line in lines if line.number is not None]


def is_extra(part: Part) -> bool:
    return isinstance(part, One) and part.extra


def _target(option: Option, open: tuple[str, ...]) -> Any:
    """Return a key that is equal for actions with the same target: without open fields, and without extras."""
    return tuple(
        (field, (part.ids[0], part.ids[-1]) if isinstance(part, Path) else None if field in open else part)
        for field, part in option.order.parts.items()
        if not (is_extra(part) or (field in open and not isinstance(part, Path)))
    )


def _lines(target: Sequence[Option], listing: Listing, view: Any, seat: int) -> Iterator[Line]:
    """Return the line of a target; one line each if all its actions have extras."""
    plain = [it for it in target if not any(map(is_extra, it.order.parts.values()))]
    if not plain:
        yield from (Line(0, it, (), (), 0, 0, (), (it,)) for it in target)
        return
    extras = tuple(it for it in target if it not in plain)
    usual = [it for it in plain if not it.action.aside] or plain
    differ = tuple(field for field in usual[0].order.parts if len({it.order.parts[field] for it in usual}) > 1)
    if all(isinstance(usual[0].order.parts[field], Path) for field in differ):
        best = min(usual, key=lambda it: _worth(listing.gains(view, it.action), seat))
        yield Line(0, best, (), (), len(usual) - 1, len(plain) - len(usual), extras, tuple(plain))
    else:
        yield Line(None, usual[0], tuple(usual), differ, 0, len(plain) - len(usual), extras, tuple(plain))


def _worth(gains: Sequence[tuple[int, int]], seat: int) -> tuple[int, int]:
    own = sum(amount for of, amount in gains if of == seat)
    return -own, sum(amount for _, amount in gains) - own
