"""The shares of seats in the draws, as both verifiers find them in a file, and the search for words."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain import luck
from domain.chain import first_link
from domain.lifecycle import Resign
from domain.sealed import CallWords
from service.cli.main import main
from service.proof.bundle.prove import prove_file
from tests import toy
from tests.domain.table import SECRET
from tests.domain.test_sealed import DAY, full
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.javascript import JavaScript

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "luck.json").read_text())


@pytest.mark.parametrize("vector", GOLDEN["vectors"], ids=lambda vector: f"{vector['game']}-{vector['seat']}")
def test_the_page_works_out_the_golden_luck(javascript: JavaScript, vector):
    secret, game, seat, brought = (json.dumps(vector[name]) for name in ("secret", "game", "seat", "brought"))
    assert javascript.value(f"hex(oursAt(unhex({secret}), {game}, {seat}))") == vector["ours"]
    assert javascript.value(f"hex(entropyOf({brought}, {json.dumps(vector['ours'])}))") == vector["entropy"]
    if vector["words"] is not None:
        given = f"{vector['salt']} {vector['words']}".strip()
        found = f"seatsOfWords({json.dumps(given)}, {{ 7: {brought}, 8: null }})"
        assert javascript.value(f"JSON.stringify({found})") == "[7]"
        assert luck.seats_of(given, {7: vector["brought"], 8: "00" * 32}) == (7,)


@pytest.mark.parametrize(("number", "older"), [(3, False), (2, False), (5, True)])
def test_both_say_who_brought_words_and_whether_the_draws_could_have_been_chosen(
    javascript: JavaScript, number: int, older: bool
):
    table = bundles.random_game("toy", number).game.table
    assert table.older == older
    raw = bundles.finished("toy", number)
    ours, theirs = prove_file(raw, bundles.ALL), javascript.verify(raw)
    assert ours.brought == {seat: table.chairs[seat].brought for seat in table.brought}
    assert theirs["brought"] == {str(seat): digest for seat, digest in ours.brought.items()}
    assert theirs["choosable"] == table.choosable
    assert ("only by playing and sitting down last" in ours.luck.template) != table.choosable
    assert older <= table.choosable


def test_before_the_start_there_is_nothing_to_say_of_draws(javascript: JavaScript):
    raw = bundles.running("toy", 3, None, 3)
    ours, theirs = prove_file(raw, bundles.ALL), javascript.verify(raw)
    assert (ours.fault, ours.luck, theirs["fault"], theirs["choosable"]) == (None, None, None, None)


def test_a_table_that_claims_to_be_of_today_is_not_one_with_a_seat_of_the_older_shape(javascript: JavaScript):
    """If the bytes of one seat cannot be checked, all draws could be chosen, whatever the others brought."""

    def older_seat(shown):
        seat = {"seat": shown["events"][0]["seat"], "choice": {}, "entropy": "00" * 32}
        return {**shown, "command": {"command": "TakeSeat", **seat}, "events": [{"event": "SeatTaken", **seat}]}

    lines = bundles.lines_of(bundles.running("toy", 3, None, 8))
    raw = bundles.hashed_anew(bundles.edited(lines, 2, older_seat))
    assert javascript.verify(raw)["choosable"] is True


# ==== sealed words ================================================================================
def sealed_game() -> bytes:
    """A game that begins after one failed attempt."""
    table = full(2)
    table.open(1)
    table.at = 20 * DAY
    table.give(None, CallWords(), "clock")
    table.seal(1, 1)
    table.sit(2, 1, due=40 * DAY)
    table.open(2, 1)
    table.open(1, 1)
    table.give(1, Resign())
    link, log = first_link("a-game"), []
    for ply in table.plies:
        log.append(toy.TITLE.chain.store(ply, link, "a-game", SECRET))
        link = log[-1].link
    return bundles.bundle_of(toy.TITLE, "a-game", SECRET, log)


def test_both_prove_sealed_words_and_count_the_attempts(javascript: JavaScript):
    raw = sealed_game()
    ours, theirs = prove_file(raw, bundles.ALL), javascript.verify(raw)
    assert (ours.fault, theirs["fault"]) == (None, None)
    assert ours.luck.facts == {"words": 2, "numbers": (1, 2), "failed": 1}
    assert (theirs["sealed"], theirs["failed"], theirs["choosable"]) == (True, 1, False)
    assert theirs["draws"] == ours.draws > 0


def test_words_that_were_not_sealed_are_found_by_both(javascript: JavaScript):
    lines = bundles.lines_of(sealed_game())
    at = next(at for at in range(len(lines) - 2, 0, -1) if '"event":"WordsRevealed"' in lines[at]["open"])

    def other(shown):
        command, (event, *events) = shown["command"], shown["events"]
        return {**shown, "command": {**command, "words": "00" * 32}, "events": [{**event, "words": "00" * 32}, *events]}

    ours, theirs = bundles.faults(javascript, bundles.hashed_anew(bundles.edited(lines, at, other)))
    assert (ours.ply, theirs.ply) == (at, at)


# ==== by the command ==============================================================================
def verify(*args) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["verify", *map(str, args)])
    return done.exit_code, " ".join(done.output.split())


@pytest.fixture
def file(tmp_path: Path, toy_title: object) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(bundles.finished("toy", 3))
    return path


def test_the_command_says_whether_the_draws_could_have_been_chosen(file: Path):
    code, said = verify(file)
    assert code == 0
    assert "Words of luck were added at 1 seat (1). After that, the operator" in said
    file.write_bytes(bundles.finished("toy", 5))
    assert "operator could have chosen these draws." in verify(file)[1]


def test_words_are_looked_for_and_must_be_found(file: Path, monkeypatch: pytest.MonkeyPatch):
    assert verify(file, "--words", "seven geese") == (1, verify(file, "--words", "seven geese")[1])
    assert "these words were not used at any seat" in verify(file, "-w", "seven geese")[1]
    raw = bundles.finished("toy", 3)
    (digest,) = prove_file(raw, bundles.ALL).brought.values()
    monkeypatch.setattr(luck, "_hash", lambda text: digest if text == "12" * 32 + "geese" else "")
    assert verify(file, "-w", "12" * 32 + " geese")[0] == 0
    assert "these words were used at seat 1" in verify(file, "-w", "12" * 32 + " geese")[1]
