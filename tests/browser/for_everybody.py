"""Tables for everybody, in a real browser: large text, tiny windows, forced colours, no motion, the keyboard, paper.

    python -m tests.browser.for_everybody [--title new_england] [--only large_text,paper] [--shots DIRECTORY]

It opens the tables of `busy` in the system's Chromium (Debian: ``apt install chromium``; ``pip install -e
'.[browser]'``), in English and German. It names the faults, and ends with 1 if there is any. ``--shots`` keeps
photographs. A run for one title takes some minutes.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import click
from playwright.sync_api import Browser, Page, sync_playwright

import domain
from service.proof.bundle.make import bundle
from service.proof.bundle.page import page as exported
from tests.browser.busy import Tables, opened, tables, visit
from tests.browser.one_screen import BEYOND
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE, quietly

LARGE = {"1280x800": (1280, 800), "1920x1080": (1920, 1080), "360x740": (360, 740)}
TINY = {"320x200": (320, 200), "640x400": (640, 400)}
"""Windows of 1,280 x 800 pixels at 400 % and 200 %."""
LETTER = 32
"""Pixels of a browser's letters that are set to twice their size."""
SHEET = (794, 1123)
"""A sheet of paper (A4), in pixels."""

FIXED = """() => [...document.querySelectorAll('body *')]
  .filter(it => it.checkVisibility() && ['fixed', 'sticky'].includes(getComputedStyle(it).position))
  .map(it => `${it.localName}.${it.className}`)"""
CUT = """() => [...document.querySelectorAll('body *')]
  .filter(it => !it.closest('svg, .unseen') && it.checkVisibility())
  .filter(it => { const style = getComputedStyle(it), hides = each => ['hidden', 'clip'].includes(each);
    return style.clipPath === 'none' && (hides(style.overflowX) && it.scrollWidth > it.clientWidth + 1
      || hides(style.overflowY) && it.scrollHeight > it.clientHeight + 1); })
  .map(it => `${it.localName}.${it.className} “${it.textContent.trim().slice(0, 30)}”`)"""
BOXES = """() => [...document.querySelectorAll('main *')].filter(it => !it.closest('svg, .unseen, textarea')
  && it.checkVisibility() && ['auto', 'scroll'].includes(getComputedStyle(it).overflowY)
  && it.scrollHeight > it.clientHeight + 1).map(it => `${it.localName}.${it.className}`)"""
"""Boxes that scroll by themselves."""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def _whole(page: Page) -> Iterator[str]:
    """Yield what is cut off, fixed, or in a box of its own."""
    if (wide := page.evaluate(TOO_WIDE)) > 0:
        yield f"{wide} pixels too wide: {', '.join(page.evaluate(BEYOND))}"
    for what, found in (("fixed", FIXED), ("cut off", CUT), ("scrolls by itself", BOXES)):
        if those := page.evaluate(found):
            yield f"{what}: {', '.join(dict.fromkeys(those))}"


Shot = Callable[[Page, str], None]


# ==== the checks ==================================================================================
def large_text(browser: Browser, at: Tables, shot: Shot) -> Iterator[str]:
    """At 200 % text, as a browser's own settings make it, nothing is cut off, and nothing is fixed."""
    for window, (width, height) in LARGE.items():
        with tempfile.TemporaryDirectory() as room:
            settings = Path(room) / "Default" / "Preferences"
            settings.parent.mkdir()
            settings.write_text(json.dumps({"webkit": {"webprefs": {"default_font_size": LETTER}}}))
            context = browser.browser_type.launch_persistent_context(
                room, executable_path=CHROMIUM, args=FLAGS, viewport={"width": width, "height": height}
            )
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            for lang in ("en", "de"):
                for state, found in at.found.items():
                    context.add_cookies(at.cookies(found.seat, lang))
                    visit(page, at.address(state))
                    shot(page, f"{window}-{lang}-{at.name(state)}")
                    if page.evaluate("getComputedStyle(document.documentElement).fontSize") != f"{LETTER}px":
                        yield "the text is not large"
                    for fault in _whole(page):
                        yield f"{window}, {lang}, {state}: {fault}"
            context.close()


def tiny(browser: Browser, at: Tables, shot: Shot) -> Iterator[str]:
    """In a window of less than 480 pixels' height the page scrolls, and nothing is fixed."""
    for window, size in TINY.items():
        for lang in ("en", "de"):
            for state, found in at.found.items():
                with opened(browser, at, found.seat, size, lang) as page:
                    visit(page, at.address(state))
                    shot(page, f"{window}-{lang}-{at.name(state)}")
                    for fault in _whole(page):
                        yield f"{window}, {lang}, {state}: {fault}"


