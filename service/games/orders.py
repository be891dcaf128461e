"""A seat's lines at one position: its legal actions as a person would type them, and the meaning of a typed line.

Several lines, one after another, are a turn (`service.games.turn`).
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import msgspec

from domain import notation, play
from domain.game import Game
from domain.messages import Command
from domain.orders import (
    Amount,
    Asked,
    Cannot,
    Copied,
    Found,
    Kind,
    Missing,
    Numbered,
    Option,
    Reading,
    Tongue,
    Unknown,
    Unread,
    Wish,
    apart,
    begins_like_an_order,
    by_number,
    kind_of,
    mended,
    naming,
    read,
    write,
)
from domain.orders.folding import fold
from domain.orders.reading import MOST_NEAR, bare, filled
from domain.refusal import Refused
from domain.rules import Action
from domain.words import Quoted, Sentence
from service.games import queries
from service.games.queries import Seen
from service.words import ENGLISH, languages

LONGEST = 300
"""Characters of a line that are read."""

Problem = Literal["asked", "cannot", "unknown", "unread", "copied", "refused", "later", "elsewhere"]


class GivenLine(msgspec.Struct, frozen=True):
    """A typed line as it was read.

    ``line``: its meaning as the service writes it, in the reader's language; "" if it has none. ``command``: None if
    there is a ``problem``. ``said``: the problem in words, with the number of the ``rule`` behind it, if any. ``near``:
    lines to type instead. ``does``: its effects, as far as they can be foreseen.
    """

    text: str
    line: str = ""
    command: Command | None = None
    problem: Problem | None = None
    said: str = ""
    rule: str | None = None
    near: tuple[str, ...] = ()
    does: tuple[str, ...] = ()


# ==== legal actions as lines ======================================================================
def tongue(seen: Seen, game: Game | None = None, *, lang: str = ENGLISH) -> Tongue:
    """The reader of the viewer's lines: in all languages, their own first."""
    own = seen.language(lang)
    every = (own, *(it for code in languages() if (it := seen.language(code)) is not own))
    return Tongue(seen.title.face.orders, queries.view(seen, game), every)


def line_of(seen: Seen, action: Action, lang: str, game: Game | None = None) -> str:
    """A legal action of the present or of ``game``, as a line in the reader's language."""
    [option] = seen.title.face.orders.options(queries.view(seen, game), [action])
    return written(seen, option, lang)


def lines(seen: Seen, lang: str) -> list[tuple[Action, str]]:
    """The legal actions of the viewer's seat now, each with its line in the reader's language."""
    listed = queries.options(seen)
    names, language = (seen.title.face.orders.names(queries.view(seen)) if listed else None), seen.language(lang)
    return [] if names is None else [(it.action, write(it.order, names, language)) for it in listed]


def written(seen: Seen, option: Option, lang: str, amount: int | None = None) -> str:
    """An action as a line in the reader's language."""
    return write(option.order, seen.title.face.orders.names(queries.view(seen)), seen.language(lang), amount)


