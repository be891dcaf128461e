"""``python -m tests.bench proxies``: the number of mails in a game, answered by hand and in advance.

It counts the mails of the outbox: one to each seat that must move now and did not have to before. A *wait* is a moment
at which the table stops for somebody's answer. Sealed answers are one wait for all; in turn, each would be one.
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
    """The waits and mails of one game. ``in_turn``: its waits if sealed answers were given one after the other."""

    mails: int
    waits: int
    in_turn: int


def bench_proxies(bench: Bench) -> Iterator[Figure]:
    """Print a line for each number of seats; none for a title without answers in advance."""
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
    """Play a whole game between bots of one kind, and count its mails version by version."""
    game = fold("bench", title, ())
    mails = waits = in_turn = 0
    for ply in played(title, seats, seed, bot=bot):
        before, game = game, advance(game, ply)
        newly = len(set(game.asked) - set(before.asked))
        mails, waits, in_turn = mails + newly, waits + bool(newly), in_turn + newly
    return Cost(mails, waits, in_turn)
