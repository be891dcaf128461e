"""Talk and rematches in Chromium, as three people use them: on pages and by mail.

    python -m tests.browser.people [--phone] [--without-scripts]

It runs ``slowtrain up``. Ann and Bob talk at a table, in the tab and by answering letters, in English and German. When
their game is over, both press *Rematch* at once and sit at one table; Cleo gets one letter and answers ``join`` in the
mailbox. Then Bob reports a line and blocks its writer. It takes a minute or two, and names the step that fails.
"""

import contextlib
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from sqlalchemy import insert, select

from config.settings import Settings
from domain.lifecycle import Resign, StartGame
from service.base.clock import DAY, now
from service.database.store import Store, open_store
from service.games import rematches
from service.notices.mailbox import MAILBOX
from service.people import accounts
from service.people.accounts import PERSONS
from tests import road
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE, free_port
from tests.workers import processes

NAMES = {"Ann": "en", "Bob": "de", "Cleo": "en"}
TITLE = "grand_trunk"
AT_ONCE: dict[str, Any] = {"settle_seconds": 0, "presence_seconds": 0}
"""Letters do not wait."""
WITHIN = 180.0
"""Seconds in which a letter or a live page comes, on a busy machine."""


class People:
    """Three people, each with a browser, at one installation."""

    def __init__(self, settings: Settings, store: Store, browser: Browser, **made: Any) -> None:
        self.settings, self.store = settings, store
        self.numbers: dict[str, int] = {}
        self.contexts: dict[str, BrowserContext] = {}
        for name, lang in NAMES.items():
            row = {"email": f"{name.lower()}@example.org", "name": name, "lang": lang, "zone": "UTC"}
            with store.write() as conn:
                added = conn.execute(insert(PERSONS).values(**row, created_at=now() - 30 * DAY, tips=False))
                self.numbers[name] = int(added.inserted_primary_key[0])  # type: ignore[index]
                token = accounts.open_session(conn, self.numbers[name], now())
            context = browser.new_context(**{**made, "locale": "en"})
            context.set_default_timeout(PATIENCE)
            context.add_cookies([{"name": "session", "value": token, "url": settings.site}])
            self.contexts[name] = context

    def game(self) -> str:
        """Start a game of the three."""
        given = {"title": TITLE, "options": {}, "seats": 3, "name": "Monday trains", "public": True, "settle_ms": 0}
        opened = road.open_game(self.store, host_id=self.numbers["Ann"], at=now(), **given)
        for seat, number in enumerate(self.numbers.values(), 1):
            road.take_seat(self.store, opened.game_id, seat, choice={}, at=now(), person_id=number)
        road.submit(self.store, opened.game_id, None, [StartGame()], None, None, now())
        return opened.game_id

    def end(self, game_id: str) -> None:
        """Let Bob and Cleo resign."""
        for seat in (2, 3):
            road.submit(self.store, game_id, seat, [Resign()], None, None, now())

    def page(self, name: str, path: str) -> Page:
        page = self.contexts[name].new_page()
        page.goto(self.settings.site + path, wait_until="load")
        return page

    def letters(self, name: str, subject: str) -> list[int]:
        """Return the numbers of a person's letters whose subject contains this."""
        its = MAILBOX.c.recipient == f"{name.lower()}@example.org", MAILBOX.c.subject.contains(subject)
        with self.store.read() as conn:
            return list(conn.scalars(select(MAILBOX.c.id).where(*its).order_by(MAILBOX.c.id)))

    def answer(self, name: str, subject: str, text: str) -> None:
        """Answer a person's last letter with this subject on the mailbox page."""
        number = until(lambda: self.letters(name, subject), f"a letter to {name} about “{subject}”")[-1]
        page = self.page(name, f"/mailbox/{number}")
        page.click("details.reply > summary")
        page.fill("#answer", f"{text}\n{page.input_value('#answer')}")
        page.click("details.reply button[type=submit]")
        page.wait_for_url(re.compile(r"/mailbox/[0-9]+$"))
        page.close()


