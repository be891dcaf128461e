"""A finished game in a few sentences: the lead, the greatest gain, how the end began, and what decided.

They follow from the first plot of the title, its result and its log, and each names the move after which one can look.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from domain.face import Face
from domain.plots import Happening, Plot, SeatLine, Steps, leads
from domain.rules import Result, Standing
from domain.words import Sentence

LEADS = 3
"""The most changes of the lead that are told one by one."""


class Told(NamedTuple):
    """A sentence, and the ply after which it is true."""

    sentence: Sentence
    ply: int


def retell(face: Face, moments: Sequence[Happening], plots: Sequence[Plot], result: Result) -> list[Told]:
    """Return at most eight sentences, in the order of the game."""
    lines = plots[0].lines if plots and isinstance(plots[0], Steps) else ()
    last = moments[-1].ply if moments else 0
    during = [*_of_the_lead(lines, last), *_greatest_gain(lines, last), *_the_end_begins(face, moments)]
    return [*sorted(during, key=lambda it: it.ply), *_of_the_result(result, last)]


def _of_the_lead(lines: Sequence[SeatLine], last: int) -> Iterator[Told]:
    if not lines:
        return
    found = leads(lines)
    if not found:
        yield Told(Sentence("Nobody is ahead of all others before the end."), last)
        return
    first, *rest = found
    yield Told(Sentence("{seat} is the first to take the lead.", {"seat": first[1]}), first[0])
    if len(rest) < LEADS:
        yield from (Told(Sentence("{seat} takes the lead.", {"seat": seat}), ply) for ply, seat in rest)
    else:
        facts = {"changes": len(rest), "seat": rest[-1][1]}
        told = Sentence("The lead changes {changes:time|times}; here {seat} takes it for the last time.", facts)
        yield Told(told, rest[-1][0])


def _greatest_gain(lines: Sequence[SeatLine], last: int) -> Iterator[Told]:
    """The final scoring is no move, so it does not count."""
    gains = [
        (after.y - before.y, -after.ply, line.seat)
        for line in lines
        for before, after in pairwise(line.points)
        if after.ply != last
    ]
    if gains:
        gain, ply, seat = max(gains)
        if gain > 0:
            yield Told(Sentence("{seat} makes the best single move, worth {gain}.", {"seat": seat, "gain": gain}), -ply)


def _the_end_begins(face: Face, moments: Sequence[Happening]) -> Iterator[Told]:
    for moment in moments:
        if isinstance(moment.event, face.end_begins):
            yield from (Told(sentence, moment.ply) for sentence in face.narrate([moment.event])[:1])
            return


def _of_the_result(result: Result, last: int) -> Iterator[Told]:
    best, *others = (it for it in result.ranked if it.place is not None)
    if len(result.winners) > 1:
        yield Told(Sentence("{winner_seat} win together, with {total} each.", _won(result, best)), last)
    elif not others:
        yield Told(Sentence("{winner_seat} wins, since everybody else has left.", _won(result, best)), last)
    else:
        yield from (Told(it, last) for it in _what_decided(result, best, others[0]))


def _won(result: Result, best: Standing) -> dict[str, tuple[int, ...] | int]:
    return {"winner_seat": result.winners, "total": best.total}


def _what_decided(result: Result, best: Standing, second: Standing) -> Iterator[Sentence]:
    theirs = dict(second.lines)
    ahead = {name: points - theirs.get(name, 0) for name, points in best.lines}
    if most := max(ahead, key=lambda name: ahead[name], default=""):
        facts = {"what": most, "more": ahead[most], "seat": second.seat, "winner_seat": result.winners}
        if ahead[most] > 0:
            yield Sentence("The biggest difference: {what}, where {winner_seat} gets {more} more than {seat}.", facts)
    facts = {**_won(result, best), "seat": second.seat, "less": second.total}
    if best.total == second.total:
        yield Sentence("{winner_seat} and {seat} both have {total}; the tie goes to {winner_seat}.", facts)
    else:
        yield Sentence("{winner_seat} wins with {total}; {seat} follows with {less}.", facts)
