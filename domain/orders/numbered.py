"""Reading a bare number: the number of a line in a letter that numbers its whole commands.

If a letter also asks for an amount, a bare number may be that or a line: the answer asks back and does not guess.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from domain.orders.folding import fold
from domain.orders.lexicon import Grammar
from domain.orders.order import Option
from domain.orders.reading import Found, filled

BARE = re.compile(
    r"^\s*+\[?(?P<money>[$€]\s*+)?(?P<number>\d{1,6})[\].):]?(?:\s++(?:[$€]\s*+)?(?P<amount>\d{1,6}))?"
    r"\s*+(?:[.!]\s*+)?$"
)

BEFORE = re.compile(r"^\s*(?P<word>[^\W\d_]{1,12})[.:]?\s*(?=[\[\d])")


class Numbered(NamedTuple):
    """``number``: of a line. ``amount``: for the number that the line leaves open. ``money``: it was written as an
    amount.
    """

    number: int
    amount: int | None
    money: bool


class AskedBack(NamedTuple):
    """A number that may be a line or an amount, or that is neither. ``found``: the line with this number, if there is
    one.
    """

    number: Numbered
    found: Option | None


def by_number(line: str, grammar: Grammar | None = None) -> Numbered | None:
    """Return the number if a line is only that, else None. With the words of ``grammar`` "number 1, please" counts,
    too.
    """
    bare = BARE.match(line if grammar is None else _without_words(line, grammar))
    if bare is None:
        return None
    amount = bare["amount"]
    return Numbered(int(bare["number"]), None if amount is None else int(amount), bare["money"] is not None)


def _without_words(line: str, grammar: Grammar) -> str:
    head, _, last = line.rstrip(" \t.!").rpartition(" ")
    if head and {*fold(last)} <= grammar.polite:
        line = head.rstrip(" \t,")
    before = BEFORE.match(line)
    return line[before.end() :] if before and {*fold(before["word"])} <= grammar.numbered else line


def chosen(said: Numbered, lines: Sequence[Option]) -> Found | AskedBack:
    """Return the meaning of a number as the first order of an answer to a letter with these lines, numbered from 1.

    ``3 12`` gives the third line the amount 12.
    """
    option = lines[said.number - 1] if 0 < said.number <= len(lines) else None
    if option is None or said.money:
        return AskedBack(said, None)
    if said.amount is None:
        amounts = any(it.amount is not None and not it.action.aside for it in lines)
        return AskedBack(said, option) if amounts else Found(option, None, option.command)
    if option.amount is None or not option.amount.takes(said.amount):
        return AskedBack(said, option)
    return Found(option, said.amount, filled(option, said.amount))
