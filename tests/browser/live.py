"""Live pages in Chromium: players, spectators and hidden tabs hear of moves, and go on when something on the way fails.

    python -m tests.browser.live [--production] [--moves 60]

It starts the service in the embedded profile, or a web process, a hub and Redis with ``--production``, behind a small
proxy. Two browsers look at a table while others move twenty times a second elsewhere. Proxy and other players are
processes of their own, so that they do not hold up the one that measures. The check prints the time from a commit until
both pages show it, with its phases, and ends with 1 if a page misses something. It takes a minute or two.
"""

import asyncio
import contextlib
import itertools
import multiprocessing
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import psutil  # type: ignore[import-untyped]
import redis
from playwright.sync_api import BrowserContext, Page, sync_playwright

from config.settings import Settings
from domain.lifecycle import StartGame
from service.base.clock import now
from service.database.store import Store, open_store
from service.database.work import Work
from service.people import accounts
from tests import road
from tests.bench.http import people_of
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE, free_port
from tests.servers import Redis
from tests.workers import processes

TITLE = "grand_trunk"
PER_SECOND = 20


# ==== a proxy =====================================================================================
APART = multiprocessing.get_context("spawn")


class Proxy:
    """A reverse proxy with one origin for site and hub. ``holds_back``: it buffers answers, as bad proxies do.

    ``streams``: the number of streams that were asked for.
    """

    def __init__(self, port: int, site: int, hub: int) -> None:
        self.port, self.site, self.hub = port, site, hub
        self.buffers, self.asked = APART.Value("b", 0), APART.Value("i", 0)

    @property
    def streams(self) -> int:
        return int(self.asked.value)

    def hold_back(self, holds: bool) -> None:
        self.buffers.value = int(holds)

    def serve(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        await (await asyncio.start_server(self._answer, "127.0.0.1", self.port)).serve_forever()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError), contextlib.closing(writer):
            head = await reader.readuntil(b"\r\n\r\n")
            first, *rest = head.split(b"\r\n")
            is_stream = first.startswith(b"GET /live?")
            self.asked.value += is_stream
            length = next((int(it[15:]) for it in rest if it.lower().startswith(b"content-length:")), 0)
            body = await reader.readexactly(length)
            kept = [it for it in rest if it and not it.lower().startswith(b"connection:")]
            its, to = await asyncio.open_connection("127.0.0.1", self.hub if is_stream else self.site)
            to.write(b"\r\n".join([first, *kept, b"Connection: close", b"", body]))
            held = b""
            with contextlib.closing(to):
                gone = asyncio.create_task(reader.read())
                while got := await self._read(its, gone):
                    if is_stream and self.buffers.value:
                        held += got
                    else:
                        writer.write(got)
                        await writer.drain()
            writer.write(held)
            await writer.drain()

    async def _read(self, its: asyncio.StreamReader, gone: "asyncio.Task[bytes]") -> bytes:
        """Read an answer until its end, or until the browser has gone."""
        reading = asyncio.create_task(its.read(65536))
        await asyncio.wait({reading, gone}, return_when=asyncio.FIRST_COMPLETED)
        return await reading if reading.done() else b""


# ==== the service =================================================================================
class Service:
    """The service behind a proxy, with people and their games. ``redis``: in production."""

    def __init__(self, settings: Settings, proxy: Proxy, redis: Redis | None = None) -> None:
        self.settings, self.proxy, self.redis = settings, proxy, redis
        self.store = open_store(settings.database, settings=settings)
        self.people = [number for number, _ in people_of(self.store, 4)]
        self.dice = random.Random(1)

    def game(self, *people: int) -> str:
        at = now()
        opened = road.open_game(
            self.store, title=TITLE, options={}, seats=3, name="A live table", host_id=people[0], public=True,
            settle_ms=0, at=at,
        )  # fmt: skip
        for seat, person in enumerate(people, 1):
            road.take_seat(self.store, opened.game_id, seat, choice={}, at=at, person_id=person)
        road.submit(self.store, opened.game_id, None, [StartGame()], None, None, at)
        return opened.game_id

    def move(self, game_id: str) -> tuple[int, float]:
        return moved(self.store, game_id, self.dice)

    def session(self, context: BrowserContext, person: int) -> None:
        """Sign a browser in."""
        with self.store.write() as conn:
            token = accounts.open_session(conn, person, now())
        name = "__Host-session" if self.settings.site.startswith("https://") else "session"
        context.add_cookies([{"name": name, "value": token, "url": self.settings.site}])


