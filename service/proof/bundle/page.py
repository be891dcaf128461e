"""A bundle as a page: one HTML file that needs no network, with the board ply by ply, the story, and its own proof.

The page holds the ground of the board once, and each piece and each place once. A position is a list of placed pieces,
stored as the changes since the one before. Like the bundle, the page names seats by their numbers, never people.

The last line of a page is a comment: the release that made it, language and reader, and the SHA-256 of all bytes
before it. From the log of a finished game the same release makes the same bytes again. So `compared` finds any change
in a page: in its sentences, its pictures and its script.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from domain import TITLES
from domain.chain import StoredPly
from domain.drawing import css_variables
from domain.face import Picture
from domain.game import Game, advance, fold
from domain.title import Title
from domain.words import Sentence
from service.base import clock, fonts
from service.database.store import Stored
from service.games import queries
from service.games.drawings import view_box
from service.games.queries import Occupant, Seen
from service.proof.bundle.format import OPENING, Bundle, is_page, stored_plies, write
from service.proof.verdicts import WORDS, say
from service.words import N_, called, spoken

HERE = Path(__file__).parent
FACES = (
    ("Alegreya", "600 900", "Alegreya-Bold"),
    ("Alegreya Sans", "400 500", "AlegreyaSans-Medium"),
    ("Alegreya Sans", "600 900", "AlegreyaSans-Bold"),
)
"""The fonts of boards and pages: family, weights, file."""

STATUSES = {
    "open": N_("The game has not begun."),
    "running": N_("The game is running."),
    "over": N_("The game is over."),
    "cancelled": N_("The table was closed, without a result."),
}


def page(bundle: Bundle, stored: Stored, plies: Sequence[StoredPly], seat: int | None, lang: str) -> bytes:
    """Make the page of ``bundle``, which holds these ``plies``, with the positions as ``seat`` saw them."""
    body = _body(bundle, stored, plies, seat, lang)
    digest = hashlib.sha256(body).hexdigest()
    return body + f"<!-- Slow Train {release()}, {lang}, seat {seat or 'none'}, SHA-256 {digest} -->\n".encode()


def _body(bundle: Bundle, stored: Stored, plies: Sequence[StoredPly], seat: int | None, lang: str) -> bytes:
    seen = _seen(stored, seat, lang)
    replay = Replay(seen, plies, lang)
    header, title, language = bundle.header, stored.game.title, spoken(WORDS, lang)

    def in_words(text: str, **facts: Any) -> str:
        return language.texts.get(text, text).format(**facts)

    made = (
        _templates()
        .get_template("page.html")
        .render(
            _=in_words,
            lang=lang,
            header=header,
            name=called(title, lang),
            style=Markup(_style()),
            notes=[seen.say(note, lang) for note in title.face.notes],
            story=replay.story,
            board=replay.board,
            result=queries.result(seen),
            statuses=STATUSES,
            replay=_data({**replay.data(), "ending": title.rules.ending, "rules": title.rules.version}),
            opening=Markup(OPENING.decode()),
            bundle=Markup(write(bundle).decode()),
            words=_data(words_of_scripts(lang)),
            scripts=[Markup((HERE / name).read_text()) for name in SCRIPTS],
        )
    )
    return made.encode() + b"\n"


SCRIPTS = ("verifier.js", "page.js")
_SAID_BY_SCRIPT = re.compile(r'\bN_\(("(?:[^"\\]|\\.)*")\)')


def words_of_scripts(lang: str) -> dict[str, str]:
    """The texts of the page's scripts, English -> the page's language, for texts that differ there."""
    said = [json.loads(text) for name in SCRIPTS for text in _SAID_BY_SCRIPT.findall((HERE / name).read_text())]
    texts = spoken(WORDS, lang).texts
    return {text: texts[text] for text in said if text in texts}


# ==== comparing ===================================================================================
class Compared(msgspec.Struct, frozen=True):
    """The result of comparing a page with its log; None if this program cannot compare. ``said``: the same in words."""

    same: bool | None
    said: Sentence


_LAST_LINE = re.compile(
    rb"<!-- Slow Train ([0-9A-Za-z.+]{1,40}), ([A-Za-z0-9_-]{2,35}), seat (none|[1-9][0-9]?), "
    rb"SHA-256 ([0-9a-f]{64}) -->\n\Z"
)


SIGNED: Final = 2
"""The version of the rules since which every release signs its pages with a last line."""


def release() -> str:
    """The release of this program."""
    return metadata.version("slowtrain")


def compared(raw: bytes, bundle: Bundle, titles: Mapping[str, Title]) -> Compared | None:
    """Compare the page ``raw`` with one made anew from ``bundle``, its proved content. Return None if it is no page."""
    if not is_page(raw):
        return None
    last = _LAST_LINE.search(raw)
    if last is None:
        if bundle.header.rules >= SIGNED:
            return Compared(
                False,
                Sentence("The last line of the page is missing. Every release that wrote such logs adds this line."),
            )
        return Compared(None, Sentence("not compared, because the page does not name its release"))
    by, lang, seat, digest = (each.decode() for each in last.groups())
    if hashlib.sha256(raw[: last.start()]).hexdigest() != digest:
        return Compared(
            False, Sentence("The page was changed after it was made: it does not match the digest in its last line.")
        )
    if seat != "none" and int(seat) > bundle.header.seats:
        return Compared(
            False, Sentence("The page names a reader who has no seat at the table: {seat}.", {"seat": seat})
        )
    if by != release():
        return Compared(
            None,
            Sentence(
                "not compared, because release {release} made the page and this is release {here}",
                {"release": by, "here": release()},
            ),
        )
    if bundle.secret is None:
        return Compared(
            None,
            Sentence("not compared, because the page can be made again from the log only after the game has ended"),
        )
    again = _again(bundle, titles[bundle.header.title], None if seat == "none" else int(seat), lang)
    if again == raw:
        return Compared(True, Sentence("made again from the log, with every byte the same"))
    return Compared(False, _difference(raw, again))


def _again(bundle: Bundle, title: Title, seat: int | None, lang: str) -> bytes:
    plies = stored_plies(bundle)
    game = fold(bundle.header.game, title, [title.chain.decode(it.open, it.sealed) for it in plies])
    assert bundle.secret is not None
    stored = Stored(None, game, bytes.fromhex(bundle.secret), plies[-1].link)
    return page(bundle, stored, plies, seat, lang)


def _difference(raw: bytes, again: bytes) -> Sentence:
    """The first difference between two pages, with a few words from there."""
    shorter = min(len(raw), len(again))
    at = next((at for at in range(shorter) if raw[at] != again[at]), shorter)
    start = max(0, at - 20)
    has, makes = (each[start : at + 40].decode(errors="replace").replace("\n", " ") for each in (raw, again))
    return Sentence(
        "The page does not match the log: it has “{has}” where this release makes “{makes}”.",
        {"has": has, "makes": makes},
    )


# ==== the template ================================================================================


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _data(value: Any) -> Markup:
    """Encode as JSON that can stand inside a script element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))


