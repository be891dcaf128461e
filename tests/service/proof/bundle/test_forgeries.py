"""A forger with the secret invents plies, and hashes everything anew from end to end.

An impossible game is never proved by the program or by the page, and no installation imports it. Only the fingerprints
in players' mails expose a game that was possible but never played; the verdict says so.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import domain
from domain.chain import StoredPly
from domain.game import fold
from domain.lifecycle import BY_NO_SEAT
from domain.messages import tag_of
from domain.rules import Result
from domain.title import Title
from service.database.store import Store
from service.proof.audit import verify_game
from service.proof.bundle.format import Unreadable, read, stored_plies
from service.proof.bundle.keep import NotImported, NotProved, keep
from service.proof.bundle.prove import Proof, prove_file
from service.proof.verdicts import NOT_PROVED, WRONG, say
from tests import releases, toy
from tests.domain import byhand
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.bundles import Lines, edited, finished, hashed_anew, lines_of, running
from tests.service.proof.bundle.javascript import JavaScript
from tests.service.proof.bundle.test_commands import run

Edit = Callable[[Lines], Lines]
WHISPER, WALK, LAST = 6, 27, 79
"""Plies of the game below: a hidden one, one in which somebody walks, and the last."""


def honest() -> bytes:
    return finished("toy", 3)


def older_title() -> Title:
    """A title with newer rules, which has retired the older ones."""
    return toy.ruled(version=toy.TITLE.rules.version + 1, older={})


# ==== edits of a forger ===========================================================================
def set_in(number: int, **facts: Any) -> Edit:
    """Change open facts of ply ``number``; None removes one."""

    def edit(shown: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in {**shown, **facts}.items() if value is not None}

    return lambda lines: edited(lines, number, edit)


def won(number: int, **facts: Any) -> Edit:
    """Let somebody walk further before ply ``number`` ends, and win."""

    def edit(shown: dict[str, Any]) -> dict[str, Any]:
        walked = {"event": "Walked", "seat": 1, "steps": 50}
        return {**shown, **facts, "events": [walked, *shown["events"]]}

    return lambda lines: edited(lines, number, edit)


def all_of_version(rules: int, header: int = 0) -> Edit:
    """Give all plies this version of the rules, and name another winner."""

    def edit(lines: Lines) -> Lines:
        for number in range(1, len(lines) - 1):
            lines = set_in(number, rules=rules)(lines)
        return with_header(won(LAST, rules=rules)(lines), rules=header or rules)

    return edit


def with_header(lines: Lines, **facts: Any) -> Lines:
    return [{**lines[0], **facts}, *lines[1:]]


def in_command(number: int, **facts: Any) -> Edit:
    return lambda lines: edited(lines, number, lambda shown: {**shown, "command": {**shown["command"], **facts}})


def whispered(**facts: Any) -> Edit:
    """Change the content of the hidden ply."""

    def edit(lines: Lines) -> Lines:
        ply = json.loads(json.dumps(lines[WHISPER]))
        (part,) = ply["sealed"]
        body = {name: value for name, value in {**json.loads(part["body"]), **facts}.items() if value is not None}
        part |= {"body": bundles.line(body), "seat": body["seat"]}
        return [*lines[:WHISPER], ply, *lines[WHISPER + 1 :]]

    return edit


def left_out(number: int, *, renumbered: bool) -> Edit:
    def edit(lines: Lines) -> Lines:
        rest = lines[number + 1 : -1]
        if renumbered:
            rest = [renumber(each, each["ply"] - 1) for each in rest]
        return [*lines[:number], *rest, lines[-1]]

    return edit


def renumber(ply: dict[str, Any], number: int) -> dict[str, Any]:
    shown = bundles.line({**json.loads(ply["open"]), "ply": number}).replace("\\u003c", "<")
    sealed = [dict(part) for part in ply["sealed"]]
    secret = bytes.fromhex(lines_of(honest())[-1]["secret"])
    for index, part in enumerate(sealed):
        place = byhand.prefixed(b"game-3") + byhand.eight(number) + byhand.four(index)
        part["key"] = byhand.hmac(secret, b"slow train 1 part" + place).hex()
    return {**ply, "ply": number, "open": shown, "sealed": sealed}


def asks(number: int, **facts: Any) -> Edit:
    """Put a ply of the table in place of ply ``number``."""
    return set_in(number, **facts)


WALKED = 1_790_000_000_000
FORGERIES: dict[str, tuple[Edit, int]] = {
    "the winner, by version 0 of the rules": (won(LAST, rules=0), LAST),
    "the winner, by version -1": (won(LAST, rules=-1), LAST),
    "the winner, by version 2 after version 3": (won(LAST, rules=2), LAST),
    "the winner, by a version to come": (lambda lines: with_header(won(LAST, rules=4)(lines), rules=4), LAST),
    "steps in the middle, by version 0": (won(WALK, rules=0), WALK),
    "steps in the middle, by version 1": (won(WALK, rules=1), WALK),
    "all of it by version 0": (all_of_version(0, header=1), 1),
    "all of it by version -7": (all_of_version(-7, header=2), 1),
    "no version": (set_in(WALK, rules=None), WALK),
    "a version that is half": (set_in(WALK, rules=1.5), WALK),
    "a version that is a word": (set_in(WALK, rules="2"), WALK),
    "no time": (set_in(WALK, at=None), WALK),
    "the time 0": (set_in(WALK, at=0), WALK),
    "a time before 1970": (set_in(WALK, at=-5), WALK),
    "a time that is a word": (set_in(WALK, at="noon"), WALK),
    "a time that is half": (set_in(WALK, at=WALKED + 0.5), WALK),
    "a time past all calendars": (set_in(LAST, at=10**15), LAST),
    "a time past all numbers": (set_in(LAST, at=10**30), LAST),
    "a time that runs back": (set_in(WALK, at=WALKED), WALK),
    "a last time that runs back": (set_in(LAST, at=WALKED), LAST),
    "a hidden time that runs back": (whispered(at=WALKED), WHISPER),
    "no hidden time": (whispered(at=None), WHISPER),
    "no time of the first ply": (set_in(1, at=None), 1),
    "a hidden seat that is not there": (whispered(seat=4), WHISPER),
    "a hidden seat of nobody": (whispered(seat=0), WHISPER),
    "a seat that opens the table": (set_in(1, seat=1), 1),
    "a seat that starts the game": (set_in(5, seat=2), 5),
    "a seat that is not there starts the game": (set_in(5, seat=9), 5),
    "a seat that another takes": (set_in(4, seat=2), 4),
    "a seat that nobody takes": (set_in(4, seat=None), 4),
    "a seat that is not there is taken": (lambda lines: in_command(4, seat=4)(set_in(4, seat=4)(lines)), 4),
    "seat 0 is taken": (lambda lines: in_command(4, seat=0)(set_in(4, seat=0)(lines)), 4),
    "seat -1 is taken": (lambda lines: in_command(4, seat=-1)(set_in(4, seat=-1)(lines)), 4),
    "seat 0 walks": (set_in(WALK, seat=0), WALK),
    "seat 4 walks": (set_in(WALK, seat=4), WALK),
    "nobody walks": (set_in(WALK, seat=None), WALK),
    "no cause": (set_in(WALK, cause=None), WALK),
    "a cause that is none": (set_in(WALK, cause="fate"), WALK),
    "no events": (set_in(WALK, events=None), WALK),
    "a ply is left out": (left_out(WALK, renumbered=False), WALK),
    "a hidden ply is left out": (left_out(WHISPER, renumbered=False), WHISPER),
    "the first ply is left out": (left_out(1, renumbered=False), 1),
    "a time is called of a seat that is not there": (
        asks(WALK, seat=None, cause="clock", command={"command": "CallTime", "seat": 7}), WALK),
    "a substitute for seat 0": (asks(WALK, seat=None, command={"command": "TakeOver", "seat": 0}), WALK),
    "a bot for seat 4": (asks(WALK, seat=None, command={"command": "StandIn", "seat": 4}), WALK),
    "clocks of seats that are not there": (
        asks(WALK, seat=None, command={"command": "MoveClocks", "clocks": [[4, 2**41]], "why": "away", "lost": 0}),
        WALK),
    "a stranger is asked to go back": (
        asks(WALK, command={"command": "ProposeRewind", "to": 6, "people": [9], "expires": 2**42}), WALK),
    "a seat asks itself to go back": (
        asks(WALK, seat=2, command={"command": "ProposeRewind", "to": 6, "people": [2], "expires": 2**42}), WALK),
}  # fmt: skip


def test_the_game_is_what_the_forgeries_take_it_for():
    lines = lines_of(honest())
    assert '"Walked"' in lines[WALK]["open"]
    assert lines[WALK]["open"].index('"seat"') > 0
    assert lines[WHISPER]["open"] == f'{{"ply":{WHISPER},"rules":3}}'
    assert '"RoundEnded"' in lines[LAST]["open"]
    assert lines[LAST]["ply"] == lines[0]["plies"] == LAST
    assert '"command":"StartGame"' in lines[5]["open"]
    assert json.loads(lines[4]["open"])["seat"] == 1


@pytest.mark.parametrize("name", FORGERIES)
def test_no_forged_game_is_proved(javascript: JavaScript, elsewhere: Store, tmp_path: Path, name: str):
    """Both verifiers name the ply, and no installation imports it, even with --unproved."""
    forge, ply = FORGERIES[name]
    raw = hashed_anew(forge(lines_of(honest())))
    assert raw != honest()
    ours, theirs = bundles.faults(javascript, raw)
    assert (ours and ours.ply, theirs and theirs.ply) == (ply, ply), (str(ours), str(theirs))
    assert prove_file(raw, bundles.ALL).verdict.kind == "wrong"
    for unproved in (False, True):
        with pytest.raises(NotImported, match=f"Ply {ply}: "):
            keep(elsewhere, raw, unproved=unproved)
    file = tmp_path / "forged.jsonl"
    file.write_bytes(raw)
    done = run("verify", file)
    assert (done.exit_code, "Proved." in done.output) == (WRONG, False)
    assert f"Wrong. Ply {ply}: " in done.output


def test_without_its_header_no_forgery_is_read(elsewhere: Store):
    for rules in (0, -1):
        raw = hashed_anew(all_of_version(rules)(lines_of(honest())))
        with pytest.raises(Unreadable):
            prove_file(raw, bundles.ALL)
        with pytest.raises(Unreadable):
            keep(elsewhere, raw)


@pytest.mark.parametrize(
    "name",
    [
        "a time that runs back",
        "a seat that starts the game",
        "no time",
        "no version",
        "steps in the middle, by version 0",
        "no cause",
        "seat 4 walks",
    ],
)
@pytest.mark.parametrize("seat", [None, 1])
def test_nor_in_what_is_shown_of_a_running_game(javascript: JavaScript, name: str, seat: int | None):
    forge, ply = FORGERIES[name]
    raw = hashed_anew(forge(lines_of(running("toy", 3, seat, 40))))
    ours, theirs = bundles.faults(javascript, raw)
    assert (ours and ours.ply, theirs and theirs.ply) == (ply, ply), (str(ours), str(theirs))


def test_a_ply_that_shows_nothing_and_seals_nothing_is_none(javascript: JavaScript):
    """A ply whose author hides behind another seat's secrets must seal some."""
    lines = lines_of(running("toy", 3, None, 40))
    bare = {"open": f'{{"ply":{WALK},"rules":3}}', "sealed": []}
    ours, theirs = bundles.faults(javascript, hashed_anew([*lines[:WALK], {**lines[WALK], **bare}, *lines[WALK + 1 :]]))
    assert (ours and ours.ply, theirs and theirs.ply) == (WALK, WALK)


