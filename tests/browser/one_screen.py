"""The busiest tables in a real browser: does everything that a turn needs fit into one window?

    python -m tests.browser.one_screen [--title new_england] [--shots DIRECTORY]

It looks for the fullest position of each title (Grand Trunk: four seats and six improvements on display; Ticket to
Ride: five seats and 30 cards in hand; New England: six seats), and opens it in the system's Chromium (Debian: ``apt
install chromium``; ``pip install -e '.[browser]'``), in English and German, with nothing chosen, with the longest
choice, and with a turn tried. In the windows of `WINDOWS` every area must lie whole inside the window, and nothing
that a turn needs may scroll; in those of `SMALL` the page scrolls, and nothing may be cut off. It names the faults, and
ends with 1 if there is any. ``--shots`` keeps photographs of all of them, light and dark.
"""

import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import click
import msgspec
from playwright.sync_api import sync_playwright

import domain
from config.settings import Settings
from domain import play
from domain.chain import Ply, secret_commitment
from domain.chance import ChanceAsked
from domain.game import Game, fold
from domain.lifecycle import OpenTable1, StartGame, TakeSeat1
from domain.messages import Command
from domain.play import decide_all
from domain.ticket_to_ride.commands import DrawBlindCard
from domain.title import Title
from service.base.clock import now
from service.database.store import SEATS, Store, open_store
from service.people import accounts
from service.web.pages.parts import choosing
from tests.bench import measure
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE, free_port, quietly, served

WINDOWS = {"1280x800": (1280, 800), "1366x650": (1366, 650), "1920x1080": (1920, 1080), "2560x1300": (2560, 1300)}
"""Windows that hold a whole table."""
SMALL = {"768x1024": (768, 1024), "360x740": (360, 740), "320x200": (320, 200)}
"""Windows in which the page scrolls."""
STEPS = 5
"""Steps of a tried turn, where a turn has as many."""
AT = 1_800_000_000_000


class Found(msgspec.Struct, frozen=True):
    """A position, and the query that opens it in one state."""

    plies: Sequence[Ply]
    seat: int
    query: str = ""


# ==== the busiest positions =======================================================================
def played(title: Title) -> list[tuple[Game, list[Ply]]]:
    """Return the positions of a game with all seats. In Ticket to Ride, seat 1 only draws cards until it has 30."""
    dice, plies, found = random.Random(7), list[Ply](), list[tuple[Game, list[Ply]]]()
    game = fold("bench", title, ())
    seats = title.seating.seats[-1]
    options, choice = (
        msgspec.Raw(msgspec.json.encode(kind())) for kind in (title.seating.options, title.seating.choice)
    )

    def give(seat: int | None, *commands: Command) -> None:
        nonlocal game
        decided = decide_all(game, seat, commands, AT + len(plies), "player", measure.SECRET)
        plies.extend(decided.plies)
        game = decided.game

    give(None, OpenTable1(title.id, seats, options, secret_commitment(measure.SECRET), 60_000))
    for seat in range(1, seats + 1):
        give(seat, TakeSeat1(seat, choice, f"{dice.getrandbits(256):064x}"))
    give(None, StartGame())
    while game.asked and len(plies) < 900:
        seat = dice.choice(game.asked)
        found.append((game, [*plies]))
        give(seat, *_turn(title, game, seat, dice))
    return found


def _turn(title: Title, game: Game, seat: int, dice: random.Random) -> Sequence[Command]:
    view = game.title.rules.view(game.state, seat)
    if title.id == "ticket_to_ride" and seat == 1 and sum(view.own.private.hand.values()) < 30:
        for it in title.rules.actions(game.state, 1):
            if isinstance(it.command, DrawBlindCard):
                return [it.command]
    return list(title.bots["sensible"](view, dice))


def is_busy(game: Game, seat: int) -> bool:
    """Has the position what the busiest one must have?"""
    view = game.title.rules.view(game.state, seat)
    if game.title.id == "ticket_to_ride":
        return seat == 1 and sum(view.own.private.hand.values()) >= 30
    if game.title.id == "grand_trunk":
        return len(view.improvements) == 6 and bool(view.own.railcars)
    return view.lot is not None and len(view.row) > 2


def _words(game: Game, seat: int) -> int:
    """Return the number of things to show: how full the table is."""
    things = game.title.face.things(game.title.rules.view(game.state, seat))
    return sum(len(it.things) for it in things.shelves) + sum(len(it.said) for it in things.seats)


