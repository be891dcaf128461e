"""The numbered lines of a letter: the legal actions of a seat, one line a target, with numbers for whole commands.

They follow from the game, its seat and its version; only their words depend on the reader's language. So the lines are
made again to read an answer ("3") to the letter of a version.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from domain.game import Game
from domain.orders import BLANK, Amount, Cards, Line, Option, Part, listed, say_part, whole_commands, write
from domain.orders.listing import is_extra
from domain.orders.writing import NOTHING_INSTEAD
from domain.words import Sentence, say
from service.base.lately import Lately
from service.games import queries
from service.games.queries import Seen


class NumberedLine(msgspec.Struct, frozen=True):
    """A line in the reader's language.

    ``number``: that of a whole command, else None. ``text``: as it is typed, with the choices where something is left
    to choose. ``option``: the action, or the first of several. ``remark``: a remark on it, or "". ``others``: the
    number of further ways to the same target. ``more``: words that may be added. ``amount``: the amount that it needs.
    """

    number: int | None
    text: str
    option: Option
    remark: str = ""
    others: int = 0
    more: tuple[str, ...] = ()
    amount: Amount | None = None


def options(seen: Seen, game: Game | None = None) -> list[Option]:
    """The whole commands of a letter, numbered from 1, as `domain.orders.chosen` takes them.

    ``game``: the position of the letter, if that is not the present.
    """
    return whole_commands(targets(seen, game))


def lines(seen: Seen, lang: str, game: Game | None = None) -> list[NumberedLine]:
    """The lines of a letter about the legal actions of its seat."""
    found = targets(seen, game)
    if not found:
        return []
    say = Sayer(seen, lang, game)
    return [say.line(it) for it in found]


def hints(seen: Seen, lang: str, lines: Iterable[NumberedLine | Line]) -> list[str]:
    """Further hints about these lines."""
    known = seen.title.face.orders.listing.hints
    kinds = dict.fromkeys(type(it.option.command) for it in lines)
    return [seen.say(known[kind], lang) for kind in kinds if kind in known]


def targets(seen: Seen, game: Game | None = None) -> list[Line]:
    """The lines of a letter before they are put into words."""
    if seen.seat is None:
        return []
    return _targets.of(game or seen.game, lambda: _listed(seen, game, seen.seat or 0), seen.seat)


_targets: Lately[list[Line]] = Lately(queries.ACTIONS_KEPT)
"""Of the positions used last: a player reads a text table again and again."""


def _listed(seen: Seen, game: Game | None, seat: int) -> list[Line]:
    legal = queries.options(seen, game)
    return listed(legal, seen.title.face.orders.listing, queries.view(seen, game), seat) if legal else []


class Sayer:
    """Words the lines of a position in a language."""

    def __init__(self, seen: Seen, lang: str, game: Game | None = None) -> None:
        self.seen, self.lang, self.language = seen, lang, seen.language(lang)
        self.view = queries.view(seen, game)
        self.names = seen.title.face.orders.names(self.view)

    def line(self, it: Line) -> NumberedLine:
        return NumberedLine(
            it.number,
            self.written(it.option, {field: self._either(it, field) for field in it.open}),
            it.option,
            self.remark(it.option),
            it.others,
            tuple(dict.fromkeys(more for each in it.extras if (more := self._more(it.option, each)))),
            it.option.amount,
        )

    def written(self, option: Option, instead: Mapping[str, str] = NOTHING_INSTEAD) -> str:
        """An action as it is typed, with a blank for the amount that it needs. ``instead``: see `write`."""
        amount = option.amount
        instead = instead if amount is None else {**instead, amount.field: BLANK}
        return write(option.order, self.names, self.language, instead=instead)

    def remark(self, option: Option) -> str:
        remark = self.seen.title.face.orders.listing.remark(self.view, option.action)
        return "" if remark is None else self.seen.say(remark, self.lang)

    def filling(self, option: Option, fields: Sequence[str]) -> str:
        """The things of an action that fill these blanks of its line."""
        return ", ".join(say_part(option.order.parts[it], "", self.names, self.language) for it in fields)

    def added(self, plain: Option, extra: Option) -> str:
        """The words that turn the line of ``plain`` into that of ``extra``."""
        added = (part for field, part in extra.order.parts.items() if field not in plain.order.parts)
        return " ".join(say_part(part, "", self.names, self.language) for part in added)

    def _either(self, it: Line, field: str) -> str:
        """The choices of a line; a blank where more than one thing is to be chosen."""
        if len(it.open) > 1:
            return BLANK
        parts = [each.order.parts[field] for each in it.either]
        numbers = {part.counts[0][1] if isinstance(part, Cards) and len(part.counts) == 1 else 0 for part in parts}
        said = list(dict.fromkeys(say_part(part, "", self.names, self.language) for part in parts))
        if len(numbers) == 1 and (number := numbers.pop()):
            cards = ", ".join(each.removeprefix(f"{number} ") for each in said)
            return say(Sentence("{number} of {cards}", {"number": number, "cards": cards}), self.language, str)
        return " / ".join(said)

    def _more(self, plain: Option, extra: Option) -> str:
        """The words to add to mean ``extra``; "" if that takes more than one thing."""
        added = [part for field, part in extra.order.parts.items() if field not in plain.order.parts]
        if sum(map(is_extra, added)) > 1:
            return ""
        return " ".join(self._words(added))

    def _words(self, added: list[Part]) -> Iterator[str]:
        for part in added:
            yield say_part(part, "", self.names, self.language) if is_extra(part) else BLANK
