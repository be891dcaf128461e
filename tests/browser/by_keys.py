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
        chips, forms = move.locator(".ways:not(.chosen) a"), self.unfolded(move)
        places = [it for it in self.table.lit() if it not in self.chosen()]
        if forms.count() and (not (places or chips.count()) or self.dice.random() > PREFERENCE):
            self.make(self.one_of(forms))
        elif places and (not chips.count() or self.dice.random() < 0.5):
            self.keys.point(self.dice.choice(places))
            self.kinds["at a place"] += 1
        elif chips.count():
            self.keys.press(self.one_of(chips))
            self.kinds["by a link"] += 1
        else:
            self.must(False, "nothing to choose")

    def chosen(self) -> list[str]:
        """Return the links of the chosen places, which remove them again."""
        return [f"at-{it}" for it in self.table.chosen()]

    def one_of(self, found: Locator) -> Locator:
        return found.nth(self.dice.randrange(found.count()))

    def unfolded(self, move: Locator) -> Locator:
        """Return the forms that make a move; every fold over them is opened."""
        folds = move.locator("details:not([open]):not(.typed):has(form button) > summary:visible")
        while folds.count() and not self.wrong:
            self.keys.press(folds.first)
        return move.locator("fieldset li:has(button[type=submit])")

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
