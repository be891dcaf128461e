"""``python -m tests.bench proxies``: what a game costs in mails, answered by hand and in advance.

Counted is what the outbox sends: a mail to each seat that is asked now and was not before. A *wait* is a moment at
which the table stops for somebody's answer: sealed answers are one wait for all, and would be one each in turn.
"""

import statistics
from collections.abc import Iterator

import msgspec

from domain.game import advance, fold
from domain.title import Title
from tests.bench.measure import Bench, Figure, played

GAMES = 20
ADVANCE, BY_HAND = "patient", "sensible"


class Cost(msgspec.Struct, frozen=True):
    """What one game took. ``in_turn``: its waits if sealed answers were given one after the other."""

    mails: int
    waits: int
    in_turn: int


def bench_proxies(bench: Bench) -> Iterator[Figure]:
    """A line for each number of seats; none for a title that asks for nothing in advance."""
    title = bench.title
    if ADVANCE not in title.bots:
        return
    for seats in range(title.seating.seats[0], title.seating.seats[1] + 1):
        by_hand = _mean(title, seats, BY_HAND)
        ours = _mean(title, seats, ADVANCE)
        what = f"mails of a game of {seats}, mean of {GAMES}"
        saved = f"{by_hand.mails} by hand (saved {1 - ours.mails / by_hand.mails:.0%})"
        yield Figure(what, str(ours.mails), saved, "")
        in_turn = f"{by_hand.in_turn} by hand and in turn, {by_hand.waits} with sealed rounds"
        yield Figure("  waits of the whole table", str(ours.waits), in_turn, "")


def _mean(title: Title, seats: int, bot: str) -> Cost:
    costs = [cost(title, seats, bot, seed) for seed in range(GAMES)]
    return Cost(*(round(statistics.mean(getattr(each, name) for each in costs)) for name in Cost.__struct_fields__))


def cost(title: Title, seats: int, bot: str, seed: int) -> Cost:
    """A whole game between bots of one kind, its mails counted version by version."""
    game = fold("bench", title, ())
    mails = waits = in_turn = 0
    for ply in played(title, seats, seed, bot=bot):
        before, game = game, advance(game, ply)
        newly = len(set(game.asked) - set(before.asked))
        mails, waits, in_turn = mails + newly, waits + bool(newly), in_turn + newly
    return Cost(mails, waits, in_turn)