# ==== the meaning of a line =======================================================================
class LineReader:
    """Reads one line at a position. ``in_letter``: it may be talk, so verbs must be written out."""

    def __init__(self, seen: Seen, game: Game, at: int, lang: str, *, in_letter: bool = False) -> None:
        self.seen, self.game, self.at, self.lang, self.in_letter = seen, game, at, lang, in_letter

    @cached_property
    def _tongue(self) -> Tongue:
        return tongue(self.seen, self.game, lang=self.lang)

    def begins(self, text: str) -> bool:
        """Does a line of a letter begin as an order, legal or not?"""
        return begins_like_an_order(text, self._tongue) or self._in_notation(text) is not None

    def apart(self, text: str) -> tuple[str, ...]:
        """The orders of a line, which may hold several."""
        return apart(text, self._tongue)

    def number(self, text: str) -> Numbered | None:
        """The number, if a line is one."""
        return by_number(text, self._tongue.grammar)

    def kind(self, text: str) -> Kind:
        """The kind of a line of a letter: order, talk or courtesy, for example."""
        return "order" if self._in_notation(text) is not None else kind_of(text, self._tongue, self._people)

    def nearest(self, text: str, *, foreseen: bool = True) -> tuple[str, ...]:
        """Suggest lines for one with typing errors or without a verb; legal ones if there are any.

        ``foreseen``: the line would be carried out at this position.
        """
        lines = mended(text, self._tongue, self._people)
        if not lines and foreseen and self.game.begun:
            options = naming(text, queries.options(self.seen, self.game), self._tongue)
            if self.kind(text) == "broken" or (len(options) == 1 and self._names_alone(text)):
                return tuple(self.written(it) for it in options[:MOST_NEAR])
        given = [it for line in lines if (it := self.line(line)) is not None] if foreseen and self.game.begun else []
        legal = [it.line for it in given if it.command is not None]
        legal += [line for it in given if it.problem == "asked" for line in it.near]
        return tuple(dict.fromkeys(legal or lines))[:MOST_NEAR]

    def agrees(self, word: str) -> bool:
        """Is this a word for "yes", which may stand before an order?"""
        said = fold(word)
        return said != () and {*said} <= self._tongue.grammar.assent

    def _names_alone(self, text: str) -> bool:
        """Is a line only the name of a thing? "Tickets" draws none, but may be meant to."""
        words = self._tongue.grammar.plain(bare(text))
        return bool(words) and all(map(self._tongue.lexicon.has, words))

    @cached_property
    def _people(self) -> frozenset[str]:
        return frozenset(word for it in self.seen.places.values() for word in fold(it.name))

    def wish(self, text: str) -> Wish | None:
        """The word for every title, if a line is one."""
        reading = read(text, (), self._tongue, in_letter=self.in_letter)
        return reading if isinstance(reading, Wish) else None

    def written(self, option: Option, amount: int | None = None) -> str:
        """An action of the position as a line in the reader's language, with a usual amount if none is given."""
        if amount is None and option.amount is not None:
            amount = option.amount.usual
        names = self.seen.title.face.orders.names(queries.view(self.seen, self.game))
        return write(option.order, names, self.seen.language(self.lang), amount)

    def line(self, text: str) -> GivenLine | None:
        """Read a line. Return None if it is empty."""
        options_now = queries.options(self.seen, self.game)
        begun = self.game.begun
        if begun and (noted := self._noted(text)) is not None:
            return noted
        reading: Reading = read(text, options_now, self._tongue, in_letter=self.in_letter) if begun else Unread()
        match reading:
            case Missing():
                return None
            case Found(option, amount, command):
                return GivenLine(text, self.written(option, amount), command)
            case Wish(word):
                return self._elsewhere(text, word)
            case Asked(asked, many):
                return self._problem(text, "asked", self._which(asked, many), near=asked)
            case Cannot(rule, wished, near, amount):
                refused = self._why(wished)
                said = refused.sentence if refused else Sentence("This is not possible now.")
                return self._problem(text, "cannot", said, refused.rule if refused else rule, near, amount)
            case Unknown(word):
                said = Sentence("“{word}” is not a word of this game.", {"word": Quoted(word)})
                return self._problem(text, "unknown", said)
            case Copied(line):
                said = Sentence(
                    "We do not carry out a line that was copied together with its number. Type the line without the "
                    "number."
                )
                return GivenLine(text, problem="copied", said=self.seen.say(said, self.lang), near=(line,))
        if not self.in_letter and self.number(text) is not None:  # lists outside of letters have no numbers
            said = Sentence("A number alone answers a letter. Please write the line itself.")
            return self._problem(text, "unread", said)
        return self._problem(text, "unread", Sentence("This does not begin with an order."))

    def _in_notation(self, text: str) -> Command | None:
        """The command of a line of `domain.notation`. It needs hyphens; only the shortest have none."""
        text = bare(text)
        if "-" not in text.partition(" ")[0].strip("-"):
            return None
        try:
            return notation.read(self.seen.title, text)
        except notation.UnreadableLine:
            return None

    def _noted(self, text: str) -> GivenLine | None:
        """Read a line of `domain.notation`, if the rules allow its command."""
        command = self._in_notation(text)
        if command is None or self._why((command,)) is not None:
            return None
        for option in queries.options(self.seen, self.game):
            amount = None if option.amount is None else getattr(command, option.amount.field, None)
            if type(option.command) is type(command) and filled(option, amount) == command:
                return GivenLine(text, self.written(option, amount), command)
        return GivenLine(text, notation.write(command), command)

    def _problem(
        self,
        text: str,
        problem: Problem,
        said: Sentence,
        rule: str | None = None,
        near: Sequence[Option] = (),
        amount: int | None = None,
    ) -> GivenLine:
        lines = tuple(self.written(it, _next(it, amount)) for it in near)
        return GivenLine(text, problem=problem, said=self.seen.say(said, self.lang), rule=rule, near=lines)

    def _which(self, asked: Sequence[Option], many: int) -> Sentence:
        amount = asked[0].amount
        if many > 1:
            return Sentence("This could mean {many} different moves. Please be more precise.", {"many": many})
        if amount is None:
            return Sentence("Several names begin like this. Please write more of the name.")
        return how_much(amount)

    def _why(self, wished: Sequence[Command]) -> Refused | None:
        """The first refusal among the wished commands; None if the rules allow them."""
        refused = (play.refusal(self.game, self.seen.seat or 0, command, self.at) for command in wished)
        return next((it for it in refused if it is not None), None)

    def _elsewhere(self, text: str, word: str) -> GivenLine:
        """Report a word for every title: its action has a button or an address of its own."""
        if word == "resign":
            return self._problem(
                text,
                "elsewhere",
                Sentence("You cannot resign here. Use the page's own button, which asks you to confirm."),
            )
        return self._problem(
            text, "elsewhere", Sentence("You can type only moves here. For this, use the page's buttons and links.")
        )


def _next(option: Option, amount: int | None) -> int | None:
    """The amount to offer in place of ``amount``: never less."""
    if option.amount is None:
        return None
    return option.amount.usual if amount is None else option.amount.at_least(amount)


def how_much(amount: Amount) -> Sentence:
    """Ask for an amount that is missing or out of range."""
    if amount.step == 1:
        return Sentence("How much: {low} to {high}?", {"low": amount.low, "high": amount.high})
    facts = {"low": amount.low, "high": amount.high, "step": amount.step}
    return Sentence("How much: {low} to {high}, in steps of {step}?", facts)
