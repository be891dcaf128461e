"""``python -m tests.bench pages``: the size of each title's table on the wire, and the server's time for it.

Each title is measured with all its seats: at the seat's busiest position, and at the end. Sizes are those of the whole
answers, heads and all, compressed as a browser asks for them. The talk is full of lines of the greatest length. A first
visit is the page with all it needs. In a narrow window of a desktop browser the page comes twice, since the script
requests the fitting one (``python -m tests.browser.visits`` measures it in Chromium). A later visit is the page, and
the files that a browser requests again. Times are of a core, page and bare page in turns.
"""

import random
import re
import socket
import statistics
import string
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial

import click
import msgspec
from sqlalchemy import insert

import domain
from domain.chain import Ply
from domain.game import advance, fold
from domain.title import Title
from service.base.clock import now
from service.database.store import SEATS, Store, open_store
from service.games import talk
from service.people import accounts
from service.web.pages.parts.talk import IN_THE_TAB
from tests.bench import measure
from tests.bench.http import answer, people_of, served
from tests.bench.measure import Bench, Figure

SEEDS = 3
"""Games of random moves in which to find the busiest position."""
ROUNDS = 40
PAGE, FIRST, LATER, IN_WORDS = 25_000, 150_000, 30_000, 10_000
ABOVE = 8
"""Milliseconds."""
NEEDED = re.compile(r'<(?:link rel="(?:stylesheet|icon)" href|script src|use href)="([^"#]+)')
FONTS = re.compile(r'url\("([^"]+)"\)')


class Position(msgspec.Struct, frozen=True):
    """A table as a seat sees it. ``plies``: of its game."""

    what: str
    game_id: str
    seat: int
    plies: Sequence[Ply]


