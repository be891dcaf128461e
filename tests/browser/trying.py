"""A tried turn in a real browser: with scripts and without, on a phone and on a wide screen.

    python -m tests.browser.trying [--title new_england]

It plays each title to the middle of a game and tries a turn in the system's Chromium (Debian: ``apt install chromium``;
``pip install -e '.[browser]'``): steps are chosen by their buttons, taken back one by one, loaded again and confirmed.
A second press at once must do nothing, and the button must look so. It names the faults, and ends with 1 if there is
any.
"""

import logging
import sys
import tempfile
from pathlib import Path
from typing import Any

import click
import structlog
from playwright.sync_api import sync_playwright

import domain
from config.settings import Settings
from service.database.store import open_store
from service.games import queries
from tests.browser.pointing import PHONE, QUIET, WIDE, Small, Table
from tests.browser.shots import CHROMIUM, FLAGS, free_port, served

MOST_STEPS = 4
BUTTONS = ".actions form[action$='/try'] li > button, .actions form[action$='/try'] > button[type=submit]"
STEPS = "document.querySelectorAll('ol.tried > li').length"
CONFIRM = ".trial form button.primary"
BELOW = """([x, y]) => { const hit = document.elementFromPoint(x, y)?.closest('form:not([action$="/try"]) button');
  return hit ? hit.textContent.trim() : ''; }"""
"""The effect of a second tap at the same spot, other than trying something."""


def steps(table: Table) -> int:
    return int(table.page.evaluate(STEPS))


def a_button(table: Table) -> Any:
    """Return a button that is one step of a turn, after a choice of kind if there are many; None if there is none."""
    for _ in range(3):
        found = table.page.locator(BUTTONS)
        for number in range(found.count()):
            if found.nth(number).is_visible():
                return found.nth(number)
        kinds = table.page.locator(".actions .ways:not(.chosen) a")
        if not kinds.count():
            return None
        before = table.page.url
        kinds.first.click()
        table.until("before => location.href !== before", before)
    return None


def choose(table: Table) -> int:
    """Choose steps until none can follow. Return their number."""
    for number in range(MOST_STEPS):
        button = a_button(table)
        if button is None:
            break
        table.page.wait_for_timeout(QUIET)
        button.click()
        if not table.until(f"() => {STEPS} >= {number + 1}"):
            break
    return steps(table)


def in_sight(table: Table) -> bool:
    box, height = table.page.locator(CONFIRM).bounding_box(), table.page.viewport_size["height"]
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height


def try_a_turn(table: Table, version: Any) -> None:
    """Collect steps, go back by the page and by the browser, load again, and make them by one button."""
    before = version()
    table.open()
    number = choose(table)
    table.must(number > 0, "no step could be chosen")
    if not number:
        return
    table.must(version() == before, "something was made before it was confirmed")
    table.must(in_sight(table), "the button to confirm is not in sight")
    tried = table.page.url
    table.page.reload()
    table.must(steps(table) == number, "loading again lost a step")
    table.page.locator(".trial a.button", has_text="Undo step").click()
    table.until(f"() => {STEPS} === {number - 1}")
    table.page.go_back()
    table.until(f"() => {STEPS} === {number}")
    table.must(table.page.url == tried, "going back leads elsewhere")
    table.page.locator(CONFIRM).hover()  # waits until going back has scrolled
    box = table.page.locator(CONFIRM).bounding_box()
    spot = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    table.page.mouse.click(*spot)
    table.until("() => !document.querySelector('.trial')")
    table.must(version() > before, "confirming made nothing")
    below = table.page.evaluate(BELOW, spot)
    table.must(not below, f"a second tap would press “{below}”")


LOOK = f"(it => [it.color, it.backgroundColor, it.borderColor])(getComputedStyle(document.querySelector('{CONFIRM}')))"


def press_too_soon(table: Table, version: Any) -> None:
    """Check that the button to confirm is deaf for a moment after a step, and that it looks so."""
    before = version()
    table.page.clock.install()
    table.open()
    button = a_button(table)
    if button is None:
        table.must(holds=False, what="no step could be chosen")
        return
    table.page.clock.pause_at(table.page.evaluate("Date.now()") / 1000 + 60)
    button.click()
    table.page.locator(CONFIRM).wait_for()
    deaf = table.page.evaluate(LOOK)
    table.page.locator(CONFIRM).click()
    table.page.wait_for_timeout(QUIET)
    table.must(version() == before, "a second press made the move")
    table.must(steps(table) == 1, "a second press left the preview")
    table.page.clock.run_for(QUIET)
    table.must(table.page.evaluate(LOOK) != deaf, "the button looks the same while it is deaf")
    table.page.locator(CONFIRM).click()
    table.until("() => !document.querySelector('.trial')")
    table.must(version() > before, "afterwards, it confirms nothing")


@click.command()
@click.option("--title", multiple=True, type=click.Choice(list(domain.TITLES)), help="One title, or several.")
def main(title: tuple[str, ...]) -> None:
    """Try a turn of each title in a browser."""
    logging.getLogger("waitress").setLevel(logging.ERROR)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    wrong = [it for each in title or tuple(domain.TITLES) for it in tried(each)]
    for it in wrong:
        click.echo(it, err=True)
    sys.exit(1 if wrong else 0)


def tried(title: str) -> list[str]:
    """Return the faults of one title."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as room:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port())  # type: ignore[call-arg]
        store = open_store(settings.database, titles=dict(domain.TITLES), settings=settings)
        store.migrate()
        world = Small(store, title)

        def version() -> int:
            with store.read() as conn:
                return int(queries.game_for(store, conn, world.ann, world.middle).game.version)

        with served(store, settings), sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for said, size, scripts, check in (
                ("phone", PHONE, True, try_a_turn),
                ("phone, no scripts", PHONE, False, try_a_turn),
                ("wide", WIDE, True, try_a_turn),
                ("phone, too soon", PHONE, True, press_too_soon),
                ("wide, too soon", WIDE, True, press_too_soon),
            ):
                while not world.points() and world.asked(world.middle):
                    world.play_on(world.middle, 1)
                context = browser.new_context(viewport=size, has_touch=size is PHONE, java_script_enabled=scripts)
                context.add_cookies([{"name": "session", "value": world.session, "url": settings.site}])
                table = Table(context.new_page(), f"{settings.site}/games/{world.middle}")
                check(table, version)
                wrong += [f"{title}, {said}: {it}" for it in table.wrong]
                click.echo(f"{title}, {said}: looked at")
                context.close()
            browser.close()
        store.close()
    return wrong


if __name__ == "__main__":
    main()
