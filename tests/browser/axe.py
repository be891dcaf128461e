"""Does axe find any fault on any page, in a tried turn, on an exported page? It looks in Chromium, wide and narrow.

    python -m tests.browser.axe [--title new_england] [--lang de] [--only words]

It plays games of every title, visits all photographed pages, points at places, tries the first action of the list, and
opens everything folded. It names all findings of axe-core by its WCAG 2.2 rules and its best practices. Ends with 1 if
there are any. Not part of the tests: `pip install -e '.[browser]'`, and `apt install chromium` for Debian's Chromium.
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
from tests.browser.shots import (
    CHROMIUM,
    FLAGS,
    PATIENCE,
    SIZES,
    THEMES,
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


PLACES = ("start", "table", "over", "position", "tried")
"""Pages on which a place is chosen, too."""


def looked_at(page: Page, site: str, world: World, only: str) -> Iterator[str]:
    """Show axe one page after another, and yield their names."""
    addresses = {name: address for name, (address, _) in pages_of(world).items() if name.startswith(only)}
    for name, address in addresses.items():
        page.goto(site + address)
        yield name
        if name in PLACES and (place := page.locator(".thing.lit a, .places a").first).count():
            page.goto(site + str(place.get_attribute("href")))
            yield f"{name}, with a place chosen"
    for name in {"table", "tried"} & addresses.keys():
        page.goto(site + addresses[name])
        if (button := page.locator(".actions fieldset button[type=submit]:visible").first).count():
            button.click()
            page.locator(".trial").wait_for()
            yield f"{name}, with a step tried"


def found(page: Page) -> list[str]:
    """Return axe's findings, each with its first elements."""
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    violations: list[dict[str, Any]] = Axe().run(page, options=OPTIONS).response["violations"]
    return [f"{it['id']}: {it['help']}: {' '.join(of_node(node) for node in it['nodes'])}" for it in violations]


def of_node(node: dict[str, Any]) -> str:
    """Return the path to an element, and its beginning."""
    return f"{node['target'][0]} {node['html'][:120]}"


@click.command()
@click.option("--title", type=click.Choice(sorted(domain.TITLES)), multiple=True, help="One or more; all by default.")
@click.option("--lang", default="en", show_default=True)
@click.option("--only", default="", help="The beginning of the names of pages.")
def main(title: tuple[str, ...], lang: str, only: str) -> None:
    """Name the findings of axe."""
    quietly()
    bad = 0
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for each in title or sorted(domain.TITLES):
            bad += _of(browser, each, lang, only)
        browser.close()
    click.echo(f"{bad} found" if bad else "axe finds nothing")
    sys.exit(1 if bad else 0)


def _of(browser: Browser, title: str, lang: str, only: str) -> int:
    bad = 0
    with tempfile.TemporaryDirectory() as room:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port())  # type: ignore[call-arg]
        store = open_store(settings.database, titles={title: domain.TITLES[title]}, settings=settings)
        store.migrate()
        a_letter(store)
        world = World(store, title)
        channels_of(world)
        operated(world)
        while checks.step(store):
            pass
        with served(store, settings):
            for size, (width, height) in SIZES.items():
                for theme in THEMES:
                    context = browser.new_context(
                        viewport={"width": width, "height": height}, color_scheme=theme, bypass_csp=True
                    )
                    cookies = {"lang": lang, "session": world.session}
                    context.set_default_timeout(PATIENCE)
                    context.add_cookies([{"name": k, "value": v, "url": settings.site} for k, v in cookies.items()])
                    page = context.new_page()
                    for name in looked_at(page, settings.site, world, only):
                        for said in found(page):
                            click.echo(f"{title}, {name}, {size}, {theme}: {said}")
                            bad += 1
                    context.close()
        store.close()
    return bad


if __name__ == "__main__":
    main()