def test_both_verifiers_mean_the_same_commands(javascript: JavaScript):
    assert sorted(javascript.value("BY_NO_SEAT.join()").split(",")) == sorted(tag_of(kind) for kind in BY_NO_SEAT)


# ==== the page ====================================================================================
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_page_never_says_that_a_game_is_proved(javascript: JavaScript, lang: str):
    """The page has no rules. It cannot find a rewritten winner under today's version, and says so."""
    for raw in (honest(), hashed_anew(won(LAST)(lines_of(honest()))), running("toy", 3, 1, 20)):
        proof = javascript.verify(raw)
        said = javascript.verdict(proof, lang)
        assert proof["fault"] is None
        assert (proof["decided"], proof["replayed"]) == (0, proof["links"])
        assert said.startswith("Unchanged." if lang == "en" else "Unverändert.")
        counts = f"0 plies were rechecked and {proof['links']} only read"
        german = f"0 Züge wurden nachgerechnet, {proof['links']} nur gelesen"
        assert f"Not checked against the rules: {counts}" in said or f"Nicht nach den Regeln geprüft: {german}" in said
        assert "Proved." not in said
    assert bundles.faults(javascript, hashed_anew(won(LAST)(lines_of(honest()))))[0].ply == LAST


# ==== retired rules ===============================================================================
def result_of(title: Title, raw: bytes) -> Result | None:
    plies: list[StoredPly] = stored_plies(read(raw).bundle)
    return fold("game-3", title, [title.chain.decode(it.open, it.sealed) for it in plies]).result


