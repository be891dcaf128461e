"""The legal actions of a text table: the lines of a letter, one a target.

A whole line is a button. A line with a blank is a form: a number, or one of several things. ``?line=`` opens one line
and shows all actions behind it, each as a button.
"""

from collections.abc import Sequence
from typing import NamedTuple

from flask import request

from domain.game import Game
from domain.orders import Amount, Line, Option
from domain.words import say
from service.base.lately import Lately
from service.games import numbered
from service.games.numbered import BLANK, Sayer
from service.games.queries import Seen
from service.web.pages.frame import number_in, reader, this_page
from service.web.pages.parts.forms import command_text


class Worded(NamedTuple):
    """An action in words. ``command``: the JSON in the form. ``remark``: its days, points or gains."""

    command: str
    text: str
    remark: str = ""


class Additions(NamedTuple):
    """Things that may be added to an action. ``command``: the JSON; ``field``: of it; ``boxes``: (id, words)."""

    command: str
    field: str
    boxes: Sequence[tuple[str, str]]


class ActionLine(NamedTuple):
    """A line. ``deed``: the action, or the first of its ``choices``; ``verb``: its kind, for the button of a form.

    ``amount``: the number that it needs. ``choices``: the things that fill its blank, each with its command.
    ``extras``: the same action with additions; ``boxes``: things that may be added together. ``more``: the number of
    further actions behind the line, with the address that shows all of them.
    """

    deed: Worded
    verb: str
    amount: Amount | None = None
    choices: Sequence[Worded] = ()
    extras: Sequence[Worded] = ()
    boxes: Additions | None = None
    more: int = 0
    address: str = ""


class Doable(NamedTuple):
    """Legal actions. ``groups``: their lines, by the name of their group. ``hints``: on all lines.

    ``back``: the address of all lines, if only one is opened.
    """

    groups: dict[str, list[ActionLine]]
    hints: Sequence[str] = ()
    back: str = ""


def doable(seen: Seen, game: Game | None = None) -> Doable:
    """Return the legal actions of the reader's seat, at the present position or at ``game``."""
    targets = numbered.targets(seen, game)
    if not targets:
        return Doable({})
    here = this_page({LINE: []})
    words = _Worder(Sayer(seen, reader().lang, game), f"{here}{'&' if '?' in here else '?'}{LINE}=")
    wished = number_in(request.args.get(LINE), 4) if request.method in ("GET", "HEAD") else None
    if wished is not None and wished < len(targets):
        lines = [words.alone(it) for it in (*targets[wished].every, *targets[wished].extras)]
        return Doable({words.group(targets[wished]): lines}, (), f"{here}#can")
    names = (it.name for it in seen.places.values())
    groups = _worded.of(targets, lambda: _grouped(targets, words), reader().lang, words.alone_at, *names)
    return Doable(groups, numbered.hints(seen, reader().lang, targets))


_worded: Lately[dict[str, list[ActionLine]]] = Lately(16)
"""Of the positions shown last."""


def _grouped(targets: Sequence[Line], words: "_Worder") -> dict[str, list[ActionLine]]:
    groups: dict[str, list[ActionLine]] = {}
    for at, it in enumerate(targets):
        groups.setdefault(words.group(it), []).append(words.line(it, at))
    return groups


LINE = "line"
"""The field of an address that opens a line, by its place in the list."""


class _Worder(NamedTuple):
    """``alone_at``: the address of one line, up to its place."""

    say: Sayer
    alone_at: str

    def group(self, it: Line) -> str:
        name = self.say.language.name(it.option.action.group)
        return name[:1].upper() + name[1:]

    def line(self, it: Line, at: int) -> ActionLine:
        shown = max(1, len(it.either))
        more, boxes = len(it.every) - shown, self._boxes(it)
        return ActionLine(
            Worded(
                command_text(it.option.command),
                self.say.written(it.option, dict.fromkeys(it.open, BLANK)),
                "" if len(it.either) > 1 and not self._same_remark(it) else self.say.remark(it.option),
            ),
            self._verb(it.option) if it.either or boxes or it.option.amount else "",
            it.option.amount,
            [Worded(command_text(each.command), self.say.filling(each, it.open)) for each in it.either],
            [] if boxes else [Worded(command_text(each.command), self._sentence(each)) for each in it.extras],
            boxes,
            more,
            f"{self.alone_at}{at}#can" if more else "",
        )

    def _boxes(self, it: Line) -> Additions | None:
        """Return the boxes of a line whose extras differ only in one list of things."""
        plain = it.option.command
        differing = {
            field
            for each in it.extras
            for field in plain.__struct_fields__
            if getattr(each.command, field) != getattr(plain, field)
        }
        field = differing.pop() if len(differing) == 1 else ""
        if not field or not all(isinstance(getattr(each.command, field), tuple) for each in it.extras):
            return None
        alone = [each for each in it.extras if len(getattr(each.command, field)) == 1]
        boxes = [(getattr(each.command, field)[0], self.say.added(it.option, each)) for each in alone]
        return Additions(command_text(it.extras[0].command), field, boxes) if len(boxes) > 1 else None

    def _sentence(self, it: Option) -> str:
        return say(it.action.sentence, self.say.language, self.say.seen.player)

    def alone(self, it: Option) -> ActionLine:
        deed = Worded(command_text(it.command), self.say.written(it), self.say.remark(it))
        return ActionLine(deed, self._verb(it) if it.amount else "", it.amount)

    def _verb(self, it: Option) -> str:
        kind = self.say.seen.title.face.places.aim(self.say.view, it.action).kind
        return self.say.language.name(f"do {kind}")

    def _same_remark(self, it: Line) -> bool:
        return len({self.say.remark(each) for each in it.either}) == 1