def moved(store: Store, game_id: str, dice: random.Random) -> tuple[int, float]:
    """Make moves until all see one. Return the version then, and the time of its commit in milliseconds."""
    before = Work(store).game(game_id).game.version_for(None)
    committed = 0.0
    while (game := Work(store).game(game_id).game).version_for(None) == before:
        seat = game.asked[0]
        commands = game.title.bots["sensible"](game.title.rules.view(game.state, seat), dice)
        road.submit(store, game_id, seat, commands, None, None, now())
        committed = time.time() * 1000
    return game.version_for(None), committed


def move_elsewhere(settings: Settings, games: Sequence[str]) -> None:
    """Move in other games, ``PER_SECOND`` times a second in all, for ever."""
    dice = random.Random(2)
    with contextlib.closing(open_store(settings.database, settings=settings)) as store:
        while True:
            began = time.monotonic()
            for each in games:
                if Work(store).game(each).game.asked:
                    moved(store, each, dice)
            time.sleep(max(0, len(games) / PER_SECOND - (time.monotonic() - began)))


@contextlib.contextmanager
def apart(work: Callable[..., None], *given: Any) -> Iterator[None]:
    """Do work in a process of its own, which is gone at the end."""
    process = APART.Process(target=work, args=given, daemon=True)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


@contextlib.contextmanager
def serving(production: bool) -> Iterator[tuple[Service, Callable[[], Any]]]:
    """Run the service. Yield it, and a function that kills and restarts the process with the streams."""
    site, hub, front = free_port(), free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        given: dict[str, Any] = {"rate_limits": False, "base_url": f"http://127.0.0.1:{front}", "port": site}
        server = Redis() if production else None
        if server is not None:
            stack.callback(server.stop)
            settings = processes.production(
                Path(folder), f"sqlite:///{folder}/site.db", server.url, live_port=hub, **given
            )
        else:
            settings, hub = processes.embedded(Path(folder), **given), site
        with contextlib.closing(open_store(settings.database, settings=settings)) as store:
            store.migrate()
        command = (sys.executable, "-c", "from service.cli.main import main; main()")
        commands = {"web": ["web", "--processes", "2"], "live": ["live"]} if production else {"web": ["web"]}
        running = {
            name: stack.enter_context(processes.process(settings, *command, *given)) for name, given in commands.items()
        }

        def again() -> None:
            name = "live" if production else "web"
            psutil.Process(running[name].pid).kill()
            running[name].wait()
            running[name] = stack.enter_context(processes.process(settings, *command, *commands[name]))
            until_answered(hub)

        proxy = Proxy(front, site, hub)
        stack.enter_context(apart(proxy.serve))
        for port in (hub, front):
            until_answered(port)
        yield Service(settings, proxy, server), again


def until_answered(port: int) -> None:
    import requests

    for _ in range(600):
        with contextlib.suppress(requests.ConnectionError):
            if requests.get(f"http://127.0.0.1:{port}/healthz", timeout=5).status_code == 200:
                return
        time.sleep(0.1)
    raise click.ClickException("The service does not answer.")


