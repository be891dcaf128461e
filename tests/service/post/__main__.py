"""``python -m tests.service.post``: how well mail is read, group by group.

``--mutated 6000``: the results of damaged mail.

exact: mails whose lines are all the writer's and no others; decoys: mails with a line read as an order that the writer
did not write; missed: mails with a line that was not read.
"""

import argparse
import random
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import psutil

from service.post.child import ReadingChild
from service.post.incoming import Incoming, Question, examine

from . import clients, hostile, test_machines, test_reports

_ORDER = re.compile(r"(?:move|pass|end turn|claim|keep|take back|bewege|lade|zug beenden|passe|\d+\b)", re.IGNORECASE)
"""The corpus's verbs, by which a line begins like an order."""


def judged() -> Iterator[tuple[str, bool, bool, bool, float]]:
    """Yield group, exact, a decoy read, a line missed, and seconds, of each mail of the corpus."""
    for reply in clients.replies():
        incoming, seconds = _timed(Question(reply.raw))
        lines = tuple(line.text for line in incoming.lines)
        decoy = any(_ORDER.match(line) for line in set(lines) - set(reply.lines))
        yield reply.group, lines == reply.lines, decoy, bool(set(reply.lines) - set(lines)), seconds
    for case in test_machines.MACHINES:
        incoming, seconds = _timed(case.question())
        yield "machines", incoming.kind == "automatic", incoming.kind == "person", False, seconds
    for report in test_reports.REPORTS:
        incoming, seconds = _timed(report.question())
        said = incoming.report.bounces if incoming.report else ()
        exact = [(one.address, one.kind, one.status) for one in said] == report.bounces
        yield "reports", exact, incoming.kind == "person", incoming.report is None, seconds


def _timed(question: Question) -> tuple[Incoming, float]:
    began = time.perf_counter()
    return examine(question), time.perf_counter() - began


def figures() -> None:
    """Print a line for each group, and one for all."""
    groups: dict[str, list[tuple[bool, bool, bool, float]]] = defaultdict(list)
    for group, *rest in judged():
        groups[group].append((rest[0], rest[1], rest[2], rest[3]))
    groups["all"] = [one for some in list(groups.values()) for one in some]
    print(f"{'group':<14}{'mails':>7}{'exact':>9}{'decoys':>8}{'missed':>8}{'median ms':>11}{'longest ms':>12}")
    for group, found in groups.items():
        exact = sum(one[0] for one in found) / len(found)
        times = [one[3] * 1000 for one in found]
        print(
            f"{group:<14}{len(found):>7}{exact:>9.1%}{sum(one[1] for one in found):>8}{sum(one[2] for one in found):>8}"
            f"{statistics.median(times):>11.2f}{max(times):>12.1f}"
        )


def mutated(number: int, seed: int, keep: Path | None) -> None:
    """Feed this many damaged mails to a child. Print their results, the longest time, and the child's memory."""
    chance = random.Random(seed)
    mails = [reply.raw for reply in clients.replies()]
    mails += [case.question().raw for case in (*test_machines.MACHINES, *test_reports.REPORTS)]
    mails += [case[1] for case in (*hostile.refused(), *hostile.read_all_the_same()) if len(case[1]) < 200_000]
    became: dict[str, int] = defaultdict(int)
    longest, memory = 0.0, []
    with ReadingChild() as child:
        for count in range(number):
            raw = damaged(chance.choice(mails), chance.choice(mails), chance)
            began = time.perf_counter()
            incoming = child.read(Question(raw, clients.LETTER))
            longest = max(longest, time.perf_counter() - began)
            became[f"{incoming.kind} {incoming.why if incoming.kind == 'unreadable' else ''}".strip()] += 1
            if incoming.why in ("broken", "slow", "memory"):
                print(f"mail {count}: {incoming.why}", flush=True)
                if keep is not None:
                    (keep / f"{seed}-{count}.eml").write_bytes(raw)
            if child.running is not None and count % 500 == 499:
                memory.append(psutil.Process(child.running.pid).memory_info().rss // 1_000_000)
    print(f"{dict(became)}; longest {longest * 1000:.0f} ms; child's memory at each 500th: {memory} MB")


def damaged(raw: bytes, other: bytes, chance: random.Random) -> bytes:
    """Return a mail after some accidents."""
    data = bytearray(raw)
    for _ in range(chance.randint(1, 8)):
        at, behind = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
        piece = bytes(data[at : min(behind, at + 2000)])
        match chance.randrange(9):
            case 0:
                data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 20)))
            case 1:
                del data[at : at + len(piece)]
            case 2:
                data[at:at] = piece * chance.randint(1, 200)
            case 3:
                data[at:at] = other[: chance.randint(0, len(other))]
            case 4:
                data = data[:at]
            case 5:
                glue = chance.choice([b"\r\n", b"\n", b"\r", b" ", b"\n ", b":", b";"])
                data = bytearray(glue.join(bytes(data).split(chance.choice([b"\n", b" ", b":"]))))
            case 6:
                data[at:at] = chance.choice(
                    [b"\0", b"\r", b"\r\n\r\n", b"(" * 5000, b'"', b"<div>" * 3000, b">" * 5000, b"=?utf-8?b?"]
                )
            case 7:
                data[at:at] = b"\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" * chance.randint(1, 30)
            case _:
                data[at : at + len(piece)] = piece[::-1]
    return bytes(data[:1_200_000])


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.service.post", description=__doc__)
    parser.add_argument("--mutated", type=int, default=0, metavar="MAILS", help="feed so many damaged mails to a child")
    parser.add_argument("--seed", type=int, default=1, help="of the damage")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to keep those that a child did not survive")
    given = parser.parse_args()
    if given.mutated:
        mutated(given.mutated, given.seed, given.keep)
    else:
        figures()


if __name__ == "__main__":
    main()
