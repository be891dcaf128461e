"""The size of a first visit to a table in a real browser, on the wire, in windows of three kinds.

    python -m tests.browser.visits [--title new_england]

It visits the two positions of each title that ``python -m tests.bench pages`` measures, in the system's Chromium
(Debian: ``apt install chromium``; ``pip install -e '.[browser]'``): in a wide window, in a narrow one, of which the
server cannot know at first (``Sec-CH-UA-Mobile: ?0``), and on a phone; in the end it opens the tab of talk. Every byte
between browser and server counts, even of requests that are given up. It ends with 1 if a visit weighs more than
`FIRST`, a later one more than `LATER`, or the board is not the one that fits.
"""

import socket
import socketserver
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import click
from playwright.sync_api import sync_playwright

import domain
from service.base.clock import now
from service.database.store import open_store
from service.people import accounts
from tests.bench.http import people_of, served
from tests.bench.pages import FIRST, LATER, keep, positions_of
from tests.browser.busy import talk
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE

PHONE = "Pixel 7"
"""A device that playwright knows, by its name for itself as well as its size."""
WINDOWS = {"wide": "wide", "narrow": "narrow", PHONE: "narrow"}
"""A kind of window -> the drawing that fits it."""


class Wire(socketserver.ThreadingTCPServer):
    """A relay before the server at ``behind``: it passes on both directions, and counts the server's bytes."""

    daemon_threads = True

    def __init__(self, behind: int) -> None:
        super().__init__(("127.0.0.1", 0), Line)
        self.behind, self.port, self.bytes = behind, int(self.server_address[1]), 0


class Line(socketserver.BaseRequestHandler):
    """One connection of the browser's."""

    server: Wire

    def handle(self) -> None:
        with socket.create_connection(("127.0.0.1", self.server.behind)) as site:
            threading.Thread(target=_hand_on, args=(self.request, site), daemon=True).start()
            while got := _read(site):
                self.server.bytes += len(got)
                _say(self.request, got)


@contextmanager
def wire_to(port: int) -> Iterator[Wire]:
    with Wire(port) as wire:
        threading.Thread(target=wire.serve_forever, daemon=True).start()
        yield wire
        wire.shutdown()


def _hand_on(browser: socket.socket, site: socket.socket) -> None:
    while got := _read(browser):
        _say(site, got)
    with suppress(OSError):
        site.shutdown(socket.SHUT_RDWR)  # the browser has hung up


def _read(end: socket.socket) -> bytes:
    try:
        return end.recv(65536)
    except OSError:
        return b""


def _say(end: socket.socket, said: bytes) -> None:
    with suppress(OSError):
        end.sendall(said)


@click.command()
@click.option("--title", multiple=True, type=click.Choice(list(domain.TITLES)), help="One title, or several.")
def main(title: tuple[str, ...]) -> None:
    """Visit the tables of each title for the first time, and again."""
    wrong = [it for each in title or tuple(domain.TITLES) for it in visited(each)]
    for it in wrong:
        click.echo(it, err=True)
    sys.exit(1 if wrong else 0)


def visited(title_id: str) -> Iterator[str]:
    """Return the faults of one title."""
    title = domain.TITLES[title_id]
    with tempfile.TemporaryDirectory() as room, closing(open_store(f"sqlite:///{room}/visits.db")) as store:
        store.migrate()
        people = [number for number, _ in people_of(store, title.seating.seats[-1])]
        with store.write() as conn:
            sessions = [accounts.open_session(conn, number, now()) for number in people]
        looked_at = list(positions_of(title))
        for it in looked_at:
            keep(store, title, it, people)
            talk(store, it.game_id, people)
        with served(f"sqlite:///{room}/visits.db") as port, wire_to(port) as wire, sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for it in looked_at:
                for window, fitting in WINDOWS.items():
                    size = {"width": 1280 if window == "wide" else 400, "height": 800}
                    made = driver.devices[PHONE] if window == PHONE else {"viewport": size}
                    context = browser.new_context(**made)
                    context.set_default_timeout(PATIENCE)
                    site = f"http://127.0.0.1:{wire.port}"
                    context.add_cookies([{"name": "session", "value": sessions[it.seat - 1], "url": site}])
                    what = f"{title_id} {it.what}, {window} window"
                    yield from _seen(context, wire, f"{site}/games/{it.game_id}", what, fitting)
                    context.close()
            browser.close()


def _seen(context: Any, wire: Wire, address: str, what: str, fitting: str) -> Iterator[str]:
    """Return the faults of a first visit and of two later ones."""
    page = context.new_page()
    weighed = []
    for most, tab in ((FIRST, ""), (LATER, ""), (LATER, "?show=talk")):
        before = wire.bytes
        page.goto(address + tab, wait_until="load")
        page.wait_for_function(f"document.querySelector('.board > .{fitting} use')")
        page.evaluate("document.fonts.ready")
        _wait_until_quiet(page, wire)
        weighed.append(wire.bytes - before)
        if weighed[-1] > most:
            yield f"{what}: {weighed[-1]} bytes, {most} are allowed"
    first, later, talking = (f"{it / 1000:.1f} kB" for it in weighed)
    click.echo(f"{what}: first visit {first}, later visit {later}, with the tab of talk {talking}")


def _wait_until_quiet(page: Any, wire: Wire) -> None:
    """Wait for a second without a byte. A live page opens a stream, so playwright's own "networkidle" never comes."""
    before = -1
    while before != wire.bytes:
        before = wire.bytes
        page.wait_for_timeout(1000)


if __name__ == "__main__":
    main()