def choices(game: Game, seat: int, most: int) -> Iterator[tuple[int, str]]:
    """Yield the number of lines of each choice of a kind, or of a kind and a place, with its query."""
    view, places = game.title.rules.view(game.state, seat), game.title.face.places
    targets = places.targets(view, game.title.rules.actions(game.state, seat))
    for kind in places.narrow(targets).kinds:
        of_kind = places.narrow(targets, (kind,))
        for at in ("", *of_kind.places):
            left = places.narrow(targets, (kind,), (at,) if at else ())
            lines = len(choosing._lines(left, seat))
            if lines <= most:
                yield lines, "?" + urlencode([("do", kind), *([("at", at)] if at else [])])


def turn_of(game: Game, seat: int) -> list[Command]:
    """Return the foreseeable steps of a turn, by the sensible bot."""
    dice, steps = random.Random(5), list[Command]()
    while seat in game.asked and len(steps) < STEPS:
        for command in game.title.bots["sensible"](game.title.rules.view(game.state, seat), dice):
            try:
                game, _events = play.foresee(game, seat, command, AT)
            except ChanceAsked:
                return steps
            steps.append(command)
    return steps[:STEPS]


def states(title: Title, most: int, few: int) -> dict[str, Found]:
    """Return the busiest position, a choice of ``most`` lines and one of ``few``, and a turn of `STEPS`."""
    every = [(game, plies, seat) for game, plies in played(title) for seat in game.asked]
    busy = [it for it in every if is_busy(it[0], it[2])]
    _, plies, seat = max(busy, key=lambda it: _words(it[0], it[2]))
    found = {"nothing chosen": Found(plies, seat)}
    lines, query, plies, seat = max(
        ((lines, query, plies, seat) for game, plies, seat in every for lines, query in choices(game, seat, most)),
        key=lambda it: it[0],
    )
    found[f"a choice of {lines}"] = Found(plies, seat, query)
    lines, query, plies, seat = max(
        ((lines, query, plies, seat) for game, plies, seat in every for lines, query in choices(game, seat, few)),
        key=lambda it: it[0],
    )
    found[f"a choice of {lines}"] = Found(plies, seat, query)
    steps, plies, seat = max(
        ((turn_of(game, seat), plies, seat) for game, plies, seat in every), key=lambda it: len(it[0])
    )
    tried = "&".join(f"try={quote(msgspec.json.encode(it).decode())}" for it in steps)
    found[f"{len(steps)} steps tried"] = Found(plies, seat, f"?v={len(plies)}&{tried}")
    return found


# ==== in a browser ================================================================================
def people(store: Store, number: int) -> list[tuple[int, str]]:
    """Return persons with the session of each."""
    names = ("Ann Äpfelin", "Bob", "Cleo", "Dora", "Emil", "Friederike")
    made = []
    with store.write() as conn:
        for name in names[:number]:
            row = {"email": f"{name[:3]}@example.org", "name": name, "lang": "en", "zone": "UTC", "created_at": now()}
            person = conn.execute(accounts.PERSONS.insert().values(**row)).inserted_primary_key[0]
            made.append((int(person), accounts.open_session(conn, int(person), now())))
    return made


def keep(store: Store, title: Title, game_id: str, found: Found, sitting: Sequence[tuple[int, str]]) -> None:
    measure.keep(store, title, game_id, found.plies)
    with store.write() as conn:
        rows = [{"game_id": game_id, "seat": n, "person_id": it[0], "joined_at": 0} for n, it in enumerate(sitting, 1)]
        conn.execute(SEATS.insert(), rows)


@click.command()
@click.option("--title", "titles", multiple=True, type=click.Choice(list(domain.TITLES)), help="One, or several.")
@click.option("--shots", type=click.Path(path_type=Path), help="A directory for photographs.")
@click.option("--windows", default=",".join((*WINDOWS, *SMALL)), show_default=True)
@click.option("--langs", default="en,de", show_default=True)
@click.option("--themes", default="light", show_default=True)
@click.option("--also", default="", help="More fields of the address: show=seats.")
def main(titles: Sequence[str], shots: Path | None, windows: str, langs: str, themes: str, also: str) -> None:
    """Look at the busiest tables, and name the faults."""
    quietly()
    wrong = 0
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for title in titles or domain.TITLES:
            for said in looked_at(browser, domain.TITLES[title], shots, windows, langs, themes, also):
                click.echo(said)
                wrong += 1
        browser.close()
    sys.exit(1 if wrong else 0)


