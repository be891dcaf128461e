"""Whole games at the text table in a real browser, by roles and names alone, as a screen reader offers them.

    python -m tests.browser.in_words [--title new_england] [--lang de]

It plays a game of each title from its first move to its end with scripts, and another one without scripts. One seat is
played in the system's Chromium (Debian: ``apt install chromium``; ``pip install -e '.[browser]'``). Its moves are
chosen at random among the buttons and small forms of "Your options", previewed, and confirmed; every fifth move is
typed. It names the faults, and ends with 1 if there is any.
"""

import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import Locator, sync_playwright
from playwright.sync_api import TimeoutError as NeverCame

import domain
from config.settings import Settings
from service.base.clock import now
from service.database.store import open_store
from service.people import accounts
from service.words import said
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE, World, free_port, quietly, served

MADE = re.compile(r"/text\?did=")
"""The address after a move."""
MOST = 2000
"""Moves of one seat after which a game counts as endless."""


class FromTheStart(World):
    """One game that has just begun; Ann has its first seat."""

    def __init__(self, store: Any, title: str) -> None:
        self.store, self.title, self.at = store, store.titles[title], now()
        self.ann, self.bob = self.person("Ann", "ann@example.org"), self.person("Bob", "bob@example.org")
        with store.write() as conn:
            self.session = accounts.open_session(conn, self.ann, self.at)
        self.played = self.game("In words", started=True)

    def until_ann(self) -> bool:
        """Let the others move. Return whether the game waits for Ann, and is not over."""
        while (asked := self.asked(self.played)) and 1 not in asked:
            self.play_on(self.played, 1)
        return bool(asked)


class InWords:
    """A text table as a reader without eyes finds it. ``path``: of its page, after that of the game."""

    path = "/text"

    def __init__(self, page: Any, lang: str, seed: int) -> None:
        self.page, self.lang, self.dice = page, lang, random.Random(seed)
        self.wrong, self.kinds = list[str](), Counter[str]()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda it: self.wrong.append(f"a script failed: {it}"))

    def _(self, text: str) -> str:
        return said(text, self.lang)

    def part(self, heading: str) -> Locator:
        found: Locator = self.page.get_by_role("region", name=self._(heading), exact=True)
        return found

    def must(self, holds: bool, what: str) -> None:
        if not holds:
            self.wrong.append(f"{what} ({self.page.url})")

    def turn(self, number: int) -> None:
        """Choose, preview and confirm one step."""
        headings = self.page.get_by_role("main").get_by_role("heading", level=2).all_text_contents()
        order = [
            "Since your last turn",
            "The turn",
            "The position",
            "Your hand",
            "Your options",
            "Type your move",
        ]
        places = [headings.index(self._(it)) for it in order if self._(it) in headings]
        self.must(places == sorted(places) and len(places) >= len(order) - 1, f"out of order: {headings}")
        if number % 5 == 4:
            self.type_one()
        else:
            self.choose_one()
        says = self._("Confirm: {deed}").partition(":")[0]
        confirm = self.part("Your options").get_by_role("button", name=re.compile(f"^{says}"))
        if not self.comes(confirm.first.wait_for, "no preview to confirm"):
            return
        self.must(confirm.count() == 1, "several previews to confirm")
        self.must("/text" in self.page.url, "the preview left the text table")
        confirm.first.click()
        if self.comes(partial(self.page.wait_for_url, MADE), "the move left the text table"):
            self.must(bool(self.page.get_by_role("status").first.text_content()), "no status line")

    def comes(self, waits: Callable[[], Any], what: str) -> bool:
        """Wait for the answer to a click, which playwright does not wait for. Return whether it came."""
        try:
            waits()
        except NeverCame:
            self.must(False, what)
            return False
        return True

    def choose_one(self) -> None:
        for folded in self.part("Your options").locator("summary").all():
            folded.click()
        lists = self.part("Your options").get_by_role("list")
        items = [it for it in lists.get_by_role("listitem").all() if it.get_by_role("button").count()]
        it = self.dice.choice(items)
        for box in it.get_by_role("combobox").all():
            box.select_option(index=self.dice.randrange(box.get_by_role("option").count()))
            self.kinds["with a choice"] += 1
        for field in it.get_by_role("spinbutton").all():
            field.fill(self.number_for(field))
            self.kinds["with a number"] += 1
        for box in it.get_by_role("checkbox").all():
            if self.dice.random() < 0.3:
                box.check()
                self.kinds["with a box"] += 1
        buttons = it.get_by_role("button").all()
        self.dice.choice(buttons).click()
        self.kinds["chosen"] += 1

    def number_for(self, field: Locator) -> str:
        """Return a small number that the field takes."""
        low, high, step = (int(str(field.get_attribute(name))) for name in ("min", "max", "step"))
        return str(self.dice.randrange(low, min(high, low + 5 * step) + 1, step))

    def type_one(self) -> None:
        names = self.part("Your options").get_by_role("button").all_text_contents()
        example = self.part("Type your move").get_by_role("paragraph").first.text_content() or ""
        line = re.search("[“„](.+?)[”“]", example)
        self.must(line is not None and bool(names), f"no example in {example!r}")
        self.page.get_by_role("textbox", name=self._("Your orders")).fill(line[1] if line else "")
        self.part("Type your move").get_by_role("button", name=self._("Try it")).click()
        self.kinds["typed"] += 1

    def over(self) -> None:
        self.must(self.part("The result").get_by_role("table").count() == 1, "no result")


@click.command()
@click.option("--title", "titles", multiple=True, type=click.Choice(list(domain.TITLES)), help="One, or several.")
@click.option("--lang", default="en", show_default=True)
def main(titles: tuple[str, ...], lang: str) -> None:
    """Play whole games in words, and name the faults."""
    quietly()
    wrong = 0
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for title in titles or domain.TITLES:
            for seed, scripts in enumerate((True, False)):
                wrong += a_game(browser, InWords, title, lang, scripts, seed)
        browser.close()
    sys.exit(1 if wrong else 0)


def a_game(browser: Any, way: type[InWords], title: str, lang: str, scripts: bool, seed: int) -> int:
    """Play a game from its first move to its end, and name the faults. Return their number."""
    with tempfile.TemporaryDirectory() as room:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port())  # type: ignore[call-arg]
        store = open_store(settings.database, titles=domain.TITLES, settings=settings)
        store.migrate()
        world = FromTheStart(store, title)
        address = f"{settings.site}/games/{world.played}{way.path}"
        with served(store, settings):
            context = browser.new_context(java_script_enabled=scripts)
            for name, value in (("session", world.session), ("lang", lang)):
                context.add_cookies([{"name": name, "value": value, "url": settings.site}])
            reader = way(context.new_page(), lang, seed)
            moves = 0
            while world.until_ann() and moves < MOST and not reader.wrong:
                reader.page.goto(address)
                reader.turn(moves)
                moves += 1
            if not reader.wrong:
                reader.page.goto(address)
                reader.over()
            context.close()
        store.close()
    done = ", ".join(f"{count} {kind}" for kind, count in sorted(reader.kinds.items()))
    how = "with scripts" if scripts else "without scripts"
    click.echo(f"{title}, {lang}, {how}: {moves} moves ({done}): " + ("; ".join(reader.wrong) or "all holds"))
    return len(reader.wrong)


if __name__ == "__main__":
    main()
