"""Lessons in a real browser, from the first step to the last, by hand.

    python -m tests.browser.lessons [--title new_england] [--lang de] [--shots DIRECTORY]

It does the lesson of each title in the system's Chromium (Debian: ``apt install chromium``; ``pip install -e
'.[browser]'``): on a phone and on a wide screen, with scripts and without, with a board and in words, in each language.
Half-way it leaves, and goes on by the address in another browser. It names steps that take more than three taps, whose
words are out of sight, or whose page is wider than the window. It ends with 1 if there is any.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
from playwright.sync_api import sync_playwright

import domain
from config.settings import Settings
from domain.title import Title
from service.database.store import open_store
from service.games import lessons, queries
from service.games.lessons import StepSeen
from service.words import languages
from tests.browser.pointing import PHONE, WIDE, form_of
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE, free_port, quietly, served

MOST_TAPS = 3
IN_SIGHT = """selector => { const box = document.querySelector(selector)?.getBoundingClientRect();
  return !!box && box.top >= 0 && box.bottom <= innerHeight + 1; }"""
SHARE = """() => { const area = document.querySelector('.choice-area');
  return getComputedStyle(area).position === 'sticky' ? area.offsetHeight / innerHeight : 0; }"""
"""The share of the window that the choice covers, where it stays at the lower edge."""


class Way(NamedTuple):
    """A way to do a lesson."""

    name: str
    size: dict[str, int]
    scripts: bool
    words: bool = False


WAYS = (
    Way("phone", PHONE, True),
    Way("phone, no scripts", PHONE, False),
    Way("wide", WIDE, True),
    Way("wide, no scripts", WIDE, False),
    Way("phone, in words, no scripts", PHONE, False, words=True),
)


class Pupil:
    """Somebody who does a lesson by hand. ``taps``: at the present step."""

    def __init__(self, browser: Any, site: str, title: Title, lang: str, way: Way) -> None:
        self.browser, self.site, self.title, self.lang, self.way = browser, site, title, lang, way
        self.wrong, self.taps = list[str](), 0
        self.enter()

    def enter(self) -> None:
        """Open another browser."""
        self.context = self.browser.new_context(
            viewport=self.way.size, has_touch=self.way.size is PHONE, java_script_enabled=self.way.scripts
        )
        drawing = "narrow" if self.way.size is PHONE else "wide"
        for name, value in (("lang", self.lang), ("board", drawing)):
            self.context.add_cookies([{"name": name, "value": value, "url": self.site}])
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda it: self.wrong.append(f"a script failed: {it}"))

    def must(self, holds: bool, what: str) -> None:
        if not holds:
            self.wrong.append(f"{what} ({self.page.url.removeprefix(self.site)})")

    def do_it_all(self, shots: Path | None) -> None:
        """Do all steps, half of them in another browser."""
        suffix = "/text" if self.way.words else ""
        self.page.goto(f"{self.site}/learn/{self.title.id}/1{suffix}")
        steps = len(lessons.moments(self.title))
        for number in range(1, steps + 1):
            it = lessons.step(self.title, number)
            if number == steps // 2:
                address = self.page.url
                self.context.close()
                self.enter()
                self.page.goto(address)
            self.must(f"/learn/{self.title.id}/{number}{suffix}" in self.page.url, f"this is not step {number}")
            if shots is not None:
                name = self.way.name.replace(", ", "-").replace(" ", "-")
                self.page.screenshot(path=shots / f"{self.title.id}-{self.lang}-{name}-{number:02}.png")
            self.look(it)
            if self.wrong:
                return
            self.do(it)
        self.context.close()

    # ---- one step --------------------------------------------------------------------------------
    def look(self, it: StepSeen) -> None:
        beside = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        self.must(beside <= 0, f"the page is {beside} pixels too wide")
        if self.way.words:
            return
        self.must(self.page.evaluate(IN_SIGHT, ".lesson-why .lesson-text"), "the words are out of sight")
        if it.step.do is not None and it.step.shows == "turn":
            self.must(self.page.evaluate(IN_SIGHT, ".choice-area .lesson-text"), "the task is out of sight")
        self.must(self.page.evaluate(SHARE) <= 0.5, "the choice covers more than half of the window")

    def do(self, it: StepSeen) -> None:
        self.taps = 0
        if it.step.shows == "new_game":
            links = self.page.locator("a.primary").evaluate_all("them => them.map(it => it.getAttribute('href'))")
            self.must(any(link.startswith("/games/new?") for link in links), "no new game to open")
            return
        if not it.step.lines:
            self.page.locator(".lesson-ways a.primary").click()
        elif it.step.shows == "letter" or self.way.words:
            self.page.locator("#lines").fill("\n".join(it.lines(self.lang)))
            self.page.locator(".lesson-typed button.primary").click()
        else:
            self.point(it)
            self.must(self.taps <= MOST_TAPS, f"it takes {self.taps} taps")
        self.page.wait_for_url(lambda address: f"/{it.number + 1}" in address, wait_until="load")

    def point(self, it: StepSeen) -> None:
        """Point at the places of the text until the form of the move is there, and send it."""
        [wish] = it.moment.commands
        for _place in it.step.at:
            self.tap(self.page.locator(".lesson-at a").first)
        if (form := form_of(self.page, wish)) is None:
            kind = next(aim.aim.kind for aim in self.targets(it) if aim.action.means(wish))
            self.tap(self.page.locator(f"[id='do-{kind}']"))
            form = form_of(self.page, wish)
        if form is None:
            self.must(False, "no form makes this move")
            return
        for fold in form.locator("xpath=ancestor::details[not(@open)]").all():
            fold.locator("summary").first.click()
            self.taps += 1
        if (field := form.locator("input[name=field]")).count():
            self.fill_in(form, json.loads(msgspec.json.encode(wish))[field.get_attribute("value")])
        self.taps += 1
        form.locator("button[type=submit]").click()

    def fill_in(self, form: Any, wanted: Any) -> None:
        """Set the open amount, or tick the open things; each costs a tap, unless the form has them already."""
        amount = form.locator("input[type=number]")
        if amount.count() and amount.input_value() != str(wanted):
            amount.fill(str(wanted))
            self.taps += 1
        for box in form.locator("input[type=checkbox]").all():
            if box.is_checked() != (box.get_attribute("value") in wanted):
                box.click()
                self.taps += 1

    def targets(self, it: StepSeen) -> Any:
        return self.title.face.places.targets(queries.view(it.seen), queries.actions(it.seen))

    def tap(self, link: Any) -> None:
        before = self.page.url
        self.taps += 1
        link.click()
        self.page.wait_for_url(lambda address: address != before)


@contextmanager
def a_site() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as room:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port())  # type: ignore[call-arg]
        store = open_store(settings.database, titles=domain.TITLES, settings=settings)
        store.migrate()
        with served(store, settings):
            yield settings.site
        store.close()


@click.command()
@click.option("--title", "titles", multiple=True, type=click.Choice(list(domain.TITLES)), help="One, or several.")
@click.option("--lang", "langs", multiple=True, default=list(languages()), help="One, or several.")
@click.option("--shots", type=click.Path(path_type=Path, file_okay=False), help="Keep photographs of all steps here.")
def main(titles: tuple[str, ...], langs: tuple[str, ...], shots: Path | None) -> None:
    """Do the lessons of all titles, and name the faults."""
    quietly()
    wrong = 0
    with sync_playwright() as driver, a_site() as site:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for title in titles or domain.TITLES:
            for lang in langs:
                for way in WAYS:
                    pupil = Pupil(browser, site, domain.TITLES[title], lang, way)
                    pupil.do_it_all(shots)
                    wrong += len(pupil.wrong)
                    click.echo(f"{title}, {lang}, {way.name}: " + ("; ".join(pupil.wrong) or "all holds"))
        browser.close()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