def test_a_game_that_was_only_replayed_is_never_proved(
    elsewhere: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A forger may rewrite plies of retired rules, so these are never proved."""
    title = older_title()
    monkeypatch.setattr(domain, "TITLES", {**bundles.ALL, "toy": title})
    monkeypatch.setitem(elsewhere.titles, "toy", title)
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", str(elsewhere.engine.url))
    forged, file = hashed_anew(won(LAST)(lines_of(honest()))), tmp_path / "game.jsonl"
    assert result_of(title, forged).winners == (1,) != result_of(title, honest()).winners
    for raw in (honest(), forged):
        proof = prove_file(raw, domain.TITLES)
        assert (proof.fault, proof.decided, proof.replayed, proof.proved) == (None, 0, LAST, False)
        file.write_bytes(raw)
        done = run("verify", file)
        assert done.exit_code == NOT_PROVED
        assert (
            f"Not fully checked against the rules. 0 plies were rechecked, {LAST} only replayed: this program"
            in done.output
        )
        assert "Proved." not in done.output
    named = finished("toy", 3, "game3")  # an id that can be an address
    counts = f"0 plies were rechecked, {len(lines_of(named)) - 2} only replayed"
    with pytest.raises(NotProved, match=counts):
        keep(elsewhere, named)
    file.write_bytes(named)
    done = run("import", file)
    assert done.exit_code == NOT_PROVED
    assert "Not imported. Not fully checked against the rules. " in done.output
    assert "--unproved" in done.output
    done = run("import", file, "--unproved")
    assert done.exit_code == 0, done.output
    assert f"plies). Not fully checked against the rules. {counts}" in done.output
    report = verify_game(elsewhere, "game3")
    assert (report.faults, report.verdict.kind) == ((), "replayed")
    for asked in (["verify", "game3"], ["verify", "--all"]):
        done = run(*asked)
        assert (done.exit_code, "Proved." in done.output) == (NOT_PROVED, False), done.output
        assert counts.rpartition(", ")[2] in done.output


@pytest.mark.parametrize("last", [60, LAST])
def test_one_ply_that_was_only_replayed_is_enough(last: int):
    """Later plies were decided by rules that this program still has."""
    lines = lines_of(honest())
    for number in range(1, last):
        lines = set_in(number, rules=1)(lines)
    raw = hashed_anew(lines)
    proof = prove_file(raw, {"toy": toy.ruled(older={})})
    assert (proof.fault, proof.decided, proof.replayed) == (None, LAST + 1 - last, last - 1)
    assert (proof.verdict.kind, proof.verdict.status) == ("replayed", NOT_PROVED)
    assert f"{last - 1} only replayed" in str(proof.verdict)
    assert prove_file(raw, bundles.ALL).proved, "who decides by both versions proves it"


# ==== remarks =====================================================================================
def of_version_1() -> Lines:
    lines = lines_of(honest())
    for number in range(1, LAST + 1):
        lines = set_in(number, rules=1)(lines)
    return with_header(lines, rules=1)


def test_honest_clocks_of_version_1_are_named(javascript: JavaScript):
    """Several web processes with clocks of their own wrote such a log."""
    lines = of_version_1()
    assert prove_file(hashed_anew(lines), bundles.ALL).back == ()
    at = json.loads(lines[WALK]["open"])["at"]
    raw = hashed_anew(set_in(WALK, at=at - 10**6)(lines))
    proof, theirs = prove_file(raw, bundles.ALL), javascript.verify(raw)
    assert (proof.fault, proof.proved, proof.back) == (None, True, (WALK,))
    assert (theirs["fault"], list(theirs["back"])) == (None, [WALK])
    assert any(
        f"runs backwards at 1 ply under version 1 of the rules ({WALK})" in say(it) for it in proof.verdict.notes
    )
    assert f"({WALK})" in javascript.verdict(theirs)
    assert f"läuft die Zeit bei diesen Zügen rückwärts: {WALK}." in javascript.verdict(theirs, "de")
    at_switch = hashed_anew(
        with_header(set_in(WALK + 1, rules=2, at=at - 2 * 10**6)(set_in(WALK, at=at - 10**6)(lines)), rules=2)
    )
    ours, page = bundles.faults(javascript, at_switch)
    assert (ours and ours.ply, page and page.ply) == (WALK + 1, WALK + 1), "from version 2 on there is one clock"


def notes(proof: Proof) -> str:
    return " ".join(say(it) for it in proof.verdict.notes)


def test_a_proof_says_what_only_fingerprints_can_confirm(javascript: JavaScript):
    """A whisper without effect is left out, and everything behind it is numbered, sealed and hashed anew."""
    forged = hashed_anew(left_out(WHISPER, renumbered=True)(lines_of(honest())))
    proof = prove_file(forged, bundles.ALL)
    assert proof.proved
    assert "or with plies left out. Only fingerprints" in notes(proof)
    mails = [f"{ply['ply']}:{ply['link'][:12]}" for ply in lines_of(honest())[1:-1]]
    ours, theirs = bundles.faults(javascript, forged, mails)
    assert (ours and ours.ply, theirs and theirs.ply) == (WHISPER, WHISPER)
    assert f"confirm the game up to ply {WALK}." in notes(
        prove_file(honest(), bundles.ALL, [mails[2], mails[WALK - 1]])
    )
    assert "confirm the whole game" in notes(prove_file(honest(), bundles.ALL, [mails[-1]]))


def test_a_ply_that_mattered_is_missed_by_the_rules():
    """It is left out, and everything behind it is numbered, sealed and hashed anew."""
    fault = prove_file(hashed_anew(left_out(4, renumbered=True)(lines_of(honest()))), bundles.ALL).fault
    assert fault is not None
    assert (fault.ply, "ST 4" in fault.what) == (4, True)


def test_every_stream_of_old_is_in_order(javascript: JavaScript):
    """Both verifiers accept the logs of every release. The tests of releases check them by the rules."""
    for folder in releases.folders():
        for file in releases.files(folder):
            theirs = javascript.verify(releases.read(file))
            assert (theirs["fault"], list(theirs["back"])) == (None, []), file.name
