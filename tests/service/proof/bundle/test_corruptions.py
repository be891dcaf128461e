"""Hundreds of broken and forged files: both verifiers find each of them and name the same ply.

    pytest tests/service/proof/bundle/test_corruptions.py --whole    # more than a thousand of them

Broken files are found by themselves. Forgeries that are hashed anew from end to end are found by the rules, by the
draws, or by the fingerprints in players' mailboxes. Each game here has a fingerprint for every ply.
"""

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests import record
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.bundles import edited, finished, hashed_anew, lines_of, running, signed
from tests.service.proof.bundle.javascript import JavaScript

ANY = object()
"""Any place may be named: for the header, since each of its words decides how the rest is read."""


class Broken(NamedTuple):
    """A changed file. ``ply``: the one that must be named; None: no ply."""

    name: str
    raw: bytes
    ply: Any
    fingerprints: tuple[str, ...] = ()


@cache
def whole() -> tuple[bytes, ...]:
    """A finished game of the toy title, another, and a seat's share of a running one."""
    return finished("toy", 3), finished("toy", 5), running("toy", 3, 1, 20)


@cache
def fingerprints(raw: bytes) -> tuple[str, ...]:
    """The fingerprints in a player's mails, one after every ply."""
    return tuple(f"{ply['ply']}:{ply['link'][:12]}" for ply in lines_of(raw)[1:-1])


def place(raw: bytes, offset: int) -> Any:
    """The place that a fault at this byte must name: the ply of its line."""
    line, last = raw.count(b"\n", 0, offset), raw.count(b"\n") - 1
    return ANY if line in (0, last) else line


