"""The busiest tables in a real browser: does everything that a turn needs fit into one window?

    python -m tests.browser.one_screen [--title new_england] [--windows 360x740] [--shots DIRECTORY]

It opens the tables of `busy` in the system's Chromium (Debian: ``apt install chromium``; ``pip install -e
'.[browser]'``), in English and German, with nothing chosen, with the longest choice, with a turn tried, and with open
tabs. In the windows of `WINDOWS` every area must lie whole inside the window, and nothing that a turn needs may scroll;
in those of `SMALL` the page scrolls, and nothing may be cut off. It names the faults, and ends with 1 if there is any.
``--shots`` keeps photographs of all of them. A run for one title and one window takes a minute.
"""

import itertools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import Browser, Page, sync_playwright

import domain
from service.web.pages.parts.boards import STAYS
from tests.browser.busy import Tables, opened, tables, visit
from tests.browser.shots import CHROMIUM, FLAGS, quietly

WINDOWS = {"1280x800": (1280, 800), "1366x650": (1366, 650), "1920x1080": (1920, 1080), "2560x1300": (2560, 1300)}
"""Windows that hold a whole table."""
SMALL = {"768x1024": (768, 1024), "360x740": (360, 740), "320x200": (320, 200)}
"""Windows in which the page scrolls."""
SIZES = {**WINDOWS, **SMALL}


@click.command()
@click.option("--title", "titles", multiple=True, type=click.Choice(list(domain.TITLES)), help="One, or several.")
@click.option("--shots", type=click.Path(path_type=Path), help="A directory for photographs.")
@click.option("--windows", default=",".join(SIZES), show_default=True)
@click.option("--langs", default="en,de", show_default=True)
@click.option("--themes", default="light", show_default=True)
@click.option("--states", default="0,1,2,3,4,5", show_default=True, help="Those of `busy.states`, by number.")
@click.option("--also", default="", help="More fields of the address: show=seats.")
def main(
    titles: Sequence[str], shots: Path | None, windows: str, langs: str, themes: str, states: str, also: str
) -> None:
    """Look at the busiest tables, and name the faults."""
    quietly()
    wrong = 0
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for title in titles or domain.TITLES:
            with tables(title) as at:
                names = [[*at.found][int(it)] for it in states.split(",")]
                for said in looked_at(browser, at, names, shots, windows, langs, themes, also):
                    click.echo(said)
                    wrong += 1
        browser.close()
    sys.exit(1 if wrong else 0)


def looked_at(
    browser: Browser, at: Tables, states: Sequence[str], shots: Path | None, windows: str, langs: str, themes: str,
    also: str,
) -> Iterator[str]:  # fmt: skip
    """Yield the faults of one title."""
    for window, lang, theme in itertools.product(windows.split(","), langs.split(","), themes.split(",")):
        with opened(browser, at, at.found[states[0]].seat, SIZES[window], lang, color_scheme=theme) as page:
            visit(page, at.address(states[0]).partition("?")[0])  # the script measures the window
            for state in states:
                page.context.add_cookies(at.cookies(at.found[state].seat, lang))
                page.context.clear_cookies(name=STAYS)
                visit(page, at.address(state, also))
                if shots:
                    shots.mkdir(parents=True, exist_ok=True)
                    number = [*at.found].index(state)
                    page.screenshot(path=str(shots / f"{at.title.id}-{window}-{lang}-{theme}-{number}.png"))
                for fault in faults(page, window, chosen=not state.startswith("nothing")):
                    yield f"{at.title.id}, {state}, {window}, {lang}, {theme}: {fault}"


# ==== faults ======================================================================================
AREAS = (".bar", ".board", ".hand-area", ".choice-area", ".seats-area", ".tabs-area")
LAID = """areas => areas.map(it => document.querySelector(it)).filter(Boolean).map(it => {
  const { left, top, right, bottom } = it.getBoundingClientRect();
  const inner = [...it.querySelectorAll('*')].filter(each => each.checkVisibility?.({ opacityProperty: true })
      && !each.closest('svg, .unseen, details:not([open]) > :not(summary)'));
  const low = Math.max(...inner.map(each => each.getBoundingClientRect().bottom));
  return { area: it.className, left, top, right, bottom, low, scrolls: it.scrollHeight - it.clientHeight }; })"""
"""Where the areas lie, how far what is in them reaches, and how much of them scrolls."""
TYPES = """() => [...new Set([...document.querySelectorAll('body *')].filter(it => !it.closest('svg, .unseen')
  && it.checkVisibility() && [...it.childNodes].some(each => each.nodeType === 3 && each.data.trim()))
  .map(it => getComputedStyle(it).fontSize))]"""
"""The sizes of type of what is seen, without the board's."""
MOST_TYPES = 4
BEYOND = """() => [...document.querySelectorAll('body *')].filter(it => !it.closest('svg')
  && it.getBoundingClientRect().right > document.documentElement.clientWidth)
  .map(it => `${it.localName}.${it.className}`)"""
