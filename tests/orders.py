"""Every line of every legal action, written and read again: how many mean another action, or more than one?

``python -m tests.orders`` plays games of each title, half of them by the sensible bots, and reads the canonical line of
each legal action in every language. It reads each line as it is, and a sample of them with each word cut to three
letters. ``--games 24 --every 5 --title new_england`` say how many, which positions and which title.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from domain import TITLES
from domain.chance import FreeChance
from domain.orders import Asked, Found, Option, Tongue, read, write
from domain.orders.reading import filled
from domain.refusal import Refused
from domain.rules import State
from domain.title import Title
from domain.words import Language
from service.words import languages, spoken
from tests.contract.games import tables


def tongues(title: Title) -> tuple[Language, ...]:
    """Return all languages of the title."""
    return tuple(spoken(title.face.words, code) for code in languages())


class Position(NamedTuple):
    """A position of a seat that may act, with its legal actions as lines."""

    title: Title
    state: State
    seat: int
    tongue: Tongue
    options: list[Option]


def position(title: Title, state: State, seat: int) -> Position:
    view = title.rules.view(state, seat)
    options = title.face.orders.options(view, title.rules.actions(state, seat))
    return Position(title, state, seat, Tongue(title.face.orders, view, tongues(title)), options)


def positions(title: Title, number: int, *, every: int) -> Iterator[Position]:
    """Yield one in ``every`` positions of game ``number``; the sensible bot plays even games, random players the
    others."""
    dice = random.Random(f"{title.id} {number}")
    options, seats = dice.choice(tables(title))
    state = title.rules.setup(
        options, {seat: title.seating.choice() for seat in range(1, seats + 1)}, FreeChance(dice)
    ).after
    for step in range(2000):
        if title.rules.result(state) is not None:
            return
        seat = dice.choice(title.rules.asked(state))
        if step % every == 0:
            yield position(title, state, seat)
        state = _after(title, state, seat, dice, sensible=number % 2 == 0)


def _after(title: Title, state: State, seat: int, dice: random.Random, *, sensible: bool) -> State:
    if sensible:
        for command in title.bots["sensible"](title.rules.view(state, seat), dice):
            try:
                state = title.rules.decide(state, seat, command, FreeChance(dice)).after
            except Refused:
                break
            if title.rules.result(state) is not None or seat not in title.rules.asked(state):
                break
        return state
    action = dice.choice(title.rules.actions(state, seat))
    command = action.command
    if action.span is not None:
        [open_] = title.face.orders.options(title.rules.view(state, seat), [action])
        most = min(action.span.high, action.span.low + 12 * action.span.step)
        command = filled(open_, dice.randrange(action.span.low, most + 1, action.span.step))
    return title.rules.decide(state, seat, command, FreeChance(dice)).after


def lines(at: Position, language: Language) -> Iterator[tuple[Option, str]]:
    """Yield the canonical line of each legal action; an open number gets its lowest and its highest value."""
    for option in at.options:
        for amount in {option.amount.low, option.amount.high} if option.amount else {None}:
            yield option, write(option.order, at.tongue.orders.names(at.tongue.view), language, amount)


def means(at: Position, option: Option, line: str, *, in_letter: bool) -> str:
    """Say what ``line`` is read as: "itself", "another", "several" or "nothing"."""
    match read(line, at.options, at.tongue, in_letter=in_letter):
        case Found(option=found):
            return "itself" if found is option else "another"
        case Asked(many=many):
            return "several" if many > 1 else "itself"
    return "nothing"


def cut(line: str, tongue: Tongue) -> str:
    """Cut each word to three letters, and leave out filler words."""
    return " ".join(word[:3] for word in tongue.grammar.plain(line))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--title", action="append", choices=list(TITLES))
    wanted = parser.parse_args()
    wrong = 0
    for name in wanted.title or TITLES:
        found, seen, dice = Counter[str](), 0, random.Random(name)
        for number in range(wanted.games):
            for at in positions(TITLES[name], number, every=wanted.every):
                seen += 1
                for language in at.tongue.languages:
                    for option, line in lines(at, language):
                        found[f"{language.code}: {means(at, option, line, in_letter=True)}"] += 1
                        if dice.random() < 0.05:
                            short = cut(line, at.tongue)
                            found[f"cut: {means(at, option, short, in_letter=False)}"] += 1
        wrong += sum(many for what, many in found.items() if what[:3] != "cut" and "itself" not in what)
        print(f"{name}: {seen} positions; " + ", ".join(f"{what} {many:,}" for what, many in sorted(found.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
