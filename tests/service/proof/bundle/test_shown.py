"""A page shows what follows from its log: `slowtrain verify` makes it again, and its script compares the result."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from domain import TITLES
from domain.title import Title
from service.database.store import Stored
from service.proof.bundle import page
from service.proof.bundle.format import CLOSING, OPENING, read, write
from service.proof.bundle.make import bundle
from service.proof.bundle.prove import Proof, prove_file
from service.proof.verdicts import NOT_COMPARED, NOT_PROVED, WRONG, say
from tests import record, releases
from tests.domain import byhand
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.javascript import JavaScript
from tests.service.proof.bundle.test_commands import run

NAMES = sorted(bundles.ALL)
Forger = Callable[[bytes], bytes]


def made(title: str, lang: str = "en", seat: int | None = None, until: int | None = None) -> bytes:
    played = bundles.random_game(title, 3)
    log = bundles.log_of(played, played.game.id, until)
    raw = bundles.bundle_of(played.title, played.game.id, played.secret, log, seat)
    game = page.fold(played.game.id, played.title, [played.title.chain.decode(it.open, it.sealed) for it in log])
    stored = Stored(None, game, played.secret, log[-1].link)
    assert write(bundle(stored, log, seat)) == raw
    return page.page(bundle(stored, log, seat), stored, log, seat, lang)


def proof_of(raw: bytes) -> Proof:
    return prove_file(raw, bundles.ALL)


def said(proof: Proof) -> str:
    """The verdict's sentence on the page."""
    assert proof.page
    return say(proof.page, "en")


def signed(raw: bytes) -> bytes:
    """A forger's page, with the digest of its changed content in the last line."""
    body, last = raw.rsplit(b"<!--", 1)
    digest = byhand.sha256(body).hexdigest().encode()
    return body + b"<!--" + re.sub(rb"SHA-256 [0-9a-f]{64}", b"SHA-256 " + digest, last)


@pytest.mark.long("de")
@pytest.mark.parametrize("title", NAMES)
@pytest.mark.parametrize(("lang", "seat"), [("en", None), ("de", 2)])
def test_a_page_is_made_again_to_the_same_bytes(title: str, lang: str, seat: int | None):
    proof = proof_of(made(title, lang, seat))
    assert (proof.fault, said(proof)) == (None, "made again from the log, with every byte the same")


FORGERIES: dict[str, Forger] = {
    "a sentence of the story": lambda raw: re.sub(rb"(<li id=\"ply-9\".*?</span>)", rb"\1Alice has won 999:0", raw),
    "a text beside the board": lambda raw: raw.replace(b'"texts":["', b'"texts":["999 ', 1),
    "a total of the result": lambda raw: re.sub(rb"<tr><td>1</td><td>[^<]*<", b"<tr><td>1</td><td>999<", raw),
    "a place on the board": lambda raw: re.sub(rb'"places":\[\[(\d+),', rb'"places":[[\1\1,', raw),
    "the script": lambda raw: raw.replace(b"if (proof.fault) return;", b"if (true) return;", 1),
    "a letter of a font": lambda raw: raw.replace(b"base64,d09GR", b"base64,d09GS", 1),
    "something before it": lambda raw: b" " + raw,
}


@pytest.mark.parametrize("forgery", FORGERIES)
@pytest.mark.parametrize("hashed_anew", [False, True])
def test_changes_to_a_page_are_found(forgery: str, hashed_anew: bool):
    honest = made("toy")
    changed = FORGERIES[forgery](honest)
    assert changed != honest
    fault = proof_of(signed(changed) if hashed_anew else changed).fault
    assert fault is not None
    assert "The page " in str(fault)
    if forgery == "a sentence of the story" and hashed_anew:
        assert "Alice has won 999:0" in str(fault)


def without_last_line(raw: bytes) -> bytes:
    return raw.rsplit(b"<!--", 1)[0]


def of_version_1(raw: bytes) -> bytes:
    """A page around the log of rules version 1, as release 0.1.0 wrote it: without a last line."""
    first = releases.read(releases.files(releases.RELEASES / "0.1.0")[0])
    start, rest = raw.split(OPENING, 1)
    return start + OPENING + first + CLOSING + without_last_line(rest.split(CLOSING, 1)[1])


@pytest.mark.parametrize("forger", [without_last_line, lambda raw: raw + b"<p>Alice has won</p>"])
@pytest.mark.parametrize(("seat", "until"), [(None, None), (1, 20)])
def test_a_page_without_its_last_line_is_wrong(forger: Forger, seat: int | None, until: int | None):
    """Every release with version 2 of the rules writes that line."""
    proof = proof_of(forger(made("toy", seat=seat, until=until)))
    assert str(proof.fault) == (
        "The last line of the page is missing. Every release that wrote such logs adds this line."
    )
    assert proof.verdict.status == WRONG


