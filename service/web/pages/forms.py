"""Forms made from what a title declares: its options, a seat's choice, and the legal actions of a turn.

Nothing here knows a title: fields come from structs and actions, words from the title's words.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict, get_args, get_type_hints

import msgspec
from marshmallow import ValidationError

from domain.messages import Command
from domain.title import Action, Span, Title
from domain.words import Language, say
from service.web.pages.web import _, reader
from service.web.shared.shapes import shapes
from service.words import spoken

LONG = 5
"""Up to so many actions of a group get a button each; more are a list to choose from."""
MANY_GROUPS = 8
"""Of more groups than these only the short ones are open; the others open at a tap."""


# ==== options and choices =========================================================================
class OptionField(NamedTuple):
    """One control of a form. ``kind``: "bool" or "ids"; ``choices``: (id, name) in the order they are declared."""

    name: str
    kind: str
    label: str
    choices: list[tuple[str, str]]
    value: Any


def option_fields(
    language: Language, struct: type[msgspec.Struct], anything: str, given: Mapping[str, str] | None = None
) -> list[OptionField]:
    """The controls for ``struct``. ``anything``: the word for the id "". ``given``: what was sent before."""
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
    """What a form says about ``struct``, as plain data. Whether it is allowed is for the title to say."""
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
class Choice(NamedTuple):
    """One legal action. ``command``: the JSON a form sends; ``chosen``: it is what was chosen before a refusal.

    ``span``: the number left open, with its name and the value to begin with.
    """

    command: str
    text: str
    chosen: bool
    span: Span | None = None
    span_name: str = ""
    value: int = 0


class Group(NamedTuple):
    """Actions of a kind. Short groups and single actions have a button each; ``many`` are chosen from a list.

    ``folded``: it opens at a tap.
    """

    id: str
    name: str
    single: list[Choice]
    many: list[Choice]
    folded: bool = False


def action_groups(
    actions: Sequence[Action],
    language: Language,
    player: Callable[[int], str],
    chosen: Command | None = None,
) -> list[Group]:
    """The legal actions in the order the title lists them, gathered by their group."""
    gathered: dict[tuple[str, bool], list[Choice]] = {}
    for action in actions:
        gathered.setdefault((action.group, action.aside), []).append(_choice(action, language, player, chosen))
    groups = []
    for (name, aside), choices in gathered.items():
        plain = [choice for choice in choices if choice.span is None]
        many = plain if len(plain) > LONG else []
        single = [choice for choice in choices if choice not in many]
        crowded = len(gathered) > MANY_GROUPS and len(choices) > 1
        folded = (aside or crowded) and not any(choice.chosen for choice in choices)
        groups.append(Group(name, language.name(name), single, many, folded))
    return groups


def _choice(action: Action, language: Language, player: Callable[[int], str], chosen: Command | None) -> Choice:
    command, text = command_text(action.command), say(action.sentence, language, player)
    span, same = action.span, chosen is not None and action.means(chosen)
    if span is None:
        return Choice(command, text, same)
    value = getattr(chosen, span.field) if same else span.low
    return Choice(command, text, same, span, language.name(span.field), value)


def command_text(command: Command) -> str:
    return msgspec.json.encode(command).decode()


class NotACommand(ValueError):
    """What a form sent has not the shape of a command."""


def read_command(title: Title, form: Mapping[str, str]) -> Command:
    """The command that a form of `action_groups` sends; the number of a span, if there is one, comes beside it."""
    try:
        plain = msgspec.json.decode(form["command"])
        if "field" in form:
            plain[form["field"]] = int(form["value"][:12])
        return shapes(title.id).command(plain)
    except (KeyError, TypeError, ValueError, RecursionError, ValidationError) as mistake:
        raise NotACommand from mistake


class Named(TypedDict):
    """What a form says of a submission beside the wish itself."""

    expected_version: int
    submission_id: str


def submission_id(seat: int, version: int, *wish: object) -> str:
    """The same wish at the same version is the same submission, however often the button is pressed."""
    return "page-" + hashlib.sha256(" ".join(map(str, (seat, version, *wish))).encode()).hexdigest()[:40]


def bot_names(title: Title) -> list[tuple[str, str]]:
    """The bots of a title, the better ones first, and what to call them."""
    known = {"sensible": _("sensible"), "random": _("random moves")}
    ids = sorted(title.bots, key=lambda bot: (bot == "random", bot))
    return [(bot, known.get(bot) or spoken(title.words, reader().lang).name(bot)) for bot in ids]
