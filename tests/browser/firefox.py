"""A table in Firefox: are its ground and fonts there, can one point at it, and try and make a turn?

    python -m tests.browser.firefox [--title new_england] [--lang de] [--photographs DIRECTORY]

It plays each title to the middle of a game and shows the table in Debian's Firefox, wide and light, narrow and dark
(``apt install firefox-esr``; ``pip install -e '.[browser]'``, whose driver is Mozilla's own and works with any
Firefox). A turn is played by pointing: places are clicked until a step is left, it is tried, and confirmed. Then the
keyboard moves over the board, and it is zoomed. It names every fault, and ends with 1 if there is any.
"""

import base64
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from marionette_driver.keys import Keys
from marionette_driver.marionette import Marionette

import domain
from tests.browser.pointing import LINKS, MIDDLE, QUIET, a_table
from tests.browser.shots import PATIENCE, SIZES, free_port, quietly

FIREFOXES = ("firefox-esr", "firefox")
LOOKS = (("wide", "light"), ("phone", "dark"))
SCHEMES = {"dark": 0, "light": 1}
"""Firefox's names of the themes."""
WITHIN = PATIENCE / 1000
"""Seconds in which a page answers."""
MOST_CLICKS = 8

WHICH = "return document.querySelector('.which a')"
AS_WIDE_AS = """const {style} = gBrowser.selectedBrowser, [width, height] = arguments;
  for (const it of ['min', 'max']) { style[it + 'Width'] = `${width}px`; style[it + 'Height'] = `${height}px`; }"""
FAULTS = """return Services.console.getMessageArray().filter(it => it instanceof Ci.nsIScriptError
  && it.sourceName.startsWith('http') && !(it.flags & Ci.nsIScriptError.warningFlag)).map(it => it.errorMessage)
  .filter(it => !it.includes('/live?'))"""
"""The server of this check has no stream (`tests.browser.live` looks at that)."""
GROUND = """const box = document.querySelector('.board use')?.getBBox();
  return box ? Math.min(box.width, box.height) : 0"""
BREADTH = """const board = document.querySelector('.board div > svg');
  return board.getBoundingClientRect().width / board.parentElement.clientWidth"""
FACES = "return [...document.fonts].filter(it => it.status === 'loaded').map(it => it.family + ' ' + it.weight)"
STEP = """const seen = document.querySelectorAll(`.actions form[action$='/try'] button[type=submit],
  .actions form[action$='/try'] li > button`); return [...seen].find(it => it.checkVisibility()) ?? null"""
STEPS = "return document.querySelectorAll('ol.tried > li').length"
TRIALS = "return document.querySelectorAll('.trial').length"
"""A number, since an element may leave the page before the driver has told of it."""
FOCUS = "return document.activeElement.id"
LIT = f"return {LINKS}.filter(it => !it.classList.contains('chosen')).map(it => it.id)"
WAYS = "return document.querySelector('.actions .ways:not(.chosen) a')"


class Fox:
    """A table in one Firefox."""

    def __init__(self, firefox: Marionette, address: str) -> None:
        self.firefox, self.address, self.wrong = firefox, address, list[str]()

    def open(self) -> None:
        self.firefox.navigate(self.address)

    def ask(self, script: str, *arguments: Any) -> Any:
        return self.firefox.execute_script(script, script_args=arguments)

    def must(self, holds: object, what: str) -> None:
        if not holds:
            self.wrong.append(what)

    def until(self, holds: Callable[[], object], what: str) -> None:
        """Wait until it holds, or note the fault ``what``."""
        latest = time.monotonic() + WITHIN
        while not holds():
            if time.monotonic() > latest:
                self.wrong.append(what)
                return
            time.sleep(0.05)

    def point(self, place: str) -> None:
        """Click where a place is drawn, and wait for the effect."""
        before = self.firefox.get_url()
        x, y = self.ask(f"return ({MIDDLE})(arguments[0])", place)
        self.firefox.actions.sequence("pointer", "mouse").pointer_move(round(x), round(y)).click().perform()
        self.until(
            lambda: self.firefox.get_url() != before or self.ask(f"{WHICH} !== null"),
            f"a click on {place} leads nowhere",
        )

    def press(self, key: str) -> str:
        """Press a key and return the id of the focused element."""
        self.firefox.actions.sequence("key", "keyboard").send_keys(key).perform()
        return str(self.ask("return document.activeElement.id"))


def looked_at(fox: Fox) -> None:
    """Check that the ground is drawn and that the fonts are the page's own."""
    fox.open()
    fox.until(lambda: fox.ask(GROUND) > 100, "the ground of the board is not drawn")
    fox.until(lambda: len(fox.ask(FACES)) >= 3, "fonts did not come")
    wide = fox.ask("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    fox.must(wide <= 0, f"the page is {wide} px wider than the window")


def by_keyboard(fox: Fox) -> None:
    """Check the keyboard: one stop of the tab key; arrows move on, Enter chooses, Escape removes."""
    fox.open()
    fox.must(fox.ask(f"return {LINKS}.filter(it => it.tabIndex === 0).length") == 1, "the tab key stops more than once")
    for _ in range(60):
        if fox.press(Keys.TAB).startswith("at-"):
            break
    reached = {fox.press(key) for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_UP) * 4}
    fox.must(all(it.startswith("at-") for it in reached), f"focus has left the board: {reached}")
    fox.must(len(reached) > 1, "arrows lead nowhere")
    place = fox.ask("return document.activeElement.id")
    fox.press(Keys.ENTER)
    fox.until(lambda: fox.firefox.get_url() != fox.address, "Enter chooses nothing")
    if "at=" not in fox.firefox.get_url():
        return  # one move was left, and is tried
    left = f"focus left {place}"
    fox.until(lambda: fox.ask(FOCUS) in (place, "tried"), left)  # the only action of a place is tried
    fox.press(Keys.ESCAPE)
    fox.until(lambda: "at=" not in fox.firefox.get_url(), "Escape takes nothing away")