def looked_at(
    browser: Any, title: Title, shots: Path | None, windows: str, langs: str, themes: str, also: str
) -> Iterator[str]:
    """Yield the faults of one title."""
    with tempfile.TemporaryDirectory() as room:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port())  # type: ignore[call-arg]
        store = open_store(settings.database, titles=domain.TITLES, settings=settings)
        store.migrate()
        sitting = people(store, title.seating.seats[-1])
        found = states(title, choosing.MOST, choosing.MOST_IN_LOW)
        for number, it in enumerate(found.values()):
            keep(store, title, f"table{number}", it, sitting)
        with served(store, settings):
            for window in windows.split(","):
                width, height = {**WINDOWS, **SMALL}[window]
                for lang in langs.split(","):
                    for theme in themes.split(","):
                        for number, (what, it) in enumerate(found.items()):
                            context = browser.new_context(
                                viewport={"width": width, "height": height}, color_scheme=theme
                            )
                            cookies = {"lang": lang, "session": sitting[it.seat - 1][1]}
                            context.add_cookies(
                                [
                                    {"name": name, "value": value, "url": settings.site}
                                    for name, value in cookies.items()
                                ]
                            )
                            page = context.new_page()
                            page.set_default_timeout(PATIENCE)
                            query = "&".join(filter(None, (it.query.removeprefix("?"), also)))
                            page.goto(f"{settings.site}/games/table{number}?{query}", wait_until="networkidle")
                            if shots:
                                shots.mkdir(parents=True, exist_ok=True)
                                name = f"{title.id}-{window}-{lang}-{theme}-{number}"
                                page.screenshot(path=str(shots / f"{name}.png"))
                            for fault in faults(page, window):
                                yield f"{title.id}, {what}, {window}, {lang}, {theme}: {fault}"
                            context.close()
        store.close()


AREAS = (".bar", ".board", ".hand-area", ".choice-area", ".seats-area", ".tabs-area")
LAID = """areas => areas.map(it => document.querySelector(it)).filter(Boolean).map(it => {
  const { left, top, right, bottom } = it.getBoundingClientRect();
  const inner = [...it.querySelectorAll('*')].filter(each => each.checkVisibility?.({ opacityProperty: true })
      && !each.closest('svg, .unseen, details:not([open]) > :not(summary)'));
  const low = Math.max(...inner.map(each => each.getBoundingClientRect().bottom));
  return { area: it.className, left, top, right, bottom, low, scrolls: it.scrollHeight - it.clientHeight }; })"""
"""Where the areas lie, how far what is in them reaches, and how much of them scrolls."""
SIZES = """() => [...new Set([...document.querySelectorAll('main *')].filter(it => !it.closest('svg, .unseen')
  && it.checkVisibility() && [...it.childNodes].some(each => each.nodeType === 3 && each.data.trim()))
  .map(it => getComputedStyle(it).fontSize))]"""
"""The sizes of type of what is seen, without the board's."""
MOST_SIZES = 5
BEYOND = """() => [...document.querySelectorAll('body *')].filter(it => !it.closest('svg')
  && it.getBoundingClientRect().right > document.documentElement.clientWidth)
  .map(it => `${it.localName}.${it.className}`)"""
FINGERS = """() => [...document.querySelectorAll('.actions li:not(.open) button, .actions .ways a, .trial button')]
  .filter(it => it.checkVisibility()).map(it => it.getBoundingClientRect().height).filter(it => it < 43.5).length"""


def faults(page: Any, window: str) -> Iterator[str]:
    """Yield the faults of a page in a window."""
    width, height = {**WINDOWS, **SMALL}[window]
    too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if too_wide > 0:
        yield f"{too_wide} pixels too wide: {', '.join(page.evaluate(BEYOND))}"
    sizes = page.evaluate(SIZES)
    if len(sizes) > MOST_SIZES:
        yield f"sizes of type: {', '.join(sizes)}"
    laid = page.evaluate(LAID, list(AREAS))
    for it in laid if window in WINDOWS else ():
        inside = it["left"] >= 0 and it["top"] >= 0 and it["right"] <= width and max(it["bottom"], it["low"]) <= height
        if not inside:
            yield f"{it['area']} reaches to {it['right']:.0f} x {max(it['bottom'], it['low']):.0f}"
        if it["scrolls"] > 1:
            yield f"{it['area']} scrolls by {it['scrolls']}"
    if window == "360x740" and (small := page.evaluate(FINGERS)):
        yield f"{small} buttons are lower than a finger"


if __name__ == "__main__":
    main()
