"""Forms made from a title's structs: its options, a seat's choice, and the legal actions of a turn.

They work for any title: fields come from structs and actions, words from the title's words.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec
from marshmallow import ValidationError
from werkzeug.datastructures import MultiDict

from domain.messages import Command
from domain.rules import Action, Span
from domain.title import Title
from domain.words import Language, say
from service.web.pages.frame import reader
from service.web.shared.shapes import shapes
from service.words import kind_of_bot

MANY_GROUPS = 8
"""Above this number of groups only short ones are open; the others open at a tap."""


# ==== options and choices =========================================================================
class OptionField(NamedTuple):
    """One control of a form. ``kind``: "bool" or "ids"; ``choices``: (id, name) in order of declaration."""

    name: str
    kind: str
    label: str
    choices: list[tuple[str, str]]
    value: Any


def option_fields(
    language: Language, struct: type[msgspec.Struct], anything: str, given: Mapping[str, str] | None = None
) -> list[OptionField]:
    """Return the controls for ``struct``. ``anything``: the word for the id "". ``given``: the values sent before."""
    hints = get_type_hints(struct)
    fields = []
    for field in msgspec.structs.fields(struct):
        label = _label(language, field.name)
        if hints[field.name] is bool:
            value = field.default if given is None else field.name in given
            fields.append(OptionField(field.name, "bool", label, [], value))
        else:
            ids = get_args(hints[field.name])
            named = [(str(each), anything if each == "" else language.name(str(each))) for each in ids]
            value = (given or {}).get(field.name, str(field.default))
            fields.append(OptionField(field.name, "ids", label, named, value))
    return fields


def read_options(struct: type[msgspec.Struct], given: Mapping[str, str]) -> dict[str, Any]:
    """Read ``struct`` from a form, as plain data. The title decides whether it is allowed."""
    hints = get_type_hints(struct)
    said: dict[str, Any] = {}
    for field in msgspec.structs.fields(struct):
        if hints[field.name] is bool:
            said[field.name] = field.name in given
        elif field.name in given:
            ids = get_args(hints[field.name])
            said[field.name] = next((each for each in ids if str(each) == given[field.name]), given[field.name])
    return said


def _label(language: Language, name: str) -> str:
    said = language.name(name)
    return said if said != name else name.replace("_", " ").capitalize()


# ==== actions =====================================================================================
class Way(NamedTuple):
    """A link that narrows the actions to ``number``, or widens them again.

    ``id``: the same in both directions; "" if there is only one.
    """

    name: str
    address: str
    number: int = 0
    id: str = ""


class Boxes(NamedTuple):
    """Tick boxes for the things of a command's ``field``. ``boxes``: id, name, ticked."""

    field: str
    fewest: int
    most: int
    boxes: list[tuple[str, str, bool]]


class Choice(NamedTuple):
    """One legal action. ``command``: the JSON in the form; ``chosen``: it was chosen before a refusal.

    ``deed``: its kind, for the button of an action with open parts; ``says``: the whole deed, with a blank for the
    number. ``span``: the open number, with its name and first value. ``boxes``: open things. ``brings``: its gains for
    players, in words; ``gains``: by seat. ``ways``: to the same action with more or less. ``places``: the ids of the
    places that mean it.
    """

    command: str
    text: str
    chosen: bool
    span: Span | None = None
    span_name: str = ""
    value: int | None = 0
    boxes: Boxes | None = None
    brings: str = ""
    gains: Sequence[tuple[int, int]] = ()
    ways: Sequence[Way] = ()
    places: Sequence[str] = ()
    deed: str = ""
    says: str = ""


class Group(NamedTuple):
    """Actions of a kind. ``folded``: it opens at a tap, as numbers that may stay empty do beside other actions.
    ``more``: unusual ones, folded below it.
    """

    id: str
    name: str
    choices: list[Choice]
    folded: bool = False
    more: Sequence[Choice] = ()


def action_groups(choices: Iterable[tuple[Action, Choice]], language: Language) -> list[Group]:
    """Return the legal actions in the given order, by group; unusual ones last."""
    gathered: dict[str, tuple[list[Choice], list[Choice]]] = {}
    for action, choice in choices:
        gathered.setdefault(action.group, ([], []))[action.aside and not choice.chosen].append(choice)
    groups: list[Group] = []
    for name, (those, aside) in sorted(gathered.items(), key=lambda it: not it[1][0]):
        crowded = len(gathered) > MANY_GROUPS and len(those) > 1
        chosen = any(choice.chosen for choice in those)
        spare = bool(groups) and not chosen and all(map(_may_stay_empty, those))
        folded = not those or spare or (crowded and not chosen)
        if spare:
            those = [it._replace(value=None) for it in those]
        aside = [it._replace(value=None) if _may_stay_empty(it) else it for it in aside]
        groups.append(Group(name, language.name(name), those or aside, folded, aside if those else ()))
    return groups


def _may_stay_empty(choice: Choice) -> bool:
    """Is it an open number that may be 0, such as a limit? Nobody has to say it."""
    return choice.span is not None and choice.span.low == 0


def choice_of(
    action: Action, language: Language, player: Callable[[int], str], chosen: Command | None = None
) -> Choice:
    """Return an action as a form shows it. ``chosen``: the choice before a refusal."""
    command, text = command_text(action.command), say(action.sentence, language, player)
    span, same = action.span, chosen is not None and action.means(chosen)
    if span is None:
        return Choice(command, text, same)
    value = getattr(chosen, span.field) if same else span.low
    return Choice(command, text, same, span, language.name(span.field), value)


def command_text(command: Command) -> str:
    return msgspec.json.encode(command).decode()


class NotACommand(ValueError):
    """The form does not hold a command."""


def read_command(title: Title, form: MultiDict[str, str]) -> Command:
    """Return the command in a form, completed by its open parts: a number, or ticked things."""
    try:
        plain = msgspec.json.decode(form["command"])
        if "field" in form:
            ticked = isinstance(plain.get(form["field"]), list)
            plain[form["field"]] = form.getlist("value")[:MOST_TICKED] if ticked else int(form["value"][:12])
        return shapes(title.id).command(plain)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError, ValidationError) as mistake:
        raise NotACommand from mistake


MOST_TICKED = 100
"""Boxes that are considered."""


def submission_id(seat: int, version: int, *wish: object) -> str:
    """Return an id for a wish at a version: pressing the button again repeats the same submission."""
    return "page-" + hashlib.sha256(" ".join(map(str, (seat, version, *wish))).encode()).hexdigest()[:40]


def bot_names(title: Title) -> list[tuple[str, str]]:
    """Return the bots of a title with their names, the strongest first."""
    return [(bot, kind_of_bot(bot, reader().lang)) for bot in reversed([*title.bots])]