def zoomed(fox: Fox) -> None:
    """Check that the zoomed board is twice as wide as its frame. (On a wide screen a table has no zoom.)"""
    fox.open()
    fox.ask("document.querySelector('.zoom [value=\"2\"]').click()")
    fox.must(abs(fox.ask(BREADTH) - 2) < 0.02, "the board does not grow")


def a_turn(fox: Fox, version: Callable[[], int]) -> None:
    """Point until a step is left, try it, load again, and confirm it."""
    fox.open()
    before = version()
    for _ in range(MOST_CLICKS):
        if fox.ask(STEPS):
            break  # one move was left
        if (asked := fox.ask(WHICH)) or (step := fox.ask(STEP)):
            (asked or step).click()
        elif lit := fox.ask(LIT):
            fox.point(lit[len(lit) // 2])
            continue
        elif way := fox.ask(WAYS):
            way.click()
        else:
            break
        if not asked and step:
            fox.until(lambda: fox.ask(STEPS), "a step that was pressed is not tried")
        time.sleep(QUIET / 1000)
    fox.must(version() == before, "something was made before it was confirmed")
    fox.firefox.refresh()
    fox.until(lambda: fox.ask(STEPS), "loading again lost the step")
    if fox.wrong:
        return
    fox.ask("return document.querySelector('.trial form button.primary')").click()
    fox.until(lambda: version() > before, "confirming made nothing")
    fox.until(lambda: not fox.ask(TRIALS), "what was made stands there as tried")


@contextmanager
def firefoxes(size: str, theme: str, *, scripts: bool = True) -> Iterator[Marionette]:
    """Yield a Firefox that shows pages as wide as a screen of that size."""
    found = next((path for name in FIREFOXES if (path := shutil.which(name))), None)
    if found is None:
        raise click.ClickException("There is no Firefox here; Debian: apt install firefox-esr")
    prefs = {"layout.css.prefers-color-scheme.content-override": SCHEMES[theme], "javascript.enabled": scripts}
    binary = str(Path(found).resolve())
    with tempfile.TemporaryDirectory() as room:
        log = str(Path(room) / "firefox.log")
        port = free_port()  # so that two of them can run at once
        firefox = Marionette(bin=binary, app="fxdesktop", headless=True, prefs=prefs, gecko_log=log, port=port)
        try:
            firefox.start_session()
            firefox.set_window_rect(width=1400, height=1100)
            with firefox.using_context("chrome"):
                firefox.execute_script(AS_WIDE_AS, script_args=SIZES[size])
            yield firefox
        finally:
            firefox.cleanup()


def photograph(fox: Fox, file: Path) -> None:
    fox.open()
    file.write_bytes(base64.b64decode(fox.firefox.screenshot(full=True)))


def shown(title: str, lang: str, size: str, theme: str, photographs: Path | None) -> list[str]:
    """Return the faults of one title in one form."""
    with a_table(title) as (settings, world), firefoxes(size, theme) as firefox:
        fox = Fox(firefox, f"{settings.site}/games/{world.middle}")
        firefox.navigate(settings.site + "/legal")
        cookies = {"session": world.session, "lang": lang, "board": "narrow" if size == "phone" else "wide"}
        for name, value in cookies.items():
            firefox.add_cookie({"name": name, "value": value})
        for check in (looked_at, *([zoomed] if size == "phone" else []), by_keyboard):
            check(fox)
        if photographs:
            photograph(fox, photographs / f"{title}-{size}-{theme}-{lang}.png")
        a_turn(fox, world.version)
        with firefox.using_context("chrome"):
            fox.wrong += firefox.execute_script(FAULTS)
        return fox.wrong


@click.command()
@click.option("--title", "titles", multiple=True, type=click.Choice(list(domain.TITLES)), help="One, or several.")
@click.option("--lang", default="en", show_default=True)
@click.option("--photographs", type=click.Path(path_type=Path), help="Where to put photographs of the tables.")
def main(titles: tuple[str, ...], lang: str, photographs: Path | None) -> None:
    """Show the tables of all titles in Firefox, and name the faults."""
    quietly()
    if photographs:
        photographs.mkdir(parents=True, exist_ok=True)
    bad = 0
    for title in titles or domain.TITLES:
        for size, theme in LOOKS:
            wrong = shown(title, lang, size, theme, photographs)
            bad += len(wrong)
            click.echo(f"{title}, {size}, {theme}: " + ("; ".join(wrong) or "all holds"))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
