"""What a page shows is what its log makes: `slowtrain verify` makes it again, and its script compares the result."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from domain import TITLES
from domain.title import Title
from service.database.store import Stored
from service.proof.bundle import page
from service.proof.bundle.format import read, write
from service.proof.bundle.make import bundle
from service.proof.bundle.prove import Proof, prove_file
from service.proof.verdicts import say
from tests import record
from tests.domain import byhand
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.javascript import JavaScript

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
    """What is said of the page."""
    assert proof.page
    return say(proof.page, "en")


def signed(raw: bytes) -> bytes:
    """A forger's page: the digest in its last line is that of what it says now."""
    body, last = raw.rsplit(b"<!--", 1)
    digest = byhand.sha256(body).hexdigest().encode()
    return body + b"<!--" + re.sub(rb"SHA-256 [0-9a-f]{64}", b"SHA-256 " + digest, last)


@pytest.mark.parametrize("title", NAMES)
@pytest.mark.parametrize(("lang", "seat"), [("en", None), ("de", 2)])
def test_a_page_is_made_again_to_the_same_bytes(title: str, lang: str, seat: int | None):
    proof = proof_of(made(title, lang, seat))
    assert (proof.fault, said(proof)) == (None, "made again from the log to the same bytes")


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
def test_what_was_changed_in_a_page_is_found(forgery: str, hashed_anew: bool):
    honest = made("toy")
    changed = FORGERIES[forgery](honest)
    assert changed != honest
    fault = proof_of(signed(changed) if hashed_anew else changed).fault
    assert fault is not None
    assert "The page " in str(fault)
    if forgery == "a sentence of the story" and hashed_anew:
        assert "Alice has won 999:0" in str(fault)


def test_something_behind_the_last_line_is_no_last_line():
    longer = proof_of(made("toy") + b"<p>Alice has won</p>")
    assert said(longer) == "not compared: it does not say which release made it"


def test_the_page_of_another_release_is_not_compared(monkeypatch: pytest.MonkeyPatch):
    raw = made("toy")
    monkeypatch.setattr(page, "release", lambda: "9.9.9")
    assert re.fullmatch(r"not compared: release \S+ made it, and this is 9\.9\.9", said(proof_of(raw)))
    assert "changed after it was made" in str(proof_of(FORGERIES["the script"](raw)).fault)


def test_the_page_of_a_running_game_is_not_compared():
    proof = proof_of(made("toy", seat=1, until=20))
    assert proof.fault is None
    assert said(proof) == "not compared: it can be made again from the log once the game has ended"


# ==== what the page's script compares =============================================================
def ending_in(javascript: JavaScript, title: Title, raw: bytes) -> str | None:
    ending = json.loads(page._data(title.ending).replace("\\u003c", "<"))
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
    assert all(title.ending is not None for title in TITLES.values())