def test_a_page_of_0_1_0_has_no_last_line_and_is_not_compared():
    proof = proof_of(of_version_1(made("toy")))
    assert (proof.fault, said(proof)) == (None, "not compared, because the page does not name its release")
    assert (proof.verdict.kind, proof.verdict.status) == ("uncompared", NOT_COMPARED)
    assert str(proof.verdict).startswith("The log is proved; the page around it was not compared. ")


def test_the_page_of_another_release_is_not_compared(monkeypatch: pytest.MonkeyPatch):
    raw = made("toy")
    monkeypatch.setattr(page, "release", lambda: "9.9.9")
    proof = proof_of(raw)
    assert re.fullmatch(r"not compared, because release \S+ made the page and this is release 9\.9\.9", said(proof))
    assert (proof.verdict.kind, proof.verdict.status, proof.proved) == ("uncompared", NOT_COMPARED, False)
    assert "changed after it was made" in str(proof_of(FORGERIES["the script"](raw)).fault)


def test_a_forger_who_names_another_release_is_told_apart_by_the_first_line(tmp_path: Path, toy_title: Title):
    forged = signed(
        FORGERIES["a sentence of the story"](made("toy")).replace(b"<!-- Slow Train ", b"<!-- Slow Train 9.")
    )
    file = tmp_path / "game.html"
    file.write_bytes(forged)
    for lang, first in (
        ("en", "The log is proved; the page around it was not compared."),
        ("de", "Das Protokoll ist bewiesen; die Seite, in der es steht, wurde nicht verglichen."),
    ):
        done = run("verify", file, "--lang", lang)
        assert (done.exit_code, first in done.output) == (NOT_COMPARED, True), done.output
        assert "Proved." not in done.output


def test_a_graver_fault_takes_precedence_over_a_page_that_was_not_compared(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(page, "release", lambda: "9.9.9")
    running = proof_of(made("toy", seat=1, until=20))
    assert (running.verdict.kind, running.verdict.status) == ("replayed", NOT_PROVED)
    wrong = prove_file(made("toy"), bundles.ALL, ["0123456789ab"])
    assert wrong.verdict.status == WRONG


@pytest.mark.parametrize("seat", [b"99", b"9", b"0", b"01"])
def test_a_last_line_that_names_no_seat_of_the_table_is_wrong(seat: bytes):
    fault = proof_of(made("toy").replace(b"seat none, SHA", b"seat " + seat + b", SHA")).fault
    assert fault is not None
    assert fault.ply is None


@pytest.mark.parametrize("lang", [b"--", b"xx", b"de-", b"zz_ZZ_zz", b"DE", b"____"])
def test_a_last_line_in_a_language_that_there_is_not_is_wrong(lang: bytes):
    assert proof_of(made("toy").replace(b", en, seat", b", " + lang + b", seat")).fault is not None


def test_the_page_of_a_running_game_is_not_compared():
    proof = proof_of(made("toy", seat=1, until=20))
    assert proof.fault is None
    assert said(proof) == "not compared, because the page can be made again from the log only after the game has ended"


# ==== comparisons of the page's script ============================================================
def ending_in(javascript: JavaScript, title: Title, raw: bytes) -> str | None:
    ending = json.loads(page._data(title.rules.ending).replace("\\u003c", "<"))
    found: str | None = javascript.call("endingIn", raw.decode(), ending)
    return found


FILES = [file for title in TITLES for file in record.files(title)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_the_result_that_the_script_reads_from_a_log_is_that_of_the_rules(javascript: JavaScript, file: Path):
    recorded = record.read(file)
    result = bundles.game_of(recorded).result
    assert result is not None
    expected = ", ".join(
        f"{line.seat}: {line.total}{' ★' if line.seat in result.winners else ''}"
        for line in sorted(result.standings, key=lambda line: line.seat)
    )
    assert ending_in(javascript, recorded.title, bundles.recorded(recorded)) == expected


@pytest.mark.parametrize("title", sorted(TITLES))
def test_a_running_game_has_no_result(javascript: JavaScript, title: str):
    raw = bundles.running(title, 3, 1, 40)
    assert read(raw).bundle.header.status == "running"
    assert ending_in(javascript, bundles.ALL[title], raw) is None


def test_each_title_says_how_its_log_tells_the_result():
    assert all(title.rules.ending is not None for title in TITLES.values())