MARKED = (
    ".bar .call", ".plaque", ".seats-area .asked", ".tabs-area a[aria-current]", ".thing.lit", ".thing.chosen",
    ".lately .fresh", ".chair", ".trial", ".lesson", ".actions button", "button.primary",
)  # fmt: skip
"""What a colour alone must not mark."""
UNMARKED = """marks => marks.filter(mark => [...document.querySelectorAll(mark)].some(it => it.checkVisibility()
  && !['Top', 'Right', 'Bottom', 'Left'].some(side => { const style = getComputedStyle(it);
    return style.outlineStyle !== 'none'
      || style[`border${side}Style`] !== 'none' && parseFloat(style[`border${side}Width`]) > 0; })))"""
BLOTS = """() => [...document.querySelectorAll('.board svg text')].filter(it => {
  const style = getComputedStyle(it);
  return style.stroke !== 'none' && style.stroke === style.fill; }).map(it => it.textContent)"""
"""Texts on the board in one colour with the ring around their letters."""


def forced_colours(browser: Browser, at: Tables, shot: Shot) -> Iterator[str]:
    """In forced colours marks have edges, and texts on the board are legible."""
    for theme in ("light", "dark"):
        for state, found in at.found.items():
            for size in ((1280, 800), (360, 740)):
                with opened(browser, at, found.seat, size, forced_colors="active", color_scheme=theme) as page:
                    visit(page, at.address(state, "show=seats"))
                    shot(page, f"{size[0]}-{theme}-{at.name(state)}")
                    if those := page.evaluate(UNMARKED, list(MARKED)):
                        yield f"{theme}, {state}, {size[0]}: no edge around {', '.join(those)}"
                    if those := page.evaluate(BLOTS):
                        yield f"{theme}, {state}, {size[0]}: illegible on the board: {', '.join(those)}"


MOVES = """() => [...document.querySelectorAll('*')].flatMap(it => [null, '::before', '::after']
  .map(part => getComputedStyle(it, part)))
  .filter(it => it.animationName !== 'none'
    || it.transitionDuration.split(', ').some(each => parseFloat(each) > 0)).length"""


def no_motion(browser: Browser, at: Tables, shot: Shot) -> Iterator[str]:
    """With reduced motion nothing moves, and no replay is offered; without it, one is."""
    for motion, moves in (("reduce", False), ("no-preference", True)):
        with opened(browser, at, 1, (1280, 800), reduced_motion=motion) as page:
            visit(page, at.address("nothing chosen"))
            page.evaluate("document.querySelector('.lately li').classList.add('moved')")
            page.keyboard.press("Tab")
            if bool(number := page.evaluate(MOVES)) != moves:
                yield f"{motion}: {number} elements move"
            if page.locator("[data-replay]").is_visible() != moves:
                yield f"{motion}: a replay is {'not ' * moves}offered"


FOCUSED = """() => { const it = document.activeElement;
  if (!it || it === document.body) return null;
  const box = it.getBoundingClientRect(), parts = [.1, .3, .5, .7, .9];
  const seen = parts.some(x => parts.some(y => {
    const at = [box.left + box.width * x, box.top + box.height * y];
    if (at[0] < 0 || at[1] < 0 || at[0] >= innerWidth || at[1] >= innerHeight) return false;
    for (let top = document.elementFromPoint(...at); top; top = top.parentElement) {
      if (['fixed', 'sticky'].includes(getComputedStyle(top).position)) return top.contains(it);
    }
    return true; }));
  return { seen, name: `${it.localName}.${it.getAttribute('class')} “${it.textContent.trim().slice(0, 30)}”` }; }"""
"""What has the focus, and whether any of it is seen: in the window, and not behind what is fixed."""
MOST_STOPS = 400


def keyboard(browser: Browser, at: Tables, shot: Shot) -> Iterator[str]:
    """WCAG 2.4.11 Whatever the tab key reaches is seen, forwards and backwards."""
    for size, more in (
        ((1280, 800), ""),
        ((1366, 650), ""),
        ((360, 740), ""),
        ((360, 740), "stays=1"),
        ((320, 200), ""),
    ):
        for state, found in at.found.items():
            with opened(browser, at, found.seat, size) as page:
                visit(page, at.address(state, more))
                for key in ("Tab", "Shift+Tab"):
                    for it in _stops(page, key):
                        if not it["seen"]:
                            yield f"{size[0]}x{size[1]} {more}, {state}, {key}: hidden: {it['name']}"
                shot(page, f"{size[0]}-{more.partition('=')[0]}-{at.name(state)}")


