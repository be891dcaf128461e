"""Does axe find any fault on any page, in a tried turn, on an exported page? It looks in Chromium, wide and narrow.

    python -m tests.browser.axe [--title new_england] [--lang de] [--only words]

It plays games of every title, visits all photographed pages (`shots.pages_of`) and all pages behind links of letters,
in both languages. It opens every tab of a table, points at places, tries the first action of the list, sends some
forms, and opens everything folded. It names all findings of axe-core by its WCAG 2.2 rules and its best practices; in
the dark, by those about colours. Pages without a title are visited with the first title alone. A whole run also names
kinds of pages that it has not visited. It ends with 1 if there is any fault. Not part of the tests: `pip install -e
'.[browser]'`, and `apt install chromium` for Debian's Chromium.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from axe_playwright_python.base import AXE_SCRIPT
from flask import Flask
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.exceptions import HTTPException

import domain
from config.settings import Settings
from domain.title import Title
from service.database.store import Store, open_store
from service.proof import checks
from service.proof.bundle.make import bundle
from service.proof.bundle.page import page as exported
from service.record import rows
from service.words import languages
from tests import toy
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
    talk_of,
    troubled,
)
from tests.service.letters import every

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"], "resultTypes": ["violations"]}
"""The rules whose findings depend on the theme."""
ONCE = {"runOnly": ["heading-order", "landmark-unique", "duplicate-id-aria", "region"], "resultTypes": ["violations"]}
"""The rules about things that are fine alone, and not beside others on the page."""
LIGHT: tuple[Any, ...] = ("light", OPTIONS, ONCE)
DARK: tuple[Any, ...] = ("dark", COLOURS, None)
SIZE = {"runOnly": ["target-size"], "resultTypes": ["violations"]}
LOOK = """async ([within, rules, once, size]) => {
  const findings = [], folded = [...document.querySelectorAll('details:not([open])')];
  async function look(name, parts, options) {
    if (!parts.length) return;
    for (const found of (await axe.run({ include: parts }, options)).violations) {
      if (found.id === size.runOnly[0]) {  // also in the middle of the window, and without the menu over it?
        const small = [], open = folded.filter(it => it.open);
        for (const node of found.nodes) {
          const part = document.querySelector(node.target[0]);
          for (const it of open) it.open = it.contains(part);
          part.scrollIntoView({ block: 'center' });
          if ((await axe.run({ include: [part] }, size)).violations.length) small.push(node);
          for (const it of open) it.open = true;
        }
        found.nodes = small;
      }
      const nodes = found.nodes.map(node => `${node.target[0]} ${node.html.slice(0, 120)}`);
      if (nodes.length) findings.push(`${name}: ${found.id}: ${found.help}: ${nodes.join(' ')}`);
    }
  }
  await look('as it is', within ? [...document.querySelectorAll(within)] : [document], rules);
  for (const it of folded) it.open = true;
  await look('open', folded.filter(it => !within || it.closest(within)), rules);
  if (once && (within || folded.length)) await look('as a whole', [document], once);
  for (const it of folded) it.open = false;
  return findings; }"""
"""The findings on a page as it is, and then in what was folded."""
PLACES = ("start", "table", "over", "position", "tried")
"""Pages on which a place is chosen, too, and every tab opened."""
TAB = "#tab"
"""Of an opened tab, only this part of the page is new."""
SENT = {
    "new": ("[name=seat2]", "person", "button.primary"),
    "find": ("[name=title]", "nonsense", "button.primary"),
    "table": ("[name=lines]", "nonsense", "[value=look]"),
    "words_table": ("[name=lines]", "nonsense", "[value=look]"),
    "signin": ("[name=email]", "ann@example", "button.primary"),
    "audit": ("[name=fingerprints]", "0123", "button[type=submit]"),
    "report": ("[name=why]", "Rude", "button.primary"),
}
"""Name of a page -> a field, its content, and a button of its form: the answer is a page of its own."""
SEND = """([field, value, button]) => {
  const it = document.querySelector(field), by = it.form.querySelector(button), also = document.createElement('input');
  it.value = value;
  Object.assign(also, { type: 'hidden', name: by.name, value: by.value });
  it.form.append(also);
  if (by.hasAttribute('formaction')) it.form.action = by.formAction;
  HTMLFormElement.prototype.submit.call(it.form); }"""
"""It sends the form as without scripts, and what the browser would not let through."""
PRESS = "document.querySelector('main form button').click()"
NO_PAGES = {
    "static", "style_sheet", "font", "ground", "account.export_account", "lessons.lesson", "live.icon", "live.manifest",
    "live.mine", "live.service_worker", "live.watched", "mailbox.mail_html", "mailbox.mail_source",
    "mailbox.newest_mail", "story.audit_file", "story.past", "story.picture", "story.replay", "table.invitation",
    "table.turn", "table.version", "text.go_to",
}  # fmt: skip
"""Addresses of files, of parts of pages, and of those that lead on to a page."""

Pages = Mapping[str, tuple[str, bool]]
View = tuple[str, str]
"""The name of what axe looks at, and the part of the page that is new ("" for the whole page)."""


class Findings:
    """What axe has found, and where it has looked. ``known``: addresses that need no second look."""

    def __init__(self) -> None:
        self.faults, self.known, self.endpoints = 0, set[str](), set[str]()

    def tell(self, fault: str) -> None:
        click.echo(fault)
        self.faults += 1

    def look(self, page: Page, app: Flask, views: Iterator[View], where: str) -> None:
        """Let axe look at the views of a page one after another."""
        count = 0
        for name, within in views:
            count += 1
            self.endpoints |= {endpoint_of(app, page.url)}
            for said in found(page, within):
                self.tell(f"{where}, {name}, {said}")
        click.echo(f"{where}: {count} pages looked at")

    def name_unvisited(self, app: Flask) -> None:
        """Name the kinds of pages at which axe has not looked."""
        for rule in app.url_map.iter_rules():
            is_page = rule.endpoint.startswith("pages.") and rule.endpoint.removeprefix("pages.") not in NO_PAGES
            if is_page and "GET" in (rule.methods or ()) and rule.endpoint not in self.endpoints:
                self.tell(f"never visited: {rule.rule}")


def endpoint_of(app: Flask, url: str) -> str:
    """Return the name of the function behind an address, "" without one."""
    parts = urlsplit(url)
    try:
        return str(app.url_map.bind(parts.netloc or "localhost").match(parts.path)[0])
    except HTTPException:
        return ""


# ==== pages =======================================================================================
def looked_at(page: Page, site: str, pages: Pages, session: str) -> Iterator[View]:
    """Show axe one page after another, and yield their views."""
    for name, (address, signed_in) in pages.items():
        page.context.clear_cookies(name="session")
        if signed_in:
            page.context.add_cookies([{"name": "session", "value": session, "url": site}])
        page.goto(address if "://" in address else site + address)
        yield name, ""
        if name in PLACES:
            yield from at_table(page, site, name, address)
        if name in SENT:
            page.goto(site + address)
            with page.expect_navigation():
                page.evaluate(SEND, SENT[name])
            yield f"{name}, answered", ""


def at_table(page: Page, site: str, name: str, address: str) -> Iterator[View]:
    """Choose a place, open each tab, and try a step."""
    tabs = [str(it.get_attribute("href")) for it in page.locator(".tabs-area a").all()]
    if (place := page.locator(".thing.lit a, .places a").first).count():
        page.goto(site + str(place.get_attribute("href")))
        yield f"{name}, with a place chosen", ""
    for tab in tabs:
        page.goto(site + tab)
        yield f"{name}, {tab.partition('?')[2]}", TAB
    page.goto(site + address)
    if (button := page.locator(".actions fieldset button[type=submit]:visible").first).count():
        button.click()
        page.locator(".trial").wait_for()
        yield f"{name}, with a step tried", ""


def behind_links(page: Page, site: str, app: Flask, letters: Mapping[str, bytes]) -> Iterator[View]:
    """Follow one link of each kind in the letters, and press the button behind it."""
    kinds = {
        endpoint_of(app, site + link): link for letter in letters.values() for link in every.links_in(letter, site)
    }
    for kind, link in sorted(kinds.items()):
        page.context.clear_cookies(name="session")
        page.goto(site + link)
        yield f"behind a link, {kind}", ""
        if kind.startswith("pages.mail.") and page.locator("main form button").count():
            with page.expect_navigation():
                page.evaluate(PRESS)
            yield f"behind a link, {kind}, answered", ""


def as_file(store: Store, game_id: str, lang: str) -> str:
    """Export a game as a page, and return its address."""
    with store.read() as conn:
        stored, plies = store.load(conn, game_id), list(store.stored_plies(conn, game_id))
    file = Path(store.settings.data_dir) / f"{game_id}-{lang}.html"
    file.write_bytes(exported(bundle(stored, plies, 1), stored, plies, 1, lang))
    return file.as_uri()


# ==== findings ====================================================================================
def found(page: Page, within: str) -> Iterator[str]:
    """Yield axe's findings in light, and those of colours in the dark."""
    for theme, rules, once in LIGHT, DARK:
        page.emulate_media(color_scheme=theme)
        yield from (f"{theme}, {it}" for it in page.evaluate(LOOK, [within, rules, once, SIZE]))