def until(condition: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + WITHIN
    while not (found := condition()):
        if time.monotonic() > end:
            raise click.ClickException(f"{what} did not come")
        time.sleep(0.2)
    return found


@contextlib.contextmanager
def serving() -> Iterator[tuple[Settings, Store]]:
    with tempfile.TemporaryDirectory() as folder:
        settings = processes.embedded(Path(folder), port=free_port(), mailbox_port=free_port(), **AT_ONCE)
        command = sys.executable, "-c", "from service.cli.main import main; main()", "up"
        with processes.process(settings, *command), contextlib.closing(open_store(settings.database)) as store:
            until(lambda: is_ready(store), "the service")
            yield settings, store


def is_ready(store: Store) -> bool:
    with contextlib.suppress(Exception), store.read() as conn:  # its tables are still being made
        return conn.execute(select(MAILBOX.c.id)).all() is not None
    return False


# ==== steps =======================================================================================
def say(page: Page, text: str) -> None:
    page.fill("#say", text)
    page.click("form.say button[type=submit]")
    page.wait_for_load_state()


def talk(people: People, game_id: str, scripts: bool) -> None:
    """A line in the tab reaches the other player"""
    ann, bob = (people.page(name, f"/games/{game_id}?show=talk") for name in ("Ann", "Bob"))
    say(ann, "@Bob: is it your turn?")
    if not scripts:
        bob.reload()
    bob.wait_for_selector("#talk-lines strong:has-text('@Bob')")
    say(bob, "Gleich, @Ann. Siehe https://example.org")
    if not scripts:
        ann.reload()
    ann.wait_for_selector("#talk-lines a[rel~=ugc]")
    assert ann.locator("#talk-lines li").count() == 2
    for page in (ann, bob):
        page.close()


def by_mail(people: People, game_id: str, scripts: bool) -> None:
    """“say:” and “sage:” in answers to letters publish, and nothing else does"""
    for name, subject, word in (("Ann", "Monday trains", "say"), ("Bob", "Monday trains", "sage")):
        people.answer(name, subject, f"Hello there\n{word}: By mail from {name}\nSay hello to Cleo")
    page = people.page("Cleo", f"/games/{game_id}/talk/players")
    words = page.locator("#talk-lines .words").all_inner_texts()
    assert words[2:] == ["By mail from Ann", "By mail from Bob"], words
    page.close()


def rematch(people: People, game_id: str, scripts: bool) -> None:
    """Two who press “Rematch” at once sit at one table, and the third answers one letter with “join”"""
    people.end(game_id)
    pages = [people.page(name, f"/games/{game_id}") for name in ("Ann", "Bob")]
    for page in pages:
        button = page.locator("form.again button")
        button.evaluate("it => setTimeout(() => it.click())") if scripts else button.click(no_wait_after=True)
    for page in pages:
        page.wait_for_url(lambda address: game_id not in address)
    assert len({page.url.partition("?")[0] for page in pages}) == 1, [page.url for page in pages]
    with people.store.read() as conn:
        table = rematches.following(conn, game_id)
    people.answer("Cleo", "again", "join\n\nSee you soon")
    until(lambda: seats(people, table.id) == 3, "Cleo's seat")
    assert len(people.letters("Cleo", "again")) == 1
    for page in pages:
        page.close()


def seats(people: People, game_id: str) -> int:
    with people.store.read() as conn:
        return len(people.store.load(conn, game_id).seats)


def report(people: People, game_id: str, scripts: bool) -> None:
    """A line is reported, and its writer blocked: then no line of theirs is shown"""
    page = people.page("Bob", f"/games/{game_id}/talk/players")
    page.locator("a[href*='/report']").first.click()
    page.locator("input[name=line]").first.check()
    page.fill("[name=why]", "Unfreundlich")
    page.click("main form[action$='/report'] button[type=submit]")
    page.wait_for_load_state()
    with people.store.read() as conn:
        address = conn.execute(select(PERSONS.c.profile).where(PERSONS.c.id == people.numbers["Ann"])).scalar_one()
    page.goto(f"{people.settings.site}/people/{address}")
    page.click("form[action$='/account/people/blocked'] button")
    page.wait_for_load_state()
    page.goto(f"{people.settings.site}/games/{game_id}/talk/players")
    assert "Ann" not in " ".join(page.locator("#talk-lines .who").all_inner_texts())
    page.close()


STEPS = (talk, by_mail, rematch, report)


@click.command()
@click.option("--phone", is_flag=True, help="A phone, used by touch.")
@click.option("--without-scripts", is_flag=True, help="Switch JavaScript off.")
def main(phone: bool, without_scripts: bool) -> None:
    """Take all steps."""
    with serving() as (settings, store), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        made = dict(driver.devices["Pixel 7"]) if phone else {"viewport": {"width": 1280, "height": 800}}
        people = People(settings, store, browser, **made, java_script_enabled=not without_scripts)
        game_id = people.game()
        for step in STEPS:
            began = time.monotonic()
            step(people, game_id, not without_scripts)
            click.echo(f"{step.__doc__}: yes ({time.monotonic() - began:.0f} s)")
        browser.close()


if __name__ == "__main__":
    main()