def _seen(stored: Stored, seat: int | None, lang: str) -> Seen:
    """The game as the reader sees it, without names."""
    assert stored.game.table is not None
    names = (say(Sentence("Seat {seat}", {"seat": seat}), lang) for seat in range(1, stored.game.table.seats + 1))
    places = {seat: Occupant(seat, name) for seat, name in enumerate(names, 1)}
    return Seen(stored, None, seat, False, places)


# ==== the replay ==================================================================================
class Line(msgspec.Struct, frozen=True):
    """A ply as the story tells it."""

    ply: int
    at: str
    said: tuple[str, ...]
    withdrawn: bool


class Replay:
    """All positions of a game, stored as the changes from each to the next."""

    def __init__(self, seen: Seen, plies: Sequence[StoredPly], lang: str) -> None:
        self.seen, self.lang = seen, lang
        self.story: list[Line] = []
        self.grounds, self.pieces, self.places, self.texts = Numbered(), Numbered(), Numbered(), Numbered()
        self.frames: list[Any] = []
        self._before: list[int] = []
        self._last: tuple[int, Picture, str] | None = None
        self._play(plies)

    def _play(self, plies: Sequence[StoredPly]) -> None:
        title = self.seen.title
        read = [title.chain.decode(it.open, it.sealed) for it in plies]
        withdrawn = queries.withdrawn_among(read)
        games: list[Game] = [fold(self.seen.game.id, title, ())]
        for it, ply in zip(plies, read, strict=True):
            games.append(advance(games[-1], ply, games.__getitem__))
            told = queries.redacted(self.seen, it, ply)
            said = tuple(self.seen.say(sentence, self.lang) for sentence in title.face.narrate(told.events))
            at = clock.to_the_minute(told.at) if told.at else ""
            self.story.append(Line(ply.number, at, said, ply.number in withdrawn))
            self._position(games[-1])

    def _position(self, game: Game) -> None:
        shown = queries.shown(self.seen, self.lang, game)
        texts = [self.texts.of(text) for text in (*shown.hand, *shown.standing)]
        hand = len(shown.hand)
        if shown.view is None:
            self.frames.append([-1, 0, 0, [], -1, hand, texts])
            return
        picture = self.seen.title.face.picture(shown.view, "page", self.seen.language(self.lang))
        label = self.seen.say(picture.label, self.lang)
        here = [self._place(piece) for piece in picture.pieces]
        first, last, middle = changed(self._before, here)
        self._before = here
        ground = self.grounds.of((view_box(picture), picture.defs, picture.ground))
        self.frames.append([ground, first, last, middle, self.texts.of(label), hand, texts])
        self._last = ground, picture, label

    def _place(self, piece: Any) -> int:
        return self.places.of((self.pieces.of(piece.svg), round(piece.x, 1), round(piece.y, 1)))

    @property
    def board(self) -> Markup:
        """The last position, for readers without a script. The script puts other pieces on its ground."""
        if self._last is None:
            return Markup("")
        _, picture, label = self._last
        pieces = "".join(
            f'<g transform="translate({piece.x:.1f} {piece.y:.1f})">{piece.svg}</g>' for piece in picture.pieces
        )
        return Markup('<svg xmlns="http://www.w3.org/2000/svg" viewBox="{}" role="img"><title>{}</title>').format(
            view_box(picture), label
        ) + Markup(f"<defs>{picture.defs}</defs>{picture.ground}<g>{pieces}</g></svg>")

    def data(self) -> dict[str, Any]:
        """The replay as JSON. Each of ``frames`` holds the ground, the numbers of places kept at both ends, the places
        between, the label, the number of texts about the reader's hand, and the texts (hand first).
        """
        grounds = self.grounds.all
        if self._last is not None:
            grounds[self._last[0]] = None  # the page has it already
        return {
            "grounds": grounds,
            "pieces": self.pieces.all,
            "places": self.places.all,
            "texts": self.texts.all,
            "frames": self.frames,
        }


