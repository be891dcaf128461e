"""The legal actions of a text table: the lines of a letter, one a target.

A whole line is a button. A line with a blank is a form: a number, or one of several things. ``?line=`` opens one line
and shows all actions behind it, each as a button. Lines that nobody waits for, such as limits, are folded.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from flask import request

from domain.game import Game
from domain.messages import Command
from domain.orders import BLANK, Amount, Line, Option
from domain.words import first_upper, say
from service.base.lately import Lately
from service.games import numbered
from service.games.numbered import Sayer
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
    """A line. ``deed``: the action, or the first of its ``choices``; ``verb``: its kind, for the button of a form;
    ``says``: the button with a blank, which a script fills in.

    ``amount``: the number that it needs; ``empty``: its field begins empty. ``choices``: the things that fill its
    blank, each with its command. ``extras``: the same action with additions; ``boxes``: things that may be added
    together. ``more``: the number of further actions behind the line, with the address that shows all of them.
    """

    deed: Worded
    verb: str
    says: str = ""
    amount: Amount | None = None
    empty: bool = False
    choices: Sequence[Worded] = ()
    extras: Sequence[Worded] = ()
    boxes: Additions | None = None
    more: int = 0
    address: str = ""


class GroupInWords(NamedTuple):
    """Lines of a kind. ``folded``: nobody waits for them."""

    name: str
    lines: Sequence[ActionLine]
    folded: bool = False


class Doable(NamedTuple):
    """Legal actions. ``hints``: on all lines.

    ``back``: the address of all lines, if only one is opened.
    """

    groups: Sequence[GroupInWords]
    hints: Sequence[str] = ()
    back: str = ""


def doable(
    seen: Seen, game: Game | None = None, answered: Collection[type[Command]] = frozenset[type[Command]]()
) -> Doable:
    """Return the legal actions of the reader's seat, at the present position or at ``game``.

    ``answered``: kinds of commands that would only answer again.
    """
    targets = numbered.targets(seen, game)
    if not targets:
        return Doable(())
    here = this_page({LINE: []})
    words = _Worder(Sayer(seen, reader().lang, game), f"{here}{'&' if '?' in here else '?'}{LINE}=")
    wished = number_in(request.args.get(LINE), 4) if request.method in ("GET", "HEAD") else None
    if wished is not None and wished < len(targets):
        lines = [words.alone(it) for it in (*targets[wished].every, *targets[wished].extras)]
        return Doable([GroupInWords(words.group(targets[wished]), lines)], (), f"{here}#can")
    names = tuple(it.name for it in seen.places.values())
    names = (*names, *sorted(it.__name__ for it in answered))
    groups = _worded.of(targets, lambda: _grouped(targets, words, answered), reader().lang, words.alone_at, *names)
    return Doable(groups, numbered.hints(seen, reader().lang, targets))


_worded: Lately[list[GroupInWords]] = Lately(16)
"""Of the positions shown last."""


def _grouped(targets: Sequence[Line], words: "_Worder", answered: Collection[type[Command]]) -> list[GroupInWords]:
    groups: dict[str, list[tuple[int, Line]]] = {}
    for at, it in enumerate(targets):
        if it.option.action.aside or type(it.option.command) not in answered:
            groups.setdefault(words.group(it), []).append((at, it))
    first = next(iter(groups), "")
    found = []
    for name, lines in groups.items():
        spare = {at for at, it in lines if _is_spare(it, beside_others=name != first)}
        shown = [words.line(it, at)._replace(empty=at in spare and _may_be_nothing(it)) for at, it in lines]
        found.append(GroupInWords(name, shown, len(spare) == len(lines)))
    return found


def _is_spare(it: Line, *, beside_others: bool) -> bool:
    """Does nobody wait for this line: an answer in advance, or a limit beside other actions?"""
    return it.option.action.aside or (beside_others and _may_be_nothing(it))


def _may_be_nothing(it: Line) -> bool:
    return it.option.amount is not None and it.option.amount.low == 0


LINE = "line"
"""The field of an address that opens a line, by its place in the list."""


class _Worder(NamedTuple):
    """``alone_at``: the address of one line, up to its place."""

    say: Sayer
    alone_at: str

    def group(self, it: Line) -> str:
        return first_upper(self.say.language.name(it.option.action.group))

    def line(self, it: Line, at: int) -> ActionLine:
        shown = max(1, len(it.either))
        more, boxes = len(it.every) - shown, self._boxes(it)
        text = self.say.written(it.option, dict.fromkeys(it.open, BLANK))
        amount = it.option.amount
        if amount is not None and amount.low == amount.high:
            text, amount = text.replace(BLANK, str(amount.low), 1), None
        return ActionLine(
            Worded(
                command_text(it.option.command),
                text,
                "" if len(it.either) > 1 and not self._same_remark(it) else self.say.remark(it.option),
            ),
            self._verb(it.option) if it.either or boxes or amount else "",
            self._says(it, text),
            amount,
            False,
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

    def _says(self, it: Line, text: str) -> str:
        """Return the button of a form with one blank; "" if it has none, or more."""
        if it.option.amount is not None and (deed := self.say.seen.title.face.deed(it.option.action)) is not None:
            return say(deed, self.say.language, self.say.seen.player)
        return first_upper(text) if it.either and text.count(BLANK) == 1 else ""

    def _sentence(self, it: Option) -> str:
        return say(it.action.sentence, self.say.language, self.say.seen.player)

    def alone(self, it: Option) -> ActionLine:
        deed = Worded(command_text(it.command), self.say.written(it), self.say.remark(it))
        return ActionLine(deed, self._verb(it) if it.amount else "", amount=it.amount)

    def _verb(self, it: Option) -> str:
        kind = self.say.seen.title.face.places.aim(self.say.view, it.action).kind
        return self.say.language.name(f"do {kind}")

    def _same_remark(self, it: Line) -> bool:
        return len({self.say.remark(each) for each in it.either}) == 1
