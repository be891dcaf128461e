"""Follows every link of every letter in a real browser, as machines that read mail do: does anything change?

    python -m tests.browser.letters

Each link is opened in a browser of its own, signed out, with its scripts. The check waits for the page's content, and
compares every table of the store before and after. Not part of the tests.
"""

import tempfile
from pathlib import Path

import click
import structlog
from playwright.sync_api import sync_playwright

from config.settings import Settings
from service.database.store import open_store
from tests import toy
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE, free_port, served
from tests.service.letters import every


@click.command()
@click.option("--linger", default=3000, show_default=True, help="Milliseconds that each page is left open.")
def main(linger: int) -> None:
    """Open every link; fail if anything has changed."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    with tempfile.TemporaryDirectory() as room, sync_playwright() as driver:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port(), rate_limits=False)  # type: ignore[call-arg]
        store = open_store(settings.database, titles={"toy": toy.TITLE}, settings=settings)
        store.migrate()
        letters = every.letters(store)
        before, followed = every.everything_in(store), 0
        with served(store, settings):
            chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for link in sorted(set().union(*(every.links_in(it, settings.site) for it in letters.values()))):
                context = chromium.new_context()
                context.set_default_timeout(PATIENCE)
                page = context.new_page()
                page.goto(settings.site + link, wait_until="load")
                page.wait_for_timeout(linger)
                context.close()
                followed += 1
            chromium.close()
        changed = [name for name, rows in every.everything_in(store).items() if rows != before[name]]
        store.close()
    click.echo(f"{followed} links of {len(letters)} letters; changed: {', '.join(changed) or 'nothing'}")
    if changed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
