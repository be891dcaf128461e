"""Pointing at the table in a real browser: with a mouse, a finger, the keyboard, and without scripts.

    python -m tests.browser.pointing [--title new_england]

It plays each title to the middle of a game, shows the table in the system's Chromium (Debian: ``apt install chromium``;
``pip install -e '.[browser]'``) at 360 and 1,280 pixels, and says what does not hold. It ends with 1 if there is any.
"""

import logging
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import click
import structlog
from playwright.sync_api import sync_playwright

import domain
from config.settings import Settings
from service.base.clock import now
from service.database.store import open_store
from service.games import queries
from service.people import accounts
from tests.browser.shots import CHROMIUM, FLAGS, World, free_port, served

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
PLIES = {"grand_trunk": 60, "ticket_to_ride": 70, "new_england": 40}
LOOKED_AT = 12
"""Places that are pointed at, of all that are lit."""
LINKS = "[...document.querySelectorAll('.places a')]"
MIDDLE = """id => { const hit = document.getElementById(id).querySelector('.hit'), svg = hit.ownerSVGElement;
  hit.scrollIntoView({block: 'center', inline: 'center'});
  const at = hit.tagName === 'circle' ? new DOMPoint(hit.cx.baseVal.value, hit.cy.baseVal.value)
    : hit.getPointAtLength(hit.getTotalLength() / 2);
  const on = new DOMPoint(at.x, at.y).matrixTransform(svg.getScreenCTM()); return [on.x, on.y]; }"""


class Small(World):
    """One game, in its middle, in which Ann is asked."""

    def __init__(self, store: Any, title: str) -> None:
        self.store, self.title, self.at = store, store.titles[title], now()
        self.ann, self.bob = self.person("Ann", "ann@example.org"), self.person("Bob", "bob@example.org")
        with store.write() as conn:
            self.session = accounts.open_session(conn, self.ann, self.at)
        self.middle = self.game("Friday evening trains", started=True, plies=PLIES[title])
        while not self.points() and self.asked(self.middle):
            self.play_on(self.middle, 1)

    def points(self) -> bool:
        """Whether Ann is asked, and may point at several places of both drawings."""
        with self.store.read() as conn:
            seen = queries.game_for(self.store, conn, self.ann, self.middle)
        if 1 not in seen.game.asked:
            return False
        view, places = queries.view(seen), seen.title.places
        lit = places.narrow(places.targets(view, queries.actions(seen))).places
        return len(lit.keys() & places.areas(view, True).keys()) > 1


