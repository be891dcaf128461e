"""Lines with a slip in them: how many stop their mail, how many are skipped, and does any mean another action?

``python -m tests.slips`` makes a slip in the line of each legal action, in every language: a letter left out, doubled,
wrong, or swapped with the next one; anywhere in a word of three letters or more that is no filling word. Positions are
those of `tests.orders`; ``--games 8 --every 5 --title new_england`` say how many, which and of which title. Then the
lines of small talk in ``tests/talk`` are read at a position of each game.

Ends with 1 if, beside an order, fewer than 95 % of slips stop, if 1 % of the small talk stops elsewhere, or if a line
acts against its meaning.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from domain import TITLES
from domain.orders import Found, Kind, Option, Unread, kind_of, read, stopping
from domain.orders.folding import fold
from domain.orders.spelling import WRITTEN_WORD
from domain.title import Title
from tests.orders import Position, lines, positions

TALK = tuple(
    line
    for path in sorted((Path(__file__).parent / "talk").glob("*.txt"))
    for line in path.read_text(encoding="utf-8").splitlines()
)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WAYS = ("left out", "doubled", "wrong", "swapped")
SLIPS, SMALL_TALK = 0.95, 0.01


def slipped(word: str, at: int, way: str, dice: random.Random) -> str:
    """Return ``word`` with a slip at a letter; the same word if two equal letters were swapped."""
    match way:
        case "left out":
            return word[:at] + word[at + 1 :]
        case "doubled":
            return word[: at + 1] + word[at:]
        case "wrong":
            return word[:at] + dice.choice(LETTERS.replace(word[at].lower(), "")) + word[at + 1 :]
    at = min(at, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def with_a_slip(line: str, at: Position, dice: random.Random) -> str:
    """Return ``line`` with a slip in one of the words that count; the same line if none has three letters."""
    filling = at.tongue.grammar.filling
    words = [it for it in WRITTEN_WORD.finditer(line) if len(it[0]) > 2 and it[0].isalpha()]
    words = [it for it in words if filling.isdisjoint(fold(it[0]))]
    if not words:
        return line
    word = dice.choice(words)
    wrong = slipped(word[0], dice.randrange(len(word[0])), dice.choice(WAYS), dice)
    return line[: word.start()] + wrong + line[word.end() :]


def became(line: str, option: Option, amount: int | None, at: Position, beside: Sequence[Kind]) -> str:
    """Return the effect of a line with a slip: "same", "another", "stops" or "skipped". ``beside``: the
    line after it.
    """
    kind = kind_of(line, at.tongue)
    if kind != "order":
        return "stops" if stopping([kind, *beside]) else "skipped"
    match read(line, at.options, at.tongue, in_letter=True):
        case Found(found, given, _):
            return "same" if found is option and given == amount else "another"
        case Unread():
            return "skipped"
    return "stops"


def slips(title: Title, games: int, every: int, share: float = 1.0) -> Iterator[tuple[str, str, str]]:
    """Yield each line, its form with a slip, and the effect beside an order. ``share``: of the lines."""
    dice = random.Random(title.id)
    for number in range(games):
        for at in positions(title, number, every=every):
            for language in at.tongue.languages:
                for option, line in lines(at, language):
                    if dice.random() > share or (wrong := with_a_slip(line, at, dice)) == line:
                        continue
                    right = read(line, at.options, at.tongue, in_letter=True)
                    amount = right.amount if isinstance(right, Found) else None
                    yield line, wrong, became(wrong, option, amount, at, ["order"])


def small_talk(at: Position) -> dict[str, Kind]:
    """Count the kinds that the lines of small talk get at a position."""
    return {line: kind_of(line, at.tongue) for line in TALK}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--title", action="append", choices=list(TITLES))
    parser.add_argument("--show", action="store_true", help="each line that is skipped or does something else")
    wanted = parser.parse_args()
    bad = False
    for name in wanted.title or TITLES:
        found = Counter[str]()
        for line, wrong, what in slips(TITLES[name], wanted.games, wanted.every):
            found[what] += 1
            if what == "another" or (wanted.show and what == "skipped"):
                print(f"  {what}: {wrong!r} for {line!r}")
        meant_alike = found.total() - found["same"]
        at = next(positions(TITLES[name], 0, every=1))
        kinds = Counter(small_talk(at).values())
        stop = found["stops"] / meant_alike
        print(f"{name}: {found.total():,} slips, {found['same']:,} still understood, {found['another']} understood as "
              f"something else; of the others {stop:.1%} stop. Of {len(TALK)} lines of small talk {kinds['broken']} "
              f"stop anywhere, {kinds['close']} more beside an order.")  # fmt: skip
        bad |= stop < SLIPS or kinds["broken"] + kinds["order"] > SMALL_TALK * len(TALK) or found["another"] > 0
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
