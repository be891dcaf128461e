"""Does axe find any fault on any page, in a tried turn, on an exported page? It looks in Chromium, wide and narrow.

    python -m tests.browser.axe [--title new_england] [--lang de] [--only words]

It plays games of every title, visits all photographed pages (`shots.pages_of`) in both languages, opens every tab of a
table, points at places, tries the first action of the list, and opens everything folded. It names all findings of
axe-core by its WCAG 2.2 rules and its best practices; in the dark, by those about colours. Ends with 1 if there are
any. Pages without a title are visited with the first title alone. Not part of the tests: `pip install -e
'.[browser]'`, and `apt install chromium` for Debian's Chromium.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

import domain
from config.settings import Settings
from service.database.store import open_store
from service.proof import checks
from service.record import rows
from service.words import languages
from tests.browser.shots import (
    CHROMIUM,
    FLAGS,
    PATIENCE,
    SIZES,
    World,
    a_letter,
    channels_of,
    free_port,
    operated,
    pages_of,
    quietly,
    served,
)

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"], "resultTypes": ["violations"]}
"""The rules whose findings depend on the theme."""
RUN = "async options => (await axe.run(options)).violations"
PLACES = ("start", "table", "over", "position", "tried")
"""Pages on which a place is chosen, too, and every tab opened."""


def looked_at(page: Page, site: str, pages: dict[str, tuple[str, bool]], session: str) -> Iterator[str]:
    """Show axe one page after another, and yield their names."""
    for name, (address, signed_in) in pages.items():
        page.context.clear_cookies(name="session")
        if signed_in:
            page.context.add_cookies([{"name": "session", "value": session, "url": site}])
        page.goto(site + address)
        yield name
        if name not in PLACES:
            continue
        tabs = [str(it.get_attribute("href")) for it in page.locator(".tabs-area a").all()]
        if (place := page.locator(".thing.lit a, .places a").first).count():
            page.goto(site + str(place.get_attribute("href")))
            yield f"{name}, with a place chosen"
        for tab in tabs:
            page.goto(site + tab)
            yield f"{name}, {tab.partition('?')[2]}"
        page.goto(site + address)
        if (button := page.locator(".actions fieldset button[type=submit]:visible").first).count():
            button.click()
            page.locator(".trial").wait_for()
            yield f"{name}, with a step tried"


def found(page: Page) -> Iterator[str]:
    """Yield axe's findings in light, as the page is and with everything open, and then in the dark."""
    page.emulate_media(color_scheme="light")
    yield from told("light", Axe().run(page, options=OPTIONS).response["violations"])
    if page.locator("details:not([open])").count():
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        yield from told("light, open", page.evaluate(RUN, OPTIONS))
    page.emulate_media(color_scheme="dark")
    yield from told("dark", page.evaluate(RUN, COLOURS))


def told(theme: str, violations: list[dict[str, Any]]) -> Iterator[str]:
    for it in violations:
        yield f"{theme}: {it['id']}: {it['help']}: {' '.join(of_node(node) for node in it['nodes'])}"


def of_node(node: dict[str, Any]) -> str:
    """Return the path to an element, and its beginning."""
    return f"{node['target'][0]} {node['html'][:120]}"


@click.command()
@click.option("--title", type=click.Choice(sorted(domain.TITLES)), multiple=True, help="One or more; all by default.")
@click.option("--lang", "langs", type=click.Choice(languages()), multiple=True, help="One or more; all by default.")
@click.option("--only", default="", help="The beginning of the names of pages.")
def main(title: tuple[str, ...], langs: tuple[str, ...], only: str) -> None:
    """Name the findings of axe."""
    quietly()
    bad, known = 0, set[str]()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for each in title or sorted(domain.TITLES):
            bad += _of(browser, each, langs or tuple(languages()), only, known)
        browser.close()
    click.echo(f"{bad} found" if bad else "axe finds nothing")
    sys.exit(1 if bad else 0)


def _of(browser: Browser, title: str, langs: tuple[str, ...], only: str, known: set[str]) -> int:
    """Look at the pages of a title whose addresses are not ``known``, and add these addresses."""
    bad = 0
    with tempfile.TemporaryDirectory() as room:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port())  # type: ignore[call-arg]
        store = open_store(settings.database, titles={title: domain.TITLES[title]}, settings=settings)
        store.migrate()
        a_letter(store)
        world = World(store, title)
        channels_of(world)
        operated(world)
        rows.make_due(store)
        while checks.step(store):
            pass
        pages = {it: at for it, at in pages_of(world).items() if it.startswith(only) and at[0] not in known}
        known |= {address for address, _ in pages.values()}
        with served(store, settings):
            for lang in langs:
                for size, (width, height) in SIZES.items():
                    context = browser.new_context(viewport={"width": width, "height": height}, bypass_csp=True)
                    context.add_cookies([{"name": "lang", "value": lang, "url": settings.site}])
                    context.set_default_timeout(PATIENCE)
                    page, count = context.new_page(), 0
                    for name in looked_at(page, settings.site, pages, world.session):
                        count += 1
                        for said in found(page):
                            click.echo(f"{title}, {lang}, {name}, {size}, {said}")
                            bad += 1
                    click.echo(f"{title}, {lang}, {size}: {count} pages looked at")
                    context.close()
        store.close()
    return bad


if __name__ == "__main__":
    main()