class Table:
    """A table as one browser shows it."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address, self.wrong = page, address, list[str]()
        page.on("pageerror", lambda it: self.wrong.append(f"a script failed: {it}"))
        page.on("console", lambda it: self.wrong.append(f"console: {it.text}") if it.type == "error" else None)
        page.set_default_timeout(15_000)

    def open(self, query: str = "") -> None:
        self.page.goto(self.address + query)
        self.page.wait_for_load_state("networkidle")

    def lit(self) -> list[str]:
        """Ids of the links on the board."""
        return list(self.page.evaluate(f"{LINKS}.map(it => it.id)"))

    def chosen(self) -> list[str]:
        return [value for name, value in parse_qsl(urlsplit(self.page.url).query) if name == "at"]

    def focus(self) -> str:
        return str(self.page.evaluate("document.activeElement.id"))

    def must(self, holds: bool, what: str) -> None:
        if not holds:
            self.wrong.append(what)

    def until(self, script: str, argument: Any = None) -> bool:
        try:
            self.page.wait_for_function(script, arg=argument)
        except Exception as late:
            self.wrong.append(f"this never came: {script} ({argument}): {type(late).__name__}")
            return False
        return True

    def until_chosen(self, place: str) -> bool:
        return self.until("id => new URL(location).searchParams.getAll('at').includes(id)", place)


def some(ids: list[str]) -> list[str]:
    return ids[:: max(1, len(ids) // LOOKED_AT)]


def by_mouse(table: Table) -> None:
    """A click on a place chooses it, and its chip takes it away."""
    table.open()
    for link in some(table.lit()):
        table.page.mouse.click(*table.page.evaluate(MIDDLE, link))
        if table.until_chosen(link.removeprefix("at-")):
            table.page.locator(".ways.chosen a").first.click()
            table.until("() => !new URL(location).search")


def by_finger(table: Table) -> None:
    """A tap chooses the nearest place, or names those that were near; at a zoom of two it means one, or one of two."""
    for zoom in (1, 2):
        table.open()
        table.page.locator(f".zoom [value='{zoom}']").check(force=True)
        for link in some(table.lit()):
            table.page.touchscreen.tap(*table.page.evaluate(MIDDLE, link))
            table.until("() => new URL(location).search || document.querySelector('.which')")
            asked = table.page.locator(".which a")
            if names := asked.count():
                table.must(zoom == 1 or names <= 2, f"{link}: {names} places at a zoom of two")
                said = table.page.evaluate("id => document.getElementById(id).textContent", link).strip()
                table.must(said in asked.all_text_contents(), f"{link} is not among what is asked")
                table.page.keyboard.press("Escape")
                table.must(table.page.locator(".which").count() == 0, "Escape leaves the names open")
            else:
                table.must(table.chosen() == [link.removeprefix("at-")], f"a tap on {link} chose {table.chosen()}")
                table.open()
                table.page.locator(f".zoom [value='{zoom}']").check(force=True)


def by_keyboard(table: Table) -> None:
    """One stop of the tab key; arrows go on, Enter chooses and focus stays, Escape takes away."""
    table.open()
    stops = table.page.evaluate(f"{LINKS}.filter(it => it.tabIndex === 0).length")
    table.must(stops == 1, f"the tab key stops {stops} times on the board")
    for _ in range(60):
        table.page.keyboard.press("Tab")
        if table.focus().startswith("at-"):
            break
    reached = {table.focus()}
    for _ in range(4):
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
            for _ in range(6):
                table.page.keyboard.press(key)
                reached.add(table.focus())
    table.must(all(it.startswith("at-") for it in reached), f"focus has left the board: {reached}")
    table.must(len(reached) > 1 or len(table.lit()) < 2, "arrows lead nowhere")
    place = table.focus()
    table.page.keyboard.press("Enter")
    table.until_chosen(place.removeprefix("at-"))
    table.must(table.focus() == place, f"focus was on {place} and is on {table.focus()}")
    table.page.keyboard.press("Escape")
    table.until("() => !new URL(location).search")
    table.must(table.focus() == place, f"after Escape focus is on {table.focus()}")
    chip = table.page.locator(".ways a[id]").first
    if chip.count():
        name = chip.get_attribute("id")
        chip.focus()
        table.page.keyboard.press("Enter")
        table.until("() => new URL(location).search")
        table.until("id => document.activeElement.id === id", name)


def without_scripts(table: Table) -> None:
    """Every place is a link that can be hit; what is left is shown."""
    table.open()
    for link in some(table.lit()):
        at = table.page.evaluate(MIDDLE, link)
        with table.page.expect_navigation():
            table.page.mouse.click(*at)
        table.must(table.chosen() == [link.removeprefix("at-")], f"without scripts {link} leads to {table.chosen()}")
        table.must(table.page.locator("#actions").count() == 1, f"without scripts nothing is left behind {link}")
        table.open()


CHECKS: dict[str, tuple[Callable[[Table], None], dict[str, Any]]] = {
    "mouse": (by_mouse, {"viewport": WIDE}),
    "finger": (by_finger, {"viewport": PHONE, "has_touch": True, "is_mobile": True}),
    "keyboard": (by_keyboard, {"viewport": WIDE}),
    "keyboard, narrow": (by_keyboard, {"viewport": PHONE, "is_mobile": True}),
    "no scripts": (without_scripts, {"viewport": WIDE, "java_script_enabled": False}),
}


@contextmanager
def a_table(title: str) -> Iterator[tuple[Settings, Small]]:
    with tempfile.TemporaryDirectory() as room:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port())  # type: ignore[call-arg]
        store = open_store(settings.database, titles=domain.TITLES, settings=settings)
        store.migrate()
        world = Small(store, title)
        with served(store, settings):
            yield settings, world
        store.close()


@click.command()
@click.option("--title", "titles", multiple=True, type=click.Choice(list(domain.TITLES)), help="One, or several.")
def main(titles: tuple[str, ...]) -> None:
    """Point at the tables of all titles, and say what does not hold."""
    logging.getLogger("waitress").setLevel(logging.ERROR)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    wrong = 0
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for title in titles or domain.TITLES:
            with a_table(title) as (settings, world):
                for name, (check, kind) in CHECKS.items():
                    context = browser.new_context(**kind)
                    drawing = "narrow" if kind["viewport"] is PHONE else "wide"
                    for cookie in (("session", world.session), ("lang", "en"), ("board", drawing)):
                        context.add_cookies([{"name": cookie[0], "value": cookie[1], "url": settings.site}])
                    table = Table(context.new_page(), f"{settings.site}/games/{world.middle}")
                    check(table)
                    context.close()
                    wrong += len(table.wrong)
                    click.echo(f"{title}, {name}: " + ("; ".join(table.wrong) or "all holds"))
        browser.close()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