def bench_pages(bench: Bench) -> Iterator[Figure]:
    """Measure the size and the time of a table."""
    with closing(open_store(bench.addresses["SQLite"])) as store:
        store.migrate()
        tables = {title.id: list(positions_of(title)) for title in domain.TITLES.values()}
        people = people_of(store, max(title.seating.seats[-1] for title in domain.TITLES.values()))
        with store.write() as conn:
            sessions = [accounts.open_session(conn, number, now()) for number, _ in people]
        for title_id, positions in tables.items():
            for it in positions:
                keep(store, domain.TITLES[title_id], it, [number for number, _ in people])
                talk_in(store, it.game_id, people[0][0])
        with served(bench.addresses["SQLite"]) as port, socket.create_connection(("127.0.0.1", port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for title_id, positions in tables.items():
                for it in positions:
                    yield from _figures(connection, f"{title_id} {it.what}", it.game_id, sessions[it.seat - 1])


# ==== what is looked at ===========================================================================
def positions_of(title: Title) -> Iterator[Position]:
    """Return the position with the most actions for a seat, and the end of that game."""
    games = [measure.played(title, title.seating.seats[-1], seed) for seed in range(SEEDS)]
    most, plies, version, seat = max((_busiest(title, plies) for plies in games), key=lambda it: it[0])
    yield Position(f"with {most} actions", f"busy{title.prefix.lower()}", seat, plies[:version])
    yield Position(f"at the end, {title.seating.seats[-1]} seats", f"over{title.prefix.lower()}", 1, plies)


def _busiest(title: Title, plies: Sequence[Ply]) -> tuple[int, Sequence[Ply], int, int]:
    """Return the largest number of actions, with the game, the version and the seat."""
    game, most, where = fold("busy", title, ()), 0, (1, 1)
    for ply in plies:
        game = advance(game, ply)
        for seat in game.asked:
            count = len(title.rules.actions(game.state, seat))
            if count > most:
                most, where = count, (game.version, seat)
    return most, plies, *where


def keep(store: Store, title: Title, position: Position, people: Sequence[int]) -> None:
    measure.keep(store, title, position.game_id, position.plies)
    rows = [
        {"game_id": position.game_id, "seat": seat, "person_id": people[seat - 1], "joined_at": 0}
        for seat in range(1, title.seating.seats[-1] + 1)
    ]
    with store.write() as conn:
        conn.execute(insert(SEATS), rows)


def talk_in(store: Store, game_id: str, writer: int) -> None:
    """Fill the talk of a table with lines of the greatest length. Random letters compress worse than any language."""
    dice = random.Random(game_id)
    letters = string.ascii_lowercase + " " * 5
    rows = [
        {"game_id": game_id, "room": "players", "number": number, "writer_id": writer, "said_at": number,
         "text": "".join(dice.choices(letters, k=talk.LONGEST))}
        for number in range(1, IN_THE_TAB + 1)
    ]  # fmt: skip
    with store.write() as conn:
        conn.execute(insert(talk.LINES), rows)


# ==== what it takes ===============================================================================
def _figures(connection: socket.socket, what: str, game_id: str, session: str) -> Iterator[Figure]:
    def ask(path: str, *, drawing: str = "wide", tag: str = "", packed: bool = True) -> bytes:
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: session={session}; fits={drawing}; lang=en\r\n"
        head += "Accept-Encoding: gzip, deflate, br, zstd\r\n" if packed else ""
        head += f"If-None-Match: {tag}\r\n" if tag else ""
        connection.sendall(f"{head}\r\n".encode())
        got = answer(connection)
        if not got.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 304 ")):
            said = got.splitlines()[0].decode()
            raise click.ClickException(f"A request was not answered as it should be: {said} for {path}")
        return got

    table = f"/games/{game_id}"
    page, bare = ask(table), len(ask("/bare/"))
    files = {path: ask(path) for path in _needed(ask, ask(table, packed=False))}
    small = partial(ask, drawing="narrow")
    for_small = sum(len(ask(path)) for path in _needed(ask, small(table, packed=False)))
    again = {path: ask(path, tag=_header(it, "ETag")) for path, it in files.items() if b"immutable" not in it}
    narrow, whole = len(small(table)), len(ask(table, packed=False))
    yield Figure(f"{what}: the page", _kilo(len(page)), f"{_kilo(whole)} not packed", _kilo(PAGE))
    yield Figure("  with the board for phones", _kilo(narrow), f"{_kilo(bare)} bare page", _kilo(PAGE))
    talked = len(ask(f"{table}?show=talk"))
    yield Figure("  with the talk open", _kilo(talked), f"{_kilo(len(page))} the page", _kilo(PAGE))
    first, later = len(page) + sum(map(len, files.values())), len(page) + sum(map(len, again.values()))
    yield Figure("  first visit", _kilo(first), f"{_kilo(len(page))} the page, {len(files)} files", _kilo(FIRST))
    both = _kilo(len(page) + narrow)
    yield Figure("  in a narrow window", _kilo(len(page) + narrow + for_small), f"{both} both pages", _kilo(FIRST))
    yield Figure("  later visit", _kilo(later), f"{_kilo(len(page))} the page, {len(again)} files", _kilo(LATER))
    yield _time("  of a core, median", ask, table)
    words = f"{table}/text"
    whole = len(ask(words, packed=False))
    yield Figure("  in words", _kilo(len(ask(words))), f"{_kilo(whole)} not packed", _kilo(IN_WORDS))
    yield _time("  in words, of a core, median", ask, words)


def _time(what: str, ask: Callable[..., bytes], path: str) -> Figure:
    ours, yardstick = _medians(ask, path)
    told = f"{ours:.1f} ms, {ours - yardstick:.1f} above"
    return Figure(what, told, f"{yardstick:.2f} ms bare page", f"{ABOVE} ms above")


def _needed(ask: Callable[..., bytes], page: bytes) -> list[str]:
    """Return the addresses of everything that a page needs: its style sheet and the fonts, scripts, icon, ground."""
    found = list(dict.fromkeys(NEEDED.findall(page.decode())))
    sheets = [ask(path, packed=False) for path in found if path.startswith("/style.css")]
    return found + list(dict.fromkeys(font for sheet in sheets for font in FONTS.findall(sheet.decode())))


def _header(answered: bytes, name: str) -> str:
    found = re.search(rf"^{name}: (.*)\r$", answered.partition(b"\r\n\r\n")[0].decode(), re.MULTILINE)
    return found[1] if found else ""


def _medians(ask: Callable[..., bytes], table: str) -> tuple[float, float]:
    """Return the milliseconds of a core for the table, and for a bare page."""

    def spent() -> float:
        return float(msgspec.json.decode(ask("/bare/spent").partition(b"\r\n\r\n")[2])["seconds"])

    def took(path: str) -> float:
        began = spent()
        ask(path)
        return (spent() - began) * 1000

    both = [(took(table), took("/bare/")) for _ in range(ROUNDS)]
    return statistics.median(it[0] for it in both), statistics.median(it[1] for it in both)


def _kilo(size: int) -> str:
    return f"{size / 1000:.1f} kB"
