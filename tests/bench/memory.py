"""Without a store: ``fold``, decoding and evolving the plies of a game, and ``audit``, deciding them again."""

import json
from collections.abc import Iterator
from functools import partial

from domain.chain import commitment, first_link, link, part_key
from domain.game import Game, fold
from service.proof.audit import Evidence, verify
from tests.bench.measure import SECRET, Bench, Figure, best_of, each_second, events_of, played, stored


def bench_fold(bench: Bench) -> Iterator[Figure]:
    """Measure decoding and evolving from stored bytes."""
    title = bench.title
    plies = played(title, title.seating.seats[1], 1)
    kept, count = stored(title, "bench", plies), events_of(plies)
    opens = [ply.open for ply in kept]
    sealed = [(place, [part.body for part in ply.sealed]) for place, ply in enumerate(kept) if ply.sealed]

    def parse() -> None:
        for ply in kept:
            json.loads(ply.open)
            for part in ply.sealed:
                json.loads(part.body)

    def read() -> Game:
        return fold("bench", title, title.chain.effects(opens, sealed))

    def read_and_check() -> Game:
        head = first_link("bench")
        for ply in kept:
            key = partial(part_key, SECRET, "bench", ply.number)
            head = link(head, ply.open, [commitment(key(part.index), part.body) for part in ply.sealed])
            assert head == ply.link
        return read()

    yardstick = each_second(count / best_of(parse)) + " json.loads"
    what = f"events decoded and evolved ({len(plies)} plies, {count} events)"
    yield Figure(what, each_second(count / best_of(read)), yardstick, "500,000/s")
    yield Figure("  with chain and commitments", each_second(count / best_of(read_and_check)), yardstick, "200,000/s")


def bench_audit(bench: Bench) -> Iterator[Figure]:
    """Measure chain, draws, and deciding every command again."""
    title = bench.title
    plies = played(title, title.seating.seats[1], 1)
    evidence = Evidence("bench", title, stored(title, "bench", plies), SECRET)

    def audit() -> None:
        assert verify(evidence)[0].proved

    def parse() -> None:
        for ply in evidence.plies:
            json.loads(ply.open)

    ours, yardstick = len(plies) / best_of(audit), len(plies) / best_of(parse)
    yield Figure("commands audited", each_second(ours), each_second(yardstick) + " json.loads", "30,000/s")