def _stops(page: Page, key: str) -> Iterator[Mapping[str, object]]:
    """Yield what has the focus after each press of a key, until the page has been gone through."""
    page.evaluate("document.activeElement.blur()")
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        if (it := page.evaluate(FOCUSED)) is None:
            return
        yield it
    yield {"seen": False, "name": f"no end after {MOST_STOPS} stops"}


COLOURS = """() => [getComputedStyle(document.body).backgroundColor,
  ...['--board-ink', '--board-paper', '--board-sea'].map(it =>
    getComputedStyle(document.documentElement).getPropertyValue(it))].join(' ')"""
ON_SCREEN = (
    ".menu, .tabs-area, .zoom, .stays, .skip, .foot, .actions, .steps, .slider, .replay, .say, .onward, nav, button"
)
"""What makes no sense on paper."""
MOST_SHEETS = 3


def paper(browser: Browser, at: Tables, shot: Shot) -> Iterator[str]:
    """On paper a page has light colours whatever the theme is, all areas whole, and no controls. So has a page that was
    exported."""
    for what, address in _to_print(at):
        found = {}
        for theme in ("light", "dark"):
            with opened(browser, at, 1, SHEET, color_scheme=theme) as page:
                visit(page, address)
                page.emulate_media(media="print", color_scheme=theme)
                shot(page, f"{what}-{theme}")
                found[theme] = page.evaluate(COLOURS)
                if not found[theme].startswith("rgb(255, 255, 255)"):
                    yield f"{what}, {theme}: the ground is not that of the paper: {found[theme]}"
                for fault in _whole(page):
                    yield f"{what}, {theme}: {fault}"
                if left := page.locator(ON_SCREEN).filter(visible=True).count():
                    yield f"{what}, {theme}: {left} controls on paper"
                sheets = page.pdf(format="A4", print_background=True).count(b"/Type /Page\n")
                if not 1 <= sheets <= MOST_SHEETS and what != "exported":
                    yield f"{what}, {theme}: {sheets} sheets"
        if found["light"] != found["dark"]:
            yield f"{what}: the dark theme prints {found['dark']}, not {found['light']}"


def _to_print(at: Tables) -> Iterator[tuple[str, str]]:
    """Yield pages with their addresses: a table, two of its tabs, a past position, and an exported file."""
    table = at.address("nothing chosen")
    yield "table", table
    yield "players", at.address("nothing chosen", "show=seats")
    yield "talk", at.address("nothing chosen", "show=talk")
    yield "past", table.partition("?")[0] + "/at/20"
    game_id = at.name("nothing chosen")
    with at.store.read() as conn:
        stored, plies = at.store.load(conn, game_id), list(at.store.stored_plies(conn, game_id))
    file = Path(at.store.settings.data_dir) / "game.html"
    file.write_bytes(exported(bundle(stored, plies, 1), stored, plies, 1, "en"))
    yield "exported", file.as_uri()


CHECKS = {it.__name__: it for it in (large_text, tiny, forced_colours, no_motion, keyboard, paper)}


@click.command()
@click.option("--title", "titles", multiple=True, type=click.Choice(list(domain.TITLES)), help="One, or several.")
@click.option("--only", default=",".join(CHECKS), show_default=True)
@click.option("--shots", type=click.Path(path_type=Path), help="A directory for photographs.")
def main(titles: Sequence[str], only: str, shots: Path | None) -> None:
    """Look at the busiest tables as everybody sees them, and name the faults."""
    quietly()
    wrong = 0
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for title in titles or domain.TITLES:
            with tables(title) as at:
                for name in only.split(","):
                    for said in CHECKS[name](browser, at, _photographer(shots, f"{title}-{name}")):
                        click.echo(f"{title}, {name}: {said}")
                        wrong += 1
        browser.close()
    sys.exit(1 if wrong else 0)


def _photographer(shots: Path | None, of: str) -> Shot:
    def shot(page: Page, name: str) -> None:
        if shots is not None:
            shots.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=str(shots / f"{of}-{name}.png"), full_page=True)

    return shot


if __name__ == "__main__":
    main()
