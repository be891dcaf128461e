"""Whole games at the table in a real browser, by the keyboard alone, and by what stands on the page.

    python -m tests.browser.by_keys [--title new_england] [--lang de]

It plays a game of each title from its first move to its end. One seat is played in the system's Chromium (Debian: ``apt
install chromium``; ``pip install -e '.[browser]'``), with Tab, arrows, Enter, blank and digits. Its moves are chosen at
random among the places on the board, and the links, folds and buttons of "Your move". They are previewed, and
confirmed. Some ticked boxes are refused; then the turn starts over. It names the faults, and ends with 1 if there is
any.
"""

import re
import sys
from typing import Any

import click
from playwright.sync_api import Locator, sync_playwright

import domain
from tests.browser.in_words import InWords, a_game
from tests.browser.pointing import WITHIN, Keys, Table
from tests.browser.shots import CHROMIUM, FLAGS, quietly

ARRIVED = "before => location.href !== before && document.readyState === 'complete'"
PREFERENCE = 0.3
"""How often a place or a link is chosen although a button is there."""
TICKED = 0.6
"""How often a box is ticked."""


class ByKeys(InWords):
    """A table as somebody without a mouse finds it."""

    path = ""

    def __init__(self, page: Any, lang: str, seed: int) -> None:
        super().__init__(page, lang, seed)
        self.table = Table(page, "")
        self.table.wrong = self.wrong
        self.keys = Keys(self.table)
        self.boxed = False

    def turn(self, number: int) -> None:
        """Choose one step by places, links and a button, and confirm it."""
        for _ in range(WITHIN):
            if self.part("Preview").count() and self.confirmed():
                return
            before = self.page.url
            self.choose_one()
            if self.wrong or not self.table.until(ARRIVED, before):
                return
        self.must(False, f"no move after {WITHIN} choices")

    def confirmed(self) -> bool:
        """Confirm what is previewed, or start over if ticked boxes were refused."""
        says = self._("Confirm: {deed}").partition(":")[0]
        confirm = self.part("Preview").get_by_role("button", name=re.compile(f"^{says}"))
        if not confirm.count() and self.boxed:
            self.go(self.part("Preview").get_by_role("link", name=self._("Start over")))
            self.kinds["refused"] += 1
            return False
        self.must(confirm.count() == 1, "no preview to confirm")
        if not self.wrong:
            self.go(confirm.first)
            self.must(not self.part("Preview").count(), "the move was not made")
        self.kinds["confirmed"] += 1
        return True

    def choose_one(self) -> None:
        self.boxed = False
        move = self.part("Your move")
        chips = [it for it in move.get_by_role("list").get_by_role("link").all() if self.narrows(it)]
        links = self.page.locator(".places a").all()
        places = [it for it in links if str(it.get_attribute("id")).removeprefix("at-") not in self.table.chosen()]
        if (forms := self.unfolded(move)) and (not chips + places or self.dice.random() > PREFERENCE):
            self.make(self.dice.choice(forms))
        elif self.dice.choice(["place"] * bool(places) + ["link"] * bool(chips) or ["none"]) == "place":
            self.keys.point(str(self.dice.choice(places).get_attribute("id")))
            self.kinds["at a place"] += 1
        else:
            self.must(bool(chips), "nothing to choose")
            if chips:
                self.keys.press(self.dice.choice(chips))
                self.kinds["by a link"] += 1

    def narrows(self, link: Locator) -> bool:
        """Does the link choose something? Others remove it again, or explain a word or a rule."""
        return bool(link.evaluate("it => !!it.closest('.ways:not(.chosen)')"))

    def unfolded(self, move: Locator) -> list[Locator]:
        """Return the forms that make a move; every fold over them is opened."""
        for fold in move.get_by_role("group").locator("summary").all():
            if fold.is_visible() and not fold.evaluate("it => it.parentElement.open"):
                self.keys.press(fold)
        items = move.get_by_role("group").get_by_role("listitem").all()
        return [it for it in items if it.get_by_role("button").count()]

    def make(self, item: Locator) -> None:
        """Fill in the form's number and boxes, and press its button."""
        for field in item.get_by_role("spinbutton").all():
            self.keys.write(field, self.number_for(field))
            self.kinds["with a number"] += 1
        for box in item.get_by_role("checkbox").all():
            self.boxed = True
            if box.is_checked() != (self.dice.random() < TICKED):
                self.keys.tick(box)
                self.kinds["with a box"] += 1
        self.keys.press(item.get_by_role("button").last)
        self.kinds["by a button"] += 1

    def go(self, button: Locator) -> None:
        before = self.page.url
        self.keys.press(button)
        self.table.until(ARRIVED, before)


@click.command()
@click.option("--title", "titles", multiple=True, type=click.Choice(list(domain.TITLES)), help="One, or several.")
@click.option("--lang", default="en", show_default=True)
def main(titles: tuple[str, ...], lang: str) -> None:
    """Play whole games by the keyboard, and name the faults."""
    quietly()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        wrong = sum(a_game(browser, ByKeys, it, lang, scripts=True, seed=3) for it in titles or domain.TITLES)
        browser.close()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
