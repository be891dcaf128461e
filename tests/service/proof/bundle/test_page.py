"""The page: self-contained, in both languages, with the positions of the game, and a proved bundle."""

import json
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from domain.game import advance, fold
from domain.words import say
from service.base import fonts
from service.database.store import Stored
from service.proof.bundle import page
from service.proof.bundle.format import CLOSING, OPENING, Unreadable, read, write
from service.proof.bundle.make import bundle
from service.proof.bundle.prove import prove_file
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.javascript import JavaScript

HERE = Path(page.__file__).parent
TITLES = sorted(bundles.ALL)


def made(title: str, seat: int | None = None, lang: str = "en", until: int | None = None) -> bytes:
    played = bundles.random_game(title, 3)
    log = bundles.log_of(played, played.game.id, until)
    game = fold(played.game.id, played.title, [played.title.chain.decode(it.open, it.sealed) for it in log])
    stored = Stored(None, game, played.secret, log[-1].link)
    return page.page(bundle(stored, log, seat), stored, log, seat, lang)


def data_of(raw: bytes) -> dict:
    return json.loads(re.search(rb'id="st-replay">(.*?)</script>', raw, re.DOTALL)[1])


@pytest.mark.long("de")
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_both_verifiers_prove_a_page(javascript: JavaScript, title: str, lang: str):
    raw = made(title, lang=lang)
    inside = raw.partition(OPENING)[2].partition(CLOSING)[0]
    assert inside == bundles.finished(title, 3)
    assert prove_file(raw, bundles.ALL).fault is None
    assert javascript.verify(inside)["fault"] is None


@pytest.mark.parametrize("title", TITLES)
def test_it_needs_no_network(title: str):
    raw = made(title).decode()
    assert "default-src 'none'" in raw
    assert not re.search(r"<(link|img|iframe|object|base)\b", raw)
    assert not re.search(r"<script[^>]*\bsrc", raw)
    assert not re.search(r"@import|url\((?!\"data:|#|'#)", raw)
    assert set(re.findall(r"https?://[^\"'\s<]*", raw)) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("title", TITLES)
def test_its_frames_are_the_positions(title: str):
    """Decoded as by the page's script, they give the pieces on the board at every version."""
    played = bundles.random_game(title, 3)
    replay, here, drawn = data_of(made(title, seat=1)), [], 0
    game = fold(played.game.id, played.title, ())
    assert len(replay["frames"]) == len(played.plies)
    for ply, frame in zip(played.plies, replay["frames"], strict=True):
        game = advance(game, ply)
        ground, first, end, between, label, *_ = frame
        if ground < 0:
            assert game.status in ("open", "cancelled")
            continue
        here = here[:first] + between + here[len(here) - end :]
        picture = played.title.face.picture(
            played.title.rules.view(game.state, 1), "page", played.title.face.words.english
        )
        shown = [replay["places"][place] for place in here]
        assert [(replay["pieces"][piece], x, y) for piece, x, y in shown] == [
            (it.svg, round(it.x, 1), round(it.y, 1)) for it in picture.pieces
        ]
        assert replay["texts"][label] == say(
            picture.label, played.title.face.words.english, lambda seat: f"Seat {seat}"
        )
        drawn += 1
    assert drawn > 5


def test_it_is_printed_on_white_paper():
    """This holds for a dark screen, too."""
    dark = re.findall(r"@media ([^{]*prefers-color-scheme: dark[^{]*)\{", made("grand_trunk").decode())
    assert {it.strip() for it in dark} == {"screen and (prefers-color-scheme: dark)"}


def test_a_page_grows_by_at_most_two_kilobytes_a_ply():
    """The page holds the ground and the fonts once. A ply costs a few hundred bytes beside its log."""
    short, long = made("grand_trunk", until=20), made("grand_trunk")
    assert len(short) < 450_000
    plies = len(data_of(long)["frames"]) - 20
    assert len(long) - len(short) < 2000 * plies


def test_its_scripts_say_how_the_game_stands_as_the_page_does():
    script = (HERE / "page.js").read_text()
    for status, english in page.STATUSES.items():
        assert f'{status}: N_("{english}")' in script


def test_the_words_of_its_scripts_come_with_it_under_its_digest():
    words = page.words_of_scripts("de")
    assert len(words) > 70
    assert all(other and other != english for english, other in words.items())
    assert page.words_of_scripts("en") == {}


@pytest.mark.parametrize("file", sorted({face[2] for face in page.FACES}))
def test_the_packed_letters_are_those_of_the_fonts(file: str):
    """The packed fonts were made with ``font = TTFont(file); font.flavor = "woff"; font.save(...)``."""
    letters = [TTFont(fonts.FOLDER / f"{file}.{form}") for form in ("ttf", "woff")]
    unpacked, packed = (font.reader for font in letters)
    tables = sorted(unpacked.keys())
    assert sorted(packed.keys()) == tables
    assert [tag for tag in tables if unpacked[tag] != packed[tag]] in ([], ["head"])  # "head" has the file's checksum


def test_the_verifier_says_every_fault(javascript: JavaScript):
    source = (HERE / "verifier.js").read_text()
    faults = set(re.findall(r'new Fault\("([^"]+)"', source)) | {"cut off", "missing", "line"}
    known = set(json.loads(javascript.value("JSON.stringify(Object.keys(FAULTS))")))
    assert faults - {"unreadable"} == known - {"unreadable"}


def test_each_text_of_its_scripts_has_a_name_of_its_own():
    """If two had the same name, the second would replace the first."""
    for file, table in (("page.js", "SAID"), ("verifier.js", "FAULTS"), ("verifier.js", "VERDICTS")):
        inside = (HERE / file).read_text().partition(f"const {table} = {{")[2].partition("};")[0]
        names = re.findall(r'^ +"?([a-z ]+)"?: N_', inside, re.MULTILINE)
        assert len(names) == len(set(names)) > 5, table


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_verdict_is_said_in_both_languages(javascript: JavaScript, lang: str):
    said = javascript.verdict(javascript.verify(bundles.finished("toy", 3)), lang)
    assert "{" not in said
    assert "undefined" not in said
    assert ("form an unbroken chain" in said) == (lang == "en")


def test_its_script_can_be_read(javascript: JavaScript):
    source = (HERE / "page.js").read_text()
    assert javascript.value(f"typeof new Function({json.dumps(source)})") == "function"


@pytest.mark.parametrize("raw", [b"<!doctype html><p>Hello", b"<!doctype html>" + OPENING + b"no end"])
def test_a_page_without_a_bundle_is_refused(raw: bytes):
    with pytest.raises(Unreadable, match="contains no bundle"):
        read(raw)


def test_no_text_of_a_log_can_break_out_of_the_page():
    """Nothing in a log can end the script element it stands in."""
    reading = read(bundles.finished("toy", 3))
    raw = write(reading.bundle)
    assert b"<" not in raw
    assert b"<" not in re.search(rb'id="st-replay">(.*?)</script>', made("toy"), re.DOTALL)[1]


def test_each_id_is_given_once_and_what_its_scripts_read_is_there():
    text = made("toy", lang="de").decode()
    ids = re.findall(r'<[^>]* id="([^"]+)"', text)
    assert sorted(ids) == sorted(set(ids))
    script = (HERE / "page.js").read_text()
    assert set(re.findall(r'byId\("([^"]+)"\)', script)) <= set(ids)