class Numbered:
    """Things by number, each kept once."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def of(self, thing: Any) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))

    @property
    def all(self) -> list[Any]:
        return list(self._numbers)


def changed(before: Sequence[int], after: Sequence[int]) -> tuple[int, int, list[int]]:
    """The lengths of the common beginning and end of two lists, and the items of ``after`` between them."""
    shorter = min(len(before), len(after))
    first = _same(zip(before, after, strict=False), shorter)
    last = _same(zip(reversed(before), reversed(after), strict=False), shorter - first)
    return first, last, list(after[first : len(after) - last])


def _same(pairs: Iterable[tuple[int, int]], most: int) -> int:
    count = 0
    for one, other in pairs:
        if count == most or one != other:
            break
        count += 1
    return count


# ==== the style ===================================================================================
@cache
def _style() -> str:
    """Letters, the colours of the boards in light and dark, and ``page.css``."""
    faces = "\n".join(
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; src: url("{_font(file)}") format("woff"); }}'
        for family, weight, file in FACES
    )
    light, dark = (css_variables(theme, TITLES.values()) for theme in ("light", "dark"))
    return "\n".join(
        (
            faces,
            f":root {{ {light} }}",
            f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}",
            (HERE / "page.css").read_text(),
        )
    )


def _font(name: str) -> str:
    """The font as a data URL: the packed file as stored here, since every library compresses differently."""
    packed = (fonts.FOLDER / f"{name}.woff").read_bytes()
    return f"data:font/woff;base64,{base64.b64encode(packed).decode()}"