FINGERS = """() => [...document.querySelectorAll('.actions li:not(.open) button, .actions .ways a, .trial button')]
  .filter(it => it.checkVisibility()).map(it => it.getBoundingClientRect().height).filter(it => it < 43.5).length"""
BROKEN = """() => [...document.querySelectorAll('.strip > h3, .strip .name, .seats-area .who, .compared th')]
  .filter(it => it.checkVisibility() && getComputedStyle(it).clipPath === 'none').flatMap(it => {
    const text = [...it.childNodes].find(each => each.nodeType === 3 && each.data.trim());
    if (!text) return [];
    return [...text.data.matchAll(/[\\p{L}]+/gu)].filter(word => {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      return new Set([...range.getClientRects()].map(each => Math.round(each.top))).size > 1;
    }).map(word => word[0]); })"""
"""Words that are broken over two lines without a hyphen: Chromium on Linux has no dictionaries."""
LINES = """() => { const area = document.querySelector('.moves-area').getBoundingClientRect();
  const lines = [...document.querySelectorAll('.lately li')].map(it => it.getBoundingClientRect());
  return lines.filter(it => it.height && it.bottom <= area.bottom + 1 && it.right <= area.right + 1).length; }"""
"""How many of the latest moves are seen: those without room flow into a column beyond the edge."""
IDLE = """() => { const above = [...document.querySelectorAll('.right > :not(.tabs-area, .tab-area)')].filter(it =>
    it.matches('.moves-area') ? it.querySelector('.lately').checkVisibility() : it.checkVisibility());
  const end = Math.max(...above.map(it => it.getBoundingClientRect().bottom));
  return document.querySelector('.tabs-area').getBoundingClientRect().top - end; }"""
"""How many pixels are empty above the tabs."""
ROOM = 80
"""Pixels that would hold three of the latest moves."""
COVERED = """() => { const button = document.querySelector('.moves-area .replay button:not([hidden])');
  if (!button?.checkVisibility()) return 0;
  const over = button.getBoundingClientRect();
  return [...document.querySelectorAll('.lately li')].filter(it => { const each = it.getBoundingClientRect();
    const right = each.right - parseFloat(getComputedStyle(it).paddingRight);
    const level = each.top < over.bottom - 4 && over.top + 4 < each.bottom;
    return level && over.left < right && each.left < over.right; }).length; }"""
"""How many of the latest moves *Replay* covers."""
CUT_LINES = """game => [...document.querySelectorAll(`${game} :is(.seats-area .said-of, .lately li)`)]
  .filter(it => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1).map(it => it.textContent.slice(0, 40))"""
"""Facts of seats, and moves, of which only the beginning is seen."""
CUT_STEPS = """() => [...document.querySelectorAll('.tried strong')].filter(it => it.checkVisibility()
    && it.getBoundingClientRect().right > it.parentElement.getBoundingClientRect().right + 1)
  .map(it => it.textContent)"""
"""Steps of a tried turn whose names are cut off."""
LABELS = """() => [...document.querySelectorAll('.strip > h3')].filter(it => { if (!it.checkVisibility()) return false;
    const name = it.getBoundingClientRect(), first = it.nextElementSibling.firstElementChild.getBoundingClientRect();
    return name.left > first.left && first.top > name.bottom; }).map(it => it.textContent)"""
"""Names of shelves at the end of a line, whose things begin on the next."""
ROWS = "[...document.querySelectorAll('.mine, .common')].map(it => it.offsetHeight)"
SHEET = "document.querySelector('.board svg:not(.sketch)').getBoundingClientRect().toJSON()"
"""The sheet of the board."""
FRAME = "document.querySelector('.board > :is(.wide, .narrow)').getBoundingClientRect().toJSON()"
"""What is seen of the sheet: it may scroll."""
COVERS = """() => { const sheet = document.querySelector('.board svg:not(.sketch)').getBoundingClientRect();
  return [...document.querySelectorAll('.board *')].filter(it => !it.closest('svg') && !it.querySelector('svg')
    && it.checkVisibility({ opacityProperty: true })).filter(it => { const each = it.getBoundingClientRect();
      const beside = each.left >= sheet.right || sheet.left >= each.right;
      const above = each.top >= sheet.bottom - 1 || sheet.top + 1 >= each.bottom;
      return each.width > 1 && !beside && !above; })
    .map(it => `${it.localName}.${it.className}`); }"""
"""What lies upon the board."""


def faults(page: Page, window: str, chosen: bool) -> Iterator[str]:
    """Yield the faults of a page in a window."""
    too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if too_wide > 0:
        yield f"{too_wide} pixels too wide: {', '.join(page.evaluate(BEYOND))}"
    types = page.evaluate(TYPES)
    if len(types) > MOST_TYPES:
        yield f"sizes of type: {', '.join(types)}"
    if broken := page.evaluate(BROKEN):
        yield f"broken words: {', '.join(broken)}"
    if SIZES[window][0] >= 768 and (ends := page.evaluate(LABELS)):
        yield f"far from their things: {', '.join(ends)}"
    if steps := page.evaluate(CUT_STEPS):
        yield f"steps cut off: {', '.join(steps)}"
    if covers := page.evaluate(COVERS):
        yield f"upon the board: {', '.join(covers)}"
    laid = {it["area"].split()[0]: it for it in page.evaluate(LAID, list(AREAS))}
    yield from (_in_whole_windows if window in WINDOWS else _in_small_ones)(page, window, laid, chosen)