# ==== broken files ================================================================================
def flipped_bytes(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    for _ in range(count):
        at = dice.randrange(len(raw))
        other = dice.choice([byte for byte in (*b'0a"\\{, \n<', raw[at] ^ 1 << dice.randrange(8)) if byte != raw[at]])
        yield Broken(f"byte {at} is {other}", raw[:at] + bytes([other]) + raw[at + 1 :], place(raw, at))


def truncated(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    for _ in range(count):
        at = dice.randrange(len(raw))
        yield Broken(f"ends before byte {at}", raw[:at], place(raw, at))


def cut_out(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    for _ in range(count):
        at = dice.randrange(len(raw) - 1)
        yield Broken(f"byte {at} is left out", raw[:at] + raw[at + 1 :], place(raw, at))


def missing_lines(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    """Files with missing lines, also with a new last line."""
    lines = lines_of(raw)
    for _ in range(count):
        at = dice.randrange(1, len(lines) - 1)
        yield Broken(f"ply {at} is left out", signed(lines[:at] + lines[at + 1 :]), at)


def swapped_lines(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    for _ in range(count):
        lines = lines_of(raw)
        one, other = sorted(dice.sample(range(1, len(lines) - 1), 2))
        lines[one], lines[other] = lines[other], lines[one]
        yield Broken(f"plies {one} and {other} are swapped", signed(lines), one)


def swapped_and_renumbered(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    for _ in range(count):
        lines = lines_of(raw)
        one, other = sorted(dice.sample(range(1, len(lines) - 1), 2))
        lines[one], lines[other] = {**lines[other], "ply": one}, {**lines[one], "ply": other}
        yield Broken(f"plies {one} and {other} are swapped and renumbered", signed(lines), one)


def doubled_lines(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    lines = lines_of(raw)
    for _ in range(count):
        at = dice.randrange(1, len(lines) - 1)
        yield Broken(f"ply {at} is there twice", signed([*lines[: at + 1], *lines[at:]]), at + 1)


def spliced(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    """Files with a ply, or all plies from one on, of another game."""
    lines, others = lines_of(raw), lines_of(whole()[1])
    for _ in range(count):
        at = dice.randrange(2, min(len(lines), len(others)) - 1)
        if dice.random() < 0.5:
            yield Broken(f"ply {at} of another game", signed([*lines[:at], others[at], *lines[at + 1 :]]), at)
        else:
            end = {**others[-1], "secret": lines[-1]["secret"]}
            header = {**lines[0], "plies": len(others) - 2, "head": others[-2]["link"]}
            yield Broken(f"another game from ply {at}", signed([header, *lines[1:at], *others[at:-1], end]), at)


def sealed_parts(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    """Files in which a part has the content, seat, key or commitment of another."""
    lines = lines_of(raw)
    plies = enumerate(lines[1:-1], 1)
    there = [(at, index) for at, ply in plies for index, part in enumerate(ply["sealed"]) if "body" in part]
    for _ in range(count):
        at, index = dice.choice(there)
        other, what = dice.choice(["0", "1"]) * 64, dice.choice(["body", "key", "commitment", "seat"])
        part = dict(lines[at]["sealed"][index])
        part[what] = {"body": part["body"].replace('"seat"', '"Seat"'), "seat": part["seat"] + 1}.get(what, other)
        parts = [*lines[at]["sealed"][:index], part, *lines[at]["sealed"][index + 1 :]]
        forged = [*lines[:at], {**lines[at], "sealed": parts}, *lines[at + 1 :]]
        yield Broken(f"{what} of part {index} of ply {at}", signed(forged), at)


# ==== forged files ================================================================================
def told_otherwise(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    """Files with a changed fact and new hashes from there on. The fingerprints in mails contradict them."""
    for _ in range(count):
        lines = lines_of(raw)
        at = dice.randrange(2, len(lines) - 1)
        shown = json.loads(lines[at]["open"])
        name = dice.choice([name for name in ("at", "seat", "cause") if name in shown] or ["rules"])
        value = {"at": shown.get("at", 0) + 1, "seat": 1 + shown.get("seat", 0) % 2, "cause": "clock", "rules": 1}[name]
        if shown.get(name) == value:
            continue
        forged = edited(lines, at, lambda it, name=name, value=value: {**it, name: value})
        yield Broken(f"{name} of ply {at}, hashed anew", hashed_anew(forged), at, fingerprints(raw))


def drawn_otherwise(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    """Files with other picks, hashed anew: found without mails."""
    lines = lines_of(raw)
    there = [at for at, ply in enumerate(lines[1:-1], 1) if "picks" in json.dumps(ply)]
    for _ in range(count):
        at = dice.choice(there)
        forged = edited(lines_of(raw), at, lambda shown: {**shown, **_other_picks(shown.get("draws", []))})
        for part in forged[at]["sealed"]:
            body = json.loads(part["body"])
            _other_picks([draw for _, draw in body.get("draws", [])])
            part["body"] = json.dumps(body, separators=(",", ":"))
        if forged[at] != lines[at]:
            yield Broken(f"other picks in ply {at}", hashed_anew(forged), at)


def _other_picks(draws: list[Any]) -> dict[str, Any]:
    for draw in draws:
        if "picks" in draw:
            draw["picks"] = [(pick + 1) % draw["size"] for pick in draw["picks"]]
    return {"draws": draws} if draws else {}


def added_otherwise(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    """Files with another share of the service for a seat, hashed anew: it does not follow from the secret."""
    for _ in range(count):
        lines = lines_of(raw)
        at = dice.choice([at for at, ply in enumerate(lines[1:-1], 1) if '"event":"SeatTaken.2"' in ply["open"]])
        ours = dice.randbytes(32).hex()
        forged = edited(lines, at, lambda it, ours=ours: {**it, "events": [{**it["events"][0], "ours": ours}]})
        yield Broken(f"ours of ply {at}", hashed_anew(forged), at)


def shortened(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    """Files without their last plies, hashed anew. The fingerprints in mails contradict them."""
    for _ in range(count):
        lines = lines_of(raw)
        at = dice.randrange(2, len(lines) - 1)
        forged = [*lines[:at], lines[-1]]
        yield Broken(f"nothing since ply {at}", hashed_anew(forged), ANY, fingerprints(raw))


def other_secrets(raw: bytes, dice: random.Random, count: int) -> Iterator[Broken]:
    for _ in range(count):
        lines = lines_of(raw)
        lines[-1]["secret"] = dice.randbytes(32).hex()
        yield Broken("another secret", signed(lines), 1)
        yield Broken("another secret, hashed anew", hashed_anew(lines), 1)


def other_headers(raw: bytes) -> Iterator[Broken]:
    for name, value in {
        "game": "game-4",
        "seats": 5,
        "rules": 7,
        "reader": 2,
        "status": "running",
        "commitment": "0" * 64,
        "plies": 3,
        "head": "1" * 64,
        "version": 2,
        "format": "slow train bundles",
    }.items():
        for other in (value, [], None):
            header = {**lines_of(raw)[0], name: other}
            yield Broken(f"header says {name} {other}", signed([header, *lines_of(raw)[1:]]), ANY)


KINDS = {
    flipped_bytes: 450, truncated: 120, cut_out: 100, missing_lines: 60, swapped_lines: 60, swapped_and_renumbered: 40,
    doubled_lines: 60, spliced: 80, sealed_parts: 120, told_otherwise: 80, drawn_otherwise: 60, shortened: 30,
    other_secrets: 15, added_otherwise: 10,
}  # fmt: skip
OF_RUNNING = (flipped_bytes, truncated, missing_lines, swapped_lines, doubled_lines, sealed_parts, told_otherwise)


def all_broken(share: int) -> Iterator[Broken]:
    """One broken file in ``share``, of every kind."""
    game, _, running = whole()
    for kind, count in KINDS.items():
        yield from kind(game, random.Random(kind.__name__), -(-count // share))
    for kind in OF_RUNNING:
        yield from kind(running, random.Random(kind.__name__), -(-KINDS[kind] // (4 * share)))
    yield from other_headers(game)


@pytest.fixture(scope="module")
def many(share: int) -> list[Broken]:
    return list(all_broken(share))


def test_there_are_hundreds(many: list[Broken], share: int):
    assert len({broken.raw for broken in many}) >= 1000 / share


@pytest.mark.parametrize("part", range(4))
def test_both_find_every_broken_file_and_name_the_ply(javascript: JavaScript, many: list[Broken], part: int):
    for broken in many[part::4]:
        ours, theirs = bundles.faults(javascript, broken.raw, broken.fingerprints)
        assert ours is not None, broken.name
        assert theirs is not None, broken.name
        if broken.ply is not ANY:
            assert (ours.ply, theirs.ply) == (broken.ply, broken.ply), (broken.name, str(ours), str(theirs))


@pytest.mark.parametrize("title", ["grand_trunk", "new_england", "ticket_to_ride"])
def test_so_it_is_with_games_of_every_title(javascript: JavaScript, title: str):
    smallest = min(record.files(title), key=lambda file: file.stat().st_size)
    raw, dice = bundles.recorded(record.read(smallest)), random.Random(title)
    for kind in (flipped_bytes, truncated, missing_lines, sealed_parts, told_otherwise, drawn_otherwise):
        for broken in kind(raw, dice, 8):
            ours, theirs = bundles.faults(javascript, broken.raw, broken.fingerprints)
            assert ours is not None, broken.name
            assert theirs is not None, broken.name
            if broken.ply is not ANY:
                assert (ours.ply, theirs.ply) == (broken.ply, broken.ply), (broken.name, str(ours), str(theirs))


JUNK = (
    None, [], {}, "x", 7, [None], [[]], [{}], ["x"], [{"event": None}], [{"event": "Rewound", "to": 99}],
    [{"event": "SeatRetired", "seat": 9, "why": "resigned"}], [{"event": "TakenBack", "seat": 1}],
    [{"event": "SeatTaken", "seat": 1, "entropy": 5}],
    [{"event": "SeatTaken.2", "seat": 1, "choice": {}, "brought": 5, "ours": None, "bot": False}],
    [{"name": "x", "size": -1, "picks": [0]}], [{"name": None, "size": "x", "picks": [[]]}], [{"picks": 7}],
)  # fmt: skip


@pytest.mark.parametrize("name", ["events", "draws", "command", "ply", "rules", "seat", "at"])
@pytest.mark.parametrize("place", [1, 2, 9])
def test_whatever_is_made_up_is_answered_with_a_fault(javascript: JavaScript, share: int, name: str, place: int):
    """It is hashed anew, so that it is read. Neither verifier crashes, for a finished game or a seat's share."""
    games = (whole()[0], whole()[2])
    for number, junk in enumerate(JUNK):
        for raw in games if share == 1 else games[(number + place) % 2 :][:1]:
            forged = hashed_anew(edited(lines_of(raw), place, lambda shown, junk=junk: {**shown, name: junk}))
            if forged != raw:
                ours, theirs = bundles.faults(javascript, forged, fingerprints(raw))
                assert ours is not None, junk
                assert theirs is not None, junk
                assert ours.ply in (place, None), str(ours)


SLOPPY = {
    "a decimal point": lambda text: re.sub(r'"rules":(\d+)', r'"rules":\1.0', text, count=1),
    "an exponent": lambda text: re.sub(r'"rules":(\d+)', r'"rules":\1e0', text, count=1),
    "a key twice": lambda text: re.sub(r'("rules":\d+)', r"\1,\1", text, count=1),
    "a blank": lambda text: text.replace(":", ": ", 1),
    "a line feed behind it": lambda text: text + "\n",
    "a letter escaped": lambda text: text.replace('"rules"', '"\\u0072ules"', 1),
    "half a letter": lambda text: text[:-1] + ',"x":"\\ud800"}',
    "half a letter as a key": lambda text: text[:-1] + ',"\\udfff":1}',
}


@pytest.mark.parametrize("how", SLOPPY)
@pytest.mark.parametrize("place", [1, 9])
def test_the_contents_of_a_ply_are_written_in_one_way(javascript: JavaScript, how: str, place: int):
    """Another spelling of the same ply, hashed anew, is refused, in a finished game and in a seat's share."""
    for raw in (whole()[0], whole()[2]):
        lines = lines_of(raw)
        lines[place]["open"] = SLOPPY[how](lines[place]["open"])
        ours, theirs = bundles.faults(javascript, hashed_anew(lines))
        assert (ours and ours.ply, theirs and theirs.ply) == (place, place), (str(ours), str(theirs))


@pytest.mark.parametrize("how", [how for how in SLOPPY if "twice" not in how])
def test_the_contents_of_a_sealed_part_are_written_in_one_way(javascript: JavaScript, how: str):
    for raw in (whole()[0], whole()[2]):
        lines = lines_of(raw)
        sealed = ((at, part) for at, ply in enumerate(lines[1:-1], 1) for part in ply["sealed"] if "body" in part)
        at, part = next(sealed)
        part["body"] = SLOPPY[how](part["body"].replace('"seat"', '"rules"', 1)).replace("rules", "seat")
        part["body"] = part["body"].replace("\\u0072ules", "\\u0073eat")
        ours, theirs = bundles.faults(javascript, hashed_anew(lines))
        assert (ours and ours.ply, theirs and theirs.ply) == (at, at), (str(ours), str(theirs))


def test_an_unbroken_file_is_proved(javascript: JavaScript):
    """Otherwise the tests above would show nothing."""
    for raw in whole():
        assert bundles.faults(javascript, raw, fingerprints(raw)) == (None, None)
        assert signed(lines_of(raw)) == raw
        assert hashed_anew(lines_of(raw)) == raw
