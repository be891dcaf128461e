"""Both verifiers give the same verdict on every recorded game of every title, finished or under way."""

import hashlib
import hmac
import random

import pytest

from domain import TITLES
from domain.chance import draw_key, picks_of
from service.proof import audit
from service.proof.bundle.prove import prove_file
from tests import record
from tests.contract.games import RandomGame
from tests.contract.test_rewind import rewind
from tests.domain import byhand
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.javascript import JavaScript

FILES = [file for title in TITLES for file in record.files(title)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_both_prove_every_recorded_game(javascript: JavaScript, file):
    game = record.read(file)
    raw = bundles.recorded(game)
    ours, theirs = prove_file(raw, TITLES), javascript.verify(raw)
    assert (ours.fault, theirs["fault"]) == (None, None)
    drawn = sum(len(ply.draws) for ply in game.plies)
    parts = sum(len(ply.sealed) for ply in game.stored)
    assert (ours.links, ours.opened, ours.closed) == (len(game.stored), parts, 0)
    assert (theirs["links"], theirs["opened"], theirs["closed"]) == (len(game.stored), parts, 0)
    assert theirs["draws"] == drawn > 5
    assert ours.decided + ours.replayed == len(game.stored)
    assert theirs["fingerprints"] == [ply.fingerprint for ply in game.stored]


def test_there_are_recorded_games():
    assert {file.parent.name for file in FILES} == set(TITLES)


@pytest.mark.parametrize("title", sorted(bundles.ALL))
def test_both_prove_what_each_seat_sees_of_a_running_game(javascript: JavaScript, title: str):
    played = bundles.random_game(title, 3)
    for until in (1, 2, len(played.plies) // 2, len(played.plies) - 1):
        for seat in (None, *range(1, played.seats + 1)):
            raw = bundles.running(title, 3, seat, until)
            ours, theirs = prove_file(raw, bundles.ALL), javascript.verify(raw)
            assert (ours.fault, theirs["fault"]) == (None, None)
            assert (ours.links, ours.opened, ours.closed) == (theirs["links"], theirs["opened"], theirs["closed"])
            assert ours.links == until
            assert theirs["draws"] == 0, "nobody can make draws again without the secret"


@pytest.mark.parametrize("title", sorted(bundles.ALL))
def test_draws_after_a_rewind_reuse_their_ordinals(javascript: JavaScript, title: str):
    """The ordinals of draws go back with the game: both make the later draws under the earlier ordinals."""
    game = RandomGame(bundles.ALL[title], 2, mischief=False)
    steps = game.steps()
    while game.game.status != "running" or not any(ply.draws for ply in game.plies[game.game.table.floor :]):
        next(steps)
    to = game.game.table.floor
    undone = [draw.name for ply in game.plies[to:] for draw in ply.draws]
    rewind(game, to)
    at = len(game.plies)
    for _ in steps:
        pass
    assert set(undone) & {draw.name for ply in game.plies[at:] for draw in ply.draws}, "nothing was drawn again"
    raw = bundles.bundle_of(game.title, game.game.id, game.secret, bundles.log_of(game, game.game.id))
    ours, theirs = prove_file(raw, bundles.ALL), javascript.verify(raw)
    assert (ours.fault, theirs["fault"]) == (None, None)
    assert ours.draws == theirs["draws"] == sum(len(ply.draws) for ply in game.plies)


def test_fingerprints_are_found_by_both(javascript: JavaScript):
    raw = bundles.finished("toy", 3)
    links = [ply["link"] for ply in bundles.lines_of(raw)[1:-1]]
    given = [f"3:{links[2][:12]}", links[4][:12].upper(), links[5]]
    assert list(prove_file(raw, bundles.ALL, given).found.values()) == [3, 5, 6]
    english = f"Hello,\nGame log: move 3, fingerprint {links[2][:12]}. Keep this mail.\n"
    mail = english + f"Protokoll der Partie: Zug 7, Fingerabdruck {links[6][:12]}."
    assert javascript.verify(raw, mail)["found"] == [[links[2][:12], 3], [links[6][:12], 7]]
    assert [ply for _, ply in javascript.verify(raw, "\n".join(given))["found"]] == [3, 5, 6]


@pytest.mark.parametrize("given", ["0123456789ab", "3:0123456789ab", "999:0123456789ab"])
def test_a_fingerprint_of_something_else_is_told(javascript: JavaScript, given: str):
    ours, theirs = bundles.faults(javascript, bundles.finished("toy", 3), [given])
    assert ours is not None
    assert theirs is not None
    assert ours.ply == theirs.ply == (int(given.partition(":")[0]) if ":" in given else None)
    assert "0123456789ab" in ours.what
    assert "0123456789ab" in theirs.what


@pytest.mark.parametrize("given", ["2:{}", " 2 : {} ", "{}"])
def test_a_game_of_the_store_takes_the_same_fingerprints_as_its_file(given: str):
    played = bundles.random_game("toy", 3)
    log = bundles.log_of(played, played.game.id)
    given = given.format(log[1].fingerprint.upper())
    report, _ = audit.verify(audit.Evidence(played.game.id, played.title, log, played.secret), [given])
    assert (report.faults, report.found) == ((), {given: 2})
    assert prove_file(bundles.finished("toy", 3), bundles.ALL, [given]).found == {given: 2}


@pytest.mark.parametrize("given", ["0123456789ab", "3:0123456789ab", "999:0123456789ab", "1:x", "0:0123456789ab"])
def test_a_game_of_the_store_refuses_the_same_fingerprints_as_its_file(given: str):
    played = bundles.random_game("toy", 3)
    log = bundles.log_of(played, played.game.id)
    report, _ = audit.verify(audit.Evidence(played.game.id, played.title, log, played.secret), [given])
    assert report.faults == prove_file(bundles.finished("toy", 3), bundles.ALL, [given]).faults != ()


@pytest.mark.parametrize("given", ["", "12345", "3:", "x" * 12, "0123456789ab 0123456789ab"])
def test_text_that_is_no_fingerprint_is_refused(given: str):
    fault = prove_file(bundles.finished("toy", 3), bundles.ALL, [given]).fault
    assert fault is not None
    assert "is not a fingerprint" in fault.what


# ==== the page's own arithmetic ===================================================================
def test_its_sha_256_is_sha_256(javascript: JavaScript):
    dice = random.Random(1)
    for length in (*range(130), 1000, 4095, 4096, 70_000):
        message = dice.randbytes(length)
        assert javascript.call("hashes", message.hex()) == hashlib.sha256(message).hexdigest(), length


def test_its_hmac_is_hmac(javascript: JavaScript):
    dice = random.Random(2)
    for length in (1, 32, 63, 64, 65, 200):
        key, message = dice.randbytes(length), dice.randbytes(3 * length)
        assert javascript.call("macs", key.hex(), message.hex()) == hmac.digest(key, message, "sha256").hex()


def test_its_utf_8_is_utf_8(javascript: JavaScript):
    text = "".join(map(chr, (*range(0x900), 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF)))
    assert javascript.call("utf8Of", text) == text.encode().hex()


def test_its_picks_are_those_of_the_program(javascript: JavaScript):
    dice = random.Random(3)
    for size in (1, 2, 7, 52, 110, 2**31, 2**52 + 1):
        secret, count, ordinal = dice.randbytes(32), min(size, 9), dice.randrange(5)
        assert _picks(javascript, secret, ordinal, size, count) == picks_of(
            draw_key(secret), b"entropies", "TTR 3.1 déck", ordinal, size, count
        ), size


def test_it_throws_away_words_that_would_favour_an_item(javascript: JavaScript):
    """Such words are rare: one in 2,049 among nearly as many items as JavaScript can count. The test searches."""
    size, count, found = 2**64 // 2049 + 1, 4, 0
    for number in range(6000):
        secret = number.to_bytes(32, "big")
        picks = picks_of(draw_key(secret), b"entropies", "TTR 3.1 déck", 0, size, count)
        if picks != _unfair_picks(secret, size, count):
            found += 1
            assert _picks(javascript, secret, 0, size, count) == picks
    assert found


def _picks(javascript: JavaScript, secret: bytes, ordinal: int, size: int, count: int) -> tuple[int, ...]:
    luck = f"new Luck(unhex('{secret.hex()}'))"
    made = javascript.value(f"{luck}.picks(utf8('entropies'), 'TTR 3.1 déck', {ordinal}, {size}, {count}).join()")
    return tuple(int(pick) for pick in made.split(","))


def _unfair_picks(secret: bytes, size: int, count: int) -> tuple[int, ...]:
    """The same draw without discarding words."""
    message = byhand.prefixed("TTR 3.1 déck".encode()) + byhand.eight(0) + byhand.four(0) + b"entropies"
    digest = byhand.hmac(draw_key(secret), message)
    words = [int.from_bytes(digest[at : at + 8], "big") for at in range(0, 8 * count, 8)]
    return tuple(word % (size - at) for at, word in enumerate(words))
