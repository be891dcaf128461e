"""Looking back in a real browser: the replay, the places in the story, and the slider through past positions.

    python -m tests.browser.looking_back [--title new_england]

It plays each title to the middle of a game, shows the table and its past in the system's Chromium (Debian: ``apt
install chromium``; ``pip install -e '.[browser]'``), and names the faults. It ends with 1 if there is any.
"""

import sys
from typing import Any

import click

import domain
from tests.browser.pointing import PHONE, QUIET, WIDE, Check, Small, Table, look_at, looked

REPLAYED_PLIES, MOST_GOES = 12, 20
PIECES = "document.querySelector('.board .pieces').innerHTML"
REPLAYED = "document.querySelector('.board.replayed')"
THERE = "document.getElementById('there')?.textContent"


def replay(table: Table, world: Small) -> None:
    """Check that a replay tells its moves, ends by itself or by its button, and leaves the board as it was."""
    last = world.version()
    table.open(f"/at/{last}?since={last - REPLAYED_PLIES}")
    before, button = table.page.evaluate(PIECES), table.page.locator("[data-replay]")
    table.must(button.is_visible(), "no button for a replay")
    button.press("Enter")
    table.until(f"() => {REPLAYED}")
    table.until(f"() => {THERE}")
    table.until("() => document.querySelector('.lately .named')")
    table.until(f"() => !{REPLAYED}")
    table.must(table.page.evaluate(PIECES) == before, "the replay leaves another board behind")
    button.press("Enter")
    table.until(f"() => {REPLAYED}")
    button.press("Enter")
    table.must(not table.page.evaluate(f"Boolean({REPLAYED})"), "the button does not stop the replay")
    table.must(table.page.evaluate(PIECES) == before, "the stopped replay leaves another board behind")


def no_replay(table: Table) -> None:
    """Check that nobody sees a button that would do nothing, or who wants no motion."""
    table.open()
    table.must(not table.page.locator("[data-replay]").is_visible(), "there is a button for a replay")
    table.must(table.page.locator(".lately li").count() > 0, "the moves are not listed")


def places(table: Table, world: Small) -> None:
    """Check that a place in the story leads to the board, where its last story is told."""
    link = table.page.locator(".lately a.place:visible").first
    for _ in range(MOST_GOES):
        table.open(f"/at/{world.version()}?since={world.version() - REPLAYED_PLIES}")
        if link.count():
            break
        world.play_on(world.middle, REPLAYED_PLIES)
    table.must(link.count() == 1, "no place in the story")
    if not link.count():
        return
    link.focus()
    table.until(f"() => {THERE}")
    table.must(table.page.locator(".happened a.named").count() == 1, "the place is not marked on the board")
    table.page.keyboard.press("Escape")
    table.must(not table.page.evaluate(THERE), "Escape leaves the line of text")
    table.page.keyboard.press("Enter")
    table.must("#on-" in table.page.url, "a place in the story leads nowhere")


def slider(table: Table, world: Small) -> None:
    """Check that the slider goes through the game by its own keys, and keeps the focus."""
    last = world.version()
    table.open(f"/at/{last}")
    table.page.locator("#move").focus()
    for key, to in (("Home", 1), ("ArrowRight", 2), ("End", last), ("ArrowLeft", last - 1)):
        table.page.keyboard.press(key)
        table.until("to => location.pathname.endsWith(`/at/${to}`)", to)
        table.until("to => document.querySelector('.slider output').textContent.startsWith(`${to} /`)", to)
        table.must(table.focus() == "move", f"{key} loses the focus")
        table.must(str(to) in (table.page.locator("h1").text_content() or ""), f"{key} keeps the heading")
        _tells_up_to(table, to)
    mark = table.page.locator(".happened a").first
    if mark.count():
        mark.focus()
        before = table.page.url
        table.page.keyboard.press("ArrowRight")
        table.page.wait_for_timeout(QUIET)
        table.must(table.page.url == before, "an arrow on the board moves the slider")


def slider_without_scripts(table: Table, world: Small) -> None:
    """Check that the slider's button leads to its position, and the story's numbers to theirs."""
    table.open(f"/at/{world.version()}")
    table.page.locator("#move").focus()
    table.page.keyboard.press("Home")
    table.page.locator(".slider button").click()
    table.must(table.page.url.endswith("/at/1"), f"the slider leads to {table.page.url}")
    table.open(f"/at/{world.version()}")
    number = table.page.locator(".lately a.ply").nth(1)
    to = number.get_attribute("href")
    number.click()
    table.must(table.page.url.endswith(str(to)), f"a number of the story leads to {table.page.url}")
    _tells_up_to(table, int(str(to).rpartition("/")[2]))


def _tells_up_to(table: Table, version: int) -> None:
    told = [int(str(it.get_attribute("data-ply"))) for it in table.page.locator(".lately li").all()]
    table.must(bool(told) and max(told) <= version, f"after move {version} the story tells {told}")


CHECKS: dict[str, tuple[Check, dict[str, Any]]] = {
    "replay": (replay, {"viewport": WIDE}),
    "replay, narrow": (replay, {"viewport": PHONE, "is_mobile": True}),
    "no motion": (looked(no_replay), {"viewport": WIDE, "reduced_motion": "reduce"}),
    "no scripts": (looked(no_replay), {"viewport": WIDE, "java_script_enabled": False}),
    "places": (places, {"viewport": WIDE}),
    "slider": (slider, {"viewport": WIDE}),
    "slider, narrow, in German": (slider, {"viewport": PHONE, "is_mobile": True, "locale": "de"}),
    "slider, no scripts": (slider_without_scripts, {"viewport": WIDE, "java_script_enabled": False}),
}


@click.command()
@click.option("--title", "titles", multiple=True, type=click.Choice(list(domain.TITLES)), help="One, or several.")
def main(titles: tuple[str, ...]) -> None:
    """Look back at games of all titles, and name the faults."""
    sys.exit(1 if look_at(CHECKS, titles) else 0)


if __name__ == "__main__":
    main()