# ==== the check ===================================================================================
@click.command()
@click.option("--title", type=click.Choice(sorted(domain.TITLES)), multiple=True, help="One or more; all by default.")
@click.option("--lang", "langs", type=click.Choice(languages()), multiple=True, help="One or more; all by default.")
@click.option("--only", default="", help="The beginning of the names of pages.")
def main(title: tuple[str, ...], langs: tuple[str, ...], only: str) -> None:
    """Name the findings of axe."""
    quietly()
    findings = Findings()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for each in title or sorted(domain.TITLES):
            _of_title(browser, each, langs or tuple(languages()), only, findings)
        if not title and not only:
            _of_letters(browser, langs or tuple(languages()), findings)
        browser.close()
    click.echo(f"{findings.faults} found" if findings.faults else "axe finds nothing")
    sys.exit(1 if findings.faults else 0)


def _of_title(browser: Browser, title: str, langs: tuple[str, ...], only: str, findings: Findings) -> None:
    """Look at the pages of a title whose addresses are not known yet."""
    with _store({title: domain.TITLES[title]}) as store:
        a_letter(store)
        world = World(store, title)
        channels_of(world)
        talk_of(world)
        operated(world)
        troubled(world)
        rows.make_due(store)
        while checks.step(store):
            pass
        pages = {it: at for it, at in pages_of(world).items() if it.startswith(only) and at[0] not in findings.known}
        findings.known |= {address for address, _ in pages.values()}
        with served(store, store.settings) as app:
            for lang, size in product(langs, SIZES):
                files = {"exported": (as_file(store, world.over, lang), False)} if "exported".startswith(only) else {}
                with _window(browser, store.settings.site, lang, size) as page:
                    views = looked_at(page, store.settings.site, {**pages, **files}, world.session)
                    findings.look(page, app, views, f"{title}, {lang}, {size}")


def _of_letters(browser: Browser, langs: tuple[str, ...], findings: Findings) -> None:
    """Look at the pages behind the links of letters, each time of new ones; then name the pages left out."""
    for lang, size in product(langs, SIZES):
        with _store({"toy": toy.TITLE}) as store:
            letters = every.letters(store)
            with served(store, store.settings) as app, _window(browser, store.settings.site, lang, size) as page:
                views = behind_links(page, store.settings.site, app, letters)
                findings.look(page, app, views, f"letters, {lang}, {size}")
    findings.name_unvisited(app)


@contextmanager
def _store(titles: Mapping[str, Title]) -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as room:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port(), rate_limits=False)  # type: ignore[call-arg]
        store = open_store(settings.database, titles=titles, settings=settings)
        store.migrate()
        yield store
        store.close()


@contextmanager
def _window(browser: Browser, site: str, lang: str, size: str) -> Iterator[Page]:
    """Open a window that brings axe to each page."""
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, service_workers="block")
    context.add_init_script(AXE_SCRIPT)
    context.add_cookies([{"name": "lang", "value": lang, "url": site}])
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


if __name__ == "__main__":
    main()