# ==== the pages ===================================================================================
WATCHED = """() => {
  window.stays = true;
  window.seen = [];
  const note = document.getElementById("moved-on");
  const version = () => Number(note.dataset.etag.match(/[0-9]+/)[0]);
  new MutationObserver(() => requestAnimationFrame(() => window.seen.push([version(), Date.now()])))
    .observe(note, { attributes: true, attributeFilter: ["data-etag"] });
}"""
HIDE = """() => {
  Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SHOW = """() => {
  delete document.hidden;
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SHOWS = """([version, within]) => new Promise((done, fail) => {
  const end = Date.now() + within;
  const look = () => {
    const seen = window.seen.find(([it]) => it >= version);
    if (seen) done(seen[1]);
    else if (Date.now() > end) fail(new Error(`version ${version} is not shown, only ${JSON.stringify(window.seen)}`));
    else setTimeout(look, 20);
  };
  look();
})"""
PHASES = """(frame) => {
  const at = it => performance.timeOrigin + it;
  const page = performance.getEntriesByType("resource").findLast(
    it => it.initiatorType === "fetch" && it.name === location.href && at(it.responseEnd) <= frame + 1);
  return page ? [page.startTime, page.responseStart, page.responseEnd].map(at) : null;
}"""
"""The times at which a page asked for the new page, and had its first and its last byte."""
NAMES = ("tick and mark", "page from the server", "rest of the page", "morph and frame")


def opened(context: BrowserContext, service: Service, game_id: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{service.settings.site}/games/{game_id}", wait_until="load")
    page.evaluate(WATCHED)
    return page


def shows(page: Page, version: int, *, within: float) -> float:
    """Wait until the page shows a version, without having been loaded anew. Return the time in milliseconds."""
    return float(page.evaluate(SHOWS, [version, within * 1000]))


def until(page: Page, what: str, *, within: float = 30) -> None:
    """Wait until an expression of the page is true."""
    end = time.monotonic() + within
    while not page.evaluate(what):
        assert time.monotonic() < end, (what, page.evaluate("[window.stays, window.seen]"))
        page.wait_for_timeout(50)


def percentile(values: list[float], part: float) -> float:
    return statistics.quantiles(values, n=100)[int(part) - 1]


@click.command()
@click.option("--production", is_flag=True, help="With a hub and Redis.")
@click.option("--moves", default=60, show_default=True, help="Moves that are timed.")
def main(production: bool, moves: int) -> None:
    """Look at live pages."""
    with serving(production) as (service, again), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        contexts = [browser.new_context(viewport={"width": 1280, "height": 800}) for _ in range(3)]
        ann, bob, guest = contexts
        service.session(ann, service.people[0])
        service.session(bob, service.people[1])
        game_id = service.game(*service.people[:3])
        checks = [kept, tabs, hidden, watched, held_back]
        timed(service, game_id, ann, bob, moves)
        for check in checks:
            check(service, service.game(*service.people[:3]), ann, guest)
            click.echo(f"{check.__doc__}: yes")
        if service.redis is not None:
            without_redis(service, service.game(*service.people[:3]), ann, service.redis)
        killed(service, service.game(*service.people[:3]), ann, again)
        browser.close()
        service.store.close()


def timed(service: Service, game_id: str, ann: BrowserContext, bob: BrowserContext, moves: int) -> None:
    """Print the time from a commit until both pages show it."""
    pages = [opened(ann, service, game_id), opened(bob, service, game_id)]
    time.sleep(3)  # until the streams have begun
    others = [service.game(*service.people[:3]) for _ in range(4)]
    took: list[float] = []
    parts: list[list[float]] = []
    with apart(move_elsewhere, service.settings, others):
        time.sleep(3)  # until it has its imports
        for _ in range(moves):
            for page in pages:
                page.evaluate("performance.clearResourceTimings()")
            version, committed = service.move(game_id)
            for page in pages:
                frame = shows(page, version, within=30)
                took.append(frame - committed)
                if between := page.evaluate(PHASES, frame):
                    parts.append([after - before for before, after in itertools.pairwise([committed, *between, frame])])
            time.sleep(0.6)  # until both pages are drawn: without a graphics card that takes a while
    middle, most = statistics.median(took), percentile(took, 99)
    said = f"commit to page, {len(took)} times beside {PER_SECOND} moves a second"
    click.echo(f"{said}: median {middle:.0f} ms, 99th percentile {most:.0f} ms")
    click.echo(f"  of which, {len(parts)} times:")
    for name, *each in zip(NAMES, *parts, strict=True):
        click.echo(f"  {name}: median {statistics.median(each):.0f} ms, 99th percentile {percentile(each, 99):.0f} ms")
    for page in pages:
        page.close()


def kept(service: Service, game_id: str, ann: BrowserContext, guest: BrowserContext) -> None:
    """What is filled in stays, and the new position is offered"""
    page = opened(ann, service, game_id)
    time.sleep(2)
    box = page.locator("textarea, input[type=text]").first
    box.evaluate("it => it.closest('details')?.setAttribute('open', '')")
    box.fill("half a word")
    service.move(game_id)
    until(page, "!document.getElementById('moved-on').hidden")
    assert box.input_value() == "half a word"
    page.close()


def tabs(service: Service, game_id: str, ann: BrowserContext, guest: BrowserContext) -> None:
    """Seven tabs load, share one stream, and all show a move"""
    before = service.proxy.streams
    pages = [opened(ann, service, game_id) for _ in range(7)]
    time.sleep(2)
    assert service.proxy.streams - before <= 1, service.proxy.streams - before
    version, _ = service.move(game_id)
    for page in pages:
        shows(page, version, within=20)
        page.close()


def hidden(service: Service, game_id: str, ann: BrowserContext, guest: BrowserContext) -> None:
    """A hidden tab tells by title and icon that a game waits, and shows the table when it is looked at"""
    page = opened(ann, service, game_id)
    time.sleep(2)
    page.evaluate(HIDE)
    version, _ = service.move(game_id)
    while 1 not in Work(service.store).game(game_id).game.asked:
        version, _ = service.move(game_id)
    until(page, "document.title.startsWith('● ')")
    assert "waiting" in str(page.get_attribute("link[rel=icon]", "href"))
    assert page.evaluate("window.seen.length") == 0, "a hidden tab asks for no table"
    page.evaluate(SHOW)
    shows(page, version, within=20)
    assert not page.title().startswith("● ")
    page.close()


def watched(service: Service, game_id: str, ann: BrowserContext, guest: BrowserContext) -> None:
    """Somebody who is not signed in sees a move within three seconds"""
    page = opened(guest, service, game_id)
    time.sleep(2)
    shows(page, service.move(game_id)[0], within=5)
    page.close()


def held_back(service: Service, game_id: str, ann: BrowserContext, guest: BrowserContext) -> None:
    """Behind a proxy that holds lines back, tables and lists of games ask now and then"""
    service.proxy.hold_back(True)
    page = opened(guest, service, game_id)
    shows(page, service.move(game_id)[0], within=30)
    time.sleep(8)  # by now the stream counts as dead
    shows(page, service.move(game_id)[0], within=40)
    listed = ann.new_page()
    listed.set_default_timeout(PATIENCE)
    listed.goto(f"{service.settings.site}/games", wait_until="load")
    listed.evaluate("window.stays = true")
    new = service.game(*service.people[:3])
    until(listed, f"window.stays && Boolean(document.querySelector('[data-mine] a[href*=\"{new}\"]'))", within=100)
    service.proxy.hold_back(False)
    for each in (page, listed):
        each.close()


def without_redis(service: Service, game_id: str, ann: BrowserContext, server: Redis) -> None:
    """Flush Redis, take it away, and bring it back: pages go on."""
    page = opened(ann, service, game_id)
    time.sleep(2)
    with redis.Redis.from_url(server.url) as client:
        client.flushall()
    shows(page, service.move(game_id)[0], within=20)
    server.kill()
    shows(page, service.move(game_id)[0], within=100)  # a player's page looks every 45 seconds
    server.start()
    time.sleep(10)
    shows(page, service.move(game_id)[0], within=20)
    page.close()
    click.echo("Pages go on while Redis is flushed or away, and hear ticks again when it is back: yes")


def killed(service: Service, game_id: str, ann: BrowserContext, again: Callable[[], Any]) -> None:
    """Kill the process with the streams: pages go on."""
    page = opened(ann, service, game_id)
    time.sleep(2)
    before = service.proxy.streams
    again()
    shows(page, service.move(game_id)[0], within=60)
    deadline = time.monotonic() + 150
    while service.proxy.streams == before and time.monotonic() < deadline:
        page.wait_for_timeout(500)
    assert service.proxy.streams > before
    click.echo("Pages go on after the process with the streams is killed, and open a stream again: yes")


if __name__ == "__main__":
    main()