def _in_whole_windows(page: Page, window: str, laid: dict[str, Any], chosen: bool) -> Iterator[str]:
    width, height = SIZES[window]
    for name, it in laid.items():
        inside = it["left"] >= 0 and it["top"] >= 0 and it["right"] <= width and max(it["bottom"], it["low"]) <= height
        if not inside:
            yield f"{name} reaches to {it['right']:.0f} x {max(it['bottom'], it['low']):.0f}"
        if it["scrolls"] > 1:
            yield f"{name} scrolls by {it['scrolls']}"
    sheet = page.evaluate(SHEET)
    if window == "1280x800" and sheet["width"] < 789:
        yield f"the board is only {sheet['width']:.0f} wide"  # its letters are legible at 790 (tests/contract)
    if width >= 1920 and sheet["width"] > 0.6 * width + 1:
        yield f"the board takes {sheet['width'] / width:.0%} of the width"
    roomy = ".game" if width >= 2560 else ".game:not(.tabbed)"
    if width >= 1920 and not chosen and (cut := page.evaluate(CUT_LINES, roomy)):
        yield f"cut off, though there is room: {', '.join(cut)}"
    low = window == "1366x650"  # it has no room for them at every table
    if (
        not chosen
        and page.locator(".lately" if low else ".moves-area").is_visible()
        and (lines := page.evaluate(LINES)) < 3
    ):
        yield f"only {lines} lines of what happened"
    if low and not chosen and (idle := page.evaluate(IDLE)) > ROOM:
        yield f"{idle:.0f} pixels are empty, and what happened is hidden"
    if not chosen and (covered := page.evaluate(COVERED)):
        yield f"Replay covers {covered} lines"
    if window == "2560x1300" and laid["seats-area"]["left"] < laid["choice-area"]["right"]:
        yield "the right side has one column"


def _in_small_ones(page: Page, window: str, laid: dict[str, Any], chosen: bool) -> Iterator[str]:
    hand = laid.get("hand-area")
    if window == "768x1024":
        if hand and not laid["board"]["bottom"] <= hand["top"] <= hand["bottom"] <= laid["choice-area"]["top"]:
            yield "the hand does not lie between board and choice"
        if laid["seats-area"]["left"] < laid["choice-area"]["right"]:
            yield "the seats do not stand beside the choice"
    if window == "360x740":
        yield from _on_a_phone(page, laid, chosen)


def _on_a_phone(page: Page, laid: dict[str, Any], chosen: bool) -> Iterator[str]:
    if small := page.evaluate(FINGERS):
        yield f"{small} buttons are lower than a finger"
    bar, seats, choice = laid["bar"], laid["seats-area"], laid["choice-area"]
    if bar["bottom"] > 41 or seats["bottom"] - seats["top"] > 32 or seats["top"] > 41:
        yield f"bar and seats end at {bar['bottom']:.0f} and {seats['bottom']:.0f}"
    sheet = page.evaluate(SHEET)
    if not (sheet["width"] >= 358 and 230 <= sheet["height"] <= 391 and sheet["top"] <= 80):
        yield f"the board is {sheet['width']:.0f} x {sheet['height']:.0f}, from {sheet['top']:.0f}"
    if choice["bottom"] != 740 or 740 - choice["top"] > (371 if chosen else 196):
        yield f"the choice lies from {choice['top']:.0f} to {choice['bottom']:.0f}"
    if high := [it for it in page.evaluate(ROWS) if it > 50]:
        yield f"rows of the hand are {high} high"
    if not chosen and (end := page.evaluate("document.querySelector('.mine').getBoundingClientRect().bottom")) > 545:
        yield f"the hand ends at {end:.0f}, below the choice"
    yield from _kept_in_view(page)


def _kept_in_view(page: Page) -> Iterator[str]:
    """Press the switch, load the page again, scroll to the end, and look for the board."""
    page.locator(".stays").click()
    page.locator(".board.kept").wait_for()
    page.reload()
    page.evaluate("scrollTo(0, 250)")
    sheet, frame = page.evaluate(SHEET), page.evaluate(FRAME)
    choice = page.evaluate("document.querySelector('.choice-area').getBoundingClientRect().toJSON()")
    if sheet["width"] < 358:
        yield f"the board that stays is only {sheet['width']:.0f} wide"
    if frame["top"] < 0 or choice["top"] - frame["bottom"] < 60:
        where = f"from {frame['top']:.0f} to {frame['bottom']:.0f}"
        yield f"the board that stays lies {where}, the choice from {choice['top']:.0f}"


if __name__ == "__main__":
    main()
